//! What a host is asked to look at. A plan follows from the contract, its supplements and the host's account of itself, and never
//! from anything seen.

use super::address;
use super::canonical;
use super::check::Check;
use super::checks::Request;
use super::codes::Code;
use super::error::ContractError;
use super::json::{array, object, Json, Number, Object};
use super::level::Level;
use super::life::{check_integrity, Supplement};
use super::model::Contract;
use super::observe::Undecided;
use super::params::Params;
use super::run::Run;
use super::{origin, paths};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The variables that a command gets whatever the contract says, where the host has them.
pub const ENV: [&str; 16] = [
    "PATH",
    "SYSTEMROOT",
    "WINDIR",
    "COMSPEC",
    "TEMP",
    "TMP",
    "TMPDIR",
    "LANG",
    "LC_ALL",
    "PATHEXT",
    "NUMBER_OF_PROCESSORS",
    "HOME",
    "USERPROFILE",
    "HOMEDRIVE",
    "HOMEPATH",
    "COUNTERFOIL_VERIFIER",
];

/// A plan: a value for the host, and what the core knows of each request.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The plan as JSON.
    pub json: Json,
    /// Its digest.
    pub digest: String,
    pub(crate) requests: Vec<Planned>,
}

/// A request with its id, and why it may not be carried out.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub(crate) id: String,
    pub(crate) check_id: String,
    pub(crate) name: String,
    pub(crate) refusal: Option<Undecided>,
    /// Whether an absolute path of it leaves the workspace.
    pub(crate) outside: bool,
}

impl Plan {
    /// The ids of the requests that leave the workspace.
    pub(crate) fn outside(&self) -> Vec<&str> {
        self.requests.iter().filter(|planned| planned.outside).map(|planned| planned.id.as_str()).collect()
    }
}

impl Check {
    /// What has to be seen for it.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.table().map(|table| (table.requests)(Params(&self.params))).unwrap_or_default()
    }
}

/// Every check of a contract and its supplements, with whether the verdict depends on it.
pub(crate) fn all_checks<'a>(contract: &'a Contract, supplements: &'a [Supplement]) -> Vec<&'a Check> {
    let mut checks: Vec<&Check> = contract.checks.iter().collect();
    for check in supplements.iter().flat_map(|supplement| &supplement.checks) {
        if checks.iter().all(|earlier| earlier.id != check.id) {
            checks.push(check);
        }
    }
    checks
}

/// Plans the observations for a frozen contract.
///
/// # Errors
/// Those of [`check_integrity`]; `verify.assurance_unavailable`; `verify.workspace_unresolved`.
pub fn plan(contract: &Contract, supplements: &[Supplement], run: &Run) -> Result<Plan, ContractError> {
    check_integrity(contract)?;
    let level = available(contract, run)?;
    let checks = all_checks(contract, supplements);
    let mut requests = Vec::new();
    let mut rows = Vec::new();
    let mut missing: Vec<&str> = Vec::new();
    for check in &checks {
        for request in check.requests() {
            if request.capability.is_local() {
                run.workspace()?;
            }
            let capability = request.capability.name();
            if !run.can(capability) && !missing.contains(&capability) {
                missing.push(capability);
            }
            let planned = planned(contract, run, check, &request);
            rows.push(row(&planned, check, request));
            requests.push(planned);
        }
    }
    let mut members = head(contract, supplements, run, level);
    members.insert("missing_capabilities".to_string(), array(missing));
    members.insert("limits".to_string(), object([("deadline_seconds", deadline(&checks))]));
    members.insert("requests".to_string(), Json::Array(rows));
    let digest = canonical::digest(&Json::Object(members.clone()));
    members.insert("plan_digest".to_string(), digest.as_str().into());
    Ok(Plan { json: Json::Object(members), digest, requests })
}

