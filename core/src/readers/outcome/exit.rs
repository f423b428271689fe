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
use crate::evidence::acts;
use crate::evidence::numbers;
use crate::evidence::shell::Simple;
use crate::readers::voice::outside;

pub(in crate::readers) const EXIT: Form = Form { reader: "outcome", reads: Reads::Phrases(PHRASES, read), check, asks };

const PHRASES: &[&str] = &[
    "exit status|code|statuses|codes .. #",
    "exited .. #",
    "exits with status|code|exit? # , as wanted|expected|intended|hoped|designed",
];

/// The phrase in which the present tells of a run: its number was wanted, so it was seen.
const WANTED: usize = 2;

/// Verbs of ending that an exit status may go with.
const ENDS: &[&str] =
    &["ended", "finished", "completed", "failed", "returned", "terminated", "stopped", "exited", "came", "gave"];

/// Words that may stand between the phrase and its number.
#[rustfmt::skip]
const BETWEEN: &[&str] = &[
    "a", "again", "both", "code", "in", "is", "of", "status", "still", "the", "was", "were", "with",
];

/// Verbs that tell what a program does, not what happened.
#[rustfmt::skip]
const GENERAL: &[&str] = &[
    "add", "added", "exits", "expected", "expects", "fails", "gives", "means", "now", "return", "returns", "signals",
    "use", "uses",
];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    if found.phrase == WANTED {
        return read_wanted(reading, index, found);
    }
    let (start, last) = (found.tokens.start, found.tokens.end - 1);
    if !reading.asserts(clause, start) || reading.mentions(clause, GENERAL) {
        return;
    }
    let between = (start + 1..last).filter_map(|i| reading.token(i)).all(|t| match t.kind {
        TokenKind::Word => BETWEEN.contains(&t.text.as_ref()),
        TokenKind::Mark => !matches!(t.text.as_ref(), "≠" | "!" | "<" | ">" | "/"),
        _ => false,
    });
    let program = program(reading, clause, start);
    if outside(reading, clause) || !(tells(reading, clause, start, last) || program.is_some()) {
        return;
    }
    let Some(number) = reading.token(last).and_then(|t| numbers::parse(&t.text)) else { return };
    let Some(exit) = number.as_u64().filter(|n| *n <= 255) else { return };
    if !between || matches!(reading.token(last + 1), Some(t) if matches!(t.text.as_ref(), "%" | "files" | "or")) {
        return;
    }
    let values = program.into_iter().collect();
    // The one line that is said to have exited so.
    let mut lines = reading.tokens(clause).iter().filter(|t| t.kind == TokenKind::Code);
    let tools = match (lines.next(), lines.next()) {
        (Some(line), None) => [line.text.to_string()].to_vec(),
        _ => Vec::new(),
    };
    reading.claim(index, Found { name: exit.to_string(), values, tools, ..Found::default() });
}

/// “jq exits with status 5, as wanted”: the program opens the clause and the words end it, so that nothing makes it a rule.
fn read_wanted(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let verb = found.tokens.start;
    let number = found.tokens.clone().find_map(|i| reading.token(i).filter(|t| t.kind == TokenKind::Number));
    let exit = number.and_then(|t| numbers::parse(&t.text)).and_then(|n| n.as_u64()).filter(|n| *n <= 255);
    let whole = verb == clause.tokens.start + 1 && found.tokens.end >= clause.tokens.end;
    let Some(program) = reading.token(clause.tokens.start).filter(|t| whole && t.kind != TokenKind::Mark) else {
        return;
    };
    if let (Some(exit), true) = (exit, reading.asserts(clause, verb) && !outside(reading, clause)) {
        let (name, values) = (exit.to_string(), [program.text.to_string()].to_vec());
        reading.claim(index, Found { name, values, ..Found::default() });
    }
}

/// The program that is said to have exited by its name alone: “restic exited with 3”.
fn program(reading: &Reading<'_, '_>, clause: &Clause, start: usize) -> Option<String> {
    let named = start == clause.tokens.start + 1 && reading.word(start) == "exited" && clause.place != Place::Row;
    let token = reading.token(clause.tokens.start).filter(|_| named)?;
    let one = matches!(token.kind, TokenKind::Word | TokenKind::Code) && !token.text.contains(char::is_whitespace);
    (one && !SUBJECTS.contains(&token.text.as_ref())).then(|| token.text.to_string())
}

