"""Proof of read: the vectors, the package's own checks, and the ASGI application under a real uvicorn."""

from __future__ import annotations

import asyncio
import json
import pickle
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn

import counterfoil
from counterfoil import Error
from counterfoil.canary import Canary, app, find_sentinel, headers, new_session, sentinel

ROOT = Path(__file__).resolve().parents[2]
KEY = bytes([7]) * 32
NOON = 300_000_000


def published() -> list[Path]:
    above = [up / "shared/vectors/canary-v1.json" for up in ROOT.parents[:3]]
    return [ROOT / "tests/canary/vectors.json", *[path for path in above if path.exists()][:1]]


@pytest.mark.parametrize("path", published(), ids=lambda path: path.name)
def test_the_vectors_come_out_byte_for_byte(path: Path) -> None:
    vectors = json.loads(path.read_text("utf-8"))
    key = bytes.fromhex(vectors["root_key_hex"])
    for case in vectors["vectors"]:
        assert sentinel(key, case["session_id"], case["bucket"], case["sentinel_bytes"]) == case["sentinel"]
    for case in vectors.get("refusals", []):
        with pytest.raises(Error) as raised:
            sentinel(key, case["session_id"], case["bucket"], case["sentinel_bytes"])
        assert raised.value.path == case["path"]


def test_an_answer_is_judged() -> None:
    canary = Canary(KEY)
    issued = canary.issue("s", NOON, "10.0.0.1", "probe/1")
    assert issued.expires == NOON + 600
    assert canary.verify("s", f"`{issued.sentinel}`", NOON + 0.5).state == "READ_VERIFIED"
    assert canary.verify("s", issued.sentinel, NOON + 900).state == "READ_STALE"
    assert canary.verify("s", None, NOON).state == "HALLUCINATED"
    assert canary.verify("s", sentinel(KEY, "s", NOON // 300 - 1), NOON).state == "REPLAY_SUSPECT"
    found = canary.verify_reply("s", f"日本 🎉 It says **{issued.sentinel}**.", NOON)
    assert (found.state, found.distance) == ("READ_VERIFIED", 0)
    assert "not that the page was understood" in found.meaning
    assert found.event == {
        "event": "canary.verified", "at": NOON, "session": "s", "state": "READ_VERIFIED", "distance": 0,
    }  # fmt: skip
    assert find_sentinel(f"x {issued.sentinel}") == [issued.sentinel]


def test_nothing_shows_a_key_or_a_sentinel_by_accident() -> None:
    canary = Canary(KEY)
    issued = canary.issue("s", NOON, "10.0.0.1")
    for shown in (repr(canary), repr(issued), json.dumps(issued.event), canary.export_log()):
        assert issued.sentinel not in shown
        assert "10.0.0.1" not in shown
    with pytest.raises(TypeError):
        pickle.dumps(canary)


def test_a_log_goes_to_another_process_with_the_same_key() -> None:
    one, two = Canary(KEY), Canary(KEY)
    issued = one.issue("s", NOON)
    assert two.verify("s", issued.sentinel, NOON).state == "REPLAY_SUSPECT"
    two.import_log(one.export_log())
    assert two.verify("s", issued.sentinel, NOON).state == "READ_VERIFIED"
    with pytest.raises(Error):
        two.import_log("[]")


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"bucket_seconds": 29}, "bucket_seconds"),
        ({"stale_horizon": 1}, "stale_horizon"),
        ({"retention_hours": 1}, "retention_hours"),
        ({"log_size": True}, "log_size"),
        ({"sentinel_bytes": "32"}, "sentinel_bytes"),
    ],
)
def test_a_wrong_option_fails_at_construction(options: dict[str, Any], path: str) -> None:
    with pytest.raises(Error) as raised:
        Canary(KEY, **options)
    assert (raised.value.kind, raised.value.path) == ("option", path)


