//! What was met on the way: sentences for people, bounded in number, and the size of the text.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// So many notes of one kind are written out; the others are counted.
const SHOWN: usize = 8;

/// Copies of prompts and messages may always take this much room.
const ROOM: usize = 8 << 20;

/// The notes of one text.
#[derive(Debug, Default)]
pub(super) struct Notes {
    list: Vec<String>,
    counts: Vec<(&'static str, usize)>,
    /// The text ends in the middle of a value.
    pub(super) cut: bool,
    size: usize,
}

impl Notes {
    /// Notes on a text of `size` bytes.
    pub(super) fn new(size: usize) -> Self {
        Notes { size, ..Notes::default() }
    }

    /// Adds a note. `kind` says in the plural what is counted, as in `lines that are not JSON`.
    pub(super) fn add(&mut self, kind: &'static str, text: impl Into<String>) {
        let count = if let Some((_, count)) = self.counts.iter_mut().find(|(k, _)| *k == kind) {
            *count += 1;
            *count
        } else {
            self.counts.push((kind, 1));
            1
        };
        if count <= SHOWN {
            self.list.push(text.into());
        }
    }

    /// How many bytes the copies of one kind (system prompts, earlier messages) may take in all turns.
    ///
    /// A long prompt in each of many turns grows with the square of the text; this keeps it linear.
    pub(super) fn room(&self) -> usize {
        ROOM.max(self.size / 2)
    }

    /// All notes, each kind that was cut short with its count.
    pub(super) fn into_list(mut self) -> Vec<String> {
        for (kind, count) in self.counts {
            if count > SHOWN {
                self.list.push(format!("{} more {kind}", count - SHOWN));
            }
        }
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_kind_of_note_is_counted_after_a_few() {
        let mut notes = Notes::new(0);
        for i in 0..20 {
            notes.add("lines that are not JSON", format!("line {i}: not JSON"));
        }
        notes.add("other", "another");
        let list = notes.into_list();
        assert_eq!(list.len(), SHOWN + 2);
        assert_eq!(list.last().map(String::as_str), Some("12 more lines that are not JSON"));
    }
}
