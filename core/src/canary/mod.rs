//! Proof of read: short tokens in a probe document, that only someone to whom its bytes came can report.
//!
//! The host serves the document of [`Canary::issue`] and asks the agent for the **sentinel** in it. [`Canary::verify`] says
//! what the answer shows. The derivation is that of the published protocol `occam-canary-v1`: HMAC-SHA-256 over the session's
//! id and a bucket of time, under a key that HKDF-SHA-256 (RFC 5869) derives from 32 random bytes of the host.
//!
//! ```
//! use counterfoil::canary::{Canary, Options, State};
//!
//! let random = [7; 32]; // From the host's generator of random numbers.
//! let mut canary = Canary::new(&random, Options::default())?;
//! let issued = canary.issue("session-1", 1_000_000, None)?;
//! assert!(issued.text().contains(&issued.sentinel));
//!
//! let answer = format!("`{}`", issued.sentinel);
//! assert_eq!(canary.verify("session-1", Some(&answer), 1_000_060).state, State::ReadVerified);
//! assert_eq!(canary.verify("session-1", Some("I read it."), 1_000_060).state, State::Hallucinated);
//! # Ok::<(), counterfoil::Error>(())
//! ```
//!
//! # What it shows, and what not
//!
//! `READ_VERIFIED` shows that the value travelled from the endpoint to the one who reported it, inside the window. It does not
//! show that the page was understood or read whole, nor that no person or second tool passed it on.
//!
//! # Keys and clock
//!
//! One key for one process, never stored, logged or shown. Time is Unix seconds, given by the host. A clock that jumps back
//! by more than a bucket makes honest reads `HALLUCINATED`.

#[cfg(feature = "command")]
pub mod command;
mod document;
mod find;
mod gate;
mod limit;
mod log;
mod options;
mod place;
mod request;
mod sentinel;
mod strict;
#[cfg(feature = "command")]
mod vectors;
mod verdict;
mod wire;

use crate::error::{Error, ErrorKind};
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;
use log::Log;
use sentinel::Keys;

pub use crate::probe::{is_session, ProofState as State};
pub use document::{headers, Issued};
pub use find::{find_sentinel, reported, MOST_CANDIDATES};
pub use gate::Gate;
pub use limit::Limiter;
pub use log::Client;
pub use options::Options;
pub use request::{no_text, Request};
pub use sentinel::{sentinel, PROTOCOL};
pub use verdict::Verdict;
pub use wire::Handle;

/// Issues sentinels and judges what comes back. It holds the two derived keys and the log of what was issued.
pub struct Canary {
    keys: Keys,
    options: Options,
    log: Log,
}

impl fmt::Debug for Canary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Canary")
            .field("options", &self.options)
            .field("issued", &self.log.len())
            .finish_non_exhaustive()
    }
}

impl Canary {
    /// A canary over 32 random bytes of the host. The bytes are not kept: two keys are derived from them, one for sentinels
    /// and one for the digests of clients.
    ///
    /// # Errors
    /// [`ErrorKind::Option`]: the key is not of 32 bytes, or `options` contradict each other ([`Options::check`]).
    pub fn new(root_key: &[u8], options: Options) -> Result<Self, Error> {
        options.check()?;
        let keys = Keys::derive(root_key)?;
        Ok(Canary { keys, log: Log::new(&options), options })
    }

    /// Makes the sentinel of a session for the bucket of `now` and notes that it was issued. `now` is in Unix seconds.
    ///
    /// # Errors
    /// [`ErrorKind::Shape`]: the id does not match `[A-Za-z0-9._-]{1,128}` (`bad_session`), or `now` is farther from 1970 than any
    /// clock shows (`bad_now`).
    ///
    /// # Cost
    /// Two blocks of SHA-256, and a look into the log, whose size is bounded.
    pub fn issue(&mut self, session: &str, now: i64, client: Option<Client<'_>>) -> Result<Issued, Error> {
        check_session(session)?;
        if now.unsigned_abs() > FARTHEST.unsigned_abs() {
            return Err(bad_now(&now.to_string()));
        }
        let bucket = self.options.bucket(now);
        let digest = client.map(|client| client.kept(&self.keys));
        self.log.note(session, bucket, now, digest);
        Ok(Issued {
            session: session.to_string(),
            sentinel: self.keys.sentinel(session, bucket, self.options.sentinel_bytes),
            bucket,
            expires: self.options.start(bucket.saturating_add(self.options.fresh_tolerance + 1)),
        })
    }

