//! goose: exported sessions, session files as lines, and the messages of `stream-json`.
//!
//! A call that could not be parsed is a request with an error; how a call ended stands in `toolResult`. Messages that the
//! person does not see were written by the host.

use super::blocks::output;
use super::build::{Answer, Builder};
use super::detect::{Format, FormatInfo, Hint};
use super::notes::Notes;
use super::value::{arguments, exit_status, flag, has, leaves, list, take, take_list, take_text, text};
use crate::record::{Call, Executor, Session, Source, Status};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

pub(super) const FORMAT: Format = Format {
    info: FormatInfo { name: "goose", about: "goose: exported sessions, session files, stream-json" },
    sniff,
    read,
};

/// Kinds of content that no other format has.
const KINDS: [&str; 5] =
    ["toolRequest", "toolResponse", "frontendToolRequest", "toolConfirmationRequest", "systemNotification"];

/// How the answers start that the host gives in the place of a result.
const REFUSED: [(&str, Status); 3] = [
    ("The user has declined to run this tool.", Status::Declined),
    ("Let the user know the tool call was skipped in goose chat mode.", Status::Denied),
    ("This tool call was blocked by a safety inspector", Status::Denied),
];

fn sniff(value: &Value) -> Option<Hint> {
    let mut seen = None;
    for message in messages(value) {
        let message = message.get("message").unwrap_or(message);
        let kind =
            list(message, "content").iter().find_map(|part| KINDS.into_iter().find(|k| *k == text(part, "type")));
        if let Some(kind) = kind {
            return Some(Hint::certain(kind));
        }
        let marked = message.get("metadata").is_some_and(|m| has(m, "userVisible") || has(m, "agentVisible"));
        if marked && has(message, "role") {
            seen = Some(Hint::certain("agentVisible"));
        }
    }
    seen
}

fn messages(value: &Value) -> &[Value] {
    match value {
        Value::Array(items) => items,
        object => {
            ["conversation", "messages"].into_iter().map(|key| list(object, key)).find(|l| !l.is_empty()).unwrap_or(&[])
        }
    }
}

fn read(mut value: Value, notes: &mut Notes) -> Session {
    let mut reader = Reader::default();
    let lines = match value {
        Value::Array(lines) => lines,
        ref mut object => {
            reader.build.id = take_text(object, "id");
            match take_list(object, "conversation") {
                none if none.is_empty() => take_list(object, "messages"),
                list => list,
            }
        }
    };
    for line in lines {
        reader.line(line, notes);
    }
    reader.build.finish(notes)
}

/// Reads messages one after another.
#[derive(Default)]
struct Reader {
    build: Builder,
    read: usize,
}

impl Reader {
    fn line(&mut self, mut line: Value, notes: &mut Notes) {
        let i = self.read;
        self.read += 1;
        let streamed = text(&line, "type") == "message";
        let mut message = if streamed { take(&mut line, "message") } else { line };
        if i == 0 && !has(&message, "role") && has(&message, "working_dir") {
            // The head of a session file.
            return;
        }
        let visible =
            message.get("metadata").and_then(|m| m.get("userVisible")).and_then(Value::as_bool).unwrap_or(true);
        let own = take_text(&mut message, "id").unwrap_or_else(|| i.to_string());
        let content = take(&mut message, "content");
        match (text(&message, "role"), content) {
            ("user", Value::Array(parts)) => self.user(parts, visible, notes),
            ("user", _) => self.build.unread_user(),
            ("assistant", Value::Array(parts)) => {
                for part in parts {
                    self.agent(part, &own, visible, notes);
                }
            }
            _ if matches!(text(&message, "type"), "notification" | "complete" | "error") => {}
            _ => {
                notes
                    .add("messages that were left out", format!("messages[{i}]: no message of a known role; left out"));
                self.build.gap(format!("messages[{i}] could not be read"));
            }
        }
    }

