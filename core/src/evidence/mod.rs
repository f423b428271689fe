//! What a record shows: worked out once per call, looked up by every reader.

pub mod acts;
pub mod facts;
pub mod index;
pub mod needles;
pub mod numbers;
pub mod outcome;
pub mod roles;
pub mod shell;
