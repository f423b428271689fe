//! What was met on the way: sentences for people, bounded in number.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// So many notes of one kind are written out; the others are counted.
const SHOWN: usize = 8;

/// The notes of one text.
#[derive(Debug, Default)]
pub(super) struct Notes {
    list: Vec<String>,
    counts: Vec<(&'static str, usize)>,
    /// The text ends in the middle of a value.
    pub(super) cut: bool,
}

impl Notes {
    /// Adds a note. `kind` says in the plural what is counted, as in `lines that are not JSON`.
    #[inline(never)]
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
        let mut notes = Notes::default();
        for i in 0..20 {
            notes.add("lines that are not JSON", format!("line {i}: not JSON"));
        }
        notes.add("other", "another");
        let list = notes.into_list();
        assert_eq!(list.len(), SHOWN + 2);
        assert_eq!(list.last().map(String::as_str), Some("12 more lines that are not JSON"));
    }
}
