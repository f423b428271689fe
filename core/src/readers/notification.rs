//! “The notification was posted.” “Triggered a desktop notification.” “Emailed the report to Ana.”
//!
//! # Reads
//! A notification, message, alert, mail or reminder said to have been shown or sent.
//!
//! # Checks
//! A notify call succeeded, or a command or unknown tool that may have sent it; or an output tells that it was sent.
//!
//! # Leaves alone
//! Error and commit messages, what a program shows, plans, offers.
use super::prelude::*;

pub(super) const FORM: Form = Form { reader: "notification", reads: Reads::Phrases(PHRASES, read), check };

const PHRASES: &[&str] = &[
    "notification|notifications|alert|email|e-mail|mail|reminder|banner|sms ..8 displayed|posted|sent|triggered|delivered|shown|emailed",
    "message|messages ..8 sent|delivered|posted",
    "triggered|sent|posted|delivered|displayed|issued a|an|the|your|one|out|you .. notification|alert|email|e-mail|mail|reminder|banner|sms",
    "sent|posted|delivered a|an|the|your|you|her|him|them .. message",
    "emailed|messaged|notified|texted the|you|your|him|her|them|*",
];

/// Words that make the thing another one than a message to somebody.
const OTHERS: &[&str] = &["commit", "error", "log", "warning", "exception", "template", "toast", "handler", "component", "function"];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let verb = if found.phrase < 2 { found.tokens.end - 1 } else { found.tokens.start };
    let before = reading.word_before(clause, verb);
    if !reading.asserts(clause, verb) || matches!(before, "is" | "are" | "be" | "being" | "to" | "gets") {
        return;
    }
    let near = clause.tokens.start.max(found.tokens.start.saturating_sub(2))..found.tokens.end;
    if near.clone().any(|i| OTHERS.contains(&reading.word(i))) {
        return;
    }
    let verb_word = reading.word(verb).to_string();
    let noun = if found.phrase < 2 { reading.word(found.tokens.start) } else { reading.word(found.tokens.end - 1) };
    let forms = [format!("{noun} {verb_word}"), format!("{verb_word} {noun}"), format!("{noun} was {verb_word}"), format!("{noun} has been {verb_word}")];
    let needles = forms.iter().filter_map(|f| reading.want(Scope::Told, f)).collect();
    reading.claim(index, Found { needles, ..Found::default() });
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    if let Some(call) = view.doer(Act::Notify) {
        return Support::by(call);
    }
    if let Some(hit) = claim.needles.iter().find_map(|&id| view.hit(id)) {
        return Support::at(hit);
    }
    let near = view.calls().rev().find(|(_, f)| f.acts.names(Act::Notify)).map(|(call, _)| call);
    Support::Not("no notification call in this turn succeeded".to_string(), near)
}
