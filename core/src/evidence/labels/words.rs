//! The words that say what a value is: cut where their kind changes, plurals and other names for the same made one.

use crate::evidence::numbers::quantity::{self, Kind, Quantity};
use alloc::string::String;

/// Words that say nothing of what a value belongs to.
#[rustfmt::skip]
const EMPTY: &[&str] = &[
    "a", "about", "an", "and", "are", "as", "at", "be", "been", "by", "for", "from", "has", "have", "in", "is", "it", "its", "now", "of", "on",
    "our", "that", "the", "their", "there", "this", "to", "was", "were", "with", "your",
];

/// Different words for the same, each with the one that stands for all.
#[rustfmt::skip]
const SAME: &[(&str, &str)] = &[
    ("avg", "average"), ("cov", "coverage"), ("cover", "coverage"), ("med", "median"), ("mean", "average"), ("max", "maximum"), ("mem", "memory"),
    ("min", "minimum"), ("pct", "percent"), ("percentile", "p"), ("ver", "version"), ("vers", "version"),
];

/// Words that are left out beside those of [`EMPTY`]: endings of ordinal numbers.
const ENDINGS: &[&str] = &["st", "nd", "rd", "th"];

/// The words of a text that was printed: those of [`claimed`], and what was cut in two as a whole.
pub(super) fn words(text: &str, found: &mut dyn FnMut(u64)) {
    if text.is_ascii() {
        let words = text.as_bytes().split(|b| !b.is_ascii_alphanumeric());
        words.filter(|w| !w.is_empty() && w.len() < 64).for_each(|word| printed(word, found));
    } else {
        spelt(text, found);
    }
}

/// [`words`] for letters of any script.
fn spelt(text: &str, found: &mut dyn FnMut(u64)) {
    let whole = |word: &str| {
        let inner = |(a, b): (char, char)| a.is_lowercase() && b.is_uppercase();
        word.chars().zip(word.chars().skip(1)).any(inner)
    };
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty() && w.len() < 64) {
        if whole(word) {
            put(&word.to_lowercase(), found);
        }
        claimed(word, found);
    }
}

/// [`words`] for one run of letters and digits of ASCII, which most outputs consist of.
fn printed(run: &[u8], found: &mut dyn FnMut(u64)) {
    let cut =
        |a: &u8, b: &u8| a.is_ascii_digit() != b.is_ascii_digit() || (a.is_ascii_lowercase() && b.is_ascii_uppercase());
    if run.windows(2).any(|w| w[0].is_ascii_lowercase() && w[1].is_ascii_uppercase()) {
        Word::of(run).put(found);
    }
    for part in run.chunk_by(|a, b| !cut(a, b)) {
        Word::of(&part[..part.len().min(40)]).put(found);
    }
}

/// A word on its way: its hash with and without the last letter, and its last two letters.
#[derive(Clone, Copy)]
pub(super) struct Word {
    hash: u64,
    without: u64,
    pub(super) length: u32,
    last: [u8; 2],
}

impl Default for Word {
    fn default() -> Self {
        Word { hash: NOTHING, without: NOTHING, length: 0, last: [0; 2] }
    }
}

impl Word {
    fn of(letters: &[u8]) -> Self {
        let mut word = Word::default();
        for letter in letters {
            word.push(letter.to_ascii_lowercase());
        }
        word
    }

    pub(super) fn push(&mut self, letter: u8) {
        self.without = self.hash;
        self.hash = mix(self.hash, letter);
        self.length += 1;
        self.last = [self.last[1], letter];
    }

    /// Without the ending of a plural.
    pub(super) fn stem(&self) -> u64 {
        let plural = self.length > 4 && self.last[1] == b's' && self.last[0] != b's';
        if plural {
            self.without
        } else {
            self.hash
        }
    }

