//! The contract and its checks as values, every default written out.

use super::canonical;
use super::check::Check;
use super::codes::Code;
use super::error::ContractError;
use super::fields::{wrong, Fields};
use super::json::{array, named, object, Json, Object};
use super::level::Level;
use super::principal::Principal;
use super::time::Moment;
use super::{origin, paths};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The most checks of a contract.
pub const CHECKS: usize = 256;
/// The most origins, roots and names of variables.
const ENTRIES: usize = 256;
const MEMBERS: &[&str] = &[
    "schema_version",
    "contract_id",
    "revision",
    "previous_digest",
    "title",
    "created_by",
    "created_at",
    "frozen_by",
    "frozen_at",
    "required_assurance",
    "allowed_origins",
    "allowed_roots",
    "allowed_env",
    "checks",
    "source_prompt",
    "digest",
];

/// What has to be true, as a value that can be digested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The id that the host gave it.
    pub contract_id: String,
    /// How many revisions came before it.
    pub revision: i64,
    /// The digest of the revision before it.
    pub previous_digest: Option<String>,
    /// What it is called.
    pub title: String,
    /// Who wrote it.
    pub created_by: Principal,
    /// When, in UTC.
    pub created_at: Option<String>,
    /// Who froze it.
    pub frozen_by: Option<Principal>,
    /// When, in UTC.
    pub frozen_at: Option<String>,
    /// How independent the judge has to be.
    pub required_assurance: Level,
    /// The only origins that a check may reach, sorted.
    pub allowed_origins: Vec<Origin>,
    /// The only directories that a check may read, relative to the workspace.
    pub allowed_roots: Vec<String>,
    /// Variables that a command gets beyond the fixed ones.
    pub allowed_env: Vec<String>,
    /// The checks.
    pub checks: Vec<Check>,
    /// The words that led to it. Nothing reads them.
    pub source_prompt: String,
    /// The digest that the freeze set.
    pub digest: Option<String>,
}

/// An origin that checks may reach.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// Scheme, host and port, without the port where it is the scheme's own.
    pub origin: String,
    /// Whether its name may resolve to an address that is not public.
    pub allow_private: bool,
}

impl Origin {
    fn read(value: &Json) -> Result<Origin, ContractError> {
        let (text, allow_private) = match value {
            Json::String(text) => (text.as_str(), false),
            Json::Object(_) => {
                let fields = Fields::of(value, &["origin", "allow_private"])?;
                let text = fields.text("origin", 2048)?.ok_or_else(|| ContractError::at("origin", "missing"))?;
                (text, fields.bool("allow_private")?.unwrap_or(false))
            }
            other => return Err(wrong("", "an origin", other)),
        };
        let origin = origin::normalise(text).map_err(|message| ContractError::at("", message))?;
        Ok(Origin { origin, allow_private })
    }

    fn json(&self) -> Json {
        if self.allow_private {
            return object([("origin", self.origin.as_str().into()), ("allow_private", true.into())]);
        }
        self.origin.as_str().into()
    }
}

impl Contract {
    /// Reads a draft or a frozen contract, and writes its defaults out.
    ///
    /// # Errors
    /// `verify.contract_invalid` with the place in `details.path`, `verify.schema_unsupported`, `verify.check_vacuous`.
    pub fn read(value: &Json) -> Result<Contract, ContractError> {
        let fields = Fields::of(value, MEMBERS)?;
        version(&fields)?;
        let id = fields.text("contract_id", 128)?.ok_or_else(|| ContractError::at("contract_id", "missing"))?;
        if id.is_empty() || !id.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.:+-".contains(&b)) {
            return Err(ContractError::at("contract_id", "expected 1 to 128 of A-Z a-z 0-9 _ . : + -"));
        }
        let frozen_by = Principal::read(&fields, "frozen_by")?;
        let by_model = frozen_by.as_ref().is_some_and(Principal::is_model);
        Ok(Contract {
            contract_id: id.to_string(),
            revision: fields.integer("revision", 0, i64::from(i32::MAX))?.unwrap_or(0),
            previous_digest: digest(&fields, "previous_digest")?,
            title: fields.text("title", 200)?.unwrap_or_default().to_string(),
            created_by: Principal::read(&fields, "created_by")?.unwrap_or_default(),
            created_at: moment(&fields, "created_at")?,
            frozen_by,
            frozen_at: moment(&fields, "frozen_at")?,
            required_assurance: level(&fields)?,
            allowed_origins: origins(&fields)?,
            allowed_roots: roots(&fields)?,
            allowed_env: env(&fields)?,
            checks: checks_of(&fields, by_model)?,
            source_prompt: fields.text("source_prompt", 8000)?.unwrap_or_default().to_string(),
            digest: digest(&fields, "digest")?,
        })
    }

    /// The contract as JSON, with every default.
    pub fn json(&self) -> Json {
        let mut members = self.content();
        members.insert("digest".to_string(), self.digest.clone().into());
        Json::Object(members)
    }

    fn content(&self) -> Object {
        let Json::Object(mut members) = object([
            ("schema_version", 1_i64.into()),
            ("contract_id", self.contract_id.as_str().into()),
            ("revision", self.revision.into()),
            ("previous_digest", self.previous_digest.clone().into()),
            ("title", self.title.as_str().into()),
            ("created_by", self.created_by.text().into()),
            ("created_at", self.created_at.clone().into()),
            ("frozen_by", self.frozen_by.as_ref().map(Principal::text).into()),
            ("frozen_at", self.frozen_at.clone().into()),
            ("source_prompt", self.source_prompt.as_str().into()),
            ("checks", array(self.checks.iter().map(Check::json))),
        ]) else {
            return Object::new();
        };
        members.extend(self.reach());
        members
    }

    /// What the terms hold beside the checks.
    fn reach(&self) -> Object {
        let members = [
            ("required_assurance", self.required_assurance.name().into()),
            ("allowed_origins", array(self.allowed_origins.iter().map(Origin::json))),
            ("allowed_roots", array(&self.allowed_roots)),
            ("allowed_env", array(&self.allowed_env)),
        ];
        named(&mut members.into_iter())
    }

    /// The digest of all but the digest.
    pub fn content_digest(&self) -> String {
        canonical::digest(&Json::Object(self.content()))
    }

    /// The digest of what is demanded: without names, times, words, and in no order. Equal terms have equal digests however often
    /// they are frozen.
    pub fn terms_digest(&self) -> String {
        let mut sorted: Vec<&Check> = self.checks.iter().collect();
        sorted.sort_by(|a, b| a.id.cmp(&b.id));
        let mut members = self.reach();
        members.insert("schema_version".to_string(), 1_i64.into());
        members.insert("checks".to_string(), array(sorted.into_iter().map(|check| Json::Object(check.terms()))));
        canonical::digest(&Json::Object(members))
    }

    /// The check of an id.
    pub fn check(&self, id: &str) -> Option<&Check> {
        self.checks.iter().find(|check| check.id == id)
    }
}

