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
    let claim = match object.get("claim").filter(|_| verdict == Outcome::Unsupported) {
        Some(claim) => named(claim)?,
        None => None,
    };
    Ok(Answer { verdict, claim, reason: object.get("reason").and_then(said) })
}

/// The words that are named as the claim, if any. A number, an object, a truth value or mere marks are neither words nor none.
fn named(claim: &Value) -> Result<Option<String>, Failure> {
    let claim = match claim {
        Value::Array(list) => list.first().unwrap_or(&Value::Null),
        other => other,
    };
    match (claim, said(claim)) {
        (Value::Null, _) | (Value::String(_), None) => Ok(None),
        (_, Some(words)) if is_words(&words) => Ok(Some(unquoted(&words).to_string())),
        _ => Err(Failure::Unreadable),
    }
}

fn is_words(text: &str) -> bool {
    let text = unquoted(text);
    let value = text.parse::<f64>().is_ok() || ["true", "false"].contains(&&*text.to_lowercase());
    !value && text.contains(char::is_alphanumeric)
}

fn object(value: &Value) -> Result<Map<String, Value>, Failure> {
    match value {
        Value::Object(map) => settled([lower(map)]),
        Value::Array(list) => match list.as_slice() {
            [Value::String(text)] => settled(lenient::objects(text).ok_or(Failure::Unreadable)?),
            list => settled(list.iter().filter_map(Value::as_object).map(lower)),
        },
        Value::String(text) => settled(lenient::objects(text).ok_or(Failure::Unreadable)?),
        Value::Null | Value::Bool(_) | Value::Number(_) => Err(Failure::WrongType),
    }
}

fn lower(map: &Map<String, Value>) -> Map<String, Value> {
    map.iter().map(|(key, value)| (key.trim().to_lowercase(), value.clone())).collect()
}

/// The last object with a verdict, or with one inside as a tool's arguments have it, unless another one disagrees: a model may
/// write a draft first, or quote an answer that it met in the data, and which of them counts cannot be known. A refusal
/// beside a verdict is a refusal.
fn settled(objects: impl IntoIterator<Item = Map<String, Value>>) -> Result<Map<String, Value>, Failure> {
    let mut last: Option<Map<String, Value>> = None;
    let mut refused = false;
    for object in objects {
        refused |= refuses(&object);
        let answers = if object.contains_key("verdict") {
            Vec::from([object])
        } else {
            let inner = object.values().filter_map(Value::as_object).map(lower);
            inner.filter(|inner| inner.contains_key("verdict")).collect()
        };
        for answer in answers {
            refused |= refuses(&answer);
            if last.as_ref().is_some_and(|last| verdict(last) != verdict(&answer)) {
                return Err(Failure::Unreadable);
            }
            last = Some(answer);
        }
    }
    match last {
        _ if refused => Err(Failure::Refused),
        Some(answer) => Ok(answer),
        None => Err(Failure::Unreadable),
    }
}

fn refuses(object: &Map<String, Value>) -> bool {
    object.get("refusal").is_some_and(|why| !matches!(why, Value::Null | Value::Bool(false)) && why != "")
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
    let bare = text.to_lowercase();
    let nothing = text.is_empty() || ["-", "n/a", "none", "null"].contains(&bare.trim_matches(['"', '\'', '.']));
    (!nothing).then_some(text)
}
