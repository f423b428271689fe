//! Native JSON: the record's own fields, strictly for one turn and leniently for a session.
//!
//! A host that builds a turn wants to hear of its first mistake. Someone who reads a stored session
//! wants all of it: there a wrong field is noted with its place and counts as absent, and whatever
//! that may hide is a gap of its turn, so that nothing is held against the agent because of it.

use super::build::Builder;
use super::lines::LineReader;
use super::notes::Notes;
use super::value::{found, has, take};
use crate::error::{Error, ErrorKind};
use crate::record::{Call, Executor, Piece, Session, Source, Status, Turn};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

/// The reason of a turn that says that it is incomplete but not why.
const HOST_SAYS: &str = "the host says so";

/// Reads one turn; the first wrong field is an error.
pub(super) fn turn(value: Value) -> Result<Turn, Error> {
    // A session in the place of a turn would read as a turn without a reply, in which nothing is wrong.
    let session = ["turns", "messages"].into_iter().find(|key| value.get(key).is_some_and(Value::is_array));
    if let (Some(key), None, None) = (session, value.get("reply"), value.get("calls")) {
        return Err(Error::new(ErrorKind::Shape, key, "a turn has none; this is a session, to be checked as one"));
    }
    Reader { notes: None, gaps: Vec::new() }.turn(value, "")
}

/// Reads a session: `{turns: […]}`, a list of turns, or one turn.
pub(super) fn session(mut value: Value, notes: &mut Notes) -> Session {
    let mut session = Session::default();
    let (turns, prefix) = match value {
        Value::Array(turns) => (turns, ""),
        Value::Object(_) if has(&value, "turns") => {
            session.id = match take(&mut value, "id") {
                Value::String(id) => Some(id),
                Value::Null => None,
                other => {
                    notes.add("wrong fields", format!("id: expected a text; found {}", found(&other)));
                    None
                }
            };
            match take(&mut value, "turns") {
                Value::Array(turns) => (turns, "turns"),
                other => {
                    notes.add("wrong fields", format!("turns: expected a list; found {}", found(&other)));
                    (Vec::new(), "turns")
                }
            }
        }
        other => (alloc::vec![other], "only"),
    };
    for (i, value) in turns.into_iter().enumerate() {
        let path = if prefix == "only" { String::new() } else { format!("{prefix}[{i}]") };
        session.turns.push(lenient(value, &path, i == 0, notes));
    }
    session
}

/// Reads turns that stand one a line.
#[derive(Default)]
pub(super) struct Lines {
    build: Builder,
    turns: Vec<Turn>,
    count: usize,
}

impl LineReader for Lines {
    fn line(&mut self, value: Value, notes: &mut Notes) {
        self.turns.push(lenient(value, &format!("[{}]", self.count), self.count == 0, notes));
        self.count += 1;
    }

    fn build(&mut self) -> &mut Builder {
        &mut self.build
    }

    /// A turn with a gap is kept until the next one came: the text may end there, which is a further reason.
    fn take(&mut self) -> Vec<Turn> {
        let open = self.turns.last().is_some_and(|turn| !turn.gaps.none());
        let rest = self.turns.split_off(self.turns.len() - usize::from(open));
        core::mem::replace(&mut self.turns, rest)
    }

    fn finish(&mut self, _: &mut Notes) -> Session {
        Session { turns: core::mem::take(&mut self.turns), ..Session::default() }
    }
}

/// Reads one turn of a session; what is wrong is noted.
fn lenient(value: Value, path: &str, first: bool, notes: &mut Notes) -> Turn {
    let mut reader = Reader { notes: Some(notes), gaps: Vec::new() };
    let mut turn = reader.turn(value, path).unwrap_or_default();
    turn.gaps.reasons.append(&mut reader.gaps);
    if !first && !turn.earlier.is_empty() {
        turn.earlier = Vec::new();
        notes.add("earlier calls", format!("{path}.earlier: only the first turn of a session brings any; ignored"));
    }
    turn
}

/// Reads fields; with notes it goes on after a wrong one, without it stops there.
struct Reader<'n> {
    notes: Option<&'n mut Notes>,
    /// What wrong fields may have held.
    gaps: Vec<String>,
}

