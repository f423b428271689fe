"""Checks what an AI agent says it did against the record of what it did.

>>> import counterfoil
>>> turn = {"reply": "All 42 tests pass.", "calls": [
...     {"tool": "bash", "arguments": {"command": "pytest"}, "output": "3 failed, 39 passed", "exit": 1}]}
>>> counterfoil.verify(turn).status
'unsupported'

No model, no network, no clock: the same record gives the same answer.
"""

from counterfoil._core import __version__
from counterfoil.api import Session, cited, load, ran, readers, recode, reply_text, verify, verify_session
from counterfoil.errors import Error
from counterfoil.stream import Stream, iter_turns, verify_turns
from counterfoil.types import Call, Citations, Claim, Piece, Report, Span, Totals, Turn, TurnReport, Verification

__all__ = [
    "Call",
    "Citations",
    "Claim",
    "Error",
    "Piece",
    "Report",
    "Session",
    "Span",
    "Stream",
    "Totals",
    "Turn",
    "TurnReport",
    "Verification",
    "__version__",
    "cited",
    "iter_turns",
    "load",
    "ran",
    "readers",
    "recode",
    "reply_text",
    "verify",
    "verify_session",
    "verify_turns",
]
