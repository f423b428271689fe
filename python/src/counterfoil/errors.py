"""The one error."""

from __future__ import annotations

import re

__all__ = ["Error"]


class Error(ValueError):
    """An input could not be read. A well-formed turn never raises.

    `str(error)` is the place and the sentence, such as
    `calls[3].status: expected one of ok, error, …; found "done"`.
    """

    kind: str
    """`json`, `shape`, `format` or `option`, for programs that branch on it."""
    path: str
    """Where it is: a JSON path such as `calls[3].status`, a line, or empty for the whole input."""
    message: str
    """The sentence without the place."""

    def __init__(self, kind: str, path: str, message: str) -> None:
        super().__init__(kind, path, message)
        self.kind = kind
        self.path = path
        self.message = message

    @property
    def code(self) -> str:
        """`bad_` and the first name of the path, or the kind where it is empty: `bad_now`, `bad_hosts`, `bad_json`."""
        name = re.match(r"\w+", self.path)
        return f"bad_{name[0] if name else self.kind}"

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message
