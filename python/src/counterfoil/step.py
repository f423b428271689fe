"""The model step's host half: it carries a request to the caller's model and says what came of it.

Whatever the model does, a check gives a result: what goes wrong is `failure` in it, and never an exception.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import inspect
import json
import re
import threading
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from counterfoil.errors import Error
from counterfoil.types import ModelRequest

__all__ = ["AsyncModel", "Model", "ask", "ask_async", "checked", "patience"]

Model: TypeAlias = "Callable[[ModelRequest], str | Mapping[str, Any]]"
"""Takes a request and gives the model's answer: its text, or the object that was read from it."""
AsyncModel: TypeAlias = "Callable[[ModelRequest], str | Mapping[str, Any] | Awaitable[str | Mapping[str, Any]]]"
"""The same, or a coroutine function."""

CANCELLED = (asyncio.CancelledError, concurrent.futures.CancelledError)
SURROGATES = re.compile("[\ud800-\udfff]")
TIMEOUT = 10.0
"""Seconds, where none are given."""


def checked(model: object, waits: bool) -> Callable[[ModelRequest], Any]:
    """The callback, or an error that says what is wrong with it."""
    if model is None:
        raise Error("option", "model", "mode model needs a function that asks your model; docs/model-step.md has some")
    if not callable(model):
        raise Error("option", "model", f"expected a function that takes a request; found {type(model).__name__}")
    if not waits and inspect.iscoroutinefunction(model):
        raise Error("option", "model", "an async function needs averify")
    return model


def patience(timeout: object) -> float:
    """The seconds that an answer may take."""
    if timeout is None:
        return TIMEOUT
    number = isinstance(timeout, (int, float)) and not isinstance(timeout, bool)
    if not number or not 0 < timeout <= threading.TIMEOUT_MAX:  # type: ignore[operator]
        raise Error("option", "timeout", f"expected seconds above 0; found {timeout!r:.40}")
    return float(timeout)  # type: ignore[arg-type]


def ask(model: Callable[[ModelRequest], Any], request: Mapping[str, Any], timeout: float) -> str:
    """What came of a request, as the core is told it.

    The callback runs in a thread of its own, so that one that hangs can be left behind; it is a daemon, which does not
    keep the program from ending.
    """
    done: concurrent.futures.Future[Any] = concurrent.futures.Future()
    work = threading.Thread(target=run, args=(model, request, done), name="counterfoil-model", daemon=True)
    work.start()
    try:
        return given(done.result(timeout))
    except concurrent.futures.TimeoutError as failure:
        return failed("raised" if done.done() and done.exception() is failure else "timeout")
    except CANCELLED:
        return failed("cancelled")
    except Exception:
        return failed("raised")


def run(model: Callable[[ModelRequest], Any], request: Mapping[str, Any], done: concurrent.futures.Future[Any]) -> None:
    done.set_running_or_notify_cancel()  # From here on nobody can cancel it, and what comes late has a place to go.
    try:
        done.set_result(plain(model(ModelRequest.from_dict(request))))
    except CANCELLED as failure:
        done.set_exception(failure)
    except BaseException as failure:  # SystemExit ends a thread in silence, and StopIteration a future.
        usual = isinstance(failure, Exception) and not isinstance(failure, StopIteration)
        done.set_exception(failure if usual else RuntimeError(repr(failure)))


async def ask_async(model: Callable[[ModelRequest], Any], request: Mapping[str, Any], timeout: float) -> str:
    """The same for callbacks that are awaited. A plain function runs in a thread, so that the loop goes on."""
    task = asyncio.ensure_future(answer(model, request))
    try:
        await asyncio.wait({task}, timeout=timeout)
    except asyncio.CancelledError:
        task.cancel()  # The caller itself is cancelled, and wants no result.
        raise
    if not task.done():
        task.cancel()
        task.add_done_callback(lambda late: late.cancelled() or late.exception())
        return failed("timeout")
    if task.cancelled():
        return failed("cancelled")
    failure = task.exception()
    if failure is not None:
        return failed("cancelled" if isinstance(failure, CANCELLED) else "raised")
    return given(task.result())


async def answer(model: Callable[[ModelRequest], Any], request: Mapping[str, Any]) -> Any:
    try:
        if inspect.iscoroutinefunction(model) or inspect.iscoroutinefunction(getattr(model, "__call__", None)):  # noqa: B004
            return plain(await model(ModelRequest.from_dict(request)))
        done: concurrent.futures.Future[Any] = concurrent.futures.Future()
        threading.Thread(target=run, args=(model, request, done), name="counterfoil-model", daemon=True).start()
        found = await asyncio.wrap_future(done)
        return plain(await found) if inspect.isawaitable(found) else found
    except SystemExit as failure:  # It would end the caller's loop.
        raise RuntimeError(repr(failure)) from failure


def plain(found: object) -> object:
    """A mapping of any kind as a dict; whatever it does while it is read is the callback's doing."""
    return dict(found) if isinstance(found, Mapping) else found


def given(found: object) -> str:
    """An answer as JSON text."""
    if inspect.iscoroutine(found):
        found.close()  # Nobody awaits it, and Python would complain.
    try:
        text = json.dumps({"answer": found}, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return failed("wrong_type")
    return SURROGATES.sub("\ufffd", text)


def failed(kind: str) -> str:
    return json.dumps({"failure": kind})
