//! Proof of read: a canary that stays in the core. Results are JSON text.

use crate::raise;
use counterfoil::canary::{self, command, Handle};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What one thread holds while it asks. A thread that failed left nothing half done.
fn held<T>(guarded: &Mutex<T>) -> MutexGuard<'_, T> {
    guarded.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Issues sentinels and judges what comes back.
#[pyclass(frozen, module = "counterfoil._core")]
pub(crate) struct Canary(Mutex<Handle>);

#[pymethods]
impl Canary {
    #[new]
    fn new(py: Python<'_>, root_key: &[u8], options: &str) -> PyResult<Self> {
        let handle = Handle::new(root_key.to_vec(), options).map_err(|error| raise(py, &error))?;
        Ok(Canary(Mutex::new(handle)))
    }

    #[pyo3(signature = (session, now, client, agent))]
    fn issue(&self, py: Python<'_>, session: &str, now: f64, client: Option<&str>, agent: &str) -> PyResult<String> {
        let client = client.map(|client| (client, agent));
        held(&self.0).issue(session, now, client).map_err(|error| raise(py, &error))
    }

    #[pyo3(signature = (session, claim, now))]
    fn verify(&self, py: Python<'_>, session: &str, claim: Option<&str>, now: f64) -> PyResult<String> {
        held(&self.0).verify(session, claim, now).map_err(|error| raise(py, &error))
    }

    fn verify_reply(&self, py: Python<'_>, session: &str, reply: &str, now: f64) -> PyResult<String> {
        held(&self.0).verify_reply(session, reply, now).map_err(|error| raise(py, &error))
    }

    fn issued(&self) -> usize {
        held(&self.0).issued()
    }

    fn export(&self) -> String {
        held(&self.0).export()
    }

    fn take(&self, py: Python<'_>, log: &str) -> PyResult<()> {
        held(&self.0).import(log).map_err(|error| raise(py, &error))
    }

    fn options(&self) -> String {
        held(&self.0).options()
    }
}

/// What both servers decide alike: who is answered, what is asked, how it is refused. Heads and answers are JSON text.
#[pyclass(frozen, module = "counterfoil._core")]
pub(crate) struct Gate(Mutex<canary::Gate>);

#[pymethods]
impl Gate {
    #[new]
    fn new(py: Python<'_>, options: &str) -> PyResult<Self> {
        let gate = canary::Gate::new(options).map_err(|error| raise(py, &error))?;
        Ok(Gate(Mutex::new(gate)))
    }

    fn arrive(&self, head: &str, now: f64) -> String {
        held(&self.0).arrive(head, now)
    }

    fn asked(&self, client: &str, body: &[u8], now: f64) -> String {
        held(&self.0).asked(client, body, now)
    }

    #[staticmethod]
    fn refused(code: &str) -> String {
        canary::Gate::refused(code)
    }
}

/// The sentinel of a session in a bucket, from the root key.
#[pyfunction]
pub(crate) fn sentinel(py: Python<'_>, root_key: &[u8], session: &str, bucket: i64, length: usize) -> PyResult<String> {
    Handle::sentinel(root_key.to_vec(), session, bucket, length).map_err(|error| raise(py, &error))
}

/// What looks like a sentinel in a reply.
#[pyfunction]
pub(crate) fn find_sentinel(reply: &str, length: usize) -> Vec<String> {
    canary::reported(reply, length)
}

/// Raises the error of an argument that is no text.
#[pyfunction]
pub(crate) fn canary_no_text(py: Python<'_>, path: &str, found: &str) -> PyResult<()> {
    Err(raise(py, &canary::no_text(path, found)))
}

/// The headers of the probe document, as JSON text.
#[pyfunction]
pub(crate) fn canary_headers() -> String {
    Handle::headers()
}

/// What to print, and the exit status.
type Answer = (String, String, u8);

fn answered(answer: command::Answer) -> Answer {
    (answer.stdout, answer.stderr, answer.exit)
}

/// What the words behind `canary` ask for, as JSON text.
#[pyfunction]
pub(crate) fn canary_asked(words: Vec<String>, random: &[u8]) -> String {
    command::asked_json(&words, random)
}

/// Compares the text of a file of vectors.
#[pyfunction]
pub(crate) fn canary_vectors(file: &str, text: &str) -> Answer {
    answered(command::vectors_of(file, text))
}

/// What is said of something that cannot be done.
#[pyfunction]
pub(crate) fn canary_failure(message: &str) -> Answer {
    answered(command::failure(message))
}

/// What is said once the documents are served.
#[pyfunction]
pub(crate) fn canary_started(host: &str, port: u16, base: &str) -> String {
    command::started(host, port, base)
}
