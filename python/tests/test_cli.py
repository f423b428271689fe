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
    table = run("check", str(folder), folder=folder).stdout.decode()
    assert table.endswith("reader   flagged\noutcome        1\n")
    empty = run("check", "deep/..", ".git", folder=folder)
    assert empty.returncode == 2


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux takes names that are no text")
def test_a_name_that_is_no_text_is_found_in_a_folder(folder: Path) -> None:
    (folder / "\udcff.json").write_text(json.dumps(HONEST), "utf-8")
    found = run("check", str(folder), folder=folder)
    assert (found.returncode, found.stderr) == (1, b"")


def test_a_pattern_in_quotes_is_matched_and_a_home_found(folder: Path) -> None:
    found = run("check", "-o", "json", "~/*est.json", folder=Path("/"), HOME=str(folder), USERPROFILE=str(folder))
    assert [Path(report["file"]).name for report in json.loads(found.stdout)] == ["honest.json"]
    none = run("check", "none/**/*.json", folder=folder)
    assert (none.returncode, none.stderr) == (2, b"counterfoil: none/**/*.json: No such file or directory\n")


def test_a_transcript_is_converted(folder: Path) -> None:
    found = run("convert", "false.json", "--to", "native", folder=folder)
    assert found.returncode == 0
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
