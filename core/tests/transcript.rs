//! Transcripts: the rules that hold for every format, and native JSON.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    clippy::format_collect
)]

use counterfoil::transcript::{parse, parse_all, parse_bytes, to_json, turn, turn_from, FORMATS};
use counterfoil::{ErrorKind, Executor, Session, Status, Turn};
use proptest::prelude::*;
use serde_json::{json, Value};

fn read(value: &Value) -> Session {
    parse(&value.to_string(), None).unwrap()
}

fn message(value: Value) -> String {
    turn_from(value).unwrap_err().to_string()
}

fn statuses(turn: &Turn) -> Vec<Status> {
    turn.calls.iter().flatten().map(|call| call.status).collect()
}

#[test]
fn the_first_wrong_field_of_a_turn_is_an_error_that_names_its_place() {
    let call = |call: Value| json!({"reply": "x", "calls": [{"tool": "a"}, call]});
    assert_eq!(
        message(call(json!({"status": "done"}))),
        "calls[1].status: expected one of ok, error, denied, declined, timeout, cancelled, pending, background, \
         unknown; found \"done\""
    );
    assert_eq!(message(call(json!({"exit": "1"}))), "calls[1].exit: expected an integer; found \"1\"");
    assert_eq!(message(call(json!({"output": 3}))), "calls[1].output: expected a text; found 3");
    assert_eq!(message(call(json!(7))), "calls[1]: expected an object; found 7");
    assert_eq!(message(json!({"reply": 7})), "reply: expected a text or a list of pieces; found 7");
    assert_eq!(message(json!({"reply": [{"text": 7}]})), "reply[0].text: expected a text; found 7");
    assert_eq!(message(json!({"complete": "maybe"})), "complete: expected one of yes, no; found \"maybe\"");
    assert_eq!(message(json!({"entries": [1, -1]})), "entries[1]: expected a whole number; found -1");
    assert_eq!(message(json!([])), "expected an object; found a list");
    assert_eq!(turn("{").unwrap_err().kind(), ErrorKind::Json);
}

