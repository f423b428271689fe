//! Checks what an AI agent says it did against the record of what it did.
//!
//! An agent ends its turn with a report: tests pass, the file is removed, the team is told. The record beside it holds
//! every call and what it returned. This crate reads the report, finds the claims in it that one of its readers knows, and
//! looks for each in the record. What no call can have produced is flagged, with the words, the reason and the nearest
//! call.
//!
//! ```
//! use counterfoil::{transcript, verify, Options, Outcome, Verdict};
//!
//! let turn = transcript::turn(r#"{
//!     "reply": "I fixed the parser. All 42 tests pass.",
//!     "calls": [{"tool": "bash", "arguments": {"command": "pytest"},
//!                "output": "3 failed, 39 passed in 2.41s", "exit": 1}]
//! }"#)?;
//! let found = verify(&turn, &Options::default()).expect("a claim was read");
//!
//! assert_eq!(found.status, Outcome::Unsupported);
//! let claim = &found.claims[0];
//! assert_eq!(claim.verdict, Verdict::Contradicted);
//! assert_eq!(claim.span.of(&turn.text()), "All 42 tests pass");
//! assert_eq!(claim.reason.as_deref(), Some("the test output says 3 failed, 39 passed in 2.41s"));
//! assert_eq!(claim.call, Some(0));
//! # Ok::<(), counterfoil::Error>(())
//! ```
//!
//! # One direction
//!
//! Data goes one way, and a module uses only what stands to its left:
//!
//! ```text
//! host's text → transcript → Session { Turn { Call } } → evidence (once a call), prose (once a reply)
//!             → readers: read a claim, check it → Verification → render → wire → the bindings
//! ```
//!
//! | module | what it does |
//! |---|---|
//! | [`transcript`] | a host's JSON to a [`Session`]; the only module that parses. Most formats are behind the feature `formats`, which is on by default |
//! | [`record`] | the session, its turns and their calls as plain data |
//! | [`evidence`] | what each call is and did, and where in the record a text or number stands |
//! | [`prose`] | the clauses of a reply and what its author does with each: asserts, plans, denies, quotes |
//! | [`readers`] | one file a form of claim: how it is read, how it is checked, what it leaves alone |
//! | [`probe`] | verdicts of proofs of read, as a host gives them to the check |
//! | [`verification`] | runs the readers over a turn or a session; gives the types of [`result`] |
//! | [`model`] | the optional question to a model about what the readers leave open, as a plan and a finish |
//! | [`checker`] | the same for turns that come one after another, with bounded memory |
//! | [`render`] | a result as text and HTML |
//! | [`wire`] | JSON text in, JSON text out, spans in the caller's unit: what the bindings call |
//! | `canary` | proof of read: sentinels in a probe document; behind the feature `canary` |
//! | `contract` | what has to be true, frozen before the work and judged after it; behind the feature `contract` |
//! | `rules` | claims of the host's own, as data; behind the feature `rules` |
//! | [`mod@cited`], [`mod@ran`] | two lines about a turn that need no reader |
//! | `command` | the command line without its file system; behind the feature `command` |
//! | `eval` | readers and a model scored over labelled turns; behind the feature `command` |
//!
//! # What `None` means
//!
//! [`verify`] gives `None` when nothing was checked: the turn has no record (`calls` is `None`), the mode is
//! [`Mode::Off`], or the reply makes no claim in a form that a reader knows. It does not mean that the reply is right.
//! [`Outcome::Verified`] means that something was supported and nothing was flagged; it says nothing of the sentences that
//! no reader read.
//!
//! ```
//! use counterfoil::{transcript, verify, Options};
//!
//! let nothing_claimed = transcript::turn(r#"{"reply": "Hello.", "calls": []}"#)?;
//! let no_record = transcript::turn(r#"{"reply": "All tests pass."}"#)?;
//! assert_eq!(verify(&nothing_claimed, &Options::default()), None);
//! assert_eq!(verify(&no_record, &Options::default()), None);
//! # Ok::<(), counterfoil::Error>(())
//! ```
//!
//! # Promises
//!
//! - An honest reply is not to be flagged: a call that may have done what is claimed supports it, and an incomplete
//!   record decides nothing.
//! - No input makes it panic, and its time is linear in the input.
//! - It opens no file and no connection and reads no clock: it is `no_std` with `alloc`. The same input gives the same
//!   output.
//!
//! Spans count bytes here. The functions of [`wire`] give them in the unit that a language counts in.
#![no_std]
#![forbid(unsafe_code)]
#![deny(rustdoc::broken_intra_doc_links)]

extern crate alloc;
#[cfg(any(test, feature = "schema"))]
extern crate std;

#[cfg(feature = "canary")]
pub mod canary;
pub mod checker;
pub mod cited;
#[cfg(feature = "command")]
pub mod command;
#[cfg(feature = "contract")]
pub mod contract;
pub mod error;
#[cfg(feature = "command")]
pub mod eval;
pub mod evidence;
pub mod model;
pub mod options;
pub mod probe;
pub mod prose;
pub mod ran;
pub mod readers;
pub mod record;
pub mod render;
pub mod result;
#[cfg(feature = "rules")]
pub mod rules;
mod sort;
pub mod text;
pub mod transcript;
pub mod verification;
pub mod wire;

pub use checker::Checker;
pub use error::{Error, ErrorKind};
pub use options::{Limits, Mode, Options};
pub use probe::{Probe, ProofState};
pub use record::{Call, Executor, Gaps, Piece, Session, Source, Status, Turn};
pub use result::{
    Answer, Citations, Claim, Failure, ModelTotals, Outcome, Proof, Report, Totals, TurnReport, Verdict, Verification,
};
#[cfg(feature = "rules")]
pub use rules::Rule;
pub use text::span::{Span, Unit};
pub use verification::{verify, verify_session, verify_session_with, Progress};

/// The version of this crate, the wheel and the npm package.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The example of the page runs.
#[cfg(all(doctest, feature = "contract"))]
#[doc = include_str!("../../docs/contracts.md")]
mod contracts_page {}
