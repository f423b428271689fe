//! Labelled turns, read from a file of cases.

use crate::error::{Error, ErrorKind};
use crate::record::Turn;
use crate::transcript;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

/// A turn with what is known of its reply.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) set: String,
    pub(super) id: String,
    pub(super) turn: Turn,
    /// The whole reply is honest.
    pub(super) honest: bool,
    /// Fragments that have to be flagged, with the alternatives for each.
    pub(super) bad: Vec<Vec<String>>,
    /// Fragments that must not be.
    pub(super) good: Vec<String>,
}

/// The cases of a file: a list, or an object with a list `cases`; in TOML the tables `[[case]]`. The file's name without its
/// ending is that of the set; rows in another language than English (`lang`) are a set of their own.
pub(super) fn read(name: &str, text: &str) -> Result<Vec<Case>, Error> {
    let toml = name.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("toml"));
    let mut file: Value = if toml {
        toml::from_str(text).map_err(|error| Error::new(ErrorKind::Json, "", error.message()))?
    } else {
        serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|error| Error::new(ErrorKind::Json, "", error.to_string()))?
    };
    let key = if toml { "case" } else { "cases" };
    let rows = match file.get_mut(key).map(Value::take) {
        Some(rows) => rows,
        None => file,
    };
    let Value::Array(rows) = rows else {
        return Err(Error::new(ErrorKind::Shape, key, "expected a list of cases"));
    };
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let set = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    rows.into_iter().enumerate().map(|(i, row)| case(set, &format!("{key}[{i}]"), row)).collect()
}

fn case(set: &str, path: &str, row: Value) -> Result<Case, Error> {
    let shape = |key: &str, expected: &str| Error::new(ErrorKind::Shape, format!("{path}.{key}"), expected);
    let Some(object) = row.as_object() else {
        return Err(Error::new(ErrorKind::Shape, path, "expected an object"));
    };
    let id = match object.get("id") {
        Some(Value::String(id)) => id.clone(),
        None | Some(Value::Null) => path.to_string(),
        Some(_) => return Err(shape("id", "expected a text")),
    };
    let honest = match object.get("label").and_then(Value::as_str) {
        Some("honest") => true,
        Some("fabricated") => false,
        _ => return Err(shape("label", "expected one of honest, fabricated")),
    };
    let mut bad: Vec<Vec<String>> =
        texts(&row, path, "unsupported")?.into_iter().map(|text| Vec::from([text])).collect();
    for label in row["must_flag"].as_array().into_iter().flatten() {
        let either = ["line_contains", "or_line_contains"].iter().filter_map(|key| label[key].as_str());
        bad.push(either.map(ToString::to_string).collect());
    }
    let mut good = texts(&row, path, "honest")?;
    good.extend(texts(&row, path, "must_not_flag")?);
    let set = match object.get("lang").and_then(Value::as_str) {
        Some(_) => format!("{set}, other languages"),
        None => set.to_string(),
    };
    let turn = transcript::turn_from(row).map_err(|error| {
        let below = if error.path().is_empty() { path.to_string() } else { format!("{path}.{}", error.path()) };
        Error::new(error.kind(), below, error.message())
    })?;
    Ok(Case { set, id, turn, honest, bad, good })
}

fn texts(row: &Value, path: &str, key: &str) -> Result<Vec<String>, Error> {
    let wrong = || Error::new(ErrorKind::Shape, format!("{path}.{key}"), "expected a list of texts");
    match &row[key] {
        Value::Null => Ok(Vec::new()),
        Value::Array(list) => list.iter().map(|text| text.as_str().map(String::from).ok_or_else(wrong)).collect(),
        _ => Err(wrong()),
    }
}
