//! The phrase matcher: forms of claims as data, found in one pass over the tokens.
//!
//! A phrase is a row of elements with spaces between:
//!
//! - `test|tests`: one of these words or marks, `→` standing for any arrow;
//! - `successfully?`: the same, or nothing;
//! - `#`: a number, or a number word up to twelve;
//! - `` ` ``: a code span;
//! - `*`: any one token;
//! - `..`: a gap of up to four tokens, `..8` of up to eight, that crosses no `;`, arrow or cell.
//!
//! A phrase must not begin with a gap. A match is the shortest one from its first token. The work
//! for each token is bounded: elements are at most [`LONGEST`], a gap at most [`WIDEST`], and what is reachable is kept
//! as the bits of one number, so that there is no way to go back and try again.

use super::lexicon;
use super::{Prose, Token, TokenKind};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// The most elements of a phrase; what goes beyond is not read.
pub const LONGEST: usize = 12;
/// The widest gap.
pub const WIDEST: usize = 8;

#[derive(Clone, Copy, Debug)]
enum Element {
    Word(&'static str),
    Maybe(&'static str),
    Number,
    Code,
    Any,
    Gap(u32),
}

/// A phrase found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Which of the phrases, by its place in the list.
    pub phrase: usize,
    /// The tokens of the reply that it covers.
    pub tokens: Range<usize>,
}

/// A list of phrases, ready to be looked for.
#[derive(Clone, Debug)]
pub struct Phrases {
    elements: Vec<Vec<Element>>,
    /// The phrases that begin with a word, sorted by it.
    words: Vec<(&'static str, usize)>,
    /// Where the words with this first byte stand in `words`.
    bytes: Vec<(u32, u32)>,
    numbers: Vec<usize>,
    codes: Vec<usize>,
    any: Vec<usize>,
}

impl Phrases {
    /// Reads phrases in the syntax above. Made once for a list of phrases, used for every reply.
    pub fn new(sources: &[&'static str]) -> Self {
        let phrases: Vec<Vec<Element>> =
            sources.iter().map(|s| s.split_whitespace().take(LONGEST).map(element).collect()).collect();
        let (mut words, mut numbers, mut codes, mut any) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (number, phrase) in phrases.iter().enumerate() {
            let optional = phrase.iter().take_while(|e| matches!(e, Element::Maybe(_))).count();
            for element in phrase.iter().take(optional + 1) {
                match element {
                    Element::Word(list) | Element::Maybe(list) => words.extend(list.split('|').map(|w| (w, number))),
                    Element::Number => numbers.push(number),
                    Element::Code => codes.push(number),
                    Element::Any | Element::Gap(_) => any.push(number),
                }
            }
        }
        words.sort_unstable();
        words.dedup();
        let mut bytes = vec![(0, 0); 256];
        for (at, (word, _)) in words.iter().enumerate() {
            let Some(slot) = word.bytes().next().and_then(|b| bytes.get_mut(usize::from(b))) else { continue };
            if slot.1 == 0 {
                slot.0 = at as u32;
            }
            slot.1 = at as u32 + 1;
        }
        Phrases { elements: phrases, words, bytes, numbers, codes, any }
    }

    /// Finds the phrases among some tokens of a reply, by their first token and then by their place in the list.
    pub fn find(&self, prose: &Prose<'_>, range: Range<usize>) -> Vec<Match> {
        let tokens = prose.tokens.get(range.clone()).unwrap_or(&[]);
        let mut found = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let first = found.len();
            let rest = tokens.get(at..).unwrap_or(&[]);
            let mut look = |phrase: usize| {
                let Some(len) = self.elements.get(phrase).and_then(|elements| shortest(elements, rest)) else { return };
                let start = range.start + at;
                found.push(Match { phrase, tokens: start..start + len });
            };
            match token.kind {
                TokenKind::Code => self.codes.iter().for_each(|&p| look(p)),
                TokenKind::Number => self.numbers.iter().for_each(|&p| look(p)),
                TokenKind::Arrow => self.starting_with("→").for_each(look),
                TokenKind::Word | TokenKind::Mark => {
                    self.starting_with(&token.text).for_each(&mut look);
                    if lexicon::number(&token.text).is_some() {
                        self.numbers.iter().for_each(|&p| look(p));
                    }
                }
            }
            self.any.iter().for_each(|&p| {
                let Some(len) = self.elements.get(p).and_then(|elements| shortest(elements, rest)) else { return };
                found.push(Match { phrase: p, tokens: range.start + at..range.start + at + len });
            });
            if found.len() > first + 1 {
                let mut here = found.split_off(first);
                here.sort_unstable_by_key(|m| m.phrase);
                here.dedup();
                found.append(&mut here);
            }
        }
        found
    }

    /// The first phrase found, by its first token.
    pub fn first(&self, prose: &Prose<'_>, range: Range<usize>) -> Option<Match> {
        self.find(prose, range).into_iter().next()
    }

