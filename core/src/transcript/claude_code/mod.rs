//! Claude Code: session files (JSON Lines), `stream-json` output and web sessions (`{loglines: […]}`).
//!
//! The maker calls the file internal, so an unknown kind of line is bookkeeping and never an error.
//! Lines are cut down to what counts as they are read: the tool's own copy of its result and the
//! bookkeeping are most of such a file.

mod line;
mod outcome;
mod said;
mod stream;
mod tree;

use super::blocks::{assistant, FromUser, Message, Returned};
use super::build::Builder;
use super::detect::{Format, FormatInfo, Hint};
use super::json::Lines;
use super::lines::LineReader;
use super::notes::Notes;
use super::value::{has, is_list, is_object, leaves, list, nth, take_list, text};
use crate::record::{Session, Source, Status};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use line::{Body, Kind, Line};
use serde_json::Value;
pub(super) use stream::Streamed;

pub(super) const FORMAT: Format = Format {
    info: FormatInfo { name: "claude-code", about: "Claude Code: session files, stream-json output, web sessions" },
    sniff,
    read,
};

const COMPACTED: &str = "the conversation was compacted";

fn sniff(value: &Value) -> Option<Hint> {
    match value {
        Value::Array(items) if items.iter().any(is_other) => None,
        Value::Array(items) => items.iter().find_map(sniff_line),
        Value::Object(_) if is_list(value, "loglines") => Some(Hint::certain("loglines")),
        other => sniff_line(other),
    }
}

/// Qwen Code writes lines with the same keys around messages as Gemini has them, and Cursor calls in lines of their own.
fn is_other(line: &Value) -> bool {
    line.get("message").is_some_and(|message| has(message, "parts"))
        || text(line, "type") == "tool_call" && has(line, "call_id")
}

fn sniff_line(line: &Value) -> Option<Hint> {
    let session = has(line, "sessionId") || has(line, "session_id");
    match text(line, "type") {
        "user" | "assistant" if is_object(line, "message") => {
            let key = ["toolUseResult", "parentUuid", "parent_tool_use_id", "isSidechain", "uuid"];
            let key = key.into_iter().find(|key| line.get(key).is_some());
            let certain = key.or(session.then_some("sessionId")).map(Hint::certain);
            certain.or(Some(Hint::likely("type, message")))
        }
        "system" if session && text(line, "subtype") == "init" => Some(Hint::certain("subtype: init")),
        "result" if session && has(line, "subtype") => Some(Hint::certain("type: result")),
        "system" if has(line, "uuid") && line.get("parentUuid").is_some() => Some(Hint::likely("parentUuid")),
        "summary" if has(line, "leafUuid") => Some(Hint::likely("leafUuid")),
        "file-history-snapshot" | "queue-operation" => Some(Hint::likely("type")),
        _ if has(line, "sessionId") && has(line, "uuid") && has(line, "type") => Some(Hint::likely("sessionId, uuid")),
        _ => None,
    }
}

/// Reads lines one at a time.
pub(super) fn read_lines(lines: Lines<'_>, notes: &mut Notes) -> Session {
    let mut all = Streamed::default();
    lines.each(notes, |number, value, _| all.push(number, value));
    all.finish(notes)
}

fn read(mut value: Value, notes: &mut Notes) -> Session {
    let lines = match value {
        Value::Array(items) => items,
        ref mut object if has(object, "loglines") => take_list(object, "loglines"),
        other => alloc::vec![other],
    };
    let mut all = Streamed::default();
    lines.into_iter().enumerate().for_each(|(i, value)| all.push(i + 1, Some(value)));
    all.finish(notes)
}

/// Goes through the lines of the path that counts.
#[derive(Default)]
struct Reader {
    build: Builder,
    /// Ids of lines and messages that were taken back.
    retracted: BTreeSet<String>,
    /// Some turn came before; a compaction hides nothing that the file does not hold.
    calls_before: bool,
}

impl Reader {
    fn line(&mut self, line: Line, parent: Option<&str>, notes: &mut Notes) {
        if self.build.id.is_none() {
            self.build.id.clone_from(&line.session);
        }
        match line.kind {
            Kind::Assistant => self.assistant(line, parent, notes),
            Kind::User => self.user(line, notes),
            Kind::Boundary => self.compacted(),
            Kind::Given => self.build.context(leaves(line.content).0),
            Kind::Init => {
                if self.build.tools.is_none() {
                    self.build.tools = super::blocks::tools(line.content);
                }
            }
            Kind::Result => self.result(line),
            Kind::Bad => self.build.unread(&nth("line", line.number)),
            Kind::Other => {}
        }
    }

    fn assistant(&mut self, line: Line, parent: Option<&str>, notes: &mut Notes) {
        if line.body.contains(Body::SYNTHETIC) {
            notes.add("messages of the host", format!("line {}: a message of the host, not of the model", line.number));
            self.build.between();
            return;
        }
        let retracted = line.body.contains(Body::ABORTED)
            || [&line.uuid, &line.message].into_iter().flatten().any(|id| self.retracted.contains(id));
        let own = line.number.to_string();
        let message = Message {
            key: line.message.as_deref().unwrap_or(&own),
            at: line.at.as_deref(),
            subagent: line.is_side(),
            parent,
            retracted,
        };
        self.calls_before = true;
        if !message.subagent {
            self.build.model(&line.model);
        }
        assistant(&mut self.build, line.content, message, notes);
    }

    fn user(&mut self, mut line: Line, notes: &mut Notes) {
        let mut details = line.details.take();
        let (side, at) = (line.is_side(), line.at.take());
        let given = line.body.intersects(Body::META | Body::SUMMARY | Body::INJECTED);
        let summary = line.body.contains(Body::SUMMARY);
        let parts = FromUser::of(line.content);
        let steering = !parts.results.is_empty();
        for returned in parts.results {
            self.returned(returned, details.take(), notes);
        }
        if side {
            // What a sub-agent was told stands in the arguments of its call.
            return;
        }
        if summary {
            self.compacted();
        }
        let heard = said::Heard { given, steering, media: parts.media, unread: parts.unread, at };
        said::hear(&mut self.build, parts.texts, &heard);
    }

    fn returned(&mut self, returned: Returned, details: Option<line::Details>, notes: &mut Notes) {
        let id = returned.id.clone();
        let answer = outcome::answer(returned, details.unwrap_or_default());
        self.build.result(&id, answer, notes);
    }

    /// The window was cleared. Where the file holds nothing from before, all its turns lack that.
    fn compacted(&mut self) {
        if self.calls_before {
            self.build.gap(COMPACTED);
        } else if self.build.incomplete.is_empty() {
            self.build.lacks(COMPACTED);
        }
    }

    /// The closing line of `stream-json`.
    fn result(&mut self, mut line: Line) {
        for denial in list(&line.content, "permission_denials") {
            self.build.amend(text(denial, "tool_use_id"), |call| {
                call.status = Status::Denied;
                call.source = Some(Source::Field);
            });
        }
        if let Some(text) = super::value::take_text(&mut line.content, "result") {
            if !self.build.has_spoken() {
                self.build.gap("the record holds only the final answer");
                self.build.text(text, "result");
            }
        }
        self.build.end();
    }
}
