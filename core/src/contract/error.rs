//! Refusals: a code for programs, a sentence and a way out for people.

use super::codes::Code;
use super::json::{object, Json, Object};
use alloc::string::{String, ToString};
use core::fmt;

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractError {
    code: Code,
    message: String,
    details: Object,
}

impl ContractError {
    /// A refusal with its sentence.
    pub fn new(code: Code, message: impl ToString) -> Self {
        ContractError { code, message: message.to_string(), details: Object::new() }
    }

    /// A breach of the form at a place, such as `checks[0].params.path`.
    pub(crate) fn at(path: impl ToString, message: impl ToString) -> Self {
        ContractError::new(Code::ContractInvalid, message).with("path", path.to_string())
    }

    /// The same with a detail.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: impl Into<Json>) -> Self {
        self.details.insert(name.to_string(), value.into());
        self
    }

    /// The same at a place further out: `inside("checks[0]")` puts it before the path that is there.
    #[must_use]
    pub(crate) fn inside(mut self, place: &str) -> Self {
        let path = match self.details.get("path").and_then(Json::str) {
            Some("") | None => place.to_string(),
            Some(path) if path.starts_with('[') => alloc::format!("{place}{path}"),
            Some(path) => alloc::format!("{place}.{path}"),
        };
        self.details.insert("path".to_string(), path.into());
        self
    }

    /// The code.
    pub fn code(&self) -> Code {
        self.code
    }

    /// The sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it.
    pub fn fix(&self) -> &'static str {
        self.code.fix()
    }

    /// More, by name: `path`, `recorded_digest`, `required` and so on.
    pub fn details(&self) -> &Object {
        &self.details
    }

    /// Whether the same call may succeed later.
    pub fn retryable(&self) -> bool {
        self.code.retryable()
    }

    /// `{code, message, fix, details, retryable}`.
    pub fn json(&self) -> Json {
        object([
            ("code", self.code.name().into()),
            ("message", self.message.as_str().into()),
            ("fix", self.fix().into()),
            ("details", Json::Object(self.details.clone())),
            ("retryable", self.retryable().into()),
        ])
    }
}

impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.details.get("path").and_then(Json::str) {
            Some(path) if !path.is_empty() => write!(f, "{}: {path}: {}", self.code.name(), self.message),
            _ => write!(f, "{}: {}", self.code.name(), self.message),
        }
    }
}

impl core::error::Error for ContractError {}
