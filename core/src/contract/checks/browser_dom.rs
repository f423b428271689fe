//! An element of a page is there, or is as expected.
//!
//! # Sees
//! One page in a fresh browser of the host's own, which reads and does nothing else: how it came to rest, how many elements fit,
//! and of the first of them `{attached, visible, enabled, text, value, attribute}`.
//!
//! # Decides
//! What never appeared, or is no longer attached, fails, whatever was expected of it, but for `absent`: that passes only on a page
//! that was seen whole, is no error page and came to rest, because from any other nothing is known to be absent.
use super::super::caseless::fold;
use super::super::params::pattern;
use super::net;
use super::prelude::*;
use super::selector::needs_playwright;

const MODES: &[&str] = &["exists", "absent", "text", "attribute", "value", "visible", "enabled"];
/// Those that compare a text.
const TEXTS: &[&str] = &["text", "attribute", "value"];
/// The most characters of a text of the page that are compared.
const CHARACTERS: usize = 1 << 18;

pub(super) const TYPE: CheckType = CheckType {
    name: "browser_dom",
    about: "an element of a page exists, is absent, or has the expected text, value, attribute or state",
    capabilities: &[Capability::Browser],
    params: &[
        must("url", Kind::Url, "the page; its origin is one of allowed_origins"),
        must("selector", Kind::Term, "the element, in CSS"),
        or("mode", Kind::Word(MODES), "\"exists\"", "what is looked at"),
        may(
            "expected",
            Kind::Own("boolean, string or null", scalar),
            "what is expected of it; of a text, without it, any",
        ),
        or(
            "match",
            Kind::Word(&["exact", "contains", "regex"]),
            "\"exact\"",
            "how a text is compared; `contains` is without case",
        ),
        may("attribute", Kind::Term, "the name of the attribute, in the mode of that name"),
        net::TIMEOUT,
        net::SETTLE,
        net::READY,
        or("strict", Kind::Bool, "false", "whether exactly one element has to fit"),
        or("selector_kind", Kind::Word(&["css", "playwright"]), "\"css\"", "the language of the selector"),
    ],
    validate,
    requests: |params| {
        let request = net::page_request(params, Capability::Browser);
        let request =
            ["selector", "selector_kind", "mode", "attribute"].iter().fold(request, |r, name| r.given(params, name));
        [request.with("max_characters", CHARACTERS)].into()
    },
    decide,
};

fn scalar(value: &Json) -> Result<(), ContractError> {
    match value {
        Json::Null | Json::Bool(_) | Json::String(_) => Ok(()),
        other => Err(fault("", format!("expected true, false, a string or null; found {}", other.kind()))),
    }
}

fn validate(terms: &Terms<'_>) -> Result<(), ContractError> {
    let params = terms.params;
    let (mode, matching) = (params.text("mode"), params.text("match"));
    if params.text("selector_kind") == "css" && needs_playwright(params.text("selector")) {
        return Err(fault("selector", "it is not of CSS; write CSS, or selector_kind: \"playwright\""));
    }
    if params.has("attribute") != (mode == "attribute") {
        return Err(fault("attribute", "the mode attribute, and no other, needs the name of one"));
    }
    if matching != "exact" && !TEXTS.contains(&mode) {
        return Err(fault("match", format!("the mode {mode} compares no text")));
    }
    let fits = match (mode, params.value("expected")) {
        (_, None) => matching == "exact",
        ("visible" | "enabled", Some(Json::Bool(_))) | ("exists", Some(Json::Bool(true))) => true,
        ("exists", Some(Json::Bool(false))) => {
            return Err(fault("expected", "what is not to exist is the mode absent"))
        }
        ("text" | "value" | "attribute", Some(Json::String(_))) => true,
        ("attribute", Some(Json::Null)) => matching == "exact",
        _ => false,
    };
    if !fits {
        return Err(fault("expected", format!("it does not fit the mode {mode} with match {matching}")));
    }
    match params.value("expected").and_then(Json::str) {
        Some(text) if matching == "regex" => pattern(text).map(|_| ()).map_err(|message| fault("expected", message)),
        Some("") if matching == "contains" => Err(fault("expected", "every text contains the empty one")),
        _ => Ok(()),
    }
}

