//! Text as it is compared: one case, single spaces, plain quotes and dashes, no emphasis, no escapes.
//!
//! Both sides of every comparison are folded by the same rules, so that a rule can only make more things equal.
//! Folded away: case, runs of white space, `*` `_` and backticks, typographic quotes and dashes, zero-width
//! characters, ANSI escape sequences, backslashes (an escaped `\n` counts as white space) and, where the whole text
//! is numbered, the line numbers that reader tools put in front.

use super::span::Span;
use alloc::vec::Vec;

/// How many folded bytes lie between two entries of the map back to the source.
const STEP: usize = 64;

/// Folded text with a sparse map back to its source. Reused from text to text so that memory stays bounded.
#[derive(Clone, Debug, Default)]
pub struct Folded {
    /// The folded bytes: valid UTF-8.
    pub bytes: Vec<u8>,
    /// About every [`STEP`] bytes: folded offset, source offset, and whether the last folded byte is a space.
    marks: Vec<(usize, usize, bool)>,
    numbered: bool,
}

/// What the scanner does with an ASCII byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Copy,
    Space,
    Drop,
    Special,
}

const CLASS: [Class; 256] = {
    let mut table = [Class::Copy; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = match i as u8 {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => Class::Space,
            b'*' | b'_' | b'`' => Class::Drop,
            0x1b | b'\\' | 0x80..=0xff => Class::Special,
            _ => Class::Copy,
        };
        i += 1;
    }
    table
};

const LOWER: [u8; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = (i as u8).to_ascii_lowercase();
        i += 1;
    }
    table[b'"' as usize] = b'\'';
    table
};

impl Folded {
    /// An empty buffer.
    pub fn new() -> Self {
        Folded::default()
    }

    /// Folds `source` into this buffer, in place of what it held.
    pub fn fold(&mut self, source: &str) {
        self.bytes.clear();
        self.marks.clear();
        self.numbered = is_numbered(source);
        self.run(source);
    }

    /// Folds the whole source, leaving a mark about every [`STEP`] bytes.
    fn run(&mut self, source: &str) {
        let input = source.as_bytes();
        let mut next_mark = 0;
        let mut space = true;
        let mut at = if self.numbered { number_prefix(input) } else { 0 };
        while at < input.len() {
            if self.bytes.len() >= next_mark {
                self.marks.push((self.bytes.len(), at, space));
                next_mark = self.bytes.len() + STEP;
            }
            if let Some(folded) = input[at..].first_chunk().and_then(|chunk| plain(chunk, space, !self.numbered)) {
                self.bytes.extend_from_slice(&folded);
                space = folded[CHUNK - 1] == b' ';
                at += CHUNK;
                continue;
            }
            let end = (at + CHUNK).min(input.len());
            while at < end {
                at = self.step(source, at, &mut space);
            }
        }
        if self.bytes.last() == Some(&b' ') {
            self.bytes.pop();
        }
    }

    /// Folds what starts at `at`; returns where the next begins.
    #[inline]
    fn step(&mut self, source: &str, at: usize, space: &mut bool) -> usize {
        let input = source.as_bytes();
        let byte = input[at];
        match CLASS[byte as usize] {
            Class::Copy => {
                self.bytes.push(LOWER[byte as usize]);
                *space = false;
                at + 1
            }
            Class::Space => {
                self.space(space);
                let after = if byte == b'\n' && self.numbered { number_prefix(&input[at + 1..]) } else { 0 };
                at + 1 + after
            }
            Class::Drop => at + 1,
            Class::Special => self.special(source, at, space),
        }
    }

    /// Folds one escape sequence, backslash or character beyond ASCII; returns where it ends.
    fn special(&mut self, source: &str, at: usize, space: &mut bool) -> usize {
        let input = source.as_bytes();
        match input[at] {
            0x1b => at + escape_length(&input[at..]),
            b'\\' => {
                let run = input[at..].iter().take_while(|&&b| b == b'\\').count();
                match input.get(at + run) {
                    Some(b'n' | b't' | b'r') => {
                        self.space(space);
                        at + run + 1
                    }
                    _ => at + run,
                }
            }
            _ => {
                let Some(c) = source.get(at..).and_then(|rest| rest.chars().next()) else { return at + 1 };
                match c {
                    '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}' | '\u{fe0e}' | '\u{fe0f}' => {}
                    '\u{2018}'..='\u{201f}' | '\u{2032}' | '\u{2033}' => self.push('\'', space),
                    '\u{2010}'..='\u{2015}' | '\u{2212}' => self.push('-', space),
                    '\u{2026}' => (0..3).for_each(|_| self.push('.', space)),
                    c if c.is_whitespace() => self.space(space),
                    c => c.to_lowercase().for_each(|l| self.push(l, space)),
                }
                at + c.len_utf8()
            }
        }
    }

