//! The result of a check as plain data.

use crate::probe::ProofState;
use crate::text::span::{Span, Unit};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;

/// What the record says of one claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A call produced it, or may have.
    Supported,
    /// No call in the record produced it.
    Unsupported,
    /// The record shows something else for the same thing.
    Contradicted,
    /// The record is incomplete, or cut where it would stand.
    NotShown,
}

impl Verdict {
    /// Unsupported or contradicted.
    pub fn flagged(self) -> bool {
        matches!(self, Verdict::Unsupported | Verdict::Contradicted)
    }
}

/// What came of a whole reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Something was flagged, or a model that was asked doubted the reply.
    Unsupported,
    /// Nothing was flagged, and something was supported or a model that was asked doubted nothing.
    Verified,
    /// Nothing was flagged and nothing was supported: the record cannot decide what was read, or a model that was asked gave
    /// no verdict.
    NotShown,
}

/// One thing that the reply claims.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Claim {
    /// The reader that judged it; `model` where a model did, which is less sure.
    pub reader: String,
    /// The reply's own characters, cut with `…` at the limit `quote` (120).
    pub text: String,
    /// What the record says of it.
    pub verdict: Verdict,
    /// Why, in one sentence; null where it is not flagged.
    pub reason: Option<String>,
    /// Where it stands in the reply; never cut.
    pub span: Span,
    /// The line of the reply, from 1.
    pub line: usize,
    /// The nearest call, as an index into the turn's calls.
    pub call: Option<usize>,
    /// The nearest earlier call, as an index into `earlier`.
    pub earlier: Option<usize>,
    /// The place in that call's output that carries it, or that shows something else.
    pub evidence: Option<Span>,
}

/// What came of a proof of read, as the host gave it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Proof {
    /// The session's id.
    pub session: String,
    /// Where the probe document was served.
    pub url: String,
    /// What the answer showed.
    pub state: ProofState,
    /// Whether the agent had to read it.
    pub required: bool,
    /// What the state shows and what not.
    pub meaning: String,
}

/// Why the model step gave no verdict. The reply is then shown as the readers left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ModelFailure"))]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// No answer came in the time that the host allows.
    Timeout,
    /// The host's callback raised an error.
    Raised,
    /// The call was cancelled.
    Cancelled,
    /// The callback gave neither a text nor an object.
    WrongType,
    /// The model declined to answer.
    Refused,
    /// The answer holds no verdict in the form that was asked for.
    Unreadable,
    /// The answer doubts words that claim nothing, that do not stand in the reply, that a reader has judged by the record, or
    /// that stand in a part of the record which was not sent.
    Overruled,
}

impl Failure {
    /// Every kind with its name on the wire.
    pub const ALL: [(&'static str, Failure); 7] = [
        ("timeout", Failure::Timeout),
        ("raised", Failure::Raised),
        ("cancelled", Failure::Cancelled),
        ("wrong_type", Failure::WrongType),
        ("refused", Failure::Refused),
        ("unreadable", Failure::Unreadable),
        ("overruled", Failure::Overruled),
    ];

    /// The kind's name on the wire.
    pub fn name(self) -> &'static str {
        Failure::ALL.iter().find(|(_, failure)| *failure == self).map_or("", |(name, _)| name)
    }

    /// What happened, for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Failure::Timeout => "the model gave no answer in time",
            Failure::Raised => "the call to the model failed",
            Failure::Cancelled => "the call to the model was cancelled",
            Failure::WrongType => "what came from the model was neither a text nor an object",
            Failure::Refused => "the model declined to answer",
            Failure::Unreadable => "the model's answer held no verdict that can be read",
            Failure::Overruled => "the model doubted words that claim nothing, that the record had settled, or that do not stand in the reply",
        }
    }
}

/// What a model answered when it was asked about one reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ModelAnswer"))]
pub struct Answer {
    /// `verified` or `unsupported`, as the model said. Where `failure` is `overruled` it counts for nothing.
    pub verdict: Outcome,
    /// The words that it names, on one line, cut at 400 characters; null when it named none.
    pub claim: Option<String>,
    /// The reason that it gave, on one line, cut at 400 characters; null when it gave none.
    pub reason: Option<String>,
}

/// What was found in one reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Verification {
    /// The version of counterfoil that made it.
    pub version: String,
    /// How every span in it is counted.
    pub unit: Unit,
    /// What came of the whole reply.
    pub status: Outcome,
    /// How it was checked: `readers`, or `model` where a model was asked after them.
    pub method: String,
    /// How many calls the turn's record holds, those of sub-agents and of the person included.
    pub calls: usize,
    /// `yes`, or `no` where the record is known to be incomplete.
    pub complete: String,
    /// Indices of this turn's calls whose whole output would decide a claim.
    pub wants: Vec<usize>,
    /// Why the model step gave no verdict; null when it gave one or was not made. The readers never fail.
    pub failure: Option<Failure>,
    /// What the model answered; null when none was asked or its answer could not be read.
    pub answer: Option<Answer>,
    /// Everything that was read, in reading order, cited entries last; of the flagged at most `limits.flagged`.
    pub claims: Vec<Claim>,
    /// What came of the proofs of read that the host gave for this turn; empty where it gave none.
    pub canaries: Vec<Proof>,
    /// `unsupported: "CLAIM" (REASON)` with the first flagged claim, and ` +N more` with the number of the others; null
    /// unless the status is `unsupported`. A model may doubt a reply without words that stand in it: the line says so then,
    /// and `claims` holds nothing of it.
    pub line: Option<String>,
    /// What stands between the pieces of the reply in the text that spans point into; null for a reply in one piece.
    pub joined: Option<String>,
}

/// Cited entry numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Citations {
    /// The numbers cited, in that order, each once, at most 100.
    pub numbers: Vec<u64>,
    /// Those that the conversation does not hold, in the order cited.
    pub missing: Vec<u64>,
    /// More than 100 numbers were cited; the others were not looked at.
    pub capped: bool,
    /// `cited but not in this conversation: …`, or null when nothing is missing.
    pub line: Option<String>,
}

/// What was found in one turn of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnReport {
    /// The turn's number, from 1.
    pub turn: usize,
    /// The `ran:` line, if there is one.
    pub ran: Option<String>,
    /// The cited entries; null where the turn has no entries to compare with.
    pub cited: Option<Citations>,
    /// What the readers found; null when nothing was read.
    pub verification: Option<Verification>,
}

/// Sums over a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Totals {
    /// Turns read.
    pub turns: usize,
    /// Calls read, as the turns' own records hold them.
    pub calls: usize,
    /// Claims read, those that no list has room for included.
    pub claims: usize,
    /// Claims flagged, those that no list has room for included.
    pub flagged: usize,
    /// Flagged claims per reader; readers that flagged nothing are left out.
    pub by_reader: BTreeMap<String, usize>,
    /// The same sums per model; turns whose model is not known are left out.
    pub by_model: BTreeMap<String, ModelTotals>,
}

/// Sums over the turns of one model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelTotals {
    /// Turns read.
    pub turns: usize,
    /// Calls read.
    pub calls: usize,
    /// Claims read.
    pub claims: usize,
    /// Claims flagged.
    pub flagged: usize,
}

/// What was found in a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// The version of counterfoil that made it.
    pub version: String,
    /// How every span in it is counted.
    pub unit: Unit,
    /// One report a turn, in order.
    pub turns: Vec<TurnReport>,
    /// Sums over all turns.
    pub totals: Totals,
}
