//! Codex: rollout files, `codex exec --json`, threads of the app server.
//!
//! A rollout holds two interleaved logs: `response_item`, what the model saw, and `event_msg`, what was drawn on the screen.
//! Items are read; of the events only those count that say more, such as how a command ended. Unknown kinds of lines are
//! bookkeeping.

mod events;
mod outcome;
mod said;
mod thread;

use super::blocks::{output, FromUser};
use super::build::{Answer, Builder};
use super::calls::Shape;
use super::detect::{Format, FormatInfo, Hint};
use super::lines::LineReader;
use super::notes::Notes;
use super::responses::{returned, Items, Place};
use super::slots::Slots;
use super::value::{
    copied, flag, has, is_list, list, push_line, take, take_any, take_list, take_string, take_text, text, truth,
};
use crate::record::{Executor, Session, Turn};
use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use said::Route;
use serde_json::Value;
use thread::Agent;

pub(super) const FORMAT: Format = Format {
    info: FormatInfo { name: "codex", about: "Codex: rollout files, codex exec --json, threads of the app server" },
    sniff,
    read,
};

/// Lines of a rollout, and the keys of which their payload holds one.
const LINES: [(&str, &[&str]); 5] = [
    ("session_meta", &["id", "meta", "cwd"]),
    ("response_item", &["type"]),
    ("event_msg", &["type"]),
    ("turn_context", &["cwd", "model", "approval_policy", "sandbox_policy"]),
    ("compacted", &["message", "replacement_history"]),
];

/// Lines of `codex exec --json`, and the keys that they hold.
const STREAM: [(&str, &str); 4] = [
    ("thread.started", "thread_id"),
    ("item.completed", "item"),
    ("item.started", "item"),
    ("turn.completed", "usage"),
];

/// Items of the app server.
const ITEMS: [&str; 6] =
    ["userMessage", "agentMessage", "commandExecution", "fileChange", "mcpToolCall", "dynamicToolCall"];

/// Notices of the app server.
const METHODS: [&str; 5] = ["thread/started", "turn/started", "turn/completed", "item/started", "item/completed"];

/// How the host tells of calls that code made.
const CALL: Shape = Shape { tool: &["name"], arguments: &["arguments"], id: &[] };

fn sniff(value: &Value) -> Option<Hint> {
    match value {
        Value::Array(lines) => lines.iter().find_map(sniff_line).or_else(|| old(lines)),
        object if thread_of(object).is_some() => Some(Hint::certain("turns[].items")),
        other => sniff_line(other),
    }
}

fn sniff_line(line: &Value) -> Option<Hint> {
    let kind = text(line, "type");
    let rollout = LINES.into_iter().find(|(name, keys)| *name == kind && keys.iter().any(|key| holds(line, key)));
    let rollout = rollout.map(|(name, _)| name);
    let stream = || STREAM.into_iter().find(|(name, key)| *name == kind && has(line, key)).map(|(name, _)| name);
    let item = || ITEMS.into_iter().find(|name| *name == kind).filter(|_| has(line, "id"));
    let method = || METHODS.into_iter().find(|name| *name == text(line, "method")).filter(|_| has(line, "params"));
    rollout.or_else(stream).or_else(item).or_else(method).map(Hint::certain)
}

fn holds(line: &Value, key: &str) -> bool {
    line.get("payload").is_some_and(|payload| has(payload, key))
}

/// A rollout of the first versions: items as they stand, and between them lines with the state of the host.
fn old(lines: &[Value]) -> Option<Hint> {
    let state = lines.iter().any(|line| text(line, "record_type") == "state");
    let item = |line: &Value| has(line, "call_id") || text(line, "type") == "message" && has(line, "role");
    (state && lines.iter().any(item)).then(|| Hint::certain("record_type"))
}

/// The thread in an answer of the app server.
fn thread_of(value: &Value) -> Option<&Value> {
    let inner = value.get("result").unwrap_or(value);
    let thread = inner.get("thread").unwrap_or(inner);
    list(thread, "turns").iter().any(|turn| is_list(turn, "items")).then_some(thread)
}

