//! Finds the ends of what the lexer takes as a whole: substitutions and here-documents.

use alloc::vec;
use alloc::vec::Vec;

/// Where a here-document's body ends and where the line after its delimiter starts.
pub(super) fn body_end(bytes: &[u8], from: usize, delimiter: &[u8], tabs: bool) -> (usize, usize) {
    let mut at = from;
    while at < bytes.len() {
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |i| at + i);
        let mut line = &bytes[at..end];
        if let Some(b'\r') = line.last() {
            line = &line[..line.len() - 1];
        }
        while let (true, Some(b'\t')) = (tabs, line.first()) {
            line = &line[1..];
        }
        let next = (end + 1).min(bytes.len());
        if line == delimiter {
            return (at, next);
        }
        at = next;
    }
    (bytes.len(), bytes.len())
}

/// The place behind the character that closes what was opened before `from`, by a stack of what is open.
pub(super) fn closing(bytes: &[u8], from: usize, closer: u8) -> Option<usize> {
    let mut open = vec![closer];
    let mut document: Option<(Vec<u8>, bool)> = None;
    let mut at = from;
    while let Some(&top) = open.last() {
        let b = *bytes.get(at)?;
        let next = bytes.get(at + 1).copied();
        at += 1;
        match (top, b) {
            (b'\'', b'\'') => drop(open.pop()),
            (b'\'', _) => {}
            (_, b'\\') => at += 1,
            _ if b == top => drop(open.pop()),
            (_, b'$') if next == Some(b'(') => {
                open.push(b')');
                at += 1;
            }
            (_, b'$') if next == Some(b'{') => {
                open.push(b'}');
                at += 1;
            }
            (_, b'`') => open.push(b'`'),
            (b'"', _) => {}
            (_, b'"') => open.push(b'"'),
            (b'}', _) => {}
            (_, b'\'') => open.push(b'\''),
            (_, b'(') => open.push(b')'),
            (_, b'#') if at >= 2 && matches!(bytes[at - 2], b' ' | b'\t' | b'\n') => {
                at += memchr::memchr(b'\n', bytes.get(at..)?)?;
            }
            (_, b'<') if next == Some(b'<') => {
                (document, at) = delimiter(bytes, at + 1);
            }
            (_, b'\n') => {
                if let Some((word, tabs)) = document.take() {
                    at = body_end(bytes, at, &word, tabs).1;
                }
            }
            _ => {}
        }
    }
    Some(at)
}

/// The delimiter behind `<<` and where it ends; nothing for a here-string.
fn delimiter(bytes: &[u8], from: usize) -> (Option<(Vec<u8>, bool)>, usize) {
    let mut at = from;
    if bytes.get(at) == Some(&b'<') {
        return (None, at + 1);
    }
    let tabs = bytes.get(at) == Some(&b'-');
    at += usize::from(tabs);
    while bytes.get(at) == Some(&b' ') {
        at += 1;
    }
    let mut word = Vec::new();
    while let Some(&b) = bytes.get(at) {
        match b {
            b'\'' | b'"' | b'\\' => {}
            b'_' | b'-' | b'.' => word.push(b),
            b if b.is_ascii_alphanumeric() => word.push(b),
            _ => break,
        }
        at += 1;
    }
    // `1 << 2` in arithmetic is no here-document.
    let first = word.first().is_some_and(|b| !b.is_ascii_digit());
    (first.then_some((word, tabs)), at)
}

/// Whether the word is `NAME=value` with the name and the sign outside quotes.
pub(super) fn is_assignment(word: &str, quoted: Option<usize>) -> bool {
    let Some(sign) = word.find('=') else { return false };
    let name = word[..sign].trim_end_matches('+');
    let name = name.split('[').next().unwrap_or_default();
    quoted.is_none_or(|at| sign < at)
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
