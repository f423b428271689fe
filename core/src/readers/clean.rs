//! What several readers read: a linter, type checker or formatter said to be clean.
//!
//! “ESLint: 0 problems”, “the type check passes”, “`ruff check .` is clean”, “| Lint | ✅ clean |”.

use super::text::is_command;
use super::voice::{opens, outside};
use super::{has_word, Found, Reading};
use crate::evidence::acts::Act;
use crate::evidence::checks::{self, Check};
use crate::evidence::facts::Facts;
use crate::evidence::index::View;
use crate::evidence::outcome::{Kind, Summary};
use crate::evidence::shell;
use crate::prose::phrase::Match;
use crate::prose::{Clause, Place, Token, TokenKind};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Names of checks and of their programs that are no common words.
macro_rules! tools {
    () => {
        "lint|linter|linting|eslint|ruff|flake8|pylint|clippy|stylelint|biome|oxlint|rubocop|shellcheck|yamllint|hadolint|golangci-lint|mypy|pyright|tsc|typescript|typecheck|type-check|typechecking|type-checking|prettier|rustfmt"
    };
}

/// What a check that found nothing is said to be.
macro_rules! states {
    () => {
        "clean|cleanly|green|happy|pass|passed|passes|passing|quiet|silent|succeeded|succeeds"
    };
}

/// What a check finds.
macro_rules! faults {
    () => {
        "complaints|error|errors|findings|issues|offences|offenses|problems|violations|warnings"
    };
}

pub(super) const PHRASES: &[&str] = &[
    concat!(tools!(), " .. ", states!()),
    concat!("type check|checker|checking|checks .. ", states!()),
    concat!(tools!(), " .. no|zero .. ", faults!()),
    concat!("type check|checker|checking|checks .. no|zero .. ", faults!()),
    concat!("no|zero lint|linter|type|typescript|eslint|clippy|ruff|mypy ", faults!()),
    concat!("` ", "is? .. clean|cleanly|green|happy|quiet|silent|passes|passed"),
    "clean|green|ok|pass|passes|passed",
    concat!(tools!(), " .. # .. ", faults!()),
    concat!("type check|checker|checking|checks .. # .. ", faults!()),
    concat!("# lint|linter|type|typescript|eslint|clippy|ruff|mypy ", faults!()),
    concat!("pass|passes|passed ", tools!()),
];

/// The first of the phrases with a number, which read as those from the third on do; the number has to be 0.
const NUMBERED: usize = 7;

/// “The code passes mypy.”
const PASSES: usize = 10;

/// A check said to be clean.
pub(super) struct Clean {
    /// Which kind; none where only a command's line tells.
    pub(super) kind: Option<Check>,
    /// The program that the words name.
    pub(super) program: String,
    /// The words limit it to a part, or tell of exceptions.
    pub(super) limited: bool,
    /// It tells how things stand, not what a run did.
    pub(super) stands: bool,
}

/// Words that tell of exceptions, of another time or of something partial.
#[rustfmt::skip]
const LIMITS: &[&str] = &[
    "apart", "aside", "before", "but", "changed", "earlier", "except", "far", "file", "files", "first", "for",
    "initially", "modified", "new", "on", "other", "otherwise", "still", "than", "touched", "unrelated", "was", "were",
    "yet",
];

