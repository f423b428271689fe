//! Binds a verdict to what it was reached from: the digest of the evidence, and a signature over a statement of it if there is a
//! signer.

use super::canonical::{canonical, digest, digest_bytes};
use super::codes::Code;
use super::dsse::{decode, encode, Envelope, Signature, STATEMENT};
use super::error::ContractError;
use super::fields::{wrong, Fields};
use super::json::{object, Json, Object};
use super::keys::Key;
use super::life::check_integrity;
use super::model::{moment, Contract};
use super::rejudge::rejudge;
use super::statement::{others, payload, read_subjects, statement, Told};
use alloc::format;
use alloc::string::{String, ToString};

/// The status of an attestation without a signature.
pub(crate) const UNSIGNED: &str = "unsigned_hash_bound";

/// What an attestation is made with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attesting {
    told: Told,
    signature: Option<Signed>,
    /// A signature is demanded.
    sign: bool,
    seed: Option<String>,
    resource: Option<String>,
}

/// A signature that a host made, with its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signed {
    pub(crate) algorithm: String,
    pub(crate) public_key: String,
    pub(crate) signature: String,
}

/// The members of [`Attesting`].
pub(crate) const MEMBERS: &[&str] = &[
    "contract",
    "bundle",
    "now",
    "host",
    "sign",
    "seed",
    "signature",
    "nonce",
    "previous_attestation_digest",
    "subjects",
    "resource_uri",
];

impl Attesting {
    /// Reads an object of `now`, `host`, `sign`, `seed`, `signature`, `nonce`, `previous_attestation_digest`, `subjects` and `resource_uri`; only
    /// `now` is needed.
    ///
    /// # Errors
    /// `verify.contract_invalid` with the place in `details.path`.
    pub fn of(value: &Json) -> Result<Attesting, ContractError> {
        let known: alloc::vec::Vec<&str> =
            MEMBERS.iter().copied().filter(|name| !matches!(*name, "contract" | "bundle")).collect();
        Attesting::read(&Fields::of(value, &known)?)
    }

    /// Reads `{now, host: {platform, release}, sign, seed, signature: {algorithm, public_key, signature}, nonce,
    /// previous_attestation_digest, subjects, resource_uri}`.
    pub(crate) fn read(fields: &Fields<'_>) -> Result<Attesting, ContractError> {
        let now = moment(fields, "now")?.ok_or_else(|| ContractError::at("now", "missing"))?;
        let told = Told {
            attested_at: now,
            host: host(fields)?,
            nonce: fields.text("nonce", 200)?.map(ToString::to_string),
            previous: super::model::digest(fields, "previous_attestation_digest")?,
            rejudged: false,
            subjects: read_subjects(fields)?,
        };
        Ok(Attesting {
            told,
            signature: fields.value("signature").map(Signed::read).transpose()?,
            sign: fields.bool("sign")?.unwrap_or(false),
            seed: fields.text("seed", 64)?.map(ToString::to_string),
            resource: fields.text("resource_uri", 2048)?.map(ToString::to_string),
        })
    }
}

fn host(fields: &Fields<'_>) -> Result<Json, ContractError> {
    let none = Json::Object(Object::new());
    let host = Fields::of(fields.value("host").unwrap_or(&none), &["platform", "release"]);
    let host = host.map_err(|error| error.inside("host"))?;
    let text = |name| host.text(name, 200).map_err(|error| error.inside("host"));
    Ok(object([("platform", text("platform")?.into()), ("release", text("release")?.into())]))
}

impl Signed {
    fn read(value: &Json) -> Result<Signed, ContractError> {
        let fields = Fields::of(value, &["algorithm", "public_key", "signature"]);
        let fields = fields.map_err(|error| error.inside("signature"))?;
        let text = |name: &str| {
            let text = fields.text(name, 4000).map_err(|error| error.inside("signature"))?;
            text.map(ToString::to_string).ok_or_else(|| ContractError::at(format!("signature.{name}"), "missing"))
        };
        Ok(Signed { algorithm: text("algorithm")?, public_key: text("public_key")?, signature: text("signature")? })
    }
}

