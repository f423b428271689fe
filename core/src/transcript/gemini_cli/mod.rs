//! gemini-cli: session files, as lines or, from older versions, as one object.
//!
//! Lines are a log: a message that comes again under its id replaces what stood there, `$rewindTo` takes back a message
//! and all after it, `$set` changes fields. Where `$set` replaces the messages, the host has shortened what the model
//! sees; what was done before stays done.

mod outcome;

use super::build::Builder;
use super::calls::Shape;
use super::detect::{Format, FormatInfo, Hint};
use super::notes::Notes;
use super::value::{at, copied, has, is_list, list, listed, take, take_list, take_text, text, unknown};
use crate::record::{Executor, Session};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

pub(super) const FORMAT: Format = Format {
    info: FormatInfo { name: "gemini-cli", about: "gemini-cli: session files, as lines or as one object" },
    sniff,
    read,
};

/// How messages of the user role start that the host wrote.
const INJECTED: [&str; 6] = [
    "<session_context>",
    "<state_snapshot>",
    "<hook_context>",
    "This is the Gemini CLI. We are setting up the context",
    "System: Please continue.",
    "System: Potential loop detected",
];

/// What the host writes, word for word, when it lets the agent go on.
const GO_ON: &str = "Please continue.";

const CALL: Shape = Shape { tool: &["name"], arguments: &["args"], id: &["id"] };

fn sniff(value: &Value) -> Option<Hint> {
    match value {
        Value::Array(items) => items.iter().find_map(sniff_line),
        Value::Object(map) if map.contains_key("sessionId") && map.contains_key("messages") => {
            let kinds = || list(value, "messages").iter().filter(|m| !has(m, "role")).map(|m| text(m, "type"));
            let known = kinds().any(|kind| matches!(kind, "user" | "gemini"));
            sniff_line(value).or(known.then(|| Hint::likely("sessionId, messages")))
        }
        other => sniff_line(other),
    }
}

fn sniff_line(line: &Value) -> Option<Hint> {
    if has(line, "projectHash") && has(line, "sessionId") {
        return Some(Hint::certain("projectHash"));
    }
    if let Some(key) = ["$rewindTo", "$set"].into_iter().find(|key| has(line, key)) {
        return Some(Hint::certain(key));
    }
    let gemini = text(line, "type") == "gemini" && (has(line, "content") || has(line, "toolCalls"));
    gemini.then(|| Hint::certain("type: gemini"))
}

fn read(value: Value, notes: &mut Notes) -> Session {
    let lines = listed(value);
    let mut reader = Reader::default();
    for line in lines {
        reader.line(line, notes);
    }
    reader.finish(notes)
}

/// A message as it stands after all lines.
struct Entry {
    /// Null for a line that could not be read.
    message: Value,
    /// The host put it there when it shortened the conversation.
    put: bool,
}

/// Replays the lines, and then reads the messages that are left.
#[derive(Default)]
struct Reader {
    id: Option<String>,
    entries: Vec<Entry>,
    places: BTreeMap<String, usize>,
    /// The ids that the model sees now.
    window: BTreeSet<String>,
    lines: usize,
}

impl Reader {
    fn line(&mut self, mut line: Value, notes: &mut Notes) {
        self.lines += 1;
        if let Some(target) = take_text(&mut line, "$rewindTo") {
            return self.rewind(&target, notes);
        }
        let mut fields = match take(&mut line, "$set") {
            set @ Value::Object(_) => set,
            _ if has(&line, "type") || !has(&line, "sessionId") => return self.add(line, false, notes),
            _ => line,
        };
        if let Some(id) = take_text(&mut fields, "sessionId") {
            self.id.get_or_insert(id);
        }
        if is_list(&fields, "messages") {
            self.replaced(take_list(&mut fields, "messages"), notes);
        }
    }

    /// The host wrote the whole list anew: with more in it, or because it took out what the model should not read again.
    fn replaced(&mut self, messages: Vec<Value>, notes: &mut Notes) {
        let former = core::mem::take(&mut self.window);
        for message in &messages {
            self.window.insert(copied(message, "id"));
        }
        let put = former.iter().any(|id| !self.window.contains(id));
        for message in messages {
            let place = self.places.get(text(&message, "id"));
            let known = place.and_then(|place| self.entries.get(*place)).map(|entry| &entry.message);
            // An output may have been taken out of the copy: what is whole stays.
            if known.is_none_or(|known| !(put || whole(known) && counts(known) == counts(&message))) {
                self.add(message, put, notes);
            }
        }
    }

    fn add(&mut self, message: Value, put: bool, notes: &mut Notes) {
        let id = copied(&message, "id");
        if !id.is_empty() {
            let place = self.places.get(&id).copied();
            if let Some(former) = place.and_then(|place| self.entries.get_mut(place)) {
                if text(&former.message, "type") == text(&message, "type") {
                    former.message = message;
                    return;
                }
                notes.add(
                    "message ids that come again",
                    format!("line {}: the id {id} is another message's", self.lines),
                );
            }
            self.window.insert(id.clone());
            self.places.insert(id, self.entries.len());
        }
        self.entries.push(Entry { message, put });
    }

