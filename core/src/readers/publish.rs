//! “Committed and pushed.” “Opened PR 31.” “I've refunded the order.” “The deployment was rolled out.”
//!
//! # Reads
//! Something committed, pushed, merged, deployed, published, uploaded, booked, ordered, refunded, transferred, scheduled,
//! rescheduled, cancelled, archived, posted, or a record that a service keeps added, updated or saved: by the agent, or
//! in a passive whose subject is definite.
//!
//! # Checks
//! A call did it or may have done it, here or in an earlier turn, or an acting call's output tells of it. A passive is also
//! supported by any output or message that tells of the state. Where a call for the very thing that the clause names
//! failed, another thing's success does not support it.
//!
//! # Leaves alone
//! Verbs without a thing that they are done to, labels, states in tables, edits of code, notes that the reply itself holds.
use super::prelude::*;
use super::said::{is_open, said, Said, VERBS};
use super::voice::Voice;
use crate::evidence::deeds::waits;
use crate::evidence::facts::Facts;
use crate::evidence::looks::{self, Work};
use crate::evidence::roles::Role;

pub(super) const FORM: Form =
    Form { reader: "publish", reads: Reads::Phrases(PHRASES, read), check, asks: nothing_more };

/// The verbs, and two ways to tell a deed without one.
const PHRASES: &[&str] = &[VERBS[0], "is|are now on|in your calendar", "is|are now live", "new ..6 is|are live"];

/// The verbless forms: “the dinner is now on your calendar”, “the new page is live”.
fn read_state(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let at = found.tokens.end - 1;
    let old = reading.mentions(clause, &["already", "former", "old", "previous", "still", "when"]);
    if !reading.asserts(clause, at) || old || super::voice::outside(reading, clause) {
        return;
    }
    let (deed, name) = if found.phrase == 1 { (Deed::Schedule, "") } else { (Deed::Deploy, "weak") };
    if !super::said::letter(reading) {
        reading.claim(index, Found { deed: Some(deed), name: name.to_string(), wide: true, ..Found::default() });
    }
}

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    if found.phrase > 0 {
        return read_state(reading, index, found);
    }
    let clause = reading.clause(index);
    let Some(Said { deed, voice, loose, weak, inline, .. }) = said(reading, clause, found.tokens.start) else { return };
    // What a block or a colon brings may be the thing itself.
    let brings = reading.token(clause.tokens.end).is_some_and(|t| t.text == ":")
        || !reading.prose.fences.is_empty()
        || addresses(reading, clause);
    if inline && brings {
        return;
    }
    let own = voice == Voice::Own;
    let stems = if own { &[][..] } else { deed.told() };
    let needles: Vec<_> = stems.iter().filter_map(|stem| reading.want(Scope::Told, stem)).collect();
    // A hook or a background notice may say that it was done.
    let others = deed.done().iter().filter_map(|word| reading.want(Scope::Given, word)).collect();
    let name = match (weak, inline) {
        (true, _) => "weak",
        (_, true) => "inline",
        _ => "",
    };
    reading.claim(
        index,
        Found {
            deed: Some(deed),
            name: name.to_string(),
            values: names(reading, clause),
            needles,
            others,
            wide: own,
            keyed: loose || is_open(reading),
            ..Found::default()
        },
    );
}

/// Whether another paragraph at the start of the reply addresses somebody, as the text of a message does.
fn addresses(reading: &Reading<'_, '_>, clause: &Clause) -> bool {
    let first = |c: &Clause| reading.word(c.tokens.start);
    let mut others = reading.prose.clauses.iter().take(40).filter(|c| c.block != clause.block);
    others.any(|c| matches!(first(c), "dear" | "hello" | "hey" | "hi") && c.tokens.start == c.sentence.start)
}

/// What the sentence names by a key with digits: an order, a ticket, an event.
fn names(reading: &Reading<'_, '_>, clause: &Clause) -> Vec<String> {
    let around = reading.around(clause);
    let money = |i: usize| reading.token(i).is_some_and(|t| matches!(t.text.as_ref(), "$" | "€" | "£"));
    let key = |text: &str| {
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        let letters = text.bytes().any(|b| b.is_ascii_alphabetic());
        let one = !text.contains([':', '/', ' ', '.', ',']);
        one && ((digits >= 2 && letters && text.len() >= 4) || (digits >= 5 && !text.contains('-')))
    };
    around
        .filter(|&i| i == 0 || !money(i - 1))
        .filter_map(|i| reading.token(i))
        .filter(|t| matches!(t.kind, TokenKind::Word | TokenKind::Number | TokenKind::Code))
        .map(|t| t.text.trim_start_matches('#').to_lowercase())
        .filter(|t| key(t))
        .take(4)
        .collect()
}

/// The argument of a call that is one of the names: its key and which name.
fn named<'f>(facts: &'f Facts<'_>, names: &'f [String]) -> Option<(&'f str, &'f str)> {
    let same = |value: &serde_json::Value, name: &&String| {
        value.as_str().is_some_and(|text| text.trim_start_matches('#').eq_ignore_ascii_case(name))
    };
    let map = facts.call.arguments.as_object()?;
    map.iter().find_map(|(key, value)| {
        let name = names.iter().find(|name| same(value, name))?;
        Some((key.as_str(), name.as_str()))
    })
}

