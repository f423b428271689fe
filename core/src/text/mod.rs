//! Text that everything else stands on: spans and their units, folding, markdown blocks.

pub mod fold;
pub mod markdown;
pub mod span;

/// The first `limit` bytes of a text, cut on a character.
pub(crate) fn head(text: &str, limit: usize) -> &str {
    let end = (0..=limit.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
    &text[..end]
}
