//! Group chats of several agents: AG2 (AutoGen), and the logs of Magentic-One.
//!
//! In AG2 every agent speaks for the team, and an executor runs the code in the message before its own: those are the calls.
//! In Magentic-One the orchestrator is the agent, and what it asks of the others are its calls. What the agents did on their
//! own is in neither, so that no turn is complete.

use super::blocks::{answer, output, system};
use super::build::{Answer, Builder};
use super::calls::{client, Shape};
use super::chat::tool_call;
use super::detect::{Format, FormatInfo, Hint};
use super::notes::Notes;
use super::value::{copied, has, items, nth, number, object, take, take_items, take_list, take_string, text, truth};
use crate::record::{Call, Executor, Session, Source};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

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

const CALL: Shape = Shape { tool: &["name"], arguments: &["arguments"], id: &["id"] };

fn sniff(value: &Value) -> Option<Hint> {
    let messages = items(value, &LISTS);
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

fn read(mut value: Value, notes: &mut Notes) -> Session {
    let mut reader = Reader::default();
    for message in take_items(&mut value, &LISTS) {
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
        let role = take_string(&mut message, "role");
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
        self.build.lacks(OWN_WORK);
        self.build.finish(notes)
    }

    fn unread(&mut self, notes: &mut Notes) {
        self.build.left_out(&nth("message", self.number), "no role", notes);
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
        let arguments = if key.is_empty() { Value::Null } else { object(key, text.into()) };
        let call = client(tool.to_string(), arguments, None);
        let answer = Answer { exit: Some(exit), ..Answer::plain(printed, exit != 0, Some(source)) };
        self.build.call(call, Some(answer), notes);
    }

    /// Results of AG2's functions, one or several in a message.
    fn results(&mut self, mut message: Value, content: Value, notes: &mut Notes) {
        let several = take_list(&mut message, "tool_responses");
        if several.is_empty() {
            let id = take_string(&mut message, "tool_call_id");
            self.build.result(&id, answer(content), notes);
        }
        for mut one in several {
            let id = take_string(&mut one, "tool_call_id");
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
            self.asked = Some(client(other.trim().to_string(), object("request", said.into()), None));
        } else if does != "thought" {
            self.release(None, notes);
            self.say(said);
        }
    }

    /// What another agent answers to the leader.
    fn answered(&mut self, role: &str, said: String, notes: &mut Notes) {
        if self.asked.as_ref().is_none_or(|call| call.tool != role) {
            self.release(None, notes);
            self.asked = Some(client(role.to_string(), Value::Null, None));
        }
        let exit = said.strip_prefix("The script ran, then exited with Unix exit code: ");
        let exit = exit.and_then(|rest| rest.lines().next()?.trim().parse::<i64>().ok());
        let failed = exit.is_some_and(|code| code != 0);
        let answer = Answer { exit, ..Answer::plain(said, failed, exit.map(|_| Source::Text)) };
        self.release(Some(answer), notes);
    }

    fn release(&mut self, answer: Option<Answer>, notes: &mut Notes) {
        if let Some(call) = self.asked.take() {
            self.build.call(call, answer, notes);
        }
    }

    /// A message of AutoGen, with a type.
    fn typed(&mut self, mut message: Value, notes: &mut Notes) {
        let source = take_string(&mut message, "source");
        let kind = take_string(&mut message, "type");
        let mut content = take(&mut message, "content");
        match kind.as_str() {
            "ToolCallRequestEvent" => {
                for mut call in take_items(&mut content, &[]) {
                    self.build.call(CALL.call(&mut call, Executor::Client), None, notes);
                }
            }
            "ToolCallExecutionEvent" => {
                for mut result in take_items(&mut content, &[]) {
                    let id = take_string(&mut result, "call_id");
                    self.build.result(&id, flagged(result), notes);
                }
            }
            "CodeExecutionEvent" => {
                let result = take(&mut message, "result");
                let exit = number(&result, "exit_code").unwrap_or_default();
                self.ran(exit, copied(&result, "output"), Source::Field, notes);
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

/// A result with AutoGen's flag.
fn flagged(mut result: Value) -> Answer {
    let told = answer(take(&mut result, "content"));
    match truth(&result, "is_error") {
        None => told,
        Some(failed) => Answer {
            truncated: told.truncated,
            ..Answer::plain(told.output.unwrap_or_default(), failed, Some(Source::Field))
        },
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
