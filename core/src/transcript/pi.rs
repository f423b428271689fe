//! pi: session files, JSON Lines of entries that form a tree.
//!
//! A message that was edited leaves a dead branch: what counts is the path from the last entry back to the first. Files of the
//! first version have no ids, and there every entry counts.

use super::blocks::{hear, output, telling_block};
use super::build::{Answer, Builder};
use super::calls::Shape;
use super::detect::{Format, FormatInfo, Hint};
use super::notes::Notes;
use super::value::{
    copied, flag, has, list, listed, nth, number, object, slice, take, take_string, take_text, text, truth,
};
use crate::record::{Call, Executor, Session, Source, Status};
use crate::sort;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

pub(super) const FORMAT: Format =
    Format { info: FormatInfo { name: "pi", about: "pi: session files of the coding agent" }, sniff, read };

const CALL: Shape = Shape { tool: &["name"], arguments: &["arguments"], id: &["id"] };

fn sniff(value: &Value) -> Option<Hint> {
    let (mut spoken, mut other) = (false, false);
    for line in slice(value) {
        let kind = text(line, "type");
        other |= kind == "session_start";
        let Some(message) = line.get("message").filter(|_| kind == "message") else { continue };
        let called = list(message, "content").iter().any(|part| text(part, "type") == "toolCall");
        if called || matches!(text(message, "role"), "toolResult" | "bashExecution") {
            return Some(Hint::certain("toolCall"));
        }
        // Others write lines of this type around the blocks of Anthropic.
        other |= telling_block(message).is_some();
        spoken |= has(message, "role");
    }
    (spoken && !other).then(|| Hint::likely("type: message"))
}

fn read(value: Value, notes: &mut Notes) -> Session {
    let lines = listed(value);
    let mut reader = Reader::default();
    let (live, whole) = live(&lines, notes);
    if !whole {
        reader.build.lacks("an entry of the session is missing");
    }
    for (line, live) in lines.into_iter().zip(live) {
        reader.line(if live { line } else { object("type", "branch".into()) }, notes);
    }
    reader.finish(notes)
}

/// For each line whether it is on the path from the last entry back to the first, and whether that path is whole.
fn live(lines: &[Value], notes: &mut Notes) -> (Vec<bool>, bool) {
    let named = lines.iter().enumerate().filter(|(_, line)| has(line, "id") && line.get("parentId").is_some());
    let index = sort::map(named.map(|(i, line)| (text(line, "id"), i)));
    let mut live: Vec<bool> = lines.iter().map(|line| !index.contains_key(text(line, "id"))).collect();
    let mut whole = true;
    let entry = |line: &Value| index.contains_key(text(line, "id"));
    let mut next = lines.iter().rposition(entry);
    while let Some(i) = next.filter(|i| live.get(*i) == Some(&false)) {
        live[i] = true;
        let Some(line) = lines.get(i).filter(|line| has(line, "parentId")) else { break };
        next = index.get(text(line, "parentId")).copied();
        if next.is_none() {
            // The entry above is missing: the one that was written before goes on.
            whole = false;
            next = lines.get(..i).and_then(|before| before.iter().rposition(entry));
        }
    }
    let dead = live.iter().filter(|live| !**live).count();
    if dead > 0 {
        notes.add("branches", format!("{dead} lines of branches that were rewound or edited are left out"));
    }
    (live, whole)
}

/// Reads one line after the other.
#[derive(Debug, Default)]
pub(super) struct Reader {
    build: Builder,
    number: usize,
}

impl Reader {
    /// Reads a line.
    pub(super) fn line(&mut self, mut line: Value, notes: &mut Notes) {
        self.number += 1;
        let kind = copied(&line, "type");
        match kind.as_str() {
            "session" => self.build.id = take_text(&mut line, "id"),
            "message" => self.message(line, notes),
            "custom_message" => self.build.context(output(take(&mut line, "content")).0),
            "compaction" | "branch_summary" => {
                self.build.context(take_string(&mut line, "summary"));
            }
            "" => self.unread("no entry", notes),
            _ if has(&line, "message") => self.unread("an unknown kind of message", notes),
            _ => {}
        }
    }

