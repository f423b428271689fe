//! What one call is and did, worked out once.

use super::acts::Acts;
use super::roles::Role;
use super::shell::Simple;
use crate::record::Call;
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// A call with all that its name, arguments and status say.
#[derive(Clone, Debug)]
pub struct Facts<'a> {
    /// The call.
    pub call: &'a Call,
    /// Its tool's role.
    pub role: Role,
    /// The command line or the code that it ran.
    pub line: Option<Cow<'a, str>>,
    /// The simple commands of that line, wrappers resolved; empty where it did not lex or is code.
    pub commands: Vec<Simple>,
    /// What it did or may have done, had it succeeded.
    pub acts: Acts,
    /// Not known to have failed, to be pending or to run in the background.
    pub succeeded: bool,
}
