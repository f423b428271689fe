//! What a host saw: the envelope around it, and the general rules that hold before a type of check decides.

use super::canonical;
use super::codes::Code;
use super::error::ContractError;
use super::fields::{wrong, Fields};
use super::json::{object, Json};
use super::model::moment;
use alloc::format;
use alloc::string::{String, ToString};

/// The longest id of a request: that of a check, a slash and a name.
const ID: usize = 160;
/// The most observations of a run.
pub(crate) const OBSERVATIONS: usize = 100_000;

/// How looking went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Something was seen.
    Ok,
    /// The host looked in an allowed place, and the thing is not there. A fact.
    Absent,
    /// A rule forbids to look.
    Refused,
    /// The time ran out.
    Timeout,
    /// A capability is missing, or the target cannot be reached.
    Unavailable,
    /// The host's own fault.
    Failed,
}

const OUTCOMES: [(&str, Outcome); 6] = [
    ("ok", Outcome::Ok),
    ("absent", Outcome::Absent),
    ("refused", Outcome::Refused),
    ("timeout", Outcome::Timeout),
    ("unavailable", Outcome::Unavailable),
    ("failed", Outcome::Failed),
];

/// One answer of a host to one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The request that it answers.
    pub request_id: String,
    /// The plan that it was made for.
    pub plan_digest: String,
    /// How looking went.
    pub outcome: Outcome,
    /// A code or a sentence of the host: why it did not work.
    pub reason: Option<String>,
    /// What was seen.
    pub value: Json,
    /// Whether there was more.
    pub truncated: bool,
    /// When looking began.
    pub started_at: Option<String>,
    /// When it ended.
    pub ended_at: Option<String>,
    /// Who looked: `{name, version, capability}`.
    pub host: Json,
}

impl Observation {
    /// Reads an envelope.
    pub fn read(value: &Json) -> Result<Observation, ContractError> {
        let fields = Fields::of(
            value,
            &["request_id", "plan_digest", "outcome", "reason", "value", "truncated", "started_at", "ended_at", "host"],
        )?;
        let text = |name: &str, most| fields.text(name, most)?.ok_or_else(|| ContractError::at(name, "missing"));
        let outcome = text("outcome", 20)?;
        let known = OUTCOMES.iter().find(|(name, _)| *name == outcome);
        let known = known.ok_or_else(|| {
            ContractError::at("outcome", "expected one of ok, absent, refused, timeout, unavailable, failed")
        })?;
        let host = fields.value("host").cloned().unwrap_or(Json::Null);
        if !host.is_null() {
            let host = Fields::of(&host, &["name", "version", "capability"]).map_err(|error| error.inside("host"))?;
            for name in ["name", "version", "capability"] {
                host.text(name, 200).map_err(|error| error.inside("host"))?;
            }
        }
        Ok(Observation {
            request_id: text("request_id", ID)?.to_string(),
            plan_digest: text("plan_digest", 71)?.to_string(),
            outcome: known.1,
            reason: fields.text("reason", 4000)?.map(ToString::to_string),
            value: fields.value("value").cloned().unwrap_or(Json::Null),
            truncated: fields.bool("truncated")?.unwrap_or(false),
            started_at: moment(&fields, "started_at")?,
            ended_at: moment(&fields, "ended_at")?,
            host,
        })
    }

    /// The envelope with every member.
    pub fn json(&self) -> Json {
        let outcome = OUTCOMES.iter().find(|(_, outcome)| *outcome == self.outcome).map_or("", |(name, _)| *name);
        object([
            ("request_id", self.request_id.as_str().into()),
            ("plan_digest", self.plan_digest.as_str().into()),
            ("outcome", outcome.into()),
            ("reason", self.reason.clone().into()),
            ("value", self.value.clone()),
            ("truncated", self.truncated.into()),
            ("started_at", self.started_at.clone().into()),
            ("ended_at", self.ended_at.clone().into()),
            ("host", self.host.clone()),
        ])
    }

