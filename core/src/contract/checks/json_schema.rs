//! A JSON file fits a schema.
//!
//! # Sees
//! The content of the file (see [`super::content`]). A host with a validator of its own may say beside it what that found:
//! `validation: {validator, valid, errors: [{path, keyword, message}], error_count}`.
//!
//! # Decides
//! The document fits. A build with the feature `json-schema` validates itself; one without believes the host's validator and says so, and
//! without that decides nothing. A schema refers to nothing but itself: nothing is fetched. Patterns run in linear time.
use super::super::canonical;
use super::super::fields::Fields;
use super::super::shown::cut;
use super::content;
use super::prelude::*;
use super::references;

/// The longest message that is shown.
const MESSAGE: usize = 300;
/// How deep a document may be nested to be validated.
const DEPTH: usize = 128;

pub(super) const TYPE: CheckType = CheckType {
    name: "json_schema",
    about: "a JSON file fits a schema that refers to nothing outside itself",
    capabilities: &[Capability::Read],
    params: &[
        must("path", Kind::Path, "the file, relative to the workspace"),
        must("schema", Kind::Own("object", schema), "the schema; of draft 2020-12 unless `$schema` says otherwise"),
        or("assert_formats", Kind::Bool, "false", "whether `format` decides"),
    ],
    validate,
    requests: |params| {
        [content::read("file", params.text("path")).given(params, "schema").given(params, "assert_formats")].into()
    },
    decide,
};

/// Dialects that are known.
const DIALECTS: [&str; 5] = [
    "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-07/schema",
    "http://json-schema.org/draft-06/schema",
    "http://json-schema.org/draft-04/schema",
];

/// Keywords that something can break. A schema without any of them fits everything.
const BREAKABLE: [&str; 41] = [
    "type",
    "enum",
    "const",
    "multipleOf",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "maxContains",
    "minContains",
    "maxProperties",
    "minProperties",
    "required",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "properties",
    "patternProperties",
    "additionalProperties",
    "propertyNames",
    "unevaluatedProperties",
    "items",
    "additionalItems",
    "prefixItems",
    "unevaluatedItems",
    "contains",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "extends",
];

fn schema(value: &Json) -> Result<(), ContractError> {
    if *value == Json::Bool(true) {
        return Err(vacuous("the schema true fits everything"));
    }
    let members = value.object().ok_or_else(|| fault("", format!("expected an object; found {}", value.kind())))?;
    if let Some(dialect) = members.get("$schema") {
        let known = dialect.str().map(|text| text.trim_end_matches('#'));
        if known.is_none_or(|known| !DIALECTS.contains(&known)) {
            return Err(fault("$schema", format!("expected one of {}", DIALECTS.join(", "))));
        }
    }
    references::closed(value)
}

fn validate(terms: &Terms<'_>) -> Result<(), ContractError> {
    let schema = terms.params.value("schema").unwrap_or(&Json::Null);
    let formats = terms.params.bool("assert_formats");
    let members = schema.object().into_iter().flatten();
    let mut names = members.map(|(name, _)| name.as_str());
    if !names.any(|name| BREAKABLE.contains(&name) || (formats && name == "format")) {
        return Err(vacuous("the schema fits everything"));
    }
    compiled(schema, formats).map_err(|message| fault("schema", message))
}

#[cfg(feature = "json-schema")]
fn compiled(schema: &Json, formats: bool) -> Result<(), String> {
    super::validator::Schema::compile(schema, formats).map(|_| ())
}

#[cfg(not(feature = "json-schema"))]
#[allow(clippy::unnecessary_wraps)] // The other build refuses.
fn compiled(_schema: &Json, _formats: bool) -> Result<(), String> {
    Ok(())
}

/// What a validator found.
pub(super) struct Found {
    pub(super) valid: bool,
    /// The place in the document, the keyword and the message of the first error.
    pub(super) first: Option<(String, String, String)>,
    pub(super) count: usize,
    pub(super) limitations: Vec<String>,
}

