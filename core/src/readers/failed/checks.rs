//! “ESLint: 0 problems.” “The type check passes.” “`ruff check .` is clean.”

use super::super::clean::{self, Came};
use super::super::prelude::*;
use crate::evidence::checks::Check;
use crate::evidence::outcome::summary_text;

pub(in crate::readers) const CHECKS: Form =
    Form { reader: "failed", reads: Reads::Phrases(clean::PHRASES, read), check, asks: nothing_more };

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    if let Some(clean) = clean::read(reading, clause, found) {
        reading.claim(index, clean.found());
    }
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let Some((kind, program)) = clean::asked(claim) else { return Support::Leave };
    let runs = clean::runs(view, kind, program);
    let Some((call, came)) = runs.runs.last() else { return Support::Leave };
    if let Some(again) = runs.again {
        return Support::by(again);
    }
    // A run of another part that passed supports a claim that may be about that part.
    let line = |call: usize| view.facts(call).line.as_deref().map(str::trim);
    let other = runs.runs.iter().rev().find(|(c, came)| *came == Came::Passed && line(*c) != line(*call));
    match (came, other) {
        (Came::Passed, _) => Support::by(*call),
        (Came::Hidden, _) => Support::Leave,
        (_, Some((other, _))) => Support::by(*other),
        _ if claim.wide => Support::Leave,
        (Came::Errors(summary), None) => {
            let what = summary_text(summary, view.facts(*call).call.output.as_deref().unwrap_or(""));
            let name = match kind {
                Check::Lint => "lint",
                Check::Types => "type check",
                Check::Format => "format",
            };
            Support::Against(format!("the {name} output says {what}"), *call, Some(summary.text))
        }
        (Came::Failed, None) => match view.facts(*call).ended() {
            Some(reason) => Support::Not(reason, Some(*call)),
            None => Support::Leave,
        },
    }
}
