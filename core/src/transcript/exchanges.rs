//! Wrappers around transcripts: recorded HTTP exchanges, trajectories, lists of conversations.
//!
//! They are opened before the format is found out. An exchange whose request extends a former one
//! is the same conversation, and the last response closes it.

use super::ai_sdk::stream;
use super::gemini;
use super::notes::Notes;
use super::value::{copied, has, is_list, items, listed as list_of, put, take, take_list, text};
use super::{spans, sse};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use serde_json::{json, Value};

/// So many conversations are looked at for one that a request goes on with.
const OPEN: usize = 16;

/// The keys under which requests of the usual APIs hold their messages.
const LISTS: [&str; 3] = ["messages", "input", "contents"];

/// The conversations in a value, one at least.
pub(super) fn open(value: Value, notes: &mut Notes) -> Vec<Value> {
    let mut value = match spans::traces(value, notes) {
        Ok(traces) => return traces,
        Err(value) => value,
    };
    if are_recorded(&value) {
        // A build that does not read them leaves them as they are, to be told.
        return if cfg!(feature = "formats") { recorded(value, notes) } else { vec![value] };
    }
    if value.get("eval").is_some_and(is_object) && is_list(&value, "samples") {
        // The log of an evaluation: each sample is a conversation of its own.
        return listed(take_list(&mut value, "samples"), notes);
    }
    match value {
        Value::Array(items) if are_conversations(&items) => listed(items, notes),
        other => vec![trajectory(other)],
    }
}

/// Keys under which recorders keep what they recorded.
const RECORDINGS: [&str; 3] = ["interactions", "exchanges", "http_interactions"];

/// Whether a value holds recorded exchanges or streamed responses.
pub(super) fn are_recorded(value: &Value) -> bool {
    let listed = RECORDINGS.into_iter().any(|key| value.get(key).is_some_and(is_exchanges));
    listed || sse::is_stream(value) || is_exchange(value) || is_exchanges(value)
}

/// The conversations that were recorded.
fn recorded(mut value: Value, notes: &mut Notes) -> Vec<Value> {
    if let Some(key) = RECORDINGS.into_iter().find(|key| value.get(key).is_some_and(is_exchanges)) {
        return exchanges(take_list(&mut value, key), notes);
    }
    if sse::is_stream(&value) {
        return sse::responses(list_of(value));
    }
    exchanges(list_of(value), notes)
}

/// The conversations of a list. One that the next only goes on with, as the states of a graph do, is a part of that.
fn without_beginnings(conversations: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut kept: Vec<Value> = Vec::new();
    for next in conversations {
        while kept.last().is_some_and(|former| begins(former, &next)) {
            kept.pop();
        }
        kept.push(next);
    }
    kept
}

/// Whether a conversation is the start of another one.
pub(super) fn begins(former: &Value, next: &Value) -> bool {
    let before = items(former, &["messages"]);
    !before.is_empty() && extends(items(next, &["messages"]), before)
}

/// Notes how many items are no conversations.
pub(super) fn note_holes(holes: usize, notes: &mut Notes) {
    if holes > 0 {
        notes.add("conversations", format!("{holes} items of the list are no conversations; left out"));
    }
}

/// The conversations of a list; what is none is noted.
fn listed(items: Vec<Value>, notes: &mut Notes) -> Vec<Value> {
    // Null stands for a line that could not be read, and was noted.
    let holes = items.iter().filter(|item| !is_object(item) && !item.is_null()).count();
    note_holes(holes, notes);
    without_beginnings(items.into_iter().filter(is_object).map(trajectory))
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
    let lists = ["messages", "contents", "traj", "trajectory", "history", "steps"];
    let whole = lists.into_iter().any(|key| is_list(value, key));
    let response = text(value, "object") == "response" && is_list(value, "output");
    (whole || response) && !has(value, "role") && !has(value, "sessionId")
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
    // A step of a run says of itself what was asked and answered, but it is not a recording.
    has(value, "request") && value.get("response").is_some() && !has(value, "finishReason")
}

/// A conversation as far as it was recorded.
struct Recorded {
    /// The last request, with its messages taken out.
    request: Value,
    key: &'static str,
    messages: Vec<Value>,
    response: Value,
    /// The conversation that the server keeps.
    conversation: String,
}

