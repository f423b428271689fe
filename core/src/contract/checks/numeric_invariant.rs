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
use super::super::sql;
use super::content::{self, Document};
use super::prelude::*;

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
            let text = query.text("sql", 100_000).map_err(|error| error.inside("sqlite"))?;
            let text = text.ok_or_else(|| fault("sqlite.sql", "missing"))?;
            sql::guard(text).map_err(|message| fault("sqlite.sql", message))
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
        (Some(json), _) => content::request("source", &text(json, "path")),
        (_, Some(query)) => Request::new("source", Capability::Sqlite)
            .path("database", &text(query, "database"))
            .with("sql", text(query, "sql"))
            .with("parameters", Json::Array(Vec::new()))
            .with("max_rows", 2_usize)
            .with("max_bytes", 1_usize << 20),
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
        BOUNDS.into_iter().chain(["tolerance"]).filter_map(|name| Some((name.to_string(), params.value(name)?.clone()))).collect(),
    );
    let found = match params.value("value") {
        Some(value) => of_value(value),
        None => observed(case)?,
    };
    let (number, shown) = match found {
        Found::Number(number, shown) => (number, shown),
        Found::Nothing(told) => return fail(expected, object([("number", Json::Null)]), format!("there is no number: {told}")),
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
        (Json::Number(text), None) => Found::Nothing(format!("{} has no value", super::super::shown::cut(text.text(), 80))),
        (other, _) => Found::Nothing(format!("a value of kind {}", other.kind())),
    }
}

fn observed(case: &Case<'_>) -> Result<Found, Undecided> {
    let source = case.params.value("source").unwrap_or(&Json::Null);
    if let Some(json) = source.get("json") {
        let pointer = json.get("pointer").and_then(Json::str).unwrap_or_default();
        return Ok(match content::document(case, "source")? {
            Document::Wrong(_, _, told) => Found::Nothing(format!("the file {told}")),
            Document::Read(document) => {
                let found = Pointer::parse(pointer).ok().and_then(|pointer| pointer.find(&document));
                found.map_or_else(|| Found::Nothing(format!("nothing is at {pointer}")), of_value)
            }
        });
    }
    if source.get("sqlite").is_some() {
        return scalar(case);
    }
    let look = case.look("source")?;
    let crashed = |error: ContractError| Undecided::crashed(&error.inside("value"));
    let Some(fields) = look.fields(&["kind", "size"])? else {
        return Ok(Found::Nothing("the file is not there".to_string()));
    };
    match fields.text("kind", 20).map_err(crashed)? {
        None | Some("file") => {}
        Some(kind) => return Ok(Found::Nothing(format!("it is no file but a {kind}"))),
    }
    let size = fields.integer("size", 0, 1 << 52).map_err(crashed)?;
    let size = size.ok_or_else(|| crashed(fault("size", "missing")))?;
    Ok(of_value(&Json::from(size)))
}

/// The one value of a query: `{columns, rows}` with one row of one column. A large integer comes as a string of digits.
fn scalar(case: &Case<'_>) -> Result<Found, Undecided> {
    let rows = match super::rows::rows(case, "source")? {
        super::rows::Answer::Rows(rows) => rows,
        super::rows::Answer::Wrong(told) => return Ok(Found::Nothing(told)),
    };
    match rows.rows.as_slice() {
        [row] if row.len() == 1 && !rows.truncated => match &row[0] {
            // What SQLite holds as text is no number, and only an integer beyond the doubles comes as a string.
            super::rows::Cell::Number(text) => Ok(Decimal::parse(text)
                .map_or_else(|| Found::Nothing("no number".to_string()), |n| Found::Number(n, super::exact(text)))),
            other => Ok(Found::Nothing(format!("the query gives {}", other.kind()))),
        },
        [] => Ok(Found::Nothing("the query gives no row".to_string())),
        _ => Ok(Found::Nothing("the query gives more than one value".to_string())),
    }
}
