//! “I tested the page in the browser.” “The reviewer agent confirmed the figures.”
//!
//! Two forms: what was checked by the agent itself, and what an agent that it called is said to have found.

mod agent;
mod own;

pub(super) use agent::AGENT;
pub(super) use own::OWN;
