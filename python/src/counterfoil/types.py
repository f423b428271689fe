"""The record and the results as Python types.

Generated from the core's structs by scripts/generate.py; change those, then run it with UPDATE=1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from counterfoil.methods import ClaimMethods, ReportMethods, Result, VerificationMethods

__all__ = [
    "Call",
    "Citations",
    "Claim",
    "Complete",
    "Detected",
    "Executor",
    "ModelAnswer",
    "ModelBatch",
    "ModelFailure",
    "ModelQuestion",
    "ModelRequest",
    "ModelTotals",
    "Outcome",
    "Piece",
    "Proof",
    "ProofState",
    "Reply",
    "Report",
    "Session",
    "Source",
    "Span",
    "Status",
    "Totals",
    "Turn",
    "TurnReport",
    "Unit",
    "Verdict",
    "Verification",
]

Complete = Literal["yes", "no"]
"""Whether the record of a turn is known to be incomplete."""

Executor = Literal["client", "provider", "subagent", "user"]
"""Who made a call."""

ModelFailure = Literal["timeout", "raised", "cancelled", "wrong_type", "refused", "unreadable", "overruled"]
"""Why the model step gave no verdict. The reply is then shown as the readers left it."""

Outcome = Literal["unsupported", "verified", "not_shown"]
"""What came of a whole reply."""

ProofState = Literal["READ_VERIFIED", "READ_STALE", "REPLAY_SUSPECT", "HALLUCINATED"]
"""What an answer shows, the best first."""

Source = Literal["field", "text"]
"""Where a call's status and exit were read from."""

Status = Literal["ok", "error", "denied", "declined", "timeout", "cancelled", "pending", "background", "unknown"]
"""How a call ended. Ok means that the tool reported no error, which is not the same as exit 0. Where a native call
names none it is filled in: by a non-zero exit as error and by exit 0 as ok; else by an `error`, or by an output
that starts with `error:`, as error; else as unknown.
"""

Unit = Literal["utf8", "utf16", "codepoints"]
"""How offsets are counted."""

Verdict = Literal["supported", "unsupported", "contradicted", "not_shown"]
"""What the record says of one claim."""


class _Call(TypedDict):
    tool: str
    """The tool's name as the model called it."""


class Call(_Call, total=False):
    """One tool call with what it returned."""

    arguments: object
    """An object as a rule; a string when the model wrote free text or broken JSON; else null."""
    output: str | None
    """The whole output, an excerpt of it when `truncated`, or null."""
    truncated: bool
    """The output is only an excerpt: a claim that it may hold is not flagged."""
    status: Status
    """How it ended."""
    exit: int | None
    """The process's exit status."""
    error: str | None
    """What the host says went wrong."""
    id: str | None
    """The pairing id."""
    at: str | None
    """When it was made, as the host wrote it."""
    parent: str | None
    """The id of the call whose sub-agent made this one."""
    executor: Executor | None
    """Who made it."""
    source: Source | None
    """Where status and exit came from."""


class _Piece(TypedDict):
    text: str
    """What the agent wrote."""


class Piece(_Piece, total=False):
    """A part of a reply. A reply's pieces are joined by a blank line before spans are counted."""

    interim: bool
    """It was written between calls, before the final answer."""


class _Detected(TypedDict):
    name: str
    """The format's name, as in `--format`."""


class Detected(_Detected, total=False):
    """Which format a session was read from, and how sure that is."""

    confidence: str
    """`named` (the host named it), `certain`, `likely` or `guess`."""
    evidence: str | None
    """The key or value that decided, such as `toolUseResult`."""
    candidates: list[str]
    """Every format that the text could be in, where its keys leave that open, as in a conversation without tools. Its
    turns are the same in all of them. Empty where one format alone is possible.
    """


Reply = str | list[Piece]
"""A reply: one text, or pieces in the order in which they were written."""


class _Turn(TypedDict):
    reply: Reply
    """What the agent wrote."""


class Turn(_Turn, total=False):
    """One turn of an agent: what it said and what it did before saying so."""

    calls: list[Call] | None
    """The turn's calls; null when there is no record, so that nothing is checked. An empty list says that it made no
    call.
    """
    earlier: list[Call] | None
    """Calls of all earlier turns, oldest first."""
    user: str | None
    """This turn's message from the person."""
    said: list[str] | None
    """The person's earlier messages."""
    context: list[str] | None
    """Other text the agent was given: system prompt, reminders, attachments, hook output."""
    entries: list[int] | None
    """Numbers of the stored entries; null when citations are not to be checked."""
    tools: list[str] | None
    """Names of the tools on offer."""
    model: str | None
    """The model that wrote the reply; of several the one that wrote its last text."""
    complete: Complete | None
    """`no` where the record is known to be incomplete; `yes` when absent."""
    reasons: list[str] | None
    """Why the record is known to be incomplete."""


class _Session(TypedDict):
    turns: list[Turn]
    """The turns, oldest first."""


