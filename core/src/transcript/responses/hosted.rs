//! Calls with a form of their own: shells, patches, and the tools that the server runs, whose results stand in the same item.

use super::items::{Items, Place};
use crate::record::{Call, Executor, Source, Status};
use crate::transcript::blocks::output;
use crate::transcript::build::Answer;
use crate::transcript::mcp;
use crate::transcript::notes::Notes;
use crate::transcript::value::{
    arguments, arguments_text, exit_status, has, leaves, object, picked, push_line, set, take, take_any, take_list,
    take_string, take_text, text,
};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

/// How an item ended, by its `status`; `None` where it does not say.
pub(in crate::transcript) fn ended(status: &str) -> Option<Status> {
    match status {
        "completed" => Some(Status::Ok),
        "failed" => Some(Status::Error),
        "declined" => Some(Status::Declined),
        "incomplete" => Some(Status::Cancelled),
        "in_progress" | "inProgress" | "queued" | "searching" | "interpreting" | "generating" | "calling" => {
            Some(Status::Pending)
        }
        _ => None,
    }
}

impl Items {
    /// A call of a kind that is known by the item's type.
    pub(super) fn hosted(&mut self, kind: &str, mut item: Value, place: Place<'_>, notes: &mut Notes) {
        let tool = kind.strip_suffix("_call").unwrap_or(kind);
        match tool {
            "shell" => self.shell(item, place, notes),
            "local_shell" | "computer" | "apply_patch" | "program" => {
                let arguments = match take_any(&mut item, &["action", "operation"]) {
                    Value::Null => picked(&mut item, &["actions", "code"]),
                    object => without_type(object, tool),
                };
                self.make((tool.into(), arguments), Executor::Client, &mut item, None, place, notes);
            }
            "mcp" | "mcp_approval_request" => self.served(tool, item, place, notes),
            "tool_search" if has(&item, "call_id") => {
                let arguments = arguments_text(take(&mut item, "arguments"));
                self.make((tool.into(), arguments), Executor::Client, &mut item, None, place, notes);
            }
            _ => {
                let (asked, answer) = provided(tool, &mut item);
                self.make(asked, Executor::Provider, &mut item, answer, place, notes);
            }
        }
    }

    /// Several commands of one item are a call each.
    fn shell(&mut self, mut item: Value, place: Place<'_>, notes: &mut Notes) {
        let mut action = take(&mut item, "action");
        let commands = take_list(&mut action, "commands");
        let whole = self.call(&mut item, Executor::Client, place);
        let id = whole.id.clone().unwrap_or_default();
        let count = commands.len();
        self.commands.insert(id.clone(), count.max(1));
        for (i, command) in commands.into_iter().enumerate() {
            let call = Call {
                tool: "shell".to_string(),
                arguments: object("command", command),
                id: (!id.is_empty()).then(|| numbered(&id, i, count)),
                ..whole.clone()
            };
            self.build.call(call, None, notes);
        }
        if count == 0 {
            let call = Call { tool: "shell".to_string(), arguments: arguments(action), ..whole };
            self.build.call(call, None, notes);
        }
    }

    /// What the commands of a shell call printed, each with its exit.
    pub(super) fn printed(&mut self, id: &str, mut item: Value, notes: &mut Notes) {
        let most = item.get("max_output_length").and_then(Value::as_u64);
        let parts: Vec<Answer> = match take(&mut item, "output") {
            Value::Array(parts) => parts.into_iter().map(|part| printed(part, most)).collect(),
            other => alloc::vec![Answer::of((output(other).0, false))],
        };
        // The commands of a call get their results once, so that a repeated item costs nothing.
        let count = self.commands.insert(id.to_string(), 0).unwrap_or(1);
        if count == 0 {
            notes.add("second results of a call", format!("the call {id} has a second result; the first counts"));
            return;
        }
        if parts.len() == count {
            for (i, part) in parts.into_iter().enumerate() {
                self.build.result(&numbered(id, i, count), part, notes);
            }
            return;
        }
        // Which output is which command's is not known: the first keeps them all, and no command failed by them.
        let fine = parts.iter().all(|part| part.status == Status::Ok);
        let mut all = String::new();
        parts.iter().filter_map(|part| part.output.as_deref()).for_each(|text| push_line(&mut all, text));
        for i in 0..count {
            let output = Some(core::mem::take(&mut all)).filter(|_| i == 0);
            let status = if fine { Status::Ok } else { Status::Unknown };
            let answer = Answer { output, truncated: true, status, ..Answer::default() };
            self.build.result(&numbered(id, i, count), answer, notes);
        }
    }

    /// The output of a local shell is JSON text, or else what was printed.
    pub(super) fn printed_as_json(&mut self, id: &str, mut item: Value, notes: &mut Notes) {
        let (text, media) = output(take(&mut item, "output"));
        let answer = shell_json(&text);
        self.build.result(id, answer.unwrap_or_else(|| Answer::of((text, media))), notes);
    }

    /// A call of a server's tool, with its result; or the question whether it may run.
    fn served(&mut self, tool: &str, mut item: Value, place: Place<'_>, notes: &mut Notes) {
        let approval = take_text(&mut item, "approval_request_id").filter(|id| self.build.called(id).is_some());
        let (asked, answer) = provided(tool, &mut item);
        match (approval, answer) {
            (Some(id), Some(answer)) => self.build.result(&id, answer, notes),
            (Some(_), None) => {}
            (None, answer) => self.make(asked, Executor::Provider, &mut item, answer, place, notes),
        }
    }
}

