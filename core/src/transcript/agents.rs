//! OpenAI Agents SDK: the state of a run, its new items, and the items of the JavaScript protocol.
//!
//! The items inside are those of the Responses API; the JavaScript SDK writes their keys in another case and has names of
//! its own for some kinds.

use super::build::Answer;
use super::detect::{Format, FormatInfo, Hint};
use super::notes::Notes;
use super::responses::{returned, Items, Place, KEPT, REFUSED};
use super::value::{copied, exit_status, has, list, put, set, take, take_any, take_list, take_text, text};
use crate::record::{Session, Source, Status};
use crate::sort;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

pub(super) const FORMAT: Format = Format {
    info: FormatInfo {
        name: "openai-agents",
        about: "OpenAI Agents SDK: the state of a run, new items, protocol items",
    },
    sniff,
    read,
};

/// What the SDK answers in the place of a tool that threw.
const FAILED: &str = "An error occurred while running the tool. Please try again.";

/// Where a run keeps what was asked, and the items that came of it.
const ASKED: [&str; 3] = ["original_input", "originalInput", "input"];
const MADE: [&str; 6] = ["session_items", "sessionItems", "generated_items", "generatedItems", "new_items", "newItems"];

/// Kinds of the protocol that bear their call's id in the JavaScript form.
const CALLS: [&str; 7] = [
    "function_call",
    "function_call_result",
    "computer_call",
    "shell_call",
    "shell_call_output",
    "apply_patch_call",
    "apply_patch_call_output",
];

/// Keys of the JavaScript SDK that are written otherwise in the Responses API.
const KEYS: [(&str, &str); 5] = [
    ("callId", "call_id"),
    ("callerId", "caller_id"),
    ("maxOutputLength", "max_output_length"),
    ("providerData", "provider_data"),
    ("rawItem", "raw_item"),
];

fn sniff(value: &Value) -> Option<Hint> {
    let object = || ASKED.iter().take(2).chain(&MADE).any(|key| has(value, key));
    if has(value, "$schemaVersion") && object() {
        return Some(Hint::certain("$schemaVersion"));
    }
    let entries = |items: &[Value]| items.iter().find_map(sniff_item);
    match value {
        Value::Array(items) => entries(items),
        other => MADE.into_iter().chain(["input", "history", "output"]).find_map(|key| entries(list(other, key))),
    }
}

fn sniff_item(item: &Value) -> Option<Hint> {
    let kind = text(item, "type");
    let wrapped = ["raw_item", "rawItem"].into_iter().find(|key| kind.ends_with("_item") && has(item, key));
    let own = (kind == "hosted_tool_call").then_some("hosted_tool_call");
    let call = || (CALLS.contains(&kind) && has(item, "callId")).then_some("callId");
    wrapped.or(own).or_else(call).map(Hint::certain)
}

fn read(value: Value, notes: &mut Notes) -> Session {
    let mut reader = Reader::default();
    match value {
        Value::Array(entries) => reader.all("items", entries, notes),
        object => reader.run(object, notes),
    }
    reader.items.build.finish(notes)
}

#[derive(Debug, Default)]
struct Reader {
    items: Items,
    /// The calls that a person turned down, as the state says.
    rejected: BTreeSet<String>,
    /// The calls whose results were looked at for a refusal.
    judged: BTreeSet<String>,
}

impl Reader {
    /// The state or the result of a run.
    fn run(&mut self, mut run: Value, notes: &mut Notes) {
        self.rejected = rejected(&take(&mut run, "context"));
        let build = &mut self.items.build;
        build.id = take_any(&mut run, &["conversation_id", "conversationId"]).as_str().map(ToString::to_string);
        let kept = !take_any(&mut run, &["previous_response_id", "previousResponseId"]).is_null();
        if build.id.is_some() || kept {
            build.lacks(KEPT);
        }
        match take_any(&mut run, &ASKED) {
            Value::Array(asked) => self.all("input", asked, notes),
            asked => self.items.asked(asked, notes),
        }
        // After a handoff one of the lists may hold less than the other.
        let mut made = Vec::new();
        for key in MADE {
            let list = take_list(&mut run, key);
            made = if list.len() > made.len() { list } else { made };
        }
        if made.is_empty() {
            if let Value::Array(responses) = take_any(&mut run, &["model_responses", "modelResponses"]) {
                for mut response in responses {
                    self.all("output", take_list(&mut response, "output"), notes);
                }
            }
            for key in ["history", "output"] {
                let items = take_list(&mut run, key);
                self.all(key, items, notes);
            }
        }
        self.all("items", made, notes);
        let mut step = take_any(&mut run, &["current_step", "currentStep"]);
        let waiting = take_list(&mut take(&mut step, "data"), "interruptions");
        self.all("interruptions", waiting, notes);
        self.decline();
    }

    /// Calls that were turned down and have no result never will have one.
    fn decline(&mut self) {
        for id in core::mem::take(&mut self.rejected) {
            self.items.build.amend(&id, |call| {
                if call.status == Status::Pending {
                    (call.status, call.source) = (Status::Declined, Some(Source::Field));
                }
            });
        }
    }

    fn all(&mut self, name: &str, entries: Vec<Value>, notes: &mut Notes) {
        for (index, entry) in entries.into_iter().enumerate() {
            self.entry(entry, Place { list: name, index, at: None }, notes);
        }
    }

