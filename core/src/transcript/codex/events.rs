//! The events of a rollout that say more than its items: how a command ended, what was taken back.

use super::outcome::timed_out;
use super::said::{injected, Route};
use super::thread::{asked, done, served, streams};
use super::{texts, Reader};
use crate::record::{Call, Executor, Source, Status};
use crate::transcript::build::Answer;
use crate::transcript::notes::Notes;
use crate::transcript::responses::{ended, Place};
use crate::transcript::value::{arguments, flag, take, take_list, take_text, text};
use alloc::string::{String, ToString};
use serde_json::{json, Value};

impl Reader {
    /// Reads an event.
    pub(super) fn event(&mut self, mut event: Value, place: Place<'_>, notes: &mut Notes) {
        let build = &mut self.items.build;
        match text(&event, "type") {
            "user_message" => {
                let message = take_text(&mut event, "message").unwrap_or_default();
                if !message.trim().is_empty() && !injected(&message) {
                    self.hear(message, Route::Event);
                }
            }
            "agent_message" => self.unsaid.extend(take_text(&mut event, "message")),
            "item_completed" => self.item_ended(take(&mut event, "item"), place, notes),
            "task_started" | "turn_started" => self.talk.task(true),
            "task_complete" | "turn_complete" | "turn_aborted" => {
                self.say();
                self.talk.task(false);
            }
            "context_compacted" => build.compacted(),
            "thread_rolled_back" => {
                let turns = event.get("num_turns").and_then(Value::as_u64).unwrap_or(0);
                build.roll_back(usize::try_from(turns).unwrap_or(usize::MAX));
                self.talk.task(false);
            }
            // What the person ran stands in a message as well.
            "exec_command_end" if text(&event, "source") != "user_shell" => self.command_ended(event, place, notes),
            "patch_apply_end" => self.patch_ended(event, place, notes),
            "mcp_tool_call_end" => self.tool_ended(event, place, notes),
            _ => {}
        }
    }

    /// An item of a thread that is done, as newer rollouts tell it.
    fn item_ended(&mut self, mut item: Value, place: Place<'_>, notes: &mut Notes) {
        let kind = camel(text(&item, "type"));
        match kind.as_str() {
            "userMessage" => {
                let said = texts(take_list(&mut item, "content"));
                if !said.trim().is_empty() && !injected(&said) {
                    self.hear(said, Route::Event);
                }
            }
            "agentMessage" => self.unsaid.push(texts(take_list(&mut item, "content"))),
            "contextCompaction" => self.items.build.compacted(),
            "commandExecution" | "fileChange" | "mcpToolCall" | "extension" | "imageView"
                if text(&item, "source") != "user_shell" =>
            {
                self.told = true;
                let id = take_text(&mut item, "id").unwrap_or_default();
                if let Some(made) = asked(&kind, &mut item) {
                    let answer = done(&kind, item).unwrap_or_default();
                    self.settle(id, answer, made, place, notes);
                }
            }
            _ => {}
        }
    }

    fn command_ended(&mut self, mut event: Value, place: Place<'_>, notes: &mut Notes) {
        let exit = event.get("exit_code").and_then(Value::as_i64);
        let mut output = take_text(&mut event, "aggregated_output").unwrap_or_default();
        if output.is_empty() {
            output = streams(&mut event);
        }
        let status = match ended(text(&event, "status")) {
            Some(declined @ Status::Declined) => declined,
            _ if flag(&event, "timed_out") || timed_out(&output) => Status::Timeout,
            _ if exit.is_some_and(|code| code != 0) => Status::Error,
            told => told.unwrap_or(Status::Ok),
        };
        let exit = exit.filter(|_| status != Status::Declined);
        let answer = Answer { output: Some(output), status, exit, source: Some(Source::Field), ..Answer::default() };
        let id = take_text(&mut event, "call_id").unwrap_or_default();
        let made = ("shell".to_string(), json!({ "command": take(&mut event, "command") }));
        self.settle(id, answer, made, place, notes);
    }

    fn patch_ended(&mut self, mut event: Value, place: Place<'_>, notes: &mut Notes) {
        let output = streams(&mut event);
        let failed = event.get("success").and_then(Value::as_bool) == Some(false);
        let told = ended(text(&event, "status")).unwrap_or(Status::Ok);
        let status = if failed && told == Status::Ok { Status::Error } else { told };
        let answer = Answer { output: Some(output), status, source: Some(Source::Field), ..Answer::default() };
        let id = take_text(&mut event, "call_id").unwrap_or_default();
        let made = ("apply_patch".to_string(), json!({ "changes": take(&mut event, "changes") }));
        self.settle(id, answer, made, place, notes);
    }

    fn tool_ended(&mut self, mut event: Value, place: Place<'_>, notes: &mut Notes) {
        let mut asked = take(&mut event, "invocation");
        let mut result = take(&mut event, "result");
        let error = take(&mut result, "Err");
        let inner = take(&mut result, "Ok");
        let answer = served(if inner.is_null() { result } else { inner }, error);
        let names = ["server", "tool"].map(|key| take_text(&mut asked, key).unwrap_or_default());
        let id = take_text(&mut event, "call_id").unwrap_or_default();
        self.settle(id, answer, (names.join("."), arguments(take(&mut asked, "arguments"))), place, notes);
    }

    /// Gives a call what an event says of its end. A call that is no item, as code makes them, is one from here on.
    fn settle(&mut self, id: String, answer: Answer, made: (String, Value), place: Place<'_>, notes: &mut Notes) {
        let build = &mut self.items.build;
        let known = build.called(&id).filter(|_| !id.is_empty());
        match known.map(|call| call.status) {
            None => {
                let call = Call {
                    tool: made.0,
                    arguments: made.1,
                    id: Some(id.clone()).filter(|id| !id.is_empty()),
                    at: place.at.map(ToString::to_string),
                    parent: self.code.first().filter(|_| self.code.len() == 1).cloned(),
                    executor: Some(Executor::Client),
                    ..Call::default()
                };
                self.talk.acted();
                build.call(call, Some(answer), notes);
            }
            Some(Status::Pending) => build.result(&id, answer, notes),
            Some(before) => build.amend(&id, |call| {
                (call.status, call.exit, call.source) = (answer.status, answer.exit.or(call.exit), answer.source);
                if before == Status::Background {
                    call.output = answer.output;
                }
            }),
        }
        self.settled.insert(id);
    }
}

/// A kind as the app server writes it: `CommandExecution` is `commandExecution`.
fn camel(kind: &str) -> String {
    let mut chars = kind.chars();
    chars.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(chars).collect()
}
