//! From markdown blocks to sentences, and from sentences to clauses.
//!
//! A sentence ends at its punctuation, at a line break before something that looks like an item of its own, and with
//! its block. It is cut further at `;` and where a further verb of its own stands behind `and`, a comma or the like. A
//! table row is one clause.

use super::context::Context;
use super::cut;
use super::language::Tongue;
use super::lexicon;
use super::sentence::{Sentence, Start};
use super::stance::{self, Setting};
use super::token::{self, Break};
use super::{Clause, Fence, Place, Prose, Stance, Token, TokenKind};
use crate::text::markdown::{self, Block, Kind};
use crate::text::span::Span;
use alloc::vec::Vec;
use core::ops::Range;

/// Lists that are filled anew for each block or sentence; they keep their memory.
struct Scratch {
    breaks: Vec<(usize, Break)>,
    inside: Vec<u8>,
    sentences: Vec<Range<usize>>,
    parts: Vec<Range<usize>>,
}

pub(super) fn read(source: &str) -> Prose<'_> {
    let mut prose = Prose { source, ..Prose::default() };
    let mut document = markdown::parse(source);
    prose.lines = core::mem::take(&mut document.lines);
    let mut context = Context::default();
    let mut tongue = Tongue::with_capacity(document.blocks.len());
    // A token has about six bytes; what is longer than usual grows as it is read.
    let expected = (source.len() / 5).min(1 << 11);
    prose.tokens.reserve(expected);
    prose.classes.reserve(expected);
    prose.moods.reserve(expected);
    prose.clauses.reserve(expected / 8);
    let mut scratch = Scratch {
        breaks: Vec::with_capacity(16),
        inside: Vec::with_capacity(128),
        sentences: Vec::with_capacity(16),
        parts: Vec::with_capacity(16),
    };
    let mut after_text = false;
    for (number, block) in document.blocks.iter().enumerate() {
        if let Kind::Fence { body, info } = block.kind {
            let before = if after_text { prose.clauses.len().checked_sub(1) } else { None };
            prose.fences.push(Fence { span: block.span, body, info, before });
            after_text = false;
            continue;
        }
        let first = prose.tokens.len();
        scratch.breaks.clear();
        let runs = document.runs.get(block.runs.clone()).unwrap_or(&[]);
        token::read(source, runs, &mut prose.tokens, &mut prose.classes, &mut scratch.breaks);
        tongue.read(number, &prose.tokens[first..], &prose.classes[first..]);
        after_text = prose.tokens.len() > first;
        if after_text {
            read_block(&mut prose, &mut context, block, number, first, &mut scratch);
        }
    }
    for clause in &mut prose.clauses {
        clause.foreign = tongue.is_foreign(clause.block);
    }
    options(&mut prose);
    prose
}

/// A list that “Which one …?” follows lists options. A question of another kind may follow a report.
fn options(prose: &mut Prose<'_>) {
    for at in 1..prose.clauses.len() {
        let clause = &prose.clauses[at];
        let asks = clause.stance == Stance::Asks && clause.place == Place::Paragraph;
        let tokens = prose.tokens.get(clause.tokens.clone()).unwrap_or(&[]);
        if !asks || !tokens.iter().any(|t| matches!(&*t.text, "which")) {
            continue;
        }
        let (before, _) = prose.clauses.split_at_mut(at);
        for item in before.iter_mut().rev().take_while(|c| c.place == Place::Item) {
            if item.stance == Stance::Asserts {
                item.stance = Stance::Plans;
            }
            let moods = prose.moods.get_mut(item.sentence.clone()).unwrap_or(&mut []);
            moods.iter_mut().filter(|m| **m == Stance::Asserts).for_each(|m| *m = Stance::Plans);
        }
    }
}

