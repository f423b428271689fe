//! Cline and Roo: what a task keeps of its conversation, and what it showed on the screen.
//!
//! Newer versions write tools as Anthropic blocks. Older ones wrote them as XML into the text, and answered in a message of the
//! user whose text starts with the tool's name: there a result follows its call.

mod screen;
mod xml;

use super::blocks::{FromUser, Returned};
use super::build::{Answer, Builder};
use super::calls::Shape;
use super::detect::{Format, FormatInfo, Hint};
use super::notes::Notes;
use super::value::{has, items, list, nth, push_line, take, take_items, take_string, take_text, text};
use crate::record::{Call, Executor, Session, Source, Status};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{Map, Value};

pub(super) const FORMAT: Format = Format {
    info: FormatInfo { name: "cline", about: "Cline and Roo: conversations and screens of their tasks" },
    sniff,
    read,
};

/// Tools that speak to the person, each with the argument that holds what is said.
const SPOKEN: [(&str, &str); 3] =
    [("attempt_completion", "result"), ("ask_followup_question", "question"), ("plan_mode_respond", "response")];

/// What the host puts around a person's words.
const WORDS: [&str; 5] = ["task", "feedback", "user_message", "answer", "user_input"];

/// What messages of the host start with.
const INJECTED: [&str; 5] = ["[ERROR]", "[TASK RESUMPTION]", "[Response interrupted", DETAILS, "# task_progress"];

/// The whole result of a call that the person refused.
const DENIED: &str = "The user denied this operation.";

/// What the result of a tool that threw starts with.
const FAILED: &str = "The tool execution failed with the following error:";

/// What the first message of a task begins with.
const TASK: &str = "<task>";

/// What the host tells of the editor, at the end of each message.
const DETAILS: &str = "<environment_details>";

/// The result of a plan that the person had carried out without a word.
const SWITCHED: &str = "[The user has switched to ACT MODE";

const UNTOLD: &str = "an answer of the person could not be told from the host's words";

const CALL: Shape = Shape { tool: &["name"], arguments: &["input"], id: &["id"] };

fn sniff(value: &Value) -> Option<Hint> {
    let messages = items(value, &["messages"]);
    if messages.iter().any(|m| matches!(text(m, "type"), "say" | "ask") && has(m, text(m, "type")) && has(m, "ts")) {
        return Some(Hint::certain("say, ask"));
    }
    let role = |message: &&Value| matches!(text(message, "role"), "user" | "assistant");
    let told = |message: &Value| has(message, "ts") && (has(message, "modelInfo") || has(message, "metrics"));
    if messages.iter().filter(role).any(told) {
        return Some(Hint::certain("ts, modelInfo"));
    }
    // Prompts of other hosts may begin in this way too, but only Cline tells of its editor in each message.
    let begins = |message: &Value| texts(message).next().is_some_and(|text| text.trim_start().starts_with(TASK));
    let details = |message: &Value| texts(message).any(|text| text.contains(DETAILS));
    let task = messages.iter().find(role).is_some_and(begins) && messages.iter().filter(role).any(details);
    task.then_some(Hint::certain(TASK))
}

/// The texts of a message.
fn texts(message: &Value) -> impl Iterator<Item = &str> {
    let blocks = list(message, "content").iter().filter_map(|block| block.get("text")?.as_str());
    message.get("content").and_then(Value::as_str).into_iter().chain(blocks)
}

fn read(mut value: Value, notes: &mut Notes) -> Session {
    let id = take_text(&mut value, "sessionId").or_else(|| take_text(&mut value, "taskId"));
    let messages = take_items(&mut value, &["messages"]);
    if messages.iter().any(|message| matches!(text(message, "type"), "say" | "ask")) {
        return screen::read(messages, notes);
    }
    let mut reader = Reader::default();
    reader.build.id = id;
    for message in messages {
        reader.line(message, notes);
    }
    reader.finish(notes)
}

