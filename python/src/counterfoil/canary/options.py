"""What a constructor of proof of read is given, made into what the core reads, or refused with its name."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from counterfoil.api import sound
from counterfoil.errors import Error

__all__ = ["described", "function", "known", "listed", "written"]


def known(unknown: Mapping[str, object], names: Iterable[str]) -> None:
    """Refuses a name that is no option."""
    for name in unknown:
        raise Error("option", name, f"expected one of {', '.join(names)}")


def written(options: Mapping[str, object]) -> str:
    """Options as JSON text."""
    for name, value in options.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise Error("option", name, f"expected a finite number; found {value}")
        try:
            json.dumps(value)
        except (TypeError, ValueError, RecursionError):
            raise Error("option", name, f"expected data; found {described(value)}") from None
    return sound(json.dumps(options, ensure_ascii=False))


def listed(value: object) -> object:
    """A list of what a set or another iterable holds; a text and a mapping are none."""
    plain = isinstance(value, Iterable) and not isinstance(value, str | bytes | bytearray | Mapping)
    return list(value) if plain else value  # type: ignore[call-overload]


def function(name: str, value: Any) -> Callable[..., Any]:
    """A function, or an error."""
    if callable(value):
        return value  # type: ignore[no-any-return]
    raise Error("option", name, f"expected a function; found {described(value)}")


def described(value: object) -> str:
    """What a value is, in the words of an error, which are those of JSON."""
    if value is None or isinstance(value, bool | int | float):
        return json.dumps(value)
    if isinstance(value, str):
        return json.dumps(value if len(value) <= 40 else value[:40] + "…", ensure_ascii=False)
    if isinstance(value, list | tuple):
        return "a list"
    if callable(value):
        return "a function"
    return "an object" if isinstance(value, dict) else f"an object of type {type(value).__name__}"