    /// The digest of the envelope.
    pub fn digest(&self) -> String {
        canonical::digest(&self.json())
    }
}

/// Why a check did not decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Undecided {
    /// Whether the check or the verifier is at fault, and not the circumstances.
    pub(crate) error: bool,
    pub(crate) code: Code,
    pub(crate) reason: String,
}

impl Undecided {
    /// It could not be looked at.
    pub(crate) fn new(code: Code, reason: impl ToString) -> Undecided {
        Undecided { error: false, code, reason: reason.to_string() }
    }

    /// The check cannot be carried out as it is written.
    pub(crate) fn malformed(reason: impl ToString) -> Undecided {
        Undecided { error: true, code: Code::CheckMalformed, reason: reason.to_string() }
    }

    /// The host's answer is not of the form of the type.
    pub(crate) fn crashed(error: &ContractError) -> Undecided {
        let path = error.details().get("path").and_then(Json::str).unwrap_or_default();
        let reason = format!("the host's answer cannot be read: {path}: {}", error.message());
        Undecided { error: true, code: Code::CheckCrashed, reason }
    }

    /// The part that was seen does not settle it.
    pub(crate) fn truncated() -> Undecided {
        Undecided::new(Code::ObservationTruncated, "only a part was seen, and that part does not settle it")
    }
}

/// What was seen for one request: a value, or `None` for a thing that is not there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look<'a> {
    pub(crate) value: Option<&'a Json>,
    pub(crate) truncated: bool,
}

impl<'a> Look<'a> {
    /// The members of the value: every one that the type of check knows. `None` for a thing that is not there.
    pub(crate) fn fields(&self, known: &[&str]) -> Result<Option<Fields<'a>>, Undecided> {
        let Some(value) = self.value else { return Ok(None) };
        Fields::of(value, known).map(Some).map_err(|error| Undecided::crashed(&error.inside("value")))
    }
}

/// G1 and G2: what an answer, or the want of one, means before a type of check sees it.
pub(crate) fn look<'a>(found: Option<&'a Observation>, plan_digest: &str) -> Result<Look<'a>, Undecided> {
    let Some(seen) = found else {
        return Err(Undecided::new(Code::ObservationMissing, "no observation answers the request"));
    };
    if seen.plan_digest != plan_digest {
        return Err(Undecided::new(Code::ObservationMismatch, "the observation was made for another plan"));
    }
    let why = |code, words: &str| {
        let reason = seen.reason.as_deref().map_or(words.to_string(), |reason| format!("{words}: {reason}"));
        // A host that knows better gives the code itself.
        let given = seen.reason.as_deref().and_then(|reason| reason.split([':', ' ']).next()).and_then(Code::of_name);
        Undecided::new(given.unwrap_or(code), reason)
    };
    match seen.outcome {
        Outcome::Ok => Ok(Look { value: Some(&seen.value), truncated: seen.truncated }),
        Outcome::Absent => Ok(Look { value: None, truncated: false }),
        Outcome::Refused => Err(why(Code::CheckRefused, "the host was not allowed to look")),
        Outcome::Timeout => Err(why(Code::CheckTimeout, "the time ran out")),
        Outcome::Unavailable => Err(why(Code::BackendUnavailable, "the target or a capability was not there")),
        Outcome::Failed => Err(why(Code::CheckCrashed, "the host could not look")),
    }
}

/// A list of observations.
pub(crate) fn read_all(value: &Json) -> Result<alloc::vec::Vec<Observation>, ContractError> {
    let items = value.array().ok_or_else(|| wrong("observations", "an array", value))?;
    if items.len() > OBSERVATIONS {
        return Err(ContractError::at("observations", format!("more than {OBSERVATIONS} elements")));
    }
    let read = |(index, item)| {
        Observation::read(item).map_err(|error: ContractError| error.inside(&format!("observations[{index}]")))
    };
    items.iter().enumerate().map(read).collect()
}
