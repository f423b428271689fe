"""The package's functions. Each hands JSON text to the core and reads JSON text back."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias, overload

from counterfoil import _core, archive, files, step
from counterfoil.errors import Error
from counterfoil.events import audit as event_of
from counterfoil.methods import keep, made_of
from counterfoil.step import AsyncModel, Model
from counterfoil.types import Citations, ModelBatch, Piece, Report, Turn, Unit, Verification

__all__ = [
    "Session",
    "averify",
    "cited",
    "finish_many",
    "load",
    "plan_many",
    "ran",
    "readers",
    "recode",
    "reply_text",
    "verify",
    "verify_session",
]

Mode = Literal["off", "readers", "model"]
Audit: TypeAlias = "Callable[[dict[str, Any]], object]"
Bytes: TypeAlias = "bytes | bytearray | memoryview"
SURROGATES = re.compile("[\ud800-\udfff]")


class Session:
    """A session that was read. `len()` is the number of its turns."""

    __slots__ = ("_core", "_record")

    def __init__(self, handle: _core.Session) -> None:
        self._core = handle
        self._record: dict[str, Any] | None = None

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        found = self.format
        turns = "turn" if len(self) == 1 else "turns"
        return f"<counterfoil.Session {len(self)} {turns}, {found['name'] if found else 'native'}>"

    def to_json(self) -> str:
        """The session as native JSON."""
        return self._core.to_json()

    def to_dict(self) -> dict[str, Any]:
        """The session as native JSON, read; made on first use and kept."""
        if self._record is None:
            self._record = json.loads(self.to_json())
        return self._record

    @property
    def turns(self) -> list[Turn]:
        """The turns, oldest first, as dicts.

        A turn alone lacks what the turns before it made and were told. To check one in its place, take it from
        `verify_session`.
        """
        found: list[Turn] = self.to_dict()["turns"]
        return found

    @property
    def id(self) -> str | None:
        """The host's id of the session."""
        found: str | None = self.to_dict()["id"]
        return found

    @property
    def format(self) -> dict[str, Any] | None:
        """The format it was read from: `name`, `confidence`, `evidence` and `candidates`."""
        found: dict[str, Any] | None = self.to_dict()["format"]
        return found

    @property
    def notes(self) -> list[str]:
        """What was repaired, left out or not understood, in plain sentences that name the place."""
        found: list[str] = self.to_dict()["notes"]
        return found


