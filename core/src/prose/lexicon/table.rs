//! The lists of a language as one hash table, made when the crate is compiled.
//!
//! A word is looked up as a number of sixteen bytes, which hold any word of the lists: one look at a slot and one
//! comparison, whatever the number of lists.

use super::{suffixes, Classes, LISTS};

/// The first sixteen bytes of a word, zero where it is shorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Key(u64, u64);

/// The most bytes of a word of the lists.
pub(in super::super) const LONGEST: usize = 16;

impl Key {
    /// The key of a word.
    pub(in super::super) const fn of(word: &[u8]) -> Key {
        if let Some(bytes) = word.first_chunk() {
            return Key::new(bytes);
        }
        let mut bytes = [0; LONGEST];
        let mut i = 0;
        while i < word.len() {
            bytes[i] = word[i];
            i += 1;
        }
        Key::new(&bytes)
    }

    const fn new(bytes: &[u8; LONGEST]) -> Key {
        let all = u128::from_le_bytes(*bytes);
        Key(all as u64, (all >> 64) as u64)
    }

    /// The key of the word of `len` bytes with which a text starts.
    pub(in super::super) fn starting(text: &[u8], len: usize) -> Key {
        let Some(bytes) = text.first_chunk() else { return Key::of(text.get(..len).unwrap_or(text)) };
        let Key(first, second) = Key::new(bytes);
        let mask = |len: usize| if len >= 8 { u64::MAX } else { (1 << (8 * len)) - 1 };
        Key(first & mask(len), second & mask(len.saturating_sub(8)))
    }

    /// How many bytes the word has, up to [`LONGEST`].
    fn length(self) -> usize {
        let used = |part: u64| (u64::BITS - part.leading_zeros()).div_ceil(8) as usize;
        if self.1 == 0 {
            used(self.0)
        } else {
            8 + used(self.1)
        }
    }

    /// All of it is ASCII.
    pub(in super::super) fn is_ascii(self) -> bool {
        (self.0 | self.1) & TOPS == 0
    }

    /// The key with its capitals made small; only for ASCII.
    pub(in super::super) fn lower(self) -> Key {
        Key(lower(self.0), lower(self.1))
    }

    /// A number that differs for most words, of which the upper bits are the best.
    pub(super) const fn hash(self) -> u32 {
        let mixed = self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ self.1.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        ((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32) as u32
    }
}

/// The top bit of each byte.
const TOPS: u64 = 0x8080_8080_8080_8080;
const ONES: u64 = 0x0101_0101_0101_0101;

/// Eight bytes of ASCII in lower case.
const fn lower(bytes: u64) -> u64 {
    // The top bit is set where a byte is at least `A`, and where it is beyond `Z`.
    let from = bytes + (0x80 - b'A' as u64) * ONES;
    let beyond = bytes + (0x7f - b'Z' as u64) * ONES;
    bytes | ((from & !beyond & TOPS) >> 2)
}

const LENGTH: usize = {
    let (mut list, mut length) = (0, 0);
    while list < LISTS.len() {
        length += LISTS[list].len();
        list += 1;
    }
    length
};

/// Slots of the hash table, a power of two; about every third is taken.
const SLOTS: usize = 4096;
const NONE: u16 = u16::MAX;

struct Table {
    /// The words, each in as many bytes as a key has and zero behind it. They stand here and nowhere else in the program.
    words: [u8; LENGTH * LONGEST],
    classes: [Classes; LENGTH],
    /// The word that belongs in each slot, or in a slot before it that was taken.
    slots: [u16; SLOTS],
}

static TABLE: Table = build();

/// The words of the table as text.
static TEXT: &str = match core::str::from_utf8(&TABLE.words) {
    Ok(text) => text,
    Err(_) => "",
};

// It runs when the crate is compiled: nothing of it stands on a stack.
#[allow(clippy::large_stack_arrays)]
const fn build() -> Table {
    let mut table = Table { words: [0; LENGTH * LONGEST], classes: [0; LENGTH], slots: [NONE; SLOTS] };
    let mut words = [""; LENGTH];
    let (mut list, mut end) = (0, 0);
    while list < LISTS.len() {
        let mut i = 0;
        while i < LISTS[list].len() {
            let word = LISTS[list][i];
            assert!(!word.is_empty() && word.len() <= LONGEST);
            let key = Key::of(word.as_bytes());
            let mut slot = slot(key.hash());
            while table.slots[slot] != NONE && !is(words[table.slots[slot] as usize].as_bytes(), key) {
                slot = (slot + 1) % SLOTS;
            }
            if table.slots[slot] == NONE {
                table.slots[slot] = end as u16;
                words[end] = word;
                let mut at = 0;
                while at < word.len() {
                    table.words[end * LONGEST + at] = word.as_bytes()[at];
                    at += 1;
                }
                end += 1;
            }
            table.classes[table.slots[slot] as usize] |= 1 << list;
            i += 1;
        }
        list += 1;
    }
    while end > 0 {
        end -= 1;
        table.classes[end] = suffixes(words[end].as_bytes(), table.classes[end]);
    }
    table
}

const fn is(word: &[u8], key: Key) -> bool {
    let Key(first, second) = Key::of(word);
    first == key.0 && second == key.1
}

const fn slot(hash: u32) -> usize {
    hash as usize >> (u32::BITS - SLOTS.trailing_zeros())
}

/// A word of the lists.
#[derive(Clone, Copy)]
pub(super) struct Found {
    number: u16,
    length: usize,
}

impl Found {
    pub(super) fn classes(self) -> Classes {
        TABLE.classes.get(usize::from(self.number)).copied().unwrap_or(0)
    }

    pub(super) fn word(self) -> &'static str {
        let start = usize::from(self.number) * LONGEST;
        TEXT.get(start..start + self.length).unwrap_or("")
    }
}

/// Finds a folded word of at most [`LONGEST`] bytes.
pub(super) fn find(key: Key) -> Option<Found> {
    let mut at = slot(key.hash());
    // Every third slot is taken; a free one ends the search.
    loop {
        let number = TABLE.slots.get(at).copied().filter(|number| *number != NONE)?;
        if is(TABLE.words.get(usize::from(number) * LONGEST..)?, key) {
            return Some(Found { number, length: key.length() });
        }
        at = (at + 1) % SLOTS;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_whole_only() {
        assert!(find(Key::of(b"that")).is_some_and(|found| found.word() == "that"));
        assert!(find(Key::starting(b"that is what I said", 4)).is_some_and(|found| found.word() == "that"));
        for word in ["", "tha", "thatt", "recommendationss"] {
            assert!(find(Key::of(word.as_bytes())).is_none(), "{word}");
        }
    }

    #[test]
    fn capitals_are_made_small_and_nothing_else() {
        for text in ["@AZ[`az{ 09_-'.!", "Dry-Run"] {
            assert_eq!(Key::of(text.as_bytes()).lower(), Key::of(text.to_ascii_lowercase().as_bytes()));
        }
    }

    #[test]
    fn no_search_takes_long() {
        let taken: alloc::vec::Vec<bool> = TABLE.slots.iter().map(|s| *s != NONE).collect();
        let longest = taken.split(|taken| !taken).map(<[bool]>::len).max();
        assert!(longest < Some(24), "{longest:?}");
    }
}
