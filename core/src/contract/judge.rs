//! What was seen, judged: the results, the verdict over them, and the bundle that holds all of it.

use super::bundle::{Extras, Order};
use super::check::Check;
use super::checks::Decided;
use super::codes::Code;
use super::decide::{edge, Entry, Judge, Result as CheckResult, Seen};
use super::error::ContractError;
use super::json::{array, named, object, Json, Object};
use super::life::Supplement;
use super::model::Contract;
use super::observe::Observation;
use super::plan::{all_checks, plan as plan_of, Plan};
use super::run::Run;
use super::shown::Mask;
use super::verdict::{assurance, counts, judge as judge_lines, Line, Verdict};
use super::{canonical, level::Level};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Judges what a host saw for a plan, and gives the bundle: the content of `evidence.json`.
///
/// # Errors
/// Those of [`plan`](super::plan::plan). What goes wrong with the observations is no error but a verdict: a check that was not
/// looked at is null, and answers that belong to no request make the verdict `error`.
pub fn judge(
    contract: &Contract,
    supplements: &[Supplement],
    plan: &Json,
    observations: &[Observation],
    run: &Run,
    extras: &Extras,
) -> Result<Json, ContractError> {
    let made = plan_of(contract, supplements, run)?;
    let mask = Mask::new(run.workspace.as_deref());
    let judge = Judge::new(contract, &made, run, &mask);
    let mut entries: Vec<Entry> = observations.iter().map(|seen| Entry::of(seen, &mask)).collect();
    // Of two answers to one request the first counts here; that there are two is a fault of its own.
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (place, seen) in observations.iter().enumerate() {
        places.entry(&seen.request_id).or_insert(place);
    }
    let mut results = Vec::new();
    for check in all_checks(contract, supplements) {
        results.push(settle(&judge, check, &mut entries, observations, &places));
    }
    let parts =
        Parts { contract, supplements, run, extras, claimed: claimed(plan, &made), entries: &entries, core: None };
    Ok(bundle(&judge, &parts, &results))
}

/// The digest that a plan deserves: its own if it is the plan that was made, else that of what was given.
fn claimed(given: &Json, made: &Plan) -> String {
    if *given == made.json {
        return made.digest.clone();
    }
    canonical::digest(given)
}

/// Decides a check on what may be stored, if that comes to the same as what was seen. Otherwise what was seen decides, and what had to
/// be masked is not stored, so that nobody can mistake the rest for it.
///
/// What is stored has no path of the workspace any more. The result on it is masked without knowing the workspace, as it will be when
/// it is judged again.
fn settle(
    judge: &Judge<'_>,
    check: &Check,
    entries: &mut [Entry],
    observations: &[Observation],
    places: &BTreeMap<&str, usize>,
) -> CheckResult {
    let place = |id: &str| places.get(id).copied();
    let own: Vec<usize> = judge.planned(check).iter().filter_map(|planned| place(&planned.id)).collect();
    let whole = judge.decide(check, &|id| observations.get(place(id)?));
    let anywhere = Mask::new(None);
    let mine: Vec<&Entry> = own.iter().filter_map(|place| entries.get(*place)).collect();
    if mine.iter().all(|entry| entry.envelope.is_some() && !entry.masked) {
        return judge.result(check, &whole, &seen_of(&mine), &anywhere);
    }
    if mine.iter().all(|entry| entry.envelope.is_some()) {
        let kept = judge.decide(check, &|id| entries.get(place(id)?)?.envelope.as_ref());
        if agrees(&whole, &kept) {
            return judge.result(check, &kept, &seen_of(&mine), &anywhere);
        }
    }
    let result = judge.result(check, &whole, &seen_of(&mine), judge.mask);
    for place in own {
        if let Some(entry) = entries.get_mut(place).filter(|entry| entry.masked) {
            entry.envelope = None;
        }
    }
    result
}

fn agrees(a: &Decided, b: &Decided) -> bool {
    match (a, b) {
        (Ok(a), Ok(b)) => a.passed == b.passed && a.code == b.code,
        (Err(a), Err(b)) => a.code == b.code && a.error == b.error,
        _ => false,
    }
}

/// What a result says of its observations.
pub(crate) fn seen_of<'e>(entries: &[&'e Entry]) -> Vec<Seen<'e>> {
    let seen = entries.iter().map(|entry| Seen {
        digest: &entry.digest,
        started_at: entry.envelope.as_ref().and_then(|envelope| envelope.started_at.as_deref()),
        ended_at: entry.envelope.as_ref().and_then(|envelope| envelope.ended_at.as_deref()),
    });
    seen.collect()
}

/// What a bundle is made of beside the results.
pub(crate) struct Parts<'a> {
    pub(crate) contract: &'a Contract,
    pub(crate) supplements: &'a [Supplement],
    pub(crate) run: &'a Run,
    pub(crate) extras: &'a Extras,
    /// The digest of the plan that the host carried out.
    pub(crate) claimed: String,
    pub(crate) entries: &'a [Entry],
    /// The version of the core that judged, when it was another.
    pub(crate) core: Option<String>,
}

