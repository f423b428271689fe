//! Group chats of several agents: AG2 (AutoGen), and the logs of Magentic-One.
//!
//! In AG2 every agent speaks for the team, and an executor runs the code in the message before its own: those are the calls.
//! In Magentic-One the orchestrator is the agent, and what it asks of the others are its calls. What the agents did on their
//! own is in neither, so that no turn is complete.

use super::blocks::{answer, client, output, system};
use super::build::{Answer, Builder};
use super::chat::tool_call;
use super::detect::{Format, FormatInfo, Hint};
use super::notes::Notes;
use super::value::{arguments_text, has, list, take, take_list, take_text, text};
use crate::record::{Call, Session, Source, Status};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{json, Value};

pub(super) const FORMAT: Format = Format {
    info: FormatInfo { name: "group-chat", about: "group chats of several agents: AG2, AutoGen, Magentic-One" },
    sniff,
    read,
};

const OWN_WORK: &str = "what the agents of a group chat do on their own is not in the record";

/// Who leads in Magentic-One, followed by what it does in brackets.
const LEADER: &str = "Orchestrator";

/// The keys under which a file keeps its messages.
const LISTS: [&str; 3] = ["history", "messages", "chat_history"];

/// AutoGen's typed messages.
const TYPED: [&str; 4] = ["TextMessage", "ToolCallRequestEvent", "ToolCallExecutionEvent", "CodeExecutionEvent"];

fn sniff(value: &Value) -> Option<Hint> {
    let messages = match value {
        Value::Array(items) => items.as_slice(),
        other => LISTS.into_iter().map(|key| list(other, key)).find(|list| !list.is_empty())?,
    };
    if messages.iter().any(|m| text(m, "role").starts_with(LEADER) && has(m, "content")) {
        return Some(Hint::certain("role: Orchestrator"));
    }
    if messages.iter().any(|m| has(m, "source") && TYPED.contains(&text(m, "type"))) {
        return Some(Hint::certain("source, type"));
    }
    let mut names: Vec<&str> = Vec::new();
    for message in messages.iter().filter(|m| matches!(text(m, "role"), "user" | "assistant")) {
        let name = Some(text(message, "name")).filter(|name| !name.is_empty())?;
        if names.len() < 3 && !names.contains(&name) {
            names.push(name);
        }
    }
    let ran = || messages.iter().any(|message| executed(text(message, "content")).is_some());
    let group = names.len() > 2 || names.len() == 2 && (has(value, "history") || ran());
    group.then_some(Hint::likely("name"))
}

fn read(value: Value, notes: &mut Notes) -> Session {
    let messages = match value {
        Value::Array(items) => items,
        mut object => {
            LISTS.into_iter().map(|key| take_list(&mut object, key)).find(|list| !list.is_empty()).unwrap_or_default()
        }
    };
    let mut reader = Reader::default();
    for message in messages {
        reader.line(message, notes);
    }
    reader.finish(notes)
}

/// Reads one message after the other.
#[derive(Debug, Default)]
pub(super) struct Reader {
    build: Builder,
    number: usize,
    /// What the leader asked of another agent, until that one answers.
    asked: Option<Call>,
    /// The code in the last message, for an executor to run.
    code: Vec<(String, String)>,
}

impl Reader {
    /// Reads a message.
    pub(super) fn line(&mut self, mut message: Value, notes: &mut Notes) {
        self.number += 1;
        if has(&message, "source") {
            return self.typed(message, notes);
        }
        let role = take_text(&mut message, "role").unwrap_or_default();
        let content = take(&mut message, "content");
        match role.as_str() {
            "system" => self.build.instructions(system(content)),
            "tool" => self.results(message, content, notes),
            "user" | "assistant" => {
                let said = self.said(content, notes);
                self.named(message, said, notes);
            }
            "human" => {
                let said = self.said(content, notes);
                self.heard(said);
            }
            "" => self.unread(notes),
            _ => {
                let said = self.said(content, notes);
                self.led(&role, said, notes);
            }
        }
    }

    /// The whole conversation.
    pub(super) fn finish(mut self, notes: &mut Notes) -> Session {
        self.release(None, notes);
        self.build.incomplete.push(OWN_WORK.to_string());
        self.build.finish(notes)
    }

    fn unread(&mut self, notes: &mut Notes) {
        self.build.left_out(&format!("message {}", self.number), "no role", notes);
    }

    fn said(&mut self, content: Value, notes: &mut Notes) -> String {
        if !matches!(content, Value::String(_) | Value::Array(_) | Value::Null) {
            self.unread(notes);
        }
        output(content).0
    }

    fn heard(&mut self, said: String) {
        if said.trim().is_empty() {
            self.build.unread_user();
        } else {
            self.code = blocks(&said);
            self.build.user(Some(said));
        }
    }

    /// Prose of an agent, with the code in it for an executor.
    fn say(&mut self, said: String) {
        self.code = blocks(&said);
        self.build.between();
        // The word that ends the chat is for the host.
        if said.trim() != "TERMINATE" {
            self.build.text(said, "message");
        }
    }

    /// A message of AG2. The first one is the task, whoever sends it.
    fn named(&mut self, mut message: Value, said: String, notes: &mut Notes) {
        let person = matches!(text(&message, "name").to_ascii_lowercase().as_str(), "human" | "user");
        if let Some((exit, printed)) = executed(&said) {
            self.ran(exit, printed, Source::Text, notes);
        } else if self.build.is_empty() || person {
            self.heard(said);
        } else {
            self.say(said);
        }
        for call in take_list(&mut message, "tool_calls") {
            self.build.call(tool_call(call), None, notes);
        }
    }

