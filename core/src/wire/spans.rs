//! The spans of results, changed from bytes to another unit.

use crate::record::{Session, Turn};
use crate::render::Calls;
use crate::sort::sorted;
use crate::text::span::{recode as recode_offsets, Span, Unit};
use crate::verification::{Report, TurnReport, Verification};
use alloc::vec::Vec;

/// Changes all spans of a result from bytes to another unit.
pub fn recode_verification(found: &mut Verification, turn: &Turn, unit: Unit) {
    let calls = Calls::of(core::slice::from_ref(turn));
    let spans = spans_of(found, &calls, 0, &turn.text(), unit);
    recode_outputs(&calls, spans, Unit::Utf8, unit);
}

/// Changes all spans of a report from bytes to another unit. An output that many turns look at is walked once.
pub fn recode_report(report: &mut Report, session: &Session, unit: Unit) {
    recode_turns(&mut report.turns, &Calls::of(&session.turns), 0, &session.turns, unit);
    report.unit = unit;
}

/// The same for the reports of some turns; `gone` is how many turns stood before the first of `turns`.
pub(crate) fn recode_turns(reports: &mut [TurnReport], calls: &Calls<'_>, gone: usize, turns: &[Turn], unit: Unit) {
    let mut spans = Vec::new();
    for found in reports {
        let index = found.turn.saturating_sub(1);
        let turn = index.checked_sub(gone).and_then(|held| turns.get(held));
        let (Some(turn), Some(found)) = (turn, &mut found.verification) else { continue };
        spans.extend(spans_of(found, calls, index, &turn.text(), unit));
    }
    recode_outputs(calls, spans, Unit::Utf8, unit);
}

/// The start and the end of a span.
pub(super) type Offsets<'a> = [&'a mut usize; 2];

/// Changes the claim spans of one result and hands out its evidence spans with the places of their calls.
fn spans_of<'a>(
    found: &'a mut Verification,
    calls: &Calls<'_>,
    index: usize,
    reply: &str,
    unit: Unit,
) -> Vec<(usize, Offsets<'a>)> {
    let mut in_reply: Vec<&mut usize> = Vec::new();
    let mut in_calls = Vec::new();
    for claim in &mut found.claims {
        let place = calls.place(index, claim);
        in_reply.push(&mut claim.span.start);
        in_reply.push(&mut claim.span.end);
        if let (Some(place), Some(Span { start, end })) = (place, &mut claim.evidence) {
            in_calls.push((place, [start, end]));
        }
    }
    recode_offsets(reply, &mut in_reply, Unit::Utf8, unit);
    found.unit = unit;
    in_calls
}

/// Changes evidence spans, each output walked once.
pub(super) fn recode_outputs(calls: &Calls<'_>, spans: Vec<(usize, Offsets<'_>)>, from: Unit, to: Unit) {
    let mut spans = sorted(spans, |(a, _), (b, _)| a.cmp(b));
    for group in spans.chunk_by_mut(|(a, _), (b, _)| a == b) {
        let Some(place) = group.first().map(|&(place, _)| place) else { continue };
        let output = calls.get(place).and_then(|call| call.output.as_deref()).unwrap_or("");
        let mut offsets: Vec<&mut usize> =
            group.iter_mut().flat_map(|(_, [start, end])| [&mut **start, &mut **end]).collect();
        recode_offsets(output, &mut offsets, from, to);
    }
}
