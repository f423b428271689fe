//! Public keys that check attestations: Ed25519, and ECDSA over P-256 with SHA-256.

use super::canonical::hex;
use super::dsse::decode;
use alloc::string::String;
use alloc::vec::Vec;
use ed25519_dalek::VerifyingKey as Ed25519;
use p256::ecdsa::signature::Verifier;
use p256::ecdsa::{Signature as P256Signature, VerifyingKey as P256};
use sha2::{Digest, Sha256};

/// The words that stand behind `signed_`.
pub(crate) const ALGORITHMS: [&str; 2] = ["ed25519", "ecdsa_p256_sha256"];

/// What stands before the key itself in its DER form (`SubjectPublicKeyInfo`), for Ed25519 and for P-256 with both coordinates
/// and with one.
const DER: [(&[u8], usize); 3] = [
    (&[0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00], 32),
    (
        &[
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
            0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
        ],
        65,
    ),
    (
        &[
            0x30, 0x39, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
            0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x22, 0x00,
        ],
        33,
    ),
];

/// Why a signature cannot be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Uncheckable {
    /// An algorithm that is not known.
    Algorithm,
    /// A key that is in none of the forms, not of the algorithm, or unsafe.
    Key,
}

/// A public key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// Ed25519.
    Ed25519(Ed25519),
    /// ECDSA over P-256 with SHA-256.
    P256(P256),
}

impl Key {
    /// Reads a key: PEM (`BEGIN PUBLIC KEY`), or in hexadecimal or base64 its DER form or its bytes (32 for Ed25519, the 33
    /// or 65 of SEC 1 for P-256).
    pub(crate) fn read(text: &str) -> Option<Key> {
        let text = text.trim();
        let bytes = match pem(text) {
            Some(body) => decode(&body)?,
            None => unhex(text).or_else(|| decode(text))?,
        };
        let raw =
            DER.iter().find_map(|(prefix, length)| bytes.strip_prefix(*prefix).filter(|raw| raw.len() == *length));
        Key::of_raw(raw.unwrap_or(&bytes))
    }

    /// The same, for a signature that names its algorithm.
    pub(crate) fn read_as(algorithm: &str, text: &str) -> Result<Key, Uncheckable> {
        if !ALGORITHMS.contains(&algorithm) {
            return Err(Uncheckable::Algorithm);
        }
        Key::read(text).filter(|key| key.algorithm() == algorithm).ok_or(Uncheckable::Key)
    }

    fn of_raw(bytes: &[u8]) -> Option<Key> {
        match bytes.len() {
            32 => {
                let key = Ed25519::from_bytes(bytes.try_into().ok()?).ok()?;
                // Such a key accepts one signature for many messages.
                (!key.is_weak()).then_some(Key::Ed25519(key))
            }
            33 | 65 => P256::from_sec1_bytes(bytes).ok().map(Key::P256),
            _ => None,
        }
    }

    /// The word behind `signed_`.
    pub(crate) fn algorithm(&self) -> &'static str {
        match self {
            Key::Ed25519(_) => ALGORITHMS[0],
            Key::P256(_) => ALGORITHMS[1],
        }
    }

    /// The key's own bytes; of P-256 both coordinates.
    pub(crate) fn raw(&self) -> Vec<u8> {
        match self {
            Key::Ed25519(key) => key.as_bytes().to_vec(),
            Key::P256(key) => key.to_sec1_point(false).as_bytes().to_vec(),
        }
    }

    /// The key's id: SHA-256 of its DER form in hexadecimal. It is the same for all forms in which a key is given.
    pub(crate) fn id(&self) -> String {
        let (prefix, _) = match self {
            Key::Ed25519(_) => DER[0],
            Key::P256(_) => DER[1],
        };
        hex(&Sha256::new().chain_update(prefix).chain_update(self.raw()).finalize())
    }

    /// Whether the signature is by this key. Of ECDSA both forms are read: DER, and the two numbers of 32 bytes.
    pub(crate) fn verify(&self, message: &[u8], signature: &[u8]) -> bool {
        match self {
            Key::Ed25519(key) => {
                let signature = ed25519_dalek::Signature::from_slice(signature);
                signature.is_ok_and(|signature| key.verify_strict(message, &signature).is_ok())
            }
            Key::P256(key) => {
                let forms = [P256Signature::from_der(signature), P256Signature::from_slice(signature)];
                forms.iter().flatten().any(|signature| key.verify(message, signature).is_ok())
            }
        }
    }
}

/// The base64 between the lines of PEM. A certificate or a private key is none of the forms.
fn pem(text: &str) -> Option<String> {
    let body = text.strip_prefix("-----BEGIN PUBLIC KEY-----")?.strip_suffix("-----END PUBLIC KEY-----")?;
    Some(body.chars().filter(|c| !matches!(c, '\n' | '\r' | ' ' | '\t')).collect())
}

pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |b: u8| char::from(b).to_digit(16).map(|digit| digit as u8);
    let pairs = text.as_bytes().chunks(2).map(|pair| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    });
    pairs.collect()
}

