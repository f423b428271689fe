//! What a reply asserts: its clauses, their words, and the stance of each.

mod clause;
mod context;
mod cut;
mod language;
pub mod lexicon;
pub mod phrase;
mod sentence;
mod stance;
mod token;

use crate::text::span::Span;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A run of letters (with inner digits, `_`, `-`, `'`, `.` as in `e.g`, `re-read`, `setup.py`).
    Word,
    /// A number as written: `1,204`, `98.6`, `18`.
    Number,
    /// An inline code span; `text` is what stands between the backticks.
    Code,
    /// An arrow: `→`, `->`, `=>`, `⇒`.
    Arrow,
    /// Any other character that is seen, a row of four or more of the same, or a placeholder in angle brackets such as `<scratch>`.
    Mark,
}

/// A word, number, code span or mark of the reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// Where it stands in the reply; for code the backticks are part of it.
    pub span: Span,
    /// What it is.
    pub kind: TokenKind,
    /// Words are folded to lower case, with typographic apostrophes and hyphens made plain; all else is as written.
    pub text: Cow<'a, str>,
    /// It stands in bold or italics.
    pub strong: bool,
}

/// What kind of block a clause stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Running text.
    Paragraph,
    /// A list item.
    Item,
    /// A row of a table, all its cells.
    Row,
    /// A heading.
    Heading,
}

/// What the author does with a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stance {
    /// Says that something was done or observed. Only this claims.
    Asserts,
    /// Plans, offers, advises, lists options.
    Plans,
    /// Tells or asks the person to do something.
    Instructs,
    /// Asks.
    Asks,
    /// Sets a condition, or says what happens under one; defines or states a policy.
    Supposes,
    /// Says that something was not done, or could not be.
    Denies,
    /// Quotes somebody else, or tells what somebody else did before or elsewhere.
    Quotes,
}

/// A sentence, item, row or heading, or a part of one with a finite verb of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Its place in the reply, without list marker, table bars and closing punctuation.
    pub span: Span,
    /// The tokens in it.
    pub tokens: Range<usize>,
    /// All the tokens of the sentence, item or row that it is a part of.
    pub sentence: Range<usize>,
    /// The number of its block (paragraph, item, row, heading) in the reply.
    pub block: usize,
    /// What kind of block that is.
    pub place: Place,
    /// What the author does with it, by its first verb. Another verb in it may be governed by other words: ask
    /// [`Prose::governed`] for the stance at the words that a reader found.
    pub stance: Stance,
    /// It is written in a language that the lexicon does not know; readers leave it alone.
    pub foreign: bool,
}

/// A fenced or indented code block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fence {
    /// The whole block, fences included.
    pub span: Span,
    /// What stands between the fences.
    pub body: Span,
    /// The info string, such as `bash`.
    pub info: Span,
    /// The clause that stands before it with nothing between, if any.
    pub before: Option<usize>,
}

/// A reply, read once.
#[derive(Clone, Debug, Default)]
pub struct Prose<'a> {
    /// The reply.
    pub source: &'a str,
    /// Its words, in order. Text inside fences has none.
    pub tokens: Vec<Token<'a>>,
    /// Its clauses, in reading order.
    pub clauses: Vec<Clause>,
    /// Its code blocks, in reading order.
    pub fences: Vec<Fence>,
    /// Where each line starts, for line numbers.
    lines: Vec<usize>,
    /// The classes of each token.
    classes: Vec<lexicon::Classes>,
    /// The stance of each token.
    moods: Vec<Stance>,
}

impl<'a> Prose<'a> {
    /// Reads a reply: markdown structure, clauses, words and stance, in one pass over its bytes.
    ///
    /// Never fails; hostile markdown costs linear time.
    pub fn read(source: &'a str) -> Self {
        clause::read(source)
    }

    /// The number of the line, from 1, in which an offset stands.
    pub fn line(&self, offset: usize) -> usize {
        self.lines.partition_point(|&start| start <= offset).max(1)
    }

    /// The tokens of a clause.
    pub fn of(&self, clause: &Clause) -> &[Token<'a>] {
        self.tokens.get(clause.tokens.clone()).unwrap_or(&[])
    }

    /// The stance at a token of a clause: what the author does with the verb that stands there, given every plan,
    /// condition, denial or quotation that governs it.
    ///
    /// Outside the clause it is [`Stance::Supposes`], which claims nothing.
    pub fn governed(&self, clause: &Clause, token: usize) -> Stance {
        if !clause.sentence.contains(&token) {
            return Stance::Supposes;
        }
        self.moods.get(token).copied().unwrap_or(Stance::Supposes)
    }

    /// Whether all the words of a phrase are asserted: none of them is planned, supposed, denied or quoted.
    pub fn asserts(&self, tokens: Range<usize>) -> bool {
        self.moods.get(tokens).is_some_and(|moods| moods.iter().all(|m| *m == Stance::Asserts))
    }

    /// Whether an auxiliary or a modal stands at a token: `is`, `will`, `may`, but not the month of May.
    pub fn is_auxiliary(&self, token: usize) -> bool {
        self.classes.get(token).is_some_and(|c| c & (lexicon::AUXILIARIES | lexicon::MODALS) != 0)
    }

    /// Whether a verb, an auxiliary or a pronoun stands at a token, and no noun besides.
    pub fn starts_a_clause(&self, token: usize) -> bool {
        self.classes.get(token).is_some_and(|c| lexicon::starts_a_clause(*c))
    }

    /// The clause that a token belongs to.
    pub fn clause_of(&self, token: usize) -> Option<&Clause> {
        let after = self.clauses.partition_point(|c| c.tokens.start <= token);
        let clause = after.checked_sub(1).and_then(|i| self.clauses.get(i))?;
        clause.tokens.contains(&token).then_some(clause)
    }
}
