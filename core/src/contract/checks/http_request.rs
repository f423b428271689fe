//! A server answers as expected.
//!
//! # Sees
//! The answer to one request: `{status, headers: [[name, value]], body or body_base64, resolved, connected}`. No redirect is
//! followed, no proxy asked, no cookie sent.
//!
//! # Decides
//! All expectations hold. A redirect is judged as it came. A server that could not be asked decides nothing, unless
//! `unreachable: "fail"` makes a refused connection a failure.
use super::super::dsse::decode;
use super::super::pointer::Pointer;
use super::content::{self, Wrong};
use super::net;
use super::prelude::*;

const METHODS: &[&str] = &["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];
/// Those that ask and change nothing.
const FREE: &[&str] = &["GET", "HEAD", "OPTIONS"];
/// What is the host's own to send.
const OWN_HEADERS: &[&str] =
    &["host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer", "expect"];
const BYTES: usize = 1 << 20;
/// The most headers, of a request or an answer, and entries of a list.
const ENTRIES: usize = 200;

pub(super) const TYPE: CheckType = CheckType {
    name: "http_request",
    about: "a server answers with the expected status, headers or body",
    capabilities: &[Capability::Http],
    params: &[
        must("url", Kind::Url, "the address; its origin is one of allowed_origins"),
        or(
            "method",
            Kind::Word(METHODS),
            "\"GET\"",
            "the method; all but GET, HEAD and OPTIONS need allow_side_effects",
        ),
        may("headers", Kind::Own("object of strings or {\"$secret\": name}", headers), "headers to send"),
        may("json_body", Kind::Value, "a body to send as JSON"),
        or("allow_side_effects", Kind::Bool, "false", "whether the request may change something"),
        may("status", Kind::Own("integer or array of integers", statuses), "the status, or those that are as good"),
        may("headers_equal", Kind::Own("object of strings", texts), "headers and their whole values"),
        may("headers_contain", Kind::Own("object of strings", texts), "headers and a part of their values"),
        may("body_contains", Kind::Text, "a part of the body, in its case"),
        may("body_json", Kind::Own("array of {pointer, equals}", pointers), "values inside a JSON body"),
        or("unreachable", Kind::Word(&["inconclusive", "fail"]), "\"inconclusive\"", "what a refused connection means"),
    ],
    validate,
    requests: |params| {
        [Request::new("response", Capability::Http)
            .url("url", &net::href(params))
            .given(params, "method")
            .given(params, "headers")
            .given(params, "json_body")
            .with("max_bytes", BYTES)]
        .into()
    },
    decide,
};

fn members<'a>(value: &'a Json, what: &str) -> Result<&'a Object, ContractError> {
    let members = value.object().ok_or_else(|| fault("", format!("expected {what}; found {}", value.kind())))?;
    if members.len() > ENTRIES {
        return Err(fault("", format!("more than {ENTRIES} members")));
    }
    for name in members.keys() {
        let token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
        if name.is_empty() || name.len() > 200 || !name.bytes().all(token) {
            return Err(fault("", "the name of a header is 1 to 200 letters, digits and hyphens"));
        }
    }
    Ok(members)
}

fn headers(value: &Json) -> Result<(), ContractError> {
    for (name, value) in members(value, "an object of headers")? {
        if OWN_HEADERS.contains(&name.to_ascii_lowercase().as_str()) || name.to_ascii_lowercase().starts_with("proxy-")
        {
            return Err(fault(name, "this header is the host's own to send"));
        }
        let secret = value.object().and_then(|members| match (members.len(), members.get("$secret")) {
            (1, Some(Json::String(secret))) => Some(secret),
            _ => None,
        });
        let secret = secret.is_some_and(|secret| {
            (1..=64).contains(&secret.len()) && secret.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        });
        let plain = value.str().is_some_and(|text| !text.contains(['\r', '\n', '\0']));
        if !secret && !plain {
            return Err(fault(name, "expected a string of one line, or {\"$secret\": name}"));
        }
    }
    Ok(())
}

fn texts(value: &Json) -> Result<(), ContractError> {
    let members = members(value, "an object of headers")?;
    match members.iter().find(|(_, value)| value.str().is_none()) {
        Some((name, value)) => Err(fault(name, format!("expected a string; found {}", value.kind()))),
        None => Ok(()),
    }
}

