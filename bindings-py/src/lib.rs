//! JSON text across the border to Python; spans in code points.
//!
//! Everything here is a call into [`counterfoil::wire`] or [`counterfoil::command`]. The package's
//! own face, with its types and its docs, is `python/src/counterfoil`.

mod canary;

use core::ops::ControlFlow;
use counterfoil::command::{self, Invocation as Asked, Terminal};
use counterfoil::{transcript, wire, Unit};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::Mutex;

/// The core's error as `counterfoil.Error`, with its kind, path and message.
fn raise(py: Python<'_>, error: &counterfoil::Error) -> PyErr {
    let class = py.import("counterfoil.errors").and_then(|module| module.getattr("Error"));
    match class.and_then(|class| class.call1((error.kind().name(), error.path(), error.message()))) {
        Ok(value) => PyErr::from_value(value),
        Err(failure) => failure,
    }
}

/// Runs `work` while other Python threads go on.
fn free<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, counterfoil::Error> + Send) -> PyResult<T> {
    py.detach(work).map_err(|error| raise(py, &error))
}

fn unit(py: Python<'_>, name: &str) -> PyResult<Unit> {
    Unit::named(name).ok_or_else(|| {
        let message = format!("expected one of utf8, utf16, codepoints; found {name:?}");
        raise(py, &counterfoil::Error::new(counterfoil::ErrorKind::Option, "unit", message))
    })
}

/// A session that was read; it stays in the core until it is asked for as JSON.
#[pyclass(frozen, module = "counterfoil._core")]
struct Session(counterfoil::Session);

#[pymethods]
impl Session {
    fn __len__(&self) -> usize {
        self.0.turns.len()
    }

    fn to_json(&self, py: Python<'_>) -> String {
        py.detach(|| transcript::to_json(&self.0))
    }
}

/// What the words of a command line ask for.
#[pyclass(frozen, module = "counterfoil._core")]
struct Invocation(Asked);

#[pymethods]
impl Invocation {
    /// The files to check, `-` for standard input; None when there is only something to print.
    #[getter]
    fn files(&self) -> Option<Vec<String>> {
        match &self.0 {
            Asked::Check(check) => Some(check.files.clone()),
            _ => None,
        }
    }

    /// The settings file that the command line names.
    #[getter]
    fn config(&self) -> Option<String> {
        match &self.0 {
            Asked::Check(check) => check.config.clone(),
            _ => None,
        }
    }

    /// What to print at once: stdout, stderr, exit status.
    #[getter]
    fn answer(&self) -> Option<(String, String, u8)> {
        match &self.0 {
            Asked::Check(_) => None,
            Asked::Print(text) => Some((text.clone(), String::new(), 0)),
            Asked::Fail { message, exit } => Some((String::new(), message.clone(), *exit)),
        }
    }
}

/// A check of several files, one after the other.
#[pyclass(frozen, module = "counterfoil._core")]
struct Run(Mutex<Option<command::Run>>);

impl Run {
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Option<command::Run>) -> Option<T> + Send,
    ) -> PyResult<T> {
        let done = py.detach(|| self.0.lock().ok().and_then(|mut run| work(&mut run)));
        done.ok_or_else(|| PyRuntimeError::new_err("the run is finished"))
    }
}

#[pymethods]
impl Run {
    /// `settings` is the settings file's name and text; `color` and `width` are the terminal's.
    #[new]
    fn new(
        py: Python<'_>,
        invocation: &Invocation,
        settings: Option<(String, String)>,
        color: bool,
        width: usize,
    ) -> PyResult<Self> {
        let Asked::Check(check) = &invocation.0 else {
            return Err(PyRuntimeError::new_err("the command line asks for no check"));
        };
        let mut check = check.clone();
        if let Some((name, text)) = settings {
            check.configure(&text, &name).map_err(|error| raise(py, &error))?;
        }
        Ok(Run(Mutex::new(Some(command::Run::new(check, Terminal { color, width })))))
    }

    /// Checks one file's bytes; gives what to write to stdout and stderr.
    fn file(&self, py: Python<'_>, name: &str, data: &[u8]) -> PyResult<(String, String)> {
        self.with(py, |run| run.as_mut().map(|run| run.file(name, data))).map(|out| (out.stdout, out.stderr))
    }

    /// Notes a file that could not be opened, and why.
    fn unreadable(&self, py: Python<'_>, name: &str, message: &str) -> PyResult<(String, String)> {
        self.with(py, |run| run.as_mut().map(|run| run.unreadable(name, message))).map(|out| (out.stdout, out.stderr))
    }

    /// Ends the run; gives what to write to stdout and stderr, and the exit status.
    fn finish(&self, py: Python<'_>) -> PyResult<(String, String, u8)> {
        let end = self.with(py, |run| run.take().map(|mut run| run.finish()))?;
        Ok((end.stdout, String::new(), end.exit))
    }
}

/// The functions under the package `counterfoil`.
#[pymodule]
mod _core {
    use super::*;

    #[pymodule_export]
    use super::canary::{canary_asked, canary_failure, canary_headers, canary_started, canary_vectors};
    #[pymodule_export]
    use super::canary::{find_sentinel, sentinel, Canary, Limiter};
    #[pymodule_export]
    use super::{Invocation, Run, Session};

    /// The version of the core, the same as the package's.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = counterfoil::VERSION;

    #[pyfunction]
    fn load(py: Python<'_>, data: &[u8], format: Option<&str>) -> PyResult<Session> {
        free(py, || transcript::parse_bytes(data, format)).map(Session)
    }

    #[pyfunction]
    fn verify(py: Python<'_>, turn: &str, options: &str) -> PyResult<Option<String>> {
        free(py, || wire::verify(turn, options, Unit::Codepoints))
    }

    #[pyfunction]
    fn verify_session(
        py: Python<'_>,
        session: &Session,
        options: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let mut raised = None;
        let mut step = |done: usize, total: usize| match &progress {
            None => ControlFlow::Continue(()),
            Some(hear) => match Python::attach(|py| hear.call1(py, (done, total)).map(drop)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(failure) => {
                    raised = Some(failure);
                    ControlFlow::Break(())
                }
            },
        };
        let report = free(py, || wire::verify_session_with(&session.0, options, Unit::Codepoints, &mut step))?;
        report.ok_or_else(|| raised.unwrap_or_else(|| PyRuntimeError::new_err("the check ended early")))
    }

    #[pyfunction]
    fn cited(py: Python<'_>, reply: &str, entries: &str) -> PyResult<String> {
        free(py, || wire::cited(reply, entries))
    }

    #[pyfunction]
    fn ran(py: Python<'_>, turn: &str) -> PyResult<Option<String>> {
        free(py, || wire::ran(turn))
    }

    #[pyfunction]
    fn recode(py: Python<'_>, result: &str, reply: &str, turn: Option<&str>, unit: &str) -> PyResult<String> {
        let unit = super::unit(py, unit)?;
        free(py, || wire::recode(result, reply, turn, unit))
    }

    #[pyfunction]
    fn readers() -> String {
        wire::readers()
    }

    #[pyfunction]
    fn html_turn(py: Python<'_>, turn: &str, options: &str) -> PyResult<Option<String>> {
        free(py, || wire::html_turn(turn, options))
    }

    #[pyfunction]
    fn html_report(py: Python<'_>, session: &Session, options: &str) -> PyResult<String> {
        free(py, || wire::html_report(&session.0, options))
    }

    #[pyfunction]
    #[allow(clippy::needless_pass_by_value)]
    fn invocation(args: Vec<String>) -> Invocation {
        Invocation(command::parse(&args))
    }
}