impl Reader<'_> {
    fn wrong(&mut self, path: &str, message: String) -> Result<(), Error> {
        match &mut self.notes {
            None => Err(Error::new(ErrorKind::Shape, path, message)),
            Some(notes) => {
                let place = if path.is_empty() { String::new() } else { format!("{path}: ") };
                notes.add("wrong fields", format!("{place}{message}"));
                Ok(())
            }
        }
    }

    /// A wrong field whose content is lost: a gap of its turn.
    fn lost(&mut self, path: &str, message: String) -> Result<(), Error> {
        self.wrong(path, message)?;
        if self.gaps.len() < 8 {
            self.gaps.push(format!("{path} could not be read"));
        }
        Ok(())
    }

    fn turn(&mut self, mut value: Value, path: &str) -> Result<Turn, Error> {
        if !value.is_object() {
            let place = if path.is_empty() { "the turn" } else { path };
            self.wrong(path, format!("expected an object; found {}", found(&value)))?;
            self.gaps.push(format!("{place} could not be read"));
            return Ok(Turn::default());
        }
        let at = |field: &str| join(path, field);
        let mut turn = Turn {
            reply: self.reply(take(&mut value, "reply"), &at("reply"))?,
            calls: self.calls(take(&mut value, "calls"), &at("calls"))?,
            earlier: self.calls(take(&mut value, "earlier"), &at("earlier"))?.unwrap_or_default(),
            user: self.text(take(&mut value, "user"), &at("user"))?,
            said: self.texts(take(&mut value, "said"), &at("said"))?,
            context: self.texts(take(&mut value, "context"), &at("context"))?.unwrap_or_default(),
            entries: self.entries(take(&mut value, "entries"), &at("entries"))?,
            tools: self.texts(take(&mut value, "tools"), &at("tools"))?,
            model: self.text(take(&mut value, "model"), &at("model"))?,
            ..Turn::default()
        };
        self.complete(&mut value, path, &mut turn)?;
        Ok(turn)
    }

    fn reply(&mut self, value: Value, path: &str) -> Result<Vec<Piece>, Error> {
        match value {
            Value::Null => Ok(Vec::new()),
            Value::String(text) => Ok(alloc::vec![Piece { text, interim: false }]),
            Value::Array(pieces) => {
                let mut reply = Vec::new();
                for (i, piece) in pieces.into_iter().enumerate() {
                    reply.extend(self.piece(piece, path, i)?);
                }
                Ok(reply)
            }
            other => {
                self.wrong(path, format!("expected a text or a list of pieces; found {}", found(&other)))?;
                Ok(Vec::new())
            }
        }
    }

    fn piece(&mut self, value: Value, path: &str, i: usize) -> Result<Option<Piece>, Error> {
        match value {
            Value::String(text) => Ok(Some(Piece { text, interim: false })),
            mut object @ Value::Object(_) => {
                let text = self.text(take(&mut object, "text"), &format!("{path}[{i}].text"))?;
                let interim = self.flag(&take(&mut object, "interim"), &format!("{path}[{i}].interim"))?;
                Ok(Some(Piece { text: text.unwrap_or_default(), interim }))
            }
            other => {
                self.wrong(&format!("{path}[{i}]"), format!("expected a text or an object; found {}", found(&other)))?;
                Ok(None)
            }
        }
    }

    fn calls(&mut self, value: Value, path: &str) -> Result<Option<Vec<Call>>, Error> {
        match value {
            Value::Null => Ok(None),
            Value::Array(items) => {
                let mut calls = Vec::with_capacity(items.len());
                for (i, item) in items.into_iter().enumerate() {
                    let place = format!("{path}[{i}]");
                    if item.is_object() {
                        calls.push(self.call(item, &place)?);
                    } else {
                        self.lost(&place, format!("expected an object; found {}", found(&item)))?;
                    }
                }
                Ok(Some(calls))
            }
            other => {
                self.lost(path, format!("expected a list of calls; found {}", found(&other)))?;
                Ok(None)
            }
        }
    }

    fn call(&mut self, mut value: Value, path: &str) -> Result<Call, Error> {
        let mut call = Call {
            tool: self.text(take(&mut value, "tool"), &join(path, "tool"))?.unwrap_or_default(),
            arguments: self.arguments(take(&mut value, "arguments"), &join(path, "arguments"))?,
            output: self.output(take(&mut value, "output"), &join(path, "output"))?,
            truncated: self.flag(&take(&mut value, "truncated"), &join(path, "truncated"))?,
            status: Status::Unknown,
            exit: self.exit(&take(&mut value, "exit"), &join(path, "exit"))?,
            error: self.text(take(&mut value, "error"), &join(path, "error"))?,
            id: self.text(take(&mut value, "id"), &join(path, "id"))?,
            at: self.text(take(&mut value, "at"), &join(path, "at"))?,
            parent: self.text(take(&mut value, "parent"), &join(path, "parent"))?,
            executor: self.name(&take(&mut value, "executor"), &join(path, "executor"), &EXECUTORS)?,
            source: self.name(&take(&mut value, "source"), &join(path, "source"), &SOURCES)?,
        };
        let status = self.name(&take(&mut value, "status"), &join(path, "status"), &Status::ALL)?;
        call.status = status.unwrap_or_else(|| left_out(&call));
        Ok(call)
    }

    fn arguments(&mut self, value: Value, path: &str) -> Result<Value, Error> {
        match value {
            Value::Object(_) | Value::String(_) | Value::Null => Ok(value),
            other => {
                self.wrong(path, format!("expected an object or a text; found {}", found(&other)))?;
                Ok(Value::String(other.to_string()))
            }
        }
    }

    /// An output that is no text is kept as its JSON text: dropping it would leave claims without their support.
    fn output(&mut self, value: Value, path: &str) -> Result<Option<String>, Error> {
        match value {
            Value::Null => Ok(None),
            Value::String(text) => Ok(Some(text)),
            other => {
                self.wrong(path, format!("expected a text; found {}", found(&other)))?;
                Ok(Some(other.to_string()))
            }
        }
    }

    fn text(&mut self, value: Value, path: &str) -> Result<Option<String>, Error> {
        match value {
            Value::Null => Ok(None),
            Value::String(text) => Ok(Some(text)),
            other => {
                self.wrong(path, format!("expected a text; found {}", found(&other)))?;
                Ok(None)
            }
        }
    }

    fn flag(&mut self, value: &Value, path: &str) -> Result<bool, Error> {
        match value {
            Value::Null => Ok(false),
            Value::Bool(flag) => Ok(*flag),
            other => {
                self.wrong(path, format!("expected true or false; found {}", found(other)))?;
                Ok(false)
            }
        }
    }

    fn exit(&mut self, value: &Value, path: &str) -> Result<Option<i64>, Error> {
        match value {
            Value::Null => Ok(None),
            Value::Number(number) if number.is_i64() => Ok(number.as_i64()),
            // Some languages have no integers and write 1.0.
            Value::Number(number) if number.as_f64().is_some_and(whole) => Ok(number.as_f64().map(|n| n as i64)),
            other => {
                self.wrong(path, format!("expected an integer; found {}", found(other)))?;
                Ok(other.as_str().and_then(|text| text.trim().parse().ok()))
            }
        }
    }

    fn name<T: Copy>(&mut self, value: &Value, path: &str, names: &[(&'static str, T)]) -> Result<Option<T>, Error> {
        if value.is_null() {
            return Ok(None);
        }
        let known = value.as_str().and_then(|name| names.iter().find(|(n, _)| *n == name));
        if let Some((_, meaning)) = known {
            return Ok(Some(*meaning));
        }
        let expected: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
        self.wrong(path, format!("expected one of {}; found {}", expected.join(", "), found(value)))?;
        Ok(None)
    }

    fn texts(&mut self, value: Value, path: &str) -> Result<Option<Vec<String>>, Error> {
        match value {
            Value::Null => Ok(None),
            Value::Array(items) => {
                let mut texts = Vec::with_capacity(items.len());
                for (i, item) in items.into_iter().enumerate() {
                    match item {
                        Value::String(text) => texts.push(text),
                        other => {
                            self.lost(&format!("{path}[{i}]"), format!("expected a text; found {}", found(&other)))?;
                        }
                    }
                }
                Ok(Some(texts))
            }
            other => {
                self.lost(path, format!("expected a list of texts; found {}", found(&other)))?;
                Ok(None)
            }
        }
    }

    /// One wrong number makes all of them absent: a citation of the entry that was meant would look invented.
    fn entries(&mut self, value: Value, path: &str) -> Result<Option<Vec<u64>>, Error> {
        let items = match value {
            Value::Null => return Ok(None),
            Value::Array(items) => items,
            other => {
                self.wrong(path, format!("expected a list of numbers; found {}", found(&other)))?;
                return Ok(None);
            }
        };
        let mut entries = Vec::with_capacity(items.len());
        for (i, item) in items.iter().enumerate() {
            let Some(number) = item.as_u64() else {
                let message = format!("expected a whole number; found {}", found(item));
                self.wrong(&format!("{path}[{i}]"), message)?;
                return Ok(None);
            };
            entries.push(number);
        }
        Ok(Some(entries))
    }

    fn complete(&mut self, value: &mut Value, path: &str, turn: &mut Turn) -> Result<(), Error> {
        const WORDS: [(&str, bool); 2] = [("yes", true), ("no", false)];
        let complete = take(value, "complete");
        let place = join(path, "complete");
        let known = self.name(&complete, &place, &WORDS)?;
        let reasons = self.texts(take(value, "reasons"), &join(path, "reasons"))?.unwrap_or_default();
        match known {
            Some(false) if reasons.is_empty() => turn.gaps.reasons.push(HOST_SAYS.to_string()),
            Some(false) => turn.gaps.reasons = reasons,
            None if !complete.is_null() => turn.gaps.reasons.push(format!("{place} could not be read")),
            _ => {}
        }
        Ok(())
    }
}

/// A field's path.
fn join(path: &str, field: &str) -> String {
    if path.is_empty() {
        field.to_string()
    } else {
        format!("{path}.{field}")
    }
}

/// Whether a number is an integer that a process could end with.
fn whole(number: f64) -> bool {
    (-4_294_967_296.0..=4_294_967_296.0).contains(&number) && number % 1.0 == 0.0
}

/// The status of a call that names none.
fn left_out(call: &Call) -> Status {
    match call.exit {
        Some(0) => Status::Ok,
        Some(_) => Status::Error,
        None if call.error.is_some() => Status::Error,
        None if call.output.as_deref().is_some_and(|o| o.starts_with("error:")) => Status::Error,
        None => Status::Unknown,
    }
}

const EXECUTORS: [(&str, Executor); 4] = [
    ("client", Executor::Client),
    ("provider", Executor::Provider),
    ("subagent", Executor::Subagent),
    ("user", Executor::User),
];

const SOURCES: [(&str, Source); 2] = [("field", Source::Field), ("text", Source::Text)];
