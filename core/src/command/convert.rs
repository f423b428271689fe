//! The commands besides `check`: the list of formats, and a transcript as native JSON.

use super::run::{parse, shown};
use super::{Finished, Written};
use crate::render::{columns, flat, json};
use crate::transcript::{to_json, FORMATS};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// `convert` with its file. All that is converted to is native JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Convert {
    /// The file; `-` is standard input.
    pub file: String,
    /// The transcript's format.
    pub format: Option<String>,
}

impl Convert {
    /// Reads the file's bytes. What is to be printed ends with a line end.
    pub fn convert(&self, bytes: &[u8]) -> Finished {
        match parse(bytes, self.format.as_deref()) {
            Ok(session) => Finished { stdout: to_json(&session) + "\n", ..Finished::default() },
            Err(error) => self.unreadable(&format!("{error}")),
        }
    }

    /// What is said of a file that the program could not open, with the reason that it was given.
    pub fn unreadable(&self, message: &str) -> Finished {
        let stderr = format!("counterfoil: {}: {}\n", shown(&self.file), flat(message, 400));
        Finished { stderr, exit: 2, ..Finished::default() }
    }
}

/// The formats that are known, with what each is.
pub(super) fn formats(written: Written) -> Result<String, String> {
    match written {
        Written::Html => Err("--output: formats are written as text or json".into()),
        Written::Json => {
            let entry = |name: &str, about: &str| {
                format!("{{\"name\":{},\"about\":{}}}", json::json(&name), json::json(&about))
            };
            let list: Vec<String> = FORMATS.iter().map(|format| entry(format.name, format.about)).collect();
            Ok(format!("[\n{}\n]\n", list.join(",\n")))
        }
        Written::Text => {
            let width = FORMATS.iter().map(|format| columns(format.name)).max().unwrap_or(0);
            let lines: Vec<String> =
                FORMATS.iter().map(|format| format!("{:width$}  {}\n", format.name, format.about)).collect();
            Ok(lines.concat())
        }
    }
}
