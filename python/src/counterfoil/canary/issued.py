"""What is issued. It shows its secrets only where it is asked for them by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

__all__ = ["Issued"]


class Held:
    """The sentinel and the documents that hold it."""

    __slots__ = ("document", "sentinel", "text", "tool")

    def __init__(self, sentinel: str, document: str, text: str, tool: str) -> None:
        self.sentinel = sentinel
        self.document = document
        self.text = text
        self.tool = tool

    def __repr__(self) -> str:
        return "[redacted]"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Held) and self.sentinel == other.sentinel

    def __hash__(self) -> int:
        return hash(self.sentinel)

    def __deepcopy__(self, memo: object) -> Held:
        return self

    def __copy__(self) -> Held:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a sentinel is not pickled; ask for it, or for a document, by name")


@dataclass(frozen=True, repr=False)
class Issued:
    """A sentinel with its document in three forms. It is for the document alone, never for a log.

    `repr`, `str`, `vars` and `dataclasses.asdict` show `[redacted]` for what holds the sentinel, and it is not pickled.
    """

    session: str
    bucket: int
    expires: int
    """When it stops being fresh, in Unix seconds."""
    event: Mapping[str, Any]
    """For an audit; it holds no sentinel."""
    _held: Held

    @property
    def sentinel(self) -> str:
        """The value that is to be reported."""
        return self._held.sentinel

    @property
    def document(self) -> str:
        """The page."""
        return self._held.document

    @property
    def text(self) -> str:
        """The same as plain text."""
        return self._held.text

    @property
    def tool(self) -> str:
        """The same as the result of a tool of the Model Context Protocol, as JSON text."""
        return self._held.tool

    def __repr__(self) -> str:
        return (
            f"Issued(session={self.session!r}, bucket={self.bucket}, expires={self.expires}, sentinel=[redacted], "
            "document=[redacted], text=[redacted], tool=[redacted])"
        )


def from_core(made: Mapping[str, Any]) -> Issued:
    """From what the core gives."""
    held = Held(made["sentinel"], made["document"], made["text"], made["tool"])
    return Issued(made["session"], made["bucket"], made["expires"], made["event"], held)
