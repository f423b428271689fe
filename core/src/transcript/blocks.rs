//! Anthropic content blocks: shared by the Messages API and by Claude Code, which wraps it.

use super::build::{Answer, Builder};
use super::calls::client;
use super::mcp;
use super::notes::Notes;
use super::value::{
    copied, flag, has, leaves, push_line, take, take_id, take_string, take_text, take_word, text, truth,
};
use crate::record::{Call, Executor, Source, Status};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

/// Who made the calls of a message, and under what key its texts are joined.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Message<'a> {
    /// Texts of one message are one piece while nothing stands between them.
    pub(super) key: &'a str,
    pub(super) at: Option<&'a str>,
    /// The message is a sub-agent's: its calls count, its prose is no reply of the agent.
    pub(super) subagent: bool,
    /// The call that started the sub-agent.
    pub(super) parent: Option<&'a str>,
    /// The message was taken back: its calls count, its prose does not.
    pub(super) retracted: bool,
}

/// Reads what the agent wrote and called.
pub(super) fn assistant(build: &mut Builder, content: Value, message: Message<'_>, notes: &mut Notes) {
    let prose = !message.subagent && !message.retracted;
    match content {
        Value::String(text) if prose => build.text(text, message.key),
        Value::Array(blocks) => {
            for block in blocks {
                assistant_block(build, block, message, prose, notes);
            }
        }
        _ => build.between(),
    }
}

fn assistant_block(build: &mut Builder, mut block: Value, message: Message<'_>, prose: bool, notes: &mut Notes) {
    let kind = copied(&block, "type");
    match kind.as_str() {
        "text" => {
            if prose {
                build.text(take_string(&mut block, "text"), message.key);
            }
        }
        "tool_use" => build.call(call(block, message, Executor::Client), None, notes),
        "server_tool_use" | "mcp_tool_use" => build.call(call(block, message, Executor::Provider), None, notes),
        "mcp_tool_result" | "tool_result" => {
            let returned = Returned::of(block);
            build.result(&returned.id.clone(), returned.answer(), notes);
        }
        "compaction" => {
            build.gap("the conversation was compacted");
            build.context(leaves(take(&mut block, "content")).0);
        }
        _ if kind.ends_with("_tool_result") => {
            let id = take_string(&mut block, "tool_use_id");
            build.result(&id, served(take(&mut block, "content")), notes);
        }
        _ => {
            build.between();
            if !SILENT.contains(&kind.as_str()) && !MEDIA.contains(&kind.as_str()) {
                // It may have been a call.
                build.unread("a block of an unknown kind");
            }
        }
    }
}

/// Blocks that are neither prose nor calls.
const SILENT: [&str; 5] = ["thinking", "redacted_thinking", "document", "search_result", "container_upload"];

fn call(mut block: Value, message: Message<'_>, executor: Executor) -> Call {
    let server = take_id(&mut block, "server_name");
    // A call made from code names the call that ran the code.
    let caller = block.get("caller").map(|c| text(c, "tool_id")).filter(|id| !id.is_empty()).map(String::from);
    let executor = if message.subagent { Executor::Subagent } else { executor };
    let mut call = client(take_string(&mut block, "name"), take(&mut block, "input"), take_id(&mut block, "id"));
    if let Some(server) = server {
        call.tool = [server.as_str(), ".", call.tool.as_str()].concat();
    }
    call.at = message.at.map(String::from);
    call.parent = message.parent.map(String::from).or(caller);
    call.executor = Some(executor);
    call
}

/// A `tool_result` block.
#[derive(Debug, Default)]
pub(super) struct Returned {
    pub(super) id: String,
    pub(super) output: String,
    /// Some of it was no text.
    pub(super) media: bool,
    pub(super) is_error: Option<bool>,
    /// An MCP result that says that it is none yet.
    pub(super) pending: bool,
}

impl Returned {
    /// Takes the block apart.
    pub(super) fn of(mut block: Value) -> Self {
        let told = answer(take(&mut block, "content"));
        let failed = told.source.map(|_| told.status == Status::Error);
        Returned {
            id: take_word(&mut block, &["tool_use_id"]),
            output: told.output.unwrap_or_default(),
            media: told.truncated,
            pending: told.status == Status::Pending,
            is_error: truth(&block, "is_error").or(failed),
        }
    }

    /// What the flag says, and nothing more.
    pub(super) fn answer(self) -> Answer {
        let status = match self.is_error {
            Some(true) => Status::Error,
            _ if self.pending => Status::Pending,
            _ => Status::Ok,
        };
        Answer {
            output: Some(self.output),
            truncated: self.media,
            status,
            source: self.is_error.map(|_| Source::Field),
            ..Answer::default()
        }
    }
}

