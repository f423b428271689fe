//! The first generation: `action` and `observation`, paired by `cause`.

use super::{answer, ended, Reader};
use crate::record::{Call, Executor, Source, Status};
use crate::transcript::blocks::{output, tools};
use crate::transcript::build::Answer;
use crate::transcript::mcp;
use crate::transcript::notes::Notes;
use crate::transcript::value::{
    arguments, arguments_text, copied, exit_status, flag, has, leaves, number, push_line, take, take_list, take_text,
    text, truth,
};
use alloc::string::{String, ToString};
use serde_json::Value;

/// Actions that only steer the host.
const STEERING: [&str; 15] = [
    "null",
    "initialize",
    "start",
    "pause",
    "resume",
    "stop",
    "change_agent_state",
    "recall",
    "condensation",
    "condensation_request",
    "think",
    "loop_recovery",
    "add_task",
    "modify_task",
    "save_plan",
];

/// Observations that answer no call.
const SILENT: [&str; 5] = ["null", "agent_state_changed", "think", "condense", "loop_detection"];

/// Keys of an action that are the host's and not the model's.
const OWN: [&str; 9] = [
    "thought",
    "confirmation_state",
    "is_confirmed",
    "action_risk",
    "security_risk",
    "keep_prompt",
    "kernel_init_code",
    "impl_source",
    "translated_ipython_code",
];

impl Reader {
    pub(super) fn action(&mut self, action: &str, mut event: Value, notes: &mut Notes) {
        let source = take(&mut event, "source");
        // The oldest files write the fields of an action beside its name.
        let mut args = match take(&mut event, "args") {
            Value::Null => event.clone(),
            args => args,
        };
        match (action, source.as_str()) {
            ("message", None) if source.is_null() && flag(&args, "wait_for_response") => {
                self.prose("content", args, notes);
            }
            ("message", Some("agent")) => self.prose("content", args, notes),
            ("message", _) => self.heard(take_text(&mut args, "content"), notes),
            ("system", _) => {
                self.build.tools = tools(take(&mut args, "tools")).or_else(|| self.build.tools.take());
                self.build.instructions(take_text(&mut args, "content").into_iter().collect());
            }
            ("finish", _) => {
                let key = if text(&args, "final_thought").is_empty() { "thought" } else { "final_thought" };
                self.prose(key, args, notes);
            }
            ("reject", _) => self.prose("reason", take(&mut args, "outputs"), notes),
            _ if STEERING.contains(&action) => {}
            ("run" | "run_ipython", Some("user")) => self.typed(action, args, &event),
            (_, Some("agent") | None) if source.is_null() || source.is_string() => {
                self.called(action, args, event, notes);
            }
            (_, Some("environment")) => {}
            _ => self.heard(None, notes),
        }
    }

    fn prose(&mut self, key: &str, mut args: Value, notes: &mut Notes) {
        match take(&mut args, key) {
            Value::String(text) => self.say(text, notes),
            Value::Null => {}
            _ => self.unread(notes),
        }
    }

    /// A command that the person ran.
    fn typed(&mut self, action: &str, args: Value, event: &Value) {
        self.build.user_call(Call {
            tool: action.to_string(),
            arguments: written(args),
            executor: Some(Executor::User),
            ..Call::default()
        });
        if let Some(id) = number(event, "id") {
            self.calls.insert(id.to_string(), "".into());
        }
    }

    fn called(&mut self, action: &str, mut args: Value, mut event: Value, notes: &mut Notes) {
        let mut meta = take(&mut event, "tool_call_metadata");
        if self.delegate.is_none() {
            self.build.model(&meta);
        }
        if let Some(thought) = take_text(&mut args, "thought") {
            self.say(thought, notes);
        }
        self.release(None, notes);
        let number = number(&event, "id");
        let id = take_text(&mut meta, "tool_call_id").or_else(|| number.map(|id| id.to_string()));
        let asked = as_asked(&mut meta, id.as_deref().unwrap_or(""));
        let mut call = Call {
            tool: take_text(&mut meta, "function_name").unwrap_or_else(|| action.to_string()),
            arguments: asked.unwrap_or_else(|| written(args)),
            id,
            at: take_text(&mut event, "timestamp"),
            executor: Some(Executor::Client),
            ..Call::default()
        };
        if let Some(parent) = &self.delegate {
            call.executor = Some(Executor::Subagent);
            call.parent = Some(parent.clone());
        }
        if let (Some(number), Some(id)) = (number, &call.id) {
            self.calls.insert(number.to_string(), id.clone().into());
        }
        if action == "delegate" && self.delegate.is_none() {
            self.delegate = Some(call.id.clone().unwrap_or_default());
        }
        if call.id.is_none() {
            self.held = Some(call);
        } else {
            self.build.call(call, None, notes);
        }
    }

