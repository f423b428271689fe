//! The hosts' formats, each by its own rules.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    clippy::format_collect
)]

use counterfoil::transcript::parse;
use counterfoil::{Call, Executor, Session, Source, Status, Turn};
use serde_json::{json, Value};

fn read(value: &Value) -> Session {
    parse(&value.to_string(), None).unwrap()
}

fn lines(values: &[Value]) -> Session {
    let text: String = values.iter().map(|value| format!("{value}\n")).collect();
    let session = parse(&text, None).unwrap();
    assert_eq!(session.format.as_ref().unwrap().name, "claude-code");
    session
}

fn calls(turn: &Turn) -> &[Call] {
    turn.calls.as_deref().unwrap()
}

fn tools(turn: &Turn) -> Vec<&str> {
    calls(turn).iter().map(|call| call.tool.as_str()).collect()
}

// Anthropic Messages

#[test]
fn citations_do_not_split_a_sentence() {
    let session = read(&json!({"type": "message", "role": "assistant", "stop_reason": "end_turn", "content": [
        {"type": "thinking", "thinking": "All tests pass."},
        {"type": "text", "text": "The fix "},
        {"type": "text", "text": "is in line 3", "citations": [{}]},
        {"type": "text", "text": "."},
    ]}));
    assert_eq!(session.turns[0].reply.len(), 1);
    assert_eq!(session.turns[0].text(), "The fix is in line 3.");
    assert_eq!(calls(&session.turns[0]), []);
}

#[test]
fn server_tools_bring_their_result_in_the_same_message() {
    let session = read(&json!([{"role": "assistant", "content": [
        {"type": "text", "text": "Searching."},
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "q"}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [
            {"type": "web_search_result", "title": "T", "url": "u", "encrypted_content": "zz"}]},
        {"type": "server_tool_use", "id": "s2", "name": "bash_code_execution", "input": {"command": "make"}},
        {"type": "bash_code_execution_tool_result", "tool_use_id": "s2",
            "content": {"type": "bash_code_execution_result", "stdout": "out", "stderr": "err", "return_code": 2}},
        {"type": "server_tool_use", "id": "s3", "name": "web_fetch", "input": {}},
        {"type": "web_fetch_tool_result", "tool_use_id": "s3",
            "content": {"type": "web_fetch_tool_result_error", "error_code": "unavailable"}},
        {"type": "mcp_tool_use", "id": "m1", "name": "find", "server_name": "docs", "input": {}},
        {"type": "mcp_tool_result", "tool_use_id": "m1", "is_error": false, "content": [{"type": "text", "text": "hit"}]},
        {"type": "text", "text": "It failed."},
    ]}]));
    let calls = calls(&session.turns[0]);
    assert!(calls.iter().all(|call| call.executor == Some(Executor::Provider)));
    assert_eq!((calls[0].output.as_deref(), calls[0].truncated), (Some("T\nu"), true));
    assert_eq!(
        (calls[1].output.as_deref(), calls[1].exit, calls[1].status),
        (Some("out\nerr"), Some(2), Status::Error)
    );
    assert_eq!((calls[2].status, calls[2].error.as_deref()), (Status::Error, Some("unavailable")));
    assert_eq!((calls[3].tool.as_str(), calls[3].output.as_deref()), ("docs.find", Some("hit")));
    assert_eq!(session.turns[0].reply.iter().map(|p| p.interim).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn a_pause_does_not_split_the_turn_or_its_text() {
    let session = read(&json!({"system": "Be brief.", "tools": [{"name": "bash", "input_schema": {}}], "messages": [
        {"role": "user", "content": "go"},
        {"role": "assistant", "stop_reason": "pause_turn", "content": [{"type": "text", "text": "Half a sen"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "tence."}]},
    ]}));
    assert_eq!(session.turns.len(), 1);
    assert_eq!(session.turns[0].text(), "Half a sentence.");
    assert_eq!(session.turns[0].context, ["Be brief."]);
    assert_eq!(session.turns[0].tools, Some(vec!["bash".to_string()]));
}

#[test]
fn reminders_are_context_and_text_beside_results_opens_no_turn() {
    let session = read(&json!([
        {"role": "user", "content": [
            {"type": "text", "text": "<system-reminder>Be kind.</system-reminder>"}, {"type": "text", "text": "go"}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "bash", "input": {}}]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "a", "is_error": true, "content": [{"type": "text", "text": "no"}]},
            {"type": "text", "text": "and be quick"}]},
        {"role": "assistant", "content": "It failed."},
    ]));
    assert_eq!(session.turns.len(), 1);
    let turn = &session.turns[0];
    assert_eq!(turn.user.as_deref(), Some("go"));
    assert_eq!(turn.context, ["<system-reminder>Be kind.</system-reminder>", "and be quick"]);
    assert_eq!((calls(turn)[0].status, calls(turn)[0].source), (Status::Error, Some(Source::Field)));
}