/// The bundle.
pub(crate) fn bundle(judge: &Judge<'_>, parts: &Parts<'_>, results: &[CheckResult]) -> Json {
    let (contract, run) = (parts.contract, parts.run);
    let order = Order::of(contract, run);
    let lines: Vec<Line> = results.iter().map(|result| result.line.clone()).collect();
    let findings = &parts.extras.findings;
    let verdict = match fault(judge.plan, parts) {
        Some(error) => Verdict::faulty(error),
        None => judge_lines(contract, &all_checks(contract, parts.supplements), &lines, &order.notes, findings),
    };
    let proof = order.sound && verdict.outcome == "pass";
    let all: Vec<Seen<'_>> = parts.entries.iter().filter_map(|entry| entry.envelope.as_ref()).map(times).collect();
    let mut members = parts.extras.json();
    members.extend(head(run, contract.contract_id.as_str().into(), contract.digest.clone().into()));
    members.extend(told(&verdict, assurance(verdict.outcome, run.level(), findings)));
    members.extend(object_of([
        ("started_at", edge(&all, |seen| seen.started_at, false).into()),
        ("ended_at", edge(&all, |seen| seen.ended_at, true).into()),
        ("terms_digest", contract.terms_digest().into()),
        ("supplement_digests", array(parts.supplements.iter().map(Supplement::digest))),
        ("supplements", array(parts.supplements.iter().map(Supplement::json))),
        ("plan_digest", parts.claimed.as_str().into()),
        ("check_results", array(results.iter().map(|result| result.json.clone()))),
        ("observations", array(parts.entries.iter().map(Entry::json))),
        ("counts", counts(contract, &lines)),
        ("proof_eligible", proof.into()),
        ("frozen_before_work", order.frozen_before_work.into()),
        ("policy_snapshot", policy(contract, judge.plan, run)),
        ("run_env", run.stored(judge.mask, &judge.plan.outside())),
        ("tools", tools(run, parts.core.as_deref())),
    ]));
    Json::Object(members)
}

fn times(seen: &Observation) -> Seen<'_> {
    Seen { digest: "", started_at: seen.started_at.as_deref(), ended_at: seen.ended_at.as_deref() }
}

fn object_of<const N: usize>(members: [(&str, Json); N]) -> Object {
    named(&mut members.into_iter())
}

fn head(run: &Run, id: Json, digest: Json) -> Object {
    object_of([
        ("schema_version", 1_i64.into()),
        ("created_at", run.now.as_str().into()),
        ("contract_id", id),
        ("contract_digest", digest),
    ])
}

fn told(verdict: &Verdict, level: Option<Level>) -> Object {
    object_of([
        ("verdict", verdict.outcome.into()),
        ("verdict_word", verdict.word.into()),
        ("reason", verdict.reason.clone().into()),
        ("limitations", array(&verdict.limitations)),
        ("error", verdict.error.as_ref().map_or(Json::Null, ContractError::json)),
        ("assurance", level.map(Level::name).into()),
        ("assurance_facts", level.map_or(Json::Null, Level::facts)),
    ])
}

fn policy(contract: &Contract, plan: &Plan, run: &Run) -> Json {
    let of_plan = |name: &str| plan.json.get(name).cloned().unwrap_or(Json::Null);
    object([
        ("allowed_origins", of_plan("allowed_origins")),
        ("allowed_roots", array(&contract.allowed_roots)),
        ("env", of_plan("env")),
        ("offline", run.offline.into()),
        ("limits", of_plan("limits")),
    ])
}

fn tools(run: &Run, core: Option<&str>) -> Json {
    let tool = |name: &str, version: &str| object([("name", name.into()), ("version", version.into())]);
    object([
        ("core", tool("counterfoil", core.unwrap_or(env!("CARGO_PKG_VERSION")))),
        ("host", tool(&run.host.0, &run.host.1)),
    ])
}

/// What makes the verifier itself untrustworthy here: another plan than the contract's, an answer to no request, two to one.
fn fault(plan: &Plan, parts: &Parts<'_>) -> Option<ContractError> {
    if parts.claimed != plan.digest {
        let error = ContractError::new(Code::BackendRejected, "the plan is not the one that follows from the contract");
        return Some(error.with("given", parts.claimed.as_str()).with("expected", plan.digest.as_str()));
    }
    let known: BTreeSet<&str> = plan.requests.iter().map(|planned| planned.id.as_str()).collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for entry in parts.entries {
        let id = entry.request_id.as_str();
        let refused =
            |code, words: &str| Some(ContractError::new(code, format!("{words} {}", super::fields::shown_name(id))));
        if !known.contains(id) {
            return refused(Code::ResultUnknown, "there is an observation for a request that the plan has not:");
        }
        if !seen.insert(id) {
            return refused(Code::ResultDuplicate, "there are two observations for");
        }
    }
    None
}

/// The bundle of a run without a contract: words were given, and nothing to check.
pub fn judge_prose(run: &Run, extras: &Extras) -> Json {
    let mask = Mask::new(run.workspace.as_deref());
    let note = "there was no contract, so that nothing executable was demanded".to_string();
    let critic =
        extras.findings.iter().map(|text| format!("advisory (not verified): {}", super::shown::cut(text, 160)));
    let verdict = Verdict {
        outcome: "inconclusive",
        word: "UNVERIFIED",
        reason: Some(note.clone()),
        limitations: core::iter::once(note).chain(critic).collect(),
        error: None,
    };
    let level = assurance(verdict.outcome, run.level(), &extras.findings);
    let mut members = extras.json();
    members.extend(head(run, Json::Null, Json::Null));
    members.extend(told(&verdict, level));
    let none = Json::Array(Vec::new());
    members.extend(object_of([
        ("started_at", Json::Null),
        ("ended_at", Json::Null),
        ("terms_digest", Json::Null),
        ("supplement_digests", none.clone()),
        ("supplements", none.clone()),
        ("plan_digest", Json::Null),
        ("check_results", none.clone()),
        ("observations", none),
        ("counts", Json::Null),
        ("proof_eligible", false.into()),
        ("frozen_before_work", Json::Null),
        ("policy_snapshot", Json::Null),
        ("run_env", run.stored(&mask, &[])),
        ("tools", tools(run, None)),
    ]));
    Json::Object(members)
}
