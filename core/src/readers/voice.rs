//! Whose act a verb tells: the agent's own, something done to a subject, or somebody else's.
//!
//! A reply tells much that is nobody's claim: what a program does, what a colleague did, what a bug once caused. A verb
//! is the agent's own act where its subject is “I” or “we”, or where it has none (“Removed the file”). A passive claims
//! where its subject is definite and nothing says who else did it, when else, or where else.

mod outside;

use super::Reading;
use crate::prose::lexicon;
use crate::prose::{Clause, Place, TokenKind};
use core::ops::Range;

pub(super) use outside::{of_time, outside, outside_but, outside_where};

/// How a verb tells its act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    /// “I removed it”, “Removed the file”, “and removed it”.
    Own,
    /// “The file was removed”: the tokens of its subject.
    Passive(Range<usize>),
    /// “Scratch file removed”, closing its clause: the tokens of its subject.
    Bare(Range<usize>),
    /// Somebody else's act, a modifier (“files removed by the app”) or a state of affairs.
    Other,
}

/// Words behind which a passive tells of a state of affairs, not of what was just done.
#[rustfmt::skip]
const STATES: &[&str] = &[
    "accidentally", "according", "again", "although", "article", "because", "commit", "early", "even", "hence",
    "incorrectly", "late", "mistakenly", "not", "plot", "since", "though", "unexpectedly", "when", "whenever",
    "wrong", "wrongly", "your",
];

/// Auxiliaries that stand between a subject and a passive participle.
const PASSIVE: &[&str] = &["was", "were", "been", "got", "wasn't", "weren't"];
/// Auxiliaries of the perfect.
const PERFECT: &[&str] = &["has", "have", "having", "i've", "we've", "had"];
/// Present auxiliaries, which tell a state or a rule and no event.
const PRESENT: &[&str] = &["are", "be", "being", "gets", "is", "get"];
/// Words that join a verb to a subject named before.
const JOINTS: &[&str] = &["and", "but", "then", "also", "plus"];
/// The agent, as it speaks of itself.
pub(super) const ME: &[&str] = &["i", "i've", "we", "we've"];
/// Words that start a subject which is definite.
#[rustfmt::skip]
pub(super) const DEFINITE: &[&str] = &[
    "a", "all", "an", "both", "everything", "five", "four", "it", "my", "one", "that", "the", "these", "this", "those", "three",
    "two",
];
/// Owners of other things than the agent's.
const OWNERS: &[&str] = &["your", "their", "his", "her", "somebody", "someone", "users"];

/// Adverbs and small words between a subject and its verb.
fn passes(word: &str) -> bool {
    lexicon::has(lexicon::en::ADVERBS, word)
        || matches!(
            word,
            "duly"
                | "thus"
                | "accordingly"
                | "therefore"
                | "since"
                | "as"
                | "expected"
                | "thoroughly"
                | "extensively"
                | "systematically"
                | "individually"
                | "rigorously"
                | "repeatedly"
                | "personally"
        )
}

