//! The in-toto Statements about a run: our own, and those of others that have a word for the verdict.

use super::canonical::canonical;
use super::dsse::{encode, pae, STATEMENT};
use super::error::ContractError;
use super::fields::Fields;
use super::json::{array, object, Json, Object};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The type of our predicate.
pub const PREDICATE: &str = "https://docs.rs/counterfoil/verification-result/v1";
/// Who verified, as a URI.
pub const VERIFIER: &str = "https://docs.rs/counterfoil";
const SVR: &str = "https://in-toto.io/attestation/svr/v0.1";
const TEST_RESULT: &str = "https://in-toto.io/attestation/test-result/v0.1";
const SUMMARY: &str = "https://slsa.dev/verification_summary/v1";

/// What a statement says beside the bundle. All of it is in the signed bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) attested_at: String,
    pub(crate) host: Json,
    pub(crate) nonce: Option<String>,
    pub(crate) previous: Option<String>,
    /// Whether the verdict was reached again from the stored observations before this was said.
    pub(crate) rejudged: bool,
    /// `{name, digest: {algorithm: hex}}`: states that the verdict is exactly about.
    pub(crate) subjects: Vec<Json>,
}

/// The statement about a bundle.
pub(crate) fn statement(bundle: &Json, bundle_digest: &str, told: &Told) -> Json {
    let get = |name: &str| bundle.get(name).cloned().unwrap_or(Json::Null);
    let contract =
        object([("id", get("contract_id")), ("digest", get("contract_digest")), ("terms_digest", get("terms_digest"))]);
    let core = bundle.get("tools").and_then(|tools| tools.get("core")).and_then(|core| core.get("version"));
    let predicate = object([
        ("verdict_word", get("verdict_word")),
        ("contract", contract),
        ("assurance", get("assurance")),
        ("assurance_facts", get("assurance_facts")),
        ("checks", array(results(bundle).iter().map(check))),
        ("limitations", get("limitations")),
        ("proof_eligible", get("proof_eligible")),
        ("verifier", object([("id", VERIFIER.into()), ("version", core.cloned().unwrap_or(Json::Null))])),
        ("plan_digest", get("plan_digest")),
        ("rejudged", told.rejudged.into()),
        ("frozen_before_work", get("frozen_before_work")),
        ("started_at", get("started_at")),
        ("ended_at", get("ended_at")),
        ("attested_at", told.attested_at.as_str().into()),
        ("host", told.host.clone()),
        ("nonce", told.nonce.clone().into()),
        ("previous_attestation_digest", told.previous.clone().into()),
    ]);
    of_type(PREDICATE, &subjects(bundle_digest, told), predicate)
}

fn subjects(bundle_digest: &str, told: &Told) -> Vec<Json> {
    let hex = bundle_digest.strip_prefix("sha256:").unwrap_or_default();
    let evidence = object([("name", "evidence.json".into()), ("digest", object([("sha256", hex.into())]))]);
    core::iter::once(evidence).chain(told.subjects.iter().cloned()).collect()
}

fn of_type(kind: &str, subjects: &[Json], predicate: Json) -> Json {
    object([
        ("_type", "https://in-toto.io/Statement/v1".into()),
        ("subject", Json::Array(subjects.to_vec())),
        ("predicateType", kind.into()),
        ("predicate", predicate),
    ])
}

fn results(bundle: &Json) -> &[Json] {
    bundle.get("check_results").and_then(Json::array).unwrap_or_default()
}

fn check(result: &Json) -> Json {
    let get = |name: &str| result.get(name).cloned().unwrap_or(Json::Null);
    object([("id", get("check_id")), ("type", get("type")), ("required", get("required")), ("passed", get("passed"))])
}

/// Statements of others' types, by a short name; `contract_file` is the digest of `contract.json`. A verdict for which a type has no word gets no statement of it, so that nothing that
/// could not be checked reads as passed or failed.
pub(crate) fn others(
    bundle: &Json,
    bundle_digest: &str,
    contract_file: &str,
    told: &Told,
    resource: Option<&str>,
) -> Object {
    let word = bundle.get("verdict_word").and_then(Json::str).unwrap_or_default();
    let subjects = subjects(bundle_digest, told);
    let policy = policy(bundle, contract_file);
    let mut out = Object::new();
    let mut add =
        |name: &str, kind, predicate| out.insert(name.to_string(), payload(&of_type(kind, &subjects, predicate)));
    if word == "VERIFIED" {
        add("svr", SVR, properties(bundle, told));
    }
    if matches!(word, "VERIFIED" | "FAILED") {
        add("test_result", TEST_RESULT, test_result(bundle, word, policy.clone()));
        if let Some(resource) = resource {
            add("vsa", SUMMARY, summary(bundle, word, told, policy, resource));
        }
    }
    out
}

