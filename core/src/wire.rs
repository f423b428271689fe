//! JSON text in, JSON text out: all that the bindings call.
//!
//! Inside the crate spans count bytes. Here they are changed to the unit that the caller's language counts in, once
//! per text: claim spans against the joined reply, evidence spans against the output of the call they stand in.
//!
//! Every function that takes text gives an [`Error`] for text that it cannot read: [`ErrorKind::Json`] for what is no JSON,
//! [`ErrorKind::Shape`] for a wrong field, [`ErrorKind::Option`] for a wrong option.

mod model;
mod serialised;
mod spans;
mod stream;

pub(crate) use spans::recode_turns;
pub use spans::{recode_report, recode_verification};
pub use stream::Stream;

use crate::error::{Error, ErrorKind};
use crate::options::Options;
use crate::record::Session;
use crate::render::{html, json::json, Calls};
use crate::text::span::{recode as recode_offsets, Span, Unit};
use crate::verification::{self, Progress};
use crate::{cited as citations, ran as record, readers as all_readers, transcript};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::ControlFlow;
#[cfg(feature = "command")]
use serde_json::json;
use serde_json::{Map, Value};
use spans::{recode_outputs, Offsets};

#[cfg(feature = "command")]
pub(crate) use model::given;
pub use model::{audit, evaluation, failures, finish, finish_many, plan, plan_many};
pub use serialised::recode;

/// Checks one native turn. `None` means that nothing was read.
///
/// `options` is an object, `null` or an empty text.
///
/// ```
/// use counterfoil::{wire, Unit};
///
/// let turn = r#"{"reply": "🎉 All tests pass.", "calls": [{"tool": "bash", "arguments": {"command": "pytest"},
///     "output": "7 passed in 0.31s", "exit": 0}]}"#;
/// let found: serde_json::Value = serde_json::from_str(&wire::verify(turn, "", Unit::Utf16)?.expect("a result")).unwrap();
/// assert_eq!(found["unit"], "utf16");
/// assert_eq!(found["claims"][0]["span"], serde_json::json!({"start": 3, "end": 17}));
///
/// let error = wire::verify(r#"{"reply": 1}"#, "", Unit::Utf16).unwrap_err();
/// assert_eq!(error.to_string(), "reply: expected a text or a list of pieces; found 1");
/// # Ok::<(), counterfoil::Error>(())
/// ```
pub fn verify(turn: &str, options: &str, unit: Unit) -> Result<Option<String>, Error> {
    let options = read_options(options)?;
    let turn = transcript::turn(turn)?;
    Ok(verification::verify(&turn, &options).map(|mut found| {
        recode_verification(&mut found, &turn, unit);
        json(&found)
    }))
}

/// Checks every turn of a session.
///
/// ```
/// use counterfoil::{transcript, wire, Unit};
///
/// let session = transcript::parse(r#"[{"reply": "Hello.", "calls": []}]"#, None)?;
/// let report = wire::verify_session(&session, "{}", Unit::Codepoints)?;
/// assert!(report.starts_with(r#"{"version":"#));
/// # Ok::<(), counterfoil::Error>(())
/// ```
pub fn verify_session(session: &Session, options: &str, unit: Unit) -> Result<String, Error> {
    let report = verify_session_with(session, options, unit, &mut |_, _| ControlFlow::Continue(()))?;
    Ok(report.unwrap_or_default())
}

/// [`verify_session`] with a host that hears how far it has come; `None` when the host broke off.
pub fn verify_session_with(
    session: &Session,
    options: &str,
    unit: Unit,
    progress: &mut Progress<'_>,
) -> Result<Option<String>, Error> {
    let report = verification::verify_session_with(session, &read_options(options)?, progress);
    Ok(report.map(|mut report| {
        recode_report(&mut report, session, unit);
        json(&report)
    }))
}

/// Compares the entry numbers that a reply cites with `entries`, a list of numbers. `null` stands for a
/// conversation whose entries are not known, in which nothing is missing.
///
/// ```
/// assert_eq!(
///     counterfoil::wire::cited("entry 3", "[1, 2]")?,
///     r#"{"numbers":[3],"missing":[3],"capped":false,"line":"cited but not in this conversation: entry 3"}"#,
/// );
/// # Ok::<(), counterfoil::Error>(())
/// ```
pub fn cited(reply: &str, entries: &str) -> Result<String, Error> {
    let value = parse("entries", entries)?;
    let found = if value.is_null() {
        let (numbers, capped) = citations::read(reply);
        verification::Citations { numbers, capped, ..verification::Citations::default() }
    } else {
        let wrong = |place: String| Error::new(ErrorKind::Shape, place, "expected a whole number from 0");
        let list =
            value.as_array().ok_or_else(|| Error::new(ErrorKind::Shape, "entries", "expected a list of numbers"))?;
        let number = |(i, n): (usize, &Value)| n.as_u64().ok_or_else(|| wrong(alloc::format!("entries[{i}]")));
        citations::cited(reply, &list.iter().enumerate().map(number).collect::<Result<Vec<u64>, Error>>()?)
    };
    Ok(json(&found))
}

