//! Cursor: the transcripts of its agents, one message a line.
//!
//! They hold the names and arguments of calls, but neither ids nor results, so that no turn of them is complete.

use super::blocks::{assistant, FromUser, Message};
use super::build::{Answer, Builder};
use super::calls::client;
use super::detect::{Format, FormatInfo, Hint};
use super::notes::Notes;
use super::value::{has, listed, nth, push_line, slice, take, take_string, text};
use crate::record::{Session, Status};
use alloc::string::{String, ToString};
use serde_json::Value;

pub(super) const FORMAT: Format =
    Format { info: FormatInfo { name: "cursor", about: "Cursor: transcripts of its agents" }, sniff, read };

const NO_RESULTS: &str = "the transcript holds no results of calls";

fn sniff(value: &Value) -> Option<Hint> {
    let items = slice(value);
    let line = |line: &&Value| {
        let role = matches!(text(line, "role"), "user" | "assistant") && !has(line, "type") && !has(line, "content");
        role && line.get("message").is_some_and(|message| has(message, "content") && !has(message, "role"))
    };
    items.iter().find(line).map(|_| Hint::certain("role, message.content"))
}

fn read(value: Value, notes: &mut Notes) -> Session {
    let lines = listed(value);
    let mut reader = Reader::default();
    for line in lines {
        reader.line(line, notes);
    }
    reader.finish(notes)
}

/// Reads one message after the other.
#[derive(Debug, Default)]
pub(super) struct Reader {
    build: Builder,
    number: usize,
}

impl Reader {
    /// Reads a message.
    pub(super) fn line(&mut self, mut line: Value, notes: &mut Notes) {
        self.number += 1;
        let content = take(&mut take(&mut line, "message"), "content");
        match text(&line, "role") {
            "user" => self.user(content, notes),
            "assistant" => self.assistant(content, notes),
            _ => self.build.left_out(&nth("line", self.number), "no message", notes),
        }
    }

    /// The whole conversation.
    pub(super) fn finish(mut self, notes: &mut Notes) -> Session {
        self.build.lacks(NO_RESULTS);
        self.build.finish(notes)
    }

    fn user(&mut self, content: Value, notes: &mut Notes) {
        let parts = FromUser::of(content);
        let results = !parts.results.is_empty();
        for returned in parts.results {
            self.build.result(&returned.id.clone(), returned.answer(), notes);
        }
        let mut said = String::new();
        for text in parts.texts {
            match asked(&text) {
                Some((around, query)) => {
                    self.build.context(around);
                    push_line(&mut said, &query);
                }
                None => push_line(&mut said, text.trim()),
            }
        }
        let steering = results && said.is_empty();
        self.build.heard(said, steering, parts.media, parts.unread);
    }

    fn assistant(&mut self, content: Value, notes: &mut Notes) {
        let key = self.number.to_string();
        let message = Message { key: &key, ..Message::default() };
        let Value::Array(blocks) = content else { return assistant(&mut self.build, content, message, notes) };
        for mut block in blocks {
            if text(&block, "type") == "tool_use" && !has(&block, "id") {
                let call = client(take_string(&mut block, "name"), take(&mut block, "input"), None);
                // The format keeps no result of any call: that none is there says nothing.
                self.build.call(call, Some(Answer { status: Status::Unknown, ..Answer::default() }), notes);
            } else {
                assistant(&mut self.build, Value::Array(alloc::vec![block]), message, notes);
            }
        }
    }
}

/// What the person asked, and what the host put around it.
fn asked(text: &str) -> Option<(String, String)> {
    let (before, rest) = text.split_once("<user_query>")?;
    let (query, after) = rest.split_once("</user_query>").unwrap_or((rest, ""));
    let around = [before.trim(), after.trim()].join("\n");
    Some((around.trim().to_string(), query.trim().to_string()))
}
