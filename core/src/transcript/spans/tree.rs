//! Attributes with dots in their names, and the trees that they stand for.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{Map, Value};

/// So many steps of a name are followed.
const DEEP: usize = 12;

/// The last steps of names whose objects are values and no more names.
const VALUES: [&str; 7] = ["arguments", "result", "parameters", "messages", "value", "definitions", "metadata"];

/// Attributes that some collectors nest, with their names in one: `{"llm": {"model_name": …}}`.
pub(super) fn flat(map: Map<String, Value>) -> Map<String, Value> {
    let mut out = Map::new();
    let mut open: Vec<(String, Value, usize)> = map.into_iter().map(|(key, value)| (key, value, 0)).collect();
    while let Some((key, value, depth)) = open.pop() {
        let last = key.rsplit('.').next().unwrap_or("");
        match value {
            Value::Object(inner) if depth < DEEP && !VALUES.contains(&last) => {
                open.extend(inner.into_iter().map(|(step, value)| (format!("{key}.{step}"), value, depth + 1)));
            }
            value => drop(out.insert(key, value)),
        }
    }
    out
}

/// Takes the list that stands under a name: as one value, or as `name.0.…`, `name.1.…`.
pub(super) fn list(attributes: &mut Map<String, Value>, name: &str) -> Vec<Value> {
    if let Some(Value::Array(items)) = attributes.remove(name) {
        return items.into_iter().map(tree).collect();
    }
    let start = format!("{name}.");
    let keys: Vec<String> = attributes.keys().filter(|key| key.starts_with(&start)).cloned().collect();
    let taken = keys.into_iter().filter_map(|key| attributes.remove(&key).map(|value| (key, value)));
    let mut root = Value::Object(Map::new());
    for (key, value) in taken {
        set(&mut root, key.get(start.len()..).unwrap_or(""), value);
    }
    items(root)
}

/// An object whose keys have dots, as a tree.
fn tree(value: Value) -> Value {
    let Value::Object(map) = value else { return value };
    let mut root = Value::Object(Map::new());
    for (key, value) in map {
        set(&mut root, &key, value);
    }
    root
}

fn set(root: &mut Value, path: &str, value: Value) {
    let mut place = root;
    for step in path.splitn(DEEP, '.') {
        if !place.is_object() {
            return;
        }
        let Some(map) = place.as_object_mut() else { return };
        place = map.entry(step).or_insert_with(|| Value::Object(Map::new()));
    }
    *place = value;
}

/// The items of a list, or of an object with the numbers of its items as keys.
pub(super) fn items(value: Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items.into_iter().map(tree).collect(),
        Value::Object(map) => {
            let numbered = map.into_iter().filter_map(|(key, value)| Some((key.parse::<u64>().ok()?, value)));
            let numbered = crate::sort::sorted(numbered.collect(), |a: &(u64, Value), b: &(u64, Value)| a.0.cmp(&b.0));
            numbered.into_iter().map(|(_, value)| value).collect()
        }
        _ => Vec::new(),
    }
}

/// A value as a text: itself, or as JSON.
pub(super) fn as_text(value: Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    }
}
