//! pydantic-ai: a list of requests and responses, each with its parts.
//!
//! A request holds what the agent was given: the person's prompt, results, the framework's own feedback. A prompt that
//! comes together with results is not a new turn: the framework sends files of a result, and messages that the program
//! put in between, in that way. Only where all the results stand for calls that were cut off did the person go on.

use super::build::{Answer, Builder};
use super::detect::{Format, FormatInfo, Hint};
use super::notes::Notes;
use super::returned::returned;
use super::value::{arguments_text, has, items, leaves, list, push_line, take, take_items, take_list, take_text, text};
use crate::record::{Call, Executor, Session, Source, Status};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

pub(super) const FORMAT: Format = Format {
    info: FormatInfo { name: "pydantic-ai", about: "pydantic-ai: requests and responses with parts" },
    sniff,
    read,
};

/// Under what keys a list of messages is kept.
const LISTS: [&str; 3] = ["messages", "message_history", "all_messages"];

fn sniff(value: &Value) -> Option<Hint> {
    let known = |message: &Value| list(message, "parts").iter().any(|part| has(part, "part_kind"));
    (items(value, &LISTS).iter().any(known) || known(value)).then(|| Hint::certain("part_kind"))
}

fn read(mut value: Value, notes: &mut Notes) -> Session {
    let mut reader = Reader::default();
    let messages = if has(&value, "parts") { alloc::vec![value] } else { take_items(&mut value, &LISTS) };
    for message in messages {
        reader.line(message, notes);
    }
    reader.build.finish(notes)
}

#[derive(Default)]
struct Reader {
    build: Builder,
    /// How many messages were read.
    seen: usize,
    /// The instructions, which every request repeats.
    instructions: String,
}

impl Reader {
    fn line(&mut self, mut message: Value, notes: &mut Notes) {
        let place = format!("messages[{}]", self.seen);
        self.seen += 1;
        if let Some(id) = take_text(&mut message, "conversation_id") {
            self.build.id.get_or_insert(id);
        }
        match text(&message, "kind") {
            "request" => self.request(message, &place, notes),
            "response" => self.response(message, &place, notes),
            _ => self.lost(&place, notes),
        }
    }

    /// What could not be read may have been anything: the record has a gap.
    fn lost(&mut self, place: &str, notes: &mut Notes) {
        notes.add("messages that were left out", format!("{place}: not understood; left out"));
        self.build.gap(format!("{place} could not be read"));
    }

    fn request(&mut self, mut message: Value, place: &str, notes: &mut Notes) {
        let instructions = take_text(&mut message, "instructions").unwrap_or_default();
        let instructed = !instructions.is_empty();
        if instructed && instructions != self.instructions {
            self.build.instructions(alloc::vec![instructions.clone()]);
            self.instructions = instructions;
        }
        let parts = take_list(&mut message, "parts");
        if parts.is_empty() && text(&message, "state") != "interrupted" {
            if instructed {
                // The agent was started with its instructions alone.
                self.build.user(None);
            } else {
                self.build.unread_user();
            }
        }
        let mut results = parts.iter().filter(|part| returns(part)).peekable();
        let answers = results.peek().is_some() && !results.all(|part| text(part, "outcome") == "interrupted");
        let mut said = Said::default();
        for (j, part) in parts.into_iter().enumerate() {
            self.given(part, &mut said, &format!("{place}.parts[{j}]"), notes);
        }
        match (answers, said.text.is_empty()) {
            (true, false) => self.build.context(said.text),
            (false, false) => self.build.user(Some(said.text)),
            (false, true) if said.media => self.build.user(None),
            (_, true) if said.unread => self.build.unread_user(),
            _ => {}
        }
    }

    /// A part of a request.
    fn given(&mut self, mut part: Value, said: &mut Said, place: &str, notes: &mut Notes) {
        let kind = text(&part, "part_kind").to_string();
        match kind.as_str() {
            "user-prompt" => said.hear(take(&mut part, "content")),
            "speech" => said.hear(take_text(&mut part, "transcript").map_or(Value::Array(Vec::new()), Value::String)),
            "system-prompt" => self.build.instructions(alloc::vec![leaves(take(&mut part, "content")).0]),
            _ if returns(&part) => self.result(part, notes),
            "retry-prompt" | "retry-feedback" => self.build.context(leaves(take(&mut part, "content")).0),
            "compaction" => self.compaction(part),
            _ if kind.starts_with("instruction") => self.build.context(leaves(take(&mut part, "content")).0),
            _ if kind.ends_with("-delta") => {}
            _ => self.lost(place, notes),
        }
    }

