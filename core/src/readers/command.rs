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
use super::voice::{outside, voice, Voice};
use crate::evidence::facts::Facts;
use crate::evidence::roles::{self, Role};

pub(super) const FORM: Form =
    Form { reader: "command", reads: Reads::Phrases(PHRASES, read), check, asks: nothing_more };

const PHRASES: &[&str] =
    &["ran|executed|re-ran|reran|launched|running|executing .. `", "` was|were|got run|executed|re-run|launched"];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let verb = if found.phrase == 0 { found.tokens.start } else { found.tokens.end - 1 };
    let gerund = reading.word(verb).ends_with("ing");
    let own = match voice(reading, clause, verb) {
        Voice::Own => true,
        Voice::Passive(subject) => found.phrase == 1 && subject.contains(&found.tokens.start),
        Voice::Bare(_) | Voice::Other => gerund && !outside(reading, clause) && tried(reading, clause, verb),
    };
    if !own || !reading.asserts(clause, verb) {
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
    let (mut needles, mut others, mut given) = (Vec::new(), Vec::new(), Vec::new());
    for line in &lines {
        needles.extend(reading.want(Scope::Line, line));
        given.extend(reading.want(Scope::Given, line));
        others.extend(reading.want(Scope::Line, &gist(line)));
    }
    needles.extend(given);
    reading.claim(index, Found { values: lines, needles, others, ..Found::default() });
}

/// Whether a gerund is the agent's own: it opens the clause, or hangs on “tried”.
fn tried(reading: &Reading<'_, '_>, clause: &Clause, verb: usize) -> bool {
    verb == clause.tokens.start
        || matches!(reading.word_before(clause, verb), "tried" | "by" | "after" | "started" | "finished")
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
        let exact =
            [i, claim.values.len() + i].into_iter().find_map(|n| claim.needles.get(n).and_then(|&id| view.hit(id)));
        let near = claim.others.get(i).and_then(|&id| view.hit(id));
        support = match exact.or_else(|| near.filter(|h| h.call.is_some_and(|c| c < view.now().start))) {
            Some(hit) => Support::at(hit),
            None => {
                match view.calls().find(|(_, f)| f.commands.iter().any(|c| same(line, &c.words)) || instead(line, f)) {
                    Some((call, _)) => Support::by(call),
                    None => wrapped(line, view),
                }
            }
        };
        if matches!(support, Support::Not(..)) {
            return support;
        }
    }
    support
}

/// Whether a command that was run is the one that is claimed, flags and spelling apart.
fn same(line: &str, words: &[String]) -> bool {
    let base = |word: &str| alias(word.rsplit('/').next().unwrap_or(word)).to_string();
    let claimed: Vec<&str> = line.split_whitespace().filter(|w| !WRAPPERS.contains(w)).collect();
    let Some(program) = claimed.first() else { return false };
    words.first().is_some_and(|first| base(first) == base(program))
        && operands(&claimed.join(" "))
            .all(|o| words.iter().any(|w| w == o || alias(w) == alias(o) || tail(w).ends_with(tail(o))))
}

/// Programs in front that only start the one that is meant.
const WRAPPERS: &[&str] = &["sudo", "bundle", "exec", "npx", "uv", "run", "poetry", "pnpm", "time", "command"];

/// Another name of the same program or of the same operand.
fn alias(word: &str) -> &str {
    match word {
        "i" | "ci" | "add" => "install",
        "python3" => "python",
        "pip3" => "pip",
        "tofu" => "terraform",
        "po" => "pods",
        "kubectl" => "kubernetes",
        other => other,
    }
}

fn tail(path: &str) -> &str {
    path.trim_start_matches("./").trim_end_matches('/')
}

/// Whether a tool did what the command line would have done: a reader for `cat`, a search for `grep`, `git_status` for
/// `git status`.
fn instead(line: &str, facts: &Facts<'_>) -> bool {
    let program = line.split_whitespace().next().unwrap_or("");
    let role = match program {
        "cat" | "head" | "tail" | "less" | "more" | "nl" => Role::Read,
        "grep" | "rg" | "ag" | "find" | "fd" | "ls" | "tree" => Role::Search,
        "curl" | "wget" | "http" => Role::Fetch,
        _ => Role::Command,
    };
    let like = facts.role == role || (facts.role == Role::Look && matches!(role, Role::Search | Role::Read));
    let words = roles::words(&facts.call.tool);
    let named = words.iter().any(|w| w.starts_with(alias(program)) || program.starts_with(w.as_str()) && w.len() > 2);
    let checks = matches!(program, "tsc" | "eslint" | "mypy" | "ruff")
        && words.iter().any(|w| w.contains("diagnostic") || w.contains("lint"));
    facts.ran()
        && facts.role != Role::Command
        && ((role != Role::Command && like) || (named && program.len() > 1) || checks)
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
