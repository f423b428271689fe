//! Parts of contents that need more than a look: responses in chunks, arguments in pieces, results.

use crate::record::{Call, Source, Status};
use crate::transcript::build::{Answer, Builder};
use crate::transcript::value::{exit_status, has, leaves, take, take_list, take_text, text};
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
pub(super) fn either(value: &mut Value, keys: (&str, &str)) -> Value {
    match take(value, keys.0) {
        Value::Null => take(value, keys.1),
        found => found,
    }
}

/// The content of a response or of its chunks, with what it tells of the provider's tools.
pub(in crate::transcript) fn answer(response: Value) -> Option<Value> {
    let chunks = match response {
        Value::Array(items) => items,
        other => alloc::vec![other],
    };
    let (mut content, mut parts, mut found) = (Map::new(), Vec::new(), false);
    for mut chunk in chunks {
        let Some(mut candidate) = take_list(&mut chunk, "candidates").into_iter().next() else { continue };
        found = true;
        parts.append(&mut take_list(&mut take(&mut candidate, "content"), "parts"));
        for (key, ..) in GROUNDS {
            if has(&candidate, key) {
                content.insert(key.to_string(), take(&mut candidate, key));
            }
        }
    }
    content.insert("role".to_string(), "model".into());
    content.insert("parts".to_string(), Value::Array(parts));
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
            let value = ["stringValue", "string_value", "numberValue", "number_value", "boolValue", "bool_value"]
                .into_iter()
                .find(|key| has(&piece, key))
                .map_or(Value::Null, |key| take(&mut piece, key));
            match (self.arguments.get_mut(key), value) {
                (Some(Value::String(text)), Value::String(more)) => text.push_str(&more),
                (_, value) => drop(self.arguments.insert(key.to_string(), value)),
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
    if failed && !["output", "result"].into_iter().any(|key| has(&response, key)) {
        let error = match take(&mut response, "error") {
            Value::String(text) => text,
            other => leaves(other).0,
        };
        return Answer {
            output: Some(error.clone()),
            status: Status::Error,
            error: Some(error),
            exit,
            source: Some(Source::Field),
            ..Answer::default()
        };
    }
    let output = match response {
        Value::Null => String::new(),
        Value::Object(map) if map.len() == 1 && map.values().all(Value::is_string) => leaves(Value::Object(map)).0,
        other => other.to_string(),
    };
    Answer {
        output: Some(output),
        status: if exit.is_some_and(|code| code != 0) { Status::Error } else { Status::Ok },
        exit,
        source: exit.map(|_| Source::Field),
        ..Answer::default()
    }
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
    Answer { output: Some(take_text(&mut value, "output").unwrap_or_default()), status, source, ..Answer::default() }
}