    /// What [`put`] does for a word that is spelt out.
    fn put(&self, found: &mut dyn FnMut(u64)) {
        let listed = |words: &[&str]| words.iter().any(|word| hash(word) == self.hash);
        if noted(self.hash) && (listed(EMPTY) || listed(ENDINGS)) {
            return;
        }
        let stem = self.stem();
        let same = if noted(stem) { SAME.iter().find(|(name, _)| hash(name) == stem) } else { None };
        found(same.map_or(stem, |(_, same)| hash(same)));
    }
}

/// A bit for each word that is left out or has another name. Most words have none and need not be compared with them.
const NOTED: [u64; 16] = {
    let mut bits = [0; 16];
    let mut i = 0;
    while i < EMPTY.len() + ENDINGS.len() + SAME.len() {
        let word = if i < EMPTY.len() {
            EMPTY[i]
        } else if i < EMPTY.len() + ENDINGS.len() {
            ENDINGS[i - EMPTY.len()]
        } else {
            SAME[i - EMPTY.len() - ENDINGS.len()].0
        };
        let hash = hash(word);
        bits[(hash >> 6) as usize % 16] |= 1 << (hash % 64);
        i += 1;
    }
    bits
};

fn noted(hash: u64) -> bool {
    NOTED[(hash >> 6) as usize % 16] >> (hash % 64) & 1 == 1
}

