//! What several readers read: a named file said to have been written or edited, and the calls that tried.

use super::text::is_path;
use super::voice::{outside, voice, Voice};
use super::{Found, Reading};
use crate::evidence::acts::{Act, Acts};
use crate::evidence::facts::Facts;
use crate::evidence::index::View;
use crate::evidence::roles::Role;
use crate::evidence::sed;
use crate::evidence::stale::changed_nothing;
use crate::prose::phrase::Match;
use crate::prose::{Place, Token, TokenKind};
use alloc::string::ToString;

pub(super) const PHRASES: &[&str] = &[
    "adjusted|changed|corrected|created|edited|fixed|modified|patched|renamed|replaced|rewrote|saved|updated|wrote",
    "bumped|changed|decreased|increased|lowered|raised|reduced|set|switched|updated .. to #",
];

/// Reads a verb with the one file that its clause names.
pub(super) fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let at = found.tokens.start;
    let item = found.phrase == 1 && clause.place == Place::Item && at > clause.tokens.start;
    let told = || item || voice(reading, clause, at) != Voice::Other;
    if !reading.asserts(clause, at) || outside(reading, clause) || !told() {
        return;
    }
    let file = |t: &&Token<'_>| matches!(t.kind, TokenKind::Code | TokenKind::Word) && is_path(&t.text);
    let mut files = reading.tokens(clause).iter().filter(file);
    if let (Some(path), None) = (files.next(), files.next()) {
        let value = reading.token(found.tokens.end - 1).filter(|_| found.phrase == 1).map(|t| t.text.to_string());
        let values = value.into_iter().collect();
        reading.claim(index, Found { name: path.text.to_lowercase(), values, ..Found::default() });
    }
}

/// What this turn did to a file.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    /// The last call that wrote it.
    pub(super) good: Option<usize>,
    /// A call that may have written it, without naming it.
    pub(super) may: Option<usize>,
    /// The last edit of it that left it as it was.
    pub(super) nothing: Option<usize>,
    /// The last attempt that failed or was turned away.
    pub(super) failed: Option<usize>,
}

/// Finds the calls that wrote a file, tried to, or may have.
pub(super) fn attempts(claim: &Found, view: &View<'_, '_>) -> Attempts {
    let name = claim.name.rsplit(['/', '\\']).next().unwrap_or("").as_bytes().to_ascii_lowercase();
    let mut found = Attempts::default();
    for (call, facts) in view.calls() {
        match substitutes(claim, view, call, &name) {
            Substituted::Nothing => found.nothing = Some(call),
            Substituted::May => found.may = Some(call),
            Substituted::Aside => {}
            Substituted::Other => weigh(&mut found, view, call, facts, &name),
        }
    }
    found
}

/// Weighs a call that is no substitution.
fn weigh(found: &mut Attempts, view: &View<'_, '_>, call: usize, facts: &Facts<'_>, name: &[u8]) {
    if facts.role == Role::Write {
        let texts = &view.values(call).texts;
        let named = texts.iter().any(|t| t.len() <= 400 && ends_in(t, name));
        let unnamed = texts.iter().all(|t| t.len() > 400 || !t.contains(&b'.'));
        match (named, facts.succeeded) {
            (true, true) if changed_nothing(facts) => found.nothing = Some(call),
            (true, true) => found.good = Some(call),
            (true, false) => found.failed = Some(call),
            (false, true) if unnamed => found.may = Some(call),
            (false, _) => {}
        }
    } else if facts.ran() && able(facts) {
        found.may = Some(call);
    }
}

/// Whether a path's last part is this name: that of `src/app.py` is `app.py`, that of `test_app.py` is not.
fn ends_in(path: &[u8], name: &[u8]) -> bool {
    let before = path.strip_suffix(name).map(<[u8]>::last);
    before.is_some_and(|last| last.is_none_or(|byte| matches!(byte, b'/' | b'\\' | b' ' | b'"' | b'\'' | b'=')))
}

/// What a line of substitutions did to a file.
enum Substituted {
    /// The line is of another kind.
    Other,
    /// It put in other values than the claim names, or into other files.
    Aside,
    /// What it looks for was not there.
    Nothing,
    /// Something, perhaps.
    May,
}

fn substitutes(claim: &Found, view: &View<'_, '_>, call: usize, name: &[u8]) -> Substituted {
    let facts = view.facts(call);
    let any = facts.role == Role::Command && facts.commands.iter().any(|c| sed::substitution(c).is_some());
    if !any || !facts.succeeded {
        return Substituted::Other;
    }
    let mut came = Substituted::Aside;
    for command in &facts.commands {
        let Some(found) = sed::substitution(command) else {
            if crate::evidence::acts::of_command(command) == Acts::NONE {
                continue;
            }
            return Substituted::Other;
        };
        let here = ends_in(found.path.to_ascii_lowercase().as_bytes(), name);
        let about = claim.values.iter().all(|value| found.new.contains(value.as_str()));
        if here && about {
            let nothing = sed::found_nothing(&found, view.calls_before(call));
            came = match came {
                Substituted::Aside | Substituted::Nothing if nothing => Substituted::Nothing,
                _ => Substituted::May,
            };
        }
    }
    came
}

/// Whether a call that is no edit may have written a file.
fn able(facts: &Facts<'_>) -> bool {
    facts.acts.could(Act::Write) || facts.acts.could(Act::Wrap)
}

/// How far from the claim the reply may tell that nothing was left to do.
const NEAR: usize = 300;

/// Whether the reply tells itself that the file was so before: “the file already had the change”.
pub(super) fn unchanged(claim: &Found, view: &View<'_, '_>) -> bool {
    const SAYS: &[&str] = &[
        "already",
        "identical",
        "no change",
        "no-op",
        "nothing changed",
        "nothing to change",
        "unchanged",
        "was a noop",
    ];
    let reply = view.turn.text();
    let behind =
        crate::text::head(reply.get(claim.span.start..).unwrap_or(""), claim.span.end - claim.span.start + NEAR);
    let behind = behind.to_lowercase();
    SAYS.iter().any(|says| behind.contains(says))
}
