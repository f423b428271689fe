//! GitHub Copilot's command line and SDK: a log of events, one a line, each with its `data`.

use super::blocks::answer;
use super::build::{Answer, Builder};
use super::calls::client;
use super::detect::{Format, FormatInfo, Hint};
use super::lines::LineReader;
use super::notes::Notes;
use super::value::{
    arguments_text, has, is_object, listed, nth, set, slice, take, take_id, take_list, take_string, take_text, text,
    truth,
};
use crate::record::{Call, Executor, Session, Source, Status};
use alloc::string::{String, ToString};
use serde_json::{Map, Value};

pub(super) const FORMAT: Format = Format {
    info: FormatInfo { name: "copilot", about: "GitHub Copilot: event logs of its command line and SDK" },
    sniff,
    read,
};

const KINDS: [&str; 7] = [
    "session.start",
    "session.resume",
    "user.message",
    "assistant.message",
    "assistant.turn_start",
    "tool.execution_start",
    "tool.execution_complete",
];

fn sniff(value: &Value) -> Option<Hint> {
    let items = slice(value);
    let event = |event: &&Value| is_object(event, "data") && KINDS.contains(&text(event, "type"));
    items.iter().find(event).map(|_| Hint::certain("type, data"))
}

fn read(value: Value, notes: &mut Notes) -> Session {
    let events = listed(value);
    let mut reader = Reader::default();
    for event in events {
        reader.line(event, notes);
    }
    reader.finish(notes)
}

/// Reads one event after the other.
#[derive(Debug, Default)]
pub(super) struct Reader {
    build: Builder,
    number: usize,
    /// Calls that a message or the start of their execution has shown, and whether each ran a command.
    made: Map<String, Value>,
}

impl LineReader for Reader {
    fn line(&mut self, value: Value, notes: &mut Notes) {
        Reader::line(self, value, notes);
    }

    fn build(&mut self) -> &mut Builder {
        &mut self.build
    }
}

impl Reader {
    /// Reads an event.
    pub(super) fn line(&mut self, mut event: Value, notes: &mut Notes) {
        self.number += 1;
        let kind = take_string(&mut event, "type");
        let mut data = take(&mut event, "data");
        let at = take_text(&mut event, "timestamp");
        match kind.as_str() {
            "session.start" | "session.resume" => self.build.id = take_text(&mut data, "sessionId"),
            "system.message" => self.build.instructions(take_text(&mut data, "content").into_iter().collect()),
            "user.message" => self.user(data),
            "assistant.message" => self.assistant(data, at, notes),
            "tool.execution_start" => {
                let name = take_string(&mut data, "toolName");
                self.called(name, data, at, notes);
            }
            "tool.execution_complete" => {
                let id = take_string(&mut data, "toolCallId");
                let command = self.made.get(&id) == Some(&Value::Bool(true));
                self.build.result(&id, returned(data, command), notes);
            }
            "session.compaction_complete" => {
                self.build.context(take_string(&mut data, "summaryContent"));
            }
            "" => self.unread(notes),
            // A kind that is not known yet may still have been a person's or the agent's message.
            _ if has(&data, "content") && !kind.contains('.') => self.unread(notes),
            _ => {}
        }
    }

    /// The whole conversation.
    pub(super) fn finish(self, notes: &mut Notes) -> Session {
        self.build.finish(notes)
    }

    fn unread(&mut self, notes: &mut Notes) {
        self.build.left_out(&nth("line", self.number), "no event that is known", notes);
    }

    fn user(&mut self, mut data: Value) {
        let said = take_text(&mut data, "content");
        // The host sends messages of its own in the same way, and names where they come from.
        let given = !matches!(text(&data, "source"), "" | "user");
        match said {
            Some(said) if given => self.build.context(said),
            Some(said) if !said.trim().is_empty() => self.build.user(Some(said)),
            _ if has(&data, "attachments") && !take_list(&mut data, "attachments").is_empty() => self.build.user(None),
            _ => self.build.unread_user(),
        }
    }

