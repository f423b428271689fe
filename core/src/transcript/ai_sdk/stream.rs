//! AI SDK, the stream by which a server sends a message to a user interface, put together to that message.

use super::super::value::{flag, take, take_text, text};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{json, Value};

/// The message that the events make up, or `None` where they are of another kind.
pub(in crate::transcript) fn message(events: Vec<Value>) -> Option<Value> {
    let mut message = Message::default();
    for event in events {
        message.event(event);
    }
    (!message.parts.is_empty()).then(|| json!({"role": "assistant", "parts": message.parts}))
}

#[derive(Default)]
struct Message {
    parts: Vec<Value>,
    /// Where the part with an id stands. Texts have ids of their own, which come again in every step.
    places: BTreeMap<String, usize>,
}

impl Message {
    fn event(&mut self, mut event: Value) {
        match text(&event, "type") {
            "start-step" => self.parts.push(json!({"type": "step-start"})),
            "reasoning-start" => self.parts.push(json!({"type": "reasoning"})),
            "text-start" => {
                self.places.insert(format!("text {}", text(&event, "id")), self.parts.len());
                self.parts.push(json!({"type": "text", "text": ""}));
            }
            "text-delta" => {
                let place = self.places.get(&format!("text {}", text(&event, "id")));
                append(place.and_then(|place| self.parts.get_mut(*place)), "text", take_text(&mut event, "delta"));
            }
            "tool-input-delta" => {
                let more = take_text(&mut event, "inputTextDelta");
                append(self.tool(&event), "rawInput", more);
            }
            "tool-input-start" => self.reached(event, "input-streaming", &[]),
            "tool-input-available" => self.reached(event, "input-available", &["input"]),
            "tool-input-error" => self.reached(event, "output-error", &["input", "errorText"]),
            "tool-output-available" => self.reached(event, "output-available", &["output"]),
            "tool-output-error" => self.reached(event, "output-error", &["errorText"]),
            "tool-output-denied" => self.reached(event, "output-denied", &[]),
            "tool-approval-request" => self.reached(event, "approval-requested", &[]),
            _ => {}
        }
    }

    /// The part of a call, which begins with the first event that names it.
    fn tool(&mut self, event: &Value) -> Option<&mut Value> {
        let id = text(event, "toolCallId");
        let place = *self.places.entry(id.to_string()).or_insert(self.parts.len());
        if place == self.parts.len() {
            self.parts.push(json!({"type": "dynamic-tool", "toolCallId": id}));
        }
        self.parts.get_mut(place)
    }

    /// A call got to this state; what the event says of it beside that is kept.
    fn reached(&mut self, mut event: Value, state: &str, keys: &[&str]) {
        let Some(Value::Object(part)) = self.tool(&event) else { return };
        for key in ["toolName", "providerExecuted"].iter().chain(keys) {
            if event.get(*key).is_some() {
                part.insert((*key).to_string(), take(&mut event, key));
            }
        }
        if state == "approval-requested" {
            part.insert("approval".to_string(), json!({"isAutomatic": flag(&event, "isAutomatic")}));
        }
        // Every output of a tool that reports while it runs is preliminary, apart from the last.
        part.insert("preliminary".to_string(), Value::Bool(flag(&event, "preliminary")));
        part.insert("state".to_string(), Value::String(state.to_string()));
    }
}

fn append(part: Option<&mut Value>, key: &str, more: Option<String>) {
    let (Some(Value::Object(map)), Some(more)) = (part, more) else { return };
    match map.get_mut(key) {
        Some(Value::String(text)) => text.push_str(&more),
        _ => {
            map.insert(key.to_string(), Value::String(more));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!((&call["preliminary"], &call["input"]["at"]), (&json!(false), &json!("x")));
        assert_eq!(message["parts"][3]["text"], "Two.");
        assert!(super::message(alloc::vec![json!({"type": "ping"})]).is_none());
    }
}
