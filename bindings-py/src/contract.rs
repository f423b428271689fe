//! Verification contracts: JSON text in, JSON text out.

use counterfoil::contract::{command, wire};
use pyo3::prelude::*;

/// Calls a function of contracts; gives whether it went through, and its result or the refusal.
#[pyfunction]
pub(crate) fn contract_call(py: Python<'_>, name: &str, input: &str) -> (bool, String) {
    py.detach(|| match wire::call(name, input) {
        Ok(found) => (true, found),
        Err(error) => (false, error.to_json()),
    })
}

/// What the command line has to do next.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn contract_step(py: Python<'_>, words: Vec<String>, given: &str) -> String {
    py.detach(|| command::step(&words, given))
}
