//! AI SDK, messages of a user interface: `parts`, or `toolInvocations` in older versions.
//!
//! One message of the assistant is the whole turn, step after step; a call, its result and what became of its approval
//! stand in one part, and `state` says how far it got.

use super::super::blocks::FromUser;
use super::super::build::{Answer, Builder};
use super::super::detect::{Format, FormatInfo, Hint};
use super::super::notes::Notes;
use super::super::value::{
    at, copied, flag, has, items, leaves, list, set, take, take_items, take_list, take_string, take_text, text, truth,
};
use crate::record::{Session, Source, Status};
use serde_json::Value;

pub(in crate::transcript) const FORMAT: Format = Format {
    info: FormatInfo { name: "ai-sdk-ui", about: "Vercel AI SDK: UIMessages with parts or toolInvocations" },
    sniff,
    read,
};

const LISTS: [&str; 1] = ["messages"];

fn sniff(value: &Value) -> Option<Hint> {
    let mut texts = false;
    let lone = core::slice::from_ref(value);
    let messages = items(value, &LISTS);
    let messages = if has(value, "role") { lone } else { messages };
    for message in messages.iter().filter(|message| has(message, "role")) {
        let message = message.get("content").filter(|inner| has(inner, "parts")).unwrap_or(message);
        if list(message, "toolInvocations").iter().any(|call| has(call, "toolCallId")) {
            return Some(Hint::certain("toolInvocations"));
        }
        for part in list(message, "parts") {
            let kind = text(part, "type");
            if has(part, "toolCallId") && (kind.starts_with("tool-") || kind == "dynamic-tool") {
                return Some(Hint::certain("parts.toolCallId"));
            }
            if has(part, "toolInvocation") || kind == "step-start" {
                return Some(Hint::certain(if kind == "step-start" { "step-start" } else { "toolInvocation" }));
            }
            texts |= kind == "text" && has(part, "text");
        }
    }
    texts.then(|| Hint::likely("parts.type"))
}

fn read(mut value: Value, notes: &mut Notes) -> Session {
    let mut reader = Reader::default();
    let messages = if has(&value, "role") {
        alloc::vec![value]
    } else {
        reader.build.id = take_text(&mut value, "id").or_else(|| take_text(&mut value, "chatId"));
        take_items(&mut value, &LISTS)
    };
    for message in super::once(messages, notes) {
        reader.line(message, notes);
    }
    reader.build.finish(notes)
}

#[derive(Default)]
struct Reader {
    build: Builder,
    /// How many messages were read.
    seen: usize,
}

impl Reader {
    fn line(&mut self, mut message: Value, notes: &mut Notes) {
        let place = at("messages", self.seen);
        self.seen += 1;
        if message.get("content").is_some_and(|inner| has(inner, "parts")) {
            // Mastra keeps parts and calls in the content.
            let mut inner = take(&mut message, "content");
            let role = take(&mut message, "role");
            set(&mut inner, "role", role);
            message = inner;
        }
        let spoken = if list(&message, "parts").is_empty() && message.get("content").is_some() {
            take(&mut message, "content")
        } else {
            take(&mut message, "parts")
        };
        match text(&message, "role") {
            "user" => FromUser::of(spoken).hear(&mut self.build, false, notes),
            "assistant" => self.assistant(message, spoken, &place, notes),
            "system" => self.build.instructions(alloc::vec![leaves(spoken).0]),
            "data" => {}
            _ => self.build.left_out(&place, "not understood", notes),
        }
    }

    fn assistant(&mut self, mut message: Value, spoken: Value, place: &str, notes: &mut Notes) {
        self.build.model(&message);
        match spoken {
            Value::Array(parts) => {
                for part in parts {
                    self.part(part, place, notes);
                }
            }
            // An older message holds its text as a whole: what was written before the calls is not told apart.
            Value::String(text) => {
                for call in take_list(&mut message, "toolInvocations") {
                    self.call(call, notes);
                }
                self.build.text(text, place);
            }
            _ => self.build.left_out(place, "not understood", notes),
        }
    }

    fn part(&mut self, mut part: Value, place: &str, notes: &mut Notes) {
        let kind = copied(&part, "type");
        match kind.as_str() {
            "text" => self.build.text(take_string(&mut part, "text"), place),
            "tool-invocation" => self.call(take(&mut part, "toolInvocation"), notes),
            "steering-message" => FromUser::of(take(&mut part, "parts")).hear(&mut self.build, true, notes),
            _ if kind == "dynamic-tool" || kind.starts_with("tool-") => self.call(part, notes),
            _ => {
                self.build.between();
                // A part without its kind may have been a call.
                if kind.is_empty() {
                    self.build.left_out(place, "not understood", notes);
                }
            }
        }
    }

    fn call(&mut self, mut part: Value, notes: &mut Notes) {
        let call = super::call(&mut part);
        match (answer(part), &call.id) {
            // A stream that goes on with an earlier message brings only what was still open: a result.
            (Some(answer), Some(id)) if call.tool.is_empty() => self.build.result(id, answer, notes),
            (answer, _) => self.build.call(call, answer, notes),
        }
    }
}

/// What the state of a part says of its call; `None` while it has no result.
fn answer(mut part: Value) -> Option<Answer> {
    let mut approval = take(&mut part, "approval");
    let declined = truth(&approval, "approved") == Some(false);
    match text(&part, "state") {
        "input-streaming" | "input-available" | "approval-requested" | "partial-call" | "call" => None,
        "approval-responded" if !declined => None,
        "approval-responded" | "output-denied" => {
            Some(super::refused(flag(&approval, "isAutomatic"), take_text(&mut approval, "reason")))
        }
        "output-error" => {
            let said = take_string(&mut part, "errorText");
            Some(Answer::plain(said, true, Some(Source::Field)))
        }
        "output-available" | "result" => {
            let mut answer = super::result(&mut part);
            answer.stated(Status::Ok);
            Some(answer)
        }
        _ => {
            let mut answer = super::result(&mut part);
            answer.status = Status::Unknown;
            Some(answer)
        }
    }
}
