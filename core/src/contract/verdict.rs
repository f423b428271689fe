//! The verdict over results. Whether a check is required is read from the contract, never from a result; and a check that could not
//! look is neither true nor false.

use super::check::Check;
use super::checks;
use super::codes::Code;
use super::error::ContractError;
use super::fields::{wrong, Fields};
use super::json::{array, object, Json};
use super::level::Level;
use super::model::Contract;
use super::shown::{cut, Mask};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The most characters of a critic's finding in a limitation.
const FINDING: usize = 160;

/// What the verdict needs of a result.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) check_id: String,
    pub(crate) kind: String,
    /// `None` when it could not look.
    pub(crate) passed: Option<bool>,
    pub(crate) code: Option<Code>,
    pub(crate) reason: String,
    pub(crate) limitations: Vec<String>,
}

/// What follows from all results.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    pub(crate) outcome: &'static str,
    pub(crate) word: &'static str,
    pub(crate) reason: Option<String>,
    pub(crate) limitations: Vec<String>,
    /// The verifier's fault, if it is one.
    pub(crate) error: Option<ContractError>,
}

impl Verdict {
    /// The verifier is at fault: nothing follows.
    pub(crate) fn faulty(error: ContractError) -> Verdict {
        let reason = error.message().to_string();
        let limitations = [reason.clone()].into();
        Verdict { outcome: "error", word: "INCONCLUSIVE", reason: Some(reason), limitations, error: Some(error) }
    }
}

/// How a required check stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Passed,
    Failed,
    Null,
    Missing,
}

/// Judges the results of a contract. `notes` are limitations that the order of events brings.
pub(crate) fn judge(
    contract: &Contract,
    known: &[&Check],
    lines: &[Line],
    notes: &[String],
    findings: &[String],
) -> Verdict {
    if let Err(error) = sound(known, lines) {
        return Verdict::faulty(error);
    }
    let line = |check: &Check| lines.iter().find(|line| line.check_id == check.id);
    let required: Vec<(&Check, Option<&Line>)> =
        contract.checks.iter().filter(|check| check.required).map(|check| (check, line(check))).collect();
    let standings: Vec<Standing> = required.iter().map(|(_, line)| standing(*line)).collect();
    let any = |wanted| standings.contains(&wanted);
    let (outcome, word) = if required.is_empty() {
        ("inconclusive", "UNVERIFIED")
    } else if any(Standing::Failed) {
        ("fail", "FAILED")
    } else if any(Standing::Null) || any(Standing::Missing) {
        ("inconclusive", "INCONCLUSIVE")
    } else {
        ("pass", "VERIFIED")
    };
    let limitations = limitations(&required, lines, notes, findings);
    let failed: Vec<&str> = required
        .iter()
        .filter(|(_, line)| standing(*line) == Standing::Failed)
        .map(|(check, _)| check.id.as_str())
        .collect();
    let reason = if failed.is_empty() { limitations.first().cloned() } else { Some(named(&failed)) };
    Verdict { outcome, word, reason, limitations, error: None }
}

fn standing(line: Option<&Line>) -> Standing {
    match line.map(|line| line.passed) {
        None => Standing::Missing,
        Some(None) => Standing::Null,
        Some(Some(true)) => Standing::Passed,
        Some(Some(false)) => Standing::Failed,
    }
}

/// Whether every result belongs to one check, and every check has one at most.
fn sound(known: &[&Check], lines: &[Line]) -> Result<(), ContractError> {
    let mut seen: Vec<&str> = Vec::new();
    for line in lines {
        let id = line.check_id.as_str();
        let refused = |code, message: String| Err(ContractError::new(code, message).with("check_id", id));
        let Some(check) = known.iter().find(|check| check.id == id) else {
            return refused(
                Code::ResultUnknown,
                format!("there is a result for {id}, which is no check of the contract"),
            );
        };
        if check.kind != line.kind {
            let message = format!("the result of {id} is of type {}, and the check of type {}", line.kind, check.kind);
            return refused(Code::ResultUnknown, message);
        }
        if seen.contains(&id) {
            return refused(Code::ResultDuplicate, format!("there are two results for {id}"));
        }
        seen.push(id);
    }
    Ok(())
}

fn named(failed: &[&str]) -> String {
    let shown = failed.get(..5).unwrap_or(failed).join(", ");
    match failed.len().saturating_sub(5) {
        0 => format!("failed: {shown}"),
        more => format!("failed: {shown} (and {more} more)"),
    }
}

