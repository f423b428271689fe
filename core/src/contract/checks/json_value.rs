//! A value inside a JSON file is what it has to be.
//!
//! # Sees
//! The content of the file (see [`super::content`]).
//!
//! # Decides
//! Numbers are compared by their exact value as they are written, whatever their size: 29, 29.0 and 2.9e1 are equal. A file that is not
//! there, or no JSON, or ambiguous, is wrong; one that could not be read is not known.
use super::super::params::decimal;
use super::super::pointer::Pointer;
use super::content;
use super::prelude::*;

const TYPES: &[&str] = &["null", "boolean", "number", "integer", "string", "array", "object"];

pub(super) const TYPE: CheckType = CheckType {
    name: "json_value",
    about: "the value at a place in a JSON file is the expected one",
    capabilities: &[Capability::Read],
    params: &[
        must("path", Kind::Path, "the file, relative to the workspace"),
        or("pointer", Kind::Pointer, "\"\"", "the place, as a JSON pointer; empty is the whole document"),
        may("equals", Kind::Value, "the value; `null` is one too"),
        may("equals_decimal", Kind::Decimal, "a number of any size, as a string"),
        may("present", Kind::Bool, "whether there is to be something"),
        may("type", Kind::Word(TYPES), "the kind of value"),
        may("tolerance", Kind::Size, "how far a number may be off"),
    ],
    validate,
    requests: |params| [content::read("file", params.text("path"))].into(),
    decide,
};

const EXPECTATIONS: [&str; 4] = ["equals", "equals_decimal", "present", "type"];

fn validate(terms: &Terms<'_>) -> Result<(), ContractError> {
    let params = terms.params;
    let given: Vec<&str> = EXPECTATIONS.into_iter().filter(|name| params.has(name)).collect();
    match given.as_slice() {
        [] => return Err(vacuous("expected one of equals, equals_decimal, present, type")),
        [_] => {}
        many => return Err(fault(many[1], format!("expected one of {}", many.join(", ")))),
    }
    let numeric = params.has("equals_decimal") || params.value("equals").is_some_and(|value| value.number().is_some());
    if params.has("tolerance") && !numeric {
        return Err(fault("tolerance", "it goes with a number that is expected"));
    }
    Ok(())
}

fn decide(case: &Case<'_>) -> Decided {
    let params = case.params;
    let (path, pointer) = (params.text("path"), params.text("pointer"));
    let expected = expectation(params);
    let document = match content::document(&case.look("file")?)? {
        Ok(document) => document,
        Err(wrong) => return Ok(wrong.decision(expected, path)),
    };
    let found = Pointer::parse(pointer).ok().and_then(|pointer| pointer.find(&document).cloned());
    let place = if pointer.is_empty() { path.to_string() } else { format!("{path} at {pointer}") };
    let Some(found) = found else {
        let passed = params.value("present") == Some(&Json::Bool(false));
        return Ok(Decision::of(
            passed,
            expected,
            object([("found", false.into())]),
            format!("{place}: nothing is there"),
        ));
    };
    let passed = holds(params, &found)?;
    let told = if passed { "as expected" } else { "not as expected" };
    let summary = format!("{place}: {} is {told}", brief(&found));
    Ok(Decision::of(passed, expected, object([("found", true.into()), ("value", stored(&found))]), summary))
}

fn expectation(params: Params<'_>) -> Json {
    let names = EXPECTATIONS.into_iter().chain(["tolerance"]);
    let given = names.filter_map(|name| Some((name.to_string(), params.value(name)?.clone())));
    Json::Object(crate::sort::map(given))
}

fn holds(params: Params<'_>, found: &Json) -> Result<bool, Undecided> {
    let tolerance = params.decimal("tolerance");
    if let Some(wanted) = params.value("equals") {
        return Ok(equal_within(wanted, found, tolerance.as_ref()));
    }
    if let Some(wanted) = params.value("equals_decimal").and_then(Json::str) {
        let wanted = decimal(wanted).ok_or_else(|| Undecided::malformed("equals_decimal is no number"))?;
        let found = Decimal::of(found);
        return Ok(found.is_some_and(|found| match &tolerance {
            Some(tolerance) => within(&found, &wanted, tolerance),
            None => found == wanted,
        }));
    }
    Ok(match params.value("type").and_then(Json::str) {
        Some("integer") => Decimal::of(found).is_some_and(|number| number.is_integer()),
        Some(kind) => found.kind() == kind,
        None => params.bool("present"),
    })
}

/// A value as it may stand in a bundle, whose numbers are doubles: a number that is none is told as its text.
fn stored(value: &Json) -> Json {
    match value {
        Json::Number(number) => super::exact(number.text()),
        Json::Array(items) => Json::Array(items.iter().map(stored).collect()),
        Json::Object(members) => {
            Json::Object(members.iter().map(|(name, value)| (name.clone(), stored(value))).collect())
        }
        other => other.clone(),
    }
}

fn brief(value: &Json) -> String {
    match value {
        Json::Array(items) => format!("an array of {}", items.len()),
        Json::Object(members) => format!("an object of {} members", members.len()),
        Json::Number(number) => super::super::shown::cut(number.text(), 80),
        Json::String(text) => format!("\"{}\"", super::super::shown::cut(text, 80)),
        other => super::super::canonical::canonical(other),
    }
}