/// Kinds of parts that are no text, in all the formats that write results as lists of parts.
pub(super) const MEDIA: [&str; 16] = [
    "image",
    "image_url",
    "input_image",
    "image-data",
    "image-url",
    "audio",
    "input_audio",
    "video",
    "media",
    "file",
    "input_file",
    "file-data",
    "file-url",
    "file-id",
    "file-reference",
    "computer_screenshot",
];

/// A result with what it says of itself: only an MCP result tells how the call ended, all else is output.
pub(super) fn answer(content: Value) -> Answer {
    if mcp::is_result(&content) {
        return mcp::answer(content);
    }
    Answer::of(output(content))
}

/// The text of a result, and whether some of it cannot be read as text.
pub(super) fn output(content: Value) -> (String, bool) {
    let blocks = match content {
        Value::Null => return (String::new(), false),
        Value::String(text) => return (text, false),
        Value::Array(blocks) => blocks,
        result if mcp::is_result(&result) => {
            let answer = mcp::answer(result);
            return (answer.output.unwrap_or_default(), answer.truncated);
        }
        other => return leaves(other),
    };
    let (mut out, mut media) = (String::new(), false);
    for mut block in blocks {
        match text(&block, "type") {
            "text" | "input_text" | "output_text" => {
                let text = take_string(&mut block, "text");
                if out.is_empty() {
                    out = text;
                } else {
                    push_line(&mut out, &text);
                }
            }
            kind if MEDIA.contains(&kind) => media = true,
            "resource" | "resource_link" => {
                let (text, missing) = mcp::resource(block);
                push_line(&mut out, &text);
                media |= missing;
            }
            "document" if text(block.get("source").unwrap_or(&Value::Null), "type") != "text" => media = true,
            _ => {
                let (text, sealed) = leaves(block);
                push_line(&mut out, &text);
                media |= sealed;
            }
        }
    }
    (out, media)
}

/// The result of a server tool: its own error and exit fields, and all readable text in it.
fn served(mut content: Value) -> Answer {
    let kind = copied(&content, "type");
    if kind.ends_with("_error") {
        let code = take_text(&mut content, "error_code");
        return Answer {
            output: Some(leaves(content).0),
            status: Status::Error,
            error: Some(code.unwrap_or(kind)),
            source: Some(Source::Field),
            ..Answer::default()
        };
    }
    let exit = take(&mut content, "return_code").as_i64();
    let (output, sealed) = match &content {
        Value::Object(map) if map.contains_key("stdout") || map.contains_key("stderr") => streams(content),
        _ => output(content),
    };
    Answer {
        output: Some(output),
        truncated: sealed,
        status: if exit.is_some_and(|code| code != 0) { Status::Error } else { Status::Ok },
        exit,
        source: exit.map(|_| Source::Field),
        ..Answer::default()
    }
}

/// Standard output before standard error, then whatever else there is.
pub(super) fn streams(mut content: Value) -> (String, bool) {
    let (mut out, _) = leaves(take(&mut content, "stdout"));
    push_line(&mut out, &leaves(take(&mut content, "stderr")).0);
    let (rest, sealed) = leaves(content);
    push_line(&mut out, &rest);
    (out, sealed)
}

/// The parts of a message of the user role.
#[derive(Debug, Default)]
pub(super) struct FromUser {
    pub(super) results: Vec<Returned>,
    pub(super) texts: Vec<String>,
    /// Images, documents and the like.
    pub(super) media: bool,
    /// Some of it is of a wrong type: it may have been a person's words.
    pub(super) unread: bool,
}

impl FromUser {
    /// Sorts the blocks of a message.
    pub(super) fn of(content: Value) -> Self {
        let mut parts = FromUser::default();
        let (mut odd, mut strange) = (false, false);
        match content {
            Value::String(text) => parts.texts.push(text),
            Value::Array(blocks) => {
                for mut block in blocks {
                    let kind = text(&block, "type");
                    let empty = block.as_object().is_some_and(serde_json::Map::is_empty);
                    strange |= empty || !kind.is_empty() && kind != "document" && !MEDIA.contains(&kind);
                    match kind {
                        "tool_result" | "mcp_tool_result" => parts.results.push(Returned::of(block)),
                        "text" | "input_text" => match take_text(&mut block, "text") {
                            Some(text) => parts.texts.push(text),
                            None => parts.unread = true,
                        },
                        "" if block.is_string() => parts.texts.extend(block.as_str().map(String::from)),
                        "" if !block.is_object() || has(&block, "type") || has(&block, "text") => odd = true,
                        _ => parts.media = true,
                    }
                }
            }
            _ => parts.unread = true,
        }
        // A block of a wrong type may have been a person's words, except beside results.
        let alone = parts.results.is_empty();
        parts.media |= odd && !alone;
        parts.unread |= alone && (odd || parts.texts.is_empty() && (strange || !parts.media));
        parts
    }

