//! “The newest tag, Result: `v3.2.0`.” “`edit_file(…)` → Output: `/tmp/a-41`.”
//!
//! # Reads
//! A backticked value behind a result marker on the same line. In small letters the marker has to open its line, below a
//! command line of the same block that is said to have run.
//!
//! # Checks
//! The value stands in some output or argument, or in what the agent was given.
//!
//! # Leaves alone
//! A command, a name or a path in code font, an arrow between prose, and what a hook or a program would print.
use super::prelude::*;
use super::{MARKERS, OTHERS};
use crate::evidence::numbers::quantity::quantities;
use crate::evidence::numbers::units::{digits, factors};
use crate::evidence::numbers::{self};
use crate::readers::text::{is_command, is_path, is_placeholder};
use crate::readers::voice::outside;

pub(in crate::readers) const VALUE: Form = Form {
    reader: "output",
    reads: Reads::Phrases(&["output|outputs|returned|result|results|stdout .. `"], read),
    check,
    asks: nothing_more,
};

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let start = found.tokens.start;
    if !reading.asserts(clause, start) || reading.mentions(clause, OTHERS) {
        return;
    }
    let word = reading.word(start);
    let colon = reading.token(start + 1).is_some_and(|t| t.text == ":");
    let label = reading.token(start).is_some_and(|t| t.span.of(reading.prose.source).starts_with(char::is_uppercase));
    let run = !label && below_a_run(reading, clause, start);
    if !colon
        || !(label || run)
        || !MARKERS.contains(&word)
        || outside(reading, clause)
        || reading.mentions(clause, &["input", "calculation"])
    {
        return;
    }
    // “Result: `…`” alone shows what was made as often as what was printed.
    let first = index.checked_sub(1).is_none_or(|before| reading.clause(before).block != clause.block);
    if word.starts_with("result") && start == clause.tokens.start && first {
        return;
    }
    // Behind an expression in code it is what the language makes of it: “`[2,3].map(f)` surprises. Result: `[NaN]`”.
    let block = (0..index).rev().take(4).map(|i| reading.clause(i)).take_while(|c| c.block == clause.block);
    let expression = |t: &Token<'_>| t.kind == TokenKind::Code && t.text.contains('(') && t.text.contains('.');
    if block.into_iter().any(|c| reading.tokens(c).iter().any(expression)) {
        return;
    }
    let line = reading.prose.line(reading.token(start).map_or(0, |t| t.span.start));
    for at in found.tokens.end - 1..clause.tokens.end {
        let Some(token) = reading.token(at) else { break };
        if token.kind == TokenKind::Arrow || reading.prose.line(token.span.start) != line {
            break;
        }
        if token.kind == TokenKind::Code && is_value(&token.text) {
            let needles = reading.want(Scope::Any, &token.text).into_iter().collect();
            // The mark of a time of day or of a unit may be written in many ways.
            let words: Vec<String> = token
                .text
                .split(|c: char| !(c.is_alphanumeric() || "._-".contains(c)))
                .filter(|w| w.len() > 2 || w.contains(|c: char| c.is_ascii_digit()))
                .map(String::from)
                .collect();
            let others = words.iter().filter_map(|w| reading.want(Scope::Any, w)).collect();
            reading
                .claim(index, Found { name: token.text.to_string(), needles, others, keyed: run, ..Found::default() });
        }
    }
}

/// Words that tell that a command came to its end.
#[rustfmt::skip]
const ENDED: &[&str] = &[
    "completed", "executed", "exited", "finished", "ran", "returned", "succeeded", "worked",
];

/// Whether a marker in small letters opens its line, a command line in code font stands alone on the line above, and the block
/// tells that a command ran. Without that word such lines explain what a program prints.
fn below_a_run(reading: &Reading<'_, '_>, clause: &Clause, marker: usize) -> bool {
    let prose = reading.prose;
    let line_of = |i: usize| reading.token(i).map_or(0, |t| prose.line(t.span.start));
    let line = line_of(marker);
    let Some(above) = marker.checked_sub(1).filter(|&i| line_of(i) + 1 == line) else { return false };
    let command = reading.token(above).is_some_and(|t| t.kind == TokenKind::Code && is_command(&t.text));
    let alone = above == 0 || line_of(above - 1) < line_of(above);
    let first = prose.clauses.partition_point(|c| c.tokens.end <= marker.saturating_sub(NEAR));
    let near = prose.clauses[first..].iter().take_while(|c| c.tokens.start < marker + NEAR);
    let mut told = near.filter(|c| c.block == clause.block && !outside(reading, c));
    matches!(reading.word(marker), "output" | "stderr" | "stdout")
        && command
        && alone
        && told.any(|c| {
            let ended = |i: usize| ENDED.contains(&reading.word(i)) && reading.asserts(c, i);
            c.tokens.clone().any(ended)
        })
}

/// How many tokens around a marker are looked at.
const NEAR: usize = 40;

/// Whether a code span is a value: no command, path, call form or placeholder.
fn is_value(code: &str) -> bool {
    !(is_command(code) || is_path(code) || code.contains('(') || is_placeholder(code) || code.trim().is_empty())
}

/// Whether a value is only a name, which need not be output at all.
fn is_name(value: &str) -> bool {
    value.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-') && !value.chars().any(|c| c.is_ascii_digit())
}

/// Whether a value is a quantity that was printed in another unit: `1.5 GB` where an output counts bytes.
fn in_units(value: &str, view: &View<'_, '_>) -> bool {
    let found = quantities(value);
    let Some(quantity) = found.first().filter(|q| q.span.end - q.span.start == value.trim().len()) else {
        return false;
    };
    let number = || numbers::parse(digits(value));
    view.labels().like(quantity).is_some()
        || number().is_some_and(|n| view.rounds(&n, factors(quantity.kind)) || view.derives(&n))
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    if let Some(hit) = claim.needles.iter().find_map(|&id| view.hit(id)) {
        return Support::at(hit);
    }
    let words: Option<Vec<_>> = claim.others.iter().map(|&id| view.hit(id)).collect();
    if let Some(hit) = words.and_then(|hits| hits.first().copied()) {
        return Support::at(hit);
    }
    let derived = numbers::parse(&claim.name).is_some_and(|n| view.derives(&n)) || in_units(&claim.name, view);
    // Where nothing was ever called, a value explains, unless it is said to come from a run.
    let explains = view.now().is_empty() && view.now().start == 0 && !claim.keyed;
    if is_name(&claim.name) || derived || explains {
        return Support::Leave;
    }
    if !view.cut().is_empty() {
        return Support::Cut(view.cut().to_vec());
    }
    Support::Not("no call's output holds it".to_string(), None)
}
