//! Command lines split into simple commands.

use alloc::string::String;
use alloc::vec::Vec;

/// One simple command of a line: its words without assignments, redirects and quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Simple {
    /// The words, the program first.
    pub words: Vec<String>,
}
