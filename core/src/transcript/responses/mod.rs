//! OpenAI Responses: lists of items, requests with `input`, response envelopes.
//!
//! A request may hold only the newest items while the server keeps the others: then every turn says so.

mod hosted;
mod items;

use super::blocks::{system, tools};
use super::detect::{Format, FormatInfo, Hint};
use super::notes::Notes;
use super::value::{has, is_list, list, take, take_list, take_text, text};
use crate::record::Session;
use alloc::string::ToString;
use serde_json::Value;

pub(super) use hosted::{ended, shell_json};
pub(super) use items::{returned, Items, Place, REFUSED};

pub(super) const FORMAT: Format = Format {
    info: FormatInfo { name: "openai-responses", about: "OpenAI Responses: items, requests, responses" },
    sniff,
    read,
};

/// Why turns are incomplete whose earlier items the server keeps.
pub(super) const KEPT: &str = "earlier items are kept by the server and are not in the record";

/// Tools that the server runs. Calls of all others come back in the input of the next request.
const SERVED: [&str; 5] = ["web_search", "file_search", "code_interpreter", "image_generation", "mcp"];

/// Kinds of items that only this API has, each with a key that must stand beside it.
const TELLING: [(&str, &str); 19] = [
    ("function_call", "call_id"),
    ("function_call_output", "call_id"),
    ("custom_tool_call", "call_id"),
    ("custom_tool_call_output", "call_id"),
    ("local_shell_call", "action"),
    ("shell_call", "action"),
    ("shell_call_output", "output"),
    ("apply_patch_call", "operation"),
    ("apply_patch_call_output", "call_id"),
    ("mcp_call", "server_label"),
    ("mcp_list_tools", "server_label"),
    ("mcp_approval_request", "server_label"),
    ("web_search_call", "id"),
    ("file_search_call", "queries"),
    ("code_interpreter_call", "code"),
    ("image_generation_call", "id"),
    ("computer_call", "call_id"),
    ("reasoning", "summary"),
    ("reasoning", "encrypted_content"),
];

fn sniff(value: &Value) -> Option<Hint> {
    if is_response(value) {
        return Some(Hint::certain("object: response"));
    }
    let lists = match value {
        Value::Array(items) => [items.as_slice(), &[], &[]],
        other => ["input", "output", "items"].map(|key| list(other, key)),
    };
    for list in lists {
        if let Some(hint) = list.iter().find_map(sniff_item) {
            return Some(hint);
        }
    }
    let asked = match value.get("input") {
        Some(Value::String(_)) => {
            has(value, "model") && !has(value, "voice") && BESIDE.iter().any(|key| has(value, key))
        }
        Some(Value::Array(items)) => items.iter().any(|item| has(item, "role") && has(item, "content")),
        _ => false,
    };
    asked.then(|| Hint::likely("input"))
}

/// What stands beside the input of a request of this API; a text to be spoken or embedded has an input and a model too.
const BESIDE: [&str; 8] = [
    "output",
    "tools",
    "instructions",
    "previous_response_id",
    "conversation",
    "max_output_tokens",
    "reasoning",
    "store",
];

fn is_response(value: &Value) -> bool {
    text(value, "object") == "response" && is_list(value, "output")
}

/// Whether an item is one that only this API has.
fn sniff_item(item: &Value) -> Option<Hint> {
    let kind = text(item, "type");
    if let Some((kind, _)) = TELLING.into_iter().find(|(k, key)| *k == kind && has(item, key)) {
        return Some(Hint::certain(kind));
    }
    let typed = |kind: &&str| has(item, "role") && list(item, "content").iter().any(|part| text(part, "type") == *kind);
    ["output_text", "input_text"].into_iter().find(typed).map(Hint::certain)
}

fn read(value: Value, notes: &mut Notes) -> Session {
    let mut items = Items::default();
    match value {
        Value::Array(list) => items.all("items", list, notes),
        mut object => {
            head(&mut items, &mut object);
            items.asked(take(&mut object, "input"), notes);
            for key in ["messages", "output", "items"] {
                let list = take_list(&mut object, key);
                items.all(key, list, notes);
            }
            if !matches!(text(&object, "status"), "" | "completed") {
                items.build.gap("the response was not finished");
            }
        }
    }
    items.build.finish(notes)
}

/// What a request or a response says beside its items.
fn head(items: &mut Items, object: &mut Value) {
    let build = &mut items.build;
    build.model(object);
    build.system = system(take(object, "instructions"));
    let offered = take(object, "tools");
    let any =
        |of: fn(&str) -> bool| offered.as_array().is_some_and(|all| all.iter().any(|tool| of(text(tool, "type"))));
    // The tools of a server are not named in the request.
    let open = any(|kind| kind == "mcp");
    if object.get("input").is_none() && is_response(object) && any(|kind| !SERVED.iter().any(|s| kind.starts_with(s))) {
        build.lacks("the input of the response is not in the record");
    }
    build.tools = tools(offered).filter(|_| !open);
    let mut conversation = take(object, "conversation");
    build.id = conversation.as_str().map(ToString::to_string).or_else(|| take_text(&mut conversation, "id"));
    if build.id.is_some() || has(object, "previous_response_id") {
        build.lacks(KEPT);
    }
}
