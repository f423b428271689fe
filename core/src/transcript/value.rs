//! Small steps on JSON values: take a field out, say what a value is.
//!
//! Fields are taken, not copied, so that a long output is held once.
//!
//! Every format is made of these steps, hundreds of times over: none of them is copied to where it is used, which would
//! make up a large part of the wasm.

use crate::text::span::quote;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{Map, Value};

/// Takes a field out of an object; null when there is none.
#[inline(never)]
pub(super) fn take(value: &mut Value, key: &str) -> Value {
    value.as_object_mut().and_then(|map| map.remove(key)).unwrap_or(Value::Null)
}

/// Takes a text out of an object; any other value under that key is dropped.
#[inline(never)]
pub(super) fn take_text(value: &mut Value, key: &str) -> Option<String> {
    match take(value, key) {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// Takes a text out of an object, or an empty text.
#[inline(never)]
pub(super) fn take_string(value: &mut Value, key: &str) -> String {
    take_text(value, key).unwrap_or_default()
}

/// Takes a text out of an object that says something, as an id does; some hosts number their calls.
#[inline(never)]
pub(super) fn take_id(value: &mut Value, key: &str) -> Option<String> {
    match take(value, key) {
        Value::String(text) => Some(text).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Takes the first of these fields that is a text or a number, or an empty text.
#[inline(never)]
pub(super) fn take_word(value: &mut Value, keys: &[&str]) -> String {
    let key = keys.iter().find(|key| !text(value, key).is_empty() || value.get(**key).is_some_and(Value::is_number));
    key.and_then(|key| take_id(value, key)).unwrap_or_default()
}

/// Takes a list out of an object; empty when there is none.
#[inline(never)]
pub(super) fn take_list(value: &mut Value, key: &str) -> Vec<Value> {
    match take(value, key) {
        Value::Array(list) => list,
        _ => Vec::new(),
    }
}

/// Takes the first of these fields that is there; null when none is.
#[inline(never)]
pub(super) fn take_any(value: &mut Value, keys: &[&str]) -> Value {
    for key in keys {
        let found = take(value, key);
        if !found.is_null() {
            return found;
        }
    }
    Value::Null
}

/// Takes these fields out, as far as they are there, as an object of their own; null when none is.
#[inline(never)]
pub(super) fn picked(value: &mut Value, keys: &[&str]) -> Value {
    let mut object = Map::new();
    for key in keys {
        let found = take(value, key);
        if !found.is_null() {
            put(&mut object, key, found);
        }
    }
    if object.is_empty() {
        Value::Null
    } else {
        Value::Object(object)
    }
}

/// A number for a text, which stands for it where the text itself would take too much room.
pub(super) fn print(text: &str) -> u64 {
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, b| (word << 8) | u64::from(*b));
    text.as_bytes().chunks(8).fold(text.len() as u64, |hash, bytes| {
        mix(hash, bytes.first_chunk::<8>().map_or_else(|| word(bytes), |chunk| u64::from_le_bytes(*chunk)))
    })
}

/// A text field, or an empty text.
#[inline(never)]
pub(super) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or("")
}

/// A copy of a text field, or an empty text.
#[inline(never)]
pub(super) fn copied(value: &Value, key: &str) -> String {
    text(value, key).to_string()
}

/// Whether a field is a list.
#[inline(never)]
pub(super) fn is_list(value: &Value, key: &str) -> bool {
    value.get(key).is_some_and(Value::is_array)
}

/// Whether a field is an object.
#[inline(never)]
pub(super) fn is_object(value: &Value, key: &str) -> bool {
    value.get(key).is_some_and(Value::is_object)
}

/// What a field says, where it is `true` or `false`.
#[inline(never)]
pub(super) fn truth(value: &Value, key: &str) -> Option<bool> {
    value.get(key)?.as_bool()
}

/// The whole number in a field.
#[inline(never)]
pub(super) fn number(value: &Value, key: &str) -> Option<i64> {
    value.get(key)?.as_i64()
}

/// Whether a field is there and not null.
#[inline(never)]
pub(super) fn has(value: &Value, key: &str) -> bool {
    value.get(key).is_some_and(|v| !v.is_null())
}

/// Whether a field is `true`.
#[inline(never)]
pub(super) fn flag(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool).unwrap_or(false)
}

/// The list under a key, or none.
#[inline(never)]
pub(super) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The list that a conversation is, or else the list under the first of these keys that holds one.
#[inline(never)]
pub(super) fn items<'a>(value: &'a Value, keys: &[&str]) -> &'a [Value] {
    match value {
        Value::Array(items) => items,
        object => keys.iter().map(|key| list(object, key)).find(|list| !list.is_empty()).unwrap_or(&[]),
    }
}