fn read(value: Value, notes: &mut Notes) -> Session {
    let mut reader = Reader::default();
    match value {
        Value::Array(lines) => lines.into_iter().for_each(|line| reader.line(line, notes)),
        object if thread_of(&object).is_some() => reader.thread(object, notes),
        other => reader.line(other, notes),
    }
    reader.finish(notes)
}

/// Reads one line after another.
#[derive(Debug, Default)]
pub(super) struct Reader {
    items: Items,
    /// How many lines were read.
    lines: usize,
    talk: said::Talk,
    /// Calls whose end was told by an event: their output says it again.
    settled: BTreeSet<String>,
    /// The calls that started a process which runs on, by the number of its session.
    running: Slots<Option<String>>,
    /// Calls that hold code, which may call tools in its turn.
    code: BTreeSet<String>,
    /// What code in this rollout did stands in events of its own.
    told: bool,
    /// What the agent said by the events, for a turn of which no item holds a word.
    unsaid: Vec<String>,
    /// Where the history ends that was copied from the parent of a sub-agent.
    own_from: Option<u64>,
    /// How many streams of `codex exec` came before this one; each counts its items from the start.
    streams: usize,
    /// The calls that started sub-agents, by the threads of those.
    children: Slots<String>,
    /// So many bytes were read since turns were given out.
    held: usize,
}

/// So many bytes of lines are held, where a text is read in pieces.
const HELD: usize = 32_000_000;

impl LineReader for Reader {
    fn line(&mut self, value: Value, notes: &mut Notes) {
        Reader::line(self, value, notes);
    }

    fn build(&mut self) -> &mut Builder {
        &mut self.items.build
    }

    fn at(&mut self, _number: usize, bytes: usize) {
        self.held += bytes;
    }

    /// Turns may be taken back, so that so many bytes are held before any is given out. A history that was copied from the
    /// parent counts as earlier calls of what follows: it is held to the end.
    fn take(&mut self) -> Vec<Turn> {
        if self.held < HELD || self.own_from.is_some() || self.items.build.brings_past() {
            return Vec::new();
        }
        self.held = 0;
        self.items.build.take()
    }

    fn finish(&mut self, notes: &mut Notes) -> Session {
        core::mem::take(self).finish(notes)
    }
}

impl Reader {
    /// Reads a line.
    pub(super) fn line(&mut self, mut value: Value, notes: &mut Notes) {
        let at = take_text(&mut value, "timestamp");
        let place = Place { list: "lines", index: self.lines, at: at.as_deref() };
        self.lines += 1;
        let ordinal = value.get("ordinal").and_then(Value::as_u64);
        if self.own_from.is_some_and(|start| ordinal.is_some_and(|ordinal| ordinal >= start)) {
            self.own_from = None;
            self.items.build.past();
        }
        let kind = copied(&value, "type");
        match kind.as_str() {
            "session_meta" => self.head(take(&mut value, "payload")),
            "response_item" => self.item(take(&mut value, "payload"), place, notes),
            "event_msg" => self.event(take(&mut value, "payload"), place, notes),
            "compacted" => {
                self.items.build.compacted();
                let summary = take_text(&mut take(&mut value, "payload"), "message");
                self.items.build.context(summary.unwrap_or_default());
            }
            // What another agent wrote.
            "inter_agent_communication" => {
                let said = output(take(&mut take(&mut value, "payload"), "content")).0;
                self.items.build.context(said);
            }
            "thread.started" => {
                self.streams += usize::from(!self.items.build.is_empty());
                self.items.build.id.get_or_insert_with(|| copied(&value, "thread_id"));
            }
            "turn.started" | "turn.completed" | "turn.failed" => self.items.build.end(),
            "item.started" => self.thread_item(thread::begun(take(&mut value, "item")), &Agent::Own, place, notes),
            "item.completed" => self.thread_item(take(&mut value, "item"), &Agent::Own, place, notes),
            "error" => notes.add("errors of the host", text(&value, "message")),
            "turn_context" => self.items.build.model(&take(&mut value, "payload")),
            "item.updated" => {}
            _ => self.other(&kind, value, place, notes),
        }
    }

