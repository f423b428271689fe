"""Audit events of checks: shaped by the core, written here."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from counterfoil import _core
from counterfoil.errors import Error
from counterfoil.types import Verification

__all__ = ["AuditLog", "audit", "evaluation"]


def audit(
    result: Verification | Mapping[str, Any] | None,
    *,
    seconds: float,
    bytes: int | None = None,
    model: str | None = None,
    think: bool | None = None,
) -> dict[str, Any] | None:
    """The event `response.verification` of a result; None for None, which says that nothing was checked.

    `seconds` is how long the check took. Where a model was asked, `bytes` are those of the request, `model` is the
    model's name and `think` whether it thought before it answered.
    """
    about = described(seconds=seconds, bytes=bytes, model=model, think=think)
    return read(_core.audit(plain(result), about))


def evaluation(
    result: Verification | Mapping[str, Any] | None,
    *,
    seconds: float,
    bytes: int | None = None,
    model: str | None = None,
    think: bool | None = None,
    response: str | None = None,
) -> dict[str, Any] | None:
    """The same as the event `gen_ai.evaluation.result` of OpenTelemetry: its `name` and its `attributes`.

    `response` is the provider's id of the reply that was checked. `span.add_event(event["name"], event["attributes"])`
    adds it to a span.
    """
    about = described(seconds=seconds, bytes=bytes, model=model, think=think, response=response)
    return read(_core.evaluation(plain(result), about))


class AuditLog:
    """A file of audit events, one line of JSON each, appended and made safe on the disk when it is closed.

    >>> with AuditLog("audit.jsonl") as log:
    ...     counterfoil.verify(turn, audit=log)

    It is a function of an event, so that it serves as `audit` of `verify` and `averify`. Threads may share one.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        # Without a buffer nothing is left over where a write fails.
        self._file = open(path, "ab", buffering=0)  # noqa: PTH123
        self._lock = threading.Lock()

    def __call__(self, event: Mapping[str, Any]) -> None:
        """Appends an event."""
        line = json.dumps(event, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        self.lines(line)

    def lines(self, lines: bytes) -> None:
        """Appends whole lines in one piece, which other writers of the same file do not break into."""
        left = memoryview(lines)
        with self._lock:
            while left:
                left = left[self._file.write(left) or 0 :]

    def close(self) -> None:
        """Waits until the disk has all of it."""
        with self._lock:
            if not self._file.closed:
                try:
                    os.fsync(self._file.fileno())
                except OSError:
                    pass  # A pipe or a terminal has no disk.
                finally:
                    self._file.close()

    def __enter__(self) -> AuditLog:  # noqa: PYI034
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def plain(result: Verification | Mapping[str, Any] | None) -> str:
    if result is None:
        return "null"
    if isinstance(result, Verification):
        return result.to_json()
    try:
        return json.dumps(dict(result))
    except (TypeError, ValueError, RecursionError) as failure:
        raise Error("shape", "result", str(failure)) from failure


def described(**about: object) -> str:
    try:
        return json.dumps(about, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as failure:
        raise Error("shape", "about", str(failure)) from failure


def read(text: str | None) -> dict[str, Any] | None:
    found: dict[str, Any] | None = None if text is None else json.loads(text)
    return found
