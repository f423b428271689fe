//! JSON text across the border to JavaScript; spans in UTF-16 code units.
//!
//! Everything here is a call into [`counterfoil::wire`], or with the feature `command` into
//! `counterfoil::command`. The package's own face, with its types and its docs, is `npm/src`. Options cross as JSON
//! text, an error as a list: kind, path, message, code.

#[cfg(feature = "command")]
pub mod command;

use core::ops::ControlFlow;
use counterfoil::{transcript, wire, Unit};
use js_sys::Function;
use wasm_bindgen::prelude::*;

type Result<T> = std::result::Result<T, JsValue>;

fn raise(error: &counterfoil::Error) -> JsValue {
    serde_wasm_bindgen::to_value(&(error.kind().name(), error.path(), error.message(), error.code())).unwrap_or(JsValue::NULL)
}

fn or_raise<T>(result: std::result::Result<T, counterfoil::Error>) -> Result<T> {
    result.map_err(|error| raise(&error))
}

/// A session that was read; it stays in the core until it is asked for as JSON.
#[wasm_bindgen]
pub struct Session(counterfoil::Session);

#[wasm_bindgen]
impl Session {
    /// Reads bytes in any known format.
    pub fn parse(data: &[u8], format: Option<String>) -> Result<Session> {
        or_raise(transcript::parse_bytes(data, format.as_deref())).map(Session)
    }

    /// The number of turns.
    pub fn count(&self) -> usize {
        self.0.turns.len()
    }

    /// The session as native JSON.
    pub fn json(&self) -> String {
        transcript::to_json(&self.0)
    }

    /// The report on it. The options are an object as JSON text, or an empty text. `progress` is called with the steps done and their number; what it throws ends the check.
    pub fn verify(&self, options: &str, progress: Option<Function>) -> Result<String> {
        let mut thrown = JsValue::UNDEFINED;
        let mut step = |done: usize, total: usize| match &progress {
            None => ControlFlow::Continue(()),
            Some(hear) => match hear.call2(&JsValue::UNDEFINED, &done.into(), &total.into()) {
                Ok(_) => ControlFlow::Continue(()),
                Err(failure) => {
                    thrown = failure;
                    ControlFlow::Break(())
                }
            },
        };
        let report = or_raise(wire::verify_session_with(&self.0, options, Unit::Utf16, &mut step))?;
        report.ok_or(thrown)
    }

    /// What is to be asked of a model about the claims that the readers leave open: a list of requests.
    #[wasm_bindgen(js_name = planMany)]
    pub fn plan_many(&self, options: &str) -> Result<String> {
        or_raise(wire::plan_many(&self.0, options))
    }

    /// The report on it after these requests; `given` lists what came of each.
    #[wasm_bindgen(js_name = finishMany)]
    pub fn finish_many(&self, options: &str, given: &str) -> Result<String> {
        or_raise(wire::finish_many(&self.0, options, given, Unit::Utf16))
    }
}

/// A transcript in pieces.
#[wasm_bindgen]
pub struct Stream(wire::Stream);

#[wasm_bindgen]
impl Stream {
    /// Gives reports with options, else turns.
    #[wasm_bindgen(constructor)]
    pub fn new(format: Option<String>, options: Option<String>, live: bool) -> Result<Stream> {
        let format = format.as_deref();
        let stream = match options {
            Some(options) => wire::Stream::reports(format, &options, Unit::Utf16, live),
            None => wire::Stream::turns(format),
        };
        or_raise(stream).map(Stream)
    }

    /// Takes a piece; gives a JSON list of what is finished.
    pub fn feed(&mut self, data: &[u8]) -> Result<String> {
        or_raise(self.0.feed(data))
    }

    /// Gives more of what is finished; an empty list where that was all.
    pub fn more(&mut self) -> String {
        self.0.more()
    }

    /// Ends the text; gives the rest.
    pub fn finish(&mut self) -> Result<String> {
        or_raise(self.0.finish())
    }

    /// The id, the format and the notes.
    pub fn about(&self) -> String {
        self.0.about()
    }
}

/// The result of one turn.
#[wasm_bindgen]
pub fn verify(turn: &str, options: &str) -> Result<Option<String>> {
    or_raise(wire::verify(turn, options, Unit::Utf16))
}

/// The readers' result of one turn, and what is to be asked of a model: `{"result": …, "request": …}`.
#[wasm_bindgen]
pub fn plan(turn: &str, options: &str) -> Result<String> {
    or_raise(wire::plan(turn, options, Unit::Utf16))
}

/// The result of one turn after the model step. `given` is `{"answer": …}` or `{"failure": KIND}`.
#[wasm_bindgen]
pub fn finish(turn: &str, options: &str, given: &str) -> Result<Option<String>> {
    or_raise(wire::finish(turn, options, given, Unit::Utf16))
}

/// The event `response.verification` of a result.
#[wasm_bindgen]
pub fn audit(result: &str, about: &str) -> Result<Option<String>> {
    or_raise(wire::audit(result, about))
}

/// The event `gen_ai.evaluation.result` of a result.
#[wasm_bindgen]
pub fn evaluation(result: &str, about: &str) -> Result<Option<String>> {
    or_raise(wire::evaluation(result, about))
}

/// The kinds of failure of the model step, with a sentence for each.
#[wasm_bindgen]
pub fn failures() -> String {
    wire::failures()
}

/// The cited entries.
#[wasm_bindgen]
pub fn cited(reply: &str, entries: &str) -> Result<String> {
    or_raise(wire::cited(reply, entries))
}

/// The `ran:` line.
#[wasm_bindgen]
pub fn ran(turn: &str) -> Result<Option<String>> {
    or_raise(wire::ran(turn))
}

/// A result in another unit.
#[wasm_bindgen]
pub fn recode(result: &str, reply: &str, turn: Option<String>, unit: &str) -> Result<String> {
    let named = Unit::named(unit).ok_or_else(|| {
        let message = format!("expected one of utf8, utf16, codepoints; found {unit:?}");
        raise(&counterfoil::Error::new(counterfoil::ErrorKind::Option, "unit", message))
    })?;
    or_raise(wire::recode(result, reply, turn.as_deref(), named))
}

/// The readers.
#[wasm_bindgen]
pub fn readers() -> String {
    wire::readers()
}

/// The formats.
#[wasm_bindgen]
pub fn formats() -> String {
    wire::formats()
}

/// The version of the core.
#[wasm_bindgen]
pub fn version() -> String {
    counterfoil::VERSION.into()
}
