//! What a record shows: worked out once per call, looked up by every reader.

pub mod acts;
mod commands;
pub mod deeds;
mod dry;
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
pub mod shell;
mod skip;
mod tools;
mod wrappers;
pub mod writes;
