//! Threads: the items of `codex exec --json` and of the app server, which are alike but for how their keys are written.

use super::said::Route;
use super::{texts, Reader};
use crate::record::{Call, Executor, Source, Status};
use crate::transcript::blocks::output;
use crate::transcript::build::Answer;
use crate::transcript::mcp;
use crate::transcript::notes::Notes;
use crate::transcript::responses::{ended, Place};
use crate::transcript::value::{
    arguments, copied, exit_status, has, leaves, picked, push_line, take, take_any, take_id, take_list, take_string,
    take_text, text, truth,
};
use alloc::format;
use alloc::string::{String, ToString};
use serde_json::Value;

/// Whose item it is.
#[derive(Debug)]
pub(super) enum Agent {
    Own,
    /// A sub-agent's, with the call that started it.
    Sub(Option<String>),
}

/// An item that starts; not all kinds say so themselves.
pub(super) fn begun(mut item: Value) -> Value {
    if let Some(map) = item.as_object_mut() {
        map.entry("status").or_insert_with(|| "in_progress".into());
    }
    item
}

impl Reader {
    /// A thread of the app server with all its turns, alone or in an answer.
    pub(super) fn thread(&mut self, mut thread: Value, notes: &mut Notes) {
        for key in ["result", "thread"] {
            if has(&thread, key) {
                thread = take(&mut thread, key);
            }
        }
        self.items.build.id = take_text(&mut thread, "id");
        for (index, mut turn) in take_list(&mut thread, "turns").into_iter().enumerate() {
            let place = Place { list: "turns", index, at: None };
            self.items.build.end();
            self.talk.task(true);
            match take(&mut turn, "items") {
                Value::Array(items) => {
                    for item in items {
                        self.thread_item(item, &Agent::Own, place, notes);
                    }
                }
                _ => self.items.unread(place, notes),
            }
            self.talk.task(false);
        }
    }

    /// A notice of the app server. Those of another thread are a sub-agent's.
    pub(super) fn notice(&mut self, mut notice: Value, place: Place<'_>, notes: &mut Notes) {
        let mut params = take(&mut notice, "params");
        let thread = take_text(&mut params, "threadId").or_else(|| take_text(&mut take(&mut params, "thread"), "id"));
        let own = &mut self.items.build.id;
        if own.is_none() {
            own.clone_from(&thread);
        }
        let agent = match thread.filter(|thread| Some(thread) != own.as_ref()) {
            None => Agent::Own,
            Some(child) => Agent::Sub(self.children.get(&child).cloned()),
        };
        let item = take(&mut params, "item");
        match (text(&notice, "method"), &agent) {
            ("turn/started", Agent::Own) => self.talk.task(true),
            ("turn/completed", Agent::Own) => {
                self.talk.task(false);
                self.items.build.end();
            }
            ("item/completed", _) => self.thread_item(item, &agent, place, notes),
            // Messages count when they are whole.
            ("item/started", _) if !text(&item, "type").ends_with("Message") => {
                self.thread_item(begun(item), &agent, place, notes);
            }
            _ => {}
        }
    }

    /// An item of a thread, when it starts and when it is done.
    pub(super) fn thread_item(&mut self, mut item: Value, agent: &Agent, place: Place<'_>, notes: &mut Notes) {
        let kind = copied(&item, "type");
        let side = matches!(agent, Agent::Sub(_));
        let build = &mut self.items.build;
        match kind.as_str() {
            "agentMessage" | "agent_message" if !side => {
                let said = take(&mut item, "text");
                if said.as_str().is_some_and(|said| !said.is_empty()) {
                    self.talk.acted();
                    self.items.said(item, said, place);
                }
            }
            "userMessage" if !side => {
                let content = take_list(&mut item, "content");
                if content.is_empty() {
                    self.talk.lost();
                    build.unread_user();
                } else {
                    self.talk.hear(build, texts(content), Route::Item);
                }
            }
            "reasoning" | "plan" | "agentMessage" | "agent_message" | "userMessage" => build.between(),
            "contextCompaction" => build.compacted(),
            "hookPrompt" | "enteredReviewMode" | "exitedReviewMode" => build.context(leaves(item).0),
            "error" => notes.add("errors of the host", text(&item, "message")),
            _ => match asked(&kind, &mut item) {
                Some(asked) => self.thread_tool(&kind, asked, item, agent, place, notes),
                None => self.unread(place, notes),
            },
        }
    }

    /// An item that is the use of a tool.
    fn thread_tool(
        &mut self,
        kind: &str,
        (tool, arguments): (String, Value),
        mut item: Value,
        agent: &Agent,
        place: Place<'_>,
        notes: &mut Notes,
    ) {
        let id = self.id_of(&mut item);
        for child in take_list(&mut item, "receiverThreadIds") {
            if let (Value::String(child), Some(id)) = (child, &id) {
                self.children.change(&child, |call| call.clone_from(id));
            }
        }
        let at = place.at.map(ToString::to_string);
        let (executor, parent) = match agent {
            Agent::Sub(parent) => (Executor::Subagent, parent.clone()),
            Agent::Own => (executor(kind), None),
        };
        let call = Call { tool, arguments, id, at, parent, executor: Some(executor), ..Call::default() };
        self.thread_call(call, done(kind, item), notes);
    }