def test_wrong_arguments_are_errors_with_their_place() -> None:
    wrong: Any
    for wrong in (b"short", "text", None, bytes(32)):
        with pytest.raises(Error) as raised:
            Canary(wrong)
        assert raised.value.path == "root_key"
    canary = Canary(KEY)
    for session in ("", "../", "a\nb", "<script>", "x" * 129, "\ud800"):
        with pytest.raises(Error) as raised:
            canary.issue(session, NOON)
        assert raised.value.path == "session"
        assert canary.verify(session, "x", NOON).state == "HALLUCINATED"
    for wrong in (None, "noon", float("nan"), float("inf"), 1e300, True):
        with pytest.raises(Error) as raised:
            canary.issue("s", wrong)
        assert raised.value.path == "now"


def test_threads_share_a_canary() -> None:
    canary = Canary(KEY)
    threads = [
        threading.Thread(target=lambda n=n: [canary.issue(f"{n}-{i}", NOON) for i in range(200)]) for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert canary.issued == 1600


class Server:
    """The application under uvicorn, on a port of its own."""

    def __init__(self, **options: Any) -> None:
        self.events: list[Any] = []
        self.canary = Canary(KEY)
        application = app(self.canary, audit=self.events.append, **options)
        config = uvicorn.Config(application, host="127.0.0.1", port=0, log_level="error", ws="none")
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=lambda: asyncio.run(self.server.serve()), daemon=True)

    def __enter__(self) -> Server:  # noqa: PYI034 (Python 3.10 has no Self)
        self.thread.start()
        until = time.monotonic() + 20
        while not self.server.started:
            assert time.monotonic() < until, "uvicorn did not start"
            time.sleep(0.01)
        self.port = self.server.servers[0].sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join(20)

    def ask(self, path: str, body: bytes | None = None, **headers: str) -> tuple[int, Any, str]:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", body)
        for name, value in headers.items():
            request.add_header(name.replace("_", "-"), value)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as answer:
            with answer:
                return answer.code, answer.headers, answer.read().decode()

    def verify(self, **asked: Any) -> tuple[int, Any]:
        status, _, body = self.ask("/canary/verify", json.dumps(asked).encode(), Content_Type="application/json")
        return status, json.loads(body)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server(per_minute=1000) as server:
        yield server


def test_a_page_is_read_and_its_value_reported(server: Server) -> None:
    status, found, page = server.ask("/canary/trip")
    assert status == 200
    for name, value in headers().items():
        assert found[name] == value
    value = find_sentinel(page)[0]
    assert page.count(value) == 3
    status, verdict = server.verify(session="trip", reply=f"It says {value}.")
    assert (status, verdict["state"], verdict["distance"]) == (200, "READ_VERIFIED", 0)
    assert server.verify(session="trip", claim=value)[1]["state"] == "READ_VERIFIED"
    assert server.verify(session="other", claim=value)[1]["state"] == "HALLUCINATED"
    assert server.verify(session="trip", claim=None)[1]["state"] == "HALLUCINATED"
    assert [event["event"] for event in server.events[:2]] == ["canary.issued", "canary.verified"]
    assert value not in json.dumps(server.events)


def test_the_other_forms_of_the_document(server: Server) -> None:
    _, found, text = server.ask("/canary/form?form=text")
    assert found["Content-Type"].startswith("text/plain")
    assert len(find_sentinel(text)) == 1
    _, found, tool = server.ask("/canary/form?form=tool")
    assert json.loads(tool)["content"][0]["text"] == text
    assert found["Cache-Control"].startswith("no-store")


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/", 404, "not_found"),
        ("/canary", 404, "not_found"),
        ("/canary/", 400, "bad_session"),
        ("/canary/..%2f", 400, "bad_session"),
        ("/canary/a%0Ab", 400, "bad_session"),
        ("/canary/%3Cscript%3E", 400, "bad_session"),
        ("/canary/%ff%fe", 400, "bad_session"),
        ("/canary/" + "x" * 129, 400, "bad_session"),
        ("/canary/verify", 405, "wrong_method"),
    ],
)
def test_a_hostile_path_is_a_json_refusal(server: Server, path: str, status: int, code: str) -> None:
    found, headers_, body = server.ask(path)
    assert (found, json.loads(body)["error"]["code"]) == (status, code)
    assert headers_["Content-Type"] == "application/json"
    assert "<script>" not in body


