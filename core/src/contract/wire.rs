//! What the bindings call: the name of a function and JSON text in, JSON text out.

use super::attest::{attest, verify_signature, Attesting, MEMBERS as ATTEST};
use super::bundle::{outcome, Extras, EXTRAS};
use super::canonical::canonical;
use super::checks;
use super::codes::CODES;
use super::error::ContractError;
use super::fields::{unreadable, wrong, Fields};
use super::json::{array, object, Json, Object};
use super::judge::{judge, judge_prose};
use super::level::LEVELS;
use super::life::{check_integrity, freeze, frozen_json, propose, revise, Supplement};
use super::model::{Contract, CHECKS};
use super::observe;
use super::plan::{check_addresses, plan};
use super::reverify::{reverify, Policy};
use super::run::Run;
use super::shown::Mask;
use super::strict::{parse, CALL, CONTRACT};
use super::verdict::verdict;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

type Function = fn(&Json) -> Result<Json, ContractError>;

/// Every function, by its name.
const FUNCTIONS: [(&str, Function); 15] = [
    ("freeze", call_freeze),
    ("check_integrity", call_check_integrity),
    ("propose", call_propose),
    ("revise", call_revise),
    ("plan", call_plan),
    ("check_addresses", call_check_addresses),
    ("judge", call_judge),
    ("verdict", call_verdict),
    ("outcome", call_outcome),
    ("attest", call_attest),
    ("reverify", call_reverify),
    ("verify_signature", call_verify_signature),
    ("check_types", |_| Ok(checks::documented())),
    ("codes", |_| Ok(codes())),
    ("levels", |_| Ok(levels())),
];

/// The names of the functions.
pub fn functions() -> Vec<&'static str> {
    FUNCTIONS.iter().map(|(name, _)| *name).collect()
}

/// Calls a function with an object of its arguments as JSON text, and gives its result as canonical JSON text.
///
/// A contract is an object or a string of JSON text. A text is read strictly; what a language made of it before it came here cannot be.
///
/// # Errors
/// The refusal of the function; `verify.contract_invalid` for a text that is not strict JSON, and for arguments of another shape.
pub fn call(name: &str, input: &str) -> Result<String, ContractError> {
    let function = FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, function)| function);
    let function = function.ok_or_else(|| {
        ContractError::at(
            "",
            format!("there is no function {}; there are {}", super::fields::shown_name(name), functions().join(", ")),
        )
    })?;
    let input = parse(input.as_bytes(), &CALL).map_err(|fault| unreadable("", &fault))?;
    function(&input).map(|value| canonical(&value))
}

/// A contract out of the arguments, whose own limits hold whichever way it came.
fn contract(fields: &Fields<'_>) -> Result<Contract, ContractError> {
    let given = fields.needed("contract")?;
    let text = match given {
        Json::String(text) => text.clone(),
        value => canonical(value),
    };
    let value = parse(text.as_bytes(), &CONTRACT).map_err(|fault| unreadable("contract", &fault))?;
    Contract::read(&value).map_err(|error| error.inside("contract"))
}

fn text<'a>(fields: &Fields<'a>, name: &str) -> Result<&'a str, ContractError> {
    fields.text(name, 4096)?.ok_or_else(|| ContractError::at(name, "missing"))
}

fn run(fields: &Fields<'_>) -> Result<Run, ContractError> {
    Run::read(fields.needed("run_env")?).map_err(|error| error.inside("run_env"))
}

/// The most supplements of a run.
const SUPPLEMENTS: usize = 16;

fn supplements(fields: &Fields<'_>, contract: &Contract) -> Result<Vec<Supplement>, ContractError> {
    let items = fields.array("supplements", SUPPLEMENTS)?.unwrap_or_default();
    let read: Vec<Supplement> = items.iter().map(|item| Supplement::read(item, contract)).collect::<Result<_, _>>()?;
    if read.iter().map(|supplement| supplement.checks.len()).sum::<usize>() > CHECKS {
        return Err(ContractError::at("supplements", format!("more than {CHECKS} checks in all")));
    }
    Ok(read)
}

fn call_freeze(input: &Json) -> Result<Json, ContractError> {
    let fields = Fields::of(input, &["contract", "now", "by"])?;
    let frozen = freeze(&contract(&fields)?, text(&fields, "now")?, text(&fields, "by")?);
    frozen.map(|frozen| frozen_json(&frozen)).map_err(|error| {
        let path = error.details().get("path").and_then(Json::str).unwrap_or_default();
        if path.starts_with("checks[") {
            error.inside("contract")
        } else {
            error
        }
    })
}

fn call_check_integrity(input: &Json) -> Result<Json, ContractError> {
    let contract = contract(&Fields::of(input, &["contract"])?)?;
    let digest = check_integrity(&contract)?.into();
    Ok(object([("digest", digest), ("terms_digest", contract.terms_digest().into())]))
}

