//! Wrappers around transcripts: recorded HTTP exchanges, trajectories, lists of conversations.
//!
//! They are opened before the format is found out. An exchange whose request extends a former one
//! is the same conversation, and the last response closes it.

use super::notes::Notes;
use super::sse;
use super::value::{has, take, take_list, text};
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use serde_json::Value;

/// So many conversations are looked at for one that a request goes on with.
const OPEN: usize = 16;

/// The keys under which requests of the usual APIs hold their messages.
const LISTS: [&str; 3] = ["messages", "input", "contents"];

/// The conversations in a value, one at least.
pub(super) fn open(mut value: Value, notes: &mut Notes) -> Vec<Value> {
    for key in ["interactions", "exchanges", "http_interactions"] {
        if value.get(key).is_some_and(is_exchanges) {
            return exchanges(take_list(&mut value, key), notes);
        }
    }
    if is_exchange(&value) {
        return exchanges(vec![value], notes);
    }
    if is_exchanges(&value) {
        return match value {
            Value::Array(items) => exchanges(items, notes),
            other => vec![other],
        };
    }
    match value {
        Value::Array(items) if are_conversations(&items) => {
            let holes = items.iter().filter(|item| !is_object(item)).count();
            if holes > 0 {
                notes.add("conversations", format!("{holes} items of the list are no conversations; left out"));
            }
            items.into_iter().filter(is_object).map(trajectory).collect()
        }
        other => vec![trajectory(other)],
    }
}

/// Whether each of some values is a conversation of its own, as the lines of a data set are.
pub(super) fn are_conversations(values: &[Value]) -> bool {
    values.iter().any(is_object) && values.iter().filter(|value| is_object(value)).all(is_conversation)
}

/// Whether some of the values are recorded exchanges.
pub(super) fn hold_exchanges(values: &[Value]) -> bool {
    values.iter().any(is_exchange)
}

fn is_object(value: &Value) -> bool {
    value.is_object()
}

/// Whether an item of a list is a conversation of its own and not a message.
fn is_conversation(value: &Value) -> bool {
    let whole = ["messages", "traj", "trajectory"].into_iter().any(|key| value.get(key).is_some_and(Value::is_array));
    whole && !has(value, "role") && !has(value, "sessionId")
}

/// What a trajectory file holds, where that is a list of messages.
fn trajectory(mut value: Value) -> Value {
    for key in ["traj", "trajectory"] {
        let messages = value.get(key).and_then(Value::as_array);
        if messages.is_some_and(|list| list.iter().any(|item| has(item, "role"))) {
            return take(&mut value, key);
        }
    }
    value
}

fn is_exchanges(value: &Value) -> bool {
    value.as_array().is_some_and(|items| items.iter().any(is_exchange))
}

fn is_exchange(value: &Value) -> bool {
    has(value, "request") && value.get("response").is_some()
}

/// A conversation as far as it was recorded.
struct Recorded {
    /// The last request, with its messages taken out.
    request: Value,
    key: &'static str,
    messages: Vec<Value>,
    response: Value,
}

fn exchanges(items: Vec<Value>, notes: &mut Notes) -> Vec<Value> {
    let mut recorded: Vec<Recorded> = Vec::new();
    for (i, mut item) in items.into_iter().enumerate() {
        let mut request = body(take(&mut item, "request"));
        let response = body(take(&mut item, "response"));
        let Some(key) = LISTS.into_iter().find(|key| has(&request, key)) else {
            notes.add("exchanges without messages", format!("[{i}].request: no messages; left out"));
            continue;
        };
        let mut messages = match take(&mut request, key) {
            Value::Array(messages) => messages,
            other => vec![other],
        };
        messages.iter_mut().for_each(forget_cache);
        let former = recorded.iter().rev().take(OPEN).position(|r| r.key == key && extends(&messages, &r.messages));
        let place = former.and_then(|back| recorded.len().checked_sub(back + 1));
        match place.and_then(|place| recorded.get_mut(place)) {
            Some(former) => *former = Recorded { request, key, messages, response },
            None => recorded.push(Recorded { request, key, messages, response }),
        }
    }
    recorded.into_iter().map(|r| conversation(r, notes)).collect()
}

fn extends(messages: &[Value], former: &[Value]) -> bool {
    messages.len() > former.len() && messages.starts_with(former)
}

/// Hosts move the marks of the cache from request to request; they are no part of what was said.
fn forget_cache(message: &mut Value) {
    let mut stack = vec![message];
    while let Some(value) = stack.pop() {
        match value {
            Value::Array(items) => stack.extend(items),
            Value::Object(map) => {
                map.remove("cache_control");
                stack.extend(map.values_mut());
            }
            _ => {}
        }
    }
}

/// The JSON in a recorded request or response, whatever the recorder put around it.
fn body(value: Value) -> Value {
    let mut value = value;
    for _ in 0..5 {
        value = match value {
            Value::String(text) => match serde_json::from_str(&text) {
                Ok(inner) => inner,
                Err(_) => return sse::response(&text).unwrap_or(Value::Null),
            },
            Value::Object(_)
                if LISTS.iter().chain(&["choices", "output", "candidates"]).any(|key| has(&value, key)) =>
            {
                return value
            }
            Value::Object(_) if has(&value, "role") => return value,
            mut object @ Value::Object(_) => {
                let key =
                    ["parsed_body", "body", "json", "string", "text", "data"].into_iter().find(|k| has(&object, k));
                match key {
                    Some(key) => take(&mut object, key),
                    None => return object,
                }
            }
            other => return other,
        };
    }
    value
}

/// The last request's messages with the response as the last of them.
fn conversation(recorded: Recorded, notes: &mut Notes) -> Value {
    let Recorded { mut request, key, mut messages, mut response } = recorded;
    let answers = match key {
        "input" => take_list(&mut response, "output"),
        "contents" => {
            take_list(&mut response, "candidates").into_iter().take(1).map(|mut c| take(&mut c, "content")).collect()
        }
        _ if has(&response, "choices") => {
            take_list(&mut response, "choices").into_iter().take(1).map(|mut c| take(&mut c, "message")).collect()
        }
        _ if text(&response, "role") == "assistant" => vec![response],
        _ => Vec::new(),
    };
    let answers: Vec<Value> = answers.into_iter().filter(Value::is_object).collect();
    if answers.is_empty() {
        notes.add("responses without a message", "a recorded response holds no message");
    }
    messages.extend(answers);
    if let Some(map) = request.as_object_mut() {
        map.insert(key.to_string(), Value::Array(messages));
    }
    request
}