/// Reads a match of [`PHRASES`]; none where it claims nothing.
pub(super) fn read(reading: &Reading<'_, '_>, clause: &Clause, found: &Match) -> Option<Clean> {
    let (start, last) = (found.tokens.start, found.tokens.end - 1);
    if outside(reading, clause) {
        return None;
    }
    let code = |t: &Token<'_>| t.kind == TokenKind::Code && !is_command(&t.text);
    let limited = has_word(reading.sentence(clause), LIMITS) || reading.tokens(clause).iter().any(code);
    if (NUMBERED..PASSES).contains(&found.phrase)
        && !found.tokens.clone().any(|i| reading.token(i).is_some_and(|t| t.text == "0"))
    {
        return None;
    }
    if found.phrase == PASSES {
        let (verb, word) = (start, reading.word(last));
        let told =
            reading.asserts(clause, verb) && !aims(reading, clause, verb) && opens(reading, clause, verb).is_some();
        let kind = kind_of(word).filter(|_| told)?;
        let stands = reading.word(verb) != "passed";
        return Some(Clean { kind: Some(kind), program: program_of(word), limited, stands });
    }
    let phrase = if found.phrase >= NUMBERED { found.phrase - NUMBERED + 2 } else { found.phrase };
    if phrase == 6 {
        let (kind, program) = cell(reading, clause, start)?;
        return Some(Clean { kind: Some(kind), program, limited, stands: true });
    }
    let stands = !matches!(reading.word(last), "passed" | "succeeded");
    let denies = matches!(phrase, 2..=4);
    if !denies && (!reading.asserts(clause, last) || aims(reading, clause, start)) {
        return None;
    }
    if phrase == 4 {
        let at = clause.tokens.start..start;
        let alone = at.clone().all(|i| reading.token(i).is_none_or(|t| t.kind == TokenKind::Mark));
        return alone.then(|| kind_of(reading.word(start + 1))).flatten().map(|kind| Clean {
            kind: Some(kind),
            program: program_of(reading.word(start + 1)),
            limited,
            stands: true,
        });
    }
    if !reading.asserts(clause, start) {
        return None;
    }
    if phrase == 5 {
        let code = reading.token(start)?;
        if code.kind != TokenKind::Code || !is_command(&code.text) {
            return None;
        }
        let split = shell::split(&code.text)?;
        let kind = split.commands.iter().find_map(checks::of_command)?;
        let program = split.commands.last().and_then(|c| c.words.first()).map_or(String::new(), String::clone);
        return Some(Clean { kind: Some(kind), program, limited, stands });
    }
    opens(reading, clause, start)?;
    if (start + 1..last).any(|i| BETWEEN_NOT.contains(&reading.word(i))) {
        return None;
    }
    let word = reading.word(start);
    let kind = if matches!(phrase, 1 | 3) { Check::Types } else { kind_of(word)? };
    Some(Clean { kind: Some(kind), program: program_of(word), limited, stands })
}

/// Words between a check and its state that part them.
#[rustfmt::skip]
const BETWEEN_NOT: &[&str] = &[
    "and", "are", "but", "errors", "fix", "fixes", "if", "in", "on", "rule", "rules", "that", "to", "until", "when",
    "which", "with",
];

/// Words before a check that make it an aim.
fn aims(reading: &Reading<'_, '_>, clause: &Clause, start: usize) -> bool {
    (clause.tokens.start..start).any(|i| {
        matches!(reading.word(i), "ensure" | "get" | "keep" | "make" | "makes" | "making" | "to" | "until" | "so")
    })
}

fn kind_of(word: &str) -> Option<Check> {
    Some(match word {
        "mypy" | "pyright" | "tsc" | "typescript" | "typecheck" | "type-check" | "typechecking" | "type-checking"
        | "type" => Check::Types,
        "prettier" | "rustfmt" => Check::Format,
        "" => return None,
        _ => Check::Lint,
    })
}

/// The program that a word names, where it is one.
fn program_of(word: &str) -> String {
    let general =
        ["lint", "linter", "linting", "type", "typescript", "typecheck", "type-check", "typechecking", "type-checking"];
    if general.contains(&word) {
        String::new()
    } else {
        word.to_string()
    }
}

/// The check in the first cell of a row whose next cell begins with the state at `at`.
fn cell(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Option<(Check, String)> {
    if clause.place != Place::Row {
        return None;
    }
    let mark = |i: usize| reading.token(i).filter(|t| t.kind == TokenKind::Mark).map_or("", |t| t.text.as_ref());
    let mut bar = at.checked_sub(1)?;
    while bar > clause.tokens.start && matches!(mark(bar), "✅" | "✓" | "✔" | "☑") {
        bar -= 1;
    }
    let closes = at + 1 >= clause.tokens.end || matches!(mark(at + 1), "|" | "," | "(" | "✅" | "✓" | "✔");
    if mark(bar) != "|" || !closes {
        return None;
    }
    let first: Vec<usize> = (clause.tokens.start..bar).take_while(|&i| mark(i) != "|").take(10).collect();
    let words: Vec<&str> = first.iter().map(|&i| reading.word(i)).collect();
    let typed = words.windows(2).any(|w| w[0] == "type" && w[1].starts_with("check"));
    if typed {
        return Some((Check::Types, String::new()));
    }
    let named = words.iter().find(|w| concat!("|", tools!(), "|").contains(&alloc::format!("|{w}|")))?;
    Some((kind_of(named)?, program_of(named)))
}

/// What came of a run of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Came {
    /// It found nothing, or told so little that it may have.
    Passed,
    /// Its own summary tells of errors.
    Errors(Summary),
    /// It failed, was stopped, never ran or has no result: the call's own words tell how.
    Failed,
    /// Its exit does not show and it printed nothing that anybody read.
    Hidden,
}

