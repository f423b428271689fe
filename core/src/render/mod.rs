//! Views of a result.

pub mod mask;
