//! What the servers of all packages decide alike: who is answered, what is asked, and how it is refused.
//!
//! A server gives the head of a request, then the body where one is wanted; the answers are JSON text. Clocks, sockets and
//! bodies that do not end are the server's.

use super::limit::Limiter;
use super::place::{base, counted, wrong, Host};
use super::request::Request;
use super::{check_session, is_session};
use crate::error::{Error, ErrorKind};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{json, Value};

/// The most bytes of a body that are read.
const LARGEST: u64 = 65_536;
/// A client's questions about one session that nobody else's can use up: one in so many of its limit.
const OWN: u32 = 3;

/// Where documents are served, to whom, and how often.
#[derive(Debug)]
pub struct Gate {
    base: String,
    hosts: Vec<Host>,
    most: u32,
    clients: Limiter,
    /// A client's own questions about a session.
    pairs: Limiter,
    /// All further questions about a session.
    sessions: Limiter,
}

/// Why nothing is given: a status, a code for programs and a sentence.
struct Refusal {
    status: u16,
    code: String,
    message: String,
    header: Option<(&'static str, String)>,
}

impl Refusal {
    fn new(status: u16, code: impl ToString, message: impl ToString) -> Self {
        Refusal { status, code: code.to_string(), message: message.to_string(), header: None }
    }

    fn json(self) -> String {
        let more = self.header.map(|(name, value)| format!("\"{name}\":{},", quoted(&value))).unwrap_or_default();
        let headers = private("application/json", &more);
        let error = format!("{{\"error\":{{\"code\":{},\"message\":{}}}}}", quoted(&self.code), quoted(&self.message));
        format!("{{\"refused\":{{\"status\":{},\"headers\":{headers},\"body\":{}}}}}", self.status, quoted(&error))
    }
}

impl Gate {
    /// From options as JSON text: `base`, `hosts`, `per_minute` and `body_seconds`, which the server keeps to.
    ///
    /// # Errors
    /// [`ErrorKind::Option`] with the name of the option that is wrong.
    pub fn new(options: &str) -> Result<Gate, Error> {
        let options: Value = serde_json::from_str(options).map_err(|error| Error::new(ErrorKind::Json, "", error))?;
        let most = whole(&options, "per_minute", 30, 100_000)?;
        whole(&options, "body_seconds", 10, 60)?;
        let hosts = match options.get("hosts") {
            None => Vec::new(),
            Some(Value::Array(hosts)) => {
                let allowed = |(i, host)| Host::allowed(&format!("hosts[{i}]"), host);
                hosts.iter().enumerate().map(allowed).collect::<Result<_, _>>()?
            }
            Some(other) => return Err(wrong("hosts", "a list of host names", other)),
        };
        Ok(Gate {
            base: base(options.get("base").unwrap_or(&"/canary".into()))?,
            hosts,
            most,
            clients: Limiter::new(most.into())?,
            pairs: Limiter::new(most.div_ceil(OWN).into())?,
            sessions: Limiter::new(most.into())?,
        })
    }

    /// Decides on the head of a request, as JSON text: `method`, `target` as it was sent, `client`, and the headers `host`,
    /// `origin`, `type` and `length` where they were sent; `url` is a host that was read from the address by others. `now` is in seconds of a clock that is never set.
    ///
    /// Gives `{"issue": {session, form}, "headers"}`, `{"verify": true}` where the body is wanted, or
    /// `{"refused": {status, headers, body}}`.
    pub fn arrive(&mut self, head: &str, now: f64) -> String {
        let head: Value = serde_json::from_str(head).unwrap_or_default();
        self.arrived(&head, now).unwrap_or_else(Refusal::json)
    }

    fn arrived(&mut self, head: &Value, now: f64) -> Result<String, Refusal> {
        let get = |name: &str| head.get(name).and_then(Value::as_str);
        self.known(get("host"), get("origin"))?;
        if let Some(host) = get("url") {
            self.known(Some(host), None)?;
        }
        let (path, query) = split(get("target").unwrap_or(""));
        let name = path.strip_prefix(self.base.as_str()).and_then(|rest| rest.strip_prefix('/'));
        let name = name.ok_or_else(|| Refusal::new(404, "not_found", "nothing is here"))?;
        let client = counted(get("client").unwrap_or(""));
        self.clients.ask(&client, now).map_err(|wait| self.limited(wait))?;
        let wanted = if name == "verify" { "POST" } else { "GET" };
        if get("method") != Some(wanted) {
            let header = Some(("Allow", wanted.to_string()));
            return Err(Refusal { header, ..Refusal::new(405, "wrong_method", format!("expected {wanted}")) });
        }
        if wanted == "POST" {
            return wanted_body(get("type"), get("length"));
        }
        let session = decoded(name);
        check_session(&session).map_err(|error| Refusal::new(400, error.code(), &error))?;
        let kind = form(query)?;
        self.session(&client, &session, now)?;
        // An id and a form hold nothing that JSON would escape.
        let issue = format!("{{\"session\":\"{session}\",\"form\":\"{}\"}}", kind.0);
        Ok(format!("{{\"issue\":{issue},\"headers\":{}}}", private(kind.1, "")))
    }

