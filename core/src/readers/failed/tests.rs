//! “All 40 specs are green”, while the run that was started has not come to its end.

use super::super::outcome::{read_tests, TEST_PHRASES};
use super::super::prelude::*;
use crate::evidence::index::Shared;
use crate::evidence::outcome::Kind;
use crate::evidence::roles::Role;
use crate::record::Status;

pub(in crate::readers) const TESTS: Form =
    Form { reader: "failed", reads: Reads::Phrases(TEST_PHRASES, read_tests), check, asks: nothing_more };

/// Flagged when the only runs of tests were started in the background and what was read of them since tells of fewer
/// passes than the claim, with no summary.
fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let Some(number) = claim.number.as_ref().and_then(crate::evidence::numbers::Number::as_u64) else {
        return Support::Leave;
    };
    let waits = |status: Status| matches!(status, Status::Background | Status::Pending);
    let mut last = None;
    for (call, facts) in view.calls() {
        if facts.acts.names(Act::Test) && waits(facts.call.status) {
            last = Some(call);
        } else if facts.ran() && (facts.acts.could(Act::Test) || facts.role == Role::Agent) {
            return Support::Leave;
        }
    }
    if last.is_none() || view.calls().any(|(call, _)| view.tests(call).is_some_and(|s| s.kind == Kind::Passed)) {
        return Support::Leave;
    }
    let marks = |output: &str| output.lines().filter(|l| l.contains(['✓', '✔', '✅']) || l.contains("ok ")).count();
    let all = || Some(view.calls().filter_map(|(_, f)| f.call.output.as_deref()).map(marks).sum());
    let passes = || view.shared(Shared::Marks, all).unwrap_or(0) as u64;
    match last.and_then(|call| Some((call, view.facts(call).ended()?))) {
        Some((call, reason)) if claim.wide && view.turn.context.is_empty() && passes() < number => {
            Support::Not(reason, Some(call))
        }
        _ => Support::Leave,
    }
}
