//! Parts of contents that need more than a look: responses in chunks, arguments in pieces, results.

use crate::record::{Call, Source, Status};
use crate::transcript::build::{Answer, Builder};
use crate::transcript::mcp;
use crate::transcript::value::{exit_status, has, leaves, listed, put, take, take_any, take_list, take_string, text};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{Map, Value};

/// Metadata of a response that tells of the provider's tools: the key, the list in it that holds what was found, the tool.
pub(super) const GROUNDS: [(&str, &str, &str); 4] = [
    ("groundingMetadata", "groundingChunks", "google_search"),
    ("grounding_metadata", "grounding_chunks", "google_search"),
    ("urlContextMetadata", "urlMetadata", "url_context"),
    ("url_context_metadata", "url_metadata", "url_context"),
];

/// Takes a part's inner value by either name.
#[inline(never)]
pub(super) fn either(value: &mut Value, keys: (&str, &str)) -> Value {
    take_any(value, &[keys.0, keys.1])
}

/// The content of a response or of its chunks, with what it tells of the provider's tools.
pub(in crate::transcript) fn answer(response: Value) -> Option<Value> {
    let chunks = listed(response);
    let (mut content, mut parts, mut found) = (Map::new(), Vec::new(), false);
    for mut chunk in chunks {
        let Some(mut candidate) = take_list(&mut chunk, "candidates").into_iter().next() else { continue };
        found = true;
        put(&mut content, "model", either(&mut chunk, ("modelVersion", "model_version")));
        parts.append(&mut take_list(&mut take(&mut candidate, "content"), "parts"));
        for (key, ..) in GROUNDS {
            if has(&candidate, key) {
                put(&mut content, key, take(&mut candidate, key));
            }
        }
    }
    put(&mut content, "role", "model".into());
    put(&mut content, "parts", Value::Array(parts));
    found.then_some(Value::Object(content))
}

/// A call whose arguments come in pieces.
pub(super) struct Streamed {
    pub(super) call: Call,
    pub(super) arguments: Map<String, Value>,
}

impl Streamed {
    /// Adds pieces of arguments: `{jsonPath: "$.path", stringValue: "src/", willContinue: true}`.
    pub(super) fn add(&mut self, pieces: Vec<Value>, build: &mut Builder) {
        for mut piece in pieces {
            let path = either(&mut piece, ("jsonPath", "json_path"));
            let key = path.as_str().and_then(|path| path.strip_prefix("$.")).unwrap_or("");
            if key.is_empty() || key.contains(['.', '[']) {
                build.gap("the arguments of a call came in pieces");
                continue;
            }
            let value = take_any(
                &mut piece,
                &["stringValue", "string_value", "numberValue", "number_value", "boolValue", "bool_value"],
            );
            match (self.arguments.get_mut(key), value) {
                (Some(Value::String(text)), Value::String(more)) => text.push_str(&more),
                (_, value) => put(&mut self.arguments, key, value),
            }
        }
    }
}

/// The text of a prompt: a text, a content, a list of parts.
pub(super) fn words(mut value: Value) -> Option<String> {
    if has(&value, "parts") {
        value = take(&mut value, "parts");
    }
    Some(leaves(value).0).filter(|text| !text.trim().is_empty())
}

/// What a function returned. By convention its text stands under `output` and what went wrong under `error`.
pub(in crate::transcript) fn judged(mut response: Value) -> Answer {
    let exit = exit_status(&response);
    let failed = match response.get("error") {
        Some(Value::String(text)) => !text.trim().is_empty(),
        Some(Value::Object(map)) => !map.is_empty(),
        _ => false,
    };
    // An output without a word in it is none.
    let silent =
        |key| response.get(key).is_none_or(|out| out.is_null() || out.as_str().is_some_and(|s| s.trim().is_empty()));
    if failed && ["output", "result"].into_iter().all(silent) {
        let error = match take(&mut response, "error") {
            Value::String(text) => text,
            other => leaves(other).0,
        };
        return Answer { exit, ..Answer::failed(error) };
    }
    let mut answer = match response {
        Value::Object(map) if map.len() == 1 && map.values().all(Value::is_string) => {
            Answer::of((leaves(Value::Object(map)).0, false))
        }
        Value::Null => Answer::of((String::new(), false)),
        other if mcp::is_result(&other) => mcp::answer(other),
        other => Answer::of((other.to_string(), false)),
    };
    answer.exited(exit);
    answer
}

/// What code of the model printed, and how it ended.
pub(super) fn executed(mut value: Value) -> Answer {
    let status = match text(&value, "outcome") {
        "OUTCOME_OK" => Status::Ok,
        "OUTCOME_FAILED" => Status::Error,
        "OUTCOME_DEADLINE_EXCEEDED" => Status::Timeout,
        _ => Status::Unknown,
    };
    let source = (status != Status::Unknown).then_some(Source::Field);
    Answer { output: Some(take_string(&mut value, "output")), status, source, ..Answer::default() }
}
