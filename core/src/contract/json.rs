//! A JSON value that keeps the text of its numbers, so that no number passes through binary floating point on its way to a
//! comparison.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The members of an object, each name once.
pub type Object = BTreeMap<String, Json>;

/// A JSON value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Json {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number by its text.
    Number(Number),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Json>),
    /// An object.
    Object(Object),
}

/// A number as its text in JSON's grammar. Equality here is that of the text; that of the value is `decimal`'s.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number(String);

impl Number {
    /// Only for text that the parser or the printer of numbers made.
    pub(super) fn of_text(text: String) -> Number {
        Number(text)
    }

    /// The text, such as `29.0`.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The value, if it is written without fraction and exponent and fits.
    pub fn integer(&self) -> Option<i64> {
        self.0.parse().ok()
    }
}

impl Json {
    /// The word for the kind of value, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "boolean",
            Json::Number(_) => "number",
            Json::String(_) => "string",
            Json::Array(_) => "array",
            Json::Object(_) => "object",
        }
    }

    /// The member of an object.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.object()?.get(name)
    }

    /// The members.
    pub fn object(&self) -> Option<&Object> {
        match self {
            Json::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The elements.
    pub fn array(&self) -> Option<&[Json]> {
        match self {
            Json::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The text of a string.
    pub fn str(&self) -> Option<&str> {
        match self {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    /// The truth value.
    pub fn bool(&self) -> Option<bool> {
        match self {
            Json::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The number.
    pub fn number(&self) -> Option<&Number> {
        match self {
            Json::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The number, if it is a whole one that fits.
    pub fn integer(&self) -> Option<i64> {
        self.number()?.integer()
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Json::Null)
    }
}

/// An object of these members.
pub(crate) fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
    Json::Object(named(&mut members.into_iter()))
}

/// Members by their names. One function for lists of every length: to `collect` them is to sort them first, each length anew.
pub(crate) fn named(members: &mut dyn Iterator<Item = (&str, Json)>) -> Object {
    crate::sort::map(members.map(|(name, value)| (name.to_string(), value)))
}

/// An array of what can be made a value.
pub(crate) fn array<T: Into<Json>>(items: impl IntoIterator<Item = T>) -> Json {
    Json::Array(items.into_iter().map(Into::into).collect())
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::String(text.to_string())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Json {
        Json::String(text)
    }
}

impl From<&String> for Json {
    fn from(text: &String) -> Json {
        Json::String(text.clone())
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Json {
        Json::Bool(value)
    }
}

impl From<i64> for Json {
    fn from(value: i64) -> Json {
        Json::Number(Number(value.to_string()))
    }
}

impl From<usize> for Json {
    fn from(value: usize) -> Json {
        Json::Number(Number(value.to_string()))
    }
}

impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Json {
        value.map_or(Json::Null, Into::into)
    }
}
