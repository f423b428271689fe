"""Places in a workspace: what a path stands for once links are resolved, and a way to it that no swapped link bends."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence
from pathlib import Path

__all__ = ["AbsentError", "OutsideError", "Workspace"]

_STEPWISE = os.open in os.supports_dir_fd and os.stat in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
"""Whether a folder can be opened from the one above it."""
_FOLDER = getattr(os, "O_PATH", 0) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_FOLDER |= getattr(os, "O_CLOEXEC", 0)
_FILE = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_FILE |= getattr(os, "O_BINARY", 0)


class AbsentError(Exception):
    """The host looked in an allowed place, and the thing is not there."""


class OutsideError(Exception):
    """The path leads to a place that the contract does not allow."""


class Workspace:
    """A workspace with the directories that a contract allows. Its own links are resolved."""

    def __init__(self, folder: str, roots: Sequence[str]) -> None:
        self.folder = os.path.realpath(folder, strict=True)
        real = [os.path.realpath(Path(self.folder) / root) for root in roots]
        # A root that leads out of the workspace allows nothing: whoever works there could have made the link.
        self.roots = [Path(root) for root in real if _below(Path(root), Path(self.folder))]

    def resolved(self, path: str) -> Path:
        """The real place of a path, which lies in an allowed directory."""
        given = Path(self.folder) / path
        try:
            place = os.path.realpath(given, strict=True)
        except (FileNotFoundError, NotADirectoryError):
            # Nothing is there. Where it would be decides whether that may be known.
            place = os.path.realpath(given)
            self._inside(Path(place))
            raise AbsentError from None
        self._inside(Path(place))
        return Path(place)

    def _inside(self, place: Path) -> None:
        if not any(_below(place, root) for root in self.roots):
            raise OutsideError

    def stat(self, place: Path) -> os.stat_result:
        """What stands at a real place."""
        if not _STEPWISE:
            return place.lstat()
        folder, name = self._above(place)
        try:
            return os.stat(name, dir_fd=folder, follow_symlinks=False) if name else os.fstat(folder)
        finally:
            os.close(folder)

    def open(self, place: Path, folder: bool = False) -> int:
        """A descriptor for a regular file, or a folder to list, at a real place. The caller closes it."""
        found = self.stat(place)
        wanted = stat.S_ISDIR if folder else stat.S_ISREG
        if not wanted(found.st_mode):
            raise OSError(errno.ESTALE, "it changed while it was looked at")
        flags = _FILE | (getattr(os, "O_DIRECTORY", 0) if folder else 0)
        if not _STEPWISE:
            descriptor = os.open(place, flags)
        else:
            above, name = self._above(place)
            try:
                descriptor = os.open(name or ".", flags, dir_fd=above)
            finally:
                os.close(above)
        there = os.fstat(descriptor)
        if (there.st_dev, there.st_ino) != (found.st_dev, found.st_ino):
            os.close(descriptor)
            raise OSError(errno.ESTALE, "it changed while it was looked at")
        return descriptor

    def _above(self, place: Path) -> tuple[int, str]:
        """The folder that holds a real place, and its name there.

        No step follows a link, so that one that was put there since is an error and not a way out.
        """
        *folders, name = place.relative_to(self.folder).parts or ("",)
        here = os.open(self.folder, _FOLDER)
        for folder in folders:
            try:
                below = os.open(folder, _FOLDER, dir_fd=here)
            finally:
                os.close(here)
            here = below
        return here, name


def _below(place: Path, root: Path) -> bool:
    """Whether a place is a directory or lies below it, name by name."""
    return place == root or root in place.parents
