//! Output shown in the reply: a code block under a result marker, or a backticked value beside one. One file a form.

mod block;
mod value;

use super::prelude;

pub(super) use block::BLOCK;
pub(super) use value::VALUE;

/// Words that announce output.
const MARKERS: &[&str] = &["output", "outputs", "returned", "result", "results", "stdout", "stderr", "printed"];

/// Words before a marker that make it another output than one that was seen.
const OTHERS: &[&str] =
    &["example", "sample", "expected", "typical", "possible", "desired", "new", "would-be", "similar", "following"];