// Claude Code

fn said(uuid: &str, above: &str, content: Value) -> Value {
    let above = if above.is_empty() { Value::Null } else { json!(above) };
    json!({"type": "user", "uuid": uuid, "parentUuid": above, "sessionId": "s", "message": {"role": "user", "content": content}})
}

fn wrote(uuid: &str, above: &str, id: &str, block: Value) -> Value {
    json!({"type": "assistant", "uuid": uuid, "parentUuid": above, "sessionId": "s",
        "message": {"id": id, "role": "assistant", "content": [block]}})
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn bash(id: &str, command: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}})
}

fn result(id: &str, output: &str) -> Value {
    json!([{"type": "tool_result", "tool_use_id": id, "content": output, "is_error": false}])
}

fn with(mut line: Value, key: &str, value: Value) -> Value {
    line[key] = value;
    line
}

#[test]
fn the_lines_of_one_message_belong_together() {
    let session = lines(&[
        json!({"type": "summary", "summary": "x", "leafUuid": "9"}),
        said("1", "", json!("go")),
        wrote("2", "1", "m1", text("One sen")),
        wrote("3", "2", "m1", text("tence.")),
        wrote("4", "3", "m1", bash("t1", "ls")),
        said("5", "4", result("t1", "file")),
        wrote("6", "5", "m2", text("Done.")),
    ]);
    assert_eq!(session.id.as_deref(), Some("s"));
    assert_eq!(session.turns.len(), 1);
    assert_eq!(session.turns[0].text(), "One sentence.\n\nDone.");
    assert_eq!(calls(&session.turns[0])[0].output.as_deref(), Some("file"));
}

#[test]
fn a_rewound_branch_is_left_out() {
    let session = lines(&[
        said("1", "", json!("go")),
        wrote("2", "1", "m1", text("Hello.")),
        said("3", "2", json!("wrong question")),
        wrote("4", "3", "m2", bash("dead", "rm x")),
        said("5", "2", json!("right question")),
        wrote("6", "5", "m3", text("Right.")),
    ]);
    assert_eq!(session.turns.iter().filter_map(|t| t.user.as_deref()).collect::<Vec<_>>(), ["go", "right question"]);
    assert!(session.turns.iter().all(|turn| calls(turn).is_empty()));
    assert!(session.notes.iter().any(|n| n.starts_with("2 lines of branches")));
}

#[test]
fn parallel_calls_fork_the_tree_and_lose_nothing() {
    let session = lines(&[
        said("1", "", json!("go")),
        wrote("2", "1", "m1", bash("a", "one")),
        wrote("3", "2", "m1", bash("b", "two")),
        said("4", "2", result("a", "A")),
        said("5", "3", result("b", "B")),
        wrote("6", "4", "m2", text("Both ran.")),
    ]);
    assert_eq!(
        calls(&session.turns[0]).iter().map(|c| c.output.as_deref()).collect::<Vec<_>>(),
        [Some("A"), Some("B")]
    );
    assert!(session.notes.is_empty());
}

#[test]
fn a_sub_agents_calls_name_the_call_that_started_it() {
    let task = json!({"type": "tool_use", "id": "task", "name": "Task", "input": {"prompt": "look around"}});
    let side = |line: Value| with(line, "isSidechain", json!(true));
    let session = lines(&[
        said("1", "", json!("go")),
        wrote("2", "1", "m1", task),
        side(said("s1", "", json!("look around"))),
        side(wrote("s2", "s1", "n1", text("All tests pass."))),
        side(wrote("s3", "s2", "n2", bash("in", "ls"))),
        side(said("s4", "s3", result("in", "x"))),
        said("3", "2", result("task", "I looked around")),
        wrote("4", "3", "m2", text("It looked around.")),
    ]);
    let turn = &session.turns[0];
    assert_eq!(tools(turn), ["Task", "Bash"]);
    assert_eq!(calls(turn)[1].parent.as_deref(), Some("task"));
    assert_eq!(calls(turn)[1].executor, Some(Executor::Subagent));
    assert_eq!(calls(turn)[1].status, Status::Ok);
    assert_eq!(turn.text(), "It looked around.");
    assert_eq!(session.turns.len(), 1);
}

