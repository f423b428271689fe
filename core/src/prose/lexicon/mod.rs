//! Words as data, one file a language, and the classes that each word belongs to.
//!
//! The lists of a language are merged into one sorted table when the crate is compiled, so that every word of a reply
//! is looked up once, whatever the number of lists.

// Lists stay packed, so that a language is seen on a few screens.
#[rustfmt::skip]
pub mod en;
#[rustfmt::skip]
mod other;

mod table;

pub(super) use table::{Key, LONGEST};

/// The classes of a word, one bit each.
pub(super) type Classes = u64;

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
pub(super) const NO_GERUND: Classes = 1 << 27;
/// Number words up to twelve, and `dozen`.
pub(super) const NUMBERS: Classes = 1 << 28;
pub(super) const JOINTS: Classes = 1 << 29;
pub(super) const RESUMING: Classes = 1 << 30;
pub(super) const PLANNING: Classes = 1 << 31;
pub(super) const DENYING: Classes = 1 << 32;
pub(super) const CONDITIONS: Classes = 1 << 33;
pub(super) const PURPOSES: Classes = 1 << 34;
pub(super) const DEFINING: Classes = 1 << 35;
pub(super) const QUOTING: Classes = 1 << 36;
/// A past form or participle: `ran`, `removed`.
pub(super) const IS_PAST: Classes = 1 << 37;
/// `didn't`, `isn't`.
pub(super) const NEGATED: Classes = 1 << 38;
/// `deleting`, but not `thing`.
pub(super) const GERUND: Classes = 1 << 39;
/// Folding changed the word: it was written with a capital, or with a typographic apostrophe or hyphen.
pub(super) const FOLDED: Classes = 1 << 40;
/// A letter of it is of another script than the Latin one.
pub(super) const SCRIPT: Classes = 1 << 41;
/// A mark that opens or closes parentheses or a quotation.
pub(super) const PAIRED: Classes = 1 << 42;
/// A mark that may end a sentence.
pub(super) const ENDING: Classes = 1 << 43;
/// A mark at which what governs may end, or a clause.
pub(super) const TURNING: Classes = 1 << 44;
/// An arrow.
pub(super) const ARROW: Classes = 1 << 45;
/// Any word at all.
pub(super) const WORD: Classes = 1 << 46;
/// The upper bits of [`Classes`] hold a hash of the word or mark.
const HASH: u32 = 48;
/// `is`, `have`, `didn't`, `will`.
pub(super) const AUXILIARY: Classes = AUXILIARIES | MODALS | NEGATED;
/// A verb that shows its tense, or may.
pub(super) const FINITE: Classes = AUXILIARY | IS_PAST | PRESENT;
/// A word that resumes a clause.
pub(super) const RESUMES: Classes = AUXILIARIES | RESUMING;
/// A word that plans, asks for something or doubts.
pub(super) const PLANS: Classes = MODALS | HEDGES | PLANNING;
/// A word that denies.
pub(super) const DENIES: Classes = NEGATED | DENYING;
/// A word that states a rule.
pub(super) const DEFINES: Classes = GENERAL | DEFINING;
/// A word that tells of what others say or do.
pub(super) const QUOTES: Classes = SAYING | SAID | OUTSIDERS | QUOTING;
/// A word that may govern what follows it; all others leave the stance as it is.
pub(super) const GOVERNING: Classes = RESUMES | PLANS | DENIES | CONDITIONS | PURPOSES | DEFINES | QUOTES;

const LISTS: [&[&str]; 37] = [
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
    other::FOREIGN,
    en::PLANNED,
    en::PLANNED_WEAKLY,
    en::FINISHED,
    en::PRONOUN_LIKE,
    en::NOUNS_IN_S,
    en::NO_GERUND,
    en::NUMBERS,
    en::JOINTS,
    en::RESUMING,
    en::PLANNING,
    en::DENYING,
    en::CONDITIONS,
    en::PURPOSES,
    en::DEFINING,
    en::QUOTING,
];

/// What may stand before the hyphen of a verb; any other word with one is an adjective, such as `medium-sized`.
const PREFIXES: &[&str] = &["re-", "pre-", "un-", "double-", "cross-", "auto-", "over-", "back-", "hot-"];

/// The classes of a folded word.
pub(super) fn classify(word: &str) -> Classes {
    find(Key::of(word.as_bytes()), word)
}

/// The classes of a folded word with this key.
pub(super) fn find(key: Key, word: &str) -> Classes {
    let known = if word.len() > LONGEST { None } else { known(key) };
    known.map_or_else(|| suffixes(word.as_bytes(), hashed(key)), |(classes, _)| classes)
}

/// The classes of a folded word of at most [`LONGEST`] bytes, and the word itself, where a list has it.
pub(super) fn known(key: Key) -> Option<(Classes, &'static str)> {
    table::find(key).map(|found| (found.classes() | hashed(key), found.word()))
}

/// The classes of all the tokens of a row.
pub(super) fn all(classes: &[Classes]) -> Classes {
    classes.iter().fold(0, |all, classes| all | classes)
}

