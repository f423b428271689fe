//! The arguments of a call in few bytes.

use super::excerpt::excerpt;
use crate::render::mask::{is_secret_name, keyed, STARS};
use alloc::string::{String, ToString};
use core::fmt::Write as _;
use serde_json::Value;

/// How deep lists and objects are written out.
const DEEPEST: usize = 4;

/// The arguments in at most `limit` bytes: a text alone as it is, others by their keys.
pub(super) fn given(arguments: &Value, limit: usize) -> String {
    let mut out = String::new();
    match arguments {
        Value::Null => {}
        Value::String(text) => return excerpt(text, limit),
        Value::Object(map) => {
            let alone = map.len() == 1;
            for (key, value) in map.iter().take(16) {
                if out.len() > 4 * limit {
                    break;
                }
                let secret = is_secret_name(key.as_bytes());
                match value {
                    Value::String(text) if alone && !secret => return excerpt(text, limit),
                    _ => {
                        let more = if out.is_empty() { "" } else { ", " };
                        let _ = write!(out, "{more}{}=", excerpt(key, 40));
                        brief(value, secret, limit, DEEPEST, &mut out);
                    }
                }
            }
        }
        other => brief(other, false, limit, DEEPEST, &mut out),
    }
    excerpt(&out, limit)
}

/// A value written out as far as it can be shown: an argument may hold a whole file. Under a key that names a secret no text and
/// no number is.
fn brief(value: &Value, secret: bool, limit: usize, depth: usize, out: &mut String) {
    match value {
        Value::String(text) if secret => out.push_str(&excerpt(keyed(text), limit)),
        Value::Number(_) if secret => out.push_str(STARS),
        Value::String(text) => out.push_str(&excerpt(text, (limit * 2 / 3).max(40))),
        Value::Array(list) if depth > 0 => {
            out.push('[');
            let mut named = false;
            for (i, item) in list.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                if out.len() > 4 * limit {
                    break;
                }
                brief(item, secret || named, limit / 2, depth - 1, out);
                // A flag of a command line names the word behind it.
                named = item.as_str().is_some_and(|flag| flag.starts_with('-') && is_secret_name(flag.as_bytes()));
            }
            out.push(']');
        }
        Value::Object(map) if depth > 0 => {
            out.push('{');
            for (i, (key, item)) in map.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                if out.len() > 4 * limit {
                    break;
                }
                let _ = write!(out, "{}: ", excerpt(key, 40));
                brief(item, secret || is_secret_name(key.as_bytes()), limit / 2, depth - 1, out);
            }
            out.push('}');
        }
        Value::Array(_) | Value::Object(_) => out.push_str("..."),
        other => out.push_str(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use serde_json::json;

    #[test]
    fn arguments_are_told_in_few_bytes_whatever_they_hold() {
        let many: Vec<u32> = (0..100_000).collect();
        let deep = (0..50).fold(json!("x"), |inner, _| json!({"in": [inner]}));
        for value in [json!({"a": many, "b": "日".repeat(1000)}), deep, json!("é".repeat(500)), json!([[["a"]]])] {
            assert!(given(&value, 200).len() <= 200);
        }
        assert_eq!(given(&json!({"command": "npm test"}), 200), "npm test");
        assert_eq!(given(&json!({"path": "a.md", "lines": [1, 2]}), 200), "lines=[1, 2], path=a.md");
    }

    #[test]
    fn what_stands_under_the_name_of_a_secret_is_masked() {
        for (value, shown) in [
            (json!({"password": "tulip garden"}), "password=***"),
            (json!({"password": "tulip", "user": "ana"}), "password=***, user=ana"),
            (json!({"api_key": ["tulip", 7, {"a": "b"}]}), "api_key=[***, ***, {a: ***}]"),
            (json!({"auth": {"token": "tulip"}, "n": 1}), "auth={token: ***}, n=1"),
            (json!({"args": ["--password", "tulip", "x"]}), "args=[--password, ***, x]"),
            (json!({"token": "$TOKEN"}), "token=$TOKEN"),
        ] {
            assert_eq!(given(&value, 200), shown);
        }
    }
}