#[test]
fn a_file_of_a_sub_agent_alone_is_a_session() {
    let side = |line: Value| with(line, "isSidechain", json!(true));
    let session = lines(&[side(said("1", "", json!("go"))), side(wrote("2", "1", "m", text("Done.")))]);
    assert_eq!(session.turns[0].text(), "Done.");
}

#[test]
fn messages_of_the_host_open_no_turn() {
    let session = lines(&[
        said("1", "", json!("go")),
        wrote("2", "1", "m1", text("First.")),
        with(said("3", "2", json!("Some meta text")), "isMeta", json!(true)),
        said("4", "3", json!("Stop hook feedback:\nrun the tests")),
        with(said("5", "4", json!("a task ended")), "origin", json!({"kind": "task-notification"})),
        wrote("6", "5", "m2", text("Second.")),
        said("7", "6", json!("[Request interrupted by user]")),
        said("8", "7", json!("<local-command-stdout>x</local-command-stdout>")),
        said("9", "8", json!("next")),
        wrote("10", "9", "m3", text("Third.")),
    ]);
    assert_eq!(session.turns.iter().map(Turn::text).collect::<Vec<_>>(), ["First.\n\nSecond.", "Third."]);
    assert_eq!(session.turns[0].context.len(), 3);
    assert_eq!(session.turns[1].context.len(), 2);
    assert_eq!(session.turns[1].user.as_deref(), Some("next"));
}

#[test]
fn a_slash_command_opens_a_turn_only_if_the_agent_answers() {
    let session = lines(&[
        said("1", "", json!("<command-name>/model</command-name>")),
        said(
            "2",
            "1",
            json!(
                "<command-message>x</command-message><command-name>/fix</command-name><command-args>it</command-args>"
            ),
        ),
        wrote("3", "2", "m1", text("Fixed.")),
        said("4", "3", json!("<command-name>/cost</command-name>")),
    ]);
    assert_eq!(session.turns.len(), 1);
    assert_eq!(session.turns[0].user.as_deref(), Some("/fix it"));
}

#[test]
fn a_line_typed_into_the_shell_is_a_call_of_the_person() {
    let session = lines(&[
        said("1", "", json!("<bash-input>git status</bash-input>")),
        said("2", "1", json!("<bash-stdout>clean</bash-stdout><bash-stderr></bash-stderr>")),
        said("3", "2", json!("what did it say?")),
        wrote("4", "3", "m1", text("It is clean.")),
    ]);
    let call = &calls(&session.turns[0])[0];
    assert_eq!((call.executor, call.output.as_deref()), (Some(Executor::User), Some("clean")));
    assert_eq!(call.arguments, json!({"command": "git status"}));
}

#[test]
fn a_compaction_makes_the_next_turn_incomplete() {
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": null, "logicalParentUuid": "2", "sessionId": "s"});
    let session = lines(&[
        said("1", "", json!("go")),
        wrote("2", "1", "m1", text("First.")),
        boundary,
        with(said("3", "b", json!("Summary of it all")), "isCompactSummary", json!(true)),
        said("4", "3", json!("next")),
        wrote("5", "4", "m2", text("Second.")),
    ]);
    assert!(session.turns[0].gaps.none());
    assert_eq!(session.turns[1].gaps.reasons, ["the conversation was compacted"]);
    assert_eq!(session.turns[1].context, ["Summary of it all"]);
    assert_eq!(session.turns.len(), 2);
}

#[test]
fn a_file_that_starts_with_a_summary_is_incomplete_throughout() {
    let session = lines(&[
        with(said("1", "", json!("Summary of it all")), "isCompactSummary", json!(true)),
        said("2", "1", json!("a")),
        wrote("3", "2", "m1", text("A.")),
        said("4", "3", json!("b")),
        wrote("5", "4", "m2", text("B.")),
    ]);
    assert!(session.turns.iter().all(|turn| !turn.gaps.none()));
}

