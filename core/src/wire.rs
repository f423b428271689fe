//! Stand-in for the wire functions; the real file replaces it.

use crate::error::{Error, ErrorKind};
use crate::options::Options;
use crate::record::Session;
use crate::text::span::{Span, Unit};
use crate::verification::{Citations, Claim, Outcome, Verdict, Verification};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use serde_json::Value;

fn json(text: &str) -> Result<Value, Error> {
    serde_json::from_str(text).map_err(|e| Error::new(ErrorKind::Json, "", e))
}

fn shape(turn: &Value) -> Result<String, Error> {
    match turn.get("reply") {
        Some(Value::String(text)) => Ok(text.clone()),
        _ => Err(Error::new(ErrorKind::Shape, "reply", "expected a text")),
    }
}

/// Checks one native turn.
pub fn verify(turn: &str, options: &str, unit: Unit) -> Result<Option<String>, Error> {
    let turn = json(turn)?;
    json(options)?;
    let reply = shape(&turn)?;
    let Some(start) = reply.find("ll tests pass").map(|i| i - 1) else { return Ok(None) };
    let mut span = Span::new(start, start + 14);
    let quote = span.of(&reply).to_string();
    crate::text::span::recode(&reply, &mut [&mut span.start, &mut span.end], Unit::Utf8, unit);
    let reason = "no test command in this turn exited 0";
    let result = Verification {
        version: crate::VERSION.into(),
        unit,
        status: Outcome::Unsupported,
        method: "readers".into(),
        calls: turn.get("calls").and_then(Value::as_array).map_or(0, Vec::len),
        complete: "yes".into(),
        wants: vec![],
        failure: None,
        line: Some(format!("unsupported: \"{quote}\" ({reason})")),
        claims: vec![Claim {
            reader: "outcome".into(),
            text: quote,
            verdict: Verdict::Unsupported,
            reason: Some(reason.into()),
            span,
            line: 1,
            call: None,
            earlier: None,
            evidence: None,
        }],
        joined: None,
    };
    serde_json::to_string(&result).map(Some).map_err(|e| Error::new(ErrorKind::Json, "", e))
}

/// Checks every turn of a session.
pub fn verify_session(session: &Session, options: &str, unit: Unit) -> Result<String, Error> {
    json(options)?;
    let mut report = crate::verification::verify_session(session, &Options::default());
    report.unit = unit;
    serde_json::to_string(&report).map_err(|e| Error::new(ErrorKind::Json, "", e))
}

/// Cited entries.
pub fn cited(_reply: &str, entries: &str) -> Result<String, Error> {
    json(entries)?;
    serde_json::to_string(&Citations::default()).map_err(|e| Error::new(ErrorKind::Json, "", e))
}

/// The ran line.
pub fn ran(turn: &str) -> Result<Option<String>, Error> {
    shape(&json(turn)?).map(|_| None)
}

/// Recodes the spans of a result.
pub fn recode(result: &str, _reply: &str, _unit: Unit) -> Result<String, Error> {
    json(result).map(|v| v.to_string())
}

/// The readers.
pub fn readers() -> String {
    "[{\"name\":\"call\",\"reads\":\"a tool's name\",\"on\":true}]".into()
}

/// HTML of one turn.
pub fn html_turn(_turn: &str, result: &str, _unit: Unit) -> String {
    format!("<pre>{}</pre>", result.len())
}

/// HTML of a session.
pub fn html_report(_session: &Session, options: &str) -> Result<String, Error> {
    json(options).map(|_| "<p></p>".into())
}
