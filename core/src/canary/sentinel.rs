//! Keys and sentinels: the derivation of `occam-canary-v1`.

use super::check_session;
use crate::error::{Error, ErrorKind};
use alloc::format;
use alloc::string::String;
use base64ct::{Base64UrlUnpadded, Encoding};
use hkdf::Hkdf;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::{Zeroize, Zeroizing};

/// The protocol, and the label in front of every input.
pub const PROTOCOL: &str = "occam-canary-v1";

/// What the keys are for; none of the two can make what the other makes.
const SENTINELS: &[u8] = b"occam-canary-v1/sentinel-mac";
const CLIENTS: &[u8] = b"occam-canary-v1/identifier-pepper";

/// The most characters of a sentinel: 32 bytes in base64url.
pub(super) const LONGEST: usize = 43;

/// The two derived keys, as states that are ready to take an input. They are wiped when they are dropped.
pub(super) struct Keys {
    sentinels: Hmac<Sha256>,
    clients: Hmac<Sha256>,
}

impl Keys {
    /// Derives both with HKDF-SHA-256 and an empty salt.
    pub(super) fn derive(root_key: &[u8]) -> Result<Self, Error> {
        let wrong = |found: String| {
            Error::new(ErrorKind::Option, "root_key", format!("expected 32 random bytes; found {found}"))
        };
        if root_key.len() != 32 {
            return Err(wrong(format!("{}", root_key.len())));
        }
        if root_key.iter().all(|byte| *byte == 0) {
            return Err(wrong("nothing but zeros".into()));
        }
        let (mut extracted, source) = Hkdf::<Sha256>::extract(None, root_key);
        extracted.as_mut_slice().zeroize();
        let keys = || Some(Keys { sentinels: subkey(&source, SENTINELS)?, clients: subkey(&source, CLIENTS)? });
        keys().ok_or_else(|| wrong("a key that cannot be derived from".into()))
    }

    /// The sentinel of a session in a bucket of time.
    pub(super) fn sentinel(&self, session: &str, bucket: i64, bytes: usize) -> String {
        let mut buffer = [0; LONGEST];
        self.written(session, bucket, bytes, &mut buffer).into()
    }

    /// As [`Keys::sentinel`], into a buffer.
    pub(super) fn written<'a>(
        &self,
        session: &str,
        bucket: i64,
        bytes: usize,
        buffer: &'a mut [u8; LONGEST],
    ) -> &'a str {
        let mut mac = self.sentinels.clone();
        frame(session, bucket, |part| mac.update(part));
        let tag = mac.finalize().into_bytes();
        Base64UrlUnpadded::encode(tag.get(..bytes).unwrap_or(&tag), buffer).unwrap_or("")
    }

    /// A digest of a client's identifier, which says nothing without this process's key.
    pub(super) fn client(&self, identifier: &str) -> String {
        let mut mac = self.clients.clone();
        mac.update(identifier.as_bytes());
        Base64UrlUnpadded::encode_string(&mac.finalize().into_bytes())
    }
}

fn subkey(source: &Hkdf<Sha256>, purpose: &[u8]) -> Option<Hmac<Sha256>> {
    let mut key = Zeroizing::new([0; 32]);
    source.expand(purpose, key.as_mut_slice()).ok()?;
    Hmac::new_from_slice(key.as_slice()).ok()
}

/// The input of the HMAC: label, a zero, the bucket in 8 bytes and the id's length in 4, both big-endian, the id. No two pairs
/// of session and bucket share one.
fn frame(session: &str, bucket: i64, mut put: impl FnMut(&[u8])) {
    put(PROTOCOL.as_bytes());
    put(&[0]);
    put(&bucket.to_be_bytes());
    put(&(session.len() as u32).to_be_bytes());
    put(session.as_bytes());
}

/// The sentinel of a session in a bucket of time, from the root key: what the published vectors show.
///
/// `bytes` is how much of the HMAC is taken, 16 to 32.
///
/// # Errors
/// [`ErrorKind::Option`] for a key that is not of 32 bytes and for `bytes` out of range, [`ErrorKind::Shape`] for the id.
///
/// ```
/// let key: Vec<u8> = (0..32).collect();
/// let sentinel = counterfoil::canary::sentinel(&key, "vector-session", 0, 32)?;
/// assert_eq!(sentinel, "mENHHl1pbVogGlYUtGkyvSXzZosi-jQiJ6kpN5jmQhw");
/// # Ok::<(), counterfoil::Error>(())
/// ```
pub fn sentinel(root_key: &[u8], session: &str, bucket: i64, bytes: usize) -> Result<String, Error> {
    check_session(session)?;
    if !(16..=32).contains(&bytes) {
        let message = format!("expected a whole number from 16 to 32; found {bytes}");
        return Err(Error::new(ErrorKind::Option, "sentinel_bytes", message));
    }
    Ok(Keys::derive(root_key)?.sentinel(session, bucket, bytes))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    fn input(session: &str, bucket: i64) -> Vec<u8> {
        let mut bytes = Vec::new();
        frame(session, bucket, |part| bytes.extend_from_slice(part));
        bytes
    }

    proptest! {
        #[test]
        fn no_two_pairs_share_an_input(
            a in "[A-Za-z0-9._-]{1,128}", b in "[A-Za-z0-9._-]{1,128}", m: i64, n: i64
        ) {
            prop_assert_eq!(input(&a, m) == input(&b, n), a == b && m == n);
        }

        #[test]
        fn an_input_gives_back_its_pair(session in "[A-Za-z0-9._-]{1,128}", bucket: i64) {
            let input = input(&session, bucket);
            let (label, rest) = input.split_at(PROTOCOL.len() + 1);
            let (of_bucket, rest) = rest.split_at(8);
            let (of_length, of_session) = rest.split_at(4);
            prop_assert_eq!(label, b"occam-canary-v1\0");
            prop_assert_eq!(i64::from_be_bytes(of_bucket.try_into().unwrap()), bucket);
            prop_assert_eq!(u32::from_be_bytes(of_length.try_into().unwrap()) as usize, of_session.len());
            prop_assert_eq!(of_session, session.as_bytes());
        }

        #[test]
        fn a_short_sentinel_starts_a_long_one(session in "[A-Za-z0-9._-]{1,128}", bucket: i64, bytes in 16_usize..=32) {
            let keys = Keys::derive(&[9; 32]).unwrap();
            let (short, long) = (keys.sentinel(&session, bucket, bytes), keys.sentinel(&session, bucket, 32));
            let whole = bytes * 8 / 6;
            prop_assert_eq!(&short[..whole], &long[..whole]);
            prop_assert!(short.len() == (bytes * 8).div_ceil(6));
        }
    }

    #[test]
    fn the_two_keys_make_different_things() {
        let keys = Keys::derive(&[9; 32]).unwrap();
        let other = Keys::derive(&[8; 32]).unwrap();
        assert_ne!(keys.client("10.0.0.1"), other.client("10.0.0.1"));
        assert_ne!(keys.client("s"), keys.sentinel("s", 0, 32));
    }
}
