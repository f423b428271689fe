"""Files that may be pipes, devices, or still be written to."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

__all__ = ["PIECE", "opened", "parts"]

PIECE = 1 << 20
"""The bytes that are read at a time."""


def opened(path: Path) -> BinaryIO:
    """Opens a file. A pipe to which nobody writes would else be waited for without end."""
    if not hasattr(os, "O_NONBLOCK"):
        return path.open("rb")
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if stat.S_ISDIR(os.fstat(file).st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        os.set_blocking(file, True)
        return os.fdopen(file, "rb")
    except BaseException:
        os.close(file)
        raise


def parts(file: BinaryIO, heard: Callable[[int, int], object] = lambda done, size: None) -> Iterator[bytes]:
    """What a file gives, a piece at a time. `heard` is told the bytes so far, and the size where it is known.

    What is written to a file from now on is not read, so that one that grows has an end.
    """
    found = os.fstat(file.fileno())
    size = found.st_size if stat.S_ISREG(found.st_mode) else 0
    done = 0
    while piece := file.read(min(PIECE, size - done) if size else PIECE):
        yield piece
        done += len(piece)
        heard(done, size)
    if not done and stat.S_ISFIFO(found.st_mode):
        raise OSError("a pipe to which nothing is written")
