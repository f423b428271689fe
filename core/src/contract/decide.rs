//! Every check of a plan decided on what was seen for it.

use super::canonical;
use super::check::Check;
use super::checks::{Case, Decided, Decision};
use super::codes::Code;
use super::error::ContractError;
use super::fields::Fields;
use super::json::{array, object, Json};
use super::model::Contract;
use super::observe::{look, Look, Observation, Undecided};
use super::params::Params;
use super::plan::{Plan, Planned};
use super::run::Run;
use super::shown::Mask;
use super::time::Moment;
use super::verdict::Line;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The largest observation that a bundle holds whole.
const STORED: usize = 64 << 10;

/// An observation as a bundle keeps it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) request_id: String,
    /// The digest of the envelope as the host gave it.
    pub(crate) digest: String,
    pub(crate) bytes: usize,
    /// Whether paths or secrets were taken out.
    pub(crate) masked: bool,
    /// The envelope, unless it is too large, or would decide otherwise without what was taken out.
    pub(crate) envelope: Option<Observation>,
}

impl Entry {
    /// Of an observation, with what may be stored of it.
    pub(crate) fn of(seen: &Observation, mask: &Mask<'_>) -> Entry {
        let text = canonical::canonical(&seen.json());
        let digest = canonical::digest_bytes(text.as_bytes());
        let small = text.len() <= STORED;
        let envelope = small.then(|| Observation {
            value: mask.value(&seen.value),
            reason: seen.reason.as_deref().map(|reason| mask.text(reason)),
            host: mask.value(&seen.host),
            ..seen.clone()
        });
        let masked = envelope.as_ref().is_some_and(|envelope| envelope != seen);
        Entry { request_id: seen.request_id.clone(), digest, bytes: text.len(), masked, envelope }
    }

    /// Reads what [`Entry::json`] gave.
    pub(crate) fn read(value: &Json) -> core::result::Result<Entry, ContractError> {
        let fields = Fields::of(value, &["request_id", "digest", "bytes", "masked", "envelope"])?;
        let text = |name: &str| fields.text(name, 200)?.ok_or_else(|| ContractError::at(name, "missing"));
        let envelope = fields.value("envelope").map(Observation::read).transpose();
        Ok(Entry {
            request_id: text("request_id")?.to_string(),
            digest: text("digest")?.to_string(),
            bytes: fields.integer("bytes", 0, 1 << 52)?.unwrap_or(0) as usize,
            masked: fields.bool("masked")?.unwrap_or(false),
            envelope: envelope.map_err(|error| error.inside("envelope"))?,
        })
    }

    /// Whether what is stored is what the digest says, where that can be told.
    pub(crate) fn is_whole(&self) -> bool {
        match &self.envelope {
            Some(envelope) if !self.masked => {
                envelope.digest() == self.digest && envelope.request_id == self.request_id
            }
            Some(envelope) => envelope.request_id == self.request_id,
            // Only what is too large, or would decide otherwise without what was taken out, is left out.
            None => self.masked || self.bytes > STORED,
        }
    }

    pub(crate) fn json(&self) -> Json {
        object([
            ("request_id", self.request_id.as_str().into()),
            ("digest", self.digest.as_str().into()),
            ("bytes", self.bytes.into()),
            ("masked", self.masked.into()),
            ("envelope", self.envelope.as_ref().map_or(Json::Null, Observation::json)),
        ])
    }
}

/// What a check came to.
pub(crate) struct Result {
    pub(crate) json: Json,
    pub(crate) line: Line,
}

