//! The turn as if the calls of the turns before it had been made in it.

use super::{Range, View};

/// The most calls of earlier turns that are counted to a turn, and the most bytes of their outputs. They bound what a long
/// session costs, in which every turn may ask for those before it.
const CALLS: usize = 256;
const BYTES: usize = 1 << 18;

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
        let Range { start, .. } = self.now;
        let mut bytes = 0_usize;
        let near = (start.saturating_sub(CALLS)..start).rev().take_while(|&call| {
            bytes += self.facts(call).call.output.as_ref().map_or(0, alloc::string::String::len);
            bytes <= BYTES
        });
        near.last().unwrap_or(start)
    }
}
