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

use super::lexicon::{self, Classes, Key};
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
    Word(Words),
    Maybe(Words),
    Number,
    Code,
    Any,
    Gap(u32),
}

/// Words of which one is wanted, by their places in the list of all.
#[derive(Clone, Copy, Debug)]
struct Words {
    start: u32,
    end: u32,
    /// A bit for each word, by its hash: a word without its bit is not among them.
    bits: u64,
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
    /// The elements of all phrases, and where those of each phrase are.
    elements: Vec<Element>,
    ranges: Vec<Range<usize>>,
    /// The words of all elements.
    words: Vec<&'static str>,
    /// The words that a phrase may begin with.
    starts: Vec<Start>,
    /// For each remainder of a hash the last of these words that has it, counted from 1.
    last: Vec<u32>,
    numbers: Vec<usize>,
    codes: Vec<usize>,
    any: Vec<usize>,
}

/// A word that a phrase may begin with, by its hash.
#[derive(Clone, Copy, Debug)]
struct Start {
    hash: u16,
    phrase: u32,
    /// The one before it with the same remainder, counted from 1.
    before: u32,
}

/// The remainders of hashes; with some hundred words most others are told at one look.
const REMAINDERS: usize = 4096;

/// Some tokens of a reply and their classes.
#[derive(Clone, Copy)]
struct Tokens<'p> {
    tokens: &'p [Token<'p>],
    classes: &'p [Classes],
}

