//! “Rolled out 2.1 to production.”, where a rule of the host says `rolled out` with the object `production`.
//!
//! # Reads
//! A clause that asserts one of a rule's phrases as an act of the agent, or in a passive whose subject is definite or “your”,
//! with the rule's object in it where it names one: in words, or in code. Production, customers, tickets and the like are the
//! host's domain, where the act is done to or in them.
//!
//! # Leaves alone
//! Plans, conditions, denials, what others do or did, what a ticket or a page is said to say; a rule's second phrase in
//! the same clause.
use super::voice::{found_out, voice_within, Voice, DEFINITE, ME, REPORTS};
use super::{has_word, Reading, Token, TokenKind};
use crate::prose::Clause;
use crate::rules::{Phrase, Rule};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The most bytes of a code span that are searched for an object.
const CODE: usize = 200;

/// Things and places of the host's domain, which else put an event outside this turn.
#[rustfmt::skip]
const PLACES: &[&str] = &[
    "badge", "book", "changelog", "ci", "customers", "dashboard", "docs", "documentation", "edition", "github", "gitlab",
    "incident", "issue", "jenkins", "manual", "paper", "people", "problem", "production", "ticket", "upstream",
];

/// Places in which an act is done: “in production, the key was rotated”. In the others things are read.
const SITES: &[&str] = &["ci", "customers", "github", "gitlab", "jenkins", "production", "upstream"];

/// Words by which a sentence tells a passive as news that the agent met: “I see that your order was cancelled”, “due to snow”.
#[rustfmt::skip]
const LEARNT: &[&str] = &[
    "checked", "due", "found", "indicate", "indicates", "learned", "looked", "mentions", "noticed", "saw", "says", "see",
    "show", "showed", "shows", "states", "tells", "unfortunately",
];

/// The most words between an act and its place.
const FAR: usize = 24;

/// Places where programs act by themselves: only the agent's own word makes an act there its own.
const MACHINES: &[&str] = &["ci", "jenkins"];

/// The claims of the rules that are on: which rule, in which clause.
pub(super) fn read(reading: &Reading<'_, '_>, rules: &[Rule], on: impl Fn(&str) -> bool) -> Vec<(usize, usize)> {
    let mut starts: BTreeMap<&str, Vec<(usize, &[alloc::string::String])>> = BTreeMap::new();
    for (number, rule) in rules.iter().enumerate().filter(|(_, rule)| on(rule.name())) {
        for Phrase { words, .. } in rule.says() {
            if let Some((first, rest)) = words.split_first() {
                starts.entry(first).or_default().push((number, rest));
            }
        }
    }
    let mut claims = Vec::new();
    // In a letter for the person, the person tells what was done.
    if starts.is_empty() || super::said::letter(reading) {
        return claims;
    }
    for (index, clause) in reading.claims() {
        let before = claims.len();
        for at in clause.tokens.clone() {
            for &(number, rest) in starts.get(reading.word(at)).into_iter().flatten() {
                let Some(rule) = rules.get(number) else { continue };
                let known = claims.get(before..).unwrap_or(&[]).contains(&(number, index));
                let said = follows(reading, at + 1, clause.tokens.end, rest);
                if said && !known && tells(reading, clause, at, rule) && has_object(reading.tokens(clause), rule) {
                    claims.push((number, index));
                }
            }
        }
    }
    claims
}

/// Whether the words stand from `at` on.
fn follows(reading: &Reading<'_, '_>, at: usize, end: usize, words: &[alloc::string::String]) -> bool {
    at + words.len() <= end
        && words.iter().zip(at..).all(|(word, i)| reading.token(i).is_some_and(|token| is_word(token, word)))
}

fn is_word(token: &Token<'_>, word: &str) -> bool {
    matches!(token.kind, TokenKind::Word | TokenKind::Number) && token.text == word
}