def load(source: str | os.PathLike[str] | Bytes, format: str | None = None) -> Session:
    """Reads a session from a file's path, or from JSON or JSON Lines as text or bytes.

    The format is found out by the keys of the text; `format` names it instead. A text is taken for
    a path unless it begins like JSON (`{` or `[`) or holds a line break. A missing file raises
    `FileNotFoundError`, foreign text `Error`. An `.eval` archive of Inspect is unpacked.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
    elif isinstance(source, str) and not source.strip():
        raise Error("json", "", "an empty text")
    elif isinstance(source, str) and is_json(source):
        data = sound(source).encode()
    else:
        with files.opened(Path(source)) as file:
            data = b"".join(files.parts(file))
    return Session(_core.load(archive.whole(data), format))


def verify(
    turn: Turn | Mapping[str, Any] | str | Bytes,
    *,
    mode: Mode | None = None,
    roles: Mapping[str, str] | None = None,
    readers: Mapping[str, bool] | None = None,
    limits: Mapping[str, int] | None = None,
    tools: Sequence[str] | None = None,
    canaries: Sequence[Mapping[str, Any]] | None = None,
    rules: Sequence[Mapping[str, Any]] | None = None,
    model: Model | None = None,
    timeout: float | None = None,
    audit: Audit | None = None,
) -> Verification | None:
    """Checks every claim in the reply against the calls of this turn and the earlier ones.

    `turn` is a native turn as a dict, or as JSON in a text or in bytes. None means that nothing was
    read, not that all is well. Spans count code points: `reply_text(turn)[span.start:span.end]` is
    the claim.

    With `mode="model"` the function `model` is asked once where the readers flag nothing and the
    reply speaks of results. It takes a `ModelRequest` and gives the model's text or the object read
    from it, within `timeout` seconds (10). What goes wrong with it is `failure` in the result.

    Its mode is `model` where none is given and a `model` is. `audit` is called with the event of the
    check, when one was made; an `AuditLog` writes it down.
    """
    mode = "model" if mode is None and model is not None else mode
    check = Check(
        turn,
        audit,
        options(mode=mode, roles=roles, readers=readers, limits=limits, tools=tools, canaries=canaries, rules=rules),
    )
    if mode != "model":
        return check.read()
    asks, patience = step.checked(model, waits=False), step.patience(timeout)
    request = check.plan()
    return check.finish(None if request is None else step.ask(asks, request, patience))


async def averify(
    turn: Turn | Mapping[str, Any] | str | Bytes,
    *,
    mode: Mode | None = None,
    roles: Mapping[str, str] | None = None,
    readers: Mapping[str, bool] | None = None,
    limits: Mapping[str, int] | None = None,
    tools: Sequence[str] | None = None,
    canaries: Sequence[Mapping[str, Any]] | None = None,
    rules: Sequence[Mapping[str, Any]] | None = None,
    model: AsyncModel | None = None,
    timeout: float | None = None,
    audit: Audit | None = None,
) -> Verification | None:
    """`verify` for programs with an event loop: `model` may be a coroutine function, and the loop goes on meanwhile."""
    mode = "model" if mode is None and model is not None else mode
    check = Check(
        turn,
        audit,
        options(mode=mode, roles=roles, readers=readers, limits=limits, tools=tools, canaries=canaries, rules=rules),
    )
    if mode != "model":
        return check.read()
    asks, patience = step.checked(model, waits=True), step.patience(timeout)
    request = check.plan()
    return check.finish(None if request is None else await step.ask_async(asks, request, patience))


class Check:
    """One check on its way: the turn as the core reads it, its options, and since when it runs."""

    def __init__(self, turn: Turn | Mapping[str, Any] | str | Bytes, audit: Audit | None, chosen: str) -> None:
        if audit is not None and not callable(audit):
            raise Error("option", "audit", f"expected a function of an event; found {type(audit).__name__}")
        self.audit = audit
        self.started = time.perf_counter()
        self.chosen = chosen
        self.given = native_turn(turn)
        self.request: dict[str, Any] | None = None
        self.read_text: str | None = None

    def read(self) -> Verification | None:
        """The result of the readers."""
        return self.result(_core.verify(self.given, self.chosen))

    def plan(self) -> dict[str, Any] | None:
        """What is to be asked."""
        planned = json.loads(_core.plan(self.given, self.chosen))
        self.request = planned["request"]
        self.read_text = None if planned["result"] is None else json.dumps(planned["result"])
        return self.request

    def finish(self, given: str | None) -> Verification | None:
        """The result after what came of the request; that of the readers where there was none."""
        return self.result(self.read_text if given is None else _core.finish(self.given, self.chosen, given))

    def result(self, text: str | None) -> Verification | None:
        if text is None:
            return None
        result = Verification.from_dict(json.loads(text))
        keep(result, self.given, self.chosen)
        if self.audit is not None:
            seconds = time.perf_counter() - self.started
            event = event_of(result, seconds=seconds, bytes=self.request["bytes"] if self.request else None)
            if event is not None:
                self.audit(event)
        return result


def plan_many(
    session: Session | Mapping[str, Any] | Sequence[Any] | str | os.PathLike[str] | Bytes,
    *,
    roles: Mapping[str, str] | None = None,
    readers: Mapping[str, bool] | None = None,
    limits: Mapping[str, int] | None = None,
    tools: Sequence[str] | None = None,
    canaries: Sequence[Mapping[str, Any]] | None = None,
    rules: Sequence[Mapping[str, Any]] | None = None,
) -> list[ModelBatch]:
    """What is to be asked of a model about the claims of a session that the readers leave open.

    Each request has many questions, of which the model says for each whether it is true and how likely.
    """
    chosen = options(
        mode="model", roles=roles, readers=readers, limits=limits, tools=tools, canaries=canaries, rules=rules
    )
    return [ModelBatch.from_dict(batch) for batch in json.loads(_core.plan_many(handle_of(session), chosen))]


def finish_many(
    session: Session | Mapping[str, Any] | Sequence[Any] | str | os.PathLike[str] | Bytes,
    answers: Iterable[str | Mapping[str, Any] | None],
    *,
    roles: Mapping[str, str] | None = None,
    readers: Mapping[str, bool] | None = None,
    limits: Mapping[str, int] | None = None,
    tools: Sequence[str] | None = None,
    canaries: Sequence[Mapping[str, Any]] | None = None,
    rules: Sequence[Mapping[str, Any]] | None = None,
) -> Report:
    """The report after the requests of `plan_many`.

    `answers` has what came of each in their order, None where nothing did.
    """
    given = [step.failed("raised") if one is None else step.given(step.plain(one)) for one in answers]
    chosen = options(
        mode="model", roles=roles, readers=readers, limits=limits, tools=tools, canaries=canaries, rules=rules
    )
    handle = handle_of(session)
    result = Report.from_dict(json.loads(_core.finish_many(handle, chosen, json.dumps(given))))
    keep(result, handle, chosen)
    return result


def handle_of(session: Session | Mapping[str, Any] | Sequence[Any] | str | os.PathLike[str] | Bytes) -> _core.Session:
    """The core's session of whatever a session is given as."""
    if isinstance(session, (Mapping, list, tuple)):
        session = load(native(session))
    elif not isinstance(session, Session):
        session = load(session)  # type: ignore[arg-type]
    return session._core


