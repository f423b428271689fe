//! A number lies where it has to lie.
//!
//! # Sees
//! With `source`: the content of a JSON file, the one value that a query gives (`{columns, rows}`), or a file's `{kind, size}`. A literal
//! `value` needs nothing, says nothing about the world, and is advisory for that.
//!
//! # Decides
//! By exact decimals: `min` ≤ number ≤ `max`, and the number equals `equals` to within `tolerance`. What is no number lies nowhere.
use super::super::fields::Fields;
use super::super::params::decimal;
use super::super::paths;
use super::super::pointer::Pointer;
use super::content;
use super::prelude::*;
use super::sqlite::{self, Answer};

pub(super) const TYPE: CheckType = CheckType {
    name: "numeric_invariant",
    about: "a number from a file, a database or a file's size lies within bounds",
    capabilities: &[Capability::Read, Capability::Sqlite, Capability::Stat],
    params: &[
        may("value", Kind::Own("number, or string of digits", literal), "a literal number; for advisory checks alone"),
        may(
            "source",
            Kind::Own("one of `{json: {path, pointer}}`, `{sqlite: {database, sql}}`, `{file_size: path}`", source),
            "where the number is",
        ),
        may("min", Kind::Own("number, or string of digits", literal), "the least"),
        may("max", Kind::Own("number, or string of digits", literal), "the most"),
        may("equals", Kind::Own("number, or string of digits", literal), "what it is"),
        or("tolerance", Kind::Size, "0", "how far it may be off `equals`"),
    ],
    validate,
    requests,
    decide,
};

/// A number of the contract; of any size as a string.
fn number(value: &Json) -> Option<Decimal> {
    match value {
        Json::String(text) => decimal(text),
        value => Decimal::of(value),
    }
}

fn literal(value: &Json) -> Result<(), ContractError> {
    match number(value) {
        Some(_) => Ok(()),
        None => Err(fault("", format!("expected a number, or a string that holds one; found {}", value.kind()))),
    }
}

fn source(value: &Json) -> Result<(), ContractError> {
    let fields = Fields::of(value, &["json", "sqlite", "file_size"])?;
    let path = |fields: &Fields<'_>, name: &str| -> Result<(), ContractError> {
        let path = fields.text(name, 4096)?.ok_or_else(|| fault(name, "missing"))?;
        paths::syntax(path).map_err(|message| fault(name, message))
    };
    match (fields.value("json"), fields.value("sqlite"), fields.value("file_size")) {
        (Some(json), None, None) => {
            let json = Fields::of(json, &["path", "pointer"]).map_err(|error| error.inside("json"))?;
            path(&json, "path").map_err(|error| error.inside("json"))?;
            let pointer = json.text("pointer", 4096).map_err(|error| error.inside("json"))?.unwrap_or_default();
            Pointer::parse(pointer).map(|_| ()).map_err(|message| fault("json.pointer", message))
        }
        (None, Some(query), None) => {
            let query = Fields::of(query, &["database", "sql"]).map_err(|error| error.inside("sqlite"))?;
            path(&query, "database").map_err(|error| error.inside("sqlite"))?;
            let text = query.needed("sql").map_err(|error| error.inside("sqlite"))?;
            sqlite::query(text).map_err(|error| error.inside("sqlite.sql"))
        }
        (None, None, Some(_)) => path(&fields, "file_size"),
        _ => Err(fault("", "expected one of json, sqlite, file_size")),
    }
}

const BOUNDS: [&str; 3] = ["min", "max", "equals"];

fn validate(terms: &Terms<'_>) -> Result<(), ContractError> {
    let params = terms.params;
    if params.has("value") == params.has("source") {
        return Err(fault("source", "expected one of value and source"));
    }
    if BOUNDS.iter().all(|name| !params.has(name)) {
        return Err(vacuous("expected one of min, max, equals"));
    }
    if params.has("value") && terms.required {
        return Err(vacuous("a literal says nothing about the world; name a source, or make the check advisory"));
    }
    let bound = |name| params.value(name).and_then(number);
    if let (Some(least), Some(most)) = (bound("min"), bound("max")) {
        if least > most {
            return Err(fault("min", "it is more than max"));
        }
    }
    Ok(())
}

fn requests(params: Params<'_>) -> Vec<Request> {
    let Some(source) = params.value("source") else { return Vec::new() };
    let text = |value: &Json, name: &str| value.get(name).and_then(Json::str).unwrap_or_default().to_string();
    let request = match (source.get("json"), source.get("sqlite")) {
        (Some(json), _) => content::read("source", &text(json, "path")),
        (_, Some(query)) => {
            let none = Json::Array(Vec::new());
            sqlite::request("source", &text(query, "database"), &text(query, "sql"), &none)
        }
        _ => Request::new("source", Capability::Stat).path("path", &text(source, "file_size")),
    };
    [request].into()
}

