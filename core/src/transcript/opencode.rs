//! opencode: exported sessions (`opencode export`), and the events of `opencode run --format json`.
//!
//! A message is its `info` and its `parts`; a call and its result are one part. `completed` says that the tool ran: how the
//! command ended stands in `metadata.exit`.

use super::build::{fill, Answer, Builder};
use super::calls::client;
use super::detect::{Format, FormatInfo, Hint};
use super::notes::Notes;
use super::value::{
    at, copied, flag, has, is_list, is_object, list, number, take, take_id, take_list, take_string, take_text, text,
};
use crate::record::{Executor, Session, Source, Status};
use alloc::string::ToString;
use alloc::vec::Vec;
use serde_json::Value;

pub(super) const FORMAT: Format = Format {
    info: FormatInfo { name: "opencode", about: "opencode: exported sessions, events of a run" },
    sniff,
    read,
};

/// What the host writes, word for word, in the message before a command that the person ran.
const BY_PERSON: &str = "The following tool was executed by the user";

/// How the errors start of calls that never ran or were stopped.
const REFUSED: [(&str, Status); 4] = [
    ("The user rejected permission to use this specific tool call", Status::Declined),
    ("The user rejected permission with feedback", Status::Declined),
    ("The user has specified a rule which prevents you from using this specific tool call", Status::Denied),
    ("Tool execution aborted", Status::Cancelled),
];

/// What stands in the place of an output that was cleared.
const CLEARED: &str = "[Old tool result content cleared]";

fn sniff(value: &Value) -> Option<Hint> {
    let items = match value {
        Value::Array(items) => items.as_slice(),
        one if has(one, "part") => core::slice::from_ref(one),
        object => list(object, "messages"),
    };
    items.iter().find_map(|item| {
        let role = item.get("info").map_or("", |info| text(info, "role"));
        if matches!(role, "user" | "assistant") && is_list(item, "parts") {
            return Some(Hint::certain("info, parts"));
        }
        let event = has(item, "sessionID") && item.get("part").is_some_and(|part| has(part, "type"));
        event.then(|| Hint::certain("sessionID, part"))
    })
}

fn read(mut value: Value, notes: &mut Notes) -> Session {
    let mut reader = Reader::default();
    let messages = match value {
        Value::Array(items) => items,
        ref mut object if has(object, "messages") => {
            reader.build.id = take_text(&mut take(object, "info"), "id");
            take_list(object, "messages")
        }
        other => alloc::vec![other],
    };
    for message in messages {
        reader.line(message, notes);
    }
    reader.build.finish(notes)
}

/// Reads messages, or events, one after another.
#[derive(Default)]
struct Reader {
    build: Builder,
    read: usize,
    /// The message that follows holds what the person ran.
    by_person: bool,
}

impl Reader {
    fn line(&mut self, mut item: Value, notes: &mut Notes) {
        let i = self.read;
        self.read += 1;
        if is_object(&item, "part") {
            self.event(item, notes);
            return;
        }
        let info = take(&mut item, "info");
        let parts = take(&mut item, "parts");
        match (text(&info, "role"), parts) {
            ("user", Value::Array(parts)) => self.user(parts),
            ("user", _) => self.build.unread_user(),
            ("assistant", Value::Array(parts)) => {
                let own = i.to_string();
                self.build.model(&info);
                for part in parts {
                    self.part(part, &own, flag(&info, "summary"), notes);
                }
                self.by_person = false;
            }
            _ if text(&item, "type") == "error" => {}
            _ => {
                self.build.left_out(&at("messages", i), "no message of a known role", notes);
            }
        }
    }

    /// An event of a run. What the person asked for is not among them.
    fn event(&mut self, mut item: Value, notes: &mut Notes) {
        if self.build.id.is_none() {
            self.build.id = take_text(&mut item, "sessionID");
        }
        let part = take(&mut item, "part");
        let key = copied(&part, "messageID");
        self.part(part, &key, false, notes);
    }

