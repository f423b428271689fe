//! The pure decision once more, over the observations that a bundle holds.

use super::bundle::{Extras, EXTRAS};
use super::check::Check;
use super::codes::Code;
use super::decide::{Entry, Judge, Result as CheckResult};
use super::error::ContractError;
use super::fields::Fields;
use super::json::Json;
use super::judge::{bundle, seen_of, Parts};
use super::life::Supplement;
use super::model::Contract;
use super::observe::OBSERVATIONS;
use super::plan::{all_checks, plan};
use super::run::Run;
use super::shown::Mask;
use super::verdict::Line;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The members of a bundle beside those of [`Extras`].
const MEMBERS: &[&str] = &[
    "schema_version",
    "created_at",
    "started_at",
    "ended_at",
    "contract_id",
    "contract_digest",
    "terms_digest",
    "supplement_digests",
    "supplements",
    "plan_digest",
    "check_results",
    "observations",
    "counts",
    "verdict",
    "verdict_word",
    "reason",
    "error",
    "assurance",
    "assurance_facts",
    "limitations",
    "proof_eligible",
    "frozen_before_work",
    "policy_snapshot",
    "run_env",
    "tools",
];
/// What has to come out the same whatever version of the core judged; the sentences may be others.
const DECISIVE: [&str; 10] = [
    "verdict",
    "verdict_word",
    "counts",
    "assurance",
    "proof_eligible",
    "frozen_before_work",
    "terms_digest",
    "plan_digest",
    "supplement_digests",
    "policy_snapshot",
];

/// How far a bundle could be judged again.
pub(crate) struct Rejudged {
    /// Whether every deciding observation was there.
    whole: bool,
    /// A member that does not decide and came out otherwise, in a bundle that says another version made it.
    differs: Option<&'static str>,
}

impl Rejudged {
    /// Whether all that the bundle says was reached anew.
    pub(crate) fn complete(&self) -> bool {
        self.whole && self.differs.is_none()
    }

    /// Whether nothing came out otherwise, as far as it could be judged.
    pub(crate) fn agrees(&self) -> bool {
        self.differs.is_none()
    }

    /// Why not all of it was.
    pub(crate) fn reason(&self) -> Option<String> {
        match self.differs {
            Some(name) => Some(format!("the bundle names another version of the core, and {name} comes out otherwise")),
            None if self.whole => None,
            None => Some("an observation that decides is not stored".to_string()),
        }
    }
}

/// Judges a bundle again. A check whose observation was too large to be stored keeps its result, and the verdict is reached anew all the
/// same. The version in the bundle is itself only said: what decides is compared whatever it is, and what else differs is told.
///
/// # Errors
/// `verify.attestation_invalid` when it is no bundle; `verify.verdict_mismatch` when something else comes out.
pub(crate) fn rejudge(contract: &Contract, stored: &Json) -> Result<Rejudged, ContractError> {
    let fields = strict(stored)?;
    let run = Run::read(fields.needed("run_env").map_err(invalid)?).map_err(invalid)?;
    let mask = Mask::new(None);
    let extras = Extras::read(&fields, &mask).map_err(invalid)?;
    let supplements = list(&fields, "supplements", |value| Supplement::read(value, contract)).map_err(invalid)?;
    let entries = list(&fields, "observations", Entry::read).map_err(invalid)?;
    let Ok(made) = plan(contract, &supplements, &run) else {
        return Err(mismatch("run_env", "no plan follows from the contract and the account of the host"));
    };
    if let Some(entry) = entries.iter().find(|entry| !entry.is_whole()) {
        return Err(mismatch("observations", &format!("that of {} is not what its digest says", entry.request_id)));
    }
    let judge = Judge::new(contract, &made, &run, &mask);
    let (results, whole) = decided(&judge, &supplements, &entries, stored).map_err(invalid)?;
    let core = stored.get("tools").and_then(|tools| tools.get("core")?.get("version")?.str());
    let parts = Parts {
        contract,
        supplements: &supplements,
        run: &run,
        extras: &extras,
        claimed: fields.text("plan_digest", 71).map_err(invalid)?.unwrap_or_default().to_string(),
        entries: &entries,
        core: core.map(ToString::to_string),
    };
    let differs = compare(&bundle(&judge, &parts, &results), stored, core == Some(env!("CARGO_PKG_VERSION")))?;
    Ok(Rejudged { whole, differs })
}

/// The members of a bundle, all of which are there and none beside them.
fn strict(stored: &Json) -> Result<Fields<'_>, ContractError> {
    let known: Vec<&str> = MEMBERS.iter().chain(EXTRAS).copied().collect();
    let read =
        Fields::of(stored, &known).and_then(|fields| match known.iter().find(|name| stored.get(name).is_none()) {
            Some(name) => Err(ContractError::at(*name, "missing")),
            None => Ok(fields),
        });
    read.map_err(invalid)
}

