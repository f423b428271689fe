//! A contract's life: a draft is frozen, a frozen one is proven whole, supplemented without changing it, or followed by a revision.

use super::canonical;
use super::check::Check;
use super::codes::Code;
use super::error::ContractError;
use super::fields::{wrong, Fields};
use super::json::{array, named, object, Json, Object};
use super::model::{Contract, CHECKS};
use super::paths;
use super::plan::guarded;
use super::principal::Principal;
use super::time::Moment;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A frozen contract, and what its author should know.
#[derive(Clone, Debug)]
pub struct Frozen {
    /// The contract.
    pub contract: Contract,
    /// `no_required_check`: nothing decides, so that the best answer is UNVERIFIED.
    pub warnings: Vec<&'static str>,
}

/// Freezes a draft at a time, in UTC, by a principal. The draft stays as it is.
///
/// # Errors
/// `verify.contract_already_frozen` when one of `frozen_at` and `digest` is set; `verify.contract_empty` without checks;
/// `verify.contract_invalid`, also for a check that a model may not freeze.
pub fn freeze(draft: &Contract, now: &str, by: &str) -> Result<Frozen, ContractError> {
    if draft.frozen_at.is_some() || draft.digest.is_some() {
        let error = ContractError::new(Code::ContractAlreadyFrozen, format!("{} is frozen already", draft.contract_id));
        return Err(error.with("contract_id", draft.contract_id.as_str()).with("digest", draft.digest.clone()));
    }
    if draft.checks.is_empty() {
        let error = ContractError::new(Code::ContractEmpty, format!("{} has no checks", draft.contract_id));
        return Err(error.with("contract_id", draft.contract_id.as_str()));
    }
    let by = Principal::given(by, "by")?;
    let now = moment(now)?;
    for (index, check) in draft.checks.iter().enumerate() {
        check.validate(by.is_model()).map_err(|error| error.inside(&format!("checks[{index}]")))?;
    }
    let mut contract = draft.clone();
    contract.created_at = contract.created_at.or_else(|| Some(now.clone()));
    contract.frozen_at = Some(now);
    contract.frozen_by = Some(by);
    contract.digest = Some(contract.content_digest());
    let decides = contract.checks.iter().any(|check| check.required);
    Ok(Frozen { contract, warnings: if decides { Vec::new() } else { ["no_required_check"].into() } })
}

fn moment(now: &str) -> Result<String, ContractError> {
    let message = "expected a time in UTC such as 2026-01-01T00:00:00Z";
    Moment::parse(now).map(|_| now.to_string()).ok_or_else(|| ContractError::at("now", message))
}

/// Whether a contract is frozen and still what was frozen. Gives its digest.
///
/// # Errors
/// `verify.contract_not_frozen`; `verify.contract_tampered` with `recorded_digest` and `actual_digest`.
pub fn check_integrity(contract: &Contract) -> Result<&str, ContractError> {
    let (Some(recorded), Some(_)) = (&contract.digest, &contract.frozen_at) else {
        let error = ContractError::new(Code::ContractNotFrozen, format!("{} is a draft", contract.contract_id));
        return Err(error.with("contract_id", contract.contract_id.as_str()));
    };
    let actual = contract.content_digest();
    if actual == *recorded {
        return Ok(recorded);
    }
    let message = format!("{} is not what was frozen", contract.contract_id);
    let error = ContractError::new(Code::ContractTampered, message).with("contract_id", contract.contract_id.as_str());
    Err(error.with("recorded_digest", recorded.as_str()).with("actual_digest", actual))
}

/// Checks that someone adds to a frozen contract. They decide nothing, and change nothing in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supplement {
    /// The digest of the contract.
    pub base_digest: String,
    /// Who proposed them.
    pub proposed_by: Principal,
    /// The checks, none of them required.
    pub checks: Vec<Check>,
}

impl Supplement {
    fn content(&self) -> Object {
        let members = [
            ("base_digest", self.base_digest.as_str().into()),
            ("proposed_by", self.proposed_by.text().into()),
            ("checks", array(self.checks.iter().map(Check::json))),
        ];
        named(&mut members.into_iter())
    }

    /// The digest of the other members.
    pub fn digest(&self) -> String {
        canonical::digest(&Json::Object(self.content()))
    }

    /// `{base_digest, proposed_by, checks, digest}`.
    pub fn json(&self) -> Json {
        let mut members = self.content();
        members.insert("digest".to_string(), self.digest().into());
        Json::Object(members)
    }

    /// Reads what [`Supplement::json`] gave, for a contract. What [`propose`] would not have given is refused.
    pub fn read(value: &Json, contract: &Contract) -> Result<Supplement, ContractError> {
        let fields = Fields::of(value, &["base_digest", "proposed_by", "checks", "digest"])?;
        let none = Json::Array(Vec::new());
        let by = fields.text("proposed_by", 160)?.unwrap_or("unknown");
        let proposal = propose(contract, fields.value("checks").unwrap_or(&none), by)?;
        let told = (fields.text("base_digest", 71)?, fields.text("digest", 71)?);
        let made = (contract.digest.as_deref(), Some(proposal.supplement.digest()));
        if (told.0, told.1) != (made.0, made.1.as_deref()) || !proposal.ignored.is_empty() {
            let message = "the supplement is of another contract, or is not what was proposed";
            return Err(ContractError::new(Code::ContractTampered, message)
                .with("recorded_digest", told.1)
                .with("actual_digest", made.1));
        }
        Ok(proposal.supplement)
    }
}