/// Whether the words tell of an event: a command, a call or “it” that ended so, a command or call with its status beside
/// it, or a label with the number behind a colon. “Exit code 2: crash” defines.
fn tells(reading: &Reading<'_, '_>, clause: &Clause, start: usize, last: usize) -> bool {
    let beside = reading.sentence(clause).iter().any(|t| reading.runs(t));
    let between = |i: usize| reading.token(i).is_some_and(|t| t.text == ":");
    let label = start == clause.tokens.start && (start + 1..last).any(between);
    if clause.place == Place::Row {
        return beside;
    }
    let ended =
        reading.word(start) == "exited" || (clause.tokens.start..start).any(|i| ENDS.contains(&reading.word(i)));
    let subject =
        (reading.around(clause).start..start).find(|&i| reading.token(i).is_some_and(|t| t.kind != TokenKind::Mark));
    let run = |i: usize| {
        let named = DETERMINERS.contains(&reading.word(i)) && (i..start).any(|n| RUNS.contains(&reading.word(n)));
        SUBJECTS.contains(&reading.word(i)) || named || reading.token(i).is_some_and(|t| reading.runs(t))
    };
    let apart = start > clause.tokens.start && reading.word(start - 1).is_empty();
    label || (ended && subject.is_some_and(run)) || (beside && apart && defines(reading, last))
}

/// Whether nothing behind the number explains it: “exit code 2 means …”, “exit code 0: all good”.
fn defines(reading: &Reading<'_, '_>, last: usize) -> bool {
    !matches!(reading.token(last + 1).map(|t| t.text.as_ref()), Some(":" | "means" | "for" | "when" | "if"))
}

/// Subjects that stand for a run.
const SUBJECTS: &[&str] = &["it", "both", "this", "that", "which", "everything", "all"];
const DETERMINERS: &[&str] = &["the", "all", "both", "my", "every", "these", "two", "three"];
#[rustfmt::skip]
const RUNS: &[&str] = &[
    "attempt", "build", "call", "calls", "check", "command", "commands", "lint", "linter", "run", "runs", "suite",
    "test", "tests",
];

/// How outputs state an exit status.
fn asks(claim: &Found) -> Vec<String> {
    STATED.iter().map(|form| format!("{form}{}", claim.name)).collect()
}

/// What stands before an exit status in outputs.
const STATED: &[&str] = &[
    "exited (",
    "exit status: ",
    "exit status ",
    "exit code: ",
    "exit code ",
    "exit code = ",
    "exit: ",
    "exit ",
    "exit=",
    "exited with ",
    "exited with code ",
    "exited with status ",
    "exited ",
    "returncode: ",
    "returncode ",
    "returncode>",
    "return code ",
    "exitcode: ",
    "exitcode ",
    "exit'code': ",
    "code ",
    "status ",
    "exit code is ",
    "rc=",
    "rc: ",
    "exitstatus: ",
];

/// The contradiction by the calls that ran just this line, all of them with another exit on record.
fn other_exit(view: &View<'_, '_>, line: &str, exit: i64) -> Option<Support> {
    let goes = |c: &&Simple| c.words.first().is_some_and(|w| w == "cd");
    // A runner makes an exit of its own from that of what it ran, and a program may print the one it means.
    let plain = |c: &Simple| {
        let path = c.words.first().is_some_and(|w| w.starts_with(['.', '/']));
        path || !acts::of_command(c).could(Act::Wrap)
    };
    let prints = |output: &str| output.split(|c: char| !c.is_ascii_digit()).any(|n| n == exit.to_string());
    let mut last = None;
    for (call, facts) in view.calls().filter(|(_, f)| f.ran()).take(512) {
        let mut works = facts.commands.iter().filter(|c| !goes(c));
        let named = works.clone().any(|c| runs::is_line(c, line));
        let alone = named && works.next().is_some_and(|c| !c.masked && plain(c)) && works.next().is_none();
        let alone = alone && !facts.call.output.as_deref().is_some_and(prints);
        match facts.call.exit {
            Some(other) if alone && other != exit => last = Some((call, facts)),
            _ if named => return None,
            _ => {}
        }
    }
    let (call, facts) = last.filter(|_| view.now().start == 0)?;
    let ended = facts.call.exit.unwrap_or_default();
    Some(Support::Against(format!("{} exited {ended}", facts.shown()), call, None))
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let Ok(exit) = claim.name.parse::<i64>() else { return Support::Leave };
    // A word that is no program which ran here is somebody's, or something else's.
    if claim.values.first().is_some_and(|program| view.ran(program).is_empty()) {
        return Support::Leave;
    }
    if let Some(call) = view.exited(exit) {
        return Support::by(call);
    }
    if let Some(support) = runs::told(claim, view) {
        return support;
    }
    if let Some(against) = claim.tools.first().and_then(|line| other_exit(view, line, exit)) {
        return against;
    }
    if let Some(call) = view.exit_open(exit) {
        return Support::by(call);
    }
    if let Some((call, _)) =
        view.calls().find(|(_, f)| f.line.as_deref().is_some_and(|l| l.contains("$?") || l.contains("returncode")))
    {
        return Support::by(call);
    }
    let near = view.calls().rev().find(|(_, f)| f.call.exit.is_some()).map(|(call, _)| call);
    Support::Not(format!("no command in this turn exited {exit}"), near)
}
