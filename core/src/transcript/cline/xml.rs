//! Tools that are written as XML into the text of the agent.

use crate::record::Call;
use crate::transcript::calls::client;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{Map, Value};

/// The tools of Cline and Roo. Any other tag is a part of the text.
pub(super) const TOOLS: [&str; 25] = [
    "access_mcp_resource",
    "apply_diff",
    "ask_followup_question",
    "attempt_completion",
    "browser_action",
    "codebase_search",
    "condense",
    "execute_command",
    "fetch_instructions",
    "insert_content",
    "list_code_definition_names",
    "list_files",
    "load_mcp_documentation",
    "new_rule",
    "new_task",
    "plan_mode_respond",
    "read_file",
    "replace_in_file",
    "search_and_replace",
    "search_files",
    "switch_mode",
    "update_todo_list",
    "use_mcp_tool",
    "web_fetch",
    "write_to_file",
];

/// A part of what the agent wrote.
pub(super) enum Part {
    Text(String),
    Call(Call),
}

/// Splits a text into prose and calls. Thinking that is written into it is left out.
pub(super) fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut prose = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, tagged) = rest.split_at(at);
        prose.push_str(before);
        let name = tag(tagged).unwrap_or("");
        let after = tagged.get(name.len() + 2..).unwrap_or("");
        if name == "thinking" {
            rest = after.find("</thinking>").and_then(|end| after.get(end + "</thinking>".len()..)).unwrap_or("");
        } else if TOOLS.contains(&name) {
            let (inner, left) = element(after, name);
            parts.push(Part::Text(core::mem::take(&mut prose)));
            parts.push(Part::Call(call(name, inner)));
            rest = left;
        } else {
            prose.push('<');
            rest = tagged.get(1..).unwrap_or("");
        }
    }
    prose.push_str(rest);
    parts.push(Part::Text(prose));
    parts
}

/// What stands between the first `<tag …>` and its end.
pub(super) fn inside<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let open = ["<", tag].concat();
    let after = text.get(text.find(&open)? + open.len()..)?;
    let after = after.get(after.find('>')? + 1..)?;
    let close = ["</", tag, ">"].concat();
    after.get(..after.find(&close)?)
}

/// The name in a tag that opens here, one without attributes.
fn tag(text: &str) -> Option<&str> {
    let name = text.strip_prefix('<')?;
    let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    (end > 0 && name.get(end..)?.starts_with('>')).then(|| name.get(..end)).flatten()
}

/// What stands before the end of an element, and what comes after it. One that was cut goes to the end.
fn element<'a>(text: &'a str, name: &str) -> (&'a str, &'a str) {
    let close = ["</", name, ">"].concat();
    match text.find(&close) {
        Some(end) => (text.get(..end).unwrap_or(""), text.get(end + close.len()..).unwrap_or("")),
        None => (text, ""),
    }
}

/// A call with the elements inside it as its arguments.
fn call(tool: &str, inner: &str) -> Call {
    let mut arguments = Map::new();
    let mut rest = inner;
    while let Some(at) = rest.find('<') {
        let tagged = rest.get(at..).unwrap_or("");
        let Some(name) = tag(tagged) else {
            rest = tagged.get(1..).unwrap_or("");
            continue;
        };
        let (value, left) = argument(tagged.get(name.len() + 2..).unwrap_or(""), name);
        let value = value.strip_prefix('\n').unwrap_or(value);
        let value = value.strip_suffix('\n').unwrap_or(value);
        arguments.insert(name.to_string(), Value::String(value.to_string()));
        rest = left;
    }
    client(tool.to_string(), Value::Object(arguments), None)
}

/// The value of an argument. The text of a file may hold the very tag that ends it, so that its last one counts.
fn argument<'a>(text: &'a str, name: &str) -> (&'a str, &'a str) {
    if !matches!(name, "content" | "diff") {
        return element(text, name);
    }
    let close = ["</", name, ">"].concat();
    match text.rfind(&close) {
        Some(end) => (text.get(..end).unwrap_or(""), text.get(end + close.len()..).unwrap_or("")),
        None => (text, ""),
    }
}
