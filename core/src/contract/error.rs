//! Refusals: a code for programs, a sentence and a way out for people.

use super::json::{object, Json, Object};
use alloc::string::{String, ToString};
use core::fmt;

/// Why something was refused, or why a check could not decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)] // The table below says what each is.
pub enum Code {
    ContractInvalid,
    ContractUnreadable,
    ContractEmpty,
    ContractAlreadyFrozen,
    ContractNotFrozen,
    ContractTampered,
    SchemaUnsupported,
    CheckVacuous,
    SupplementRefused,
    WorkspaceUnresolved,
    AssuranceUnavailable,
    RunNotFound,
    BackendFailed,
    BackendRejected,
    BackendUnavailable,
    UnsupportedCheck,
    CheckRefused,
    CheckMalformed,
    CheckCrashed,
    CheckTimeout,
    CapabilityMissing,
    EvidenceAbsent,
    ObservationMissing,
    ObservationMismatch,
    ObservationTruncated,
    DocumentAmbiguous,
    CommandNotFound,
    ResultUnknown,
    ResultDuplicate,
    AttestationInvalid,
    AttestationTampered,
    AttestationMismatch,
    ContractMismatch,
    VerdictMismatch,
    SigningUnavailable,
    SignatureUncheckable,
    SignatureInvalid,
    SignatureMissing,
    SignatureUntrusted,
    SignatureStatusMismatch,
}

