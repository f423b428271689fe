"""What every result can do; `types` holds their fields."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from counterfoil.types import Claim, Verdict

__all__ = ["ClaimMethods", "ReportMethods", "Result", "VerificationMethods"]


def plain(value: object) -> Any:
    """A result as dicts and lists."""
    if isinstance(value, Result):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}  # type: ignore[arg-type]
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return dict(value)
    return value


class Result:
    """A frozen result. It compares by its fields."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The result as plain dicts and lists, in the shape of docs/schema."""
        found: dict[str, Any] = plain(self)
        return found

    def to_json(self) -> str:
        """The result as JSON text, the same that the other packages write."""
        return json.dumps(self.to_dict(), ensure_ascii=False)


class Shown(Result):
    """A result that a notebook shows as a page. What it was made from is kept for that."""

    __slots__ = ("_draw",)
    _draw: Callable[[str], str]

    def drawn_by(self, draw: Callable[[str], str]) -> None:
        """Says how to draw it; `draw` is given the result as JSON."""
        object.__setattr__(self, "_draw", draw)

    def _repr_html_(self) -> str | None:
        # Not set on a result that was read back from JSON: the notebook then falls back to repr.
        draw = getattr(self, "_draw", None)
        return None if draw is None else draw(self.to_json())


class ClaimMethods(Result):
    """Methods of a claim."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def verdict(self) -> Verdict: ...

    @property
    def flagged(self) -> bool:
        """Unsupported or contradicted."""
        return self.verdict in ("unsupported", "contradicted")


class VerificationMethods(Shown):
    """Methods of a verification."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def claims(self) -> tuple[Claim, ...]: ...

    @property
    def flagged(self) -> tuple[Claim, ...]:
        """The claims that no call supports, in reading order."""
        return tuple(claim for claim in self.claims if claim.flagged)


class ReportMethods(Shown):
    """Methods of a report."""

    __slots__ = ()