    fn user(&mut self, parts: Vec<Value>, visible: bool, notes: &mut Notes) {
        let (mut said, mut results, mut media, mut unread) = (Vec::new(), false, false, parts.is_empty());
        for mut part in parts {
            match text(&part, "type") {
                "toolResponse" => {
                    results = true;
                    let id = take_text(&mut part, "id").unwrap_or_default();
                    self.build.result(&id, answer(take(&mut part, "toolResult")), notes);
                }
                "text" => match take_text(&mut part, "text") {
                    Some(text) => said.push(text),
                    None => unread = true,
                },
                "" => unread = true,
                _ => media = true,
            }
        }
        let said = said.join("\n");
        if !said.trim().is_empty() && (results || !visible) {
            self.build.context(said);
        } else if !said.trim().is_empty() {
            self.build.user(Some(said));
        } else if unread {
            self.build.unread_user();
        } else if media && !results && visible {
            self.build.user(None);
        }
    }

    fn agent(&mut self, mut part: Value, key: &str, visible: bool, notes: &mut Notes) {
        match text(&part, "type") {
            "text" => match take_text(&mut part, "text") {
                Some(text) if visible => self.build.text(text, key),
                Some(text) => self.build.context(text),
                None => self.build.gap("a part of a message could not be read"),
            },
            "toolRequest" | "frontendToolRequest" => self.request(part, notes),
            "toolResponse" => {
                let id = take_text(&mut part, "id").unwrap_or_default();
                self.build.result(&id, answer(take(&mut part, "toolResult")), notes);
            }
            _ => self.build.between(),
        }
    }

    fn request(&mut self, mut part: Value, notes: &mut Notes) {
        let mut wanted = take(&mut part, "toolCall");
        let mut inner = take(&mut wanted, "value");
        let call = Call {
            tool: take_text(&mut inner, "name").unwrap_or_default(),
            arguments: arguments(take(&mut inner, "arguments")),
            id: take_text(&mut part, "id").filter(|id| !id.is_empty()),
            executor: Some(Executor::Client),
            ..Call::default()
        };
        // A call that could not be parsed never ran.
        let broken = (text(&wanted, "status") == "error").then(|| failed(take(&mut wanted, "error")));
        self.build.call(call, broken, notes);
    }
}

fn failed(error: Value) -> Answer {
    let error = leaves(error).0;
    Answer {
        output: Some(error.clone()),
        status: Status::Error,
        error: Some(error),
        source: Some(Source::Field),
        ..Answer::default()
    }
}

/// What a call returned: a list of contents, or since goose speaks MCP of today an object around it.
fn answer(mut result: Value) -> Answer {
    if text(&result, "status") == "error" {
        return failed(take(&mut result, "error"));
    }
    let mut value = take(&mut result, "value");
    if value.is_null() {
        return Answer::default();
    }
    let flagged = flag(&value, "isError");
    let exit = value.get("structuredContent").and_then(exit_status);
    let content = match value {
        Value::Array(parts) => parts,
        ref mut object => take_list(object, "content"),
    };
    let (output, truncated) = output(Value::Array(for_agent(content)));
    let refused = REFUSED.iter().find(|(start, _)| output.starts_with(start));
    let (status, source) = match refused {
        Some((_, status)) => (*status, Some(Source::Text)),
        None if flagged || exit.is_some_and(|code| code != 0) => (Status::Error, Some(Source::Field)),
        None => (Status::Ok, Some(Source::Field)),
    };
    Answer { output: Some(output), truncated, status, exit, error: None, source }
}

/// Tools write some contents twice, once for the person and once for the model: what the model read counts.
fn for_agent(parts: Vec<Value>) -> Vec<Value> {
    let audience = |part: &Value| -> Vec<String> {
        let direct = list(part, "audience").iter();
        let inner = part.get("annotations").map_or(&[][..], |notes| list(notes, "audience")).iter();
        direct.chain(inner).filter_map(Value::as_str).map(String::from).collect()
    };
    let seen = |part: &Value| {
        let audience = audience(part);
        audience.is_empty() || audience.iter().any(|who| who == "assistant")
    };
    if parts.iter().any(seen) {
        parts.into_iter().filter(seen).collect()
    } else {
        parts
    }
}
