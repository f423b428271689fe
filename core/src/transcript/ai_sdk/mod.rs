//! Vercel AI SDK: what its two formats share.
//!
//! Messages of a user interface ([`ui`]) hold each call together with its result and state; messages for a model
//! ([`model`]) hold them apart.

pub(super) mod model;
pub(super) mod stream;
pub(super) mod ui;

use super::build::Answer;
use super::calls::Shape;
use super::notes::Notes;
use super::returned::returned;
use super::value::{copied, flag, list, take, take_any, take_text, text};
use crate::record::{Call, Executor, Status};
use crate::sort::set;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use serde_json::Value;

/// Older versions say `args` for `input`.
const CALL: Shape = Shape { tool: &["toolName"], arguments: &["input", "args", "rawInput"], id: &["toolCallId"] };

/// Kinds of output that a host writes for a model.
const TYPED: [&str; 6] = ["text", "json", "content", "error-text", "error-json", "execution-denied"];

/// The call that a part makes.
fn call(part: &mut Value) -> Call {
    let provider = flag(part, "providerExecuted");
    let mut call = CALL.call(part, if provider { Executor::Provider } else { Executor::Client });
    if call.tool.is_empty() {
        call.tool.push_str(text(part, "type").strip_prefix("tool-").unwrap_or(""));
    }
    call
}

/// The answer of a call that was turned away: by a person, or by a rule of the program.
fn refused(automatic: bool, reason: Option<String>) -> Answer {
    let mut answer = Answer { error: reason, ..Answer::default() };
    answer.stated(if automatic { Status::Denied } else { Status::Declined });
    answer
}

/// A result: typed output, or the value itself.
fn result(part: &mut Value) -> Answer {
    let mut output = take_any(part, &["output", "result"]);
    let kind = copied(&output, "type");
    if kind == "execution-denied" {
        // Without an answer to a question for approval it is not known who turned the call away.
        return refused(true, take_text(&mut output, "reason"));
    }
    let typed = TYPED.contains(&kind.as_str());
    if typed {
        output = take(&mut output, "value");
    }
    let mut answer = returned(output);
    if flag(part, "isError") || typed && kind.starts_with("error") {
        answer.stated(Status::Error);
    } else if flag(part, "preliminary") {
        // A tool that reports while it runs: more was to come.
        answer.truncated = true;
        answer.stated(Status::Pending);
    } else if typed {
        answer.stated(Status::Ok);
    }
    answer
}

/// Whether a message is a later version of another: it holds all its calls. Some hosts give the messages of a turn one id.
fn grown(former: &Value, message: &Value) -> bool {
    let calls = |of: &Value| {
        let parts = list(of, "parts").iter().chain(list(of, "toolInvocations"));
        set(parts.map(|part| copied(part, "toolCallId")).filter(|id| !id.is_empty()))
    };
    text(former, "role") == text(message, "role") && calls(former).is_subset(&calls(message))
}

/// Messages that stand twice under their id count once: exact copies, and of versions that follow one another, as they
/// are saved while a message grows, the last.
fn once(messages: Vec<Value>, notes: &mut Notes) -> Vec<Value> {
    let mut kept: Vec<Value> = Vec::with_capacity(messages.len());
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for message in messages {
        let id = copied(&message, "id");
        let last = kept.len().checked_sub(1);
        let place = places.get(&id).copied().filter(|_| !id.is_empty());
        match place.and_then(|place| kept.get_mut(place)) {
            Some(former) if *former == message || place == last && grown(former, &message) => {
                let note = ["the message ", id.as_str(), " stands twice; its last version counts"].concat();
                notes.add("copies", note);
                *former = message;
            }
            _ => {
                places.insert(id, kept.len());
                kept.push(message);
            }
        }
    }
    kept
}
