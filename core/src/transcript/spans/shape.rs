//! The shapes in which spans come: the protocol's, those of the SDKs, and those of collectors.

use super::tree;
use crate::transcript::value::{copied, has, take, take_list, text};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{json, Map, Value};

/// Keys under which lists of spans stand.
const LISTS: [&str; 10] = [
    "resourceSpans",
    "resource_spans",
    "batches",
    "scopeSpans",
    "scope_spans",
    "instrumentationLibrarySpans",
    "spans",
    "data",
    "observations",
    "result",
];

/// Keys of attributes that tell of a model's work start so.
const TELLING: [&str; 3] = ["gen_ai.", "openinference.", "llm."];

/// Whether the spans in a value, as far as one looks, tell of a model's work.
pub(super) fn is_spans(value: &Value) -> bool {
    let mut open = alloc::vec![(value, 0)];
    while let Some((value, depth)) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(_) if is_span(value) => {
                let work = observed(value).is_some_and(|operation| !operation.is_empty());
                if work || keys(value).any(|key| TELLING.iter().any(|start| key.starts_with(start))) {
                    return true;
                }
            }
            Value::Object(_) if depth < 8 && !has(value, "role") && !has(value, "parts") => {
                open.extend(LISTS.into_iter().filter_map(|key| value.get(key)).map(|inner| (inner, depth + 1)));
            }
            _ => {}
        }
    }
    false
}

fn is_span(value: &Value) -> bool {
    let named = ["spanId", "span_id", "context", "context.span_id"].into_iter().any(|key| has(value, key));
    let traced = has(value, "traceId") || has(value, "trace_id");
    named && keys(value).next().is_some()
        || traced && has(value, "id") && (observed(value).is_some() || keys(value).next().is_some())
}

/// What a kind of observation is as an operation, for collectors that name kinds of their own.
fn observed(value: &Value) -> Option<&'static str> {
    match text(value, "type") {
        "GENERATION" => Some("chat"),
        "TOOL" => Some("execute_tool"),
        "AGENT" => Some("invoke_agent"),
        "SPAN" | "EVENT" | "CHAIN" | "RETRIEVER" => Some(""),
        _ => None,
    }
}

/// The keys of a span's attributes.
fn keys(value: &Value) -> impl Iterator<Item = &str> {
    let metadata = value.get("metadata").and_then(|metadata| metadata.get("attributes"));
    let attributes = value.get("attributes").or(metadata);
    let flat = attributes.and_then(Value::as_object).into_iter().flatten().map(|(key, inner)| match inner {
        // Some collectors nest attributes: {"llm": {"model_name": …}}.
        Value::Object(_) if key == "gen_ai" => "gen_ai.",
        Value::Object(_) if key == "llm" => "llm.",
        Value::Object(_) if key == "openinference" => "openinference.",
        _ => key.as_str(),
    });
    let listed = attributes.and_then(Value::as_array).into_iter().flatten().map(|pair| text(pair, "key"));
    let columns = value.as_object().into_iter().flatten().filter_map(|(key, _)| key.strip_prefix("attributes."));
    flat.chain(listed).chain(columns)
}

/// Whether a gathered span tells of a model's work.
pub(super) fn tells(span: &Value) -> bool {
    let attributes = span.get("attributes").and_then(Value::as_object);
    attributes.is_some_and(|map| map.keys().any(|key| TELLING.iter().any(|start| key.starts_with(start))))
}

/// All spans in a value, in the order in which they stand.
pub(super) fn gather(value: Value, into: &mut Vec<Value>) {
    let mut open = alloc::vec![value];
    while let Some(mut value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items.into_iter().rev()),
            Value::Object(_) if is_span(&value) => into.push(plain(value)),
            Value::Object(_) => {
                let inner: Vec<Value> = LISTS.into_iter().map(|key| take(&mut value, key)).collect();
                open.extend(inner.into_iter().rev().filter(|inner| !inner.is_null()));
            }
            _ => {}
        }
    }
}

