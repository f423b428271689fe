//! “The notification was posted.” “Triggered a desktop notification.” “Emailed the report to Ana.”
//!
//! # Reads
//! A notification, message, alert, mail or reminder said to have been shown or sent: by the agent, or in a passive whose
//! subject is definite.
//!
//! # Checks
//! A notify call succeeded, or a command or unknown tool that may have sent it; or outputs tell of the thing and of its
//! being sent.
//!
//! # Leaves alone
//! Error and commit messages, what a program or somebody else sends, what code tells its own parts, names of tests, plans,
//! offers.
use super::prelude::*;
use super::said::flows;
use super::voice::{found_out, voice, Voice, AFTER_NOUN};
use crate::evidence::looks;
use crate::evidence::lookup::Hit;
use crate::evidence::roles::Role;
use crate::prose::lexicon;

pub(super) const FORM: Form =
    Form { reader: "notification", reads: Reads::Phrases(PHRASES, read), check, asks: nothing_more };

const PHRASES: &[&str] = &[
    "notification|notifications|alert|email|e-mail|mail|reminder|banner|sms ..8 displayed|posted|sent|triggered|delivered|shown|emailed",
    "message|messages ..8 sent|delivered|posted",
    "triggered|sent|posted|delivered|displayed|issued a|an|the|your|one|out|you .. notification|alert|email|e-mail|mail|reminder|banner|sms",
    "sent|posted|delivered a|an|the|your|you|her|him|them .. message",
    "emailed|messaged|notified|texted the|you|your|him|her|them",
    "emailed|messaged|notified|texted *",
    "informed|alerted the|him|her|them",
    "was|were|been emailed|messaged|notified|texted",
];

/// The first phrase whose verb has the person as its object, the one that names somebody, and the passive of such verbs.
const TO_PERSON: usize = 4;
const TO_NAME: usize = 5;
const PERSON_WAS: usize = 7;

/// Words that make the thing another one than a message to somebody.
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "commit", "component", "error", "event", "exception", "function", "handler", "log", "reminders", "template",
    "toast", "warning",
];

/// Words for where such a thing is only displayed.
const SCREENS: &[&str] = &["browser", "component", "page", "playwright", "screen", "story", "test", "tests", "ui"];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let passive = found.phrase < 2 || found.phrase == PERSON_WAS;
    let verb = if passive { found.tokens.end - 1 } else { found.tokens.start };
    let near = clause.tokens.start.max(found.tokens.start.saturating_sub(2))..found.tokens.end;
    if !reading.asserts(clause, verb) || near.clone().any(|i| OTHERS.contains(&reading.word(i))) {
        return;
    }
    let arrow = flows(reading, clause, verb);
    let told = match voice(reading, clause, verb) {
        Voice::Own => !passive && head(reading, clause, found),
        Voice::Passive(_) if found.phrase == PERSON_WAS => true,
        Voice::Passive(subject) => passive && subject.contains(&found.tokens.start),
        Voice::Bare(subject) => passive && !arrow && subject.contains(&found.tokens.start),
        Voice::Other => false,
    };
    if told && in_code(reading, clause, verb) {
        return;
    }
    // What a page or a test shows was not sent to anybody.
    let screen = passive && matches!(reading.word(found.tokens.start), "alert" | "banner" | "notification");
    if !told || (screen && on_a_screen(reading, clause)) {
        return;
    }
    let noun = if found.phrase >= TO_PERSON {
        reading.word(verb)
    } else if passive {
        reading.word(found.tokens.start)
    } else {
        reading.word(found.tokens.end - 1)
    };
    let needles = reading.want(Scope::Told, stem(noun)).into_iter().collect();
    let done =
        [reading.word(verb), "sent", "deliver", "posted", "queued", "delivrd", "firing", "notified", "inbox", "dialog"];
    let others = done.iter().filter_map(|f| reading.want(Scope::Told, f)).collect();
    let keyed = passive && found_out(reading, clause);
    reading.claim(index, Found { name: noun.to_string(), needles, others, wide: passive, keyed, ..Found::default() });
}

/// What is told, notified or alerted in code, and what does so there.
#[rustfmt::skip]
const IN_CODE: &[&str] = &[
    "borrow", "callback", "callbacks", "class", "compiler", "component", "dialog", "getter", "handler", "handlers",
    "hook", "linter", "listener", "listeners", "method", "mock", "mocked", "modal", "module", "observer", "observers",
    "optimizer", "parent", "parser", "scheduler", "script", "setter", "snackbar", "store", "stub", "subscriber",
    "subscribers", "timer", "toast", "typechecker", "watcher", "watchers",
];