fn invalid(error: ContractError) -> ContractError {
    ContractError::new(Code::AttestationInvalid, format!("evidence.json: {error}"))
}

/// The results anew, as far as their observations are there, and whether those of all required checks are.
fn decided(
    judge: &Judge<'_>,
    supplements: &[Supplement],
    entries: &[Entry],
    stored: &Json,
) -> Result<(Vec<CheckResult>, bool), ContractError> {
    let mut places: BTreeMap<&str, &Entry> = BTreeMap::new();
    for entry in entries {
        places.entry(&entry.request_id).or_insert(entry);
    }
    let (mut results, mut whole) = (Vec::new(), true);
    for check in all_checks(judge.contract, supplements) {
        let own = judge.planned(check).iter().filter_map(|planned| places.get(planned.id.as_str()).copied());
        let own: Vec<&Entry> = own.collect();
        // What another build could decide is not for this one to deny.
        let able = cfg!(feature = "json-schema") || check.kind != "json_schema";
        if able && own.iter().all(|entry| entry.envelope.is_some()) {
            let decided = judge.decide(check, &|id| places.get(id)?.envelope.as_ref());
            results.push(judge.result(check, &decided, &seen_of(&own), judge.mask));
        } else {
            whole &= !check.required;
            results.push(stored_result(stored, check)?);
        }
    }
    Ok((results, whole))
}

fn list<T>(
    fields: &Fields<'_>,
    name: &str,
    read: impl Fn(&Json) -> Result<T, ContractError>,
) -> Result<Vec<T>, ContractError> {
    let items = fields.array(name, OBSERVATIONS)?.unwrap_or_default();
    items.iter().map(|item| read(item).map_err(|error| error.inside(name))).collect()
}

/// The result of a check that cannot be decided anew.
fn stored_result(stored: &Json, check: &Check) -> Result<CheckResult, ContractError> {
    let results = stored.get("check_results").and_then(Json::array).unwrap_or_default();
    let found = results.iter().find(|result| result.get("check_id").and_then(Json::str) == Some(&check.id));
    let json = found.ok_or_else(|| ContractError::at("check_results", format!("{} is missing", check.id)))?;
    let text = |name: &str| json.get(name).and_then(Json::str).unwrap_or_default();
    let limitations = json.get("limitations").and_then(Json::array).unwrap_or_default();
    let line = Line {
        check_id: check.id.clone(),
        kind: text("type").to_string(),
        passed: json.get("passed").and_then(Json::bool),
        code: Code::of_name(text("code")),
        reason: text("summary").to_string(),
        limitations: limitations.iter().filter_map(Json::str).map(ToString::to_string).collect(),
    };
    Ok(CheckResult { json: json.clone(), line })
}

fn mismatch(member: &str, message: &str) -> ContractError {
    ContractError::new(Code::VerdictMismatch, message).with("member", member)
}

/// Compares what came out with what is stored. With another version's bundle the sentences may be others: gives the first member that is,
/// where this version's would be refused.
fn compare(made: &Json, stored: &Json, own: bool) -> Result<Option<&'static str>, ContractError> {
    let differs = |name: &str| made.get(name) != stored.get(name);
    let told = |name: &str| mismatch(name, &format!("the stored observations lead to another {name}"));
    // The decisive ones first, since they say most to whoever reads the refusal.
    if let Some(name) = DECISIVE.iter().find(|name| differs(name)) {
        return Err(told(name));
    }
    let other = MEMBERS.iter().chain(EXTRAS).copied().find(|name| differs(name));
    if let Some(name) = other.filter(|_| own) {
        return Err(told(name));
    }
    if passed(made) != passed(stored) {
        return Err(told("check_results"));
    }
    // A limitation may be added by whoever judged, and never left out.
    let limitations = |bundle: &Json| -> BTreeSet<String> {
        let listed = bundle.get("limitations").and_then(Json::array).unwrap_or_default();
        listed.iter().filter_map(Json::str).map(ToString::to_string).collect()
    };
    if !limitations(made).is_subset(&limitations(stored)) {
        return Err(told("limitations"));
    }
    Ok(other)
}

/// What of the results decides.
fn passed(bundle: &Json) -> Vec<Json> {
    let results = bundle.get("check_results").and_then(Json::array).unwrap_or_default();
    let decisive = ["check_id", "type", "required", "passed", "status", "code", "input_digest"];
    let result = |result: &Json| {
        super::json::object(decisive.map(|name| (name, result.get(name).cloned().unwrap_or(Json::Null))))
    };
    results.iter().map(result).collect()
}
