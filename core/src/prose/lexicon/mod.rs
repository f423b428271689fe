//! Words as data, one file a language, and the classes that each word belongs to.
//!
//! The lists of a language are merged into one sorted table when the crate is compiled, so that every word of a reply
//! is looked up once, whatever the number of lists.

// Lists stay packed, so that a language is seen on a few screens.
#[rustfmt::skip]
pub mod en;

use super::{Token, TokenKind};

/// The classes of a word, one bit each.
pub(super) type Classes = u32;

pub(super) const AUXILIARIES: Classes = 1 << 0;
pub(super) const MODALS: Classes = 1 << 1;
pub(super) const PAST: Classes = 1 << 2;
pub(super) const NOT_PAST: Classes = 1 << 3;
pub(super) const PRESENT: Classes = 1 << 4;
pub(super) const PRONOUNS: Classes = 1 << 5;
pub(super) const ADVERBS: Classes = 1 << 6;
pub(super) const DETERMINERS: Classes = 1 << 7;
pub(super) const BASE: Classes = 1 << 8;
pub(super) const NOUN_TOO: Classes = 1 << 9;
pub(super) const BOTH_TENSES: Classes = 1 << 10;
pub(super) const ANSWERED: Classes = 1 << 11;
pub(super) const SAYING: Classes = 1 << 12;
pub(super) const SAID: Classes = 1 << 13;
pub(super) const RECORDS: Classes = 1 << 14;
pub(super) const OUTSIDERS: Classes = 1 << 15;
pub(super) const REPORTING: Classes = 1 << 16;
pub(super) const GENERAL: Classes = 1 << 17;
pub(super) const HEDGES: Classes = 1 << 18;
pub(super) const ABBREVIATIONS: Classes = 1 << 19;
pub(super) const FUNCTION: Classes = 1 << 20;
pub(super) const FOREIGN: Classes = 1 << 21;
pub(super) const PLANNED: Classes = 1 << 22;
pub(super) const PLANNED_WEAKLY: Classes = 1 << 23;
pub(super) const FINISHED: Classes = 1 << 24;
pub(super) const PRONOUN_LIKE: Classes = 1 << 25;
pub(super) const NOUNS_IN_S: Classes = 1 << 26;
/// A past form or participle: `ran`, `removed`.
pub(super) const IS_PAST: Classes = 1 << 27;
/// `didn't`, `isn't`.
pub(super) const NEGATED: Classes = 1 << 28;
/// `deleting`, but not `thing`.
pub(super) const GERUND: Classes = 1 << 29;
/// `is`, `have`, `didn't`, `will`.
pub(super) const AUXILIARY: Classes = AUXILIARIES | MODALS | NEGATED;
/// A verb that shows its tense, or may.
pub(super) const FINITE: Classes = AUXILIARY | IS_PAST | PRESENT;

const LISTS: [&[&str]; 27] = [
    en::AUXILIARIES,
    en::MODALS,
    en::PAST,
    en::NOT_PAST,
    en::PRESENT,
    en::PRONOUNS,
    en::ADVERBS,
    en::DETERMINERS,
    en::BASE,
    en::NOUN_TOO,
    en::BOTH_TENSES,
    en::ANSWERED,
    en::SAYING,
    en::SAID,
    en::RECORDS,
    en::OUTSIDERS,
    en::REPORTING,
    en::GENERAL,
    en::HEDGES,
    en::ABBREVIATIONS,
    en::FUNCTION,
    en::FOREIGN,
    en::PLANNED,
    en::PLANNED_WEAKLY,
    en::FINISHED,
    en::PRONOUN_LIKE,
    en::NOUNS_IN_S,
];

const LENGTH: usize = {
    let (mut list, mut length) = (0, 0);
    while list < LISTS.len() {
        length += LISTS[list].len();
        list += 1;
    }
    length
};

/// Every word with its classes, in order. A word of several lists stands there once; the rest of the table is empty.
static TABLE: ([(&str, Classes); LENGTH], usize) = merge();

