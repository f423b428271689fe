//! Items one by one: messages, the calls of functions and their results. Codex and the Agents SDK wrap the same items.

use super::hosted::ended;
use crate::record::{Call, Executor, Source, Status};
use crate::transcript::blocks::{output, system, FromUser};
use crate::transcript::build::{Answer, Builder};
use crate::transcript::chat::{pictured, WHOSE};
use crate::transcript::notes::Notes;
use crate::transcript::slots::Slots;
use crate::transcript::value::{
    arguments_text, flag, listed, slice, take, take_any, take_id, take_string, take_text, text,
};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use serde_json::Value;

/// Where an item stands, for notes and for the times of calls.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::transcript) struct Place<'a> {
    /// The list that holds it.
    pub(in crate::transcript) list: &'a str,
    pub(in crate::transcript) index: usize,
    /// When it was written, as the host wrote it.
    pub(in crate::transcript) at: Option<&'a str>,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.list, self.index)
    }
}

/// Reads items into turns.
#[derive(Debug, Default)]
pub(in crate::transcript) struct Items {
    pub(in crate::transcript) build: Builder,
    /// Call ids by the ids of the items, where results may name those.
    pub(super) aliases: Slots<String>,
    /// How many commands a shell call holds.
    pub(super) commands: BTreeMap<String, usize>,
    /// The last item was a result, which the agent still has to answer.
    after_tool: bool,
}

impl Items {
    /// Reads a list of items.
    pub(in crate::transcript) fn all(&mut self, name: &str, list: Vec<Value>, notes: &mut Notes) {
        for (index, item) in list.into_iter().enumerate() {
            self.item(item, Place { list: name, index, at: None }, notes);
        }
    }

    /// What a request asks: one text or items.
    pub(in crate::transcript) fn asked(&mut self, input: Value, notes: &mut Notes) {
        match input {
            Value::Null => {}
            Value::String(text) => self.build.user(Some(text)),
            Value::Array(list) => self.all("input", list, notes),
            _ => self.build.unread_user(),
        }
    }

    /// Reads one item.
    pub(in crate::transcript) fn item(&mut self, mut item: Value, place: Place<'_>, notes: &mut Notes) {
        let kind = take_string(&mut item, "type");
        let after_tool = core::mem::replace(&mut self.after_tool, kind.ends_with("_output"));
        match kind.as_str() {
            "reasoning" | "mcp_list_tools" | "configuration_update" | "additional_tools" => self.build.between(),
            "compaction" | "compaction_summary" | "context_compaction" => self.build.compacted(),
            "item_reference" => self.build.gap("an item is only named in the record"),
            "function_call" => self.called(item, "arguments", place, notes),
            "custom_tool_call" => self.called(item, "input", place, notes),
            "mcp_approval_response" => self.approval(item, notes),
            _ if item.get("role").is_some() => self.message(item, after_tool, place, notes),
            _ if kind.ends_with("_output") => self.returned(&kind, item, notes),
            _ if kind.ends_with("_call") || matches!(kind.as_str(), "program" | "mcp_approval_request") => {
                self.hosted(&kind, item, place, notes);
            }
            _ => self.unread(place, notes),
        }
    }

    /// An item of which nothing is known: it may have been anything.
    pub(in crate::transcript) fn unread(&mut self, place: Place<'_>, notes: &mut Notes) {
        self.build.left_out(&place.to_string(), "no item that is known", notes);
    }

    fn message(&mut self, mut item: Value, after_tool: bool, place: Place<'_>, notes: &mut Notes) {
        let content = take(&mut item, "content");
        match text(&item, "role") {
            "user" => self.user(content, after_tool),
            "assistant" if is_history(&content) => {
                self.build.compacted();
                self.build.context(output(content).0);
            }
            "assistant" => self.said(item, content, place),
            "system" | "developer" => self.build.instructions(system(content)),
            _ => self.unread(place, notes),
        }
    }

    fn user(&mut self, content: Value, after_tool: bool) {
        let mut parts = FromUser::of(content);
        let build = &mut self.build;
        let (own, given) = parts.own(build);
        // Pictures of a tool's result come back as a message of the user.
        if parts.media && after_tool && !parts.unread && pictured(&own) {
            build.context(own);
            self.after_tool = true;
        } else {
            let hosts = given && own.is_empty() && !parts.media;
            build.heard(own, hosts, parts.media, parts.unread);
            if parts.media && after_tool {
                build.gap(WHOSE);
            }
        }
    }

    /// What the agent wrote. Parts of one message are one piece, because citations split sentences.
    pub(in crate::transcript) fn said(&mut self, mut item: Value, content: Value, place: Place<'_>) {
        let key = take_text(&mut item, "id").unwrap_or_else(|| place.to_string());
        let build = &mut self.build;
        if nested(&content) {
            // The Agents SDK hands over what came before as one text in the agent's name.
            build.gap("what came before a handoff is only told in a text");
            return build.context(output(content).0);
        }
        match content {
            Value::String(text) => build.text(text, &key),
            Value::Array(parts) => {
                for mut part in parts {
                    match text(&part, "type") {
                        "output_text" | "text" => build.text(take_string(&mut part, "text"), &key),
                        "refusal" => {
                            build.between();
                            build.text(take_string(&mut part, "refusal"), &key);
                        }
                        _ => build.text(take_string(&mut part, "transcript"), &key),
                    }
                }
            }
            _ => {}
        }
        if text(&item, "phase") == "commentary" {
            build.interim();
        }
    }

