//! Which format a text is in: decided by its keys, never by a file's name.
//!
//! Wrappers (recorded HTTP exchanges, `{traj}`, `{trajectory}`, lists of conversations) are no
//! formats: they are opened first, and what is inside is looked at.

use super::ai_sdk::{model, ui};
use super::notes::Notes;
use super::{
    acp, agents, anthropic, atif, chat, claude_code, cline, codex, copilot, cursor, exchanges, gemini, gemini_cli,
    goose, group_chat, inspect, langchain, native, opencode, openhands, pi, pydantic_ai, responses, spans, swe_agent,
    value::{described, has, list},
};
use crate::error::{Error, ErrorKind};
use crate::record::{Detected, Session};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

/// A format that can be named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct FormatInfo {
    /// The name, as in `--format`.
    pub name: &'static str,
    /// What it is, in half a sentence.
    pub about: &'static str,
}

/// Every format that is read here, for help texts and for the error of an unknown name. Without the feature `formats` these
/// are the ones that pages and frameworks hand over as objects.
pub const FORMATS: &[FormatInfo] = &infos();

/// Every format in the order in which it is tried: the specific before the general.
const ALL: &[Known] = &[
    always(NATIVE),
    more(claude_code::FORMAT),
    more(atif::FORMAT),
    more(inspect::FORMAT),
    more(codex::FORMAT),
    more(gemini_cli::FORMAT),
    more(goose::FORMAT),
    more(opencode::FORMAT),
    more(openhands::FORMAT),
    more(swe_agent::FORMAT),
    more(pi::FORMAT),
    more(copilot::FORMAT),
    more(cursor::FORMAT),
    more(acp::FORMAT),
    more(spans::GENAI),
    more(spans::OPENINFERENCE),
    more(pydantic_ai::FORMAT),
    more(langchain::FORMAT),
    always(ui::FORMAT),
    more(model::FORMAT),
    more(gemini::FORMAT),
    more(cline::FORMAT),
    more(group_chat::FORMAT),
    always(anthropic::FORMAT),
    more(agents::FORMAT),
    more(responses::FORMAT),
    always(chat::FORMAT),
];

/// A format whose texts are told in every build, so that none of them is taken for one of a neighbour.
struct Known {
    format: Format,
    /// Whether this build reads it.
    read: bool,
}

const fn always(format: Format) -> Known {
    Known { format, read: true }
}

/// A format that is read with the feature `formats` alone. Without it nothing refers to its reader and its description, and
/// the linker leaves them out.
const fn more(format: Format) -> Known {
    if cfg!(feature = "formats") {
        return always(format);
    }
    let info = FormatInfo { about: "", ..format.info };
    Known { format: Format { info, read: |_, _| Session::default(), ..format }, read: false }
}

const fn count() -> usize {
    let (mut i, mut count) = (0, 0);
    while i < ALL.len() {
        count += ALL[i].read as usize;
        i += 1;
    }
    count
}

const fn infos() -> [FormatInfo; count()] {
    let mut infos = [NATIVE.info; count()];
    let (mut i, mut count) = (0, 0);
    while i < ALL.len() {
        if ALL[i].read {
            infos[count] = ALL[i].format.info;
            count += 1;
        }
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
    let message = match ALL.iter().find(|known| known.format.info.name == name) {
        Some(known) if known.read => return Ok(known.format),
        Some(_) => [name, ELSEWHERE].concat(),
        None => {
            let names: Vec<&str> = FORMATS.iter().map(|f| f.name).collect();
            format!("expected one of {}; found \"{name}\"", names.join(", "))
        }
    };
    Err(Error::new(ErrorKind::Option, "format", message))
}

/// Where a format is read that is told here and not read.
const ELSEWHERE: &str = " is not part of this build; import counterfoil/formats, or build with the feature formats";

fn elsewhere(what: &str) -> Error {
    Error::new(ErrorKind::Format, "", [what, ELSEWHERE].concat())
}

/// The format of a value and why.
pub(super) fn detect(value: &Value) -> Result<(Format, Hint), Error> {
    if !cfg!(feature = "formats") && exchanges::are_recorded(value) {
        return Err(elsewhere("these are recorded exchanges: reading them"));
    }
    let found = ALL.iter().find_map(|known| (known.format.sniff)(value).map(|hint| (known, hint)));
    match found {
        Some((known, hint)) if known.read => Ok((known.format, hint)),
        Some((known, _)) => Err(elsewhere(&["this is ", known.format.info.name, ", which"].concat())),
        None => Err(unknown(&described(value))),
    }
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