    fn result(&mut self, mut part: Value, notes: &mut Notes) {
        let id = take_text(&mut part, "tool_call_id").unwrap_or_default();
        let name = take_text(&mut part, "tool_name").unwrap_or_default();
        let answer = answer(part);
        if id.is_empty() {
            self.build.result_named(&name, answer, notes);
        } else {
            self.build.result(&id, answer, notes);
        }
    }

    fn compaction(&mut self, mut part: Value) {
        self.build.compacted();
        self.build.context(take_text(&mut part, "content").unwrap_or_default());
    }

    fn response(&mut self, mut message: Value, place: &str, notes: &mut Notes) {
        let at = take_text(&mut message, "timestamp");
        if !message.get("parts").is_some_and(Value::is_array) {
            return self.lost(place, notes);
        }
        for (j, mut part) in take_list(&mut message, "parts").into_iter().enumerate() {
            let kind = text(&part, "part_kind").to_string();
            match kind.as_str() {
                "text" => self.build.text(take_text(&mut part, "content").unwrap_or_default(), place),
                "speech" => self.build.text(take_text(&mut part, "transcript").unwrap_or_default(), place),
                "tool-call" => self.build.call(call(part, at.clone(), Executor::Client), None, notes),
                "builtin-tool-call" => self.build.call(call(part, at.clone(), Executor::Provider), None, notes),
                "builtin-tool-return" => self.result(part, notes),
                "compaction" => self.compaction(part),
                "thinking" | "file" => self.build.between(),
                _ => self.lost(&format!("{place}.parts[{j}]"), notes),
            }
        }
    }
}

/// Whether a part of a request is what a call gave back. An old `retry-prompt` is one where it names a tool.
fn returns(part: &Value) -> bool {
    match text(part, "part_kind") {
        "tool-return" | "builtin-tool-return" => true,
        "retry-prompt" => has(part, "tool_name"),
        _ => false,
    }
}

fn call(mut part: Value, at: Option<String>, executor: Executor) -> Call {
    Call {
        tool: take_text(&mut part, "tool_name").unwrap_or_default(),
        arguments: arguments_text(take(&mut part, "args")),
        id: take_text(&mut part, "tool_call_id").filter(|id| !id.is_empty()),
        at,
        executor: Some(executor),
        ..Call::default()
    }
}

/// How a call ended; a record of an older version has no word for it.
fn answer(mut part: Value) -> Answer {
    let retry = text(&part, "part_kind") == "retry-prompt";
    let status = match text(&part, "outcome") {
        "failed" | "retried" => Status::Error,
        "denied" => Status::Denied,
        "interrupted" => Status::Cancelled,
        "" if retry => Status::Error,
        "" | "success" => Status::Ok,
        _ => Status::Unknown,
    };
    let stated = has(&part, "outcome");
    let content = take(&mut part, "content");
    let mut read = if files(&content) {
        let mut said = Said::default();
        said.hear(content);
        Answer { truncated: said.media, ..Answer::plain(said.text, false, None) }
    } else {
        returned(content)
    };
    if status != Status::Ok {
        read.status = status;
    }
    if retry || stated {
        read.source = Some(Source::Field);
    }
    read
}

/// Whether some of a result is a file or a text beside one.
fn files(content: &Value) -> bool {
    let file =
        |item: &Value| has(item, "kind") && (has(item, "media_type") || has(item, "url") || has(item, "content"));
    file(content) || content.as_array().is_some_and(|items| items.iter().any(file))
}

/// What a person wrote, or a tool gave back, in texts and files.
#[derive(Default)]
struct Said {
    text: String,
    media: bool,
    /// Some of it is of a wrong type: it may have been a person's words.
    unread: bool,
}

impl Said {
    fn hear(&mut self, content: Value) {
        let parts = match content {
            Value::Array(parts) => parts,
            whole @ (Value::String(_) | Value::Object(_)) => alloc::vec![whole],
            _ => {
                self.unread = true;
                return;
            }
        };
        self.unread |= parts.is_empty();
        for mut part in parts {
            match (&part, text(&part, "kind")) {
                (Value::String(text), _) => push_line(&mut self.text, text),
                (_, "text-content" | "structured-content") => {
                    push_line(&mut self.text, &returned(take(&mut part, "content")).output.unwrap_or_default());
                }
                (_, "cache-point") => {}
                (_, "") => self.unread = true,
                _ => self.media = true,
            }
        }
    }
}
