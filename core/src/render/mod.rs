//! Views of a result: one line, terminal text, HTML, JSON.
//!
//! Spans have to be in bytes, as `verify` gives them; a span that does not fit its text is shown as nothing.
//! Text and HTML are safe to show: control characters and marks that change the writing direction are
//! replaced, and values that look secret are masked. A transcript cannot drive the terminal or the page.

pub mod html;
pub mod json;
pub mod line;
pub mod mask;
pub mod shown;
pub mod text;
mod width;
mod window;

#[cfg(feature = "command")]
pub(crate) use width::{columns, head, tail};

use crate::record::{Call, Turn};
use crate::text::span::quote;
use crate::verification::Claim;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// The calls of some turns as one list, without copying any: those before the first turn, then each turn's.
///
/// A place in this list is what `earlier` of a claim counts.
pub struct Calls<'a> {
    /// How many turns and calls stood before, which are not held any more.
    gone: (usize, usize),
    before: &'a [Call],
    turns: Vec<(usize, &'a [Call])>,
}

impl<'a> Calls<'a> {
    /// The calls of a session's turns, or of one turn (`core::slice::from_ref`).
    pub fn of(turns: &'a [Turn]) -> Self {
        Self::behind((0, 0), turns)
    }

    /// The same for turns that others went before: how many turns and calls is told by `gone`.
    pub(crate) fn behind(gone: (usize, usize), turns: &'a [Turn]) -> Self {
        let before = turns.first().map_or(&[][..], |turn| &turn.earlier[..]);
        let mut start = gone.1 + before.len();
        let each = |turn: &'a Turn| {
            let calls = turn.calls.as_deref().unwrap_or(&[]);
            let at = start;
            start += calls.len();
            (at, calls)
        };
        Calls { gone, before, turns: turns.iter().map(each).collect() }
    }

    /// The place of the call that a claim in the turn with this index names.
    pub fn place(&self, turn: usize, claim: &Claim) -> Option<usize> {
        let start = self.turns.get(turn.checked_sub(self.gone.0)?)?.0;
        claim.call.map(|call| start.saturating_add(call)).or(claim.earlier)
    }

    /// The call at a place.
    pub fn get(&self, place: usize) -> Option<&'a Call> {
        if let Some(call) = self.before.get(place.checked_sub(self.gone.1)?) {
            return Some(call);
        }
        let (start, calls) = self.turns.get(self.turn_of(place)?.checked_sub(self.gone.0)?)?;
        calls.get(place.checked_sub(*start)?)
    }

    /// The index of the turn that a place belongs to; `None` before the first turn.
    fn turn_of(&self, place: usize) -> Option<usize> {
        let held = self.turns.partition_point(|(start, _)| *start <= place).checked_sub(1)?;
        Some(self.gone.0 + held)
    }

    /// The call nearest to a claim, with its name for people.
    pub(crate) fn near(&self, turn: usize, claim: &Claim) -> Option<(String, &'a Call)> {
        let place = self.place(turn, claim)?;
        let call = self.get(place)?;
        Some((self.label(turn, place), call))
    }

    /// A call's name for people, who count from 1: `call 7`, `turn 2, call 3`, `earlier call 4`.
    fn label(&self, turn: usize, place: usize) -> String {
        match self.turn_of(place) {
            None => alloc::format!("earlier call {}", place + 1),
            Some(of) => {
                let start = of.checked_sub(self.gone.0).and_then(|of| self.turns.get(of));
                let number = place - start.map_or(0, |(start, _)| *start) + 1;
                if of == turn {
                    alloc::format!("call {number}")
                } else {
                    alloc::format!("turn {}, call {number}", of + 1)
                }
            }
        }
    }
}

/// A text with the values that look secret masked.
pub(crate) fn masked(text: &str) -> Cow<'_, str> {
    mask::mask(text)
}

/// Parts of one text, each masked, or `None` where a secret reaches over the end of a part.
pub(crate) fn masked_parts<const N: usize>(parts: [&str; N]) -> Option<[String; N]> {
    let whole = parts.concat();
    let all = masked(&whole);
    let each = parts.map(|part| masked(part).into_owned());
    (all == each.concat()).then_some(each)
}

/// A character as it may be shown on one line of a terminal or a page.
pub(crate) fn safe(c: char) -> char {
    match c {
        '\t' | '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => ' ',
        // The control pictures: ESC becomes ␛.
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(' '),
        '\x7f' => '␡',
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}' => char::REPLACEMENT_CHARACTER,
        _ => c,
    }
}

/// A text on one line: masked, safe to show, white space runs as one space, cut at `limit` characters.
pub(crate) fn flat(text: &str, limit: usize) -> String {
    // Masking looks further than what is shown, so that a secret cut in two is still seen as one.
    let ahead = text.char_indices().nth(limit.saturating_mul(2).saturating_add(512)).map_or(text.len(), |(i, _)| i);
    let text = masked(text.get(..ahead).unwrap_or(text));
    let mut line = String::with_capacity(text.len().min(512));
    for word in text.split(|c: char| safe(c).is_whitespace()).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().map(safe));
    }
    quote(&line, limit)
}

/// `1 turn`, `2 turns`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    alloc::format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
pub(crate) mod samples;
