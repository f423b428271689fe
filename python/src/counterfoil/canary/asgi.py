"""The probe document over HTTP, as an ASGI application. Who is answered and what is refused the core decides."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import quote, unquote

from counterfoil import _core
from counterfoil.api import sound
from counterfoil.canary.audit import Hooks
from counterfoil.canary.body import Body, GoneError, LimitError, Receive
from counterfoil.canary.options import described, function, known, listed, written
from counterfoil.errors import Error

if TYPE_CHECKING:
    from counterfoil.canary import Canary

__all__ = ["app"]

Scope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

OPTIONS = ("base", "hosts", "per_minute", "body_seconds", "now", "audit", "on_error")
HEADERS = {"host": b"host", "origin": b"origin", "type": b"content-type", "length": b"content-length"}
FORMS = {"html": "document", "text": "text", "tool": "tool"}


def app(
    canary: Canary,
    *,
    base: str = "/canary",
    hosts: Iterable[str] = (),
    per_minute: int = 30,
    body_seconds: int = 10,
    now: Callable[[], float] = time.time,
    audit: Callable[[Mapping[str, Any]], object] | None = None,
    on_error: Callable[[BaseException], object] | None = None,
    **unknown: NoReturn,
) -> Application:
    """An ASGI application that serves the probe document of a canary, for example under uvicorn.

    `GET {base}/{session}` gives the document (`?form=text` and `?form=tool` its other forms), and
    `POST {base}/verify` with `{"session", "claim"}` or `{"session", "reply"}` the verdict. A refusal is
    JSON: `{"error": {"code", "message"}}`.

    Only the names of this machine are answered (`localhost`, `127.0.0.1`, `[::1]`) and those in `hosts`, since a page
    could have its own name point here (DNS rebinding). A client may ask `per_minute` times a minute; of these a third
    are its own for each session, and all further questions about a session share `per_minute`, too. A body has to be
    here within `body_seconds`.

    `audit` hears of every document and verdict; the events hold no sentinel. It may be asynchronous, and is not waited
    for. What it raises, and every failure behind a status 500, goes to `on_error`, or else to the logger
    `counterfoil.canary`; the client is answered all the same. A wrong option raises `Error` with its name.
    """
    known(unknown, OPTIONS)
    from counterfoil.canary import Canary

    if not isinstance(canary, Canary):
        raise Error("option", "canary", f"expected a Canary; found {described(canary)}")
    served = {"base": base, "hosts": listed(hosts), "per_minute": per_minute, "body_seconds": body_seconds}
    gate = _core.Gate(written(served))
    clock = function("now", now)
    hooks = Hooks(
        None if audit is None else function("audit", audit),
        None if on_error is None else function("on_error", on_error),
    )
    return _App(canary, gate, clock, float(body_seconds), hooks)


class _App:
    def __init__(self, canary: Canary, gate: _core.Gate, now: Callable[[], Any], seconds: float, hooks: Hooks) -> None:
        self._canary = canary
        self._gate = gate
        self._now = now
        self._seconds = seconds
        self._hooks = hooks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close"})
        elif scope["type"] != "http":
            raise RuntimeError(f"counterfoil's canary answers HTTP alone; found {scope['type']}")
        else:
            body = Body(receive, self._seconds)
            try:
                found = await self._answer(scope, body)
                if "refused" in found and _sends(scope):
                    await body.drain()
            except GoneError:
                return
            await _send(send, found.get("refused", found), scope, body)

    async def _answer(self, scope: Scope, body: Body) -> Mapping[str, Any]:
        """Status, headers and body; what is refused under that name."""
        try:
            return await self._decided(scope, body)
        except LimitError as limit:
            return _refused(limit.code)
        except _FaultError as fault:
            self._hooks.failed(fault.failure)
            return _refused(fault.code)
        except GoneError:
            raise
        except Exception as failure:
            self._hooks.failed(failure)
            return _refused("internal")

    async def _decided(self, scope: Scope, body: Body) -> Mapping[str, Any]:
        client = _client(scope)
        found: dict[str, Any] = json.loads(self._gate.arrive(_head(scope, client), time.monotonic()))
        if "verify" in found:
            found = json.loads(self._gate.asked(client, await body.read(), time.monotonic()))
        if "refused" in found:
            return found
        if "verify" in found:
            text = self._verified(**found["verify"])
        else:
            agent = _header(scope, b"user-agent") or ""
            text = self._issued(found["issue"]["session"], found["issue"]["form"], client, agent)
        return {"status": 200, "headers": found["headers"], "body": text}

    def _issued(self, session: str, form: str, client: str, agent: str) -> str:
        issued = self._canary.issue(session, self._time(), client or None, agent)
        self._hooks.tell(issued.event)
        text: str = getattr(issued, FORMS[form])
        return text

    def _verified(self, session: str, claim: str | None = None, reply: str | None = None) -> str:
        now = self._time()
        if reply is None:
            found = self._canary.verify(session, claim, now)
        else:
            found = self._canary.verify_reply(session, reply, now)
        self._hooks.tell(found.event)
        shown = {"state": found.state, "distance": found.distance, "meaning": found.meaning}
        return json.dumps(shown, ensure_ascii=False, separators=(",", ":"))

    def _time(self) -> float:
        """The time. A clock that gives none is a fault of this server, not of the one who asks."""
        try:
            now = self._now()
        except Exception as failure:
            raise _FaultError("bad_now", failure) from failure
        if isinstance(now, int | float) and not isinstance(now, bool) and 0 <= now <= 9e12:
            return float(now)
        raise _FaultError(
            "bad_now", Error("shape", "now", f"expected Unix seconds as a number; found {described(now)}")
        )


class _FaultError(Exception):
    """What the operator's own part failed at."""

    def __init__(self, code: str, failure: Exception) -> None:
        super().__init__(code)
        self.code = code
        self.failure = failure


