//! What the agent wrote and called in a LangChain message: `tool_calls`, and content in the blocks of any vendor.

use crate::record::{Call, Executor, Source, Status};
use crate::sort::set;
use crate::transcript::blocks::{assistant, Message};
use crate::transcript::build::{Answer, Builder};
use crate::transcript::chat;
use crate::transcript::notes::Notes;
use crate::transcript::returned::returned;
use crate::transcript::value::{arguments, arguments_text, has, leaves, take, take_list, take_text, text};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

/// Reads one whole message.
pub(super) fn message(build: &mut Builder, mut data: Value, key: &str, retracted: bool, notes: &mut Notes) {
    let said = take(&mut data, "content");
    let mut extra = take(&mut data, "additional_kwargs");
    if has(&data, "tool_calls") && !data.get("tool_calls").is_some_and(Value::is_array) {
        build.gap("the calls of a message could not be read");
    }
    let mut calls: Vec<Call> = take_list(&mut data, "tool_calls").into_iter().map(call).collect();
    calls.extend(take_list(&mut data, "invalid_tool_calls").into_iter().map(call));
    if calls.is_empty() {
        // Older versions keep the calls as the vendor wrote them.
        calls = take_list(&mut extra, "tool_calls").into_iter().map(chat::tool_call).collect();
        if let old @ Value::Object(_) = take(&mut extra, "function_call") {
            calls.push(chat::function(old));
        }
    }
    let known = set(calls.iter().filter_map(|call| call.id.as_deref()));
    if retracted {
        content(build, without_prose(said), key, &known, notes);
    } else {
        content(build, said, key, &known, notes);
        if let Some(refusal) = take_text(&mut extra, "refusal") {
            build.between();
            build.text(refusal, key);
        }
    }
    for item in take_list(&mut extra, "tool_outputs") {
        served(build, item, notes);
    }
    for call in calls {
        build.call(call, None, notes);
    }
}

/// Content without what would be read as prose.
fn without_prose(content: Value) -> Value {
    let Value::Array(blocks) = content else { return Value::Null };
    let kept =
        blocks.into_iter().filter(|block| !matches!(text(block, "type"), "" | "text" | "output_text" | "refusal"));
    Value::Array(kept.collect())
}

/// Reads content. Calls stand in it once more, in the vendor's shape: those that are known are passed over.
pub(super) fn content(build: &mut Builder, content: Value, key: &str, known: &BTreeSet<&str>, notes: &mut Notes) {
    match content {
        Value::String(text) => build.text(text, key),
        Value::Array(blocks) => {
            for item in blocks {
                block(build, item, key, known, notes);
            }
        }
        _ => {}
    }
}

fn block(build: &mut Builder, mut block: Value, key: &str, known: &BTreeSet<&str>, notes: &mut Notes) {
    if let Value::String(text) = block {
        return build.text(text, key);
    }
    if text(&block, "type") == "non_standard" {
        block = take(&mut block, "value");
    }
    let kind = text(&block, "type").to_string();
    match kind.as_str() {
        "text" | "output_text" => build.text(take_text(&mut block, "text").unwrap_or_default(), key),
        "refusal" => build.text(take_text(&mut block, "refusal").unwrap_or_default(), key),
        "tool_call" | "invalid_tool_call" | "tool_use" | "function_call" => {
            let id = ["call_id", "id"].into_iter().map(|key| text(&block, key)).find(|id| !id.is_empty());
            if id.is_some_and(|id| !known.contains(id)) {
                build.call(call(block), None, notes);
            } else {
                build.between();
            }
        }
        "server_tool_call" => {
            let call = Call { executor: Some(Executor::Provider), ..call(block) };
            build.call(call, None, notes);
        }
        "server_tool_result" => {
            let id = take_text(&mut block, "tool_call_id").unwrap_or_default();
            let failed = text(&block, "status") == "error";
            let mut answer = returned(take(&mut block, "output"));
            if failed {
                answer.status = Status::Error;
            }
            build.result(&id, Answer { source: Some(Source::Field), ..answer }, notes);
        }
        "server_tool_use" | "mcp_tool_use" | "compaction" => vendor(build, block, key, notes),
        _ if kind.ends_with("_tool_result") => vendor(build, block, key, notes),
        _ if kind.ends_with("_call") => served(build, block, notes),
        _ => build.between(),
    }
}

