//! “Agreed in entry 41.” “See entries 27 and 28.”
//!
//! # Reads
//! Entries of the conversation cited by their numbers, as the record line `cited` reads them.
//!
//! # Checks
//! The conversation holds entries of these numbers; what they say is not looked at.
//!
//! # Leaves alone
//! A clause that says itself that an entry is missing, plans and questions, entries that are being written (“saved as entry
//! 31”), and those of something else: of a list, a file, a log, or as an output names them. “According to entry 7” may tell
//! of whatever a call showed.
use super::prelude::*;
use crate::cited;

pub(super) const FORM: Form = Form { reader: "cited", reads: Reads::Reply(read), check, asks: nothing_more };

/// Words with which a clause says that there is no such entry.
#[rustfmt::skip]
const MISSING: &[&str] = &[
    "absent", "beyond", "cannot", "doesn't", "empty", "exist", "exists", "invalid", "isn't", "lacks", "missing", "no",
    "nonexistent", "not", "unknown", "without", "wrong",
];

/// Words that make the entry one of something else than the conversation, or one that is only being made.
#[rustfmt::skip]
const ELSE: &[&str] = &[
    "added", "appended", "array", "catalog", "changelog", "column", "config", "configuration", "created", "csv", "database", "dictionary",
    "file", "glossary", "index", "inserted", "journal", "json", "ledger", "list", "log", "logs", "manifest", "map", "new", "registry",
    "row", "saved", "stored", "table", "wrote", "yaml",
];

/// The most numbers of one reply that are looked at, as in the record line.
const MOST: usize = 100;

fn read(reading: &mut Reading<'_, '_>) {
    let mut read = 0;
    for (index, clause) in reading.claims() {
        if read >= MOST || reading.full() {
            return;
        }
        let text = clause.span.of(reading.prose.source);
        let (numbers, _) = cited::read(text);
        if numbers.is_empty() {
            continue;
        }
        read += numbers.len();
        let at = clause.tokens.clone().find(|&i| matches!(reading.word(i), "entry" | "entries"));
        let told = |at: usize| match reading.prose.governed(clause, at) {
            Stance::Asserts => true,
            // “According to entry 7” cites it, whoever told it there, and so does what the sentence goes on to cite.
            Stance::Quotes => by_entry(reading, clause),
            // “see entry 7” cites, whatever it asks for.
            Stance::Instructs => matches!(reading.word_before(clause, at), "see" | "in" | "also"),
            _ => false,
        };
        let Some(at) = at.filter(|&at| told(at) && !of_a_thing(reading, clause, at)) else { continue };
        if reading.mentions(clause, MISSING) || reading.mentions(clause, ELSE) {
            continue;
        }
        let values = numbers.iter().map(ToString::to_string).collect();
        let texts = numbers.iter().map(|n| format!("entry {n}"));
        let needles = texts.filter_map(|text| reading.want(Scope::Told, &text)).collect();
        let keyed = !is_plain(reading, clause, at);
        let name = if keyed { sentence(reading, clause).to_string() } else { String::new() };
        reading.claim(index, Found { name, values, needles, keyed, ..Found::default() });
    }
}

/// The sentence of a clause as it stands in the reply, cut where it is long.
fn sentence<'p>(reading: &Reading<'p, '_>, clause: &Clause) -> &'p str {
    let place = |i: usize| reading.token(i).map(|t| t.span);
    let around = reading.around(clause);
    let (first, last) = (place(around.start), around.end.checked_sub(1).and_then(place));
    let text = first.zip(last).and_then(|(a, b)| reading.prose.source.get(a.start..b.end)).unwrap_or("");
    crate::text::head(text, 400)
}