def _client(scope: Scope) -> str:
    client = (scope.get("client") or ("",))[0]
    if isinstance(client, str):
        return sound(client)
    raise _FaultError("bad_client", Error("shape", "client", f"expected a text; found {described(client)}"))


def _header(scope: Scope, wanted: bytes) -> str | None:
    """A header; one that was sent several times with all of its values."""
    values = [value.decode("latin-1") for name, value in scope["headers"] if name.lower() == wanted]
    return ", ".join(values) if values else None


def _head(scope: Scope, client: str) -> str:
    """What the core decides on, as JSON text."""
    path = sound(scope["path"])
    raw = (scope.get("raw_path") or b"").decode("latin-1")
    # What a server between has taken off the path, it has not taken off the raw one.
    target = raw if unquote(raw) == path else quote(path)
    query = scope.get("query_string", b"").decode("latin-1")
    head = {name: _header(scope, header) for name, header in HEADERS.items()}
    head.update(method=scope["method"], target=f"{target}?{query}", client=client)
    return json.dumps(head)


def _sends(scope: Scope) -> bool:
    """Whether a body comes with the request."""
    return _header(scope, b"transfer-encoding") is not None or (_header(scope, b"content-length") or "0") != "0"


def _refused(code: str) -> Mapping[str, Any]:
    found: dict[str, Any] = json.loads(_core.Gate.refused(code))
    return found


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        kind = (await receive())["type"]
        await send({"type": f"{kind}.complete"})
        if kind == "lifespan.shutdown":
            return


async def _send(send: Send, answer: Mapping[str, Any], scope: Scope, body: Body) -> None:
    data = answer["body"].encode()
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in answer["headers"].items()]
    headers.append((b"content-length", str(len(data)).encode()))
    # What was not taken off the line would be read as the next request.
    if _sends(scope) and not body.ended and scope.get("http_version", "1.1").startswith("1"):
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": answer["status"], "headers": headers})
    await send({"type": "http.response.body", "body": data})
