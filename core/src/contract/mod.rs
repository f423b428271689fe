//! Verification contracts: what has to be true is frozen before the work, and looked at after it.

mod address;
pub mod canonical;
mod decimal;
mod dsse;
pub mod error;
pub mod json;
mod junit;
mod keys;
mod origin;
mod paths;
mod pointer;
mod sql;
pub mod strict;
mod time;

pub use error::{Code, ContractError};
pub use json::Json;