    /// Takes back a message and all after it: what was done in them is no part of the conversation any more.
    fn rewind(&mut self, target: &str, notes: &mut Notes) {
        let Some(place) = self.places.get(target).copied() else {
            notes.add("rewinds", format!("line {}: a rewind to a message that is not there", self.lines));
            self.entries.push(Entry { message: Value::Null, put: false });
            return;
        };
        for entry in self.entries.drain(place..) {
            self.places.remove(text(&entry.message, "id"));
            self.window.remove(text(&entry.message, "id"));
        }
    }

    fn finish(self, notes: &mut Notes) -> Session {
        let mut build = Builder::default();
        build.id = self.id;
        for (i, entry) in self.entries.into_iter().enumerate() {
            message(&mut build, entry, i, notes);
        }
        build.finish(notes)
    }
}

/// How much a message holds: its calls, and whether it says anything.
fn counts(message: &Value) -> (usize, bool) {
    let silent = message.get("content").is_none_or(|c| c.is_null() || c.as_str() == Some(""));
    (list(message, "toolCalls").len(), silent)
}

/// Whether each call of a message has its result.
fn whole(message: &Value) -> bool {
    list(message, "toolCalls").iter().all(|call| has(call, "result"))
}

fn message(build: &mut Builder, entry: Entry, i: usize, notes: &mut Notes) {
    let Entry { mut message, put } = entry;
    if put {
        build.gap("the conversation was compacted");
    }
    match text(&message, "type") {
        "user" => user(build, message, put),
        "gemini" if put && list(&message, "toolCalls").is_empty() => {
            build.context(said(take(&mut message, "content")).text);
        }
        "gemini" => agent(build, message, i, notes),
        "info" | "warning" | "error" => {}
        kind => {
            let why = unknown(kind, "type");
            build.left_out(&at("messages", i), &why, notes);
        }
    }
}

/// What a message says: a text, a part or a list of parts.
#[derive(Default)]
struct Said {
    text: String,
    media: bool,
    unread: bool,
}

fn said(content: Value) -> Said {
    let parts = listed(content);
    let mut said = Said { unread: parts.is_empty(), ..Said::default() };
    for mut part in parts {
        if has(&part, "thought") && part.get("thought") != Some(&Value::Bool(false)) {
            continue;
        }
        match (take_text(&mut part, "text"), part) {
            (Some(text), _) | (None, Value::String(text)) => said.text.push_str(&text),
            (None, part) if has(&part, "inlineData") || has(&part, "fileData") => said.media = true,
            // The results of calls stand with the calls.
            (None, part) if has(&part, "functionResponse") || has(&part, "functionCall") => said.media = true,
            _ => said.unread = true,
        }
    }
    said
}

/// The person's message is what was typed; what the host added to it, such as files, is context.
fn user(build: &mut Builder, mut message: Value, put: bool) {
    let whole = said(take(&mut message, "content"));
    let injected = INJECTED.iter().any(|start| whole.text.trim_start().starts_with(start)) || whole.text == GO_ON;
    if injected || put {
        return build.context(whole.text);
    }
    if whole.text.trim().is_empty() && whole.unread {
        return build.unread_user();
    }
    let typed = said(take(&mut message, "displayContent")).text;
    if typed.trim().is_empty() || typed == whole.text {
        build.user(Some(whole.text).filter(|text| !text.trim().is_empty()));
    } else {
        build.user(Some(typed));
        build.context(whole.text);
    }
}

fn agent(build: &mut Builder, mut message: Value, i: usize, notes: &mut Notes) {
    let own = i.to_string();
    let said = said(take(&mut message, "content"));
    if said.unread && said.text.is_empty() && has(&message, "content") {
        build.unread(&at("messages", i));
    }
    build.model(&message);
    build.text(said.text, &own);
    for call in take_list(&mut message, "toolCalls") {
        tool_call(build, call, notes);
    }
}

const ELSEWHERE: &str = "the calls of a sub-agent stand in a file of their own";

fn tool_call(build: &mut Builder, mut value: Value, notes: &mut Notes) {
    if has(&value, "agentId") {
        build.gap(ELSEWHERE);
    }
    let mut call = CALL.call(&mut value, Executor::Client);
    call.at = take_text(&mut value, "timestamp");
    let result = take(&mut value, "result");
    let answer = outcome::answer(&call, text(&value, "status"), result);
    let reports = |out: &str| out.starts_with("Subagent ") && out.contains("\nTermination Reason:");
    if answer.as_ref().and_then(|answer| answer.output.as_deref()).is_some_and(reports) {
        build.gap(ELSEWHERE);
    }
    build.call(call, answer, notes);
}