/// The `ran:` line of a native turn.
///
/// ```
/// let line = counterfoil::wire::ran(r#"{"reply": "Done.", "calls": [{"tool": "bash", "exit": 1}]}"#)?;
/// assert_eq!(line.as_deref(), Some("ran: bash (1 failed)"));
/// # Ok::<(), counterfoil::Error>(())
/// ```
pub fn ran(turn: &str) -> Result<Option<String>, Error> {
    Ok(record::ran(&transcript::turn(turn)?))
}

/// The readers as a list of `{name, about, default}`.
///
/// ```
/// assert!(counterfoil::wire::readers().starts_with(r#"[{"name":"call","about":"#));
/// ```
pub fn readers() -> String {
    json(&all_readers::READERS)
}

/// Every format that is read here as a JSON list: name, about.
///
/// ```
/// assert!(counterfoil::wire::formats().starts_with(r#"[{"name":"native","about":"#));
/// ```
pub fn formats() -> String {
    json(&transcript::FORMATS)
}

/// A native turn checked and shown as an HTML fragment; `None` when nothing was read. Values that look like secrets are
/// masked in it.
pub fn html_turn(turn: &str, options: &str) -> Result<Option<String>, Error> {
    let options = read_options(options)?;
    let turn = transcript::turn(turn)?;
    Ok(verification::verify(&turn, &options).map(|found| html::verification(&turn, &found)))
}

/// A session checked and shown as an HTML fragment. Values that look like secrets are masked in it.
pub fn html_report(session: &Session, options: &str) -> Result<String, Error> {
    let report = verification::verify_session(session, &read_options(options)?);
    Ok(html::report(session, &report))
}

/// What a command line asks for, from its arguments as a JSON list: `{"check": {"files": […], "config": …}}`,
/// `{"convert": {"file": …, "format": …}}`, `{"print": TEXT}` or `{"fail": TEXT, "exit": 2}`.
#[cfg(feature = "command")]
pub fn command_parse(args: &str) -> Result<String, Error> {
    use crate::command::Invocation;
    let wrong = || Error::new(ErrorKind::Shape, "args", "expected a list of texts");
    let Value::Array(args) = parse("args", args)? else { return Err(wrong()) };
    let args =
        args.iter().map(|arg| arg.as_str().map(String::from).ok_or_else(wrong)).collect::<Result<Vec<_>, _>>()?;
    Ok(json(&match crate::command::parse(&args) {
        Invocation::Check(check) => json!({"check": {"files": check.files, "config": check.config}}),
        Invocation::Convert(convert) => json!({"convert": {"file": convert.file, "format": convert.format}}),
        Invocation::Print(text) => json!({"print": text}),
        Invocation::Fail { message, exit } => json!({"fail": message, "exit": exit}),
    }))
}

fn name_of(unit: Unit) -> &'static str {
    match unit {
        Unit::Utf8 => "utf8",
        Unit::Utf16 => "utf16",
        Unit::Codepoints => "codepoints",
    }
}

/// Options from JSON text; an empty text means the default.
pub fn read_options(options: &str) -> Result<Options, Error> {
    if options.trim().is_empty() {
        return Ok(Options::default());
    }
    Options::read(&parse("options", options)?)
}

