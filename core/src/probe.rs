//! Proofs of read, as a host tells the check what came of them.
//!
//! The verdicts are made elsewhere: by `canary`, in this process or in another. Here they stand beside the claims, and say
//! what a claim to have read the probed address is worth.

use crate::error::Error;
use crate::options::{fault, named, object, shown};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;
use serde_json::Value;

/// What an answer shows, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ProofState {
    /// The sentinel of a bucket within the tolerance, and it was issued.
    ReadVerified,
    /// An older sentinel within the horizon, and it was issued.
    ReadStale,
    /// The right sentinel of a bucket in which none was issued to this session.
    ReplaySuspect,
    /// No sentinel, or one that fits no bucket of the window.
    Hallucinated,
}

impl ProofState {
    /// Every state with its name on the wire.
    pub const ALL: [(&'static str, ProofState); 4] = [
        ("READ_VERIFIED", ProofState::ReadVerified),
        ("READ_STALE", ProofState::ReadStale),
        ("REPLAY_SUSPECT", ProofState::ReplaySuspect),
        ("HALLUCINATED", ProofState::Hallucinated),
    ];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, state)| *state == self).map_or("", |(name, _)| name)
    }

    /// The state with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|&(_, state)| state)
    }

    /// What the state shows and what not. It has to be said wherever a verdict is shown.
    pub fn meaning(self) -> &'static str {
        match self {
            ProofState::ReadVerified => {
                "shows that the value came from the endpoint to the one who reported it, inside the window; not that the \
                 page was understood or read whole, nor that no one passed it on"
            }
            ProofState::ReadStale => {
                "shows that the value came from the endpoint to the one who reported it, but earlier than the window; not \
                 that the page was understood or read whole, nor that no one passed it on"
            }
            ProofState::ReplaySuspect => {
                "the value is right, but the log does not hold that it was issued to this session then; a restart forgets \
                 what was issued"
            }
            ProofState::Hallucinated => {
                "no value was reported that the endpoint gives inside the horizon; not that the page was left unread, since \
                 a value can be left out, and a clock that jumped back makes a right one wrong"
            }
        }
    }
}

/// The verdict on one proof of read, as a host gives it to a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Probe {
    /// The session's id.
    pub session: String,
    /// Where the probe document was served.
    pub url: String,
    /// What the answer showed.
    pub state: ProofState,
    /// Whether the agent had to read it, so that a claim to have done so needs the proof or a call.
    pub required: bool,
}

/// The keys of a proof among the options.
const KEYS: &str = "session, url, state, required";

impl Probe {
    /// Reads the list of a host's options. Strict: the first wrong value is an error that names its place.
    pub(crate) fn read(value: &Value) -> Result<Vec<Probe>, Error> {
        let list = value
            .as_array()
            .ok_or_else(|| fault("canaries", format!("expected a list of verdicts; found {}", shown(value))))?;
        list.iter().enumerate().map(|(i, one)| Self::one(&format!("canaries[{i}]"), one)).collect()
    }

    fn one(path: &str, value: &Value) -> Result<Probe, Error> {
        let map = object(path, value)?;
        let known = |key: &&String| KEYS.split(", ").any(|known| known == *key);
        if let Some(key) = map.keys().find(|key| !known(key)) {
            return Err(fault(format!("{path}.{key}"), format!("unknown key; the keys are {KEYS}")));
        }
        let get = |key: &str| map.get(key).unwrap_or(&Value::Null);
        let text = |key: &str, fits: fn(&str) -> bool, expected: &str| {
            let found = get(key).as_str().filter(|text| fits(text)).map(ToOwned::to_owned);
            found.ok_or_else(|| {
                fault(format!("{path}.{key}"), format!("expected {expected}; found {}", shown(get(key))))
            })
        };
        let required = match get("required") {
            Value::Null => false,
            value => value.as_bool().ok_or_else(|| {
                fault(format!("{path}.required"), format!("expected true or false; found {}", shown(value)))
            })?,
        };
        Ok(Probe {
            session: text("session", is_session, "1 to 128 of A-Z a-z 0-9 . _ -")?,
            url: text("url", is_address, "an address that begins with http:// or https://")?,
            state: named(&ProofState::ALL, &format!("{path}.state"), get("state"))?,
            required,
        })
    }
}

/// Whether an id matches `[A-Za-z0-9._-]{1,128}`.
pub fn is_session(session: &str) -> bool {
    (1..=128).contains(&session.len())
        && session.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}

/// Whether a text begins like the address of a page, with something behind it.
fn is_address(text: &str) -> bool {
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(|c: char| c.is_whitespace() || c.is_control()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use serde_json::json;

    #[test]
    fn a_verdict_is_read_strictly() {
        let good = json!([{"session": "s", "url": "http://localhost:8080/canary/s", "state": "READ_STALE"}]);
        let read = Probe::read(&good).unwrap();
        assert_eq!((read[0].state, read[0].required), (ProofState::ReadStale, false));
        let wrong = [
            (json!({}), "canaries: expected a list of verdicts; found an object"),
            (json!([3]), "canaries[0]: expected an object; found 3"),
            (json!([{"sesion": "s"}]), "canaries[0].sesion: unknown key; the keys are session, url, state, required"),
            (json!([{"session": "a/b"}]), "canaries[0].session: expected 1 to 128 of A-Z a-z 0-9 . _ -; found \"a/b\""),
            (
                json!([{"session": "s", "url": "file:///x"}]),
                "canaries[0].url: expected an address that begins with http:// or https://; found \"file:///x\"",
            ),
            (
                json!([{"session": "s", "url": "http://a/s", "state": "read_verified"}]),
                "canaries[0].state: expected one of READ_VERIFIED, READ_STALE, REPLAY_SUSPECT, HALLUCINATED; found \
                 \"read_verified\"",
            ),
            (
                json!([{"session": "s", "url": "http://a/s", "state": "READ_STALE", "required": 1}]),
                "canaries[0].required: expected true or false; found 1",
            ),
        ];
        for (value, message) in wrong {
            assert_eq!(Probe::read(&value).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn every_state_has_its_name_and_says_what_it_does_not_show() {
        for (name, state) in ProofState::ALL {
            assert_eq!((state.name(), ProofState::named(name)), (name, Some(state)));
            assert_eq!(json!(state), name);
            assert!(state.meaning().contains("not"));
        }
    }
}
