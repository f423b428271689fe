//! A session's browser reported no error, or one that is looked for.
//!
//! # Sees
//! The whole log of a session: `{events: [{type, level, text, url, media_ts}], complete, from_ts, to_ts}`.
//!
//! # Decides
//! An error is a `page_error`, `request_failed`, `navigation_failed`, `target_crashed`, or a `console` message of the level error or
//! assert. A log without any event of a browser decides nothing: nobody was listening. That there is no error is said only of a whole
//! log that begins by `since_media_ts`, or by the start of the session, reaches past it, and holds no event of a type or a level that
//! is not known: it might be an error under another name.
use super::super::params::pattern;
use super::prelude::*;

/// The most events of a log.
const EVENTS: usize = 200_000;
/// What is an error by its type.
const ERRORS: &[&str] = &["page_error", "request_failed", "navigation_failed", "target_crashed"];
/// What else only a browser reports.
const OTHERS: &[&str] =
    &["console", "request", "response", "navigation", "load", "dom_content_loaded", "dialog", "websocket"];
/// What a session records beside its browser.
const BESIDE: &[&str] = &["frame", "note"];
/// The levels of a message that are errors.
const ERROR_LEVELS: &[&str] = &["error", "assert"];
/// The other levels, as browsers and their drivers name them.
#[rustfmt::skip]
const LEVELS: &[&str] = &[
    "log", "info", "debug", "verbose", "trace", "warn", "warning", "dir", "dirxml", "table", "clear", "count", "time", "timeend",
    "group", "startgroup", "startgroupcollapsed", "endgroup", "profile", "profileend",
];

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

/// The events of the browser, and the first type or level that is not known.
struct Events<'a> {
    events: Vec<Event<'a>>,
    unknown: Option<String>,
}

/// Whether an event is an error of the browser, or why that is not known; nothing if it is not of the browser.
fn kind(kind: &str, level: Option<&str>) -> Option<Result<bool, String>> {
    let (lower, level) = (kind.to_ascii_lowercase(), level.unwrap_or_default());
    match lower.as_str() {
        name if BESIDE.contains(&name) => None,
        name if ERRORS.contains(&name) => Some(Ok(true)),
        "console" => Some(match level.to_ascii_lowercase().as_str() {
            name if ERROR_LEVELS.contains(&name) => Ok(true),
            name if LEVELS.contains(&name) => Ok(false),
            _ => Err(format!("the level {level:?}")),
        }),
        name if OTHERS.contains(&name) => Some(Ok(false)),
        _ => Some(Err(format!("an event of the type {kind:?}"))),
    }
}

fn decide(case: &Case<'_>) -> Decided {
    let (look, params) = (case.look("log")?, case.params);
    let session = params.text("session_id");
    let Some(fields) = look.fields(&["events", "complete", "from_ts", "to_ts"])? else {
        return absent(format!("there is no record of session {session}"));
    };
    let Events { events, unknown } = events(&fields, params)?;
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
    if let Some(name) = unknown.filter(|_| none == met) {
        return absent(format!("session {session}: {name} is not known, and may be an error"));
    }
    Ok(Decision::of(met, expected, observed, found))
}

/// Whether the log holds all that happened from the time on that counts, and reaches past that time.
fn is_whole(fields: &Fields<'_>, look: &Look<'_>, params: Params<'_>) -> Result<bool, Undecided> {
    let time = |name| fields.value(name).and_then(Decimal::of);
    let Some(since) = params.decimal("since_media_ts").or_else(|| Decimal::parse("0")) else { return Ok(false) };
    let covers = time("from_ts").zip(time("to_ts")).is_some_and(|(from, to)| from <= since && to > since);
    Ok(fields.bool("complete").map_err(unread)?.unwrap_or(false) && !look.truncated && covers)
}

/// The events of the browser from the time on that counts.
fn events<'a>(fields: &Fields<'a>, params: Params<'_>) -> Result<Events<'a>, Undecided> {
    let since = params.decimal("since_media_ts");
    let items = fields.array("events", EVENTS).map_err(unread)?.ok_or_else(|| unread(fault("events", "missing")))?;
    let (mut events, mut unknown) = (Vec::new(), None);
    for (index, item) in items.iter().enumerate() {
        let inside = |error: ContractError| unread(error.inside(&format!("events[{index}]")));
        let event = Fields::of(item, &["type", "level", "text", "url", "media_ts"]).map_err(inside)?;
        let name = event.text("type", 100).map_err(inside)?.ok_or_else(|| inside(fault("type", "missing")))?;
        let level = event.text("level", 100).map_err(inside)?;
        let text = event.text("text", 100_000).map_err(inside)?.unwrap_or_default();
        let Some(is_error) = kind(name, level) else { continue };
        if let Some(since) = &since {
            let time = event.value("media_ts").and_then(Decimal::of);
            if time.ok_or_else(|| inside(fault("media_ts", "missing")))? < *since {
                continue;
            }
        }
        match is_error {
            Ok(is_error) => events.push(Event { is_error, text }),
            Err(name) => unknown = unknown.or(Some(name)),
        }
    }
    Ok(Events { events, unknown })
}
