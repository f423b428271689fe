//! How a call ended, in the words of a reason, and what its answer says of that.

use super::facts::Facts;
use crate::record::Status;
use alloc::format;
use alloc::string::{String, ToString};
use serde_json::Value;

/// The longest answer that is read as JSON.
const LONGEST: usize = 64 * 1024;

impl Facts<'_> {
    /// `CALL timed out`, `CALL exited 2`, `CALL has no result yet`; none for a call that may have ended well.
    pub fn ended(&self) -> Option<String> {
        let shown = self.shown();
        Some(match self.call.status {
            Status::Denied => format!("{shown} was denied"),
            Status::Declined => format!("{shown} was declined"),
            Status::Timeout => format!("{shown} timed out"),
            Status::Cancelled => format!("{shown} was cancelled"),
            Status::Pending | Status::Background => format!("{shown} has no result yet"),
            _ if self.succeeded => return None,
            _ => match self.call.exit {
                Some(124) if self.commands.iter().any(|c| c.words.first().is_some_and(|w| w.ends_with("timeout"))) => {
                    format!("{shown} timed out")
                }
                Some(exit) if exit != 0 => format!("{shown} exited {exit}"),
                _ => format!("{shown} failed"),
            },
        })
    }

    /// Whether a call failed and printed nothing but its error, so that it is not likely to have got anywhere before.
    pub fn fell_at_once(&self) -> bool {
        let text = self.call.output.as_deref().unwrap_or("");
        let error = |line: &str| {
            let line = line.trim_start().get(..12).unwrap_or(line).trim_start().to_ascii_lowercase();
            ["error", "exit", "stderr", "stdout"].iter().any(|word| line.starts_with(word))
        };
        let mut lines = text.lines().filter(|line| !line.trim().is_empty()).peekable();
        self.call.status == Status::Error && !self.stopped() && lines.peek().is_some() && lines.all(error)
    }
}

/// What the answer of a tool says of its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing that speaks against it.
    Fine,
    /// It was not done: the key and value that say so.
    Refused(String),
    /// It is not done yet, or waits for somebody: likewise.
    Waiting(String),
}

/// Values of a state that is not the end.
const WAITING: &[&str] = &["awaiting", "in_progress", "in progress", "inprogress", "queued", "requires", "running"];

/// Values of a state that is a failure.
const REFUSED: &[&str] = &["denied", "error", "failed", "failure", "rejected"];

/// Things whose state is that of the call, besides what the tool is named for.
const JOBS: &[&str] = &["data", "job", "operation", "process", "request", "response", "result", "run", "task"];

/// Reads the answer of a tool: only an object in JSON counts, and only what stands at its top, or one step below in what
/// the tool is named for: of `create_transfer`, `{"transfer": {"state": "AWAITING_CONFIRMATION"}}`.
///
/// A caller asks this of calls that make something: of a call that looks, the state may be that of anything.
pub fn answer(tool: &str, output: &str) -> Answer {
    let text = output.trim();
    if text.len() > LONGEST || !text.starts_with('{') {
        return Answer::Fine;
    }
    let Ok(Value::Object(map)) = serde_json::from_str::<Value>(text) else { return Answer::Fine };
    for (key, value) in &map {
        let failed = match (key.as_str(), value) {
            ("error" | "errors", Value::String(text)) => !text.trim().is_empty(),
            ("error", Value::Object(inner)) => !inner.is_empty(),
            ("errors", Value::Array(list)) => !list.is_empty() && !map.contains_key("data"),
            ("error", Value::Bool(yes)) => *yes,
            ("ok" | "success" | "succeeded", Value::Bool(yes)) => !yes,
            _ => false,
        };
        if failed {
            return Answer::Refused(named(key, value));
        }
    }
    let words = super::roles::words(tool);
    let meant = |key: &String| JOBS.contains(&key.as_str()) || words.contains(&key.to_lowercase());
    let inner = map.iter().filter(|(key, _)| meant(key)).filter_map(|(_, value)| value.as_object());
    for (key, value) in map.iter().chain(inner.flatten()) {
        if !matches!(key.as_str(), "state" | "status") {
            continue;
        }
        let Some(text) = value.as_str().map(str::to_lowercase) else { continue };
        if REFUSED.contains(&text.as_str()) {
            return Answer::Refused(named(key, value));
        }
        if WAITING.iter().any(|w| text.starts_with(w)) {
            return Answer::Waiting(named(key, value));
        }
    }
    Answer::Fine
}

/// `error="ALREADY_PACKED"`; of an object the part that says most.
fn named(key: &str, value: &Value) -> String {
    let part = match value {
        Value::Object(inner) => {
            ["code", "reason", "type", "message"].iter().find_map(|k| inner.get(*k)).filter(|v| !v.is_object())
        }
        Value::Array(list) => list.first().filter(|v| v.is_string()),
        value => Some(value),
    };
    match part {
        Some(part) => format!("{key}={}", crate::text::span::quote(&part.to_string(), 60)),
        None => key.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_says_it_failed_or_waits_is_told_from_others() {
        let refused = |text: &str| Answer::Refused(text.into());
        let waiting = |text: &str| Answer::Waiting(text.into());
        for (output, expected) in [
            (r#"{"error": "LOCKED", "message": "in use"}"#, refused(r#"error="LOCKED""#)),
            (r#"{"error": {"code": 409, "message": "busy"}}"#, refused("error=409")),
            (r#"{"success": false}"#, refused("success=false")),
            (r#"{"job": {"id": 3, "status": "FAILED"}}"#, refused(r#"status="FAILED""#)),
            (r#"{"state": "AWAITING_SIGNATURE"}"#, waiting(r#"state="AWAITING_SIGNATURE""#)),
            (r#"{"job": "j1", "state": "RUNNING"}"#, waiting(r#"state="RUNNING""#)),
            (r#"{"error": null, "status": "done"}"#, Answer::Fine),
            (r#"{"errors": []}"#, Answer::Fine),
            (r#"[{"status": "failed"}]"#, Answer::Fine),
            (r#"{"order": 3, "refund": {"state": "QUEUED"}}"#, Answer::Fine),
            ("error: none", Answer::Fine),
            ("", Answer::Fine),
        ] {
            assert_eq!(answer("start_job", output), expected, "{output}");
        }
    }
}
