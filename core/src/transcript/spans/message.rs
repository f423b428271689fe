//! Messages in spans: with parts, as the conventions have them, or as chats have them.

use crate::record::{Call, Executor};
use crate::transcript::blocks::output;
use crate::transcript::build::{Answer, Builder};
use crate::transcript::calls::Shape;
use crate::transcript::chat;
use crate::transcript::notes::Notes;
use crate::transcript::value::{
    arguments_text, at, copied, has, leaves, list, take, take_list, take_string, take_text, text,
};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

const CALL: Shape = Shape { tool: &["name"], arguments: &["arguments", "server_tool_call"], id: &["id"] };

/// The calls that a message makes: id, tool, arguments.
pub(super) fn calls_of(message: &Value) -> Vec<(String, String, Value)> {
    let parts = list(message, "parts").iter().filter(|part| text(part, "type") == "tool_call").map(|part| (part, part));
    let chat = list(message, "tool_calls").iter().map(|call| (call, call.get("function").unwrap_or(call)));
    let all = parts.chain(chat).map(|(call, inner)| {
        let arguments = inner.get("arguments").cloned().unwrap_or(Value::Null);
        (copied(call, "id"), copied(inner, "name"), arguments_text(arguments))
    });
    all.filter(|(id, ..)| !id.is_empty()).collect()
}

/// Reads one message and says whether it was a tool's.
pub(super) fn read(build: &mut Builder, mut message: Value, i: usize, after_tool: bool, notes: &mut Notes) -> bool {
    if !has(&message, "parts") {
        return chat::read_message(build, message, i, after_tool, notes);
    }
    let parts = take(&mut message, "parts");
    let role = copied(&message, "role");
    match (role.as_str(), parts) {
        ("assistant" | "model", Value::Array(parts)) => {
            for part in parts {
                agent(build, part, &i.to_string(), notes);
            }
        }
        ("user" | "tool", Value::Array(parts)) => return given(build, parts, role == "user", notes),
        ("user", _) => build.unread_user(),
        ("system" | "developer", Value::Array(parts)) => build.instructions(words(parts)),
        (role, _) => {
            let why = ["\"", role, "\" with no list of parts"].concat();
            build.left_out(&at("messages", i), &why, notes);
        }
    }
    false
}

/// The texts of parts.
pub(super) fn words(parts: Vec<Value>) -> Vec<String> {
    parts.into_iter().filter_map(|mut part| prose(&mut part).or_else(|| part.as_str().map(String::from))).collect()
}

/// The text of a part, by the conventions' key or by that of the APIs.
fn prose(part: &mut Value) -> Option<String> {
    take_text(part, "content").or_else(|| take_text(part, "text"))
}

fn agent(build: &mut Builder, mut part: Value, key: &str, notes: &mut Notes) {
    match text(&part, "type") {
        "text" => match prose(&mut part) {
            Some(text) => build.text(text, key),
            None => build.gap("a part of a message could not be read"),
        },
        "tool_call" => build.call(call(part, Executor::Client), None, notes),
        "server_tool_call" => build.call(call(part, Executor::Provider), None, notes),
        "tool_call_response" | "server_tool_call_response" => result(build, part, notes),
        "compaction" => {
            build.gap("the conversation was compacted");
            build.context(leaves(take(&mut part, "content")).0);
        }
        _ => build.between(),
    }
}

fn call(mut part: Value, executor: Executor) -> Call {
    CALL.call(&mut part, executor)
}

/// A result: its key is not the same everywhere, and an exporter may have left it out.
fn result(build: &mut Builder, mut part: Value, notes: &mut Notes) {
    let id = take_string(&mut part, "id");
    let keys = ["response", "result", "server_tool_call_response"];
    let found = keys.into_iter().map(|key| take(&mut part, key)).find(|found| !found.is_null());
    let answer = match found {
        None => Answer { truncated: true, ..Answer::default() },
        Some(value) => Answer::of(returned(value)),
    };
    build.result(&id, answer, notes);
}

/// What was returned: a text, contents, or any other JSON as it stands.
pub(super) fn returned(value: Value) -> (String, bool) {
    match value {
        Value::String(text) => (text, false),
        Value::Array(parts) if parts.iter().any(|part| has(part, "type")) => output(Value::Array(parts)),
        other => (other.to_string(), false),
    }
}

fn given(build: &mut Builder, parts: Vec<Value>, person: bool, notes: &mut Notes) -> bool {
    let (mut said, mut results, mut media, mut unread) = (Vec::new(), false, false, parts.is_empty());
    for mut part in parts {
        match text(&part, "type") {
            "tool_call_response" => {
                results = true;
                result(build, part, notes);
            }
            "text" => match prose(&mut part) {
                Some(text) => said.push(text),
                None => unread = true,
            },
            "" => unread = true,
            _ => media = true,
        }
    }
    build.heard(said.join("\n"), results || !person, media, unread);
    results
}

/// Parts that stand in a list, or in an object with one.
pub(super) fn parts_of(mut value: Value) -> Vec<Value> {
    match value {
        Value::Array(parts) => parts,
        Value::String(text) => alloc::vec![Value::String(text)],
        ref mut object => take_list(object, "parts"),
    }
}
