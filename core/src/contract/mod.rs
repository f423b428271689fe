//! Verification contracts: what has to be true is frozen before the work, and looked at after it.

pub mod canonical;
pub mod error;
pub mod json;
pub mod strict;
mod time;

pub use error::{Code, ContractError};
pub use json::Json;
