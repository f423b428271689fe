//! Texts that were made to break readers of host formats: ids that are all alike, results without end, names with a
//! hundred thousand dots. Each is read, in a time that grows with its length alone, or refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::needless_pass_by_value)]

use counterfoil::transcript::parse;
use serde_json::{json, Value};
use std::time::{Duration, Instant};

const MANY: usize = 10_000;

/// What should take a moment may take this long on a busy machine; what grows with the square takes minutes.
const LONG: Duration = Duration::from_secs(60);

fn read(what: &str, value: &Value) {
    let start = Instant::now();
    let _ = parse(&value.to_string(), None);
    assert!(start.elapsed() < LONG, "{what}: {:?}", start.elapsed());
}

fn many(of: impl Fn(usize) -> Value) -> Value {
    (0..MANY).map(of).collect()
}

#[test]
fn gemini_calls_without_ids_and_their_results() {
    let calls = many(|_| json!({"functionCall": {"name": "run", "args": {}}}));
    let results = many(|_| json!({"functionResponse": {"name": "run", "response": {"output": "x"}}}));
    let contents = json!([{"role": "user", "parts": [{"text": "go"}]}, {"role": "model", "parts": calls}, {"role": "user", "parts": results}]);
    read("calls", &contents);
    let session = parse(&contents.to_string(), None).unwrap();
    assert!(session.turns[0].calls.as_ref().unwrap().iter().all(|call| call.output.is_some()));
    read("code", &json!([{"role": "model", "parts": many(|_| json!({"executableCode": {"code": "1"}}))}]));
    let pieces = many(|_| json!({"jsonPath": "$.a", "stringValue": "x"}));
    read("pieces", &json!([{"role": "model", "parts": [{"functionCall": {"name": "run", "partialArgs": pieces}}]}]));
}

#[test]
fn gemini_cli_rewinds_and_messages_of_one_id() {
    let head = json!({"sessionId": "s", "projectHash": "h"});
    let lines =
        |of: &dyn Fn(usize) -> Value| core::iter::once(head.clone()).chain((0..MANY).map(of)).collect::<Value>();
    read(
        "rewinds",
        &lines(&|i| {
            if i % 2 == 0 {
                json!({"id": "a", "type": "user", "content": "x"})
            } else {
                json!({"$rewindTo": "a"})
            }
        }),
    );
    read(
        "one id",
        &lines(&|_| json!({"id": "a", "type": "gemini", "content": "x", "toolCalls": [{"id": "c", "name": "run"}]})),
    );
    read("unknown", &lines(&|_| json!({"$rewindTo": "b"})));
    let message = json!({"id": "a", "type": "gemini", "content": "x"});
    read("set", &lines(&|_| json!({"$set": {"messages": [message]}})));
}

#[test]
fn updates_of_one_call_in_one_terminal() {
    let update = |fields: Value| json!({"method": "session/update", "params": {"update": fields}});
    let call = |i: usize| {
        update(
            json!({"sessionUpdate": "tool_call", "toolCallId": format!("c{i}"), "title": "t", "content": [{"type": "terminal", "terminalId": "t"}]}),
        )
    };
    let ask = json!({"id": 1, "method": "terminal/output", "params": {"terminalId": "t"}});
    let answer = json!({"id": 1, "result": {"output": "x".repeat(1000), "truncated": false}});
    let lines = (0..MANY).flat_map(|i| [call(i), ask.clone(), answer.clone()]).collect::<Value>();
    read("terminal", &lines);
    read("asked", &core::iter::repeat_n(ask, MANY).chain([answer]).collect::<Value>());
    read(
        "sessions",
        &many(
            |i| json!({"method": "session/update", "params": {"sessionId": i.to_string(), "update": {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "x"}}}}),
        ),
    );
}

#[test]
fn spans_in_a_ring_and_attributes_without_end() {
    let span = |i: usize, attributes: Value| json!({"traceId": "t", "spanId": i.to_string(), "parentSpanId": ((i + 1) % MANY).to_string(), "attributes": attributes});
    let tool = json!({"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "run", "gen_ai.tool.call.id": "c"});
    read("ring", &many(|i| span(i, tool.clone())));
    read("traces", &many(|i| json!({"traceId": i.to_string(), "spanId": "a", "attributes": tool})));
    let dots = ".a".repeat(100_000);
    read(
        "dots",
        &json!([{"traceId": "t", "spanId": "a", "attributes": {format!("llm.input_messages.0{dots}"): "x", "openinference.span.kind": "LLM"}}]),
    );
    let numbers: serde_json::Map<String, Value> =
        (0..MANY).map(|i| (format!("llm.input_messages.{}.message.role", i * 1_000_000_007), json!("user"))).collect();
    read("numbers", &json!([{"traceId": "t", "spanId": "a", "attributes": numbers}]));
}

#[test]
fn parts_of_one_call_id_in_other_hosts() {
    let request = json!({"type": "toolRequest", "id": "r", "toolCall": {"status": "success", "value": {"name": "run", "arguments": {}}}});
    let response = json!({"type": "toolResponse", "id": "r", "toolResult": {"status": "success", "value": [{"type": "text", "text": "x"}]}});
    read(
        "goose",
        &many(|i| {
            if i % 2 == 0 {
                json!({"role": "assistant", "content": [request]})
            } else {
                json!({"role": "user", "content": [response]})
            }
        }),
    );
    let tool = json!({"type": "tool", "callID": "c", "tool": "run", "state": {"status": "completed", "input": {}, "output": "x"}});
    read("opencode", &many(|_| json!({"info": {"role": "assistant"}, "parts": [tool]})));
}
