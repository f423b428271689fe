//! From the runs of a block to words, numbers, code spans and marks.
//!
//! One pass over the characters. A word is folded to lower case; a number keeps what is written; whatever else is
//! visible becomes a mark of its own, so that nothing of the reply is lost to the readers.

use super::{Token, TokenKind};
use crate::text::markdown::{Piece, Run};
use crate::text::span::Span;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// Where a line or a cell ends: before the token with this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Break {
    /// The next line of the same paragraph.
    Soft,
    /// A line break that the author set.
    Hard,
    /// The next cell.
    Cell,
}

/// Adds the tokens of some runs, and the breaks between them.
pub(super) fn read<'a>(
    source: &'a str,
    runs: &[Run<'a>],
    tokens: &mut Vec<Token<'a>>,
    breaks: &mut Vec<(usize, Break)>,
) {
    for run in runs {
        let (span, strong) = (run.span, run.strong);
        match &run.piece {
            Piece::Text => text(source, span, strong, tokens),
            Piece::Code(inner) => tokens.push(Token { span, kind: TokenKind::Code, text: inner.clone(), strong }),
            Piece::Decoded(inner) if inner.trim().is_empty() => {}
            Piece::Decoded(inner) => tokens.push(Token { span, kind: TokenKind::Mark, text: inner.clone(), strong }),
            Piece::Placeholder => {
                tokens.push(Token { span, kind: TokenKind::Mark, text: Cow::Borrowed(span.of(source)), strong });
            }
            Piece::Soft => breaks.push((tokens.len(), Break::Soft)),
            Piece::Hard => breaks.push((tokens.len(), Break::Hard)),
            Piece::Bar => {
                breaks.push((tokens.len(), Break::Cell));
                if span.end > span.start {
                    tokens.push(Token { span, kind: TokenKind::Mark, text: Cow::Borrowed("|"), strong });
                }
            }
        }
    }
}

fn text<'a>(source: &'a str, span: Span, strong: bool, tokens: &mut Vec<Token<'a>>) {
    let text = span.of(source);
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if is_blank(c) {
            at += c.len_utf8();
            continue;
        }
        let rest = &text[at..];
        let (kind, len) = measure(rest, c);
        let slice = &rest[..len];
        let start = span.start + at;
        let folded = if kind == TokenKind::Word { fold(slice) } else { Cow::Borrowed(slice) };
        tokens.push(Token { span: Span::new(start, start + len), kind, text: folded, strong });
        at += len;
    }
}

/// White space, and characters that are not seen.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}')
}

fn measure(rest: &str, first: char) -> (TokenKind, usize) {
    if first.is_ascii_digit() {
        return number(rest);
    }
    if is_letter(first) || (first == '_' && rest[1..].starts_with(is_word)) {
        return (TokenKind::Word, word(rest));
    }
    if let Some(len) = arrow(rest) {
        return (TokenKind::Arrow, len);
    }
    let run = rest.chars().take_while(|c| *c == first).count();
    let run = if run > LONGEST_RUN { run } else { 1 };
    (TokenKind::Mark, first.len_utf8() * run)
}

/// More of the same mark in a row than this are a rule or a drawing, and one token.
const LONGEST_RUN: usize = 3;

fn arrow(rest: &str) -> Option<usize> {
    const ARROWS: &[&str] = &["→", "⇒", "⟶", "➜", "➔", "➡", "->", "=>", "-->", "==>"];
    ARROWS.iter().find(|a| rest.starts_with(**a)).map(|a| a.len())
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\u{300}'..='\u{36f}')
}

fn is_word(c: char) -> bool {
    is_letter(c) || c == '_'
}

/// Characters that join two letters into one word.
fn joins(c: char) -> bool {
    matches!(c, '-' | '\'' | '.' | '@' | '\u{2010}' | '\u{2011}' | '\u{2019}')
}

