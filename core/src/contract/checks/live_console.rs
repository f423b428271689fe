//! A session's browser reported no error, or one that is looked for.
//!
//! # Sees
//! The whole log of a session: `{events: [{type, level, text, url, media_ts}], complete, from_ts, to_ts}`.
//!
//! # Decides
//! An error is a `page_error`, `request_failed`, `navigation_failed`, `target_crashed`, or a `console` message of the level error.
//! A log without any event of a browser decides nothing: nobody was listening. That there is no error is said only of a whole log
//! that reaches past `since_media_ts`.
use super::super::params::pattern;
use super::prelude::*;

/// The most events of a log.
const EVENTS: usize = 200_000;
/// What is an error by its type.
const ERRORS: &[&str] = &["page_error", "request_failed", "navigation_failed", "target_crashed"];
/// What else only a browser reports.
const OTHERS: &[&str] =
    &["console", "request", "response", "navigation", "load", "dom_content_loaded", "dialog", "websocket"];

pub(super) const TYPE: CheckType = CheckType {
    name: "live_console",
    about: "the log of a session's browser holds no error, or one that is looked for",
    capabilities: &[Capability::Console],
    params: &[
        must("session_id", Kind::Term, "the session"),
        or("expect", Kind::Word(&["none", "error"]), "\"none\"", "whether there has to be no error, or one"),
        may("pattern", Kind::Pattern, "what the text of the expected error holds"),
        may("since_media_ts", Kind::Size, "the time in the session from which on events count"),
    ],
    validate: |terms| {
        let (expect, pattern) = (terms.params.text("expect"), terms.params.has("pattern"));
        if pattern && expect == "none" {
            return Err(fault(
                "pattern",
                "it names an error that is expected; with expect: \"none\" every error counts",
            ));
        }
        Ok(())
    },
    requests: |params| {
        [Request::new("log", Capability::Console).given(params, "session_id").with("max_events", EVENTS)].into()
    },
    decide,
};

/// An event from the time on that counts.
struct Event<'a> {
    is_error: bool,
    text: &'a str,
}

fn decide(case: &Case<'_>) -> Decided {
    let (look, params) = (case.look("log")?, case.params);
    let session = params.text("session_id");
    let Some(fields) = look.fields(&["events", "complete", "from_ts", "to_ts"])? else {
        return absent(format!("there is no record of session {session}"));
    };
    let events = events(&fields, params)?;
    let errors: Vec<&str> = events.iter().filter(|event| event.is_error).map(|event| event.text).collect();
    let is_whole = is_whole(&fields, &look, params)?;
    let expected =
        object([("expect", params.text("expect").into()), ("pattern", params.value("pattern").cloned().into())]);
    let observed = object([
        ("browser_events", events.len().into()),
        ("errors", errors.len().into()),
        ("first_error", errors.first().copied().into()),
    ]);
    if events.is_empty() {
        let after = if params.has("since_media_ts") { " after since_media_ts" } else { "" };
        return absent(format!("session {session} has no event of a browser{after}"));
    }
    let found = format!("session {session}: {} errors in {} events of the browser", errors.len(), events.len());
    let wanted = params.value("pattern").and_then(Json::str).map(pattern).transpose().map_err(Undecided::malformed)?;
    let none = params.text("expect") == "none";
    let met = if none {
        errors.is_empty()
    } else {
        errors.iter().any(|text| wanted.as_ref().is_none_or(|wanted| wanted.is_match(text)))
    };
    // An error that was seen is a fact. That there is none, or not the expected one, is a fact about the whole log.
    if none == met && !is_whole {
        return absent(format!("session {session}: the log is not whole, so that more may have happened"));
    }
    Ok(Decision::of(met, expected, observed, found))
}

/// Whether the log holds all that happened from the time on that counts, and reaches past that time.
fn is_whole(fields: &Fields<'_>, look: &Look<'_>, params: Params<'_>) -> Result<bool, Undecided> {
    let end = fields.value("to_ts").and_then(Decimal::of);
    let reaches = params.decimal("since_media_ts").is_none_or(|since| end.is_some_and(|end| end > since));
    Ok(fields.bool("complete").map_err(unread)?.unwrap_or(false) && !look.truncated && reaches)
}

/// The events of the browser from the time on that counts.
fn events<'a>(fields: &Fields<'a>, params: Params<'_>) -> Result<Vec<Event<'a>>, Undecided> {
    let since = params.decimal("since_media_ts");
    let items = fields.array("events", EVENTS).map_err(unread)?.ok_or_else(|| unread(fault("events", "missing")))?;
    let mut events = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let inside = |error: ContractError| unread(error.inside(&format!("events[{index}]")));
        let event = Fields::of(item, &["type", "level", "text", "url", "media_ts"]).map_err(inside)?;
        let kind = event.text("type", 100).map_err(inside)?.ok_or_else(|| inside(fault("type", "missing")))?;
        let level = event.text("level", 100).map_err(inside)?;
        let text = event.text("text", 100_000).map_err(inside)?.unwrap_or_default();
        let is_error = ERRORS.contains(&kind) || (kind == "console" && level == Some("error"));
        if !is_error && !OTHERS.contains(&kind) {
            continue;
        }
        if let Some(since) = &since {
            let time = event.value("media_ts").and_then(Decimal::of);
            if time.ok_or_else(|| inside(fault("media_ts", "missing")))? < *since {
                continue;
            }
        }
        events.push(Event { is_error, text });
    }
    Ok(events)
}