fn statuses(value: &Json) -> Result<(), ContractError> {
    let listed = match value {
        Json::Array(items) if (1..=100).contains(&items.len()) => items.as_slice(),
        Json::Array(_) => return Err(fault("", "expected 1 to 100 statuses")),
        one => core::slice::from_ref(one),
    };
    match listed.iter().find(|status| !status.integer().is_some_and(|status| (100..=599).contains(&status))) {
        Some(_) => Err(fault("", "expected a whole number from 100 to 599")),
        None => Ok(()),
    }
}

fn pointers(value: &Json) -> Result<(), ContractError> {
    let items = value.array().ok_or_else(|| fault("", format!("expected an array; found {}", value.kind())))?;
    if items.is_empty() || items.len() > ENTRIES {
        return Err(fault("", format!("expected 1 to {ENTRIES} entries")));
    }
    for (index, item) in items.iter().enumerate() {
        let inside = |error: ContractError| error.inside(&format!("[{index}]"));
        let fields = Fields::of(item, &["pointer", "equals"]).map_err(inside)?;
        let pointer = fields.text("pointer", 10_000).map_err(inside)?.unwrap_or_default();
        Pointer::parse(pointer).map_err(|message| inside(fault("pointer", message)))?;
        fields.needed("equals").map_err(inside)?;
    }
    Ok(())
}

fn validate(terms: &Terms<'_>) -> Result<(), ContractError> {
    let params = terms.params;
    let method = params.text("method");
    if !FREE.contains(&method) && !params.bool("allow_side_effects") {
        return Err(fault("method", format!("{method} may change something; it needs allow_side_effects: true")));
    }
    if !FREE.contains(&method) && terms.by_model {
        return Err(fault("method", format!("{method} may change something, and a model froze the contract")));
    }
    if matches!(method, "GET" | "HEAD") && params.has("json_body") {
        return Err(fault("json_body", format!("{method} has no body")));
    }
    let of_body = ["body_contains", "body_json"].into_iter().find(|name| params.has(name));
    if let Some(name) = of_body.filter(|_| method == "HEAD") {
        return Err(fault(name, "the answer to HEAD has no body"));
    }
    let filled = |name: &str| params.value(name).and_then(Json::object).is_some_and(|members| !members.is_empty());
    if params.has("status") || of_body.is_some() || filled("headers_equal") || filled("headers_contain") {
        return Ok(());
    }
    Err(vacuous("every answer would pass: expect a status, a header or something of the body"))
}

/// What the server answered.
struct Answer {
    status: i64,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    truncated: bool,
}

fn decide(case: &Case<'_>) -> Decided {
    let params = case.params;
    let expectations = ["status", "headers_equal", "headers_contain", "body_contains", "body_json"];
    let expected = expectations.iter().filter_map(|name| Some(((*name).to_string(), params.value(name)?.clone())));
    let expected = Json::Object(crate::sort::map(expected));
    let look = match net::look(case, "response") {
        Err(undecided) if params.text("unreachable") == "fail" && is_refused_connection(&undecided) => {
            return fail(expected, object([("connection", "refused".into())]), undecided.reason);
        }
        look => look?,
    };
    let answer = read(case, &look)?;
    let (mut code, mut unmet, mut open) = (None, Vec::new(), None);
    for fares in
        [status(params, &answer), headers_met(params, &answer), contains(params, &answer), json(params, &answer)]
    {
        match fares {
            Ok(None) => {}
            Ok(Some(wrong)) => {
                code = code.or(wrong.code);
                unmet.push(wrong.words);
            }
            Err(undecided) => open = Some(undecided),
        }
    }
    let observed =
        object([("status", answer.status.into()), ("body_bytes", answer.body.len().into()), ("unmet", array(&unmet))]);
    let method = params.text("method");
    let what = format!("{method} {} answered {}", params.text("url"), answer.status);
    if !unmet.is_empty() {
        let decision = Decision::of(false, expected, observed, format!("{what}; {}", unmet.join("; ")));
        return Ok(code.into_iter().fold(decision, Decision::coded));
    }
    match open {
        Some(undecided) => Err(undecided),
        None => pass(expected, observed, format!("{what} as expected")),
    }
}

fn is_refused_connection(undecided: &Undecided) -> bool {
    undecided.code == Code::BackendUnavailable && undecided.reason.contains(": connection_refused")
}

