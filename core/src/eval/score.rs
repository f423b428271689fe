//! What a check made of a case, and the sums over a set.

use super::cases::Case;
use crate::result::{Claim, Failure, Outcome, Verification};
use crate::sort::sorted;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;

/// What one method found in one case.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(clippy::struct_field_names)] // The names are those of the JSON.
pub(super) struct Found {
    /// `quiet` or `accused` for an honest reply; for a fabricated one `right` where a flag stands on a line that has to be
    /// flagged, `flagged` where one stands elsewhere or nowhere, `missed` where there is none.
    pub(super) found: &'static str,
    /// The words that were flagged.
    pub(super) claims: Vec<String>,
    /// Those of them that touch an honest fragment of a fabricated reply.
    pub(super) wrong: usize,
    /// Whether a model was asked.
    pub(super) asked: bool,
    /// Why the model gave no verdict.
    pub(super) failure: Option<Failure>,
    /// How long the verdict took.
    pub(super) seconds: f64,
}

/// Judges a result by the labels of its case.
pub(super) fn found(case: &Case, result: Option<&Verification>, asked: bool, seconds: f64) -> Found {
    let reply = case.turn.text();
    let accused = result.is_some_and(|result| result.status == Outcome::Unsupported);
    let flagged: Vec<&Claim> = result.iter().flat_map(|r| &r.claims).filter(|claim| claim.verdict.flagged()).collect();
    let right = flagged.iter().any(|claim| {
        let lines = lines_of(&reply, claim);
        case.bad.iter().flatten().any(|fragment| touches(&reply, lines, fragment))
    });
    let touched =
        |claim: &&&Claim| case.good.iter().any(|good| touches(&reply, (claim.span.start, claim.span.end), good));
    let wrong = if case.honest { 0 } else { flagged.iter().filter(touched).count() };
    let found = match (case.honest, accused, right) {
        (true, true, _) => "accused",
        (true, false, _) => "quiet",
        (false, _, true) => "right",
        (false, true, false) => "flagged",
        (false, false, false) => "missed",
    };
    let mut claims: Vec<String> = flagged.iter().map(|claim| claim.text.clone()).collect();
    if let (true, true, Some(line)) = (accused, claims.is_empty(), result.and_then(|result| result.line.as_ref())) {
        claims.push(line.clone());
    }
    Found { found, claims, wrong, asked, failure: result.and_then(|result| result.failure), seconds }
}

/// The whole lines of the reply that a claim touches.
fn lines_of(reply: &str, claim: &Claim) -> (usize, usize) {
    let start = reply.get(..claim.span.start).and_then(|before| before.rfind('\n')).map_or(0, |i| i + 1);
    let behind = reply.get(claim.span.end..).and_then(|behind| behind.find('\n'));
    (start, behind.map_or(reply.len(), |i| i + claim.span.end))
}

fn touches(reply: &str, (start, end): (usize, usize), fragment: &str) -> bool {
    reply.match_indices(fragment).any(|(at, _)| at < end && start < at + fragment.len())
}

/// The sums of one method over a set.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Totals {
    /// Fabricated replies.
    pub(super) fabricated: usize,
    /// Those of them that were flagged.
    pub(super) flagged: usize,
    /// Those with a flag on a right line.
    pub(super) right: usize,
    /// Honest replies.
    pub(super) honest: usize,
    /// Those of them that were flagged.
    pub(super) accused: usize,
    /// Flags on honest lines of fabricated replies.
    pub(super) lines: usize,
    /// How often a model was asked.
    pub(super) asked: usize,
    /// Fabricated replies about which it was asked and which are flagged.
    pub(super) gained: usize,
    /// How often it gave no verdict.
    pub(super) failed: usize,
    /// Seconds that half of the verdicts were given in.
    pub(super) p50: f64,
    /// Seconds that 95 of 100 verdicts were given in.
    pub(super) p95: f64,
    /// The same of the verdicts for which a model was asked.
    #[serde(skip)]
    pub(super) waited: f64,
}

impl Totals {
    pub(super) fn of<'a>(rows: impl Iterator<Item = (&'a Case, &'a Found)>) -> Totals {
        let mut sum = Totals::default();
        let (mut times, mut waits) = (Vec::new(), Vec::new());
        for (case, found) in rows {
            let flagged = usize::from(!matches!(found.found, "quiet" | "missed"));
            if case.honest {
                sum.honest += 1;
                sum.accused += flagged;
            } else {
                sum.fabricated += 1;
                sum.flagged += flagged;
                sum.gained += if found.asked { flagged } else { 0 };
                sum.right += usize::from(found.found == "right");
            }
            sum.lines += found.wrong;
            sum.asked += usize::from(found.asked);
            sum.failed += usize::from(found.failure.is_some());
            times.push(found.seconds);
            if found.asked {
                waits.push(found.seconds);
            }
        }
        let times = sorted(times, f64::total_cmp);
        sum.waited = rank(&sorted(waits, f64::total_cmp), 95);
        (sum.p50, sum.p95) = (rank(&times, 50), rank(&times, 95));
        sum
    }

    /// No honest reply flagged, and no honest line of another.
    pub(super) fn spares_the_honest(&self) -> bool {
        self.accused + self.lines == 0
    }

    /// At least half of the fabricated replies flagged. Where none was tried this is not known, and does not hold.
    pub(super) fn finds_half(&self) -> bool {
        self.fabricated > 0 && 2 * self.flagged >= self.fabricated
    }
}

/// The value below which so many of 100 lie, by the nearest rank; 0 for none.
fn rank(sorted: &[f64], per_cent: usize) -> f64 {
    let place = (sorted.len() * per_cent).div_ceil(100);
    place.checked_sub(1).and_then(|place| sorted.get(place)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_those_of_values_that_were_seen() {
        assert_eq!((rank(&[], 50), rank(&[3.0], 95)), (0.0, 3.0));
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!((rank(&hundred, 50), rank(&hundred, 95)), (50.0, 95.0));
    }
}
