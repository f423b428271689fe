//! “All tests pass.” “The build is green.” “Type check: clean.”

use super::super::clean::{self, Came};
use super::super::outcome::{BUILD_PHRASES, TEST_PHRASES};
use super::super::prelude::*;
use crate::evidence::checks::Check;
use crate::evidence::facts::Facts;
use crate::evidence::index::Shared;
use crate::evidence::outcome::{summary_text, Kind};
use crate::evidence::roles::Role;
use crate::evidence::shell::Simple;
use crate::evidence::stale::{changed_code, takes_back};

pub(in crate::readers) const TESTS: Form =
    Form { reader: "empty", reads: Reads::Same(TEST_PHRASES), check: tests, asks: nothing_more };

pub(in crate::readers) const BUILDS: Form =
    Form { reader: "empty", reads: Reads::Same(BUILD_PHRASES), check: builds, asks: nothing_more };

pub(in crate::readers) const CHECKS: Form =
    Form { reader: "empty", reads: Reads::Same(clean::PHRASES), check: checks, asks: nothing_more };

fn tests(claim: &Found, view: &View<'_, '_>) -> Support {
    let earlier = view.before(Act::Test).is_some();
    if earlier && !claim.keyed {
        return Support::Leave;
    }
    if let Some(support) = none_ran(view).or_else(|| hidden(view, Act::Test)).filter(|_| !earlier) {
        return support;
    }
    if claim.keyed && claim.wide {
        stale(claim, view, &|f| f.acts.names(Act::Test), &|f| f.acts.could(Act::Test))
    } else {
        Support::Leave
    }
}

/// Flagged when every run of tests collected none.
fn none_ran(view: &View<'_, '_>) -> Option<Support> {
    let mut none = None;
    for (call, _) in view.calls().filter(|(_, f)| f.ran() && f.acts.could(Act::Test)) {
        match view.tests(call) {
            Some(summary) if summary.kind == Kind::NoneRun => none = Some((call, summary)),
            _ => return None,
        }
    }
    let (call, summary) = none?;
    // The reply says itself that there was nothing to run.
    if view.turn.reply.iter().any(|piece| tells_of_none(&piece.text)) {
        return None;
    }
    // A log that was read may tell of a run elsewhere.
    if view.calls().any(|(c, _)| view.tests(c).is_some_and(|s| s.kind != Kind::NoneRun)) {
        return None;
    }
    let what = summary_text(summary, view.facts(call).call.output.as_deref().unwrap_or(""));
    Some(Support::Against(format!("the test output says {what}"), call, Some(summary.text)))
}

/// Whether a reply tells that there are no tests, or that none ran.
fn tells_of_none(reply: &str) -> bool {
    const WORDS: &[&str] = &[
        "0 tests",
        "has no test",
        "have no test",
        "is no test",
        "no test files",
        "no tests",
        "none ran",
        "nothing to test",
        "without tests",
        "zero tests",
    ];
    let reply = reply.to_lowercase();
    WORDS.iter().any(|words| reply.contains(words))
}

/// Flagged when the only run masks its exit and printed nothing.
fn hidden(view: &View<'_, '_>, act: Act) -> Option<Support> {
    let mut last = None;
    for (call, facts) in view.calls().filter(|(_, f)| f.ran() && f.acts.could(act)) {
        let silent = !facts.call.truncated && facts.call.output.as_deref().is_some_and(|o| o.trim().is_empty());
        let masked = |c: &Simple| c.masked && crate::evidence::acts::of_command(c).names(act);
        if !(silent && facts.commands.iter().any(masked)) {
            return None;
        }
        last = Some(call);
    }
    let call = last?;
    // What it printed may have gone to a file that was read afterwards.
    let read = view.calls().any(|(c, f)| c > call && f.call.output.as_deref().is_some_and(|o| !o.trim().is_empty()));
    let reason = format!("{} hides its exit and printed nothing", view.facts(call).shown());
    (!read).then_some(Support::Not(reason, Some(call)))
}

fn builds(claim: &Found, view: &View<'_, '_>) -> Support {
    if view.before(Act::Build).is_some() || !claim.keyed || !claim.wide {
        return Support::Leave;
    }
    if let Some(support) = hidden(view, Act::Build) {
        return support;
    }
    let able = |f: &Facts<'_>| f.acts.could(Act::Build) || f.acts.could(Act::Test);
    stale(claim, view, &|f| f.acts.names(Act::Build), &able)
}

fn checks(claim: &Found, view: &View<'_, '_>) -> Support {
    let Some((kind, program)) = clean::asked(claim) else { return Support::Leave };
    let runs = clean::runs(view, kind, program);
    let Some((call, came)) = runs.runs.last() else { return Support::Leave };
    if runs.again.is_some() {
        return Support::Leave;
    }
    if *came == Came::Hidden {
        let reason = format!("{} hides its exit and printed nothing", view.facts(*call).shown());
        return Support::Not(reason, Some(*call));
    }
    if !claim.keyed || claim.wide {
        return Support::Leave;
    }
    let able = |f: &Facts<'_>| {
        clean::names(f, kind, program)
            || f.acts.could(Act::Wrap)
            || (kind == Check::Types && (f.acts.could(Act::Build) || f.acts.could(Act::Test)))
    };
    stale(claim, view, &|f| clean::names(f, kind, program), &able)
}

