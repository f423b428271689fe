//! What a verdict is asked of, as hosts take it from a request.

use super::place::cut;
use super::strict;
use crate::error::{Error, ErrorKind};
use crate::transcript::mended;
use alloc::format;
use alloc::string::String;
use serde_json::Value;

const CODE: &str = "bad_request";
const EXPECTED: &str = r#"expected {"session", "claim"} or {"session", "reply"}"#;
/// The most bytes of an unknown key that an error repeats.
const LONGEST: usize = 40;

/// The body of a request for a verdict. An answer without a sentinel has neither `claim` nor `reply`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The session's id, which may be none.
    pub session: String,
    /// The value that was reported.
    pub claim: Option<String>,
    /// A whole reply.
    pub reply: Option<String>,
}

impl Request {
    /// Reads `{"session", "claim"}` or `{"session", "reply"}`, strictly: a name that is written wrong would be a claim left out,
    /// which is a verdict. Null means absent. Raw line breaks in texts and halves of surrogate pairs are mended, as replies of
    /// models have them.
    ///
    /// ```
    /// use counterfoil::canary::Request;
    ///
    /// let request = Request::read(r#"{"session": "demo", "reply": "It says 7."}"#)?;
    /// assert_eq!((request.session.as_str(), request.claim), ("demo", None));
    ///
    /// let error = Request::read(r#"{"session": "demo", "claim": 7}"#).unwrap_err();
    /// assert_eq!((error.code(), error.path()), ("bad_claim", "claim"));
    /// # Ok::<(), counterfoil::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::code`] says which: `bad_request` for what is no JSON and no object, for a key that is unknown or stands twice, and
    /// where claim and reply were both given; `bad_session`, `bad_claim`, `bad_reply` for what is no text.
    pub fn read(body: impl AsRef<[u8]>) -> Result<Self, Error> {
        let body = json(body.as_ref())?;
        let wrong = |path: &str, message: &str| Error::new(ErrorKind::Shape, path, message).coded(CODE);
        if !body.is_object() {
            return Err(wrong("", EXPECTED));
        }
        if let Some(key) = strict::unknown(&body, &["session", "claim", "reply"]) {
            return Err(wrong(cut(key, LONGEST), "unknown key; the keys are session, claim, reply"));
        }
        let text = |key: &str| match body.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(no_text(key, "")),
        };
        let session = text("session")?.ok_or_else(|| no_text("session", ""))?;
        let (claim, reply) = (text("claim")?, text("reply")?);
        if claim.is_some() && reply.is_some() {
            return Err(wrong("reply", "claim and reply were both given; give one of them"));
        }
        Ok(Request { session, claim, reply })
    }
}

/// A body as JSON in which no key stands twice.
fn json(body: &[u8]) -> Result<Value, Error> {
    let none = || Error::new(ErrorKind::Json, "", "expected JSON").coded(CODE);
    let text = core::str::from_utf8(body).map_err(|_| none())?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let read = match strict::read(text, CODE) {
        Err(error) if error.kind() == ErrorKind::Json => strict::read(&mended(text).ok_or_else(none)?, CODE),
        read => read,
    };
    read.map_err(|error| if error.kind() == ErrorKind::Json { none() } else { error })
}

/// The error of an argument that is no text but what `found` says, where a language has values of other types. Its code is
/// the same wherever the argument came from.
pub fn no_text(path: &str, found: &str) -> Error {
    let found = if found.is_empty() { String::new() } else { format!("; found {found}") };
    let error = Error::new(ErrorKind::Shape, path, format!("expected a text{found}"));
    match path {
        "session" => error.coded("bad_session"),
        "claim" => error.coded("bad_claim"),
        "reply" => error.coded("bad_reply"),
        "log" => error.coded("bad_log"),
        _ => error,
    }
}
