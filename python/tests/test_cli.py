"""The command line as people run it: a process, its streams and its exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import counterfoil

ROOT = Path(__file__).resolve().parents[2]
HONEST = {"turns": [{"reply": "Hello.", "calls": []}]}
FALSE = {
    "turns": [
        {
            "reply": "All tests pass. 🎉",
            "calls": [{"tool": "bash", "arguments": {"command": "pytest"}, "output": "1 failed", "exit": 1}],
        }
    ]
}


def run(*words: str, data: bytes = b"", folder: Path = ROOT, **env: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "counterfoil", *words]
    return subprocess.run(command, input=data, capture_output=True, cwd=folder, env={**os.environ, **env}, timeout=60)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "honest.json").write_text(json.dumps(HONEST), "utf-8")
    (tmp_path / "false.json").write_text(json.dumps(FALSE), "utf-8")
    return tmp_path


def test_the_exit_status_says_what_was_found(folder: Path) -> None:
    assert run("check", "honest.json", folder=folder).returncode == 0
    assert run("check", "honest.json", "false.json", folder=folder).returncode == 1
    assert run("check", "honest.json", "missing.json", folder=folder).returncode == 2
    assert run("check", "false.json", "missing.json", folder=folder).returncode == 2


def test_a_missing_file_is_named_and_the_others_are_checked(folder: Path) -> None:
    found = run("check", "missing.json", "false.json", folder=folder)
    assert b"missing.json: No such file" in found.stderr
    assert b"All tests pass" in found.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_file_whose_name_is_no_text_is_read(folder: Path) -> None:
    (folder / os.fsdecode(b"\xff.json")).write_text(json.dumps(FALSE), "utf-8")
    assert run("check", os.fsdecode(b"\xff.json"), folder=folder).returncode == 1


def test_a_dash_reads_standard_input(folder: Path) -> None:
    found = run("check", "-", data=json.dumps(FALSE).encode())
    assert found.returncode == 1
    assert b"All tests pass" in found.stdout


def test_the_json_is_one_report_a_file(folder: Path) -> None:
    found = run("check", "--output", "json", "honest.json", "false.json", folder=folder)
    reports = json.loads(found.stdout)
    assert [report["file"] for report in reports] == ["honest.json", "false.json"]
    assert reports[1]["unit"] == "codepoints"
    assert counterfoil.Report.from_dict(reports[1]).totals.flagged == 1


def test_help_and_version_are_printed_and_wrong_usage_exits_2() -> None:
    assert counterfoil.__version__ in run("--version").stdout.decode()
    assert b"check" in run("--help").stdout
    wrong = run("check", "--no-such-flag")
    assert wrong.returncode == 2
    assert b"--no-such-flag" in wrong.stderr
    assert wrong.stdout == b""


def test_the_settings_file_is_found_upward(folder: Path) -> None:
    inner = folder / "a" / "b"
    inner.mkdir(parents=True)
    (folder / "counterfoil.toml").write_text('mode = "off"\n', "utf-8")
    assert run("check", "../../false.json", folder=inner).returncode == 0
    (folder / "a" / "pyproject.toml").write_text('[tool.counterfoil]\nmode = "readers"\n', "utf-8")
    assert run("check", "../../false.json", folder=inner).returncode == 1
    (folder / "a" / "pyproject.toml").write_text("[project]\nname = 'x'\n", "utf-8")
    assert run("check", "../../false.json", folder=inner).returncode == 0


def test_a_wrong_settings_file_is_named(folder: Path) -> None:
    (folder / "counterfoil.toml").write_text("mode = 5\n", "utf-8")
    found = run("check", "honest.json", folder=folder)
    assert found.returncode == 2
    assert b"counterfoil.toml" in found.stderr


def test_a_settings_file_that_is_no_text_is_named(folder: Path) -> None:
    (folder / "settings.toml").write_bytes(b'mode = "\xff"')
    found = run("check", "--config", "settings.toml", "honest.json", folder=folder)
    assert (found.returncode, found.stderr.decode()) == (2, "counterfoil: settings.toml: not UTF-8 text\n")
    (folder / "counterfoil.toml").write_bytes('\ufeffmode = "off"'.encode())
    assert run("check", "false.json", folder=folder).returncode == 0


def test_an_empty_name_is_no_folder(folder: Path) -> None:
    found = run("check", "", "false.json", folder=folder)
    assert (found.returncode, found.stderr.decode()) == (2, "counterfoil: : the name is empty\n")
    assert b"All tests pass" in found.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="the shell's redirections are those of POSIX")
@pytest.mark.parametrize(
    ("streams", "status", "said"),
    [
        ("check - <&-", 2, "counterfoil: standard input: it is closed\n"),
        ("check false.json >&-", 2, "counterfoil: standard output: it is closed\n"),
        ("check missing.json 2>&-", 2, ""),
        ("check false.json 2>&-", 1, ""),
    ],
)
def test_a_closed_stream_is_one_line(folder: Path, streams: str, status: int, said: str) -> None:
    command = f"{sys.executable} -m counterfoil {streams}"
    found = subprocess.run(command, shell=True, capture_output=True, cwd=folder, timeout=60)
    assert (found.returncode, found.stderr.decode()) == (status, said)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is full")
def test_a_full_disk_is_one_line(folder: Path) -> None:
    command = f"{sys.executable} -m counterfoil check honest.json false.json > /dev/full"
    found = subprocess.run(command, shell=True, capture_output=True, cwd=folder, timeout=60)
    assert (found.returncode, found.stderr) == (2, b"counterfoil: standard output: No space left on device\n")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps a folder that is in use")
def test_a_folder_that_is_gone_has_no_settings(folder: Path) -> None:
    (folder / "gone").mkdir()
    command = f'cd gone && rmdir "$PWD" && {sys.executable} -m counterfoil check "{folder}/false.json"'
    found = subprocess.run(command, shell=True, capture_output=True, cwd=folder, timeout=60)
    assert (found.returncode, found.stderr) == (1, b"")


def test_pipes_get_no_colour_and_an_ascii_terminal_no_traceback(folder: Path) -> None:
    found = run("check", "false.json", folder=folder, PYTHONIOENCODING="ascii")
    assert b"\x1b[" not in found.stdout
    assert b"Traceback" not in found.stderr
    assert found.returncode == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGPIPE")
def test_a_closed_pipe_ends_quietly(folder: Path) -> None:
    command = f"{sys.executable} -m counterfoil check " + "false.json " * 500 + "| head -1"
    found = subprocess.run(command, shell=True, capture_output=True, cwd=folder, timeout=60)
    assert found.stderr == b""


def test_a_folder_stands_for_the_transcripts_in_it(folder: Path) -> None:
    inner = folder / "deep" / "er"
    inner.mkdir(parents=True)
    (inner / "more.jsonl").write_text(json.dumps(HONEST["turns"][0]) + "\n", "utf-8")
    (folder / ".git").mkdir()
    (folder / ".git" / "false.json").write_text("{", "utf-8")
    (folder / "note.txt").write_text("{", "utf-8")
    if sys.platform != "win32":
        (inner / "loop").symlink_to(folder)
    found = run("check", "-o", "json", ".", folder=folder)
    names = [report["file"] for report in json.loads(found.stdout)]
    assert names == ["./deep/er/more.jsonl", "./false.json", "./honest.json"]
    assert found.returncode == 1
    assert found.stderr == b"counterfoil: passed over 1 file: 1 ends in .txt\n"
    table = run("check", str(folder), folder=folder).stdout.decode()
    assert table.endswith("reader   flagged\noutcome        1\n")
    (folder / ".git" / "false.json").unlink()
    empty = run("check", "deep/..", ".git", folder=folder)
    assert empty.returncode == 2
    assert b"counterfoil: .git: no transcript in this folder\n" in empty.stderr


def test_what_is_no_transcript_is_passed_over_in_a_folder_and_an_error_where_it_is_named(folder: Path) -> None:
    (folder / "package.json").write_text('{"name": "x"}', "utf-8")
    (folder / "begun.json").write_text("[]", "utf-8")
    (folder / "run.traj").write_text(json.dumps(HONEST), "utf-8")
    (folder / "false.json").unlink()
    found = run("check", ".", folder=folder)
    assert found.returncode == 0
    assert found.stderr == b"counterfoil: passed over 1 file: 1 holds no transcript (package.json)\n"
    assert b"./run.traj" in found.stdout
    assert run("check", "begun.json", folder=folder).returncode == 0
    named = run("check", ".", "package.json", folder=folder)
    assert (named.returncode, named.stderr.count(b"not a transcript I know")) == (2, 1)
    alone = run("check", "p*.json", folder=folder)
    assert alone.returncode == 2
    assert alone.stderr.startswith(b"counterfoil: nothing was checked; passed over 1 file: ")


def test_a_file_that_cannot_be_read_is_listed_with_its_error(folder: Path) -> None:
    found = run("check", "-o", "json", "missing.json", "honest.json", folder=folder)
    errors = {report["file"]: report["error"] for report in json.loads(found.stdout)}
    assert errors == {"missing.json": "No such file or directory", "honest.json": None}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such pipes")
def test_a_pipe_to_which_nobody_writes_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "pipe.json")
    named = run("check", "pipe.json", folder=folder)
    assert (named.returncode, named.stderr) == (2, b"counterfoil: pipe.json: a pipe to which nothing is written\n")
    found = run("check", ".", folder=folder)
    assert (found.returncode, found.stderr) == (1, b"counterfoil: passed over 1 file: 1 is a pipe or a device\n")
    for command in ("cat false.json > pipe.json & {} check pipe.json", "cat false.json | {} check /dev/stdin"):
        words = command.format(f"{sys.executable} -m counterfoil")
        piped = subprocess.run(words, shell=True, capture_output=True, cwd=folder, timeout=60)
        assert (piped.returncode, piped.stderr) == (1, b"")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="Windows has no such devices")
def test_a_file_without_end_is_left_where_it_fails(folder: Path) -> None:
    found = run("check", "/dev/zero", "honest.json", folder=folder)
    assert found.returncode == 2
    assert found.stderr.startswith(b"counterfoil: /dev/zero: not JSON: binary data")


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="Windows has no such terminals")
def test_a_bar_is_drawn_on_a_terminal_alone(folder: Path) -> None:
    command = [sys.executable, "-m", "counterfoil", "check", "honest.json", "false.json"]
    env = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    for more, drawn in ([], True), (["--quiet"], False):
        terminal, end = os.openpty()
        run = subprocess.Popen(
            [*command, *more], stdout=subprocess.DEVNULL, stderr=end, cwd=folder, env={**env, "TERM": "xterm"}
        )
        assert run.wait(60) == 1
        os.write(end, b".")
        said = os.read(terminal, 10_000).decode()
        os.close(terminal)
        os.close(end)
        assert (said == ".") != drawn
        assert not drawn or "[##########..........] 1/2 false.json" in said


def test_a_file_that_grows_is_read_as_far_as_it_went(folder: Path) -> None:
    lines = (json.dumps({**HONEST["turns"][0], "user": "x" * 1000}) + "\n").encode() * 3000
    (folder / "live.jsonl").write_bytes(lines)
    command = "while true; do cat live.jsonl >> more.jsonl; sleep 0.001; done & writer=$!; sleep 0.3;"
    command += f"{sys.executable} -m counterfoil check more.jsonl; status=$?; kill $writer; exit $status"
    found = subprocess.run(command, shell=True, capture_output=True, cwd=folder, timeout=60)
    assert (found.returncode, found.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\x1f\x8b\x08\0\0", "compressed with gzip; unpack it first"),
        (b"BZh91AY&SY", "compressed with bzip2; unpack it first"),
        (b"\xfd7zXZ\0\0", "compressed with xz; unpack it first"),
        (b"SQLite format 3\0", "an SQLite database; have the host export the session"),
        (b'{\0"\0a\0', "binary data, or UTF-16 without its byte-order mark"),
        (b"\0" * 100, "binary data, or UTF-16 without its byte-order mark"),
    ],
)
def test_what_is_no_text_is_told_by_its_first_bytes(folder: Path, data: bytes, said: str) -> None:
    (folder / "x.jsonl").write_bytes(data)
    found = run("check", "x.jsonl", folder=folder)
    assert (found.returncode, found.stderr.decode()) == (2, f"counterfoil: x.jsonl: not JSON: {said}\n")
    for read in (counterfoil.load, lambda path: list(counterfoil.iter_turns(path))):
        with pytest.raises(counterfoil.Error, match=said.split(";")[0]):
            read(folder / "x.jsonl")


def test_utf_16_is_read(folder: Path) -> None:
    (folder / "wide.json").write_bytes(json.dumps(FALSE).encode("utf-16"))
    assert run("check", "wide.json", folder=folder).returncode == 1


def test_a_folder_is_no_transcript_for_the_functions(folder: Path) -> None:
    for read in (counterfoil.load, lambda path: list(counterfoil.iter_turns(path))):
        with pytest.raises(OSError, match="Is a directory"):
            read(folder)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux takes names that are no text")
def test_a_name_that_is_no_text_is_found_in_a_folder(folder: Path) -> None:
    (folder / "\udcff.json").write_text(json.dumps(HONEST), "utf-8")
    found = run("check", str(folder), folder=folder)
    assert (found.returncode, found.stderr) == (1, b"")


def test_a_pattern_in_quotes_is_matched_and_a_home_found(folder: Path) -> None:
    found = run("check", "-o", "json", "~/*est.json", folder=Path("/"), HOME=str(folder), USERPROFILE=str(folder))
    assert [Path(report["file"]).name for report in json.loads(found.stdout)] == ["honest.json"]
    none = run("check", "none/**/*.json", folder=folder)
    assert (none.returncode, none.stderr) == (2, b"counterfoil: none/**/*.json: no file fits this pattern\n")


def test_a_transcript_is_converted(folder: Path) -> None:
    found = run("convert", "false.json", "--to", "native", folder=folder)
    assert found.returncode == 0
    assert run("convert", "false.json", folder=folder).stdout == found.stdout
    assert counterfoil.load(found.stdout).turns == counterfoil.load(folder / "false.json").turns
    missing = run("convert", "missing.json", "--to", "native", folder=folder)
    assert (missing.returncode, missing.stderr) == (2, b"counterfoil: missing.json: No such file or directory\n")


def test_the_formats_are_listed() -> None:
    listed = json.loads(run("formats", "-o", "json").stdout)
    text = run("formats").stdout.decode()
    assert all(text.count(format["name"]) and format["about"] in text for format in listed)


def test_an_archive_is_read_by_its_name(folder: Path) -> None:
    with zipfile.ZipFile(folder / "log.eval", "w") as made:
        made.writestr("notes.txt", "x")
    found = run("check", "log.eval", folder=folder)
    assert found.returncode == 2
    assert b"a zip archive without Inspect's header.json" in found.stderr


def test_an_audit_has_an_event_for_each_checked_turn(folder: Path) -> None:
    audit = folder / "audit.jsonl"
    audit.write_text('{"event":"older"}\n', "utf-8")
    plain = run("check", "-o", "json", "false.json", folder=folder)
    told = run("check", "-o", "json", "false.json", "--audit", "audit.jsonl", folder=folder)
    assert (told.returncode, told.stdout, told.stderr) == (plain.returncode, plain.stdout, plain.stderr)
    checked = [turn["verification"] for turn in json.loads(plain.stdout)[0]["turns"] if turn["verification"]]
    older, *events = [json.loads(line) for line in audit.read_text("utf-8").splitlines()]
    assert older == {"event": "older"}
    found = [(event["event"], event["method"], event["status"], event["line"]) for event in events]
    assert found == [("response.verification", "readers", one["status"], one["line"]) for one in checked]
    assert all(event["seconds"] > 0 for event in events)


def test_an_audit_that_cannot_be_written_is_one_line(folder: Path) -> None:
    lost = run("check", "false.json", "--audit", "no/such/file", folder=folder)
    assert (lost.returncode, lost.stdout) == (2, b"")
    assert lost.stderr == b"counterfoil: --audit: no/such/file: No such file or directory\n"
    if Path("/dev/full").exists():
        full = run("check", "false.json", "--audit", "/dev/full", folder=folder)
        assert (full.returncode, full.stderr) == (2, b"counterfoil: --audit: No space left on device\n")


def test_check_says_where_the_model_step_is(folder: Path) -> None:
    found = run("check", "false.json", "--mode", "model", folder=folder)
    assert found.returncode == 2
    assert found.stderr.startswith(b"counterfoil: --mode: check asks no model; to score one: counterfoil eval FILE")
