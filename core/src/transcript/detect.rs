//! Which format a text is in: decided by its keys, never by a file's name.
//!
//! Wrappers (recorded HTTP exchanges, `{traj}`, `{trajectory}`, lists of conversations) are no
//! formats: they are opened first, and what is inside is looked at.

use super::ai_sdk::{model, ui};
use super::notes::Notes;
use super::{
    acp, agents, anthropic, atif, chat, claude_code, cline, codex, copilot, cursor, gemini, gemini_cli, goose,
    group_chat, inspect, langchain, native, opencode, openhands, pi, pydantic_ai, responses, spans, swe_agent,
    value::{described, has, list},
};
use crate::error::{Error, ErrorKind};
use crate::record::{Detected, Session};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

/// A format that can be named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatInfo {
    /// The name, as in `--format`.
    pub name: &'static str,
    /// What it is, in half a sentence.
    pub about: &'static str,
}

/// Every format, for help texts and for the error of an unknown name.
pub const FORMATS: &[FormatInfo] = &infos();

/// Every format in the order in which it is tried: the specific before the general.
const ALL: &[Format] = &[
    NATIVE,
    claude_code::FORMAT,
    atif::FORMAT,
    inspect::FORMAT,
    codex::FORMAT,
    gemini_cli::FORMAT,
    goose::FORMAT,
    opencode::FORMAT,
    openhands::FORMAT,
    swe_agent::FORMAT,
    pi::FORMAT,
    copilot::FORMAT,
    cursor::FORMAT,
    acp::FORMAT,
    spans::GENAI,
    spans::OPENINFERENCE,
    pydantic_ai::FORMAT,
    langchain::FORMAT,
    ui::FORMAT,
    model::FORMAT,
    gemini::FORMAT,
    cline::FORMAT,
    group_chat::FORMAT,
    anthropic::FORMAT,
    agents::FORMAT,
    responses::FORMAT,
    chat::FORMAT,
];

const fn infos() -> [FormatInfo; ALL.len()] {
    let mut infos = [NATIVE.info; ALL.len()];
    let mut i = 0;
    while i < ALL.len() {
        infos[i] = ALL[i].info;
        i += 1;
    }
    infos
}

const NATIVE: Format = Format {
    info: FormatInfo { name: "native", about: "counterfoil's own JSON: a turn, a list of turns, a session" },
    sniff: sniff_native,
    read: native::session,
};

/// One host's format.
#[derive(Clone, Copy)]
pub(super) struct Format {
    pub(super) info: FormatInfo,
    /// Whether a text is in this format.
    pub(super) sniff: fn(&Value) -> Option<Hint>,
    /// Reads one conversation.
    pub(super) read: fn(Value, &mut Notes) -> Session,
}

/// Why a text seems to be in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hint {
    confidence: &'static str,
    evidence: &'static str,
    candidates: &'static [&'static str],
}

impl Hint {
    const fn new(confidence: &'static str, evidence: &'static str) -> Self {
        Hint { confidence, evidence, candidates: &[] }
    }

    pub(super) fn certain(evidence: &'static str) -> Self {
        Hint::new("certain", evidence)
    }

    pub(super) fn likely(evidence: &'static str) -> Self {
        Hint::new("likely", evidence)
    }

    pub(super) fn guess(evidence: &'static str) -> Self {
        Hint::new("guess", evidence)
    }

    /// Which other formats the same text could be in. Its turns are the same in all of them.
    pub(super) fn or(self, candidates: &'static [&'static str]) -> Self {
        Hint { candidates, ..self }
    }

    /// As the session shows it.
    pub(super) fn detected(self, name: &str) -> Detected {
        Detected {
            name: name.to_string(),
            confidence: self.confidence.to_string(),
            evidence: Some(self.evidence.to_string()),
            candidates: self.candidates.iter().map(ToString::to_string).collect(),
        }
    }
}

/// The format with this name.
pub(super) fn named(name: &str) -> Result<Format, Error> {
    ALL.iter().copied().find(|format| format.info.name == name).ok_or_else(|| {
        let names: Vec<&str> = FORMATS.iter().map(|f| f.name).collect();
        let message = format!("expected one of {}; found \"{name}\"", names.join(", "));
        Error::new(ErrorKind::Option, "format", message)
    })
}

/// The format of a value and why.
pub(super) fn detect(value: &Value) -> Result<(Format, Hint), Error> {
    let found = ALL.iter().find_map(|format| (format.sniff)(value).map(|hint| (*format, hint)));
    found.ok_or_else(|| unknown(&described(value)))
}

/// The error of a text in no known format; `seen` says what it is instead.
pub(super) fn unknown(seen: &str) -> Error {
    let message: String = format!("not a transcript I know: {seen}; name its format if you know it");
    Error::new(ErrorKind::Format, "", message)
}

fn sniff_native(value: &Value) -> Option<Hint> {
    match value {
        // A conversation that has not begun.
        Value::Array(items) if items.is_empty() => Some(Hint::guess("an empty list")),
        Value::Array(items) => items.iter().find(|item| item.is_object()).and_then(sniff_turn),
        Value::Object(map) if map.get("turns").is_some_and(is_turns) => Some(Hint::certain("turns")),
        other => sniff_turn(other),
    }
}

/// Whether a list holds turns: those of another host have items, and those of a game neither a reply nor calls.
fn is_turns(value: &Value) -> bool {
    let Some(turns) = value.as_array() else { return false };
    let of_other = turns.iter().any(|turn| turn.get("items").is_some_and(Value::is_array));
    !of_other && (turns.is_empty() || turns.iter().any(|turn| has(turn, "reply") || has(turn, "calls")))
}

/// A native turn has a reply beside another of its fields, or calls that name their tools. A reply alone is any text's.
fn sniff_turn(value: &Value) -> Option<Hint> {
    const BESIDE: [&str; 8] = ["calls", "user", "said", "context", "tools", "earlier", "complete", "entries"];
    let map = value.as_object()?;
    if map.contains_key("role") || map.contains_key("messages") {
        return None;
    }
    let reply = map.get("reply").is_some_and(|r| r.is_string() || r.is_array());
    let calls = list(value, "calls").iter().any(|call| has(call, "tool"));
    match (reply, map.get("calls").is_some_and(Value::is_array)) {
        (true, true) => Some(Hint::certain("reply, calls")),
        (true, false) => BESIDE.iter().any(|key| map.contains_key(*key)).then(|| Hint::likely("reply")),
        (false, true) if calls => Some(Hint::likely("calls")),
        (false, _) => None,
    }
}
