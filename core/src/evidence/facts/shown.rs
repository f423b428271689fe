//! A call in words, as reasons name it.

use crate::record::Call;
use alloc::string::{String, ToString};
use serde_json::Value;

/// How many characters of a call are shown.
pub(super) const SHOWN: usize = 80;

/// The start of a text on one line, white space folded; a little more than is shown.
pub(super) fn one_line(text: &str) -> String {
    let mut out = String::new();
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(word.chars().take(SHOWN + 1));
        if out.len() > SHOWN * 4 + 4 {
            break;
        }
    }
    out
}

/// `tool(key="value", …)`, a little more of it than is shown.
pub(super) fn form(call: &Call) -> String {
    let mut out = one_line(&call.tool);
    out.push('(');
    match &call.arguments {
        Value::Null => {}
        Value::Object(map) => {
            for (i, (key, value)) in map.iter().enumerate() {
                if out.len() > SHOWN * 4 + 4 {
                    break;
                }
                if i > 0 {
                    out.push_str(", ");
                }
                out.extend(key.chars().take(SHOWN + 1));
                out.push('=');
                out.push_str(&value_text(value));
            }
        }
        other => out.push_str(&value_text(other)),
    }
    out.push(')');
    out
}

/// A value as JSON; of a long text only the start that can be shown.
fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => match text.char_indices().nth(SHOWN + 1) {
            Some((end, _)) => Value::String(text.get(..end).unwrap_or_default().to_string()).to_string(),
            None => value.to_string(),
        },
        _ => value.to_string(),
    }
}
