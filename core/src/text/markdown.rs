//! Markdown blocks.
