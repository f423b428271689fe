//! What tests and builds share: the runs of a turn in their order, and what came of them.

use super::prelude::*;
use super::tests::EXCEPT;
use crate::evidence::facts::Facts;
use crate::evidence::index::{Course, Shared};
use crate::evidence::outcome::{Kind, Summary};
use crate::evidence::roles::Role;
use crate::evidence::shell::Simple;
use crate::readers::has_word;

/// What a claim about a run says.
pub(super) struct Asked<'s, 'r> {
    /// The kind of run.
    pub(super) act: Act,
    /// A call's own summary.
    pub(super) summary: &'s dyn Fn(usize) -> Option<&'r Summary>,
    /// What a text that the agent was given says of such a run.
    pub(super) given: fn(&str) -> Option<Summary>,
    /// The claim is about all of it, not about a named subset.
    pub(super) wide: bool,
    /// The count that it names.
    pub(super) number: Option<u64>,
    /// The reason when nothing could have run it.
    pub(super) none: &'static str,
}

/// Whether the runs of this turn, else of the turns before it, support the claim.
///
/// Calls that could have run it are asked first. What another call shows, as a log that was read, only supports, so that
/// it is looked at where no run passed.
///
/// A passing run supports, as does a silent success, and a call that may have run it. The turn's runs contradict only
/// when all that told a result failed and nothing that came after could have run it again.
pub(super) fn check(asked: &Asked<'_, '_>, view: &View<'_, '_>, quote: &str) -> Support {
    let by = |call: usize| (asked.summary)(call).map_or_else(|| Support::by(call), |summary| evidence(call, summary));
    let counted = |course: &Course| asked.number.and_then(|n| course.counted.get(&n).copied());
    let own = view.course(asked.act, usize::from(asked.wide), || own(asked, view));
    if let Some(call) = counted(own) {
        return by(call);
    }
    let mut passed = own.passed;
    if passed.is_none() {
        let others = view.course(asked.act, OTHERS, || others(asked, view));
        if let Some(call) = counted(others) {
            return by(call);
        }
        passed = others.passed;
    }
    match (passed, own.may, own.failed) {
        (Some((call, true)), ..) => by(call),
        (Some((call, false)), ..) => Support::by(call),
        // An earlier run by its name is better evidence than a call of this turn that only may have been one.
        (None, Some(call), _) => Support::by(view.named(asked.act).unwrap_or(call)),
        (None, None, Some(call)) if !asked.wide => by(call),
        (None, None, Some(call)) => {
            if let Some(look) = view.shared(Shared::Watched, || told_later(view, call)).filter(|&look| look > call) {
                return Support::by(look);
            }
            let Some(summary) = (asked.summary)(call) else { return Support::Leave };
            let output = view.facts(call).call.output.as_deref().unwrap_or("");
            let what = crate::evidence::outcome::summary_text(summary, output);
            Support::Against(format!("the {quote} output says {what}"), call, Some(summary.text))
        }
        (None, None, None) => without_run(asked, view),
    }
}

/// The command line in code font that is said to pass, where its sentence takes nothing out of that.
pub(super) fn line_at(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> String {
    let told = has_word(reading.sentence(clause), EXCEPT) || fails(reading, clause) || elsewhere(reading, clause, at);
    let code = reading.token(at).filter(|t| t.kind == TokenKind::Code && !told);
    code.map_or(String::new(), |t| t.text.to_string())
}

/// Whether a command is this line, but for white space.
pub(super) fn is_line(command: &Simple, line: &str) -> bool {
    !line.is_empty() && command.text.split_whitespace().eq(line.split_whitespace())
}

/// Whether a run is meant that the line alone is not: “passes on `main`”, “with Node 20”, “the exit status is that of …”.
fn elsewhere(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    const WHERE: &[&str] =
        &["after", "against", "before", "for", "if", "in", "inside", "on", "once", "under", "using", "when", "with"];
    let behind = at + 1..clause.tokens.end;
    behind.into_iter().any(|i| WHERE.contains(&reading.word(i)))
        || reading.sentence(clause).iter().any(|t| matches!(t.text.as_ref(), "exit" | "exits" | "status"))
}

/// Which course is that of the calls that could not have run it; the others are those for a part, and for all.
const OTHERS: usize = 2;

/// What a call says of a run.
pub(super) fn tells<'r>(asked: &Asked<'_, 'r>, call: usize, facts: &Facts<'_>) -> Option<&'r Summary> {
    let tells = facts.role != Role::Write && !only_prints(facts);
    tells.then(|| (asked.summary)(call)).flatten()
}

