//! AI SDK, messages for a model: `tool-call` and `tool-result` parts, and the steps of a run.
//!
//! Whether a call was approved stands in parts of its own. A refusal there tells more than the result that the SDK makes
//! up for the model, and wins over it.

use super::super::blocks::FromUser;
use super::super::build::{Answer, Builder};
use super::super::detect::{Format, FormatInfo, Hint};
use super::super::notes::Notes;
use super::super::returned::returned;
use super::super::value::{
    at, copied, flag, has, items, leaves, list, take, take_items, take_list, take_string, take_text, take_word, text,
    truth,
};
use crate::record::{Session, Source, Status};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use serde_json::Value;

pub(in crate::transcript) const FORMAT: Format = Format {
    info: FormatInfo { name: "ai-sdk-model", about: "Vercel AI SDK: ModelMessages, and the steps of a run" },
    sniff,
    read,
};

const LISTS: [&str; 4] = ["messages", "prompt", "steps", "responseMessages"];

/// Kinds of parts that only this format has.
const KINDS: [&str; 5] = ["tool-call", "tool-result", "tool-error", "tool-approval-request", "tool-approval-response"];

fn sniff(value: &Value) -> Option<Hint> {
    let own = |part: &Value| {
        let named = has(part, "toolCallId") || has(part, "approvalId") || has(part, "toolName");
        KINDS.into_iter().find(|kind| named && *kind == text(part, "type"))
    };
    items(value, &LISTS).iter().find_map(|message| {
        let found = list(message, "content").iter().find_map(own).map(Hint::certain);
        let step = || has(message, "toolCalls") && has(message, "toolResults") && has(message, "finishReason");
        found.or_else(|| step().then(|| Hint::certain("toolResults")))
    })
}

fn read(mut value: Value, notes: &mut Notes) -> Session {
    let mut reader = Reader::default();
    for message in take_items(&mut value, &LISTS) {
        reader.line(message, notes);
    }
    reader.build.finish(notes)
}

#[derive(Default)]
struct Reader {
    build: Builder,
    /// How many messages were read.
    seen: usize,
    /// For each question for approval its place among those that were asked.
    places: BTreeMap<String, usize>,
    /// The calls that were asked for, and whether a rule of the program answers.
    asked: Vec<(String, bool)>,
}

impl Reader {
    fn line(&mut self, mut message: Value, notes: &mut Notes) {
        let place = at("messages", self.seen);
        self.seen += 1;
        let content = take(&mut message, "content");
        match text(&message, "role") {
            "user" => FromUser::of(content).hear(&mut self.build, false, notes),
            "system" => self.build.instructions(alloc::vec![leaves(content).0]),
            // A result is never a text alone: that would be prose of the agent.
            "tool" if !content.is_array() => self.build.left_out(&place, "not understood", notes),
            "assistant" | "tool" => self.parts(content, &place, notes),
            "" if has(&message, "finishReason") => self.step(message, content, &place, notes),
            _ => self.build.left_out(&place, "not understood", notes),
        }
    }

    /// A step of a run: its content, or in older versions its text, calls and results in lists of their own.
    fn step(&mut self, mut step: Value, content: Value, place: &str, notes: &mut Notes) {
        self.build.model(&step);
        for message in take_list(&mut step, "experimental_steeringMessages") {
            let mut message = message;
            FromUser::of(take(&mut message, "content")).hear(&mut self.build, true, notes);
        }
        if content.is_array() {
            return self.parts(content, place, notes);
        }
        self.build.text(take_string(&mut step, "text"), place);
        for (key, kind) in [("toolCalls", "tool-call"), ("toolResults", "tool-result")] {
            for part in take_list(&mut step, key) {
                self.part(part, kind, place, notes);
            }
        }
    }

    fn parts(&mut self, content: Value, place: &str, notes: &mut Notes) {
        match content {
            Value::String(text) => self.build.text(text, place),
            Value::Array(parts) => {
                for part in parts {
                    let kind = copied(&part, "type");
                    self.part(part, &kind, place, notes);
                }
            }
            _ => self.build.left_out(place, "not understood", notes),
        }
    }

    fn part(&mut self, mut part: Value, kind: &str, place: &str, notes: &mut Notes) {
        match kind {
            "text" => self.build.text(take_string(&mut part, "text"), place),
            "tool-call" => self.build.call(super::call(&mut part), None, notes),
            "tool-result" | "tool-error" | "tool-output-denied" => {
                let id = take_word(&mut part, &["toolCallId"]);
                let answer = match kind {
                    "tool-result" => super::result(&mut part),
                    "tool-error" => {
                        let said = returned(take(&mut part, "error")).output.unwrap_or_default();
                        Answer::plain(said, true, Some(Source::Field))
                    }
                    _ => super::refused(false, None),
                };
                self.result(&id, answer, notes);
            }
            "tool-approval-request" => {
                self.places.insert(take_word(&mut part, &["approvalId"]), self.asked.len());
                self.asked.push((called(&mut part), flag(&part, "isAutomatic")));
            }
            "tool-approval-response" => self.decided(part, place, notes),
            "" => self.build.left_out(place, "not understood", notes),
            _ => self.build.between(),
        }
    }

    /// A call that was refused; it stays so, whatever result is made up for it.
    fn decided(&mut self, mut part: Value, place: &str, notes: &mut Notes) {
        if truth(&part, "approved") != Some(false) {
            return;
        }
        let asked = self.places.get(text(&part, "approvalId")).and_then(|place| self.asked.get(*place));
        let (mut id, automatic) = asked.cloned().unwrap_or_default();
        if id.is_empty() {
            id = called(&mut part);
        }
        if id.is_empty() {
            return self.build.left_out(place, "not understood", notes);
        }
        let answer = super::refused(automatic, take_text(&mut part, "reason"));
        self.build.amend(&id, |call| {
            call.status = answer.status;
            call.source = answer.source;
            call.error = answer.error;
        });
    }

    fn result(&mut self, id: &str, mut answer: Answer, notes: &mut Notes) {
        self.build.amend(id, |call| {
            if matches!(call.status, Status::Declined | Status::Denied) {
                answer.error.clone_from(&call.error);
                answer.status = call.status;
                answer.source = call.source;
            }
        });
        self.build.result(id, answer, notes);
    }
}

/// The call that a question for approval or its answer is about.
fn called(part: &mut Value) -> String {
    let mut call = take(part, "toolCall");
    take_word(if call.is_null() { part } else { &mut call }, &["toolCallId"])
}