    /// An item of a run, or an item of the protocol.
    fn entry(&mut self, mut entry: Value, place: Place<'_>, notes: &mut Notes) {
        snake(&mut entry);
        match text(&entry, "type") {
            // Another agent goes on: no tool ran.
            "handoff_call_item" | "handoff_output_item" => self.items.build.between(),
            "tool_approval_item" => {
                let raw = take(&mut entry, "raw_item");
                let id = ["call_id", "callId", "id"].into_iter().map(|key| text(&raw, key)).find(|id| !id.is_empty());
                // The call stands before it as a rule.
                if id.is_none_or(|id| self.items.build.called(id).is_none()) {
                    self.raw(raw, &Value::Null, place, notes);
                }
            }
            kind if kind.ends_with("_item") && has(&entry, "raw_item") => {
                let raw = take(&mut entry, "raw_item");
                self.raw(raw, &entry, place, notes);
            }
            _ => self.raw(entry, &Value::Null, place, notes),
        }
    }

    /// An item of the protocol; `entry` is what the run says beside it.
    fn raw(&mut self, mut item: Value, entry: &Value, place: Place<'_>, notes: &mut Notes) {
        snake(&mut item);
        let kind = match text(&item, "type") {
            "function_call_result" => "function_call_output",
            "computer_call_result" => "computer_call_output",
            "hosted_tool_call" => return self.items.item(hosted(item), place, notes),
            "unknown" => return self.items.build.between(),
            kind => kind,
        };
        let kind = kind.to_string();
        if kind == "function_call_output" {
            let id = self.items.result_id(&mut item);
            let answer = self.judged(&id, returned(&mut item), entry);
            return self.items.build.result(&id, answer, notes);
        }
        let id = copied(&item, "call_id");
        if !kind.is_empty() {
            set(&mut item, "type", kind.as_str().into());
        }
        self.items.item(item, place, notes);
        if kind.ends_with("_output") && self.judged.insert(id.clone()) {
            self.refused(&id);
        }
    }

    /// What the SDK's own words, the host's data and the list of refusals say of a result.
    fn judged(&self, id: &str, answer: Answer, entry: &Value) -> Answer {
        let data = entry.get("custom_data").or_else(|| entry.get("customData")).unwrap_or(&Value::Null);
        let exit = exit_status(data);
        let output = answer.output.as_deref().unwrap_or_default();
        let told = if self.rejected.contains(id) {
            Some((Status::Declined, Source::Field))
        } else if exit.is_some() {
            Some((if exit == Some(0) { Status::Ok } else { Status::Error }, Source::Field))
        } else if output == REFUSED {
            Some((Status::Declined, Source::Text))
        } else if output.starts_with(FAILED) {
            Some((Status::Error, Source::Text))
        } else {
            let late = output.strip_prefix("Tool '").is_some_and(|rest| rest.contains("' timed out after "));
            (late && output.lines().count() == 1).then_some((Status::Timeout, Source::Text))
        };
        match told {
            Some((status, source)) => Answer { status, exit, source: Some(source), ..answer },
            None => answer,
        }
    }

    /// Shells and patches that a person turned down have a result that looks like a failure.
    fn refused(&mut self, id: &str) {
        let listed = self.rejected.contains(id);
        let mut one = id.to_string();
        let mut number = 0;
        while self.items.build.called(&one).is_some() || number == 0 {
            self.items.build.amend(&one, |call| {
                if listed || call.output.as_deref() == Some(REFUSED) {
                    let source = if listed { Source::Field } else { Source::Text };
                    (call.status, call.exit, call.source) = (Status::Declined, None, Some(source));
                }
            });
            number += 1;
            one = format!("{id}.{number}");
        }
    }
}

/// The ids of the calls that a person turned down.
fn rejected(context: &Value) -> BTreeSet<String> {
    let records = ["approvals", "hostedMcpApprovals"].into_iter().filter_map(|key| context.get(key)?.as_object());
    let ids = records.flat_map(|records| records.values()).flat_map(|record| list(record, "rejected"));
    sort::set(ids.filter_map(|id| id.as_str().map(ToString::to_string)))
}

/// Writes the keys of the JavaScript SDK as the Responses API does.
fn snake(item: &mut Value) {
    let Some(map) = item.as_object_mut() else { return };
    for (camel, snake) in KEYS {
        if let Some(value) = map.remove(camel) {
            map.insert(snake.to_string(), value);
        }
    }
    if let Some(caller) = map.get_mut("caller") {
        snake(caller);
    }
}

/// A call of a server's tool: the provider's own item, from which the SDK took some fields.
fn hosted(mut item: Value) -> Value {
    let mut provider = take(&mut item, "provider_data");
    let kind = take_text(&mut provider, "type").or_else(|| take_text(&mut item, "name")).unwrap_or_default();
    let Some(map) = provider.as_object_mut() else {
        let kind = kind.strip_suffix("_call").unwrap_or(&kind);
        take(&mut item, "name");
        set(&mut item, "type", format!("{kind}_call").into());
        return item;
    };
    for key in ["id", "status", "output", "arguments", "caller"] {
        let value = take(&mut item, key);
        if !value.is_null() && !map.contains_key(key) {
            put(map, key, value);
        }
    }
    put(map, "type", Value::String(kind));
    provider
}