#[test]
fn messages_in_the_models_name_are_no_reply() {
    let mut line = wrote("2", "1", "m1", text("API Error: 500"));
    line["message"]["model"] = json!("<synthetic>");
    let session = lines(&[
        said("1", "", json!("go")),
        line,
        with(wrote("3", "2", "m2", text("API Error")), "isApiErrorMessage", json!(true)),
        wrote("4", "3", "m3", text("Done.")),
    ]);
    assert_eq!(session.turns[0].text(), "Done.");
}

#[test]
fn what_the_tools_own_record_adds() {
    let outcome = |details: Value, output: &str| {
        let session = lines(&[
            said("1", "", json!("go")),
            wrote("2", "1", "m1", bash("t", "x")),
            with(said("3", "2", result("t", output)), "toolUseResult", details),
        ]);
        let call = calls(&session.turns[0])[0].clone();
        (call.status, call.truncated)
    };
    assert_eq!(outcome(json!({"stdout": "", "interrupted": true}), "").0, Status::Cancelled);
    assert_eq!(outcome(json!({"timedOutAfterMs": 5}), "").0, Status::Timeout);
    assert_eq!(outcome(json!({"backgroundTaskId": "b1"}), "").0, Status::Background);
    assert_eq!(outcome(json!({"returnCodeInterpretation": "No matches found"}), "").0, Status::Ok);
    assert_eq!(outcome(json!({"persistedOutputPath": "/p"}), "head"), (Status::Ok, true));
}

#[test]
fn the_stream_ends_with_what_was_denied() {
    let session = lines(&[
        json!({"type": "system", "subtype": "init", "session_id": "s", "tools": ["Bash", "Read"]}),
        json!({"type": "assistant", "session_id": "s", "parent_tool_use_id": null,
            "message": {"id": "m", "role": "assistant", "content": [bash("t", "rm x")]}}),
        json!({"type": "assistant", "session_id": "s", "parent_tool_use_id": "t",
            "message": {"id": "n", "role": "assistant", "content": [bash("u", "ls")]}}),
        json!({"type": "user", "session_id": "s", "message": {"role": "user", "content": result("t", "no")}}),
        json!({"type": "result", "subtype": "success", "session_id": "s", "result": "It was denied.",
            "permission_denials": [{"tool_name": "Bash", "tool_use_id": "t", "tool_input": {}}]}),
    ]);
    let turn = &session.turns[0];
    assert_eq!((calls(turn)[0].status, calls(turn)[0].source), (Status::Denied, Some(Source::Field)));
    assert_eq!(calls(turn)[1].parent.as_deref(), Some("t"));
    assert_eq!(turn.text(), "It was denied.");
    assert_eq!(turn.tools, Some(vec!["Bash".to_string(), "Read".to_string()]));
}

#[test]
fn a_line_that_cannot_be_read_is_a_gap_of_its_turn() {
    let text = format!(
        "{}\n{}\n{{\"type\":\"assistant\",\"mess\n{}\n",
        said("1", "", json!("go")),
        wrote("2", "1", "m1", text("First.")),
        wrote("4", "3", "m2", text("Second."))
    );
    let session = parse(&text, None).unwrap();
    assert_eq!(session.turns.len(), 1);
    assert_eq!(session.turns[0].text(), "First.\n\nSecond.");
    assert_eq!(session.turns[0].gaps.reasons, ["line 3 could not be read"]);
}

#[test]
fn lines_that_a_resumed_session_copied_count_once() {
    let go = said("1", "", json!("go"));
    let session = lines(&[go.clone(), wrote("2", "1", "m1", text("A.")), go, wrote("2", "1", "m1", text("A."))]);
    assert_eq!(session.turns.len(), 1);
    assert_eq!(session.turns[0].text(), "A.");
}

#[test]
fn a_circle_of_parents_ends() {
    let session = lines(&[said("1", "2", json!("go")), wrote("2", "1", "m1", text("A.")), said("3", "3", json!("b"))]);
    assert_eq!(session.turns.len(), 2);
}

#[test]
fn web_sessions_hold_the_same_lines() {
    let session = read(&json!({"loglines": [
        {"type": "user", "message": {"role": "user", "content": "go"}},
        {"type": "assistant", "message": {"role": "assistant", "content": [text("Done.")]}},
    ]}));
    assert_eq!(session.format.unwrap().evidence.as_deref(), Some("loglines"));
    assert_eq!(session.turns[0].text(), "Done.");
}
