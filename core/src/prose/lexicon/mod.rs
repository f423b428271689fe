//! Words as data, one file a language, and the few questions about a word that need more than a list.

pub mod en;

/// Whether a sorted list holds a word.
pub fn has(words: &[&str], word: &str) -> bool {
    words.binary_search(&word).is_ok()
}

/// A past form or participle: `ran`, `removed`.
pub fn is_past(word: &str) -> bool {
    let regular = word.len() > 3 && word.ends_with("ed") && !word.ends_with("eed") && !has(en::NOT_PAST, word);
    regular || has(en::PAST, word)
}

/// A verb that shows its tense, or may: auxiliaries, modals, past forms, and the present of verbs that report.
pub fn is_finite(word: &str) -> bool {
    is_auxiliary(word) || is_past(word) || has(en::PRESENT, word)
}

/// `is`, `have`, `didn't`, `will`.
pub fn is_auxiliary(word: &str) -> bool {
    has(en::AUXILIARIES, word) || has(en::MODALS, word) || is_negated(word)
}

/// `didn't`, `isn't`.
pub fn is_negated(word: &str) -> bool {
    word.ends_with("n't")
}

/// `deleting`, but not `thing`.
pub fn is_gerund(word: &str) -> bool {
    const NOUNS: &[&str] = &["anything", "being", "bring", "everything", "nothing", "something", "string", "thing"];
    word.len() > 4 && word.ends_with("ing") && !has(NOUNS, word)
}

/// A base form: `delete`.
pub fn is_base(word: &str) -> bool {
    has(en::BASE, word)
}

/// The value of a number word up to twelve, and of `dozen`.
pub fn number(word: &str) -> Option<u64> {
    const NUMBERS: &[&str] = &[
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    ];
    NUMBERS.iter().position(|n| *n == word).map(|n| n as u64).or((word == "dozen").then_some(12))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_sorted_without_doubles() {
        for list in en::LISTS {
            for pair in list.windows(2) {
                assert!(pair[0] < pair[1], "{} before {}", pair[0], pair[1]);
            }
        }
    }

    #[test]
    fn past_forms_are_told_from_words_that_only_look_like_them() {
        assert!(is_past("removed") && is_past("ran") && is_past("written"));
        assert!(!is_past("need") && !is_past("hundred") && !is_past("embed") && !is_past("remove"));
    }
}
