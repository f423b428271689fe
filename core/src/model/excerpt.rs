//! Texts of the record cut to what a request has room for. Cuts fall between characters and are marked; what looks secret
//! is masked before it is cut, and escape sequences are gone before it is masked.

use super::open::OpenClause;
use crate::render::mask::{secrets, STARS};
use crate::render::masked;
use crate::text::fold::escape_length;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// What stands for a part that was left out.
pub(super) const CUT: &str = " [...cut...] ";
/// The longest piece of a reply that is chosen as a whole.
const PIECE: usize = 300;
/// How much is looked at from either end of a text, so that a secret at a cut is still seen as one.
const WINDOW: usize = 16_384;

/// The largest place up to `at` that stands between two characters.
pub(super) fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|&place| text.is_char_boundary(place)).unwrap_or(0)
}

/// The smallest place from `at` on that stands between two characters.
pub(super) fn ceil(text: &str, at: usize) -> usize {
    (at..text.len()).find(|&place| text.is_char_boundary(place)).unwrap_or(text.len())
}

/// At most `limit` bytes of a text: all of it, or its head and its tail.
pub(super) fn excerpt(text: &str, limit: usize) -> String {
    if text.len() <= 2 * WINDOW {
        let shown = clean(text);
        let shown = shown.trim();
        if shown.len() <= limit {
            return shown.into();
        }
        return both_ends(shown, shown, limit);
    }
    let head = clean(text.get(..floor(text, WINDOW)).unwrap_or(""));
    let tail = clean(last_part(text.get(ceil(text, text.len() - WINDOW)..).unwrap_or("")));
    both_ends(head.trim_start(), tail.trim_end(), limit)
}

/// What is left of the last part of a text without the word and the key that it may begin within.
fn last_part(tail: &str) -> &str {
    let parts = |c: char| c.is_whitespace() || matches!(c, '"' | ',' | '}');
    let tail = tail.find(parts).and_then(|at| tail.get(at..)).unwrap_or("");
    let place = |mark: &str| memchr::memmem::find(tail.as_bytes(), mark.as_bytes());
    match (place("-----END "), place("-----BEGIN ")) {
        (Some(end), begin) if begin.is_none_or(|begin| end < begin) => tail.get(end..).unwrap_or(""),
        _ => tail,
    }
}

fn both_ends(head: &str, tail: &str, limit: usize) -> String {
    let room = limit.saturating_sub(CUT.len());
    let first = head.get(..floor(head, room - room / 3)).unwrap_or("");
    let last = tail.get(ceil(tail, tail.len().saturating_sub(room / 3))..).unwrap_or("");
    let mut out = String::with_capacity(limit);
    out.push_str(first);
    out.push_str(CUT);
    out.push_str(last);
    out
}

/// A text without escape sequences, control characters, characters that take no room, and secrets. Line breaks stay. What
/// parts a secret for the eye of a program alone goes first.
pub(super) fn clean(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let step = match c {
            '\u{1b}' => escape_length(rest.as_bytes()),
            '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}' => c.len_utf8(),
            c if c.is_control() && !matches!(c, '\n' | '\t') => c.len_utf8(),
            c => {
                plain.push(c);
                c.len_utf8()
            }
        };
        rest = rest.get(ceil(rest, step)..).unwrap_or("");
    }
    masked(&plain).chars().map(|c| if c == '\n' { c } else { crate::render::safe(c) }).collect()
}

/// A part of a text, without the secrets that reach into it.
pub(super) fn without_secrets(text: &str, part: Range<usize>, secrets: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(part.len());
    let mut at = part.start;
    let first = secrets.partition_point(|secret| secret.end <= part.start);
    for secret in secrets.iter().skip(first).take_while(|secret| secret.start < part.end) {
        out.push_str(text.get(at..secret.start).unwrap_or(""));
        out.push_str(STARS);
        at = secret.end;
    }
    out.push_str(text.get(at..part.end).unwrap_or(""));
    clean(&out)
}

