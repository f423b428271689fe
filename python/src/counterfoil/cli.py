"""The command line's host. Files, streams and the terminal are its own; every word it prints comes from the core."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from counterfoil import _core
from counterfoil.api import sound
from counterfoil.errors import Error

__all__ = ["main"]

UNREADABLE = 2


def main(args: Sequence[str] | None = None) -> int:
    """Runs the command line; gives the exit status."""
    words = list(sys.argv[1:] if args is None else args)
    try:
        return run(words)
    except BrokenPipeError:
        # The reader of a pipe has gone, as with `| head`. Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def run(words: list[str]) -> int:
    """Reads the files that the words name and hands them to the core."""
    # A file's name need not be UTF-8; the core is given the sound form and the system the real one.
    real = {sound(word): word for word in words}
    asked = _core.invocation(list(map(sound, words)))
    if asked.answer is not None:
        stdout, stderr, status = asked.answer
        write(stdout, stderr)
        return status
    try:
        width = shutil.get_terminal_size().columns
        check = _core.Run(asked, settings(asked.config), color(sys.stdout), width)
    except (Error, OSError, UnicodeDecodeError) as failure:
        write("", f"counterfoil: {describe(failure)}\n")
        return UNREADABLE
    files = asked.files or []
    bar = Bar(len(files))
    for number, name in enumerate(files):
        bar.show(number, name)
        try:
            data = sys.stdin.buffer.read() if name == "-" else Path(real.get(name, name)).read_bytes()
        except OSError as failure:
            output = check.unreadable(name, failure.strerror or str(failure))
        else:
            output = check.file(name, data)
        bar.clear()
        write(*output)
    stdout, stderr, status = check.finish()
    write(stdout, stderr)
    return status


def settings(named: str | None) -> tuple[str, str] | None:
    """The settings file: the one that was named, else the nearest from the current folder upward.

    In pyproject.toml only a table `tool.counterfoil` counts, and the core picks it out.
    """
    if named is not None:
        return named, sound(Path(named).read_text("utf-8"))
    here = Path.cwd()
    for folder in (here, *here.parents):
        own = folder / "counterfoil.toml"
        if own.is_file():
            return str(own), own.read_text("utf-8")
        project = folder / "pyproject.toml"
        if project.is_file():
            text = project.read_text("utf-8", "replace")
            if "[tool.counterfoil" in text:
                return str(project), text
    return None


def color(stream: TextIO) -> bool:
    """Whether the stream shows colours: on a terminal that takes it, unless NO_COLOR is set."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def describe(failure: Exception) -> str:
    if isinstance(failure, OSError) and failure.filename is not None:
        return f"{failure.filename}: {failure.strerror}"
    return str(failure)


def write(stdout: str, stderr: str) -> None:
    """Writes in that order, whatever encoding the streams were opened with."""
    for stream, text in ((sys.stdout, stdout), (sys.stderr, stderr)):
        if text:
            try:
                stream.write(text)
            except UnicodeEncodeError:
                encoding = stream.encoding or "ascii"
                stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
            stream.flush()


class Bar:
    """A line of progress on a terminal's stderr while several files are read."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.on = total > 1 and sys.stderr.isatty()

    def show(self, done: int, name: str) -> None:
        if self.on:
            filled = 20 * done // self.total
            sys.stderr.write(f"\r\x1b[K[{'#' * filled}{'.' * (20 - filled)}] {done}/{self.total} {name[-40:]}")
            sys.stderr.flush()

    def clear(self) -> None:
        if self.on:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
