"""`counterfoil canary …`: the vectors, the test of the build, the server. Every word it prints comes from the core."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from collections.abc import Mapping
from typing import Any

from counterfoil import _core
from counterfoil.api import sound
from counterfoil.canary import Canary, app
from counterfoil.cli import contents, reason, standard_input, write

__all__ = ["run"]

CONNECTIONS = 1024
"""So many are taken at once."""


def run(words: list[str]) -> int:
    """Does what the words behind `canary` ask for; gives the exit status."""
    asked: dict[str, Any] = json.loads(_core.canary_asked(list(map(sound, words)), os.urandom(32)))
    if "answer" in asked:
        answer = asked["answer"]
        return ended(answer["stdout"], answer["stderr"], answer["exit"])
    if "vectors" in asked:
        return vectors(asked["vectors"])
    return serve(asked["serve"])


def ended(stdout: str, stderr: str, status: int) -> int:
    write(stdout, stderr)
    return status


def vectors(file: str) -> int:
    try:
        data = b"".join(standard_input() if file == "-" else contents(file, None))
        text = data.decode("utf-8-sig", "replace")
    except (OSError, ValueError) as failure:
        return ended(*_core.canary_failure(f"{file}: {reason(failure)}"))
    return ended(*_core.canary_vectors(file, text))


def serve(asked: Mapping[str, Any]) -> int:
    """Serves until it is told to end. Uvicorn is no requirement of the package."""
    try:
        import uvicorn
    except ImportError:
        return ended(*_core.canary_failure(f"canary serve needs uvicorn: {sys.executable} -m pip install uvicorn"))
    host, base = asked["host"], asked["base"]
    try:
        family = socket.getaddrinfo(host, asked["port"], type=socket.SOCK_STREAM)[0][0]
        listening = socket.create_server((host, asked["port"]), family=family)
    except OSError as failure:
        return ended(*_core.canary_failure(f"{host}, port {asked['port']}: {reason(failure)}"))
    canary = Canary(os.urandom(32))
    answers = app(canary, base=base, hosts=asked["allow"], per_minute=asked["per_minute"], audit=note)
    # No access log, and no client by a header that anybody may send.
    quiet: dict[str, Any] = {"log_level": "warning", "access_log": False, "proxy_headers": False, "ws": "none"}
    config = uvicorn.Config(answers, limit_concurrency=CONNECTIONS, **quiet)
    with listening:
        write(_core.canary_started(host, listening.getsockname()[1], base), "")
        asyncio.run(uvicorn.Server(config).serve([listening]))
    return 0


def note(event: Mapping[str, Any]) -> None:
    """An event as a line on standard error. It holds no sentinel."""
    if sys.stderr is not None:
        write("", json.dumps(event) + "\n")
