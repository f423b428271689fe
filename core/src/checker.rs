//! The check of a session that comes turn by turn and may be longer than the memory.

use crate::options::Options;
use crate::record::{Call, Turn};
use crate::render::Calls;
use crate::result::{Totals, TurnReport};
use crate::text::span::Unit;
use crate::verification::{check, part, Asked, Carried};
use crate::{evidence::index::Part, wire};
use alloc::string::ToString;
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// So many bytes of outputs of turns that were checked are kept, as evidence for the turns after them.
pub const OUTPUTS: usize = 64 << 20;

/// So many bytes of all else that is evidence: arguments, messages, and the calls themselves.
const OTHERS: usize = 32 << 20;

/// So many bytes are waited for at least before turns are checked together, and at most.
const TOGETHER: core::ops::Range<usize> = (64 << 10)..(32 << 20);

/// What a call takes up besides its texts.
const CALL: usize = 1000;

/// Why a turn is incomplete when the beginning of the session is not kept any more.
const GONE: &str = "the first turns of the session are not kept any more";

/// Checks turns as they come. Their calls become the earlier calls of the turns after them.
///
/// The results are those of [`crate::verify_session`] on all turns, but that a turn does not know which tools later turns call:
/// a name that is first called later may be no tool to it, and that a proof of read which no turn names is not shown.
///
/// Of what was checked so much is kept: [`OUTPUTS`] bytes of outputs, and half as much of all else. The oldest outputs are
/// given up first. Their calls count as truncated, and from there on a claim that nothing shows is
/// [`crate::Verdict::NotShown`]; only what a call of the record contradicts is flagged. Where the oldest turns are given up as
/// well, the turns that come are incomplete. So nothing is flagged because of what was given up.
///
/// ```
/// use counterfoil::{transcript::Feed, Checker, Options};
///
/// let (mut feed, mut checker) = (Feed::new(None)?, Checker::new(Options::default()));
/// let lines = "{\"reply\": \"Hello.\", \"calls\": []}\n{\"reply\": \"All tests pass.\", \"calls\": []}\n";
/// let mut reports = Vec::new();
/// for turn in feed.feed(lines.as_bytes())? {
///     checker.push(turn);
///     if checker.is_due() {
///         reports.extend(checker.check());
///     }
/// }
/// feed.finish()?.turns.into_iter().for_each(|turn| checker.push(turn));
/// reports.extend(checker.check());
/// assert_eq!(reports.len(), 2);
/// assert_eq!(checker.totals().flagged, 1);
/// # Ok::<(), counterfoil::Error>(())
/// ```
pub struct Checker {
    options: Options,
    unit: Unit,
    budget: usize,
    carried: Option<Carried>,
    totals: Totals,
    /// Turns that were checked, then turns that were not.
    turns: Vec<Turn>,
    /// How many of them were checked, and how many of these were made smaller since.
    checked: usize,
    settled: usize,
    /// How many turns and calls were given up.
    gone: (usize, usize),
    /// The first turn that may still have outputs, and whether any was given up.
    full: usize,
    lost: bool,
    /// The bytes of what was settled, and of what was not checked.
    outputs: usize,
    others: usize,
    waiting: usize,
}

impl Checker {
    /// A check with these options.
    pub fn new(options: Options) -> Self {
        Checker {
            options,
            unit: Unit::Utf8,
            budget: OUTPUTS,
            carried: None,
            totals: Totals::default(),
            turns: Vec::new(),
            checked: 0,
            settled: 0,
            gone: (0, 0),
            full: 0,
            lost: false,
            outputs: 0,
            others: 0,
            waiting: 0,
        }
    }

    /// Spans are counted in this unit; in bytes if it is not called.
    #[must_use]
    pub fn in_unit(self, unit: Unit) -> Self {
        Checker { unit, ..self }
    }

    /// Keeps so many bytes of outputs instead of [`OUTPUTS`].
    #[must_use]
    pub fn keeping(self, bytes: usize) -> Self {
        Checker { budget: bytes, ..self }
    }

    /// Takes the next turn.
    pub fn push(&mut self, mut turn: Turn) {
        if self.gone.0 + self.turns.len() > 0 {
            // Only the first turn of a session holds earlier calls.
            turn.earlier = Vec::new();
        }
        let (outputs, others) = weight(&turn);
        self.waiting += outputs + others + turn.reply.iter().map(|piece| piece.text.len()).sum::<usize>();
        self.turns.push(turn);
    }

    /// Whether so much came that checking it now costs no more than a small multiple of reading it. A host that
    /// shows results at once need not wait for it.
    pub fn is_due(&self) -> bool {
        let kept = usize::midpoint(self.outputs, self.others);
        self.waiting >= kept.clamp(TOGETHER.start, TOGETHER.end)
    }