impl Recorded {
    /// Whether it says again what the former said, and more.
    fn extends(&self, former: &Recorded) -> bool {
        extends(&self.messages, &former.messages)
    }

    /// Whether the server still had what the former said, so that it is not said again.
    fn adds_to(&self, former: &Recorded) -> bool {
        let before = text(&self.request, "previous_response_id");
        !before.is_empty() && before == text(&former.response, "id")
            || !self.conversation.is_empty() && self.conversation == former.conversation
    }

    fn goes_on(&self, former: &Recorded) -> bool {
        self.key == former.key && (self.adds_to(former) || self.extends(former))
    }

    /// Puts a request that goes on with this one in its place.
    fn take_over(&mut self, mut new: Recorded) {
        if new.adds_to(self) {
            let mut messages = core::mem::take(&mut self.messages);
            messages.extend(take_list(&mut self.response, "output"));
            messages.append(&mut new.messages);
            new.messages = messages;
            // What the server had before the first request is still not known.
            for key in ["previous_response_id", "conversation"] {
                take(&mut new.request, key);
                let before = take(&mut self.request, key);
                if let Some(map) = new.request.as_object_mut().filter(|_| !before.is_null()) {
                    put(map, key, before);
                }
            }
        }
        *self = new;
    }
}

/// The id of the conversation that the server keeps for a request, or an empty text.
fn conversation_of(request: &Value) -> &str {
    request.get("conversation").map_or("", |kept| kept.as_str().unwrap_or_else(|| text(kept, "id")))
}

/// Whether a response was fetched later, as in background mode: it takes the place of the one that was not finished.
fn finished_later(recorded: &mut [Recorded], response: Value) -> bool {
    let id = text(&response, "id");
    match recorded.iter_mut().rev().take(OPEN).find(|former| !id.is_empty() && text(&former.response, "id") == id) {
        Some(former) => {
            former.response = response;
            true
        }
        None => false,
    }
}

fn exchanges(items: Vec<Value>, notes: &mut Notes) -> Vec<Value> {
    let mut recorded: Vec<Recorded> = Vec::new();
    let mut begun: BTreeSet<String> = BTreeSet::new();
    for (i, mut item) in items.into_iter().enumerate() {
        let mut request = body(take(&mut item, "request"));
        let response = body(take(&mut item, "response"));
        let key = LISTS.into_iter().find(|key| has(&request, key));
        // Other interfaces take an input as well, such as those for embeddings; they answer with no output.
        let foreign = !response.is_null() && !has(&response, "output") && !has(&response, "error");
        let Some(key) = key.filter(|key| *key != "input" || !foreign) else {
            if text(&response, "object") == "conversation" {
                begun.insert(copied(&response, "id"));
            } else if !finished_later(&mut recorded, response) {
                notes.add("exchanges without messages", format!("[{i}].request: no messages; left out"));
            }
            continue;
        };
        let mut messages = match take(&mut request, key) {
            Value::Array(messages) if !messages.is_empty() => messages,
            // One text is what the person says; an empty list is a message of which nothing is left.
            other => vec![json!({ "role": "user", "content": other })],
        };
        messages.iter_mut().for_each(forget_cache);
        let conversation = conversation_of(&request).to_string();
        if begun.contains(&conversation) {
            take(&mut request, "conversation");
        }
        let new = Recorded { request, key, messages, response, conversation };
        let former = recorded.iter().rev().take(OPEN).position(|former| new.goes_on(former));
        match former.and_then(|back| recorded.len().checked_sub(back + 1)).and_then(|i| recorded.get_mut(i)) {
            Some(former) => former.take_over(new),
            None => recorded.push(new),
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
                Err(_) => {
                    let message = || stream::message(sse::events(&text));
                    return sse::response(&text).or_else(message).unwrap_or(Value::Null);
                }
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
    let Recorded { mut request, key, mut messages, mut response, .. } = recorded;
    let status = take(&mut response, "status");
    let answers = match key {
        "input" => take_list(&mut response, "output"),
        "contents" => gemini::answer(response).into_iter().collect(),
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
        put(map, key, Value::Array(messages));
        if key == "input" {
            put(map, "status", status);
        }
    }
    request
}
