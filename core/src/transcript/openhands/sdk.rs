//! The SDK's events: each has a `kind`, and calls are paired by their id.

use super::{answer, ended, joined, Reader};
use crate::record::{Call, Source, Status};
use crate::transcript::blocks::{output, system, tools};
use crate::transcript::build::Answer;
use crate::transcript::calls::client;
use crate::transcript::notes::Notes;
use crate::transcript::value::{
    arguments_text, copied, exit_status, has, list, push_line, take, take_id, take_list, take_string, take_text, text,
    truth,
};
use alloc::string::String;
use serde_json::Value;

/// Actions that hand work to an agent whose events are kept elsewhere.
const ELSEWHERE: [&str; 2] = ["DelegateAction", "TaskAction"];

impl Reader {
    pub(super) fn sdk(&mut self, mut event: Value, notes: &mut Notes) {
        let kind = take_string(&mut event, "kind");
        match kind.as_str() {
            "SystemPromptEvent" => {
                self.build.tools = tools(take(&mut event, "tools")).or_else(|| self.build.tools.take());
                self.build.instructions(system(take(&mut event, "system_prompt")));
            }
            "MessageEvent" => self.message(event, notes),
            "ActionEvent" => self.acted(event, notes),
            "ObservationEvent" => {
                let id = take_string(&mut event, "tool_call_id");
                self.build.result(&id, observed(take(&mut event, "observation")), notes);
            }
            "UserRejectObservation" => {
                let person = matches!(text(&event, "rejection_source"), "" | "user");
                let status = if person { Status::Declined } else { Status::Denied };
                self.ended_early(event, "rejection_reason", status, notes);
            }
            "AgentErrorEvent" => self.ended_early(event, "error", Status::Error, notes),
            "Condensation" | "CondensationSummaryEvent" => {
                self.build.context(take_string(&mut event, "summary"));
            }
            _ if has(&event, "llm_message") || has(&event, "tool_call_id") || kind.is_empty() => self.unread(notes),
            _ => {}
        }
    }

    fn message(&mut self, mut event: Value, notes: &mut Notes) {
        let mut message = take(&mut event, "llm_message");
        let content = take(&mut message, "content");
        let said = match &content {
            Value::String(text) => Some(text.clone()),
            Value::Array(parts) if parts.iter().all(|part| has(part, "type")) => Some(joined(parts)),
            _ => None,
        };
        match (text(&event, "source"), said) {
            ("agent", Some(text)) => self.say(text, notes),
            ("agent", None) => self.unread(notes),
            ("environment" | "hook", said) => self.build.context(said.unwrap_or_default()),
            (_, said) => self.heard(said, notes),
        }
        for added in take_list(&mut event, "extended_content") {
            self.build.context(copied(&added, "text"));
        }
    }

    fn acted(&mut self, mut event: Value, notes: &mut Notes) {
        self.say(joined(list(&event, "thought")), notes);
        let mut action = take(&mut event, "action");
        let kind = take_string(&mut action, "kind");
        if kind == "FinishAction" {
            self.say(take_string(&mut action, "message"), notes);
            return;
        }
        if kind == "ThinkAction" {
            return;
        }
        let mut asked = take(&mut event, "tool_call");
        if let inner @ Value::Object(_) = take(&mut asked, "function") {
            asked = inner;
        }
        let asked = arguments_text(take(&mut asked, "arguments"));
        let tool = take_text(&mut event, "tool_name").unwrap_or_else(|| kind.clone());
        let arguments = if asked.is_null() { action } else { asked };
        let call = client(tool, arguments, take_text(&mut event, "tool_call_id"));
        let call = Call { at: take_text(&mut event, "timestamp"), ..call };
        if ELSEWHERE.contains(&kind.as_str()) {
            self.build.gap("what a sub-agent did is not in the file");
        }
        self.build.call(call, None, notes);
    }

    /// A call that brought an event of its own in place of a result.
    fn ended_early(&mut self, mut event: Value, key: &str, status: Status, notes: &mut Notes) {
        let why = take_text(&mut event, key);
        let id = take_string(&mut event, "tool_call_id");
        let source = Some(Source::Field);
        self.build.result(&id, Answer { output: why.clone(), error: why, status, source, ..Answer::default() }, notes);
    }
}

/// What an observation says.
fn observed(mut value: Value) -> Answer {
    let metadata = take(&mut value, "metadata");
    let exit = [&metadata, &value].into_iter().find_map(exit_status);
    let failed = truth(&value, "is_error");
    let stopped = truth(&value, "timeout") == Some(true);
    let (mut out, mut media) = (String::new(), false);
    for key in ["content", "output", "result", "text"] {
        let (text, some) = output(take(&mut value, key));
        push_line(&mut out, &text);
        media |= some;
    }
    let error = take_id(&mut value, "error");
    push_line(&mut out, error.as_deref().unwrap_or(""));
    let failed = error.as_ref().map(|_| true).or(failed);
    let exit = if stopped { Some(-1) } else { exit };
    Answer { error, ..answer(out, media, ended(exit, failed)) }
}
