//! The phrase matcher.
