//! OpenAI Chat Completions and the many that write the same: messages with roles and `tool_calls`.
//!
//! The format has no error flag and no exit status: a result is `ok` without a source, unless its
//! very first word is `Error:`. mini-swe-agent's fixed forms give exit statuses.

use super::blocks::{answer, has_foreign_parts, output, system, tools, without_reminders, MEDIA};
use super::build::{Answer, Builder};
use super::calls::Shape;
use super::detect::{Format, FormatInfo, Hint};
use super::inspect::typed;
use super::lines::LineReader;
use super::notes::Notes;
use super::value::{
    arguments_text, at, copied, has, items, list, set, take, take_id, take_list, take_string, take_text, take_word,
    text, unknown,
};
use crate::record::{Call, Executor, Session, Source, Status};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{json, Value};

pub(super) const FORMAT: Format = Format {
    info: FormatInfo { name: "openai-chat", about: "OpenAI Chat Completions and formats like it: messages with roles" },
    sniff,
    read,
};

const ROLES: [&str; 6] = ["user", "assistant", "system", "developer", "tool", "function"];

/// Keys by which a message calls or answers; AG-UI writes the first two in its own way.
const CALLS: [&str; 5] = ["tool_calls", "tool_call_id", "function_call", "toolCalls", "toolCallId"];

/// The formats in which a conversation without any tools looks like this.
const TOOLLESS: &[&str] = &["openai-chat", "anthropic", "openai-responses", "ai-sdk-model"];

fn sniff(value: &Value) -> Option<Hint> {
    if text(value, "object").starts_with("chat.completion") || first_choice(value).is_some() {
        return Some(Hint::certain("choices"));
    }
    let messages = items(value, &["messages"]);
    // The lines of gemini-cli's stream have roles too, and calls in lines of their own.
    if messages.iter().any(|message| has_foreign_parts(message) || has(message, "tool_id")) {
        return None;
    }
    let mut roles = 0;
    for message in messages.iter().filter(|m| ROLES.contains(&text(m, "role"))) {
        for key in CALLS {
            if has(message, key) {
                return Some(Hint::certain(key));
            }
        }
        roles += usize::from(has(message, "content"));
    }
    if roles == 0 {
        return None;
    }
    if list(value, "tools").iter().any(|tool| has(tool, "function")) {
        return Some(Hint::certain("tools.function"));
    }
    Some(Hint::guess("role").or(TOOLLESS))
}

fn first_choice(value: &Value) -> Option<&Value> {
    list(value, "choices").first().filter(|choice| choice.get("message").is_some_and(Value::is_object))
}

fn read(mut value: Value, notes: &mut Notes) -> Session {
    let mut build = Builder::default();
    let messages = match value {
        Value::Array(items) => items,
        ref mut object => {
            build.model(object);
            build.tools = tools(take(object, "tools")).or_else(|| tools(take(object, "functions")));
            build.id = take_text(object, "session_id").or_else(|| take_text(object, "threadId"));
            let mut choices = take_list(object, "choices");
            // Of several answers the first is the one that is shown, wherever it stands.
            let shown = choices.iter().position(|one| one.get("index").and_then(Value::as_u64) == Some(0)).unwrap_or(0);
            match choices.get_mut(shown) {
                Some(choice) => alloc::vec![take(choice, "message")],
                None => take_list(object, "messages"),
            }
        }
    };
    let mut reader = Messages { build, ..Messages::default() };
    for message in messages {
        reader.line(message, notes);
    }
    reader.build.finish(notes)
}

/// Reads messages one after another.
#[derive(Default)]
pub(super) struct Messages {
    build: Builder,
    count: usize,
    /// The last message was a tool's.
    after_tool: bool,
}

impl LineReader for Messages {
    fn line(&mut self, message: Value, notes: &mut Notes) {
        self.after_tool = read_message(&mut self.build, message, self.count, self.after_tool, notes);
        self.count += 1;
    }

    fn build(&mut self) -> &mut Builder {
        &mut self.build
    }
}

/// Reads one message and says whether it was a tool's.
pub(super) fn read_message(
    build: &mut Builder,
    mut message: Value,
    i: usize,
    after_tool: bool,
    notes: &mut Notes,
) -> bool {
    let content = take(&mut message, "content");
    let role = copied(&message, "role");
    match role.as_str() {
        "assistant" => assistant(build, message, content, i, notes),
        "tool" | "function" => {
            result(build, message, content, notes);
            return true;
        }
        "system" | "developer" => build.instructions(system(content)),
        "user" => match returncode(&message) {
            Some(exit) => return observed(build, output(content).0, (Some(exit), Source::Field), notes),
            None => return user(build, content, after_tool, notes),
        },
        // The last line of mini-swe-agent: what was handed in.
        "exit" => build.context(output(content).0),
        "reasoning" | "activity" => build.between(),
        _ => {
            let what = if message.is_object() { unknown(&role, "role") } else { "no object".to_string() };
            build.left_out(&at("messages", i), &what, notes);
        }
    }
    false
}

