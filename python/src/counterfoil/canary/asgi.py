"""The probe document over HTTP, as an ASGI application. It writes no log."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from counterfoil import _core
from counterfoil.errors import Error

if TYPE_CHECKING:
    from counterfoil.canary import Canary

__all__ = ["app"]

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST = 65_536
"""The most bytes of a body that are read."""
LOOPBACK = re.compile(r"localhost|127(\.\d{1,3}){3}|\[::1\]")
PRIVATE = {
    "Content-Type": "application/json",
    "Cache-Control": "no-store, no-cache, must-revalidate",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


class RefusedError(Exception):
    """A status and a code for programs."""

    def __init__(self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers or {}


Answer = tuple[int, Mapping[str, str], str]


def app(
    canary: Canary,
    *,
    base: str = "/canary",
    now: Callable[[], float] = time.time,
    hosts: Iterable[str] = (),
    per_minute: int = 30,
    audit: Callable[[Mapping[str, Any]], object] | None = None,
) -> Application:
    """An ASGI application that serves the probe document of a canary, for example under uvicorn.

    `GET {base}/{session}` gives the document (`?form=text` and `?form=tool` its other forms), and
    `POST {base}/verify` with `{"session", "claim"}` or `{"session", "reply"}` the verdict. A refusal is
    JSON: `{"error": {"code", "message"}}`.

    Only the names of this machine are answered (`localhost`, `127.0.0.1`, `[::1]`) and those in `hosts`, since a page
    could have its own name point here (DNS rebinding). A client, and a session, may ask `per_minute` times a minute.
    `audit` hears of every document and verdict; the events hold no sentinel.
    """
    return _App(canary, base, now, frozenset(host.lower() for host in hosts), per_minute, audit)


class _App:
    def __init__(
        self,
        canary: Canary,
        base: str,
        now: Callable[[], float],
        hosts: frozenset[str],
        per_minute: int,
        audit: Callable[[Mapping[str, Any]], object] | None,
    ) -> None:
        self._canary = canary
        self._base = f"/{base.strip('/')}" if base.strip("/") else ""
        self._now = now
        self._hosts = hosts
        self._limit = per_minute
        self._clients = _core.Limiter(per_minute)
        self._sessions = _core.Limiter(per_minute)
        self._audit = audit or (lambda event: None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
            return
        if scope["type"] != "http":
            raise RuntimeError(f"counterfoil's canary answers HTTP alone; found {scope['type']}")
        try:
            status, headers, body = await self._answer(scope, receive)
        except RefusedError as refusal:
            status, headers, body = _refused(refusal)
        except Error as error:
            status, headers, body = _refused(RefusedError(400, f"bad_{error.path or 'request'}", str(error)))
        await _send(send, status, headers, body)

    async def _answer(self, scope: Scope, receive: Receive) -> Answer:
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        self._local(headers)
        path = scope["path"]
        if not path.startswith(f"{self._base}/"):
            raise RefusedError(404, "not_found", "nothing is here")
        client = (scope.get("client") or ("",))[0]
        self._ask(self._clients, client)
        name = path[len(self._base) + 1 :]
        wanted = "POST" if name == "verify" else "GET"
        if scope["method"] != wanted:
            raise RefusedError(405, "wrong_method", f"expected {wanted}", {"Allow": wanted})
        if wanted == "POST":
            return self._verify(_asked(headers, await _body(receive)))
        form = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("form", ["html"])[0]
        return self._issue(name, form, client, headers.get(b"user-agent", ""))

    def _issue(self, session: str, form: str, client: str, agent: str) -> Answer:
        self._ask(self._sessions, session)
        issued = self._canary.issue(session, self._now(), client or None, agent)
        self._audit(issued.event)
        headers = dict(json.loads(_core.canary_headers()))
        if form == "text":
            return 200, {**headers, "Content-Type": "text/plain; charset=utf-8"}, issued.text
        if form == "tool":
            return 200, {**headers, "Content-Type": "application/json"}, issued.tool
        return 200, headers, issued.document

    def _verify(self, asked: Mapping[str, Any]) -> Answer:
        session, claim, reply = asked["session"], asked.get("claim"), asked.get("reply")
        self._ask(self._sessions, session)
        if reply is not None:
            found = self._canary.verify_reply(session, reply, self._now())
        else:
            found = self._canary.verify(session, claim, self._now())
        self._audit(found.event)
        shown = {"state": found.state, "distance": found.distance, "meaning": found.meaning}
        return 200, PRIVATE, json.dumps(shown)

    def _ask(self, limiter: _core.Limiter, name: str) -> None:
        wait = limiter.ask(name.encode("utf-8", "replace").decode(), self._now())
        if wait:
            message = f"asked more than {self._limit} times a minute"
            raise RefusedError(429, "rate_limited", message, {"Retry-After": str(wait)})

    def _local(self, headers: Mapping[bytes, str]) -> None:
        """Refuses names that are not this machine's, in the address and in what a browser tells of the asking page."""
        if not self._known(f"http://{headers.get(b'host', '')}"):
            message = "this host name is not answered; the option hosts allows it"
            raise RefusedError(403, "forbidden_host", message)
        if b"origin" in headers and not self._known(headers[b"origin"]):
            message = "a page of this origin is not answered; the option hosts allows it"
            raise RefusedError(403, "forbidden_origin", message)

    def _known(self, address: str) -> bool:
        try:
            name = (urlsplit(address).hostname or "").lower()
        except ValueError:
            return False
        name = f"[{name}]" if ":" in name else name
        return name in self._hosts or LOOPBACK.fullmatch(name) is not None


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        kind = (await receive())["type"]
        await send({"type": f"{kind}.complete"})
        if kind == "lifespan.shutdown":
            return


async def _body(receive: Receive) -> bytes:
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise RefusedError(400, "bad_request", "the request ended too early")
        part: bytes = message.get("body", b"")
        body += part
        if len(body) > LARGEST:
            raise RefusedError(413, "too_large", f"a body has at most {LARGEST} bytes")
        if not message.get("more_body"):
            return body


def _asked(headers: Mapping[bytes, str], body: bytes) -> Mapping[str, Any]:
    """What a verdict is asked of. Only JSON is read, which a page of another origin cannot send unasked."""
    if not re.match(r"application/json\b", headers.get(b"content-type", ""), re.I):
        raise RefusedError(415, "wrong_type", "expected Content-Type: application/json")
    try:
        asked: object = json.loads(body)
    except (ValueError, RecursionError):
        raise RefusedError(400, "bad_request", "expected JSON") from None
    if not isinstance(asked, dict):
        raise RefusedError(400, "bad_request", 'expected {"session", "claim"} or {"session", "reply"}')
    if not isinstance(asked.get("session"), str):
        raise RefusedError(400, "bad_session", "expected session as a text")
    for name in ("claim", "reply"):
        if asked.get(name) is not None and not isinstance(asked[name], str):
            raise RefusedError(400, f"bad_{name}", f"expected {name} as a text")
    return asked


def _refused(refusal: RefusedError) -> Answer:
    body = json.dumps({"error": {"code": refusal.code, "message": refusal.message}})
    return refusal.status, {**PRIVATE, **refusal.headers}, body


async def _send(send: Send, status: int, headers: Mapping[str, str], body: str) -> None:
    data = body.encode()
    pairs = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    pairs.append((b"content-length", str(len(data)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    await send({"type": "http.response.body", "body": data})
