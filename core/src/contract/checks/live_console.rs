//! A session's browser reported no error, or one that is looked for.
//!
//! # Sees
//! The whole log of a session: `{events: [{type, level, text, url, media_ts}], complete, from_ts, to_ts}`.
//!
//! # Decides
//! An error is a `page_error`, `request_failed`, `navigation_failed`, `target_crashed`, or a `console` message of the level error.
//! A log without any event of a browser decides nothing: nobody was listening. That there is no error is said only of a whole log
//! that reaches past `since_media_ts`.
use super::super::fields::Fields;
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
    let nothing = |words: String| Err(Undecided::new(Code::EvidenceAbsent, words));
    let Some(fields) = look.fields(&["events", "complete", "from_ts", "to_ts"])? else {
        return nothing(format!("there is no record of session {session}"));
    };
    let events = events(&fields, params)?;
    let since = params.decimal("since_media_ts");
    let reaches =
        since.as_ref().is_none_or(|since| fields.value("to_ts").and_then(Decimal::of).is_some_and(|end| end > *since));
    let complete = fields.bool("complete").map_err(unread)?.unwrap_or(false) && !look.truncated && reaches;
    let errors: Vec<&Event<'_>> = events.iter().filter(|event| event.is_error).collect();
    let expected =
        object([("expect", params.text("expect").into()), ("pattern", params.value("pattern").cloned().into())]);
    let first = errors.first().map(|event| event.text);
    let observed = object([
        ("browser_events", events.len().into()),
        ("errors", errors.len().into()),
        ("first_error", first.into()),
    ]);
    let found = format!("session {session}: {} errors in {} events of the browser", errors.len(), events.len());
    if events.is_empty() {
        return nothing(format!(
            "session {session} has no event of a browser{}",
            if since.is_some() { " after since_media_ts" } else { "" }
        ));
    }
    let incomplete =
        || nothing(format!("session {session}: the log is not whole, so that what is not in it may have been"));
    if params.text("expect") == "none" {
        return match errors.len() {
            0 if complete => pass(expected, observed, found),
            0 => incomplete(),
            _ => fail(expected, observed, found),
        };
    }
    let wanted = params.value("pattern").and_then(Json::str).map(pattern).transpose().map_err(Undecided::malformed)?;
    let met = errors.iter().any(|event| wanted.as_ref().is_none_or(|wanted| wanted.is_match(event.text)));
    match met {
        true => pass(expected, observed, found),
        false if complete => fail(expected, observed, format!("{found}; the expected one is not among them")),
        false => incomplete(),
    }
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