    /// A line that is no rollout's and no stream's, or of an unknown kind.
    fn other(&mut self, kind: &str, value: Value, place: Place<'_>, notes: &mut Notes) {
        match kind {
            _ if value.get("method").is_some() => self.notice(value, place, notes),
            _ if ITEMS.contains(&kind) => self.thread_item(value, &Agent::Own, place, notes),
            _ if has(&value, "role") || has(&value, "call_id") => self.item(value, place, notes),
            // An answer of the app server; it may bring the history.
            "" if has(&value, "result") || has(&value, "error") => {
                if self.items.build.is_empty() && thread_of(&value).is_some() {
                    self.thread(value, notes);
                }
            }
            // Old rollouts begin so.
            "" if value.get("instructions").is_some() => self.head(value),
            _ if !kind.is_empty() && !speaks(&value) || has(&value, "record_type") => {}
            _ => self.unread(place, notes),
        }
    }

    /// The whole session.
    pub(super) fn finish(mut self, notes: &mut Notes) -> Session {
        self.say();
        self.items.build.finish(notes)
    }

    fn unread(&mut self, place: Place<'_>, notes: &mut Notes) {
        self.talk.lost();
        self.items.unread(place, notes);
    }

    /// The first line of a rollout. A session that goes on with another brings that one's first line along.
    fn head(&mut self, mut payload: Value) {
        let build = &mut self.items.build;
        if build.id.is_some() {
            return;
        }
        build.id = take_text(&mut payload, "id");
        if has(&payload, "history_base") {
            // What came before stands in the rollout of another thread.
            build.starts_amid();
        }
        self.own_from = payload.get("subagent_history_start_ordinal").and_then(Value::as_u64);
        let base = take_text(&mut take(&mut payload, "base_instructions"), "text");
        let given = [take_text(&mut payload, "instructions"), base].into_iter().flatten();
        build.instructions(given.filter(|text| !text.trim().is_empty()).collect());
    }

    /// An item that the model saw.
    fn item(&mut self, mut item: Value, place: Place<'_>, notes: &mut Notes) {
        if !item.is_object() {
            return self.unread(place, notes);
        }
        match (text(&item, "type"), text(&item, "role")) {
            (_, "user") => self.user(take(&mut item, "content")),
            ("function_call_output" | "custom_tool_call_output", _) => self.returned(item, notes),
            ("ghost_snapshot" | "other", _) => self.items.build.between(),
            // Another agent's message.
            ("agent_message", _) => self.items.build.context(output(take(&mut item, "content")).0),
            ("message", "system" | "developer") => self.items.item(item, place, notes),
            (kind, _) => {
                if kind == "message" {
                    self.unsaid.clear();
                }
                if kind == "custom_tool_call" && text(&item, "name") == "exec" {
                    self.code.insert(copied(&item, "call_id"));
                }
                self.talk.acted();
                self.items.item(item, place, notes);
            }
        }
    }

    /// A message of the user role: the person's words, or what the host put there.
    fn user(&mut self, content: Value) {
        let parts = FromUser::of(content);
        let (mut own, mut given) = (String::new(), false);
        for text in parts.texts {
            if let Some(call) = said::command(&text) {
                self.items.build.user_call(call);
                given = true;
            } else if said::injected(&text) {
                self.items.build.context(text);
                given = true;
            } else if !said::around_picture(&text) {
                push_line(&mut own, &text);
            }
        }
        let pictures = parts.media && self.items.build.has_returned();
        if own.trim().is_empty() && parts.unread {
            self.talk.lost();
            self.items.build.unread_user();
        } else if !own.trim().is_empty() || !given && !pictures {
            self.hear(own, Route::Item);
        }
    }

