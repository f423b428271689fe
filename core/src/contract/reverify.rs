//! Reads a run back: whether its files are those that were written, by whom, and whether what was seen still leads to what is said.

use super::attest::{attestation, enveloped, uncheckable, UNSIGNED};
use super::canonical::{canonical, digest_bytes};
use super::codes::Code;
use super::dsse::{decode, Envelope, STATEMENT};
use super::error::ContractError;
use super::fields::Fields;
use super::json::{object, Json, Object};
use super::keys::Key;
use super::life::check_integrity;
use super::model::Contract;
use super::rejudge::rejudge;
use super::statement::{read_subjects, statement, Told};
use super::strict::{self, Limits};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

const CONTRACT: &str = "contract.json";
const EVIDENCE: &str = "evidence.json";
const ATTESTATION: &str = "attestation.json";
const ENVELOPE: &str = "attestation.dsse.json";

const MEMBERS: &[&str] = &[
    "schema_version",
    "bundle_digest",
    "verdict",
    "assurance",
    "contract_digest",
    "created_at",
    "host",
    "nonce",
    "subjects",
    "rejudged",
    "signature_status",
    "signature",
    "signature_algorithm",
    "public_key",
    "keyid",
    "previous_attestation_digest",
    "attestation_digest",
];

/// Whom a reader trusts, and what it demands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Keys in any form that a key is read in. No key in the files themselves is ever trusted.
    pub trusted_keys: Vec<String>,
    /// Whether a run without a signature is refused.
    pub require_signature: bool,
}

/// The files of a run, read.
struct Files<'a> {
    contract: Contract,
    evidence: &'a str,
    bundle: Json,
    attested: Json,
    envelope: Option<Json>,
}

/// Reads a run back. The first thing that is wrong is told, with its step in `details.step`.
///
/// Gives `{verdict, verdict_word, assurance, contract_digest, terms_digest, bundle_digest, attestation_digest, signature_status, keyid,
/// rejudged, rejudged_reason, frozen_before_work, proof_eligible, proof, limitations}`.
///
/// # Errors
/// `verify.run_not_found`, `verify.attestation_invalid`, `verify.contract_tampered`, `verify.contract_mismatch`,
/// `verify.attestation_tampered`, `verify.attestation_mismatch`, `verify.signature_status_mismatch`, `verify.signature_invalid`,
/// `verify.signature_untrusted`, `verify.signature_uncheckable`, `verify.verdict_mismatch`, `verify.signature_missing`.
pub fn reverify(files: &Object, policy: &Policy) -> Result<Json, ContractError> {
    let files = read(files)?;
    bound(&files).map_err(|(step, error)| error.with("step", step))?;
    let signature = signature(&files, policy)?;
    let rejudged = rejudge(&files.contract, &files.bundle).map_err(|error| error.with("step", "R9"))?;
    if policy.require_signature && signature.0 == UNSIGNED {
        let error = ContractError::new(Code::SignatureMissing, "a signature is demanded and the run has none");
        return Err(error.with("step", "R10").with("signature_status", UNSIGNED));
    }
    let get = |name: &str| files.bundle.get(name).cloned().unwrap_or(Json::Null);
    let eligible = get("proof_eligible") == Json::Bool(true);
    // A result whose observation is not there stands on nothing but the word of whoever wrote the files, unless that is signed.
    // No signature stands for what comes out otherwise.
    let grounded = rejudged.complete() || (rejudged.agrees() && signature.0 == "valid_trusted");
    Ok(object([
        ("verdict", get("verdict")),
        ("verdict_word", get("verdict_word")),
        ("assurance", get("assurance")),
        ("contract_digest", get("contract_digest")),
        ("terms_digest", get("terms_digest")),
        ("bundle_digest", digest_bytes(files.evidence.as_bytes()).into()),
        ("attestation_digest", files.attested.get("attestation_digest").cloned().unwrap_or(Json::Null)),
        ("signature_status", signature.0.into()),
        ("keyid", signature.1.into()),
        ("rejudged", rejudged.complete().into()),
        ("rejudged_reason", rejudged.reason().into()),
        ("frozen_before_work", get("frozen_before_work")),
        ("proof_eligible", eligible.into()),
        ("proof", (eligible && grounded && get("verdict_word").str() == Some("VERIFIED")).into()),
        ("limitations", get("limitations")),
    ]))
}

