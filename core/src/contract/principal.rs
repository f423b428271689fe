//! Who wrote, froze, acted or decided.

use super::error::ContractError;
use super::fields::Fields;
use alloc::string::{String, ToString};

/// A principal as `kind:id`, or `unknown`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal(String);

const KINDS: [&str; 5] = ["human", "policy", "service", "model", "unknown"];

impl Default for Principal {
    fn default() -> Self {
        Principal("unknown".to_string())
    }
}

impl Principal {
    /// Reads `human:dana`.
    pub fn parse(text: &str) -> Option<Principal> {
        if text == "unknown" {
            return Some(Principal::default());
        }
        let (kind, id) = text.split_once(':')?;
        let fits = (1..=128).contains(&id.len()) && !id.chars().any(char::is_control) && !id.trim().is_empty();
        (KINDS.contains(&kind) && fits).then(|| Principal(text.to_string()))
    }

    /// As a member of an object.
    pub(crate) fn read(fields: &Fields<'_>, name: &str) -> Result<Option<Principal>, ContractError> {
        let Some(text) = fields.text(name, 160)? else { return Ok(None) };
        Principal::given(text, name).map(Some)
    }

    /// As an argument.
    pub(crate) fn given(text: &str, name: &str) -> Result<Principal, ContractError> {
        Principal::parse(text).ok_or_else(|| {
            ContractError::at(name, "expected kind:id, with a kind of human, policy, service, model, unknown")
        })
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether nobody knows who it is.
    pub fn is_unknown(&self) -> bool {
        self.0 == "unknown" || self.0.starts_with("unknown:")
    }

    /// Whether it is a model.
    pub fn is_model(&self) -> bool {
        self.0.starts_with("model:")
    }
}
