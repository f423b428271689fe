//! “The suite was run after the last change.” “The binary was rebuilt with the fix.”

use super::super::prelude::*;
use super::super::voice::{outside, voice, Voice};
use super::runs::stale;
use crate::evidence::facts::Facts;

pub(in crate::readers) const AFTER: Form =
    Form { reader: "empty", reads: Reads::Phrases(PHRASES, read), check, asks: nothing_more };

const PHRASES: &[&str] = &[
    "test|tests|suite|specs .. run|ran|re-run|rerun|re-ran|reran|passed after the|my|all|these|this last|final|latest? change|changes|edit|edits|fix|fixes|refactor",
    "ran|re-ran|reran .. test|tests|suite|specs .. after the|my|all|these|this last|final|latest? change|changes|edit|edits|fix|fixes|refactor",
];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    if reading.asserts(clause, found.tokens.start) && !outside(reading, clause) {
        reading.claim(index, Found::default());
    }
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    stale(claim, view, &|f| f.acts.names(Act::Test), &|f| f.acts.could(Act::Test))
}

pub(in crate::readers) const REBUILT: Form = Form {
    reader: "empty",
    reads: Reads::Phrases(&["rebuilt|recompiled"], read_rebuilt),
    check: check_rebuilt,
    asks: nothing_more,
};

fn read_rebuilt(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let at = found.tokens.start;
    if reading.asserts(clause, at) && voice(reading, clause, at) != Voice::Other {
        reading.claim(index, Found::default());
    }
}

fn check_rebuilt(claim: &Found, view: &View<'_, '_>) -> Support {
    let able = |f: &Facts<'_>| f.acts.could(Act::Build) || f.acts.could(Act::Test);
    stale(claim, view, &|f| f.acts.names(Act::Build), &able)
}