fn read_block(
    prose: &mut Prose<'_>,
    context: &mut Context,
    block: &Block,
    number: usize,
    first: usize,
    scratch: &mut Scratch,
) {
    let Scratch { breaks, inside, sentences, parts } = scratch;
    let tokens = &prose.tokens[first..];
    cut::insides(tokens, &prose.classes[first..], inside);
    let row = matches!(block.kind, Kind::Row { .. });
    sentences.clear();
    if row {
        sentences.push(0..tokens.len());
    } else {
        cut::sentences(tokens, &prose.classes[first..], inside, breaks, sentences);
    }
    let surroundings = context.enter(block, tokens);
    let place = match block.kind {
        Kind::Heading(_) => Place::Heading,
        Kind::Row { .. } => Place::Row,
        Kind::Item => Place::Item,
        Kind::Paragraph | Kind::Fence { .. } => Place::Paragraph,
    };
    for range in sentences.drain(..) {
        let (words, classes) = (&tokens[range.clone()], &prose.classes[first..][range.clone()]);
        let sentence = Sentence { tokens: words, classes, inside: &inside[range.clone()] };
        let asks = !row && closing(sentence.tokens).any(|t| matches!(&*t.text, "?" | "？"));
        let setting = Setting { ambient: surroundings.ambient, asks, done: surroundings.done };
        stance::read(sentence, setting, &mut prose.moods);
        let moods = prose.moods.get(first + range.start..).unwrap_or(&[]);
        parts.clear();
        if row {
            parts.push(0..sentence.len());
        } else {
            cut_sentence(&sentence, parts);
        }
        for part in parts.drain(..) {
            let Some(part) = trim(&sentence, part) else { continue };
            let stance = if row { row_stance(&sentence, moods) } else { main_stance(&sentence, moods, &part) };
            let tokens = first + range.start + part.start..first + range.start + part.end;
            let sentence = first + range.start..first + range.end;
            let span = span(prose.source, prose.tokens.get(tokens.clone()).unwrap_or(&[]));
            prose.clauses.push(Clause { span, tokens, sentence, block: number, place, stance, foreign: false });
        }
    }
    context.leave(block, &prose.tokens[first..], &prose.classes[first..], &prose.moods[first..]);
}

/// The marks at the end of a sentence.
fn closing<'s>(tokens: &'s [Token<'s>]) -> impl Iterator<Item = &'s Token<'s>> {
    tokens.iter().rev().take_while(|t| t.kind == TokenKind::Mark).take(4)
}

/// Cuts a sentence where a clause with a verb of its own starts.
fn cut_sentence(sentence: &Sentence<'_>, found: &mut Vec<Range<usize>>) {
    let mut start = 0;
    let (mut verb, mut arrow) = (false, false);
    let telling = lexicon::JOINTS | lexicon::TURNING | lexicon::FINITE | lexicon::ARROW;
    for i in 0..sentence.len() {
        if !sentence.has(i, telling) {
            continue;
        }
        let free = sentence.inside.get(i).is_none_or(|f| *f == 0);
        if free && i > start && cuts(sentence, i, verb, arrow) {
            found.push(start..i);
            start = i;
            (verb, arrow) = (false, arrow && sentence.mark(i) != ";");
        }
        verb |= free && sentence.is_verb(i);
        arrow |= sentence.has(i, lexicon::ARROW);
    }
    found.push(start..sentence.len());
}

fn cuts(sentence: &Sentence<'_>, i: usize, verb: bool, arrow: bool) -> bool {
    if !sentence.has(i, lexicon::JOINTS | lexicon::TURNING) {
        return false;
    }
    if sentence.mark(i) == ";" {
        return true;
    }
    if !verb || arrow {
        return false;
    }
    let next = sentence.past_adverbs(i + 1);
    let past = sentence.has(next, lexicon::IS_PAST);
    let joined = i.checked_sub(1).is_some_and(|p| sentence.has(p, lexicon::IS_PAST));
    match (sentence.mark(i), sentence.word(i)) {
        (",", _) => {
            let starts = sentence.starts(i + 1);
            let object = next + 1 < sentence.len() && sentence.mark(next + 1).is_empty();
            (past && object && sentence.word(next + 1) != "by") || starts == Start::Strong
        }
        (_, "and" | "but" | "then") => (past && !joined) || sentence.starts(i + 1) != Start::No,
        (_, "which" | "who") => sentence.mark(i.wrapping_sub(1)) == "," && sentence.has(next, lexicon::FINITE),
        (_, "so" | "because" | "although" | "while" | "whereas") => {
            sentence.word(i + 1) != "that" && sentence.starts(i + 1) != Start::No
        }
        _ => false,
    }
}

/// Takes bullets, conjunctions and closing marks off a part; nothing may be left.
fn trim(sentence: &Sentence<'_>, part: Range<usize>) -> Option<Range<usize>> {
    let (mut start, mut end) = (part.start, part.end);
    if start == 0 {
        let first = sentence.first();
        let opener = |at: usize| {
            matches!(
                sentence.mark(at),
                "(" | "[" | "\"" | "“" | "«" | "„" | "$" | "€" | "£" | "#" | "~" | "/" | "@" | "." | "<"
            ) && sentence.is_glued(at)
        };
        let kept = (0..first).rev().take_while(|&at| opener(at)).last().unwrap_or(first);
        start = if kept < end { kept } else { start };
    } else {
        while start < end
            && (matches!(sentence.mark(start), ";" | ",") || matches!(sentence.word(start), "and" | "but" | "then"))
        {
            start += 1;
        }
    }
    let closes =
        |at: usize| matches!(sentence.mark(at), "." | "," | ";" | ":" | "!" | "?" | "…" | "。" | "！" | "？" | "|");
    while end > start && closes(end - 1) {
        end -= 1;
    }
    let bare = (start..end).all(|at| sentence.is(at, TokenKind::Mark));
    (start < end && !bare).then_some(start..end)
}

