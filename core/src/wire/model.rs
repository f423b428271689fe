//! The model step for hosts that hold nothing between its two halves: the readers run in each of them anew, which costs less than
//! the record's way over the border twice.

use super::{parse, read_options, recode_report, recode_verification};
use crate::error::{Error, ErrorKind};
use crate::model::{self, About, Batch, Given};
use crate::options::named;
use crate::record::{Session, Turn};
use crate::render::json::json;
use crate::result::{Failure, Verification};
use crate::text::span::Unit;
use crate::transcript;
use crate::verification::{verify, verify_session};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;
use serde_json::{Map, Value};

/// What is to be asked about one native turn: `{"result": …, "request": …}`.
///
/// `result` is what the readers found, as [`super::verify`] gives it, and stands where there is no request: `null` then
/// says that nothing is to be asked.
///
/// ```
/// use counterfoil::{wire, Unit};
///
/// let turn = r#"{"reply": "The lamp was replaced and returned to green.", "calls": []}"#;
/// let planned: serde_json::Value = serde_json::from_str(&wire::plan(turn, r#"{"mode": "model"}"#, Unit::Utf16)?).unwrap();
/// assert_eq!(planned["result"], serde_json::Value::Null);
/// assert_eq!(planned["request"]["tools"], "none");
///
/// let late = wire::finish(turn, r#"{"mode": "model"}"#, r#"{"failure": "timeout"}"#, Unit::Utf16)?.expect("a result");
/// assert!(late.contains(r#""method":"model""#) && late.contains(r#""failure":"timeout""#));
/// # Ok::<(), counterfoil::Error>(())
/// ```
pub fn plan(turn: &str, options: &str, unit: Unit) -> Result<String, Error> {
    #[derive(Serialize)]
    struct Planned {
        result: Option<Verification>,
        request: Option<model::Request>,
    }
    let (turn, options) = (transcript::turn(turn)?, read_options(options)?);
    let result = verify(&turn, &options);
    let request = model::plan(&turn, result.as_ref(), &options);
    Ok(json(&Planned { result: in_unit(result, &turn, unit), request }))
}

/// The result after the model step, `given` being what came of the request: `{"answer": TEXT or OBJECT}` or `{"failure": KIND}`.
///
/// `turn` and `options` are those of [`plan`]. Where that gave no request, the answer is left aside and the result is that
/// of the readers.
pub fn finish(turn: &str, options: &str, given: &str, unit: Unit) -> Result<Option<String>, Error> {
    let (turn, options) = (transcript::turn(turn)?, read_options(options)?);
    let given = heard("given", given)?;
    let found = verify(&turn, &options);
    let found = match model::plan(&turn, found.as_ref(), &options) {
        Some(request) => Some(model::finish(&turn, found, &request, &given, &options)),
        None => found,
    };
    Ok(in_unit(found, &turn, unit).map(|found| json(&found)))
}

fn in_unit(mut found: Option<Verification>, turn: &Turn, unit: Unit) -> Option<Verification> {
    if let Some(found) = &mut found {
        recode_verification(found, turn, unit);
    }
    found
}

/// What is to be asked about the open claims of a session: a list of `{"request": …, "questions": …}`.
pub fn plan_many(session: &Session, options: &str) -> Result<String, Error> {
    let options = read_options(options)?;
    Ok(json::<Vec<Batch>>(&model::plan_many(session, &verify_session(session, &options), &options)))
}

/// The report after these requests; `given` is a list with `{"answer": …}` or `{"failure": …}` for each of them, in their order; each
/// may be JSON text of its own, so that one that cannot be read spoils no other.
pub fn finish_many(session: &Session, options: &str, given: &str, unit: Unit) -> Result<String, Error> {
    let options = read_options(options)?;
    let Value::Array(given) = parse("given", given)? else {
        return Err(Error::new(ErrorKind::Shape, "given", "expected a list with what came of each request"));
    };
    let each = given.iter().enumerate().map(|(i, one)| read_given(&format!("given[{i}]"), one));
    let given = each.collect::<Result<Vec<Given>, Error>>()?;
    let report = verify_session(session, &options);
    let mut report = model::finish_many(session, report, &given, &options);
    recode_report(&mut report, session, unit);
    Ok(json(&report))
}

