//! Proof of read across the border to JavaScript, as a wasm file of its own: the entry `counterfoil/canary`.
//!
//! The canary stays in the core; options and results cross as JSON text, an error as a list: kind, path, message, code.

use counterfoil::canary::{self, Handle};
use js_sys::Array;
use wasm_bindgen::prelude::*;

type Result<T> = std::result::Result<T, JsValue>;

fn or_raise<T>(result: std::result::Result<T, counterfoil::Error>) -> Result<T> {
    result.map_err(|error| {
        let parts = [error.kind().name(), error.path(), error.message(), error.code()];
        parts.into_iter().map(JsValue::from).collect::<Array>().into()
    })
}

/// Issues sentinels and judges what comes back.
#[wasm_bindgen]
pub struct Canary(Handle);

#[wasm_bindgen]
impl Canary {
    /// From 32 random bytes and options as JSON text.
    #[wasm_bindgen(constructor)]
    pub fn new(root_key: Vec<u8>, options: &str) -> Result<Canary> {
        or_raise(Handle::new(root_key, options)).map(Canary)
    }

    /// A sentinel with its document, as JSON text.
    pub fn issue(&mut self, session: &str, now: f64, client: Option<String>, agent: Option<String>) -> Result<String> {
        let client = client.as_deref().map(|client| (client, agent.as_deref().unwrap_or("")));
        or_raise(self.0.issue(session, now, client))
    }

    /// A verdict on a claim, as JSON text.
    pub fn verify(&self, session: &str, claim: Option<String>, now: f64) -> Result<String> {
        or_raise(self.0.verify(session, claim.as_deref(), now))
    }

    /// A verdict on a whole reply, as JSON text.
    pub fn verify_reply(&self, session: &str, reply: &str, now: f64) -> Result<String> {
        or_raise(self.0.verify_reply(session, reply, now))
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
    pub fn import(&mut self, text: &str) -> Result<()> {
        or_raise(self.0.import(text))
    }

    /// The settings as JSON text.
    pub fn options(&self) -> String {
        self.0.options()
    }
}

/// What both servers decide alike: who is answered, what is asked, how it is refused. Heads and answers are JSON text.
#[wasm_bindgen]
pub struct Gate(canary::Gate);

#[wasm_bindgen]
impl Gate {
    /// From options as JSON text.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> Result<Gate> {
        or_raise(canary::Gate::new(options)).map(Gate)
    }

    /// Decides on the head of a request.
    pub fn arrive(&mut self, head: &str, now: f64) -> String {
        self.0.arrive(head, now)
    }

    /// Decides on the body of a question for a verdict.
    pub fn asked(&mut self, client: &str, body: &[u8], now: f64) -> String {
        self.0.asked(client, body, now)
    }

    /// What a server finds out by itself.
    pub fn refused(code: &str) -> String {
        canary::Gate::refused(code)
    }
}

/// The sentinel of a session in a bucket, from the root key.
#[wasm_bindgen]
pub fn sentinel(root_key: Vec<u8>, session: &str, bucket: i64, bytes: usize) -> Result<String> {
    or_raise(Handle::sentinel(root_key, session, bucket, bytes))
}

/// What looks like a sentinel in a reply.
#[wasm_bindgen]
pub fn find_sentinel(reply: &str, bytes: usize) -> Vec<String> {
    canary::reported(reply, bytes)
}

/// Throws the error of an argument that is no text.
#[wasm_bindgen]
pub fn no_text(path: &str, found: &str) -> Result<()> {
    or_raise(Err(canary::no_text(path, found)))
}

/// The headers of the probe document, as JSON text.
#[wasm_bindgen]
pub fn canary_headers() -> String {
    Handle::headers()
}