/// The words of a text as numbers: `totalCount`, `total_count` and “total counts” have the same; `p95` is “p” and “95”.
pub(super) fn claimed(text: &str, found: &mut dyn FnMut(u64)) {
    let mut word = String::new();
    let mut before = ' ';
    for c in text.chars().chain(core::iter::once(' ')) {
        let joins = match (before, c) {
            (b, c) if b.is_numeric() != c.is_numeric() => false,
            (b, c) => !(b.is_lowercase() && c.is_uppercase()),
        };
        if !c.is_alphanumeric() || (!joins && !word.is_empty()) {
            put(&word, found);
            word.clear();
        }
        if c.is_alphanumeric() && word.len() < 40 {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
}

fn put(word: &str, found: &mut dyn FnMut(u64)) {
    if word.is_empty() || EMPTY.contains(&word) || ENDINGS.contains(&word) {
        return;
    }
    let stem = match word.strip_suffix('s') {
        Some(stem) if word.len() > 4 && !stem.ends_with('s') => stem,
        _ => word,
    };
    let same = SAME.iter().find(|(name, _)| *name == stem).map_or(stem, |(_, same)| same);
    found(hash(same));
}

/// The hash of no letters.
pub(super) const NOTHING: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash with one more letter.
pub(super) const fn mix(hash: u64, byte: u8) -> u64 {
    (hash ^ byte as u64).wrapping_mul(0x0100_0000_01b3)
}

pub(super) const fn hash(word: &str) -> u64 {
    let bytes = word.as_bytes();
    let (mut hash, mut i) = (NOTHING, 0);
    while i < bytes.len() {
        hash = mix(hash, bytes[i]);
        i += 1;
    }
    hash
}

/// Whether a word stands for others as well, or is written with other letters than those of ASCII.
pub(super) fn has_other_forms(word: u64, text: &str) -> bool {
    !text.is_ascii() || SAME.iter().any(|(_, same)| hash(same) == word)
}

/// Words behind which a number is a version.
pub const VERSIONS: &[&str] = &["firmware", "release", "tag", "version"];

const VERSION_WORDS: [u64; 4] = [hash("firmware"), hash("release"), hash("tag"), hash("version")];

/// What stands in front of the number of a percentile, which a line may hold many of.
pub(super) const PERCENTILE: u64 = hash("p");

/// Words of a label that tell no more than its others.
pub(super) const NEUTRAL: [u64; 10] = [
    hash("actual"),
    hash("current"),
    hash("eur"),
    hash("installed"),
    hash("level"),
    hash("number"),
    hash("reported"),
    hash("usd"),
    hash("value"),
    hash("version"),
];

/// A bare number as what the words in front of it say that it is: `"version": 31.0`, `uptime_s: 734512`, `"price": 17.35`.
pub(super) fn measured(number: Quantity, near: &[u64], text: &str) -> Quantity {
    let Some(last) = near.last() else { return number };
    if near.iter().any(|word| is_version(*word)) {
        return quantity::as_version(number, text);
    }
    // “765 cents” is in another unit than a price.
    let behind = text.get(number.span.end..).unwrap_or("").trim_start();
    let cents = ["cent", "ct", "pence", "pp"].iter().any(|unit| behind.starts_with(unit));
    if PRICES.contains(last) && !cents {
        return Quantity { kind: Kind::Price, ..number };
    }
    let unit = MEASURES.iter().find(|(word, ..)| word == last);
    unit.map_or(number, |(_, kind, factor)| Quantity {
        kind: *kind,
        value: number.value * factor,
        slack: number.slack * factor,
        ..number
    })
}

/// Keys whose numbers are amounts of money.
const PRICES: [u64; 6] = [hash("amount"), hash("balance"), hash("cost"), hash("fee"), hash("price"), hash("rent")];

/// Units that keys end in.
pub(super) const MEASURES: [(u64, Kind, f64); 12] = [
    (hash("byte"), Kind::Size, 1.0),
    (hash("kb"), Kind::Size, 1e3),
    (hash("mb"), Kind::Size, 1e6),
    (hash("gb"), Kind::Size, 1e9),
    (hash("ms"), Kind::Duration, 1.0),
    (hash("s"), Kind::Duration, 1e3),
    (hash("sec"), Kind::Duration, 1e3),
    (hash("second"), Kind::Duration, 1e3),
    (hash("minute"), Kind::Duration, 6e4),
    (hash("hour"), Kind::Duration, 3.6e6),
    (hash("day"), Kind::Duration, 8.64e7),
    (hash("percent"), Kind::Share, 1.0),
];

/// Words that say what kind of thing has a version.
pub(super) const ABOUT: [u64; 18] = [
    hash("binary"),
    hash("build"),
    hash("cli"),
    hash("compiler"),
    hash("computer"),
    hash("environment"),
    hash("host"),
    hash("machine"),
    hash("firmware"),
    hash("installed"),
    hash("interpreter"),
    hash("operating"),
    hash("program"),
    hash("release"),
    hash("runtime"),
    hash("system"),
    hash("tool"),
    hash("version"),
];

/// Words of a label that tell of another state than the present one, or of a bound.
pub(super) const OTHERS: [u64; 20] = [
    hash("available"),
    hash("baseline"),
    hash("before"),
    hash("budget"),
    hash("default"),
    hash("expected"),
    hash("former"),
    hash("latest"),
    hash("limit"),
    hash("maximum"),
    hash("minimum"),
    hash("newest"),
    hash("next"),
    hash("old"),
    hash("previou"),
    hash("previous"),
    hash("required"),
    hash("target"),
    hash("threshold"),
    hash("timeout"),
];

pub(super) fn is_version(word: u64) -> bool {
    VERSION_WORDS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_of_ascii_are_those_of_any_script(text in "([a-zA-Z]{1,8}[0-9]{0,2}[ _,.-]?|means|Avg|the|[a-z]{38,70}|[a-zA-Z0-9]{0,6} ){1,8}") {
            let (mut quick, mut slow) = (vec![], vec![]);
            words(&text, &mut |w| quick.push(w));
            spelt(&text, &mut |w| slow.push(w));
            prop_assert_eq!(quick, slow);
        }
    }

    #[test]
    fn words_are_cut_where_their_kind_changes() {
        let mut all = vec![];
        claimed("totalCounts p95", &mut |w| all.push(w));
        assert_eq!(all, ["total", "count", "p", "95"].map(hash));
    }
}