fn parse(what: &str, text: &str) -> Result<Value, Error> {
    serde_json::from_str(text).map_err(|error| Error::new(ErrorKind::Json, what, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Turn;
    use crate::render::samples::{self, claim, command, turn};
    use crate::verification::{Verdict, Verification};
    use alloc::vec;
    use proptest::prelude::*;

    fn sample() -> (Turn, Verification) {
        let reply = "日本 🎉 All 3 tests passed.";
        let mut one = claim(reply, "All 3 tests passed", Verdict::Supported, None);
        one.call = Some(0);
        one.evidence = Some(Span::new(7, 15));
        (turn(reply, vec![command("npm test", 0, "🎉é 3 passed")]), samples::verification(vec![one]))
    }

    #[test]
    fn spans_count_what_the_language_counts() {
        let (turn, found) = sample();
        for (unit, start, evidence) in [(Unit::Utf8, 12, 7), (Unit::Utf16, 6, 4), (Unit::Codepoints, 5, 3)] {
            let mut found = found.clone();
            recode_verification(&mut found, &turn, unit);
            assert_eq!(found.claims[0].span, Span::new(start, start + 18));
            assert_eq!(found.claims[0].evidence, Some(Span::new(evidence, evidence + 8)));
            assert_eq!(found.unit, unit);
        }
    }

    #[test]
    fn an_output_seen_from_a_later_turn_is_the_earlier_call() {
        let (first, mut seen) = sample();
        seen.claims[0].call = None;
        seen.claims[0].earlier = Some(0);
        let (second, claims) = (turn("日本 🎉 All 3 tests passed.", vec![]), seen.claims);
        let (session, mut report) = samples::report(vec![(first, vec![]), (second, claims)]);
        recode_report(&mut report, &session, Unit::Codepoints);
        let found = report.turns[1].verification.as_ref().unwrap();
        assert_eq!(found.claims[0].evidence, Some(Span::new(3, 11)));
        assert_eq!((report.unit, found.unit), (Unit::Codepoints, Unit::Codepoints));
    }

    #[test]
    fn a_serialised_result_is_recoded_and_its_evidence_left_out_without_the_turn() {
        let (turn, found) = sample();
        let text = recode(&json(&found), &turn.text(), None, Unit::Utf16).unwrap();
        let mut expected = found.clone();
        recode_verification(&mut expected, &turn, Unit::Utf16);
        expected.claims[0].evidence = None;
        assert_eq!(text, json(&expected));
        assert_eq!(recode(&json(&found), &turn.text(), None, Unit::Utf8).unwrap(), json(&found));
        let error = recode(&json(&found), "", None, Unit::Utf8).unwrap_err();
        assert_eq!(error.to_string(), "claims[0].span: the reply has no such place; it is 0 long in utf8");
    }

    #[test]
    fn what_is_no_result_is_an_error() {
        assert_eq!(recode("{", "", None, Unit::Utf8).unwrap_err().kind(), ErrorKind::Json);
        assert_eq!(recode("{}", "", None, Unit::Utf8).unwrap_err().kind(), ErrorKind::Shape);
    }

    #[test]
    fn entries_are_a_list_or_null() {
        let found = cited("entry 3", "[1, 2]").unwrap();
        assert_eq!(
            found,
            r#"{"numbers":[3],"missing":[3],"capped":false,"line":"cited but not in this conversation: entry 3"}"#
        );
        assert_eq!(cited("entry 3", "null").unwrap(), r#"{"numbers":[3],"missing":[],"capped":false,"line":null}"#);
        let error = cited("entry 3", "[1, -2]").unwrap_err();
        assert_eq!(alloc::format!("{error}"), "entries[1]: expected a whole number from 0");
        assert_eq!(cited("", "[").unwrap_err().kind(), ErrorKind::Json);
    }

    #[test]
    fn every_reader_is_described() {
        assert!(readers().starts_with(r#"[{"name":"call","about":"#));
    }

    #[test]
    fn options_may_be_left_out() {
        for text in ["", " ", "null", "{}"] {
            assert_eq!(read_options(text), Ok(Options::default()));
        }
        assert_eq!(read_options("{").unwrap_err().path(), "options");
    }

    #[cfg(feature = "command")]
    #[test]
    fn arguments_come_and_go_as_json() {
        assert_eq!(
            command_parse(r#"["check", "a", "--config=c.toml"]"#).unwrap(),
            r#"{"check":{"config":"c.toml","files":["a"]}}"#
        );
        assert!(command_parse(r#"["--nope"]"#)
            .unwrap()
            .starts_with(r#"{"exit":2,"fail":"counterfoil: unknown flag --nope"#));
        assert_eq!(command_parse("[1]").unwrap_err().kind(), ErrorKind::Shape);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(?s).{0,40}", start in any::<usize>(), end in any::<usize>()) {
            let _ = verify(&text, &text, Unit::Utf16);
            let _ = cited(&text, &text);
            let _ = ran(&text);
            let _ = html_turn(&text, "");
            let (turn, mut found) = sample();
            found.claims[0].span = Span::new(start, end);
            found.claims[0].evidence = Some(Span::new(end, start));
            found.claims[0].call = Some(start);
            let result = json(&found);
            let _ = recode(&result, &text, None, Unit::Utf16);
            recode_verification(&mut found, &turn, Unit::Codepoints);
        }
    }
}