/// The hash of a word or mark, as classes carry it.
pub(super) fn hashed(key: Key) -> Classes {
    Classes::from(key.hash() >> 16) << HASH
}

/// A number of sixteen bits that is the same for the same folded word, mark or arrow.
pub(super) fn hash(classes: Classes) -> u16 {
    (classes >> HASH) as u16
}

/// The classes of an arrow, whichever it is.
pub(super) fn arrow() -> Classes {
    ARROW | hashed(Key::of("→".as_bytes()))
}

/// The classes of a mark.
pub(super) fn mark(mark: &str) -> Classes {
    let classes = match mark {
        "(" | ")" => PAIRED | TURNING,
        "\"" | "（" | "）" | "“" | "”" | "„" | "«" | "»" => PAIRED,
        "." | "!" | "?" | "…" | "。" | "！" | "？" | "．" => ENDING,
        "," | ";" | ":" | "|" | "-" | "–" | "—" => TURNING,
        _ => 0,
    };
    classes | hashed(Key::of(mark.as_bytes()))
}

/// Adds the classes that a word's ending gives it.
const fn suffixes(word: &[u8], mut classes: Classes) -> Classes {
    let past = match word {
        [.., b'e', b'e', b'd'] => false,
        [_, _, .., b'e', b'd'] => classes & NOT_PAST == 0 && !is_adjective(word),
        [.., b'n', b'\'', b't'] => {
            classes |= NEGATED;
            false
        }
        [.., b'\'', b'd'] => {
            classes |= PLANNING;
            false
        }
        [_, _, .., b'i', b'n', b'g'] => {
            if classes & NO_GERUND == 0 {
                classes |= GERUND;
            }
            false
        }
        _ => false,
    };
    if past || classes & PAST != 0 {
        classes |= IS_PAST;
    }
    classes
}

/// A hyphen makes an adjective of a form in -ed unless a prefix stands before it.
const fn is_adjective(word: &[u8]) -> bool {
    let mut at = 0;
    while at < word.len() && word[at] != b'-' {
        at += 1;
    }
    let mut prefix = 0;
    while prefix < PREFIXES.len() {
        if starts_with(word, PREFIXES[prefix].as_bytes()) {
            return false;
        }
        prefix += 1;
    }
    at < word.len()
}

const fn starts_with(word: &[u8], start: &[u8]) -> bool {
    let mut at = 0;
    while at < start.len() && at < word.len() && word[at] == start[at] {
        at += 1;
    }
    at == start.len()
}

/// Whether a sorted list holds a word. First bytes are compared sooner than words: few words of a list share one.
pub fn has(words: &[&str], word: &str) -> bool {
    let first = |word: &str| word.as_bytes().first().copied().unwrap_or(0);
    let byte = first(word);
    let from = words.partition_point(|w| first(w) < byte);
    words[from..].iter().take_while(|w| first(w) == byte).any(|w| *w == word)
}

/// How long the words of a list are that begin with the same byte, so that most other words need not be looked for.
pub(crate) struct Lengths([u32; 32]);

impl Lengths {
    pub(crate) const fn of(words: &[&str]) -> Self {
        let (mut lengths, mut i) = ([0; 32], 0);
        while i < words.len() {
            let word = words[i].as_bytes();
            lengths[word[0] as usize % 32] |= 1 << (word.len() % 32);
            i += 1;
        }
        Lengths(lengths)
    }

    /// The list may have the word; where not, it has not.
    pub(crate) fn allow(&self, word: &[u8]) -> bool {
        let first = word.first().copied().unwrap_or(0);
        self.0[usize::from(first) % 32] >> (word.len() % 32) & 1 == 1
    }
}

/// The classes of a verb, an auxiliary or a pronoun, and of no noun besides.
pub(super) fn starts_a_clause(classes: Classes) -> bool {
    classes & (AUXILIARIES | MODALS | PRONOUNS | PRESENT) != 0 && classes & NOUNS_IN_S == 0
}

/// A past form or participle: `ran`, `removed`.
pub fn is_past(word: &str) -> bool {
    classify(word) & IS_PAST != 0
}

/// The value of a number word up to twelve, and of `dozen`.
pub fn number(word: &str) -> Option<u64> {
    const VALUES: &[&str] =
        &["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    if classify(word) & NUMBERS == 0 {
        return None;
    }
    VALUES.iter().position(|n| *n == word).map(|n| n as u64).or((word == "dozen").then_some(12))
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
    fn what_starts_a_clause_is_what_the_lists_hold() {
        for word in LISTS.into_iter().flatten() {
            let verb = [en::AUXILIARIES, en::MODALS, en::PRONOUNS, en::PRESENT].iter().any(|list| has(list, word));
            assert_eq!(starts_a_clause(classify(word)), verb && !has(en::NOUNS_IN_S, word), "{word}");
        }
    }

    #[test]
    fn past_forms_are_told_from_words_that_only_look_like_them() {
        assert!(is_past("removed") && is_past("ran") && is_past("written"));
        assert!(!is_past("need") && !is_past("hundred") && !is_past("embed") && !is_past("remove"));
    }
}
