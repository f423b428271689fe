//! What stands beside the messages of a sample: its events, and the texts that are kept apart.

use crate::record::Status;
use crate::transcript::value::{copied, flag, has, set, take_list, take_string, text};
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

/// Under these keys an event of a call keeps what is found out about it.
pub(super) const PARENT: &str = "called by";
const SHOWN: &str = "shown";

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

/// The events that say something about calls.
#[derive(Debug, Default)]
pub(super) struct Events {
    /// The event of each call by its id, with the call whose sub-agent made it, and whether a message shows it.
    tools: Map<String, Value>,
    /// The calls of sub-agents by the call that started them, in order.
    children: Map<String, Value>,
    /// Calls that were turned away, and whether a person did so.
    refused: Map<String, Value>,
}

impl Events {
    pub(super) fn of(events: Vec<Value>) -> Self {
        let mut all = Events::default();
        let mut spans = Spans::default();
        let mut order = Vec::new();
        let mut stack = events;
        stack.reverse();
        while let Some(mut event) = stack.pop() {
            match text(&event, "event") {
                "tool" => {
                    let id = take_string(&mut event, "id");
                    for mut inner in take_list(&mut event, "events").into_iter().rev() {
                        set(&mut inner, PARENT, id.clone().into());
                        stack.push(inner);
                    }
                    spans.starts(text(&event, "agent_span_id"), &id);
                    order.push(id.clone());
                    all.tools.entry(id).or_insert(event);
                }
                "span_begin" => spans.begins(&event),
                "approval" => all.approval(&event),
                _ => {}
            }
        }
        for id in order {
            let Some(event) = all.tools.get_mut(&id) else { continue };
            if let Some(parent) = spans.parent(text(event, "span_id"), &id).filter(|_| !has(event, PARENT)) {
                set(event, PARENT, parent.into());
            }
            let parent = text(event, PARENT);
            if !parent.is_empty() {
                let children = all.children.entry(parent).or_insert_with(|| Value::Array(Vec::new()));
                children.as_array_mut().into_iter().for_each(|children| children.push(id.clone().into()));
            }
        }
        all
    }

    fn approval(&mut self, event: &Value) {
        if matches!(text(event, "decision"), "reject" | "terminate") {
            let id = event.get("call").map_or("", |call| text(call, "id"));
            self.refused.insert(id.to_string(), Value::Bool(text(event, "approver") == "human"));
        }
    }

    /// Notes that a message shows the call; the time at which it was made.
    pub(super) fn made(&mut self, id: &str) -> Option<String> {
        let event = self.tools.get_mut(id)?;
        set(event, SHOWN, Value::Bool(true));
        event.get("timestamp")?.as_str().map(String::from)
    }

    /// The calls of the sub-agents that this call started, and of theirs, by their ids.
    pub(super) fn children(&mut self, id: &str) -> Vec<(String, Value)> {
        let mut found = Vec::new();
        let mut stack = take_ids(&mut self.children, id);
        while let Some(id) = stack.pop() {
            stack.extend(take_ids(&mut self.children, &id));
            if self.tools.get(&id).is_some_and(|event| !flag(event, SHOWN)) {
                found.extend(self.tools.remove(&id).map(|event| (id, event)));
            }
        }
        found
    }

    /// The event of a call, or null.
    pub(super) fn of_call(&self, id: &str) -> &Value {
        self.tools.get(id).unwrap_or(&Value::Null)
    }

    /// How a call was turned away, if it was.
    pub(super) fn refused(&self, id: &str) -> Option<Status> {
        let person = self.refused.get(id)? == &Value::Bool(true);
        Some(if person { Status::Declined } else { Status::Denied })
    }

    /// Whether some call was made that neither a message nor a sub-agent of one shows.
    pub(super) fn unseen(&self) -> bool {
        self.tools.values().any(|event| !flag(event, SHOWN))
    }
}

/// Takes the ids under a key, the last one first.
fn take_ids(map: &mut Map<String, Value>, key: &str) -> Vec<String> {
    let ids = map.remove(key).unwrap_or_default();
    ids.as_array().into_iter().flatten().rev().filter_map(|id| id.as_str().map(String::from)).collect()
}

/// The tree of spans.
#[derive(Debug, Default)]
struct Spans {
    above: Map<String, Value>,
    /// The call that started the agent of a span.
    agents: Map<String, Value>,
}

impl Spans {
    fn begins(&mut self, event: &Value) {
        self.above.insert(copied(event, "id"), text(event, "parent_id").into());
    }

    fn starts(&mut self, span: &str, call: &str) {
        if !span.is_empty() {
            self.agents.insert(span.to_string(), call.into());
        }
    }

    /// The call whose agent works in this span or in one above it.
    fn parent<'a>(&'a self, mut span: &'a str, call: &str) -> Option<&'a str> {
        for _ in 0..CLIMB {
            if let Some(parent) = self.agents.get(span).and_then(Value::as_str).filter(|parent| *parent != call) {
                return Some(parent);
            }
            span = self.above.get(span)?.as_str()?;
        }
        None
    }
}