fn assistant(build: &mut Builder, mut message: Value, content: Value, i: usize, notes: &mut Notes) {
    let key = i.to_string();
    build.model(&message);
    served(build, &mut message, &content, notes);
    match content {
        Value::String(text) => build.text(text, &key),
        Value::Array(parts) => {
            for mut part in parts {
                match text(&part, "type") {
                    "text" | "output_text" => build.text(take_string(&mut part, "text"), &key),
                    "refusal" => build.text(take_string(&mut part, "refusal"), &key),
                    "thinking" | "reasoning" | "redacted_thinking" => build.between(),
                    kind => {
                        if !MEDIA.contains(&kind) {
                            // It may have been a call.
                            build.unread(&at("messages", i));
                        }
                        build.between();
                    }
                }
            }
        }
        _ => {}
    }
    if let Some(refusal) = take_text(&mut message, "refusal") {
        build.between();
        build.text(refusal, &key);
    }
    if let Some(spoken) = take_text(&mut take(&mut message, "audio"), "transcript") {
        build.between();
        build.text(spoken, &key);
    }
    for key in ["tool_calls", "toolCalls"] {
        for call in take_list(&mut message, key) {
            build.call(tool_call(call), None, notes);
        }
    }
    if let old @ Value::Object(_) = take(&mut message, "function_call") {
        build.call(function(old), None, notes);
    }
}

/// What the provider's own tools did, as far as the message tells: some servers list the calls, others only what they found.
fn served(build: &mut Builder, message: &mut Value, content: &Value, notes: &mut Notes) {
    for mut ran in take_list(message, "executed_tools") {
        let told = Answer::of(output(take(&mut ran, "output")));
        build.call(RAN.call(&mut ran, Executor::Provider), Some(told), notes);
    }
    let cited = list(message, "annotations").iter().any(|one| text(one, "type") == "url_citation");
    if cited || has(message, "citations") || has(message, "search_results") {
        build.gap("the provider searched, and the record does not hold the call");
    }
    if content.as_str().is_some_and(|said| said.contains(DRAWN)) {
        build.gap("calls stand in the text of the reply and were not read");
    }
}

/// A tool that the provider ran, as Groq lists it.
const RAN: Shape = Shape { tool: &["name", "type"], arguments: &["arguments"], id: &["id"] };

/// How Open WebUI draws a call into the text of an answer.
const DRAWN: &str = "<details type=\"tool_calls\"";

/// A call as OpenAI writes it.
pub(super) fn tool_call(mut value: Value) -> Call {
    let id = take_id(&mut value, "id");
    if let mut custom @ Value::Object(_) = take(&mut value, "custom") {
        let tool = take_string(&mut custom, "name");
        let input = take_text(&mut custom, "input").map_or(Value::Null, Value::String);
        return Call { tool, arguments: input, id, executor: Some(Executor::Client), ..Call::default() };
    }
    match take(&mut value, "function") {
        inner @ Value::Object(_) => Call { id, ..function(inner) },
        // Some recorders write the name as `function` and the arguments beside it.
        Value::String(name) => {
            set(&mut value, "name", Value::String(name));
            Call { id, ..function(value) }
        }
        _ => Call { id, ..function(value) },
    }
}

pub(super) fn function(mut value: Value) -> Call {
    Call {
        tool: take_string(&mut value, "name"),
        arguments: arguments_text(take(&mut value, "arguments")),
        executor: Some(Executor::Client),
        ..Call::default()
    }
}

fn result(build: &mut Builder, mut message: Value, content: Value, notes: &mut Notes) {
    let told = answer(content);
    let exit = returncode(&message);
    let error = take(&mut message, "error");
    let answer = match (told.source, exit) {
        (Some(_), None) => told,
        // Inspect writes the same messages, with a typed error.
        (None, None) if error.is_object() => {
            let why = error.get("message").and_then(Value::as_str).map(String::from);
            Answer { status: typed(&error), error: why, source: Some(Source::Field), ..told }
        }
        // And AG-UI with a text.
        (None, None) if error.as_str().is_some_and(|error| !error.is_empty()) => {
            let why = error.as_str().map(String::from);
            Answer { status: Status::Error, error: why, source: Some(Source::Field), ..told }
        }
        _ => Answer { truncated: told.truncated, ..judged(told.output.unwrap_or_default(), exit) },
    };
    let id = take_word(&mut message, &["tool_call_id", "toolCallId"]);
    let name = ["name", "tool_name"].map(|key| text(&message, key)).into_iter().find(|name| !name.is_empty());
    build.returned(&id, name.unwrap_or(""), answer, notes);
}

