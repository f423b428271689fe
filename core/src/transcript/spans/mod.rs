//! Spans: traces as the OpenTelemetry protocol, its SDKs and the tools that collect them write them.
//!
//! Whatever the shape, a span becomes one object of the same few fields, and the spans of each trace become a conversation.

mod dialogue;
mod genai;
mod message;
mod openinference;
mod shape;
mod tree;

use super::detect::{Format, Hint};
use super::notes::Notes;
use super::value::{copied, has, items, take, take_list, text};
use crate::record::{Session, Turn};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use serde_json::{json, Map, Value};
use shape::{gather, is_spans, tells};

pub(super) const GENAI: Format = told(genai::FORMAT);
pub(super) const OPENINFERENCE: Format = told(openinference::FORMAT);

/// A build that does not read spans does not gather them either: it tells them by the keys that stand around their attributes.
const fn told(format: Format) -> Format {
    if cfg!(feature = "formats") {
        return format;
    }
    Format { sniff: as_they_come, ..format }
}

fn as_they_come(value: &Value) -> Option<Hint> {
    const KEYS: [&str; 6] = ["resourceSpans", "resource_spans", "traceId", "spanId", "span_id", "context.span_id"];
    let named = |item: &Value| KEYS.into_iter().any(|key| has(item, key));
    let span = |item: &Value| !has(item, "role") && (named(item) || item.get("context").is_some_and(named));
    let list = items(value, &["batches", "spans", "data", "observations"]);
    (span(value) || list.iter().any(span)).then(|| Hint::certain("spans"))
}

/// So many conversations are looked at for one that a trace goes on with.
const OPEN: usize = 16;

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
    if !cfg!(feature = "formats") || !is_spans(&value) {
        return Err(value);
    }
    let mut spans = Vec::new();
    gather(value, &mut spans);
    let (mut order, mut by_trace): (Vec<Vec<Value>>, BTreeMap<String, usize>) = (Vec::new(), BTreeMap::new());
    for span in spans {
        let trace = copied(&span, "trace");
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
    if !cfg!(feature = "formats") {
        return sessions;
    }
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

/// The messages of an attribute: a list, or a text that holds one as JSON, maybe cut off by the exporter. Any other text
/// is one message of this role.
fn messages(value: Value, role: &str, cut: &mut bool) -> Vec<Value> {
    match value {
        Value::Array(items) => items,
        object @ Value::Object(_) => wrapped(object),
        Value::String(text) if text.trim_start().starts_with(['[', '{']) => {
            let (found, was_cut) = super::repair::json_or_cut(&text).unwrap_or((Value::Null, true));
            *cut |= was_cut;
            match found {
                Value::Array(items) => items,
                object @ Value::Object(_) => wrapped(object),
                _ => Vec::new(),
            }
        }
        Value::String(text) if !text.trim().is_empty() => alloc::vec![json!({"role": role, "content": text})],
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