/// Signs with the key of a seed of 32 bytes, and gives the key that checks it.
#[cfg(feature = "sign")]
pub(crate) fn sign_ed25519(seed: &[u8], message: &[u8]) -> Option<(Vec<u8>, Key)> {
    use ed25519_dalek::Signer;
    let key = ed25519_dalek::SigningKey::from_bytes(seed.try_into().ok()?);
    Some((key.sign(message).to_bytes().to_vec(), Key::Ed25519(key.verifying_key())))
}

/// Signs with the key of a number of 32 bytes, without randomness, and gives the key that checks it.
#[cfg(all(feature = "command", feature = "sign"))]
pub(crate) fn sign_p256(scalar: &[u8], message: &[u8]) -> Option<(Vec<u8>, Key)> {
    use p256::ecdsa::signature::Signer;
    let key = p256::ecdsa::SigningKey::from_slice(scalar).ok()?;
    let signature: P256Signature = key.sign(message);
    Some((signature.to_der().as_bytes().to_vec(), Key::P256(*key.verifying_key())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    const ED25519: &str = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8";
    const POINT: &str = "04a6d1ff5f181054b5f26ec38249b19fbd3f01923aa530957ba71aef766092ad21\
                         d461b238109c9642fe3c5362d23e62e528699ecaac78beb323b3708c538ba5da";
    const X: &str = "02a6d1ff5f181054b5f26ec38249b19fbd3f01923aa530957ba71aef766092ad21";
    const PEM: &str = "-----BEGIN PUBLIC KEY-----\r\n\
                       MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEptH/XxgQVLXybsOCSbGfvT8Bkjql\r\n\
                       MJV7pxrvdmCSrSHUYbI4EJyWQv48U2LSPmLlKGmeyqx4vrMjs3CMU4ul2g==\r\n\
                       -----END PUBLIC KEY-----\r\n";
    /// By openssl over `DSSEv1 1 t 1 m`. Its second number is above half of the order, as it may be.
    const SIGNATURE: &str =
        "MEUCICBhQ99rH3YTwdRgMaADyV7NfgbMr5tXum5jr/eReqFKAiEA/QYoT7cVrtIlR68Tznw50BCpXNXohFr7ynzhKIfMpPg=";

    #[test]
    fn all_forms_of_a_key_are_one_key() {
        let der = |prefix: usize, raw: &str| format!("{}{raw}", hex(DER[prefix].0));
        let forms = [PEM.into(), POINT.into(), X.into(), POINT.to_ascii_uppercase(), der(1, POINT), der(2, X)];
        for form in &forms {
            let key = Key::read(form).unwrap();
            assert_eq!(key.algorithm(), "ecdsa_p256_sha256");
            assert_eq!(key.id(), "951504bff19d65dc1c7bd48b7e28ea5885b49f796f0f1eb1a3abb126d0e14fdd", "{form}");
        }
        let base64 = super::super::dsse::encode(&unhex(ED25519).unwrap());
        for form in [ED25519, &base64, &der(0, ED25519)] {
            assert_eq!(Key::read(form).map(|key| hex(&key.raw())).as_deref(), Some(ED25519), "{form}");
        }
    }

    #[test]
    fn ecdsa_is_checked_in_both_forms() {
        let key = Key::read(PEM).unwrap();
        let message = super::super::dsse::pae("t", b"m");
        let signature = decode(SIGNATURE).unwrap();
        assert!(key.verify(&message, &signature));
        let numbers = [&signature[4..36], &signature[39..71]].concat();
        assert!(key.verify(&message, &numbers));
        assert!(!key.verify(b"other", &signature));
        assert!(!key.verify(&message, &[&signature[..], &[0]].concat()));
        assert!(!key.verify(&message, &[0; 64]));
        assert!(!key.verify(&message, &[]));
        assert!(!Key::read(ED25519).unwrap().verify(&message, &numbers));
    }

    #[test]
    fn what_is_no_safe_key_is_refused() {
        let keys = [
            "",
            "-----BEGIN PUBLIC KEY-----",
            "-----BEGIN PUBLIC KEY----------END PUBLIC KEY-----",
            "-----BEGIN PRIVATE KEY-----AAAA-----END PRIVATE KEY-----",
            &ED25519[1..],
            &POINT.replace("04a6", "04a7"),
            &"00".repeat(65),
            // Points of small order, under which anyone can sign.
            &"00".repeat(32),
            &format!("01{}", "00".repeat(31)),
            &format!("ecff{}7f", "ff".repeat(29)),
        ];
        for key in keys {
            assert_eq!(Key::read(key), None, "{key}");
        }
        assert_eq!(Key::read_as("ed25519", PEM), Err(Uncheckable::Key));
        assert_eq!(Key::read_as("rsa", PEM), Err(Uncheckable::Algorithm));
        assert!(Key::read_as("ecdsa_p256_sha256", PEM).is_ok());
    }
}
