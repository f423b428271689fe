//! Which words a turn's outputs and arguments may hold: one quick pass, so that a claim whose words stand nowhere costs
//! no more than that.

use super::words::{claimed, has_other_forms, Word};
use crate::evidence::facts::Facts;
use crate::evidence::lookup;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// How many bits, as a power of two.
const BITS: u32 = 16;

/// A bit for each word. A word whose bit is not set does not occur.
#[derive(Clone, Debug)]
pub struct Vocabulary(Vec<u64>);

impl Vocabulary {
    /// Reads what the calls print and were given.
    pub fn of<'f, 'a: 'f>(calls: impl Iterator<Item = &'f Facts<'a>>) -> Self {
        let mut vocabulary = Vocabulary(vec![0; (1 << BITS) / 64]);
        for facts in calls {
            vocabulary.read(&facts.call.tool);
            for text in lookup::strings(&facts.call.arguments) {
                vocabulary.read(text);
            }
            if let Some(output) = &facts.call.output {
                vocabulary.read(output);
            }
        }
        vocabulary
    }

    /// Whether all of these words may occur, and whether any may.
    pub fn holds(&self, texts: &[String]) -> (bool, bool) {
        let (mut all, mut any) = (true, false);
        for text in texts {
            claimed(text, &mut |word| {
                let held = has_other_forms(word, text) || self.bit(word);
                all &= held;
                any |= held;
            });
        }
        (all, any)
    }

    fn bit(&self, hash: u64) -> bool {
        let bit = slot(hash);
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    fn set(&mut self, word: &Word) {
        if word.length > 0 {
            let bit = slot(word.stem());
            self.0[bit / 64] |= 1 << (bit % 64);
        }
    }

    /// Takes up the words of a text as they are cut for labels, and what was cut as a whole; those of ASCII only.
    fn read(&mut self, text: &str) {
        let (mut part, mut whole, mut before) = (Word::default(), Word::default(), Kind::Other);
        for &byte in text.as_bytes() {
            let kind = Kind::of(byte);
            let cut = kind == Kind::Other
                || (kind == Kind::Digit) != (before == Kind::Digit)
                || (before == Kind::Small && kind == Kind::Capital);
            if cut {
                self.set(&part);
                part = Word::default();
            }
            if kind == Kind::Other {
                self.set(&whole);
                whole = Word::default();
            } else {
                let small = byte.to_ascii_lowercase();
                part.push(small);
                whole.push(small);
            }
            before = kind;
        }
        self.set(&part);
        self.set(&whole);
    }
}

fn slot(hash: u64) -> usize {
    (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize
}

/// What a byte is, as far as words are cut at it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Small,
    Capital,
    Digit,
    Other,
}

impl Kind {
    fn of(byte: u8) -> Self {
        match byte {
            b'a'..=b'z' => Kind::Small,
            b'A'..=b'Z' => Kind::Capital,
            b'0'..=b'9' => Kind::Digit,
            _ => Kind::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_word_that_a_text_holds_is_denied(text in "([a-zA-Z]{1,8}[0-9]{0,2}[ _,.-]?){1,8}") {
            let mut vocabulary = Vocabulary(vec![0; (1 << BITS) / 64]);
            vocabulary.read(&text);
            let mut missing = 0;
            words(&text, &mut |word| missing += usize::from(!(has_other_forms(word, "") || vocabulary.bit(word))));
            prop_assert_eq!(missing, 0);
        }
    }
}