fn read(case: &Case<'_>, look: &Look<'_>) -> Result<Answer, Undecided> {
    let known = ["status", "headers", "body", "body_base64", "resolved", "connected"];
    let fields = look.fields(&known)?.ok_or_else(|| unread(fault("", "a server is not absent but unavailable")))?;
    let status =
        fields.integer("status", 100, 999).map_err(unread)?.ok_or_else(|| unread(fault("status", "missing")))?;
    let connected = fields.text("connected", 200).map_err(unread)?;
    let connected = connected.ok_or_else(|| unread(fault("connected", "missing")))?;
    let resolved = fields.texts("resolved", ENTRIES).map_err(unread)?.unwrap_or_default();
    net::vetted(case, &resolved.iter().map(String::as_str).chain([connected]).collect::<Vec<_>>())?;
    let mut headers = Vec::new();
    for (index, pair) in fields.array("headers", ENTRIES).map_err(unread)?.unwrap_or_default().iter().enumerate() {
        match pair.array() {
            Some([Json::String(name), Json::String(value)]) => {
                headers.push((name.to_ascii_lowercase(), value.trim_matches([' ', '\t']).to_string()));
            }
            _ => return Err(unread(fault(&format!("headers[{index}]"), "expected a name and a value"))),
        }
    }
    let body =
        match (fields.text("body", BYTES).map_err(unread)?, fields.text("body_base64", 2 * BYTES).map_err(unread)?) {
            (Some(_), Some(_)) => return Err(unread(fault("body", "there is body_base64 too"))),
            (Some(text), None) => text.as_bytes().to_vec(),
            (None, Some(text)) => decode(text).ok_or_else(|| unread(fault("body_base64", "no base64")))?,
            (None, None) => Vec::new(),
        };
    Ok(Answer { status, headers, body, truncated: look.truncated })
}

/// How an expectation fares: nothing is wrong, or something is, or what it is about was not seen.
type Fares = Result<Option<Wrong>, Undecided>;

#[allow(clippy::unnecessary_wraps)] // It is one of the ways to fare.
fn wrong(words: impl ToString) -> Fares {
    Ok(Some(Wrong { words: words.to_string(), code: None }))
}

fn status(params: Params<'_>, answer: &Answer) -> Fares {
    let wanted = match params.value("status") {
        None => return Ok(None),
        Some(Json::Array(items)) => items.iter().any(|item| item.integer() == Some(answer.status)),
        Some(one) => one.integer() == Some(answer.status),
    };
    if wanted {
        return Ok(None);
    }
    wrong("another status was expected")
}

fn headers_met(params: Params<'_>, answer: &Answer) -> Fares {
    let none = Object::new();
    let listed = |name: &str| params.value(name).and_then(Json::object).unwrap_or(&none).iter();
    let all =
        listed("headers_equal").map(|pair| (pair, true)).chain(listed("headers_contain").map(|pair| (pair, false)));
    for ((name, wanted), whole) in all {
        let wanted = wanted.str().unwrap_or_default();
        let lower = name.to_ascii_lowercase();
        let values: Vec<&str> =
            answer.headers.iter().filter(|(known, _)| *known == lower).map(|(_, value)| value.as_str()).collect();
        // A header given several times is the same as one with a list.
        let joined = values.join(", ");
        let fits = |value: &str| if whole { value == wanted } else { value.contains(wanted) };
        if values.is_empty() || !(values.iter().any(|value| fits(value)) || fits(&joined)) {
            let found = if values.is_empty() { "is not there" } else { "has another value" };
            return wrong(format!("the header {name} {found}"));
        }
    }
    Ok(None)
}

fn contains(params: Params<'_>, answer: &Answer) -> Fares {
    let needle = params.text("body_contains");
    if needle.is_empty() || memchr::memmem::find(&answer.body, needle.as_bytes()).is_some() {
        return Ok(None);
    }
    if answer.truncated {
        return Err(Undecided::truncated());
    }
    wrong("the body does not contain the text")
}

fn json(params: Params<'_>, answer: &Answer) -> Fares {
    let wanted = params.array("body_json");
    if wanted.is_empty() {
        return Ok(None);
    }
    if answer.truncated {
        return Err(Undecided::truncated());
    }
    let document = match content::parsed(&answer.body)? {
        Ok(document) => document,
        Err(wrong) => return Ok(Some(Wrong { words: format!("the body {}", wrong.words), ..wrong })),
    };
    for entry in wanted {
        let pointer = entry.get("pointer").and_then(Json::str).unwrap_or_default();
        let place = Pointer::parse(pointer).ok();
        match place.as_ref().and_then(|place| place.find(&document)) {
            None => return wrong(format!("the body has nothing at {pointer:?}")),
            Some(found) if !equal(found, entry.get("equals").unwrap_or(&Json::Null)) => {
                return wrong(format!("the body has another value at {pointer:?}"));
            }
            Some(_) => {}
        }
    }
    Ok(None)
}