    fn ran(&mut self, exit: i64, printed: String, source: Source, notes: &mut Notes) {
        let code = core::mem::take(&mut self.code);
        let shell = |(language, _): &(String, String)| matches!(language.as_str(), "sh" | "bash" | "shell" | "console");
        let (tool, key) = match code.first() {
            None => ("code_execution", ""),
            Some(_) if code.iter().all(shell) => ("bash", "command"),
            Some(_) => ("python", "code"),
        };
        let text = code.into_iter().map(|(_, block)| block).collect::<Vec<_>>().join("\n\n");
        let arguments = if key.is_empty() { Value::Null } else { json!({ key: text }) };
        let call = client(Some(tool.to_string()), arguments, None);
        let status = if exit == 0 { Status::Ok } else { Status::Error };
        let (exit, source) = (Some(exit), Some(source));
        self.build.call(call, Some(Answer { output: Some(printed), status, exit, source, ..Answer::default() }), notes);
    }

    /// Results of AG2's functions, one or several in a message.
    fn results(&mut self, mut message: Value, content: Value, notes: &mut Notes) {
        let several = take_list(&mut message, "tool_responses");
        if several.is_empty() {
            let id = take_text(&mut message, "tool_call_id").unwrap_or_default();
            self.build.result(&id, answer(content), notes);
        }
        for mut one in several {
            let id = take_text(&mut one, "tool_call_id").unwrap_or_default();
            self.build.result(&id, answer(take(&mut one, "content")), notes);
        }
    }

    /// A message of Magentic-One.
    fn led(&mut self, role: &str, said: String, notes: &mut Notes) {
        let Some(does) = role.strip_prefix(LEADER) else {
            return self.answered(role, said, notes);
        };
        let does = does.trim().trim_start_matches('(').trim_end_matches(')');
        if let Some(other) = does.strip_prefix("->") {
            self.release(None, notes);
            self.asked = Some(client(Some(other.trim().to_string()), json!({ "request": said }), None));
        } else if does != "thought" {
            self.release(None, notes);
            self.say(said);
        }
    }

    /// What another agent answers to the leader.
    fn answered(&mut self, role: &str, said: String, notes: &mut Notes) {
        if self.asked.as_ref().is_none_or(|call| call.tool != role) {
            self.release(None, notes);
            self.asked = Some(client(Some(role.to_string()), Value::Null, None));
        }
        let exit = said.strip_prefix("The script ran, then exited with Unix exit code: ");
        let exit = exit.and_then(|rest| rest.lines().next()?.trim().parse::<i64>().ok());
        let answer = Answer {
            status: if exit.is_some_and(|code| code != 0) { Status::Error } else { Status::Ok },
            exit,
            source: exit.map(|_| Source::Text),
            output: Some(said),
            ..Answer::default()
        };
        self.release(Some(answer), notes);
    }

    fn release(&mut self, answer: Option<Answer>, notes: &mut Notes) {
        if let Some(call) = self.asked.take() {
            self.build.call(call, answer, notes);
        }
    }

    /// A message of AutoGen, with a type.
    fn typed(&mut self, mut message: Value, notes: &mut Notes) {
        let source = take_text(&mut message, "source").unwrap_or_default();
        let kind = take_text(&mut message, "type").unwrap_or_default();
        let content = take(&mut message, "content");
        match kind.as_str() {
            "ToolCallRequestEvent" => {
                for mut call in listed(content) {
                    let (name, id) = (take_text(&mut call, "name"), take_text(&mut call, "id"));
                    let call = client(name, arguments_text(take(&mut call, "arguments")), id);
                    self.build.call(call, None, notes);
                }
            }
            "ToolCallExecutionEvent" => {
                for mut result in listed(content) {
                    let id = take_text(&mut result, "call_id").unwrap_or_default();
                    self.build.result(&id, flagged(result), notes);
                }
            }
            "CodeExecutionEvent" => {
                let result = take(&mut message, "result");
                let exit = result.get("exit_code").and_then(Value::as_i64).unwrap_or_default();
                self.ran(exit, text(&result, "output").to_string(), Source::Field, notes);
            }
            "ThoughtEvent" | "MemoryQueryEvent" | "UserInputRequestedEvent" | "SelectSpeakerEvent" => {}
            // The outputs of the calls once more.
            "ToolCallSummaryMessage" => {}
            _ => {
                let said = self.said(content, notes);
                match source.as_str() {
                    "user" => self.heard(said),
                    "" => self.unread(notes),
                    _ => self.say(said),
                }
            }
        }
    }
}

fn listed(content: Value) -> Vec<Value> {
    match content {
        Value::Array(items) => items,
        _ => Vec::new(),
    }
}

/// A result with AutoGen's flag.
fn flagged(mut result: Value) -> Answer {
    let told = answer(take(&mut result, "content"));
    match result.get("is_error").and_then(Value::as_bool) {
        None => told,
        Some(failed) => {
            let status = if failed { Status::Error } else { Status::Ok };
            Answer { status, source: Some(Source::Field), ..told }
        }
    }
}

/// An executor's message: the exit status and what the code printed.
fn executed(said: &str) -> Option<(i64, String)> {
    let rest = said.strip_prefix("exitcode: ")?;
    let (code, rest) = rest.split_once(" (")?;
    let (_, printed) = rest.split_once(')')?;
    let printed = printed.trim_start();
    Some((code.trim().parse().ok()?, printed.strip_prefix("Code output:").unwrap_or(printed).trim().to_string()))
}

/// The fenced blocks of code in a message, each with its language.
fn blocks(said: &str) -> Vec<(String, String)> {
    let parts: Vec<&str> = said.split("```").collect();
    let inside = parts.into_iter().skip(1).step_by(2);
    inside
        .filter_map(|block| block.split_once('\n'))
        .map(|(l, code)| (l.trim().to_string(), code.to_string()))
        .collect()
}
