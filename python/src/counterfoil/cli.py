"""The command line's host. Files, streams and the terminal are its own; every word it prints comes from the core."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from counterfoil import _core, archive, files
from counterfoil.api import sound
from counterfoil.errors import Error
from counterfoil.events import AuditLog

__all__ = ["main"]

UNREADABLE = 2
WIDEST = 10_000
"""The most columns that are believed."""
MORE = [".eval"]
"""Endings of transcripts that are not the core's own."""


def main(args: Sequence[str] | None = None) -> int:
    """Runs the command line; gives the exit status."""
    words = list(sys.argv[1:] if args is None else args)
    try:
        return COMMANDS.get(words[0] if words else "", lambda _: run(words))(words[1:])
    except BrokenPipeError:
        # The reader of a pipe has gone, as with `| head`.
        hush()
        return 0
    except OutputError as failure:
        hush()
        write("", f"counterfoil: {failure}\n")
        return UNREADABLE
    except KeyboardInterrupt:
        return 130


def canary(words: list[str]) -> int:
    """The commands of proof of read, which are loaded when they are asked for."""
    from counterfoil.canary.command import run

    return run(words)


def contract(words: list[str]) -> int:
    """The commands of verification contracts, which are loaded when they are asked for."""
    from counterfoil.contract.command import run

    return run(words)


def evaluate(words: list[str]) -> int:
    """The evaluation, whose callbacks are loaded when it is asked for."""
    from counterfoil.evaluate import run

    return run(words)


COMMANDS = {"canary": canary, "contract": contract, "eval": evaluate}
"""The commands that have words of their own."""


class OutputError(Exception):
    """Standard output or the audit takes nothing more, as on a full disk: what was found would be lost in silence."""


def hush() -> None:
    """Sends the rest of the output nowhere. Python would complain once more at exit."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(words: list[str]) -> int:
    """Reads the files that the words name and hands them to the core."""
    # A file's name need not be UTF-8; the core is given the sound form and the system the real one.
    real = {sound(word): word for word in words}
    asked = _core.invocation(list(map(sound, words)))
    if asked.answer is not None:
        stdout, stderr, status = asked.answer
        write(stdout, stderr)
        return status
    if asked.converts is not None:
        return convert(asked, real)
    try:
        check = _core.Run(asked, settings(asked.config), color(sys.stdout), width())
        named = check.expand(MORE, lambda path: look(path, real))
    except (Error, OSError) as failure:
        write("", f"counterfoil: {describe(failure)}\n")
        return UNREADABLE
    bar = Bar(check, asked.quiet)
    with Audit(check, real.get(asked.audit or "", asked.audit)) as audit:
        for name, why in named:
            if why is None:
                read(check, name, real.get(name, name), bar, audit)
            else:
                output = check.unreadable(name, why)
                bar.clear()
                write(*output)
    stdout, stderr, status = check.finish()
    bar.clear()
    write(stdout, stderr)
    return status


class Audit:
    """Writes down what a run checked, where it is to; it has the clock, which the core has not."""

    def __init__(self, check: _core.Run, path: str | None) -> None:
        self.check = check
        self.path = path
        self.log: AuditLog | None = None
        self.started = 0.0

    def __enter__(self) -> Audit:  # noqa: PYI034
        if self.path is not None:
            with self.said():
                self.log = AuditLog(home(self.path))
        return self

    def __exit__(self, *failure: object) -> None:
        if self.log is not None:
            with self.said():
                self.log.close()

    def start(self) -> None:
        """The core begins to work."""
        self.started = time.perf_counter()

    def stop(self) -> None:
        """It has worked."""
        if self.log is not None and (events := self.check.events(time.perf_counter() - self.started)):
            with self.said():
                self.log.lines(events.encode("utf-8", "replace"))

    @contextlib.contextmanager
    def said(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError) as failure:
            raise OutputError(f"--audit: {describe(failure)}") from failure


def read(check: _core.Run, name: str, path: str, bar: Bar, audit: Audit) -> None:
    """Hands a file to the core a piece at a time."""
    check.begin(name)
    bar.draw(0, 0)
    try:
        for piece in standard_input(bar) if name == "-" else contents(path, bar):
            audit.start()
            output = check.piece(piece)
            audit.stop()
            if any(output):
                bar.clear()
                write(*output)
            if check.has_failed():
                break
        audit.start()
        output = check.end()
        audit.stop()
    except (Error, OSError, ValueError) as failure:
        output = check.unreadable(name, reason(failure))
    bar.clear()
    write(*output)


def convert(asked: _core.Invocation, real: dict[str, str]) -> int:
    """Prints a file as native JSON."""
    name = asked.converts or ""
    data, why = None, ""
    try:
        data = b"".join(standard_input() if name == "-" else contents(real.get(name, name), None))
    except (Error, OSError, ValueError) as failure:
        why = reason(failure)
    stdout, stderr, status = asked.convert(data, why) or ("", "", UNREADABLE)
    write(stdout, stderr)
    return status


def look(path: str, real: dict[str, str]) -> tuple[str, list[tuple[str, bool | None]]] | bool | None:
    """What stands at a path: None for nothing, False for a file, and for a folder what the core asks."""
    place = home(real.get(path, path))
    try:
        found = Path(place).stat()
        if not stat.S_ISDIR(found.st_mode):
            return False
        names: list[tuple[str, bool | None]] = []
        with os.scandir(place) as entries:
            for entry in entries:
                name = sound(entry.name)
                if name != entry.name:
                    real[name if path == "." else f"{path.rstrip('/')}/{name}"] = str(Path(place) / entry.name)
                names.append((name, kind(entry)))
    except (OSError, ValueError):
        return None
    return f"{found.st_dev}:{found.st_ino}", names


def kind(entry: os.DirEntry[str]) -> bool | None:
    """Whether it is a folder; None for what is neither that nor a file. A link to nothing is a file that is missing."""
    try:
        mode = entry.stat().st_mode
    except OSError:
        return False
    return True if stat.S_ISDIR(mode) else False if stat.S_ISREG(mode) else None


def home(path: str) -> str:
    """The path with its home folder, which a shell leaves alone in quotes."""
    return str(Path(path).expanduser()) if path.startswith("~") and not Path(path).exists() else path


def settings(named: str | None) -> tuple[str, str] | None:
    """The settings file: the one that was named, else the nearest from the current folder upward.

    In pyproject.toml only a table `tool.counterfoil` counts, and the core picks it out.
    """
    if named is not None:
        return named, text_of(named)
    try:
        here = Path.cwd()
    except OSError:
        return None  # The folder is gone, and with it any settings.
    for folder in (here, *here.parents):
        own = folder / "counterfoil.toml"
        if own.is_file():
            return str(own), text_of(own)
        project = folder / "pyproject.toml"
        if project.is_file():
            text = project.read_text("utf-8", "replace")
            if "[tool.counterfoil" in text:
                return str(project), text
    return None


def standard_input(bar: Bar | None = None) -> Iterator[bytes]:
    """Standard input; a closed one is an error, as a missing file is."""
    if sys.stdin is None:
        raise OSError("it is closed")
    done = 0
    while piece := sys.stdin.buffer.read(files.PIECE):
        yield piece
        done += len(piece)
        if bar is not None:
            bar.draw(done, 0)


def contents(name: str, bar: Bar | None) -> Iterator[bytes]:
    """A file's bytes. An empty name is no file; `Path` would make it the current folder."""
    if not name:
        raise OSError("the name is empty")
    path = Path(home(name))
    with files.opened(path) as file:
        if path.suffix.lower() == ".eval" and file.seekable():
            packed = file.read(len(archive.START)) == archive.START
            file.seek(0)
            if packed:
                yield from archive.pieces(file)
                return
        yield from files.parts(file) if bar is None else files.parts(file, bar.draw)