fn failed(facts: &Facts<'_>) -> bool {
    !facts.succeeded || facts.refuses
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let Some(deed) = claim.deed else { return Support::Leave };
    let tried = || view.tried(deed).take(64);
    let refused = tried().filter(|(_, f)| failed(f)).find_map(|(c, f)| Some((c, f, named(f, &claim.values)?)));
    if let Some((call, facts, (key, name))) = refused {
        let able = |f: &Facts<'_>| f.may_have_done(deed);
        // Only a call for another one, by the same argument, is known not to have done it for this one.
        let for_another = |f: &Facts<'_>| {
            let value = f.call.arguments.get(key).and_then(serde_json::Value::as_str);
            f.deeds.names(deed) && value.is_some() && named(f, &claim.values).is_none()
        };
        let other = view.calls().rev().filter(|(_, f)| able(f)).take(256).any(|(_, f)| !for_another(f));
        if !other && tried().any(|(_, f)| able(f)) {
            if let Some(shows) = reached(claim, view, deed, call) {
                return Support::by(shows);
            }
            let reason = format!("no {} of {name} in this turn succeeded; {}", deed.noun(), facts.ending());
            return Support::Not(reason, Some(call));
        }
    }
    if let Some(call) = view.did(deed) {
        return waiting(claim, view, deed).unwrap_or_else(|| Support::by(call));
    }
    if let Some(call) = view.told(deed) {
        return Support::by(call);
    }
    // A tool for such things that failed, where none is for this one.
    let limited = |f: &Facts<'_>| failed(f) && f.commands.is_empty() && f.deeds.limits() && f.deeds.could(deed);
    let other = || view.calls().rev().filter(|(_, f)| limited(f)).find(|(_, f)| f.role == Role::Unknown);
    let near = tried().next().or_else(other);
    if let (None, true) = (near, claim.keyed) {
        let words = ["gh", "glab", "browser", "curl", "open", "jira"];
        let command =
            |f: &Facts<'_>| f.commands.iter().any(|c| c.words.first().is_some_and(|w| words.contains(&w.as_str())));
        let looks =
            |f: &Facts<'_>| f.ran() && (matches!(f.role, Role::Fetch | Role::Look | Role::Search) || command(f));
        if let Some((call, _)) = view.calls().rev().find(|(_, f)| looks(f)) {
            return Support::by(call);
        }
    }
    if let Some(call) = half_done(view, deed) {
        return Support::by(call);
    }
    if let Some(hit) = claim.others.iter().filter_map(|&id| view.hit(id)).find(|hit| hit.call.is_none()) {
        return Support::at(hit);
    }
    // A passive may tell of a state that was there before.
    let sound = |hit: &crate::evidence::index::Hit| hit.call.is_none_or(|call| !failed(view.facts(call)));
    let shown = || claim.needles.iter().filter_map(|&id| view.hit(id)).find(sound);
    let Some((call, facts)) = near else { return absent(claim, view, deed) };
    if let Some(hit) = if claim.wide { None } else { shown() } {
        return Support::at(hit);
    }
    if let Some(shows) = reached(claim, view, deed, call) {
        return Support::by(shows);
    }
    Support::Not(format!("no {} in this turn succeeded; {}", deed.noun(), facts.ending()), Some(call))
}

/// The call that shows that the deed was done although the call for it did not end well.
fn reached(claim: &Found, view: &View<'_, '_>, deed: Deed, call: usize) -> Option<usize> {
    let work = Work { stems: deed.told(), says: deed.done(), marks: &claim.values };
    looks::reached(view, call, work, !claim.wide)
}

/// Every call that did it says that somebody has to confirm it first.
fn waiting(claim: &Found, view: &View<'_, '_>, deed: Deed) -> Option<Support> {
    let asks = matches!(deed, Deed::Transfer | Deed::Order | Deed::Book | Deed::Refund | Deed::Cancel | Deed::Release);
    if claim.keyed || !asks {
        return None;
    }
    let mut state = None;
    for (call, facts) in view.calls().rev().take(64).filter(|(_, f)| f.may_have_done(deed)) {
        let waits = facts.call.output.as_deref().filter(|_| facts.deeds.names(deed)).and_then(waits)?;
        state = state.or(Some((call, waits)));
    }
    let (call, words) = state?;
    Some(Support::Against(format!("the output says {words}"), call, None))
}

/// A call that failed may have done it before: a line of several commands, a script, a call that was stopped.
fn half_done(view: &View<'_, '_>, deed: Deed) -> Option<usize> {
    let half = |f: &Facts<'_>| {
        let last = f.last_deeds();
        let earlier = f.commands.len() > 1 && !last.names(deed);
        let tool = f.commands.is_empty() && f.deeds.limits();
        let script = !(f.deeds.names(deed) || tool);
        earlier || script || f.call.status == crate::record::Status::Background
    };
    let able = |f: &Facts<'_>| f.ran() && !f.refuses && f.deeds.could(deed);
    view.calls().rev().filter(|(_, f)| able(f)).take(256).find(|(_, f)| half(f)).map(|(call, _)| call)
}

/// Nothing was tried. A passive may tell of a state that some output or message shows.
fn absent(claim: &Found, view: &View<'_, '_>, deed: Deed) -> Support {
    if claim.name == "weak" {
        return Support::Leave;
    }
    if !claim.wide {
        if let Some(hit) = claim.needles.iter().find_map(|&id| view.hit(id)) {
            return Support::at(hit);
        }
        // Outputs tell of a state in codes and tongues of their own.
        if view.calls().any(|(_, f)| f.ran() && f.call.output.is_some()) {
            return Support::Leave;
        }
    }
    if claim.name == "inline" && view.now().end == 0 {
        return Support::Leave;
    }
    Support::Not(format!("no {} in this turn succeeded", deed.noun()), None)
}
