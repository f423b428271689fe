//! What a record shows: worked out once per call, looked up by every reader.

pub mod acts;
mod commands;
mod dry;
pub mod envelope;
pub mod facts;
pub mod index;
mod keys;
pub mod labels;
mod lexer;
pub mod lookup;
pub mod needles;
pub mod numbers;
pub mod outcome;
mod programs;
pub mod roles;
pub mod shell;
mod skip;
mod tools;
mod wrappers;