/// Flagged when code was edited after the last run and nothing that is able to run it again followed.
pub(super) fn stale(
    claim: &Found,
    view: &View<'_, '_>,
    named: &dyn Fn(&Facts<'_>) -> bool,
    able: &dyn Fn(&Facts<'_>) -> bool,
) -> Support {
    let last = view.calls().rev().find(|(_, f)| f.ran() && (able(f) || f.role == Role::Agent));
    let run = view.calls().rev().find(|(_, f)| f.ran() && named(f));
    let (Some((last, _)), Some((run, facts))) = (last, run) else { return Support::Leave };
    if facts.stopped() || view.turn.interim(claim.span.start) {
        return Support::Leave;
    }
    // What an edit printed may be the run of a hook behind it.
    let hooked = |f: &Facts<'_>| f.call.output.as_deref().is_some_and(|o| ran(crate::text::head(o, SHORT)));
    if view.calls().any(|(c, f)| c > last && hooked(f)) {
        return Support::Leave;
    }
    let after = || view.calls().filter(|(c, _)| *c > last);
    let back = |at: usize, edit: &Facts<'_>| after().take(MOST).any(|(c, f)| c != at && takes_back(f, edit));
    let edits = after().filter_map(|(c, f)| Some((c, f, changed_code(f, facts)?)));
    let edit = edits.take(MOST).find(|(c, f, _)| !back(*c, f)).map(|(_, _, path)| path);
    match edit {
        Some(_) if orders(view, claim.span.end) => Support::Leave,
        Some(path) if view.shared(Shared::Again, || again(view).or_else(|| noticed(view))).is_none() => {
            let name = path.rsplit(['/', '\\']).next().unwrap_or(&path);
            Support::Not(format!("{name} was edited after {}", facts.shown()), Some(run))
        }
        _ => Support::Leave,
    }
}

/// Whether the reply tells behind the claim what was done after it: “the tests pass; I then bumped the version”.
fn orders(view: &View<'_, '_>, end: usize) -> bool {
    const THEN: &[&str] = &["after that", "afterwards", "finally", "next", "only then", "subsequently", "then"];
    let reply = view.turn.text();
    let rest = crate::text::head(reply.get(end..).unwrap_or(""), SHORT).to_lowercase();
    let begins = |part: &str| {
        let part = part.trim_start();
        let part = ["and ", "i ", "i've ", "i have ", "we ", "we've "]
            .iter()
            .fold(part, |p, w| p.strip_prefix(w).unwrap_or(p));
        THEN.iter().any(|then| part.strip_prefix(then).is_some_and(|rest| rest.starts_with([' ', ','])))
    };
    let joined = |part: &str| part.match_indices(" and ").any(|(at, _)| begins(part.get(at + 1..).unwrap_or("")));
    rest.split(['.', ';', ',', '\n', '–', '—']).any(|part| begins(part) || joined(part))
}

/// Whether a hook of the host, or a notice that the agent was given, tells of a run: it may have come after the edit.
fn noticed(view: &View<'_, '_>) -> Option<usize> {
    view.turn.context.iter().any(|text| tells_of_run(text)).then_some(0)
}

fn ran(text: &str) -> bool {
    ["passed", "exit code", "exited with", "All checks"].iter().any(|w| text.contains(w))
}

fn tells_of_run(text: &str) -> bool {
    ran(text) || (text.len() < SHORT && (text.contains("hook") || crate::evidence::outcome::pass_words(text)))
}

/// The most calls after a run that are compared with each other.
const MOST: usize = 64;

/// The longest notice; what is longer is a prompt.
const SHORT: usize = 2_000;

/// Whether the reply tells of running something again, done or not: then it says itself how things stand.
fn again(view: &View<'_, '_>) -> Option<usize> {
    const WORDS: &[&str] = &[
        "re-run",
        "rerun",
        "re-ran",
        "reran",
        "run again",
        "them again",
        "it again",
        "tests again",
        "retest",
        "re-test",
        "after that run",
        "after the run",
        "afterward",
        "as committed",
        "came after",
        "came last",
        "came later",
        "change after",
        "changed after",
        "changed since",
        "edit after",
        "edited after",
        "is newer",
        "later change",
        "later edit",
        "made after",
        "made later",
        "ran before",
        "run before",
        "since that run",
        "since the run",
        "not verified",
    ];
    let tells = |text: &str| {
        let text = text.to_lowercase();
        WORDS.iter().any(|w| text.contains(w))
    };
    view.turn.reply.iter().any(|piece| tells(&piece.text)).then_some(0)
}