/// The course of the calls of this turn that could have run it.
fn own(asked: &Asked<'_, '_>, view: &View<'_, '_>) -> Course {
    let mut course = Course::default();
    for (call, facts) in view.calls().filter(|(_, f)| f.ran() && runs_it(asked, f)) {
        let told = tells(asked, call, facts);
        if let Some(summary) = told {
            count(&mut course, call, summary);
        }
        match told {
            Some(summary) if summary.kind == Kind::Passed => course.passed = Some((call, true)),
            Some(summary) if summary.kind == Kind::Failed => {
                course.failed = Some(call);
                course.may = None;
            }
            Some(_) => {}
            None if !asked.wide => course.may = Some(call),
            None if !facts.succeeded && went_on(facts, asked.act) => course.may = Some(call),
            None if !facts.succeeded => {}
            None if facts.acts.names(asked.act) => course.passed = Some((call, false)),
            None => course.may = Some(call),
        }
    }
    course
}

/// What the calls of this turn tell that could not have run it.
fn others(asked: &Asked<'_, '_>, view: &View<'_, '_>) -> Course {
    let mut course = Course::default();
    let other = |f: &Facts<'_>| asked.act == Act::Test && only_checks(f);
    for (call, facts) in view.calls().filter(|(_, f)| f.ran() && !runs_it(asked, f) && !other(f)) {
        let Some(summary) = tells(asked, call, facts) else { continue };
        count(&mut course, call, summary);
        if summary.kind == Kind::Passed {
            course.passed = Some((call, true));
        }
    }
    course
}

/// Programs whose success is one of types or style, not of tests.
const CHECKERS: &[&str] = &["eslint", "flake8", "mypy", "pylint", "pyright", "ruff", "shellcheck", "tsc"];

/// Whether a line ran only such programs.
fn only_checks(facts: &Facts<'_>) -> bool {
    let checks = |c: &Simple| c.words.first().is_some_and(|w| w == "cd" || CHECKERS.contains(&w.as_str()));
    facts.role == Role::Command && !facts.commands.is_empty() && facts.commands.iter().all(checks)
}

/// Whether a call did the act or may have: what only checks types or style runs no tests.
pub(super) fn runs_it(asked: &Asked<'_, '_>, facts: &Facts<'_>) -> bool {
    facts.acts.could(asked.act) && !(asked.act == Act::Test && only_checks(facts))
}

/// Takes up what a summary counts.
fn count(course: &mut Course, call: usize, summary: &Summary) {
    let total = summary.total.filter(|_| summary.kind == Kind::Passed);
    for number in summary.passed.into_iter().chain(total) {
        course.counted.entry(number).or_insert(call);
    }
}

/// The support where no call of this turn ran it or may have.
fn without_run(asked: &Asked<'_, '_>, view: &View<'_, '_>) -> Support {
    if let Some(call) = view.doer(asked.act) {
        return Support::by(call);
    }
    if view.given_pass(asked.act, || given(asked, view)) {
        return Support::By(None, None);
    }
    if let Some(call) = view.shared(Shared::Pass, || told_pass(view)) {
        return Support::by(call);
    }
    if view.cut().iter().any(|&c| view.now().contains(&c) && view.facts(c).acts.could(asked.act)) {
        return Support::Cut(view.cut().to_vec());
    }
    let near = view.calls().rev().find(|(_, f)| f.acts.names(asked.act)).map(|(call, _)| call);
    Support::Not(asked.none.to_string(), near)
}

/// Whether the sentence, or another clause of its block, tells of failures or exceptions: then the pass is of a part.
pub(super) fn limited(reading: &Reading<'_, '_>, clause: &Clause) -> bool {
    let index = reading.prose.clauses.partition_point(|c| c.tokens.start < clause.tokens.start);
    let near = index.saturating_sub(2)..(index + 3).min(reading.prose.clauses.len());
    let row = clause.place == Place::Row;
    let block =
        reading.prose.clauses[near].iter().filter(|c| c.block == clause.block || (row && c.place == Place::Row));
    has_word(reading.sentence(clause), EXCEPT) || block.into_iter().any(|c| fails(reading, c))
}

/// Whether a clause tells that something failed; “0 failed” and “no failures” do not.
pub(super) fn fails(reading: &Reading<'_, '_>, clause: &Clause) -> bool {
    reading.around(clause).any(|i| {
        let word = reading.word(i);
        let failing = matches!(
            word,
            "fail"
                | "fails"
                | "failed"
                | "failing"
                | "failure"
                | "failures"
                | "crashes"
                | "crashed"
                | "broken"
                | "flaky"
                | "doesn't"
                | "panic"
                | "red"
        );
        let before = i.checked_sub(1).and_then(|b| reading.token(b)).map_or("", |t| t.text.as_ref());
        failing
            && !matches!(before, "no" | "0" | "zero" | "without" | "any" | "none" | "previously" | "formerly" | "that")
    })
}

