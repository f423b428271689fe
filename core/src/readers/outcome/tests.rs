//! “All tests passed.” “12 tests pass.” “`npm test` passes.”
//!
//! # Reads
//! Tests said to have passed, with or without a count, as a finished fact.
//!
//! # Checks
//! The turn's runs, in their order: a passing summary, a silent success, or a call that may have run tests supports;
//! a runner's own failing summary contradicts where nothing passed and nothing ran after it. A named subset is supported
//! by a run in which anything passed. The count of a summary supports the same count.
//!
//! # Leaves alone
//! Wishes, aims and conditions: “once all tests pass”, “to make the tests pass”.
use super::prelude::*;
use super::runs::{self, Asked};
use crate::evidence::{acts, numbers, shell};

pub(in crate::readers) const TESTS: Form = Form { reader: "outcome", reads: Reads::Phrases(PHRASES, read), check };

const PHRASES: &[&str] = &[
    "test|tests|suite|suites|specs .. pass|passes|passed|passing|green|succeed|succeeded",
    "pass|passes|passed|passing all|the|# .. tests|specs",
    "` pass|passes|passed|passing|succeeds|succeeded",
];

/// Words before the phrase that make it an aim or a comparison.
const AIMS: &[&str] = &["ensure", "get", "getting", "have", "help", "let", "make", "makes", "making", "see", "until", "why", "how"];

/// Words that make the claim one about a part of the tests.
const PARTS: &[&str] = &[
    "added", "affected", "both", "existing", "focused", "function", "integration", "its", "my", "new", "of", "other", "regression",
    "related", "relevant", "remaining", "smoke", "some", "specific", "targeted", "that", "these", "this", "those", "unit", "for",
    "in", "my", "most", "so", "far",
];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let tokens = found.tokens.clone();
    let verb = if found.phrase == 1 { tokens.start } else { tokens.end - 1 };
    if !reading.asserts(clause, verb) || !reading.asserts(clause, tokens.start) {
        return;
    }
    let before = clause.tokens.start.max(tokens.start.saturating_sub(4))..tokens.start;
    if before.clone().any(|i| AIMS.contains(&reading.word(i))) {
        return;
    }
    if found.phrase == 2 {
        let Some(code) = reading.token(tokens.start) else { return };
        let line = shell::split(&code.text);
        let tests = line.is_some_and(|l| l.commands.iter().any(|c| acts::of_command(c).names(Act::Test)));
        if !tests {
            return;
        }
    }
    let part = before.clone().chain(tokens.clone()).any(|i| PARTS.contains(&reading.word(i)))
        || reading.tokens(clause).iter().any(|t| t.kind == TokenKind::Code && found.phrase != 2);
    let number = before.chain(tokens).filter_map(|i| reading.token(i)).find(|t| t.kind == TokenKind::Number);
    let number = number.and_then(|t| numbers::parse(&t.text));
    let told = ["tests passed", "tests pass", "tests all passed", "test suite passed", "all tests passing", "tests are passing"];
    let needles = told.iter().filter_map(|text| reading.want(Scope::Told, text)).collect();
    reading.claim(index, Found { number, needles, wide: !part, ..Found::default() });
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let asked = Asked {
        act: Act::Test,
        summary: &|call| view.tests(call),
        wide: claim.wide,
        number: claim.number.as_ref().and_then(numbers::Number::as_u64),
        none: "no test command in this turn exited 0",
    };
    match runs::check(&asked, view, "test") {
        Support::Not(reason, near) => runs::told(claim, view).unwrap_or(Support::Not(reason, near)),
        support => support,
    }
}
