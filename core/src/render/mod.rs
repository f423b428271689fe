//! Views of a result.