/// A block that only one vendor writes.
fn vendor(build: &mut Builder, block: Value, key: &str, notes: &mut Notes) {
    assistant(build, Value::Array(alloc::vec![block]), Message { key, ..Message::default() }, notes);
}

/// A call that a provider made and answered in one item, such as `web_search_call`.
fn served(build: &mut Builder, mut item: Value, notes: &mut Notes) {
    let kind = text(&item, "type").to_string();
    let asked =
        ["arguments", "action", "queries", "code"].into_iter().find(|key| has(&item, key)).unwrap_or("arguments");
    let call = Call {
        tool: take_text(&mut item, "name").unwrap_or_else(|| kind.strip_suffix("_call").unwrap_or(&kind).to_string()),
        arguments: arguments_text(take(&mut item, asked)),
        id: take_text(&mut item, "id").filter(|id| !id.is_empty()),
        executor: Some(Executor::Provider),
        ..Call::default()
    };
    let status = take_text(&mut item, "status").unwrap_or_default();
    let failed = status == "failed" || has(&item, "error");
    let (output, _) = leaves(item);
    // What such a tool found is often left out of its item.
    let answer = Answer { truncated: true, ..Answer::plain(output, failed, Some(Source::Field)) };
    build.call(call, (status != "in_progress").then_some(answer), notes);
}

/// A call in one of the shapes of content; `args` of an invalid call are the text that the model wrote.
fn call(mut value: Value) -> Call {
    let given = ["args", "input", "arguments"].into_iter().find(|key| has(&value, key)).unwrap_or("args");
    let id = ["call_id", "id"].into_iter().find_map(|key| take_text(&mut value, key));
    Call {
        tool: take_text(&mut value, "name").unwrap_or_default(),
        arguments: match take(&mut value, given) {
            Value::String(text) => arguments_text(Value::String(text)),
            other => arguments(other),
        },
        id: id.filter(|id| !id.is_empty()),
        error: take_text(&mut value, "error").filter(|error| !error.is_empty()),
        executor: Some(Executor::Client),
        ..Call::default()
    }
}

/// Calls of a message that is being streamed.
#[derive(Default)]
pub(super) struct Pieces {
    /// The id of the message.
    pub(super) key: String,
    /// Calls that came as a whole.
    pub(super) whole: Vec<Value>,
    parts: Vec<Piece>,
    /// The last call with each index.
    places: BTreeMap<String, usize>,
}

struct Piece {
    id: Option<String>,
    name: String,
    arguments: String,
}

impl Pieces {
    /// Adds a piece to the call with its index; an id that is not this call's begins another.
    pub(super) fn add(&mut self, mut piece: Value) {
        let index = take(&mut piece, "index").to_string();
        let id = take_text(&mut piece, "id").filter(|id| !id.is_empty());
        let name = take_text(&mut piece, "name").unwrap_or_default();
        let more = take_text(&mut piece, "args").unwrap_or_default();
        let place = self.places.get(&index).and_then(|place| self.parts.get_mut(*place));
        match place.filter(|part| id.is_none() || part.id.is_none() || part.id == id) {
            Some(part) => {
                part.id = part.id.take().or(id);
                part.name.push_str(&name);
                part.arguments.push_str(&more);
            }
            None => {
                self.places.insert(index, self.parts.len());
                self.parts.push(Piece { id, name, arguments: more });
            }
        }
    }

    /// The calls, as far as they were written.
    pub(super) fn calls(self) -> Vec<Call> {
        let pieced = self.parts.into_iter().map(|part| Call {
            tool: part.name,
            arguments: arguments_text(Value::String(part.arguments)),
            id: part.id,
            executor: Some(Executor::Client),
            ..Call::default()
        });
        pieced.chain(self.whole.into_iter().map(call)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pieces_of_two_calls_are_told_apart_by_their_index() {
        let mut pieces = Pieces::default();
        for piece in [
            json!({"index": 0, "id": "c1", "name": "read", "args": "{\"a\""}),
            json!({"index": 1, "id": "c2", "name": "write", "args": "{\"b\":"}),
            json!({"index": 0, "id": null, "name": null, "args": ":1}"}),
        ] {
            pieces.add(piece);
        }
        let calls = pieces.calls();
        assert_eq!(calls[0].arguments, json!({"a": 1}));
        assert_eq!((calls[1].tool.as_str(), &calls[1].arguments), ("write", &json!("{\"b\":")));
    }
}
