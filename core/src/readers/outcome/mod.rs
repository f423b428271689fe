//! Outcomes: a denial, an exit status, passing tests, a successful build. One file a form.

mod builds;
mod denied;
mod exit;
mod named;
mod runs;
mod tests;

use super::prelude;

pub(super) use builds::{BUILDS, PHRASES as BUILD_PHRASES};
pub(super) use denied::DENIED;
pub(super) use exit::EXIT;
pub(super) use tests::{PHRASES as TEST_PHRASES, TESTS};