/// Reads one message after the other.
#[derive(Debug, Default)]
pub(super) struct Reader {
    build: Builder,
    number: usize,
    /// A call that was written as XML, until its result follows.
    held: Option<Call>,
    /// The ids of calls of tools that are none of the host's (false), and of those by which the agent speaks to the person
    /// (true): their results are what the person says.
    ids: Map<String, Value>,
    /// The result of such a call held no words of the person: a gap, if the agent goes on all the same.
    untold: bool,
}

impl Reader {
    /// Reads a message.
    pub(super) fn line(&mut self, mut message: Value, notes: &mut Notes) {
        self.number += 1;
        let content = take(&mut message, "content");
        match text(&message, "role") {
            "assistant" => {
                self.build.model(&message);
                self.assistant(content, notes);
            }
            "user" => self.user(content, notes),
            _ => self.unread(notes),
        }
    }

    /// The whole conversation.
    pub(super) fn finish(mut self, notes: &mut Notes) -> Session {
        self.release(None, notes);
        self.build.finish(notes)
    }

    fn unread(&mut self, notes: &mut Notes) {
        self.build.left_out(&nth("message", self.number), "no text of a known role", notes);
    }

    fn release(&mut self, answer: Option<Answer>, notes: &mut Notes) {
        if let Some(call) = self.held.take() {
            self.build.call(call, answer, notes);
        }
    }

    fn assistant(&mut self, content: Value, notes: &mut Notes) {
        self.release(None, notes);
        if core::mem::take(&mut self.untold) {
            self.build.gap(UNTOLD);
        }
        let blocks = match content {
            Value::String(text) => return self.prose(&text, notes),
            Value::Array(blocks) => blocks,
            _ => return self.unread(notes),
        };
        for mut block in blocks {
            match text(&block, "type") {
                "text" => {
                    let text = take_string(&mut block, "text");
                    self.prose(&text, notes);
                }
                "tool_use" => {
                    self.called(CALL.call(&mut block, Executor::Client), notes);
                }
                _ => self.build.between(),
            }
        }
    }

    /// Text of the agent, with the tools that are written into it.
    fn prose(&mut self, said: &str, notes: &mut Notes) {
        for part in xml::parts(said) {
            match part {
                xml::Part::Text(text) => {
                    self.build.between();
                    self.build.text(text.trim().to_string(), "message");
                }
                xml::Part::Call(call) => self.called(call, notes),
            }
        }
    }

    fn called(&mut self, mut call: Call, notes: &mut Notes) {
        self.release(None, notes);
        if let Some((_, key)) = SPOKEN.iter().find(|(tool, _)| *tool == call.tool) {
            self.build.between();
            self.build.text(take_string(&mut call.arguments, key), "spoken");
            self.ids.extend(call.id.map(|id| (id, Value::Bool(true))));
        } else if let Some(id) = &call.id {
            if !xml::TOOLS.contains(&call.tool.as_str()) {
                self.ids.insert(id.clone(), Value::Bool(false));
            }
            self.build.call(call, None, notes);
        } else {
            self.held = Some(call);
        }
    }

    fn user(&mut self, content: Value, notes: &mut Notes) {
        let parts = FromUser::of(content);
        let mut steering = !parts.results.is_empty();
        for returned in parts.results {
            if self.ids.get(&returned.id) == Some(&Value::Bool(true)) {
                self.replied(&returned.output);
            } else {
                self.returned(returned, notes);
            }
        }
        // A result is a text that starts with the tool's name, and the texts after it.
        let mut result: Option<(String, String)> = None;
        let mut said = Vec::new();
        for text in parts.texts {
            let text = self.without_details(&text);
            match headed(&text) {
                Some((tool, rest)) => {
                    steering = true;
                    let (_, output) = result.get_or_insert_with(|| (tool.to_string(), String::new()));
                    push_line(output, rest);
                }
                None => match &mut result {
                    Some((_, output)) => push_line(output, &text),
                    None => said.push(text),
                },
            }
        }
        match result {
            Some((tool, output)) => self.headed(&tool, output, notes),
            None => self.release(None, notes),
        }
        self.heard(&said, steering, parts.unread, parts.media);
    }

    /// A result that names its tool and no id.
    fn headed(&mut self, tool: &str, output: String, notes: &mut Notes) {
        if speaks(tool) {
            self.replied(&output);
        } else if self.held.is_some() {
            let answer = judged(Answer::of((output, false)));
            self.release(Some(answer), notes);
        } else {
            self.build.gap("a result has no call in the record");
            self.build.context(output);
        }
    }

