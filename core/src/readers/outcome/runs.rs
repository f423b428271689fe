//! What tests and builds share: the runs of a turn in their order, and what came of them.

use super::prelude::*;
use crate::evidence::facts::Facts;
use crate::evidence::outcome::{Kind, Summary};
use crate::evidence::roles::Role;
use crate::record::Status;

/// What a claim about a run says.
pub(super) struct Asked<'s, 'r> {
    /// The kind of run.
    pub(super) act: Act,
    /// A call's own summary.
    pub(super) summary: &'s dyn Fn(usize) -> Option<&'r Summary>,
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
    let (mut passed, mut may, mut failed) = (None, None, None::<(usize, &Summary)>);
    let told = |call, facts: &Facts<'_>| {
        let tells = facts.role != Role::Write && !only_prints(facts);
        tells.then(|| (asked.summary)(call)).flatten()
    };
    for (call, facts) in view.calls().filter(|(_, f)| f.ran() && f.acts.could(asked.act)) {
        match told(call, facts) {
            Some(summary) if counts(summary, asked.number) => return evidence(call, summary),
            Some(summary) if summary.kind == Kind::Passed => passed = Some((call, Some(summary))),
            Some(summary) if summary.kind == Kind::Failed => {
                failed = Some((call, summary));
                may = None;
            }
            Some(_) => {}
            None if !asked.wide && facts.call.status == Status::Background => may = Some(call),
            None if !facts.succeeded => {}
            None if facts.acts.names(asked.act) => passed = Some((call, None)),
            None => may = Some(call),
        }
    }
    let others = if passed.is_none() { view.now() } else { 0..0 };
    for (call, facts) in others.map(|call| (call, view.facts(call))).filter(|(_, f)| f.ran() && !f.acts.could(asked.act)) {
        match told(call, facts) {
            Some(summary) if counts(summary, asked.number) => return evidence(call, summary),
            Some(summary) if summary.kind == Kind::Passed => passed = Some((call, Some(summary))),
            _ => {}
        }
    }
    match (passed, may, failed) {
        (Some((call, Some(summary))), ..) => evidence(call, summary),
        (Some((call, None)), ..) | (None, Some(call), _) => Support::by(call),
        (None, None, Some((call, summary))) if !asked.wide && summary.passed != Some(0) => evidence(call, summary),
        (None, None, Some((call, summary))) => {
            let output = view.facts(call).call.output.as_deref().unwrap_or("");
            let what = crate::evidence::outcome::summary_text(summary, output);
            Support::Against(format!("the {quote} output says {what}"), call, Some(summary.text))
        }
        (None, None, None) => match view.doer(asked.act) {
            Some(call) => Support::by(call),
            None => {
                let near = view.calls().rev().find(|(_, f)| f.acts.names(asked.act)).map(|(call, _)| call);
                Support::Not(asked.none.to_string(), near)
            }
        },
    }
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
    let hits = claim.needles.iter().filter_map(|&id| view.hit(id));
    let mut honest = hits.filter(|hit| hit.call.is_none_or(|call| !only_prints(view.facts(call))));
    honest.next().map(Support::at)
}

fn counts(summary: &Summary, number: Option<u64>) -> bool {
    number.is_some() && (summary.passed == number || summary.total == number && summary.kind == Kind::Passed)
}

fn evidence(call: usize, summary: &Summary) -> Support {
    Support::By(Some(call), Some(summary.text))
}
