//! “`sudo ls` was denied per policy.” “The push was **rejected** at approval.”
//!
//! # Reads
//! A call, command or attempt said to have been denied, blocked, refused or rejected: with policy, sandbox, gate or
//! approval as the cause, or as a bold verdict.
//!
//! # Checks
//! Some call was denied or declined, or a failed call's output names the same cause. An operating system's refusal
//! supports permission or sandbox wording, never policy or approval. Where the record gives neither exit nor status, the
//! output alone says whether the call was turned away.
//!
//! # Leaves alone
//! What a program does (“uploads without a token are rejected by the policy”), plans, conditions, denials.
use super::prelude::*;
use super::runs;
use crate::evidence::facts::Facts;
use crate::evidence::index::Shared;
use crate::readers::voice::{outside, voice, Voice};
use crate::record::Status;
use crate::text::fold::fold;
use core::fmt::Write as _;

pub(in crate::readers) const DENIED: Form =
    Form { reader: "outcome", reads: Reads::Phrases(PHRASES, read), check, asks: nothing_more };

const PHRASES: &[&str] = &["denied|blocked|refused|rejected"];

/// What was turned away, where no code names it.
const ACTS: &[&str] = &["command", "push", "edit", "write"];

/// Causes that only a policy or a person can be.
const POLICY: &[&str] =
    &["approval", "deny", "denylist", "gate", "guardrail", "hook", "policies", "policy", "policy's"];

/// Causes that an operating system can be, too.
const SYSTEM: &[&str] = &["permission", "permissions", "sandbox"];

/// How outputs tell that a policy, a hook or a person said no.
const SAID_POLICY: &[&str] = &[
    "policy",
    "not approved",
    "approval",
    "not allowed",
    "blocked",
    "disallowed",
    "deny list",
    "denied by",
    "hook",
    "rejected",
];

/// How outputs tell that the system said no.
#[rustfmt::skip]
const SAID_SYSTEM: &[&str] = &[
    "access denied", "blocked", "denied", "eacces", "eperm", "forbidden", "not allowed", "not permitted",
    "operation not permitted", "permission denied", "read-only file system", "refused", "rejected", "sandbox",
    "unauthorized", "enotfound", "name resolution", "resolve host", "cannot connect", "terminal is required", "network is unreachable",
];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let at = found.tokens.start;
    let (subject, verdict) = match voice(reading, clause, at) {
        Voice::Passive(subject) | Voice::Bare(subject) => (subject, false),
        _ if reading.asserts(clause, at) && shown(reading, clause, at) => (reading.around(clause).start..at, true),
        _ => return,
    };
    let policy = reading.mentions(clause, POLICY);
    let cause = policy || reading.mentions(clause, SYSTEM);
    let bold = reading.token(at).is_some_and(|t| t.strong);
    let tokens = || subject.clone().filter_map(|i| reading.token(i));
    let named = tokens().find(|t| reading.runs(t)).map(|t| t.text.to_string());
    let attempt = subject.clone().any(|i| reading.word(i) == "attempt" && reading.word(i + 1) == "to");
    let act = !verdict && (attempt || tokens().any(|t| ACTS.contains(&t.text.as_ref())));
    if !(cause || bold)
        || (named.is_none() && !act)
        || !reading.asserts(clause, at)
        || reading.mentions(clause, &["test", "tests", "asserts", "expects"])
    {
        return;
    }
    let verb = reading.word(at);
    let mut told = Vec::new();
    for text in ["denied by", "blocked", "rejected", "refused", "declined", "not approved", "disallowed"] {
        told.extend(reading.want(Scope::Told, text));
    }
    if !policy {
        told.extend(reading.want(Scope::Told, verb));
    }
    let name = named.unwrap_or_default();
    reading.claim(index, Found { name, needles: told, wide: policy, ..Found::default() });
}

/// Whether the verb is a verdict behind a command or call: “`sudo ls` → denied by policy”.
fn shown(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    let behind = at.checked_sub(1).and_then(|i| reading.token(i));
    let mark =
        behind.is_some_and(|t| t.kind == TokenKind::Arrow || matches!(t.text.as_ref(), ":" | "|" | "–" | "—" | "-"));
    let joined =
        matches!(reading.word_before(clause, at), "was" | "were") && clause.tokens.start > clause.sentence.start;
    (mark || joined) && !outside(reading, clause)
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    if let Some(call) = view.refused() {
        return Support::by(call);
    }
    if let Some(support) = runs::told(claim, view) {
        return support;
    }
    let said = if claim.wide { SAID_POLICY } else { SAID_SYSTEM };
    let name = fold(&claim.name);
    // A failure without an exit status is the host's own, which may have turned the call away.
    let hosts =
        |facts: &Facts<'_>| facts.call.exit.is_none() && (!claim.wide || (!name.is_empty() && names(facts, &name)));
    // Where neither exit nor status is recorded, the output itself says that the call was turned away.
    let open = |facts: &Facts<'_>| facts.call.exit.is_none() && facts.call.status == Status::Unknown;
    let says_it = || {
        let unknown = view.calls().rev().filter(|(_, f)| open(f)).map(|(call, _)| call);
        view.failed().chain(unknown).find(|&c| says(view.facts(c), said))
    };
    let shared = if claim.wide { Shared::Policy } else { Shared::System };
    let found = view.shared(shared, says_it).or_else(|| view.failed().find(|&c| hosts(view.facts(c))));
    if let Some(call) = found {
        return Support::by(call);
    }
    let mut reason = "no call in this turn was denied".to_string();
    let near = if name.is_empty() { None } else { view.calls().rev().find(|(_, f)| names(f, &name)) };
    if let Some((_, facts)) = near {
        if let Some(exit) = facts.call.exit {
            let _ = write!(reason, "; {} ran and exited {exit}", facts.shown());
        }
    }
    Support::Not(reason, near.map(|(call, _)| call))
}

fn says(facts: &Facts<'_>, words: &[&str]) -> bool {
    let texts = [&facts.call.output, &facts.call.error];
    texts.into_iter().flatten().any(|text| {
        let folded = fold(crate::readers::text::head(text, 4096));
        words.iter().any(|w| memchr::memmem::find(&folded, w.as_bytes()).is_some())
    })
}

fn names(facts: &Facts<'_>, name: &[u8]) -> bool {
    facts.line.as_deref().is_some_and(|line| memchr::memmem::find(&fold(line), name).is_some())
}
