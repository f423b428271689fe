//! The model of a turn, as each host names it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::format_collect)]

use counterfoil::transcript::{parse, to_json, turn};
use counterfoil::{verify_session, Options, Session};
use serde_json::{json, Value};

fn models(session: &Session) -> Vec<&str> {
    session.turns.iter().map(|turn| turn.model.as_deref().unwrap_or("-")).collect()
}

/// One conversation in each format that names the model; the model is always `m-1`.
fn each() -> Vec<(&'static str, Value)> {
    let call = json!({"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}});
    let block = json!({"type": "tool_use", "id": "c", "name": "look", "input": {}});
    let span = |attributes: Value| json!([{"traceId": "t", "spanId": "s", "name": "chat", "attributes": attributes, "startTimeUnixNano": "1"}]);
    vec![
        ("native", json!({"reply": "Done.", "calls": [], "model": "m-1"})),
        (
            "anthropic",
            json!({"type": "message", "role": "assistant", "model": "m-1", "content": [{"type": "text", "text": "Done."}]}),
        ),
        (
            "anthropic",
            json!({"model": "m-1", "system": "s", "messages": [{"role": "user", "content": "go"}, {"role": "assistant", "content": [block]}]}),
        ),
        ("openai-chat", json!({"model": "m-1", "choices": [{"message": {"role": "assistant", "content": "Done."}}]})),
        (
            "openai-chat",
            json!({"model": "m-1", "messages": [{"role": "user", "content": "go"}, {"role": "assistant", "content": null, "tool_calls": [call]}]}),
        ),
        (
            "openai-responses",
            json!({"object": "response", "model": "m-1", "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]}]}),
        ),
        (
            "claude-code",
            json!([
            {"type": "assistant", "uuid": "1", "sessionId": "s", "message": {"role": "assistant", "model": "m-1", "content": [{"type": "text", "text": "Done."}]}},
            {"type": "assistant", "uuid": "2", "sessionId": "s", "isApiErrorMessage": true, "message": {"role": "assistant", "model": "<synthetic>", "content": [{"type": "text", "text": "Error."}]}}]),
        ),
        (
            "codex",
            json!([
            {"type": "turn_context", "payload": {"cwd": "/", "model": "m-1"}},
            {"type": "response_item", "payload": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]}}]),
        ),
        (
            "gemini",
            json!({"modelVersion": "m-1", "candidates": [{"content": {"role": "model", "parts": [{"text": "Done."}]}}]}),
        ),
        (
            "gemini-cli",
            json!({"sessionId": "s", "projectHash": "h", "messages": [{"id": "1", "type": "gemini", "content": "Done.", "model": "m-1"}]}),
        ),
        (
            "opencode",
            json!({"info": {"id": "s"}, "messages": [{"info": {"role": "assistant", "modelID": "m-1"}, "parts": [{"type": "text", "text": "Done."}]}]}),
        ),
        (
            "pydantic-ai",
            json!([{"kind": "response", "model_name": "m-1", "parts": [{"part_kind": "text", "content": "Done."}]}]),
        ),
        ("langchain", json!([{"type": "ai", "content": "Done.", "response_metadata": {"model_name": "m-1"}}])),
        (
            "inspect",
            json!({"epoch": 1, "target": "", "messages": [{"role": "assistant", "content": "Done.", "model": "m-1"}]}),
        ),
        (
            "goose",
            json!({"id": "s", "model_config": {"model_name": "m-1"}, "conversation": [{"role": "assistant", "metadata": {"userVisible": true}, "content": [{"type": "text", "text": "Done."}]}]}),
        ),
        ("copilot", json!([{"type": "assistant.message", "data": {"content": "Done.", "model": "m-1"}}])),
        (
            "cline",
            json!([{"role": "assistant", "ts": 1, "modelInfo": {"modelId": "m-1"}, "content": [{"type": "text", "text": "Done."}]}]),
        ),
        (
            "pi",
            json!([{"type": "message", "id": "1", "parentId": null, "message": {"role": "assistant", "model": "m-1", "content": [{"type": "toolCall", "id": "c", "name": "look", "arguments": {}}]}}]),
        ),
        (
            "ai-sdk-ui",
            json!([{"role": "assistant", "metadata": {"model": "m-1"}, "parts": [{"type": "step-start"}, {"type": "text", "text": "Done."}]}]),
        ),
        (
            "ai-sdk-model",
            json!({"steps": [{"text": "Done.", "toolCalls": [], "toolResults": [], "finishReason": "stop", "response": {"modelId": "m-1"}}]}),
        ),
        (
            "atif",
            json!({"schema_version": "ATIF-v1.8", "agent": {"model_name": "m-1"}, "steps": [{"step_id": 1, "source": "agent", "message": "Done."}]}),
        ),
        (
            "openhands",
            json!([{"id": 1, "source": "agent", "action": "run", "args": {"command": "ls"}, "tool_call_metadata": {"tool_call_id": "c", "function_name": "bash", "model_response": {"model": "m-1"}}}]),
        ),
        (
            "otel-genai",
            span(
                json!({"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", "gen_ai.response.model": "m-1", "gen_ai.output.messages": [{"role": "assistant", "parts": [{"type": "text", "content": "Done."}]}]}),
            ),
        ),
        (
            "openinference",
            span(
                json!({"openinference.span.kind": "LLM", "llm.model_name": "m-1", "llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "Done."}),
            ),
        ),
        (
            "otel-genai",
            json!([{"id": "o", "traceId": "t", "type": "GENERATION", "name": "chat", "model": "m-1", "input": "go", "output": "Done."}]),
        ),
    ]
}

#[test]
fn every_host_that_names_the_model_tells_it() {
    for (format, value) in each() {
        let session = parse(&value.to_string(), None).unwrap_or_else(|error| panic!("{value}: {error}"));
        assert_eq!(session.format.as_ref().map(|format| format.name.as_str()), Some(format), "{value}");
        assert_eq!(models(&session).last(), Some(&"m-1"), "{value}");
    }
}

#[test]
fn a_turn_of_several_models_is_that_of_its_last_text() {
    let said = |model: &str, content: Value| json!({"role": "assistant", "model": model, "content": content});
    let session = parse(
        &json!([
            {"role": "user", "content": "go"},
            said("first", json!([{"type": "text", "text": "Looking."}, {"type": "tool_use", "id": "a", "name": "look", "input": {}}])),
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "x"}]},
            said("second", json!([{"type": "text", "text": "Done."}])),
            said("third", json!([{"type": "tool_use", "id": "b", "name": "look", "input": {}}])),
            {"role": "user", "content": "and now"},
            {"role": "assistant", "content": "Nothing."},
        ])
        .to_string(),
        None,
    )
    .unwrap();
    assert_eq!(models(&session), ["second", "third"], "what names none was written by the one before");
}

#[test]
fn a_sub_agent_does_not_sign_its_parents_turn() {
    let line = |uuid: &str, side: bool, model: &str, text: &str| {
        json!({"type": "assistant", "uuid": uuid, "sessionId": "s", "isSidechain": side, "message":
            {"role": "assistant", "id": uuid, "model": model, "content": [{"type": "text", "text": text}]}})
    };
    let lines =
        [line("1", false, "large", "Asking."), line("2", true, "small", "Found."), line("3", false, "", "Done.")];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    assert_eq!(models(&parse(&text, None).unwrap()), ["large"]);
}

#[test]
fn the_native_form_keeps_the_model_and_sums_are_told_apart_by_it() {
    let false_claim = json!({"reply": "All tests pass.", "model": "b", "calls": [
        {"tool": "bash", "arguments": {"command": "pytest"}, "output": "1 failed", "exit": 1}]});
    let turns = json!([{"reply": "Hello.", "calls": [], "model": "a"}, false_claim, {"reply": "Hello.", "calls": []}]);
    let session = parse(&turns.to_string(), None).unwrap();
    assert_eq!(models(&session), ["a", "b", "-"]);
    assert_eq!(parse(&to_json(&session), None).unwrap().turns, session.turns);
    let totals = verify_session(&session, &Options::default()).totals;
    let sums: Vec<_> = totals
        .by_model
        .iter()
        .map(|(name, sums)| (name.as_str(), sums.turns, sums.calls, sums.claims, sums.flagged))
        .collect();
    assert_eq!(sums, [("a", 1, 0, 0, 0), ("b", 1, 1, 1, 1)]);
    assert_eq!(turn(r#"{"reply": "x", "model": 4}"#).unwrap_err().to_string(), "model: expected a text; found 4");
}