/// R1 and R2: the files are there and are what the strict parser reads.
fn read(files: &Object) -> Result<Files<'_>, ContractError> {
    let text = |name: &str| match files.get(name) {
        Some(Json::String(text)) => Ok(text.as_str()),
        Some(other) => Err(super::attest::not_text(name, other)),
        None => {
            let error = ContractError::new(Code::RunNotFound, format!("{name} is not there"));
            Err(error.with("step", "R1").with("file", name))
        }
    };
    let (contract, evidence, attested) = (text(CONTRACT)?, text(EVIDENCE)?, text(ATTESTATION)?);
    let envelope = files.get(ENVELOPE).map(|_| text(ENVELOPE)).transpose()?;
    let known = [CONTRACT, EVIDENCE, ATTESTATION, ENVELOPE];
    if let Some(name) = files.keys().find(|name| !known.contains(&name.as_str())) {
        return Err(ContractError::at("files", format!("{} is no file of a run", super::fields::shown_name(name))));
    }
    let contract = contract_of(contract)?;
    Ok(Files {
        contract,
        evidence,
        bundle: parsed(EVIDENCE, evidence, &strict::CALL)?,
        attested: exact(ATTESTATION, attested)?,
        envelope: envelope.map(|text| exact(ENVELOPE, text)).transpose()?,
    })
}

fn contract_of(text: &str) -> Result<Contract, ContractError> {
    let value = strict::parse(text.as_bytes(), &strict::CONTRACT).map_err(|fault| {
        let error = ContractError::new(Code::ContractUnreadable, fault.message);
        error.with("step", "R2").with("file", CONTRACT)
    })?;
    let contract = Contract::read(&value).map_err(|error| error.with("step", "R2").with("file", CONTRACT))?;
    check_integrity(&contract).map_err(|error| error.with("step", "R3"))?;
    if canonical(&contract.json()) != text {
        let error = ContractError::new(Code::ContractTampered, "contract.json is not written in its canonical form");
        return Err(error.with("step", "R3"));
    }
    Ok(contract)
}

fn parsed(name: &str, text: &str, limits: &Limits) -> Result<Json, ContractError> {
    strict::parse(text.as_bytes(), limits).map_err(|fault| invalid(name, &fault.message))
}

/// A file that is in its canonical form.
fn exact(name: &str, text: &str) -> Result<Json, ContractError> {
    let value = parsed(name, text, &strict::CALL)?;
    if canonical(&value) == text {
        return Ok(value);
    }
    Err(invalid(name, "it is not written in its canonical form"))
}

fn invalid(name: &str, message: &str) -> ContractError {
    ContractError::new(Code::AttestationInvalid, format!("{name}: {message}")).with("step", "R2").with("file", name)
}

/// R2 of the attestation, and R4 to R7: the files belong together.
fn bound(files: &Files<'_>) -> Result<(), (&'static str, ContractError)> {
    let fields =
        Fields::of(&files.attested, MEMBERS).map_err(|error| ("R2", invalid(ATTESTATION, &error.to_string())))?;
    let said = |name: &str| files.attested.get(name).unwrap_or(&Json::Null);
    let held = |name: &str| files.bundle.get(name).unwrap_or(&Json::Null);
    let contract = &files.contract;
    let same = held("contract_id").str() == Some(&contract.contract_id)
        && held("contract_digest").str() == contract.digest.as_deref()
        && held("terms_digest").str() == Some(&contract.terms_digest());
    if !same {
        return Err(("R4", ContractError::new(Code::ContractMismatch, "the evidence is of another contract")));
    }
    let actual = digest_bytes(files.evidence.as_bytes());
    if said("bundle_digest").str() != Some(&actual) {
        let error = ContractError::new(Code::AttestationTampered, "evidence.json is not what was attested");
        return Err(("R5", error.with("recorded_digest", said("bundle_digest").clone()).with("actual_digest", actual)));
    }
    if canonical(&files.bundle) != files.evidence {
        return Err(("R5", invalid(EVIDENCE, "it is not written in its canonical form")));
    }
    for name in ["verdict", "assurance", "contract_digest"] {
        if said(name) != held(name) {
            let error = ContractError::new(Code::AttestationMismatch, format!("the attestation says another {name}"));
            return Err(("R6", error.with("member", name)));
        }
    }
    let parts = ["signature", "signature_algorithm", "public_key", "keyid"];
    let there =
        parts.iter().filter(|name| fields.value(name).is_some()).count() + usize::from(files.envelope.is_some());
    let status = said("signature_status").str().unwrap_or_default();
    let algorithm = said("signature_algorithm").str().unwrap_or_default();
    let agrees = if status == UNSIGNED { there == 0 } else { there == 5 && status == format!("signed_{algorithm}") };
    if !agrees {
        let message = format!("the status is {status}, and {there} of 5 parts of a signature are there");
        return Err(("R7", ContractError::new(Code::SignatureStatusMismatch, message)));
    }
    Ok(())
}

