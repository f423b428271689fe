//! The line of a text around a span, cut to the columns there are.

use super::width::{columns, head, tail};
use super::{flat, masked_parts, safe};
use crate::text::span::Span;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The most lines of one span that are shown.
const LINES: usize = 3;

/// A line of a text around a span, cut to the columns there are.
pub(crate) struct Window {
    /// The line: masked, safe to show, with `…` where it was cut.
    pub(crate) text: String,
    /// The column at which the span starts in it.
    pub(crate) from: usize,
    /// The columns of the span; 0 where masking moved it.
    pub(crate) length: usize,
    /// The line in three parts: before the span, the span, after it.
    pub(crate) parts: [String; 3],
}

/// The lines that a span covers, three at most. Costs the columns shown, however long the line is.
pub(crate) fn windows(text: &str, span: Span, room: usize) -> Vec<Window> {
    let mut found = Vec::new();
    let Some(hit) = text.get(span.start..span.end) else { return found };
    let mut start = span.start;
    for part in hit.split('\n').take(LINES) {
        let blank = part.len() - part.trim_start().len();
        let (from, end) = (start + blank, start + part.trim_end().len());
        start += part.len() + 1;
        if from < end {
            found.push(window(text, from, end, room));
        }
    }
    found
}

fn window(text: &str, start: usize, end: usize, room: usize) -> Window {
    // More is looked at than is shown, so that a secret at the edge is masked before it is cut.
    let reach = room.saturating_mul(2).saturating_add(256);
    let left = text.get(..start).unwrap_or("");
    let from = left.char_indices().rev().take(reach).take_while(|&(_, c)| c != '\n').last().map_or(start, |(at, _)| at);
    let right = text.get(end..).unwrap_or("");
    let to = right.char_indices().take(reach).find(|&(_, c)| c == '\n');
    let to = to.or_else(|| right.char_indices().nth(reach)).map_or(text.len(), |(at, _)| end + at);
    let hit = text.get(start..end).unwrap_or("");
    let stop = hit.char_indices().nth(reach).map_or(end, |(at, _)| start + at);
    let cut_hit = stop < end;
    let after = if cut_hit { "" } else { text.get(end..to).unwrap_or("") };
    let parts =
        [text.get(from..start).unwrap_or("").trim_start(), text.get(start..stop).unwrap_or(""), after.trim_end()];
    let safely = |text: &str| -> String { text.chars().map(safe).collect() };
    let Some(masked) = masked_parts(parts) else {
        let whole = flat(&parts.concat(), room);
        return Window {
            text: head(&whole, room).to_owned(),
            from: 0,
            length: 0,
            parts: [whole, String::new(), String::new()],
        };
    };
    fit(&masked.map(|part| safely(&part)), room)
}

/// Cuts a line on both sides of the span, so that the span is seen.
fn fit(parts: &[String; 3], room: usize) -> Window {
    let [before, hit, after] = parts;
    let (b, h, a) = (columns(before), columns(hit), columns(after));
    let parts = if b + h + a <= room {
        [before.clone(), hit.clone(), after.clone()]
    } else {
        let spare = room.saturating_sub(2);
        let long = h > spare;
        let hit = if long { format!("{}…", head(hit, spare.saturating_sub(1))) } else { hit.clone() };
        let rest = spare.saturating_sub(columns(&hit));
        let left = b.min((rest / 2).max(rest.saturating_sub(a)));
        let right = rest.saturating_sub(left);
        let before = if left < b { format!("…{}", tail(before, left)) } else { before.clone() };
        let after = if long {
            String::new()
        } else if right < a {
            format!("{}…", head(after, right))
        } else {
            after.clone()
        };
        [before, hit, after]
    };
    Window { text: parts.concat(), from: columns(&parts[0]), length: columns(&parts[1]), parts }
}
