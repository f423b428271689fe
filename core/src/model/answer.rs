//! What came from the model, read with patience for its form and none for its verdict.

use super::open::unquoted;
use super::{lenient, one_line};
use crate::result::{Answer, Failure, Outcome};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{Map, Value};

/// What the host's callback gave.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// The model's answer: its text, or the object that the host's library read from it.
    Answer(Value),
    /// It gave none.
    Failed(Failure),
}

/// The answer, or why there is none.
///
/// Only the words `verified` and `unsupported` as the value of `verdict` are a verdict. Two that differ are none.
pub(super) fn read(given: &Given) -> Result<Answer, Failure> {
    let object = match given {
        Given::Failed(failure) => return Err(*failure),
        Given::Answer(value) => object(value)?,
    };
    let verdict = verdict(&object).ok_or(Failure::Unreadable)?;
    let claim = object.get("claim").filter(|_| verdict == Outcome::Unsupported).and_then(said);
    let claim = claim.map(|claim| unquoted(&claim).to_string());
    Ok(Answer { verdict, claim, reason: object.get("reason").and_then(said) })
}

fn object(value: &Value) -> Result<Map<String, Value>, Failure> {
    match value {
        Value::Object(map) => settled([lower(map)]),
        Value::Array(list) => match list.as_slice() {
            [Value::String(text)] => settled(lenient::objects(text)),
            list => settled(list.iter().filter_map(Value::as_object).map(lower)),
        },
        Value::String(text) => settled(lenient::objects(text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => Err(Failure::WrongType),
    }
}

fn lower(map: &Map<String, Value>) -> Map<String, Value> {
    map.iter().map(|(key, value)| (key.trim().to_lowercase(), value.clone())).collect()
}

/// The last object with a verdict, or with one inside as a tool's arguments have it, unless another one disagrees: a model may
/// write a draft first, or quote an answer that it met in the data, and which of them counts cannot be known.
fn settled(objects: impl IntoIterator<Item = Map<String, Value>>) -> Result<Map<String, Value>, Failure> {
    let mut last: Option<Map<String, Value>> = None;
    let mut refused = false;
    for object in objects {
        refused |= object.get("refusal").is_some_and(|why| !why.is_null());
        let answers = if object.contains_key("verdict") {
            Vec::from([object])
        } else {
            let inner = object.values().filter_map(Value::as_object).map(lower);
            inner.filter(|inner| inner.contains_key("verdict")).collect()
        };
        for answer in answers {
            if last.as_ref().is_some_and(|last| verdict(last) != verdict(&answer)) {
                return Err(Failure::Unreadable);
            }
            last = Some(answer);
        }
    }
    last.ok_or(if refused { Failure::Refused } else { Failure::Unreadable })
}

fn verdict(object: &Map<String, Value>) -> Option<Outcome> {
    match &*object.get("verdict")?.as_str()?.trim().to_lowercase() {
        "verified" => Some(Outcome::Verified),
        "unsupported" => Some(Outcome::Unsupported),
        _ => None,
    }
}

/// A text of the answer on one line, unless it stands for nothing.
fn said(value: &Value) -> Option<String> {
    let text = match value {
        Value::Array(list) => list.first()?.as_str()?,
        other => other.as_str()?,
    };
    let text = one_line(text);
    let nothing = ["", "-", "n/a", "none", "null"].contains(&text.to_lowercase().trim_matches(['"', '\'', '.']));
    (!nothing).then_some(text)
}