def test_a_hostile_body_is_a_json_refusal(server: Server) -> None:
    kinds = {"Content_Type": "application/json"}
    cases: list[tuple[bytes, dict[str, str], int, str]] = [
        (b"{}", {"Content_Type": "text/plain"}, 415, "wrong_type"),
        (b"", kinds, 400, "bad_request"),
        (b"[" * 60_000, kinds, 400, "bad_request"),
        (b"[]", kinds, 400, "bad_request"),
        (b"\xff", kinds, 400, "bad_request"),
        (b'{"session": 3}', kinds, 400, "bad_session"),
        (b'{"session": "s", "claim": []}', kinds, 400, "bad_claim"),
        (b"x" * 70_000, kinds, 413, "too_large"),
    ]
    for body, extra, status, code in cases:
        found, _, answer = server.ask("/canary/verify", body, **extra)
        assert (found, json.loads(answer)["error"]["code"]) == (status, code), body[:40]
    assert server.verify(session="\ud800", claim="\ud800")[0] == 200


def test_other_names_and_origins_are_refused(server: Server) -> None:
    assert server.ask("/canary/s", Host="evil.example")[0] == 403
    assert server.ask("/canary/s", Host="127.0.0.1.evil.example")[0] == 403
    assert server.ask("/canary/s", Origin="https://evil.example")[0] == 403
    assert server.ask("/canary/s", Origin="null")[0] == 403
    assert server.ask("/canary/s", Origin="http://localhost:3000")[0] == 200
    with Server(hosts=["probe.example"]) as other:
        assert other.ask("/canary/s", Host="probe.example:80")[0] == 200


def test_too_many_questions_are_told_when_to_come_back() -> None:
    with Server(per_minute=3) as server:
        statuses = [server.ask(f"/canary/s{i}")[0] for i in range(5)]
        assert statuses == [200, 200, 200, 429, 429]
        _, found, body = server.ask("/canary/s9")
        assert 1 <= int(found["Retry-After"]) <= 60
        assert json.loads(body)["error"]["code"] == "rate_limited"


def test_a_fresh_id_has_128_random_bits() -> None:
    ids = {new_session() for _ in range(100)}
    assert len(ids) == 100
    assert all(re.fullmatch("[0-9a-f]{32}", id) for id in ids)


def test_no_length_is_too_odd_to_be_looked_for() -> None:
    wrong: Any
    for wrong in (-1, 0, 33, 2**80, None):
        assert find_sentinel("a" * 43, wrong) == []


def test_a_check_shows_a_verdict_beside_the_claims_and_a_required_one_decides() -> None:
    canary = Canary(KEY)
    canary.issue("trip", NOON)
    url = "http://127.0.0.1:8765/canary/trip"
    reply = f"I read {url}."
    turn = {"reply": reply, "user": f"Read {url}.", "calls": []}
    verdict = canary.verify_reply("trip", reply, NOON)
    given = {"session": "trip", "url": url, "state": verdict.state}
    found = counterfoil.verify(turn, canaries=[{**given, "required": True}])
    assert found is not None
    proof = found.canaries[0]
    assert (proof.state, proof.required, proof.meaning) == ("HALLUCINATED", True, verdict.meaning)
    assert "no call shows that it was fetched" in (found.flagged[0].reason or "")
    assert "proof of read: HALLUCINATED" in str(found._repr_html_())
    calm = counterfoil.verify(turn, canaries=[given])
    assert calm is not None and not calm.flagged
    report = counterfoil.verify_session([turn], canaries=[given])
    assert report.turns[0].verification == calm
    with pytest.raises(Error) as raised:
        counterfoil.verify(turn, canaries=[{**given, "state": "READ"}])
    assert raised.value.path == "canaries[0].state"


def command(*words: str | Path, before: str = "") -> subprocess.CompletedProcess[str]:
    program = f"{before}\nimport sys; from counterfoil.cli import main; sys.exit(main(['canary', *sys.argv[1:]]))"
    return subprocess.run([sys.executable, "-c", program, *map(str, words)], capture_output=True, text=True, timeout=60)