    /// Decides on the body of a question for a verdict. Gives `{"verify": {session, claim, reply}, "headers"}` or `refused`.
    pub fn asked(&mut self, client: &str, body: &[u8], now: f64) -> String {
        let asked = Request::read(body).map_err(|error| Refusal::new(400, error.code(), &error));
        let found = asked.and_then(|Request { session, claim, reply }| {
            self.session(&counted(client), &session, now)?;
            let asked = json!({"session": session, "claim": claim, "reply": reply});
            Ok(format!("{{\"verify\":{asked},\"headers\":{}}}", private("application/json", "")))
        });
        found.unwrap_or_else(Refusal::json)
    }

    /// Refuses names that are not this machine's, in the address and in what a browser tells of the page that asks.
    fn known(&self, host: Option<&str>, origin: Option<&str>) -> Result<(), Refusal> {
        let known = |host: Option<Host>| host.is_some_and(|host| host.is_local() || self.hosts.contains(&host));
        if !known(host.and_then(Host::of)) {
            let message = "this host name is not answered; the option hosts allows it";
            return Err(Refusal::new(403, "forbidden_host", message));
        }
        if origin.is_some_and(|origin| !known(Host::of_origin(origin))) {
            let message = "a page of this origin is not answered; the option hosts allows it";
            return Err(Refusal::new(403, "forbidden_origin", message));
        }
        Ok(())
    }

    /// Counts a question about a session. Every client has some of its own, so that none can shut another out of a session by
    /// asking for it; beyond those, all share one limit. What is no id is no session.
    fn session(&mut self, client: &str, session: &str, now: f64) -> Result<(), Refusal> {
        if !is_session(session) {
            return Ok(());
        }
        let Err(own) = self.pairs.ask(&format!("{client} {session}"), now) else { return Ok(()) };
        self.sessions.ask(session, now).map_err(|shared| self.limited(own.min(shared)))
    }

    fn limited(&self, wait: u32) -> Refusal {
        let message = format!("asked more than {} times a minute", self.most);
        Refusal { header: Some(("Retry-After", wait.to_string())), ..Refusal::new(429, "rate_limited", message) }
    }

    /// What a server finds out by itself, by its code: `too_large`, `too_slow`, `cut_off`, `bad_now`,
    /// `bad_client`; anything else is `internal`.
    pub fn refused(code: &str) -> String {
        let refusal = match code {
            "too_large" => too_large(),
            "too_slow" => Refusal::new(408, code, "the body did not come in time"),
            "cut_off" => Refusal::new(400, "bad_request", "the request ended too early"),
            "bad_now" => Refusal::new(500, code, "the clock of this server gives no Unix time"),
            "bad_client" => Refusal::new(500, code, "this server gives no text for the client"),
            _ => Refusal::new(500, "internal", "the request could not be answered"),
        };
        refusal.json()
    }
}

fn whole(options: &Value, name: &str, default: u32, most: u32) -> Result<u32, Error> {
    let Some(value) = options.get(name) else { return Ok(default) };
    let number = value.as_f64().filter(|number| number.fract() == 0.0 && (1.0..=f64::from(most)).contains(number));
    number.map(|number| number as u32).ok_or_else(|| wrong(name, &format!("a whole number from 1 to {most}"), value))
}

fn too_large() -> Refusal {
    Refusal::new(413, "too_large", format!("a body has at most {LARGEST} bytes"))
}

/// The path and the query of a target; one that names the host, as proxies are asked, without it.
fn split(target: &str) -> (&str, &str) {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let rest = path.strip_prefix("http://").or_else(|| path.strip_prefix("https://"));
    (rest.map_or(path, |rest| rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/")), query)
}

/// The form of the document that is asked for, and its type.
fn form(query: &str) -> Result<(&'static str, &'static str), Refusal> {
    let given = query.split('&').find_map(|pair| pair.strip_prefix("form="));
    match given.map(decoded).as_deref() {
        None | Some("html") => Ok(("html", "text/html; charset=utf-8")),
        Some("text") => Ok(("text", "text/plain; charset=utf-8")),
        Some("tool") => Ok(("tool", "application/json")),
        _ => Err(Refusal::new(400, "bad_form", "form: expected one of html, text, tool")),
    }
}

/// Only JSON is read, which a page of another origin cannot send unasked, and no more of it than is looked at.
fn wanted_body(kind: Option<&str>, length: Option<&str>) -> Result<String, Refusal> {
    let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or("");
    if !kind.trim().eq_ignore_ascii_case("application/json") {
        return Err(Refusal::new(415, "wrong_type", "expected Content-Type: application/json"));
    }
    if length.and_then(|length| length.parse::<u64>().ok()).is_some_and(|length| length > LARGEST) {
        return Err(too_large());
    }
    Ok("{\"verify\":true}".into())
}

/// A part of a path without its escapes. What is no escape stays, and what is no text becomes U+FFFD; neither is in an id.
fn decoded(part: &str) -> String {
    let bytes = part.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digit = |i: usize| bytes.get(at + i).and_then(|b| char::from(*b).to_digit(16));
        match (byte, digit(1), digit(2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high << 4 | low) as u8);
                at += 3;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The headers of every answer as JSON text: those of the page, with another type, and more in front.
fn private(kind: &str, more: &str) -> String {
    let mut out = format!("{{{more}\"Content-Type\":\"{kind}\"");
    for (name, value) in super::headers().iter().filter(|(name, _)| *name != "Content-Type") {
        for part in [",\"", name, "\":\"", value, "\""] {
            out.push_str(part);
        }
    }
    out.push('}');
    out
}

/// A text in the quotes of JSON.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
