//! The turn as if the calls of the turns before it had been made in it.

use super::{Facts, View};

/// The most calls of earlier turns that are counted to a turn, and the most bytes of their outputs.
const CALLS: usize = 128;
const BYTES: usize = 1 << 17;

/// What a call weighs besides its output, in bytes, and what the turns of a session may ask for in all: this, and four times
/// what all its calls weigh. They keep the cost of a long session linear, in which every turn may ask for those before it.
const CALL: usize = 256;
const SHARE: usize = 1 << 24;

impl View<'_, '_> {
    /// The view of this turn with the calls of the turns before it as its own; none where there are no earlier calls.
    ///
    /// A recap tells of what earlier turns did. What would be supported, or left open, had those calls been made in this turn,
    /// is no claim to flag.
    pub fn longer(&self) -> Option<&Self> {
        let longer = || {
            let start = self.reach();
            let view = (start < self.now.start).then(|| View::of(self.record, self.part, start..self.now.end));
            view.flatten().map(Into::into)
        };
        self.longer.get_or_init(longer).as_deref()
    }

    /// The first of the earlier calls that are counted to the turn.
    fn reach(&self) -> usize {
        let record = self.record;
        let all = || record.facts.iter().map(weight).fold(SHARE, |sum, weight| sum.saturating_add(4 * weight));
        let left = record.reach.get().unwrap_or_else(all);
        let own: usize = self.calls().map(|(_, facts)| weight(facts)).sum();
        let (start, mut used) = (self.now.start, own);
        let near = (start.saturating_sub(CALLS)..start).rev().take_while(|&call| {
            let more = weight(self.facts(call));
            let fits = used - own + more <= BYTES + CALLS * CALL && used + more <= left;
            used += if fits { more } else { 0 };
            fits
        });
        let first = near.last().unwrap_or(start);
        record.reach.set(Some(left.saturating_sub(used)));
        first
    }
}

fn weight(facts: &Facts<'_>) -> usize {
    facts.call.output.as_ref().map_or(0, alloc::string::String::len) + CALL
}
