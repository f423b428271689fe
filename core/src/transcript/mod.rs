//! Transcripts: a host's JSON text to a [`Session`].
//!
//! [`turn`] is strict, for a host that hands over its own turn. [`parse`] is lenient, for stored
//! sessions: it fails only where no turn can be read at all, and notes everything else.
//!
//! A text may hold several conversations (recorded exchanges, a list of trajectories): [`parse_all`]
//! gives each of them, [`parse`] all their turns one after another, so that none is lost.

mod acp;
mod agents;
mod ai_sdk;
mod answer;
mod anthropic;
mod atif;
mod blocks;
mod build;
mod calls;
mod chat;
mod claude_code;
mod cline;
mod codex;
mod copilot;
mod cursor;
mod detect;
mod exchanges;
mod feed;
mod gemini;
mod gemini_cli;
mod goose;
mod group_chat;
mod inspect;
mod json;
mod langchain;
mod lines;
mod mcp;
mod native;
mod notes;
mod opencode;
mod openhands;
mod pi;
mod pydantic_ai;
mod repair;
mod responses;
mod returned;
mod slots;
mod spans;
mod sse;
mod swe_agent;
mod value;
mod write;

use crate::error::{Error, ErrorKind};
use crate::record::{Detected, Session, Turn};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use detect::Format;
use json::Doc;
use notes::Notes;
use serde_json::Value;

pub use detect::{FormatInfo, FORMATS};
pub use feed::Feed;
pub use write::{to_json, turns_to_json};

/// So many lines are looked at to find out the format of JSON Lines.
const SAMPLE: usize = 64;

/// Reads a session. `format` names the host's format, else it is found out by the keys of the text.
///
/// Where the text holds several conversations, their turns follow one another.
///
/// # Errors
/// [`ErrorKind::Option`] for an unknown name, [`ErrorKind::Json`] for a text that is no JSON,
/// [`ErrorKind::Format`] for one that holds no transcript.
///
/// ```
/// let text = r#"[{"role":"user","content":"run it"},{"role":"assistant","content":"Done."}]"#;
/// let session = counterfoil::transcript::parse(text, Some("openai-chat"))?;
/// assert_eq!(session.turns[0].text(), "Done.");
/// # Ok::<(), counterfoil::Error>(())
/// ```
pub fn parse(text: &str, format: Option<&str>) -> Result<Session, Error> {
    Ok(merged(parse_all(text, format)?))
}

/// Reads a session from bytes: UTF-8, or UTF-16 with its byte-order mark. Other bytes become U+FFFD and are noted.
pub fn parse_bytes(bytes: &[u8], format: Option<&str>) -> Result<Session, Error> {
    let (text, note) = json::text(bytes)?;
    let mut session = parse(&text, format)?;
    session.notes.splice(0..0, note);
    Ok(session)
}

/// Reads every conversation in a text, one at least. Notes on the text as a whole are the first one's.
pub fn parse_all(text: &str, format: Option<&str>) -> Result<Vec<Session>, Error> {
    let named = format.map(detect::named).transpose()?;
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Err(detect::unknown("the text is empty"));
    }
    let mut notes = Notes::default();
    let read = json::read(text, &mut notes);
    // Server-sent events as they came are no JSON.
    let events = if read.is_err() { sse::events(text) } else { Vec::new() };
    let read = if events.is_empty() { read? } else { Doc::One(Value::Array(events)) };
    let mut sessions = match read {
        Doc::Lines(lines) => {
            let sample = Value::Array(lines.sample(SAMPLE));
            match found(named, &sample) {
                Ok((format, detected))
                    if cfg!(feature = "formats") && format.info.name == claude_code::FORMAT.info.name =>
                {
                    let session = claude_code::read_lines(lines, &mut notes);
                    let sessions = alloc::vec![Session { format: Some(detected), ..session }];
                    told(&sessions, &value::described(&sample), fits(named, &sample), &mut notes)?;
                    sessions
                }
                _ => {
                    let sessions = conversations(lines.list(&mut notes), named, &mut notes)?;
                    told(&sessions, &value::described(&sample), true, &mut notes)?;
                    sessions
                }
            }
        }
        Doc::One(value) => {
            let seen = value::described(&value);
            let sessions = conversations(value, named, &mut notes)?;
            told(&sessions, &seen, true, &mut notes)?;
            sessions
        }
    };
    if let Some(last) = sessions.last_mut() {
        ended_early(&notes, last);
    }
    if let Some(first) = sessions.first_mut() {
        first.notes = notes.into_list();
    }
    Ok(sessions)
}

/// Reads one native turn. Strict: the first wrong field is an error that names its place.
///
/// ```
/// let error = counterfoil::transcript::turn(r#"{"calls":[{"tool":"bash","status":"done"}]}"#).unwrap_err();
/// assert!(error.to_string().starts_with("calls[0].status: expected one of ok, error, denied"));
/// ```
pub fn turn(text: &str) -> Result<Turn, Error> {
    turn_from(json::value(text, &mut Notes::default())?)
}

/// JSON with raw line breaks in texts and halves of surrogate pairs mended, and no more; `None` where it needs more.
#[cfg(feature = "canary")]
pub(crate) fn mended(text: &str) -> Option<String> {
    repair::repair(text).filter(|repaired| repaired.numbers == 0).map(|repaired| repaired.text)
}

