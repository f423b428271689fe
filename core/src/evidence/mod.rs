//! What a record shows: worked out once per call, looked up by every reader.

pub mod acts;
pub mod checks;
mod commands;
pub mod coverage;
mod dry;
pub mod ended;
pub mod envelope;
pub mod facts;
pub mod index;
mod lexer;
pub mod lookup;
pub mod needles;
pub mod numbers;
pub mod outcome;
mod programs;
pub mod roles;
pub mod sed;
pub mod shell;
mod skip;
pub mod stale;
pub mod stand_in;
mod tools;
mod wrappers;