    fn returned(&mut self, returned: Returned, notes: &mut Notes) {
        let id = returned.id.clone();
        if self.ids.contains_key(&id) && words(&returned.output, true).is_some() {
            self.build.gap(UNTOLD);
        }
        self.build.result(&id, judged(returned.answer()), notes);
    }

    /// Takes out what the host tells of the editor. It stands at the end; an output may hold the same words before that.
    fn without_details(&mut self, text: &str) -> String {
        let text = text.trim();
        match text.rfind(DETAILS).filter(|_| text.ends_with("</environment_details>")) {
            Some(at) => {
                self.build.context(text.get(at..).unwrap_or("").to_string());
                text.get(..at).unwrap_or("").trim().to_string()
            }
            None => text.to_string(),
        }
    }

    /// What the person says to a result, a plan or a question.
    fn replied(&mut self, reply: &str) {
        match words(reply, true) {
            Some(own) => self.build.user(Some(own)),
            None => {
                self.untold = !reply.trim_start().starts_with(SWITCHED);
                self.build.context(reply.to_string());
            }
        }
    }

    fn heard(&mut self, said: &[String], steering: bool, unread: bool, media: bool) {
        let (mut own, mut given) = (String::new(), false);
        for text in said.iter().filter(|text| !text.is_empty()) {
            match words(text, false) {
                Some(inner) => push_line(&mut own, &inner),
                None if INJECTED.iter().any(|start| text.starts_with(start)) => {
                    given = true;
                    self.build.context(text.clone());
                }
                None => push_line(&mut own, text),
            }
        }
        let steering = steering || given && own.is_empty();
        self.build.heard(own, steering, media, unread);
    }
}

/// Whether the agent speaks to the person by a tool.
fn speaks(tool: &str) -> bool {
    SPOKEN.iter().any(|(name, _)| *name == tool)
}

/// The tool and the rest of a text that starts with `[tool for '…'] Result:`.
fn headed(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('[')?;
    let word =
        inside.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().filter(|word| !word.is_empty())?;
    let (head, rest) = inside.split_once("] Result:")?;
    let plain = head.len() == word.len() || head.get(word.len()..)?.starts_with(" for ");
    plain.then(|| (word, rest.trim_start_matches('\n')))
}

/// A person's words, without what the host puts around them; `after` a sentence of the host too.
fn words(text: &str, after: bool) -> Option<String> {
    let text = text.trim();
    let tag = WORDS.into_iter().find(|tag| {
        text.strip_prefix('<').and_then(|rest| rest.strip_prefix(tag)).is_some_and(|rest| rest.starts_with(['>', ' ']))
            || after && text.contains(&format!("\n<{tag}>"))
    })?;
    xml::inside(text, tag).map(|inner| inner.trim().to_string())
}

/// How a call ended, by the host's fixed words at the start of its result.
fn judged(told: Answer) -> Answer {
    let out = told.output.as_deref().unwrap_or("").trim_start();
    let first = out.lines().next().unwrap_or("");
    // Roo writes the exit status into the first line.
    let exit = Some(first).filter(|first| first.starts_with("Command executed in terminal"));
    let exit =
        exit.and_then(|first| first.rsplit_once("Exit code: ")?.1.trim_end_matches('.').trim().parse::<i64>().ok());
    let denied = ["The user denied this operation and provided", "Skipping tool ["];
    let status = if out.trim_end() == DENIED || denied.iter().any(|start| out.starts_with(start)) {
        Status::Declined
    } else if out.starts_with("Command is still running") {
        Status::Background
    } else if out.starts_with(FAILED) && out.trim_end().ends_with("</error>") || exit.is_some_and(|code| code != 0) {
        Status::Error
    } else if out.starts_with("Command execution timed out") {
        Status::Timeout
    } else {
        told.status
    };
    let text = exit.is_some() || status != told.status;
    Answer { status, exit, source: if text { Some(Source::Text) } else { told.source }, ..told }
}