/// What decisions are made with.
pub(crate) struct Judge<'a> {
    pub(crate) contract: &'a Contract,
    pub(crate) plan: &'a Plan,
    pub(crate) run: &'a Run,
    pub(crate) mask: &'a Mask<'a>,
    requests: BTreeMap<&'a str, Vec<&'a Planned>>,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(contract: &'a Contract, plan: &'a Plan, run: &'a Run, mask: &'a Mask<'a>) -> Judge<'a> {
        let mut requests: BTreeMap<&str, Vec<&Planned>> = BTreeMap::new();
        for planned in &plan.requests {
            requests.entry(planned.check_id.as_str()).or_default().push(planned);
        }
        Judge { contract, plan, run, mask, requests }
    }

    /// The requests of a check.
    pub(crate) fn planned(&self, check: &Check) -> &[&'a Planned] {
        self.requests.get(check.id.as_str()).map_or(&[], Vec::as_slice)
    }

    /// What a check comes to on observations found by the id of their request.
    pub(crate) fn decide<'o>(&self, check: &Check, find: &dyn Fn(&str) -> Option<&'o Observation>) -> Decided {
        let looks: Vec<(String, core::result::Result<Look<'o>, Undecided>)> = self
            .planned(check)
            .iter()
            .map(|planned| {
                let seen = match &planned.refusal {
                    Some(refusal) => Err(refusal.clone()),
                    None => look(find(&planned.id), &self.plan.digest),
                };
                (planned.name.clone(), seen)
            })
            .collect();
        let Some(table) = check.table() else {
            return Err(Undecided::new(Code::UnsupportedCheck, format!("the type {} is unknown here", check.kind)));
        };
        let case = Case { params: Params(&check.params), contract: self.contract, run: self.run, looks: &looks };
        (table.decide)(&case)
    }

    /// The result of a check, as it stands in a bundle.
    pub(crate) fn result(&self, check: &Check, decided: &Decided, seen: &[Seen<'_>], mask: &Mask<'_>) -> Result {
        let (status, passed) = match decided {
            Ok(decision) if decision.passed => ("pass", Some(true)),
            Ok(_) => ("fail", Some(false)),
            Err(undecided) if undecided.error => ("error", None),
            Err(_) => ("inconclusive", None),
        };
        let none = Decision::of(false, Json::Null, Json::Null, "");
        let decision = decided.as_ref().unwrap_or(&none);
        let (code, reason) = match decided {
            Ok(decision) => (decision.code, None),
            Err(undecided) => (Some(undecided.code), Some(mask.summary(&undecided.reason))),
        };
        let summary = reason.clone().unwrap_or_else(|| mask.summary(&decision.summary));
        let limitations: Vec<String> = decision.limitations.iter().map(|text| mask.summary(text)).collect();
        let required = check.required && self.contract.check(&check.id).is_some();
        let json = object([
            ("check_id", check.id.as_str().into()),
            ("type", check.kind.as_str().into()),
            ("description", check.description.as_str().into()),
            ("required", required.into()),
            ("status", status.into()),
            ("passed", passed.into()),
            ("code", code.map(Code::name).into()),
            ("reason", reason.into()),
            ("summary", summary.as_str().into()),
            ("expected", mask.bounded(&decision.expected)),
            ("observed", mask.bounded(&decision.observed)),
            ("limitations", array(&limitations)),
            ("input_digest", check.input_digest().into()),
            ("observation_digest", digest(seen)),
            ("started_at", edge(seen, |seen| seen.started_at, false).into()),
            ("ended_at", edge(seen, |seen| seen.ended_at, true).into()),
        ]);
        let line =
            Line { check_id: check.id.clone(), kind: check.kind.clone(), passed, code, reason: summary, limitations };
        Result { json, line }
    }
}

/// What a result says of an observation.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub(crate) digest: &'a str,
    pub(crate) started_at: Option<&'a str>,
    pub(crate) ended_at: Option<&'a str>,
}

/// The digest of one observation, or of the list of digests of several.
fn digest(seen: &[Seen<'_>]) -> Json {
    match seen {
        [] => Json::Null,
        [one] => one.digest.into(),
        many => canonical::digest(&array(many.iter().map(|seen| seen.digest))).into(),
    }
}

/// The first or the last of the times.
pub(crate) fn edge<'a>(seen: &[Seen<'a>], time: fn(&Seen<'a>) -> Option<&'a str>, last: bool) -> Option<String> {
    let times = seen.iter().filter_map(time).filter_map(|text| Some((Moment::parse(text)?, text)));
    let found = if last { times.max() } else { times.min() };
    found.map(|(_, text)| text.to_string())
}