    /// The person's own words, and whether the host's reminders stood among them, which are context.
    pub(super) fn own(&mut self, build: &mut Builder) -> (String, bool) {
        let (mut own, mut given): (Vec<String>, bool) = (Vec::new(), false);
        for text in core::mem::take(&mut self.texts) {
            let text = without_reminders(text, |reminder| {
                given = true;
                build.context(reminder);
            });
            if !text.trim().is_empty() {
                own.push(text);
            }
        }
        (own.join("\n"), given)
    }

    /// Hands on results, and what the person wrote: a new turn, or context where the agent is in the middle of one, as it
    /// is when results come with it or where the host says so (`steering`).
    pub(super) fn hear(mut self, build: &mut Builder, steering: bool, notes: &mut Notes) {
        let steering = steering || !self.results.is_empty();
        for returned in core::mem::take(&mut self.results) {
            build.result(&returned.id.clone(), returned.answer(), notes);
        }
        let (own, given) = self.own(build);
        let hosts = given && own.is_empty() && !self.media;
        build.heard(own, steering || hosts, self.media, self.unread);
    }
}

/// What a person wrote, as a text or as parts: a turn, and one that says so where it could not be read.
pub(super) fn hear(build: &mut Builder, content: Value) {
    let listed = content.as_array().is_some_and(|parts| parts.iter().all(|part| has(part, "type")));
    let readable = content.is_string() || listed;
    let (said, media) = output(content);
    let said = if readable { said } else { String::new() };
    build.heard(said, false, media, !readable || !media);
}

/// Takes the host's reminders out of a message and gives what the person wrote.
pub(super) fn without_reminders(text: String, mut reminder: impl FnMut(String)) -> String {
    const OPEN: &str = "<system-reminder>";
    const CLOSE: &str = "</system-reminder>";
    if !text.contains(OPEN) {
        return text;
    }
    let mut kept = String::new();
    let mut rest = text.as_str();
    while let Some(start) = rest.find(OPEN) {
        kept.push_str(rest.get(..start).unwrap_or(""));
        let after = rest.get(start..).unwrap_or("");
        let end = after.find(CLOSE).map_or(after.len(), |i| i + CLOSE.len());
        reminder(after.get(..end).unwrap_or("").to_string());
        rest = after.get(end..).unwrap_or("");
    }
    kept.push_str(rest);
    kept.trim().to_string()
}

/// The system prompt: a text or blocks.
pub(super) fn system(value: Value) -> Vec<String> {
    let (text, _) = output(value);
    if text.trim().is_empty() {
        Vec::new()
    } else {
        alloc::vec![text]
    }
}

/// Names in a list of tool definitions of any vendor; `None` when there is no list.
pub(super) fn tools(value: Value) -> Option<Vec<String>> {
    let Value::Array(tools) = value else { return None };
    let name = |mut tool: Value| match &mut tool {
        Value::String(name) => Some(core::mem::take(name)),
        tool => {
            let inner = ["function", "custom"].into_iter().find(|key| has(tool, key));
            let named = inner.and_then(|key| take_text(&mut take(tool, key), "name"));
            named.or_else(|| take_text(tool, "name")).or_else(|| take_text(tool, "type"))
        }
    };
    Some(tools.into_iter().filter_map(name).collect())
}

/// Whether a message has parts as neither OpenAI nor Anthropic writes them: each of theirs names its type, and a text is a text.
pub(super) fn has_foreign_parts(message: &Value) -> bool {
    let odd = |part: &Value| match text(part, "type") {
        "" => true,
        "text" => part.get("text").is_some_and(Value::is_object),
        _ => false,
    };
    super::value::list(message, "content").iter().any(|part| part.is_object() && odd(part))
}

/// Whether any block of a message is one that only this API has.
pub(super) fn telling_block(message: &Value) -> Option<&'static str> {
    const KINDS: [&str; 7] = [
        "tool_use",
        "tool_result",
        "server_tool_use",
        "mcp_tool_use",
        "mcp_tool_result",
        "thinking",
        "redacted_thinking",
    ];
    let blocks = super::value::list(message, "content");
    blocks.iter().find_map(|block| {
        let kind = text(block, "type");
        let named = flag(block, "is_error") || has(block, "tool_use_id") || has(block, "input") || has(block, kind);
        KINDS.into_iter().find(|k| *k == kind && (named || kind.ends_with("thinking")))
    })
}
