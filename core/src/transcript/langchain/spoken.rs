//! What the agent wrote and called in a LangChain message: `tool_calls`, and content in the blocks of any vendor.

use crate::record::{Call, Executor, Source, Status};
use crate::transcript::blocks::{assistant, Message};
use crate::transcript::build::{Answer, Builder};
use crate::transcript::calls::Shape;
use crate::transcript::chat;
use crate::transcript::notes::Notes;
use crate::transcript::responses::ended;
use crate::transcript::returned::returned;
use crate::transcript::value::{
    arguments_text, copied, has, is_list, leaves, take, take_id, take_list, take_string, take_text, text,
};
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

const CALL: Shape = Shape { tool: &["name"], arguments: &["args", "input", "arguments"], id: &["call_id", "id"] };
const SERVED: Shape = Shape { tool: &["name"], arguments: &["arguments", "action", "queries", "code"], id: &["id"] };

/// Reads one whole message.
pub(super) fn message(build: &mut Builder, mut data: Value, key: &str, retracted: bool, notes: &mut Notes) {
    build.model(&data);
    let said = take(&mut data, "content");
    let mut extra = take(&mut data, "additional_kwargs");
    if has(&data, "tool_calls") && !is_list(&data, "tool_calls") {
        build.gap("the calls of a message could not be read");
    }
    let mut calls = Vec::new();
    for key in ["tool_calls", "invalid_tool_calls"] {
        for value in take_list(&mut data, key) {
            calls.push(call(value));
        }
    }
    if calls.is_empty() {
        // Older versions keep the calls as the vendor wrote them.
        for value in take_list(&mut extra, "tool_calls") {
            calls.push(chat::tool_call(value));
        }
        if let old @ Value::Object(_) = take(&mut extra, "function_call") {
            calls.push(chat::function(old));
        }
    }
    content(build, if retracted { without_prose(said) } else { said }, key, !calls.is_empty(), notes);
    if let Some(refusal) = take_text(&mut extra, "refusal").filter(|_| !retracted) {
        build.between();
        build.text(refusal, key);
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

/// Reads content. Calls stand in it once more, in the vendor's shape; they are passed over where the message lists them.
pub(super) fn content(build: &mut Builder, content: Value, key: &str, called: bool, notes: &mut Notes) {
    match content {
        Value::String(text) => build.text(text, key),
        Value::Array(blocks) => {
            for item in blocks {
                block(build, item, key, called, notes);
            }
        }
        _ => build.between(),
    }
}

fn block(build: &mut Builder, mut block: Value, key: &str, called: bool, notes: &mut Notes) {
    if let Value::String(text) = block {
        return build.text(text, key);
    }
    if text(&block, "type") == "non_standard" {
        block = take(&mut block, "value");
    }
    let kind = copied(&block, "type");
    match kind.as_str() {
        "text" | "output_text" => build.text(take_string(&mut block, "text"), key),
        "refusal" => build.text(take_string(&mut block, "refusal"), key),
        "tool_call" | "invalid_tool_call" | "tool_use" | "function_call" => {
            if called {
                build.between();
            } else {
                build.call(call(block), None, notes);
            }
        }
        "server_tool_call" => {
            build.call(CALL.call(&mut block, Executor::Provider), None, notes);
        }
        "server_tool_result" => {
            let failed = text(&block, "status") == "error";
            let mut answer = returned(take(&mut block, "output"));
            answer.stated(if failed { Status::Error } else { Status::Ok });
            build.result(text(&block, "tool_call_id"), answer, notes);
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

/// A call that a provider made and answered in one item, such as `web_search_call`. Beside what it was asked, whatever
/// the vendor left in the item counts as found.
fn served(build: &mut Builder, mut item: Value, notes: &mut Notes) {
    let mut call = SERVED.call(&mut item, Executor::Provider);
    if call.tool.is_empty() {
        let kind = text(&item, "type");
        call.tool.push_str(kind.strip_suffix("_call").unwrap_or(kind));
    }
    let failed = text(&item, "status") == "failed" || has(&item, "error");
    let running = ended(text(&item, "status")) == Some(Status::Pending);
    take(&mut item, "status");
    let mut answer = Answer::plain(leaves(item).0, failed, Some(Source::Field));
    // What such a tool found is often left out of its item.
    answer.truncated = true;
    build.call(call, (!running).then_some(answer), notes);
}

/// A call in one of the shapes of content; the arguments of an invalid call are the text that the model wrote.
fn call(mut value: Value) -> Call {
    let mut call = CALL.call(&mut value, Executor::Client);
    call.error = take_id(&mut value, "error");
    call
}

/// Calls of a message that is being streamed.
#[derive(Default)]
pub(super) struct Pieces {
    /// The id of the message.
    pub(super) key: String,
    /// Calls that came as a whole, or as far as they were written.
    calls: Vec<Call>,
    /// The last call with each index.
    places: BTreeMap<String, usize>,
}

impl Pieces {
    /// Adds calls that came as a whole.
    pub(super) fn whole(&mut self, calls: Vec<Value>) {
        for value in calls {
            self.calls.push(call(value));
        }
    }

    /// Adds a piece to the call with its index; an id that is not this call's begins another.
    pub(super) fn add(&mut self, mut piece: Value) {
        let index = take(&mut piece, "index").to_string();
        let more = take_string(&mut piece, "args");
        let mut new = call(piece);
        let former = self.places.get(&index).and_then(|place| self.calls.get_mut(*place));
        match former.filter(|former| new.id.is_none() || former.id.is_none() || former.id == new.id) {
            Some(former) => {
                former.id = former.id.take().or(new.id);
                former.tool.push_str(&new.tool);
                if let Value::String(written) = &mut former.arguments {
                    written.push_str(&more);
                }
            }
            None => {
                self.places.insert(index, self.calls.len());
                new.arguments = Value::String(more);
                self.calls.push(new);
            }
        }
    }

    /// The calls, as far as they were written.
    pub(super) fn calls(mut self) -> Vec<Call> {
        for call in &mut self.calls {
            call.arguments = arguments_text(core::mem::take(&mut call.arguments));
        }
        self.calls
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
