//! The turns of a whole conversation: without those that were taken back, copied or written twice.

use super::{Builder, Place};
use crate::record::{Session, Turn};
use crate::sort::sorted;
use crate::transcript::notes::Notes;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

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
        self.drop_replays(notes);
        let mut turns = self.living(notes);
        give_first(&mut turns, self.system, self.tools);
        for turn in &mut turns {
            turn.gaps.reasons.extend(self.incomplete.iter().cloned());
        }
        Session { turns, id: self.id, format: None, notes: Vec::new() }
    }

    /// The turns without those that were taken back, and without those that another session has.
    fn living(&mut self, notes: &mut Notes) -> Vec<Turn> {
        if !self.dead.is_empty() {
            notes.add("turns that were taken back", format!("turns that were taken back: {}", self.dead.len()));
        }
        let dead = sorted(core::mem::take(&mut self.dead), Ord::cmp);
        let (mut turns, mut former, mut said) = (Vec::new(), Turn::default(), Vec::new());
        for (i, mut turn) in core::mem::take(&mut self.done).into_iter().enumerate() {
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

    /// Calls that a compaction or a retry wrote a second time are left out.
    fn drop_replays(&mut self, notes: &mut Notes) {
        let unanswered = self.pairs.all().iter().filter(|p| p.twin.is_some() && !p.answered).map(|p| p.place);
        let replays: Vec<Place> = core::mem::take(&mut self.replays).into_iter().chain(unanswered).collect();
        let replays = sorted(replays, Ord::cmp);
        let mut last = None;
        for &(turn, _) in &replays {
            if last == Some(turn) {
                continue;
            }
            last = Some(turn);
            let Some(calls) = self.done.get_mut(turn).and_then(|t| t.calls.as_mut()) else { continue };
            let mut index = 0;
            calls.retain(|_| {
                index += 1;
                replays.binary_search(&(turn, index - 1)).is_err()
            });
        }
        if !replays.is_empty() {
            notes.add("replays", format!("calls that stand twice and were left out once: {}", replays.len()));
        }
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