#[test]
fn every_field_of_a_turn_may_be_absent_or_null_and_unknown_fields_are_ignored() {
    assert_eq!(turn("{}").unwrap(), Turn::default());
    let all =
        json!({"reply": null, "calls": null, "user": null, "said": null, "entries": null, "complete": null, "x": 1});
    assert_eq!(turn_from(all).unwrap(), Turn::default());
    assert_eq!(turn(r#"{"calls":[]}"#).unwrap().calls, Some(vec![]));
}

#[test]
fn a_status_that_is_left_out_is_filled_in() {
    let status = |call: Value| turn_from(json!({"calls": [call]})).unwrap().calls.unwrap()[0].status;
    assert_eq!(status(json!({"exit": 2})), Status::Error);
    assert_eq!(status(json!({"exit": 0, "error": "x"})), Status::Ok);
    assert_eq!(status(json!({"exit": 1.0})), Status::Error);
    assert_eq!(status(json!({"exit": -0.0})), Status::Ok);
    assert_eq!(status(json!({"error": "x"})), Status::Error);
    assert_eq!(status(json!({"output": "error: no"})), Status::Error);
    assert_eq!(status(json!({"output": "Error: no"})), Status::Unknown);
    assert_eq!(status(json!({"output": " error: no"})), Status::Unknown);
    assert_eq!(status(json!({})), Status::Unknown);
    assert_eq!(status(json!({"exit": 1, "status": "ok"})), Status::Ok);
}

#[test]
fn a_turn_that_is_not_complete_says_why() {
    let reasons = |value: Value| turn_from(value).unwrap().gaps.reasons;
    assert_eq!(reasons(json!({"complete": "no"})), ["the host says so"]);
    assert_eq!(reasons(json!({"complete": "no", "reasons": ["a log is missing"]})), ["a log is missing"]);
    assert!(reasons(json!({"complete": "yes", "reasons": ["x"]})).is_empty());
}

#[test]
fn a_session_loses_nothing_but_the_wrong_field() {
    let session = read(&json!({"id": "s", "turns": [
        {"reply": "a", "calls": [{"tool": "x", "status": "done", "output": "kept", "exit": 1.5}, 7, {"tool": "y"}]},
        {"reply": "b", "calls": []},
    ]}));
    assert_eq!(session.turns.len(), 2);
    assert_eq!(session.id.as_deref(), Some("s"));
    let calls = session.turns[0].calls.as_ref().unwrap();
    assert_eq!(calls.len(), 2);
    assert_eq!((calls[0].status, calls[0].output.as_deref()), (Status::Unknown, Some("kept")));
    assert_eq!(session.turns[0].gaps.reasons, ["turns[0].calls[1] could not be read"]);
    assert!(session.turns[1].gaps.none());
    assert!(session.notes.iter().any(|n| n.starts_with("turns[0].calls[0].status: expected one of")));
    assert!(session.notes.iter().any(|n| n.starts_with("turns[0].calls[0].exit: expected an integer; found 1.5")));
    assert!(session.notes.iter().any(|n| n == "turns[0].calls[1]: expected an object; found 7"));
}

#[test]
fn only_the_first_turn_of_a_session_brings_earlier_calls() {
    let session = read(&json!([
        {"reply": "a", "calls": [], "earlier": [{"tool": "x"}]},
        {"reply": "b", "calls": [], "earlier": [{"tool": "y"}]},
    ]));
    assert_eq!(session.turns[0].earlier.len(), 1);
    assert!(session.turns[1].earlier.is_empty());
    assert!(session.notes.iter().any(|n| n.starts_with("[1].earlier: only the first turn")));
}

#[test]
fn native_turns_may_stand_one_a_line_or_alone() {
    let lines =
        parse("{\"reply\":\"a\",\"calls\":[]}\r\nnonsense\r\n{\"reply\":\"b\",\"calls\":[]}\r\n", None).unwrap();
    assert_eq!(lines.turns.len(), 3);
    assert_eq!((lines.turns[1].calls.as_ref(), lines.turns[1].gaps.none()), (None, false));
    assert_eq!(lines.turns[2].text(), "b");
    assert!(lines.notes[0].starts_with("line 2: not JSON"));
    let alone = read(&json!({"reply": ["a", {"text": "b", "interim": true}], "calls": null}));
    assert_eq!(alone.turns[0].text(), "a\n\nb");
    assert!(alone.turns[0].reply[1].interim);
    assert_eq!(alone.format.unwrap().name, "native");
}

#[test]
fn an_unknown_format_name_lists_the_names() {
    let error = parse("{}", Some("nope")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Option);
    assert!(FORMATS.iter().all(|format| error.message().contains(format.name)));
}

#[test]
fn what_is_no_transcript_is_said_plainly() {
    let told = |text: &str| {
        let error = parse(text, None).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Format, "{text}");
        error.to_string()
    };
    assert_eq!(told(" \n"), "not a transcript I know: the text is empty; name its format if you know it");
    assert_eq!(
        told(r#"{"rows":[1],"name":"x"}"#),
        "not a transcript I know: an object with the keys name, rows; name its format if you know it"
    );
    assert_eq!(told("42"), "not a transcript I know: 42; name its format if you know it");
    assert_eq!(parse("hello", None).unwrap_err().kind(), ErrorKind::Json);
}

#[test]
fn a_conversation_that_has_not_begun_has_no_turn() {
    for text in ["[]", r#"{"turns": []}"#] {
        assert!(parse(text, None).unwrap().turns.is_empty(), "{text}");
    }
}

#[test]
fn what_is_called_native_and_has_nothing_of_a_turn_is_no_transcript() {
    let error = parse("{\"type\": \"user\"}\n{\"type\": \"assistant\"}", Some("native")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Format);
    assert!(error.to_string().starts_with("no turn of the format native in it"), "{error}");
    for text in [r#"{"reply": ""}"#, r#"{"calls": []}"#, r#"{"turns": []}"#, r#"[{"id": 1}, {"reply": "Done."}]"#] {
        assert!(parse(text, Some("native")).is_ok(), "{text}");
    }
}

#[test]
fn a_session_in_the_place_of_a_turn_is_an_error() {
    let place = |text: &str| counterfoil::transcript::turn(text).unwrap_err().path().to_string();
    assert_eq!(place(r#"{"turns": [{"reply": "Done."}]}"#), "turns");
    assert_eq!(place(r#"{"messages": []}"#), "messages");
    assert!(counterfoil::transcript::turn(r#"{"reply": "Done.", "turns": []}"#).is_ok());
}

#[test]
fn an_exit_status_that_a_session_gives_as_text_is_read() {
    let text = r#"{"turns": [{"reply": "All tests pass.", "calls": [{"tool": "bash", "exit": " 1 "}, {"tool": "bash", "exit": "no"}]}]}"#;
    let session = parse(text, None).unwrap();
    let calls = session.turns[0].calls.as_ref().unwrap();
    assert_eq!((calls[0].exit, calls[1].exit), (Some(1), None));
    assert_eq!(session.notes.len(), 2, "{:?}", session.notes);
    let error = counterfoil::transcript::turn(r#"{"calls": [{"tool": "bash", "exit": "1"}]}"#).unwrap_err();
    assert_eq!(error.path(), "calls[0].exit");
}

#[test]
fn broken_unicode_and_numbers_are_repaired_and_noted() {
    let text = "\u{feff}[{\"reply\":\"cut \\ud83d here\",\"calls\":[{\"tool\":\"t\",\"arguments\":{\"n\":NaN}}]}]";
    let session = parse(text, None).unwrap();
    assert_eq!(session.turns[0].text(), "cut \u{fffd} here");
    assert_eq!(session.notes.len(), 3);
    let session = parse_bytes(b"[{\"reply\":\"a\xff\",\"calls\":[]}]", None).unwrap();
    assert_eq!(session.turns[0].text(), "a\u{fffd}");
    assert_eq!(session.notes, ["bytes that are not UTF-8 became U+FFFD"]);
}

#[test]
fn a_cut_document_keeps_its_turns_and_the_last_one_is_incomplete() {
    let text = r#"{"turns":[{"reply":"a","calls":[]},{"reply":"b","calls":[{"tool":"x"},{"tool":"y","outp"#;
    let session = parse(text, None).unwrap();
    assert_eq!(session.turns.len(), 2);
    assert_eq!(statuses(&session.turns[1]).len(), 2);
    assert!(session.turns[0].gaps.none());
    assert_eq!(session.turns[1].gaps.reasons, ["the text ends too early"]);
}

fn assistant(blocks: Value) -> Value {
    json!({"role": "assistant", "content": blocks})
}

fn tool_use(id: &str, command: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "bash", "input": {"command": command}})
}

fn tool_result(id: &str, output: &str) -> Value {
    json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": output}]})
}

#[test]
fn parallel_calls_pair_by_id_in_any_order() {
    let session = read(&json!([
        {"role": "user", "content": "go"},
        assistant(json!([tool_use("a", "one"), tool_use("b", "two"), tool_use("c", "three")])),
        tool_result("b", "B"),
        tool_result("a", "A"),
    ]));
    let calls = session.turns[0].calls.as_ref().unwrap();
    assert_eq!(calls.iter().map(|c| c.output.as_deref()).collect::<Vec<_>>(), [Some("A"), Some("B"), None]);
    assert_eq!(statuses(&session.turns[0]), [Status::Ok, Status::Ok, Status::Pending]);
}

#[test]
fn the_first_result_wins_and_a_result_without_a_call_is_noted() {
    let session = read(&json!([
        json!({"role": "user", "content": "go"}),
        assistant(json!([tool_use("a", "one")])),
        tool_result("a", "first"),
        tool_result("a", "second"),
        tool_result("zz", "of nothing"),
        assistant(json!("Done.")),
    ]));
    let turn = &session.turns[0];
    assert_eq!(turn.calls.as_ref().unwrap()[0].output.as_deref(), Some("first"));
    assert_eq!(turn.context, ["of nothing"]);
    assert_eq!(turn.gaps.reasons, ["a result has no call in the record"]);
    assert!(session.notes.contains(&"the call a has a second result; the first counts".to_string()));
    assert!(session.notes.contains(&"the result zz has no call".to_string()));
}

#[test]
fn a_replayed_call_counts_once_but_a_new_one_under_an_old_id_stays() {
    let again = |command: &str, output: &str| {
        let session = read(&json!([
            {"role": "user", "content": "go"},
            assistant(json!([tool_use("a", "test")])),
            tool_result("a", "1 failed"),
            {"role": "user", "content": "again"},
            assistant(json!([tool_use("a", command)])),
            tool_result("a", output),
            assistant(json!("Done.")),
        ]));
        session.turns.iter().map(|t| statuses(t).len()).collect::<Vec<_>>()
    };
    assert_eq!(again("test", "1 failed"), [1, 0]);
    assert_eq!(again("test", "all passed"), [1, 1]);
    assert_eq!(again("other", "1 failed"), [1, 1]);
}

#[test]
fn text_that_calls_follow_is_interim() {
    let session = read(&json!([
        {"role": "user", "content": "go"},
        assistant(json!([{"type": "text", "text": "Let me look."}, tool_use("a", "ls")])),
        tool_result("a", "x"),
        assistant(json!([{"type": "text", "text": "There is one file."}])),
    ]));
    let turn = &session.turns[0];
    assert_eq!(turn.text(), "Let me look.\n\nThere is one file.");
    assert_eq!(turn.reply.iter().map(|p| p.interim).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn several_conversations_are_kept_apart_or_follow_one_another() {
    let chat =
        |reply: &str| json!({"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": reply}]});
    let text = json!([chat("one"), chat("two")]).to_string();
    let all = parse_all(&text, None).unwrap();
    assert_eq!(all.iter().map(|s| s.turns[0].text()).collect::<Vec<_>>(), ["one", "two"]);
    let merged = parse(&text, None).unwrap();
    assert_eq!(merged.turns.len(), 2);
    let lines = format!("{}\n{}\n", chat("one"), chat("two"));
    assert_eq!(parse_all(&lines, None).unwrap().len(), 2);
}

#[test]
fn a_prompt_is_stored_once_for_all_turns() {
    let mut messages = vec![json!({"role": "system", "content": "p".repeat(1 << 20)})];
    for i in 0..200 {
        messages.push(json!({"role": "user", "content": format!("question {i}")}));
        messages.push(json!({"role": "assistant", "content": "answer"}));
    }
    let session = read(&Value::Array(messages));
    let size: usize = session.turns.iter().flat_map(|t| &t.context).map(String::len).sum();
    assert_eq!(size, 1 << 20);
    assert_eq!(session.turns[0].context.len(), 1);
    assert!(session.turns[199].gaps.none());
}

#[test]
fn native_json_holds_all_fields() {
    let session = read(&json!({"turns": [{"reply": "a", "calls": [{"tool": "t", "executor": "user"}]}]}));
    let written: Value = serde_json::from_str(&to_json(&session)).unwrap();
    assert_eq!(written["turns"][0]["calls"][0]["exit"], Value::Null);
    assert_eq!(written["turns"][0]["complete"], "yes");
    assert_eq!(session.turns[0].calls.as_ref().unwrap()[0].executor, Some(Executor::User));
}

/// Any JSON, of small depth, with the fields of the record more often than chance.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (-5i64..300).prop_map(Value::from),
        Just(json!(1.5)),
        "[a-zé🎉 :\n]{0,12}".prop_map(Value::String),
        prop_oneof![
            Just("ok"),
            Just("done"),
            Just("error: x"),
            Just("no"),
            Just("assistant"),
            Just("user"),
            Just("tool")
        ]
        .prop_map(Value::from),
    ];
    let key = prop_oneof![
        Just("reply"),
        Just("calls"),
        Just("earlier"),
        Just("user"),
        Just("said"),
        Just("context"),
        Just("entries"),
        Just("tools"),
        Just("complete"),
        Just("reasons"),
        Just("turns"),
        Just("id"),
        Just("tool"),
        Just("arguments"),
        Just("output"),
        Just("status"),
        Just("exit"),
        Just("error"),
        Just("text"),
        Just("interim"),
        Just("executor"),
        Just("role"),
        Just("content"),
        Just("messages"),
        Just("type"),
        Just("message"),
        Just("uuid"),
        Just("parentUuid"),
        Just("tool_calls"),
        Just("tool_use_id"),
        Just("request"),
        Just("response"),
        Just("traj"),
        Just("isSidechain"),
    ];
    leaf.prop_recursive(5, 48, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
            prop::collection::vec((key.clone(), inner), 0..7)
                .prop_map(|fields| Value::Object(fields.into_iter().map(|(k, v)| (k.to_string(), v)).collect())),
        ]
    })
}

fn bare(session: &Session) -> Session {
    Session { format: None, notes: Vec::new(), ..session.clone() }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_give_a_session_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = parse_bytes(&bytes, None);
        for format in FORMATS {
            let _ = parse_bytes(&bytes, Some(format.name));
        }
    }

    #[test]
    fn any_json_in_any_format_is_no_crash_and_survives_being_written(value in any_json()) {
        let text = value.to_string();
        let _ = turn(&text);
        for name in FORMATS.iter().map(|f| Some(f.name)).chain([None]) {
            if let Ok(session) = parse(&text, name) {
                prop_assert_eq!(bare(&parse(&to_json(&session), Some("native")).unwrap()), bare(&session));
            }
        }
    }

    #[test]
    fn a_text_cut_anywhere_is_no_crash(cut in 0usize..2000) {
        for text in SAMPLES {
            let bytes = text.as_bytes();
            let _ = parse_bytes(&bytes[..cut.min(bytes.len())], None);
            let _ = parse_bytes(&bytes[cut.min(bytes.len())..], None);
        }
    }
}

const SAMPLES: [&str; 3] = [
    concat!(
        r#"{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"é 🎉 \ud83d\ude00"}}"#,
        "\n",
        r#"{"type":"assistant","uuid":"b","parentUuid":"a","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"x"}]}}"#,
        "\n",
        r#"{"type":"assistant","uuid":"c","parentUuid":"b","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]}}"#,
        "\r\n",
        r#"{"type":"user","uuid":"d","parentUuid":"c","toolUseResult":{"stdout":""},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}}"#,
        "\n",
    ),
    r#"[{"role":"user","content":"é"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]},{"role":"tool","tool_call_id":"c","content":"🎉"}]"#,
    r#"[{"request":{"body":"{\"messages\":[{\"role\":\"user\",\"content\":\"q\"}]}"},"response":{"body":{"string":"{\"role\":\"assistant\",\"type\":\"message\",\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}"}}}]"#,
];
