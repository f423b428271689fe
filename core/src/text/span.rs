//! Spans and the three units in which languages count text.

use crate::sort::order;
use alloc::string::{String, ToString};
use serde::Serialize;

/// A half-open range of a text. Bytes inside the crate; on the wire in the result's `unit`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Span {
    /// Where it starts.
    pub start: usize,
    /// Where it ends; the place itself is not part of it.
    pub end: usize,
}

impl Span {
    /// A span from `start` up to `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// It as a range that fits `text`; empty where it does not.
    pub fn range(self, text: &str) -> core::ops::Range<usize> {
        if text.get(self.start..self.end).is_some() {
            self.start..self.end
        } else {
            0..0
        }
    }

    /// The characters it covers, or an empty text where it does not fit `text`.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or("")
    }
}

/// How offsets are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Bytes of UTF-8, as in Rust.
    #[default]
    Utf8,
    /// Code units of UTF-16, as in JavaScript.
    Utf16,
    /// Code points, as in Python.
    Codepoints,
}

impl Unit {
    /// The unit with this name on the wire.
    pub fn named(name: &str) -> Option<Unit> {
        match name {
            "utf8" => Some(Unit::Utf8),
            "utf16" => Some(Unit::Utf16),
            "codepoints" => Some(Unit::Codepoints),
            _ => None,
        }
    }

    /// How long a text is.
    pub(crate) fn length(self, text: &str) -> usize {
        match self {
            Unit::Utf8 => text.len(),
            _ => text.chars().map(|c| self.width(c)).sum(),
        }
    }

    /// How much one character counts.
    fn width(self, c: char) -> usize {
        match self {
            Unit::Utf8 => c.len_utf8(),
            Unit::Utf16 => c.len_utf16(),
            Unit::Codepoints => 1,
        }
    }
}

/// Changes offsets into `text` from one unit to another, all of them in one pass.
///
/// `offsets` may come in any order. An offset inside a character moves to that character's start,
/// one past the end to the end.
pub fn recode(text: &str, offsets: &mut [&mut usize], from: Unit, to: Unit) {
    if from == to || text.is_ascii() {
        let end = text.len();
        for offset in offsets {
            **offset = (**offset).min(end);
        }
        return;
    }
    let order = order(offsets.len(), &|a, b| offsets[a].cmp(&offsets[b]));
    let mut pending = order.into_iter().peekable();
    let (mut seen, mut written) = (0, 0);
    for c in text.chars() {
        let next = seen + from.width(c);
        while let Some(&i) = pending.peek() {
            if *offsets[i] >= next {
                break;
            }
            *offsets[i] = written;
            pending.next();
        }
        if pending.peek().is_none() {
            return;
        }
        seen = next;
        written += to.width(c);
    }
    for i in pending {
        *offsets[i] = written;
    }
}

/// The first `limit` characters of a text on one line, ending in `…` when something was cut.
pub fn quote(text: &str, limit: usize) -> String {
    if text.char_indices().nth(limit).is_none() {
        return text.to_string();
    }
    let end = text.char_indices().nth(limit.saturating_sub(1)).map_or(0, |(i, _)| i);
    let mut cut = text[..end].to_string();
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn recoded(text: &str, offsets: &[usize], from: Unit, to: Unit) -> Vec<usize> {
        let mut out = offsets.to_vec();
        let mut refs: Vec<&mut usize> = out.iter_mut().collect();
        recode(text, &mut refs, from, to);
        out
    }

    #[test]
    fn offsets_after_an_emoji_shift_by_unit() {
        let text = "é🎉 x";
        assert_eq!(recoded(text, &[0, 2, 6, 7, 8], Unit::Utf8, Unit::Utf16), [0, 1, 3, 4, 5]);
        assert_eq!(recoded(text, &[8, 2], Unit::Utf8, Unit::Codepoints), [4, 1]);
        assert_eq!(recoded(text, &[3, 5], Unit::Utf16, Unit::Utf8), [6, 8]);
    }

    #[test]
    fn an_offset_inside_a_character_moves_to_its_start_and_one_past_the_end_to_the_end() {
        assert_eq!(recoded("🎉", &[2, 99], Unit::Utf8, Unit::Codepoints), [0, 1]);
    }

    #[test]
    fn a_quote_is_cut_on_characters() {
        assert_eq!(quote("日本語", 3), "日本語");
        assert_eq!(quote("日本語で", 3), "日本…");
    }
}
