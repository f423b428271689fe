//! Chat Completions and recorded exchanges, each by its own rules.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use counterfoil::transcript::{parse, parse_all};
use counterfoil::{Call, Session, Source, Status, Turn};
use serde_json::{json, Value};

fn read(value: &Value) -> Session {
    parse(&value.to_string(), None).unwrap()
}

fn calls(turn: &Turn) -> &[Call] {
    turn.calls.as_deref().unwrap()
}

fn chat_call(id: &str, name: &str, arguments: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
}

#[test]
fn chat_calls_of_every_kind_are_read() {
    let session = read(&json!([
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": null, "tool_calls": [
            chat_call("a", "run", "{\"cmd\":\"x\"}"), chat_call("b", "run", "{broken"),
            {"id": "c", "type": "custom", "custom": {"name": "patch", "input": "*** Begin"}}]},
        {"role": "tool", "tool_call_id": "c", "content": [{"type": "text", "text": "patched"}]},
        {"role": "tool", "tool_call_id": "a", "content": "Error: no such file"},
        {"role": "assistant", "content": "", "function_call": {"name": "old", "arguments": "{}"}},
        {"role": "function", "name": "old", "content": "fine"},
        {"role": "assistant", "content": [{"type": "text", "text": "Done"}, {"type": "text", "text": "."}], "refusal": null},
    ]));
    let turn = &session.turns[0];
    let tools: Vec<&str> = calls(turn).iter().map(|call| call.tool.as_str()).collect();
    assert_eq!(tools, ["run", "run", "patch", "old"]);
    let calls = calls(turn);
    assert_eq!(calls[0].arguments, json!({"cmd": "x"}));
    assert_eq!(calls[1].arguments, json!("{broken"));
    assert_eq!(calls[2].arguments, json!("*** Begin"));
    let got: Vec<_> = calls.iter().map(|c| (c.status, c.source)).collect();
    let ok = (Status::Ok, None);
    assert_eq!(got, [(Status::Error, Some(Source::Text)), (Status::Pending, None), ok, ok]);
    assert_eq!(turn.text(), "Done.");
    assert_eq!(turn.context, ["Be brief."]);
}

#[test]
fn pictures_of_a_tools_result_open_no_turn() {
    let session = read(&json!([
        {"role": "user", "content": "what is in it?"},
        {"role": "assistant", "content": null, "tool_calls": [chat_call("a", "picture", "{}")]},
        {"role": "tool", "tool_call_id": "a", "content": "see file 1"},
        {"role": "user", "content": [{"type": "text", "text": "This is file 1:"}, {"type": "image_url", "image_url": {"url": "u"}}]},
        {"role": "assistant", "content": null, "refusal": "I cannot say."},
    ]));
    assert_eq!(session.turns.len(), 1);
    assert_eq!(session.turns[0].text(), "I cannot say.");
}

#[test]
fn exit_statuses_of_a_small_agent_are_read() {
    let session = read(&json!([
        {"role": "user", "content": "fix it"},
        {"role": "assistant", "content": "Let me run it.\n\n```bash\nmake test\n```"},
        {"role": "user", "content": "<returncode>2</returncode>\n<output>\nboom\n</output>"},
        {"role": "assistant", "content": "It fails."},
    ]));
    assert_eq!(session.turns.len(), 1);
    let call = &calls(&session.turns[0])[0];
    assert_eq!(call.arguments, json!({"command": "make test"}));
    assert_eq!((call.exit, call.status, call.output.as_deref()), (Some(2), Status::Error, Some("boom\n")));
}