/// Whether a line that failed did the act in a command that another one followed: the failure may be that one's.
pub(super) fn went_on(facts: &Facts<'_>, act: Act) -> bool {
    let commands = facts.commands.as_slice();
    let before = commands.split_last().map_or(&[][..], |(_, rest)| rest);
    before.iter().any(|c| crate::evidence::acts::of_command(c).could(act))
        || commands.iter().any(|c| {
            matches!(c.words.first().map(String::as_str), Some("cargo"))
                && c.words.get(1).is_some_and(|w| w == "run")
                && act == Act::Build
        })
}

/// Words in the names of tools, and of what they are given, that show a state, a log or a screen.
#[rustfmt::skip]
const STATES: &[&str] = &[
    "check", "checks", "ci", "diagnostics", "junit", "lints", "log", "logs", "output", "pane", "result", "results",
    "status", "terminal",
];

/// A look at a state, a log or another agent's report in this turn that tells of a pass in whatever words.
fn told_pass(view: &View<'_, '_>) -> Option<usize> {
    let looks = |f: &Facts<'_>| match f.role {
        Role::Write | Role::Search | Role::Ask | Role::Notify => false,
        Role::Read | Role::Fetch => {
            let state = |text: &str| crate::evidence::roles::words(text).iter().any(|w| STATES.contains(&w.as_str()));
            let given = crate::evidence::lookup::strings(&f.call.arguments);
            state(&f.call.tool) || given.into_iter().take(8).any(|text| text.len() < 400 && state(text))
        }
        _ => true,
    };
    let clean = |output: &str| {
        let text = output.trim();
        let short = || text.to_lowercase();
        text == "[]"
            || text.contains("failures=\"0\"")
            || (text.len() < 200 && (short().contains("no error") || short().contains("no problem")))
    };
    let tells =
        |f: &Facts<'_>| f.call.output.as_deref().is_some_and(|o| clean(o) || crate::evidence::outcome::pass_words(o));
    view.calls().rev().find(|(_, f)| f.succeeded && looks(f) && !only_prints(f) && tells(f)).map(|(call, _)| call)
}

/// A look at a state, as a watcher's output that is read later, that tells of a pass in whatever words behind a failed run.
fn told_later(view: &View<'_, '_>, call: usize) -> Option<usize> {
    let tells = |f: &Facts<'_>| f.call.output.as_deref().is_some_and(crate::evidence::outcome::pass_words);
    let looks = |f: &Facts<'_>| f.succeeded && matches!(f.role, Role::Look | Role::Unknown) && tells(f);
    view.calls().rev().take_while(|(c, _)| *c > call).find(|(_, f)| looks(f)).map(|(call, _)| call)
}

/// Whether what the agent was told in this turn, by the person or the host, gives a passing run.
fn given(asked: &Asked<'_, '_>, view: &View<'_, '_>) -> bool {
    let texts = view.turn.user.iter().chain(&view.turn.context);
    let noted = |text: &String| text.contains("passed") && !text.contains("fail");
    // A log that the person put into the message.
    let pasted = |text: &String| text.contains("```") && crate::evidence::outcome::pass_words(text);
    view.turn.context.iter().any(noted)
        || view.turn.user.iter().any(pasted)
        || texts.into_iter().any(|text| {
            (asked.given)(text).is_some_and(|s| s.kind == Kind::Passed)
                || ["exit code 0", "exit code: 0", "exited with code 0", "exit 0"].iter().any(|t| text.contains(t))
        })
}

/// Whether a call only printed text that stands in its own line, which shows nothing but that it was printed.
pub(super) fn only_prints(facts: &Facts<'_>) -> bool {
    let literal = |words: &[String]| match words.first().map(String::as_str) {
        Some("echo" | "printf") => !words.iter().any(|w| w.contains(['$', '`'])),
        Some("cd" | "true" | ":") | None => true,
        Some(_) => false,
    };
    facts.role == Role::Command && !facts.commands.is_empty() && facts.commands.iter().all(|c| literal(&c.words))
}

/// The first of these needles that some call's output, or what the agent was given, tells.
pub(super) fn told(claim: &Found, view: &View<'_, '_>) -> Option<Support> {
    view.look_up_first();
    let hits = claim.needles.iter().filter_map(|&id| view.hit(id));
    let mut honest = hits.filter(|hit| hit.call.is_none_or(|call| !only_prints(view.facts(call))));
    honest.next().map(Support::at)
}

fn evidence(call: usize, summary: &Summary) -> Support {
    Support::By(Some(call), Some(summary.text))
}
