//! A result as JSON text, every field written, absent ones as `null`.

use crate::record::Session;
use crate::verification::Report;
use alloc::string::String;
use serde::Serialize;

/// Any result as JSON text on one line.
pub fn json<T: Serialize>(value: &T) -> String {
    // Results are plain data with text keys, which always can be written.
    serde_json::to_string(value).unwrap_or_else(|_| "null".into())
}

/// The report of one file, with the file's name and the format that it was read as.
pub fn file(name: &str, session: &Session, report: &Report) -> String {
    #[derive(Serialize)]
    struct File<'a> {
        #[serde(rename = "file")]
        name: &'a str,
        format: Option<&'a str>,
        #[serde(flatten)]
        report: &'a Report,
    }
    json(&File { name, format: session.format.as_ref().map(|format| format.name.as_str()), report })
}