    fn push(&mut self, c: char, space: &mut bool) {
        let mut buffer = [0; 4];
        self.bytes.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
        *space = false;
    }

    fn space(&mut self, space: &mut bool) {
        if !*space {
            self.bytes.push(b' ');
            *space = true;
        }
    }

    /// The place in `source`, which was folded last, of the folded range.
    pub fn source(&self, source: &str, folded: Span) -> Span {
        let start = self.back(source, folded.start);
        let end = self.back(source, folded.end.saturating_sub(1).max(folded.start));
        let last = source.get(end..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        Span::new(start, (end + last).min(source.len()))
    }

    /// Where in the source the folded byte stands: from the nearest mark before it, folding again.
    fn back(&self, source: &str, offset: usize) -> usize {
        let i = self.marks.partition_point(|&(folded, _, _)| folded <= offset);
        let Some(&(folded, mut at, mut space)) = i.checked_sub(1).and_then(|i| self.marks.get(i)) else { return 0 };
        let mut again = Folded { numbered: self.numbered, ..Folded::default() };
        while at < source.len() {
            let next = again.step(source, at, &mut space);
            if again.bytes.len() > offset - folded {
                return at;
            }
            at = next;
        }
        source.len()
    }
}

/// How many bytes are folded at once where all of them are plain.
const CHUNK: usize = 16;

/// The bytes folded, where each of them gives one: ASCII without marks that fold away and without white space in a row.
/// Branches would keep the compiler from doing all bytes at once. Line breaks count as plain only where no line number
/// can follow.
#[inline]
#[allow(clippy::needless_bitwise_bool)]
fn plain(chunk: &[u8; CHUNK], space: bool, breaks: bool) -> Option<[u8; CHUNK]> {
    let mut folded = *chunk;
    let mut odd = false;
    for byte in &mut folded {
        let b = *byte;
        let white = (b == b' ') | (b == b'\t') | (b == b'\r') | ((b == b'\n') & breaks);
        odd |= (b >= 0x80) | ((b < b' ') & !white) | (b == b'*') | (b == b'_') | (b == b'`') | (b == b'\\');
        let lower = b | (u8::from(b.is_ascii_uppercase()) << 5);
        let quote = if b == b'"' { b'\'' } else { lower };
        *byte = if white { b' ' } else { quote };
    }
    odd |= space & (folded[0] == b' ');
    for i in 1..CHUNK {
        odd |= (folded[i] == b' ') & (folded[i - 1] == b' ');
    }
    (!odd).then_some(folded)
}

/// A short text, folded. A line number in front stays.
pub fn fold(source: &str) -> Vec<u8> {
    let mut folded = Folded::new();
    folded.run(source);
    folded.bytes
}

/// A line of a reply without the number that a reader tool put in front, if it has one.
pub fn without_number(line: &str) -> &str {
    line.get(number_prefix(line.as_bytes())..).unwrap_or(line)
}

/// How long the line number in front is: `12→`, `  12\t`, `12:`, `12  `, or the number alone on its line.
fn number_prefix(line: &[u8]) -> usize {
    let blank = line.iter().take_while(|&&b| b == b' ').count();
    let digits = line[blank..].iter().take(9).take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 {
        return 0;
    }
    let at = blank + digits;
    match line.get(at..).unwrap_or(&[]) {
        [b'\t' | b':' | b'|', ..] => at + 1,
        [b' ', b' ' | b'|', ..] => at + 2,
        [0xe2, 0x86, 0x92, ..] => at + 3,
        [] | [b'\n' | b'\r', ..] => at,
        _ => 0,
    }
}

/// Whether a text's lines carry running numbers: two in a row near its start, or a first line with `1→` or `1\t`.
fn is_numbered(text: &str) -> bool {
    let mut last = None;
    let head = text.get(..text.len().min(4096)).unwrap_or_else(|| {
        let end = (0..=4096).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
        &text[..end]
    });
    for (i, line) in head.lines().take(12).enumerate() {
        let number = line_number(line);
        if i == 0 && number.is_some() && (line.contains('\t') || line.contains('→')) && number == Some(1) {
            return true;
        }
        if let (Some(a), Some(b)) = (last, number) {
            if b == a + 1 {
                return true;
            }
        }
        last = number;
    }
    false
}

fn line_number(line: &str) -> Option<u32> {
    let length = number_prefix(line.as_bytes());
    let digits: &str = line.get(..length)?.trim_matches(|c: char| !c.is_ascii_digit());
    digits.parse().ok()
}

/// How long an ANSI escape sequence is: CSI up to its final byte, OSC up to BEL or ST, else two bytes (ECMA-48).
pub(crate) fn escape_length(input: &[u8]) -> usize {
    match input.get(1) {
        Some(b'[') => {
            let body = input[2..].iter().take(64).take_while(|b| (0x20..0x40).contains(*b)).count();
            (2 + body + 1).min(input.len())
        }
        Some(b']') => {
            let body = input[2..].iter().take(4096).take_while(|&&b| b != 0x07 && b != 0x1b).count();
            (2 + body + 1).min(input.len())
        }
        Some(b) if b.is_ascii() => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use proptest::prelude::*;

    impl Folded {
        fn back_from_start(&self, source: &str, offset: usize) -> usize {
            let start = if self.numbered { number_prefix(source.as_bytes()) } else { 0 };
            Folded { marks: alloc::vec![(0, start, true)], ..self.clone() }.back(source, offset)
        }
    }

    fn folded(text: &str) -> String {
        String::from_utf8(fold(text)).unwrap()
    }

    #[test]
    fn case_space_quotes_dashes_and_emphasis_fold_away() {
        assert_eq!(folded("  The **Self‑Test**\r\n\tran “fine” "), "the self-test ran 'fine'");
        assert_eq!(folded("a\u{a0}\u{2003}b\u{200b}c…"), "a bc...");
        assert_eq!(folded("ÄÖ É"), "äö é");
    }

    #[test]
    fn ansi_escapes_fold_away() {
        assert_eq!(folded("\u{1b}[1m\u{1b}[32mok\u{1b}[0m \u{1b}]8;;http://x\u{7}link"), "ok link");
        assert_eq!(folded("\u{1b}"), "");
    }

    #[test]
    fn an_escaped_line_break_is_white_space_and_an_escaped_quote_a_quote() {
        assert_eq!(folded(r#"one\ntwo \"x\" C:\\dir"#), "one two 'x' c:dir");
    }

    #[test]
    fn line_numbers_in_front_go_where_the_whole_text_is_numbered() {
        let mut f = Folded::new();
        f.fold("1\t# Title\n2\n3\tText\n");
        assert_eq!(f.bytes, b"# title text");
        f.fold("   9→a\n  10→b\n");
        assert_eq!(f.bytes, b"a b");
        f.fold("12 passed\n3 failed\n");
        assert_eq!(f.bytes, b"12 passed 3 failed");
        assert_eq!(without_number("12: x"), " x");
    }

    proptest! {
        #[test]
        fn chunks_fold_as_single_bytes_do(text in "([a-zA-Z0-9 .\"]{0,20}|[ \t\r\n*_`\\\\“é\u{1b}]{0,3}|1\t|\n2\t){0,12}") {
            let mut whole = Folded::new();
            whole.fold(&text);
            let mut single = Folded { numbered: whole.numbered, ..Folded::default() };
            let (mut at, mut space) = (if whole.numbered { number_prefix(text.as_bytes()) } else { 0 }, true);
            while at < text.len() {
                at = single.step(&text, at, &mut space);
            }
            if single.bytes.last() == Some(&b' ') {
                single.bytes.pop();
            }
            prop_assert_eq!(&whole.bytes, &single.bytes);
            for offset in 0..whole.bytes.len() {
                prop_assert_eq!(whole.back(&text, offset), single.back_from_start(&text, offset));
            }
        }
    }

    #[test]
    fn a_folded_place_is_found_again_in_the_source() {
        let source = "1\t**日本語** first   line\n2\tthe “second” line 🎉 and more text to go past a mark, and yet more of it\n3\tEnd here";
        let mut f = Folded::new();
        f.fold(source);
        for needle in ["日本語", "second", "line 🎉", "yet more", "end here"] {
            let n = needle.as_bytes();
            let at = f.bytes.windows(n.len()).position(|w| w == n).unwrap();
            let found = f.source(source, Span::new(at, at + n.len())).of(source).to_lowercase();
            assert!(found.contains(needle), "{needle}: {found}");
        }
    }
}