/// What became of a proposal.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The supplement.
    pub supplement: Supplement,
    /// Ids that the contract has already: nothing of them was taken.
    pub ignored: Vec<String>,
}

/// Proposes more checks for a frozen contract. Every one becomes advisory, whatever it says of itself, and one whose id the contract
/// has is left out.
///
/// # Errors
/// Those of [`check_integrity`] and of reading checks; `verify.supplement_refused` when a model proposes a check that acts, or that
/// reaches further than the contract.
pub fn propose(contract: &Contract, checks: &Json, by: &str) -> Result<Proposal, ContractError> {
    let base_digest = check_integrity(contract)?.to_string();
    let proposed_by = Principal::given(by, "by")?;
    let items = checks.array().ok_or_else(|| wrong("checks", "an array", checks))?;
    if items.len() > CHECKS {
        return Err(ContractError::at("checks", format!("more than {CHECKS} elements")));
    }
    let (mut taken, mut ignored): (Vec<Check>, Vec<String>) = (Vec::new(), Vec::new());
    for (index, item) in items.iter().enumerate() {
        let place = format!("checks[{index}]");
        if let Some(id) = item.get("id").and_then(Json::str).filter(|id| contract.check(id).is_some()) {
            ignored.push(id.to_string());
            continue;
        }
        let mut advisory = item.clone();
        if let Json::Object(members) = &mut advisory {
            members.insert("required".to_string(), false.into());
        }
        let check = Check::read(&advisory, false).map_err(|error| error.inside(&place))?;
        if taken.iter().any(|earlier| earlier.id == check.id) {
            return Err(ContractError::at(format!("{place}.id"), format!("{} is there twice", check.id)));
        }
        if proposed_by.is_model() {
            modest(contract, &check).map_err(|error| error.with("path", place))?;
        }
        taken.push(check);
    }
    Ok(Proposal { supplement: Supplement { base_digest, proposed_by, checks: taken }, ignored })
}

/// Headers that make another method of a GET.
const OVERRIDES: [&str; 3] = ["x-http-method", "x-http-method-override", "x-method-override"];

/// An advisory check is carried out all the same, so that one of a model may neither act nor reach beyond the contract.
fn modest(contract: &Contract, check: &Check) -> Result<(), ContractError> {
    let refused =
        |message: String| ContractError::new(Code::SupplementRefused, message).with("check_id", check.id.as_str());
    if check.kind == "command_exit" {
        return Err(refused(format!("{} would run a command", check.id)));
    }
    let method = check.params.get("method").and_then(Json::str).unwrap_or("GET");
    if !matches!(method, "GET" | "HEAD") {
        return Err(refused(format!("{} would send {method}", check.id)));
    }
    for (name, value) in check.params.get("headers").and_then(Json::object).into_iter().flatten() {
        if value.str().is_none() {
            return Err(refused(format!("{} would send a secret", check.id)));
        }
        // Many servers read a header with `_` as one with `-`.
        let name = name.to_ascii_lowercase().replace('_', "-");
        if OVERRIDES.contains(&name.as_str()) {
            return Err(refused(format!("{} would have {name} replace the method", check.id)));
        }
    }
    for request in check.requests() {
        if let Some(path) = request.paths.iter().find(|path| paths::is_absolute(path)) {
            return Err(refused(format!("{}: the path {path} is absolute", check.id)));
        }
        guarded(contract, &request).map_err(|reason| refused(format!("{}: {reason}", check.id)))?;
    }
    Ok(())
}

/// What a revision may change.
const REVISED: [&str; 7] =
    ["title", "required_assurance", "allowed_origins", "allowed_roots", "allowed_env", "checks", "source_prompt"];

/// A draft that follows a frozen contract: its number is one higher and it names the digest before it. It has to be frozen anew.
///
/// # Errors
/// Those of [`check_integrity`] and of [`Contract::read`].
pub fn revise(contract: &Contract, fields: &Json, by: &str) -> Result<Contract, ContractError> {
    let previous = check_integrity(contract)?.to_string();
    let by = Principal::given(by, "by")?;
    let changes = fields.object().ok_or_else(|| wrong("fields", "an object", fields))?;
    if let Some(name) = changes.keys().find(|name| !REVISED.contains(&name.as_str())) {
        let name = super::fields::shown_name(name);
        return Err(ContractError::at(format!("fields.{name}"), format!("a revision changes {}", REVISED.join(", "))));
    }
    let Json::Object(mut members) = contract.json() else { return Ok(contract.clone()) };
    members.extend(changes.clone());
    for name in ["frozen_by", "frozen_at", "created_at", "digest"] {
        members.remove(name);
    }
    members.insert("created_by".to_string(), by.text().into());
    members.insert("revision".to_string(), (contract.revision + 1).into());
    members.insert("previous_digest".to_string(), previous.into());
    Contract::read(&Json::Object(members)).map_err(|error| error.inside("fields"))
}

/// What the wire gives for a freeze.
pub(super) fn frozen_json(frozen: &Frozen) -> Json {
    object([
        ("contract", frozen.contract.json()),
        ("digest", frozen.contract.digest.clone().into()),
        ("terms_digest", frozen.contract.terms_digest().into()),
        ("warnings", array(frozen.warnings.iter().copied())),
    ])
}