    /// The person's words.
    fn hear(&mut self, own: String, route: Route) {
        if !self.talk.known(&own, route) {
            self.say();
        }
        self.talk.hear(&mut self.items.build, own, route);
    }

    /// A turn of which no item holds a word says what the events tell.
    fn say(&mut self) {
        let texts = core::mem::take(&mut self.unsaid);
        if !self.items.build.has_spoken() {
            for text in texts {
                self.items.build.between();
                self.items.build.text(text, "");
            }
        }
    }

    /// What a call returned, as the model read it.
    fn returned(&mut self, mut item: Value, notes: &mut Notes) {
        let id = self.items.result_id(&mut item);
        if self.code.remove(&id) {
            self.called_by_code(&mut item, &id, notes);
        }
        if self.settled.contains(&id) {
            return;
        }
        let succeeded = old_form(&mut item);
        let call = self.items.build.called(&id);
        let tool = call.map(|call| call.tool.clone()).unwrap_or_default();
        let session = call.map(|call| session_of(&call.arguments)).unwrap_or_default();
        let told = outcome::of(&tool, returned(&mut item), succeeded);
        match told.session {
            Some(started) => {
                let first = self.running.change(&started, |first| first.get_or_insert_with(|| id.clone()).clone());
                self.goes_on(first.as_deref().unwrap_or(&id), &id, &told.answer, told.body);
            }
            None if told.ended => {
                if let Some(first) = self.running.get_mut(&session).and_then(Option::take) {
                    self.goes_on(&first, &id, &told.answer, told.body);
                }
            }
            None => {}
        }
        self.items.build.result(&id, told.answer, notes);
    }

    /// A process that runs on printed more or ended: the call that started it did so as well.
    fn goes_on(&mut self, first: &str, id: &str, answer: &Answer, body: usize) {
        let more = answer.output.as_deref().and_then(|output| output.get(body..)).unwrap_or_default();
        if first != id {
            self.items.build.amend(first, |call| {
                push_line(call.output.get_or_insert_default(), more);
                call.truncated |= answer.truncated;
                (call.status, call.exit, call.source) = (answer.status, answer.exit, answer.source);
            });
        }
    }

    /// The calls of tools that code made. They are no items; where the host does not say that it names all, the record has a gap.
    fn called_by_code(&mut self, item: &mut Value, id: &str, notes: &mut Notes) {
        let mut told = take_any(item, &["internal_chat_message_metadata_passthrough", "metadata"]);
        if !flag(&told, "tool_calls_complete") {
            self.items.build.gap("calls that code made are not in the record");
        }
        if self.told {
            return;
        }
        for mut made in take_list(&mut told, "executed_tool_calls") {
            let mut call = CALL.call(&mut made, Executor::Client);
            call.parent = Some(id.to_string());
            // What they returned went to the code.
            self.items.build.call(call, Some(Answer { truncated: true, ..Answer::default() }), notes);
        }
    }
}

/// Whether a line of an unknown kind holds words or a call, so that it is more than bookkeeping.
fn speaks(line: &Value) -> bool {
    has(line, "item")
        || has(line, "content")
        || line.get("payload").is_some_and(|payload| has(payload, "role") || has(payload, "call_id"))
}

/// Old rollouts keep an output with a flag beside it.
fn old_form(item: &mut Value) -> Option<bool> {
    let output = item.get_mut("output").filter(|output| has(output, "content"))?;
    let success = truth(output, "success");
    *output = take(output, "content");
    success
}

/// The session or cell that a call writes to or waits for.
fn session_of(arguments: &Value) -> String {
    match arguments.get("session_id").or_else(|| arguments.get("cell_id")) {
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::String(text)) => text.clone(),
        _ => String::new(),
    }
}

/// The texts of a list.
fn texts(list: Vec<Value>) -> String {
    let mut out = String::new();
    for mut part in list {
        push_line(&mut out, &take_string(&mut part, "text"));
    }
    out
}
