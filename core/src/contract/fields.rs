//! Reads the members of an object whose names are all known: anything else in it is a mistake to be told, never to be passed over.

use super::codes::Code;
use super::error::ContractError;
use super::json::{Json, Object};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// An object with known members. What goes wrong is told with the name of the member as its path.
pub(crate) struct Fields<'a> {
    members: &'a Object,
}

impl<'a> Fields<'a> {
    /// Of a value that has to be an object with no other members than the known ones.
    pub(crate) fn of(value: &'a Json, known: &[&str]) -> Result<Fields<'a>, ContractError> {
        let Json::Object(members) = value else {
            return Err(ContractError::at("", format!("expected an object; found {}", value.kind())));
        };
        match members.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(ContractError::at(shown_name(name), format!("unknown; known are {}", known.join(", ")))),
            None => Ok(Fields { members }),
        }
    }

    /// A member; absent and `null` are the same.
    pub(crate) fn value(&self, name: &str) -> Option<&'a Json> {
        self.members.get(name).filter(|value| !value.is_null())
    }

    /// A member that has to be there.
    pub(crate) fn needed(&self, name: &str) -> Result<&'a Json, ContractError> {
        self.members.get(name).ok_or_else(|| ContractError::at(name, "missing"))
    }

    /// A string of so many characters at most.
    pub(crate) fn text(&self, name: &str, most: usize) -> Result<Option<&'a str>, ContractError> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let text = value.str().ok_or_else(|| wrong(name, "a string", value))?;
        // Bytes bound characters, so that most texts need not be counted.
        if text.len() > most && text.chars().count() > most {
            return Err(ContractError::at(name, format!("more than {most} characters")));
        }
        Ok(Some(text))
    }

    /// A whole number within bounds.
    pub(crate) fn integer(&self, name: &str, least: i64, most: i64) -> Result<Option<i64>, ContractError> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let number = value.integer().ok_or_else(|| wrong(name, "a whole number", value))?;
        if number < least || number > most {
            return Err(ContractError::at(name, format!("expected {least} to {most}; found {number}")));
        }
        Ok(Some(number))
    }

    /// A truth value.
    pub(crate) fn bool(&self, name: &str) -> Result<Option<bool>, ContractError> {
        let Some(value) = self.value(name) else { return Ok(None) };
        value.bool().map(Some).ok_or_else(|| wrong(name, "true or false", value))
    }

    /// An array of so many elements at most.
    pub(crate) fn array(&self, name: &str, most: usize) -> Result<Option<&'a [Json]>, ContractError> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let items = value.array().ok_or_else(|| wrong(name, "an array", value))?;
        if items.len() > most {
            return Err(ContractError::at(name, format!("more than {most} elements")));
        }
        Ok(Some(items))
    }

    /// An array of strings.
    pub(crate) fn texts(&self, name: &str, most: usize) -> Result<Option<Vec<String>>, ContractError> {
        let Some(items) = self.array(name, most)? else { return Ok(None) };
        let texts = items.iter().enumerate().map(|(index, item)| {
            item.str().map(ToString::to_string).ok_or_else(|| wrong(&format!("{name}[{index}]"), "a string", item))
        });
        texts.collect::<Result<_, _>>().map(Some)
    }
}

/// The refusal of a value of another kind.
pub(crate) fn wrong(path: &str, expected: &str, found: &Json) -> ContractError {
    ContractError::at(path, format!("expected {expected}; found {}", found.kind()))
}

/// A name for a path: cut, since it may be a page.
pub(crate) fn shown_name(name: &str) -> String {
    name.chars().take(64).collect()
}

/// The refusal of a text that the strict parser refused.
pub(crate) fn unreadable(place: &str, fault: &super::strict::Fault) -> ContractError {
    ContractError::new(Code::ContractInvalid, &fault.message).with("path", place).with("byte", fault.at)
}
