//! OpenHands: the events of its first generation (`action`, `observation`) and of its SDK (`kind`).
//!
//! Both are flat lists. The first pairs an observation with its action by `cause`, the second by the
//! id of the call; the oldest files have neither, and there an observation follows its action.

mod sdk;
mod stream;

use super::build::{Answer, Builder};
use super::detect::{Format, FormatInfo, Hint};
use super::notes::Notes;
use super::value::{has, is_object, items, nth, slice, take_items, take_text, text};
use crate::record::{Call, Session, Source, Status};
use alloc::string::String;
use alloc::vec::Vec;
use serde_json::{Map, Value};

pub(super) const FORMAT: Format = Format {
    info: FormatInfo { name: "openhands", about: "OpenHands: events of a conversation, trajectories, outputs of runs" },
    sniff,
    read,
};

/// The keys under which a file keeps its events.
const LISTS: [&str; 4] = ["history", "trajectory", "events", "items"];

/// The mark that the host leaves in an observation of which it kept only a part.
const CUT: &str = "[... Observation truncated due to length ...]";

fn sniff(value: &Value) -> Option<Hint> {
    // Runs of benchmarks keep each action and its observation as a pair.
    let events = items(value, &LISTS);
    let beside = ["extras", "source", "cause", "command", "command_id", "exit_code", "code"];
    let seen = |event: &Value| has(event, "content") && beside.iter().any(|key| has(event, key));
    let mut oldest = false;
    for event in events.iter().flat_map(slice) {
        if let Some(key) = telling(event) {
            return Some(Hint::certain(key));
        }
        oldest |= one_side(event) == Some("observation") && seen(event);
    }
    oldest.then(|| Hint::likely("observation"))
}

/// The keys of an event that no other format has.
fn telling(event: &Value) -> Option<&'static str> {
    let kind = text(event, "kind");
    if kind.ends_with("Event") && (has(event, "llm_message") || has(event, "tool_call_id") || has(event, "source")) {
        return Some("kind");
    }
    match one_side(event)? {
        "observation" => has(event, "cause").then_some("observation, cause"),
        _ => {
            let host = ["source", "message", "timestamp"].iter().any(|key| has(event, key));
            (host && is_object(event, "args")).then_some("action, args")
        }
    }
}

/// Whether an event is an action or an observation. SWE-agent writes both of them into one step.
fn one_side(event: &Value) -> Option<&'static str> {
    match (text(event, "action").is_empty(), text(event, "observation").is_empty()) {
        (false, true) => Some("action"),
        (true, false) => Some("observation"),
        _ => None,
    }
}

fn read(mut value: Value, notes: &mut Notes) -> Session {
    let mut reader = Reader::default();
    for event in take_items(&mut value, &LISTS) {
        match event {
            Value::Array(pair) if !pair.is_empty() => pair.into_iter().for_each(|event| reader.line(event, notes)),
            event => reader.line(event, notes),
        }
    }
    reader.finish(notes)
}

/// Reads one event after the other.
#[derive(Debug, Default)]
pub(super) struct Reader {
    build: Builder,
    number: usize,
    /// The call of each action by the id of the event.
    calls: Map<String, Value>,
    /// A call without any id, until its observation follows.
    held: Option<Call>,
    /// The call that handed the work to another agent, while that one is at work.
    delegate: Option<String>,
}

impl Reader {
    /// Reads an event.
    pub(super) fn line(&mut self, mut event: Value, notes: &mut Notes) {
        self.number += 1;
        if has(&event, "kind") {
            self.sdk(event, notes);
        } else if let Some(action) = take_text(&mut event, "action") {
            self.action(&action, event, notes);
        } else if let Some(kind) = take_text(&mut event, "observation") {
            self.observation(&kind, event, notes);
        } else {
            self.unread(notes);
        }
    }

    /// The whole conversation.
    pub(super) fn finish(mut self, notes: &mut Notes) -> Session {
        self.release(None, notes);
        self.build.finish(notes)
    }

    /// Gives a call without an id to the record, with what it returned.
    fn release(&mut self, answer: Option<Answer>, notes: &mut Notes) {
        if let Some(call) = self.held.take() {
            self.build.call(call, answer, notes);
        }
    }

    fn unread(&mut self, notes: &mut Notes) {
        self.build.left_out(&nth("event", self.number), "neither action nor observation", notes);
    }

    /// Prose of the agent; what another agent says that works for it is no reply.
    fn say(&mut self, text: String, notes: &mut Notes) {
        self.release(None, notes);
        if self.delegate.is_none() {
            self.build.between();
            self.build.text(text, "event");
        }
    }

    /// A message of the person.
    fn heard(&mut self, said: Option<String>, notes: &mut Notes) {
        const GO_ON: &str = "Please continue working on the task on whatever approach you think is suitable.";
        self.release(None, notes);
        match said {
            // What a delegate is told, and what a benchmark says in a person's place.
            Some(text) if self.delegate.is_some() && text.starts_with("TASK: ") || text.starts_with(GO_ON) => {
                self.build.context(text);
            }
            Some(text) => {
                self.delegate = None;
                self.build.user(Some(text).filter(|text| !text.is_empty()));
            }
            None => self.build.unread_user(),
        }
    }
}

/// How a command ended. It goes on running where the host stopped waiting for it, and says so with exit -1.
fn ended(exit: Option<i64>, failed: Option<bool>) -> (Status, Option<i64>, Option<Source>) {
    let field = Some(Source::Field);
    match (exit, failed) {
        (Some(-1), _) => (Status::Background, None, field),
        (Some(code), _) if code != 0 => (Status::Error, exit, field),
        (_, Some(true)) => (Status::Error, exit, field),
        (None, None) => (Status::Ok, None, None),
        _ => (Status::Ok, exit, field),
    }
}

fn answer(output: String, media: bool, (status, exit, source): (Status, Option<i64>, Option<Source>)) -> Answer {
    let truncated = media || output.contains(CUT);
    Answer { truncated, output: Some(output), status, exit, source, ..Answer::default() }
}

/// The texts of a list of parts as one.
fn joined(parts: &[Value]) -> String {
    let texts: Vec<&str> = parts.iter().map(|part| text(part, "text")).filter(|text| !text.is_empty()).collect();
    texts.join("\n")
}