/// Takes the list that [`items`] finds.
#[inline(never)]
pub(super) fn take_items(value: &mut Value, keys: &[&str]) -> Vec<Value> {
    match value {
        Value::Array(items) => core::mem::take(items),
        object => {
            let key = keys.iter().find(|key| !list(object, key).is_empty());
            key.map(|key| take_list(object, key)).unwrap_or_default()
        }
    }
}

/// An object with one field.
#[inline(never)]
pub(super) fn object(key: &str, value: Value) -> Value {
    let mut map = Map::new();
    put(&mut map, key, value);
    Value::Object(map)
}

/// Puts a field into an object.
#[inline(never)]
pub(super) fn put(map: &mut Map<String, Value>, key: &str, value: Value) {
    map.insert(key.to_string(), value);
}

/// Sets a field of an object; any other value stays as it is.
#[inline(never)]
pub(super) fn set(value: &mut Value, key: &str, field: Value) {
    if let Some(map) = value.as_object_mut() {
        put(map, key, field);
    }
}

/// A list, or the one value that stands for it.
#[inline(never)]
pub(super) fn slice(value: &Value) -> &[Value] {
    match value {
        Value::Array(items) => items,
        one => core::slice::from_ref(one),
    }
}

/// The values of a list, or the one value that stands for it.
#[inline(never)]
pub(super) fn listed(value: Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items,
        one => alloc::vec![one],
    }
}

/// The place of an item, for notes: `messages[3]`.
#[inline(never)]
pub(super) fn at(list: &str, index: usize) -> String {
    format!("{list}[{index}]")
}

/// The place of a line or an event that is counted from 1, for notes: `line 3`.
#[inline(never)]
pub(super) fn nth(what: &str, number: usize) -> String {
    format!("{what} {number}")
}

/// Why a message was left out whose role or type is none that is known.
#[inline(never)]
pub(super) fn unknown(name: &str, what: &str) -> String {
    ["\"", name, "\" is an unknown ", what].concat()
}

/// What kind of value it is, for an error: `a list`, `"done"`.
pub(super) fn found(value: &Value) -> String {
    match value {
        Value::Null => "null".to_string(),
        Value::Bool(b) => b.to_string(),
        Value::Number(n) => n.to_string(),
        Value::String(s) => format!("\"{}\"", quote(s, 40)),
        Value::Array(_) => "a list".to_string(),
        Value::Object(_) => "an object".to_string(),
    }
}

/// What a whole text is, for someone who wonders why it was not understood.
pub(super) fn described(value: &Value) -> String {
    match value {
        Value::Array(items) => match items.first() {
            None => "an empty list".to_string(),
            Some(first @ Value::Object(_)) => format!("a list of {}, the first {}", items.len(), keyed(first)),
            Some(first) => format!("a list of {}, the first {}", items.len(), found(first)),
        },
        Value::Object(_) => keyed(value),
        other => found(other),
    }
}