// It runs when the crate is compiled: nothing of it stands on a stack.
#[allow(clippy::large_stack_arrays)]
const fn merge() -> ([(&'static str, Classes); LENGTH], usize) {
    let mut table = [("", 0); LENGTH];
    let mut heads = [0; LISTS.len()];
    let mut end = 0;
    loop {
        let mut least = "";
        let mut list = 0;
        while list < LISTS.len() {
            let head = heads[list];
            if head < LISTS[list].len() && (least.is_empty() || before(LISTS[list][head], least)) {
                least = LISTS[list][head];
            }
            list += 1;
        }
        if least.is_empty() {
            return (table, end);
        }
        let mut classes = 0;
        list = 0;
        while list < LISTS.len() {
            let head = heads[list];
            if head < LISTS[list].len() && !before(least, LISTS[list][head]) {
                classes |= 1 << list;
                heads[list] += 1;
            }
            list += 1;
        }
        table[end] = (least, classes);
        end += 1;
    }
}

const fn before(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() {
        if a[i] != b[i] {
            return a[i] < b[i];
        }
        i += 1;
    }
    a.len() < b.len()
}

/// Where the words with each first byte start in the table.
static STARTS: [u16; 257] = {
    let mut starts = [0; 257];
    let (mut byte, mut at) = (0, 0);
    while byte < 257 {
        while at < TABLE.1 && (TABLE.0[at].0.as_bytes()[0] as usize) < byte {
            at += 1;
        }
        starts[byte] = at as u16;
        byte += 1;
    }
    starts
};

/// What may stand before the hyphen of a verb; any other word with one is an adjective, such as `medium-sized`.
const PREFIXES: &[&str] = &["re-", "pre-", "un-", "double-", "cross-", "auto-", "over-", "back-", "hot-"];

/// The classes of a folded word.
pub(super) fn classify(word: &str) -> Classes {
    let Some(&first) = word.as_bytes().first() else { return 0 };
    let range = usize::from(STARTS[usize::from(first)])..usize::from(STARTS[usize::from(first) + 1]);
    let words = TABLE.0.get(range).unwrap_or(&[]);
    let found = words.binary_search_by(|(other, _)| (*other).cmp(word)).ok().and_then(|i| words.get(i));
    let mut classes = found.map_or(0, |(_, classes)| *classes);
    let adjective = word.contains('-') && !PREFIXES.iter().any(|prefix| word.starts_with(prefix));
    let ends = word.len() > 3 && word.ends_with("ed") && !word.ends_with("eed");
    let regular = ends && !adjective && classes & NOT_PAST == 0;
    if regular || classes & PAST != 0 {
        classes |= IS_PAST;
    }
    if word.ends_with("n't") {
        classes |= NEGATED;
    }
    if is_gerund(word) {
        classes |= GERUND;
    }
    classes
}

/// The classes of a token; only words have any.
pub(super) fn classes(token: &Token<'_>) -> Classes {
    if token.kind == TokenKind::Word {
        classify(&token.text)
    } else {
        0
    }
}

fn is_gerund(word: &str) -> bool {
    const NOUNS: &[&str] = &["anything", "being", "bring", "everything", "nothing", "something", "string", "thing"];
    word.len() > 4 && word.ends_with("ing") && !has(NOUNS, word)
}

/// Whether a sorted list holds a word.
pub fn has(words: &[&str], word: &str) -> bool {
    words.binary_search(&word).is_ok()
}

/// A past form or participle: `ran`, `removed`.
pub fn is_past(word: &str) -> bool {
    classify(word) & IS_PAST != 0
}

/// The value of a number word up to twelve, and of `dozen`.
pub fn number(word: &str) -> Option<u64> {
    const NUMBERS: &[&str] =
        &["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    if word.len() > 6 {
        return None;
    }
    NUMBERS.iter().position(|n| *n == word).map(|n| n as u64).or((word == "dozen").then_some(12))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_sorted_without_doubles() {
        for list in LISTS {
            for pair in list.windows(2) {
                assert!(pair[0] < pair[1], "{} before {}", pair[0], pair[1]);
            }
        }
    }

    #[test]
    fn every_word_is_found_with_all_its_classes() {
        for (number, list) in LISTS.iter().enumerate() {
            for word in *list {
                assert!(classify(word) & (1 << number) != 0, "{word}");
            }
        }
    }

    #[test]
    fn past_forms_are_told_from_words_that_only_look_like_them() {
        assert!(is_past("removed") && is_past("ran") && is_past("written"));
        assert!(!is_past("need") && !is_past("hundred") && !is_past("embed") && !is_past("remove"));
    }
}