/// A call that the server carried out: the tool and what it was asked, and its result.
fn provided(tool: &str, item: &mut Value) -> ((String, Value), Option<Answer>) {
    match tool {
        "mcp" | "mcp_approval_request" => {
            let names = ["server_label", "name"].map(|key| take_string(item, key));
            let arguments = arguments_text(take(item, "arguments"));
            let answer = if tool == "mcp" { ran(item) } else { None };
            ((names.join(".").trim_start_matches('.').to_string(), arguments), answer)
        }
        _ => (asked(tool, item), found(tool, item)),
    }
}

/// The id of one command of a shell call.
fn numbered(id: &str, i: usize, count: usize) -> String {
    if count < 2 {
        return id.to_string();
    }
    format!("{id}.{}", i + 1)
}

/// A patch says by its type what it does to the file; for all others the type is the item's.
fn without_type(mut object: Value, tool: &str) -> Value {
    if tool == "local_shell" {
        take(&mut object, "type");
        take(&mut object, "env");
    }
    object
}

/// One command's output: standard output before standard error.
fn printed(mut part: Value, most: Option<u64>) -> Answer {
    let mut out = take_string(&mut part, "stdout");
    push_line(&mut out, &take_string(&mut part, "stderr"));
    let outcome = take(&mut part, "outcome");
    let exit = exit_status(&outcome);
    let truncated = most.is_some_and(|most| u64::try_from(out.len()).is_ok_and(|length| length >= most));
    let status = match (text(&outcome, "type"), exit) {
        ("timeout", _) => Status::Timeout,
        (_, Some(code)) if code != 0 => Status::Error,
        (_, Some(_)) => Status::Ok,
        (_, None) => Status::Unknown,
    };
    let source = (status != Status::Unknown).then_some(Source::Field);
    Answer { output: Some(out), truncated, status, exit, source, ..Answer::default() }
}

/// A shell's result that was written as JSON text: `{"output": …, "metadata": {"exit_code": …}}` or `{"stdout": …, "exit_code": …}`.
pub(in crate::transcript) fn shell_json(text: &str) -> Option<Answer> {
    if !text.trim_start().starts_with('{') {
        return None;
    }
    let mut value: Value = serde_json::from_str(text).ok()?;
    let metadata = take(&mut value, "metadata");
    let exit = exit_status(&metadata).or_else(|| exit_status(&value))?;
    let mut out = take_string(&mut value, "output");
    for key in ["stdout", "stderr"] {
        push_line(&mut out, &take_string(&mut value, key));
    }
    let mut answer = Answer::of((out, false));
    answer.exited(Some(exit));
    Some(answer)
}

/// What a server's tool was asked. A search may also open a page or look in it.
fn asked(tool: &str, item: &mut Value) -> (String, Value) {
    let mut action = take(item, "action");
    if action.is_object() {
        let kind = take_string(&mut action, "type");
        // The sources are results.
        let sources = take(&mut action, "sources");
        set(item, "sources", sources);
        let name = if matches!(kind.as_str(), "" | "search") { tool.to_string() } else { format!("{tool}.{kind}") };
        return (name, action);
    }
    let arguments = arguments_text(take(item, "arguments"));
    let asked = picked(item, &["query", "queries", "code", "revised_prompt"]);
    (tool.to_string(), if asked.is_null() { arguments } else { asked })
}

/// What a server's tool found. Results are often left out unless they were asked for: then the output is not known.
fn found(tool: &str, item: &mut Value) -> Option<Answer> {
    let status = ended(text(item, "status"));
    if status == Some(Status::Pending) {
        return None;
    }
    let (mut out, mut whole, mut sealed) = (String::new(), false, tool == "image_generation");
    for key in ["results", "outputs", "sources", "output"] {
        let value = take(item, key);
        sealed |= value.as_array().is_some_and(|parts| parts.iter().any(|part| text(part, "type") == "image"));
        whole |= !value.is_null();
        let (text, hidden) = leaves(value);
        push_line(&mut out, &text);
        sealed |= hidden;
    }
    Some(Answer {
        output: whole.then_some(out),
        truncated: sealed || !whole,
        status: status.unwrap_or(Status::Ok),
        source: status.map(|_| Source::Field),
        ..Answer::default()
    })
}

/// The result of a server's tool; `None` while there is none.
fn ran(item: &mut Value) -> Option<Answer> {
    let (result, error) = (take(item, "output"), take(item, "error"));
    let status = ended(text(item, "status")).filter(|status| *status != Status::Pending);
    if result.is_null() && error.is_null() && status.is_none() {
        return None;
    }
    let mut answer = mcp::called(result, error);
    if let Some(status) = status {
        answer.stated(if answer.status == Status::Error { Status::Error } else { status });
    }
    Some(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_result_may_be_json_text() {
        let answer = shell_json(r#"{"output":"boom","metadata":{"exit_code":2,"duration_seconds":0.1}}"#).unwrap();
        assert_eq!((answer.output.as_deref(), answer.exit, answer.status), (Some("boom"), Some(2), Status::Error));
        let answer = shell_json(r#"{"stdout":"a","stderr":"b","exit_code":0}"#).unwrap();
        assert_eq!((answer.output.as_deref(), answer.exit, answer.status), (Some("a\nb"), Some(0), Status::Ok));
        assert!(shell_json(r#"{"exit":1}"#).is_none());
        assert!(shell_json("[1]").is_none());
    }
}
