//! How a call and its outcome are shown: `npm test → exit 1`.

use super::flat;
use crate::evidence::envelope;
use crate::record::{Call, Status};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

/// The most characters of a call.
const LONGEST: usize = 80;

/// A call and what came of it, on one line, masked and safe to show.
pub fn call(call: &Call) -> String {
    format!("{} → {}", form(call), outcome(call))
}

/// A command call by its command line, any other as `tool(key="value", …)`.
pub fn form(call: &Call) -> String {
    let text = match (&call.arguments, line(&call.arguments)) {
        (_, Some(line)) => line,
        (Value::Object(map), None) => {
            // Only what can be shown is written out: an argument may hold a whole file.
            let mut parts = Vec::new();
            for (key, value) in map.iter().take(8) {
                parts.push(format!("{key}={}", argument(value)));
            }
            format!("{}({})", call.tool, parts.join(", "))
        }
        (Value::String(text), None) => format!("{}({:?})", call.tool, start(text)),
        (Value::Null, None) => format!("{}()", call.tool),
        (other, None) => format!("{}({})", call.tool, argument(other)),
    };
    flat(&text, LONGEST)
}

/// The command line among the arguments, where they hold one and nothing that makes it a verb of something else.
fn line(arguments: &Value) -> Option<String> {
    let map = arguments.as_object()?;
    if ["path", "file_path", "file", "filename"].iter().any(|key| map.contains_key(*key)) {
        return None;
    }
    match ["command", "cmd", "script"].iter().find_map(|key| map.get(*key))? {
        Value::String(line) => Some(start(line).to_string()),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().take(64).filter_map(Value::as_str).collect();
            match words[..] {
                [_, "-c" | "-lc", line] => Some(start(line).to_string()),
                [] => None,
                _ => Some(words.iter().map(|word| start(word)).collect::<Vec<_>>().join(" ")),
            }
        }
        _ => None,
    }
}

fn argument(value: &Value) -> String {
    match value {
        Value::String(text) => format!("\"{}\"", start(text)),
        Value::Array(_) => "[…]".into(),
        Value::Object(_) => "{…}".into(),
        other => other.to_string(),
    }
}

/// More of a text than is ever shown of it.
fn start(text: &str) -> &str {
    text.char_indices().nth(1024).and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}

/// How a call ended, in a word or two.
pub fn outcome(call: &Call) -> String {
    match (call.status, call.exit) {
        (Status::Denied, _) => "denied".into(),
        (Status::Declined, _) => "declined".into(),
        (Status::Timeout, _) => "timed out".into(),
        (Status::Cancelled, _) => "cancelled".into(),
        (_, Some(exit)) => format!("exit {exit}"),
        (Status::Error, None) => "failed".into(),
        (Status::Pending, None) => "no result in the record".into(),
        (Status::Background, None) => "started in the background".into(),
        (Status::Ok, None) => "ok".into(),
        (Status::Unknown, None) if call.output.is_some() => "answered".into(),
        (Status::Unknown, None) => "outcome not known".into(),
    }
}

/// The first line of what the call returned that is not blank, or of its error.
pub(crate) fn excerpt(call: &Call, limit: usize) -> Option<String> {
    let first = |text: &str| {
        let head = text.char_indices().nth(4096).and_then(|(at, _)| text.get(..at)).unwrap_or(text);
        head.lines().map(str::trim).find(|line| !line.is_empty()).map(|line| flat(line, limit))
    };
    let body = |output| envelope::body(output).of(output);
    call.output.as_deref().map(body).and_then(first).or_else(|| call.error.as_deref().and_then(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn with(tool: &str, arguments: Value) -> Call {
        Call { tool: tool.into(), arguments, ..Call::default() }
    }

    #[test]
    fn a_command_is_shown_by_its_line_and_anything_else_by_its_form() {
        assert_eq!(form(&with("bash", json!({"command": "npm test", "timeout": 9}))), "npm test");
        assert_eq!(form(&with("shell", json!({"command": ["bash", "-lc", "ls | wc -l"]}))), "ls | wc -l");
        assert_eq!(
            form(&with("edit", json!({"command": "view", "path": "a.md"}))),
            "edit(command=\"view\", path=\"a.md\")"
        );
        assert_eq!(form(&with("read", json!({"all": true, "path": "a\nb"}))), "read(all=true, path=\"a b\")");
        assert_eq!(form(&with("now", Value::Null)), "now()");
        assert_eq!(form(&with("say", json!("hi"))), "say(\"hi\")");
    }

    #[test]
    fn a_long_call_is_cut_at_eighty_characters() {
        let shown = form(&with("bash", json!({"command": "日".repeat(5000)})));
        assert_eq!(shown.chars().count(), 80);
        assert!(shown.ends_with('…'));
    }

    #[test]
    fn a_call_says_how_it_ended() {
        let ended = |status, exit| outcome(&Call { status, exit, ..Call::default() });
        assert_eq!(ended(Status::Error, Some(1)), "exit 1");
        assert_eq!(ended(Status::Denied, Some(1)), "denied");
        assert_eq!(ended(Status::Pending, None), "no result in the record");
        assert_eq!(ended(Status::Unknown, None), "outcome not known");
    }
}
