//! pydantic-ai: a list of requests and responses, each with its parts.
//!
//! A request holds what the agent was given: the person's prompt, results, the framework's own feedback. A prompt that
//! comes together with results is not a new turn: the framework sends files of a result, and messages that the program
//! put in between, in that way. Only where all the results stand for calls that were cut off did the person go on.

use super::blocks::FromUser;
use super::build::{Answer, Builder};
use super::calls::Shape;
use super::detect::{Format, FormatInfo, Hint};
use super::notes::Notes;
use super::returned::returned;
use super::value::{
    at, copied, has, is_list, items, leaves, list, listed, take, take_items, take_list, take_string, take_text,
    take_word, text,
};
use crate::record::{Executor, Session, Status};
use alloc::string::String;
use alloc::vec::Vec;
use serde_json::Value;

pub(super) const FORMAT: Format = Format {
    info: FormatInfo { name: "pydantic-ai", about: "pydantic-ai: requests and responses with parts" },
    sniff,
    read,
};

/// Under what keys a list of messages is kept.
const LISTS: [&str; 3] = ["messages", "message_history", "all_messages"];

const CALL: Shape = Shape { tool: &["tool_name"], arguments: &["args"], id: &["tool_call_id"] };

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
        let place = at("messages", self.seen);
        let place = place.as_str();
        self.seen += 1;
        if let Some(id) = take_text(&mut message, "conversation_id") {
            self.build.id.get_or_insert(id);
        }
        match text(&message, "kind") {
            "request" => self.request(message, place, notes),
            "response" => self.response(message, place, notes),
            _ => self.build.left_out(place, "not understood", notes),
        }
    }

    fn request(&mut self, mut message: Value, place: &str, notes: &mut Notes) {
        let instructions = take_string(&mut message, "instructions");
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
        let mut said = Vec::new();
        for part in parts {
            self.given(part, &mut said, place, notes);
        }
        if !said.is_empty() {
            FromUser::of(Value::Array(said)).hear(&mut self.build, answers, notes);
        }
    }

    /// A part of a request.
    fn given(&mut self, mut part: Value, said: &mut Vec<Value>, place: &str, notes: &mut Notes) {
        let kind = copied(&part, "part_kind");
        let content = take(&mut part, if kind == "speech" { "transcript" } else { "content" });
        match kind.as_str() {
            "user-prompt" | "speech" => said.extend(plain(content)),
            "system-prompt" => self.build.instructions(alloc::vec![leaves(content).0]),
            _ if returns(&part) => self.result(part, content, notes),
            "retry-prompt" | "retry-feedback" => self.build.context(leaves(content).0),
            "compaction" => self.compaction(content),
            _ if kind.starts_with("instruction") => self.build.context(leaves(content).0),
            _ if kind.ends_with("-delta") => {}
            _ => self.build.left_out(place, "not understood", notes),
        }
    }

    fn result(&mut self, mut part: Value, content: Value, notes: &mut Notes) {
        let id = take_word(&mut part, &["tool_call_id"]);
        let answer = answer(&part, content);
        self.build.returned(&id, text(&part, "tool_name"), answer, notes);
    }

    fn compaction(&mut self, content: Value) {
        self.build.compacted();
        self.build.context(leaves(content).0);
    }

    fn response(&mut self, mut message: Value, place: &str, notes: &mut Notes) {
        let at = take_text(&mut message, "timestamp");
        self.build.model(&message);
        if !is_list(&message, "parts") {
            return self.build.left_out(place, "not understood", notes);
        }
        for mut part in take_list(&mut message, "parts") {
            let kind = copied(&part, "part_kind");
            match kind.as_str() {
                "text" | "speech" => self.build.text(take_word(&mut part, &["content", "transcript"]), place),
                "tool-call" | "builtin-tool-call" => {
                    let executor = if kind == "tool-call" { Executor::Client } else { Executor::Provider };
                    let mut call = CALL.call(&mut part, executor);
                    call.at.clone_from(&at);
                    self.build.call(call, None, notes);
                }
                "builtin-tool-return" => {
                    let content = take(&mut part, "content");
                    self.result(part, content, notes);
                }
                "compaction" => self.compaction(take(&mut part, "content")),
                "thinking" | "file" => self.build.between(),
                _ => self.build.left_out(place, "not understood", notes),
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

/// How a call ended; a record of an older version has no word for it.
fn answer(part: &Value, content: Value) -> Answer {
    let retry = text(part, "part_kind") == "retry-prompt";
    let status = match text(part, "outcome") {
        "failed" | "retried" => Status::Error,
        "denied" => Status::Denied,
        "interrupted" => Status::Cancelled,
        "" if retry => Status::Error,
        "" | "success" => Status::Ok,
        _ => Status::Unknown,
    };
    let mut answer = if files(&content) {
        let parts = FromUser::of(Value::Array(plain(content)));
        let mut answer = Answer::plain(parts.texts.join("\n"), false, None);
        answer.truncated = parts.media;
        answer
    } else {
        returned(content)
    };
    if retry || has(part, "outcome") {
        answer.stated(status);
    }
    answer
}

/// Whether some of a result is a file or a text beside one.
fn files(content: &Value) -> bool {
    let file =
        |item: &Value| has(item, "kind") && (has(item, "media_type") || has(item, "url") || has(item, "content"));
    file(content) || content.as_array().is_some_and(|items| items.iter().any(file))
}

/// What a person wrote, or a tool gave back, as texts and files.
fn plain(content: Value) -> Vec<Value> {
    let mut parts = listed(content);
    parts.retain(|part| text(part, "kind") != "cache-point");
    for part in &mut parts {
        if matches!(text(part, "kind"), "text-content" | "structured-content") {
            *part = Value::String(leaves(take(part, "content")).0);
        }
    }
    if parts.is_empty() {
        // Nothing that can be read: a message all the same.
        parts.push(Value::Null);
    }
    parts
}
