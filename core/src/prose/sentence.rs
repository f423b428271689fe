//! The questions about the words of one sentence that both the cutting into clauses and the stance ask.
//!
//! Every question looks a bounded number of tokens ahead or back.

use super::lexicon::{self, Classes};
use super::{Token, TokenKind};

/// A token stands between parentheses.
pub(super) const PARENTHESIS: u8 = 1;
/// A token stands between double quotes.
pub(super) const QUOTATION: u8 = 2;

/// Whether a clause with a subject of its own starts somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Start {
    /// No subject with a verb is seen.
    No,
    /// A noun and a form that may be a verb or a participle: "the branch pushed".
    Weak,
    /// A pronoun, or a noun and a sure verb: "it", "the tests were".
    Strong,
}

/// The tokens of a sentence, and what they stand in.
#[derive(Clone, Copy)]
pub(super) struct Sentence<'s> {
    pub(super) tokens: &'s [Token<'s>],
    pub(super) classes: &'s [Classes],
    pub(super) inside: &'s [u8],
}

impl<'s> Sentence<'s> {
    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The word at `i`, or nothing where something else or no token stands there.
    pub(super) fn word(&self, i: usize) -> &'s str {
        self.kind(i, TokenKind::Word)
    }

    /// Whether the word at `i` is of one of some classes.
    pub(super) fn has(&self, i: usize, classes: Classes) -> bool {
        self.classes.get(i).is_some_and(|c| c & classes != 0)
    }

    /// The mark at `i`, likewise.
    pub(super) fn mark(&self, i: usize) -> &'s str {
        self.kind(i, TokenKind::Mark)
    }

    fn kind(&self, i: usize, kind: TokenKind) -> &'s str {
        self.tokens.get(i).filter(|t| t.kind == kind).map_or("", |t| &t.text)
    }

    pub(super) fn is(&self, i: usize, kind: TokenKind) -> bool {
        self.tokens.get(i).is_some_and(|t| t.kind == kind)
    }

    /// The word before `i` that is no adverb.
    pub(super) fn before(&self, i: usize) -> &'s str {
        self.place_before(i).map_or("", |at| self.word(at))
    }

    /// The place of the token before `i` that is no adverb.
    pub(super) fn place_before(&self, i: usize) -> Option<usize> {
        let adverb = |at: &usize| self.has(*at, lexicon::ADVERBS) || self.word(*at) == "not";
        (i.saturating_sub(4)..i).rev().find(|at| !adverb(at))
    }

    /// The first place from `i` on that holds no adverb.
    pub(super) fn past_adverbs(&self, i: usize) -> usize {
        let adverb = |at: usize| self.has(at, lexicon::ADVERBS) && !self.has(at, lexicon::PRONOUNS);
        (i..i + 4).find(|&at| !adverb(at)).unwrap_or(i + 4)
    }

    /// A dash between words: `–`, `—`, or a hyphen that joins nothing.
    pub(super) fn is_dash(&self, i: usize) -> bool {
        matches!(self.mark(i), "–" | "—") || (self.mark(i) == "-" && self.is_apart(i))
    }

    /// Nothing stands between the token at `i` and the next.
    pub(super) fn is_glued(&self, i: usize) -> bool {
        matches!((self.tokens.get(i), self.tokens.get(i + 1)), (Some(a), Some(b)) if a.span.end == b.span.start)
    }

    fn is_apart(&self, i: usize) -> bool {
        let end = |at: usize| self.tokens.get(at).map(|t| t.span.end);
        let Some(token) = self.tokens.get(i) else { return false };
        i.checked_sub(1).and_then(end).is_none_or(|e| e < token.span.start)
            && self.tokens.get(i + 1).is_none_or(|t| t.span.start > token.span.end)
    }

    /// The first token that is no bullet, emoji, bracket, quote or number of a list.
    pub(super) fn first(&self) -> usize {
        let mut at = 0;
        while at < self.len() {
            let numbered = self.is(at, TokenKind::Number) && matches!(self.mark(at + 1), "." | ")");
            if numbered && at + 2 < self.len() {
                at += 2;
            } else if self.is(at, TokenKind::Mark) {
                at += 1;
            } else {
                break;
            }
        }
        at
    }

    /// Where the text behind a label such as "Cleanup:" or "Option A –" starts.
    pub(super) fn label(&self) -> Option<usize> {
        let first = self.first();
        let end = (first + 1..first + 9).find(|&i| self.mark(i) == ":" || self.is_dash(i))?;
        (end + 1 < self.len()).then_some(end + 1)
    }

    /// Whether a verb that shows its tense stands at `i`, rather than a noun of the same form: "the tests passed".
    pub(super) fn is_verb(&self, i: usize) -> bool {
        if !self.has(i, lexicon::FINITE) {
            return false;
        }
        if !self.has(i, lexicon::NOUNS_IN_S) {
            return true;
        }
        let Some(before) = i.checked_sub(1) else { return false };
        let named = self.has(before, lexicon::DETERMINERS) && !matches!(self.word(before), "this" | "that" | "it");
        !named && !self.is(before, TokenKind::Number) && !self.has(self.past_adverbs(i + 1), lexicon::FINITE)
    }

    /// Whether a subject and its verb start here.
    pub(super) fn starts(&self, i: usize) -> Start {
        let mut first = self.past_adverbs(i);
        if self.word(first) == "that" {
            // "and that was it", "and that the file was removed"
            if self.has(first + 1, lexicon::AUXILIARY) {
                return Start::Strong;
            }
            first += 1;
        }
        let word = self.word(first);
        if self.has(first, lexicon::PRONOUNS) {
            return if word == "it" && self.is_dash(first + 1) { Start::No } else { Start::Strong };
        }
        for at in first..first + 8 {
            let Some(token) = self.tokens.get(at) else { return Start::No };
            match token.kind {
                TokenKind::Code | TokenKind::Number => continue,
                TokenKind::Mark if matches!(&*token.text, "\"" | "“" | "”" | "#" | "%" | "/" | "(" | ")" | "'") => {
                    continue;
                }
                TokenKind::Mark | TokenKind::Arrow => return Start::No,
                TokenKind::Word => {}
            }
            let word = &*token.text;
            if STOPS.contains(&word) {
                return Start::No;
            }
            if at == first || self.has(at - 1, lexicon::DETERMINERS) && !self.has(at - 1, lexicon::PRONOUN_LIKE) {
                continue;
            }
            if self.has(at, lexicon::AUXILIARY) {
                return Start::Strong;
            }
            if self.has(at, lexicon::IS_PAST) || (self.has(at, lexicon::PRESENT) && !self.has(at, lexicon::NOUNS_IN_S))
            {
                return Start::Weak;
            }
        }
        Start::No
    }

    /// Whether what stands at `i` tells somebody to do something. `lenient`: a form that may be a past form is one.
    pub(super) fn commands(&self, i: usize, lenient: bool) -> bool {
        let at = self.past_adverbs(i);
        let word = self.word(at);
        let next = self.word(at + 1);
        let negated = word == "don't" || (word == "do" && next == "not") || matches!(word, "never" | "always");
        if negated {
            return self.has(at + 1, lexicon::BASE) || self.has(at + 2, lexicon::BASE);
        }
        let aside = matches!(word, "note" | "remember" | "notice" | "observe") && (next == "that" || next == "the");
        let aside = aside || (word == "keep" && next == "in");
        // “All set for Friday” tells a state.
        let aside = aside || (word == "set" && at > i && self.word(at - 1) == "all");
        if aside
            || !self.has(at, lexicon::BASE)
            || at + 1 >= self.len()
            || matches!(word, "file" | "figure" | "book" | "host")
        {
            return false;
        }
        if (self.is(at + 1, TokenKind::Mark) && !matches!(self.mark(at + 1), "\"" | "“" | "<" | "(" | "/" | "."))
            || self.is(at + 1, TokenKind::Arrow)
        {
            return false;
        }
        if self.has(at, lexicon::BOTH_TENSES) && lenient {
            return false;
        }
        if matches!(self.word(at + 2), "is" | "are" | "was" | "were" | "has" | "have") {
            return false;
        }
        if self.has(at, lexicon::NOUN_TOO) {
            return self.has_object(at + 1);
        }
        !self.has(at + 1, lexicon::AUXILIARY)
    }

    /// Whether an object or a particle stands at `i`, so that the word before it is a verb.
    fn has_object(&self, i: usize) -> bool {
        if self.is(i, TokenKind::Code) {
            return !self.has(self.past_adverbs(i + 1), lexicon::FINITE) && self.mark(i + 1) != ":";
        }
        let word = self.word(i);
        self.has(i, lexicon::DETERMINERS) || OBJECTS.contains(&word)
    }

    /// The tense of the first verb from `i` on: `Some(true)` for a past one.
    pub(super) fn tense(&self, i: usize) -> Option<bool> {
        for at in i..i + 10 {
            let word = self.word(at);
            if matches!(self.mark(at), "," | ";" | ":" | "(") || at >= self.len() {
                return None;
            }
            if matches!(word, "was" | "were" | "did" | "had" | "wasn't" | "weren't" | "didn't" | "hadn't") {
                return Some(true);
            }
            if at > i && self.has(at - 1, lexicon::DETERMINERS) && !self.has(at, lexicon::AUXILIARY) {
                continue;
            }
            if self.has(at, lexicon::IS_PAST) && !self.has(at, lexicon::BOTH_TENSES) {
                // "once fixed" speaks of what is to come.
                return Some(at > i);
            }
            let told =
                at > i && self.has(at, lexicon::BASE) && matches!(self.word(at - 1), "i" | "you" | "we" | "they");
            if told || self.has(at, lexicon::AUXILIARY) || (at > i && self.has(at, lexicon::PRESENT)) {
                return Some(false);
            }
        }
        None
    }
}

