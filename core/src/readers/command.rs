//! “I ran `swift test --filter A`.” “Running `wc -l README.md` gave 42.”
//!
//! # Reads
//! A backticked command line said to have run: ran, executed, running, re-ran, launched. Several lines after one verb
//! are one claim, supported when each of them is.
//!
//! # Checks
//! A call ran that line, or one that contains it, or the same program with the same subcommand; a tool that does the
//! same (a reader for `cat`); or a wrapper in this turn
//! (a script, a container, `make`, code, a tool of unknown meaning) may have run it.
//!
//! # Leaves alone
//! Advice (“you could run `x`”), explanations (“running `x` frees space”), placeholders (`rm <scratch>`), names in code font that are no command lines.
use super::prelude::*;
use super::text::{is_command, is_placeholder, operands};
use super::voice::{outside, voice, voice_but, Voice};
use crate::evidence::deeds::Deeds;
use crate::evidence::facts::Facts;
use crate::evidence::roles::Role;
use crate::prose::lexicon;

pub(super) const FORM: Form =
    Form { reader: "command", reads: Reads::Phrases(PHRASES, read), check, asks: nothing_more };

const PHRASES: &[&str] =
    &["ran|executed|re-ran|reran|launched|running|executing .. `", "` was|were|got run|executed|re-run|launched"];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let verb = if found.phrase == 0 { found.tokens.start } else { found.tokens.end - 1 };
    let gerund = reading.word(verb).ends_with("ing");
    let own = match voice(reading, clause, verb) {
        _ if gerund => !outside(reading, clause) && tried(reading, clause, verb),
        Voice::Own => true,
        // “Ran it twice” tells of this turn.
        Voice::Other if voice_but(reading, clause, verb, &["twice"]) == Voice::Own => true,
        Voice::Passive(subject) => found.phrase == 1 && subject.contains(&found.tokens.start),
        Voice::Bare(_) | Voice::Other => false,
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
    let code = (verb..clause.tokens.end).find(|&i| reading.token(i).is_some_and(|t| t.kind == TokenKind::Code));
    let after = code.map_or(clause.tokens.end, |code| code + 1);
    let told = (after..clause.tokens.end.min(after + 4)).any(|i| lexicon::is_past(reading.word(i)));
    let shows = (after..clause.tokens.end.min(after + 3)).any(|i| SHOWS.contains(&reading.word(i)))
        && reading.tokens(clause).iter().any(|t| t.kind == TokenKind::Number);
    let ends = after >= clause.tokens.end || reading.token(after).is_some_and(|t| matches!(t.text.as_ref(), ":" | "…"));
    (verb == clause.tokens.start && (told || shows || ends))
        || matches!(reading.word_before(clause, verb), "tried" | "started" | "finished")
}

/// Verbs of the present with which what a command printed is told.
const SHOWS: &[&str] = &["gives", "prints", "reports", "returns", "says", "shows"];

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
        let claimed = Claimed::new(line);
        support = match claimed.ran(view) {
            Some(call) => Support::by(call),
            None => match looked_up(claim, i, view) {
                Some(support) => support,
                None => return Support::Not("no call in this turn ran it".to_string(), claimed.near(view)),
            },
        };
    }
    support
}

/// The line somewhere in a command line or a notice; or its gist before this turn.
fn looked_up(claim: &Found, i: usize, view: &View<'_, '_>) -> Option<Support> {
    let exact = [i, claim.values.len() + i].into_iter().find_map(|n| claim.needles.get(n).and_then(|&id| view.hit(id)));
    let gist = claim.others.get(i).and_then(|&id| view.hit(id));
    exact.or_else(|| gist.filter(|h| h.call.is_some_and(|c| c < view.now().start))).map(Support::at)
}

/// A command line that is claimed, taken apart once.
struct Claimed<'c> {
    program: &'c str,
    /// The name that all spellings of the program share.
    named: &'c str,
    operands: Vec<Operand<'c>>,
    /// The other names of its subcommands.
    verbs: Vec<&'c str>,
}

/// An operand, with its other name and the end of its path.
struct Operand<'c> {
    text: &'c str,
    alias: &'c str,
    tail: &'c str,
}

impl Operand<'_> {
    fn is_like(&self, word: &str) -> bool {
        word == self.text || alias(word) == self.alias || ends(word, self.tail)
    }
}

impl<'c> Claimed<'c> {
    fn new(line: &'c str) -> Self {
        let mut words = line.split_whitespace().filter(|w| !WRAPPERS.contains(w));
        let program = words.next().unwrap_or("");
        let bare = words.map(|w| w.trim_matches(['"', '\'']));
        let operands = bare.filter(|w| !w.starts_with('-') && !w.is_empty());
        let operands: Vec<Operand<'_>> =
            operands.map(|text| Operand { text, alias: alias(text), tail: tail(text) }).collect();
        let verbs = verbs(operands.iter().map(|o| o.text)).map(alias).collect();
        Claimed { program, named: alias(base(program)), operands, verbs }
    }

