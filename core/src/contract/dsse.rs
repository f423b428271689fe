//! Signed statements: the DSSE envelope, its signatures and the keys that check them.
//!
//! Signed are the bytes of [`pae`], which name the type of the payload and its length, so that no payload can pass for one of
//! another type. A key's id is a hint for finding the key and is never believed.

use super::json::{array, object, Json};
use super::keys::Key;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use base64ct::{Base64, Base64Unpadded, Base64Url, Base64UrlUnpadded, Encoding};

/// The payload type of an in-toto Statement.
pub(crate) const STATEMENT: &str = "application/vnd.in-toto+json";

/// The bytes that are signed: `DSSEv1`, then type and body, each behind its length in bytes.
pub(crate) fn pae(payload_type: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), body.len()).into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

/// A signature and the id of its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    /// The hint. Empty where there is none.
    pub(crate) keyid: String,
    /// The signature's bytes.
    pub(crate) bytes: Vec<u8>,
}

/// A payload with its signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Envelope {
    /// What the payload is.
    pub(crate) payload_type: String,
    /// The payload's bytes.
    pub(crate) payload: Vec<u8>,
    /// At least one.
    pub(crate) signatures: Vec<Signature>,
}

/// The most signatures that are read.
const SIGNATURES: usize = 64;

impl Envelope {
    /// Reads an envelope. Members that it does not know are refused: nothing signed covers them.
    pub(crate) fn read(value: &Json) -> Result<Envelope, String> {
        members(value, "the envelope", &["payload", "payloadType", "signatures"])?;
        let payload_type = text(value, "payloadType")?.to_string();
        let payload = decode(text(value, "payload")?).ok_or("payload is not base64")?;
        let listed = value.get("signatures").and_then(Json::array).ok_or("signatures is not an array")?;
        if listed.is_empty() || listed.len() > SIGNATURES {
            return Err(format!("an envelope has 1 to {SIGNATURES} signatures"));
        }
        let signatures = listed.iter().map(signature).collect::<Result<_, _>>()?;
        Ok(Envelope { payload_type, payload, signatures })
    }

    /// The envelope as JSON, in standard base64.
    pub(crate) fn to_json(&self) -> Json {
        let signatures = self.signatures.iter().map(|signature| {
            object([("keyid", Json::from(&signature.keyid)), ("sig", Json::from(encode(&signature.bytes)))])
        });
        object([
            ("payload", encode(&self.payload).into()),
            ("payloadType", Json::from(&self.payload_type)),
            ("signatures", array(signatures)),
        ])
    }

    /// The bytes that its signatures sign.
    pub(crate) fn signed(&self) -> Vec<u8> {
        pae(&self.payload_type, &self.payload)
    }

    /// Whether one of the signatures is by this key.
    pub(crate) fn is_signed_by(&self, key: &Key) -> bool {
        let message = self.signed();
        self.signatures.iter().any(|signature| key.verify(&message, &signature.bytes))
    }
}

fn members(value: &Json, what: &str, known: &[&str]) -> Result<(), String> {
    let members = value.object().ok_or_else(|| format!("{what} is not an object"))?;
    match members.keys().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(format!("{what} has a member {name:?}, which is not known")),
        None => Ok(()),
    }
}

fn text<'a>(value: &'a Json, name: &str) -> Result<&'a str, String> {
    value.get(name).and_then(Json::str).ok_or_else(|| format!("{name} is not a string"))
}

fn signature(value: &Json) -> Result<Signature, String> {
    members(value, "a signature", &["keyid", "sig"])?;
    let keyid = match value.get("keyid") {
        None | Some(Json::Null) => String::new(),
        Some(keyid) => keyid.str().ok_or("keyid is not a string")?.to_string(),
    };
    let bytes = decode(text(value, "sig")?).ok_or("sig is not base64")?;
    Ok(Signature { keyid, bytes })
}

/// Standard base64.
pub(crate) fn encode(bytes: &[u8]) -> String {
    Base64::encode_string(bytes)
}

/// Standard or URL-safe base64, with or without its padding. Line breaks and a mixture of the two are refused.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let url_safe = text.contains(['-', '_']);
    let padded = text.ends_with('=');
    let decoded = match (url_safe, padded) {
        (false, true) => Base64::decode_vec(text),
        (false, false) => Base64Unpadded::decode_vec(text),
        (true, true) => Base64Url::decode_vec(text),
        (true, false) => Base64UrlUnpadded::decode_vec(text),
    };
    decoded.ok()
}

#[cfg(test)]
mod tests {
    use super::super::canonical::{digest_bytes, hex};
    use super::*;