/// Where the stretch of words begins that ends before `at`: behind a mark, an arrow or a joining word.
fn stretch(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> (usize, bool) {
    for i in (clause.tokens.start..at).rev() {
        let Some(token) = reading.token(i) else { break };
        match token.kind {
            TokenKind::Arrow => return (i + 1, false),
            TokenKind::Mark if matches!(token.text.as_ref(), "\"" | "'" | "`" | "*" | "-" | "/" | ".") => {}
            TokenKind::Mark => return (i + 1, token.text == "," || numbers_a_part(reading, clause, i)),
            TokenKind::Word if JOINTS.contains(&token.text.as_ref()) => return (i + 1, true),
            TokenKind::Word
                if token.text == "that" && i > clause.tokens.start && REPORTS.contains(&reading.word(i - 1)) =>
            {
                return (i + 1, false);
            }
            _ => {}
        }
    }
    (clause.tokens.start, clause.tokens.start > clause.sentence.start)
}

/// Whether the mark at `at` closes the number of a part of the sentence: “The script (a) loads it, (b) saved it”.
fn numbers_a_part(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    let text = |back: usize| at.checked_sub(back).and_then(|i| reading.token(i)).map_or("", |t| t.text.as_ref());
    text(0) == ")" && text(2) == "(" && text(1).len() <= 2 && at > reading.around(clause).start + 2
}

/// Whether the sentence of a clause begins as the agent's own telling: “I …”, “Removed …”, “Finally, we …”.
fn own_sentence(reading: &Reading<'_, '_>, clause: &Clause) -> bool {
    let words = clause.sentence.clone().filter_map(|i| reading.token(i)).filter(|t| t.kind != TokenKind::Mark);
    for token in words.take(12) {
        if token.kind != TokenKind::Word {
            return false;
        }
        let word = token.text.as_ref();
        if ME.contains(&word) || lexicon::is_past(word) || word.ends_with("ing") {
            return true;
        }
        if !(passes(word)
            || JOINTS.contains(&word)
            || matches!(word, "finally" | "next" | "lastly" | "afterwards" | "so"))
        {
            return false;
        }
    }
    false
}

/// The auxiliaries and adverbs in front of a verb.
struct Group {
    /// Where the subject ends.
    end: usize,
    passive: bool,
    perfect: bool,
}

/// Reads the verb group that ends in the verb at `at`; none where it tells of the present, a state or a rule.
fn group(reading: &Reading<'_, '_>, from: usize, at: usize) -> Option<Group> {
    let mut group = Group { end: at, passive: false, perfect: false };
    while group.end > from {
        let word = reading.word(group.end - 1);
        if PRESENT.contains(&word) {
            return None;
        } else if PASSIVE.contains(&word) {
            group.passive = true;
        } else if PERFECT.contains(&word) {
            group.perfect = true;
            if ME.contains(&word) {
                break;
            }
        } else if !passes(word) {
            break;
        }
        group.end -= 1;
    }
    Some(group)
}

/// Whose act the verb at `at` tells.
pub(super) fn voice(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Voice {
    told(reading, clause, at, outside(reading, clause), &[])
}

/// The same where some words that else put an event outside this turn are what the act is done to or with: “deployed to
/// production”, “opened an issue”, “your order was cancelled”.
pub(super) fn voice_with(reading: &Reading<'_, '_>, clause: &Clause, at: usize, own: &[&str]) -> Voice {
    told(reading, clause, at, outside_but(reading, clause, own), own)
}

/// Whose act the verb at `at` tells, where only the tokens for which `counts` holds may put it outside this turn: what was
/// confirmed may be about another day, the confirming is not.
pub(super) fn voice_where(
    reading: &Reading<'_, '_>,
    clause: &Clause,
    at: usize,
    counts: impl Fn(usize) -> bool,
) -> Voice {
    told(reading, clause, at, outside_where(reading, clause, counts), &[])
}

/// Both: words that the act may be done to or with, and tokens that alone may put it outside this turn.
#[cfg(feature = "rules")]
pub(super) fn voice_within(
    reading: &Reading<'_, '_>,
    clause: &Clause,
    at: usize,
    own: &[&str],
    counts: impl Fn(usize) -> bool,
) -> Voice {
    told(reading, clause, at, outside_where(reading, clause, counts), own)
}

/// Whose act the verb at `at` tells, where some words put nothing outside this turn: in “opened ticket 58” the ticket is
/// what was made, not where something was read.
pub(super) fn voice_but(reading: &Reading<'_, '_>, clause: &Clause, at: usize, plain: &[&str]) -> Voice {
    told(reading, clause, at, outside_but(reading, clause, plain), &[])
}

fn told(reading: &Reading<'_, '_>, clause: &Clause, at: usize, outside: bool, own: &[&str]) -> Voice {
    if outside || by_other(reading, clause, at) || stands_by(reading, clause, at) {
        return Voice::Other;
    }
    let (from, joined) = stretch(reading, clause, at);
    let Some(Group { end, passive, perfect }) = group(reading, from, at) else { return Voice::Other };
    let subject = from..end;
    if subject.is_empty() {
        return without_subject(reading, clause, at, passive || perfect, joined, own);
    }
    if ME.contains(&reading.word(end - 1)) {
        return if passive { Voice::Other } else { Voice::Own };
    }
    if !may_be_subject(reading, subject.clone(), passive, own) || dated(reading, clause, own) {
        return Voice::Other;
    }
    if passive && definite(reading, subject.clone(), own) {
        return Voice::Passive(subject);
    }
    if passive && joined && from > clause.tokens.start {
        let both = clause.tokens.start..end;
        if definite(reading, both.clone(), own) && is_listing(reading, both.clone()) {
            return Voice::Passive(both);
        }
    }
    if !passive && !perfect && closes(reading, clause, at) && reports(reading, clause, from) {
        return Voice::Bare(subject);
    }
    Voice::Other
}

/// Whether a participle behind “as” tells how a thing stands: “As deployed, the shop has no cache”.
fn stands_by(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    reading.word_before(clause, at) == "as" && reading.token(at + 1).is_some_and(|t| t.text == ",")
}

/// Whether words are a subject of several parts, “the log and the report”, with no verb among them.
fn is_listing(reading: &Reading<'_, '_>, subject: Range<usize>) -> bool {
    may_be_subject(reading, subject.clone(), true, &[]) && !subject.clone().any(|i| lexicon::is_past(reading.word(i)))
}

/// The voice of a verb with no subject in its stretch: “Removed it”, “… and was removed”.
fn without_subject(
    reading: &Reading<'_, '_>,
    clause: &Clause,
    at: usize,
    helped: bool,
    joined: bool,
    own: &[&str],
) -> Voice {
    let before = reading.around(clause).start..clause.tokens.start;
    match (helped, joined) {
        (true, true) if definite(reading, before.clone(), own) => Voice::Passive(before),
        (true, _) => Voice::Other,
        (false, true) if !own_sentence(reading, clause) || goes_on(reading, clause, at) => Voice::Other,
        (false, _) if modifies(reading, clause, at) => Voice::Other,
        (false, _) => Voice::Own,
    }
}

/// Whether a verb without an object goes on a passive: “the flight was cancelled and rescheduled to 17:00”.
fn goes_on(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    let object = reading.token(at + 1).filter(|_| at + 1 < clause.tokens.end).is_some_and(|t| match t.kind {
        TokenKind::Word => DEFINITE.contains(&t.text.as_ref()) || matches!(t.text.as_ref(), "them" | "its"),
        kind => matches!(kind, TokenKind::Code | TokenKind::Number),
    });
    let start = reading.around(clause).start.max(at.saturating_sub(16));
    let last = (start..at).rev().find(|&i| ME.contains(&reading.word(i)) || PASSIVE.contains(&reading.word(i)));
    let passive = |i: usize| PASSIVE.contains(&reading.word(i)) && lexicon::is_past(reading.word(i + 1));
    !object && last.is_some_and(passive)
}

/// Whether a passive tells of a state or of another day: “was sent on May 1”, “according to git log”.
fn dated(reading: &Reading<'_, '_>, clause: &Clause, own: &[&str]) -> bool {
    reading.around(clause).any(|i| {
        let day = reading.word(i) == "on" && reading.token(i + 2).is_some_and(|t| t.kind == TokenKind::Number);
        let word = reading.word(i);
        day || (lexicon::has(STATES, word) && !own.contains(&word))
    })
}

/// Whether “file removed” without a verb of its own is a report: behind a label or another part of its item, beside a
/// command or call, or under a check mark. In a list or table of events it is none.
fn reports(reading: &Reading<'_, '_>, clause: &Clause, from: usize) -> bool {
    let code = reading.sentence(clause).iter().any(|t| t.kind == TokenKind::Code);
    let check = clause.sentence.start < clause.tokens.start
        && reading.token(clause.sentence.start).is_some_and(|t| matches!(t.text.as_ref(), "✅" | "✓" | "✔" | "☑"));
    let behind = from > clause.tokens.start && clause.place != Place::Row;
    code || check || behind || clause.place == Place::Paragraph
}

/// Whether what a passive tells was found out by a look: “I checked: the mail was sent to the old address”.
pub(super) fn found_out(reading: &Reading<'_, '_>, clause: &Clause) -> bool {
    let before = reading.around(clause).start..clause.tokens.end;
    let colon = |i: usize| reading.token(i).is_some_and(|t| matches!(t.text.as_ref(), ":" | "that"));
    let looked = |i: usize| REPORTS.contains(&reading.word(i)) && (i + 1..i + 4).any(colon);
    before.into_iter().any(looked)
}

/// Whether “by …” behind the verb names somebody else.
fn by_other(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    let by = (at + 1..clause.tokens.end.min(at + 6)).find(|&i| reading.word(i) == "by");
    by.is_some_and(|i| {
        let named = if matches!(reading.word(i + 1), "the" | "a") { i + 2 } else { i + 1 };
        // “Line by line” names nobody.
        let steps = reading.word(i - 1) == reading.word(i + 1);
        !steps && !OWN_CAUSES.contains(&reading.word(named))
    })
}

/// What may stand behind “by” in the agent's own telling.
#[rustfmt::skip]
const OWN_CAUSES: &[&str] = &[
    "agent", "approval", "deny", "gate", "hand", "hook", "me", "policy", "policy's", "running", "sandbox", "security", "us", "using",
];

/// Whether a subject is definite: “the file”, “`a.txt`”, “two lines”; not “your file”, not “files” in general.
fn definite(reading: &Reading<'_, '_>, subject: Range<usize>, own: &[&str]) -> bool {
    let first = subject.clone().filter_map(|i| reading.token(i)).find(|t| t.kind != TokenKind::Mark);
    // “Step 7” is a name.
    let numbered = subject.len() == 2 && reading.token(subject.start + 1).is_some_and(|t| t.kind == TokenKind::Number);
    let owner = |word: &str| (OWNERS.contains(&word) && !own.contains(&word)) || word.ends_with("'s");
    let owned = subject.clone().any(|i| owner(reading.word(i)));
    let starts = |word: &str| DEFINITE.contains(&word) || (word == "your" && own.contains(&word));
    !owned && (numbered || first.is_some_and(|t| t.kind != TokenKind::Word || starts(&t.text)))
}

/// Whether words may be a subject: short enough, with no verb, no relative and no subordinate word in them.
fn may_be_subject(reading: &Reading<'_, '_>, subject: Range<usize>, passive: bool, own: &[&str]) -> bool {
    let first = subject.start;
    let odd = |i: usize| {
        let word = reading.word(i);
        let that = word == "that" && i == first && subject.len() > 1;
        !that
            && (lexicon::has(NO_SUBJECT, word)
                || (OWNERS.contains(&word) && !own.contains(&word))
                || reading.prose.is_auxiliary(i))
    };
    subject.len() <= if passive { 14 } else { 6 } && !subject.clone().any(odd)
}

/// Words that stand in no subject.
#[rustfmt::skip]
const NO_SUBJECT: &[&str] = &[
    "after", "any", "as", "because", "before", "for", "how", "if", "no", "only", "since", "than", "that", "until", "what",
    "when", "where", "which", "while", "who", "whose", "why",
];

/// Whether the verb closes its clause, but for adverbs and a short phrase of place or time.
fn closes(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    let Some(next) = reading.token(at + 1).filter(|_| at + 1 < clause.tokens.end) else { return true };
    match next.kind {
        TokenKind::Mark => true,
        TokenKind::Word => {
            let word = next.text.as_ref();
            passes(word)
                || matches!(word, "as" | "at" | "too" | "and" | "again" | "afterwards" | "cleanly" | "successfully")
        }
        _ => false,
    }
}

/// Whether a verb at the start is an adjective: “Deleted files are kept”.
fn modifies(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    for i in at + 1..clause.tokens.end {
        let Some(token) = reading.token(i) else { break };
        let word = token.text.as_ref();
        if token.kind == TokenKind::Mark
            || JOINTS.contains(&word)
            || matches!(word, "which" | "that" | "so" | "because" | "since" | "as" | "what")
        {
            return false;
        }
        if reading.prose.is_auxiliary(i) {
            return true;
        }
    }
    false
}

/// The words between the start of a stretch and the noun phrase at `at`, where they are only determiners, numbers and
/// modifiers: the noun phrase opens its stretch. None where a verb, a preposition or a condition stands among them.
pub(super) fn opens(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Option<Range<usize>> {
    let (from, _) = stretch(reading, clause, at);
    let plain = |i: usize| {
        let word = reading.word(i);
        !(reading.prose.starts_a_clause(i)
            || lexicon::has(BOUND, word)
            || OWNERS.contains(&word)
            || word.ends_with("'s"))
    };
    (at - from <= 6 && (from..at).all(plain)).then_some(from..at)
}

/// Words after which a noun phrase is no subject of its own.
#[rustfmt::skip]
const BOUND: &[&str] = &[
    "after", "as", "because", "before", "by", "for", "hardly", "how", "if", "in", "no", "on", "once", "only",
    "provided", "since", "than", "that", "to", "until", "when", "where", "which", "while", "why", "with",
];

/// Verbs with which the agent, or a log, reports what was seen.
#[rustfmt::skip]
pub(super) const REPORTS: &[&str] = &[
    "checked", "confirm", "confirmed", "confirming", "confirms", "ensured", "found", "made", "report", "reported",
    "reports", "saw", "say", "says", "see", "show", "showed", "shows", "sure", "verified", "verifies", "verifying",
];

/// Words that may follow a noun which is the head of its phrase.
#[rustfmt::skip]
pub(super) const AFTER_NOUN: &[&str] = &[
    "about", "across", "after", "afterwards", "again", "and", "are", "as", "at", "because", "before", "but", "by",
    "called", "cleanly", "for", "from", "has", "have", "i", "in", "inside", "is", "it", "named", "now", "of", "on",
    "or", "since", "so", "successfully", "that", "then", "to", "too", "under", "using", "via", "was", "were", "when",
    "which", "while", "with", "within", "without",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_that_are_searched_by_halves_are_sorted() {
        for list in [BOUND, STATES, NO_SUBJECT] {
            assert!(list.windows(2).all(|w| w[0] < w[1]), "{list:?}");
        }
    }
}
