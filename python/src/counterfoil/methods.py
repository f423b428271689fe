"""What every result can do; `types` holds their fields."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, overload

from counterfoil import _core

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
        return {key: plain(item) for key, item in value.items()}
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


class VerificationMethods(Result):
    """Methods of a verification. It keeps the turn and the options that it was made of."""

    __slots__ = ("_made",)
    _made: tuple[str, str]

    if TYPE_CHECKING:

        @property
        def claims(self) -> tuple[Claim, ...]: ...

    @property
    def flagged(self) -> tuple[Claim, ...]:
        """The claims that the record does not carry, in reading order."""
        return tuple(claim for claim in self.claims if claim.flagged)

    def _repr_html_(self) -> str | None:
        made = made_of(self)
        return None if made is None else _core.html_turn(*made)


class ReportMethods(Result):
    """Methods of a report. It keeps the session and the options that it was made of."""

    __slots__ = ("_made",)
    _made: tuple[_core.Session, str]

    def _repr_html_(self) -> str | None:
        made = made_of(self)
        return None if made is None else _core.html_report(*made)


@overload
def made_of(result: VerificationMethods) -> tuple[str, str] | None: ...
@overload
def made_of(result: ReportMethods) -> tuple[_core.Session, str] | None: ...


def made_of(result: VerificationMethods | ReportMethods) -> object:
    """What a result was made of; None for one that was read back from JSON. A notebook then shows its repr."""
    return getattr(result, "_made", None)


def keep(result: VerificationMethods | ReportMethods, *made: object) -> None:
    """Keeps what a result was made of. It is no field: it is not compared, written or pickled."""
    object.__setattr__(result, "_made", made)