/// A span with the same names for all: `trace, id, parent, name, at, attributes, error, events`.
fn plain(mut span: Value) -> Value {
    let context = take(&mut span, "context");
    let mut parent_context = take(&mut span, "parentSpanContext");
    let first = |span: &mut Value, keys: &[&str]| {
        let found = keys.iter().map(|key| take(span, key)).find(|found| !found.is_null());
        found.map_or_else(String::new, |found| found.as_str().map_or_else(|| found.to_string(), String::from))
    };
    let inner = |keys: [&str; 2]| keys.into_iter().map(|key| text(&context, key)).find(|id| !id.is_empty());
    let trace = inner(["trace_id", "traceId"]).map(String::from);
    let id = inner(["span_id", "spanId"]).map(String::from);
    let trace = trace.unwrap_or_else(|| first(&mut span, &["traceId", "trace_id", "context.trace_id"]));
    let id = id.unwrap_or_else(|| first(&mut span, &["spanId", "span_id", "context.span_id", "id"]));
    let parent = match first(&mut parent_context, &["spanId", "span_id"]) {
        none if none.is_empty() => {
            first(&mut span, &["parentSpanId", "parent_span_id", "parent_id", "parentId", "parentObservationId"])
        }
        found => found,
    };
    let at = first(
        &mut span,
        &["startTimeUnixNano", "start_time_unix_nano", "start_time", "startTime", "start_timestamp", "timestamp"],
    );
    let name = first(&mut span, &["name", "span_name"]);
    observation(&mut span, &name);
    json!({
        "trace": trace, "id": id, "parent": parent, "name": name,
        "at": at,
        "error": failure(&mut span),
        "events": take_list(&mut span, "events").into_iter().map(event).collect::<Vec<_>>(),
        "attributes": attributes(span),
    })
}

/// Writes the fields of an observation down as the attributes that they stand for.
fn observation(span: &mut Value, name: &str) {
    let Some(operation) = observed(span).filter(|operation| !operation.is_empty()) else { return };
    let (input, output, model) = (take(span, "input"), take(span, "output"), take(span, "model"));
    let said = |role: &str, value: Value| match value {
        Value::String(text) => json!([{"role": role, "content": text}]),
        other => other,
    };
    let fields = if operation == "execute_tool" {
        [("gen_ai.tool.name", name.into()), ("gen_ai.tool.call.arguments", input), ("gen_ai.tool.call.result", output)]
    } else {
        let (input, output) = (said("user", input), said("assistant", output));
        [("gen_ai.input.messages", input), ("gen_ai.output.messages", output), ("gen_ai.response.model", model)]
    };
    let kind = ("gen_ai.operation.name", Value::from(operation));
    if let Some(map) = span.as_object_mut() {
        for (key, value) in fields.into_iter().chain([kind]).filter(|(_, value)| !value.is_null()) {
            map.entry(format!("attributes.{key}")).or_insert(value);
        }
    }
}

fn event(mut event: Value) -> Value {
    json!({"name": take(&mut event, "name"), "attributes": attributes(event)})
}

/// What a span says of its failure; null where it did not fail.
fn failure(span: &mut Value) -> Value {
    let mut status = take(span, "status");
    let code = ["code", "status_code"].into_iter().map(|key| take(&mut status, key)).find(|code| !code.is_null());
    let code = code.or_else(|| status.is_string().then(|| status.clone()));
    let beside = ["status_code", "statusCode", "otel_status_code", "level"].into_iter().map(|key| take(span, key));
    let failed = |code: &Value| code.as_i64() == Some(2) || code.as_str().is_some_and(|code| code.ends_with("ERROR"));
    if !code.into_iter().chain(beside).any(|code| failed(&code)) {
        return Value::Null;
    }
    let within = ["message", "description"].into_iter().map(|key| take(&mut status, key));
    let beside = ["status_message", "statusMessage", "otel_status_message"].into_iter().map(|key| take(span, key));
    within.chain(beside).find(|message| !text_of(message).is_empty()).unwrap_or_else(|| "".into())
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or("")
}

/// Attributes as an object of plain values.
fn attributes(mut span: Value) -> Value {
    let mut map = Map::new();
    match take(&mut span, "attributes") {
        Value::Object(attributes) => map = attributes,
        Value::Array(pairs) => {
            for mut pair in pairs {
                let key = copied(&pair, "key");
                map.insert(key, protocol(take(&mut pair, "value")));
            }
        }
        _ => {}
    }
    if let Value::Object(more) = take(&mut take(&mut span, "metadata"), "attributes") {
        map.extend(more);
    }
    if let Value::Object(columns) = span {
        for (key, value) in columns.into_iter().filter(|(_, value)| !value.is_null()) {
            if let Some(key) = key.strip_prefix("attributes.") {
                map.entry(key).or_insert(value);
            }
        }
    }
    Value::Object(tree::flat(map))
}

/// A value of the protocol: `{"stringValue": "x"}`. It is not nested deeper than JSON was read.
fn protocol(value: Value) -> Value {
    let Value::Object(map) = value else { return value };
    match map.into_iter().next() {
        Some((kind, mut inner)) => match kind.as_str() {
            "arrayValue" => take_list(&mut inner, "values").into_iter().map(protocol).collect(),
            "kvlistValue" => {
                let mut object = Map::new();
                for mut pair in take_list(&mut inner, "values") {
                    object.insert(copied(&pair, "key"), protocol(take(&mut pair, "value")));
                }
                Value::Object(object)
            }
            _ => inner,
        },
        None => Value::Null,
    }
}
