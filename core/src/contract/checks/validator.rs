//! The validator of schemas behind the feature `json-schema`.

use super::json_schema::Found;
use super::prelude::*;
use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::{Map, Number, Value};

/// The most bytes of a compiled pattern.
const PATTERN: usize = 1 << 20;

/// A compiled schema.
pub(super) struct Schema(Validator);

impl Schema {
    /// Compiles a schema that fetches nothing.
    pub(super) fn compile(schema: &Json, formats: bool) -> Result<Schema, String> {
        let mut exact = true;
        let value = value_of(schema, &mut exact);
        let draft = if schema.get("$schema").is_some() { None } else { Some(Draft::Draft202012) };
        let mut options = jsonschema::options().offline();
        if let Some(draft) = draft {
            options = options.with_draft(draft);
        }
        let options = options
            .should_validate_formats(formats)
            .with_pattern_options(PatternOptions::regex().size_limit(PATTERN).dfa_size_limit(PATTERN));
        options.build(&value).map(Schema).map_err(|error| super::super::shown::cut(&error.to_string(), 300))
    }

    /// What does not fit.
    pub(super) fn validate(&self, document: &Json) -> Found {
        let mut exact = true;
        let value = value_of(document, &mut exact);
        let (mut first, mut count) = (None, 0);
        for error in self.0.iter_errors(&value) {
            if first.is_none() {
                let place = error.instance_path().to_string();
                first = Some((place, error.kind().keyword().to_string(), error.to_string()));
            }
            count += 1;
            if count == 10_000 {
                break;
            }
        }
        let limitation = "numbers beyond a double were compared as doubles".to_string();
        let limitations = if exact { Vec::new() } else { [limitation].into() };
        Found { valid: count == 0, first, count, limitations }
    }
}

/// The value for the validator. `exact` becomes false for a number that it cannot hold.
fn value_of(value: &Json, exact: &mut bool) -> Value {
    match value {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::String(text) => Value::String(text.clone()),
        Json::Array(items) => Value::Array(items.iter().map(|item| value_of(item, exact)).collect()),
        Json::Object(members) => Value::Object(
            members.iter().map(|(name, value)| (name.clone(), value_of(value, exact))).collect::<Map<_, _>>(),
        ),
        Json::Number(number) => number_of(number.text(), exact),
    }
}

fn number_of(text: &str, exact: &mut bool) -> Value {
    if let Ok(whole) = text.parse::<i64>() {
        return Value::Number(whole.into());
    }
    if let Ok(whole) = text.parse::<u64>() {
        return Value::Number(whole.into());
    }
    let double = text.parse::<f64>().unwrap_or(f64::MAX).clamp(f64::MIN, f64::MAX);
    *exact &= Decimal::parse(text) == Decimal::parse(&super::super::canonical::number(double));
    Number::from_f64(double).map_or(Value::Null, Value::Number)
}
