//! Anthropic Messages: a list of messages, a request, or a single response.
//!
//! A user message that holds nothing but results opens no turn; text that comes together with
//! results is mostly the host's reminder and never closes a turn either: it is context.

use super::blocks::{assistant, has_foreign_parts, system, telling_block, tools, FromUser, Message};
use super::build::Builder;
use super::detect::{Format, FormatInfo, Hint};
use super::lines::LineReader;
use super::notes::Notes;
use super::value::{at, has, list, take, take_list, take_text, text};
use crate::record::Session;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

pub(super) const FORMAT: Format = Format {
    info: FormatInfo { name: "anthropic", about: "Anthropic Messages: requests, responses, lists of messages" },
    sniff,
    read,
};

fn sniff(value: &Value) -> Option<Hint> {
    if text(value, "type") == "message" && has(value, "content") && has(value, "role") {
        return Some(Hint::certain("type: message"));
    }
    let messages = messages(value)?;
    // Mistral writes blocks of thinking too, beside calls in the manner of OpenAI.
    if messages.iter().any(|m| has(m, "tool_calls") || text(m, "role") == "tool" || has_foreign_parts(m)) {
        return None;
    }
    if let Some(kind) = messages.iter().find_map(telling_block) {
        return Some(Hint::certain(kind));
    }
    let typed = messages.iter().any(|m| text(m, "type") == "message" && has(m, "stop_reason"));
    if typed {
        return Some(Hint::certain("stop_reason"));
    }
    let spoken = |m: &Value| matches!(text(m, "role"), "user" | "assistant") && has(m, "content");
    if !messages.iter().any(spoken) {
        return None;
    }
    if has(value, "system") || list(value, "tools").iter().any(|tool| has(tool, "input_schema")) {
        return Some(Hint::likely(if has(value, "system") { "system" } else { "input_schema" }));
    }
    None
}

/// The messages of a conversation, wherever they stand.
fn messages(value: &Value) -> Option<&[Value]> {
    match value {
        Value::Array(items) => Some(items),
        other => other.get("messages").and_then(Value::as_array).map(Vec::as_slice),
    }
}

fn read(mut value: Value, notes: &mut Notes) -> Session {
    let mut build = Builder::default();
    let messages = match value {
        Value::Array(items) => items,
        ref mut object => {
            build.model(object);
            build.system = system(take(object, "system"));
            build.tools = tools(take(object, "tools"));
            build.id = take_text(object, "sessionId").or_else(|| take_text(object, "session_id"));
            match take_list(object, "messages") {
                none if none.is_empty() && text(object, "type") == "message" => alloc::vec![value],
                list => list,
            }
        }
    };
    let mut reader = Messages { build, ..Messages::default() };
    for message in messages {
        reader.line(message, notes);
    }
    reader.build.finish(notes)
}

/// Reads messages one after another.
#[derive(Default)]
pub(super) struct Messages {
    build: Builder,
    count: usize,
    state: State,
}

impl LineReader for Messages {
    fn line(&mut self, message: Value, notes: &mut Notes) {
        self.state.message(&mut self.build, message, self.count, notes);
        self.count += 1;
    }

    fn build(&mut self) -> &mut Builder {
        &mut self.build
    }
}

/// What is carried from one message to the next.
#[derive(Default)]
struct State {
    /// The key under which texts are joined.
    key: String,
    /// The model paused in the middle of its turn: the next message goes on with it.
    paused: bool,
}

impl State {
    fn message(&mut self, build: &mut Builder, mut message: Value, i: usize, notes: &mut Notes) {
        if !message.is_object() {
            return build.left_out(&at("messages", i), "no object", notes);
        }
        let content = take(&mut message, "content");
        match text(&message, "role") {
            "assistant" => {
                if !self.paused {
                    self.key = i.to_string();
                }
                build.model(&message);
                self.paused = text(&message, "stop_reason") == "pause_turn";
                assistant(build, content, Message { key: &self.key, ..Message::default() }, notes);
            }
            "user" => FromUser::of(content).hear(build, false, notes),
            "system" | "developer" => build.instructions(system(content)),
            role => {
                notes.add("messages of an unknown role", format!("messages[{i}].role: \"{role}\" is unknown"));
                build.unread(&at("messages", i));
            }
        }
    }
}