def test_the_command_line_compares_and_writes_vectors(tmp_path: Path) -> None:
    for path in published():
        found = command("vectors", "--verify", path)
        assert (found.returncode, found.stdout.endswith(" vectors hold\n")) == (0, True), found.stderr
    emitted = command("vectors", "--emit").stdout
    copy = tmp_path / "vectors.json"
    copy.write_text(emitted, "utf-8")
    assert command("vectors", "--verify", copy).returncode == 0
    copy.write_text(emitted.replace("mENH", "xENH"), "utf-8")
    wrong = command("vectors", "--verify", copy)
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert wrong.stderr.endswith("vectors[0].sentinel: another value comes out here\n")
    missing = command("vectors", "--verify", "none.json")
    assert (missing.returncode, missing.stderr.splitlines()[0]) == (
        2, "counterfoil: none.json: No such file or directory",
    )  # fmt: skip
    assert command("vectors").returncode == 2


def test_the_command_line_tries_the_build() -> None:
    found = command("selftest")
    assert (found.returncode, len(re.findall("^ok ", found.stdout, re.M))) == (0, 6)


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not on this machine")
def test_the_tutorial_works_as_it_is_typed() -> None:
    section = (ROOT / "README.md").read_text("utf-8").split("\n## Proof of read\n")[1].split("\n## ")[0]
    serve, read, verify = (line[4:] for line in section.splitlines() if line.startswith("    "))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])

    def typed(line: str) -> list[str]:
        program = str(Path(sys.executable).parent / "counterfoil")
        return ["bash", "-c", "exec " + line.replace("8765", port).replace(".venv/bin/counterfoil", program)]

    def answer(line: str) -> str:
        return subprocess.run(typed(line), capture_output=True, text=True, timeout=60, check=True).stdout

    child = subprocess.Popen(typed(serve), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert child.stdout is not None
        while "Ctrl-C" not in (line := child.stdout.readline()):
            assert line, "the server ended"
        value = find_sentinel(answer(read))[0]
        assert json.loads(answer(verify.replace("…", value)))["state"] == "READ_VERIFIED"
        assert json.loads(answer(verify))["state"] == "HALLUCINATED"
    finally:
        child.terminate()
        child.communicate(timeout=20)


def test_the_command_line_says_what_serving_needs() -> None:
    found = command("serve", before="import sys; sys.modules['uvicorn'] = None")
    assert (found.returncode, found.stdout) == (2, "")
    assert f"{sys.executable} -m pip install uvicorn" in found.stderr


def test_the_command_line_serves_and_no_line_of_output_holds_a_sentinel(tmp_path: Path) -> None:
    program = "import sys; from counterfoil.cli import main; sys.exit(main(sys.argv[1:]))"
    words = ["canary", "serve", "--port", "0", "--base", "/probe"]
    log = tmp_path / "log"
    with log.open("w") as output:
        child = subprocess.Popen([sys.executable, "-u", "-c", program, *words], stdout=output, stderr=output)

        def said(pattern: str) -> re.Match[str]:
            until = time.monotonic() + 30
            while not (found := re.search(pattern, log.read_text("utf-8"))):
                assert time.monotonic() < until and child.poll() is None, log.read_text("utf-8")
                time.sleep(0.02)
            return found

        try:
            said("Ctrl-C")
            address = said(r"served at (http://127\.0\.0\.1:(\d+)/probe)/SESSION")
            with urllib.request.urlopen(f"{address[1]}/demo?form=text", timeout=20) as answer:
                value = find_sentinel(answer.read().decode())[0]
            body = json.dumps({"session": "demo", "reply": f"It says {value}."}).encode()
            asked = urllib.request.Request(f"{address[1]}/verify", body, {"Content-Type": "application/json"})
            with urllib.request.urlopen(asked, timeout=20) as answer:
                assert json.load(answer)["state"] == "READ_VERIFIED"
            said("canary.verified")
            taken = command("serve", "--port", address[2])
            assert taken.returncode == 2
            assert re.match(r"counterfoil: 127\.0\.0\.1, port \d+: Address already in use", taken.stderr)
        finally:
            child.terminate()
            child.wait(20)
    assert value not in log.read_text("utf-8")
