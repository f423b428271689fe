//! Texts that are no transcripts, though a key or two of them stand in one: each gives the error that says so.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use counterfoil::transcript::{parse, Feed};
use counterfoil::{Error, ErrorKind, Session};

/// Reads a text as a stream brings it.
fn streamed(text: &str, format: Option<&str>) -> Result<Session, Error> {
    let mut feed = Feed::new(format)?;
    let turns = feed.feed(text.as_bytes())?;
    let mut session = feed.finish()?;
    session.turns.splice(0..0, turns);
    Ok(session)
}

fn assert_none(text: &str, format: Option<&str>) {
    for read in [parse(text, format), streamed(text, format)] {
        match read {
            Ok(session) => panic!("{text} was taken for {:?}", session.format),
            Err(error) => assert_eq!(error.kind(), ErrorKind::Format, "{text}: {error}"),
        }
    }
}

#[test]
fn a_key_alone_makes_no_transcript() {
    let texts = [
        r#"{"candidates": [{"name": "Harbour Cafe", "rating": 4.1}], "status": "OK"}"#,
        r#"[{"candidates": [{"name": "Ada"}]}]"#,
        r#"[{"record_type": "A", "value": "192.0.2.7"}]"#,
        r#"[{"record_type": "state"}]"#,
        r#"[{"type": "compacted", "payload": {"bytes": 9}}]"#,
        r#"[{"type": "session_meta", "payload": "x"}]"#,
        r#"[{"action": "resize", "args": {"width": 4}}, {"action": "rotate", "args": {}}]"#,
        r#"[{"observation": "pulse", "content": "61"}]"#,
        r#"{"choices": [{"message": "Choose a colour", "value": 2}], "name": "colour"}"#,
        r#"{"turns": [{"player": "white", "move": "d4"}]}"#,
        r#"{"calls": [{"to": "0x5", "data": "0x0"}], "block": 7}"#,
        r#"{"reply": "fine", "id": 4}"#,
        r#"[{"reply": "fine", "id": 4}]"#,
        r#"{"model": "some-embedder", "input": "a harbour at dawn"}"#,
        r#"{"model": "some-voice", "input": "All tests pass.", "voice": "alto", "instructions": "Speak slowly."}"#,
        r#"{"system": "System", "messages": [{"id": "greeting", "text": "Good day"}]}"#,
        r#"[{"parts": [{"text": "handlebar"}]}]"#,
    ];
    for text in texts {
        assert_none(text, None);
    }
}

#[test]
fn a_host_that_only_looks_like_another_is_not_read_as_it() {
    let texts = [
        // Parts without a type: neither OpenAI's nor Anthropic's.
        r#"[{"role":"user","content":[{"text":"Sound the horn."}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"h","name":"horn","input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"h","status":"error","content":[{"text":"broken"}]}}]}]"#,
        r#"{"system":[{"text":"s"}],"messages":[{"role":"user","content":[{"text":"Sound the horn."}]},{"role":"assistant","content":[{"text":"Done."}]}]}"#,
        r#"[{"role":"assistant","meta":{},"content":[{"tool_call":{"tool_name":"horn","arguments":{},"id":"h"}}]},{"role":"tool","meta":{},"content":[{"tool_call_result":{"result":"ok","origin":{"id":"h"}}}]}]"#,
        r#"[{"id":"m1","object":"thread.message","role":"user","content":[{"type":"text","text":{"value":"Sound the horn.","annotations":[]}}]}]"#,
        // Streams whose calls stand in lines of their own.
        "{\"type\":\"message\",\"role\":\"user\",\"content\":\"Sound the horn.\"}\n{\"type\":\"tool_use\",\"tool_name\":\"horn\",\"tool_id\":\"h\",\"parameters\":{}}\n",
        "{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\"}\n{\"type\":\"tool_call\",\"subtype\":\"started\",\"call_id\":\"h\",\"tool_call\":{},\"session_id\":\"s\"}\n",
        // Lines with the keys of one host around the messages of another.
        "{\"uuid\":\"1\",\"sessionId\":\"s\",\"type\":\"user\",\"message\":{\"role\":\"user\",\"parts\":[{\"text\":\"Sound the horn.\"}]}}\n{\"uuid\":\"2\",\"parentUuid\":\"1\",\"sessionId\":\"s\",\"type\":\"assistant\",\"message\":{\"role\":\"model\",\"parts\":[{\"text\":\"Done.\"}]}}\n",
        "{\"type\":\"session_start\",\"id\":\"s\"}\n{\"type\":\"message\",\"id\":\"1\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Sound the horn.\"}]}}\n{\"type\":\"message\",\"id\":\"2\",\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"h\",\"name\":\"horn\",\"input\":{}}]}}\n",
    ];
    for text in texts {
        assert_none(text, None);
    }
}

#[test]
fn a_session_that_has_not_begun_is_one_without_turns() {
    let texts = [
        ("claude-code", "{\"type\":\"summary\",\"summary\":\"Ports\",\"leafUuid\":\"u1\"}\n{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\"}\n"),
        ("claude-code", r#"{"type":"summary","summary":"Ports","leafUuid":"u1"}"#),
        ("codex", "{\"type\":\"session_meta\",\"payload\":{\"id\":\"s\"}}\n{\"type\":\"event_msg\",\"payload\":{\"type\":\"token_count\"}}\n"),
        ("gemini-cli", r#"{"sessionId": "s", "projectHash": "h", "messages": []}"#),
        ("native", "[]"),
        ("native", r#"{"turns": []}"#),
    ];
    for (format, text) in texts {
        for named in [None, Some(format)] {
            for read in [parse(text, named), streamed(text, named)] {
                let session = read.unwrap_or_else(|error| panic!("{text}: {error}"));
                assert_eq!(session.format.map(|format| format.name).as_deref(), Some(format));
                assert_eq!(session.turns.len(), 0);
                assert_eq!(session.notes, ["the session holds no turn"]);
            }
        }
    }
}

#[test]
fn a_conversation_without_turns_whose_format_nothing_tells_is_none() {
    let text = r#"{"messages": [{"role": "system", "content": "Be brief."}]}"#;
    assert_none(text, None);
    for read in [parse(text, Some("openai-chat")), streamed(text, Some("openai-chat"))] {
        assert_eq!(read.unwrap().turns.len(), 0);
    }
    for wrong in ["claude-code", "codex", "native"] {
        assert_none(text, Some(wrong));
    }
}
