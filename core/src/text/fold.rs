//! Folding.