/// The exit status that mini-swe-agent writes beside a message.
fn returncode(message: &Value) -> Option<i64> {
    message.get("extra")?.get("returncode")?.as_i64()
}

/// An output with the exit status that the host recorded, if any.
fn judged(output: String, exit: Option<i64>) -> Answer {
    let complains = output.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("error:"));
    let failed = exit.map_or(complains, |code| code != 0);
    let source = match exit {
        Some(_) => Some(Source::Field),
        None => complains.then_some(Source::Text),
    };
    let status = if failed { Status::Error } else { Status::Ok };
    Answer { output: Some(output), status, exit, source, ..Answer::default() }
}

/// Reads a message of the user role; true while the agent still has a tool's result to answer.
fn user(build: &mut Builder, content: Value, after_tool: bool, notes: &mut Notes) -> bool {
    let media = content.as_array().is_some_and(|parts| parts.iter().any(|part| text(part, "type") != "text"));
    let unread = match &content {
        Value::String(_) => false,
        Value::Array(parts) => parts.is_empty() || parts.iter().any(|part| !has(part, "type") || !media && !says(part)),
        _ => true,
    };
    let (text, _) = output(content);
    if let Some((exit, printed)) = observation(&text) {
        return observed(build, printed, (Some(exit), Source::Text), notes);
    }
    if build.last_text().and_then(last_block).is_some_and(|command| SUBMIT.iter().any(|mark| command.contains(mark))) {
        return observed(build, text, (None, Source::Text), notes);
    }
    let mut given = false;
    let own = without_reminders(text, |reminder| {
        given = true;
        build.context(reminder);
    });
    if media && after_tool && !unread && pictured(&own) {
        build.context(own);
        return true;
    }
    let hosts = given && own.trim().is_empty() && !media;
    build.heard(own, hosts, media, unread);
    if media && after_tool {
        build.gap(WHOSE);
    }
    false
}

/// Words with a picture after a result may be the host's all the same.
pub(super) const WHOSE: &str = "a message after a result may be the host's";

/// Whether pictures with these words are those of the tool's result before them, which come back as a message of the
/// user: alone, or named by the host.
pub(super) fn pictured(words: &str) -> bool {
    words.trim().is_empty() || words.trim_start().starts_with("This is file ")
}

/// Whether a part of a message is text.
fn says(part: &Value) -> bool {
    part.get("text").is_some_and(Value::is_string)
}

/// What mini-swe-agent's last command prints: what it prints besides is handed in, without an exit status.
const SUBMIT: [&str; 2] = ["COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT"];

/// mini-swe-agent's observation: `<returncode>N</returncode>` and what the command printed.
fn observation(text: &str) -> Option<(i64, String)> {
    let rest = text.trim_start().strip_prefix("<returncode>")?;
    let (code, rest) = rest.split_once("</returncode>")?;
    let printed = rest.trim_start().strip_prefix("<output>").unwrap_or(rest);
    let printed = printed.strip_prefix('\n').unwrap_or(printed);
    let printed = printed.trim_end().strip_suffix("</output>").unwrap_or(printed);
    Some((code.trim().parse().ok()?, printed.to_string()))
}

/// The command that was observed is the last block of code in what the agent wrote.
fn observed(build: &mut Builder, printed: String, exit: (Option<i64>, Source), notes: &mut Notes) -> bool {
    let (exit, source) = exit;
    let command = build.last_text().and_then(last_block).unwrap_or_default();
    let call = Call {
        tool: "bash".to_string(),
        arguments: json!({ "command": command }),
        executor: Some(Executor::Client),
        ..Call::default()
    };
    let truncated = printed.contains("<warning>") && printed.contains("too long");
    let answer = Answer { truncated, source: exit.map(|_| source), ..judged(printed, exit) };
    build.call(call, Some(answer), notes);
    true
}

/// The last fenced block of a text.
fn last_block(text: &str) -> Option<String> {
    let fences: Vec<usize> = text.match_indices("```").map(|(i, _)| i).collect();
    let (&open, &close) = (fences.get(fences.len().checked_sub(2)?)?, fences.last()?);
    let block = text.get(open + 3..close)?;
    Some(block.split_once('\n').map_or(block, |(_, code)| code).trim().to_string())
}
