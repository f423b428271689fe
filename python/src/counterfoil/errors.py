"""The one error."""

from __future__ import annotations

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
    code: str
    """One word for programs that hand it on: `bad_session`, `bad_now`, and so on in proof of read, else the kind."""

    def __init__(self, kind: str, path: str, message: str, code: str | None = None) -> None:
        super().__init__(kind, path, message)
        self.kind = kind
        self.path = path
        self.message = message
        self.code = code or kind

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message
