//! “The visa agent confirmed that no visa is needed.” “The sub-agent found two dead links.”
//!
//! # Reads
//! What an agent that was called is said to have confirmed, found, checked or reported.
//!
//! # Checks
//! The calls to agents that the words before “agent” name, or all of them where they name none: one of them has a result.
//!
//! # Leaves alone
//! Agents that no call in the turn names: they may be people, or programs.
use crate::evidence::facts::Facts;
use crate::evidence::roles::Role;
use crate::evidence::seen;
use crate::readers::has_word;
use crate::readers::prelude::*;
use crate::readers::voice::outside_where;

pub(in crate::readers) const AGENT: Form =
    Form { reader: "check", reads: Reads::Phrases(PHRASES, read), check, asks: nothing_more };

const PHRASES: &[&str] = &[
    "agent|subagent|sub-agent has? also? confirmed|verified|checked|found|reported|reviewed|returned|concluded|validated|tested|searched|noted|suggested",
];

/// Words in front of “agent” that name none.
#[rustfmt::skip]
const PLAIN: &[&str] = &["a", "an", "each", "every", "helper", "it", "its", "my", "one", "our", "that", "the", "this"];

/// Words of a call that did not come to its end.
const ENDED: &[&str] =
    &["cancelled", "crashed", "error", "failed", "pending", "stopped", "timed", "timeout", "waiting"];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let (noun, verb) = (found.tokens.start, found.tokens.end - 1);
    if !reading.asserts(clause, verb) || outside_where(reading, clause, |i| i <= verb) {
        return;
    }
    // A reply that tells how the call ended has told it.
    if has_word(reading.sentence(clause), ENDED) {
        return;
    }
    let before = (clause.tokens.start..noun).rev().take(4).map(|i| reading.word(i));
    let name: Vec<&str> = before.take_while(|w| !w.is_empty() && !PLAIN.contains(w)).collect();
    // “The support agent” of a shop, “the user agent” of a browser.
    if name.iter().any(|w| matches!(*w, "user" | "support" | "travel" | "estate" | "previous" | "service" | "sales")) {
        return;
    }
    let values: Vec<String> = name.iter().map(|w| (*w).to_string()).collect();
    // A notice in the context may have brought the report.
    let told =
        values.iter().map(String::as_str).chain(["agent"]).filter_map(|w| reading.want(Scope::Given, w)).collect();
    reading.claim(index, Found { values, needles: told, ..Found::default() });
}

/// How much of an argument is looked at for an agent's name.
const NAMED: usize = 400;

/// Whether the call's arguments name the agent.
fn names(claim: &Found, view: &View<'_, '_>, call: usize) -> bool {
    let texts = &view.values(call).texts;
    let held = |text: &Vec<u8>| {
        let start = text.get(..NAMED).unwrap_or(text);
        claim.values.iter().any(|word| memchr::memmem::find(start, word.as_bytes()).is_some())
    };
    texts.iter().take(16).any(held)
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let mut near = None;
    for (call, facts) in view.all() {
        if facts.role != Role::Agent {
            // A tool that waits for agents, or reads what they wrote, may have held the report; so may an agent's own call.
            if (tells(facts) || facts.call.parent.is_some()) && view.seen(call).executed {
                return Support::by(call);
            }
            continue;
        }
        if claim.values.is_empty() || names(claim, view, call) {
            if view.seen(call).executed && !facts.acts.none() {
                return Support::by(call);
            }
            near = near.or(Some(call));
        }
    }
    if let Some(hit) = claim.needles.iter().find_map(|&id| view.hit(id)) {
        return Support::at(hit);
    }
    match near.filter(|call| view.now().contains(call)) {
        Some(call) => Support::Not(seen::came_of(view.facts(call), view.seen(call)), Some(call)),
        None => Support::Leave,
    }
}

/// Whether a tool's name speaks of agents or of what they put out.
fn tells(facts: &Facts<'_>) -> bool {
    let words = crate::evidence::roles::words(&facts.call.tool);
    words.iter().any(|w| matches!(w.as_str(), "agent" | "agents" | "task" | "tasks" | "output" | "wait" | "subagent"))
}