/// The event `response.verification` of a result, as [`model::audit`] shapes it; `None` where the result is `null`. `about` is an
/// object with `seconds`, and where a model was asked `bytes` (those of the request), `model` and `think`.
pub fn audit(result: &str, about: &str) -> Result<Option<String>, Error> {
    let about = read_about(&parse("about", about)?)?;
    Ok(model::audit(&parse("result", result)?, &about).map(|event| json(&event)))
}

/// The event `gen_ai.evaluation.result` of a result, as [`model::evaluation`] shapes it. `about` is that of [`audit`], and
/// may have `response`, the provider's id of the reply.
pub fn evaluation(result: &str, about: &str) -> Result<Option<String>, Error> {
    let about = read_about(&parse("about", about)?)?;
    Ok(model::evaluation(&parse("result", result)?, &about).map(|event| json(&event)))
}

/// The kinds of failure as an object: to each name the sentence that a person may be shown.
///
/// ```
/// assert!(counterfoil::wire::failures().contains(r#""timeout":"the model gave no answer in time""#));
/// ```
pub fn failures() -> String {
    let each = Failure::ALL.iter().map(|(name, failure)| (String::from(*name), failure.sentence().into()));
    json(&each.collect::<Map<String, Value>>())
}

/// What came from a model, as [`finish`] is given it.
#[cfg(feature = "command")]
pub(crate) fn given(text: &str) -> Result<Given, Error> {
    heard("given", text)
}

/// What came from a model as JSON text. What a host's JSON has and this one has not, such as a number without end or
/// thousands of levels, is the model's fault, and a failure like any other.
fn heard(path: &str, text: &str) -> Result<Given, Error> {
    parse(path, text).map_or(Ok(Given::Failed(Failure::Unreadable)), |value| read_given(path, &value))
}

fn read_given(path: &str, value: &Value) -> Result<Given, Error> {
    if let Value::String(text) = value {
        return heard(path, text);
    }
    let shape = || Error::new(ErrorKind::Shape, path, "expected an object with answer or with failure");
    let object = value.as_object().ok_or_else(shape)?;
    match (object.get("answer"), object.get("failure")) {
        (_, Some(failure)) if !failure.is_null() => {
            named(&Failure::ALL, &format!("{path}.failure"), failure).map(Given::Failed)
        }
        (Some(answer), _) => Ok(Given::Answer(answer.clone())),
        (None, _) => Err(shape()),
    }
}

fn read_about(value: &Value) -> Result<About, Error> {
    let wrong = |key: &str, expected: &str| {
        Error::new(ErrorKind::Shape, format!("about.{key}"), format!("expected {expected}"))
    };
    let object = value.as_object().ok_or_else(|| Error::new(ErrorKind::Shape, "about", "expected an object"))?;
    let mut about = About::default();
    for (key, value) in object.iter().filter(|(_, value)| !value.is_null()) {
        let text = || value.as_str().map(String::from).ok_or_else(|| wrong(key, "a text"));
        match key.as_str() {
            "seconds" => {
                let seconds = value.as_f64().filter(|seconds| *seconds >= 0.0);
                about.seconds = seconds.ok_or_else(|| wrong(key, "a number from 0"))?;
            }
            "bytes" => {
                let bytes = value.as_u64().and_then(|bytes| usize::try_from(bytes).ok());
                about.bytes = Some(bytes.ok_or_else(|| wrong(key, "a whole number from 0"))?);
            }
            "model" => about.model = Some(text()?),
            "think" => about.think = Some(value.as_bool().ok_or_else(|| wrong(key, "true or false"))?),
            "response" => about.response = Some(text()?),
            _ => return Err(wrong(key, "one of seconds, bytes, model, think, response")),
        }
    }
    Ok(about)
}
