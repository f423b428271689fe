//! The command line or the code in a call's arguments, and the commands of it.

use super::super::shell::{self, Simple};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

/// Arguments that hold a command line or code, the surest first.
#[rustfmt::skip]
const LINES: &[&str] = &[
    "command", "cmd", "commands", "script", "code", "cell", "source", "cell_source", "input", "keystrokes", "chars",
    "command_line", "commandLine", "CommandLine", "query", "text",
];

/// A line as found in the arguments.
pub(super) enum Found<'a> {
    Line(&'a str),
    /// Several lines in one call.
    Lines(String),
    /// A program with its words, without a shell.
    Words(Vec<String>),
}

pub(super) fn line_of(arguments: &Value) -> Option<Found<'_>> {
    match arguments {
        Value::String(text) => Some(Found::Line(text)),
        Value::Array(_) => words_of("command", arguments),
        Value::Object(map) => {
            let found = LINES.iter().find_map(|key| match map.get(*key) {
                Some(Value::String(text)) => Some(Found::Line(text)),
                Some(list @ Value::Array(_)) => words_of(key, list),
                _ => None,
            });
            let Some(Found::Line(program)) = &found else { return found };
            // `{"command": "npm", "args": ["test"]}`
            match map.get("args").and_then(Value::as_array) {
                Some(args) if !args.is_empty() => {
                    let mut words: Vec<String> = alloc::vec![(*program).to_string()];
                    words.extend(args.iter().filter_map(Value::as_str).map(ToString::to_string));
                    Some(argv(words))
                }
                _ => found,
            }
        }
        _ => None,
    }
}

fn words_of<'a>(key: &str, list: &'a Value) -> Option<Found<'a>> {
    let list: Vec<&'a str> = list.as_array()?.iter().filter_map(Value::as_str).collect();
    if list.is_empty() {
        return None;
    }
    if key == "commands" {
        return Some(Found::Lines(list.join("\n")));
    }
    let shell = list[0].rsplit('/').next().unwrap_or_default();
    if let ("bash" | "sh" | "zsh" | "dash", [_, option, line]) = (shell, list.as_slice()) {
        if option.starts_with('-') && option.contains('c') {
            return Some(Found::Line(line));
        }
    }
    Some(argv(list.into_iter().map(ToString::to_string).collect()))
}

/// The words as one line where they are a shell's, else as they are.
fn argv(words: Vec<String>) -> Found<'static> {
    let shell = words.first().is_some_and(|w| matches!(w.rsplit('/').next(), Some("bash" | "sh" | "zsh" | "dash")));
    match words.as_slice() {
        [_, option, line] if shell && option.starts_with('-') && option.contains('c') => Found::Lines(line.clone()),
        _ => Found::Words(words),
    }
}

/// The commands of a line; an edit of an editor in the shell is one command whatever its text holds.
pub(super) fn split(line: &str) -> Vec<Simple> {
    let start = line.trim_start();
    let editor = ["edit ", "edit\n", "insert ", "insert\n"].iter().any(|w| start.starts_with(w));
    if editor && line.trim_end().ends_with("end_of_edit") {
        let name = start.split_ascii_whitespace().next().unwrap_or("edit").to_string();
        return shell::argv(alloc::vec![name]).commands;
    }
    shell::split(line).map_or_else(Vec::new, |l| l.commands)
}

/// The shell commands of a notebook cell: lines after `!`, or all of a `%%bash` cell.
pub(super) fn shell_cell(code: &str) -> Vec<Simple> {
    let start = code.trim_start();
    if let Some(rest) = start.strip_prefix("%%bash").or(start.strip_prefix("%%sh")) {
        return split(rest);
    }
    let bang = |line: &str| line.trim_start().strip_prefix('!').map(split);
    code.lines().filter_map(bang).flatten().collect()
}