class Session(_Session, total=False):
    """A session: turns in order. A turn's earlier calls are those of the turns before it."""

    id: str | None
    """The host's id of the session."""
    format: Detected | None
    """The format it was read from."""
    notes: list[str] | None
    """What was repaired, left out or not understood, in plain sentences that name the place."""


@dataclass(frozen=True, slots=True)
class Citations(Result):
    """Cited entry numbers."""

    numbers: tuple[int, ...]
    """The numbers cited, in that order, each once, at most 100."""
    missing: tuple[int, ...]
    """Those that the conversation does not hold, in the order cited."""
    capped: bool
    """More than 100 numbers were cited; the others were not looked at."""
    line: str | None
    """`cited but not in this conversation: …`, or null when nothing is missing."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Citations:
        """Reads it back from `to_dict` or from JSON."""
        return cls(
            numbers=tuple(data["numbers"]),
            missing=tuple(data["missing"]),
            capped=data["capped"],
            line=data["line"],
        )


@dataclass(frozen=True, slots=True)
class ModelAnswer(Result):
    """What a model answered when it was asked about one reply."""

    verdict: Outcome
    """`verified` or `unsupported`, as the model said. Where `failure` is `overruled` it counts for nothing."""
    claim: str | None
    """The words that it names, on one line, cut at 400 characters; null when it named none."""
    reason: str | None
    """The reason that it gave, on one line, cut at 400 characters; null when it gave none."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ModelAnswer:
        """Reads it back from `to_dict` or from JSON."""
        return cls(
            verdict=data["verdict"],
            claim=data["claim"],
            reason=data["reason"],
        )


@dataclass(frozen=True, slots=True)
class ModelQuestion(Result):
    """One thing that is asked in a request about several claims."""

    type: str
    """How it is answered: `boolean`."""
    description: str
    """What is asked. It names the claim by its id and holds none of its words."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ModelQuestion:
        """Reads it back from `to_dict` or from JSON."""
        return cls(
            type=data["type"],
            description=data["description"],
        )


@dataclass(frozen=True, slots=True)
class ModelRequest(Result):
    """One question to a model, for the host to carry."""

    system: str
    """The instruction. It is the same for every turn."""
    prompt: str
    """The question with the excerpts of the record."""
    schema: object
    """The JSON Schema of the answer, for models that take one."""
    temperature: int
    """The temperature to ask with: 0."""
    thinking: bool
    """Whether the model is to think before it answers: no."""
    tools: str
    """Which tools the model may call: `none`."""
    bytes: int
    """How many bytes of UTF-8 `system` and `prompt` have, at most 6,000."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ModelRequest:
        """Reads it back from `to_dict` or from JSON."""
        return cls(
            system=data["system"],
            prompt=data["prompt"],
            schema=data["schema"],
            temperature=data["temperature"],
            thinking=data["thinking"],
            tools=data["tools"],
            bytes=data["bytes"],
        )


@dataclass(frozen=True, slots=True)
class ModelTotals(Result):
    """Sums over the turns of one model."""

    turns: int
    """Turns read."""
    calls: int
    """Calls read."""
    claims: int
    """Claims read."""
    flagged: int
    """Claims flagged."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ModelTotals:
        """Reads it back from `to_dict` or from JSON."""
        return cls(
            turns=data["turns"],
            calls=data["calls"],
            claims=data["claims"],
            flagged=data["flagged"],
        )


@dataclass(frozen=True, slots=True)
class Proof(Result):
    """What came of a proof of read, as the host gave it."""

    session: str
    """The session's id."""
    url: str
    """Where the probe document was served."""
    state: ProofState
    """What the answer showed."""
    required: bool
    """Whether the agent had to read it."""
    meaning: str
    """What the state shows and what not."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Proof:
        """Reads it back from `to_dict` or from JSON."""
        return cls(
            session=data["session"],
            url=data["url"],
            state=data["state"],
            required=data["required"],
            meaning=data["meaning"],
        )


@dataclass(frozen=True, slots=True)
class Span(Result):
    """A half-open range of a text. Bytes inside the crate; on the wire in the result's `unit`."""

    start: int
    """Where it starts."""
    end: int
    """Where it ends; the place itself is not part of it."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Span:
        """Reads it back from `to_dict` or from JSON."""
        return cls(
            start=data["start"],
            end=data["end"],
        )


@dataclass(frozen=True, slots=True)
class Totals(Result):
    """Sums over a session."""

    turns: int
    """Turns read."""
    calls: int
    """Calls read, as the turns' own records hold them."""
    claims: int
    """Claims read, those that no list has room for included."""
    flagged: int
    """Claims flagged, those that no list has room for included."""
    by_reader: Mapping[str, int]
    """Flagged claims per reader; readers that flagged nothing are left out."""
    by_model: Mapping[str, ModelTotals]
    """The same sums per model; turns whose model is not known are left out."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Totals:
        """Reads it back from `to_dict` or from JSON."""
        return cls(
            turns=data["turns"],
            calls=data["calls"],
            claims=data["claims"],
            flagged=data["flagged"],
            by_reader=data["by_reader"],
            by_model={key: ModelTotals.from_dict(item) for key, item in data["by_model"].items()},
        )


@dataclass(frozen=True, slots=True)
class Claim(ClaimMethods):
    """One thing that the reply claims."""

    reader: str
    """The reader that judged it; `model` where a model did, which is less sure."""
    text: str
    """The reply's own characters, cut with `…` at the limit `quote` (120)."""
    verdict: Verdict
    """What the record says of it."""
    reason: str | None
    """Why, in one sentence; null where it is not flagged."""
    span: Span
    """Where it stands in the reply; never cut."""
    line: int
    """The line of the reply, from 1."""
    call: int | None
    """The nearest call, as an index into the turn's calls."""
    earlier: int | None
    """The nearest earlier call, as an index into `earlier`."""
    evidence: Span | None
    """The place in that call's output that carries it, or that shows something else."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Claim:
        """Reads it back from `to_dict` or from JSON."""
        return cls(
            reader=data["reader"],
            text=data["text"],
            verdict=data["verdict"],
            reason=data["reason"],
            span=Span.from_dict(data["span"]),
            line=data["line"],
            call=data["call"],
            earlier=data["earlier"],
            evidence=None if data["evidence"] is None else Span.from_dict(data["evidence"]),
        )


@dataclass(frozen=True, slots=True)
class ModelBatch(Result):
    """A request about several claims, with its questions by their ids."""

    request: ModelRequest
    """What is sent, of at most 6,000 bytes."""
    questions: Mapping[str, ModelQuestion]
    """A boolean for each claim: `true` says that a call can have produced it."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ModelBatch:
        """Reads it back from `to_dict` or from JSON."""
        return cls(
            request=ModelRequest.from_dict(data["request"]),
            questions={key: ModelQuestion.from_dict(item) for key, item in data["questions"].items()},
        )


