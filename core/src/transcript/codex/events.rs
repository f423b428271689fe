//! The events of a rollout that say more than its items: how a command ended, what was taken back.

use super::outcome::timed_out;
use super::said::{injected, Route};
use super::thread::{asked, done, streams};
use super::{texts, Reader};
use crate::record::{Source, Status};
use crate::transcript::build::Answer;
use crate::transcript::calls::client;
use crate::transcript::mcp;
use crate::transcript::notes::Notes;
use crate::transcript::responses::{ended, Place};
use crate::transcript::value::{
    arguments, exit_status, flag, object, take, take_list, take_string, take_text, text, truth,
};
use alloc::string::{String, ToString};
use serde_json::Value;

impl Reader {
    /// Reads an event.
    pub(super) fn event(&mut self, mut event: Value, place: Place<'_>, notes: &mut Notes) {
        let build = &mut self.items.build;
        match text(&event, "type") {
            "user_message" => {
                let message = take_string(&mut event, "message");
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
                let id = take_string(&mut item, "id");
                if let Some(made) = asked(&kind, &mut item) {
                    let answer = done(&kind, item).unwrap_or_default();
                    self.settle(id, answer, made, place, notes);
                }
            }
            _ => {}
        }
    }

    fn command_ended(&mut self, mut event: Value, place: Place<'_>, notes: &mut Notes) {
        let exit = exit_status(&event);
        let mut output = take_string(&mut event, "aggregated_output");
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
        let id = take_string(&mut event, "call_id");
        let made = ("shell".to_string(), object("command", take(&mut event, "command")));
        self.settle(id, answer, made, place, notes);
    }

    fn patch_ended(&mut self, mut event: Value, place: Place<'_>, notes: &mut Notes) {
        let output = streams(&mut event);
        let failed = truth(&event, "success") == Some(false);
        let told = ended(text(&event, "status")).unwrap_or(Status::Ok);
        let status = if failed && told == Status::Ok { Status::Error } else { told };
        let answer = Answer { output: Some(output), status, source: Some(Source::Field), ..Answer::default() };
        let id = take_string(&mut event, "call_id");
        let made = ("apply_patch".to_string(), object("changes", take(&mut event, "changes")));
        self.settle(id, answer, made, place, notes);
    }

    fn tool_ended(&mut self, mut event: Value, place: Place<'_>, notes: &mut Notes) {
        let mut asked = take(&mut event, "invocation");
        let mut result = take(&mut event, "result");
        let error = take(&mut result, "Err");
        let inner = take(&mut result, "Ok");
        let answer = mcp::called(if inner.is_null() { result } else { inner }, error);
        let names = ["server", "tool"].map(|key| take_string(&mut asked, key));
        let id = take_string(&mut event, "call_id");
        self.settle(id, answer, (names.join("."), arguments(take(&mut asked, "arguments"))), place, notes);
    }

    /// Gives a call what an event says of its end. A call that is no item, as code makes them, is one from here on.
    fn settle(&mut self, id: String, answer: Answer, made: (String, Value), place: Place<'_>, notes: &mut Notes) {
        let build = &mut self.items.build;
        let known = build.called(&id).filter(|_| !id.is_empty());
        match known.map(|call| call.status) {
            None => {
                let mut call = client(made.0, made.1, Some(id.clone()));
                call.at = place.at.map(ToString::to_string);
                call.parent = self.code.first().filter(|_| self.code.len() == 1).cloned();
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
