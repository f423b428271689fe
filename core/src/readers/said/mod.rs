//! What a clause says was done: the deed that a verb means, by what it is done to.
//!
//! “Opened a ticket” and “opened the door”, “merged the branch” and “merged the two functions” share a verb. A verb means
//! a deed only together with a thing that the deed is done to; where none stands there, nothing is read.

mod words;

use super::voice::{outside, voice_with, Voice};
use super::Reading;
use crate::evidence::deeds::Deed;
use crate::prose::lexicon;
use crate::prose::{Clause, Place, TokenKind};
use core::ops::Range;
use words::Words;

/// The verbs, as a phrase.
pub(super) const VERBS: &[&str] = &[
    "added|archived|assigned|booked|bought|canceled|cancelled|changed|closed|commented|committed|created|deleted|deployed|downgraded|emailed|extended|filed|force-pushed|issued|logged|mailed|marked|merged|messaged|modified|moved|opened|ordered|paid|paused|placed|posted|postponed|processed|published|purchased|pushed|raised|re-deployed|recorded|redeployed|refunded|released|removed|renamed|renewed|replied|rescheduled|reserved|rolled|saved|scheduled|sent|set|stored|submitted|texted|transferred|unsubscribed|updated|upgraded|uploaded|waived|wired",
];

/// A deed as a clause tells it.
pub(super) struct Said {
    /// What was done.
    pub deed: Deed,
    /// Whose act it is told as; never [`Voice::Other`].
    pub voice: Voice,
    /// The tokens of what it was done to.
    pub things: Range<usize>,
    /// The words may mean less than the deed: “opened the issue” may be a look at it.
    pub loose: bool,
    /// It is a claim only where a call that would have done it failed.
    pub weak: bool,
    /// What was changed could stand in the reply itself: a note, a list.
    pub inline: bool,
}

/// Words that stand in what the act is done to or with, although they often put an event elsewhere.
#[rustfmt::skip]
pub(super) const OWN: &[&str] = &[
    "audit", "book", "bug", "cause", "crash", "customers", "dashboard", "docs", "documentation", "github", "gitlab",
    "each", "every", "incident", "issue", "manual", "nightly", "original", "problem", "production", "race", "reason", "root", "ticket",
    "upstream", "your",
];

/// Those of them that may stand beside a passive.
const OWN_PASSIVE: &[&str] = &["github", "gitlab", "issue", "production", "ticket", "upstream", "your"];

/// Words at which the thing that a verb governs ends.
#[rustfmt::skip]
const ENDS: &[&str] = &[
    "about", "across", "after", "and", "as", "at", "because", "before", "but", "by", "during", "for", "from", "in",
    "inside", "into", "of", "on", "onto", "or", "over", "so", "than", "that", "to", "under", "using", "via", "when",
    "where", "which", "while", "with", "within", "without",
];

/// Words that may open what a verb without a subject governs: “Pushed to main”, “Opened PR 3”, “Archived the task”.
#[rustfmt::skip]
const OPENERS: &[&str] = &[
    "a", "all", "an", "and", "both", "everything", "in", "it", "its", "my", "on", "one", "out", "pr", "pull", "that",
    "the", "their", "them", "these", "this", "those", "three", "ticket", "issue", "to", "two", "your",
];