/// Attests a bundle. Without a signer the attestation binds by its digest alone, and says so; the statement's bytes to sign come with it,
/// so that the same call with the `signature` of a host gives the signed one.
///
/// The bundle is judged again first, as when it is read back. What comes out otherwise is not signed, and attested without a signature
/// it says `rejudged: false`, as does a bundle of which an observation is not stored; neither gets a statement of another type.
///
/// Gives `{attestation, signature_status, statement, payload_type, payload, pae, statements, files}`; `files` holds the exact text of
/// every file of the run.
///
/// # Errors
/// `verify.contract_mismatch` when the bundle is of another contract; `verify.attestation_invalid` when it is no bundle;
/// `verify.verdict_mismatch` when one that is to be signed comes out otherwise; `verify.signing_unavailable` when a signature is demanded and there
/// is no signer; `verify.signature_invalid` and `verify.signature_uncheckable` for the host's signature.
pub fn attest(contract: &Contract, bundle: &Json, with: &Attesting) -> Result<Json, ContractError> {
    let contract_digest = check_integrity(contract)?;
    if bundle.get("contract_digest").and_then(Json::str) != Some(contract_digest) {
        let error = ContractError::new(Code::ContractMismatch, "the bundle is of another contract");
        return Err(error.with("contract_digest", contract_digest));
    }
    let told = Told { rejudged: judged_again(contract, bundle, with)?, ..with.told.clone() };
    let evidence = canonical(bundle);
    let bundle_digest = digest_bytes(evidence.as_bytes());
    let statement = statement(bundle, &bundle_digest, &told);
    let text = canonical(&statement);
    let envelope = Envelope { payload_type: STATEMENT.to_string(), payload: text.into_bytes(), signatures: [].into() };
    let signed = signed(with, &envelope)?;
    let attestation = attestation(bundle, &bundle_digest, &told, signed.as_ref());
    let mut files = Object::new();
    files.insert("contract.json".to_string(), canonical(&contract.json()).into());
    files.insert("evidence.json".to_string(), evidence.into());
    files.insert("attestation.json".to_string(), canonical(&attestation).into());
    if let Some((key, bytes)) = &signed {
        files.insert("attestation.dsse.json".to_string(), canonical(&enveloped(envelope, key, bytes)).into());
    }
    let Json::Object(mut out) = payload(&statement) else { return Ok(Json::Null) };
    out.insert("signature_status".to_string(), status(signed.as_ref()).into());
    out.insert("attestation".to_string(), attestation);
    out.insert("bundle_digest".to_string(), bundle_digest.as_str().into());
    let file = digest_bytes(canonical(&contract.json()).as_bytes());
    let others = told.rejudged.then(|| others(bundle, &bundle_digest, &file, &told, with.resource.as_deref()));
    out.insert("statements".to_string(), Json::Object(others.unwrap_or_default()));
    out.insert("files".to_string(), Json::Object(files));
    Ok(Json::Object(out))
}

/// Whether all that a bundle says follows from what it holds. One that says something else is refused where it is to be signed.
fn judged_again(contract: &Contract, bundle: &Json, with: &Attesting) -> Result<bool, ContractError> {
    let signs = with.sign || with.seed.is_some() || with.signature.is_some();
    match rejudge(contract, bundle) {
        Ok(rejudged) if rejudged.agrees() || !signs => Ok(rejudged.complete()),
        Ok(rejudged) => Err(ContractError::new(Code::VerdictMismatch, rejudged.reason().unwrap_or_default())),
        Err(error) if error.code() == Code::VerdictMismatch && !signs => Ok(false),
        Err(error) => Err(error),
    }
}

/// The envelope with its one signature.
pub(crate) fn enveloped(envelope: Envelope, key: &Key, bytes: &[u8]) -> Json {
    let signature = Signature { keyid: key.id(), bytes: bytes.to_vec() };
    Envelope { signatures: [signature].into(), ..envelope }.to_json()
}

fn status(signed: Option<&(Key, alloc::vec::Vec<u8>)>) -> String {
    signed.map_or(UNSIGNED.to_string(), |(key, _)| format!("signed_{}", key.algorithm()))
}

/// The signature of the host or of the built-in signer, proven before it is taken.
fn signed(with: &Attesting, envelope: &Envelope) -> Result<Option<(Key, alloc::vec::Vec<u8>)>, ContractError> {
    let message = envelope.signed();
    if let Some(given) = &with.signature {
        let key = Key::read_as(&given.algorithm, &given.public_key).map_err(|_| uncheckable(&given.algorithm))?;
        let bytes = decode(&given.signature);
        let bytes = bytes.ok_or_else(|| ContractError::at("signature.signature", "expected base64"))?;
        if !key.verify(&message, &bytes) {
            return Err(ContractError::new(Code::SignatureInvalid, "the signature is not of this statement"));
        }
        return Ok(Some((key, bytes)));
    }
    if let Some(seed) = &with.seed {
        return built_in(seed, &message).map(Some);
    }
    if with.sign {
        return Err(ContractError::new(Code::SigningUnavailable, "a signature is demanded and there is no signer"));
    }
    Ok(None)
}