/// Whether the clause tells of code that does so: of its parts, of a test, of what happens “when …”, or of names for a state.
fn in_code(reading: &Reading<'_, '_>, clause: &Clause, verb: usize) -> bool {
    let mark = |i: usize, text: &str| reading.token(i).is_some_and(|t| t.text == text);
    let when = |i: usize| matches!(reading.word(i), "if" | "when" | "whenever");
    clause.tokens.clone().any(|i| lexicon::has(IN_CODE, reading.word(i)))
        || (verb..clause.tokens.end).any(when)
        || mark(verb + 1, "=")
        || under_tests(reading, clause)
}

/// Whether the words before a list, or before a colon, name tests: “New tests: …”.
fn under_tests(reading: &Reading<'_, '_>, clause: &Clause) -> bool {
    let at = reading.prose.clauses.partition_point(|c| c.tokens.start < clause.tokens.start);
    let before = reading.prose.clauses.get(at.saturating_sub(12)..at).unwrap_or(&[]);
    let lead = before.iter().rev().find(|c| c.place != Place::Item);
    let tests = |i: usize| matches!(reading.word(i), "cases" | "specs" | "tests" | "scenarios");
    let colon = |i: usize| reading.token(i).is_some_and(|t| t.text == ":");
    let own = clause.tokens.clone().find(|&i| colon(i)).map_or(clause.tokens.start, |i| i);
    if (clause.tokens.start..own).any(tests) {
        return true;
    }
    clause.place == Place::Item && lead.is_some_and(|c| c.tokens.clone().any(tests))
}

/// Whether the clause says that it was in a test or on a page.
fn on_a_screen(reading: &Reading<'_, '_>, clause: &Clause) -> bool {
    let place = |i: usize| matches!(reading.word_before(clause, i), "in" | "on" | "during");
    let mut screens = clause.tokens.clone().filter(|&i| SCREENS.contains(&reading.word(i)));
    screens.any(|i| place(i) || (i > clause.tokens.start && reading.word(i - 1) == "the" && place(i - 1)))
}

/// The part of a noun that its verb and its plural share.
fn stem(noun: &str) -> &str {
    match noun {
        "email" | "emailed" | "emails" | "e-mail" | "mail" => "mail",
        "reminder" | "reminders" => "remind",
        "notification" | "notifications" | "notified" => "notif",
        "alerted" | "informed" | "messaged" | "texted" => noun.trim_end_matches("ed"),
        _ => noun.trim_end_matches('s'),
    }
}

/// Whether the noun behind an active verb is the thing that was sent: “the email”, not “the email template”.
fn head(reading: &Reading<'_, '_>, clause: &Clause, found: &Match) -> bool {
    let last = found.tokens.end - 1;
    if found.phrase == TO_NAME {
        // A name: “emailed Ana”, not “emailed receipts”.
        let token = reading.token(last).filter(|t| t.kind == TokenKind::Word);
        return token.is_some_and(|t| t.span.of(reading.prose.source).starts_with(char::is_uppercase));
    }
    if found.phrase >= TO_PERSON {
        return true;
    }
    let Some(next) = reading.token(found.tokens.end).filter(|_| found.tokens.end < clause.tokens.end) else {
        return true;
    };
    next.kind != TokenKind::Word || AFTER_NOUN.contains(&next.text.as_ref())
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    if let Some(call) = view.doer(Act::Notify) {
        return Support::by(call);
    }
    let noun = claim.needles.iter().find_map(|&id| view.hit(id));
    let done = claim.others.iter().find_map(|&id| view.hit(id));
    if let (Some(_), Some(hit)) = (noun, done) {
        return Support::at(hit);
    }
    // A passive may tell of a state that a look showed in other words.
    let shown = |hit: &Hit| {
        let looks =
            |call: usize| matches!(view.facts(call).role, Role::Look | Role::Fetch | Role::Command | Role::Search);
        hit.call.is_some_and(|call| looks(call) && view.now().contains(&call))
    };
    let state = done.or(noun.filter(|_| claim.name == "banner")).filter(shown);
    if let (Some(hit), true) = (state, claim.wide) {
        return Support::at(hit);
    }
    if claim.keyed && view.calls().any(|(_, f)| f.succeeded && looks::looks(f)) {
        return Support::Leave;
    }
    // A script that failed may have sent it before, and a call that was stopped may have got so far.
    let may = view
        .calls()
        .rev()
        .find(|(_, f)| f.ran() && f.acts.could(Act::Notify) && (f.stopped() || !f.commands.is_empty()));
    if let Some((call, _)) = may {
        return Support::by(call);
    }
    let near = view.calls().rev().find(|(_, f)| f.acts.names(Act::Notify)).map(|(call, _)| call);
    if let Some(look) = near.and_then(|call| looks::open_and_looked(view, call)) {
        return Support::by(look);
    }
    Support::Not("no notification call in this turn succeeded".to_string(), near)
}
