//! Turns that are given out: all of them at the end, or those that nothing can change any more.

use super::opaque::{worked_unseen, UNSEEN};
use super::{print_of, Builder, Place};
use crate::record::{Session, Status, Turn};
use crate::sort::{map, sorted};
use crate::transcript::notes::Notes;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// So many turns are kept at most while results of their calls are still to come.
const KEPT: usize = 16;

/// The calls of so many turns that were given out are known by their ids, so that a late result is told from one without
/// a call.
const KNOWN: usize = 1024;

impl Builder {
    /// The whole conversation.
    pub(in crate::transcript) fn finish(mut self, notes: &mut Notes) -> Session {
        if self.open {
            self.flush();
            self.close();
        } else if let Some(last) = self.done.pop() {
            self.current = last;
            self.flush();
            self.done.push(core::mem::take(&mut self.current));
        }
        self.drop_replays(usize::MAX);
        if self.replayed > 0 {
            notes.add("replays", format!("calls that stand twice and were left out once: {}", self.replayed));
        }
        let turns = self.living(notes);
        let turns = self.completed(turns);
        Session { turns, id: self.id, format: None, notes: Vec::new() }
    }

    /// The turns without those that were taken back, and without those that another session has.
    fn living(&mut self, notes: &mut Notes) -> Vec<Turn> {
        if !self.dead.is_empty() {
            notes.add("turns that were taken back", format!("turns that were taken back: {}", self.dead.len()));
        }
        let dead = sorted(core::mem::take(&mut self.dead), Ord::cmp);
        let (mut turns, mut former, mut said) = (Vec::new(), Turn::default(), Vec::new());
        for (i, mut turn) in (self.given..).zip(core::mem::take(&mut self.done)) {
            if dead.binary_search(&i).is_ok() {
                continue;
            }
            if i < self.copied {
                former.earlier.extend(turn.calls.unwrap_or_default());
                former.context.append(&mut turn.context);
                former.gaps.reasons.append(&mut turn.gaps.reasons);
                said.extend(turn.user);
            } else {
                turns.push(turn);
            }
        }
        if let Some(first) = turns.first_mut().filter(|_| self.copied > 0) {
            (first.earlier, first.said) = (former.earlier, Some(said));
            first.context.append(&mut former.context);
            first.gaps.reasons.append(&mut former.gaps.reasons);
        }
        turns
    }

    /// Gives out the turns that nothing can change any more, for a reader that goes on. The last turn that ended is kept:
    /// what comes before the next one may belong to it. A turn whose calls have not all returned is kept too, with
    /// those behind it, as long as no more than [`KEPT`] are.
    pub(in crate::transcript) fn take(&mut self) -> Vec<Turn> {
        let ended = if self.open { self.done.len() } else { self.done.len().saturating_sub(1) };
        let whole = self.done.iter().take(ended).take_while(|turn| !self.waits(turn)).count();
        let count = whole.max(ended.saturating_sub(KEPT));
        if count == 0 {
            return Vec::new();
        }
        let open: Vec<bool> = self.done.iter().take(count).map(|turn| self.waits(turn)).collect();
        self.remember(count);
        self.drop_replays(self.given + count);
        let mut turns: Vec<Turn> = self.done.drain(..count).collect();
        for (turn, _) in turns.iter_mut().zip(open).filter(|(_, open)| *open) {
            turn.gaps.reasons.push("it was given out before all its calls had returned".to_owned());
        }
        let turns = self.completed(turns);
        self.given += count;
        let far = self.given.saturating_sub(KNOWN);
        if far > self.forgotten + KNOWN {
            self.forgotten = far;
            let pairs = core::mem::take(&mut self.pairs).into_iter();
            self.pairs = map(pairs.filter(|(_, known)| known.place.0 >= far));
        }
        turns
    }

    /// Keeps what stands for the calls of the turns that are given out next.
    fn remember(&mut self, count: usize) {
        for (turn, i) in self.done.iter().take(count).zip(self.given..) {
            for call in turn.calls.iter().flatten() {
                let Some(known) = call.id.as_ref().and_then(|id| self.pairs.get_mut(id)) else { continue };
                if known.place.0 == i {
                    known.prints[0] = Some(print_of(call));
                } else if known.twin.is_some_and(|twin| twin.0 == i) {
                    known.prints[1] = Some(print_of(call));
                }
            }
        }
    }

    /// Whether a result may still come for a call of a turn that ended.
    fn waits(&self, turn: &Turn) -> bool {
        let mut open = turn.calls.iter().flatten().filter(|call| call.status == Status::Pending);
        open.any(|call| call.id.as_ref().and_then(|id| self.pairs.get(id)).is_some_and(|known| !known.answered))
    }

    /// The turns with what all or the first of them were given.
    fn completed(&mut self, mut turns: Vec<Turn>) -> Vec<Turn> {
        if !turns.is_empty() {
            give_first(&mut turns, core::mem::take(&mut self.system), self.tools.take());
        }
        for turn in &mut turns {
            turn.gaps.reasons.extend(self.incomplete.iter().cloned());
            if turn.gaps.none() && turn.calls.as_deref().is_some_and(worked_unseen) {
                turn.gaps.reasons.push(UNSEEN.to_owned());
            }
        }
        turns
    }

    /// Calls that a compaction or a retry wrote a second time are left out of the turns before one.
    fn drop_replays(&mut self, end: usize) {
        let held = self.given..end;
        let (mut replays, later): (Vec<Place>, Vec<Place>) =
            core::mem::take(&mut self.replays).into_iter().partition(|place| held.contains(&place.0));
        self.replays = later;
        if self.doubled {
            let unanswered = self.pairs.values().filter(|p| p.twin.is_some() && !p.answered).map(|p| p.place);
            replays.extend(unanswered.filter(|place| held.contains(&place.0)));
        }
        let replays = sorted(replays, Ord::cmp);
        let mut last = None;
        for &(turn, _) in &replays {
            if last == Some(turn) {
                continue;
            }
            last = Some(turn);
            let at = turn.checked_sub(self.given);
            let Some(calls) = at.and_then(|at| self.done.get_mut(at)?.calls.as_mut()) else { continue };
            let mut index = 0;
            calls.retain(|_| {
                index += 1;
                replays.binary_search(&(turn, index - 1)).is_err()
            });
        }
        self.replayed += replays.len();
    }
}

/// Gives the first turn the prompt and the tools on offer; they hold for the turns after it.
fn give_first(turns: &mut [Turn], system: Vec<String>, tools: Option<Vec<String>>) {
    if let Some(turn) = turns.first_mut() {
        turn.context.splice(0..0, system);
        if turn.tools.is_none() {
            turn.tools = tools;
        }
    }
}
