//! Cited entries.
