//! “Downloaded the model.” “The export is complete.” “The linter is clean.” “Both agents are back.”
//!
//! # Reads
//! Work said to have come to a good end: an act or a process by its name (`deeds`), a linter, type checker or formatter
//! said to be clean (`checks`), tests said to have passed (`tests`), agents said to have finished (`agents`), a named file said to be written (`files`).
//!
//! # Checks
//! Flagged only when every call that could have done it failed, timed out, was cancelled, turned away or has no result
//! yet. A call of unknown meaning that succeeded supports, as does an earlier one, a failed call whose output shows the
//! step done, or a failed line that may have done it before it failed.
//!
//! # Leaves alone
//! Sentences that tell of a failure themselves; what others did; plans; acts for which no call in the turn failed.

mod agents;
mod checks;
mod code;
mod deeds;
mod ends;
mod files;
mod kinds;
mod open;
mod tests;

pub(super) use agents::AGENTS;
pub(super) use checks::CHECKS;
pub(super) use deeds::DEEDS;
pub(super) use files::FILES;
pub(super) use tests::TESTS;
