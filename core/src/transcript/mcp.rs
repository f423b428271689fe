//! Results of MCP `tools/call`: one decoder for every host that hands them on.
//!
//! Only a value that is structured says how a call ended. A text that looks like such a result may
//! be a file that was read: it is output and nothing more.

use super::blocks::output;
use super::build::Answer;
use super::value::{flag, has, is_list, is_object, leaves, list, push_line, take, take_string, take_text, text};
use crate::record::{Source, Status};
use alloc::string::String;
use serde_json::Value;

/// What a result is made of.
const PARTS: [&str; 5] = ["text", "image", "audio", "resource", "resource_link"];

/// Every key of a result, as it is on the wire and as Python writes it.
const KEYS: [&str; 9] = [
    "content",
    "isError",
    "is_error",
    "structuredContent",
    "structured_content",
    "resultType",
    "result_type",
    "_meta",
    "meta",
];

/// What a result says that is no result yet.
const PENDING: [&str; 2] = ["input_required", "task"];

/// Whether a value can be nothing else than such a result, or the JSON-RPC message around it.
pub(super) fn is_result(value: &Value) -> bool {
    let Some(map) = value.as_object() else { return false };
    if map.contains_key("jsonrpc") {
        return is_object(value, "error") || value.get("result").is_some_and(is_result);
    }
    if PENDING.contains(&kind(value)) {
        return true;
    }
    let part = |part: &Value| PARTS.contains(&text(part, "type"));
    let typed = is_list(value, "content") && list(value, "content").iter().all(part);
    typed && map.keys().all(|key| KEYS.contains(&key.as_str()))
}

fn kind(value: &Value) -> &str {
    let kind = text(value, "resultType");
    if kind.is_empty() {
        text(value, "result_type")
    } else {
        kind
    }
}

/// What a host keeps of a call: its result, and what went wrong beside or instead of it.
pub(super) fn called(result: Value, mut error: Value) -> Answer {
    let parts = ["content", "structuredContent", "structured_content"].iter().any(|key| has(&result, key));
    let mut told = if parts || is_result(&result) {
        answer(result)
    } else if result.is_null() {
        Answer { status: Status::Ok, ..Answer::default() }
    } else {
        Answer::of(output(result))
    };
    if !error.is_null() {
        told.error = Some(take_text(&mut error, "message").unwrap_or_else(|| leaves(error).0));
        told.stated(Status::Error);
    }
    told
}

/// Reads a value that its host calls a result of MCP, or that can be nothing else.
pub(super) fn answer(mut value: Value) -> Answer {
    if let mut error @ Value::Object(_) = take(&mut value, "error") {
        return Answer::failed(take_string(&mut error, "message"));
    }
    if is_object(&value, "result") {
        value = take(&mut value, "result");
    }
    let told = ["isError", "is_error", "resultType", "result_type"].into_iter().any(|key| has(&value, key));
    let status = if flag(&value, "isError") || flag(&value, "is_error") {
        Status::Error
    } else if PENDING.contains(&kind(&value)) {
        Status::Pending
    } else {
        Status::Ok
    };
    let (mut out, mut media) = output(take(&mut value, "content"));
    for key in ["structuredContent", "structured_content"] {
        let structured = take(&mut value, key);
        // A server repeats the structured result as JSON text, for hosts that read nothing else.
        if !structured.is_null() && serde_json::from_str::<Value>(&out).ok().as_ref() != Some(&structured) {
            let (text, sealed) = leaves(structured);
            push_line(&mut out, &text);
            media |= sealed;
        }
    }
    Answer {
        output: (status != Status::Pending || !out.is_empty()).then_some(out),
        truncated: media,
        status,
        source: told.then_some(Source::Field),
        ..Answer::default()
    }
}

/// A resource in a result: its text, or the address of what the record does not hold. True when some of it is missing.
pub(super) fn resource(mut part: Value) -> (String, bool) {
    let mut inner = match take(&mut part, "resource") {
        inner @ Value::Object(_) => inner,
        _ => part,
    };
    let mut out = String::new();
    for key in ["name", "title", "uri", "description"] {
        push_line(&mut out, &take_string(&mut inner, key));
    }
    let held = take_text(&mut inner, "text");
    push_line(&mut out, held.as_deref().unwrap_or(""));
    (out, held.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(value: Value) -> (Status, Option<String>, Option<Source>) {
        assert!(is_result(&value), "{value}");
        let answer = answer(value);
        (answer.status, answer.output, answer.source)
    }

    #[test]
    fn the_flag_decides_and_its_absence_says_nothing() {
        let part = json!([{"type": "text", "text": "no such table"}]);
        let failed = read(json!({"content": part, "isError": true}));
        assert_eq!(failed, (Status::Error, Some("no such table".into()), Some(Source::Field)));
        let python = read(json!({"meta": null, "content": part, "structured_content": null, "is_error": true}));
        assert_eq!(python.0, Status::Error);
        assert_eq!(read(json!({"content": part})).2, None);
    }

    #[test]
    fn a_protocol_error_is_an_error_and_a_task_is_no_result_yet() {
        let refused = json!({"jsonrpc": "2.0", "id": 4, "error": {"code": -32602, "message": "Unknown tool"}});
        assert_eq!(read(refused), (Status::Error, Some("Unknown tool".into()), Some(Source::Field)));
        let around = json!({"jsonrpc": "2.0", "id": 4, "result": {"content": [], "isError": false}});
        assert_eq!(read(around), (Status::Ok, Some(String::new()), Some(Source::Field)));
        let task = json!({"resultType": "task", "task": {"taskId": "t1", "status": "working"}});
        assert_eq!(read(task), (Status::Pending, None, Some(Source::Field)));
        assert_eq!(read(json!({"resultType": "input_required", "inputRequests": {}})).0, Status::Pending);
    }

    #[test]
    fn structured_content_counts_once() {
        let both = json!({"content": [{"type": "text", "text": "{\"n\": 3}"}], "structuredContent": {"n": 3}});
        assert_eq!(read(both).1.as_deref(), Some("{\"n\": 3}"));
        let more = json!({"content": [{"type": "text", "text": "Found."}], "structuredContent": {"n": 3}});
        assert_eq!(read(more).1.as_deref(), Some("Found.\n3"));
    }

    #[test]
    fn a_resource_is_its_text_and_a_link_is_an_excerpt() {
        let held = answer(json!({"content": [{"type": "resource", "resource": {"uri": "file:///a", "text": "A"}}]}));
        assert_eq!((held.output.as_deref(), held.truncated), (Some("file:///a\nA"), false));
        let blob = answer(json!({"content": [{"type": "resource", "resource": {"uri": "file:///a", "blob": "zz"}}]}));
        assert_eq!((blob.output.as_deref(), blob.truncated), (Some("file:///a"), true));
        let link = answer(json!({"content": [{"type": "resource_link", "uri": "file:///b", "name": "b"}]}));
        assert_eq!((link.output.as_deref(), link.truncated), (Some("b\nfile:///b"), true));
    }

    #[test]
    fn what_only_looks_like_a_result_is_none() {
        for other in [
            json!("{\"content\": [], \"isError\": true}"),
            json!({"content": "text", "isError": true}),
            json!({"content": [{"type": "paragraph"}]}),
            json!({"content": [{"type": "text", "text": "a"}], "price": 3}),
            json!({"error": {"code": 1, "message": "m"}}),
            json!([{"type": "text", "text": "a"}]),
        ] {
            assert!(!is_result(&other), "{other}");
        }
    }
}
