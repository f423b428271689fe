//! What a verdict is asked of, as hosts take it from a request.

use super::strict;
use crate::error::{Error, ErrorKind};
use alloc::format;
use alloc::string::String;
use serde_json::Value;

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
    /// Reads `{"session", "claim"}` or `{"session", "reply"}`, strictly. Null means absent.
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
    pub fn read(body: &str) -> Result<Self, Error> {
        let body = strict::read(body, "bad_request")?;
        let wrong = |path: &str, code, message: &str| Error::new(ErrorKind::Shape, path, message).coded(code);
        if !body.is_object() {
            return Err(wrong("", "bad_request", "expected {\"session\", \"claim\"} or {\"session\", \"reply\"}"));
        }
        if let Some(key) = strict::unknown(&body, &["session", "claim", "reply"]) {
            return Err(wrong(key, "bad_request", "unknown key; the keys are session, claim, reply"));
        }
        let text = |key: &str, code| match body.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(wrong(key, code, &format!("expected {key} as a text"))),
        };
        let session = text("session", "bad_session")?;
        let session = session.ok_or_else(|| wrong("session", "bad_session", "expected session as a text"))?;
        let (claim, reply) = (text("claim", "bad_claim")?, text("reply", "bad_reply")?);
        if claim.is_some() && reply.is_some() {
            return Err(wrong("reply", "bad_request", "claim and reply were both given; give one of them"));
        }
        Ok(Request { session, claim, reply })
    }
}
