//! Messages of the user role, and what of a record is not certain.

use super::{Builder, AMID};
use crate::record::Status;
use alloc::borrow::ToOwned;
use alloc::string::String;

impl Builder {
    /// The record says that it goes on from something that it does not hold: every turn lacks that.
    pub(in crate::transcript) fn starts_amid(&mut self) {
        self.incomplete.push(AMID.to_owned());
    }

    /// A message of the user role, as far as it was understood: a new turn, or context where the agent is in the middle of
    /// one (`steering`). One without a word opens a turn as well, unless it brings the pictures of the result before it; one
    /// of which some could not be read opens a turn that says so.
    #[inline(never)]
    pub(in crate::transcript) fn heard(&mut self, said: String, steering: bool, media: bool, unread: bool) {
        if !said.trim().is_empty() {
            if steering {
                self.context(said);
            } else {
                self.user(Some(said));
            }
        } else if unread {
            self.unread_user();
        } else if !(steering || media && self.returned) {
            self.user(None);
        }
    }

    /// Whether a result came last, which the agent still has to answer.
    pub(in crate::transcript) fn has_returned(&self) -> bool {
        self.returned
    }

    /// A message of the user role that could not be read: it may have been the person's, so a turn starts, and says so.
    #[inline(never)]
    pub(in crate::transcript) fn unread_user(&mut self) {
        self.user(None);
        self.gap("a message of the user could not be read");
    }

    /// Whether another call of this turn waits under the same id. None of them is then given the result of the other.
    pub(super) fn shares(&mut self, id: Option<&str>) -> bool {
        let now = self.given + self.done.len();
        let known = id.and_then(|id| self.pairs.get(id));
        let Some(place) = known.filter(|known| !known.answered && known.place.0 == now).map(|known| known.place) else {
            return false;
        };
        if let Some(call) = self.at_mut(place) {
            call.status = Status::Unknown;
        }
        self.gap("several calls have one id");
        self.flush();
        true
    }
}
