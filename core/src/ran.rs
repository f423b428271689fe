//! The ran line.
