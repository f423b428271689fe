"""The refusal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["ContractError"]


class ContractError(ValueError):
    """Something was refused. `str(error)` is the code, the place and the sentence."""

    code: str
    """The code for programs, such as `verify.contract_tampered`; `codes()` lists all."""
    message: str
    """The sentence for people."""
    fix: str
    """What to do about it."""
    details: Mapping[str, Any]
    """More, by name: `path`, `recorded_digest`, `required` and so on."""
    retryable: bool
    """Whether the same call may succeed later."""

    def __init__(self, code: str, message: str, fix: str, details: Mapping[str, Any], retryable: bool) -> None:
        super().__init__(code, message, fix, details, retryable)
        self.code = code
        self.message = message
        self.fix = fix
        self.details = details
        self.retryable = retryable

    def __str__(self) -> str:
        path = self.details.get("path")
        return f"{self.code}: {path}: {self.message}" if path else f"{self.code}: {self.message}"