    /// Checks the turns that came since the last time. What the claims point to is held until it is called again.
    pub fn check(&mut self) -> Vec<TurnReport> {
        self.settle();
        if self.gone.0 > 0 {
            for turn in self.turns.iter_mut().skip(self.checked) {
                turn.gaps.reasons.push(GONE.to_string());
            }
        }
        let first = self.checked;
        let before = self.turns.first().map_or(&[][..], |turn| turn.earlier.as_slice());
        let mut parts = Vec::with_capacity(self.turns.len() + 1);
        parts.push(Part { turn: None, calls: before });
        parts.extend(self.turns.iter().map(part));
        let asked = Asked { first: first + 1, lost: self.lost };
        let judged = check(&parts, asked, &self.options, &mut |_, _| ControlFlow::Continue(()));
        let judged = judged.unwrap_or_default().into_iter().skip(first + 1);
        let carried = self.carried.get_or_insert_with(|| Carried::new(before, &self.options));
        let mut reports = Vec::with_capacity(self.turns.len() - first);
        for ((i, turn), judged) in self.turns.iter().enumerate().skip(first).zip(judged) {
            let mut report = carried.report(turn, self.gone.0 + i + 1, judged, &mut self.totals);
            for claim in report.verification.iter_mut().flat_map(|found| &mut found.claims) {
                claim.earlier = claim.earlier.map(|call| call + self.gone.1);
            }
            reports.push(report);
        }
        self.checked = self.turns.len();
        self.waiting = 0;
        if self.unit != Unit::Utf8 {
            wire::recode_turns(
                &mut reports,
                &Calls::behind(self.gone, &self.turns),
                self.gone.0,
                &self.turns,
                self.unit,
            );
        }
        reports
    }

    /// Sums over all turns that were checked.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// The calls that the last check looked at.
    #[cfg(feature = "command")]
    pub(crate) fn calls(&self) -> Calls<'_> {
        Calls::behind(self.gone, &self.turns)
    }

    /// A turn that the last check looked at, by its number, which counts from 1.
    #[cfg(feature = "command")]
    pub(crate) fn turn(&self, number: usize) -> Option<&Turn> {
        self.turns.get(number.checked_sub(self.gone.0 + 1)?)
    }

    /// Makes what was checked smaller: replies are no evidence, and of outputs so much is kept.
    fn settle(&mut self) {
        for turn in self.turns.iter_mut().take(self.checked).skip(self.settled) {
            turn.reply = Vec::new();
            let (outputs, others) = weight(turn);
            self.outputs += outputs;
            self.others += others;
        }
        self.settled = self.checked;
        while self.outputs > self.budget && self.full < self.settled {
            let Some(turn) = self.turns.get_mut(self.full) else { break };
            for call in turn.earlier.iter_mut().chain(turn.calls.iter_mut().flatten()) {
                let bytes = give_up(call);
                self.lost |= bytes > 0;
                self.outputs -= bytes;
            }
            self.full += 1;
        }
        if self.others > OTHERS {
            self.forget();
        }
    }

    /// Gives up the oldest turns, a quarter of what is kept at a time.
    fn forget(&mut self) {
        let (mut count, mut tools) = (0, None);
        for turn in self.turns.iter().take(self.settled) {
            if self.others <= OTHERS / 4 * 3 {
                break;
            }
            let (outputs, others) = weight(turn);
            self.outputs -= outputs;
            self.others -= others;
            self.gone.1 += turn.earlier.len() + turn.calls.as_ref().map_or(0, Vec::len);
            tools = turn.tools.clone().or(tools);
            count += 1;
        }
        self.turns.drain(..count);
        self.gone.0 += count;
        self.checked -= count;
        self.settled -= count;
        self.full = self.full.saturating_sub(count);
        if let Some(next) = self.turns.first_mut() {
            next.tools = next.tools.take().or(tools);
        }
    }
}

/// Takes a call's output away; gives its length.
fn give_up(call: &mut Call) -> usize {
    let Some(output) = call.output.take() else { return 0 };
    call.truncated = true;
    output.len()
}

/// The bytes of a turn's outputs, and of all else in it that is evidence.
pub(crate) fn weight(turn: &Turn) -> (usize, usize) {
    let texts = turn.user.iter().chain(turn.said.iter().flatten()).chain(&turn.context);
    let mut others = CALL + texts.map(alloc::string::String::len).sum::<usize>();
    let mut outputs = 0;
    for call in turn.earlier.iter().chain(turn.calls.iter().flatten()) {
        outputs += call.output.as_ref().map_or(0, alloc::string::String::len);
        others += CALL + crate::evidence::lookup::size(&call.arguments);
    }
    (outputs, others)
}
