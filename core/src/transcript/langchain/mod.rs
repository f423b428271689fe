//! LangChain and LangGraph: messages of Python and JavaScript, states and checkpoints of a graph, runs of LangSmith.
//!
//! The only status is `success` or `error`; a command's exit status stands in the `artifact` of its message at best. A
//! message of the human kind that the host wrote says so in `lc_source`.

mod message;
mod outcome;
mod spoken;

use super::blocks::{output, system, FromUser};
use super::build::Builder;
use super::detect::{Format, FormatInfo, Hint};
use super::notes::Notes;
use super::value::{at, copied, list, take, take_list, take_string, take_word, text};
use crate::record::Session;
use alloc::string::ToString;
use alloc::vec::Vec;
use message::{settle, telling, Kind, Message};
use serde_json::{Map, Value};
use spoken::Pieces;

pub(super) const FORMAT: Format = Format {
    info: FormatInfo { name: "langchain", about: "LangChain and LangGraph: messages, states, LangSmith runs" },
    sniff,
    read,
};

/// Where states, checkpoints and runs keep their messages.
const PATHS: [&[&str]; 7] = [
    &["messages"],
    &["values", "messages"],
    &["channel_values", "messages"],
    &["checkpoint", "channel_values", "messages"],
    &["outputs", "messages"],
    &["output", "messages"],
    &["inputs", "messages"],
];

/// How a summary of the host starts, in versions that do not mark it.
const SUMMARY: &str = "Here is a summary of the conversation to date:";

fn sniff(value: &Value) -> Option<Hint> {
    let lone = telling(value);
    let inside = || messages(value).iter().find_map(telling);
    let later = || {
        let states = value.as_array().map_or(&[][..], Vec::as_slice);
        let told = |state: &Value| messages(state).iter().chain(updates(state)).find_map(telling);
        states.iter().find_map(|state| told(state).or_else(|| answer(state)))
    };
    lone.or_else(inside).or_else(|| answer(value)).or_else(later).map(Hint::certain)
}

/// The evidence in what a model's run put out.
fn answer(value: &Value) -> Option<&'static str> {
    value.get("outputs").and_then(generated).and_then(telling)
}

/// The message that a model's run put out.
fn generated(outputs: &Value) -> Option<&Value> {
    let first = list(outputs, "generations").first()?;
    let first = first.as_array().map_or(Some(first), |alternatives| alternatives.first())?;
    first.get("message")
}

/// The messages in a value. A model's run holds them in one more list.
fn messages(value: &Value) -> &[Value] {
    if let Value::Array(items) = value {
        return items;
    }
    let at = |path: &&[&str]| path.iter().try_fold(value, |value, key| value.get(key))?.as_array();
    let found = PATHS.iter().filter_map(at).find(|list| !list.is_empty()).map_or(&[][..], Vec::as_slice);
    match found.first() {
        Some(Value::Array(inner)) => inner,
        _ => found,
    }
}

fn read(mut value: Value, notes: &mut Notes) -> Session {
    let mut reader = Reader::default();
    reader.build.id = Some(take_word(&mut value, &["thread_id", "session_id"])).filter(|id| !id.is_empty());
    for message in settle(gather(value), notes) {
        reader.line(message, notes);
    }
    reader.flush(notes);
    reader.build.finish(notes)
}

/// The messages that the nodes of a graph wrote in one step, each under the name of its node.
fn updates(value: &Value) -> impl Iterator<Item = &Value> {
    let nodes = value.as_object().filter(|map| map.values().all(|node| node.is_object() || node.is_null()));
    nodes.into_iter().flat_map(Map::values).flat_map(|node| list(node, "messages"))
}

/// All messages of a text, the oldest first.
fn gather(value: Value) -> Vec<Value> {
    if telling(&value).is_some() {
        return alloc::vec![value];
    }
    match value {
        Value::Array(items) if items.iter().any(|item| telling(item).is_none() && holds(item)) => states(items),
        // Steps tell only what is new in each.
        Value::Array(items) if items.iter().flat_map(updates).any(|message| telling(message).is_some()) => {
            items.iter().flat_map(updates).cloned().collect()
        }
        Value::Array(items) => items,
        state => taken(&state),
    }
}

fn holds(state: &Value) -> bool {
    messages(state).iter().any(|m| telling(m).is_some()) || answer(state).is_some()
}

