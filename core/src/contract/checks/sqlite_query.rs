//! A query of an SQLite database gives these rows, or so many.
//!
//! # Sees
//! The rows, at most 1 000 and 1 MiB of them, from a connection that cannot write.
//!
//! # Decides
//! The rows are `equals`, numbers by their exact value, or there are `row_count` of them. A database that is not there, is none, or
//! lacks the table or column fails. With `ordered: false` rows are compared as a collection in which each counts as often as it
//! is there.
use super::super::decimal::write_key;
use super::prelude::*;
use super::sqlite::{self, Answer, ROWS};

pub(super) const TYPE: CheckType = CheckType {
    name: "sqlite_query",
    about: "a query that only reads gives the expected rows, or so many rows",
    capabilities: &[Capability::Sqlite],
    params: &[
        must("database", Kind::Path, "the database, relative to the workspace"),
        must("sql", Kind::Own("one reading SQL statement", sqlite::query), "the query"),
        or(
            "parameters",
            Kind::Own("array or object of scalars", sqlite::parameters),
            "[]",
            "values for the query's parameters",
        ),
        may("equals", Kind::Own("array of row objects", rows), "the rows"),
        may("row_count", Kind::Int(0, ROWS as i64), "how many rows; count more than that in the query"),
        or("ordered", Kind::Bool, "true", "whether the order of `equals` counts"),
        may("tolerance", Kind::Size, "how far numbers may be apart"),
    ],
    validate,
    requests: |params| {
        let none = Json::Array(Vec::new());
        let parameters = params.value("parameters").unwrap_or(&none);
        [sqlite::request("rows", params.text("database"), params.text("sql"), parameters)].into()
    },
    decide,
};

fn rows(value: &Json) -> Result<(), ContractError> {
    let rows = value.array().ok_or_else(|| fault("", format!("expected an array; found {}", value.kind())))?;
    if rows.len() > ROWS {
        return Err(fault("", format!("more than {ROWS} rows")));
    }
    match rows.iter().position(|row| row.object().is_none()) {
        Some(index) => Err(fault(&format!("[{index}]"), "expected an object of columns and their values")),
        None => Ok(()),
    }
}

fn validate(terms: &Terms<'_>) -> Result<(), ContractError> {
    let params = terms.params;
    match (params.has("equals"), params.has("row_count")) {
        (true, true) => Err(fault("row_count", "equals gives the number of rows already; leave one of them out")),
        (false, false) => Err(fault("equals", "either equals or row_count is needed")),
        _ if params.has("tolerance") && !params.has("equals") => Err(fault("tolerance", "it needs equals")),
        // Without order a row could be near to several, and which is meant would be a guess.
        _ if params.has("tolerance") && !params.bool("ordered") => {
            Err(fault("tolerance", "it needs rows in order: add ORDER BY and leave ordered true"))
        }
        _ => Ok(()),
    }
}

fn decide(case: &Case<'_>) -> Decided {
    let look = case.look("rows")?;
    let (params, database) = (case.params, case.params.text("database"));
    let expected = match params.value("equals") {
        Some(rows) => object([("rows", rows.clone())]),
        None => object([("row_count", params.integer("row_count").into())]),
    };
    let rows = match sqlite::answer(&look)? {
        Answer::Wrong(why) => {
            return fail(expected, object([("error", why.as_str().into())]), format!("{database}: {why}"))
        }
        Answer::Rows(rows) => rows,
    };
    let wanted = params.integer("row_count").map_or(params.array("equals").len(), |count| count as usize);
    let found = rows.len();
    let many = format!("{database}: {found}{} rows, {wanted} expected", if look.truncated { " or more" } else { "" });
    let observed = object([("row_count", found.into()), ("rows", Json::Array(rows.clone()))]);
    if found > wanted || (found < wanted && !look.truncated) {
        return fail(expected, observed, many);
    }
    let difference = if params.has("equals") { difference(params, &rows) } else { None };
    match difference {
        Some(words) if params.bool("ordered") || !look.truncated => {
            fail(expected, observed, format!("{database}: {words}"))
        }
        _ if look.truncated => Err(Undecided::truncated()),
        _ => pass(expected, observed, format!("{database}: {found} rows as expected")),
    }
}

/// The first difference between the rows seen and as many of the expected ones.
fn difference(params: Params<'_>, rows: &[Json]) -> Option<String> {
    let expected = params.array("equals");
    if params.bool("ordered") {
        let tolerance = params.decimal("tolerance");
        let differs = |(seen, wanted): (&Json, &Json)| !equal_within(seen, wanted, tolerance.as_ref());
        return rows.iter().zip(expected).position(differs).map(|index| format!("row {} differs", index + 1));
    }
    let keys = |rows: &[Json]| {
        let mut keys: Vec<String> = rows
            .iter()
            .map(|row| {
                let mut key = String::new();
                write_key(row, &mut key);
                key
            })
            .collect();
        keys.sort();
        keys
    };
    (keys(rows) != keys(expected)).then(|| "the rows differ, in whatever order".to_string())
}