def text_of(path: str | Path) -> str:
    """A settings file's text."""
    try:
        return sound(b"".join(contents(str(path), None)).decode("utf-8-sig"))
    except UnicodeDecodeError as failure:
        raise Error("option", str(path), "not UTF-8 text") from failure


def color(stream: TextIO | None) -> bool:
    """Whether the stream shows colours: on a terminal that takes it, unless NO_COLOR is set."""
    return (
        stream is not None and stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )


def width() -> int:
    """The terminal's columns, or those that COLUMNS names."""
    named = os.environ.get("COLUMNS", "")
    # Nine digits are more than is believed, and no number is too long to be read.
    columns = int(named.lstrip("0")[:9] or "0") if re.fullmatch("[0-9]+", named) else 0
    with contextlib.suppress(AttributeError, ValueError, OSError):
        columns = columns or os.get_terminal_size(sys.__stdout__.fileno()).columns  # type: ignore[union-attr]
    return min(columns or 80, WIDEST)


def reason(failure: Exception) -> str:
    """Why a file could not be read, without its name."""
    return (isinstance(failure, OSError) and failure.strerror) or str(failure)


def describe(failure: Exception) -> str:
    if isinstance(failure, OSError) and failure.filename is not None:
        return f"{failure.filename}: {failure.strerror}"
    return reason(failure)


def write(stdout: str, stderr: str) -> None:
    """Writes in that order. A standard error that takes nothing is left alone; the exit status says the same."""
    if stdout:
        try:
            put(sys.stdout, stdout)
        except BrokenPipeError:
            raise
        except OSError as failure:
            raise OutputError(f"standard output: {reason(failure)}") from failure
    if stderr:
        with contextlib.suppress(OSError):
            put(sys.stderr, stderr)


def put(stream: TextIO | None, text: str) -> None:
    """Writes whatever encoding the stream was opened with."""
    if stream is None:
        raise OSError("it is closed")
    try:
        stream.write(text)
    except UnicodeEncodeError:
        encoding = stream.encoding or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()


class Bar:
    """A line of progress on a terminal's stderr; the core words it."""

    def __init__(self, check: _core.Run | None, quiet: bool) -> None:
        self.check = check
        self.shown = False
        terminal = sys.stderr is not None and sys.stderr.isatty()
        self.on = terminal and not quiet and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def draw(self, done: int, size: int) -> None:
        """So many bytes of the file that was begun were read."""
        if self.on and self.check is not None:
            self.show(self.check.progress(done, size))

    def show(self, line: str) -> None:
        """Draws a line, if there is one."""
        if self.on and line:
            sys.stderr.write(f"\r\x1b[K{line}")
            sys.stderr.flush()
            self.shown = True

    def clear(self) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self.shown = False
