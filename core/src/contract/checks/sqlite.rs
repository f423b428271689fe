//! What a host saw when it asked an SQLite database, for every type of check that asks one.
//!
//! `{columns, rows}` with each row as an array in the order of the columns, or `{error, message}`. An INTEGER beyond 2^53 is a
//! string of digits, a BLOB is `{blob_sha256, bytes}`, an infinity a string.
use super::super::shown::cut;
use super::super::sql;
use super::prelude::*;
use alloc::collections::BTreeSet;

/// The most rows that are compared; a host looks for one more.
pub(super) const ROWS: usize = 1_000;
/// The most bytes of them.
const BYTES: usize = 1 << 20;

/// What a query came to.
pub(super) enum Answer {
    /// Rows as objects.
    Rows(Vec<Json>),
    /// The database is not there, or is not what the query needs.
    Wrong(String),
}

/// The request for the rows of a query.
pub(super) fn request(name: &str, database: &str, sql: &str, parameters: &Json) -> Request {
    Request::new(name, Capability::Sqlite)
        .path("database", database)
        .with("sql", sql)
        .with("parameters", parameters.clone())
        .with("max_rows", ROWS + 1)
        .with("max_bytes", BYTES)
}

/// A query that only reads.
pub(super) fn query(value: &Json) -> Result<(), ContractError> {
    let text = value.str().ok_or_else(|| fault("", format!("expected a string; found {}", value.kind())))?;
    sql::guard(text).map_err(|message| fault("", message))
}

/// Values by place or by name.
pub(super) fn parameters(value: &Json) -> Result<(), ContractError> {
    let values: Vec<&Json> = match value {
        Json::Array(items) => items.iter().collect(),
        Json::Object(members) => members.values().collect(),
        other => return Err(fault("", format!("expected an array or an object; found {}", other.kind()))),
    };
    match values.iter().find(|value| matches!(value, Json::Array(_) | Json::Object(_))) {
        Some(value) => Err(fault("", format!("expected strings, numbers, booleans and null; found {}", value.kind()))),
        None => Ok(()),
    }
}

/// Reads what the host saw.
pub(super) fn answer(look: &Look<'_>) -> Result<Answer, Undecided> {
    let Some(fields) = look.fields(&["columns", "rows", "error", "message"])? else {
        return Ok(Answer::Wrong("the database is not there".into()));
    };
    if let Some(error) = fields.text("error", 100).map_err(unread)? {
        return trouble(error, fields.text("message", 10_000).map_err(unread)?.unwrap_or_default());
    }
    let columns = fields.texts("columns", 2_000).map_err(unread)?.unwrap_or_default();
    let rows = fields.array("rows", ROWS + 1).map_err(unread)?;
    let rows = rows.ok_or_else(|| unread(fault("rows", "missing")))?;
    let distinct: BTreeSet<&String> = columns.iter().collect();
    if distinct.len() < columns.len() {
        let reason = "two columns of the result have one name; give each its own with AS";
        return Err(Undecided::new(Code::DocumentAmbiguous, reason));
    }
    let objects = rows.iter().enumerate().map(|(index, row)| match row.array() {
        Some(values) if values.len() == columns.len() => {
            Ok(Json::Object(columns.iter().cloned().zip(values.iter().cloned()).collect()))
        }
        _ => Err(unread(fault(&format!("rows[{index}]"), "expected one value a column"))),
    });
    objects.collect::<Result<_, _>>().map(Answer::Rows)
}

fn trouble(error: &str, message: &str) -> Result<Answer, Undecided> {
    let with =
        |words: &str| if message.is_empty() { words.to_string() } else { format!("{words}: {}", cut(message, 200)) };
    match error {
        "not_a_database" => Ok(Answer::Wrong(with("the file is not a database"))),
        "corrupt" => Ok(Answer::Wrong(with("the database is corrupt"))),
        "no_such_table" => Ok(Answer::Wrong(with("the database has no such table"))),
        "no_such_column" => Ok(Answer::Wrong(with("the database has no such column"))),
        "syntax" => Err(Undecided::malformed(with("the query is not SQL"))),
        "interrupted" => Err(Undecided::new(Code::CheckTimeout, with("the query was interrupted"))),
        "busy" | "locked" => Err(Undecided::new(Code::BackendUnavailable, with("the database is in use"))),
        _ => Err(unread(fault("error", "unknown"))),
    }
}