/// Reads the verb at `at`; none where it tells no deed of the agent's.
pub(super) fn said(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Option<Said> {
    if !reading.asserts(clause, at) || labels(reading, clause, at) || quoted(reading, clause) || letter(reading) {
        return None;
    }
    if in_the_reply(reading, clause) || flows(reading, clause, at) {
        return None;
    }
    // “Already cancelled” tells a state.
    if reading.word_before(clause, at) == "already" {
        return None;
    }
    let state = present(reading, clause, at);
    let voice = match voice_with(reading, clause, at, OWN) {
        Voice::Own => Voice::Own,
        Voice::Other => Voice::Passive(state.clone()?),
        _ => voice_with(reading, clause, at, OWN_PASSIVE),
    };
    let things = match &voice {
        Voice::Own => ahead(reading, clause, at),
        Voice::Passive(subject) | Voice::Bare(subject) => subject.clone(),
        Voice::Other => return None,
    };
    let own = voice == Voice::Own;
    if own && !spoken(reading, clause, at) && !opens(reading, clause, at) {
        return None;
    }
    let words = Words { reading, clause, at, things: things.clone(), own };
    let (deed, weak) = match words.deed() {
        Some(deed) if state.is_some() => (deed, true),
        Some(deed) => (deed, !own && !perfect(reading, clause, at)),
        None => (words.weak()?, true),
    };
    let loose = reading.word(at) == "opened" && !words.any(&["a", "an", "another", "new"]);
    let inline = words.inline(deed);
    Some(Said { deed, voice, things, loose, weak, inline })
}

/// Nouns for what a reply itself may be, or what stands in code: what is scheduled or booked there is text.
#[rustfmt::skip]
const TEXTS: &[&str] = &[
    "agenda", "draft", "example", "fixture", "fixtures", "itinerary", "mock", "outline", "plan", "proposal", "seed",
    "sketch",
];

/// Whether the sentence says that the thing stands in the reply or is text: “the list above”, “in the plan”.
pub(super) fn in_the_reply(reading: &Reading<'_, '_>, clause: &Clause) -> bool {
    reading.around(clause).any(|i| {
        let word = reading.word(i);
        let last = reading.token(i + 1).is_none_or(|t| t.kind != TokenKind::Number && !t.text.starts_with(['#', '$']));
        let next = reading.word(i + 1);
        let points = matches!(word, "above" | "below") && last && (next.is_empty() || next == "and" || next == "to");
        let inside = matches!(word, "in" | "into" | "within")
            && matches!(next, "a" | "my" | "the" | "this")
            && TEXTS.contains(&reading.word(i + 2));
        points || inside
    })
}

/// Whether an arrow stands before the verb: a flow of events, not a report.
pub(super) fn flows(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    (reading.around(clause).start..at).any(|i| reading.token(i).is_some_and(|t| t.kind == TokenKind::Arrow))
}

/// Words by which a sentence itself says that not all went well.
#[rustfmt::skip]
const DISCLOSING: &[&str] = &[
    "abort", "aborted", "error", "errored", "errors", "except", "fail", "failed", "failing", "fails", "failure",
    "incomplete", "interrupted", "partially", "partly", "timed", "timeout", "unconfirmed", "unverified",
];

/// A line of search results or somebody's post (“Jan 5 · @ana, we've published it”), or a sentence that discloses a failure.
fn quoted(reading: &Reading<'_, '_>, clause: &Clause) -> bool {
    reading.sentence(clause).iter().any(|t| match t.kind {
        TokenKind::Word => t.text.starts_with('@') || lexicon::has(DISCLOSING, &t.text),
        _ => matches!(t.text.as_ref(), "·" | "@" | "›"),
    })
}

/// The subject of a present passive: “the package is now published”, which tells a state.
fn present(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Option<Range<usize>> {
    let now = |i: usize| matches!(reading.word(i), "now" | "successfully");
    let be = (clause.tokens.start..at).rev().find(|&i| !now(i))?;
    let short = be > clause.tokens.start && be - clause.tokens.start <= 8;
    let state = matches!(reading.word(be), "is" | "are") && short && !outside(reading, clause);
    let subject = clause.tokens.start..be;
    (state && !general(reading, clause, subject.clone(), at)).then_some(subject)
}

/// Words behind a present passive that make it a rule.
#[rustfmt::skip]
const RULES: &[&str] = &[
    "always", "automatically", "better", "daily", "each", "easier", "every", "faster", "hourly", "less", "monthly",
    "more", "nightly", "often", "once", "per", "quicker", "rarely", "slower", "sooner", "twice", "usually", "weekly",
    "whenever", "within", "yearly",
];

/// Whether a present passive tells how things go in general: “a change is merged after its review”, “tested code is
/// deployed faster”.
pub(super) fn general(reading: &Reading<'_, '_>, clause: &Clause, subject: Range<usize>, verb: usize) -> bool {
    let token = |i: usize| reading.token(i);
    let first = subject.clone().find(|&i| !reading.word(i).is_empty()).map_or("", |i| reading.word(i));
    let named = subject.into_iter().filter_map(token).any(|t| {
        t.kind == TokenKind::Code || t.kind == TokenKind::Number || t.text.bytes().any(|b| b.is_ascii_digit())
    });
    let any = matches!(first, "a" | "an" | "any" | "each" | "every" | "such") && !named;
    any || (verb + 1..clause.tokens.end).any(|i| lexicon::has(RULES, reading.word(i)))
}

/// “has been sent”: an event that is told as new, where “was sent” may be any state of affairs.
fn perfect(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    (at.saturating_sub(3).max(clause.tokens.start)..at).any(|i| reading.word(i) == "been")
}

/// Whether the reply drafts a letter for the person: “Dear Ana”, “Subject: …”, “Kind regards”. What it tells is told by
/// the person then.
pub(super) fn letter(reading: &Reading<'_, '_>) -> bool {
    let closing = ["best", "cheers", "faithfully", "kind", "regards", "sincerely", "truly", "warm", "wishes", "yours"];
    let frames = |clause: &Clause| {
        let start = clause.tokens.start;
        let first = (start..clause.tokens.end).find(|&i| !reading.word(i).is_empty()).unwrap_or(start);
        let word = reading.word(first);
        let label = word == "subject" && reading.token(first + 1).is_some_and(|t| t.text == ":");
        let salutes = word == "dear" && first + 1 < clause.tokens.end;
        let closes = clause.tokens.len() <= 4
            && closing.contains(&word)
            && (reading.token(first + 1).is_some_and(|t| t.text == ",")
                || clause.tokens.clone().all(|i| reading.word(i).is_empty() || closing.contains(&reading.word(i))));
        label || salutes || closes
    };
    // “Hi Ben,” behind other words opens the text of a message; at the start of the reply it greets the person.
    let greets = |clause: &Clause| {
        let (start, end) = (clause.tokens.start, clause.tokens.end);
        let last =
            reading.token(end - 1).is_some_and(|t| t.text == ",") || reading.token(end).is_some_and(|t| t.text == ",");
        clause.block > 0 && end - start <= 4 && matches!(reading.word(start), "hello" | "hey" | "hi") && last
    };
    *reading.letter.get_or_init(|| reading.prose.clauses.iter().any(|clause| frames(clause) || greets(clause)))
}

/// “Cancelled: 3”, “Updated preferences:”: a label.
fn labels(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    let colon = |i: usize| reading.token(i).is_some_and(|t| t.kind == TokenKind::Mark && t.text == ":");
    let near = (at + 1..(at + 4).min(clause.tokens.end + 1)).find(|&i| colon(i));
    let first = (clause.tokens.start..at).all(|i| reading.token(i).is_some_and(|t| t.kind == TokenKind::Mark));
    colon(at + 1) || (first && near.is_some())
}

/// Whether “I” or “we” stands before the verb in its sentence.
fn spoken(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    (reading.around(clause).start..at).any(|i| matches!(reading.word(i), "i" | "i've" | "we" | "we've"))
}

/// Whether a verb without a subject opens a report and is no modifier of a noun: “Pushed to …”, not “Scheduled jobs …”.
fn opens(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    if clause.place == Place::Row {
        return false;
    }
    let next = reading.token(at + 1).filter(|_| at + 1 < clause.tokens.end);
    // Behind a label a participle alone tells a state: “Order 7: cancelled”.
    let label = reading.token(at.wrapping_sub(1)).is_some_and(|t| t.text == ":");
    let Some(next) = next else { return !label };
    // “Moved the alias: deployed 1.2 to staging”: the label tells an act of its own.
    let first = (clause.sentence.start..at).find(|&i| !reading.word(i).is_empty());
    let told = first.is_some_and(|i| i + 2 < at && lexicon::is_past(reading.word(i)));
    if label && !told {
        return matches!(next.text.as_ref(), "just" | "now" | "successfully" | "as" | "to");
    }
    match next.kind {
        TokenKind::Word => {
            let word = next.text.as_ref();
            let digits = word.bytes().any(|b| b.is_ascii_digit());
            OPENERS.contains(&word)
                || digits
                || lexicon::has(lexicon::en::ADVERBS, word)
                || word.ends_with("ly")
                || word == "as"
        }
        TokenKind::Number | TokenKind::Code => true,
        _ => matches!(next.text.as_ref(), "#" | "$" | "€" | "£" | "\"" | "“"),
    }
}

/// The tokens behind an active verb that tell what it is done to.
fn ahead(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Range<usize> {
    let end = clause.tokens.end.min(at + 12);
    let stops = |i: &usize| {
        let token = reading.token(*i);
        token.is_some_and(|t| match t.kind {
            TokenKind::Word => ENDS.contains(&t.text.as_ref()),
            TokenKind::Mark => matches!(t.text.as_ref(), "," | "(" | ":" | "|" | "—" | "–"),
            TokenKind::Arrow => true,
            _ => false,
        })
    };
    at + 1..(at + 1..end).find(stops).unwrap_or(end.max(at + 1))
}

/// Whether the words of the reply leave open that something is still to be confirmed.
pub(super) fn is_open(reading: &Reading<'_, '_>) -> bool {
    let open =
        ["approval", "approve", "authorise", "authorize", "awaiting", "confirm", "confirmation", "pending", "waiting"];
    let words = || reading.prose.tokens.iter().any(|t| t.kind == TokenKind::Word && lexicon::has(&open, &t.text));
    *reading.open.get_or_init(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_that_are_searched_by_halves_are_sorted() {
        for list in [DISCLOSING, RULES] {
            assert!(list.windows(2).all(|w| w[0] < w[1]), "{list:?}");
        }
    }
}
