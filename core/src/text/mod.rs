//! Text that everything else stands on: spans and their units, folding, markdown blocks.

pub mod fold;
pub mod markdown;
pub mod span;
