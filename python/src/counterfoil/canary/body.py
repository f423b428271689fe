"""The body of a request, of which only so much is taken in and only for so long."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

__all__ = ["Body", "GoneError", "LimitError", "Receive"]

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]

LARGEST = 65_536
"""The most bytes of a body that are kept."""
DRAINED = 1_048_576
"""The most bytes that are thrown away, so that a client that still sends hears why it is refused."""


class LimitError(Exception):
    """A body that is too large or too slow; the code says which."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class GoneError(Exception):
    """The client has gone; nobody hears an answer."""


class Body:
    """What comes in, part by part, all of it within so many seconds."""

    def __init__(self, receive: Receive, seconds: float) -> None:
        self._receive = receive
        self._until = time.monotonic() + seconds
        self.ended = False

    async def read(self) -> bytes:
        """The whole of it."""
        body = bytearray()
        while not self.ended:
            body += await self._part()
            if len(body) > LARGEST:
                raise LimitError("too_large")
        return bytes(body)

    async def drain(self) -> None:
        """Throws away what is still to come, up to a bound."""
        left = DRAINED
        try:
            while not self.ended and left > 0:
                left -= len(await self._part())
        except LimitError:
            return

    async def _part(self) -> bytes:
        left = self._until - time.monotonic()
        try:
            if left <= 0:
                raise asyncio.TimeoutError
            message = await within(self._receive(), left)
        except asyncio.TimeoutError:
            raise LimitError("too_slow") from None
        if message["type"] == "http.disconnect":
            raise GoneError
        self.ended = not message.get("more_body")
        part: bytes = message.get("body", b"")
        return part


async def within(waited: Awaitable[MutableMapping[str, Any]], seconds: float) -> MutableMapping[str, Any]:
    """What comes in time. An event loop other than asyncio's has no clock here; there the server's own limits hold."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return await waited
    return await asyncio.wait_for(waited, seconds)