    /// The whole conversation.
    pub(super) fn finish(self, notes: &mut Notes) -> Session {
        self.build.finish(notes)
    }

    fn unread(&mut self, why: &str, notes: &mut Notes) {
        self.build.left_out(&nth("line", self.number), why, notes);
    }

    fn message(&mut self, mut line: Value, notes: &mut Notes) {
        let at = take_text(&mut line, "timestamp");
        let mut message = take(&mut line, "message");
        let content = take(&mut message, "content");
        match text(&message, "role") {
            "user" => hear(&mut self.build, content),
            "assistant" => {
                self.build.model(&message);
                self.assistant(content, at.as_deref(), notes);
            }
            "toolResult" => {
                let id = take_string(&mut message, "toolCallId");
                self.build.result(&id, returned(content, &mut message), notes);
            }
            "bashExecution" => self.build.user_call(typed(message, at)),
            "custom" => self.build.context(output(content).0),
            "compactionSummary" | "branchSummary" => {
                self.build.context(take_string(&mut message, "summary"));
            }
            _ => self.unread("an unknown role", notes),
        }
    }

    fn assistant(&mut self, content: Value, at: Option<&str>, notes: &mut Notes) {
        let key = self.number.to_string();
        let parts = match content {
            Value::Array(parts) => parts,
            Value::String(text) => return self.build.text(text, &key),
            _ => return self.unread("no content", notes),
        };
        for mut part in parts {
            match text(&part, "type") {
                "text" => self.build.text(take_string(&mut part, "text"), &key),
                "toolCall" => {
                    let call = CALL.call(&mut part, Executor::Client);
                    self.build.call(Call { at: at.map(String::from), ..call }, None, notes);
                }
                "thinking" | "image" => self.build.between(),
                _ => self.unread("a part of an unknown kind", notes),
            }
        }
    }
}

/// A result. The tool for commands throws where they fail, and writes how they ended on the last line.
fn returned(content: Value, message: &mut Value) -> Answer {
    let failed = truth(message, "isError");
    let details = take(message, "details");
    let (out, media) = output(content);
    let last = out.trim_end().rsplit('\n').next().unwrap_or("");
    let words = Some(last).filter(|_| failed == Some(true)).unwrap_or("");
    let exit = words.strip_prefix("Command exited with code ").and_then(|code| code.trim().parse().ok());
    let status = match failed {
        Some(true) if words.starts_with("Command timed out after ") => Status::Timeout,
        Some(true) if words == "Command aborted" || words == "Operation aborted" => Status::Cancelled,
        Some(true) => Status::Error,
        _ => Status::Ok,
    };
    let text = exit.is_some() || matches!(status, Status::Timeout | Status::Cancelled);
    let cut = details.get("truncation").is_some_and(|cut| flag(cut, "truncated")) || has(&details, "fullOutputPath");
    Answer {
        truncated: media || cut,
        output: Some(out),
        status,
        exit,
        source: if text { Some(Source::Text) } else { failed.map(|_| Source::Field) },
        ..Answer::default()
    }
}

/// A command that the person ran.
fn typed(mut message: Value, at: Option<String>) -> Call {
    let exit = number(&message, "exitCode");
    let status = match exit {
        _ if flag(&message, "cancelled") => Status::Cancelled,
        Some(0) => Status::Ok,
        Some(_) => Status::Error,
        None => Status::Unknown,
    };
    Call {
        tool: "bash".to_string(),
        arguments: object("command", take(&mut message, "command")),
        output: take_text(&mut message, "output"),
        truncated: flag(&message, "truncated"),
        status,
        exit,
        at,
        executor: Some(Executor::User),
        source: Some(Source::Field),
        ..Call::default()
    }
}
