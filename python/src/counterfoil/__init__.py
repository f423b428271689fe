"""Checks what an AI agent says it did against the record of what it did.

>>> import counterfoil
>>> turn = {"reply": "All 42 tests pass.", "calls": [
...     {"tool": "bash", "arguments": {"command": "pytest"}, "output": "3 failed, 39 passed", "exit": 1}]}
>>> counterfoil.verify(turn).status
'unsupported'

No model, no network, no clock: the same record gives the same answer. A model is asked only where you bring one.
"""

from counterfoil._core import __version__
from counterfoil.api import (
    Session,
    averify,
    cited,
    finish_many,
    load,
    plan_many,
    ran,
    readers,
    recode,
    reply_text,
    verify,
    verify_session,
)
from counterfoil.errors import Error
from counterfoil.events import AuditLog, audit, evaluation
from counterfoil.stream import Stream, iter_turns, verify_turns
from counterfoil.types import (
    Call,
    Citations,
    Claim,
    ModelAnswer,
    ModelBatch,
    ModelRequest,
    Piece,
    Report,
    Span,
    Totals,
    Turn,
    TurnReport,
    Verification,
)

__all__ = [
    "AuditLog",
    "Call",
    "Citations",
    "Claim",
    "Error",
    "ModelAnswer",
    "ModelBatch",
    "ModelRequest",
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
    "audit",
    "averify",
    "cited",
    "evaluation",
    "finish_many",
    "iter_turns",
    "load",
    "plan_many",
    "ran",
    "readers",
    "recode",
    "reply_text",
    "verify",
    "verify_session",
    "verify_turns",
]
