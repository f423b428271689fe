//! What a tool gave back, where the host keeps it as a JSON value of the tool's own making.
//!
//! A process's streams and an MCP result say themselves how it ended. Of any other value nothing is known but what
//! stands in it: its JSON text, as the model was given it.

use super::blocks::{output, streams};
use super::build::Answer;
use super::mcp;
use super::value::{exit_status, flag, leaves, list, sealed, take, text, EXIT_KEYS};
use crate::record::Status;
use alloc::string::{String, ToString};
use serde_json::Value;

/// Names that are an exit status only beside what a process printed.
const EXITS: [&str; 2] = ["exit", "code"];

/// The result that a value is.
pub(super) fn returned(value: Value) -> Answer {
    if ["stdout", "stderr"].iter().any(|key| value.get(*key).is_some()) {
        return printed(value);
    }
    if mcp::is_result(&value) || list(&value, "content").iter().any(|part| !text(part, "type").is_empty()) {
        return mcp::answer(value);
    }
    let exit = exit_status(&value);
    let mut answer = Answer::of(spelled(value));
    answer.exited(exit);
    answer
}

/// What a process printed, and its exit status.
fn printed(mut value: Value) -> Answer {
    let exit = exit_status(&value).or_else(|| EXITS.into_iter().find_map(|key| value.get(key)?.as_i64()));
    let (cut, late) = (flag(&value, "truncated"), flag(&value, "timedOut") || flag(&value, "timed_out"));
    for key in EXIT_KEYS.iter().chain(&EXITS).chain(&["truncated", "timedOut", "timed_out"]) {
        if !value.get(*key).is_some_and(Value::is_string) {
            take(&mut value, key);
        }
    }
    let (output, hidden) = streams(value);
    let mut answer = Answer::of((output, cut || hidden));
    answer.exited(exit);
    if late {
        answer.stated(Status::Timeout);
    }
    answer
}

/// A value as text, and whether some of it cannot be read: parts of a message one after another, else JSON.
fn spelled(value: Value) -> (String, bool) {
    match value {
        Value::Null => (String::new(), false),
        Value::String(text) => (text, false),
        Value::Array(parts) if parts.iter().any(|part| part.get("text").is_some_and(Value::is_string)) => {
            output(Value::Array(parts))
        }
        other if hides(&other) => leaves(other),
        other => (other.to_string(), false),
    }
}

/// Whether encrypted content, which is long and says nothing, stands anywhere in a value.
fn hides(value: &Value) -> bool {
    let mut stack = alloc::vec![value];
    while let Some(next) = stack.pop() {
        match next {
            Value::Array(items) => stack.extend(items),
            Value::Object(map) => {
                if map.keys().any(|key| sealed(key)) {
                    return true;
                }
                stack.extend(map.values());
            }
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(value: Value) -> (Status, Option<i64>, String) {
        let answer = returned(value);
        (answer.status, answer.exit, answer.output.unwrap_or_default())
    }

    #[test]
    fn a_process_brings_its_exit_status() {
        let failed = of(json!({"stdout": "a\n", "stderr": "b", "exitCode": 2}));
        assert_eq!(failed, (Status::Error, Some(2), "a\nb".into()));
        assert_eq!(of(json!({"stdout": "a", "stderr": "", "exit_code": 0})), (Status::Ok, Some(0), "a".into()));
        let late = of(json!({"stdout": "", "timedOut": true, "exitCode": null}));
        assert_eq!(late, (Status::Timeout, None, String::new()));
    }

    #[test]
    fn a_number_called_code_in_some_other_value_is_no_exit_status() {
        assert_eq!(of(json!({"code": 7, "name": "x"})), (Status::Ok, None, "{\"code\":7,\"name\":\"x\"}".into()));
    }

    #[test]
    fn a_result_of_an_mcp_tool_says_whether_it_failed() {
        let failed = of(json!({"content": [{"type": "text", "text": "no such page"}], "isError": true}));
        assert_eq!(failed, (Status::Error, None, "no such page".into()));
    }

    #[test]
    fn pictures_and_sealed_content_make_an_excerpt() {
        assert!(returned(json!([{"type": "text", "text": "a"}, {"type": "image-data", "data": "AAAA"}])).truncated);
        let found = returned(json!([{"title": "T", "encryptedContent": "zzz"}]));
        assert!(found.truncated);
        assert_eq!(found.output.as_deref(), Some("T"));
    }
}
