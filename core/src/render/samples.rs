//! Results built by hand, for the tests of the views.

use crate::record::{Call, Piece, Session, Status, Turn};
use crate::verification::*;
use crate::{Span, Unit};
use alloc::vec;
use alloc::vec::Vec;
use serde_json::json;

/// A claim of the quoted words.
pub(crate) fn claim(reply: &str, quote: &str, verdict: Verdict, reason: Option<&str>) -> Claim {
    let start = reply.find(quote).expect("the quote stands in the reply");
    Claim {
        reader: "outcome".into(),
        text: quote.into(),
        verdict,
        reason: reason.map(Into::into),
        span: Span::new(start, start + quote.len()),
        line: reply[..start].matches('\n').count() + 1,
        call: None,
        earlier: None,
        evidence: None,
    }
}

/// A verification of some claims.
pub(crate) fn verification(claims: Vec<Claim>) -> Verification {
    let flagged = claims.iter().any(|c| c.verdict.flagged());
    Verification {
        version: crate::VERSION.into(),
        unit: Unit::Utf8,
        status: if flagged { Outcome::Unsupported } else { Outcome::Verified },
        method: "readers".into(),
        calls: 1,
        complete: "yes".into(),
        wants: vec![],
        failure: None,
        answer: None,
        line: super::line::line(&claims, 0),
        claims,
        canaries: vec![],
        joined: None,
    }
}

/// A turn with one reply and some calls.
pub(crate) fn turn(reply: &str, calls: Vec<Call>) -> Turn {
    Turn { reply: vec![Piece { text: reply.into(), interim: false }], calls: Some(calls), ..Turn::default() }
}

/// A command that ended with an exit status.
pub(crate) fn command(line: &str, exit: i64, output: &str) -> Call {
    Call {
        tool: "bash".into(),
        arguments: json!({ "command": line }),
        output: Some(output.into()),
        status: if exit == 0 { Status::Ok } else { Status::Error },
        exit: Some(exit),
        ..Call::default()
    }
}

/// A session of these turns with a report that holds these claims.
pub(crate) fn report(turns: Vec<(Turn, Vec<Claim>)>) -> (Session, Report) {
    let mut found = Vec::new();
    let mut totals = Totals::default();
    for (i, (turn, claims)) in turns.iter().enumerate() {
        totals.turns += 1;
        totals.calls += turn.calls.as_ref().map_or(0, Vec::len);
        totals.claims += claims.len();
        for claim in claims.iter().filter(|c| c.verdict.flagged()) {
            totals.flagged += 1;
            *totals.by_reader.entry(claim.reader.clone()).or_default() += 1;
        }
        let verification = (!claims.is_empty()).then(|| verification(claims.clone()));
        found.push(TurnReport { turn: i + 1, ran: crate::ran::ran(turn), cited: None, verification });
    }
    let session = Session { turns: turns.into_iter().map(|(turn, _)| turn).collect(), ..Session::default() };
    let report = Report { version: crate::VERSION.into(), unit: Unit::Utf8, turns: found, totals };
    (session, report)
}

/// Three turns: a verified one, one with a contradicted and an unsupported claim, one without calls.
pub(crate) fn story() -> (Session, Report) {
    let first = "The folder holds 2 files.";
    let second = "## Done\n\n日本語 🎉 All 42 tests pass, and the build is green.\n\nI notified Ana.";
    let mut found = claim(first, "holds 2 files", Verdict::Supported, None);
    found.call = Some(0);
    found.evidence = Some(Span::new(0, 1));
    let mut tests = claim(second, "All 42 tests pass", Verdict::Contradicted, Some("the test output says 3 failed"));
    tests.call = Some(1);
    tests.evidence = Some(Span::new(18, 26));
    let mut told = claim(second, "I notified Ana", Verdict::Unsupported, Some("no call in this turn notified anyone"));
    told.reader = "notification".into();
    told.earlier = Some(0);
    report(vec![
        (turn(first, vec![command("ls | wc -l", 0, "2\n")]), vec![found]),
        (
            turn(
                second,
                vec![
                    command("npm run build", 0, "ok"),
                    command("npm test", 1, "\n> app test\n\n  39 passed, 3 failed\n"),
                ],
            ),
            vec![tests, told],
        ),
        (turn("Nothing to add.", vec![]), vec![]),
    ])
}