/// The length of the word that starts here; an address with a scheme is one word.
fn word(rest: &str) -> usize {
    if rest.starts_with("https://") || rest.starts_with("http://") {
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '|' | ')' | ']'));
        let address = &rest[..end.unwrap_or(rest.len())];
        return address.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_', '\'']).len();
    }
    let mut chars = rest.char_indices().peekable();
    let mut end = 0;
    while let Some((i, c)) = chars.next() {
        let more = chars.peek().is_some_and(|&(_, next)| is_word(next));
        if is_word(c) || (joins(c) && more && i > 0) {
            end = i + c.len_utf8();
        } else {
            break;
        }
    }
    end
}

/// A number with separators, or a word that begins with a digit, such as `3rd`. A unit written right behind a number
/// is a word of its own.
fn number(rest: &str) -> (TokenKind, usize) {
    let bytes = rest.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut end = digits(0);
    let mut dots = 0;
    while let Some(separator @ (b',' | b'.')) = bytes.get(end) {
        let group = digits(end + 1);
        if group == 0 || (*separator == b',' && group != 3) {
            break;
        }
        dots += usize::from(*separator == b'.');
        end += 1 + group;
    }
    if dots > 1 {
        return (TokenKind::Word, end);
    }
    if rest[end..].starts_with(is_word) {
        let tail = word(&rest[end..]);
        if !UNITS.iter().any(|unit| rest[end..end + tail].eq_ignore_ascii_case(unit)) {
            return (TokenKind::Word, end + tail);
        }
    }
    (TokenKind::Number, end)
}

/// Units that are written without a space.
const UNITS: &[&str] = &[
    "ns", "us", "µs", "ms", "s", "sec", "secs", "min", "mins", "h", "hr", "hrs", "b", "kb", "mb", "gb", "tb", "kib",
    "mib", "gib", "tib", "mi", "gi", "px", "hz", "khz", "mhz", "ghz", "fps", "k",
];

fn fold(word: &str) -> Cow<'_, str> {
    let plain = |c: char| !c.is_uppercase() && !matches!(c, '\u{2010}' | '\u{2011}' | '\u{2019}');
    if word.chars().all(plain) {
        return Cow::Borrowed(word);
    }
    let mut folded = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            '\u{2010}' | '\u{2011}' => folded.push('-'),
            '\u{2019}' => folded.push('\''),
            c => folded.extend(c.to_lowercase()),
        }
    }
    Cow::Owned(folded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::ToString;

    fn tokens(source: &str) -> String {
        let mut found = Vec::new();
        text(source, Span::new(0, source.len()), false, &mut found);
        let show = |t: &Token| match t.kind {
            TokenKind::Word => t.text.to_string(),
            TokenKind::Number => format!("#{}", t.text),
            TokenKind::Code => format!("`{}`", t.text),
            TokenKind::Arrow => "->".to_string(),
            TokenKind::Mark => format!("'{}", t.text),
        };
        found.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn numbers_keep_their_separators_and_fractions_are_two() {
        assert_eq!(tokens("1,204 98.6 12/15 98%"), "#1,204 #98.6 #12 '/ #15 #98 '%");
        assert_eq!(tokens("1, 2,34."), "#1 ', #2 ', #34 '.");
    }

    #[test]
    fn versions_ordinals_and_hashes_are_words_and_units_stand_apart() {
        assert_eq!(tokens("v2.1 3rd 1.2.3 12ab34 340ms"), "v2.1 3rd 1.2.3 12ab34 #340 ms");
    }

    #[test]
    fn words_fold_and_contractions_stay_whole() {
        assert_eq!(
            tokens("Didn’t I've ÄRGER re‑read setup.py, e.g. x."),
            "didn't i've ärger re-read setup.py ', e.g '. x '."
        );
    }

    #[test]
    fn an_address_is_one_word() {
        assert_eq!(tokens("see https://a.example/b?c=1. a@b.example"), "see https://a.example/b?c=1 '. a@b.example");
    }

    #[test]
    fn a_row_of_marks_is_one() {
        assert_eq!(tokens("a ==== b ... c"), "a '==== b '. '. '. c");
    }

    #[test]
    fn arrows_and_emoji_stand_alone() {
        assert_eq!(tokens("a -> b => c → d ✅️ e"), "a -> b -> c -> d '✅ e");
    }
}