/// From the first token to the last, with the stars of an emphasis that starts or ends inside.
fn span(source: &str, tokens: &[Token<'_>]) -> Span {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return Span::default() };
    let (mut start, mut end) = (first.span.start, last.span.end);
    let star = |b: &u8| matches!(b, b'*' | b'_');
    if !(first.strong || last.strong) || tokens.iter().all(|t| t.strong) {
        return Span::new(start, end);
    }
    if first.strong {
        let bytes = source.as_bytes().get(..start).unwrap_or(&[]);
        start -= bytes.iter().rev().take(3).take_while(|b| star(b)).count();
    }
    if last.strong {
        let bytes = source.as_bytes().get(end..).unwrap_or(&[]);
        end += bytes.iter().take(3).take_while(|b| star(b)).count();
    }
    Span::new(start, end)
}

/// The stance at the first verb of a part; without one, the first that is none of the agent's own. What is quoted in front of
/// an arrow is an argument, as in `open("a/b")` → 3.
fn main_stance(sentence: &Sentence<'_>, moods: &[Stance], part: &Range<usize>) -> Stance {
    let at = |i: usize| moods.get(i).copied().unwrap_or(Stance::Asserts);
    let plain = |i: &usize| sentence.inside.get(*i).is_none_or(|f| *f == 0);
    let verb = part.clone().filter(plain).find(|&i| sentence.is_verb(i));
    let opening = part.clone().find(|&i| !sentence.word(i).is_empty()).map(at);
    if opening == Some(Stance::Instructs) {
        return Stance::Instructs;
    }
    let Some(verb) = verb else {
        let arrow = part.clone().any(|i| sentence.is(i, TokenKind::Arrow));
        let words = part.clone().filter(|i| !arrow || plain(i));
        let first = words.map(at).find(|s| !matches!(s, Stance::Asserts | Stance::Denies));
        return first.unwrap_or(Stance::Asserts);
    };
    let verb = behind_participle(sentence, verb, part);
    // "is not", "am unable": the denial follows its verb.
    let end = (verb + 3).min(part.end);
    let follows =
        |i: usize| sentence.has(i, lexicon::ADVERBS) || matches!(sentence.word(i), "not" | "never" | "unable");
    let group = (verb..end).take_while(|&i| i == verb || follows(i));
    let stance = group.map(at).find(|s| *s != Stance::Asserts).unwrap_or(Stance::Asserts);
    let classes = sentence.classes.get(part.clone()).unwrap_or(&[]);
    if stance == Stance::Denies && lexicon::all(classes) & lexicon::ARROW != 0 {
        Stance::Asserts
    } else {
        stance
    }
}

/// The verb of a clause whose subject holds a participle: "the amount paid will be refunded".
fn behind_participle(sentence: &Sentence<'_>, verb: usize, part: &Range<usize>) -> usize {
    let noun = verb > part.start && !sentence.has(verb - 1, lexicon::PRONOUNS | lexicon::AUXILIARY | lexicon::ADVERBS);
    if !noun || !sentence.has(verb, lexicon::IS_PAST) {
        return verb;
    }
    let clear = |i: &usize| {
        !matches!(sentence.mark(*i), "," | ":" | "–" | "—")
            && !sentence.is(*i, TokenKind::Arrow)
            && !matches!(
                sentence.word(*i),
                "that" | "which" | "who" | "what" | "and" | "or" | "but" | "when" | "if" | "as" | "because" | "so"
            )
    };
    let end = (verb + 12).min(part.end);
    (verb + 1..end).take_while(clear).find(|&i| sentence.has(i, lexicon::AUXILIARY)).unwrap_or(verb)
}

/// A row claims only if no cell of it plans, orders or supposes.
fn row_stance(sentence: &Sentence<'_>, moods: &[Stance]) -> Stance {
    let other = moods.iter().take(sentence.len()).find(|s| !matches!(s, Stance::Asserts | Stance::Denies));
    other.copied().unwrap_or(Stance::Asserts)
}