/// Reads one native turn from JSON that was read before. Strict, as [`turn`] is.
pub fn turn_from(value: Value) -> Result<Turn, Error> {
    native::turn(value)
}

/// Marks the last turn where the text was cut.
fn ended_early(notes: &Notes, session: &mut Session) {
    if let Some(turn) = session.turns.last_mut().filter(|_| notes.cut) {
        turn.gaps.reasons.push("the text ends too early".to_string());
    }
}

/// The note on a text with several conversations.
fn follow_one_another(count: usize) -> String {
    format!("the text holds {count} conversations; their turns follow one another")
}

/// The format that was named, or else the one that the value is in.
fn found(named: Option<Format>, value: &Value) -> Result<(Format, Detected), Error> {
    match named {
        Some(format) => {
            let name = format.info.name.to_string();
            Ok((format, Detected { name, confidence: "named".to_string(), evidence: None, candidates: Vec::new() }))
        }
        None => detect::detect(value).map(|(format, hint)| (format, hint.detected(format.info.name))),
    }
}

/// Opens wrappers and reads what is inside. What is in no known format is noted where anything else could be read.
fn conversations(value: Value, named: Option<Format>, notes: &mut Notes) -> Result<Vec<Session>, Error> {
    let mut sessions = Vec::new();
    let mut failed = None;
    for (i, value) in exchanges::open(value, notes).into_iter().enumerate() {
        match conversation(value, named, notes) {
            Ok(session) => sessions.push(session),
            Err(error) => {
                notes.add("conversations that were not understood", format!("conversation {}: {error}", i + 1));
                failed.get_or_insert(error);
            }
        }
    }
    match failed {
        Some(error) if sessions.is_empty() => Err(error),
        None if sessions.is_empty() => Err(detect::unknown("recorded exchanges without messages")),
        _ => Ok(spans::joined(sessions)),
    }
}

/// Whether a text is in the format that was named, by its keys.
fn fits(named: Option<Format>, value: &Value) -> bool {
    named.is_none_or(|format| (format.sniff)(value).is_some())
}

/// Notes that there is no turn at all: a session that has not begun. Where its format is only a guess, or was named and is not
/// borne out by the keys (`fits`), it is no transcript.
fn told(sessions: &[Session], seen: &str, fits: bool, notes: &mut Notes) -> Result<(), Error> {
    let Some(format) = sessions.first().and_then(|session| session.format.as_ref()) else { return Ok(()) };
    if sessions.iter().any(|session| !session.turns.is_empty()) {
        return Ok(());
    }
    let native = format.name == FORMATS[0].name;
    if !native && (!fits || format.confidence == "guess") {
        return Err(no_turn(&format.name, seen));
    }
    notes.add("sessions without turns", "the session holds no turn");
    Ok(())
}

fn conversation(value: Value, named: Option<Format>, notes: &mut Notes) -> Result<Session, Error> {
    let (format, detected) = found(named, &value)?;
    let (seen, stated) = (value::described(&value), value.get("turns").is_some());
    let fits = fits(named, &value);
    let session = (format.read)(value, notes);
    let native = is_native(&format);
    let foreign = native && !stated && !session.turns.is_empty() && session.turns.iter().all(is_blank);
    if named.is_some() && (foreign || session.turns.is_empty() && !native && !fits) {
        return Err(no_turn(&detected.name, &seen));
    }
    let mut session = Session { format: Some(detected), ..session };
    if named.is_none() {
        unrecorded(&mut session);
    }
    Ok(session)
}

/// A conversation in which nothing but texts stands may be one whose calls were never written down: of a format that was
/// guessed it is not known that the agent made none.
fn unrecorded(session: &mut Session) {
    let guessed = session.format.as_ref().is_some_and(|format| format.confidence == "guess");
    let silent = |turn: &Turn| turn.calls.as_ref().is_none_or(Vec::is_empty) && turn.tools.is_none();
    if guessed && session.turns.iter().all(silent) {
        session.turns.iter_mut().for_each(|turn| turn.calls = None);
    }
}

/// The error of a text that is not in the format that was named; `seen` says what it is instead.
fn no_turn(format: &str, seen: &str) -> Error {
    let message: String = format!("no turn of the format {format} in it: {seen}");
    Error::new(ErrorKind::Format, "", message)
}

fn is_native(format: &Format) -> bool {
    format.info.name == FORMATS[0].name
}

/// Any object can be read as a native turn; one that has nothing of a turn was written by another host.
fn is_blank(turn: &Turn) -> bool {
    turn.reply.is_empty() && turn.calls.is_none() && turn.user.is_none()
}

/// Several conversations as one.
fn merged(sessions: Vec<Session>) -> Session {
    let count = sessions.len();
    let mut sessions = sessions.into_iter();
    let mut all = sessions.next().unwrap_or_default();
    for session in sessions {
        let start = all.turns.len();
        all.turns.extend(session.turns);
        if let Some(first) = all.turns.get_mut(start).filter(|_| start > 0) {
            // Only the first turn of a session holds earlier calls.
            first.earlier = Vec::new();
        }
        all.notes.extend(session.notes);
    }
    if count > 1 {
        all.id = None;
        all.notes.push(follow_one_another(count));
    }
    all
}