#[test]
fn trajectories_and_results_lists_are_opened() {
    let messages = json!([{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]);
    assert_eq!(read(&json!({"task": 1, "traj": messages})).turns.len(), 1);
    assert_eq!(read(&json!({"trajectory": messages})).turns.len(), 1);
    let list = json!([{"task_id": 1, "traj": messages}, {"task_id": 2, "traj": messages}]).to_string();
    assert_eq!(parse_all(&list, None).unwrap().len(), 2);
    assert!(parse(&json!([{"task_id": 1, "fault": "x"}]).to_string(), None).is_err());
}

// Recorded exchanges

#[test]
fn an_exchange_that_extends_another_is_the_same_session() {
    let q = json!({"role": "user", "content": [{"type": "text", "text": "q", "cache_control": {"type": "ephemeral"}}]});
    let q2 = json!({"role": "user", "content": [{"type": "text", "text": "q"}]});
    let call = json!({"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "bash", "input": {}}]});
    let done = json!([{"type": "tool_result", "tool_use_id": "t", "content": "x"}]);
    let answer = json!({"type": "message", "role": "assistant", "stop_reason": "end_turn", "content": [{"type": "text", "text": "Done."}]});
    let other = json!({"role": "user", "content": "another"});
    let request = json!({"messages": [q2, call, {"role": "user", "content": done}]}).to_string();
    let text = json!([
        {"request": {"method": "POST", "body": json!({"messages": [q]}).to_string()}, "response": {"status": 200, "body": call}},
        {"request": {"messages": [other]}, "response": answer},
        {"request": {"body": {"string": request}}, "response": {"body": {"string": answer.to_string()}}},
    ])
    .to_string();
    let all = parse_all(&text, None).unwrap();
    assert_eq!(all.len(), 2);
    assert_eq!(all[0].turns.len(), 1);
    assert_eq!(calls(&all[0].turns[0])[0].output.as_deref(), Some("x"));
    assert_eq!(all[0].turns[0].text(), "Done.");
}

#[test]
fn chat_exchanges_close_with_the_first_choice() {
    let text = json!([{
        "request": {"messages": [{"role": "user", "content": "q"}], "tools": [{"type": "function", "function": {"name": "run"}}]},
        "response": {"choices": [{"message": {"role": "assistant", "content": "a"}}]},
    }]);
    let session = read(&text);
    assert_eq!(session.format.unwrap().name, "openai-chat");
    assert_eq!(session.turns[0].text(), "a");
    assert_eq!(session.turns[0].tools, Some(vec!["run".to_string()]));
}

// OpenAI Responses

#[test]
fn a_conversation_without_tools_is_the_same_in_the_formats_it_could_be_in() {
    let text = json!([{"role": "user", "content": "go"}, {"role": "assistant", "content": "Done."}]).to_string();
    let turns = parse(&text, Some("openai-chat")).unwrap().turns;
    assert_eq!(turns[0].calls.as_deref(), Some(&[][..]), "the host says that this is all of the record");
    for format in ["openai-responses", "openai-agents"] {
        assert_eq!(parse(&text, Some(format)).unwrap().turns, turns, "{format}");
    }
}

#[test]
fn texts_alone_in_a_format_that_was_guessed_are_no_record_of_calls() {
    let messages = json!([{"role": "user", "content": "go"}, {"role": "assistant", "content": "I ran the tests."}]);
    let guessed = parse(&messages.to_string(), None).unwrap();
    assert_eq!(guessed.format.unwrap().confidence, "guess");
    assert_eq!((guessed.turns[0].text().as_ref(), &guessed.turns[0].calls), ("I ran the tests.", &None));
    let offered = json!({"messages": messages, "tools": [{"type": "function", "function": {"name": "run"}}]});
    assert_eq!(parse(&offered.to_string(), None).unwrap().turns[0].calls.as_deref(), Some(&[][..]));
}

#[test]
fn server_sent_events_are_read_as_they_came() {
    let done = json!({"type": "response.completed", "response": {"object": "response", "status": "completed", "output": [
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]}]}});
    let session = parse(&format!("event: response.completed\ndata: {done}\n\n"), None).unwrap();
    assert_eq!(
        (session.format.unwrap().name.as_str(), session.turns[0].text().as_str()),
        ("openai-responses", "Done.")
    );
}
