//! How what a program printed tells of its end.

use super::kinds::Deed;
use crate::evidence::facts::Facts;
use crate::evidence::roles::Role;
use crate::record::Status;
use alloc::format;
use alloc::string::String;

/// What the output of a program says that broke off.
#[rustfmt::skip]
const BROKE_OFF: &[&str] = &[
    "abort", "cannot", "could not", "couldn't", "denied", "error", "exception", "fail", "fatal", "invalid", "killed", "missing",
    "no such", "not found", "panic", "refused", "terminated", "timed out", "timeout", "traceback", "unable", "unknown", "usage:",
];

/// Whether a command that exited with a small code of its own printed a result and nothing of a fault: many programs
/// exit so to say what they found.
pub(super) fn came_to_its_end(facts: &Facts<'_>) -> bool {
    let over = matches!(facts.call.status, Status::Ok | Status::Error | Status::Unknown);
    let output = facts.call.output.as_deref().unwrap_or("");
    let small = facts.call.exit.is_some_and(|exit| (1..=123).contains(&exit));
    let fault = || {
        let text = ends_of(output).to_lowercase();
        BROKE_OFF.iter().any(|word| text.contains(word))
    };
    over && small && facts.role == Role::Command && !output.trim().is_empty() && !facts.call.truncated && !fault()
}

/// Whether a line of output tells that this kind of work came to its end: “Downloaded tiny”, “Pushing image done”.
pub(super) fn tells_end(line: &str, deed: &Deed) -> bool {
    let done = ["complete", "completed", "done", "finished", "success", "successful", "successfully"];
    let (mut ended, mut meant) = (false, deed.stems.is_empty());
    for word in line.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase) {
        let same = |said: &&str| word.starts_with(crate::text::head(said, 5));
        let kind = deed.says.iter().any(same);
        if kind && word.ends_with("ed") {
            return true;
        }
        ended |= done.contains(&word.as_str());
        meant |= kind;
    }
    ended && meant
}

/// The beginning and the end of an output, where the last word stands that it has to say.
pub(super) fn ends_of(output: &str) -> String {
    let start = crate::readers::text::head(output, 2_000);
    let from = output.len().saturating_sub(2_000).max(start.len());
    let from = (from..=output.len()).find(|&i| output.is_char_boundary(i)).unwrap_or(output.len());
    format!("{start} {}", output.get(from..).unwrap_or(""))
}
