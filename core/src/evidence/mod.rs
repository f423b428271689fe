//! What a record shows: worked out once per call, looked up by every reader.

pub mod acts;
mod commands;
mod dry;
pub mod envelope;
pub mod facts;
mod lexer;
pub mod outcome;
mod programs;
pub mod roles;
pub mod shell;
mod skip;
mod tools;
mod wrappers;
