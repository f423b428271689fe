//! SWE-agent: `.traj` files, whose steps each hold a thought, an action and what it printed.
//!
//! A step has no id and no exit status. There is no closing reply: the thought beside the action that hands the work in is
//! the last word.

use super::blocks::{hear, output, system};
use super::build::{Answer, Builder};
use super::calls::client;
use super::detect::{Format, FormatInfo, Hint};
use super::notes::Notes;
use super::value::{arguments_text, at, flag, has, list, object, set, take, take_list, take_text, text};
use crate::record::{Call, Session, Source, Status};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

pub(super) const FORMAT: Format = Format {
    info: FormatInfo { name: "swe-agent", about: "SWE-agent: .traj files of steps with an action and an observation" },
    sniff,
    read,
};

/// The tools that SWE-agent brings along; any other action is a line for the shell.
const TOOLS: [&str; 15] = [
    "append",
    "create",
    "edit",
    "find_file",
    "goto",
    "insert",
    "open",
    "scroll_down",
    "scroll_up",
    "search_dir",
    "search_file",
    "str_replace_editor",
    "submit",
    "undo_edit",
    "view_image",
];

/// What the host writes in place of an output.
const TIMED_OUT: [&str; 2] = ["EXECUTION TIMED OUT", "Command timed out"];

fn sniff(value: &Value) -> Option<Hint> {
    let step = |step: &Value| has(step, "action") && step.get("observation").is_some() && !has(step, "args");
    let steps = list(value, "trajectory");
    if steps.iter().any(step) {
        return Some(Hint::certain("action, observation"));
    }
    let history = list(value, "history").iter().any(|message| has(message, "message_type") && has(message, "agent"));
    (history && value.get("trajectory").is_some()).then_some(Hint::likely("message_type"))
}

fn read(mut value: Value, notes: &mut Notes) -> Session {
    let mut build = Builder::default();
    let history = take_list(&mut value, "history");
    let mut asked = Vec::new();
    let mut heard = false;
    for (i, mut message) in history.into_iter().enumerate() {
        if flag(&message, "is_demo") {
            continue;
        }
        match text(&message, "role") {
            "assistant" => asked.push(message),
            "system" => build.instructions(system(take(&mut message, "content"))),
            // The task; what follows in this role is what the actions printed.
            "user" if !heard => {
                heard = true;
                hear(&mut build, take(&mut message, "content"));
            }
            "user" | "tool" => {}
            _ => build.left_out(&at("history", i), "an unknown role", notes),
        }
    }
    let mut asked = asked.into_iter().peekable();
    for (i, step) in take_list(&mut value, "trajectory").into_iter().enumerate() {
        let same = asked.next_if(|message| text(message, "action") == text(&step, "action"));
        self::step(&mut build, step, same, i, notes);
    }
    build.finish(notes)
}

/// Reads a step; `asked` is the message that made its call, where the file holds it.
fn step(build: &mut Builder, mut step: Value, asked: Option<Value>, i: usize, notes: &mut Notes) {
    let action = take_text(&mut step, "action");
    if !step.is_object() || action.is_none() {
        build.left_out(&at("trajectory", i), "no action", notes);
    }
    let action = action.unwrap_or_default();
    let thought = take_text(&mut step, "thought").or_else(|| take_text(&mut step, "response")).unwrap_or_default();
    let word = action.split_whitespace().next().unwrap_or("").to_string();
    let last = word == "submit" || word.starts_with("exit_");
    build.between();
    if !last {
        build.text(thought.clone(), "step");
    }
    if !word.is_empty() {
        let (printed, media) = output(take(&mut step, "observation"));
        let timeout = TIMED_OUT.iter().any(|start| printed.trim_start().starts_with(start));
        let clipped = media || printed.contains("<response clipped>");
        let mut answer = Answer::of((printed, clipped));
        if timeout {
            (answer.status, answer.source) = (Status::Timeout, Some(Source::Text));
        }
        build.call(called(&word, action, &step, asked), Some(answer), notes);
    }
    if last {
        build.text(thought, "step");
    }
}

fn called(word: &str, action: String, step: &Value, asked: Option<Value>) -> Call {
    let known = TOOLS.contains(&word);
    let tool = if known { word } else { "bash" }.to_string();
    let mut call = client(tool, object("command", action.trim_end().into()), None);
    // An edit changes the file that is open.
    if let Some(file) = open_file(step).filter(|_| matches!(word, "append" | "edit" | "insert")) {
        set(&mut call.arguments, "path", file.into());
    }
    let calls = asked.map(|mut message| take_list(&mut message, "tool_calls")).unwrap_or_default();
    if let [one] = calls.as_slice() {
        let mut one = one.clone();
        call.id = take_text(&mut one, "id");
        let mut function = take(&mut one, "function");
        call.tool = take_text(&mut function, "name").unwrap_or(call.tool);
        if let arguments @ Value::Object(_) = arguments_text(take(&mut function, "arguments")) {
            call.arguments = arguments;
        }
    }
    call
}

/// The file that was open before a step. Older versions keep the state as JSON text.
fn open_file(step: &Value) -> Option<String> {
    let state = step.get("state")?;
    let read: Value = state.as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let state = if read.is_object() { &read } else { state };
    state.get("open_file")?.as_str().filter(|file| !matches!(*file, "" | "n/a")).map(String::from)
}