/// What stands where the number has to be.
enum Found {
    Number(Decimal, Json),
    /// Something else, or nothing: a fact, and no number.
    Nothing(String),
}

fn decide(case: &Case<'_>) -> Decided {
    let params = case.params;
    let expected = Json::Object(
        BOUNDS
            .into_iter()
            .chain(["tolerance"])
            .filter_map(|name| Some((name.to_string(), params.value(name)?.clone())))
            .collect(),
    );
    let found = match params.value("value") {
        Some(value) => of_value(value),
        None => observed(case)?,
    };
    let (number, shown) = match found {
        Found::Number(number, shown) => (number, shown),
        Found::Nothing(told) => {
            return fail(expected, object([("number", Json::Null)]), format!("there is no number: {told}"))
        }
    };
    let bound = |name| params.value(name).and_then(self::number);
    let tolerance = params.decimal("tolerance").ok_or_else(|| Undecided::malformed("tolerance is no number"))?;
    let broken = [
        bound("min").filter(|least| number < *least).map(|_| "below min"),
        bound("max").filter(|most| number > *most).map(|_| "above max"),
        bound("equals").filter(|wanted| !within(&number, wanted, &tolerance)).map(|_| "not equal"),
    ];
    let broken: Vec<&str> = broken.into_iter().flatten().collect();
    let told = if broken.is_empty() { "within its bounds".to_string() } else { broken.join(", ") };
    let text = match &shown {
        Json::String(text) => text.clone(),
        other => super::super::canonical::canonical(other),
    };
    let summary = format!("{} is {told}", super::super::shown::cut(&text, 80));
    let decision = Decision::of(broken.is_empty(), expected, object([("number", shown)]), summary);
    Ok(if params.has("value") { decision.limited("the number is a literal of the contract") } else { decision })
}

fn of_value(value: &Json) -> Found {
    match (value, Decimal::of(value)) {
        (Json::Number(text), Some(number)) => Found::Number(number, super::exact(text.text())),
        (Json::Number(text), None) => {
            Found::Nothing(format!("{} has no value", super::super::shown::cut(text.text(), 80)))
        }
        (other, _) => Found::Nothing(format!("a value of kind {}", other.kind())),
    }
}

fn observed(case: &Case<'_>) -> Result<Found, Undecided> {
    let source = case.params.value("source").unwrap_or(&Json::Null);
    if let Some(json) = source.get("json") {
        let pointer = json.get("pointer").and_then(Json::str).unwrap_or_default();
        return Ok(match content::document(&case.look("source")?)? {
            Err(wrong) => Found::Nothing(format!("the file {}", wrong.words)),
            Ok(document) => {
                let found = Pointer::parse(pointer).ok().and_then(|pointer| pointer.find(&document));
                found.map_or_else(|| Found::Nothing(format!("nothing is at {pointer}")), of_value)
            }
        });
    }
    if source.get("sqlite").is_some() {
        return scalar(case);
    }
    let look = case.look("source")?;
    let Some(fields) = look.fields(&["kind", "size"])? else {
        return Ok(Found::Nothing("the file is not there".to_string()));
    };
    match fields.text("kind", 20).map_err(unread)? {
        None | Some("file") => {}
        Some(_) => return Ok(Found::Nothing("it is no file".to_string())),
    }
    let size = fields.integer("size", 0, 1 << 52).map_err(unread)?;
    let size = size.ok_or_else(|| unread(fault("size", "missing")))?;
    Ok(of_value(&Json::from(size)))
}

/// The one value of a query. An integer beyond the doubles comes as a string of digits; no other string is a number.
fn scalar(case: &Case<'_>) -> Result<Found, Undecided> {
    let look = case.look("source")?;
    let rows = match sqlite::answer(&look)? {
        Answer::Rows(rows) => rows,
        Answer::Wrong(told) => return Ok(Found::Nothing(told)),
    };
    let row = match rows.as_slice() {
        [] if look.truncated => return Err(Undecided::truncated()),
        [] => return Ok(Found::Nothing("the query gives no row".to_string())),
        [row] if !look.truncated => row.object(),
        _ => return Ok(Found::Nothing("the query gives more than one row".to_string())),
    };
    let values: Vec<&Json> = row.into_iter().flat_map(Object::values).collect();
    match values.as_slice() {
        [Json::String(text)] if is_large(text) => Ok(of_text(text)),
        [value] => Ok(of_value(value)),
        _ => Ok(Found::Nothing("the query gives more than one value".to_string())),
    }
}

fn is_large(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.len() >= 16 && digits.len() <= 19 && digits.bytes().all(|b| b.is_ascii_digit())
}

fn of_text(text: &str) -> Found {
    decimal(text).map_or_else(|| Found::Nothing("no number".to_string()), |number| Found::Number(number, text.into()))
}