    const KEY: &str = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8";
    const KEYID: &str = "a050837d85070582ccf7394b0988847cc312cb88259b894899f6f239cf1791a5";
    const SIGNATURE: &str = "FNaZBrlmID6lOLjzjYQ76MSWGzYJ6ctuiHsiRDy0h/cvd5NqnGy8DoiXLCSNytvya6+Ldvz2UmLtxlgYgqW4CA==";

    fn statement() -> String {
        format!(
            "{{\"_type\":\"https://in-toto.io/Statement/v1\",\"predicate\":{{\"verdict\":\"VERIFIED\"}},\
             \"predicateType\":\"https://example.invalid/verification/v1\",\
             \"subject\":[{{\"digest\":{{\"sha256\":\"{}\"}},\"name\":\"evidence.json\"}}]}}",
            "0".repeat(64)
        )
    }

    fn envelope() -> Envelope {
        Envelope {
            payload_type: STATEMENT.to_string(),
            payload: statement().into_bytes(),
            signatures: [Signature { keyid: KEYID.to_string(), bytes: decode(SIGNATURE).unwrap() }].into(),
        }
    }

    #[test]
    fn the_golden_envelope() {
        let (statement, key) = (statement(), Key::read(KEY).unwrap());
        assert_eq!(statement.len(), 260);
        let message = pae(STATEMENT, statement.as_bytes());
        assert_eq!(message.len(), 303);
        let digest = "sha256:cc4d3d438b65d0188d3b1a52d1303cc166fabfeba611c16bf5be5e367b5c00b7";
        assert_eq!(digest_bytes(&message), digest);
        assert_eq!(key.id(), KEYID);
        assert!(envelope().is_signed_by(&key));
        assert!(key.verify(&message, &decode(SIGNATURE).unwrap()));
        assert_eq!(Envelope::read(&envelope().to_json()), Ok(envelope()));
    }

    #[cfg(feature = "sign")]
    #[test]
    fn the_golden_signature() {
        let seed: Vec<u8> = (0..32).collect();
        let (signature, key) = super::super::keys::sign_ed25519(&seed, &envelope().signed()).unwrap();
        assert_eq!((encode(&signature).as_str(), hex(&key.raw()).as_str()), (SIGNATURE, KEY));
    }

    #[test]
    fn the_lengths_of_the_signed_bytes_count_bytes() {
        assert_eq!(
            pae("http://example.com/HelloWorld", b"hello world"),
            b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
        );
        assert_eq!(pae("ö", b""), "DSSEv1 2 ö 0 ".as_bytes());
    }

    #[test]
    fn any_flipped_bit_is_found() {
        let key = Key::read(KEY).unwrap();
        let (message, signature) = (envelope().signed(), decode(SIGNATURE).unwrap());
        for at in (0..message.len()).step_by(13) {
            let mut changed = message.clone();
            changed[at] ^= 1;
            assert!(!key.verify(&changed, &signature), "byte {at} of {}", hex(&message));
        }
        for at in (0..signature.len() * 8).step_by(13) {
            let mut changed = signature.clone();
            changed[at / 8] ^= 1 << (at % 8);
            assert!(!key.verify(&message, &changed), "bit {at}");
        }
        assert!(!key.verify(&message, &signature[..63]) && !key.verify(&message, &[]));
    }

    #[test]
    fn both_alphabets_are_read() {
        let bytes = [0xfb, 0xff, 0xfe, 0x00];
        for text in ["+//+AA==", "-__-AA==", "+//+AA", "-__-AA"] {
            assert_eq!(decode(text).as_deref(), Some(&bytes[..]), "{text}");
        }
        for text in ["+__-AA==", "+//+AA=", "+//+AA===", "+//+\nAA==", "+//+AB==", "A", "é"] {
            assert_eq!(decode(text), None, "{text}");
        }
        assert_eq!(decode(""), Some(Vec::new()));
    }

    #[test]
    fn a_strange_envelope_is_refused() {
        let good = envelope().to_json();
        let with = |name: &str, value: Option<Json>| {
            let Json::Object(mut members) = good.clone() else { panic!("an object") };
            match value {
                Some(value) => members.insert(name.to_string(), value),
                None => members.remove(name),
            };
            Envelope::read(&Json::Object(members))
        };
        assert!(with("payload", None).is_err() && with("payloadType", None).is_err());
        assert!(with("payload", Some("*".into())).is_err());
        assert!(with("extra", Some(Json::Null)).is_err());
        assert!(with("signatures", Some(Json::Array(Vec::new()))).is_err());
        assert!(with("signatures", Some(array([object([("sig", 1_i64.into())])]))).is_err());
        assert!(with("signatures", Some(array([object([("sig", "AAAA".into()), ("cert", "".into())])]))).is_err());
        assert!(with("signatures", Some(array([object([("sig", "AAAA".into())])]))).is_ok());
        assert!(Envelope::read(&Json::Null).is_err());
    }
}