/// At most `limit` bytes of a reply: all of it, or the lines that matter, in order, with what was left out marked.
/// Lines with an open clause that speaks of results come first, then those beside them, then those with another open
/// clause.
pub(super) fn reply(text: &str, open: &[OpenClause], limit: usize) -> String {
    if text.len() <= limit {
        let shown = clean(text);
        return if shown.trim().len() <= limit { shown.trim().into() } else { excerpt(&shown, limit) };
    }
    let pieces = pieces(text);
    let secrets: Vec<_> = secrets(text).collect();
    let chosen = choose(&pieces, &weights(&pieces, open), limit);
    let mut out = String::with_capacity(limit);
    let mut end = 0;
    let mut at = 0;
    while let Some(piece) = pieces.get(at) {
        let run = chosen.iter().skip(at).take_while(|chosen| **chosen).count();
        let last = run.checked_sub(1).and_then(|more| pieces.get(at + more));
        if let Some(last) = last {
            if piece.start > end {
                out.push_str(CUT.trim());
                out.push('\n');
            }
            out.push_str(without_secrets(text, piece.start..last.end, &secrets).trim_end());
            out.push('\n');
            end = last.end;
        }
        at += run.max(1);
    }
    if text.get(end..).is_some_and(|rest| !rest.trim().is_empty()) {
        out.push_str(CUT.trim());
    }
    // Masking may have made it longer.
    excerpt(&out, limit)
}

/// The lines of a text, with long ones cut. A line's end belongs to it.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        while end - start > PIECE {
            let next = floor(text, start + PIECE);
            pieces.push(start..next);
            start = next;
        }
        if end > start {
            pieces.push(start..end);
        }
        start = end;
    }
    pieces
}

/// How much each piece matters: 2 with an open clause that speaks of results, 1 with another, else 0.
fn weights(pieces: &[Range<usize>], open: &[OpenClause]) -> Vec<u8> {
    let mut first = 0;
    let weight = |piece: &Range<usize>| {
        while open.get(first).is_some_and(|clause| clause.span.end <= piece.start) {
            first += 1;
        }
        let here = open.iter().skip(first).take_while(|clause| clause.span.start < piece.end);
        here.map(|clause| if clause.speaks { 2 } else { 1 }).max().unwrap_or(0)
    };
    pieces.iter().map(weight).collect()
}

/// Which pieces are shown.
fn choose(pieces: &[Range<usize>], weights: &[u8], limit: usize) -> Vec<bool> {
    let mut chosen = vec![false; pieces.len()];
    // The last mark is always paid for.
    let mut room = limit.saturating_sub(CUT.len());
    let mut take = |at: usize, chosen: &mut Vec<bool>| {
        let Some(piece) = pieces.get(at) else { return };
        let cost = piece.len() + CUT.len() + 1;
        if let Some(place) = chosen.get_mut(at).filter(|taken| !**taken && cost <= room) {
            *place = true;
            room -= cost;
        }
    };
    let heavy: Vec<usize> = (0..pieces.len()).filter(|&at| weights.get(at) == Some(&2)).collect();
    from_both_ends(&heavy).for_each(|at| take(at, &mut chosen));
    for at in heavy {
        if chosen.get(at) == Some(&true) {
            take(at.wrapping_sub(1), &mut chosen);
            take(at + 1, &mut chosen);
        }
    }
    for weight in [1, 0] {
        let these: Vec<usize> = (0..pieces.len()).filter(|&at| weights.get(at) == Some(&weight)).collect();
        from_both_ends(&these).for_each(|at| take(at, &mut chosen));
    }
    chosen
}

/// The first, the last, the second, the last but one, and so on: a report tells what came out at its start or its end.
fn from_both_ends(list: &[usize]) -> impl Iterator<Item = usize> + '_ {
    let half = list.len().div_ceil(2);
    let front = list.iter().take(half).copied().map(Some);
    let back = list.iter().skip(half).rev().copied().map(Some).chain(core::iter::repeat(None));
    front.zip(back).flat_map(|(a, b)| [a, b]).flatten()
}