impl Phrases {
    /// Reads phrases in the syntax above. Made once for a list of phrases, used for every reply.
    pub fn new(sources: &[&'static str]) -> Self {
        let mut made = Phrases {
            elements: Vec::with_capacity(4 * sources.len()),
            ranges: Vec::with_capacity(sources.len()),
            words: Vec::with_capacity(16 * sources.len()),
            starts: Vec::with_capacity(8 * sources.len()),
            last: vec![0; REMAINDERS],
            numbers: Vec::new(),
            codes: Vec::new(),
            any: Vec::new(),
        };
        for source in sources {
            made.add(source);
        }
        made
    }

    fn add(&mut self, source: &'static str) {
        let (number, first) = (self.ranges.len(), self.elements.len());
        let mut opening = true;
        let mut rest = source.trim_ascii_start();
        for _ in 0..LONGEST {
            if rest.is_empty() {
                break;
            }
            let end = rest.bytes().position(|b| b.is_ascii_whitespace()).unwrap_or(rest.len());
            let element = self.element(rest, end, opening.then_some(number));
            rest = rest.get(end..).unwrap_or("").trim_ascii_start();
            match element {
                Element::Number if opening => self.numbers.push(number),
                Element::Code if opening => self.codes.push(number),
                Element::Any | Element::Gap(_) if opening => self.any.push(number),
                _ => {}
            }
            opening &= matches!(element, Element::Maybe(_));
            self.elements.push(element);
        }
        self.ranges.push(first..self.elements.len());
    }

    /// Reads the element of `end` bytes at the start of a text. `opens`: the phrase that may begin with it.
    fn element(&mut self, text: &'static str, end: usize, opens: Option<usize>) -> Element {
        let source = text.get(..end).unwrap_or(text);
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
                    Some(words) if !words.is_empty() => Element::Maybe(self.list(text, words.len(), opens)),
                    _ => Element::Word(self.list(text, end, opens)),
                }
            }
        }
    }

    /// Reads the list of words that is `end` bytes long at the start of a text. The text goes on behind most of them, so
    /// that a word's key is taken from it at once.
    fn list(&mut self, text: &'static str, end: usize, opens: Option<usize>) -> Words {
        let start = self.words.len() as u32;
        let (mut bits, mut from) = (0, 0);
        while from <= end {
            let rest = text.as_bytes().get(from..).unwrap_or(&[]);
            let len = rest.iter().take(end - from).take_while(|b| **b != b'|').count();
            let word = text.get(from..from + len).unwrap_or("");
            let hash = lexicon::hash(lexicon::hashed(Key::starting(rest, len)));
            from += len + 1;
            bits |= bit(hash);
            self.words.push(word);
            if let Some(phrase) = opens {
                if let Some(last) = self.last.get_mut(usize::from(hash) % REMAINDERS) {
                    self.starts.push(Start { hash, phrase: phrase as u32, before: *last });
                    *last = self.starts.len() as u32;
                }
            }
        }
        Words { start, end: self.words.len() as u32, bits }
    }

    /// Finds the phrases among some tokens of a reply, by their first token and then by their place in the list.
    pub fn find(&self, prose: &Prose<'_>, range: Range<usize>) -> Vec<Match> {
        let tokens = prose.tokens.get(range.clone()).unwrap_or(&[]);
        let classes = prose.classes.get(range.clone()).unwrap_or(&[]);
        let mut found = Vec::new();
        for (at, (token, class)) in tokens.iter().zip(classes).enumerate() {
            let first = found.len();
            let mut look = |phrase: usize| {
                let rest = Tokens { tokens: &tokens[at..], classes: &classes[at..] };
                let Some(len) = self.shortest(phrase, rest) else { return };
                let start = range.start + at;
                let one = Match { phrase, tokens: start..start + len };
                // Few phrases begin at the same token.
                let place = first + found[first..].partition_point(|m: &Match| m.phrase < phrase);
                if found.get(place) != Some(&one) {
                    found.insert(place, one);
                }
            };
            match token.kind {
                TokenKind::Code => self.codes.iter().for_each(|&p| look(p)),
                TokenKind::Number => self.numbers.iter().for_each(|&p| look(p)),
                TokenKind::Arrow | TokenKind::Word | TokenKind::Mark => {
                    self.starting_with(lexicon::hash(*class)).for_each(&mut look);
                    if class & lexicon::NUMBERS != 0 {
                        self.numbers.iter().for_each(|&p| look(p));
                    }
                }
            }
            self.any.iter().for_each(|&p| look(p));
        }
        found
    }

    /// The first phrase found, by its first token.
    pub fn first(&self, prose: &Prose<'_>, range: Range<usize>) -> Option<Match> {
        self.find(prose, range).into_iter().next()
    }

    /// The phrases that may begin with a word of this hash. Another word may have the same; the match tells.
    fn starting_with(&self, hash: u16) -> impl Iterator<Item = usize> + '_ {
        let at = |number: u32| self.starts.get((number as usize).checked_sub(1)?);
        let last = self.last.get(usize::from(hash) % REMAINDERS).copied().unwrap_or(0);
        let same = core::iter::successors(at(last), move |start| at(start.before));
        same.filter(move |start| start.hash == hash).map(|start| start.phrase as usize)
    }

    /// The length of the shortest match of a phrase that starts with the first token.
    fn shortest(&self, phrase: usize, tokens: Tokens<'_>) -> Option<usize> {
        let elements = self.elements.get(self.ranges.get(phrase)?.clone())?;
        // Up to the first gap each element covers one token, and most phrases fail there.
        let several = |element: &Element| matches!(element, Element::Maybe(_) | Element::Gap(_));
        let (plain, rest) = elements.split_at(elements.iter().position(several).unwrap_or(elements.len()));
        if !plain.iter().enumerate().all(|(at, element)| self.fits(*element, tokens, at)) {
            return None;
        }
        // Bit n: the elements so far can cover the first n tokens.
        let mut reach = 1_u128.checked_shl(plain.len() as u32).unwrap_or(0);
        for element in rest {
            reach = match element {
                Element::Gap(width) => widen(reach, *width, tokens.tokens),
                Element::Maybe(_) => reach | self.step(reach, *element, tokens),
                _ => self.step(reach, *element, tokens),
            };
            if reach == 0 {
                return None;
            }
        }
        let len = reach.trailing_zeros() as usize;
        (len > 0).then_some(len)
    }

    fn step(&self, reach: u128, element: Element, tokens: Tokens<'_>) -> u128 {
        let (mut left, mut next) = (reach, 0);
        while left != 0 {
            let at = left.trailing_zeros();
            left &= left - 1;
            if self.fits(element, tokens, at as usize) {
                next |= 1_u128.checked_shl(at + 1).unwrap_or(0);
            }
        }
        next
    }

    fn fits(&self, element: Element, tokens: Tokens<'_>, at: usize) -> bool {
        let (Some(token), Some(classes)) = (tokens.tokens.get(at), tokens.classes.get(at)) else { return false };
        match element {
            Element::Word(words) | Element::Maybe(words) => {
                let text = match token.kind {
                    TokenKind::Word | TokenKind::Mark => &*token.text,
                    TokenKind::Arrow => "→",
                    TokenKind::Number | TokenKind::Code => return false,
                };
                let list = self.words.get(words.start as usize..words.end as usize).unwrap_or(&[]);
                words.bits & bit(lexicon::hash(*classes)) != 0 && list.contains(&text)
            }
            Element::Number => token.kind == TokenKind::Number || classes & lexicon::NUMBERS != 0,
            Element::Code => token.kind == TokenKind::Code,
            Element::Any => true,
            Element::Gap(_) => false,
        }
    }
}

/// The bit of a hash among sixty-four.
fn bit(hash: u16) -> u64 {
    1 << (hash % 64)
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