    fn user(&mut self, parts: Vec<Value>) {
        let (mut said, mut given, mut other) = (Vec::new(), Vec::new(), false);
        let (mut unread, mut compacted) = (parts.is_empty(), false);
        for mut part in parts {
            let own = !flag(&part, "synthetic") && !flag(&part, "ignored");
            match text(&part, "type") {
                "text" => match take_text(&mut part, "text") {
                    Some(text) if own => said.push(text),
                    Some(text) => given.push(text),
                    None => unread = true,
                },
                "subtask" => said.extend(take_text(&mut part, "prompt")),
                "compaction" => compacted = true,
                "" => unread = true,
                _ => other = true,
            }
        }
        if compacted {
            self.build.gap("the conversation was compacted");
        }
        self.by_person = said.is_empty() && given.iter().any(|text| text == BY_PERSON);
        // A file stands beside the host's words on what is in it; those words alone are nobody's message.
        let hosts = said.is_empty() && !other && (compacted || !given.is_empty());
        self.build.heard(said.join("\n"), hosts, other, unread);
        if !self.by_person {
            for text in given {
                self.build.context(text);
            }
        }
    }

    fn part(&mut self, mut part: Value, key: &str, summary: bool, notes: &mut Notes) {
        match text(&part, "type") {
            "text" => {
                let hidden = summary || flag(&part, "synthetic") || flag(&part, "ignored");
                match take_text(&mut part, "text") {
                    Some(text) if hidden => self.build.context(text),
                    Some(text) => self.build.text(text, key),
                    None => self.build.gap("a part of a message could not be read"),
                }
            }
            "tool" => self.tool(part, notes),
            "compaction" => self.build.gap("the conversation was compacted"),
            _ => self.build.between(),
        }
    }

    fn tool(&mut self, mut part: Value, notes: &mut Notes) {
        let mut state = take(&mut part, "state");
        let mut call = client(take_string(&mut part, "tool"), take(&mut state, "input"), take_id(&mut part, "callID"));
        call.at =
            state.get("time").and_then(|time| time.get("start")).filter(|at| at.is_number()).map(Value::to_string);
        if self.by_person {
            call.executor = Some(Executor::User);
        }
        if state.get("metadata").is_some_and(|metadata| has(metadata, "sessionId")) {
            self.build.gap("the calls of a sub-agent stand in a session of their own");
        }
        let answer = answer(state);
        if self.by_person {
            if let Some(answer) = answer {
                fill(&mut call, answer);
            }
            self.build.user_call(call);
        } else {
            self.build.call(call, answer, notes);
        }
    }
}

/// The result of a call; `None` while it has none.
fn answer(mut state: Value) -> Option<Answer> {
    let metadata = take(&mut state, "metadata");
    let field = Some(Source::Field);
    match text(&state, "status") {
        "completed" => {
            let output = take_string(&mut state, "output");
            let exit = number(&metadata, "exit");
            let truncated =
                flag(&metadata, "truncated") || output == CLEARED || !list(&state, "attachments").is_empty();
            let (status, source) = match stopped(&output) {
                Some(status) => (status, Some(Source::Text)),
                None if exit.is_some_and(|code| code != 0) => (Status::Error, field),
                None => (Status::Ok, field),
            };
            Some(Answer { output: Some(output), truncated, status, exit, error: None, source })
        }
        "error" => {
            let error = take_string(&mut state, "error");
            let refused = REFUSED.iter().find(|(start, _)| error.starts_with(start));
            let (status, source) = refused.map_or((Status::Error, field), |(_, status)| (*status, Some(Source::Text)));
            Some(Answer { status, source, ..Answer::failed(error) })
        }
        _ => None,
    }
}

/// What the host notes below the output of a command that it stopped.
fn stopped(output: &str) -> Option<Status> {
    let below = ["<bash_metadata>", "<shell_metadata>"].into_iter().find_map(|open| output.rsplit_once(open))?.1;
    if !below.trim_end().ends_with("_metadata>") {
        return None;
    }
    if below.contains("after exceeding timeout") {
        Some(Status::Timeout)
    } else if below.contains("User aborted the command") {
        Some(Status::Cancelled)
    } else {
        None
    }
}