/// The messages of one state, and the answer of a run.
fn taken(state: &Value) -> Vec<Value> {
    let answer = state.get("outputs").and_then(generated);
    messages(state).iter().chain(answer).cloned().collect()
}

/// The messages of states that follow one another. Each state holds those of the ones before it: where messages have
/// ids, what an earlier state alone still holds is kept; else the fullest state stands for all.
fn states(mut items: Vec<Value>) -> Vec<Value> {
    let when = |item: Option<&Value>| {
        let at = ["created_at", "start_time", "ts"].iter().find_map(|key| item?.get(*key)?.as_str());
        at.map(ToString::to_string)
    };
    if when(items.first()) > when(items.last()) {
        items.reverse();
    }
    let named = |value: &Value| {
        let data = ["kwargs", "data"].iter().find_map(|key| value.get(*key)).unwrap_or(value);
        !text(data, "id").is_empty()
    };
    let (mut all, mut fullest, mut known) = (Vec::new(), Vec::new(), true);
    for item in &items {
        let messages = taken(item);
        known &= messages.iter().all(named);
        if known {
            all.extend_from_slice(&messages);
        }
        if messages.len() >= fullest.len() {
            fullest = messages;
        }
    }
    if known {
        all
    } else {
        fullest
    }
}

#[derive(Default)]
struct Reader {
    build: Builder,
    /// How many messages were read.
    seen: usize,
    /// Chunks of the message that is being streamed.
    pieces: Pieces,
}

impl Reader {
    fn line(&mut self, message: Message, notes: &mut Notes) {
        let place = at("messages", self.seen);
        self.seen += 1;
        if message.chunk {
            return self.chunk(message, notes);
        }
        self.flush(notes);
        let Message { kind, mut data, retracted, again, .. } = message;
        match kind {
            Kind::Human => {
                self.human(data, notes);
                if again {
                    self.build.gap("two messages of the user have one id");
                }
            }
            Kind::Ai => spoken::message(&mut self.build, data, &place, retracted, notes),
            Kind::System => self.build.instructions(system(take(&mut data, "content"))),
            Kind::Tool => self.result(data, notes),
            Kind::Remove => {}
            Kind::Unknown => self.build.left_out(&place, "not understood", notes),
        }
    }

    fn human(&mut self, mut data: Value, notes: &mut Notes) {
        let content = take(&mut data, "content");
        let extra = data.get("additional_kwargs").unwrap_or(&Value::Null);
        let source = text(extra, "lc_source");
        let summary = source == "summarization" || content.as_str().is_some_and(|text| text.starts_with(SUMMARY));
        if summary {
            self.build.compacted();
        }
        if summary || !source.is_empty() {
            self.build.context(output(content).0);
        } else {
            FromUser::of(content).hear(&mut self.build, false, notes);
        }
    }

    fn result(&mut self, mut data: Value, notes: &mut Notes) {
        let id = take_word(&mut data, &["tool_call_id"]);
        let name = take_string(&mut data, "name");
        let answer = outcome::answer(data);
        self.build.returned(&id, &name, answer, notes);
    }

    /// A piece of a message: its text goes on with the text before it, its calls are held until they are whole.
    fn chunk(&mut self, message: Message, notes: &mut Notes) {
        let mut data = message.data;
        let id = copied(&data, "id");
        if self.pieces.key != id {
            self.flush(notes);
            self.pieces.key = id;
        }
        let content = take(&mut data, "content");
        self.build.model(&data);
        if !message.retracted {
            spoken::content(&mut self.build, content, &self.pieces.key, false, notes);
        }
        let calls = take_list(&mut data, "tool_calls");
        match take_list(&mut data, "tool_call_chunks") {
            none if none.is_empty() => self.pieces.whole(calls),
            pieces => pieces.into_iter().for_each(|piece| self.pieces.add(piece)),
        }
    }

    /// The calls of the message that was streamed.
    fn flush(&mut self, notes: &mut Notes) {
        for call in core::mem::take(&mut self.pieces).calls() {
            self.build.call(call, None, notes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_key_that_others_have_too_does_not_tell_the_format() {
        let other = json!([{"type": "tool", "tool": "x", "content": "y"}, {"type": "system", "content": "z"}]);
        assert!(sniff(&other).is_none());
        assert!(sniff(&json!({"inputs": {"messages": [[{"lc": 1, "id": ["x", "HumanMessage"]}]]}})).is_some());
    }
}
