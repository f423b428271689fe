//! AI SDK, messages for a model: `tool-call` and `tool-result` parts, and the steps of a run.
//!
//! Whether a call was approved stands in parts of its own. A refusal there tells more than the result that the SDK makes
//! up for the model, and wins over it.

use super::super::blocks::FromUser;
use super::super::build::{Answer, Builder};
use super::super::detect::{Format, FormatInfo, Hint};
use super::super::notes::Notes;
use super::super::returned::returned;
use super::super::value::{flag, has, items, leaves, list, take, take_items, take_list, take_text, text};
use crate::record::{Session, Source, Status};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use serde_json::Value;

pub(in crate::transcript) const FORMAT: Format = Format {
    info: FormatInfo { name: "ai-sdk-model", about: "Vercel AI SDK: ModelMessages, and the steps of a run" },
    sniff,
    read,
};

const LISTS: [&str; 4] = ["messages", "prompt", "steps", "responseMessages"];

/// Kinds of parts that only this format has.
const KINDS: [&str; 5] = ["tool-call", "tool-result", "tool-error", "tool-approval-request", "tool-approval-response"];

/// Kinds of output that a host writes for a model.
const TYPED: [&str; 6] = ["text", "json", "content", "error-text", "error-json", "execution-denied"];

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
    /// For each question for approval its call, and whether a rule of the program answers it.
    asked: BTreeMap<String, (String, bool)>,
    /// Calls that were turned away, and whether by a rule.
    refused: BTreeMap<String, (bool, Option<String>)>,
}

impl Reader {
    fn line(&mut self, mut message: Value, notes: &mut Notes) {
        let place = format!("messages[{}]", self.seen);
        self.seen += 1;
        let content = take(&mut message, "content");
        match text(&message, "role") {
            "user" => FromUser::of(content).hear(&mut self.build, false, notes),
            "system" => self.build.instructions(alloc::vec![leaves(content).0]),
            // A result is never a text alone: that would be prose of the agent.
            "tool" if !content.is_array() => self.lost(&place, notes),
            "assistant" | "tool" => self.parts(content, &place, notes),
            "" if has(&message, "finishReason") => self.step(message, content, &place, notes),
            _ => self.lost(&place, notes),
        }
    }

    /// What could not be read may have been anything: the record has a gap.
    fn lost(&mut self, place: &str, notes: &mut Notes) {
        notes.add("messages that were left out", format!("{place}: not understood; left out"));
        self.build.gap(format!("{place} could not be read"));
    }

    /// A step of a run: its content, or in older versions its text, calls and results in lists of their own.
    fn step(&mut self, mut step: Value, content: Value, place: &str, notes: &mut Notes) {
        for message in take_list(&mut step, "experimental_steeringMessages") {
            let mut message = message;
            FromUser::of(take(&mut message, "content")).hear(&mut self.build, true, notes);
        }
        if content.is_array() {
            return self.parts(content, place, notes);
        }
        self.build.text(take_text(&mut step, "text").unwrap_or_default(), place);
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
                    let kind = text(&part, "type").to_string();
                    self.part(part, &kind, place, notes);
                }
            }
            _ => self.lost(place, notes),
        }
    }

    fn part(&mut self, mut part: Value, kind: &str, place: &str, notes: &mut Notes) {
        match kind {
            "text" => self.build.text(take_text(&mut part, "text").unwrap_or_default(), place),
            "tool-call" => self.build.call(super::call(&mut part), None, notes),
            "tool-result" => {
                let id = take_text(&mut part, "toolCallId").unwrap_or_default();
                self.result(&id, answer(part), notes);
            }
            "tool-error" => {
                let id = take_text(&mut part, "toolCallId").unwrap_or_default();
                let said = returned(take(&mut part, "error")).output.unwrap_or_default();
                self.result(&id, Answer::plain(said, true, Some(Source::Field)), notes);
            }
            "tool-output-denied" => {
                let id = take_text(&mut part, "toolCallId").unwrap_or_default();
                self.result(&id, super::refused(false, None), notes);
            }
            "tool-approval-request" => self.asks(part),
            "tool-approval-response" => self.decides(part, notes),
            "" => self.lost(place, notes),
            _ => self.build.between(),
        }
    }

    fn asks(&mut self, mut part: Value) {
        let call = called(&mut part);
        if let (Some(id), Some(call)) = (take_text(&mut part, "approvalId"), call) {
            self.asked.insert(id, (call, flag(&part, "isAutomatic")));
        }
    }

    fn decides(&mut self, mut part: Value, notes: &mut Notes) {
        if part.get("approved").and_then(Value::as_bool) != Some(false) {
            return;
        }
        let id = take_text(&mut part, "approvalId").unwrap_or_default();
        let (asked, automatic) = self.asked.get(&id).cloned().unwrap_or_default();
        let Some(call) = called(&mut part).or(Some(asked)).filter(|call| !call.is_empty()) else {
            return self.lost("an answer to a question for approval", notes);
        };
        let reason = take_text(&mut part, "reason");
        let answer = super::refused(automatic, reason.clone());
        self.build.amend(&call, |call| {
            call.status = answer.status;
            call.source = answer.source;
            call.error = answer.error;
        });
        self.refused.insert(call, (automatic, reason));
    }

    fn result(&mut self, id: &str, mut answer: Answer, notes: &mut Notes) {
        if let Some((automatic, reason)) = self.refused.remove(id) {
            answer = Answer { output: answer.output, ..super::refused(automatic, reason) };
        }
        self.build.result(id, answer, notes);
    }
}

/// The call that a question for approval or its answer is about.
fn called(part: &mut Value) -> Option<String> {
    take_text(part, "toolCallId").or_else(|| take_text(&mut take(part, "toolCall"), "toolCallId"))
}

/// A result: typed output, or in older versions and in steps the value itself.
fn answer(mut part: Value) -> Answer {
    let mut output = if has(&part, "output") { take(&mut part, "output") } else { take(&mut part, "result") };
    let failed = flag(&part, "isError");
    let kind = text(&output, "type").to_string();
    let typed = TYPED.contains(&kind.as_str());
    if typed && kind != "execution-denied" {
        output = take(&mut output, "value");
    }
    match kind.as_str() {
        "error-text" | "error-json" => {
            Answer { status: Status::Error, source: Some(Source::Field), ..returned(output) }
        }
        // Without an answer to a question for approval it is not known who turned the call away.
        "execution-denied" => super::refused(true, take_text(&mut output, "reason")),
        _ => {
            let mut answer = returned(output);
            if failed {
                answer.status = Status::Error;
            }
            if typed || failed {
                answer.source = Some(Source::Field);
            }
            if flag(&part, "preliminary") {
                answer = Answer { status: Status::Pending, truncated: true, ..answer };
            }
            answer
        }
    }
}
