//! The table of codes: what programs branch on, when each is given, and the way out that goes with it.

/// What a code means.
#[derive(Clone, Copy, Debug)]
pub struct CodeInfo {
    /// The code.
    pub code: Code,
    /// Its name on the wire.
    pub name: &'static str,
    /// When it is given.
    pub when: &'static str,
    /// What to do about it.
    pub fix: &'static str,
    /// Whether the same call may succeed later.
    pub retryable: bool,
}

/// Makes the enumeration and its table of one list.
macro_rules! codes {
    ($($code:ident $name:literal: $when:literal, $fix:literal, $retryable:literal;)*) => {
        /// Why something was refused, or why a check could not decide.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $when] $code,)*
        }

        /// Every code, in the order of the enumeration.
        pub const CODES: &[CodeInfo] = &[
            $(CodeInfo { code: Code::$code, name: concat!("verify.", $name), when: $when, fix: $fix, retryable: $retryable },)*
        ];
    };
}

codes! {
    ContractInvalid "contract_invalid":
        "the contract, or the call, breaks a rule of its form",
        "Correct the place that details.path names.", false;
    ContractUnreadable "contract_unreadable":
        "a file cannot be read as a contract",
        "Give the file that the freeze wrote, as UTF-8 JSON.", false;
    ContractEmpty "contract_empty":
        "a contract without checks was to be frozen",
        "Add at least one check.", false;
    ContractAlreadyFrozen "contract_already_frozen":
        "a contract with frozen_at or digest was to be frozen",
        "Use it as it is, or make a revision of it.", false;
    ContractNotFrozen "contract_not_frozen":
        "a draft was given where a frozen contract is needed",
        "Freeze it first, before the work starts.", false;
    ContractTampered "contract_tampered":
        "the contract's digest is not that of its content",
        "Go back to the contract as it was frozen; a wanted change is a revision.", false;
    SchemaUnsupported "schema_unsupported":
        "schema_version is not 1",
        "Write schema_version 1, or use a version that knows it.", false;
    CheckVacuous "check_vacuous":
        "no observation could make the check fail",
        "Add an expectation that can fail.", false;
    SupplementRefused "supplement_refused":
        "a model proposed a check that acts or reaches further than the contract",
        "Leave the check out, or have a person put it into a revision.", false;
    WorkspaceUnresolved "workspace_unresolved":
        "a check needs the workspace and none was established",
        "Give an absolute, existing directory; the current directory is never taken.", false;
    AssuranceUnavailable "assurance_unavailable":
        "the contract demands more independence than the backend proves",
        "Run it on a backend that proves details.required, or freeze a contract that demands less.", false;
    RunNotFound "run_not_found":
        "the files of the run are not there",
        "Check the run's id and the directory of its files.", false;
    BackendFailed "backend_failed":
        "the verifier's process failed",
        "Run it again; if it fails again, read the verifier's own log.", true;
    BackendRejected "backend_rejected":
        "the verifier did not understand the job",
        "Use the same version on both sides.", false;
    BackendUnavailable "backend_unavailable":
        "the host gave no output in time, or could not reach the target",
        "See that the target can be reached and read, then run it again.", true;
    UnsupportedCheck "unsupported_check":
        "the type of check is unknown here",
        "Use a version that knows the type; check_types lists those of this one.", false;
    CheckRefused "check_refused":
        "a rule of safety forbids to look: roots, origins, addresses, offline",
        "Name the place in allowed_roots or allowed_origins of a new contract, or correct the check.", false;
    CheckMalformed "check_malformed":
        "the check itself cannot be carried out",
        "Correct the check in a revision.", false;
    CheckCrashed "check_crashed":
        "the host failed at looking, or its answer is not of the form that the check needs",
        "Use a host that answers in the form of the check's type.", true;
    CheckTimeout "check_timeout":
        "the time of the check ran out",
        "Raise timeout_seconds in a revision, or make the target faster.", true;
    CapabilityMissing "capability_missing":
        "the host lacks what the check needs",
        "Use a host with the capability that details names.", false;
    EvidenceAbsent "evidence_absent":
        "there is nothing to look at: no frame, no event, no test",
        "See that capture ran and covers the time in question.", true;
    ObservationMissing "observation_missing":
        "no observation answers the request",
        "Carry out every request of the plan.", true;
    ObservationMismatch "observation_mismatch":
        "the observation was made for another plan",
        "Observe anew for this plan.", true;
    ObservationTruncated "observation_truncated":
        "the part that was seen does not settle the check",
        "Make what is observed smaller, or ask for less of it.", false;
    DocumentAmbiguous "document_ambiguous":
        "two readers could understand the document differently",
        "Write each member once and no half surrogate pair.", false;
    CommandNotFound "command_not_found":
        "the program or its directory is not there",
        "Install the program on the verifier's path, or correct cwd.", false;
    ResultUnknown "result_unknown":
        "a result or an observation belongs to no check of the contract",
        "Give only what the plan asks for.", false;
    ResultDuplicate "result_duplicate":
        "two results or observations for one check",
        "Give one for each.", false;
    AttestationInvalid "attestation_invalid":
        "a file of the run cannot be read, or has members that none should have",
        "Go back to the files as they were written.", false;
    AttestationTampered "attestation_tampered":
        "the bytes of evidence.json are not those that were attested",
        "Go back to the files as they were written.", false;
    AttestationMismatch "attestation_mismatch":
        "the attestation says another verdict, assurance or contract than the evidence",
        "Go back to the files as they were written.", false;
    ContractMismatch "contract_mismatch":
        "the evidence is of another contract",
        "Give the contract that the run was made for.", false;
    VerdictMismatch "verdict_mismatch":
        "the stored observations lead to another result than the stored one",
        "Do not trust the run; make a new one.", false;
    SigningUnavailable "signing_unavailable":
        "a signature was demanded and no signer was given",
        "Give a signer, or do not demand a signature.", false;
    SignatureUncheckable "signature_uncheckable":
        "there is a signature that cannot be checked here",
        "Use ed25519 or ecdsa_p256_sha256, with a key in a known form.", false;
    SignatureInvalid "signature_invalid":
        "the signature is not that of the statement",
        "Do not trust the run; go back to the files as they were written.", false;
    SignatureMissing "signature_missing":
        "a signature is demanded and there is none",
        "Have the run attested with a signer.", false;
    SignatureUntrusted "signature_untrusted":
        "the signature is valid, by a key that the reader does not trust",
        "Add the key to the trusted ones only if you know whose it is.", false;
    SignatureStatusMismatch "signature_status_mismatch":
        "the status says signed and there is no signature, or the reverse",
        "Do not trust the run; go back to the files as they were written.", false;
}

impl Code {
    fn info(self) -> Option<&'static CodeInfo> {
        CODES.get(self as usize)
    }

    /// The name on the wire, such as `verify.contract_empty`.
    pub fn name(self) -> &'static str {
        self.info().map_or("", |info| info.name)
    }

    /// What to do about it.
    pub fn fix(self) -> &'static str {
        self.info().map_or("", |info| info.fix)
    }

    /// Whether the same call may succeed later.
    pub fn retryable(self) -> bool {
        self.info().is_some_and(|info| info.retryable)
    }

    /// The code of a name.
    pub fn of_name(name: &str) -> Option<Code> {
        CODES.iter().find(|info| info.name == name).map(|info| info.code)
    }
}