/// The required checks that passed, or that failed.
fn decided(bundle: &Json, wanted: bool) -> Vec<&str> {
    let required = results(bundle).iter().filter(|result| result.get("required") == Some(&Json::Bool(true)));
    let decided = required.filter(|result| result.get("passed") == Some(&Json::Bool(wanted)));
    decided.filter_map(|result| result.get("check_id")?.str()).collect()
}

fn verifier() -> Json {
    object([("id", VERIFIER.into())])
}

fn properties(bundle: &Json, told: &Told) -> Json {
    let properties = decided(bundle, true).into_iter().map(|id| format!("COUNTERFOIL_{id}"));
    object([
        ("verifier", verifier()),
        ("timeCreated", told.attested_at.as_str().into()),
        ("properties", array(properties)),
    ])
}

fn passed(word: &str) -> &'static str {
    if word == "VERIFIED" {
        return "PASSED";
    }
    "FAILED"
}

fn test_result(bundle: &Json, word: &str, policy: Json) -> Json {
    object([
        ("result", passed(word).into()),
        ("configuration", Json::Array([policy].into())),
        ("passedTests", array(decided(bundle, true))),
        ("warnedTests", Json::Array(Vec::new())),
        ("failedTests", array(decided(bundle, false))),
    ])
}

fn summary(bundle: &Json, word: &str, told: &Told, policy: Json, resource: &str) -> Json {
    let assurance = bundle.get("assurance").and_then(Json::str).unwrap_or_default().to_uppercase();
    let level = if word == "VERIFIED" { format!("COUNTERFOIL_{assurance}") } else { "FAILED".to_string() };
    object([
        ("verifier", verifier()),
        ("timeVerified", told.attested_at.as_str().into()),
        ("resourceUri", resource.into()),
        ("policy", policy),
        ("verificationResult", passed(word).into()),
        ("verifiedLevels", array([level])),
    ])
}

/// The contract as a resource. The digest is that of the file; that of the content, which the file holds, is beside it.
fn policy(bundle: &Json, contract_file: &str) -> Json {
    let id = bundle.get("contract_id").and_then(Json::str).unwrap_or_default();
    let content = bundle.get("contract_digest").cloned().unwrap_or(Json::Null);
    object([
        ("uri", format!("urn:counterfoil:contract:{id}").into()),
        ("name", "contract.json".into()),
        ("annotations", object([("content_digest", content)])),
        ("digest", object([("sha256", contract_file.strip_prefix("sha256:").unwrap_or_default().into())])),
    ])
}

/// A statement with the bytes that go into an envelope and those that are signed, both in base64.
pub(crate) fn payload(statement: &Json) -> Json {
    let text = canonical(statement);
    object([
        ("statement", statement.clone()),
        ("payload_type", STATEMENT.into()),
        ("payload", encode(text.as_bytes()).into()),
        ("pae", encode(&pae(STATEMENT, text.as_bytes())).into()),
    ])
}

/// Reads subjects that the caller adds: each with a name and the digest of exactly the state that the verdict is about.
pub(crate) fn read_subjects(fields: &Fields<'_>) -> Result<Vec<Json>, ContractError> {
    let mut out = Vec::new();
    for (index, item) in fields.array("subjects", 100)?.unwrap_or_default().iter().enumerate() {
        let place = format!("subjects[{index}]");
        let subject = Fields::of(item, &["name", "digest"]).map_err(|error| error.inside(&place))?;
        let name = subject.text("name", 1000).map_err(|error| error.inside(&place))?.unwrap_or_default();
        let digest = subject.value("digest").and_then(Json::object).filter(|digest| !digest.is_empty());
        let sound = |value: &Json| value.str().is_some_and(|hex| !hex.is_empty() && hex.bytes().all(lower_hex));
        match digest.filter(|digest| digest.values().all(sound)) {
            Some(_) if !name.is_empty() => out.push(item.clone()),
            _ => return Err(ContractError::at(place, "expected {name, digest: {algorithm: lower-case hexadecimal}}")),
        }
    }
    Ok(out)
}

fn lower_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}