/// Whether the entry is one of a thing that stands beside it: “the FAQ entry 7”, “entry 7 of the minutes”, “entry 7 in
/// `notes.txt`”, “entry 7 (Vogel)”.
fn of_a_thing(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    let before = reading.word_before(clause, at);
    let token = at.checked_sub(1).filter(|&i| i >= clause.tokens.start).and_then(|i| reading.token(i));
    let word = token.is_some_and(|t| !matches!(t.kind, TokenKind::Mark | TokenKind::Arrow));
    if word && !LINKS.contains(&before) {
        return true;
    }
    let listed = |i: usize| {
        reading.token(i).is_some_and(|t| match t.kind {
            TokenKind::Number => true,
            TokenKind::Word => matches!(t.text.as_ref(), "and" | "or" | "to" | "through"),
            _ => matches!(t.text.as_ref(), "-" | "–" | "—" | "&" | "#" | ","),
        })
    };
    let next = (at + 1..clause.tokens.end).find(|&i| !listed(i)).unwrap_or(clause.tokens.end);
    let behind = reading.token(next).filter(|_| next < clause.tokens.end);
    behind.is_some_and(|t| match t.kind {
        TokenKind::Word => matches!(t.text.as_ref(), "at" | "from" | "in" | "of" | "on"),
        TokenKind::Code => true,
        _ => t.text == "(",
    })
}

/// Words between which and the conversation's entry nothing else is named.
const LINKS: &[&str] = &["also", "and", "as", "by", "from", "in", "or", "per", "see", "to", "under"];

/// Whether the wording cites the conversation whatever was looked at: “(entry 7)” behind what it bears out, “as entry 7
/// says”, “see entry 7”, “agreed in entry 7”.
fn is_plain(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    let mark = |i: usize, text: &str| reading.token(i).is_some_and(|t| t.kind == TokenKind::Mark && t.text == text);
    if at > clause.tokens.start && mark(at - 1, "(") {
        let close = (at..clause.tokens.end).find(|&i| mark(i, ")"));
        // “The audit trail (entry 7) shows it.”
        return close.is_none_or(|i| {
            i + 1 >= clause.tokens.end || reading.token(i + 1).is_some_and(|t| t.kind == TokenKind::Mark)
        });
    }
    let words = |n: usize| at.checked_sub(n).filter(|&i| i >= clause.tokens.start).map_or("", |i| reading.word(i));
    match words(1) {
        "also" | "as" | "see" => true,
        "in" => matches!(words(2), "also" | "as" | "said" | "see" | "told") || words(2).ends_with("ed"),
        _ => false,
    }
}

/// Whether what the sentence tells is told after an entry of the conversation, and not after a file or a person.
fn by_entry(reading: &Reading<'_, '_>, clause: &Clause) -> bool {
    reading.sentence(clause).windows(3).any(|w| {
        let [according, to, entry] = w else { return false };
        according.text == "according" && to.text == "to" && matches!(entry.text.as_ref(), "entry" | "entries")
    })
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let Some(entries) = &view.turn.entries else { return Support::Leave };
    // What a call showed may have entries of its own: a guest book, a dictionary, a log.
    let shows = || view.calls().any(|(_, f)| f.ran() && f.call.output.as_deref().is_none_or(|o| !o.trim().is_empty()));
    let mut missing = Vec::new();
    for (value, &needle) in claim.values.iter().zip(&claim.needles) {
        let held = value.parse().is_ok_and(|n: u64| entries.contains(&n));
        if !held && view.hit(needle).is_none() {
            missing.push(value.as_str());
        }
    }
    match missing.as_slice() {
        [] => Support::By(None, None),
        // “According to entry 3 …, and entries 44-46 hold …”, of which the conversation holds the one, speaks of it.
        _ if claim.keyed && !cited::read(&claim.name).0.iter().any(|n| entries.contains(n)) && shows() => {
            Support::Leave
        }
        [one] => Support::Not(format!("entry {one} is not in this conversation"), None),
        [first, .., last] => {
            let reason = format!("entries {first} to {last} are not in this conversation");
            let joined = missing.join(", ");
            let reason =
                if joined.len() <= 40 { format!("entries {joined} are not in this conversation") } else { reason };
            Support::Not(reason, None)
        }
    }
}