    fn assistant(&mut self, mut data: Value, at: Option<String>, notes: &mut Notes) {
        let parent = take_text(&mut data, "parentToolCallId");
        if parent.is_none() {
            self.build.model(&data);
        }
        if has(&data, "content") && parent.is_none() {
            match take(&mut data, "content") {
                Value::String(text) => self.build.text(text, &self.number.to_string()),
                _ => self.unread(notes),
            }
        }
        for mut request in take_list(&mut data, "toolRequests") {
            let name = take_string(&mut request, "name");
            if let Some(parent) = &parent {
                set(&mut request, "parentToolCallId", parent.as_str().into());
            }
            self.called(name, request, at.clone(), notes);
        }
    }

    /// A call: the message asks for it, and the start of its execution tells it once more.
    fn called(&mut self, tool: String, mut data: Value, at: Option<String>, notes: &mut Notes) {
        let id = take_id(&mut data, "toolCallId");
        let command = tool.contains("bash") || tool.contains("shell");
        if id.as_ref().is_some_and(|id| self.made.insert(id.clone(), Value::Bool(command)).is_some()) {
            return;
        }
        let parent = take_text(&mut data, "parentToolCallId");
        let call = Call {
            at,
            executor: Some(if parent.is_some() { Executor::Subagent } else { Executor::Client }),
            parent,
            ..client(tool, arguments_text(take(&mut data, "arguments")), id)
        };
        self.build.call(call, None, notes);
    }
}

/// What the end of an execution says.
fn returned(mut data: Value, command: bool) -> Answer {
    let fine = truth(&data, "success");
    let mut error = take(&mut data, "error");
    let code = take_string(&mut error, "code");
    let message = take_text(&mut error, "message").or_else(|| error.as_str().map(String::from));
    let kept = has(&data, "result");
    let (told, words) = told(take(&mut data, "result"));
    let exit = words.filter(|_| command).and_then(|words| words.parse().ok());
    let status = match (code.as_str(), fine, exit) {
        ("rejected", _, _) => Status::Declined,
        ("denied", _, _) => Status::Denied,
        ("timeout", _, _) => Status::Timeout,
        ("aborted" | "cancelled", _, _) => Status::Cancelled,
        (_, Some(false), _) => Status::Error,
        (_, _, Some(code)) if code != 0 => Status::Error,
        _ if message.is_some() => Status::Error,
        _ => told.status,
    };
    // Some versions write down that a call went well, and not what it returned.
    let truncated = told.truncated || !kept && message.is_none();
    let output = told.output.filter(|out| !out.is_empty()).or_else(|| message.clone());
    let output = if kept { Some(output.unwrap_or_default()) } else { output };
    let field = fine.is_some() || message.is_some();
    let source = match exit {
        Some(_) => Some(Source::Text),
        None if field => Some(Source::Field),
        None => told.source,
    };
    Answer { output, truncated, status, exit, source, error: message }
}

/// What a result shows, and the exit status on the last line that the tool for commands writes.
fn told(result: Value) -> (Answer, Option<String>) {
    // The model reads `content`; `detailedContent` is the whole of it, for the screen.
    let told = match result {
        mut result @ Value::Object(_) if result.get("content").is_some_and(Value::is_string) => {
            let shown = take(&mut result, "content");
            let words = shown.as_str().and_then(exited);
            let whole = take(&mut result, "detailedContent");
            let told = answer(if whole.is_string() { whole } else { shown });
            return (told, words);
        }
        result => answer(result),
    };
    let words = told.output.as_deref().and_then(exited);
    (told, words)
}

/// The number in `<exited with exit code N>` on the last line.
fn exited(shown: &str) -> Option<String> {
    let last = shown.trim_end().rsplit('\n').next()?;
    last.strip_prefix("<exited with exit code ")?.strip_suffix('>').map(String::from)
}