/// In their order: what never ran, what could not look, that nothing was required, the order of events, what a result says of itself,
/// and last what a critic says.
fn limitations(
    required: &[(&Check, Option<&Line>)],
    lines: &[Line],
    notes: &[String],
    findings: &[String],
) -> Vec<String> {
    let missing =
        required.iter().filter(|(_, line)| line.is_none()).map(|(check, _)| format!("{} never ran", check.id));
    let null = required.iter().filter_map(|(check, line)| {
        let line = line.filter(|line| line.passed.is_none())?;
        let code = line.code.map_or(String::new(), |code| format!(" ({})", code.name()));
        Some(format!("{} could not be checked{code}: {}", check.id, line.reason))
    });
    let none =
        required.is_empty().then(|| "no check was required, so that nothing executable was demanded".to_string());
    let own = lines.iter().flat_map(|line| line.limitations.iter().map(|text| format!("{}: {text}", line.check_id)));
    let critic = findings.iter().map(|text| format!("advisory (not verified): {}", cut(text, FINDING)));
    missing.chain(null).chain(none).chain(notes.iter().cloned()).chain(own).chain(critic).collect()
}

/// The assurance to report: the backend's when something was decided either way.
pub(crate) fn assurance(verdict: &str, level: Level, findings: &[String]) -> Option<Level> {
    match verdict {
        "pass" | "fail" => Some(level),
        _ if !findings.is_empty() => Some(Level::VisualAdvisory),
        _ => None,
    }
}

impl Line {
    /// Reads a result of a host that decided itself: `{check_id, type, status, passed, code, reason, summary}` and what else it has.
    /// `required` is not looked at. A type that is unknown here could not be looked at.
    fn read(value: &Json, mask: &Mask<'_>) -> Result<Line, ContractError> {
        let members = value.object().ok_or_else(|| wrong("", "an object", value))?;
        let known: Vec<&str> = members.keys().map(String::as_str).collect();
        let fields = Fields::of(value, &known)?;
        let text = |name: &str| fields.text(name, 4000)?.ok_or_else(|| ContractError::at(name, "missing"));
        let (check_id, kind) = (text("check_id")?.to_string(), text("type")?.to_string());
        let passed = match fields.text("status", 20)? {
            Some("pass") => Some(true),
            Some("fail") => Some(false),
            Some("inconclusive" | "error") => None,
            Some(_) => return Err(ContractError::at("status", "expected pass, fail, inconclusive or error")),
            None => fields.bool("passed")?,
        };
        if fields.value("status").is_some() && members.contains_key("passed") && fields.bool("passed")? != passed {
            return Err(ContractError::at("passed", "it says something else than status"));
        }
        if checks::find(&kind).is_none() {
            let reason = format!("the type {} is unknown here", super::fields::shown_name(&kind));
            return Ok(Line {
                check_id,
                kind,
                passed: None,
                code: Some(Code::UnsupportedCheck),
                reason,
                limitations: Vec::new(),
            });
        }
        let reason = fields.text("reason", 4000)?.or(fields.text("summary", 4000)?).unwrap_or("no reason was given");
        Ok(Line {
            check_id,
            kind,
            passed,
            code: fields.text("code", 100)?.and_then(Code::of_name),
            reason: mask.summary(reason),
            limitations: fields.texts("limitations", 100)?.unwrap_or_default(),
        })
    }
}

/// The verdict over results that a host decided itself, as far as they are told. `results` is an array; `findings` are a critic's.
///
/// # Errors
/// `verify.contract_invalid` when a result cannot be read.
pub fn verdict(contract: &Contract, results: &Json, findings: &[String]) -> Result<Json, ContractError> {
    let items = results.array().ok_or_else(|| wrong("results", "an array", results))?;
    let mask = Mask::new(None);
    let mut lines = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let mut line = Line::read(item, &mask).map_err(|error| error.inside(&format!("results[{index}]")))?;
        // An older host's name for a type that is unknown here is no contradiction of the contract.
        if let Some(check) = contract.check(&line.check_id).filter(|_| line.code == Some(Code::UnsupportedCheck)) {
            line.kind.clone_from(&check.kind);
        }
        lines.push(line);
    }
    let known: Vec<&Check> = contract.checks.iter().collect();
    let found = judge(contract, &known, &lines, &[], findings);
    Ok(object([
        ("verdict", found.outcome.into()),
        ("verdict_word", found.word.into()),
        ("reason", found.reason.into()),
        ("limitations", array(found.limitations)),
        ("error", found.error.map_or(Json::Null, |error| error.json())),
        ("counts", counts(contract, &lines)),
    ]))
}

/// `{required, passed, failed, null, missing, advisory}`: the middle four are of required checks.
pub(crate) fn counts(contract: &Contract, lines: &[Line]) -> Json {
    let required: Vec<&Check> = contract.checks.iter().filter(|check| check.required).collect();
    let count = |wanted| {
        let line = |check: &&&Check| standing(lines.iter().find(|line| line.check_id == check.id)) == wanted;
        Json::from(required.iter().filter(line).count())
    };
    object([
        ("required", required.len().into()),
        ("passed", count(Standing::Passed)),
        ("failed", count(Standing::Failed)),
        ("null", count(Standing::Null)),
        ("missing", count(Standing::Missing)),
        (
            "advisory",
            lines
                .iter()
                .filter(|line| contract.check(&line.check_id).is_none_or(|check| !check.required))
                .count()
                .into(),
        ),
    ])
}
