//! “All tests pass”, while the run collected none, hid its result, or came before the last change.
//!
//! # Reads
//! Tests, builds, linters and type checkers said to have passed (`runs`), a run said to have come after the last change
//! and a build said to be new (`after`), and an edit of a named file (`edits`).
//!
//! # Checks
//! Flagged when what was run is empty: no test was collected; the exit is masked (`|| true`) and nothing was printed;
//! code that the run covers was edited after it and nothing that may have run it again followed; the edit changed nothing.
//!
//! # Leaves alone
//! What a run did (“the tests passed”) once more was edited; edits of documents, settings, comments and other languages;
//! replies that tell of running things again; text that was written between calls.

mod after;
mod edits;
mod runs;

pub(super) use after::{AFTER, REBUILT};
pub(super) use edits::EDITS;
pub(super) use runs::{BUILDS, CHECKS, TESTS};