def verify_session(
    session: Session | Mapping[str, Any] | Sequence[Any] | str | os.PathLike[str] | Bytes,
    *,
    mode: Mode | None = None,
    roles: Mapping[str, str] | None = None,
    readers: Mapping[str, bool] | None = None,
    limits: Mapping[str, int] | None = None,
    tools: Sequence[str] | None = None,
    canaries: Sequence[Mapping[str, Any]] | None = None,
    rules: Sequence[Mapping[str, Any]] | None = None,
    progress: Callable[[int, int], object] | None = None,
    model: Model | None = None,
    timeout: float | None = None,
) -> Report:
    """Checks every turn of a session; a turn's earlier calls are those of the turns before it.

    `session` is what `load` gives or takes, or a host's messages as a dict or list. `progress` is
    called as the check goes on, with the steps done and their number: a turn takes two. What it
    raises ends the check and is raised by `verify_session`.

    With `mode="model"` what the readers leave open is asked of the function `model`, many claims in
    one request; `timeout` is for each of the requests. Its mode is `model` where none is given and a
    `model` is.
    """
    mode = "model" if mode is None and model is not None else mode
    handle = handle_of(session)
    chosen = options(
        mode=mode, roles=roles, readers=readers, limits=limits, tools=tools, canaries=canaries, rules=rules
    )
    if mode == "model":
        asks, patience = step.checked(model, waits=False), step.patience(timeout)
        given = [step.ask(asks, batch["request"], patience) for batch in json.loads(_core.plan_many(handle, chosen))]
        text = _core.finish_many(handle, chosen, json.dumps(given))
    else:
        text = _core.verify_session(handle, chosen, progress)
    result = Report.from_dict(json.loads(text))
    keep(result, handle, chosen)
    return result


def cited(reply: str | Sequence[Piece], entries: Iterable[int] | None) -> Citations:
    """Compares the entry numbers that a reply cites with those that the conversation holds.

    With None for entries that are not known, the numbers are read and none is missing.
    """
    numbers = json.dumps(None if entries is None else list(entries))
    return Citations.from_dict(json.loads(_core.cited(joined(reply), numbers)))


def ran(turn: Turn | Mapping[str, Any] | str | Bytes) -> str | None:
    """The turn's `ran:` line: which tools were called, how often, and how many calls failed.

    None where there is nothing to say.
    """
    return _core.ran(native_turn(turn))


