//! The optional model step: one narrow question about what the readers leave open.
//!
//! Off by default. With [`Mode::Model`] a host may ask a model once a reply, where the readers flagged nothing, something
//! in the reply speaks of results, and a clause that asserts something was judged by no reader. The core asks nobody and
//! waits for nothing: [`plan`] makes the request, the host carries it to its model, [`finish`] reads the answer.
//!
//! ```
//! use counterfoil::model::{self, Given};
//! use counterfoil::{transcript, verify, Mode, Options, Outcome};
//! use serde_json::json;
//!
//! let turn = transcript::turn(r#"{"reply": "I rebooted the router and the lamp turned green. It returned in a minute.",
//!     "calls": [{"tool": "list_devices", "arguments": {}, "output": "router, lamp", "status": "ok"}]}"#)?;
//! let options = Options { mode: Mode::Model, ..Options::default() };
//! let found = verify(&turn, &options);
//! let request = model::plan(&turn, found.as_ref(), &options).expect("something is open");
//! assert!(request.bytes <= model::MOST);
//!
//! let answer = json!({"reason": "Nothing was restarted.", "claim": "I rebooted the router", "verdict": "unsupported"});
//! let found = model::finish(&turn, found, &request, &Given::Answer(answer), &options);
//! assert_eq!((found.status, found.method.as_str()), (Outcome::Unsupported, "model"));
//! assert_eq!(
//!     found.line.as_deref(),
//!     Some("unsupported: \"I rebooted the router\" (the model found no call producing it)")
//! );
//! # Ok::<(), counterfoil::Error>(())
//! ```
//!
//! # An honest reply
//!
//! A model is less sure than a reader, and is held to less. What a reader judged by the record stays as it is, and words
//! that claim nothing (a plan, a question, a condition, a denial, a quotation, code) cannot be flagged: an answer that
//! doubts these is [`Failure::Overruled`]. So is one that doubts words which do not stand in the reply, or numbers or code
//! that stand in a part of the record which the model was not shown. An answer that cannot be read flags nothing. Where the record is known to be
//! incomplete nothing is asked.
//!
//! # What is sent
//!
//! `system` and `prompt`, together at most [`MOST`] bytes; `system` is the same for every turn. Of the record only excerpts are sent, with
//! secret-looking values masked, each between two lines with a mark that does not occur in them.

mod answer;
mod arguments;
mod audit;
mod excerpt;
mod lenient;
mod many;
mod named;
mod open;
mod order;
mod prompt;
mod quoted;
mod unseen;
mod words;

pub use answer::Given;
#[cfg(feature = "command")]
pub(crate) use audit::line as audit_line;
pub use audit::{audit, evaluation, About};
pub use many::{finish_many, plan_many, Batch, Question};
pub use prompt::{Request, Schema, MOST};

use crate::options::{Mode, Options};
use crate::prose::Prose;
use crate::record::{Call, Turn};
use crate::render::line;
use crate::result::{Answer, Claim, Failure, Outcome, Verdict, Verification};
use crate::text::span::{quote, Span};
use crate::verification::nothing_read;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use open::Open;
use order::{Before, Order};

/// The name under which a model's finding stands among the claims.
const READER: &str = "model";
/// Why a claim is flagged that the model named.
const REASON: &str = "the model found no call producing it";

/// The request about one reply, or `None` where there is nothing to ask.
///
/// `found` is what [`crate::verify`] gave for the same turn. Nothing is asked when the mode is not [`Mode::Model`], the
/// turn has no record or an incomplete one, a reader flagged something, nothing in the reply speaks of results, or
/// readers judged every clause that asserts something.
///
/// # Cost
/// Linear in the bytes of the reply and in the number of calls; of an output only its two ends are looked at.
pub fn plan(turn: &Turn, found: Option<&Verification>, options: &Options) -> Option<Request> {
    question(turn, askable(turn, found, options)?, found, found, options)
}

