//! “The build succeeded.” “It compiles cleanly.” “`npm run build` passes.”
//!
//! # Reads
//! A build or compilation said to have succeeded, as a finished fact.
//!
//! # Checks
//! As for tests: the turn's build runs in their order. A silent success counts, as with `tsc` or `go build`.
//!
//! # Leaves alone
//! Wishes and conditions; “I built the page”, which tells of writing.
use super::prelude::*;
use super::runs::{self, Asked};
use crate::evidence::{acts, shell};

pub(in crate::readers) const BUILDS: Form = Form { reader: "outcome", reads: Reads::Phrases(PHRASES, read), check };

const PHRASES: &[&str] = &[
    "build|builds|compilation .. succeeded|succeeds|passed|passes|passing|successful|green",
    "built|builds|compiled|compiles successfully|cleanly|fine",
    "compiled|compiles|builds without any? errors|error|warnings|issues",
    "` succeeds|succeeded|passes|passed",
];

/// Words before the phrase that make it an aim.
const AIMS: &[&str] = &["ensure", "get", "getting", "let", "make", "makes", "making", "see", "until", "why", "how"];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let tokens = found.tokens.clone();
    let verb = if found.phrase == 0 || found.phrase == 3 { tokens.end - 1 } else { tokens.start };
    let before = clause.tokens.start.max(tokens.start.saturating_sub(3))..tokens.start;
    if !reading.asserts(clause, verb) || before.chain(tokens.clone()).any(|i| AIMS.contains(&reading.word(i))) {
        return;
    }
    if found.phrase == 3 {
        let Some(code) = reading.token(tokens.start) else { return };
        let line = shell::split(&code.text);
        if !line.is_some_and(|l| l.commands.iter().any(|c| acts::of_command(c).names(Act::Build))) {
            return;
        }
    }
    let told = ["build succeeded", "build successful", "build passed", "compiled successfully", "built successfully", "build complete"];
    let needles = told.iter().filter_map(|text| reading.want(Scope::Told, text)).collect();
    reading.claim(index, Found { needles, wide: true, ..Found::default() });
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let asked = Asked {
        act: Act::Build,
        summary: &|call| view.builds(call),
        wide: claim.wide,
        number: None,
        none: "no build command in this turn exited 0",
    };
    match runs::check(&asked, view, "build") {
        Support::Not(reason, near) => runs::told(claim, view).unwrap_or(Support::Not(reason, near)),
        support => support,
    }
}