fn call_propose(input: &Json) -> Result<Json, ContractError> {
    let fields = Fields::of(input, &["contract", "checks", "by"])?;
    let proposal = propose(&contract(&fields)?, fields.needed("checks")?, text(&fields, "by")?)?;
    Ok(object([("supplement", proposal.supplement.json()), ("ignored", array(proposal.ignored))]))
}

fn call_revise(input: &Json) -> Result<Json, ContractError> {
    let fields = Fields::of(input, &["contract", "fields", "by"])?;
    let draft = revise(&contract(&fields)?, fields.needed("fields")?, text(&fields, "by")?)?;
    Ok(object([("contract", draft.json())]))
}

fn call_plan(input: &Json) -> Result<Json, ContractError> {
    let fields = Fields::of(input, &["contract", "run_env", "supplements"])?;
    let contract = contract(&fields)?;
    // The digest stands before all else that could be wrong.
    check_integrity(&contract)?;
    Ok(plan(&contract, &supplements(&fields, &contract)?, &run(&fields)?)?.json)
}

fn call_check_addresses(input: &Json) -> Result<Json, ContractError> {
    let fields = Fields::of(input, &["plan", "request_id", "addresses"])?;
    let addresses = fields.texts("addresses", 256)?.unwrap_or_default();
    let addresses: Vec<&str> = addresses.iter().map(String::as_str).collect();
    Ok(check_addresses(fields.needed("plan")?, text(&fields, "request_id")?, &addresses)?.json)
}

fn call_judge(input: &Json) -> Result<Json, ContractError> {
    let known = ["contract", "plan", "observations", "run_env", "supplements"];
    let known: Vec<&str> = known.iter().chain(EXTRAS).copied().collect();
    let fields = Fields::of(input, &known)?;
    let run = run(&fields)?;
    let extras = Extras::read(&fields, &Mask::new(run.workspace.as_deref()))?;
    if fields.value("contract").is_none() {
        return Ok(judge_prose(&run, &extras));
    }
    let contract = contract(&fields)?;
    check_integrity(&contract)?;
    let supplements = supplements(&fields, &contract)?;
    let none = Json::Array(Vec::new());
    let observations = observe::read_all(fields.value("observations").unwrap_or(&none))?;
    judge(&contract, &supplements, fields.needed("plan")?, &observations, &run, &extras)
}

fn call_verdict(input: &Json) -> Result<Json, ContractError> {
    let fields = Fields::of(input, &["contract", "results", "advisory_findings"])?;
    let contract = contract(&fields)?;
    check_integrity(&contract)?;
    let mask = Mask::new(None);
    let findings = fields.texts("advisory_findings", 200)?.unwrap_or_default();
    let findings: Vec<String> = findings.iter().map(|text| mask.summary(text)).collect();
    verdict(&contract, fields.needed("results")?, &findings)
}

fn call_outcome(input: &Json) -> Result<Json, ContractError> {
    outcome(Fields::of(input, &["bundle"])?.needed("bundle")?)
}

fn call_attest(input: &Json) -> Result<Json, ContractError> {
    let fields = Fields::of(input, ATTEST)?;
    attest(&contract(&fields)?, fields.needed("bundle")?, &Attesting::read(&fields)?)
}

fn call_reverify(input: &Json) -> Result<Json, ContractError> {
    let fields = Fields::of(input, &["files", "trusted_keys", "policy"])?;
    let none = Json::Object(Object::new());
    let policy = Fields::of(fields.value("policy").unwrap_or(&none), &["require_signature"]);
    let policy = policy.map_err(|error| error.inside("policy"))?;
    let policy = Policy {
        trusted_keys: fields.texts("trusted_keys", 1000)?.unwrap_or_default(),
        require_signature: policy.bool("require_signature")?.unwrap_or(false),
    };
    let files = fields.needed("files")?;
    reverify(files.object().ok_or_else(|| wrong("files", "an object of texts", files))?, &policy)
}

fn call_verify_signature(input: &Json) -> Result<Json, ContractError> {
    let fields = Fields::of(input, &["envelope", "keys"])?;
    verify_signature(fields.needed("envelope")?, &fields.texts("keys", 1000)?.unwrap_or_default())
}

fn codes() -> Json {
    array(CODES.iter().map(|info| {
        object([
            ("code", info.name.into()),
            ("when", info.when.into()),
            ("fix", info.fix.into()),
            ("retryable", info.retryable.into()),
        ])
    }))
}

fn levels() -> Json {
    array(LEVELS.iter().map(|info| {
        object([
            ("level", info.name.into()),
            ("proves", info.proves.into()),
            ("does_not_prove", info.lacks.into()),
            ("facts", array(info.facts.iter().copied())),
        ])
    }))
}

impl ContractError {
    /// The refusal as JSON text, as the bindings give it.
    pub fn to_json(&self) -> String {
        canonical(&self.json())
    }
}