    /// The id of an item. Each stream counts from the start, so that the ids of later streams get their number.
    fn id_of(&self, item: &mut Value) -> Option<String> {
        let id = take_id(item, "id")?;
        Some(if self.streams > 0 { format!("{}/{id}", self.streams + 1) } else { id })
    }

    /// A call as it starts, or as it ends.
    fn thread_call(&mut self, call: Call, answer: Option<Answer>, notes: &mut Notes) {
        self.talk.acted();
        let build = &mut self.items.build;
        let begun = call.id.as_deref().and_then(|id| build.called(id)).is_some_and(|c| c.status == Status::Pending);
        match (&call.id, answer) {
            (Some(id), Some(answer)) if begun => {
                // A search knows only at its end what it looked for.
                build.amend(id, |first| first.arguments = call.arguments);
                build.result(id, answer, notes);
            }
            (Some(_), None) if begun => {}
            (_, answer) => build.call(call, answer, notes),
        }
    }
}

fn executor(kind: &str) -> Executor {
    match kind {
        "web_search" | "webSearch" | "imageGeneration" => Executor::Provider,
        _ => Executor::Client,
    }
}

/// The tool of an item and what it was asked; `None` for an item that is no call.
pub(super) fn asked(kind: &str, item: &mut Value) -> Option<(String, Value)> {
    let mut named = |key: &str| take_string(item, key);
    let tool = match kind {
        "command_execution" | "commandExecution" => "shell".to_string(),
        "file_change" | "fileChange" => "apply_patch".to_string(),
        "mcp_tool_call" | "mcpToolCall" => [named("server"), named("tool")].join("."),
        "dynamicToolCall" | "collab_tool_call" | "collabAgentToolCall" => named("tool"),
        "web_search" | "webSearch" => "web_search".to_string(),
        "todo_list" => "update_plan".to_string(),
        "imageView" => "view_image".to_string(),
        "imageGeneration" => "image_generation".to_string(),
        "extension" => named("kind"),
        _ => return None,
    };
    let keys: &[&str] = match kind {
        "command_execution" | "commandExecution" => &["command", "cwd"],
        "file_change" | "fileChange" => &["changes"],
        "collab_tool_call" | "collabAgentToolCall" => &["prompt"],
        "web_search" | "webSearch" => &["query", "action"],
        "extension" => &["query", "action", "revisedPrompt"],
        "todo_list" => &["items"],
        "imageView" => &["path"],
        "imageGeneration" => &["revisedPrompt"],
        _ => return Some((tool, arguments(take(item, "arguments")))),
    };
    Some((tool, picked(item, keys)))
}

/// How a call of a thread ended; `None` while it runs.
pub(super) fn done(kind: &str, mut item: Value) -> Option<Answer> {
    let status = ended(text(&item, "status"));
    if status == Some(Status::Pending) {
        return None;
    }
    let source = status.map(|_| Source::Field);
    let status = status.unwrap_or(Status::Ok);
    let answer = match kind {
        "mcp_tool_call" | "mcpToolCall" => {
            let answer = mcp::called(take(&mut item, "result"), take(&mut item, "error"));
            let status = if answer.status == Status::Ok { status } else { answer.status };
            Answer { status, ..answer }
        }
        "command_execution" | "commandExecution" => ran(&mut item, status),
        "dynamicToolCall" => {
            let failed = truth(&item, "success") == Some(false);
            let (output, media) = output(take(&mut item, "contentItems"));
            let status = if failed { Status::Error } else { status };
            Answer { output: Some(output), truncated: media, status, ..Answer::default() }
        }
        "collab_tool_call" | "collabAgentToolCall" => {
            let states = take_any(&mut item, &["agents_states", "agentsStates"]);
            Answer { output: Some(leaves(states).0), status, ..Answer::default() }
        }
        "file_change" | "fileChange" | "todo_list" => {
            Answer { output: Some(streams(&mut item)), status, ..Answer::default() }
        }
        "extension" if has(&item, "results") => {
            Answer { output: Some(leaves(take(&mut item, "results")).0), status, ..Answer::default() }
        }
        _ => Answer { truncated: true, status, ..Answer::default() },
    };
    Some(Answer { source: source.or(answer.source).or(answer.exit.map(|_| Source::Field)), ..answer })
}

/// How a command ended.
fn ran(item: &mut Value, status: Status) -> Answer {
    let exit = exit_status(item);
    let failed = status == Status::Ok && exit.is_some_and(|code| code != 0);
    let whole = take_any(item, &["aggregated_output", "aggregatedOutput"]);
    let whole = whole.as_str().map(ToString::to_string).filter(|text| !text.is_empty());
    Answer {
        output: whole.or_else(|| Some(streams(item))),
        status: if failed { Status::Error } else { status },
        exit,
        ..Answer::default()
    }
}

/// Standard output before standard error.
pub(super) fn streams(item: &mut Value) -> String {
    let mut out = take_string(item, "stdout");
    push_line(&mut out, &take_string(item, "stderr"));
    out
}
