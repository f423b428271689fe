//! The one line that stands under a reply: `unsupported: "CLAIM" (REASON) +N more`.

use super::safe;
use crate::text::span::quote;
use crate::verification::{Claim, Proof, Verdict};
use alloc::format;
use alloc::string::String;

/// What a flagged claim without a reason is said to be.
pub(crate) const NO_CALL: &str = "no call in this turn shows this";

/// The line of a reply, or `None` when nothing is flagged.
///
/// `unlisted` counts flagged claims that are not in `claims`. The words are not masked: a host that shows the
/// line to others than the reply's reader takes it from the text view.
pub fn line(claims: &[Claim], unlisted: usize) -> Option<String> {
    let mut flagged = claims.iter().filter(|claim| claim.verdict.flagged());
    let first = flagged.next()?;
    let more = flagged.count().saturating_add(unlisted);
    Some(worded(&one_line(&first.text), &one_line(reason(first)), more))
}

/// The line from its parts.
pub(crate) fn worded(claim: &str, reason: &str, more: usize) -> String {
    let more = if more > 0 { format!(" +{more} more") } else { String::new() };
    format!("unsupported: \"{claim}\" ({reason}){more}")
}

/// Why a claim is flagged.
pub(crate) fn reason(claim: &Claim) -> &str {
    match (&claim.reason, claim.verdict) {
        (Some(reason), _) => reason,
        (None, Verdict::Contradicted) => "the record shows otherwise",
        (None, _) => NO_CALL,
    }
}

/// What came of a proof of read, with what that shows and what not.
pub(crate) fn proof(proof: &Proof) -> String {
    let Proof { session, url, state, required, meaning } = proof;
    let required = if *required { ", required" } else { "" };
    format!("proof of read: {} {} (session {session}{required}): {meaning}", state.name(), quote(url, 80))
}

/// White space runs as one space, and nothing that a terminal or a page would act on.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split(|c: char| safe(c).is_whitespace()).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().map(safe));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::super::samples::claim;
    use super::*;

    #[test]
    fn the_first_flagged_claim_is_quoted_on_one_line_and_the_others_counted() {
        let reply = "Found 18 files. `sudo ls` was\n  denied per policy. All sent. Also removed.";
        let mut claims = [
            claim(reply, "Found 18 files", Verdict::Supported, None),
            claim(
                reply,
                "`sudo ls` was\n  denied per policy",
                Verdict::Unsupported,
                Some("no call in this turn was denied"),
            ),
            claim(reply, "All sent", Verdict::Contradicted, None),
        ];
        assert_eq!(
            line(&claims[..2], 0).as_deref(),
            Some("unsupported: \"`sudo ls` was denied per policy\" (no call in this turn was denied)")
        );
        assert!(line(&claims, 2).is_some_and(|line| line.ends_with(" +3 more")));
        claims[1].verdict = Verdict::NotShown;
        assert_eq!(line(&claims, 0).as_deref(), Some("unsupported: \"All sent\" (the record shows otherwise)"));
        assert_eq!(line(&claims[..1], 0), None);
    }
}
