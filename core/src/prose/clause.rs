//! Clauses.

use super::Prose;

pub(super) fn read(source: &str) -> Prose<'_> {
    Prose { source, ..Prose::default() }
}
