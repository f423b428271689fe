//! Whether something in a sentence puts an event outside this turn: another time, another place, a cause, somebody else's run.

use super::super::Reading;
use super::{JOINTS, ME};
use crate::prose::lexicon;
use crate::prose::{Clause, TokenKind};
use core::ops::Range;

/// Words of time, place and cause that put an event outside this turn.
#[rustfmt::skip]
const ELSEWHERE: &[&str] = &[
    "according", "ago", "apparently", "appears", "audit", "automatically", "badge", "baseline", "benchmark", "book", "bug", "cause", "changelog",
    "ci", "crash", "customers", "dashboard", "docs", "documentation", "doubt", "each", "edition", "every", "example",
    "formerly", "github", "gitlab", "guess", "historically", "hypothesis", "ideally", "imagine", "incident", "issue", "jenkins",
    "manual", "nightly", "normally", "original", "originally", "paper", "people", "pretend", "previously", "problem",
    "production", "race", "reason", "requirement", "root", "scenario", "seems", "sometimes", "suppose", "symptom",
    "symptoms", "ticket", "twice", "upstream", "usually", "whenever", "yesterday", "you'd",
];

/// Those of them that tell where something was read, or how often it happens, and so speak of their own clause alone.
#[rustfmt::skip]
const OF_A_CLAUSE: &[&str] = &[
    "according", "changelog", "dashboard", "docs", "documentation", "each", "every", "manual", "paper", "twice",
];

/// Those of them that are things of which a further clause may speak: “coverage is 80 %, and the benchmark took 3 s”.
const THINGS: &[&str] = &["badge", "baseline", "benchmark", "changelog", "dashboard", "manual"];

static LENGTHS: lexicon::Lengths = lexicon::Lengths::of(ELSEWHERE);

/// What of the person's own, behind “your”, tells of other runs than the agent's.
const THEIRS: &[&str] =
    &["ci", "log", "logs", "machine", "message", "output", "paste", "report", "screenshot", "terminal", "traceback"];

/// Times behind “last” and “next”.
const TIMES: &[&str] = &["friday", "monday", "month", "night", "release", "time", "week", "year"];

/// Labels in front of a colon that put what follows outside this turn.
#[rustfmt::skip]
const LABELS: &[&str] = &[
    "actual", "assumption", "before", "behavior", "behaviour", "bug", "cause", "changelog", "context", "cover",
    "covers", "criteria", "criterion", "definition", "effect", "error", "event", "example", "expected", "explanation",
    "fix", "fixed", "flow", "gate", "haiku", "history", "hypothesis", "idea", "impact", "issue", "limerick", "lyrics", "note",
    "observed", "old",
    "poem", "policy", "prerequisite", "problem", "question", "reason", "requirement", "risk", "root", "rule", "scenario",
    "song", "story", "symptom", "todo", "trigger", "why",
];

/// Labels of verses, which speak in the first person of things done.
const VERSES: &[&str] = &["haiku", "limerick", "lyrics", "poem", "song", "verse"];

/// Whether something in the sentence puts the event outside this turn. Claims of one clause ask in a row.
pub(in super::super) fn outside(reading: &Reading<'_, '_>, clause: &Clause) -> bool {
    let (start, end, known) = reading.outside.get();
    if (start, end) == (clause.tokens.start, clause.tokens.end) {
        return known;
    }
    let outside = outside_where(reading, clause, |_| true);
    reading.outside.set((clause.tokens.start, clause.tokens.end, outside));
    outside
}

/// Whether something other than these words puts the event outside this turn.
pub(in super::super) fn outside_but(reading: &Reading<'_, '_>, clause: &Clause, plain: &[&str]) -> bool {
    outside_where(reading, clause, |i| !plain.contains(&reading.word(i)))
}

/// Whether a word puts an act into another time, whatever it is about.
pub(in super::super) fn of_time(word: &str) -> bool {
    matches!(word, "ago" | "before" | "formerly" | "last" | "originally" | "previously" | "yesterday")
}

/// The words of the sentence that are no part of what a clause tells: all others where it begins with “I” or “we”, and
/// those behind it where it opens the sentence with a past verb, as in “Removed 9 lines; the run cleared every page”.
fn apart(reading: &Reading<'_, '_>, clause: &Clause) -> Range<usize> {
    let sentence = reading.around(clause);
    let mut words = clause.tokens.clone().filter(|&i| !reading.word(i).is_empty());
    let first = words.find(|&i| !JOINTS.contains(&reading.word(i))).unwrap_or(clause.tokens.end);
    if ME.contains(&reading.word(first)) {
        return sentence;
    }
    let opens = (sentence.start..first).all(|i| reading.word(i).is_empty());
    if opens && lexicon::is_past(reading.word(first)) {
        return clause.tokens.end..sentence.end;
    }
    0..0
}

