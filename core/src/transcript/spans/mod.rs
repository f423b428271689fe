//! Spans: traces as the OpenTelemetry protocol, its SDKs and the tools that collect them write them.
//!
//! Whatever the shape, a span becomes one object of the same few fields, and the spans of each trace become a conversation.

mod dialogue;
mod genai;
mod message;
mod openinference;
mod tree;

use super::notes::Notes;
use super::value::{has, take, take_list, text};
use crate::record::{Session, Turn};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Ordering;
use serde_json::{json, Map, Value};

pub(super) const GENAI: super::detect::Format = genai::FORMAT;
pub(super) const OPENINFERENCE: super::detect::Format = openinference::FORMAT;

/// So many conversations are looked at for one that a trace goes on with.
const OPEN: usize = 16;

/// Keys of attributes that tell of a model's work start so.
const TELLING: [&str; 3] = ["gen_ai.", "openinference.", "llm."];

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

/// A span, whoever exported it.
struct Span {
    id: String,
    parent: String,
    name: String,
    /// When it started, as the exporter writes it.
    at: String,
    attributes: Map<String, Value>,
    /// What is said of its failure, where it failed.
    error: Option<String>,
    events: Vec<Value>,
}

/// The conversations in spans, each a list of spans; `None` where the value holds no spans that tell of a model's work.
pub(super) fn traces(value: Value, notes: &mut Notes) -> Result<Vec<Value>, Value> {
    if !is_spans(&value) {
        return Err(value);
    }
    let mut spans = Vec::new();
    gather(value, &mut spans);
    let (mut order, mut by_trace): (Vec<Vec<Value>>, BTreeMap<String, usize>) = (Vec::new(), BTreeMap::new());
    for span in spans {
        let trace = text(&span, "trace").to_string();
        let place = *by_trace.entry(trace).or_insert_with(|| {
            order.push(Vec::new());
            order.len() - 1
        });
        if let Some(trace) = order.get_mut(place) {
            trace.push(span);
        }
    }
    let all = order.len();
    order.retain(|trace| trace.iter().any(tells));
    if order.len() < all {
        notes.add("traces of other work", format!("{} traces tell of no model; left out", all - order.len()));
    }
    Ok(order.into_iter().map(Value::Array).collect())
}

/// Whether the spans in a value, as far as one looks, tell of a model's work.
fn is_spans(value: &Value) -> bool {
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
fn tells(span: &Value) -> bool {
    let attributes = span.get("attributes").and_then(Value::as_object);
    attributes.is_some_and(|map| map.keys().any(|key| TELLING.iter().any(|start| key.starts_with(start))))
}

/// All spans in a value, in the order in which they stand.
fn gather(value: Value, into: &mut Vec<Value>) {
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
    let (input, output) = (take(span, "input"), take(span, "output"));
    let said = |role: &str, value: Value| match value {
        Value::String(text) => json!([{"role": role, "content": text}]),
        other => other,
    };
    let fields = if operation == "execute_tool" {
        [("gen_ai.tool.name", name.into()), ("gen_ai.tool.call.arguments", input), ("gen_ai.tool.call.result", output)]
    } else {
        let (input, output) = (said("user", input), said("assistant", output));
        [("gen_ai.input.messages", input), ("gen_ai.output.messages", output), ("gen_ai.agent.name", Value::Null)]
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
                let key = text(&pair, "key").to_string();
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
                let pairs = take_list(&mut inner, "values").into_iter();
                pairs.map(|mut pair| (text(&pair, "key").to_string(), protocol(take(&mut pair, "value")))).collect()
            }
            _ => inner,
        },
        None => Value::Null,
    }
}

/// The order of two times, written alike: numbers as numbers, dates as texts.
fn earlier(a: &str, b: &str) -> Ordering {
    let number = |at: &str| !at.is_empty() && at.bytes().all(|b| b.is_ascii_digit());
    if number(a) && number(b) {
        return (a.len(), a).cmp(&(b.len(), b));
    }
    a.cmp(b)
}