fn planned(contract: &Contract, run: &Run, check: &Check, request: &Request) -> Planned {
    let id = format!("{}/{}", check.id, request.name);
    let outside = leaves(contract, run, &id, request);
    let refusal =
        refusal(contract, run, check, request).filter(|refusal| !outside || refusal.code == Code::CheckRefused);
    let left = || {
        let reason = format!("{}: an absolute path leaves the allowed roots of the workspace", check.id);
        Undecided::new(Code::CheckRefused, reason)
    };
    let refusal = refusal.or_else(|| outside.then(left));
    Planned { id, check_id: check.id.clone(), name: request.name.clone(), refusal, outside }
}

/// Whether an absolute path of a request leaves the roots of the workspace, as the workspace's own path shows or as it showed before.
fn leaves(contract: &Contract, run: &Run, id: &str, request: &Request) -> bool {
    let workspace = run.workspace.as_deref().unwrap_or_default();
    let told = run.outside.iter().any(|outside| outside == id);
    let mut absolute = request.paths.iter().filter(|path| paths::is_absolute(path));
    absolute.any(|path| told || !paths::below(path, workspace, &contract.allowed_roots))
}

/// What a plan says beside its requests.
fn head(contract: &Contract, supplements: &[Supplement], run: &Run, level: Level) -> Object {
    let members = [
        ("schema_version", 1_i64.into()),
        ("contract_id", contract.contract_id.as_str().into()),
        ("contract_digest", contract.digest.clone().into()),
        ("terms_digest", contract.terms_digest().into()),
        ("supplement_digests", array(supplements.iter().map(Supplement::digest))),
        ("required_assurance", contract.required_assurance.name().into()),
        ("assurance", level.name().into()),
        ("offline", run.offline.into()),
        ("allowed_origins", contract.json().get("allowed_origins").cloned().into()),
        ("allowed_roots", array(&contract.allowed_roots)),
        ("env", array(ENV.iter().copied().chain(contract.allowed_env.iter().map(String::as_str)))),
    ];
    members.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

/// All checks one after another, and half a minute.
fn deadline(checks: &[&Check]) -> Json {
    let seconds = checks.iter().filter_map(|check| check.timeout_seconds.number()?.text().parse::<f64>().ok());
    Json::Number(Number::of_text(canonical::number(seconds.sum::<f64>() + 30.0)))
}

/// The backend's level, if it is enough. There is no silent step down.
fn available(contract: &Contract, run: &Run) -> Result<Level, ContractError> {
    let (required, available) = (contract.required_assurance, run.level());
    if available >= required {
        return Ok(available);
    }
    let message = format!("the contract demands {}, and the backend proves {}", required.name(), available.name());
    let error = ContractError::new(Code::AssuranceUnavailable, message);
    Err(error.with("required", required.name()).with("available", available.name()))
}

fn row(planned: &Planned, check: &Check, request: Request) -> Json {
    let status = match &planned.refusal {
        None => "run",
        Some(refusal) if refusal.code == Code::CapabilityMissing => "unavailable",
        Some(_) => "refused",
    };
    let refusal = planned.refusal.as_ref();
    object([
        ("request_id", planned.id.as_str().into()),
        ("check_id", check.id.as_str().into()),
        ("capability", request.capability.name().into()),
        ("target", Json::Object(request.target)),
        ("timeout_seconds", check.timeout_seconds.clone()),
        ("status", status.into()),
        ("code", refusal.map(|refusal| refusal.code.name()).into()),
        ("reason", refusal.map(|refusal| refusal.reason.as_str()).into()),
    ])
}

fn refusal(contract: &Contract, run: &Run, check: &Check, request: &Request) -> Option<Undecided> {
    if let Err(reason) = guarded(contract, request) {
        return Some(Undecided::new(Code::CheckRefused, format!("{}: {reason}", check.id)));
    }
    if run.offline && request.capability.is_network() {
        let reason = format!("{}: the run is offline, so that no request was sent", check.id);
        return Some(Undecided::new(Code::CheckRefused, reason));
    }
    let capability = request.capability.name();
    (!run.can(capability)).then(|| {
        let reason = format!("{}: the host has no capability {capability}", check.id);
        Undecided::new(Code::CapabilityMissing, reason)
    })
}

/// Whether the paths and the address of a request lie inside what the contract allows.
pub(crate) fn guarded(contract: &Contract, request: &Request) -> Result<(), String> {
    for path in &request.paths {
        paths::guard(path, &contract.allowed_roots).map_err(|reason| format!("the path {path}: {reason}"))?;
    }
    let Some(url) = &request.url else { return Ok(()) };
    let url = origin::Url::parse(url).map_err(ToString::to_string)?;
    let origin = url.origin();
    if contract.allowed_origins.iter().any(|allowed| allowed.origin == origin) {
        return Ok(());
    }
    Err(format!("the origin {origin} is not among allowed_origins"))
}

/// What the core says of the addresses that a name resolved to.
#[derive(Clone, Debug)]
pub struct Addresses {
    /// Whether the host may connect to them.
    pub allowed: bool,
    /// `{allowed, code, reason, addresses: [{address, class, allowed}]}`.
    pub json: Json,
}

/// Judges the addresses of a request between resolving its name and connecting. One that is not allowed forbids them all, since a
/// name that resolves to both is the usual disguise.
///
/// # Errors
/// `verify.contract_tampered` when the plan is not what its digest says; `verify.contract_invalid` for an unknown request, or one
/// without an address, or no addresses.
pub fn check_addresses(plan: &Json, request_id: &str, addresses: &[&str]) -> Result<Addresses, ContractError> {
    let request = planned_request(plan, request_id)?;
    let url = request.get("target").and_then(|target| target.get("url")).and_then(Json::str);
    let url = url.ok_or_else(|| ContractError::at("request_id", "the request goes to no address"))?;
    let url = origin::Url::parse(url).map_err(|message| ContractError::at("plan", message))?;
    if addresses.is_empty() {
        return Err(ContractError::at("addresses", "none was given"));
    }
    let origin = url.origin();
    let private = allows_private(plan.get("allowed_origins"), &origin);
    let mut refused = None;
    let mut rows = Vec::new();
    for given in addresses {
        let class = address::classify(given);
        let allowed = request.get("status").and_then(Json::str) == Some("run")
            && class.zip(private).is_some_and(|(class, private)| address::allowed(class, given, &origin, private));
        let class = class.map_or("no address", address::Class::name);
        if !allowed && refused.is_none() {
            refused = Some(format!("{origin} resolves to {given}, which is {class}"));
        }
        rows.push(object([("address", (*given).into()), ("class", class.into()), ("allowed", allowed.into())]));
    }
    let allowed = refused.is_none();
    let json = object([
        ("allowed", allowed.into()),
        ("code", (!allowed).then(|| Code::CheckRefused.name()).into()),
        ("reason", refused.into()),
        ("addresses", Json::Array(rows)),
    ]);
    Ok(Addresses { allowed, json })
}

/// Whether an origin is listed, and if so whether with `allow_private`.
pub(crate) fn allows_private(listed: Option<&Json>, origin: &str) -> Option<bool> {
    listed?.array()?.iter().find_map(|entry| match entry {
        Json::String(text) => (text == origin).then_some(false),
        entry => (entry.get("origin").and_then(Json::str) == Some(origin)).then_some(true),
    })
}

fn planned_request<'a>(plan: &'a Json, request_id: &str) -> Result<&'a Json, ContractError> {
    let members = plan.object().ok_or_else(|| ContractError::at("plan", "expected a plan"))?;
    let content: Object =
        members.iter().filter(|(name, _)| *name != "plan_digest").map(|(n, v)| (n.clone(), v.clone())).collect();
    let actual = canonical::digest(&Json::Object(content));
    let recorded = plan.get("plan_digest").and_then(Json::str);
    if recorded != Some(actual.as_str()) {
        let error = ContractError::new(Code::ContractTampered, "the plan is not what its digest says");
        return Err(error.with("recorded_digest", recorded).with("actual_digest", actual));
    }
    let requests = plan.get("requests").and_then(Json::array).unwrap_or_default();
    let found = requests.iter().find(|row| row.get("request_id").and_then(Json::str) == Some(request_id));
    found.ok_or_else(|| ContractError::at("request_id", "the plan has no such request"))
}
