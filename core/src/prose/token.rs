//! From the runs of a block to words, numbers, code spans and marks.
//!
//! One pass over the characters. A word is folded to lower case and looked up; a number keeps what is written; whatever
//! else is visible becomes a mark of its own, so that nothing of the reply is lost to the readers.

use super::lexicon::{self, Classes, Key};
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

/// Adds the tokens of the runs of a block, their classes, and the breaks between them, which count from the block's
/// first token.
pub(super) fn read<'a>(
    source: &'a str,
    runs: &[Run<'a>],
    tokens: &mut Vec<Token<'a>>,
    classes: &mut Vec<Classes>,
    breaks: &mut Vec<(usize, Break)>,
) {
    let mut reader = Reader { source, tokens, classes, number: false };
    let first = reader.tokens.len();
    for run in runs {
        let (span, strong, here) = (run.span, run.strong, reader.tokens.len() - first);
        match &run.piece {
            Piece::Text => reader.text(span, strong),
            Piece::Code(inner) => reader.push(span, TokenKind::Code, inner.clone(), strong),
            Piece::Decoded(inner) if inner.trim().is_empty() => {}
            Piece::Decoded(inner) => reader.push(span, TokenKind::Mark, inner.clone(), strong),
            Piece::Placeholder => reader.push(span, TokenKind::Mark, Cow::Borrowed(span.of(source)), strong),
            Piece::Soft => breaks.push((here, Break::Soft)),
            Piece::Hard => breaks.push((here, Break::Hard)),
            Piece::Bar => {
                breaks.push((here, Break::Cell));
                if span.end > span.start {
                    reader.push(span, TokenKind::Mark, Cow::Borrowed("|"), strong);
                }
            }
        }
    }
}

struct Reader<'a, 'o> {
    source: &'a str,
    tokens: &'o mut Vec<Token<'a>>,
    classes: &'o mut Vec<Classes>,
    /// The last token is a number.
    number: bool,
}

impl<'a> Reader<'a, '_> {
    fn push(&mut self, span: Span, kind: TokenKind, text: Cow<'a, str>, strong: bool) {
        self.number = kind == TokenKind::Number;
        self.classes.push(match kind {
            TokenKind::Mark => lexicon::mark(&text),
            TokenKind::Arrow => lexicon::arrow(),
            TokenKind::Word | TokenKind::Number | TokenKind::Code => 0,
        });
        self.tokens.push(Token { span, kind, text, strong });
    }

    /// The first `len` bytes of `rest` are a word.
    fn word(&mut self, span: Span, rest: &'a str, len: usize, strong: bool) {
        let (mut classes, text) = fold(rest, len);
        // "11 am" is no verb, and neither is a month.
        if self.number && matches!(&*text, "am" | "a.m") || text == "may" && self.is_month(rest, len) {
            classes &= !lexicon::AUXILIARY;
        }
        self.number = false;
        self.tokens.push(Token { span, kind: TokenKind::Word, text, strong });
        self.classes.push(classes | lexicon::WORD);
    }

    /// Whether the "may" at the start of `rest` is the month: "May 5", "3 May", "in May", "the May report".
    fn is_month(&self, rest: &str, len: usize) -> bool {
        let after = rest.get(len..).unwrap_or("").trim_start();
        let before = self.tokens.last().map_or("", |t| &*t.text);
        let ordinal = before.starts_with(|c: char| c.is_ascii_digit());
        let named = rest.starts_with("May") && (ordinal || BEFORE_MAY.contains(&before));
        named || after.starts_with(|c: char| c.is_ascii_digit()) || IN_MAY.contains(&before)
    }

    fn text(&mut self, span: Span, strong: bool) {
        let text = span.of(self.source);
        let mut at = 0;
        while let Some(&byte) = text.as_bytes().get(at) {
            if is_space(byte) {
                at += 1;
                continue;
            }
            let rest = text.get(at..).unwrap_or("");
            let (kind, len) = if byte.is_ascii_alphabetic() {
                (TokenKind::Word, word(rest))
            } else {
                let Some(c) = rest.chars().next() else { return };
                if is_blank(c) {
                    at += c.len_utf8();
                    continue;
                }
                measure(rest, c)
            };
            let span = Span::new(span.start + at, span.start + at + len);
            if kind == TokenKind::Word {
                self.word(span, rest, len, strong);
            } else {
                self.push(span, kind, Cow::Borrowed(rest.get(..len).unwrap_or(rest)), strong);
            }
            at += len;
        }
    }
}

/// Words behind which "may" is a month however it is written.
const IN_MAY: &[&str] = &["by", "in", "since", "until"];

/// Words behind which it is one where it has its capital.
const BEFORE_MAY: &[&str] = &[
    "a", "after", "before", "during", "early", "for", "from", "last", "late", "mid", "next", "of", "on", "the", "this",
    "through", "till", "to",
];