impl Span {
    fn of(mut value: Value) -> Self {
        let mut own = |key: &str| match take(&mut value, key) {
            Value::String(text) => text,
            _ => String::new(),
        };
        let (id, parent, name, at) = (own("id"), own("parent"), own("name"), own("at"));
        Span {
            id,
            parent,
            name,
            at,
            error: match take(&mut value, "error") {
                Value::String(error) => Some(error),
                _ => None,
            },
            events: take_list(&mut value, "events"),
            attributes: match take(&mut value, "attributes") {
                Value::Object(map) => map,
                _ => Map::new(),
            },
        }
    }

    /// Takes an attribute as a text.
    fn text(&mut self, key: &str) -> Option<String> {
        match self.attributes.remove(key) {
            Some(Value::String(text)) if !text.is_empty() => Some(text),
            _ => None,
        }
    }

    /// Takes the first of these attributes that is there.
    fn first(&mut self, keys: &[&str]) -> Value {
        keys.iter().find_map(|key| self.attributes.remove(*key)).unwrap_or(Value::Null)
    }

    /// What went wrong, in the words of the span or of an exception in it.
    fn failure(&mut self) -> Option<String> {
        let kind = self.text("error.type");
        let said = |event: &Value| {
            let attributes = event.get("attributes")?;
            let message = ["exception.message", "exception.type"].into_iter().map(|key| text(attributes, key));
            message.into_iter().find(|message| !message.is_empty()).map(String::from)
        };
        let thrown = self.events.iter().find_map(said);
        let error = self.error.take().or_else(|| kind.clone())?;
        Some(Some(error).filter(|error| !error.is_empty()).or(thrown).or(kind).unwrap_or_default())
    }
}

/// Traces of one conversation as one: a request holds what was said before, and the trace of that time knows more of it.
pub(super) fn joined(sessions: Vec<Session>) -> Vec<Session> {
    let ours = |session: &Session| {
        let name = session.format.as_ref().map_or("", |format| format.name.as_str());
        [GENAI, OPENINFERENCE].into_iter().any(|format| format.info.name == name)
    };
    let mut out: Vec<Session> = Vec::new();
    for mut session in sessions {
        let goes_on = |former: &Session| {
            let same = |(a, b): (&Turn, &Turn)| a.user == b.user && a.reply == b.reply;
            let before = former.turns.len();
            before > 0 && before < session.turns.len() && former.turns.iter().zip(&session.turns).all(same)
        };
        let former = out.iter().rev().take(OPEN).position(|former| ours(former) && goes_on(former));
        match former.filter(|_| ours(&session)).and_then(|back| out.len().checked_sub(back + 1)) {
            Some(place) => {
                let former = out.remove(place);
                session.turns.splice(..former.turns.len(), former.turns);
                out.push(session);
            }
            None => out.push(session),
        }
    }
    out
}

/// Whether spans of this list tell by attributes that start so.
fn sniffed(value: &Value, starts: &[&str]) -> bool {
    let spans = value.as_array().map_or(&[][..], Vec::as_slice).iter().filter(|span| has(span, "trace"));
    let keys = spans.flat_map(|span| span.get("attributes").and_then(Value::as_object).into_iter().flatten());
    keys.into_iter().any(|(key, _)| starts.iter().any(|start| key.starts_with(start)))
}

/// The messages of an attribute: a list, or a text that holds one as JSON, maybe cut off by the exporter.
fn messages(value: Value, cut: &mut bool) -> Vec<Value> {
    match value {
        Value::Array(items) => items,
        Value::String(text) => match super::repair::json_or_cut(&text) {
            Some((Value::Array(items), was_cut)) => {
                *cut |= was_cut;
                items
            }
            Some((object @ Value::Object(_), was_cut)) => {
                *cut |= was_cut;
                wrapped(object)
            }
            _ => Vec::new(),
        },
        object @ Value::Object(_) => wrapped(object),
        _ => Vec::new(),
    }
}

/// One message, or an object with a list of them.
fn wrapped(mut object: Value) -> Vec<Value> {
    match take_list(&mut object, "messages") {
        none if none.is_empty() => alloc::vec![object],
        messages => messages,
    }
}
