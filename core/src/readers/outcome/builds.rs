//! “The build succeeded.” “It compiles cleanly.” “`npm run build` passes.”
//!
//! # Reads
//! A build or compilation said to have succeeded, as a finished fact.
//!
//! # Checks
//! As for tests: the turn's build runs in their order. A silent success counts, as with `tsc` or `go build`; so does a
//! run that failed after it had built, and a test run that told results.
//!
//! # Leaves alone
//! Wishes and conditions; “I built the page”, which tells of writing; what code in general does.
use super::named;
use super::prelude::*;
use super::runs::{self, Asked};
use super::tests::{flows, takes_object, AIMS};
use crate::evidence::facts::Facts;
use crate::evidence::index::Shared;
use crate::evidence::looks::{self, Work};
use crate::evidence::{acts, shell};
use crate::readers::text::is_command;
use crate::readers::voice::{opens, outside};

pub(in crate::readers) const BUILDS: Form =
    Form { reader: "outcome", reads: Reads::Phrases(PHRASES, read), check, asks };

/// Other readers judge the same claims by other things.
pub(in crate::readers) const PHRASES: &[&str] = &[
    "build|builds|compilation .. succeeded|succeeds|passed|passes|passing|successful|green",
    "built|builds|compiled|compiles successfully|cleanly|fine",
    "compiled|compiles|builds without any? errors|error|warnings|issues",
    "` succeeds|succeeded|passes|passed",
];

/// Subjects of which compiling is said as of the work at hand.
#[rustfmt::skip]
const WORK: &[&str] = &[
    "all", "also", "and", "app", "application", "backend", "binary", "bundle", "client", "code", "container", "crate",
    "docker", "entire", "everything", "extension", "frontend", "image", "images", "it", "library", "module", "now",
    "package", "plugin", "project", "server", "site", "still", "successfully", "the", "this", "which", "whole", "workspace",
];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let tokens = found.tokens.clone();
    let verb = if found.phrase == 0 || found.phrase == 3 { tokens.end - 1 } else { tokens.start };
    if !reading.asserts(clause, verb)
        || outside(reading, clause)
        || reading.mentions(clause, &["although", "because", "even", "that", "though", "which"])
    {
        return;
    }
    let from = clause.tokens.start;
    let told = match found.phrase {
        0 => {
            opens(reading, clause, tokens.start)
                .is_some_and(|before| !before.into_iter().any(|i| AIMS.contains(&reading.word(i)) || old(reading, i)))
                && !takes_object(reading, clause, verb)
        }
        1 | 2 => (from..tokens.start)
            .all(|i| reading.token(i).is_some_and(|t| t.kind != TokenKind::Word || WORK.contains(&t.text.as_ref()))),
        _ => is_build_line(reading, tokens.start),
    };
    // “It succeeds; the exit status comes from the size check.”
    let has = |word: &str| reading.sentence(clause).iter().any(|t| t.text == word);
    if !told || flows(reading, clause, verb) || (has("exit") && !has("0")) {
        return;
    }
    let code =
        found.phrase != 3 && reading.tokens(clause).iter().any(|t| t.kind == TokenKind::Code && !is_command(&t.text));
    let keyed = matches!(reading.word(verb), "builds" | "compiles" | "green" | "passes" | "passing" | "succeeds");
    let name = match found.phrase {
        3 => runs::line_at(reading, clause, tokens.start),
        0 if !runs::fails(reading, clause) => reading.word_before(clause, tokens.start).to_string(),
        _ => String::new(),
    };
    let wide = !(code || runs::limited(reading, clause));
    reading.claim(index, Found { name, wide, keyed, ..Found::default() });
}

/// A modifier that names another build than the one at hand.
fn old(reading: &Reading<'_, '_>, at: usize) -> bool {
    matches!(reading.word(at), "old" | "previous" | "earlier" | "first" | "preview" | "last")
}

fn is_build_line(reading: &Reading<'_, '_>, at: usize) -> bool {
    let line = reading.token(at).and_then(|code| shell::split(&code.text));
    line.is_some_and(|l| l.commands.iter().any(|c| acts::of_command(c).names(Act::Build)))
}

/// How outputs and notices tell of a build.
fn asks(_: &Found) -> Vec<String> {
    let told = [
        "build succeeded",
        "build successful",
        "build passed",
        "compiled successfully",
        "built successfully",
        "build complete",
    ];
    told.map(String::from).to_vec()
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let asked = Asked {
        act: Act::Build,
        summary: &|call| view.builds(call),
        given: crate::evidence::outcome::build,
        wide: claim.wide,
        number: None,
        none: "no build command in this turn exited 0",
    };
    // The line itself, or the program that the build is called by: “the Zig build succeeded”.
    if let Some(against) = named::refuted(&asked, view, &claim.name) {
        return against;
    }
    match runs::check(&asked, view, "build") {
        Support::Not(reason, near) => {
            // Tests that ran were built before, and a line that ran something after its build has built it.
            let ran = |call, f: &Facts<'_>| f.ran() && (view.tests(call).is_some() || runs::went_on(f, Act::Build));
            let first = || view.calls().find(|&(call, f)| ran(call, f)).map(|(call, _)| call);
            let built = view.shared(Shared::Built, first);
            match built {
                Some(call) => Support::by(call),
                None => runs::told(claim, view)
                    .or_else(|| made(view, near?).map(Support::by))
                    .unwrap_or(Support::Not(reason, near)),
            }
        }
        support => support,
    }
}

/// A look behind a build whose end is not known, at what it was to make.
fn made(view: &View<'_, '_>, call: usize) -> Option<usize> {
    let stems = &["artefact", "artifact", "build", "bundle", "dist", "target"];
    let work = Work { stems, says: &[], marks: &[] };
    let build = view.facts(call);
    let behind = view.calls().filter(|(c, _)| *c > call);
    looks::uncertain(build).then(|| looks::looked_at(build, behind, work)).flatten()
}