fn decide(case: &Case<'_>) -> Decided {
    let params = case.params;
    let look = net::look(case, "page")?;
    let own = ["match_count", "attached", "visible", "enabled", "text", "value", "attribute"];
    let (fields, page) = net::page(case, &look, &own)?;
    let count = whole(&fields, "match_count", 0, 1 << 30)?;
    let attached = fields.bool("attached").map_err(unread)?.unwrap_or(true);
    let (mode, selector) = (params.text("mode"), params.text("selector"));
    let expected = object([
        ("mode", mode.into()),
        ("expected", params.value("expected").cloned().into()),
        ("match", params.text("match").into()),
    ]);
    let [matches, status] = [("match_count", count.into()), ("http_status", page.status.into())];
    match mode {
        "absent" if count > 0 => {
            fail(expected, object([matches, status]), format!("{selector} is on the page, {count} times"))
        }
        // The element may be in the part that was not seen.
        _ if count == 0 && look.truncated => Err(Undecided::truncated()),
        "absent" => match page.unfit() {
            Some(undecided) => Err(undecided),
            None => pass(expected, object([matches, status]), format!("{selector} is not on the page")),
        },
        _ if count == 0 || !attached => {
            fail(expected, object([matches, status]), format!("{selector} never appeared on the page"))
        }
        _ if params.bool("strict") && count > 1 => {
            fail(expected, object([matches, status]), format!("{selector} fits {count} elements, not one"))
        }
        _ => {
            let (seen, passed, words) = first(params, &fields, &look)?;
            let observed = object([matches, status, (mode, seen)]);
            Ok(Decision::of(passed, expected, observed, format!("{selector} {words}")))
        }
    }
}

/// Compares the first element: what was seen, whether it fits, and that in words.
fn first(params: Params<'_>, fields: &Fields<'_>, look: &Look<'_>) -> Result<(Json, bool, String), Undecided> {
    match params.text("mode") {
        "exists" => Ok((Json::Bool(true), true, "is on the page".to_string())),
        mode @ ("visible" | "enabled") => {
            let state = fields.bool(mode).map_err(unread)?.ok_or_else(|| unread(fault(mode, "missing")))?;
            let wanted = params.value("expected").and_then(Json::bool).unwrap_or(true);
            Ok((state.into(), state == wanted, format!("is {}{mode}", if state { "" } else { "not " })))
        }
        _ => text(params, fields, look),
    }
}

/// The same for a text of it.
fn text(params: Params<'_>, fields: &Fields<'_>, look: &Look<'_>) -> Result<(Json, bool, String), Undecided> {
    let mode = params.text("mode");
    let seen = fields.text(mode, CHARACTERS).map_err(unread)?;
    let seen = if mode == "text" { seen.map(str::trim) } else { seen };
    let wanted = params.value("expected");
    let Some(seen) = seen else {
        return match mode {
            "value" => Err(Undecided::malformed(format!("{} is no field with a value", params.text("selector")))),
            "text" => Err(unread(fault("text", "missing"))),
            _ => {
                let wanted_none = wanted.is_some_and(Json::is_null);
                Ok((Json::Null, wanted_none, format!("has no attribute {}", params.text("attribute"))))
            }
        };
    };
    let fits = match (params.text("match"), wanted) {
        (_, None) => !seen.is_empty(),
        (_, Some(Json::Null)) => false,
        ("contains", Some(wanted)) => fold(seen).contains(&fold(wanted.str().unwrap_or_default())),
        ("regex", Some(wanted)) => {
            pattern(wanted.str().unwrap_or_default()).map_err(Undecided::malformed)?.is_match(seen)
        }
        (_, Some(wanted)) => wanted.str() == Some(seen),
    };
    // Of a text that was cut, what was found in it stays found, and nothing else is known.
    let settled = match (params.text("match"), wanted) {
        ("contains", Some(_)) | (_, None) => fits,
        (_, Some(wanted)) => wanted.is_null(),
    };
    if look.truncated && !settled {
        return Err(Undecided::truncated());
    }
    let words = format!("has {} {mode}", if fits { "the expected" } else { "another" });
    Ok((seen.into(), fits, words))
}
