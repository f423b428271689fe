//! The contradiction by the very run that a claim names: by its line, by its program, or by how many tests it ran.

use super::prelude::*;
use super::runs::{runs_it, tells, Asked};
use crate::evidence::acts;
use crate::evidence::index::{Alike, Passes, Runs};
use crate::evidence::outcome::{pass_words, Kind, Summary};
use crate::evidence::roles::Role;
use crate::evidence::shell::Simple;
use alloc::collections::{BTreeMap, BTreeSet};

/// The turn's runs, sorted for the claims that name one of them.
fn runs<'v>(asked: &Asked<'_, '_>, view: &'v View<'_, '_>) -> &'v Runs {
    view.runs(asked.act, || {
        let mut runs = Runs::default();
        for (call, facts) in view.calls().filter(|(_, f)| f.ran()) {
            if facts.acts.could(asked.act) {
                runs.able.push(call);
            }
            if runs_it(asked, facts) {
                runs.last = Some(call);
            }
            if let Some(command) = alone(facts.role, &facts.commands) {
                let failed = facts.call.exit.is_some_and(|exit| exit != 0) && !facts.succeeded && !facts.stopped();
                let broke = failed && (asked.summary)(call).is_none_or(|s| s.kind != Kind::Passed);
                let run = Alike { first: call, last: call, broke, able: facts.acts.could(asked.act).into() };
                put(&mut runs.lines, plain(&command.text), run);
                let program = command.words.first().filter(|_| acts::of_command(command).names(asked.act));
                if let Some(program) = program {
                    put(&mut runs.programs, program.clone(), run);
                }
            }
        }
        runs
    })
}

/// What passed in the turn. All its outputs are read for it, so that it is asked for last.
fn passes<'v>(asked: &Asked<'_, '_>, view: &'v View<'_, '_>) -> &'v Passes {
    view.passes(asked.act, || {
        let mut passes = Passes::default();
        for (call, facts) in view.calls().filter(|(_, f)| f.ran()) {
            if facts.acts.could(asked.act) && facts.succeeded {
                facts.commands.iter().for_each(|c| passed(&mut passes.called, c, asked.act));
            }
            let watched = || {
                let output = facts.call.output.as_deref().unwrap_or("");
                matches!(facts.role, Role::Look | Role::Unknown) && facts.succeeded && pass_words(output)
            };
            if tells(asked, call, facts).is_some_and(|s| s.kind == Kind::Passed) || watched() {
                passes.told = Some(call);
            }
            let all = (asked.summary)(call).into_iter().chain(view.summaries(call));
            let counted = all.filter(|s| s.kind == Kind::Passed).flat_map(|s| [s.passed, s.total]);
            passes.counted.extend(counted.flatten());
        }
        passes
    })
}

/// Adds a run to those that are called alike.
fn put(named: &mut BTreeMap<String, Alike>, name: String, run: Alike) {
    let add = |known: &mut Alike| {
        known.last = run.last;
        known.broke &= run.broke;
        known.able += run.able;
    };
    named.entry(name).and_modify(add).or_insert(run);
}

/// Notes what a run that passed may be called by: its program, its line, and that line behind what it was run through, as
/// another version of the runtime.
fn passed(names: &mut BTreeSet<String>, command: &Simple, act: Act) {
    const LONGEST: usize = 256;
    let program = command.words.first().filter(|w| w.len() <= LONGEST && acts::of_command(command).names(act));
    names.extend(program.cloned());
    let line = plain(&command.text);
    let tails = line.match_indices(' ').take(4).filter_map(|(at, _)| line.get(at + 1..));
    names.extend(tails.chain([line.as_str()]).filter(|tail| tail.len() <= LONGEST).map(String::from));
}

/// The one command that a line runs, steps into a folder and settings left out.
fn alone(role: Role, commands: &[Simple]) -> Option<&Simple> {
    let goes = |c: &&Simple| matches!(c.words.first().map(String::as_str), Some("cd" | "export" | "pushd" | "source"));
    let mut works = commands.iter().filter(|c| !goes(c));
    works.next().filter(|_| role == Role::Command && works.next().is_none())
}

/// A line with plain white space.
fn plain(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The contradiction by the run that the claim names, where each such run of this turn failed, with nothing of its own that
/// tells of a pass, where no other run of the kind passed, and no call after the first may have been another one. `name`:
/// its line, or the program that it is called by.
pub(super) fn refuted(asked: &Asked<'_, '_>, view: &View<'_, '_>, name: &str) -> Option<Support> {
    if name.is_empty() || view.before(asked.act).is_some() {
        return None;
    }
    let runs = runs(asked, view);
    let line = runs.lines.get(&plain(name));
    let meant = line.or_else(|| runs.programs.get(name).filter(|_| asked.act == Act::Build))?;
    let behind = runs.able.len() - runs.able.partition_point(|&call| call < meant.first);
    if !meant.broke || behind > meant.able {
        return None;
    }
    let passes = passes(asked, view);
    if passes.told.is_some() || passes.called.contains(&plain(name)) {
        return None;
    }
    Some(Support::Against(view.facts(meant.last).ending(), meant.last, None))
}

/// The contradiction by a run of just so many tests of which some failed, where no run passed as many and none came after.
pub(super) fn failed_of(asked: &Asked<'_, '_>, view: &View<'_, '_>, count: u64, quote: &str) -> Option<Support> {
    if view.before(asked.act).is_some() {
        return None;
    }
    let call = runs(asked, view).last?;
    let failed = |s: &&Summary| {
        let (passed, failed) = (s.passed.unwrap_or(0), s.failed.unwrap_or(0));
        s.kind == Kind::Failed && passed.saturating_add(failed) == count && failed > 0
    };
    let summary = (asked.summary)(call).filter(failed)?;
    if passes(asked, view).counted.contains(&count) {
        return None;
    }
    let output = view.facts(call).call.output.as_deref().unwrap_or("");
    let what = crate::evidence::outcome::summary_text(summary, output);
    Some(Support::Against(format!("the {quote} output says {what}"), call, Some(summary.text)))
}
