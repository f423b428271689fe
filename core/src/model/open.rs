//! What the readers leave open: clauses that assert something and that no reader has judged.

use super::named;
use super::quoted::Quoted;
use super::words::speaks;
use crate::prose::{Clause, Prose, Stance};
use crate::result::Verification;
use crate::text::fold::{fold, Folded};
use crate::text::span::Span;
use alloc::vec;
use alloc::vec::Vec;

/// The reader whose claims say nothing of what a clause reports.
pub(super) const CITED: &str = "cited";

/// The most places of a claim in a reply that are looked at.
const PLACES: usize = 200;

/// A clause that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OpenClause {
    /// Its place in the list of all clauses.
    pub(super) index: usize,
    /// Where it stands in the reply.
    pub(super) span: Span,
    /// A word in it speaks of results.
    pub(super) speaks: bool,
}

/// The open clauses of a reply.
pub(super) struct Open<'p> {
    pub(super) prose: &'p Prose<'p>,
    /// In reading order.
    pub(super) clauses: Vec<OpenClause>,
    quoted: Quoted,
}

/// Where the words that a model named stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In a clause that is open.
    Claims(Span),
    /// Only where nothing is claimed, or where readers have judged; or they are too few to name anything.
    Settled,
    /// Not in the reply.
    Nowhere,
}

impl<'p> Open<'p> {
    /// The clauses that assert something and hold no claim that a reader read. Where the language is not known, a stance
    /// cannot be told, and every clause may assert.
    pub(super) fn of(prose: &'p Prose<'p>, found: Option<&Verification>) -> Self {
        let mut judged = vec![false; prose.clauses.len()];
        for claim in found.iter().flat_map(|found| &found.claims).filter(|claim| claim.reader != CITED) {
            for (place, _) in overlapping(&prose.clauses, claim.span) {
                if let Some(judged) = judged.get_mut(place) {
                    *judged = true;
                }
            }
        }
        let quoted = Quoted::of(prose);
        let each = prose.clauses.iter().zip(judged).enumerate();
        let open = each.filter(|(_, (clause, judged))| {
            !judged && (clause.foreign || clause.stance == Stance::Asserts) && !quoted.holds(clause.span)
        });
        let clauses = open.map(|(index, (clause, _))| OpenClause {
            index,
            span: clause.span,
            speaks: prose.of(clause).iter().any(speaks),
        });
        Open { prose, clauses: clauses.collect(), quoted }
    }

    /// The open parts of sentences: neighbouring clauses of one sentence are told together, since the later ones leave out
    /// what the first has named.
    pub(super) fn sentences(&self) -> Vec<OpenClause> {
        let sentence = |open: &OpenClause| self.prose.clauses.get(open.index).map(|clause| &clause.sentence);
        let mut joined: Vec<OpenClause> = Vec::with_capacity(self.clauses.len());
        for open in &self.clauses {
            match joined.last_mut().filter(|last| last.index + 1 == open.index && sentence(last) == sentence(open)) {
                Some(last) => {
                    last.index = open.index;
                    last.span.end = open.span.end;
                    last.speaks |= open.speaks;
                }
                None => joined.push(*open),
            }
        }
        joined
    }

    /// Whether there is something to ask: a clause is open, and the reply speaks of results.
    pub(super) fn asks(&self, found: Option<&Verification>) -> bool {
        let read = found.is_some_and(|found| found.claims.iter().any(|claim| claim.reader != CITED));
        !self.clauses.is_empty() && (read || self.prose.tokens.iter().any(speaks))
    }

    /// Finds the words that a model named, as the readers compare words: case, white space, emphasis and typographic
    /// marks are folded; where they do not stand so, by their sequence alone. Of several places the first that is open
    /// counts. Too few words name no place.
    pub(super) fn find(&self, named: &str) -> Place {
        let (reply, named) = (self.prose.source, trimmed(named));
        if !named::tells(named) {
            return Place::Settled;
        }
        match self.first(written(reply, named)) {
            Place::Nowhere => self.first(named::places(reply, named).into_iter().take(PLACES)),
            place => place,
        }
    }

    /// The first of some places that is open.
    fn first(&self, places: impl IntoIterator<Item = Span>) -> Place {
        let mut place = Place::Nowhere;
        for span in places {
            if let Some(span) = self.within(span).filter(|span| !self.quoted.holds(*span)) {
                return Place::Claims(span);
            }
            place = Place::Settled;
        }
        place
    }

    /// The part of a span that is open: where a model names more than that, the rest is not flagged with it. A few
    /// characters of a clause do not name it.
    fn within(&self, span: Span) -> Option<Span> {
        let first = self.clauses.partition_point(|open| open.span.end <= span.start);
        let mut part: Option<(usize, Span)> = None;
        for open in self.clauses.iter().skip(first).take_while(|open| open.span.start < span.end) {
            let shared = Span::new(open.span.start.max(span.start), open.span.end.min(span.end));
            let enough = 2 * length(shared) >= length(open.span).min(length(span));
            part = match part {
                None if enough => Some((open.index, shared)),
                Some((last, held)) if last + 1 == open.index => Some((open.index, Span::new(held.start, shared.end))),
                Some(_) => break,
                None => None,
            };
        }
        part.map(|(_, span)| span)
    }
}

/// Where some words stand in a reply, as readers compare words.
fn written(reply: &str, named: &str) -> Vec<Span> {
    let needle = fold(named);
    if needle.is_empty() {
        return Vec::new();
    }
    let mut folded = Folded::new();
    folded.fold(reply);
    let whole = |at: &usize| edge(&folded.bytes, *at) && edge(&folded.bytes, at + needle.len());
    let places = memchr::memmem::find_iter(&folded.bytes, &needle).take(PLACES).filter(whole);
    places.map(|at| folded.source(reply, Span::new(at, at + needle.len()))).collect()
}

fn length(span: Span) -> usize {
    span.end.saturating_sub(span.start)
}

/// The clauses that a span touches, with their places in the list.
fn overlapping(clauses: &[Clause], span: Span) -> impl Iterator<Item = (usize, &Clause)> {
    let first = clauses.partition_point(|clause| clause.span.end <= span.start);
    clauses.iter().enumerate().skip(first).take_while(move |(_, clause)| clause.span.start < span.end)
}

/// The words without the quotation marks and the ellipsis that models put around them.
fn trimmed(named: &str) -> &str {
    unquoted(unquoted(named).trim_matches(|c: char| c == '…' || c == '.'))
}

/// The words without quotation marks around them.
pub(super) fn unquoted(words: &str) -> &str {
    words.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '“' | '”' | '‘' | '’' | '«' | '»'))
}

/// Whether no word goes on over a place of a folded text: a short claim must not be found inside another word.
pub(super) fn edge(folded: &[u8], at: usize) -> bool {
    let word = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    !(word(at.checked_sub(1).and_then(|before| folded.get(before))) && word(folded.get(at)))
}
