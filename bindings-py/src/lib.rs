//! JSON text across the border to Python; spans in code points.
//!
//! Everything here is a call into [`counterfoil::wire`] or [`counterfoil::command`]. The package's
//! own face, with its types and its docs, is `python/src/counterfoil`.

mod canary;
mod contract;
mod eval;

use core::ops::ControlFlow;
use counterfoil::command::{self, Invocation as Asked, Look, Terminal};
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

/// A transcript in pieces.
#[pyclass(frozen, module = "counterfoil._core")]
struct Stream(Mutex<wire::Stream>);

impl Stream {
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut wire::Stream) -> Result<T, counterfoil::Error> + Send,
    ) -> PyResult<T> {
        let done = py.detach(|| self.0.lock().ok().map(|mut stream| work(&mut stream)));
        done.ok_or_else(|| PyRuntimeError::new_err("the stream failed"))?.map_err(|error| raise(py, &error))
    }
}

#[pymethods]
impl Stream {
    /// With `options` it gives reports, else turns.
    #[new]
    fn new(py: Python<'_>, format: Option<&str>, options: Option<&str>, live: bool) -> PyResult<Self> {
        let stream = match options {
            Some(options) => wire::Stream::reports(format, options, Unit::Codepoints, live),
            None => wire::Stream::turns(format),
        };
        stream.map(|stream| Stream(Mutex::new(stream))).map_err(|error| raise(py, &error))
    }

    /// Takes a piece; gives a JSON list of what is finished.
    fn feed(&self, py: Python<'_>, data: &[u8]) -> PyResult<String> {
        self.with(py, |stream| stream.feed(data))
    }

    /// Gives more of what is finished; an empty list where that was all.
    fn more(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |stream| Ok(stream.more()))
    }

    /// Ends the text; gives the rest.
    fn finish(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, wire::Stream::finish)
    }

    /// The id, the format and the notes.
    fn about(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |stream| Ok(stream.about()))
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

    /// Where an audit event for each checked turn is appended.
    #[getter]
    fn audit(&self) -> Option<String> {
        match &self.0 {
            Asked::Check(check) => check.audit.clone(),
            _ => None,
        }
    }

    /// Whether no progress is to be shown.
    #[getter]
    fn quiet(&self) -> bool {
        matches!(&self.0, Asked::Check(check) if check.quiet)
    }

    /// The file to convert.
    #[getter]
    fn converts(&self) -> Option<String> {
        match &self.0 {
            Asked::Convert(convert) => Some(convert.file.clone()),
            _ => None,
        }
    }

    /// The file's bytes converted, or the reason why it has none: stdout, stderr, exit status.
    fn convert(&self, py: Python<'_>, data: Option<&[u8]>, reason: &str) -> Option<(String, String, u8)> {
        let Asked::Convert(convert) = &self.0 else { return None };
        let end = match data {
            Some(data) => py.detach(|| convert.convert(data)),
            None => convert.unreadable(reason),
        };
        Some((end.stdout, end.stderr, end.exit))
    }

    /// What to print at once: stdout, stderr, exit status.
    #[getter]
    fn answer(&self) -> Option<(String, String, u8)> {
        match &self.0 {
            Asked::Check(_) | Asked::Convert(_) => None,
            Asked::Print(text) => Some((text.clone(), String::new(), 0)),
            Asked::Fail { message, exit } => Some((String::new(), message.clone(), *exit)),
        }
    }
}