/// Where the clause starts that “and”, “but” or a semicolon joins to this one; the end of the text where none does.
fn joined_behind(reading: &Reading<'_, '_>, clause: &Clause) -> usize {
    let end = clause.tokens.end;
    let comma = reading.token(end).is_some_and(|t| t.text == ",");
    let joint = end + usize::from(comma);
    let joins = reading.token(joint).is_some_and(|t| matches!(t.text.as_ref(), "and" | "but" | ";"));
    if joins && joint < clause.sentence.end {
        joint
    } else {
        usize::MAX
    }
}

/// The same, where only the tokens for which `counts` holds are looked at.
pub(in super::super) fn outside_where(
    reading: &Reading<'_, '_>,
    clause: &Clause,
    counts: impl Fn(usize) -> bool,
) -> bool {
    let sentence = reading.around(clause);
    let apart = apart(reading, clause);
    let next = joined_behind(reading, clause);
    for i in sentence.clone().filter(|&i| counts(i)) {
        let word = reading.word(i);
        if LENGTHS.allow(word.as_bytes())
            && lexicon::has(ELSEWHERE, word)
            && !(apart.contains(&i) && !clause.tokens.contains(&i) && OF_A_CLAUSE.contains(&word))
            && !(i >= next && THINGS.contains(&word))
        {
            return true;
        }
        if word == "your" && THEIRS.contains(&reading.word(i + 1)) {
            return true;
        }
        let year = reading.token(i).is_some_and(|t| {
            t.kind == TokenKind::Number && t.text.len() == 4 && (t.text.starts_with("19") || t.text.starts_with("20"))
        });
        if year && matches!(reading.word(i.wrapping_sub(1)), "in" | "since" | "until") {
            return true;
        }
        if matches!(word, "last" | "next") && TIMES.contains(&reading.word(i + 1)) {
            return true;
        }
        if word == "earlier" && reading.word(i + 1) == "this" && TIMES.contains(&reading.word(i + 2)) {
            return true;
        }
        if word == "before" && reading.word(i + 1) == "your" {
            return true;
        }
        if word == "before" && (i == sentence.start || reading.token(i + 1).is_none_or(|t| t.kind == TokenKind::Mark)) {
            return true;
        }
    }
    if spoken_by_another(reading, &sentence) {
        return true;
    }
    // “Poem:” on the line before.
    let before = |back: usize| sentence.start.checked_sub(back).and_then(|i| reading.token(i));
    if before(1).is_some_and(|t| t.text == ":") && before(2).is_some_and(|t| VERSES.contains(&t.text.as_ref())) {
        return true;
    }
    let label = sentence.clone().take(6).position(|i| reading.token(i).is_some_and(|t| t.text == ":"));
    let labels = |i: usize| counts(i) && lexicon::has(LABELS, reading.word(i));
    label.is_some_and(|n| {
        let label = sentence.start..sentence.start + n;
        // “What the diff does: …” tells of the diff.
        let told = reading.word(label.start) == "what" && !label.clone().any(|i| ME.contains(&reading.word(i)));
        let does = |i: usize| matches!(reading.word(i), "contains" | "does" | "says" | "shows");
        label.clone().any(labels) || (told && label.clone().any(does))
    })
}

/// Whether a sentence opens with the name and the time of a line in a chat: “Mirko (10:02): I've merged it”.
fn spoken_by_another(reading: &Reading<'_, '_>, sentence: &Range<usize>) -> bool {
    let first = sentence.clone().find_map(|i| reading.token(i)).map_or(0, |t| t.span.start);
    let text = reading.prose.source.get(first..).unwrap_or("");
    let line = crate::text::head(text, 48).split('\n').next().unwrap_or("");
    if !line.contains(')') && !line.contains(']') {
        return false;
    }
    let Some((label, _)) = line.split_once("): ").or_else(|| line.split_once("]: ")) else { return false };
    let Some((_, time)) = label.rsplit_once(['(', '[']) else { return false };
    let two = |text: &str| matches!(text.len(), 1 | 2) && text.bytes().all(|b| b.is_ascii_digit());
    time.split_once(':').is_some_and(|(hours, minutes)| two(hours) && minutes.get(..2).is_some_and(two))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        for list in [ELSEWHERE, LABELS] {
            assert!(list.is_sorted(), "{list:?}");
        }
    }
}