@dataclass(frozen=True, slots=True)
class Verification(VerificationMethods):
    """What was found in one reply."""

    version: str
    """The version of counterfoil that made it."""
    unit: Unit
    """How every span in it is counted."""
    status: Outcome
    """What came of the whole reply."""
    method: str
    """How it was checked: `readers`, or `model` where a model was asked after them."""
    calls: int
    """How many calls the turn's record holds, those of sub-agents and of the person included."""
    complete: str
    """`yes`, or `no` where the record is known to be incomplete."""
    wants: tuple[int, ...]
    """Indices of this turn's calls whose whole output would decide a claim."""
    failure: ModelFailure | None
    """Why the model step gave no verdict; null when it gave one or was not made. The readers never fail."""
    answer: ModelAnswer | None
    """What the model answered; null when none was asked or its answer could not be read."""
    claims: tuple[Claim, ...]
    """Everything that was read, in reading order, cited entries last; of the flagged at most `limits.flagged`."""
    canaries: tuple[Proof, ...]
    """What came of the proofs of read that the host gave for this turn; empty where it gave none."""
    line: str | None
    """`unsupported: "CLAIM" (REASON)` with the first flagged claim, and ` +N more` with the number of the others; null
    unless the status is `unsupported`. A model may doubt a reply without words that stand in it: the line says so
    then, and `claims` holds nothing of it.
    """
    joined: str | None
    """What stands between the pieces of the reply in the text that spans point into; null for a reply in one piece."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Verification:
        """Reads it back from `to_dict` or from JSON."""
        return cls(
            version=data["version"],
            unit=data["unit"],
            status=data["status"],
            method=data["method"],
            calls=data["calls"],
            complete=data["complete"],
            wants=tuple(data["wants"]),
            failure=data["failure"],
            answer=None if data["answer"] is None else ModelAnswer.from_dict(data["answer"]),
            claims=tuple(Claim.from_dict(item) for item in data["claims"]),
            canaries=tuple(Proof.from_dict(item) for item in data["canaries"]),
            line=data["line"],
            joined=data["joined"],
        )


@dataclass(frozen=True, slots=True)
class TurnReport(Result):
    """What was found in one turn of a session."""

    turn: int
    """The turn's number, from 1."""
    ran: str | None
    """The `ran:` line, if there is one."""
    cited: Citations | None
    """The cited entries; null where the turn has no entries to compare with."""
    verification: Verification | None
    """What the readers found; null when nothing was read."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> TurnReport:
        """Reads it back from `to_dict` or from JSON."""
        return cls(
            turn=data["turn"],
            ran=data["ran"],
            cited=None if data["cited"] is None else Citations.from_dict(data["cited"]),
            verification=None if data["verification"] is None else Verification.from_dict(data["verification"]),
        )


@dataclass(frozen=True, slots=True)
class Report(ReportMethods):
    """What was found in a session."""

    version: str
    """The version of counterfoil that made it."""
    unit: Unit
    """How every span in it is counted."""
    turns: tuple[TurnReport, ...]
    """One report a turn, in order."""
    totals: Totals
    """Sums over all turns."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Report:
        """Reads it back from `to_dict` or from JSON."""
        return cls(
            version=data["version"],
            unit=data["unit"],
            turns=tuple(TurnReport.from_dict(item) for item in data["turns"]),
            totals=Totals.from_dict(data["totals"]),
        )