    fn starting_with<'p>(&'p self, word: &'p str) -> impl Iterator<Item = usize> + 'p {
        let slot = word.bytes().next().and_then(|b| self.bytes.get(usize::from(b))).copied().unwrap_or((0, 0));
        let words = self.words.get(slot.0 as usize..slot.1 as usize).unwrap_or(&[]);
        let from = words.partition_point(|(w, _)| *w < word);
        words.iter().skip(from).take_while(move |(w, _)| *w == word).map(|&(_, phrase)| phrase)
    }
}

fn element(source: &'static str) -> Element {
    match source {
        "#" => Element::Number,
        "`" => Element::Code,
        "*" => Element::Any,
        ".." => Element::Gap(4),
        _ => {
            if let Some(width) = source.strip_prefix("..").and_then(|w| w.parse::<u32>().ok()) {
                return Element::Gap(width.min(WIDEST as u32));
            }
            match source.strip_suffix('?') {
                Some(words) if !words.is_empty() => Element::Maybe(words),
                _ => Element::Word(source),
            }
        }
    }
}

/// The length of the shortest match that starts with the first token.
fn shortest(elements: &[Element], tokens: &[Token<'_>]) -> Option<usize> {
    // Bit n: the elements so far can cover the first n tokens.
    let mut reach: u128 = 1;
    for element in elements {
        reach = match element {
            Element::Gap(width) => widen(reach, *width, tokens),
            Element::Maybe(_) => reach | step(reach, *element, tokens),
            _ => step(reach, *element, tokens),
        };
        if reach == 0 {
            return None;
        }
    }
    let len = reach.trailing_zeros() as usize;
    (len > 0).then_some(len)
}

fn step(reach: u128, element: Element, tokens: &[Token<'_>]) -> u128 {
    let (mut left, mut next) = (reach, 0);
    while left != 0 {
        let at = left.trailing_zeros();
        left &= left - 1;
        if tokens.get(at as usize).is_some_and(|t| fits(element, t)) {
            next |= 1_u128.checked_shl(at + 1).unwrap_or(0);
        }
    }
    next
}

fn widen(reach: u128, width: u32, tokens: &[Token<'_>]) -> u128 {
    let mut all = reach;
    let mut edge = reach;
    for _ in 0..width {
        let (mut left, mut next) = (edge, 0);
        while left != 0 {
            let at = left.trailing_zeros();
            left &= left - 1;
            if tokens.get(at as usize).is_some_and(|t| !bars(t)) {
                next |= 1_u128.checked_shl(at + 1).unwrap_or(0);
            }
        }
        edge = next & !all;
        all |= next;
        if edge == 0 {
            break;
        }
    }
    all
}

/// What no gap crosses.
fn bars(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Arrow || (token.kind == TokenKind::Mark && matches!(&*token.text, ";" | "|"))
}

fn fits(element: Element, token: &Token<'_>) -> bool {
    match element {
        Element::Word(list) | Element::Maybe(list) => match token.kind {
            TokenKind::Word | TokenKind::Mark => list.split('|').any(|w| w == token.text),
            TokenKind::Arrow => list.split('|').any(|w| w == "→"),
            TokenKind::Number | TokenKind::Code => false,
        },
        Element::Number => {
            token.kind == TokenKind::Number || (token.kind == TokenKind::Word && lexicon::number(&token.text).is_some())
        }
        Element::Code => token.kind == TokenKind::Code,
        Element::Any => true,
        Element::Gap(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};

    fn found(phrases: &[&'static str], reply: &str) -> Vec<String> {
        let prose = Prose::read(reply);
        let matches = Phrases::new(phrases).find(&prose, 0..prose.tokens.len());
        matches
            .iter()
            .map(|m| {
                let tokens = &prose.tokens[m.tokens.clone()];
                let (first, last) = (&tokens[0], &tokens[tokens.len() - 1]);
                reply[first.span.start..last.span.end].to_string()
            })
            .collect()
    }

    #[test]
    fn alternatives_gaps_and_optional_words_match() {
        let phrases = &["test|tests .. pass|passed", "# file|files were? removed"];
        assert_eq!(found(phrases, "All tests have now passed."), ["tests have now passed"]);
        assert_eq!(
            found(phrases, "Three files removed, 2 files were removed."),
            ["Three files removed", "2 files were removed"]
        );
        assert!(found(phrases, "tests a b c d e passed").is_empty());
    }

    #[test]
    fn no_gap_crosses_a_semicolon_an_arrow_or_a_cell() {
        let phrases = &["tests .. passed"];
        assert!(found(phrases, "tests; it passed").is_empty());
        assert!(found(phrases, "tests → it passed").is_empty());
        assert_eq!(found(&["` → ok"], "`make` -> ok"), ["`make` -> ok"]);
    }

    #[test]
    fn code_stands_for_itself_alone() {
        assert_eq!(found(&["ran ` "], "I ran `make` and `x`."), ["ran `make`"]);
        assert!(found(&["ran make"], "I ran `make`.").is_empty());
        assert_eq!(found(&["* passed"], "it passed"), ["it passed"]);
    }
}
