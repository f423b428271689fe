//! Checks what an AI agent says it did against the record of what it did.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(any(test, feature = "schema"))]
extern crate std;

pub mod cited;
#[cfg(feature = "command")]
pub mod command;
pub mod error;
pub mod evidence;
pub mod options;
pub mod prose;
pub mod ran;
pub mod readers;
pub mod record;
pub mod render;
pub mod text;
pub mod transcript;
pub mod verification;
pub mod wire;

pub use error::{Error, ErrorKind};
pub use options::{Limits, Mode, Options};
pub use record::{Call, Executor, Gaps, Piece, Session, Source, Status, Turn};
pub use text::span::{Span, Unit};
pub use verification::{Citations, Claim, Outcome, Report, Totals, TurnReport, Verdict, Verification};

/// The version of this crate, the wheel and the npm package.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
