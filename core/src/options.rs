//! What a host may set.


use crate::evidence::roles::Role;
use alloc::collections::BTreeMap;

use alloc::string::String;
use alloc::vec::Vec;


/// How much is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Nothing; every result is `None`.
    Off,
    /// The readers.
    #[default]
    Readers,
}

/// Bounds on what one result shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most flagged claims that are listed; the others are counted.
    pub flagged: usize,
    /// The most characters of a claim that are quoted.
    pub quote: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { flagged: 12, quote: 120 }
    }
}

/// Settings of a check. `Options::default()` is what the command line uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How much is checked.
    pub mode: Mode,
    /// Roles of the host's own tools; they win over the built-in table.
    pub roles: BTreeMap<String, Role>,
    /// Readers switched on or off by name; the others keep their default.
    pub readers: BTreeMap<String, bool>,
    /// Bounds on what one result shows.
    pub limits: Limits,
    /// Names of the tools on offer, for turns that do not bring their own.
    pub tools: Option<Vec<String>>,
}
