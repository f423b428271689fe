//! AI SDK, the stream by which a server sends a message to a user interface, put together to that message.

use super::super::value::{copied, put, take, take_string, text};
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{Map, Value};

/// The state that a call gets to with each event.
const STATES: [(&str, &str); 7] = [
    ("tool-input-start", "input-streaming"),
    ("tool-input-available", "input-available"),
    ("tool-input-error", "output-error"),
    ("tool-output-available", "output-available"),
    ("tool-output-error", "output-error"),
    ("tool-output-denied", "output-denied"),
    ("tool-approval-request", "approval-requested"),
];

/// What an event says of a call. Every output of a tool that reports while it runs is preliminary, apart from the last.
const FIELDS: [&str; 6] = ["toolName", "providerExecuted", "input", "output", "errorText", "preliminary"];

/// The message that the events make up, or `None` where they are of another kind.
pub(in crate::transcript) fn message(events: Vec<Value>) -> Option<Value> {
    let mut message = Message::default();
    for event in events {
        message.event(event);
    }
    if message.parts.is_empty() {
        return None;
    }
    let mut whole = object("role", "assistant");
    put(&mut whole, "parts", Value::Array(message.parts));
    Some(Value::Object(whole))
}

#[derive(Default)]
struct Message {
    parts: Vec<Value>,
    /// Where the part with an id stands. Texts have ids of their own, which come again in every step.
    places: BTreeMap<String, usize>,
}

impl Message {
    fn event(&mut self, mut event: Value) {
        let kind = text(&event, "type");
        let id = ["text ", text(&event, "id")].concat();
        match kind {
            "start-step" => self.begin("step-start"),
            "reasoning-start" => self.begin("reasoning"),
            "text-start" => {
                self.places.insert(id, self.parts.len());
                self.begin("text");
            }
            "text-delta" => {
                let part = self.places.get(&id).and_then(|place| self.parts.get_mut(*place));
                if let Some(Value::String(written)) = part.and_then(|part| part.get_mut("text")) {
                    written.push_str(&take_string(&mut event, "delta"));
                }
            }
            _ => {
                if let Some((_, state)) = STATES.iter().find(|(name, _)| *name == kind) {
                    self.reached(event, state);
                }
            }
        }
    }

    fn begin(&mut self, kind: &str) {
        let mut part = object("type", kind);
        put(&mut part, "text", Value::String(String::new()));
        self.parts.push(Value::Object(part));
    }

    /// A call got to this state. Its part begins with the first event that names it.
    fn reached(&mut self, mut event: Value, state: &str) {
        let id = copied(&event, "toolCallId");
        let place = *self.places.entry(id).or_insert(self.parts.len());
        if place == self.parts.len() {
            self.begin("dynamic-tool");
        }
        let Some(Value::Object(part)) = self.parts.get_mut(place) else { return };
        for key in FIELDS {
            let field = take(&mut event, key);
            if !field.is_null() || key == "preliminary" {
                put(part, key, field);
            }
        }
        put(part, "state", Value::String(state.to_string()));
        put(part, "toolCallId", take(&mut event, "toolCallId"));
        if state == "approval-requested" {
            put(part, "approval", event);
        }
    }
}

fn object(key: &str, value: &str) -> Map<String, Value> {
    let mut map = Map::new();
    put(&mut map, key, Value::String(value.to_string()));
    map
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn events_become_the_message_that_a_page_shows() {
        let message = message(alloc::vec![
            json!({"type": "start-step"}),
            json!({"type": "text-start", "id": "1"}),
            json!({"type": "text-delta", "id": "1", "delta": "Loo"}),
            json!({"type": "text-delta", "id": "1", "delta": "king."}),
            json!({"type": "tool-input-start", "toolCallId": "c1", "toolName": "look"}),
            json!({"type": "tool-input-delta", "toolCallId": "c1", "inputTextDelta": "{\"at\""}),
            json!({"type": "tool-input-available", "toolCallId": "c1", "toolName": "look", "input": {"at": "x"}}),
            json!({"type": "tool-output-available", "toolCallId": "c1", "output": 1, "preliminary": true}),
            json!({"type": "tool-output-available", "toolCallId": "c1", "output": 2}),
            json!({"type": "text-start", "id": "1"}),
            json!({"type": "text-delta", "id": "1", "delta": "Two."}),
        ])
        .unwrap();
        assert_eq!(message["parts"][1]["text"], "Looking.");
        let call = &message["parts"][2];
        assert_eq!((&call["state"], &call["output"]), (&json!("output-available"), &json!(2)));
        assert_eq!((&call["preliminary"], &call["input"]["at"]), (&Value::Null, &json!("x")));
        assert_eq!(message["parts"][3]["text"], "Two.");
        assert!(super::message(alloc::vec![json!({"type": "ping"})]).is_none());
    }
}
