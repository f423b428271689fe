"""`counterfoil eval …`: readers and a model over labelled turns. Every word that it prints comes from the core."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable
from typing import Any

from counterfoil import _core, models, step
from counterfoil.api import sound
from counterfoil.cli import Bar, contents, describe, reason, standard_input, write
from counterfoil.errors import Error
from counterfoil.events import AuditLog

__all__ = ["run"]


def run(words: list[str]) -> int:
    """Does what the words behind `eval` ask for; gives the exit status."""
    given = list(map(sound, words))
    asked: dict[str, Any] = json.loads(_core.eval_asked(given))
    if "answer" in asked:
        answer = asked["answer"]
        return ended(answer["stdout"], answer["stderr"], answer["exit"])
    wanted = asked["eval"]
    try:
        model = None if wanted["model"] is None else models.named(wanted["model"], wanted["base"])
        evaluation = _core.Eval(given)
        old = None if wanted["compare"] is None else text_of(wanted["compare"])
    except (Error, OSError, ValueError) as failure:
        return ended(*_core.eval_failure(describe(failure)))
    for file in wanted["files"]:
        try:
            evaluation.add(file, text_of(file))
        except (Error, OSError, ValueError) as failure:
            return ended(*_core.eval_failure(f"{file}: {reason(failure)}"))
    try:
        with AuditLog(wanted["audit"]) if wanted["audit"] else contextlib.nullcontext() as log:
            steps(evaluation, model, wanted["timeout"], log)
    except OSError as failure:
        return ended(*_core.eval_failure(f"--audit: {describe(failure)}"))
    return ended(*evaluation.finish(old))


def steps(evaluation: _core.Eval, model: Callable[..., Any] | None, timeout: float, log: AuditLog | None) -> None:
    """Runs one step after another, and tells each how long it took."""
    bar = Bar(None, model is None)
    while True:
        started = time.perf_counter()
        request = evaluation.next()
        if request is None:
            break
        given = None if request == "" or model is None else step.ask(model, json.loads(request), timeout)
        evaluation.took(time.perf_counter() - started, given)
        if log is not None:
            log.lines(evaluation.events().encode("utf-8", "replace"))
        bar.show(evaluation.progress())
    bar.clear()


def text_of(file: str) -> str:
    """A file's text."""
    data = b"".join(standard_input() if file == "-" else contents(os.fspath(file), None))
    return sound(data.decode("utf-8-sig", "replace"))


def ended(stdout: str, stderr: str, status: int) -> int:
    write(stdout, stderr)
    return status
