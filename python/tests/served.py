"""A canary under uvicorn, and what goes over the line to it."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import uvicorn

from counterfoil.canary import Canary, app

__all__ = ["KEY", "raw", "read", "request", "served"]

KEY = bytes([7]) * 32


@contextlib.contextmanager
def served(loop: Any = None, **options: Any) -> Iterator[int]:
    """The application under uvicorn; gives its port."""
    application = app(Canary(KEY), **options)
    parser: Any = loop or "auto"
    server = uvicorn.Server(uvicorn.Config(application, port=0, log_level="critical", ws="none", http=parser))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
    thread.start()
    until = time.monotonic() + 20
    while not server.started:
        assert time.monotonic() < until, "uvicorn did not start"
        time.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(20)


def raw(port: int, data: bytes, seconds: float = 20) -> bytes:
    """What comes back for these bytes until the other side closes."""
    with socket.create_connection(("127.0.0.1", port), seconds) as line:
        line.sendall(data)
        parts: list[bytes] = []
        while part := line.recv(65_536):
            parts.append(part)
    joined: bytes = b"".join(parts)
    return joined


def read(answer: bytes) -> tuple[int, dict[str, str], bytes]:
    head, _, body = answer.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines[1:])
    return int(lines[0].split()[1]), headers, body


def request(case: dict[str, Any]) -> bytes:
    """A case of the table as it goes over the line."""
    body = case.get("body", "").encode()
    sent = {"Host": case.get("host", "localhost"), "Origin": case.get("origin"), "Connection": "close"}
    if "body" in case:
        sent |= {"Content-Type": case.get("type", "application/json"), "Content-Length": str(len(body))}
    lines = [f"{case.get('method', 'GET')} {case.get('target', '/canary/s')} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in sent.items() if value is not None]
    head = "\r\n".join([*lines, "", ""])
    return head.encode() + bytes(body)