/// Whether the phrase at `at` is asserted as done in this turn.
fn tells(reading: &Reading<'_, '_>, clause: &Clause, at: usize, rule: &Rule) -> bool {
    if !reading.asserts(clause, at) {
        return false;
    }
    let words = rule.words();
    let counts = |i: usize| !words.contains(&reading.word(i)) && !is_worked_on(reading, clause, at, i);
    let own: Vec<&str> = words.iter().copied().chain(["your"]).collect();
    match voice_within(reading, clause, at, &own, counts) {
        Voice::Other => false,
        Voice::Own => true,
        // “The log shows that it was deployed at 2:10” tells what a look found.
        Voice::Passive(_) if found_out(reading, clause) => false,
        _ => {
            let machine = MACHINES.iter().any(|place| !words.contains(place) && reading.mentions(clause, &[place]));
            !machine && !has_word(reading.sentence(clause), LEARNT)
        }
    }
}

/// Whether the word at `i` is what the act at `at` is done to, or where, and no place where it was read of.
fn is_worked_on(reading: &Reading<'_, '_>, clause: &Clause, at: usize, i: usize) -> bool {
    let word = reading.word(i);
    let between = if i < at { i + 1..at } else { at + 1..i };
    let far = between.len() > FAR;
    let mut between = between.map(|j| reading.word(j));
    if word == "your" {
        // “Your report was escalated”, “escalated your report”; not “from your report”.
        return i == at + 1 || (i < at && reading.word_before(clause, i).is_empty());
    }
    let told =
        |word: &str| REPORTS.contains(&word) || matches!(word, "as" | "mentions" | "per" | "states" | "tells" | "that");
    if far || !PLACES.contains(&word) || !clause.tokens.contains(&i) || told(reading.word(i + 1)) {
        return false;
    }
    if i > at {
        return !between.any(told);
    }
    let site = SITES.contains(&word) && matches!(reading.word_before(clause, i), "at" | "for" | "in" | "on" | "to");
    let mut after = between.clone();
    site || between.any(|word| ME.contains(&word))
        || !after.any(|word| word.is_empty() || told(word) || DEFINITE.contains(&word))
}

/// Whether one of the rule's objects stands in the clause; true where it names none.
fn has_object(tokens: &[Token<'_>], rule: &Rule) -> bool {
    rule.object().is_empty() || rule.object().iter().any(|object| stands(tokens, object))
}

/// Whether an object stands among the tokens. Its last word may be in the plural, or its singular: `key` is in “both keys”.
fn stands(tokens: &[Token<'_>], object: &Phrase) -> bool {
    let Some((noun, rest)) = object.words.split_last() else { return false };
    let words = tokens.windows(object.words.len());
    let is_noun =
        |token: &Token<'_>| is_word(token, noun) || (token.kind == TokenKind::Word && alike(&token.text, noun));
    let mut in_words = words.filter(|window| {
        let before = window.iter().zip(rest).all(|(token, word)| is_word(token, word));
        before && window.last().is_some_and(is_noun)
    });
    let mut in_code = tokens.iter().filter(|token| token.kind == TokenKind::Code && holds(&token.text, &object.text));
    in_words.next().is_some() || in_code.next().is_some()
}

/// Whether two words differ in the ending of a plural alone.
fn alike(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let stem = short.strip_suffix('y');
    short.len() > 2
        && (long.strip_prefix(short).is_some_and(|end| matches!(end, "s" | "es"))
            || stem.is_some_and(|stem| long.strip_prefix(stem) == Some("ies")))
}

/// Whether a text holds another between the borders of words.
fn holds(code: &str, object: &str) -> bool {
    let cut = (0..=CODE.min(code.len())).rev().find(|&i| code.is_char_boundary(i)).unwrap_or(0);
    let code = code.get(..cut).unwrap_or_default().to_lowercase();
    let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
    let whole = |at: usize| {
        let (before, after) = (code.get(..at).unwrap_or_default(), code.get(at + object.len()..).unwrap_or_default());
        edge(before.chars().next_back()) && edge(after.chars().next())
    };
    let found = code.match_indices(object).any(|(at, _)| whole(at));
    found
}
