//! Whether a reply tells itself of a failure, a part or a start: then it claims no good end.

use super::super::prelude::*;
use super::kinds::OPEN;
use crate::prose::lexicon;
use core::ops::Range;

/// The most tokens of a sentence that are looked at.
const MOST: usize = 80;

/// Words for an end that came too early, in the same sentence or one beside it.
#[rustfmt::skip]
const EARLY: &[&str] = &[
    "aborted", "crashed", "halfway", "incomplete", "interrupted", "partway", "unfinished", "unsuccessful", "unsuccessfully",
];

/// The same in two words.
#[rustfmt::skip]
const PAIRS: &[(&str, &str)] = &[
    ("broke", "down"), ("broke", "off"), ("connection", "broke"), ("connection", "dropped"), ("connection", "failed"),
    ("cut", "off"), ("cut", "short"), ("got", "killed"), ("gave", "up"), ("out", "of"), ("stopped", "after"), ("stopped", "early"),
    ("stopped", "short"), ("timed", "out"), ("was", "killed"), ("was", "stopped"), ("were", "killed"), ("were", "stopped"),
];

/// Whether the sentence tells of a failure, a part or a start, by a word other than this one. “Without errors” tells of none.
pub(super) fn open(reading: &Reading<'_, '_>, clause: &Clause, word: &str) -> bool {
    let none = |before: &str| matches!(before, "any" | "no" | "without" | "zero");
    let doubt = |w: &&str| lexicon::has(OPEN, w) && *w != word;
    let words: Vec<&str> = clause.sentence.clone().take(MOST).map(|i| reading.word(i)).collect();
    // “With the conclusion `failure`”.
    let coded = |i: usize| reading.token(i).filter(|t| t.kind == TokenKind::Code);
    let code = |i: usize| coded(i).is_some_and(|t| lexicon::has(OPEN, &t.text) && *t.text != *word);
    let mut near = clause.sentence.clone().take(MOST);
    near.any(|i| code(i) || part(reading, i, word))
        || words.first().is_some_and(doubt)
        || words.windows(2).any(|w| doubt(&w[1]) && !none(w[0]))
        || beside(reading, clause).into_iter().any(|sentence| early(reading, sentence))
}

/// The sentence of the clause and those in front of it and behind it in its block.
fn beside(reading: &Reading<'_, '_>, clause: &Clause) -> [Range<usize>; 3] {
    let clauses = &reading.prose.clauses;
    let same = |c: &&Clause| c.block == clause.block;
    let first = clauses.partition_point(|c| c.tokens.start < clause.sentence.start);
    let next = clauses.partition_point(|c| c.tokens.start < clause.sentence.end);
    let before = first.checked_sub(1).and_then(|i| clauses.get(i)).filter(same);
    let after = clauses.get(next).filter(same);
    let sentence = |c: Option<&Clause>| c.map_or(0..0, |c| c.sentence.clone());
    [sentence(before), clause.sentence.clone(), sentence(after)]
}

/// Whether a sentence tells that something came to its end too early.
fn early(reading: &Reading<'_, '_>, sentence: Range<usize>) -> bool {
    let denied = |i: usize| matches!(reading.word(i.wrapping_sub(1)), "no" | "not" | "without" | "n't" | "never");
    let mut words = sentence.take(MOST);
    words.any(|i| {
        let pair = (reading.word(i), reading.word(i + 1));
        let resource = pair != ("out", "of") || matches!(reading.word(i + 2), "disk" | "memory" | "space" | "time");
        (lexicon::has(EARLY, pair.0) && !denied(i)) || (PAIRS.contains(&pair) && resource)
    })
}

/// “For 9 of 10 files”, “40 of the 60 images”, “3 epochs instead of 10”: a part is told.
fn part(reading: &Reading<'_, '_>, at: usize, word: &str) -> bool {
    let number = |i: usize| reading.token(i).filter(|t| t.kind == TokenKind::Number).map(|t| t.text.as_ref());
    let Some(some) = number(at) else { return false };
    let of = at + 1;
    let the = usize::from(matches!(reading.word(of + 1), "the" | "all"));
    let differs = |i: usize| number(i).is_some_and(|all| all != some);
    let before = reading.word(at.wrapping_sub(1));
    let share = reading.word(of) == "of"
        && differs(of + 1 + the)
        && (matches!(before, "for" | "in" | "on" | "only") || before == word);
    let short = (at + 1..at + 5).any(|i| {
        let pair = (reading.word(i), reading.word(i + 1));
        (pair == ("instead", "of") && differs(i + 2)) || (pair == ("rather", "than") && differs(i + 2))
    });
    share || short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_for_an_early_end_are_sorted() {
        assert!(EARLY.windows(2).all(|w| w[0] < w[1]));
    }
}