/// The white space of ASCII.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
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
    if matches!(first, '-' | '=' | '\u{2190}'..='\u{2bff}') {
        if let Some(len) = arrow(rest) {
            return (TokenKind::Arrow, len);
        }
    }
    if first.is_ascii() && !rest[1..].starts_with(first) {
        return (TokenKind::Mark, 1);
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
    if rest.starts_with("http") && (rest.starts_with("https://") || rest.starts_with("http://")) {
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '|' | ')' | ']'));
        let address = &rest[..end.unwrap_or(rest.len())];
        return address.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_', '\'']).len();
    }
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let bytes = rest.as_bytes();
    let mut end = bytes.first_chunk().map_or(0, |bytes| plain_start(u64::from_le_bytes(*bytes)));
    while let Some(&byte) = bytes.get(end) {
        let next = bytes.get(end + 1).copied().unwrap_or(b' ');
        if byte >= 0x80 || (next >= 0x80 && joins(byte as char)) {
            return end + word_of_any_script(rest.get(end..).unwrap_or(""), end == 0);
        }
        let joint = end > 0 && joins(byte as char) && plain(next);
        if !plain(byte) && !joint {
            break;
        }
        end += 1;
    }
    end
}

/// How many of eight bytes, from the lowest on, are letters, digits or `_`; all eight are looked at at once.
fn plain_start(bytes: u64) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The top bit of each byte of a sum tells whether the byte is at least what is asked; none carries over.
    let least = |bytes: u64, least: u8| (bytes & (0x7f * ONES)) + u64::from(0x80 - least) * ONES;
    let small = bytes | (0x20 * ONES);
    let letter = least(small, b'a') & !least(small, b'z' + 1);
    let digit = least(bytes, b'0') & !least(bytes, b'9' + 1);
    let line = least(bytes, b'_') & !least(bytes, b'_' + 1);
    let others = !((letter | digit | line) & !bytes) & (0x80 * ONES);
    others.trailing_zeros() as usize / 8
}

/// The rest of a word from its first character on that is not ASCII.
fn word_of_any_script(rest: &str, mut starts: bool) -> usize {
    let mut chars = rest.char_indices().peekable();
    let mut end = 0;
    while let Some((i, c)) = chars.next() {
        let more = chars.peek().is_some_and(|&(_, next)| is_word(next));
        if is_word(c) || (joins(c) && more && !starts) {
            end = i + c.len_utf8();
        } else {
            break;
        }
        starts = false;
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

/// The word of so many bytes at the start of `rest` in lower case, and its classes. A word of the lists needs no memory
/// of its own.
fn fold(rest: &str, len: usize) -> (Classes, Cow<'_, str>) {
    let word = rest.get(..len).unwrap_or(rest);
    let written = Key::starting(rest.as_bytes(), len);
    let beyond = word.as_bytes().get(lexicon::LONGEST..).unwrap_or(&[]);
    if !written.is_ascii() || !beyond.is_ascii() {
        return fold_any_script(word);
    }
    let key = written.lower();
    if key == written && !beyond.iter().any(u8::is_ascii_uppercase) {
        return (lexicon::find(key, word), Cow::Borrowed(word));
    }
    if beyond.is_empty() {
        if let Some((classes, known)) = lexicon::known(key) {
            return (classes | lexicon::FOLDED, Cow::Borrowed(known));
        }
    }
    let folded = word.to_ascii_lowercase();
    (lexicon::find(key, &folded) | lexicon::FOLDED, Cow::Owned(folded))
}

fn fold_any_script(word: &str) -> (Classes, Cow<'_, str>) {
    let plain = |c: char| !c.is_uppercase() && !matches!(c, '\u{2010}' | '\u{2011}' | '\u{2019}');
    let script = |text: &str| text.chars().any(|c| c >= '\u{370}' && c.is_alphabetic());
    // Letters such as ą, ğ or ő, which no language writes whose words English has borrowed.
    let beyond = |text: &str| text.chars().any(|c| matches!(c, '\u{100}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}'));
    let marked = |text: &str| {
        let script = if script(text) { lexicon::SCRIPT } else { 0 };
        lexicon::classify(text) | script | if beyond(text) { lexicon::FOREIGN } else { 0 }
    };
    if word.chars().all(plain) {
        return (marked(word), Cow::Borrowed(word));
    }
    let mut folded = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            '\u{2010}' | '\u{2011}' => folded.push('-'),
            '\u{2019}' => folded.push('\''),
            c => folded.extend(c.to_lowercase()),
        }
    }
    (marked(&folded) | lexicon::FOLDED, Cow::Owned(folded))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::ToString;

    fn tokens(source: &str) -> String {
        let (mut found, mut classes) = (Vec::new(), Vec::new());
        let mut reader = Reader { source, tokens: &mut found, classes: &mut classes, number: false };
        reader.text(Span::new(0, source.len()), false);
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
    fn eight_bytes_are_told_apart_as_one_byte_is() {
        for byte in 0..=u8::MAX {
            for at in 0..8 {
                let mut bytes = *b"aZ09_zA_";
                bytes[at] = byte;
                let plain = byte.is_ascii_alphanumeric() || byte == b'_';
                assert_eq!(plain_start(u64::from_le_bytes(bytes)), if plain { 8 } else { at }, "{byte} at {at}");
            }
        }
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
