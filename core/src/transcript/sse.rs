//! Server-sent chunks of a response, put together again.

use super::value::{copied, has, list, put, set, take, take_list, take_text, text};
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{json, Map, Value};

/// The response that a stream of events makes up, or `None` where the text is no such stream.
pub(super) fn response(stream: &str) -> Option<Value> {
    responses(events(stream)).pop()
}

/// The events in a text of server-sent chunks.
pub(super) fn events(stream: &str) -> Vec<Value> {
    let data = stream.lines().filter_map(|line| line.trim_start().strip_prefix("data:"));
    data.filter_map(|data| serde_json::from_str(data.trim()).ok()).collect()
}

/// Whether a list holds the events of streams, as recorders keep them one a line.
pub(super) fn is_stream(value: &Value) -> bool {
    let event = |event: &Value| {
        let kind = text(event, "type");
        let chunk = text(event, "object") == "chat.completion.chunk" && has(event, "choices");
        chunk || matches!(kind, "message_start" | "content_block_start") || kind.starts_with("response.")
    };
    value.as_array().is_some_and(|items| items.iter().any(event))
}

/// The responses that events make up, one for each stream among them.
pub(super) fn responses(events: Vec<Value>) -> Vec<Value> {
    let mut done = Vec::new();
    let mut assembled = Assembled::default();
    for event in events {
        let starts = matches!(text(&event, "type"), "message_start" | "response.created");
        let begun = assembled.chat || assembled.message.is_some() || assembled.begun.is_some();
        let other = begun && !list(&event, "choices").is_empty() && text(&event, "id") != assembled.id;
        if starts || other {
            done.extend(core::mem::take(&mut assembled).finish());
        }
        assembled.event(event);
    }
    done.extend(assembled.finish());
    done
}

#[derive(Default)]
struct Assembled {
    /// Anthropic: the message as it started.
    message: Option<Value>,
    /// Chat: the text so far.
    text: String,
    /// What has an index.
    parts: BTreeMap<u64, Part>,
    chat: bool,
    /// Chat: the id that all chunks of a response share.
    id: String,
    /// Responses API: the response as it started.
    begun: Option<Value>,
    /// Chat: the model's name.
    model: Value,
    /// Gemini: the chunks, each a response of its own.
    chunks: Vec<Value>,
    /// Responses API: the whole response of the last event.
    whole: Option<Value>,
}

/// A part of a message, as far as it is there.
#[derive(Default)]
struct Part {
    /// Anthropic: the block.
    block: Option<Value>,
    /// Anthropic: the input of a call, in pieces.
    input: Option<String>,
    /// Chat: id, name and arguments of a call.
    call: Option<(String, String, String)>,
    /// Responses API: an item that is finished.
    item: Option<Value>,
}

impl Assembled {
    fn event(&mut self, mut event: Value) {
        let index = event.get("index").and_then(Value::as_u64).unwrap_or(0);
        match copied(&event, "type").as_str() {
            "message_start" => self.message = Some(take(&mut event, "message")),
            "content_block_start" => {
                self.part(index).block = Some(take(&mut event, "content_block"));
            }
            "content_block_delta" => self.delta(index, take(&mut event, "delta")),
            "message_delta" => {
                let reason = take(&mut take(&mut event, "delta"), "stop_reason");
                if let Some(map) = self.message.as_mut().and_then(Value::as_object_mut) {
                    put(map, "stop_reason", reason);
                }
            }
            "response.created" => self.begun = Some(take(&mut event, "response")),
            "response.output_item.done" => {
                let index = event.get("output_index").and_then(Value::as_u64).unwrap_or(0);
                self.part(index).item = Some(take(&mut event, "item"));
            }
            "response.completed" | "response.incomplete" | "response.failed" => {
                self.whole = Some(take(&mut event, "response"));
            }
            _ if !list(&event, "candidates").is_empty() => self.chunks.push(event),
            _ => self.chunk(event),
        }
    }

    fn delta(&mut self, index: u64, mut delta: Value) {
        if let Some(more) = take_text(&mut delta, "partial_json") {
            self.part(index).input.get_or_insert_default().push_str(&more);
        }
        let Some(more) = take_text(&mut delta, "text") else { return };
        let block = self.part(index).block.get_or_insert_with(|| json!({"type": "text", "text": ""}));
        if let Some(Value::String(text)) = block.get_mut("text") {
            text.push_str(&more);
        }
    }

