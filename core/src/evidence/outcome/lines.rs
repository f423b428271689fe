//! The lines of an output as the forms see them: without colours and decoration, of bounded length.

use crate::text::span::Span;
use alloc::string::String;

/// No summary line is longer; what stands behind is not looked at.
const LONGEST: usize = 512;

/// A line that is ready to be compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    /// Its text without colours, rulers, log level and glyph in front.
    pub text: &'t str,
    /// It starts in the first column.
    pub flush: bool,
    /// Its place in the output, without white space and rulers around it.
    pub span: Span,
    /// Its number, from 0.
    pub number: usize,
}

/// Calls `see` for every line that may begin so, in one pass; others may be among them, but no blank ones.
pub(super) fn each(output: &str, begins: impl Fn(&[u8]) -> bool, mut see: impl FnMut(Line<'_>)) {
    let bytes = output.as_bytes();
    let returns = memchr::memchr(b'\r', bytes).is_some();
    let mut plain = String::new();
    let mut start = 0;
    let mut number = 0;
    while start < bytes.len() {
        let end = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |i| start + i);
        // A progress bar's carriage returns leave its last state.
        let line_end = if end > start && bytes[end - 1] == b'\r' { end - 1 } else { end };
        let back = if returns { memchr::memrchr(b'\r', &bytes[start..line_end]) } else { None };
        let begin = back.map_or(start, |i| start + i + 1);
        let text = bytes[begin..line_end].trim_ascii_start();
        let looked_at = text.first().is_some_and(|b| !b.is_ascii() || DECORATED.contains(b)) || begins(text);
        let raw = if looked_at { head(output, begin, line_end) } else { "" };
        let trimmed = raw.trim();
        if !trimmed.is_empty() {
            let from = begin + (raw.len() - raw.trim_start().len());
            let flush = from == begin;
            if memchr::memchr(0x1b, trimmed.as_bytes()).is_some() {
                plain.clear();
                push_plain(trimmed, &mut plain);
                let text = bare(plain.trim());
                see(Line { text, flush, span: Span::new(from, from + trimmed.len()), number });
            } else {
                let text = bare(trimmed);
                let from = place(output, text, from);
                see(Line { text, flush, span: Span::new(from, from + text.len()), number });
            }
        }
        start = end + 1;
        number += 1;
    }
}

/// Where a part of the output starts in it; `otherwise` when it is none.
fn place(output: &str, part: &str, otherwise: usize) -> usize {
    let at = (part.as_ptr() as usize).wrapping_sub(output.as_ptr() as usize);
    if output.get(at..at.wrapping_add(part.len())).is_some() {
        at
    } else {
        otherwise
    }
}

/// The line at `start`, cut to what is looked at.
fn head(output: &str, start: usize, end: usize) -> &str {
    let mut cut = end.min(start + LONGEST);
    while cut > start && !output.is_char_boundary(cut) {
        cut -= 1;
    }
    output.get(start..cut).unwrap_or("")
}

/// Adds a text without its ANSI escapes: `ESC [ … letter`, `ESC ] … BEL`, `ESC` and one character.
pub(super) fn push_plain(text: &str, plain: &mut String) {
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            plain.push(c);
            continue;
        }
        match chars.next() {
            Some('[') => {
                chars.by_ref().find(|c| ('\u{40}'..='\u{7e}').contains(c));
            }
            Some(']') => {
                chars.by_ref().find(|c| matches!(c, '\u{7}' | '\\'));
            }
            _ => {}
        }
    }
}

/// The ASCII bytes with which a line may begin whose text begins with another one.
const DECORATED: &[u8] = b"=![\x1b\x0b";

/// Prefixes that a runner or its wrapper puts before a summary.
const BEFORE: [&str; 16] = [
    "[INFO] ",
    "[ERROR] ",
    "[WARNING] ",
    "[info] ",
    "[error] ",
    "[success] ",
    "✓ ",
    "✔ ",
    "✅ ",
    "✗ ",
    "✖ ",
    "✘ ",
    "× ",
    "❌ ",
    "✨ ",
    "⚡ ",
];

/// Takes off rulers, box bars, log levels and glyphs.
pub(super) fn bare(line: &str) -> &str {
    let mut text = line;
    if text.starts_with(['=', '│', '┃']) || text.starts_with("!!!") {
        text = text.trim_matches(|c: char| matches!(c, '=' | '!' | '│' | '┃') || c.is_whitespace());
    }
    for _ in 0..2 {
        if text.bytes().next().is_some_and(|b| b.is_ascii() && b != b'[') {
            break;
        }
        let Some(rest) = BEFORE.iter().find_map(|before| text.strip_prefix(before)) else { break };
        text = rest.trim_start();
    }
    text
}

/// For each byte with which the forms of a table begin the bytes that may follow, as bits of their last six.
pub(super) type Starts = [u64; 256];

/// Notes how a form begins; one that begins with a hole begins with a digit.
pub(super) const fn note(mut starts: Starts, form: &str) -> Starts {
    let form = form.as_bytes();
    let any = form.len() < 2 || matches!(form[1], b' ' | b'%');
    if form[0] != b'%' {
        starts[form[0] as usize] |= if any { u64::MAX } else { 1 << (form[1] % 64) };
        return starts;
    }
    let mut digit = b'0';
    while digit <= b'9' {
        starts[digit as usize] = u64::MAX;
        digit += 1;
    }
    starts
}

/// Whether a line may begin as a form of the table does.
pub(super) fn starts(table: &Starts, line: &[u8]) -> bool {
    match line {
        [] => false,
        [first] => table[usize::from(*first)] != 0,
        [first, second, ..] => table[usize::from(*first)] >> (second % 64) & 1 == 1,
    }
}