    /// A call of this turn that ran it: the same program with the same operands, flags and spelling apart; a tool that
    /// does the same; or a wrapper, whatever came of it.
    fn ran(&self, view: &View<'_, '_>) -> Option<usize> {
        let same = |&call: &usize| view.facts(call).commands.iter().any(|c| self.is(&c.words));
        let names = spellings(self.program).iter().copied().chain([base(self.program)]);
        let command = names.into_iter().find_map(|name| view.ran(name).iter().copied().find(same));
        let command = command.or_else(|| {
            let mut first = view.calls().take(256).filter(|(_, f)| f.commands.iter().any(|c| self.is(&c.words)));
            first.next().map(|(call, _)| call)
        });
        let tool = || view.instruments().iter().find(|(_, role, words)| self.done_by(*role, words)).map(|t| t.0);
        command.or_else(tool).or_else(|| wrapped(view))
    }

    /// A call that ran the same program with other operands.
    fn near(&self, view: &View<'_, '_>) -> Option<usize> {
        view.ran(base(self.program)).last().copied()
    }

    fn is(&self, words: &[String]) -> bool {
        if words.first().is_none_or(|first| alias(base(first)) != self.named) {
            return false;
        }
        let theirs = || verbs(words.iter().skip(1).map(String::as_str).filter(|w| !w.starts_with('-')));
        // The same program with the same subcommands: what else stands on the line is often told shorter or longer.
        let alike = self.verbs.iter().zip(theirs()).all(|(a, b)| *a == alias(b))
            && (self.verbs.is_empty() || theirs().next().is_some());
        alike || self.operands.iter().all(|o| words.iter().any(|w| o.is_like(w)))
    }

    /// Whether a tool does what the command line would have done: a reader for `cat`, a search for `grep`, `git_status`
    /// for `git status`.
    fn done_by(&self, role: Role, words: &[String]) -> bool {
        let does = match self.program {
            "cat" | "head" | "tail" | "less" | "more" | "nl" => Role::Read,
            "grep" | "rg" | "ag" | "find" | "fd" | "ls" | "tree" => Role::Search,
            "curl" | "wget" | "http" => Role::Fetch,
            "sed" | "tee" | "touch" | "patch" => Role::Write,
            _ => Role::Command,
        };
        let like = role == does || (role == Role::Look && matches!(does, Role::Search | Role::Read));
        let program = self.program;
        let named =
            words.iter().any(|w| w.starts_with(alias(program)) || program.starts_with(w.as_str()) && w.len() > 2);
        let checks = matches!(program, "tsc" | "eslint" | "mypy" | "ruff")
            && words.iter().any(|w| w.contains("diagnostic") || w.contains("lint"));
        like || (named && program.len() > 1) || checks
    }
}

/// The words of a line that may be subcommands, of those that are no options.
fn verbs<'w>(words: impl Iterator<Item = &'w str>) -> impl Iterator<Item = &'w str> {
    words.take(2).take_while(|w| w.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'))
}

/// A call that may have run anything, and so this. Code that only computes starts no program.
fn wrapped(view: &View<'_, '_>) -> Option<usize> {
    let first = view.wrapper()?;
    let computes = |f: &Facts<'_>| f.role == Role::Code && f.commands.is_empty() && f.deeds == Deeds::NONE;
    let may = |(_, f): &(usize, &Facts<'_>)| f.ran() && f.acts.could(Act::Wrap) && !computes(f);
    if !computes(view.facts(first)) {
        return Some(first);
    }
    view.calls().take(256).find(may).map(|(call, _)| call)
}

fn base(word: &str) -> &str {
    // Words are short, so that a plain walk finds the mark soonest.
    word.bytes().rposition(|b| b == b'/').and_then(|i| word.get(i + 1..)).unwrap_or(word)
}

/// Other names under which the same program may have been started.
fn spellings(program: &str) -> &'static [&'static str] {
    match alias(program) {
        "python" => &["python", "python3"],
        "pip" => &["pip", "pip3"],
        "terraform" => &["terraform", "tofu"],
        "apt" => &["apt", "apt-get"],
        "systemctl" => &["systemctl", "service"],
        _ => &[],
    }
}

/// Programs in front that only start the one that is meant.
const WRAPPERS: &[&str] = &["sudo", "bundle", "exec", "npx", "uv", "run", "poetry", "pnpm", "time", "command"];

/// Another name of the same program or of the same operand.
fn alias(word: &str) -> &str {
    match word {
        "i" | "ci" | "add" => "install",
        "apt-get" => "apt",
        "service" => "systemctl",
        other if other.starts_with("python3") => "python",
        "pip3" => "pip",
        "tofu" => "terraform",
        "po" => "pods",
        "kubectl" => "kubernetes",
        other => other,
    }
}

/// Whether a path ends so. Most end in another byte.
fn ends(path: &str, end: &str) -> bool {
    let last = |text: &str| text.bytes().rfind(|b| *b != b'/');
    (end.is_empty() || last(path) == last(end)) && tail(path).ends_with(end)
}

fn tail(path: &str) -> &str {
    path.trim_start_matches("./").trim_end_matches('/')
}
