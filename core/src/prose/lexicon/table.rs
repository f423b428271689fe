//! The lists of a language as one hash table, made when the crate is compiled.
//!
//! A word costs one look at a slot and one comparison of two numbers: its first and last eight bytes. Nothing in the
//! lists is longer than sixteen bytes, so these are the whole word.

use super::{suffixes, Classes, LISTS};

/// A word of the lists.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) word: &'static str,
    pub(super) classes: Classes,
    key: (u64, u64),
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
    entries: [Entry; LENGTH],
    /// The entry that belongs in each slot, or in a slot before it that was taken.
    slots: [u16; SLOTS],
}

static TABLE: Table = build();

// It runs when the crate is compiled: nothing of it stands on a stack.
#[allow(clippy::large_stack_arrays)]
const fn build() -> Table {
    let mut table = Table { entries: [Entry { word: "", classes: 0, key: (0, 0) }; LENGTH], slots: [NONE; SLOTS] };
    let (mut list, mut end) = (0, 0);
    while list < LISTS.len() {
        let mut i = 0;
        while i < LISTS[list].len() {
            let word = LISTS[list][i];
            assert!(!word.is_empty() && word.len() <= 16);
            let key = key(word.as_bytes());
            let mut slot = slot(hash(word.as_bytes()));
            while table.slots[slot] != NONE && !is(&table.entries[table.slots[slot] as usize], key, word.len()) {
                slot = (slot + 1) % SLOTS;
            }
            if table.slots[slot] == NONE {
                table.slots[slot] = end as u16;
                table.entries[end] = Entry { word, classes: 0, key };
                end += 1;
            }
            table.entries[table.slots[slot] as usize].classes |= 1 << list;
            i += 1;
        }
        list += 1;
    }
    while end > 0 {
        end -= 1;
        table.entries[end].classes = suffixes(table.entries[end].word.as_bytes(), table.entries[end].classes);
    }
    table
}

const fn is(entry: &Entry, key: (u64, u64), len: usize) -> bool {
    entry.key.0 == key.0 && entry.key.1 == key.1 && entry.word.len() == len
}

const fn slot(hash: u32) -> usize {
    hash as usize >> (u32::BITS - SLOTS.trailing_zeros())
}

/// Two numbers that, with the length, tell words of up to sixteen bytes apart.
const fn key(word: &[u8]) -> (u64, u64) {
    if let (Some(first), Some(last)) = (word.first_chunk(), word.last_chunk()) {
        return (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
    }
    if let (Some(first), Some(last)) = (word.first_chunk(), word.last_chunk()) {
        return (u32::from_le_bytes(*first) as u64, u32::from_le_bytes(*last) as u64);
    }
    match *word {
        [a, b, c] => (a as u64, (b as u64) << 8 | c as u64),
        [a, b] => (a as u64, b as u64),
        [a] => (a as u64, 0),
        _ => (0, 0),
    }
}

/// A number that differs for most words; of a long one it sees both ends and the length.
pub(in super::super) const fn hash(word: &[u8]) -> u32 {
    let (first, last) = key(word);
    let mixed = first ^ last.rotate_left(29) ^ word.len() as u64;
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

/// The entry of a folded word.
pub(super) fn find(word: &[u8]) -> Option<&'static Entry> {
    let key = key(word);
    let mut at = slot(hash(word));
    // A third of the slots is taken and the rest end every search.
    while let Some(entry) = TABLE.slots.get(at).and_then(|entry| TABLE.entries.get(usize::from(*entry))) {
        if is(entry, key, word.len()) {
            return Some(entry);
        }
        at = (at + 1) % SLOTS;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_same_ends_are_told_apart_by_their_length() {
        assert!(find(b"that").is_some_and(|e| e.word == "that"));
        for word in ["", "thathat", "tthat", "recommendationss", "recommendationrecommendation"] {
            assert!(find(word.as_bytes()).is_none(), "{word}");
        }
    }

    #[test]
    fn no_search_takes_long() {
        let taken: alloc::vec::Vec<bool> = TABLE.slots.iter().map(|s| *s != NONE).collect();
        let longest = taken.split(|taken| !taken).map(<[bool]>::len).max();
        assert!(longest < Some(24), "{longest:?}");
    }
}