/// A code, its name on the wire, when it is given, what to do about it, and whether the same call may succeed later.
pub type CodeInfo = (Code, &'static str, &'static str, &'static str, bool);

/// Every code.
pub const CODES: &[CodeInfo] = &[
    (
        Code::ContractInvalid,
        "verify.contract_invalid",
        "the contract, or the call, breaks a rule of its form",
        "Correct the place that details.path names.",
        false,
    ),
    (
        Code::ContractUnreadable,
        "verify.contract_unreadable",
        "a file cannot be read as a contract",
        "Give the file that the freeze wrote, as UTF-8 JSON.",
        false,
    ),
    (
        Code::ContractEmpty,
        "verify.contract_empty",
        "a contract without checks was to be frozen",
        "Add at least one check.",
        false,
    ),
    (
        Code::ContractAlreadyFrozen,
        "verify.contract_already_frozen",
        "a contract with frozen_at or digest was to be frozen",
        "Use it as it is, or make a revision of it.",
        false,
    ),
    (
        Code::ContractNotFrozen,
        "verify.contract_not_frozen",
        "a draft was given where a frozen contract is needed",
        "Freeze it first, before the work starts.",
        false,
    ),
    (
        Code::ContractTampered,
        "verify.contract_tampered",
        "the contract's digest is not that of its content",
        "Go back to the contract as it was frozen; a wanted change is a revision.",
        false,
    ),
    (
        Code::SchemaUnsupported,
        "verify.schema_unsupported",
        "schema_version is not 1",
        "Write schema_version 1, or use a version that knows it.",
        false,
    ),
    (
        Code::CheckVacuous,
        "verify.check_vacuous",
        "no observation could make the check fail",
        "Add an expectation that can fail.",
        false,
    ),
    (
        Code::SupplementRefused,
        "verify.supplement_refused",
        "a model proposed a check that acts or reaches further than the contract",
        "Leave the check out, or have a person put it into a revision.",
        false,
    ),
    (
        Code::WorkspaceUnresolved,
        "verify.workspace_unresolved",
        "a check needs the workspace and none was established",
        "Give an absolute, existing directory; the current directory is never taken.",
        false,
    ),
    (
        Code::AssuranceUnavailable,
        "verify.assurance_unavailable",
        "the contract demands more independence than the backend proves",
        "Run it on a backend that proves details.required, or freeze a contract that demands less.",
        false,
    ),
    (
        Code::RunNotFound,
        "verify.run_not_found",
        "the files of the run are not there",
        "Check the run's id and the directory of its files.",
        false,
    ),
    (
        Code::BackendFailed,
        "verify.backend_failed",
        "the verifier's process failed",
        "Run it again; if it fails again, read the verifier's own log.",
        true,
    ),
    (
        Code::BackendRejected,
        "verify.backend_rejected",
        "the verifier did not understand the job",
        "Use the same version on both sides.",
        false,
    ),
    (
        Code::BackendUnavailable,
        "verify.backend_unavailable",
        "the host gave no output, could not reach the target, or failed itself",
        "See that the target can be reached and read, then run it again.",
        true,
    ),
    (
        Code::UnsupportedCheck,
        "verify.unsupported_check",
        "the type of check is unknown here",
        "Use a version that knows the type; check_types lists those of this one.",
        false,
    ),
    (
        Code::CheckRefused,
        "verify.check_refused",
        "a rule of safety forbids to look: roots, origins, addresses, offline",
        "Name the place in allowed_roots or allowed_origins of a new contract, or correct the check.",
        false,
    ),
    (
        Code::CheckMalformed,
        "verify.check_malformed",
        "the check itself cannot be carried out",
        "Correct the check in a revision.",
        false,
    ),
    (
        Code::CheckCrashed,
        "verify.check_crashed",
        "the host's answer is not of the form that the check needs",
        "Use a host that answers in the form of the check's type.",
        true,
    ),
    (
        Code::CheckTimeout,
        "verify.check_timeout",
        "the time of the check ran out",
        "Raise timeout_seconds in a revision, or make the target faster.",
        true,
    ),
    (
        Code::CapabilityMissing,
        "verify.capability_missing",
        "the host lacks what the check needs",
        "Use a host with the capability that details names.",
        false,
    ),
    (
        Code::EvidenceAbsent,
        "verify.evidence_absent",
        "there is nothing to look at: no frame, no event, no test",
        "See that capture ran and covers the time in question.",
        true,
    ),
    (
        Code::ObservationMissing,
        "verify.observation_missing",
        "no observation answers the request",
        "Carry out every request of the plan.",
        true,
    ),
    (
        Code::ObservationMismatch,
        "verify.observation_mismatch",
        "the observation was made for another plan",
        "Observe anew for this plan.",
        true,
    ),
    (
        Code::ObservationTruncated,
        "verify.observation_truncated",
        "the part that was seen does not settle the check",
        "Make what is observed smaller, or ask for less of it.",
        false,
    ),
    (
        Code::DocumentAmbiguous,
        "verify.document_ambiguous",
        "two readers could understand the document differently",
        "Write each member once and no half surrogate pair.",
        false,
    ),
    (
        Code::CommandNotFound,
        "verify.command_not_found",
        "the program or its directory is not there",
        "Install the program on the verifier's path, or correct cwd.",
        false,
    ),
    (
        Code::ResultUnknown,
        "verify.result_unknown",
        "a result or an observation belongs to no check of the contract",
        "Give only what the plan asks for.",
        false,
    ),
    (
        Code::ResultDuplicate,
        "verify.result_duplicate",
        "two results or observations for one check",
        "Give one for each.",
        false,
    ),
    (
        Code::AttestationInvalid,
        "verify.attestation_invalid",
        "a file of the run cannot be read, or has members that none should have",
        "Go back to the files as they were written.",
        false,
    ),
    (
        Code::AttestationTampered,
        "verify.attestation_tampered",
        "the bytes of evidence.json are not those that were attested",
        "Go back to the files as they were written.",
        false,
    ),
    (
        Code::AttestationMismatch,
        "verify.attestation_mismatch",
        "the attestation says another verdict, assurance or contract than the evidence",
        "Go back to the files as they were written.",
        false,
    ),
    (
        Code::ContractMismatch,
        "verify.contract_mismatch",
        "the evidence is of another contract",
        "Give the contract that the run was made for.",
        false,
    ),
    (
        Code::VerdictMismatch,
        "verify.verdict_mismatch",
        "the stored observations lead to another result than the stored one",
        "Do not trust the run; make a new one.",
        false,
    ),
    (
        Code::SigningUnavailable,
        "verify.signing_unavailable",
        "a signature was demanded and no signer was given",
        "Give a signer, or do not demand a signature.",
        false,
    ),
    (
        Code::SignatureUncheckable,
        "verify.signature_uncheckable",
        "there is a signature that cannot be checked here",
        "Use ed25519 or ecdsa_p256_sha256, with a key in a known form.",
        false,
    ),
    (
        Code::SignatureInvalid,
        "verify.signature_invalid",
        "the signature is not that of the statement",
        "Do not trust the run; go back to the files as they were written.",
        false,
    ),
    (
        Code::SignatureMissing,
        "verify.signature_missing",
        "a signature is demanded and there is none",
        "Have the run attested with a signer.",
        false,
    ),
    (
        Code::SignatureUntrusted,
        "verify.signature_untrusted",
        "the signature is valid, by a key that the reader does not trust",
        "Add the key to the trusted ones only if you know whose it is.",
        false,
    ),
    (
        Code::SignatureStatusMismatch,
        "verify.signature_status_mismatch",
        "the status says signed and there is no signature, or the reverse",
        "Do not trust the run; go back to the files as they were written.",
        false,
    ),
];

impl Code {
    fn info(self) -> &'static CodeInfo {
        const NONE: CodeInfo = (Code::CheckCrashed, "verify.check_crashed", "", "", false);
        CODES.iter().find(|info| info.0 == self).unwrap_or(const { &NONE })
    }

    /// The name on the wire, such as `verify.contract_empty`.
    pub fn name(self) -> &'static str {
        self.info().1
    }

    /// What to do about it.
    pub fn fix(self) -> &'static str {
        self.info().3
    }

    /// Whether the same call may succeed later.
    pub fn retryable(self) -> bool {
        self.info().4
    }

    /// The code of a name.
    pub fn of_name(name: &str) -> Option<Code> {
        CODES.iter().find(|info| info.1 == name).map(|info| info.0)
    }
}

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractError {
    code: Code,
    message: String,
    details: Object,
}