/// What Python says of a path.
fn looked(seen: &Bound<'_, PyAny>) -> PyResult<Look> {
    if seen.is_none() {
        return Ok(Look::Missing);
    }
    if seen.is_truthy()? {
        let (id, names) = seen.extract()?;
        return Ok(Look::Folder { id, names });
    }
    Ok(Look::File)
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

    /// The files that the words name. `look` tells what stands at a path: None for nothing, False for a file, and for a
    /// folder what tells it from others and the names in it, each with whether it is a folder, or None for what is neither
    /// that nor a file. `more` are further endings of transcripts. Each file comes with the reason why it cannot be read,
    /// where that is known.
    #[allow(clippy::needless_pass_by_value)]
    fn expand(&self, py: Python<'_>, more: Vec<String>, look: Py<PyAny>) -> PyResult<Vec<(String, Option<String>)>> {
        let mut raised = None;
        let more: Vec<&str> = more.iter().map(String::as_str).collect();
        let named = self.with(py, |run| {
            let mut seen = |path: &str| {
                let seen = Python::attach(|py| look.call1(py, (path,)).and_then(|seen| looked(seen.bind(py))));
                seen.unwrap_or_else(|failure| {
                    raised.get_or_insert(failure);
                    Look::Missing
                })
            };
            run.as_mut().map(|run| run.expand(&more, &mut seen))
        })?;
        match raised {
            Some(failure) => Err(failure),
            None => Ok(named.into_iter().map(|named| (named.path, named.reason)).collect()),
        }
    }

    /// How far it is, as a line for a terminal; an empty text where no line is worth it.
    fn progress(&self, py: Python<'_>, read: u64, size: u64) -> PyResult<String> {
        self.with(py, |run| run.as_ref().map(|run| run.progress(read, size)))
    }

    /// Begins a file that comes in pieces.
    fn begin(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.with(py, |run| run.as_mut().map(|run| run.begin(name)))
    }

    /// Takes a piece of the file that was begun.
    fn piece(&self, py: Python<'_>, data: &[u8]) -> PyResult<(String, String)> {
        self.with(py, |run| run.as_mut().map(|run| run.piece(data))).map(|out| (out.stdout, out.stderr))
    }

    /// Whether it has failed, so that the rest of it need not be read.
    fn has_failed(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |run| run.as_ref().map(command::Run::has_failed))
    }

    /// The audit events of the turns that were checked since it was last asked, which took `seconds`.
    fn events(&self, py: Python<'_>, seconds: f64) -> PyResult<String> {
        self.with(py, |run| run.as_mut().map(|run| run.events(seconds)))
    }

    /// Ends the file that was begun.
    fn end(&self, py: Python<'_>) -> PyResult<(String, String)> {
        self.with(py, |run| run.as_mut().map(command::Run::end)).map(|out| (out.stdout, out.stderr))
    }

    /// Notes a file that could not be opened, and why.
    fn unreadable(&self, py: Python<'_>, name: &str, message: &str) -> PyResult<(String, String)> {
        self.with(py, |run| run.as_mut().map(|run| run.unreadable(name, message))).map(|out| (out.stdout, out.stderr))
    }

    /// Ends the run; gives what to write to stdout and stderr, and the exit status.
    fn finish(&self, py: Python<'_>) -> PyResult<(String, String, u8)> {
        let end = self.with(py, |run| run.take().map(|mut run| run.finish()))?;
        Ok((end.stdout, end.stderr, end.exit))
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
    use super::contract::{contract_call, contract_step};
    #[pymodule_export]
    use super::eval::{eval_asked, eval_failure, Eval};
    #[pymodule_export]
    use super::{Invocation, Run, Session, Stream};

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
    fn plan(py: Python<'_>, turn: &str, options: &str) -> PyResult<String> {
        free(py, || wire::plan(turn, options, Unit::Codepoints))
    }

    #[pyfunction]
    fn finish(py: Python<'_>, turn: &str, options: &str, given: &str) -> PyResult<Option<String>> {
        free(py, || wire::finish(turn, options, given, Unit::Codepoints))
    }

    #[pyfunction]
    fn plan_many(py: Python<'_>, session: &Session, options: &str) -> PyResult<String> {
        free(py, || wire::plan_many(&session.0, options))
    }

    #[pyfunction]
    fn finish_many(py: Python<'_>, session: &Session, options: &str, given: &str) -> PyResult<String> {
        free(py, || wire::finish_many(&session.0, options, given, Unit::Codepoints))
    }

    #[pyfunction]
    fn audit(py: Python<'_>, result: &str, about: &str) -> PyResult<Option<String>> {
        free(py, || wire::audit(result, about))
    }

    #[pyfunction]
    fn evaluation(py: Python<'_>, result: &str, about: &str) -> PyResult<Option<String>> {
        free(py, || wire::evaluation(result, about))
    }

    #[pyfunction]
    fn failures() -> String {
        wire::failures()
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
