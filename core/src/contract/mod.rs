//! Verification contracts: what has to be true is frozen before the work, and looked at after it.
//!
//! ```
//! use counterfoil::contract::{freeze, plan, strict, Contract, Json, Run};
//!
//! let draft = br#"{"contract_id": "c1", "checks": [{"id": "report", "type": "file_exists", "params": {"path": "report.md"}}]}"#;
//! let draft = strict::parse(draft, &strict::CONTRACT).expect("strict JSON");
//! let frozen = freeze(&Contract::read(&draft)?, "2026-01-01T09:00:00Z", "human:dana")?;
//!
//! let run = strict::parse(br#"{"now": "2026-01-01T10:00:00Z", "workspace": "w"}"#, &strict::CALL).expect("strict JSON");
//! let planned = plan(&frozen.contract, &[], &Run::read(&run)?)?;
//! let requests = planned.json.get("requests").and_then(Json::array).unwrap_or_default();
//! assert_eq!(requests[0].get("request_id").and_then(Json::str), Some("report/file"));
//! # Ok::<(), counterfoil::contract::ContractError>(())
//! ```
//!
//! # Steps
//!
//! | step | function |
//! |---|---|
//! | a draft is frozen, and proven to be what was frozen | [`freeze`], [`check_integrity`], [`propose`], [`revise`] |
//! | the host is told what to look at | [`fn@plan`], [`check_addresses`] |
//! | what it saw is judged | [`fn@judge`], [`fn@verdict`], [`outcome`] |
//! | the verdict is bound to what it was reached from | [`fn@attest`], [`verify_signature`] |
//! | a run is read back and judged again | [`fn@reverify`] |
//!
//! [`wire`] has all of them as JSON text in and out, which is what the bindings call. `docs/contracts.md` is the page for people.
//!
//! # Promises
//!
//! - Nothing here opens a file or a connection, or reads a clock: the host looks and says what it saw.
//! - A check that could not look is neither true nor false, and the verdict says so.
//! - A plan follows from the contract and the host's account of itself. Nothing seen enters it; what is seen is searched, and never
//!   interpreted.
//! - Equal contracts have equal digests, in every language, and what two readers would understand differently is refused.

mod address;
mod attest;
mod bundle;
pub mod canonical;
mod caseless;
mod check;
mod checks;
mod codes;
#[cfg(feature = "command")]
pub mod command;
mod decide;
mod decimal;
mod dsse;
pub mod error;
mod fields;
pub mod json;
mod judge;
mod junit;
mod keys;
mod level;
mod life;
mod model;
mod observe;
mod origin;
mod params;
mod paths;
mod plan;
mod pointer;
mod principal;
#[cfg(test)]
mod properties;
mod rejudge;
mod reverify;
mod run;
mod shown;
#[cfg(all(feature = "command", feature = "sign"))]
mod signer;
mod sql;
mod statement;
pub mod strict;
mod time;
mod verdict;
pub mod wire;

pub use attest::{attest, verify_signature, Attesting};
pub use bundle::{outcome, Extras};
pub use check::Check;
pub use codes::{Code, CodeInfo, CODES};
pub use error::ContractError;
pub use json::Json;
pub use judge::{judge, judge_prose};
pub use level::{Level, LevelInfo, LEVELS};
pub use life::{check_integrity, freeze, propose, revise, Frozen, Proposal, Supplement};
pub use model::{Contract, Origin, CHECKS};
pub use observe::{Observation, Outcome};
pub use plan::{check_addresses, plan, Addresses, Plan, ENV};
pub use principal::Principal;
pub use reverify::{reverify, Policy};
pub use run::Run;
pub use statement::{PREDICATE, VERIFIER};
pub use verdict::verdict;
