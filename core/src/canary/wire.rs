//! What the bindings call: numbers and JSON text in, JSON text out.

use super::{bad_now, headers, number, strict, Canary, Client, Options, Verdict, FARTHEST};
use crate::error::{Error, ErrorKind};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{json, Value};
use zeroize::Zeroizing;

/// A canary for a binding. Results are JSON text.
#[derive(Debug)]
pub struct Handle(Canary);

impl Handle {
    /// From the root key, whose bytes are wiped here, and an options object as JSON text; an empty text means the defaults.
    pub fn new(root_key: Vec<u8>, options: &str) -> Result<Self, Error> {
        let root_key = Zeroizing::new(root_key);
        let value = match options {
            "" => Value::Null,
            text => strict::read(text, "option").map_err(|error| match error.path() {
                "" => Error::new(ErrorKind::Json, "options", error.message()),
                twice => Error::new(ErrorKind::Option, twice, error.message()),
            })?,
        };
        Canary::new(&root_key, Options::read(&value)?).map(Handle)
    }

    /// `{session, sentinel, bucket, expires, document, text, tool, event}`; the event is for an audit and holds no sentinel.
    pub fn issue(&mut self, session: &str, now: f64, client: Option<(&str, &str)>) -> Result<String, Error> {
        let now = seconds(now)?;
        let issued = self.0.issue(session, now, client.map(|(identifier, agent)| Client { identifier, agent }))?;
        let event = json!({"event": "canary.issued", "at": now, "session": issued.session, "bucket": issued.bucket});
        Ok(json!({
            "session": issued.session, "sentinel": issued.sentinel, "bucket": issued.bucket, "expires": issued.expires,
            "document": issued.document(), "text": issued.text(), "tool": issued.tool_result(), "event": event,
        })
        .to_string())
    }

    /// `{state, distance, meaning, event}`.
    pub fn verify(&self, session: &str, claim: Option<&str>, now: f64) -> Result<String, Error> {
        let now = seconds(now)?;
        Ok(shown(session, now, self.0.verify(session, claim, now)))
    }

    /// As `verify`, on a whole reply.
    pub fn verify_reply(&self, session: &str, reply: &str, now: f64) -> Result<String, Error> {
        let now = seconds(now)?;
        Ok(shown(session, now, self.0.verify_reply(session, reply, now)))
    }

    /// How many issuances are remembered.
    pub fn issued(&self) -> usize {
        self.0.issued()
    }

    /// The log as JSON text.
    pub fn export(&self) -> String {
        self.0.export()
    }

    /// Takes in a log.
    pub fn import(&mut self, text: &str) -> Result<(), Error> {
        self.0.import(text)
    }

    /// The settings as JSON text.
    pub fn options(&self) -> String {
        serde_json::to_string(self.0.options()).unwrap_or_default()
    }

    /// The sentinel of a session in a bucket; the bytes of the key are wiped.
    pub fn sentinel(root_key: Vec<u8>, session: &str, bucket: i64, bytes: usize) -> Result<String, Error> {
        super::sentinel(&Zeroizing::new(root_key), session, bucket, bytes)
    }

    /// The page's headers, as JSON text of pairs.
    pub fn headers() -> String {
        let pairs: Vec<(&str, &str)> = headers().to_vec();
        serde_json::to_string(&pairs).unwrap_or_default()
    }
}

/// A verdict, with the event for an audit. An id that is none is not repeated.
fn shown(session: &str, now: i64, verdict: Verdict) -> String {
    let session = super::is_session(session).then_some(session);
    let Verdict { state, distance } = verdict;
    let event =
        json!({"event": "canary.verified", "at": now, "session": session, "state": state, "distance": distance});
    json!({"state": state, "distance": distance, "meaning": state.meaning(), "event": event}).to_string()
}

/// Whole Unix seconds, rounded down also below zero.
fn seconds(now: f64) -> Result<i64, Error> {
    if !now.is_finite() || now.abs() > FARTHEST as f64 {
        return Err(bad_now(&number(now)));
    }
    let whole = now as i64;
    Ok(if (whole as f64) > now { whole - 1 } else { whole })
}
