//! “Both agents are back.” “The review agent confirmed it.”

use super::super::prelude::*;
use super::super::voice::{opens, outside};
use super::open::open;
use crate::evidence::facts::Facts;
use crate::evidence::roles::Role;

pub(in crate::readers) const AGENTS: Form =
    Form { reader: "failed", reads: Reads::Phrases(PHRASES, read), check, asks: nothing_more };

const PHRASES: &[&str] = &[
    "agents|subagents|sub-agents .. back|finished|returned|completed|done|reported|succeeded",
    "agent|subagent|sub-agent confirmed|found|reported|returned|finished|verified|completed|concluded|says|confirms",
];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let start = found.tokens.start;
    if !reading.asserts(clause, found.tokens.end - 1) || outside(reading, clause) || open(reading, clause, "") {
        return;
    }
    let Some(before) = opens(reading, clause, start) else { return };
    if reading.mentions(clause, &["but", "except", "not", "still", "two", "first", "some", "most", "other", "previous"])
    {
        return;
    }
    let words = before.clone().map(|i| reading.word(i)).filter(|w| w.len() > 3 && !COMMON.contains(w));
    let values: Vec<String> = words.map(String::from).collect();
    let all = found.phrase == 0 && before.clone().any(|i| matches!(reading.word(i), "all" | "both" | "every"));
    let only = before.clone().any(|i| reading.word(i) == "the");
    if all || (found.phrase == 1 && (only || !values.is_empty())) {
        reading.claim(index, Found { wide: all, values, ..Found::default() });
    }
}

/// Words that do not tell one agent from another.
const COMMON: &[&str] =
    &["agent", "background", "both", "four", "five", "general", "sub-agent", "subagent", "that", "this", "three"];

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let agents: Vec<(usize, &Facts<'_>)> = view.calls().filter(|(_, f)| f.role == Role::Agent).collect();
    let late = |f: &Facts<'_>| {
        let silent = f.call.output.as_deref().is_none_or(|o| o.trim().is_empty());
        silent && !f.call.truncated && f.ended().is_some()
    };
    // A look at a task, or a notice that the agent was given, may have brought the result.
    let looked = view.calls().any(|(_, f)| f.role == Role::Look || f.role == Role::Unknown);
    if looked || !view.turn.context.is_empty() {
        return Support::Leave;
    }
    let about = |call: usize| {
        let texts = &view.values(call).texts;
        claim.values.iter().any(|word| texts.iter().any(|t| memchr::memmem::find(t, word.as_bytes()).is_some()))
    };
    // Without a word to tell it by, “the agent” is the only one.
    let all = claim.wide || claim.values.is_empty();
    let asked: Vec<&(usize, &Facts<'_>)> = agents.iter().filter(|(call, _)| all || about(*call)).collect();
    let late = asked.iter().find(|(_, f)| late(f));
    match late {
        Some((call, facts)) if claim.wide || asked.len() == 1 => {
            Support::Not(facts.ended().unwrap_or_default(), Some(*call))
        }
        Some(_) => Support::Leave,
        None => asked.last().map_or(Support::Leave, |(call, _)| Support::by(*call)),
    }
}
