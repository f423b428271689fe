//! “The newest tag, Result: `v3.2.0`.” “`edit_file(…)` → Output: `/tmp/a-41`.”
//!
//! # Reads
//! A backticked value behind a result marker on the same line.
//!
//! # Checks
//! The value stands in some output or argument, or in what the agent was given.
//!
//! # Leaves alone
//! A command, a name or a path in code font, and an arrow between prose.
use super::prelude::*;
use super::{MARKERS, OTHERS};
use crate::evidence::numbers;
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
    if !colon
        || !label
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
            reading.claim(index, Found { name: token.text.to_string(), needles, others, ..Found::default() });
        }
    }
}

/// Whether a code span is a value: no command, path, call form or placeholder.
fn is_value(code: &str) -> bool {
    !(is_command(code) || is_path(code) || code.contains('(') || is_placeholder(code) || code.trim().is_empty())
}

/// Whether a value is only a name, which need not be output at all.
fn is_name(value: &str) -> bool {
    value.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-') && !value.chars().any(|c| c.is_ascii_digit())
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    if let Some(hit) = claim.needles.iter().find_map(|&id| view.hit(id)) {
        return Support::at(hit);
    }
    let words: Option<Vec<_>> = claim.others.iter().map(|&id| view.hit(id)).collect();
    if let Some(hit) = words.and_then(|hits| hits.first().copied()) {
        return Support::at(hit);
    }
    let derived = numbers::parse(&claim.name).is_some_and(|n| view.derives(&n));
    if is_name(&claim.name) || derived || (view.now().is_empty() && view.now().start == 0) {
        return Support::Leave;
    }
    if !view.cut().is_empty() {
        return Support::Cut(view.cut().to_vec());
    }
    Support::Not("no call's output holds it".to_string(), None)
}
