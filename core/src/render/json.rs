//! A result as JSON text, every field written, absent ones as `null`.

use crate::verification::Report;
use alloc::string::String;
use serde::Serialize;

/// Any result as JSON text on one line.
pub fn json<T: Serialize>(value: &T) -> String {
    // Results are plain data with text keys, which always can be written.
    serde_json::to_string(value).unwrap_or_else(|_| "null".into())
}

/// The report of one file, with the file's name, the format that it was read as, and why it could not be read.
pub fn file(name: &str, format: Option<&str>, report: &Report, error: Option<&str>) -> String {
    #[derive(Serialize)]
    struct File<'a> {
        #[serde(rename = "file")]
        name: &'a str,
        format: Option<&'a str>,
        #[serde(flatten)]
        report: &'a Report,
        error: Option<&'a str>,
    }
    json(&File { name, format, report, error })
}