/// `an object with the keys a, b, …`
fn keyed(value: &Value) -> String {
    let keys: Vec<String> =
        value.as_object().into_iter().flat_map(|map| map.keys()).take(6).map(|k| quote(k, 40)).collect();
    let more = value.as_object().is_some_and(|map| map.len() > keys.len());
    match keys.as_slice() {
        [] => "an empty object".to_string(),
        [one] => format!("an object with the key {one}"),
        _ => format!("an object with the keys {}{}", keys.join(", "), if more { ", …" } else { "" }),
    }
}

/// Arguments as the record holds them: an object or a text; anything else as JSON text, nothing as null.
#[inline(never)]
pub(super) fn arguments(value: Value) -> Value {
    match value {
        Value::Object(_) | Value::String(_) | Value::Null => value,
        other => Value::String(other.to_string()),
    }
}

/// Arguments that a host keeps as JSON text: the object, or the text itself where it is not one.
#[inline(never)]
pub(super) fn arguments_text(value: Value) -> Value {
    match value {
        Value::String(text) => match serde_json::from_str::<Value>(&text) {
            Ok(object @ Value::Object(_)) => object,
            _ => Value::String(text),
        },
        other => arguments(other),
    }
}

/// The names that hosts and tools give the exit status of a process.
pub(super) const EXIT_KEYS: [&str; 6] =
    ["exit_code", "exitCode", "returncode", "return_code", "returnCode", "exit_status"];

/// The exit status that a structured result states, under any of its names.
#[inline(never)]
pub(super) fn exit_status(value: &Value) -> Option<i64> {
    EXIT_KEYS.into_iter().find_map(|key| value.get(key)?.as_i64())
}

/// Keys whose text says nothing that a person could read.
const SILENT: [&str; 4] = ["signature", "cache_control", "file_id", "type"];

/// Whether a value holds encrypted content, which can be neither read nor searched.
pub(super) fn sealed(key: &str) -> bool {
    key.starts_with("encrypted")
}

/// Every readable text and number in a value, one a line, and whether some of it was encrypted.
///
/// Walks with its own stack, so that depth costs no recursion.
#[inline(never)]
pub(super) fn leaves(value: Value) -> (String, bool) {
    let (mut out, mut hidden) = (String::new(), false);
    let mut stack = alloc::vec![value];
    while let Some(next) = stack.pop() {
        match next {
            Value::Null => {}
            Value::Bool(b) => push_line(&mut out, if b { "true" } else { "false" }),
            Value::Number(n) => push_line(&mut out, &n.to_string()),
            Value::String(s) => push_line(&mut out, &s),
            Value::Array(items) => stack.extend(items.into_iter().rev()),
            Value::Object(map) => {
                hidden |= map.iter().any(|(k, v)| sealed(k) && !v.is_null());
                let shown =
                    map.into_iter().filter(|(k, _)| !sealed(k) && !SILENT.contains(&k.as_str())).map(|(_, v)| v);
                let kept: Vec<Value> = shown.collect();
                stack.extend(kept.into_iter().rev());
            }
        }
    }
    (out, hidden)
}

/// Adds a text on a line of its own; an empty text adds nothing.
#[inline(never)]
pub(super) fn push_line(out: &mut String, text: &str) {
    if text.is_empty() {
        return;
    }
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out.push_str(text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_is_described_by_its_keys() {
        assert_eq!(described(&json!({"b": 1, "a": 2})), "an object with the keys a, b");
        assert_eq!(described(&json!([])), "an empty list");
        assert_eq!(described(&json!([{"x": 1}])), "a list of 1, the first an object with the key x");
        assert_eq!(described(&json!(7)), "7");
    }

    #[test]
    fn leaves_keep_their_order_and_skip_what_is_encrypted() {
        let (text, hidden) = leaves(json!({"a": ["x", 2], "b": {"encrypted_content": "zz", "title": "T"}}));
        assert_eq!(text, "x\n2\nT");
        assert!(hidden);
    }
}
