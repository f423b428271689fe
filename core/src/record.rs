//! What happened: calls, turns and sessions as plain data.
//!
//! The field names are those of the native JSON. Absent is `None` and is written as `null`.
//! [`crate::transcript`] reads these types from text; nothing in this file parses.

use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;
use serde_json::Value;

/// How a call ended. Ok means that the tool reported no error, which is not the same as exit 0.
///
/// Where a native call names none it is filled in: by a non-zero exit as error and by exit 0 as ok; else by an `error`, or by
/// an output that starts with `error:`, as error; else as unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The tool reported no error.
    Ok,
    /// It threw, could not start, or said so.
    Error,
    /// A policy, hook or sandbox turned it away; it never ran.
    Denied,
    /// A person refused or did not answer; it never ran.
    Declined,
    /// It was stopped for taking too long.
    Timeout,
    /// It was aborted and may have partly run.
    Cancelled,
    /// The record holds no result.
    Pending,
    /// It was started; its result is not known.
    Background,
    /// Nothing is known; never evidence of failure.
    #[default]
    Unknown,
}

impl Status {
    /// Every status with its name on the wire.
    pub const ALL: [(&'static str, Status); 9] = [
        ("ok", Status::Ok),
        ("error", Status::Error),
        ("denied", Status::Denied),
        ("declined", Status::Declined),
        ("timeout", Status::Timeout),
        ("cancelled", Status::Cancelled),
        ("pending", Status::Pending),
        ("background", Status::Background),
        ("unknown", Status::Unknown),
    ];
}

/// Who made a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Executor {
    /// The agent's own host.
    Client,
    /// The model's provider (server tools).
    Provider,
    /// A sub-agent; `parent` names the call that started it.
    Subagent,
    /// The person, as with a command typed after `!`.
    User,
}

/// Where a call's status and exit were read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A field of the host's format.
    Field,
    /// The host's own fixed wording in the output.
    Text,
}

/// One tool call with what it returned.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Call {
    /// The tool's name as the model called it.
    pub tool: String,
    /// An object as a rule; a string when the model wrote free text or broken JSON; else null.
    pub arguments: Value,
    /// The whole output, an excerpt of it when `truncated`, or null.
    pub output: Option<String>,
    /// The output is only an excerpt: a claim that it may hold is not flagged.
    pub truncated: bool,
    /// How it ended.
    pub status: Status,
    /// The process's exit status.
    pub exit: Option<i64>,
    /// What the host says went wrong.
    pub error: Option<String>,
    /// The pairing id.
    pub id: Option<String>,
    /// When it was made, as the host wrote it.
    pub at: Option<String>,
    /// The id of the call whose sub-agent made this one.
    pub parent: Option<String>,
    /// Who made it.
    pub executor: Option<Executor>,
    /// Where status and exit came from.
    pub source: Option<Source>,
}

/// A part of a reply. A reply's pieces are joined by a blank line before spans are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Piece {
    /// What the agent wrote.
    pub text: String,
    /// It was written between calls, before the final answer.
    pub interim: bool,
}

/// Whether the record holds all that the turn did: `complete` and `reasons` on the wire.
///
/// Where it does not, nothing is flagged: a claim that the record does not show is [`crate::Verdict::NotShown`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gaps {
    /// Why the record is known to be incomplete; empty when it is not.
    pub reasons: Vec<String>,
}

impl Gaps {
    /// Nothing is known to be missing.
    pub fn none(&self) -> bool {
        self.reasons.is_empty()
    }
}

/// One turn of an agent: what it said and what it did before saying so.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// What the agent wrote, in order.
    pub reply: Vec<Piece>,
    /// The turn's calls; `None` when there is no record, so that nothing is checked.
    pub calls: Option<Vec<Call>>,
    /// Calls of all earlier turns, oldest first. Inside a [`Session`] only its first turn may hold any.
    pub earlier: Vec<Call>,
    /// This turn's message from the person.
    pub user: Option<String>,
    /// The person's earlier messages. Inside a [`Session`] the messages of the turns before count too.
    pub said: Option<Vec<String>>,
    /// Other text the agent was given: system prompt, reminders, attachments, hook output.
    pub context: Vec<String>,
    /// Numbers of the stored entries; `None` when citations are not to be checked.
    pub entries: Option<Vec<u64>>,
    /// Names of the tools on offer.
    pub tools: Option<Vec<String>>,
    /// The model that wrote the reply; of several the one that wrote its last text.
    pub model: Option<String>,
    /// Why the record of this turn is incomplete, if it is.
    pub gaps: Gaps,
}

/// What is between two pieces of a reply when they are joined.
pub const JOINT: &str = "\n\n";

impl Turn {
    /// The reply as one text: its pieces joined by a blank line. Spans point into this.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.reply.iter().map(|p| p.text.len() + 2).sum());
        for (i, piece) in self.reply.iter().enumerate() {
            if i > 0 {
                text.push_str(JOINT);
            }
            text.push_str(&piece.text);
        }
        text
    }

    /// Whether the text at this place was written between calls, so that calls after it are not what it tells of.
    pub(crate) fn interim(&self, at: usize) -> bool {
        let mut start = 0;
        for piece in &self.reply {
            if at < start + piece.text.len() {
                return piece.interim;
            }
            start += piece.text.len() + JOINT.len();
        }
        false
    }
}

/// Which format a session was read from, and how sure that is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Detected {
    /// The format's name, as in `--format`.
    pub name: String,
    /// `named` (the host named it), `certain`, `likely` or `guess`.
    pub confidence: String,
    /// The key or value that decided, such as `toolUseResult`.
    pub evidence: Option<String>,
    /// Every format that the text could be in, where its keys leave that open, as in a conversation without tools. Its turns
    /// are the same in all of them. Empty where one format alone is possible.
    pub candidates: Vec<String>,
}

/// A session: turns in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    /// The turns, oldest first. What a turn made, was told and was given holds for the turns after it: their earlier
    /// calls, the person's earlier messages, the context and the tools on offer are not stored again.
    pub turns: Vec<Turn>,
    /// The host's id of the session.
    pub id: Option<String>,
    /// The format it was read from.
    pub format: Option<Detected>,
    /// What was repaired, left out or not understood, in plain sentences that name the place.
    pub notes: Vec<String>,
}
