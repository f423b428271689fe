//! OpenTelemetry's conventions for generative AI, in their present form and in the two before it: messages as attributes,
//! as events, and as `gen_ai.prompt.0.role`.

use super::dialogue::{session, Ran, Said, Work};
use super::message::{parts_of, returned, words};
use super::{messages, sniffed, tree, Span};
use crate::record::Session;
use crate::transcript::detect::{Format, FormatInfo, Hint};
use crate::transcript::notes::Notes;
use crate::transcript::value::{arguments_text, copied, has, put, take};
use alloc::string::String;
use alloc::vec::Vec;
use serde_json::{json, Value};

pub(super) const FORMAT: Format = Format {
    info: FormatInfo { name: "otel-genai", about: "OpenTelemetry spans of generative AI (gen_ai.*)" },
    sniff,
    read,
};

/// Attributes and events that hold messages.
const TELLING: [&str; 3] = ["gen_ai.", "events", "all_messages_events"];

fn sniff(value: &Value) -> Option<Hint> {
    if sniffed(value, &["openinference."]) && !sniffed(value, &["gen_ai.input.", "gen_ai.output.", "gen_ai.prompt."]) {
        return None;
    }
    sniffed(value, &["gen_ai."]).then(|| Hint::certain("gen_ai"))
}

fn read(value: Value, notes: &mut Notes) -> Session {
    session(value, notes, work)
}

fn work(span: &mut Span) -> Work {
    let operation = span.text("gen_ai.operation.name").unwrap_or_default();
    let has_any =
        |span: &Span, starts: &[&str]| span.attributes.keys().any(|k| starts.iter().any(|s| k.starts_with(s)));
    match operation.as_str() {
        "execute_tool" => Work::Tool(tool(span)),
        "invoke_agent" | "create_agent" | "invoke_workflow" => Work::Agent(said(span)),
        "embeddings" | "retrieval" => Work::Other,
        _ if has_any(span, &["gen_ai.tool.name", "gen_ai.tool.call."]) => Work::Tool(tool(span)),
        "" if !has_any(span, &["gen_ai.input.", "gen_ai.output.", "gen_ai.prompt.", "gen_ai.request."]) => {
            if has_any(span, &["gen_ai.agent.", "pydantic_ai.all_messages", "all_messages_events"]) {
                Work::Agent(said(span))
            } else {
                Work::Other
            }
        }
        _ => Work::Chat(said(span)),
    }
}

fn tool(span: &mut Span) -> Ran {
    let tool = span.text("gen_ai.tool.name").unwrap_or_else(|| {
        let name = core::mem::take(&mut span.name);
        name.strip_prefix("execute_tool ").map(String::from).unwrap_or(name)
    });
    let result = span.first(&["gen_ai.tool.call.result", "tool_response"]);
    Ran {
        id: span.text("gen_ai.tool.call.id"),
        tool,
        arguments: arguments_text(span.first(&["gen_ai.tool.call.arguments", "tool_arguments"])),
        output: (!result.is_null()).then(|| returned(result).0),
        error: span.failure(),
    }
}

fn said(span: &mut Span) -> Said {
    let mut said = Said::default();
    let spread = core::mem::take(&mut span.events);
    let mut old = Vec::new();
    for mut event in spread {
        let name = copied(&event, "name");
        let Value::Object(fields) = take(&mut event, "attributes") else { continue };
        if name.starts_with("gen_ai.client.inference") {
            for (key, value) in fields {
                span.attributes.entry(key).or_insert(value);
            }
        } else if name.starts_with(TELLING[0]) {
            let mut fields = Value::Object(fields);
            if let Some(map) = fields.as_object_mut() {
                put(map, "event.name", name.into());
            }
            old.push(fields);
        }
    }
    old.append(&mut messages(span.first(&[TELLING[1], TELLING[2]]), "", &mut said.cut));
    let system =
        messages(span.first(&["gen_ai.system_instructions", "gen_ai.system.instructions"]), "system", &mut said.cut);
    said.system = words(system.into_iter().flat_map(parts_of_system).collect());
    said.input = messages(span.first(&["gen_ai.input.messages", "pydantic_ai.all_messages"]), "user", &mut said.cut);
    said.output = messages(span.first(&["gen_ai.output.messages"]), "assistant", &mut said.cut);
    said.tools = match span.first(&["gen_ai.tool.definitions"]) {
        text @ Value::String(_) => Value::Array(messages(text, "", &mut said.cut)),
        other => other,
    };
    for event in old {
        from_event(event, &mut said);
    }
    if said.input.is_empty() && said.output.is_empty() {
        said.input = tree::list(&mut span.attributes, "gen_ai.prompt").into_iter().map(numbered).collect();
        said.output = tree::list(&mut span.attributes, "gen_ai.completion").into_iter().map(numbered).collect();
    }
    said
}

/// Instructions are parts, or messages with parts.
fn parts_of_system(part: Value) -> Vec<Value> {
    if has(&part, "parts") {
        parts_of(part)
    } else {
        alloc::vec![part]
    }
}

/// The events of the former conventions: `gen_ai.user.message` and its like hold what the model was given, `gen_ai.choice`
/// what it answered.
fn from_event(mut event: Value, said: &mut Said) {
    let name = copied(&event, "event.name");
    if let body @ Value::Object(_) = take(&mut event, "body") {
        event = body;
    }
    if name == "gen_ai.choice" {
        let message = match take(&mut event, "message") {
            Value::String(text) => serde_json::from_str(&text).unwrap_or_else(|_| json!({ "content": text })),
            Value::Null => event,
            message => message,
        };
        said.output.push(roled(message, "assistant"));
    } else if let Some(role) = name.strip_prefix("gen_ai.").and_then(|rest| rest.strip_suffix(".message")) {
        said.input.push(roled(event, role));
    }
}

/// A message as chats have it; that of a tool names the call by its own id.
fn roled(mut message: Value, role: &str) -> Value {
    if let Some(calls) = message.get_mut("tool_calls").filter(|calls| calls.is_string()) {
        *calls = serde_json::from_str(calls.as_str().unwrap_or("")).unwrap_or(Value::Null);
    }
    let id = if role == "tool" { take(&mut message, "id") } else { Value::Null };
    if let Some(map) = message.as_object_mut() {
        map.entry("role").or_insert_with(|| role.into());
        if !id.is_null() {
            map.entry("tool_call_id").or_insert(id);
        }
    }
    message
}

/// A message whose lists were written out by number.
fn numbered(mut message: Value) -> Value {
    let calls = tree::items(take(&mut message, "tool_calls"));
    if let Some(map) = message.as_object_mut() {
        let role = if calls.is_empty() { "user" } else { "assistant" };
        map.entry("role").or_insert_with(|| role.into());
        if !calls.is_empty() {
            put(map, "tool_calls", Value::Array(calls));
        }
    }
    message
}
