//! A reply while readers read it: its tokens, its clauses, and the claims that were found so far.

use super::*;

/// A reply while it is being read.
pub struct Reading<'p, 'w> {
    /// The reply.
    pub prose: &'p Prose<'p>,
    /// Names of tools that are on offer or in the record.
    pub(crate) tools: &'p Tools,
    /// Whether the tools on offer are known.
    pub offered: bool,
    /// The part of the record whose reply this is.
    pub part: usize,
    /// What is looked up later.
    pub wanted: &'w mut Wanted,
    pub(super) found: Vec<Found>,
    pub(super) form: usize,
    /// The last clause that was asked whether it tells of another time or place, and the answer.
    pub(super) outside: Cell<(usize, usize, bool)>,
    /// What is asked of the whole reply, for all claims once: does it leave something open, is it a letter, which acts
    /// does it tell.
    pub(super) open: OnceCell<bool>,
    pub(super) letter: OnceCell<bool>,
    pub(super) told: OnceCell<Vec<&'static str>>,
    /// The phrases of the reader of parts, where it is on.
    pub(super) partial: Option<&'p [Phrases; 2]>,
}

impl<'p, 'w> Reading<'p, 'w> {
    /// Opens a reply for reading.
    pub(crate) fn new(
        prose: &'p Prose<'p>,
        tools: &'p Tools,
        offered: bool,
        part: usize,
        wanted: &'w mut Wanted,
    ) -> Self {
        let (open, letter, told) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Reading {
            prose,
            tools,
            offered,
            part,
            wanted,
            found: Vec::new(),
            form: 0,
            outside: Cell::default(),
            open,
            letter,
            told,
            partial: None,
        }
    }

    /// The token at an index of the prose.
    pub(crate) fn token(&self, at: usize) -> Option<&'p Token<'p>> {
        self.prose.tokens.get(at)
    }

    /// The word at an index, or an empty text where no word stands there.
    pub(crate) fn word(&self, at: usize) -> &'p str {
        self.token(at).filter(|t| t.kind == TokenKind::Word).map_or("", |t| t.text.as_ref())
    }

    /// The word before an index, within the clause.
    pub(crate) fn word_before(&self, clause: &Clause, at: usize) -> &'p str {
        at.checked_sub(1).filter(|&i| i >= clause.tokens.start).map_or("", |i| self.word(i))
    }

    /// The sentence, item or row that a clause is a part of, as far as it is near.
    pub(crate) fn around(&self, clause: &Clause) -> Range<usize> {
        let start = clause.sentence.start.max(clause.tokens.start.saturating_sub(NEAR));
        start..clause.sentence.end.min(clause.tokens.end + NEAR)
    }

    /// The tokens of that sentence.
    pub(crate) fn sentence(&self, clause: &Clause) -> &'p [Token<'p>] {
        self.prose.tokens.get(self.around(clause)).unwrap_or(&[])
    }

    /// Whether words behind a number make it an estimate: “40 rows or so”, “40 rows, roughly”, “40 rows, give or take”.
    pub(crate) fn hedged(&self, clause: &Clause, number: usize) -> bool {
        const PAIRS: &[(&str, &str)] =
            &[("or", "so"), ("or", "thereabouts"), ("or", "less"), ("or", "more"), ("or", "take"), ("a", "guess")];
        let end = clause.sentence.end.min(number + 12);
        let closes = |i: usize| i >= end || self.token(i).is_none_or(|t| t.kind == TokenKind::Mark);
        let alone = |i: usize| {
            let loose =
                matches!(self.word(i), "about" | "approximately" | "around" | "circa" | "estimated" | "roughly");
            loose && closes(i + 1)
        };
        (number + 1..end).any(|i| alone(i) || PAIRS.contains(&(self.word(i), self.word(i + 1))))
    }

    /// Whether any of these words stands in the clause.
    pub(crate) fn mentions(&self, clause: &Clause, words: &[&str]) -> bool {
        has_word(self.tokens(clause), words)
    }
}

impl<'p> Reading<'p, '_> {
    /// The clauses that may claim something: no headings, in a language that has a lexicon. Whether they assert is asked
    /// at the words that were found.
    pub(crate) fn claims(&self) -> impl Iterator<Item = (usize, &'p Clause)> + 'p {
        let prose = self.prose;
        prose
            .clauses
            .iter()
            .enumerate()
            .filter(|(_, c)| c.place != Place::Heading && !c.foreign && c.tokens.len() <= LONGEST)
    }

    /// Whether a token is code that was run: a command line, a tool's name, or the form of a call to one.
    pub(crate) fn runs(&self, token: &Token<'_>) -> bool {
        let name = || token.text.split('(').next().unwrap_or("");
        token.kind == TokenKind::Code && (text::is_command(&token.text) || self.tools.knows(name()))
    }

    /// A clause by its index.
    pub(crate) fn clause(&self, index: usize) -> &'p Clause {
        let prose = self.prose;
        &prose.clauses[index]
    }

    /// The tokens of a clause.
    pub(crate) fn tokens(&self, clause: &Clause) -> &'p [Token<'p>] {
        self.prose.tokens.get(clause.tokens.clone()).unwrap_or(&[])
    }

    /// Asks for a text.
    pub(crate) fn want(&mut self, scope: Scope, text: &str) -> Option<Id> {
        self.wanted.text(scope, text)
    }

    /// Whether there is room for one more claim.
    pub(crate) fn full(&self) -> bool {
        self.found.len() >= MOST
    }

    /// Notes a claim that stands in a clause.
    pub(crate) fn claim(&mut self, clause: usize, found: Found) {
        let span = self.prose.clauses[clause].span;
        self.put(Found { clause: Some(clause), span, form: self.form, ..found });
    }

    /// Notes a claim that is a place of its own.
    pub(crate) fn put(&mut self, found: Found) {
        if !self.full() {
            self.found.push(Found { form: self.form, ..found });
        }
    }

    /// Whether the words of a range of tokens assert, as far as the token at `at` is concerned.
    pub(crate) fn asserts(&self, clause: &Clause, at: usize) -> bool {
        self.prose.governed(clause, at) == Stance::Asserts
    }
}
