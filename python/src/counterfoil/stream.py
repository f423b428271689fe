"""Transcripts in pieces: turns, or reports on them, as they are finished."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Generic, TypeAlias, TypeVar

from counterfoil import _core, archive, files
from counterfoil.api import Bytes, Mode, is_json, options, sound
from counterfoil.errors import Error
from counterfoil.types import Turn, TurnReport

__all__ = ["Source", "Stream", "iter_turns", "verify_turns"]

T = TypeVar("T")
Source: TypeAlias = "str | os.PathLike[str] | Bytes | IO[bytes] | IO[str] | Iterable[bytes | str]"
"""A path, a file that is open, a text or bytes, or the pieces of a text."""


class Stream(Iterator[T], Generic[T]):
    """What is finished of a transcript, one after another. It is read as far as it is asked for."""

    def __init__(self, source: Source, handle: _core.Stream, made: Callable[[Any], T]) -> None:
        self._pieces = pieces(source)
        self._core = handle
        self._made = made
        self._ready: deque[Any] = deque()
        self._ended = False

    def __iter__(self) -> Stream[T]:
        return self

    def __next__(self) -> T:
        if not self._ready:
            self._ready.extend(json.loads(self._core.more()))
        while not self._ready and not self._ended:
            piece = next(self._pieces, None)
            self._ended = piece is None
            text = self._core.finish() if piece is None else self._core.feed(piece)
            self._ready.extend(json.loads(text))
        if not self._ready:
            raise StopIteration
        return self._made(self._ready.popleft())

    def _about(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._core.about())
        return found

    @property
    def id(self) -> str | None:
        """The host's id of the session, once the text has ended."""
        found: str | None = self._about()["id"]
        return found

    @property
    def format(self) -> dict[str, Any] | None:
        """The format that it is read as, once it is known."""
        found: dict[str, Any] | None = self._about()["format"]
        return found

    @property
    def notes(self) -> list[str]:
        """What was repaired, left out or not understood; all of it once the text has ended."""
        found: list[str] = self._about()["notes"]
        return found


def iter_turns(source: Source, format: str | None = None) -> Stream[Turn]:
    """The turns of a session one after another, without the whole of it in memory where it stands in lines.

    `source` is a path, a file that is open, what `load` takes, or an iterable of pieces. A turn lacks what the turns
    before it made and were told; `verify_turns` checks each in its place.
    """
    return Stream(source, _core.Stream(format, None, False), lambda turn: turn)


def verify_turns(
    source: Source,
    format: str | None = None,
    *,
    live: bool = False,
    mode: Mode | None = None,
    roles: Mapping[str, str] | None = None,
    readers: Mapping[str, bool] | None = None,
    limits: Mapping[str, int] | None = None,
    tools: Sequence[str] | None = None,
    canaries: Sequence[Mapping[str, Any]] | None = None,
    rules: Sequence[Mapping[str, Any]] | None = None,
) -> Stream[TurnReport]:
    """The reports on the turns of a session one after another, as those of `verify_session`.

    Several turns are checked at a time, so that a long session takes no longer than its length; with `live` each turn
    is checked as soon as it is finished, as for an agent that is still at work.
    """
    chosen = options(
        mode=mode, roles=roles, readers=readers, limits=limits, tools=tools, canaries=canaries, rules=rules
    )
    return Stream(source, _core.Stream(format, chosen, live), TurnReport.from_dict)


def pieces(source: Any) -> Iterator[bytes]:
    """The bytes of a source, a piece at a time."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return iter([archive.whole(bytes(source))])
    if isinstance(source, str) and not source.strip():
        raise Error("json", "", "an empty text")
    if isinstance(source, str) and is_json(source):
        return iter([sound(source).encode()])
    if isinstance(source, (str, os.PathLike)):
        return of_path(Path(source))
    if hasattr(source, "read"):
        return of_file(source)
    if isinstance(source, Iterable) and not isinstance(source, Mapping):
        return encoded(source)
    raise Error("shape", "", f"expected a path, a file, or pieces of a text; found {type(source).__name__}")


def of_path(path: Path) -> Iterator[bytes]:
    """A file's pieces; a missing one is an error at once, and not at the first turn."""
    path.stat()
    return opened(path)


def opened(path: Path) -> Iterator[bytes]:
    with files.opened(path) as file:
        packed = file.seekable() and file.read(len(archive.START)) == archive.START
        if file.seekable():
            file.seek(0)
        yield from archive.pieces(file) if packed else files.parts(file)


def of_file(file: Any) -> Iterator[bytes]:
    """What a file gives until it gives nothing. What is there at once is taken, so that a pipe is not waited for."""
    read = getattr(file, "read1", None) or file.read
    while part := read(files.PIECE):
        yield from encoded([part])


def encoded(parts: Iterable[bytes | str]) -> Iterator[bytes]:
    """Parts of a text as bytes."""
    for part in parts:
        yield sound(part).encode() if isinstance(part, str) else bytes(part)