fn version(fields: &Fields<'_>) -> Result<(), ContractError> {
    match fields.value("schema_version") {
        None => Ok(()),
        Some(value) if value.integer() == Some(1) => Ok(()),
        Some(value @ Json::Number(number)) => {
            let message = format!("schema_version {} is not known here", number.text());
            Err(ContractError::new(Code::SchemaUnsupported, message).with("found", value.clone()))
        }
        Some(value) => Err(wrong("schema_version", "a whole number", value)),
    }
}

/// A digest, as this module writes them.
pub(crate) fn digest(fields: &Fields<'_>, name: &str) -> Result<Option<String>, ContractError> {
    match fields.text(name, 71)? {
        Some(text) if !canonical::is_digest(text) => {
            Err(ContractError::at(name, "expected sha256: and 64 lower-case hexadecimal digits"))
        }
        text => Ok(text.map(ToString::to_string)),
    }
}

/// A time as the host gave it.
pub(crate) fn moment(fields: &Fields<'_>, name: &str) -> Result<Option<String>, ContractError> {
    match fields.text(name, 40)? {
        Some(text) if Moment::parse(text).is_none() => {
            Err(ContractError::at(name, "expected a time in UTC such as 2026-01-01T00:00:00Z"))
        }
        text => Ok(text.map(ToString::to_string)),
    }
}

fn level(fields: &Fields<'_>) -> Result<Level, ContractError> {
    let Some(name) = fields.text("required_assurance", 64)? else { return Ok(Level::DeterministicLocal) };
    Level::of_name(name).ok_or_else(|| {
        let known: Vec<&str> = super::level::LEVELS.iter().map(|info| info.name).collect();
        ContractError::at("required_assurance", format!("expected one of {}", known.join(", ")))
    })
}

fn origins(fields: &Fields<'_>) -> Result<Vec<Origin>, ContractError> {
    let mut origins = Vec::new();
    for (index, item) in fields.array("allowed_origins", ENTRIES)?.unwrap_or_default().iter().enumerate() {
        origins.push(Origin::read(item).map_err(|error| error.inside(&format!("allowed_origins[{index}]")))?);
    }
    origins.sort();
    origins.dedup();
    match origins.windows(2).find(|pair| pair[0].origin == pair[1].origin) {
        Some(pair) => Err(ContractError::at(
            "allowed_origins",
            format!("{} is there with and without allow_private", pair[0].origin),
        )),
        None => Ok(origins),
    }
}

fn roots(fields: &Fields<'_>) -> Result<Vec<String>, ContractError> {
    let roots = fields.texts("allowed_roots", ENTRIES)?.unwrap_or_else(|| [".".to_string()].to_vec());
    for (index, root) in roots.iter().enumerate() {
        let checked = paths::syntax(root).and_then(|()| paths::root(root));
        checked.map_err(|message| ContractError::at(format!("allowed_roots[{index}]"), message))?;
    }
    Ok(roots)
}

fn env(fields: &Fields<'_>) -> Result<Vec<String>, ContractError> {
    let names = fields.texts("allowed_env", ENTRIES)?.unwrap_or_default();
    for (index, name) in names.iter().enumerate() {
        let fits = name.len() <= 128
            && name
                .bytes()
                .enumerate()
                .all(|(at, b)| b == b'_' || b.is_ascii_alphabetic() || (at > 0 && b.is_ascii_digit()));
        if name.is_empty() || !fits {
            return Err(ContractError::at(format!("allowed_env[{index}]"), "expected a variable's name"));
        }
    }
    Ok(names)
}

fn checks_of(fields: &Fields<'_>, by_model: bool) -> Result<Vec<Check>, ContractError> {
    let mut checks: Vec<Check> = Vec::new();
    for (index, item) in fields.array("checks", CHECKS)?.unwrap_or_default().iter().enumerate() {
        let place = format!("checks[{index}]");
        let check = Check::read(item, by_model).map_err(|error| error.inside(&place))?;
        if checks.iter().any(|earlier| earlier.id == check.id) {
            return Err(ContractError::at(format!("{place}.id"), format!("{} is there twice", check.id)));
        }
        checks.push(check);
    }
    Ok(checks)
}
