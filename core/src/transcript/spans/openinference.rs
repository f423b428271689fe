//! OpenInference: spans with `openinference.span.kind`, whose messages are written out attribute by attribute.

use super::dialogue::{session, Ran, Said, Work};
use super::{sniffed, tree, Span};
use crate::record::Session;
use crate::transcript::detect::{Format, FormatInfo, Hint};
use crate::transcript::notes::Notes;
use crate::transcript::value::{arguments_text, copied, put, take};
use alloc::string::String;
use alloc::vec::Vec;
use serde_json::{json, Map, Value};

pub(super) const FORMAT: Format = Format {
    info: FormatInfo { name: "openinference", about: "OpenInference spans, as Phoenix collects them" },
    sniff,
    read,
};

fn sniff(value: &Value) -> Option<Hint> {
    if sniffed(value, &["openinference."]) {
        return Some(Hint::certain("openinference.span.kind"));
    }
    sniffed(value, &["llm.input_messages", "llm.output_messages"]).then(|| Hint::certain("llm.input_messages"))
}

fn read(value: Value, notes: &mut Notes) -> Session {
    session(value, notes, work)
}

fn work(span: &mut Span) -> Work {
    let kind = span.text("openinference.span.kind").unwrap_or_default();
    match kind.as_str() {
        "TOOL" => Work::Tool(tool(span)),
        "AGENT" | "CHAIN" => {
            let said = |role: &str, value: Option<String>| -> Vec<Value> {
                value.map(|text| json!({"role": role, "content": text})).into_iter().collect()
            };
            let (input, output) =
                (said("user", span.text("input.value")), said("assistant", span.text("output.value")));
            let said = Said { input, output, ..Said::default() };
            if kind == "AGENT" || span.parent.is_empty() {
                Work::Agent(said)
            } else {
                Work::Other
            }
        }
        "LLM" => Work::Chat(chat(span)),
        "" if span.attributes.keys().any(|key| key.starts_with("llm.input_messages")) => Work::Chat(chat(span)),
        _ => Work::Other,
    }
}

fn tool(span: &mut Span) -> Ran {
    let input = span.first(&["tool_call.function.arguments", "tool.parameters", "input.value"]);
    Ran {
        id: span.text("tool_call.id").or_else(|| span.text("tool.call_id")).or_else(|| span.text("tool.id")),
        tool: span.text("tool.name").unwrap_or_else(|| core::mem::take(&mut span.name)),
        arguments: arguments_text(input),
        output: tree::as_text(span.first(&["output.value"])),
        error: span.failure(),
    }
}

fn chat(span: &mut Span) -> Said {
    let mut list = |name: &str| -> Vec<Value> {
        tree::list(&mut span.attributes, name).into_iter().map(|mut item| message(take(&mut item, "message"))).collect()
    };
    let (input, output) = (list("llm.input_messages"), list("llm.output_messages"));
    let offered = tree::list(&mut span.attributes, "llm.tools").into_iter().filter_map(|mut tool| {
        let mut schema = take(&mut tool, "tool");
        match take(&mut schema, "json_schema") {
            Value::String(text) => serde_json::from_str(&text).ok(),
            Value::Null => Some(schema),
            other => Some(other),
        }
    });
    let offered: Vec<Value> = offered.collect();
    let tools = if offered.is_empty() { Value::Null } else { Value::Array(offered) };
    Said { input, output, tools, ..Said::default() }
}

/// A message as chats have it.
fn message(mut found: Value) -> Value {
    let mut out = Map::new();
    for key in ["role", "content", "tool_call_id", "name"] {
        match take(&mut found, key) {
            Value::Null => {}
            value => put(&mut out, key, value),
        }
    }
    let contents: Vec<Value> = tree::items(take(&mut found, "contents")).into_iter().map(content).collect();
    if !contents.is_empty() {
        put(&mut out, "content", Value::Array(contents));
    }
    let calls = tree::items(take(&mut found, "tool_calls")).into_iter().map(|mut item| {
        let mut call = take(&mut item, "tool_call");
        json!({"id": take(&mut call, "id"), "function": take(&mut call, "function")})
    });
    let calls: Vec<Value> = calls.collect();
    if !calls.is_empty() {
        put(&mut out, "tool_calls", Value::Array(calls));
    }
    Value::Object(out)
}

fn content(mut item: Value) -> Value {
    let mut content = take(&mut item, "message_content");
    let kind: String = copied(&content, "type");
    json!({"type": kind, "text": take(&mut content, "text")})
}
