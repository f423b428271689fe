//! “It ended with exit status 1.” “`make lint` exited with 2.”
//!
//! # Reads
//! An exit status or exit code with its number, as a finished fact.
//!
//! # Checks
//! Some call exited with that number, some output states it, or a command whose exit is not recorded could have.
//!
//! # Leaves alone
//! What a program does (“exits with 1 when …”), definitions, “exit status ≠ 0”.
use super::prelude::*;
use super::runs;
use crate::evidence::numbers;

pub(in crate::readers) const EXIT: Form = Form { reader: "outcome", reads: Reads::Phrases(PHRASES, read), check };

const PHRASES: &[&str] = &["exit status|code|statuses|codes .. #", "exited .. #", "exit #"];

/// Words that may stand between the phrase and its number.
const BETWEEN: &[&str] = &["a", "code", "in", "is", "of", "status", "the", "was", "were", "with", "both", "still", "again"];

/// Verbs that tell what a program does, not what happened.
const GENERAL: &[&str] =
    &["exits", "fails", "gives", "means", "return", "returns", "signals", "use", "uses", "now", "add", "added", "expects", "expected"];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let (start, last) = (found.tokens.start, found.tokens.end - 1);
    if !reading.asserts(clause, start) || reading.mentions(clause, GENERAL) {
        return;
    }
    let between = (start + 1..last).filter_map(|i| reading.token(i)).all(|t| match t.kind {
        TokenKind::Word => BETWEEN.contains(&t.text.as_ref()),
        TokenKind::Mark => !matches!(t.text.as_ref(), "≠" | "!" | "<" | ">" | "/"),
        _ => false,
    });
    let Some(number) = reading.token(last).and_then(|t| numbers::parse(&t.text)) else { return };
    let Some(exit) = number.as_u64().filter(|n| *n <= 255) else { return };
    if !between || matches!(reading.token(last + 1), Some(t) if matches!(t.text.as_ref(), "%" | "files" | "or")) {
        return;
    }
    let forms = [
        "exit status: ", "exit status ", "exit code: ", "exit code ", "exit code = ", "exit: ", "exit ", "exit=", "exited with ",
        "exited with code ", "exited with status ", "exited ", "returncode: ", "returncode ", "returncode>", "return code ",
        "exitcode: ", "exitcode ", "exit'code': ", "code ", "status ", "exit code is ", "rc=", "rc: ", "exitstatus: ",
    ];
    let needles = forms.iter().filter_map(|form| reading.want(Scope::Told, &format!("{form}{exit}"))).collect();
    reading.claim(index, Found { name: exit.to_string(), needles, ..Found::default() });
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let Ok(exit) = claim.name.parse::<i64>() else { return Support::Leave };
    if let Some(call) = view.exited(exit) {
        return Support::by(call);
    }
    if let Some(support) = runs::told(claim, view) {
        return support;
    }
    if let Some(call) = view.exit_open(exit) {
        return Support::by(call);
    }
    if let Some((call, _)) = view.calls().find(|(_, f)| f.line.as_deref().is_some_and(|l| l.contains("$?") || l.contains("returncode"))) {
        return Support::by(call);
    }
    let near = view.calls().rev().find(|(_, f)| f.call.exit.is_some()).map(|(call, _)| call);
    Support::Not(format!("no command in this turn exited {exit}"), near)
}
