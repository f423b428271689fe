"""The model step: vectors of every home, each way in which a callback fails, ready-made callbacks and the audit."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import counterfoil
from counterfoil import _core, models

MODEL = Path(__file__).resolve().parents[2] / "tests" / "model"
TURN = {
    "reply": "I rebooted the router and the lamp turned green. It returned in a minute.",
    "calls": [{"tool": "list_devices", "arguments": {}, "output": "router, lamp", "status": "ok"}],
}
DOUBT = {"reason": "Nothing was restarted.", "claim": "I rebooted the router", "verdict": "unsupported"}
LINE = 'unsupported: "I rebooted the router" (the model found no call producing it)'
FLAGGED = {"reply": "All 9 tests pass.", "calls": []}


def steps() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((MODEL / "steps.json").read_text("utf-8"))
    return found


def same_result(wanted: Mapping[str, Any] | None, found: counterfoil.Verification | None, reply: str) -> None:
    if wanted is None:
        assert found is None
        return
    assert found is not None
    plain = found.to_dict()
    for key, value in wanted.items():
        if key != "claims":
            assert plain[key] == value, key
    if "claims" in wanted:
        assert len(plain["claims"]) == len(wanted["claims"])
        for claim, fields in zip(plain["claims"], wanted["claims"], strict=True):
            for key, value in fields.items():
                quote = reply[claim["span"]["start"] : claim["span"]["end"]]
                assert (quote if key == "quote" else claim[key]) == value, key


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in steps()])
def test_vectors(case: dict[str, Any]) -> None:
    options = case.get("options", {"mode": "model"})
    given = case.get("given", {"answer": ""})
    requests: list[counterfoil.ModelRequest] = []

    def model(request: counterfoil.ModelRequest) -> Any:
        requests.append(request)
        return given.get("answer")

    text = json.dumps(case["turn"])
    planned = json.loads(_core.plan(text, json.dumps(options)))["request"]
    wanted = case["request"]
    assert (planned is None) == (wanted is None)
    if wanted is not None:
        assert all(part in planned["prompt"] for part in wanted.get("contains", []))
        assert not any(part in planned["prompt"] for part in wanted.get("absent", []))
        places = [planned["prompt"].find(part) for part in wanted.get("ordered", [])]
        assert -1 not in places
        assert places == sorted(places)
        assert planned["bytes"] == len((planned["system"] + planned["prompt"]).encode()) <= 6_000
    if "result" not in case:
        return
    reply = counterfoil.reply_text(case["turn"])
    if "failure" in given:
        found = _core.finish(text, json.dumps(options), json.dumps(given))
        result = None if found is None else counterfoil.Verification.from_dict(json.loads(found))
    else:
        result = counterfoil.verify(case["turn"], **options, model=model)
        assert [request.to_dict() for request in requests] == ([] if wanted is None else [planned])
    same_result(case["result"], result, reply)


def test_a_model_is_asked_once_and_only_in_its_mode() -> None:
    asked: list[counterfoil.ModelRequest] = []

    def model(request: counterfoil.ModelRequest) -> Mapping[str, Any]:
        asked.append(request)
        return DOUBT

    result = counterfoil.verify(TURN, mode="model", model=model)
    assert result is not None
    assert (result.line, result.method, result.status) == (LINE, "model", "unsupported")
    assert result.flagged[0].reader == "model"
    assert len(asked) == 1
    assert asked[0].tools == "none"
    assert counterfoil.verify(TURN, mode="readers", model=model) is None
    assert counterfoil.verify(TURN) is None
    assert counterfoil.verify(FLAGGED, mode="model", model=model) == counterfoil.verify(FLAGGED)
    assert len(asked) == 1


def hang(request: object) -> str:
    time.sleep(5)
    return "too late"


def end(request: object) -> str:
    sys.exit(1)


class Unreadable(dict[str, object]):
    def __iter__(self) -> Iterator[str]:
        raise RuntimeError("no")

    def keys(self) -> Any:
        raise RuntimeError("no")


def deep(levels: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in range(levels):
        found = {"a": found}
    return found


def raising(failure: BaseException) -> Callable[[object], Any]:
    def model(request: object) -> Any:
        raise failure

    return model


FAILURES: list[tuple[str, Callable[[object], Any], str]] = [
    ("hangs", hang, "timeout"),
    ("raises", raising(ValueError("no")), "raised"),
    ("raises a timeout of its own", raising(TimeoutError()), "raised"),
    ("ends its thread", end, "raised"),
    ("is cancelled", raising(CancelledError()), "cancelled"),
    ("is cancelled by asyncio", raising(asyncio.CancelledError()), "cancelled"),
    ("gives nothing", lambda request: None, "wrong_type"),
    ("gives a number", lambda request: 3, "wrong_type"),
    ("gives what JSON has not", lambda request: {"verdict": object()}, "wrong_type"),
    ("gives a mapping that cannot be read", lambda request: Unreadable(), "raised"),
    ("gives too many levels", lambda request: deep(200), "unreadable"),
    ("gives a number without end", lambda request: {"verdict": "verified", "n": 10**400}, "unreadable"),
    ("raises a stop", raising(StopIteration()), "raised"),
    ("declines", lambda request: {"refusal": "I would rather not."}, "refused"),
    ("says something else", lambda request: "The reply is unsupported.", "unreadable"),
    ("doubts what the reply does not say", lambda request: {**DOUBT, "claim": "lamp, if it rains"}, "overruled"),
]


@pytest.mark.parametrize(("model", "kind"), [pytest.param(model, kind, id=name) for name, model, kind in FAILURES])
def test_what_goes_wrong_is_recorded(model: Callable[[object], Any], kind: str) -> None:
    for result in (
        counterfoil.verify(TURN, mode="model", model=model, timeout=0.2),
        asyncio.run(counterfoil.averify(TURN, mode="model", model=model, timeout=0.2)),
    ):
        assert result is not None
        assert result.failure == kind
        assert (result.line, result.claims, result.status) == (None, (), "not_shown")


def test_every_kind_of_failure_is_known() -> None:
    kinds = set(json.loads(_core.failures()))
    assert {kind for _, _, kind in FAILURES} == kinds


def test_half_a_surrogate_pair_spoils_no_answer() -> None:
    for answer in ('{"verdict": "verified", "reason": "\ud83d"}', {"verdict": "verified", "reason": "\ud83d"}):
        result = counterfoil.verify(TURN, model=lambda request, answer=answer: answer)  # type: ignore[misc]
        assert result is not None
        assert (result.status, result.failure) == ("verified", None)


def test_a_coroutine_that_ends_the_program_is_a_failure() -> None:
    async def model(request: object) -> str:
        raise SystemExit(3)

    result = asyncio.run(counterfoil.averify(TURN, model=model))
    assert result is not None
    assert result.failure == "raised"


async def awaited(request: object) -> Mapping[str, Any]:
    await asyncio.sleep(0)
    return DOUBT


def test_a_coroutine_function_is_awaited_and_the_loop_goes_on() -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.01)

    async def main() -> None:
        ticking = asyncio.ensure_future(tick())
        result = await counterfoil.averify(TURN, model=awaited)
        assert result is not None
        assert result.line == LINE
        late = await counterfoil.averify(TURN, model=lambda request: asyncio.sleep(5, ""), timeout=0.1)
        assert late is not None
        assert late.failure == "timeout"
        slow = await counterfoil.averify(TURN, model=lambda request: time.sleep(0.1) or DOUBT)  # type: ignore[func-returns-value]
        assert slow is not None
        assert slow.line == LINE
        ticking.cancel()

    asyncio.run(main())
    assert ticks > 10


def test_a_caller_that_is_cancelled_stays_cancelled() -> None:
    ended = False

    async def model(request: object) -> str:
        nonlocal ended
        try:
            await asyncio.sleep(5)
        finally:
            ended = True
        return ""

    async def main() -> None:
        check = asyncio.ensure_future(counterfoil.averify(TURN, model=model))
        await asyncio.sleep(0.05)
        check.cancel()
        with pytest.raises(asyncio.CancelledError):
            await check
        await asyncio.sleep(0.01)

    asyncio.run(main())
    assert ended


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "model: mode model needs a function that asks your model; docs/model-step.md has some"),
        ({"model": "gpt"}, "model: expected a function that takes a request; found str"),
        ({"model": awaited}, "model: an async function needs averify"),
        ({"model": hang, "timeout": 0}, "timeout: expected seconds above 0; found 0"),
        ({"model": hang, "timeout": float("nan")}, "timeout: expected seconds above 0; found nan"),
        ({"model": hang, "timeout": "1"}, "timeout: expected seconds above 0; found '1'"),
        ({"model": hang, "audit": "x"}, "audit: expected a function of an event; found str"),
    ],
)
def test_wrong_arguments_are_an_error_at_once(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(counterfoil.Error, match=r"^") as caught:
        counterfoil.verify(TURN, mode="model", **arguments)
    assert str(caught.value) == message


def test_a_session_is_asked_about_in_few_requests() -> None:
    session = {"turns": [TURN, {**TURN, "reply": "The cellar was aired and the meter displayed nine."}]}
    batches = counterfoil.plan_many(session)
    questions = [name for batch in batches for name in batch.questions]
    assert len(batches) == 1
    assert len(questions) >= 2
    doubt = {name: {"probability": 0.02} for name in questions}
    report = counterfoil.finish_many(session, [doubt])
    again = counterfoil.verify_session(session, model=lambda request: doubt)
    assert report == again
    assert [turn.verification.method for turn in report.turns if turn.verification] == ["model", "model"]
    failed = counterfoil.verify_session(session, mode="model", model=raising(ValueError()))
    assert {turn.verification.failure for turn in failed.turns if turn.verification} == {"raised"}


class Answers(BaseHTTPRequestHandler):
    """A server that speaks the providers' wire formats."""

    seen: list[tuple[str, Mapping[str, str], dict[str, Any]]] = []  # noqa: RUF012
    refuses = False
    status = 200

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Answers.seen.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
        text = "I cannot." if Answers.refuses else json.dumps(DOUBT)
        found: dict[str, Any]
        if self.path == "/v1/chat/completions":
            message = {"role": "assistant", "content": None if Answers.refuses else text}
            message["refusal"] = text if Answers.refuses else None
            choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
            found = {"id": "c1", "object": "chat.completion", "created": 1, "model": body["model"], "choices": [choice]}
        elif self.path == "/v1/messages":
            found = {
                "id": "m1",
                "type": "message",
                "role": "assistant",
                "model": body["model"],
                "content": [{"type": "text", "text": text}],
                "stop_reason": "refusal" if Answers.refuses else "end_turn",
                "stop_sequence": None,
                "usage": {"input_tokens": 1, "output_tokens": 1},
            }
        else:
            found = {"model": body["model"], "message": {"role": "assistant", "content": text}, "done": True}
        data = json.dumps(found).encode()
        self.send_response(Answers.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def served(refuses: bool = False, status: int = 200) -> Iterator[str]:
    Answers.seen, Answers.refuses, Answers.status = [], refuses, status
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def callback(provider: str, base: str) -> models.Callback:
    if provider == "openai":
        return models.openai("small", base_url=f"{base}/v1", api_key="k")
    if provider == "anthropic":
        return models.anthropic("small", base_url=base, api_key="k")
    return models.ollama("small", base_url=base)


PROVIDERS = ["openai", "anthropic", "ollama"]


@pytest.fixture
def provider(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if name != "ollama":
        pytest.importorskip(name, reason=f"the package {name} is not installed")
    return name


@pytest.mark.parametrize("provider", PROVIDERS, indirect=True)
def test_ready_made_callbacks_speak_their_providers_format(provider: str) -> None:
    with served() as base:
        result = counterfoil.verify(TURN, mode="model", model=callback(provider, base))
        assert result is not None
        assert result.line == LINE
        [(path, headers, body)] = Answers.seen
    planned = json.loads(_core.plan(json.dumps(TURN), '{"mode": "model"}'))["request"]
    users = [message["content"] for message in body["messages"] if message["role"] == "user"]
    system = body.get("system") or body["messages"][0]["content"]
    assert (users, system) == ([planned["prompt"]], planned["system"])
    assert body["model"] == "small"
    assert "tools" not in body
    if provider == "openai":
        assert (path, body["temperature"]) == ("/v1/chat/completions", 0)
        assert headers["authorization"] == "Bearer k"
        assert body["response_format"]["json_schema"]["schema"] == planned["schema"]
    if provider == "anthropic":
        assert (path, body["thinking"]) == ("/v1/messages", {"type": "disabled"})
        assert "k" in headers.get("x-api-key", headers.get("authorization", "")).split()
        assert "anthropic-version" in headers
    if provider == "ollama":
        assert (path, body["stream"], body["think"], body["format"]) == ("/api/chat", False, False, planned["schema"])
        assert body["options"]["temperature"] == 0


@pytest.mark.parametrize("provider", ["openai", "anthropic"], indirect=True)
def test_ready_made_callbacks_take_async_clients_and_refusals(provider: str) -> None:
    library = pytest.importorskip(provider)
    with served(refuses=True) as base:
        result = counterfoil.verify(TURN, mode="model", model=callback(provider, base))
        assert result is not None
        assert result.failure == "refused"
    with served() as base:

        async def main() -> counterfoil.Verification | None:
            made = library.AsyncOpenAI if provider == "openai" else library.AsyncAnthropic
            where = f"{base}/v1" if provider == "openai" else base
            async with made(base_url=where, api_key="k", max_retries=0) as client:
                model = getattr(models, provider)("small", client=client)
                return await counterfoil.averify(TURN, model=model)

        result = asyncio.run(main())
        assert result is not None
        assert result.line == LINE


@pytest.mark.parametrize("provider", PROVIDERS, indirect=True)
def test_a_server_that_fails_is_a_failure_that_is_recorded(provider: str) -> None:
    with served(status=500) as base:
        result = counterfoil.verify(TURN, mode="model", model=callback(provider, base))
    assert result is not None
    assert result.failure == "raised"


def test_providers_are_named_as_on_the_command_line() -> None:
    for name in ("gpt", "other:x", "ollama:"):
        with pytest.raises(counterfoil.Error, match="expected one of openai:NAME, anthropic:NAME, ollama:NAME"):
            models.named(name)
    with pytest.raises(counterfoil.Error, match="begins with http"):
        models.named("ollama:x", "file:///etc")


def test_the_audit_is_one_line_a_check(tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    file.write_text('{"event":"older"}\n', "utf-8")
    with counterfoil.AuditLog(file) as log:
        counterfoil.verify(TURN, audit=log)  # Nothing was read, so that nothing was checked.
        counterfoil.verify(FLAGGED, audit=log)
        counterfoil.verify(TURN, mode="model", model=lambda request: DOUBT, audit=log)
        counterfoil.verify(TURN, mode="model", model=hang, timeout=0.05, audit=log)
        asyncio.run(counterfoil.averify(TURN, model=awaited, audit=log))
    log.close()
    events = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert events[0] == {"event": "older"}
    told = [(event["method"], event["status"], event["failure"]) for event in events[1:]]
    assert told == [
        ("readers", "unsupported", None),
        ("model", "unsupported", None),
        ("model", "not_shown", "timeout"),
        ("model", "unsupported", None),
    ]
    assert events[1]["bytes"] is None
    assert 0 < events[2]["bytes"] <= 6_000
    assert 0 < events[1]["seconds"] < 5
    assert 0.05 <= events[3]["seconds"] < 5


def test_the_audit_as_an_event_of_opentelemetry() -> None:
    result = counterfoil.verify(FLAGGED)
    event = counterfoil.evaluation(result, seconds=0.1, response="resp_1")
    assert event is not None
    assert event["name"] == "gen_ai.evaluation.result"
    assert event["attributes"]["gen_ai.response.id"] == "resp_1"
    assert all(isinstance(value, (str, int, float, bool)) for value in event["attributes"].values())
    assert counterfoil.evaluation(None, seconds=0) is None
    assert counterfoil.audit(None, seconds=0) is None
    with pytest.raises(counterfoil.Error, match=r"about\.seconds: expected a number from 0"):
        counterfoil.audit(result, seconds=-1)
    sdk = pytest.importorskip("opentelemetry.sdk.trace", reason="opentelemetry-sdk is not installed")
    span = sdk.TracerProvider().get_tracer("test").start_span("chat")
    span.add_event(event["name"], event["attributes"])
    [kept] = span.events
    assert dict(kept.attributes) == event["attributes"]
    span.end()
