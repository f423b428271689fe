//! The words that a model named, found in a reply by their sequence alone: punctuation, emphasis, list marks, contractions and
//! the thousands' comma are left aside.

use crate::text::span::Span;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// The fewest letters and digits that name a claim.
const FEWEST: usize = 8;

/// A word of a text.
#[derive(Debug, PartialEq, Eq)]
struct Word {
    text: String,
    span: Span,
}

/// Whether the words name a claim at all: one word, or a few letters, stand in too many places for that. A character of a
/// language that sets no spaces is a word, and as wide as two letters.
pub(super) fn tells(named: &str) -> bool {
    let letters = |word: &Word| word.text.chars().map(|c| 1 + usize::from(alone(c))).sum::<usize>();
    let words = words(named);
    words.len() > 1 && words.iter().map(letters).sum::<usize>() >= FEWEST
}

/// Where the words stand in a text, from the first to the last of them. Linear in both.
pub(super) fn places(text: &str, named: &str) -> Vec<Span> {
    let (text, named) = (bare(words(text)), bare(words(named)));
    let mut places = Vec::new();
    // For each place in the named words how many of the words before it are also their beginning (Knuth, Morris, Pratt).
    let mut table = vec![0];
    for word in named.iter().skip(1) {
        let held = step(&named, &table, table.last().copied().unwrap_or(0), word);
        table.push(held);
    }
    let mut held = 0;
    for (at, word) in text.iter().enumerate() {
        held = step(&named, &table, held, word);
        if held == named.len() && held > 0 {
            let first = text.get(at + 1 - held).map_or(word.span, |first| first.span);
            places.push(Span::new(first.start, word.span.end));
        }
    }
    places
}

/// How many of the named words are held after one more word.
fn step(named: &[Word], table: &[usize], mut held: usize, word: &Word) -> usize {
    loop {
        if named.get(held).is_some_and(|next| next.text == word.text) {
            return held + 1;
        }
        match held.checked_sub(1).and_then(|last| table.get(last)) {
            Some(less) => held = *less,
            None => return 0,
        }
    }
}

/// The words of a text in lower case, without the numbers of list items.
fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut at = 0;
    let mut fresh = true;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if !c.is_alphanumeric() {
            at += c.len_utf8();
            fresh = c == '\n' || fresh && (c.is_whitespace() || matches!(c, '>' | '-' | '*' | '+' | '#' | '|'));
            continue;
        }
        let word = word(text, at);
        at = word.span.end;
        let mut behind = text.get(at..).unwrap_or("").chars();
        let mark = fresh
            && word.text.bytes().all(|b| b.is_ascii_digit())
            && matches!(behind.next(), Some('.' | ')'))
            && behind.next().is_some_and(char::is_whitespace);
        fresh = false;
        if !mark {
            words.push(word);
        }
    }
    words
}

/// The word that begins at a place.
fn word(text: &str, start: usize) -> Word {
    let (mut word, mut at, mut end) = (String::new(), start, start);
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        at += c.len_utf8();
        let next = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
        if c.is_alphanumeric() && !(alone(c) && end > start) {
            word.extend(c.to_lowercase());
            end = at;
            if alone(c) {
                break;
            }
        } else if matches!(c, '\'' | '’' | 'ʼ') && next.is_alphabetic() {
            word.push('\'');
        } else if !(unseen(c) || c == ',' && word.ends_with(|c: char| c.is_ascii_digit()) && next.is_ascii_digit()) {
            break;
        }
    }
    Word { text: word, span: Span::new(start, end) }
}

/// A character of a language that sets no spaces between its words.
fn alone(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{edf}' | '\u{1000}'..='\u{109f}' | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// A character that takes no room and parts no word.
fn unseen(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

/// The words without what contractions leave out, so that “it's” and “it is”, “didn't” and “did not” are the same.
fn bare(words: Vec<Word>) -> Vec<Word> {
    let mut bare = Vec::with_capacity(words.len());
    for Word { text, span } in words {
        let mut put = |part: &str| {
            if !["", "am", "are", "had", "has", "have", "is", "us", "will", "would"].contains(&part) {
                bare.push(Word { text: part.into(), span });
            }
        };
        match (&*text, text.strip_suffix("n't")) {
            ("can't" | "cannot", _) => ["can", "not"].into_iter().for_each(put),
            ("won't", _) => put("not"),
            (_, Some(stem)) => [stem, "not"].into_iter().for_each(put),
            _ => match text.rsplit_once('\'') {
                Some((stem, "s" | "d" | "m" | "re" | "ve" | "ll")) => put(stem),
                _ => put(&text),
            },
        }
    }
    bare
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, named: &str) -> Vec<String> {
        places(text, named).into_iter().map(|span| span.of(text).into()).collect()
    }

    #[test]
    fn words_are_found_by_their_sequence() {
        for (text, named, place) in [
            (
                "It's done: the lamp, once red, didn't fail.",
                "The lamp once red did not fail",
                "the lamp, once red, didn't fail",
            ),
            (
                "1. I fixed the gate.\n2. I cleaned it.",
                "I fixed the gate; I cleaned it",
                "I fixed the gate.\n2. I cleaned it",
            ),
            ("- I fixed the gate", "3) I fixed the gate", "I fixed the gate"),
            ("Sent 4,711 letters!", "sent 4711 letters", "Sent 4,711 letters"),
            ("测试，全部通过。", "测试全部通过", "测试，全部通过"),
            ("a b a b a c", "a-b-a-c", "a b a c"),
        ] {
            assert_eq!(found(text, named), [place], "{text}");
        }
        assert!(found("the lamps turned", "lamp turned").is_empty());
        assert!(found("a", "").is_empty() && found("", "a").is_empty());
    }

    #[test]
    fn one_word_or_a_few_letters_name_nothing() {
        for named in ["", "ran", "successfully", "I ran", "ok, 3", "通过"] {
            assert!(!tells(named), "{named}");
        }
        for named in ["It returned", "I ran it all", "测试通过"] {
            assert!(tells(named), "{named}");
        }
    }
}