    /// Says what `claim` shows for a session at `now`, in Unix seconds. `None` is an answer without a sentinel.
    ///
    /// White space, `"`, `'` and backticks around the claim are taken off; case is never folded. Every bucket of the window is
    /// compared, in constant time, so that neither the time nor the work depends on the claim.
    pub fn verify(&self, session: &str, claim: Option<&str>, now: i64) -> Verdict {
        let Some(claim) = claim.filter(|_| is_session(session)).and_then(verdict::trimmed) else {
            return Verdict::hallucinated();
        };
        let current = self.options.bucket(now);
        let Some(matched) = verdict::matching(&self.keys, &self.options, session, claim, current) else {
            return Verdict::hallucinated();
        };
        let issued = self.log.issued(session, matched, now);
        Verdict::of(current.saturating_sub(matched), issued, &self.options)
    }

    /// As [`Canary::verify`], on a whole reply: what a reader would copy of it as a sentinel ([`reported`]) is tried, up to
    /// [`MOST_CANDIDATES`], and the best verdict is given.
    pub fn verify_reply(&self, session: &str, reply: &str, now: i64) -> Verdict {
        let found = reported(reply, self.options.sentinel_bytes);
        let verdicts = found.iter().map(|claim| self.verify(session, Some(claim), now));
        verdicts.min_by_key(|verdict| verdict.state).unwrap_or_else(Verdict::hallucinated)
    }

    /// The settings.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// How many issuances the log holds that are no older than the retention at the last one.
    pub fn issued(&self) -> usize {
        self.log.len()
    }

    /// The log as JSON, for another process that was given the same key. It holds no sentinel and no address.
    pub fn export(&self) -> String {
        self.log.export()
    }

    /// Takes in a log that [`Canary::export`] wrote. What is held already stays.
    ///
    /// # Errors
    /// [`ErrorKind::Json`] or [`ErrorKind::Shape`] (`bad_log`): the text is no JSON, a key is unknown, stands twice or has a wrong
    /// value. Nothing is taken in then.
    pub fn import(&mut self, text: &str) -> Result<(), Error> {
        self.log.import(text)
    }
}

/// A fresh session's id of 16 random bytes of the host.
///
/// ```
/// assert_eq!(counterfoil::canary::new_session([7; 16]), "07070707070707070707070707070707");
/// ```
pub fn new_session(random: [u8; 16]) -> String {
    format!("{:032x}", u128::from_be_bytes(random))
}

/// The farthest time from 1970, in seconds: some 285,000 years.
const FARTHEST: i64 = 9_000_000_000_000;

/// A number as messages show it, written by what writes JSON: the core's own writer of fractions would weigh as much in wasm as
/// the log.
fn number(value: f64) -> String {
    if value.is_finite() {
        serde_json::Value::from(value).to_string()
    } else {
        "no finite number".to_string()
    }
}

fn bad_now(now: &str) -> Error {
    let message = format!("expected Unix seconds, at most {FARTHEST} from 1970; found {now}");
    Error::new(ErrorKind::Shape, "now", message).coded("bad_now")
}

fn check_session(session: &str) -> Result<(), Error> {
    if is_session(session) {
        return Ok(());
    }
    // What was given is not repeated: the message may end in a page.
    let found = match session.chars().count() {
        length @ 1..=128 => format!("another character among {length}"),
        length => format!("{length} characters"),
    };
    let message = format!("expected 1 to 128 of A-Z a-z 0-9 . _ -; found {found}");
    Err(Error::new(ErrorKind::Shape, "session", message).coded("bad_session"))
}
