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
    matching_by(keys, options, session, claim, current, <[u8]>::ct_eq)
}

/// As [`matching`], with the comparison given, so that a test can count how often it is made.
fn matching_by(
    keys: &Keys,
    options: &Options,
    session: &str,
    claim: &str,
    current: i64,
    mut compare: impl FnMut(&[u8], &[u8]) -> Choice,
) -> Option<i64> {
    let (mut found, mut bucket) = (Choice::from(0), 0);
    for candidate in options.window(current) {
        let mut buffer = [0; LONGEST];
        let expected = keys.written(session, candidate, options.sentinel_bytes, &mut buffer);
        let same = compare(expected.as_bytes(), claim.as_bytes());
        bucket.conditional_assign(&candidate, same);
        found |= same;
    }
    bool::from(found).then_some(bucket)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_bucket_of_the_window_is_compared_whatever_the_claim() {
        let keys = Keys::derive(&[7; 32]).unwrap();
        for (horizon, tolerance) in [(24, 1), (1, 0), (512, 8)] {
            let options = Options { stale_horizon: horizon, fresh_tolerance: tolerance, ..Options::default() };
            let first = keys.sentinel("s", 1000 - horizon, 32);
            let last = keys.sentinel("s", 1000 + tolerance, 32);
            let beyond = keys.sentinel("s", 1000 - horizon - 1, 32);
            for (claim, wanted) in [
                (first.as_str(), Some(1000 - horizon)),
                (&last, Some(1000 + tolerance)),
                (&beyond, None),
                ("x", None),
                (&first[..42], None),
            ] {
                let mut buckets = alloc::vec::Vec::new();
                let found = matching_by(&keys, &options, "s", claim, 1000, |expected, claim| {
                    buckets.push(expected.to_vec());
                    expected.ct_eq(claim)
                });
                assert_eq!((found, buckets.len() as i64), (wanted, horizon + tolerance + 1));
                buckets.sort_unstable();
                buckets.dedup();
                assert_eq!(buckets.len() as i64, horizon + tolerance + 1, "each another");
            }
        }
    }
}
