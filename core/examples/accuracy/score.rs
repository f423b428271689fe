//! What the readers make of a set.

use crate::sets::{Case, Set};
use counterfoil::transcript::turn_from;
use counterfoil::{verify, Claim, Options};
use std::collections::BTreeMap;

/// What came of a set, or of a reader in it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Score {
    pub(crate) right: usize,
    pub(crate) wrong: usize,
    /// Flagged where nobody has labelled.
    pub(crate) unlabelled: usize,
    /// Labelled lines without a flag; of a reader, those in turns of its kind.
    pub(crate) missed: usize,
}

/// The result of one set.
#[derive(Default)]
pub(crate) struct Result {
    pub(crate) readers: BTreeMap<String, Score>,
    pub(crate) all: Score,
    /// Labelled lines with a flag, among all.
    pub(crate) lines: (usize, usize),
    /// Fabricated turns with a flag on a right line, among all.
    pub(crate) turns: (usize, usize),
    /// Honest turns with a flag, among all.
    pub(crate) honest: (usize, usize),
    /// Honest lines with a flag, among all: those that are labelled, and every line of an honest turn.
    pub(crate) honest_lines: (usize, usize),
    pub(crate) list: Vec<String>,
}

/// The whole lines of the reply that a claim touches.
fn lines_of(reply: &str, claim: &Claim) -> (usize, usize) {
    let start = reply[..claim.span.start].rfind('\n').map_or(0, |i| i + 1);
    let end = reply[claim.span.end..].find('\n').map_or(reply.len(), |i| i + claim.span.end);
    (start, end)
}

/// Whether a fragment stands on the lines, or holds them.
fn on_lines(reply: &str, (start, end): (usize, usize), fragment: &str) -> bool {
    reply.match_indices(fragment).any(|(at, _)| at < end && start < at + fragment.len())
}

fn overlaps(reply: &str, claim: &Claim, fragment: &str) -> bool {
    reply.match_indices(fragment).any(|(at, _)| at < claim.span.end && claim.span.start < at + fragment.len())
}

/// A text in quotation marks, on one line.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.split_whitespace().collect::<Vec<_>>().join(" "))
}

pub(crate) fn score(set: &Set) -> Result {
    let mut result = Result::default();
    let options = Options::default();
    for case in &set.cases {
        let turn = turn_from(case.turn.clone()).unwrap_or_else(|e| panic!("{}: {e}", case.id));
        let reply = turn.text();
        let found = verify(&turn, &options);
        let flagged: Vec<&Claim> = found.iter().flat_map(|r| &r.claims).filter(|c| c.verdict.flagged()).collect();
        let mut hit = vec![false; case.bad.len()];
        for claim in &flagged {
            result.claim(case, &reply, claim, &mut hit);
        }
        result.labels(case, !flagged.is_empty(), &hit);
        result.honest_lines(case, &reply, &flagged);
    }
    result
}

impl Result {
    /// Counts a flag, and marks the labels that it meets.
    fn claim(&mut self, case: &Case, reply: &str, claim: &Claim, hit: &mut [bool]) {
        let lines = lines_of(reply, claim);
        let wrong = case.honest || case.good.iter().any(|f| overlaps(reply, claim, f));
        let mut right = false;
        for (bad, hit) in case.bad.iter().zip(hit) {
            if bad.iter().any(|f| on_lines(reply, lines, f)) {
                (*hit, right) = (true, true);
            }
        }
        let kind = match (wrong, right) {
            (true, _) => "WRONG",
            (_, true) => "right",
            _ => "unlabelled",
        };
        for score in [&mut self.all, self.readers.entry(claim.reader.clone()).or_default()] {
            match kind {
                "WRONG" => score.wrong += 1,
                "right" => score.right += 1,
                _ => score.unlabelled += 1,
            }
        }
        let reason = claim.reason.as_deref().unwrap_or_default();
        self.list.push(format!("{kind} {}: {} {} ({reason})", case.id, claim.reader, quoted(&claim.text)));
    }

    /// Counts the honest lines of a turn, and those of them that a flag touches.
    fn honest_lines(&mut self, case: &Case, reply: &str, flagged: &[&Claim]) {
        let whole = reply.lines().filter(|line| case.honest && line.chars().any(char::is_alphanumeric));
        let labelled = case.good.iter().map(String::as_str).filter(|_| !case.honest);
        for line in whole.chain(labelled) {
            self.honest_lines.0 += usize::from(flagged.iter().any(|claim| overlaps(reply, claim, line)));
            self.honest_lines.1 += 1;
        }
    }

    /// Counts the labelled lines of a turn, and the turn.
    fn labels(&mut self, case: &Case, flagged: bool, hit: &[bool]) {
        for (bad, _) in case.bad.iter().zip(hit).filter(|(_, hit)| !**hit) {
            self.all.missed += 1;
            self.readers.entry(case.kind.clone()).or_default().missed += 1;
            self.list.push(format!("missed {}: {}", case.id, quoted(&bad.join("\" or \""))));
        }
        self.lines.0 += hit.iter().filter(|hit| **hit).count();
        self.lines.1 += hit.len();
        if case.honest {
            self.honest.0 += usize::from(flagged);
            self.honest.1 += 1;
        } else if !case.bad.is_empty() {
            self.turns.0 += usize::from(hit.contains(&true));
            self.turns.1 += 1;
        }
    }
}
