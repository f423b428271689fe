"""The ASGI application against those who would break it: over real sockets, or called directly where that is enough."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import dataclasses
import http.client
import json
import logging
import pickle
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from served import KEY, raw, read, request, served

from counterfoil import Error
from counterfoil.canary import Canary, app, find_sentinel, sentinel

TABLES = Path(__file__).resolve().parents[2] / "tests" / "canary"
NOON = 300_000_000
REQUESTS = json.loads((TABLES / "requests.json").read_text("utf-8"))
OPTIONS = json.loads((TABLES / "options.json").read_text("utf-8"))
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served(per_minute=100_000, hosts=REQUESTS["hosts"]) as port:
        yield port


@pytest.mark.parametrize("case", REQUESTS["cases"], ids=lambda case: json.dumps(case)[:90])
def test_every_request_of_the_table_is_answered_as_it_says(port: int, case: dict[str, Any]) -> None:
    status, headers, body = read(raw(port, request(case)))
    assert status == case["status"]
    assert headers["cache-control"].startswith("no-store")
    error = json.loads(body)["error"] if "code" in case else {}
    for name in ("code", "message"):
        assert name not in case or error[name] == case[name]
    if case.get("method") == "HEAD":
        assert body == b""
    assert int(headers["content-length"]) == len(body) or case.get("method") == "HEAD"


def test_a_request_without_a_host_and_one_with_two_are_refused(port: int) -> None:
    assert read(raw(port, b"GET /canary/s HTTP/1.0\r\n\r\n"))[0] == 403
    two = b"GET /canary/s HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    assert read(raw(port, two))[0] in (400, 403)
    trace = b"TRACE /canary/s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert read(raw(port, trace))[0] == 405


@pytest.mark.parametrize("kind", ["canary", "app"])
def test_every_option_of_the_table_is_refused_as_it_says(kind: str) -> None:
    for case in OPTIONS[kind]:
        with pytest.raises(Error) as raised:
            Canary(KEY, **case["options"]) if kind == "canary" else app(Canary(KEY), **case["options"])
        error = raised.value
        assert (error.kind, error.path, error.message) == ("option", case["path"], case["message"])
        assert error.code == "option"


def test_what_json_cannot_hold_is_no_option_either() -> None:
    wrong: Any
    for wrong in (float("nan"), object(), {1, 2}, b"30"):
        with pytest.raises(Error, match=r"^log_size: "):
            Canary(KEY, log_size=wrong)
        with pytest.raises(Error, match=r"^per_minute: "):
            app(Canary(KEY), per_minute=wrong)
    for wrong in (b"a.example", [b"a.example"], object(), [["a"]]):
        with pytest.raises(Error, match=r"^hosts"):
            app(Canary(KEY), hosts=wrong)
    for wrong in (None, 5, "canary"):
        with pytest.raises(Error, match=r"^canary: expected a Canary"):
            app(wrong)
    app(Canary(KEY), hosts={"a.example"}, base="/", audit=None, on_error=print)
    app(Canary(KEY), hosts=(name for name in ["a.example"]))


def test_what_is_issued_shows_no_sentinel_unless_it_is_asked_by_name() -> None:
    issued = Canary(KEY).issue("s", NOON)
    shown = [repr(issued), str(issued), f"{issued}", repr(vars(issued)), repr([issued])]
    shown += [repr(dataclasses.asdict(issued)), repr(dataclasses.astuple(issued)), repr(copy.deepcopy(issued))]
    shown += [repr(dataclasses.replace(issued, bucket=1))]
    assert all(issued.sentinel not in text and "[redacted]" in text for text in shown), shown
    for write in (pickle.dumps, json.dumps, json.JSONEncoder(default=str).encode):
        with contextlib.suppress(TypeError):
            assert issued.sentinel not in str(write(issued))
    with pytest.raises(TypeError):
        pickle.dumps(issued)
    assert issued == copy.copy(issued) == Canary(KEY).issue("s", NOON)
    for held in (issued.document, issued.text, issued.tool):
        assert issued.sentinel in held
    with pytest.raises(dataclasses.FrozenInstanceError):
        issued.bucket = 3  # type: ignore[misc]


def test_a_wrong_claim_is_no_absent_one() -> None:
    wrong: Any
    for wrong in (5, b"x", ["x"]):
        with pytest.raises(Error, match=r"^claim: "):
            Canary(KEY).verify("s", wrong, NOON)


def call(application: Any, path: str = "/canary/s", client: str = "10.0.0.1", **more: Any) -> tuple[int, Any]:
    """Calls the application without a server; the status and what is in the body."""
    sent: list[Any] = []
    scope = {
        "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b"",
        "headers": [(b"host", b"localhost")], "client": (client, 1), "http_version": "1.1", **more,
    }  # fmt: skip

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(application(scope, receive, send))
    return sent[0]["status"], sent[1]["body"].decode()


async def fails(event: Any) -> None:
    await asyncio.sleep(0)
    raise LookupError(event["event"])


def fails_at_once(event: Any) -> None:
    raise LookupError(event["event"])


@pytest.mark.parametrize("audit", [fails, fails_at_once])
def test_an_audit_that_fails_is_reported_and_the_client_is_answered(audit: Any) -> None:
    heard: list[BaseException] = []
    with served(audit=audit, on_error=heard.append) as port:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        line.request("GET", "/canary/s?form=text")
        value = find_sentinel(line.getresponse().read().decode())[0]
        line.request("POST", "/canary/verify", json.dumps({"session": "s", "claim": value}), JSON)
        assert json.loads(line.getresponse().read())["state"] == "READ_VERIFIED"
        line.close()
        until = time.monotonic() + 10
        while len(heard) < 2 and time.monotonic() < until:
            time.sleep(0.01)
    assert [type(failure) for failure in heard] == [LookupError] * 2
    assert [str(failure) for failure in heard] == ["canary.issued", "canary.verified"]


def test_without_a_hook_a_failure_goes_to_the_logger(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "counterfoil.canary"):
        assert call(app(Canary(KEY), audit=fails_at_once))[0] == 200
    assert "LookupError: canary.issued" in caplog.text

    def worse(failure: BaseException) -> None:
        raise RuntimeError from failure

    assert call(app(Canary(KEY), audit=fails_at_once, on_error=worse))[0] == 200


def test_an_audit_that_never_ends_holds_nobody_up_and_piles_up_only_so_far() -> None:
    heard: list[BaseException] = []
    started = 0

    async def never(event: Any) -> None:
        nonlocal started
        started += 1
        await asyncio.Event().wait()

    application = app(Canary(KEY), audit=never, on_error=heard.append, per_minute=100_000)

    async def many() -> None:
        async def receive() -> Any:
            return {"type": "http.request"}

        async def send(message: Any) -> None:
            assert message.get("status", 200) == 200

        scope = {"type": "http", "method": "GET", "path": "/canary/s", "headers": [(b"host", b"localhost")]}
        for _ in range(1100):
            await application(scope, receive, send)
        await asyncio.sleep(0)

    asyncio.run(many())
    assert (started, len(heard)) == (1024, 76)
    assert str(heard[0]).startswith("the audit is 1024 events behind")


def stops() -> float:
    raise LookupError("no clock")


@pytest.mark.parametrize(
    "now",
    [
        lambda: float("nan"),
        lambda: "noon",
        lambda: None,
        lambda: -1,
        lambda: True,
        lambda: 1e300,
        lambda: 10**400,
        stops,
    ],
)
def test_a_clock_that_gives_no_time_is_a_fault_of_the_server(now: Any) -> None:
    heard: list[BaseException] = []
    status, body = call(app(Canary(KEY), now=now, on_error=heard.append))
    assert (status, json.loads(body)["error"]["code"]) == (500, "bad_now")
    assert len(heard) == 1


def test_a_time_that_is_none_is_an_error_with_a_code() -> None:
    canary = Canary(KEY)
    wrong: Any
    for wrong in (float("nan"), float("inf"), "noon", None, True, 1e13, 10**400):
        asked: list[Callable[[Any], object]] = [
            lambda now: canary.issue("s", now),
            lambda now: canary.verify("s", "x", now),
            lambda now: canary.verify_reply("s", "x", now),
        ]
        for ask in asked:
            with pytest.raises(Error) as raised:
                ask(wrong)
            assert (raised.value.code, raised.value.path) == ("bad_now", "now")
            assert raised.value.message.startswith("expected Unix seconds, at most 9000000000000 from 1970; found ")
    assert canary.verify("s", sentinel(KEY, "s", -1), -1).state == "REPLAY_SUSPECT", "before 1970 buckets go on"


def test_what_is_no_text_is_an_error_with_a_code() -> None:
    canary = Canary(KEY)
    wrong: Any
    for wrong in (5, [], {}, True, 1.5, b"x"):
        asked: list[tuple[str, Callable[[Any], object]]] = [
            ("claim", lambda wrong: canary.verify("s", wrong, NOON)),
            ("session", lambda wrong: canary.verify(wrong, "x", NOON)),
            ("session", lambda wrong: canary.issue(wrong, NOON)),
            ("reply", lambda wrong: canary.verify_reply("s", wrong, NOON)),
            ("log", lambda wrong: canary.import_log(wrong)),
        ]
        for path, ask in asked:
            with pytest.raises(Error, match="expected a text; found ") as raised:
                ask(wrong)
            assert (raised.value.path, raised.value.code) == (path, f"bad_{path}")


def test_a_failure_inside_is_a_500_with_a_body() -> None:
    heard: list[BaseException] = []
    canary = Canary(KEY)
    application = app(canary, on_error=heard.append)
    canary._core = None  # type: ignore[assignment]
    status, body = call(application)
    assert (status, json.loads(body)["error"]["code"], len(heard)) == (500, "internal", 1)
    assert call(application, client=5)[0] == 500  # type: ignore[arg-type]


def test_nobody_is_shut_out_of_a_session_by_others() -> None:
    application = app(Canary(KEY))
    others = [call(application, client=f"10.0.0.{i % 3}")[0] for i in range(200)]
    assert 30 < others.count(200) <= 60
    assert [call(application, client="10.9.9.9")[0] for _ in range(11)] == [200] * 10 + [429]


def test_no_other_addresses_and_no_clock_that_is_set_give_a_client_more_questions() -> None:
    now = [NOON]
    application = app(Canary(KEY), now=lambda: now[0], per_minute=3)
    assert [call(application, f"/canary/s{i}")[0] for i in range(4)] == [200, 200, 200, 429]
    now[0] -= 86_400
    assert call(application, "/canary/t")[0] == 429

    async def flood() -> None:
        async def receive() -> Any:
            return {"type": "http.request"}

        async def send(message: Any) -> None:
            assert message.get("status", 200) == 200

        for i in range(10_000):
            scope = {
                "type": "http", "method": "GET", "path": f"/canary/{i}", "headers": [(b"host", b"localhost")],
                "client": (f"10.1.{i >> 8}.{i & 255}", 1),
            }  # fmt: skip
            await application(scope, receive, send)

    asyncio.run(flood())
    assert call(application, "/canary/t")[0] == 429


def test_a_flood_of_ids_keeps_memory_bounded() -> None:
    resource = pytest.importorskip("resource")
    application = app(Canary(KEY))

    async def flood(ids: range) -> None:
        async def receive() -> Any:
            return {"type": "http.request"}

        async def send(message: Any) -> None:
            assert message.get("status", 200) == 200

        for i in ids:
            scope = {
                "type": "http", "method": "GET", "path": f"/canary/{i:0>128}", "client": (f"client-{i:0>100}", 1),
                "headers": [(b"host", b"localhost"), (b"user-agent", b"x" * 4000)],
            }  # fmt: skip
            await application(scope, receive, send)

    asyncio.run(flood(range(20_000)))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    asyncio.run(flood(range(20_000, 80_000)))
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 10_000, f"{grown} KB more"
    assert application._canary.issued == 8192  # type: ignore[attr-defined]


def test_a_websocket_is_turned_away() -> None:
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message["type"])

    async def connect() -> None:
        await app(Canary(KEY))({"type": "websocket"}, receive, send)

    asyncio.run(connect())
    assert sent == ["websocket.close"]


def test_a_path_that_a_server_between_has_shortened_is_read_as_it_is() -> None:
    application = app(Canary(KEY))
    assert call(application, "/canary/s", raw_path=b"/api/canary/s")[0] == 200
    assert call(application, "/canary/s", raw_path=None)[0] == 200
