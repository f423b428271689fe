//! The built-in signer: private keys in PEM, of Ed25519 and of P-256.
//!
//! Both make the same signature of the same bytes every time (RFC 8032, RFC 6979), so that no randomness is needed.

use super::canonical::hex;
use super::codes::Code;
use super::dsse::{decode, encode};
use super::error::ContractError;
use super::json::{object, Json};
use super::keys::{sign_ed25519, sign_p256, Key};
use alloc::string::String;
use alloc::vec::Vec;

/// `1.3.101.112` and `1.2.840.10045.3.1.7` in DER.
const ED25519: &[u8] = &[0x06, 0x03, 0x2b, 0x65, 0x70];
const P256: &[u8] = &[0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07];

const SEQUENCE: u8 = 0x30;
const INTEGER: u8 = 0x02;
const OCTETS: u8 = 0x04;

/// Signs with a key in PEM, and gives `{algorithm, public_key, signature}`.
pub(super) fn sign(pem: &str, message: &[u8]) -> Result<Json, ContractError> {
    let refused = |message| ContractError::new(Code::SigningUnavailable, message);
    let key = Private::read(pem)
        .ok_or_else(|| refused("expected a private key of Ed25519 or P-256 in PEM, without a password"))?;
    let signed = match &key {
        Private::Ed25519(seed) => sign_ed25519(seed, message),
        Private::P256(scalar) => sign_p256(scalar, message),
    };
    let (signature, public): (Vec<u8>, Key) = signed.ok_or_else(|| refused("the private key is out of range"))?;
    Ok(object([
        ("algorithm", public.algorithm().into()),
        ("public_key", hex(&public.raw()).into()),
        ("signature", encode(&signature).into()),
    ]))
}

/// The bytes of a private key.
enum Private {
    Ed25519(Vec<u8>),
    P256(Vec<u8>),
}

impl Private {
    /// Reads PKCS #8, or for P-256 the older form that openssl writes (SEC 1), which may stand behind its parameters.
    fn read(text: &str) -> Option<Private> {
        if let Some(bytes) = block(text, "PRIVATE KEY") {
            return Private::pkcs8(&bytes);
        }
        sec1(&block(text, "EC PRIVATE KEY")?).map(Private::P256)
    }

    fn pkcs8(bytes: &[u8]) -> Option<Private> {
        let (body, _) = value(bytes, SEQUENCE)?;
        let (_, rest) = value(body, INTEGER)?;
        let (algorithm, rest) = value(rest, SEQUENCE)?;
        let (key, _) = value(rest, OCTETS)?;
        if algorithm == ED25519 {
            let (seed, _) = value(key, OCTETS)?;
            return (seed.len() == 32).then(|| Private::Ed25519(seed.to_vec()));
        }
        if algorithm.ends_with(P256) {
            return sec1(key).map(Private::P256);
        }
        None
    }
}

/// The number of a key of an elliptic curve. Another curve's has another length or is out of range, and its parameters say so.
fn sec1(bytes: &[u8]) -> Option<Vec<u8>> {
    let (body, _) = value(bytes, SEQUENCE)?;
    let (_, rest) = value(body, INTEGER)?;
    let (scalar, rest) = value(rest, OCTETS)?;
    let named = value(rest, 0xa0).is_none_or(|(curve, _)| curve == P256);
    (scalar.len() == 32 && named).then(|| scalar.to_vec())
}

/// The content of a DER value with a tag, and what follows it.
fn value(bytes: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (found, rest) = bytes.split_first()?;
    let (first, rest) = rest.split_first()?;
    let (length, rest) = match *first {
        short @ 0..=0x7f => (usize::from(short), rest),
        0x81 => rest.split_first().map(|(length, rest)| (usize::from(*length), rest))?,
        _ => return None,
    };
    (*found == tag).then_some(())?;
    rest.split_at_checked(length)
}

/// The bytes between the lines of PEM with a label.
fn block(text: &str, label: &str) -> Option<Vec<u8>> {
    let (_, rest) = text.split_once(&alloc::format!("-----BEGIN {label}-----"))?;
    let (body, _) = rest.split_once(&alloc::format!("-----END {label}-----"))?;
    let body: String = body.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    decode(&body)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use alloc::format;

    /// The key whose seed is 00 01 … 1f.
    const SEED: &str = "-----BEGIN PRIVATE KEY-----\n\
                        MC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f\n\
                        -----END PRIVATE KEY-----\n";

    fn signed(pem: &str) -> Option<(Key, Vec<u8>)> {
        let found = sign(pem, b"message").ok()?;
        let text = |name: &str| found.get(name).and_then(Json::str).unwrap();
        Some((Key::read_as(text("algorithm"), text("public_key")).unwrap(), decode(text("signature")).unwrap()))
    }

    fn pem(label: &str, bytes: &[u8]) -> String {
        format!("-----BEGIN {label}-----\r\n{}\r\n-----END {label}-----\r\n", encode(bytes))
    }

    fn der(tag: u8, content: &[&[u8]]) -> Vec<u8> {
        let content = content.concat();
        [&[tag, u8::try_from(content.len()).unwrap()][..], &content].concat()
    }

    #[test]
    fn a_seed_signs() {
        let (key, signature) = signed(SEED).unwrap();
        assert_eq!(hex(&key.raw()), "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8");
        assert!(key.verify(b"message", &signature) && !key.verify(b"massage", &signature));
    }

    #[test]
    fn a_key_of_p256_signs_in_each_of_its_forms() {
        let curve = der(0x06, &[&P256[2..]]);
        let scalar = der(OCTETS, &[&[7; 32]]);
        let one = der(INTEGER, &[&[1]]);
        let plain = der(SEQUENCE, &[&one, &scalar]);
        let named = der(SEQUENCE, &[&one, &scalar, &der(0xa0, &[&curve])]);
        let ec = [0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];
        let wrapped = der(SEQUENCE, &[&der(INTEGER, &[&[0]]), &der(SEQUENCE, &[&ec, &curve]), &der(OCTETS, &[&plain])]);
        let forms = [
            pem("EC PRIVATE KEY", &plain),
            pem("PRIVATE KEY", &wrapped),
            // As openssl writes it.
            format!("{}{}", pem("EC PARAMETERS", &curve), pem("EC PRIVATE KEY", &named)),
        ];
        let first = signed(&forms[0]).unwrap();
        assert!(first.0.verify(b"message", &first.1) && !first.0.verify(b"massage", &first.1));
        assert!(forms.iter().all(|form| signed(form).unwrap() == first));
        let other = der(SEQUENCE, &[&one, &scalar, &der(0xa0, &[&[0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x0a]])]);
        assert!(signed(&pem("EC PRIVATE KEY", &other)).is_none(), "a key of another curve");
        let none = der(SEQUENCE, &[&one, &der(OCTETS, &[&[0; 32]])]);
        assert!(signed(&pem("EC PRIVATE KEY", &none)).is_none(), "zero is no key");
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let cut = SEED.replace("HR4f", "");
        let public = SEED.replace("PRIVATE", "PUBLIC");
        let locked = SEED.replace("PRIVATE", "ENCRYPTED PRIVATE");
        for text in ["", "-----BEGIN PRIVATE KEY-----", &cut, &public, &locked] {
            assert!(sign(text, b"").is_err(), "{text}");
        }
        for length in 0..48 {
            assert!(sign(&pem("PRIVATE KEY", &decode(&body()).unwrap()[..length]), b"").is_err(), "{length}");
        }
    }

    fn body() -> String {
        SEED.lines().nth(1).unwrap().into()
    }
}
