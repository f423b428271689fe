//! What stands around a block: a heading, the words before a list, the names of columns.
//!
//! A list under "I will:" plans, one under "What I did" tells of the past. A heading reaches up to the next of its
//! level, a paragraph in bold that serves as one likewise; the words before a list reach to its end.

use super::lexicon::{self, Classes};
use super::{Stance, Token, TokenKind};
use crate::text::markdown::{Block, Kind};
use alloc::vec::Vec;

/// The level of a bold paragraph that serves as a heading.
const BOLD: u8 = 7;

/// What something before a block makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Is(Stance),
    Done,
}

/// What holds for the sentences of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surroundings {
    pub(super) ambient: Stance,
    pub(super) done: bool,
}

/// The headings and list leads that are open.
#[derive(Debug, Default)]
pub(super) struct Context {
    headings: Vec<(u8, Option<Purpose>)>,
    leads: Vec<(usize, Option<Purpose>)>,
    columns: Option<Purpose>,
    /// The last item told of the past.
    past: bool,
}

impl Context {
    /// What holds for a block that begins now.
    pub(super) fn enter(&mut self, block: &Block, tokens: &[Token<'_>]) -> Surroundings {
        let row = matches!(block.kind, Kind::Row { .. });
        while self.leads.last().is_some_and(|&(depth, _)| block.depth <= depth && !(row && block.depth == depth)) {
            self.leads.pop();
        }
        if block.depth == 0 {
            self.past = false;
        }
        if !row {
            self.columns = None;
        }
        if let Some(level) = level(block, tokens) {
            while self.headings.last().is_some_and(|&(other, _)| other >= level) {
                self.headings.pop();
            }
        }
        let purpose = self.purpose(row);
        let mut ambient = match purpose {
            Some(Purpose::Is(stance)) => stance,
            Some(Purpose::Done) | None => Stance::Asserts,
        };
        match block.kind {
            Kind::Row { header: true } => ambient = Stance::Supposes,
            _ if block.task == Some(false) => ambient = Stance::Plans,
            _ => {}
        }
        if block.quoted {
            ambient = Stance::Quotes;
        }
        Surroundings { ambient, done: purpose == Some(Purpose::Done) || self.past }
    }

    /// The nearest purpose: of the columns, the lists from the innermost, the headings likewise.
    fn purpose(&self, row: bool) -> Option<Purpose> {
        let columns = if row { self.columns } else { None };
        let lead = self.leads.last().and_then(|(_, purpose)| *purpose);
        columns.or(lead).or_else(|| self.headings.last().and_then(|(_, purpose)| *purpose))
    }

    /// Takes note of what a block says about those that follow.
    pub(super) fn leave(&mut self, block: &Block, tokens: &[Token<'_>], classes: &[Classes], moods: &[Stance]) {
        if block.quoted {
            return;
        }
        if let Some(level) = level(block, tokens) {
            let purpose = purpose(tokens, classes).or_else(|| self.headings.last().and_then(|(_, outer)| *outer));
            self.headings.push((level, purpose));
            return;
        }
        match block.kind {
            Kind::Row { header: true } => self.columns = columns(tokens, classes),
            Kind::Row { .. } => {}
            _ => self.lead(block, tokens, classes, moods),
        }
        if block.kind == Kind::Item {
            let first = tokens.iter().position(|t| t.kind == TokenKind::Word);
            self.past |= first.and_then(|at| classes.get(at)).is_some_and(|c| c & lexicon::IS_PAST != 0);
        }
    }

    fn lead(&mut self, block: &Block, tokens: &[Token<'_>], classes: &[Classes], moods: &[Stance]) {
        let outer = self.leads.last().and_then(|(_, purpose)| *purpose);
        let Some(last) = tokens.last() else { return };
        let ends = |t: &Token<'_>| t.kind == TokenKind::Mark && matches!(&*t.text, "." | "!" | "?" | ";");
        let purpose = match &*last.text {
            "?" => Some(Purpose::Is(Stance::Plans)),
            ":" | "：" => {
                let from = tokens.iter().rposition(ends).filter(|at| at + 1 < tokens.len()).map_or(0, |at| at + 1);
                lead_purpose(&tokens[from..], &classes[from..], &moods[from..]).or(outer)
            }
            _ => outer,
        };
        if purpose.is_some() {
            self.leads.push((block.depth, purpose));
        }
    }
}

/// The level of a heading, or of a short paragraph in bold.
fn level(block: &Block, tokens: &[Token<'_>]) -> Option<u8> {
    match block.kind {
        Kind::Heading(level) => Some(level),
        Kind::Paragraph if block.depth == 0 && tokens.len() <= 12 && is_title(tokens) => Some(BOLD),
        _ => None,
    }
}

fn is_title(tokens: &[Token<'_>]) -> bool {
    let words = tokens.iter().filter(|t| t.kind == TokenKind::Word);
    let ends = tokens.last().is_some_and(|t| matches!(&*t.text, "." | "!"));
    !ends && words.clone().next().is_some() && words.clone().all(|t| t.strong)
}

/// What the words before a list make of it: the stance at their first verb, else what the words themselves say.
fn lead_purpose(tokens: &[Token<'_>], classes: &[Classes], moods: &[Stance]) -> Option<Purpose> {
    let verb = classes.iter().position(|c| c & (lexicon::AUXILIARY | lexicon::IS_PAST) != 0);
    let stance = verb.and_then(|at| moods.get(at)).or(moods.first());
    let claims = |s: &Stance| matches!(s, Stance::Asserts | Stance::Denies);
    let other = if verb.is_some() { None } else { moods.iter().find(|s| !claims(s)) };
    match other.or(stance.filter(|s| !claims(s))) {
        Some(stance) => Some(Purpose::Is(*stance)),
        None if is_told(tokens, classes) => Some(Purpose::Done),
        None => purpose(tokens, classes),
    }
}

/// "I've made", "have been cancelled", "we did": a sentence that tells of the past.
fn is_told(tokens: &[Token<'_>], classes: &[Classes]) -> bool {
    tokens.iter().zip(classes).enumerate().any(|(at, (token, _))| {
        let past = |at: usize| classes.get(at).is_some_and(|c| c & lexicon::IS_PAST != 0);
        match &*token.text {
            "i" | "we" => past(at + 1),
            "have" | "has" | "was" | "were" | "i've" | "we've" => (at + 1..at + 4).any(past),
            _ => false,
        }
    })
}

/// What a heading or a lead says about what follows.
fn purpose(tokens: &[Token<'_>], classes: &[Classes]) -> Option<Purpose> {
    let words = || tokens.iter().zip(classes).filter(|(t, _)| t.kind == TokenKind::Word).map(|(t, c)| (&*t.text, *c));
    let any = |wanted: Classes| words().any(|(_, c)| c & wanted != 0);
    let says = |list: &[&str]| words().any(|(w, _)| list.contains(&w));
    let pair = |a: &str, b: &[&str]| words().zip(words().skip(1)).any(|(x, y)| x.0 == a && b.contains(&y.0));
    let first = words().next().map_or("", |(w, _)| w);
    // What a changelog lists, others did.
    let listing = says(&["changelog"]) || pair("release", &["notes"]) || is_release(tokens);
    if listing && !any(lexicon::IS_PAST) {
        return Some(Purpose::Is(Stance::Quotes));
    }
    if any(lexicon::NEGATED) || says(&["not", "skipped", "untested", "unverified"]) {
        return Some(Purpose::Is(Stance::Denies));
    }
    if says(&["nothing"]) {
        return None;
    }
    let next = pair("next", &["step", "steps", "up", "action", "actions", "task", "tasks", "item", "items", "phase"]);
    let usage = matches!(first, "usage" | "next") && tokens.len() <= 4;
    let base = |c: Classes| c & lexicon::BASE != 0 && c & lexicon::NOUN_TOO == 0;
    let todo = pair("to", &["do", "be"]) || words().zip(words().skip(1)).any(|(x, y)| x.0 == "to" && base(y.1));
    let how = pair("how", &["to", "it", "you", "this", "the"]) || pair("test", &["plan"]) || pair("testing", &["plan"]);
    let open = says(&["next", "remaining", "will", "should", "would", "could", "to", "needed", "required"]);
    let over =
        says(&["complete", "completed", "done", "finished", "implemented", "performed", "accomplished", "taken"]);
    if over && !open {
        return Some(Purpose::Done);
    }
    let possible = any(lexicon::PLANNED) && !pair("as", &["expected", "requested", "needed", "required"]);
    if todo || how || possible || next || usage || pair("what's", &["next"]) {
        return Some(Purpose::Is(Stance::Plans));
    }
    if any(lexicon::FINISHED) {
        return Some(Purpose::Done);
    }
    if matches!(first, "what" | "how") && says(&["does", "do", "asks", "says", "works"]) {
        return Some(Purpose::Is(Stance::Supposes));
    }
    let told = any(lexicon::IS_PAST) || (first == "here" && !says(&["plan"]));
    (any(lexicon::PLANNED_WEAKLY) && !told).then_some(Purpose::Is(Stance::Plans))
}

/// Whether a heading is no more than the number of a release: “1.2.0”, “[0.9.1] - 2031-04-05”, “v2.0.0”.
fn is_release(tokens: &[Token<'_>]) -> bool {
    let number = |t: &Token<'_>| {
        let text = t.text.trim_start_matches(['v', 'V']);
        text.bytes().filter(|b| *b == b'.').count() >= 2 && text.starts_with(|c: char| c.is_ascii_digit())
    };
    let bare = |t: &Token<'_>| t.kind != TokenKind::Word || t.text.bytes().any(|b| b.is_ascii_digit());
    let named = |t: &Token<'_>| matches!(&*t.text, "release" | "released" | "unreleased" | "version");
    tokens.iter().take(12).any(number) && tokens.iter().all(|t| bare(t) || named(t))
}

/// What the names of columns make of the rows: a column of what is planned counts unless one of results stands beside.
fn columns(tokens: &[Token<'_>], classes: &[Classes]) -> Option<Purpose> {
    let results = |t: &Token<'_>| {
        matches!(
            &*t.text,
            "actual" | "result" | "results" | "status" | "outcome" | "found" | "finding" | "observed" | "got"
        )
    };
    if tokens.iter().any(results) {
        return None;
    }
    match purpose(tokens, classes) {
        Some(Purpose::Is(Stance::Plans)) => Some(Purpose::Is(Stance::Plans)),
        _ => None,
    }
}
