//! Words that leave a reading of an address open where a proof of read would judge it: they put it into another time, only
//! tell that it was said, or make something beside the page the thing that was read.

use super::super::prelude::*;
use crate::prose::lexicon::{self, en};
use core::ops::Range;

/// Words that put a reading into another turn.
#[rustfmt::skip]
const OTHER_TIMES: &[&str] = &[
    "above", "ago", "already", "april", "august", "beginning", "december", "earlier", "february", "formerly", "friday", "had",
    "initially", "january", "july", "june", "last", "monday", "month", "morning", "november", "october", "once", "originally", "past",
    "previous", "previously", "prior", "saturday", "september", "sunday", "thursday", "tuesday", "wednesday", "week", "when",
    "yesterday",
];

/// Words that may stand before the verb of a plain claim of this turn. Any other may put it into another time, or into the mouth
/// of somebody else: “I said that I read …”, “In step one I read …”.
#[rustfmt::skip]
const BEFORE: &[&str] = &[
    "actually", "also", "and", "asked", "carefully", "done", "finally", "first", "fully", "have", "i", "i've", "just", "now", "ok", "okay",
    "requested", "so", "successfully", "sure", "then", "we", "we've", "yes",
];

/// Words that may stand behind its address: “… and found nothing”, “… to answer”.
#[rustfmt::skip]
const BEHIND: &[&str] = &[
    "and", "before", "carefully", "completely", "directly", "for", "fully", "just", "now", "successfully", "thoroughly", "to", "twice", "using",
];

/// Marks behind an address, after which a word may take the claim back.
const TURNS: &[&str] = &["-", "–", "—", ":"];
const NO: &[&str] = &["failed", "never", "no", "none", "nope", "not"];

/// Words anywhere in the sentence that take it back.
const UNTRUE: &[&str] = &["false", "incorrect", "lie", "mistaken", "untrue", "wrong"];

/// Words behind the address that tell of what was handed over, of other agents, or that nothing came.
#[rustfmt::skip]
const OTHERWISE: &[&str] = &[
    "agent", "agent's", "blank", "broken", "cached", "copied", "copy", "down", "empty", "excerpt", "failed", "fails", "help", "load",
    "loaded", "offline", "paste", "pasted", "quoted", "timed", "you", "your",
];

/// Words, and pairs of them, that take a claim back soon behind its sentence: “I read it. Just kidding.”, “That was yesterday.”
const BACK: &[&str] = &["correction", "couldn't", "didn't", "false", "kidding", "scratch", "untrue", "wrong"];
#[rustfmt::skip]
const BACK_PAIRS: &[(&str, &str)] = &[
    ("could", "not"), ("did", "not"), ("not", "in"), ("not", "true"), ("that", "is"), ("that", "was"), ("this", "sentence"),
];
/// So near.
const SOON: usize = 24;

/// Words between the verb and an address which say that something else was read.
#[rustfmt::skip]
const ASIDE: &[&str] = &[
    "about", "address", "apart", "aside", "beside", "besides", "but", "concerning", "except", "excluding", "link", "message", "prompt",
    "question", "regarding", "request", "string", "task", "than", "tool", "tools", "url", "without", "word", "your",
];

/// The first such word of the sentence around the verb whose first and last words stand at `verb`.
///
/// `fails` says that the page is told not to have been there, which is what the proof says, too.
pub(super) fn doubts(reading: &Reading<'_, '_>, clause: &Clause, verb: &Range<usize>, fails: bool) -> Vec<String> {
    let text = |i: usize| reading.token(i).map_or("", |token| token.text.as_ref());
    let around = reading.around(clause);
    // What stands in a list, or behind a colon, is said by what leads to it.
    if fails || clause.place != Place::Paragraph || around.start.checked_sub(1).is_some_and(|i| text(i) == ":") {
        return Vec::from([":".to_string()]);
    }
    let named = |i: &usize| text(*i).contains("://");
    let Some(name) = (verb.end..around.end).find(named) else { return Vec::new() };
    let last = (name..around.end).take_while(|i| named(i) || matches!(text(*i), "," | "and")).filter(named).last();
    let last = last.unwrap_or(name);
    let turns = turns(reading, verb, last);
    let doubts = |i: &usize| {
        let (i, word) = (*i, reading.word(*i));
        let before = i < verb.start && !word.is_empty() && !BEFORE.contains(&word);
        let aside = verb.end <= i && i < name && ASIDE.contains(&word);
        let behind = i > last && (OTHERWISE.contains(&word) || (turns && i == last + 1));
        before || aside || behind || UNTRUE.contains(&word) || of_another_time(reading, i)
    };
    let soon = around.end..around.end + SOON;
    let back = |i: &usize| {
        let pair = (reading.word(*i), reading.word(*i + 1));
        BACK.contains(&pair.0) || BACK_PAIRS.contains(&pair)
    };
    around.filter(doubts).chain(soon.filter(back)).take(1).map(|i| text(i).to_string()).collect()
}

/// Whether what stands right behind an address is more than the end of a plain claim, or than what the agent then did.
fn turns(reading: &Reading<'_, '_>, verb: &Range<usize>, last: usize) -> bool {
    let text = |i: usize| reading.token(i).map_or("", |token| token.text.as_ref());
    let after = matches!(reading.word(verb.start), "after" | "by" | "from" | "having" | "on" | "upon");
    let (word, next) = (reading.word(last + 1), reading.word(last + 2));
    match text(last + 1) {
        "," if after => !matches!(next, "i" | "i've" | "we" | "we've"),
        "," => !matches!(next, "and" | "then"),
        "(" | "[" => true,
        mark if TURNS.contains(&mark) => NO.contains(&next),
        other => other.starts_with(['\'', '’']) || !(word.is_empty() || BEHIND.contains(&word)),
    }
}

/// Whether a word puts a reading into another turn: “Earlier I read …”, “I read it before.”, “… in 2024.”
fn of_another_time(reading: &Reading<'_, '_>, at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |i| reading.word(i));
    match reading.word(at) {
        // What was done before answering was done in this turn.
        "before" => !reading.word(at + 1).ends_with("ing"),
        "back" | "message" | "messages" | "turn" | "turns" => before != "this",
        "start" => before == "the",
        "may" => {
            reading.token(at + 1).is_some_and(is_number)
                || at.checked_sub(1).and_then(|i| reading.token(i)).is_some_and(is_number)
        }
        "" => reading.token(at).is_some_and(is_year),
        word => OTHER_TIMES.contains(&word) || reading.token(at).is_some_and(is_year),
    }
}

fn is_number(token: &Token<'_>) -> bool {
    !token.text.is_empty() && token.text.bytes().all(|b| b.is_ascii_digit())
}

fn is_year(token: &Token<'_>) -> bool {
    is_number(token) && token.text.len() == 4 && (token.text.starts_with("19") || token.text.starts_with("20"))
}

/// Whether the words behind “after reading …” tell what is still to be done: “After reading it, I will …”, “… you can …”,
/// “…, report the value.”
pub(super) fn is_plan(reading: &Reading<'_, '_>, clause: &Clause, verb: usize) -> bool {
    let plans = |i: usize| {
        let word = reading.word(i);
        let told = word == "you" && reading.prose.is_auxiliary(i + 1);
        let order = lexicon::has(en::BASE, word)
            && reading.token(i - 1).is_some_and(|token| token.kind == TokenKind::Mark && token.text == ",");
        told || order || lexicon::has(en::MODALS, word) || (word == "going" && reading.word(i + 1) == "to")
    };
    (verb + 1..reading.around(clause).end).any(plans)
}