/// R8: gives the status of the signature and the id of its key. Everything in the attestation is made anew from the bundle and compared,
/// so that nothing in it can be said beside what was signed.
fn signature(files: &Files<'_>, policy: &Policy) -> Result<(&'static str, Option<String>), ContractError> {
    let said = |name: &str| files.attested.get(name).and_then(Json::str).unwrap_or_default();
    let told = told(&files.attested)?;
    let bundle_digest = digest_bytes(files.evidence.as_bytes());
    let Some(envelope) = &files.envelope else {
        if attestation(&files.bundle, &bundle_digest, &told, None) == files.attested {
            return Ok((UNSIGNED, None));
        }
        return Err(refused(Code::AttestationTampered, "", "attestation.json is not what was written"));
    };
    let (algorithm, public_key) = (said("signature_algorithm"), said("public_key"));
    let unchecked = |_| uncheckable(algorithm).with("step", "R8").with("signature_status", "uncheckable");
    let key = Key::read_as(algorithm, public_key).map_err(unchecked)?;
    let read = Envelope::read(envelope).map_err(|message| invalid(ENVELOPE, &message))?;
    let bytes = decode(said("signature")).unwrap_or_default();
    if !read.is_signed_by(&key) || !key.verify(&read.signed(), &bytes) {
        let message = "the signature is not of the statement in attestation.dsse.json";
        return Err(refused(Code::SignatureInvalid, "invalid", message));
    }
    let payload = canonical(&statement(&files.bundle, &bundle_digest, &told)).into_bytes();
    let made = Envelope { payload_type: STATEMENT.to_string(), payload, signatures: Vec::new() };
    if read.payload != made.payload || read.payload_type != made.payload_type {
        return Err(refused(Code::AttestationMismatch, "", "the signed statement says something else than the files"));
    }
    let whole = enveloped(made, &key, &bytes) == *envelope;
    if !whole || attestation(&files.bundle, &bundle_digest, &told, Some(&(key.clone(), bytes))) != files.attested {
        return Err(refused(Code::AttestationTampered, "", "the attestation is not what was written"));
    }
    let trusted = policy.trusted_keys.iter().filter_map(|text| Key::read(text)).any(|trusted| trusted == key);
    if trusted {
        return Ok(("valid_trusted", Some(key.id())));
    }
    let message = "the signature is valid, by a key that is not among the trusted ones";
    Err(refused(Code::SignatureUntrusted, "valid_untrusted_key", message).with("keyid", key.id()))
}

/// A refusal of R8, with the status of the signature where that is known.
fn refused(code: Code, status: &str, message: &str) -> ContractError {
    let error = ContractError::new(code, message).with("step", "R8");
    if status.is_empty() {
        return error;
    }
    error.with("signature_status", status)
}

fn told(attested: &Json) -> Result<Told, ContractError> {
    let wrong = |error: ContractError| invalid(ATTESTATION, &error.to_string());
    let fields = Fields::of(attested, MEMBERS).map_err(wrong)?;
    let text = |name: &str| attested.get(name).and_then(Json::str).map(ToString::to_string);
    Ok(Told {
        attested_at: text("created_at").unwrap_or_default(),
        host: attested.get("host").cloned().unwrap_or(Json::Null),
        nonce: text("nonce"),
        previous: text("previous_attestation_digest"),
        rejudged: attested.get("rejudged") == Some(&Json::Bool(true)),
        subjects: read_subjects(&fields).map_err(wrong)?,
    })
}