    pub(super) fn observation(&mut self, kind: &str, mut event: Value, notes: &mut Notes) {
        if SILENT.contains(&kind) {
            return;
        }
        if kind == "delegate" {
            self.delegate = None;
        }
        if kind == "recall" {
            // What the host knows of the workspace.
            self.build.context(copied(&event, "content"));
            self.build.context(leaves(take(&mut event, "extras")).0);
            return;
        }
        let cause = number(&event, "cause");
        let returned = observed(kind, &mut event);
        let known = cause.and_then(|cause| self.calls.get(&cause.to_string())?.as_str().map(String::from));
        match known {
            Some(id) if id.is_empty() => {
                if let Some(call) = self.build.user_call_open() {
                    (call.output, call.status) = (returned.output, returned.status);
                    (call.exit, call.source) = (returned.exit, returned.source);
                }
            }
            Some(id) => self.build.result(&id, returned, notes),
            _ if self.held.is_some() && !has(&event, "cause") => self.release(Some(returned), notes),
            // What the host found out by itself, such as errors of its own.
            _ if cause.is_none_or(|cause| cause < 1) => self.build.context(returned.output.unwrap_or_default()),
            _ => self.build.result(&cause.unwrap_or_default().to_string(), returned, notes),
        }
    }
}

/// The arguments as the model wrote them: the host's own action keeps only a part of some.
fn as_asked(meta: &mut Value, id: &str) -> Option<Value> {
    let mut response = take(meta, "model_response");
    let mut choice = take_list(&mut response, "choices").into_iter().next()?;
    let calls = take_list(&mut take(&mut choice, "message"), "tool_calls");
    let mut call = calls.into_iter().find(|call| text(call, "id") == id)?;
    Some(arguments_text(take(&mut take(&mut call, "function"), "arguments"))).filter(|arguments| !arguments.is_null())
}

/// The fields of an action that the model chose.
fn written(mut args: Value) -> Value {
    if let Some(map) = args.as_object_mut() {
        map.retain(|key, value| !OWN.contains(&key.as_str()) && !value.is_null());
    }
    arguments(args)
}

/// What an observation says.
fn observed(kind: &str, event: &mut Value) -> Answer {
    let extras = take(event, "extras");
    let content = take(event, "content");
    if kind == "mcp" {
        // The host keeps the result of an MCP tool as JSON text.
        if let Some(result) = content.as_str().and_then(|text| serde_json::from_str(text).ok()) {
            if mcp::is_result(&result) {
                return mcp::answer(result);
            }
        }
    }
    let (mut out, media) = output(content);
    let state = match kind {
        "user_rejected" => (Status::Declined, None, Some(Source::Field)),
        "error" | "agent_error" => (Status::Error, None, Some(Source::Field)),
        _ => {
            let metadata = extras.get("metadata").unwrap_or(&Value::Null);
            let exit = [metadata, &extras, &*event].into_iter().find_map(exit_status);
            let failed = truth(event, "success").map(|fine| !fine);
            let failed = failed.or_else(|| truth(&extras, "error").filter(|failed| *failed));
            let suffix = text(metadata, "suffix");
            push_line(&mut out, if exit == Some(-1) { suffix.trim() } else { "" });
            ended(exit, failed)
        }
    };
    let shown = text(&extras, "formatted_output_and_error");
    if !out.contains(shown) {
        push_line(&mut out, shown);
    }
    answer(out, media, state)
}
