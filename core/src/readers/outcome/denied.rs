//! “`sudo ls` was denied per policy.” “The push was **rejected** at approval.”
//!
//! # Reads
//! A call, command or attempt said to have been denied, blocked, refused or rejected: with policy, sandbox, gate or
//! approval as the cause, or as a bold verdict.
//!
//! # Checks
//! Some call was denied or declined, or a failed call's output names the same cause. An operating system's refusal
//! supports permission or sandbox wording, never policy or approval.
//!
//! # Leaves alone
//! What a program does (“uploads without a token are rejected by the policy”), plans, conditions, denials.
use super::prelude::*;
use super::runs;
use crate::evidence::facts::Facts;
use crate::readers::has_word;
use crate::readers::text::is_command;
use crate::text::fold::fold;

pub(in crate::readers) const DENIED: Form = Form { reader: "outcome", reads: Reads::Phrases(PHRASES, read), check };

const PHRASES: &[&str] = &["denied|blocked|refused|rejected"];

/// What was turned away, where no code names it.
const ACTS: &[&str] = &[
    "access", "action", "attempt", "call", "command", "commands", "edit", "execution", "operation", "push", "read", "run",
    "script", "step", "tool", "write",
];

/// Causes that only a policy or a person can be.
const POLICY: &[&str] = &["approval", "deny", "denylist", "gate", "guardrail", "policies", "policy", "user"];

/// Causes that an operating system can be, too.
const SYSTEM: &[&str] = &["permission", "permissions", "sandbox"];

/// How outputs tell that a policy, a hook or a person said no.
const SAID_POLICY: &[&str] =
    &["policy", "not approved", "approval", "not allowed", "blocked", "disallowed", "deny list", "denied by", "hook", "rejected"];

/// How outputs tell that the system said no.
const SAID_SYSTEM: &[&str] = &[
    "permission denied", "operation not permitted", "not permitted", "sandbox", "access denied", "eacces", "eperm",
    "read-only file system", "forbidden", "unauthorized", "refused", "rejected", "denied", "blocked", "not allowed",
];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let at = found.tokens.start;
    let before = reading.word_before(clause, at);
    if !reading.asserts(clause, at) || matches!(before, "is" | "are" | "be" | "being" | "not" | "to") {
        return;
    }
    let policy = reading.mentions(clause, POLICY);
    let cause = policy || reading.mentions(clause, SYSTEM);
    let bold = reading.token(at).is_some_and(|t| t.strong);
    let codes: Vec<String> =
        reading.sentence(clause).iter().filter(|t| t.kind == TokenKind::Code).map(|t| t.text.to_string()).collect();
    let named = codes.iter().find(|c| is_command(c) || c.contains('(') || reading.tools.contains(*c));
    if !(cause || bold) || (named.is_none() && !has_word(reading.sentence(clause), ACTS)) {
        return;
    }
    let verb = reading.word(at);
    let mut told = Vec::new();
    if let Some(code) = named {
        told.extend(reading.want(Scope::Told, &format!("{code} {verb}")));
        told.extend(reading.want(Scope::Told, &format!("{code} denied")));
    }
    for text in ["denied by policy", "denied by the policy", "blocked by policy", "blocked by the policy", "rejected by policy"] {
        told.extend(reading.want(Scope::Told, text));
    }
    let name = named.cloned().unwrap_or_default();
    reading.claim(index, Found { name, needles: told, wide: policy, ..Found::default() });
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    if let Some(call) = view.refused() {
        return Support::by(call);
    }
    if let Some(support) = runs::told(claim, view) {
        return support;
    }
    let said = if claim.wide { SAID_POLICY } else { SAID_SYSTEM };
    if let Some(call) = view.failed().find(|&c| says(view.facts(c), said)) {
        return Support::by(call);
    }
    let mut reason = "no call in this turn was denied".to_string();
    let name = fold(&claim.name);
    let near = if name.is_empty() { None } else { view.calls().rev().find(|(_, f)| names(f, &name)) };
    if let Some((_, facts)) = near {
        if let Some(exit) = facts.call.exit {
            reason.push_str(&format!("; {} ran and exited {exit}", facts.shown()));
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
