//! Whether a block is written in a language that the lexicon knows.
//!
//! The readers know English only. Read with English words, another language would say things that its author did not,
//! so the readers skip what is foreign. A short item has no word to tell by; it follows the rest of the reply, unless it
//! is a tool line: what a tool was called with, or gave, has no language.

use super::lexicon::{self, Classes};
use super::{Token, TokenKind};
use alloc::vec::Vec;

/// What speaks for and against English in a block, and in the reply.
#[derive(Debug, Default)]
pub(super) struct Tongue {
    blocks: Vec<(usize, Count)>,
    all: Count,
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    words: u32,
    english: u32,
    other: u32,
    /// Words of other scripts than the Latin one.
    script: u32,
    /// Code or an arrow, and no letter beyond ASCII in its words.
    tool: bool,
}

impl Count {
    fn is_foreign(self) -> bool {
        self.script * 3 > self.words || self.other > self.english
    }
}

impl Tongue {
    /// Counts so many blocks.
    pub(super) fn with_capacity(blocks: usize) -> Self {
        Tongue { blocks: Vec::with_capacity(blocks), all: Count::default() }
    }

    /// Counts the words of a block. Blocks come in order.
    pub(super) fn read(&mut self, block: usize, tokens: &[Token<'_>], classes: &[Classes]) {
        let plain = |t: &Token<'_>| t.kind != TokenKind::Word || t.text.is_ascii();
        let marked = tokens.iter().any(|t| matches!(t.kind, TokenKind::Code | TokenKind::Arrow));
        let mut count = Count { tool: marked && tokens.iter().all(plain), ..Count::default() };
        for classes in classes {
            let one = |class: Classes| u32::from(classes & class != 0);
            count.words += one(lexicon::WORD);
            count.english += one(lexicon::FUNCTION);
            count.other += one(lexicon::FOREIGN);
            count.script += one(lexicon::SCRIPT);
        }
        self.all.words += count.words;
        self.all.english += count.english;
        self.all.other += count.other;
        self.all.script += count.script;
        self.blocks.push((block, count));
    }

    /// Whether a block is in another language than English.
    pub(super) fn is_foreign(&self, block: usize) -> bool {
        let found = self.blocks.binary_search_by_key(&block, |(number, _)| *number);
        let Some((_, count)) = found.ok().and_then(|i| self.blocks.get(i)) else { return false };
        count.is_foreign() || (count.english == 0 && !count.tool && self.all.is_foreign())
    }
}