#[cfg(feature = "sign")]
fn built_in(seed: &str, message: &[u8]) -> Result<(Key, alloc::vec::Vec<u8>), ContractError> {
    let bytes = super::keys::unhex(seed).filter(|bytes| bytes.len() == 32);
    let bytes = bytes.ok_or_else(|| ContractError::at("seed", "expected 64 hexadecimal digits"))?;
    let signed = super::keys::sign_ed25519(&bytes, message);
    let (bytes, key) = signed.ok_or_else(|| ContractError::at("seed", "expected 64 hexadecimal digits"))?;
    Ok((key, bytes))
}

#[cfg(not(feature = "sign"))]
fn built_in(_seed: &str, _message: &[u8]) -> Result<(Key, alloc::vec::Vec<u8>), ContractError> {
    Err(ContractError::new(Code::SigningUnavailable, "this build has no signer of its own"))
}

pub(crate) fn uncheckable(algorithm: &str) -> ContractError {
    let shown = super::fields::shown_name(algorithm);
    ContractError::new(
        Code::SignatureUncheckable,
        format!("a signature of {shown} with that key cannot be checked here"),
    )
}

/// The attestation of a bundle. Its own digest goes over all its other members, so that no byte of it changes unnoticed.
pub(crate) fn attestation(
    bundle: &Json,
    bundle_digest: &str,
    told: &Told,
    signed: Option<&(Key, alloc::vec::Vec<u8>)>,
) -> Json {
    let get = |name: &str| bundle.get(name).cloned().unwrap_or(Json::Null);
    let key = signed.map(|(key, _)| key);
    let content = object([
        ("schema_version", 1_i64.into()),
        ("bundle_digest", bundle_digest.into()),
        ("verdict", get("verdict")),
        ("assurance", get("assurance")),
        ("contract_digest", get("contract_digest")),
        ("created_at", told.attested_at.as_str().into()),
        ("host", told.host.clone()),
        ("nonce", told.nonce.clone().into()),
        ("subjects", Json::Array(told.subjects.clone())),
        ("rejudged", told.rejudged.into()),
        ("signature_status", status(signed).into()),
        ("signature", signed.map(|(_, bytes)| encode(bytes)).into()),
        ("signature_algorithm", key.map(Key::algorithm).into()),
        ("public_key", key.map(|key| super::canonical::hex(&key.raw())).into()),
        ("keyid", key.map(Key::id).into()),
        ("previous_attestation_digest", told.previous.clone().into()),
    ]);
    with_digest(content)
}

fn with_digest(content: Json) -> Json {
    let own = digest(&content);
    match content {
        Json::Object(mut members) => {
            members.insert("attestation_digest".to_string(), own.into());
            Json::Object(members)
        }
        other => other,
    }
}

/// Checks the envelope of a statement against keys. Gives `{valid, code, keyid, algorithm, payload_type, pae_digest, statement}`.
///
/// # Errors
/// `verify.attestation_invalid` when it is no envelope.
pub fn verify_signature(envelope: &Json, keys: &[String]) -> Result<Json, ContractError> {
    let read = Envelope::read(envelope).map_err(|message| ContractError::new(Code::AttestationInvalid, message))?;
    let known: alloc::vec::Vec<Key> = keys.iter().filter_map(|text| Key::read(text)).collect();
    let by = known.iter().find(|key| read.is_signed_by(key));
    let code = match by {
        Some(_) => None,
        None if known.len() < keys.len() || keys.is_empty() => Some(Code::SignatureUncheckable),
        None => Some(Code::SignatureInvalid),
    };
    let statement = super::strict::parse(&read.payload, &super::strict::CALL).unwrap_or(Json::Null);
    Ok(object([
        ("valid", by.is_some().into()),
        ("code", code.map(Code::name).into()),
        ("keyid", by.map(Key::id).into()),
        ("algorithm", by.map(Key::algorithm).into()),
        ("payload_type", read.payload_type.as_str().into()),
        ("pae_digest", digest_bytes(&read.signed()).into()),
        ("statement", statement),
    ]))
}

/// The refusal of files that are none.
pub(crate) fn not_text(name: &str, value: &Json) -> ContractError {
    wrong(name, "the text of the file", value)
}
