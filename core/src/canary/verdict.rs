//! What an answer shows, in the order of the protocol.

use super::sentinel::{Keys, LONGEST};
use super::{Options, State};
use serde::Serialize;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

/// A verdict. It never holds what the right answer would have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// What the answer shows.
    pub state: State,
    /// How many buckets ago the sentinel was made; below zero when its bucket is still to come. `None` when nothing fits.
    pub distance: Option<i64>,
}

impl Verdict {
    pub(super) fn hallucinated() -> Self {
        Verdict { state: State::Hallucinated, distance: None }
    }

    /// The verdict on a sentinel that fits the bucket `distance` before the current one.
    pub(super) fn of(distance: i64, issued: bool, options: &Options) -> Self {
        let state = match issued {
            false => State::ReplaySuspect,
            true if distance.unsigned_abs() <= options.fresh_tolerance.unsigned_abs() => State::ReadVerified,
            true => State::ReadStale,
        };
        Verdict { state, distance: Some(distance) }
    }
}

/// The claim without what people and models put around a value; `None` when nothing is left or it is too long for any
/// sentinel, so that no work is done for it.
pub(super) fn trimmed(claim: &str) -> Option<&str> {
    let claim = claim.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`'));
    (1..=LONGEST).contains(&claim.len()).then_some(claim)
}

/// The bucket whose sentinel the claim is. All buckets of the window are compared, whatever the claim is.
pub(super) fn matching(keys: &Keys, options: &Options, session: &str, claim: &str, current: i64) -> Option<i64> {
    let (mut found, mut bucket) = (Choice::from(0), 0);
    for candidate in options.window(current) {
        let mut buffer = [0; LONGEST];
        let expected = keys.written(session, candidate, options.sentinel_bytes, &mut buffer);
        let same = expected.as_bytes().ct_eq(claim.as_bytes());
        bucket.conditional_assign(&candidate, same);
        found |= same;
    }
    bool::from(found).then_some(bucket)
}
