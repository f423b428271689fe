//! `counterfoil eval`: a run that stays in the core.

use crate::raise;
use counterfoil::eval;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A run over files of cases.
#[pyclass(frozen, module = "counterfoil._core")]
pub(crate) struct Eval(Mutex<eval::Eval>);

impl Eval {
    fn held(&self) -> MutexGuard<'_, eval::Eval> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Eval {
    #[new]
    fn new(words: Vec<String>) -> PyResult<Self> {
        let run = eval::Eval::of_words(&words).ok_or_else(|| PyValueError::new_err("the words ask for no run"))?;
        Ok(Eval(Mutex::new(run)))
    }

    fn add(&self, py: Python<'_>, name: &str, text: &str) -> PyResult<()> {
        self.held().add(name, text).map_err(|error| raise(py, &error))
    }

    fn next(&self) -> Option<String> {
        self.held().next_json()
    }

    #[pyo3(signature = (seconds, given))]
    fn took(&self, py: Python<'_>, seconds: f64, given: Option<&str>) -> PyResult<()> {
        self.held().took_json(seconds, given).map_err(|error| raise(py, &error))
    }

    fn progress(&self) -> String {
        self.held().progress()
    }

    fn events(&self) -> String {
        self.held().events()
    }

    #[pyo3(signature = (old))]
    fn finish(&self, old: Option<&str>) -> (String, String, u8) {
        parts(self.held().finish(old))
    }
}

fn parts(answer: eval::Answer) -> (String, String, u8) {
    (answer.stdout, answer.stderr, answer.exit)
}

/// What the words behind `eval` ask for, as JSON text.
#[pyfunction]
pub(crate) fn eval_asked(words: Vec<String>) -> String {
    eval::asked_json(&words)
}

/// What is said of something that cannot be done.
#[pyfunction]
pub(crate) fn eval_failure(message: &str) -> (String, String, u8) {
    parts(eval::failure(message))
}
