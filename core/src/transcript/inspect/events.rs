//! What stands beside the messages of a sample: its events, and the texts that are kept apart.

use crate::record::Status;
use crate::transcript::value::{has, take_list, take_text, text};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use serde_json::{Map, Value};

/// Texts that are kept apart are named so.
pub(super) const ATTACHED: &str = "attachment://";

/// A text may be named so many times before the rest of them stay names.
const AGAIN: usize = 16;

/// So many spans are climbed to find the call that started a sub-agent.
const CLIMB: usize = 64;

/// The texts that are kept apart.
#[derive(Debug)]
pub(super) struct Attached {
    texts: Map<String, Value>,
    /// So many bytes may still be put in place of names.
    left: usize,
}

impl Attached {
    pub(super) fn of(value: Value) -> Self {
        let texts = match value {
            Value::Object(texts) => texts,
            _ => Map::new(),
        };
        let bytes: usize = texts.values().filter_map(Value::as_str).map(str::len).sum();
        Attached { texts, left: bytes.saturating_mul(AGAIN) }
    }

    /// Puts the texts in place of their names.
    pub(super) fn resolve(&mut self, value: &mut Value) {
        let mut stack = vec![value];
        while let Some(value) = stack.pop() {
            match value {
                Value::String(name) => {
                    let text = name.strip_prefix(ATTACHED).and_then(|key| self.texts.get(key)?.as_str());
                    if let Some(text) = text.filter(|text| text.len() <= self.left) {
                        self.left -= text.len();
                        *name = text.to_string();
                    }
                }
                Value::Array(items) => stack.extend(items),
                Value::Object(map) => stack.extend(map.values_mut()),
                _ => {}
            }
        }
    }
}

/// The event of a call.
#[derive(Debug)]
pub(super) struct Tool {
    pub(super) id: String,
    /// The call whose sub-agent made this one.
    pub(super) parent: Option<String>,
    pub(super) event: Value,
}

/// The events that say something about calls.
#[derive(Debug, Default)]
pub(super) struct Events {
    tools: BTreeMap<String, Tool>,
    /// The calls of sub-agents by the call that started them, in order.
    children: BTreeMap<String, Vec<String>>,
    refused: BTreeMap<String, Status>,
    /// Calls that a message shows.
    shown: BTreeSet<String>,
}

impl Events {
    pub(super) fn of(events: Vec<Value>) -> Self {
        let mut all = Events::default();
        let mut spans = Spans::default();
        let mut order = Vec::new();
        let mut stack: Vec<(Value, Option<String>)> = events.into_iter().rev().map(|event| (event, None)).collect();
        while let Some((mut event, parent)) = stack.pop() {
            match text(&event, "event") {
                "tool" => {
                    let Some(id) = take_text(&mut event, "id") else { continue };
                    let inner = take_list(&mut event, "events");
                    stack.extend(inner.into_iter().rev().map(|inner| (inner, Some(id.clone()))));
                    spans.starts(text(&event, "agent_span_id"), &id);
                    order.push(id.clone());
                    all.tools.entry(id.clone()).or_insert(Tool { id, parent, event });
                }
                "span_begin" => spans.begins(&event),
                "approval" => all.approval(&event),
                _ => {}
            }
        }
        for id in order {
            let Some(tool) = all.tools.get_mut(&id) else { continue };
            if tool.parent.is_none() {
                tool.parent = spans.parent(text(&tool.event, "span_id"), &id);
            }
            if let Some(parent) = tool.parent.clone() {
                all.children.entry(parent).or_default().push(id);
            }
        }
        all
    }

    fn approval(&mut self, event: &Value) {
        if matches!(text(event, "decision"), "reject" | "terminate") {
            let person = text(event, "approver") == "human";
            let status = if person { Status::Declined } else { Status::Denied };
            let id = event.get("call").map_or("", |call| text(call, "id"));
            self.refused.insert(id.to_string(), status);
        }
    }

    /// Notes that a message shows the call; the time at which it was made.
    pub(super) fn made(&mut self, id: &str) -> Option<String> {
        self.shown.insert(id.to_string());
        self.tools.get(id)?.event.get("timestamp")?.as_str().map(String::from)
    }

    /// The calls of the sub-agents that this call started, and of theirs.
    pub(super) fn children(&mut self, id: &str) -> Vec<Tool> {
        let mut found = Vec::new();
        let mut stack = self.children.remove(id).unwrap_or_default();
        stack.reverse();
        while let Some(id) = stack.pop() {
            stack.extend(self.children.remove(&id).unwrap_or_default().into_iter().rev());
            if !self.shown.contains(&id) {
                found.extend(self.tools.remove(&id));
            }
        }
        found
    }

    /// The event of a call, or null.
    pub(super) fn of_call(&self, id: &str) -> &Value {
        self.tools.get(id).map_or(&Value::Null, |tool| &tool.event)
    }

    /// How a call was turned away, if it was.
    pub(super) fn refused(&self, id: &str) -> Option<Status> {
        self.refused.get(id).copied()
    }

    /// Whether some call was made that neither a message nor a sub-agent of one shows.
    pub(super) fn unseen(&self) -> bool {
        self.tools.keys().any(|id| !self.shown.contains(id))
    }
}

/// The tree of spans.
#[derive(Debug, Default)]
struct Spans {
    above: BTreeMap<String, String>,
    /// The call that started the agent of a span.
    agents: BTreeMap<String, String>,
}

impl Spans {
    fn begins(&mut self, event: &Value) {
        if has(event, "parent_id") {
            self.above.insert(text(event, "id").to_string(), text(event, "parent_id").to_string());
        }
    }

    fn starts(&mut self, span: &str, call: &str) {
        if !span.is_empty() {
            self.agents.insert(span.to_string(), call.to_string());
        }
    }

    /// The call whose agent works in this span or in one above it.
    fn parent(&self, span: &str, call: &str) -> Option<String> {
        let mut span = span;
        for _ in 0..CLIMB {
            if let Some(parent) = self.agents.get(span).filter(|parent| *parent != call) {
                return Some(parent.clone());
            }
            span = self.above.get(span)?;
        }
        None
    }
}
