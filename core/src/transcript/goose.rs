//! goose: exported sessions, session files as lines, and the messages of `stream-json`.
//!
//! A call that could not be parsed is a request with an error; how a call ended stands in `toolResult`. Messages that the
//! person does not see were written by the host.

use super::blocks::output;
use super::build::{Answer, Builder};
use super::calls::client;
use super::detect::{Format, FormatInfo, Hint};
use super::notes::Notes;
use super::value::{
    at, exit_status, flag, has, items, leaves, list, take, take_id, take_items, take_string, take_text, text,
};
use crate::record::{Session, Source, Status};
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

/// Where an exported session keeps its messages.
const LISTS: [&str; 2] = ["conversation", "messages"];

/// How the answers start that the host gives in the place of a result.
const REFUSED: [(&str, Status); 3] = [
    ("The user has declined to run this tool.", Status::Declined),
    ("Let the user know the tool call was skipped in goose chat mode.", Status::Denied),
    ("This tool call was blocked by a safety inspector", Status::Denied),
];

fn sniff(value: &Value) -> Option<Hint> {
    let mut seen = None;
    for message in items(value, &LISTS) {
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

fn read(mut value: Value, notes: &mut Notes) -> Session {
    let mut reader = Reader::default();
    reader.build.model(&value);
    reader.build.id = take_text(&mut value, "id");
    for line in take_items(&mut value, &LISTS) {
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
                self.build.left_out(&at("messages", i), "no message of a known role", notes);
            }
        }
    }

    fn user(&mut self, parts: Vec<Value>, visible: bool, notes: &mut Notes) {
        let (mut said, mut results, mut media, mut unread) = (Vec::new(), false, false, parts.is_empty());
        for mut part in parts {
            match text(&part, "type") {
                "toolResponse" => {
                    results = true;
                    let id = take_string(&mut part, "id");
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
        self.build.heard(said.join("\n"), results || !visible, media, unread);
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
                let id = take_string(&mut part, "id");
                self.build.result(&id, answer(take(&mut part, "toolResult")), notes);
            }
            _ => self.build.between(),
        }
    }

    fn request(&mut self, mut part: Value, notes: &mut Notes) {
        let mut wanted = take(&mut part, "toolCall");
        let mut inner = take(&mut wanted, "value");
        let call = client(take_string(&mut inner, "name"), take(&mut inner, "arguments"), take_id(&mut part, "id"));
        // A call that could not be parsed never ran.
        let broken = (text(&wanted, "status") == "error").then(|| Answer::failed(leaves(take(&mut wanted, "error")).0));
        self.build.call(call, broken, notes);
    }
}

/// What a call returned: a list of contents, or since goose speaks MCP of today an object around it.
fn answer(mut result: Value) -> Answer {
    if text(&result, "status") == "error" {
        return Answer::failed(leaves(take(&mut result, "error")).0);
    }
    let mut value = take(&mut result, "value");
    if value.is_null() {
        return Answer::default();
    }
    let flagged = flag(&value, "isError");
    let exit = value.get("structuredContent").and_then(exit_status);
    let content = take_items(&mut value, &["content"]);
    let mut answer = Answer::of(output(Value::Array(for_agent(content))));
    answer.stated(if flagged { Status::Error } else { Status::Ok });
    answer.exited(exit);
    let said = answer.output.as_deref().unwrap_or_default();
    if let Some((_, status)) = REFUSED.iter().find(|(start, _)| said.starts_with(start)) {
        (answer.status, answer.source) = (*status, Some(Source::Text));
    }
    answer
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