/// Words that no noun phrase runs across.
const STOPS: &[&str] =
    &["and", "or", "but", "that", "which", "who", "where", "when", "if", "because", "to", "than", "so", "while", "as"];

/// What makes a verb of a word that may be a noun, besides a determiner.
const OBJECTS: &[&str] = &[
    "it", "them", "him", "me", "us", "whether", "if", "that", "up", "again", "into", "at", "down", "back", "through",
    "for", "with", "out", "over",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::markdown;
    use alloc::vec;
    use alloc::vec::Vec;

    fn with<T>(source: &str, ask: impl Fn(Sentence<'_>) -> T) -> T {
        let (mut tokens, mut classes) = (Vec::new(), Vec::new());
        let runs = markdown::parse(source).runs;
        super::super::token::read(source, &runs, &mut tokens, &mut classes, &mut Vec::new());
        let inside = vec![0; tokens.len()];
        ask(Sentence { tokens: &tokens, classes: &classes, inside: &inside })
    }

    #[test]
    fn a_clause_starts_with_a_pronoun_or_a_noun_and_its_verb() {
        for (text, start) in [
            ("it passed", Start::Strong),
            ("all tests were run", Start::Strong),
            ("all tests passed", Start::Weak),
            ("then `make` failed", Start::Weak),
            ("the backends", Start::No),
            ("the updated file", Start::No),
            ("the folder that was empty", Start::No),
        ] {
            assert_eq!(with(text, |s| s.starts(0)), start, "{text}");
        }
    }

    #[test]
    fn a_base_form_with_an_object_commands_and_a_noun_does_not() {
        for text in ["Run `make`", "Check the logs", "Delete the branch", "Do not delete it", "Make sure it works"] {
            assert!(with(text, |s| s.commands(0, false)), "{text}");
        }
        for text in ["Build succeeded", "Test suite passes", "Removed it", "Commit `a1b2c3d` pushed", "Verify: ok"] {
            assert!(!with(text, |s| s.commands(0, false)), "{text}");
        }
    }
}