    /// A call of the agent that its host carries out.
    fn called(&mut self, mut item: Value, key: &str, place: Place<'_>, notes: &mut Notes) {
        let name = take_string(&mut item, "name");
        let space = take_id(&mut item, "namespace");
        let tool = match space {
            Some(space) => format!("{space}.{name}"),
            None => name,
        };
        let arguments = match take(&mut item, key) {
            Value::String(text) if key == "input" => Value::String(text),
            other => arguments_text(other),
        };
        self.make((tool, arguments), Executor::Client, &mut item, None, place, notes);
    }

    /// Makes a call of what was asked and of what every kind of item has.
    pub(super) fn make(
        &mut self,
        asked: (String, Value),
        executor: Executor,
        item: &mut Value,
        answer: Option<Answer>,
        place: Place<'_>,
        notes: &mut Notes,
    ) {
        let mut call = self.call(item, executor, place);
        (call.tool, call.arguments) = asked;
        self.build.call(call, answer, notes);
    }

    /// What every kind of call has: its id, its time and the program that made it.
    pub(super) fn call(&mut self, item: &mut Value, executor: Executor, place: Place<'_>) -> Call {
        let own = take_id(item, "id");
        let id = take_id(item, "call_id");
        if let (Some(own), Some(id)) = (&own, &id) {
            self.aliases.change(own, |alias| alias.clone_from(id));
        }
        Call {
            id: id.or(own),
            at: place.at.map(ToString::to_string),
            parent: take_text(&mut take(item, "caller"), "caller_id"),
            executor: Some(executor),
            ..Call::default()
        }
    }

    /// The id of the call that a result belongs to.
    pub(in crate::transcript) fn result_id(&self, item: &mut Value) -> String {
        let id = take_text(item, "call_id").or_else(|| take_text(item, "id")).unwrap_or_default();
        self.aliases.get(&id).cloned().unwrap_or(id)
    }

    fn returned(&mut self, kind: &str, mut item: Value, notes: &mut Notes) {
        let id = self.result_id(&mut item);
        match kind {
            "shell_call_output" => self.printed(&id, item, notes),
            "local_shell_call_output" => self.printed_as_json(&id, item, notes),
            _ => {
                // A patch says whether it went through; the outputs of functions have no field for that.
                let told = kind == "apply_patch_call_output" && text(&item, "status") == "completed";
                let mut answer = returned(&mut item);
                answer.source = answer.source.or(told.then_some(Source::Field));
                self.build.result(&id, answer, notes);
            }
        }
    }

    /// A person's answer to the question whether a server's tool may run.
    fn approval(&mut self, mut item: Value, notes: &mut Notes) {
        let id = take_string(&mut item, "approval_request_id");
        if !flag(&item, "approve") {
            let answer = Answer {
                status: Status::Declined,
                error: take_text(&mut item, "reason"),
                source: Some(Source::Field),
                ..Answer::default()
            };
            self.build.result(&id, answer, notes);
        }
    }
}

/// Whether a message is the history that the Agents SDK writes for the agent which takes over: in it nothing was said or done.
fn is_history(content: &Value) -> bool {
    let part = content.as_array().and_then(|parts| parts.first()).map_or("", |part| text(part, "text"));
    let said = content.as_str().unwrap_or(part);
    said.starts_with("For context, here is the conversation so far") && said.contains("<CONVERSATION HISTORY>")
}

/// What the Agents SDK answers in the place of a tool that a person turned down.
pub(in crate::transcript) const REFUSED: &str = "Tool execution was not approved.";

/// The result of a call, with what its own `status` says: the outputs of functions have none that tells a failure.
pub(in crate::transcript) fn returned(item: &mut Value) -> Answer {
    let (output, media) = match take_any(item, &["output", "result", "tools"]) {
        one @ Value::Object(_) => output(Value::Array(listed(one))),
        other => output(other),
    };
    let status = text(item, "status");
    let failed = ended(status) == Some(Status::Error);
    let truncated = media || status == "incomplete";
    let mut answer = Answer { truncated, ..Answer::plain(output, failed, failed.then_some(Source::Field)) };
    if ended(status) == Some(Status::Pending) {
        // The tool told that it began; what became of it is not here.
        answer.stated(Status::Background);
    } else if !failed && answer.output.as_deref() == Some(REFUSED) {
        // In a bare list it is not known whether the SDK wrote this or the tool.
        answer.status = Status::Unknown;
    }
    answer
}

/// Whether a message of the agent holds the conversation before a handoff.
fn nested(content: &Value) -> bool {
    const OPEN: &str = "<CONVERSATION HISTORY>";
    let within = |value: &Value| value.as_str().is_some_and(|text| text.contains(OPEN));
    within(content) || slice(content).iter().any(|part| part.get("text").is_some_and(within))
}
