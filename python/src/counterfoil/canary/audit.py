"""The hooks of an operator. Whatever becomes of them, the client is answered."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["Hooks"]

PENDING = 1024
"""So many events may be waiting for an asynchronous audit."""

_LOG = logging.getLogger("counterfoil.canary")


class Hooks:
    """`audit` hears of every document and verdict, `on_error` of every failure of the server."""

    def __init__(
        self,
        audit: Callable[[Mapping[str, Any]], object] | None,
        on_error: Callable[[BaseException], object] | None,
    ) -> None:
        self._audit = audit
        self._on_error = on_error
        self._pending: set[asyncio.Future[object]] = set()

    def tell(self, event: Mapping[str, Any]) -> None:
        """Tells the audit, and waits for nothing."""
        if self._audit is None:
            return
        try:
            if len(self._pending) >= PENDING:
                raise RuntimeError(f"the audit is {PENDING} events behind; one was left out: {dict(event)}")
            found = self._audit(event)
            if inspect.isawaitable(found):
                task: asyncio.Future[object] = asyncio.ensure_future(found)
                self._pending.add(task)
                task.add_done_callback(self._heard)
        except Exception as failure:
            self.failed(failure)

    def _heard(self, task: asyncio.Future[object]) -> None:
        self._pending.discard(task)
        failure = None if task.cancelled() else task.exception()
        if failure is not None:
            self.failed(failure)

    def failed(self, failure: BaseException) -> None:
        """Reports a failure of the server or of its audit. Whoever is told must not fail in turn."""
        try:
            if self._on_error is None:
                _LOG.error("counterfoil canary: %s: %s", type(failure).__name__, failure, exc_info=failure)
            else:
                self._on_error(failure)
        except Exception:
            return
