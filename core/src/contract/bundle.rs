//! The evidence of a run: what was asked, seen and decided, as one value whose bytes can be attested.

use super::codes::Code;
use super::error::ContractError;
use super::fields::Fields;
use super::json::{array, object, Json, Object};
use super::model::Contract;
use super::run::Run;
use super::shown::Mask;
use super::time::Moment;
use super::{canonical, paths};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// What a host may say of a run beside its account: texts, each with the most characters.
const TEXTS: [(&str, usize); 4] = [("run_id", 128), ("loop_id", 128), ("source_alias", 200), ("revision_id", 200)];
const DIGESTS: [&str; 3] = ["interaction_script_digest", "capture_digest", "content_digest"];

/// The members of [`Extras`].
pub(crate) const EXTRAS: &[&str] = &[
    "run_id",
    "loop_id",
    "iteration",
    "source_alias",
    "revision_id",
    "content_digest",
    "interaction_script_digest",
    "capture_digest",
    "artifacts",
    "advisory_findings",
    "cost",
];

/// What a host says of a run beside its account. Nothing in it decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    members: Object,
    /// What a critic said.
    pub findings: Vec<String>,
}

impl Extras {
    /// Reads the members that are there out of an object; what is not there is `null`.
    pub(crate) fn read(fields: &Fields<'_>, mask: &Mask<'_>) -> Result<Extras, ContractError> {
        let mut members = Object::new();
        for (name, most) in TEXTS {
            let text = fields.text(name, most)?.map(|text| mask.text(text));
            members.insert(name.to_string(), text.into());
        }
        for name in DIGESTS {
            let text = fields.text(name, 71)?;
            if text.is_some_and(|text| !canonical::is_digest(text)) {
                return Err(ContractError::at(name, "expected sha256: and 64 lower-case hexadecimal digits"));
            }
            members.insert(name.to_string(), text.into());
        }
        members.insert("iteration".to_string(), fields.integer("iteration", 0, 1 << 40)?.into());
        members.insert("artifacts".to_string(), artifacts(fields)?);
        members.insert("cost".to_string(), fields.value("cost").map_or(Json::Null, |cost| mask.bounded(cost)));
        let findings = fields.texts("advisory_findings", 200)?.unwrap_or_default();
        let findings: Vec<String> = findings.iter().map(|text| mask.summary(text)).collect();
        members.insert("advisory_findings".to_string(), array(&findings));
        Ok(Extras { members, findings })
    }

    /// Reads an object of `run_id`, `loop_id`, `iteration`, `source_alias`, `revision_id`, `content_digest`,
    /// `interaction_script_digest`, `capture_digest`, `artifacts`, `advisory_findings` and `cost`, all of which may be left out. Paths below
    /// the workspace of the run are made relative.
    ///
    /// # Errors
    /// `verify.contract_invalid` with the place in `details.path`.
    pub fn of(value: &Json, run: &Run) -> Result<Extras, ContractError> {
        Extras::read(&Fields::of(value, EXTRAS)?, &Mask::new(run.workspace.as_deref()))
    }

    pub(crate) fn json(&self) -> Object {
        self.members.clone()
    }
}

/// `{role, path, digest, bytes}`, whose paths are relative or aliases.
fn artifacts(fields: &Fields<'_>) -> Result<Json, ContractError> {
    let mut out = Vec::new();
    for (index, item) in fields.array("artifacts", 1000)?.unwrap_or_default().iter().enumerate() {
        let place = format!("artifacts[{index}]");
        out.push(artifact(item).map_err(|error| error.inside(&place))?);
    }
    Ok(Json::Array(out))
}

fn artifact(item: &Json) -> Result<Json, ContractError> {
    let fields = Fields::of(item, &["role", "path", "digest", "bytes"])?;
    let path = fields.text("path", 1000)?.unwrap_or_default();
    paths::syntax(path).map_err(|message| ContractError::at("path", message))?;
    if paths::is_absolute(path) {
        return Err(ContractError::at("path", "expected a relative path or an alias"));
    }
    let digest = fields.text("digest", 71)?;
    if digest.is_none_or(|digest| !canonical::is_digest(digest)) {
        return Err(ContractError::at("digest", "expected sha256: and 64 lower-case hexadecimal digits"));
    }
    Ok(object([
        ("role", fields.text("role", 64)?.into()),
        ("path", path.into()),
        ("digest", digest.into()),
        ("bytes", fields.integer("bytes", 0, 1 << 52)?.into()),
    ]))
}

/// The order of freezing and working.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// Whether the contract was frozen before the work began, if that is known.
    pub(crate) frozen_before_work: Option<bool>,
    /// Whether nothing in the order speaks against a proof.
    pub(crate) sound: bool,
    pub(crate) notes: Vec<String>,
}

impl Order {
    pub(crate) fn of(contract: &Contract, run: &Run) -> Order {
        let frozen = contract.frozen_at.as_deref().and_then(Moment::parse);
        let started = run.work_started_at.as_deref().and_then(Moment::parse);
        let frozen_before_work = frozen.zip(started).map(|(frozen, started)| frozen <= started);
        let mut notes = Vec::new();
        if frozen_before_work == Some(false) {
            notes.push("the contract was frozen after the work had begun".to_string());
        }
        let by = contract.frozen_by.clone().unwrap_or_default();
        if by.is_unknown() {
            notes.push("it is not known who froze the contract".to_string());
        }
        if by.is_model() {
            notes.push("a model froze the contract".to_string());
        }
        if run.actor.as_ref() == Some(&by) {
            notes.push("the one who did the work froze the contract".to_string());
        }
        Order { frozen_before_work, sound: notes.is_empty(), notes }
    }
}

/// What the callers of a run need of its bundle: one answer for each check, and no evidence.
///
/// # Errors
/// `verify.attestation_invalid` when it is no bundle.
pub fn outcome(bundle: &Json) -> Result<Json, ContractError> {
    let get = |name: &str| bundle.get(name).cloned().unwrap_or(Json::Null);
    let results = bundle.get("check_results").and_then(Json::array);
    let results = results.ok_or_else(|| ContractError::new(Code::AttestationInvalid, "it has no check_results"))?;
    let check = |result: &Json| {
        let get = |name: &str| result.get(name).cloned().unwrap_or(Json::Null);
        object([
            ("check_id", get("check_id")),
            ("kind", get("type")),
            ("description", get("description")),
            ("required", get("required")),
            ("passed", get("passed")),
            ("evidence_refs", array(result.get("observation_digest").filter(|digest| !digest.is_null()).cloned())),
            ("detail", get("summary")),
        ])
    };
    Ok(object([
        ("verification_id", get("run_id")),
        ("verdict", get("verdict_word")),
        ("reason", get("reason")),
        ("checks", array(results.iter().map(check))),
        ("counts", get("counts")),
        ("contract_digest", get("contract_digest")),
        ("assurance", get("assurance")),
        ("evaluated_at", get("created_at")),
    ]))
}