/// The runs of a check in this turn, each with what came of it, and whether a call after the last of them may have run
/// it again under another name.
pub(super) struct Runs {
    /// The calls and what came of them, oldest first.
    pub(super) runs: Vec<(usize, Came)>,
    /// A call that succeeded after the last of them and may have been one.
    pub(super) again: Option<usize>,
}

/// Finds the runs of a kind of check, of one program where the words name it.
pub(super) fn runs(view: &View<'_, '_>, kind: Check, program: &str) -> Runs {
    let mut all = Runs { runs: Vec::new(), again: None };
    for (call, facts) in view.calls() {
        if names(facts, kind, program) {
            all.runs.push((call, came(view, call, facts, kind)));
            all.again = None;
        } else if facts.succeeded && (may(facts) || (kind == Check::Types && compiles(facts))) {
            all.again = Some(call);
        }
    }
    all
}

/// Whether a call may run anything, or shows the result of something that ran before.
fn may(facts: &Facts<'_>) -> bool {
    facts.acts.could(Act::Wrap) || (facts.role == crate::evidence::roles::Role::Look && facts.call.output.is_some())
}

/// Whoever compiles checks types.
fn compiles(facts: &Facts<'_>) -> bool {
    facts.acts.could(Act::Build) || facts.acts.could(Act::Test)
}

/// Whether a call ran this check by its name.
pub(super) fn names(facts: &Facts<'_>, kind: Check, program: &str) -> bool {
    facts.commands.iter().filter(|c| !version(&c.words)).any(|command| {
        let same = checks::of_command(command) == Some(kind);
        let task = || command.words.iter().skip(1).any(|w| w == "run" || w.contains("lint") || w.contains("type"));
        same && (program.is_empty() || command.words.iter().any(|w| w.contains(program)) || task())
    })
}

fn version(words: &[String]) -> bool {
    words.iter().skip(1).any(|w| matches!(w.as_str(), "--version" | "-V" | "--help" | "version"))
}

fn came(view: &View<'_, '_>, call: usize, facts: &Facts<'_>, kind: Check) -> Came {
    if !facts.ran() || facts.stopped() {
        return Came::Failed;
    }
    let output = facts.call.output.as_deref().unwrap_or("");
    match view.checks(call) {
        Some(summary) if summary.kind == Kind::Failed => return Came::Errors(*summary),
        Some(_) => return Came::Passed,
        None => {}
    }
    if kind == Check::Types {
        match view.builds(call) {
            Some(summary) if summary.kind == Kind::Failed => return Came::Errors(*summary),
            Some(_) => return Came::Passed,
            None => {}
        }
    }
    let hidden = |c: &crate::evidence::shell::Simple| checks::of_command(c) == Some(kind) && c.masked;
    let only = facts.commands.iter().filter(|c| !looks(c) && !c.wraps).all(|c| checks::of_command(c).is_some());
    match facts.succeeded {
        false if only => Came::Failed,
        // Something else in the line may be what failed.
        false => Came::Passed,
        true if facts.commands.iter().any(hidden) && output.trim().is_empty() && !piped(facts) => Came::Hidden,
        true => Came::Passed,
    }
}

/// Whether a command of a line cannot be the one that failed.
fn looks(command: &crate::evidence::shell::Simple) -> bool {
    matches!(command.words.first().map(String::as_str), Some("cd" | "echo" | "export" | "set" | "source" | "."))
}

/// Whether what the check printed stands in the output, and in no file.
fn piped(facts: &Facts<'_>) -> bool {
    let dropped = |line: &str| line.contains("/dev/null");
    facts.commands.iter().all(|c| c.writes.is_empty()) && !facts.line.as_deref().is_some_and(dropped)
}

impl Clean {
    /// The claim as it is kept until it is judged; `wide` marks one that is limited, `keyed` one that tells how things stand.
    pub(super) fn found(self) -> Found {
        let name = match self.kind {
            Some(Check::Lint) => "lint",
            Some(Check::Types) => "types",
            Some(Check::Format) => "format",
            None => "",
        };
        Found {
            name: name.to_string(),
            values: [self.program].to_vec(),
            wide: self.limited,
            keyed: self.stands,
            ..Found::default()
        }
    }
}

/// The kind and the program that a claim made by [`Clean::found`] asks for.
pub(super) fn asked(claim: &Found) -> Option<(Check, &str)> {
    let kind = match claim.name.as_str() {
        "lint" => Check::Lint,
        "types" => Check::Types,
        "format" => Check::Format,
        _ => return None,
    };
    Some((kind, claim.values.first().map_or("", String::as_str)))
}
