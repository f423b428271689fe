//! How often words occur in an output.

use alloc::vec::Vec;

/// The most different first or last words whose lines are counted apart.
const MOST_WORDS: usize = 256;

/// The longest word that is counted.
pub(super) const LONGEST: usize = 24;

/// How often words occurred, up to a number of different ones.
pub(super) struct Tally<'t> {
    words: Vec<(&'t str, u64)>,
    /// Where the words of each hash stand in `words`, plus one; a place that is taken passes on to the next.
    places: [u16; 2 * MOST_WORDS],
}

impl Default for Tally<'_> {
    fn default() -> Self {
        Tally { words: Vec::new(), places: [0; 2 * MOST_WORDS] }
    }
}

impl<'t> Tally<'t> {
    /// Counts a word that is neither empty nor long.
    pub(super) fn add(&mut self, word: &'t str) {
        self.up_to(word, LONGEST);
    }

    /// Counts a text that is neither empty nor longer than that.
    pub(super) fn up_to(&mut self, word: &'t str, longest: usize) {
        if word.is_empty() || word.len() > longest {
            return;
        }
        let mut place = hash(word.as_bytes()) as usize;
        loop {
            place %= self.places.len();
            match usize::from(self.places[place]).checked_sub(1) {
                Some(i) if self.words[i].0 == word => return self.words[i].1 += 1,
                Some(_) => place += 1,
                None if self.words.len() < MOST_WORDS => {
                    if self.words.is_empty() {
                        self.words.reserve(64);
                    }
                    self.words.push((word, 1));
                    self.places[place] = self.words.len() as u16;
                    return;
                }
                None => return,
            }
        }
    }

    /// How often each word occurred.
    pub(super) fn counts(&self) -> impl Iterator<Item = u64> + '_ {
        self.words.iter().map(|(_, count)| *count)
    }
}

/// A hash of a word of at most three times eight bytes.
fn hash(word: &[u8]) -> u32 {
    let mix = |hash: u64, bytes: u64| {
        let mixed = (hash ^ bytes).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 32)
    };
    let middle = word.get(word.len().saturating_sub(8) / 2..).and_then(|rest| rest.first_chunk());
    match (word.first_chunk(), middle, word.last_chunk()) {
        (Some(first), Some(middle), Some(last)) => {
            [first, middle, last].into_iter().fold(0, |hash, bytes| mix(hash, u64::from_le_bytes(*bytes))) as u32
        }
        _ => mix(0, word.iter().fold(0, |bytes, b| bytes << 8 | u64::from(*b))) as u32,
    }
}
