//! Formats whose texts are read one line at a time, so that a long one is never held as a whole.

use super::build::Builder;
use super::notes::Notes;
use super::{anthropic, chat, native};
use crate::record::{Session, Turn};
use alloc::boxed::Box;
use alloc::vec::Vec;
use serde_json::Value;

/// Reads the lines of one conversation.
pub(super) trait LineReader: Send {
    /// Takes a line; null stands for one line or several in a row that could not be read.
    fn line(&mut self, value: Value, notes: &mut Notes);

    /// What collects the turns.
    fn build(&mut self) -> &mut Builder;

    /// Hears the number of the line that comes next, from 1.
    fn at(&mut self, _number: usize, _bytes: usize) {}

    /// Gives out the turns that are finished.
    fn take(&mut self) -> Vec<Turn> {
        self.build().take()
    }

    /// The turns that were not given out, with the id of the conversation.
    fn finish(&mut self, notes: &mut Notes) -> Session {
        core::mem::take(self.build()).finish(notes)
    }
}

type New = fn() -> Box<dyn LineReader>;

/// The formats that are read line by line, with what reads them. All others are gathered and read at the end.
const READERS: &[(&str, New)] = &[
    ("native", || Box::new(native::Lines::default())),
    #[cfg(feature = "formats")]
    ("claude-code", || Box::new(super::claude_code::Streamed::default())),
    #[cfg(feature = "formats")]
    ("codex", || Box::new(super::codex::Reader::default())),
    #[cfg(feature = "formats")]
    ("copilot", || Box::new(super::copilot::Reader::default())),
    ("anthropic", || Box::new(anthropic::Messages::default())),
    ("openai-chat", || Box::new(chat::Messages::default())),
];

/// What reads the lines of a format, if it is read line by line.
pub(super) fn reader(format: &str) -> Option<Box<dyn LineReader>> {
    READERS.iter().find(|(name, _)| *name == format).map(|(_, new)| new())
}