impl ContractError {
    /// A refusal with its sentence.
    pub fn new(code: Code, message: impl ToString) -> Self {
        ContractError { code, message: message.to_string(), details: Object::new() }
    }

    /// A breach of the form at a place, such as `checks[0].params.path`.
    pub(crate) fn at(path: impl ToString, message: impl ToString) -> Self {
        ContractError::new(Code::ContractInvalid, message).with("path", path.to_string())
    }

    /// The same with a detail.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: impl Into<Json>) -> Self {
        self.details.insert(name.to_string(), value.into());
        self
    }

    /// The same at a place further out: `inside("checks[0]")` puts it before the path that is there.
    #[must_use]
    pub(crate) fn inside(mut self, place: &str) -> Self {
        let path = match self.details.get("path").and_then(Json::str) {
            Some("") | None => place.to_string(),
            Some(path) if path.starts_with('[') => alloc::format!("{place}{path}"),
            Some(path) => alloc::format!("{place}.{path}"),
        };
        self.details.insert("path".to_string(), path.into());
        self
    }

    /// The code.
    pub fn code(&self) -> Code {
        self.code
    }

    /// The sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it.
    pub fn fix(&self) -> &'static str {
        self.code.fix()
    }

    /// More, by name: `path`, `recorded_digest`, `required` and so on.
    pub fn details(&self) -> &Object {
        &self.details
    }

    /// Whether the same call may succeed later.
    pub fn retryable(&self) -> bool {
        self.code.retryable()
    }

    /// `{code, message, fix, details, retryable}`.
    pub fn json(&self) -> Json {
        object([
            ("code", self.code.name().into()),
            ("message", self.message.as_str().into()),
            ("fix", self.fix().into()),
            ("details", Json::Object(self.details.clone())),
            ("retryable", self.retryable().into()),
        ])
    }
}

impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.details.get("path").and_then(Json::str) {
            Some(path) if !path.is_empty() => write!(f, "{}: {path}: {}", self.code.name(), self.message),
            _ => write!(f, "{}: {}", self.code.name(), self.message),
        }
    }
}

impl core::error::Error for ContractError {}
