//! Inspect AI: one sample of an evaluation's log is a conversation.
//!
//! The log is opened before this, so that each sample is read on its own. Messages are like those of OpenAI, with typed errors;
//! the events beside them add what was cut, who turned a call away and what sub-agents did.

mod events;

use super::blocks::{answer, hear, output, system};
use super::build::{Answer, Builder};
use super::calls::Shape;
use super::detect::{Format, FormatInfo, Hint};
use super::notes::Notes;
use super::value::{at, flag, has, is_list, object, take, take_list, take_string, take_text, text};
use crate::record::{Call, Executor, Session, Source, Status};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use events::{Attached, Events, ATTACHED, PARENT};
use serde_json::Value;

pub(super) const FORMAT: Format = Format {
    info: FormatInfo { name: "inspect", about: "Inspect AI: logs of evaluations, each sample a conversation" },
    sniff,
    read,
};

const CALL: Shape = Shape { tool: &["function", "name"], arguments: &["arguments"], id: &["id"] };

fn sniff(value: &Value) -> Option<Hint> {
    let messages = is_list(value, "messages");
    let sample = has(value, "epoch") && (value.get("target").is_some() || value.get("input").is_some());
    (messages && sample).then_some(Hint::certain("epoch, messages"))
}

fn read(mut value: Value, notes: &mut Notes) -> Session {
    let mut messages = take_list(&mut value, "messages");
    let mut attached = Attached::of(take(&mut value, "attachments"));
    for message in &mut messages {
        attached.resolve(message);
    }
    let marked = messages.iter().any(|message| text(message, "role") == "user" && has(message, "source"));
    let events = Events::of(take_list(&mut value, "events"));
    let mut reader = Reader { build: Builder::default(), marked, events, attached, submitted: None };
    reader.build.id = take_text(&mut value, "uuid").or_else(|| take_text(&mut value, "id"));
    for (i, message) in messages.into_iter().enumerate() {
        reader.message(message, i, notes);
    }
    if reader.events.unseen() {
        reader.build.lacks("the events hold calls that no message shows");
    }
    reader.build.finish(notes)
}

struct Reader {
    build: Builder,
    /// Messages of the user say where they come from: one that does not is the solver's.
    marked: bool,
    events: Events,
    attached: Attached,
    /// The call that hands in the answer, and the answer.
    submitted: Option<(String, String)>,
}

/// The tool by which a solver hands in its answer, which is its last word.
const SUBMIT: &str = "submit";

impl Reader {
    fn message(&mut self, mut message: Value, i: usize, notes: &mut Notes) {
        let content = take(&mut message, "content");
        match text(&message, "role") {
            "assistant" => self.assistant(message, content, i, notes),
            "tool" => self.returned(message, content, notes),
            "user" => self.user(&message, content),
            "system" => self.build.instructions(system(content)),
            _ => self.build.left_out(&at("messages", i), "an unknown role", notes),
        }
    }

    fn user(&mut self, message: &Value, content: Value) {
        let summary = message.get("metadata").is_some_and(|metadata| flag(metadata, "summary"));
        if summary {
            self.build.compacted();
        }
        if summary || self.marked && message.get("source").is_none() {
            self.build.context(output(content).0);
        } else if content.as_str().is_some_and(|said| said.starts_with(ATTACHED)) {
            self.build.unread_user();
        } else {
            hear(&mut self.build, content);
        }
    }

    fn assistant(&mut self, mut message: Value, content: Value, i: usize, notes: &mut Notes) {
        let key = i.to_string();
        self.build.model(&message);
        let parts = match content {
            Value::String(text) => return self.spoken(text, message, &key, notes),
            Value::Array(parts) => parts,
            _ => Vec::new(),
        };
        for mut part in parts {
            match text(&part, "type") {
                "text" => self.build.text(take_string(&mut part, "text"), &key),
                "tool_use" => self.served(part, notes),
                _ => self.build.between(),
            }
        }
        self.calls(take_list(&mut message, "tool_calls"), notes);
    }

    fn spoken(&mut self, text: String, mut message: Value, key: &str, notes: &mut Notes) {
        if text.starts_with(ATTACHED) {
            self.build.gap("a text of the agent is not in the file");
        } else {
            self.build.text(text, key);
        }
        self.calls(take_list(&mut message, "tool_calls"), notes);
    }

    fn calls(&mut self, calls: Vec<Value>, notes: &mut Notes) {
        for mut call in calls {
            let mut call = CALL.call(&mut call, Executor::Client);
            if call.tool == SUBMIT {
                let answer = text(&call.arguments, "answer").to_string();
                self.submitted = call.id.clone().map(|id| (id, answer));
            }
            call.at = call.id.as_deref().and_then(|id| self.events.made(id));
            self.build.call(call, None, notes);
        }
    }

    /// A tool of the model's provider: its call and its result are one part.
    fn served(&mut self, mut part: Value, notes: &mut Notes) {
        let error = take_text(&mut part, "error");
        let told = answer(take(&mut part, "result"));
        let call = CALL.call(&mut part, Executor::Provider);
        let error = error.map_or(Value::Null, |message| object("message", message.into()));
        self.build.call(call, Some(judged(told, error, &Value::Null, None)), notes);
    }

    fn returned(&mut self, mut message: Value, content: Value, notes: &mut Notes) {
        let id = take_string(&mut message, "tool_call_id");
        for (id, mut event) in self.events.children(&id) {
            self.attached.resolve(&mut event);
            let told = answer(take(&mut event, "result"));
            let answer = judged(told, take(&mut event, "error"), &event, None);
            let call = CALL.call(&mut event, Executor::Subagent);
            let (at, parent) = (take_text(&mut event, "timestamp"), take_text(&mut event, PARENT));
            self.build.call(Call { at, parent, id: Some(id), ..call }, Some(answer), notes);
        }
        let told = answer(content);
        let refused = self.events.refused(&id);
        let event = self.events.of_call(&id);
        let own = take(&mut message, "error");
        let error = if own.is_null() { event.get("error").cloned().unwrap_or_default() } else { own };
        let answer = judged(told, error, event, refused);
        let fine = answer.status == Status::Ok;
        self.build.result(&id, answer, notes);
        if let Some((_, answer)) = self.submitted.take_if(|(call, _)| *call == id).filter(|_| fine) {
            self.build.text(answer, &id);
        }
    }
}

/// What a typed error says of a call.
pub(super) fn typed(error: &Value) -> Status {
    match text(error, "type") {
        "timeout" => Status::Timeout,
        "approval" => Status::Declined,
        "cancelled" | "limit" => Status::Cancelled,
        // The output was too long; whether the command came to its end is not known.
        "output_limit" => Status::Unknown,
        _ => Status::Error,
    }
}

/// A result with its typed error and with what the event of the call adds.
fn judged(told: Answer, mut error: Value, event: &Value, refused: Option<Status>) -> Answer {
    let failed = error.is_object() || flag(event, "failed");
    let status = refused.unwrap_or(if failed { typed(&error) } else { told.status });
    let long = text(&error, "type") == "output_limit" || has(event, "truncated");
    let missing = told.output.as_deref().is_some_and(|text| text.starts_with(ATTACHED));
    Answer {
        truncated: told.truncated || long || missing,
        status,
        error: take_text(&mut error, "message"),
        source: if status == Status::Ok { told.source } else { Some(Source::Field) },
        ..told
    }
}