fn decide(case: &Case<'_>) -> Decided {
    let path = case.params.text("path");
    let schema = canonical::digest(case.params.value("schema").unwrap_or(&Json::Null));
    let expected = object([("schema", schema.into())]);
    let look = case.look("file")?;
    let (bare, said) = parted(&look);
    let look = Look { value: bare.as_ref(), ..look };
    let document = match content::document(&look)? {
        Ok(document) => document,
        Err(wrong) => return Ok(wrong.decision(expected, path)),
    };
    if references::depth(&document) > DEPTH {
        let reason = format!("the document is nested more than {DEPTH} deep");
        return Err(Undecided::new(Code::ObservationTruncated, reason));
    }
    let found = found(case.params, &document, said.as_ref())?;
    let mut decision = Decision::of(found.valid, expected, found.json(), found.words(path));
    decision.limitations = found.limitations;
    Ok(decision)
}

impl Found {
    fn json(&self) -> Json {
        let first = self.first.as_ref().map_or(Json::Null, |(place, keyword, message)| {
            object([
                ("path", cut(place, MESSAGE).into()),
                ("keyword", cut(keyword, 64).into()),
                ("message", cut(message, MESSAGE).into()),
            ])
        });
        object([("valid", self.valid.into()), ("error_count", self.count.into()), ("first", first)])
    }

    fn words(&self, path: &str) -> String {
        match &self.first {
            Some((place, _, message)) if !self.valid => {
                let place = if place.is_empty() { "the document" } else { place };
                format!("{path} does not fit: {}: {}", cut(place, 100), cut(message, MESSAGE))
            }
            _ if self.valid => format!("{path} fits the schema"),
            _ => format!("{path} does not fit the schema"),
        }
    }
}

/// What was seen of the file, and what a validator of the host says of it.
fn parted(look: &Look<'_>) -> (Option<Json>, Option<Json>) {
    match look.value {
        Some(Json::Object(members)) => {
            let mut members = members.clone();
            let said = members.remove("validation").filter(|said| !said.is_null());
            (Some(Json::Object(members)), said)
        }
        other => (other.cloned(), None),
    }
}

#[cfg(feature = "json-schema")]
fn found(params: Params<'_>, document: &Json, _said: Option<&Json>) -> Result<Found, Undecided> {
    let schema = params.value("schema").unwrap_or(&Json::Null);
    if !super::effort::is_bounded(schema, document) {
        let reason = "to validate the document by this schema would take too many steps";
        return Err(Undecided::new(Code::CheckTimeout, reason));
    }
    let compiled = super::validator::Schema::compile(schema, params.bool("assert_formats"));
    Ok(compiled.map_err(Undecided::malformed)?.validate(document))
}

#[cfg(not(feature = "json-schema"))]
fn found(_params: Params<'_>, _document: &Json, said: Option<&Json>) -> Result<Found, Undecided> {
    match said {
        Some(said) => of_host(said).map_err(|error| unread(error.inside("validation"))),
        None => {
            Err(Undecided::new(Code::CapabilityMissing, "neither this build nor the host has a validator of schemas"))
        }
    }
}

/// Reads what a validator of the host says.
#[cfg_attr(feature = "json-schema", allow(dead_code))]
fn of_host(said: &Json) -> Result<Found, ContractError> {
    let fields = Fields::of(said, &["validator", "valid", "errors", "error_count"])?;
    let valid = fields.bool("valid")?.ok_or_else(|| fault("valid", "missing"))?;
    let errors = fields.array("errors", 10_000)?.unwrap_or_default();
    if valid != errors.is_empty() {
        return Err(fault("errors", "a document that fits has none, and one that does not has some"));
    }
    let first = match errors.first() {
        None => None,
        Some(error) => {
            let error = Fields::of(error, &["path", "keyword", "message"])?;
            let text = |name| Ok::<String, ContractError>(error.text(name, 10_000)?.unwrap_or_default().to_string());
            Some((text("path")?, text("keyword")?, text("message")?))
        }
    };
    let count = fields.integer("error_count", 0, 1 << 40)?.map_or(errors.len(), |count| count as usize);
    let name = cut(fields.text("validator", 200)?.unwrap_or("a validator"), 100);
    let limitations = [format!("validated by {name} of the host")].into();
    Ok(Found { valid, first, count, limitations })
}