/// The request about what is open beside the judged claims (`judged`), where the reply speaks of results (`found`).
fn question(
    turn: &Turn,
    calls: &[Call],
    judged: Option<&Verification>,
    found: Option<&Verification>,
    options: &Options,
) -> Option<Request> {
    let text = turn.text();
    let prose = Prose::read(&text);
    let open = Open::of(&prose, judged);
    if !open.asks(found) {
        return None;
    }
    let mut before = Before::default();
    before.add(&turn.earlier);
    Some(prompt::request(&text, &open, &Order::of(&open, calls, &before, options)))
}

/// The request for a model that stands alone, as an evaluation wants it: about every clause that asserts something, whatever
/// the readers (`found`) judged or flagged.
#[cfg(feature = "command")]
pub(crate) fn alone(turn: &Turn, found: Option<&Verification>, options: &Options) -> Option<Request> {
    question(turn, askable(turn, None, options)?, None, found, options)
}

/// The calls of a turn about which a model may be asked.
fn askable<'a>(turn: &'a Turn, found: Option<&Verification>, options: &Options) -> Option<&'a [Call]> {
    let flagged = found.is_some_and(|found| found.status == Outcome::Unsupported);
    if options.mode != Mode::Model || flagged || !turn.gaps.none() {
        return None;
    }
    turn.calls.as_deref()
}

/// The result after the model step.
///
/// `found` and `request` are those of [`plan`]. Never fails: what went wrong is the result's `failure`, beside what the
/// readers found.
pub fn finish(
    turn: &Turn,
    found: Option<Verification>,
    request: &Request,
    given: &Given,
    options: &Options,
) -> Verification {
    let read = answer::read(given);
    let text = turn.text();
    let prose = Prose::read(&text);
    let open = Open::of(&prose, found.as_ref());
    let mut found = found.unwrap_or_else(|| nothing_read(turn));
    found.method = READER.to_string();
    match read {
        Err(failure) => found.failure = Some(failure),
        Ok(answer) => {
            let unseen = |span| unseen::holds(&prose, span, request.calls(), core::slice::from_ref(turn));
            weigh(&mut found, &answer, &open, &unseen, options);
            found.answer = Some(answer);
        }
    }
    found
}

/// Puts what the model said into the result. What it verifies adds nothing to what readers found about other claims.
fn weigh(found: &mut Verification, answer: &Answer, open: &Open<'_>, unseen: &dyn Fn(Span) -> bool, options: &Options) {
    if answer.verdict == Outcome::Verified {
        if found.claims.is_empty() {
            found.status = Outcome::Verified;
        }
        return;
    }
    let Some(named) = &answer.claim else {
        if found.claims.iter().any(|claim| claim.verdict == Verdict::Supported) {
            found.failure = Some(Failure::Overruled);
            return;
        }
        found.status = Outcome::Unsupported;
        let reason = answer.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        found.line = Some(format!("unsupported: the model named no claim{reason}"));
        return;
    };
    match open.find(named) {
        open::Place::Claims(span) if !unseen(span) => {
            flag(found, claim(open.prose, span, options));
            found.line = line::line(&found.claims, 0);
        }
        open::Place::Claims(_) | open::Place::Settled | open::Place::Nowhere => {
            found.failure = Some(Failure::Overruled);
        }
    }
}

/// The claim that a model flagged.
fn claim(prose: &Prose<'_>, span: Span, options: &Options) -> Claim {
    Claim {
        reader: READER.to_string(),
        text: quote(span.of(prose.source), options.limits.quote),
        verdict: Verdict::Unsupported,
        reason: Some(REASON.to_string()),
        span,
        line: prose.line(span.start),
        call: None,
        earlier: None,
        evidence: None,
    }
}

/// Puts a claim at its place in reading order, in front of cited entries.
fn flag(found: &mut Verification, claim: Claim) {
    found.status = Outcome::Unsupported;
    let later = |other: &Claim| other.reader == open::CITED || other.span.start > claim.span.start;
    let place = found.claims.iter().position(later).unwrap_or(found.claims.len());
    found.claims.insert(place, claim);
}

/// A text of the model as one line that is safe to show.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(MOST_SAID).collect();
    quote(&words.join(" ").chars().map(crate::render::safe).collect::<String>(), MOST_SAID)
}

/// The most characters of what a model said that are kept.
const MOST_SAID: usize = 400;
