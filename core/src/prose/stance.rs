//! Stance.
