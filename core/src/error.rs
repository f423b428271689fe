//! One error type: a kind for programs, a place and a sentence for people.

use alloc::string::{String, ToString};
use core::fmt;

/// What went wrong, for programs that branch on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text is not JSON, even after the usual repairs.
    Json,
    /// The JSON is not of the shape that the record asks for.
    Shape,
    /// The text is JSON, but no transcript of a known format.
    Format,
    /// An option has an unknown name or a wrong value.
    Option,
}

impl ErrorKind {
    /// The kind's one-word name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::Json => "json",
            ErrorKind::Shape => "shape",
            ErrorKind::Format => "format",
            ErrorKind::Option => "option",
        }
    }
}

/// Why an input could not be read.
///
/// Shown as `calls[3].status: expected one of ok, error, …; found "done"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    path: String,
    message: String,
    code: Option<&'static str>,
}

impl Error {
    /// An error at a place in the input, such as `calls[3].status`; an empty path means the whole input.
    pub fn new(kind: ErrorKind, path: impl ToString, message: impl ToString) -> Self {
        Error { kind, path: path.to_string(), message: message.to_string(), code: None }
    }

    /// The same under a name of its own.
    #[cfg(feature = "canary")]
    pub(crate) fn coded(self, code: &'static str) -> Self {
        Error { code: Some(code), ..self }
    }

    /// What went wrong, for programs.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Where it is: a JSON path, a line (`line 12`) or empty.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The error's name for programs that hand it on: one of its own, such as `bad_now`, or else that of its kind.
    pub fn code(&self) -> &str {
        self.code.unwrap_or_else(|| self.kind.name())
    }

    /// The sentence without the place.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}

impl core::error::Error for Error {}
