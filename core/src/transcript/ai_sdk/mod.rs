//! Vercel AI SDK: what its two formats share.
//!
//! Messages of a user interface ([`ui`]) hold each call together with its result and state; messages for a model
//! ([`model`]) hold them apart.

pub(super) mod model;
pub(super) mod stream;
pub(super) mod ui;

use super::build::Answer;
use super::notes::Notes;
use super::value::{arguments_text, flag, has, take, take_text, text};
use crate::record::{Call, Executor, Source, Status};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

/// The call that a part makes. Older versions say `args` for `input`.
fn call(part: &mut Value) -> Call {
    let input = ["input", "args", "rawInput"].into_iter().find(|key| has(part, key)).unwrap_or("input");
    let tool = match take_text(part, "toolName") {
        Some(name) => name,
        None => text(part, "type").strip_prefix("tool-").unwrap_or("").to_string(),
    };
    Call {
        tool,
        arguments: arguments_text(take(part, input)),
        id: take_text(part, "toolCallId").filter(|id| !id.is_empty()),
        executor: Some(if flag(part, "providerExecuted") { Executor::Provider } else { Executor::Client }),
        ..Call::default()
    }
}

/// The answer of a call that was turned away: by a person, or by a rule of the program.
fn refused(automatic: bool, reason: Option<String>) -> Answer {
    let status = if automatic { Status::Denied } else { Status::Declined };
    Answer { status, error: reason, source: Some(Source::Field), ..Answer::default() }
}

/// Messages that stand twice under their id count once: exact copies, and of versions that follow one another, as they
/// are saved while a message grows, the last.
fn once(messages: Vec<Value>, notes: &mut Notes) -> Vec<Value> {
    let mut kept: Vec<Value> = Vec::with_capacity(messages.len());
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for message in messages {
        let id = text(&message, "id").to_string();
        let last = kept.len().checked_sub(1);
        let place = places.get(&id).copied().filter(|_| !id.is_empty());
        match place.and_then(|place| kept.get_mut(place)) {
            Some(former) if *former == message || place == last && text(former, "role") == text(&message, "role") => {
                notes.add("copies", format!("the message {id} stands twice; its last version counts"));
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
