//! One check of a contract: what is looked at, what is expected, and whether the verdict depends on it.

use super::canonical;
use super::checks::{self, CheckType};
use super::decimal::Decimal;
use super::error::ContractError;
use super::fields::{wrong, Fields};
use super::json::{object, Json, Object};
use super::params::{argv, materialised, Params};
use alloc::format;
use alloc::string::{String, ToString};

/// One thing to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Its id, once in a contract.
    pub id: String,
    /// The name of its type.
    pub kind: String,
    /// Whether the verdict depends on it.
    pub required: bool,
    /// What it is for.
    pub description: String,
    /// What is looked at and expected.
    pub params: Object,
    /// How long it may take, as the text of a number.
    pub timeout_seconds: Json,
}

/// What the rules of a check need to know beyond its parameters.
#[derive(Clone, Copy)]
pub(crate) struct Terms<'a> {
    pub(crate) params: Params<'a>,
    pub(crate) required: bool,
    /// Whether a model froze the contract, or is about to.
    pub(crate) by_model: bool,
}

impl Check {
    /// Reads a check and writes its defaults out.
    pub(crate) fn read(value: &Json, by_model: bool) -> Result<Check, ContractError> {
        let fields = Fields::of(value, &["id", "type", "required", "description", "params", "timeout_seconds"])?;
        let id = fields.text("id", 64)?.ok_or_else(|| ContractError::at("id", "missing"))?;
        if id.is_empty() || !id.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.:-".contains(&b)) {
            return Err(ContractError::at("id", "expected 1 to 64 of A-Z a-z 0-9 _ . : -"));
        }
        let kind = fields.text("type", 64)?.ok_or_else(|| ContractError::at("type", "missing"))?;
        let table = checks::find(kind)
            .ok_or_else(|| ContractError::at("type", format!("unknown; known are {}", checks::names().join(", "))))?;
        let none = Json::Object(Object::new());
        let params = fields.value("params").unwrap_or(&none);
        let params = params.object().ok_or_else(|| wrong("params", "an object", params))?;
        let required = fields.bool("required")?.unwrap_or(true);
        let check = Check {
            id: id.to_string(),
            kind: kind.to_string(),
            required,
            description: fields.text("description", 2000)?.unwrap_or_default().to_string(),
            params: read_params(params, table).map_err(|error| error.inside("params"))?,
            timeout_seconds: timeout(fields.value("timeout_seconds"))?,
        };
        check.validate(by_model)?;
        Ok(check)
    }

    /// The rules of the type that go beyond the kinds of parameters. They are looked at again when it is known who freezes.
    pub(crate) fn validate(&self, by_model: bool) -> Result<(), ContractError> {
        let Some(table) = self.table() else { return Ok(()) };
        let terms = Terms { params: Params(&self.params), required: self.required, by_model };
        (table.validate)(&terms).map_err(|error| error.inside("params"))
    }

    /// The row of its type.
    pub(crate) fn table(&self) -> Option<&'static CheckType> {
        checks::find(&self.kind)
    }

    /// The check as JSON, with every default.
    pub(crate) fn json(&self) -> Json {
        let mut members = self.terms();
        members.insert("description".to_string(), self.description.as_str().into());
        Json::Object(members)
    }

    pub(crate) fn terms(&self) -> Object {
        let members = [
            ("id", self.id.as_str().into()),
            ("type", self.kind.as_str().into()),
            ("required", self.required.into()),
            ("params", Json::Object(self.params.clone())),
            ("timeout_seconds", self.timeout_seconds.clone()),
        ];
        members.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
    }

    /// The digest of what is looked at and expected.
    pub(crate) fn input_digest(&self) -> String {
        let params = Json::Object(self.params.clone());
        canonical::digest(&object([("type", self.kind.as_str().into()), ("params", params)]))
    }
}

fn read_params(params: &Object, table: &CheckType) -> Result<Object, ContractError> {
    if let Some(command) = params.get("command") {
        argv(command).map_err(|error| error.inside("command"))?;
    }
    materialised(params, table.params)
}

fn timeout(value: Option<&Json>) -> Result<Json, ContractError> {
    let Some(value) = value else { return Ok(Json::from(30_i64)) };
    let number = value.number().ok_or_else(|| wrong("timeout_seconds", "a number", value))?;
    let bounds = (Decimal::parse(number.text()), Decimal::parse("0"), Decimal::parse("600"));
    match bounds {
        (Some(seconds), Some(least), Some(most)) if seconds > least && seconds <= most => Ok(value.clone()),
        _ => Err(ContractError::at(
            "timeout_seconds",
            format!("expected more than 0 and at most 600; found {}", number.text()),
        )),
    }
}