    fn chunk(&mut self, mut event: Value) {
        if list(&event, "choices").is_empty() {
            return;
        }
        self.chat = true;
        self.id = take_text(&mut event, "id").unwrap_or_default();
        self.model = take(&mut event, "model");
        let Some(mut choice) = take_list(&mut event, "choices").into_iter().next() else { return };
        let mut delta = take(&mut choice, "delta");
        self.text.push_str(&take_text(&mut delta, "content").unwrap_or_default());
        for mut call in take_list(&mut delta, "tool_calls") {
            let index = call.get("index").and_then(Value::as_u64).unwrap_or(0);
            let (id, name, arguments) = self.part(index).call.get_or_insert_default();
            id.push_str(&take_text(&mut call, "id").unwrap_or_default());
            let mut function = take(&mut call, "function");
            name.push_str(&take_text(&mut function, "name").unwrap_or_default());
            arguments.push_str(&take_text(&mut function, "arguments").unwrap_or_default());
        }
    }

    fn part(&mut self, index: u64) -> &mut Part {
        self.parts.entry(index).or_default()
    }

    fn finish(mut self) -> Option<Value> {
        if self.whole.is_some() {
            return self.whole;
        }
        if self.begun.is_some() || self.parts.values().any(|part| part.item.is_some()) {
            let mut response = self.begun.filter(Value::is_object).unwrap_or_else(|| json!({"object": "response"}));
            let items = self.parts.into_values().filter_map(|part| part.item).collect();
            set(&mut response, "output", Value::Array(items));
            return Some(response);
        }
        if !self.chunks.is_empty() {
            return Some(Value::Array(self.chunks));
        }
        if let Some(mut message) = self.message.take() {
            let blocks = self.parts.into_values().filter_map(Part::block).collect();
            set(&mut message, "content", Value::Array(blocks));
            return Some(message);
        }
        self.chat.then(|| {
            let call = |(id, name, arguments): (String, String, String)| {
                json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
            };
            let calls: Vec<Value> = self.parts.into_values().filter_map(|part| part.call).map(call).collect();
            let mut message = Map::new();
            put(&mut message, "role", Value::String("assistant".to_string()));
            put(&mut message, "content", Value::String(self.text));
            put(&mut message, "tool_calls", Value::Array(calls));
            json!({"choices": [{"message": message}], "model": self.model})
        })
    }
}

impl Part {
    /// The block with its input.
    fn block(self) -> Option<Value> {
        let mut block = self.block?;
        if let (Some(map), Some(input)) = (block.as_object_mut(), self.input) {
            put(map, "input", serde_json::from_str(&input).unwrap_or(Value::String(input)));
        }
        Some(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_of_a_chat_become_one_message() {
        let stream = "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"Hel\"}}]}\n\n\
            data: {\"choices\":[{\"delta\":{\"content\":\"lo\",\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\
            \"function\":{\"name\":\"run\",\"arguments\":\"{\\\"a\\\"\"}}]}}]}\n\n\
            data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\":1}\"}}]}}]}\n\n\
            data: [DONE]\n";
        let message = response(stream).unwrap()["choices"][0]["message"].clone();
        assert_eq!(message["content"], "Hello");
        assert_eq!(message["tool_calls"][0]["function"]["arguments"], "{\"a\":1}");
    }

    #[test]
    fn events_of_a_message_become_its_blocks() {
        let stream = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"role\":\"assistant\"}}\n\n\
            data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\
            data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hi\"}}\n\
            data: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"run\",\"input\":{}}}\n\
            data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"partial_json\":\"{\\\"a\\\":1}\"}}\n";
        let message = response(stream).unwrap();
        assert_eq!(message["content"][0]["text"], "Hi");
        assert_eq!(message["content"][1]["input"]["a"], 1);
    }

    #[test]
    fn a_stream_that_was_cut_keeps_its_finished_items() {
        let stream =
            "data: {\"type\":\"response.created\",\"response\":{\"object\":\"response\",\"status\":\"in_progress\"}}\n\
            data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"type\":\"reasoning\"}}\n\
            data: {\"type\":\"response.output_text.delta\",\"delta\":\"Al\"}\n";
        let response = response(stream).unwrap();
        assert_eq!(response["status"], "in_progress");
        assert_eq!(response["output"], json!([{"type": "reasoning"}]));
    }

    #[test]
    fn each_stream_in_a_list_is_a_response() {
        let start = |id: &str| json!({"type": "message_start", "message": {"role": "assistant", "id": id}});
        let chunk = |id: &str, text: &str| json!({"object": "chat.completion.chunk", "id": id, "choices": [{"delta": {"content": text}}]});
        let events = json!([start("a"), start("b"), chunk("c", "x"), chunk("c", "y"), chunk("d", "z")]);
        assert!(is_stream(&events));
        let all = responses(events.as_array().unwrap().clone());
        assert_eq!(all.len(), 4);
        assert_eq!(all[2]["choices"][0]["message"]["content"], "xy");
    }

    #[test]
    fn other_text_is_no_stream() {
        assert_eq!(response("<html>"), None);
    }
}