@overload
def recode(
    result: Verification,
    reply: str | Sequence[Piece],
    unit: Unit,
    turn: Turn | Mapping[str, Any] | str | Bytes | None = None,
) -> Verification: ...
@overload
def recode(
    result: Mapping[str, Any],
    reply: str | Sequence[Piece],
    unit: Unit,
    turn: Turn | Mapping[str, Any] | str | Bytes | None = None,
) -> dict[str, Any]: ...


def recode(
    result: Verification | Mapping[str, Any],
    reply: str | Sequence[Piece],
    unit: Unit,
    turn: Turn | Mapping[str, Any] | str | Bytes | None = None,
) -> Verification | dict[str, Any]:
    """The same result with its spans counted in another unit, as for a page in a browser (`utf16`).

    Evidence spans stand in the outputs of calls. A result of `verify` knows its turn; one that was
    read back from JSON needs `turn`, and without it loses its evidence spans.
    """
    if isinstance(result, Report):
        raise TypeError("recode takes the Verification of a turn, not a Report")
    if not isinstance(result, Verification):
        given = None if turn is None else native_turn(turn)
        found: dict[str, Any] = json.loads(_core.recode(native(result), joined(reply), given, unit))
        return found
    made = made_of(result) if turn is None else (native_turn(turn), "{}")
    text = _core.recode(result.to_json(), joined(reply), made[0] if made else None, unit)
    changed = Verification.from_dict(json.loads(text))
    if made:
        keep(changed, *made)
    return changed


def readers() -> list[dict[str, Any]]:
    """Every reader in its order: its `name`, what it is `about`, and whether it is on by `default`."""
    found: list[dict[str, Any]] = json.loads(_core.readers())
    return found


def is_json(text: str) -> bool:
    """Whether a text is a session rather than a path."""
    return "\n" in text or text.lstrip("\ufeff \t\r")[:1] in ("{", "[")


def sound(text: str) -> str:
    """A text without lone surrogates, which a log cut inside an emoji leaves and UTF-8 cannot hold.

    Each becomes one replacement character, so that spans stay right.
    """
    return SURROGATES.sub("\ufffd", text)


def reply_text(turn_or_reply: Turn | Mapping[str, Any] | str | Sequence[Piece]) -> str:
    """The reply of a turn as the one text that spans point into: its pieces, joined by a blank line.

    A reply alone will do, too.
    """
    given: Any = turn_or_reply
    reply = given.get("reply") if isinstance(given, Mapping) else given
    if isinstance(given, Mapping) and reply is None:
        return ""
    if isinstance(reply, str):
        return reply
    pieces = reply if isinstance(reply, (list, tuple)) else [None]
    texts: list[Any] = [piece.get("text") if isinstance(piece, Mapping) else piece for piece in pieces]
    if not all(isinstance(text, str) for text in texts):
        raise Error("shape", "reply", "expected a text or a list of pieces, each with a text")
    return "\n\n".join(texts)


def joined(reply: str | Sequence[Piece]) -> str:
    """A reply as the core reads it."""
    return sound(reply_text(reply))


def native_turn(turn: Turn | Mapping[str, Any] | str | Bytes) -> str:
    """A turn as JSON text."""
    if isinstance(turn, Session):
        raise Error("shape", "", "expected a turn; found a Session, which verify_session checks")
    if isinstance(turn, (bytes, bytearray, memoryview)):
        return bytes(turn).decode("utf-8-sig", "replace")
    return native(turn)


def native(value: Mapping[str, Any] | Sequence[Any] | str) -> str:
    """A value as JSON text. Escapes keep lone surrogates out of the text; the core mends them."""
    if isinstance(value, str):
        return sound(value)
    try:
        return json.dumps(value)
    except (TypeError, ValueError, RecursionError) as failure:
        raise Error("shape", "", str(failure)) from failure


def options(**given: object) -> str:
    """Options as JSON text; what is None keeps its default."""
    try:
        chosen = {name: value for name, value in given.items() if value is not None}
        return sound(json.dumps(chosen, ensure_ascii=False, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as failure:
        raise Error("option", "", str(failure)) from failure
