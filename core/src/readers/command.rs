//! “I ran `swift test --filter A`.” “Running `wc -l README.md` gave 42.”
//!
//! # Reads
//! A backticked command line said to have run: ran, executed, running, re-ran, launched. Several lines after one verb
//! are one claim, supported when each of them is.
//!
//! # Checks
//! A call ran that line, or one that contains it, or the same program with the same operands; or a wrapper in this turn
//! (a script, a container, `make`, code, a tool of unknown meaning) may have run it.
//!
//! # Leaves alone
//! Advice (“you could run `x`”), placeholders (`rm <scratch>`), names in code font that are no command lines.
use super::prelude::*;
use super::text::{is_command, is_placeholder, operands};

pub(super) const FORM: Form = Form { reader: "command", reads: Reads::Phrases(PHRASES, read), check };

const PHRASES: &[&str] = &[
    "ran|executed|re-ran|reran|launched|running|executing .. `",
    "` was|were|got run|executed|re-run|launched",
];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    if !reading.asserts(clause, found.tokens.start) || reading.word_before(clause, found.tokens.start) == "is" {
        return;
    }
    let first = (found.tokens.clone()).find(|&i| reading.token(i).is_some_and(|t| t.kind == TokenKind::Code));
    let Some(first) = first else { return };
    let mut lines = Vec::new();
    for at in first..clause.tokens.end {
        let Some(token) = reading.token(at) else { break };
        match token.kind {
            TokenKind::Code if is_command(&token.text) => lines.push(token.text.to_string()),
            TokenKind::Code => break,
            TokenKind::Mark => {}
            TokenKind::Word if matches!(token.text.as_ref(), "and" | "then" | "or" | "plus") => {}
            _ => break,
        }
    }
    lines.retain(|line| !is_placeholder(line));
    if lines.is_empty() {
        return;
    }
    let (mut needles, mut others) = (Vec::new(), Vec::new());
    for line in &lines {
        needles.extend(reading.want(Scope::Line, line));
        others.extend(reading.want(Scope::Line, &gist(line)));
    }
    reading.claim(index, Found { values: lines, needles, others, ..Found::default() });
}

/// The program and its first operand, as `git diff` of `git --no-pager diff --stat`.
fn gist(line: &str) -> String {
    let program = line.split_whitespace().next().unwrap_or("");
    match operands(line).next() {
        Some(operand) => format!("{program} {operand}"),
        None => program.to_string(),
    }
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let mut support = Support::Leave;
    for (i, line) in claim.values.iter().enumerate() {
        let exact = claim.needles.get(i).and_then(|&id| view.hit(id));
        let near = claim.others.get(i).and_then(|&id| view.hit(id));
        support = match exact.or_else(|| near.filter(|h| h.call.is_some_and(|c| c < view.now().start))) {
            Some(hit) => Support::at(hit),
            None => match view.calls().find(|(_, f)| f.commands.iter().any(|c| same(line, &c.words))) {
                Some((call, _)) => Support::by(call),
                None => wrapped(line, view),
            },
        };
        if matches!(support, Support::Not(..)) {
            return support;
        }
    }
    support
}

/// Whether a command that was run is the one that is claimed, flags apart.
fn same(line: &str, words: &[String]) -> bool {
    let base = |word: &str| word.rsplit('/').next().unwrap_or(word).to_string();
    let Some(program) = line.split_whitespace().next() else { return false };
    words.first().is_some_and(|first| base(first) == base(program))
        && operands(line).all(|o| words.iter().any(|w| w == o || w.trim_start_matches("./").ends_with(o.trim_start_matches("./"))))
}

/// A wrapper that ran in this turn may have run it, whatever came of it.
fn wrapped(line: &str, view: &View<'_, '_>) -> Support {
    let program = line.split_whitespace().next().unwrap_or("");
    let mut near = None;
    for (call, facts) in view.calls() {
        if facts.ran() && facts.acts.could(Act::Wrap) {
            return Support::by(call);
        }
        if facts.commands.iter().any(|c| c.words.first().is_some_and(|w| w == program)) {
            near = Some(call);
        }
    }
    Support::Not("no call in this turn ran it".to_string(), near)
}
