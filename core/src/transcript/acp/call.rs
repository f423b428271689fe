//! What is known of a call, update by update.

use crate::record::{Call, Source, Status};
use crate::transcript::value::{arguments, exit_status, leaves, list, push_line, put, take, take_text, text};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{json, Value};

/// How much is known of a call's tool and arguments, so that nothing better is overwritten.
#[derive(Clone, Copy, Default)]
pub(super) struct Shown {
    /// 1 for a title, 2 for a kind, 3 for the tool's own name.
    rank: u8,
    /// The arguments are the tool's own.
    raw: bool,
    /// The call runs a command, and its title may be all that is known of it.
    runs: bool,
}

/// Gives a call a status. A refusal stays, a command that failed did not go well, and what is over cannot be cancelled.
pub(super) fn settle(call: &mut Call, status: Status) {
    let over = status == Status::Cancelled && call.status != Status::Pending;
    if call.status == Status::Declined || over {
        return;
    }
    let failed = status == Status::Ok && call.exit.is_some_and(|code| code != 0);
    call.status = if failed { Status::Error } else { status };
    call.source = Some(Source::Field);
}

/// Overwrites the fields of a call that an update brings.
pub(super) fn overwrite(call: &mut Call, shown: &mut Shown, mut update: Value, content: Vec<Value>) {
    let kind = take_text(&mut update, "kind").filter(|kind| kind != "other");
    let title = take_text(&mut update, "title");
    let meta = take(&mut update, "_meta");
    shown.runs |= kind.as_deref() == Some("execute");
    let names = [(1, title.clone()), (2, kind), (3, named(&meta))];
    for (rank, name) in names {
        if let Some(name) = name.filter(|_| rank >= shown.rank) {
            (shown.rank, call.tool) = (rank, name);
        }
    }
    match take(&mut update, "rawInput") {
        Value::Null if shown.raw => {}
        Value::Null => describe(call, shown.runs, title, list(&update, "locations"), &content),
        input => (shown.raw, call.arguments) = (true, arguments(input)),
    }
    if let Some(exit) = meta.get("terminal_exit").and_then(exit_status) {
        call.exit = Some(exit);
    }
    returned(call, content, take(&mut update, "rawOutput"));
}

/// What a call returned, as the update shows it.
fn returned(call: &mut Call, content: Vec<Value>, raw: Value) {
    let mut output = String::new();
    for mut part in content {
        match text(&part, "type") {
            "content" => {
                let mut inner = take(&mut part, "content");
                match take_text(&mut inner, "text") {
                    Some(text) => push_line(&mut output, &text),
                    None => call.truncated = true,
                }
            }
            // What is printed there may never be told.
            "terminal" => call.truncated |= call.output.is_none(),
            _ => {}
        }
    }
    call.exit = exit_status(&raw).or(call.exit);
    if output.is_empty() {
        push_line(&mut output, text(&raw, "stdout"));
        push_line(&mut output, text(&raw, "stderr"));
    }
    if !output.is_empty() {
        call.output = Some(output);
    } else if !raw.is_null() {
        call.output = Some(if raw.is_string() { leaves(raw).0 } else { raw.to_string() });
    }
}

/// The tool's own name, which some agents give beside the protocol's fields.
fn named(meta: &Value) -> Option<String> {
    let inner = meta.as_object()?.values().map(|inner| text(inner, "toolName"));
    inner.chain([text(meta, "toolName")]).find(|name| !name.is_empty()).map(String::from)
}

/// Arguments for a call of which the agent shows only a title, places and changes.
fn describe(call: &mut Call, runs: bool, title: Option<String>, locations: &[Value], content: &[Value]) {
    let diff = content.iter().find(|part| text(part, "type") == "diff");
    let path = diff.or(locations.first()).map(|place| text(place, "path")).filter(|path| !path.is_empty());
    let fields = [
        ("command", title.as_deref().filter(|_| runs).map(|title| title.trim_matches('`'))),
        ("title", title.as_deref()),
        ("path", path),
        ("content", diff.map(|diff| text(diff, "newText"))),
    ];
    for (key, value) in fields {
        let Some(value) = value else { continue };
        if call.arguments.is_null() {
            call.arguments = json!({});
        }
        if let Some(map) = call.arguments.as_object_mut() {
            put(map, key, value.into());
        }
    }
}
