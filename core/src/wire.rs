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
    let Some(start) = reply.find("All tests pass") else { return Ok(None) };
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
            line: reply[..start].matches('\n').count() + 1,
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
pub fn recode(result: &str, reply: &str, _turn: Option<&str>, unit: Unit) -> Result<String, Error> {
    let mut value = json(result)?;
    let Some(from) = value.get("unit").and_then(Value::as_str).and_then(Unit::named) else {
        return Err(Error::new(ErrorKind::Shape, "unit", "expected a unit"));
    };
    if let Some(claims) = value.get_mut("claims").and_then(Value::as_array_mut) {
        for claim in claims {
            let at = |claim: &Value, name: &str| claim["span"][name].as_u64().unwrap_or(0) as usize;
            let (mut start, mut end) = (at(claim, "start"), at(claim, "end"));
            crate::text::span::recode(reply, &mut [&mut start, &mut end], from, unit);
            claim["span"] = serde_json::json!({"start": start, "end": end});
        }
    }
    value["unit"] = serde_json::json!(unit);
    Ok(value.to_string())
}

/// The readers.
pub fn readers() -> String {
    "[{\"name\":\"call\",\"about\":\"a tool's name\",\"default\":true}]".into()
}

/// HTML of one turn.
pub fn html_turn(turn: &str, options: &str) -> Result<Option<String>, Error> {
    Ok(verify(turn, options, Unit::Utf8)?.map(|text| format!("<pre>tests pass {}</pre>", text.len())))
}

/// HTML of a session.
pub fn html_report(_session: &Session, options: &str) -> Result<String, Error> {
    json(options).map(|_| "<p></p>".into())
}
