//! Verdicts of proofs of read beside the claims of a session, and in what is shown of them.
#![allow(clippy::unwrap_used)]

use counterfoil::render::{html, text};
use counterfoil::{transcript, verify, verify_session, Options, Outcome, ProofState};
use serde_json::json;

fn options(sessions: &[(&str, &str)]) -> Options {
    let canary = |(session, state): &(&str, &str)| json!({"session": session, "url": format!("http://localhost:8080/canary/{session}"), "state": state, "required": true});
    Options::read(&json!({"canaries": sessions.iter().map(canary).collect::<Vec<_>>()})).unwrap()
}

const SESSION: &str = r#"[
    {"user": "Read http://localhost:8080/canary/one.", "reply": "The value is 7.",
     "calls": [{"tool": "web_fetch", "arguments": {"url": "http://localhost:8080/canary/one"}, "output": "Sentinel: 7"}]},
    {"user": "Now http://localhost:8080/canary/two.", "reply": "I read http://localhost:8080/canary/two.", "calls": []},
    {"user": "Thanks.", "reply": "Bye.", "calls": []}
]"#;

#[test]
fn a_verdict_stands_in_the_turns_that_name_its_address() {
    let session = transcript::parse(SESSION, None).unwrap();
    let given = options(&[("one", "READ_VERIFIED"), ("two", "HALLUCINATED"), ("lost", "READ_STALE")]);
    let report = verify_session(&session, &given);
    let shown: Vec<Vec<&str>> = report
        .turns
        .iter()
        .map(|turn| turn.verification.iter().flat_map(|v| &v.canaries).map(|c| c.session.as_str()).collect())
        .collect();
    assert_eq!(shown, [vec!["one"], vec!["two"], vec!["lost"]], "what no turn names stands in the last");
    assert_eq!((report.totals.claims, report.totals.flagged), (1, 1));
    let first = report.turns[0].verification.as_ref().unwrap();
    assert_eq!((first.status, first.claims.len(), first.line.as_deref()), (Outcome::NotShown, 0, None));
    assert_eq!(first.canaries[0].meaning, ProofState::ReadVerified.meaning());
    let line = report.turns[1].verification.as_ref().and_then(|v| v.line.clone()).unwrap();
    assert!(line.contains("came out as HALLUCINATED, and no call shows that it was fetched"), "{line}");
}

#[test]
fn every_view_shows_a_verdict_with_what_it_means() {
    let session = transcript::parse(SESSION, None).unwrap();
    let report = verify_session(&session, &options(&[("one", "READ_VERIFIED"), ("two", "HALLUCINATED")]));
    let page = html::report(&session, &report);
    let shown = text::report(&session, &report, &text::Style::default());
    for (session, state) in [("one", ProofState::ReadVerified), ("two", ProofState::Hallucinated)] {
        let line = format!(
            "proof of read: {} http://localhost:8080/canary/{session} (session {session}, required): {}",
            state.name(),
            state.meaning()
        );
        assert!(shown.contains(&line), "{shown}");
        assert!(page.contains(&line), "{page}");
    }
    let turn = &session.turns[1];
    let found = verify(turn, &options(&[("two", "HALLUCINATED")])).unwrap();
    assert!(text::verification(turn, &found, &text::Style::default()).contains("proof of read: HALLUCINATED"));
    assert!(html::verification(turn, &found).contains("proof of read: HALLUCINATED"));
}

#[test]
fn without_a_record_there_is_no_result() {
    let turn = transcript::turn(r#"{"reply": "I read http://localhost:8080/canary/one."}"#).unwrap();
    assert_eq!(verify(&turn, &options(&[("one", "HALLUCINATED")])), None);
}

#[test]
fn what_an_earlier_turn_gave_leaves_a_later_claim_alone() {
    let claim = r#"{"user": "Now read http://localhost:8080/canary/one.", "reply": "I read http://localhost:8080/canary/one.", "calls": []}"#;
    let before = |turn: &str| {
        let session = transcript::parse(&format!("[{turn}, {claim}]"), None).unwrap();
        verify_session(&session, &options(&[("one", "HALLUCINATED")])).totals.flagged
    };
    let paste = r#"{"user": "I pasted the page: the harbour opens at nine.", "reply": "Thanks.", "calls": []}"#;
    assert_eq!(before(paste), 0);
    assert_eq!(before(&paste.replace("I pasted the page: the", "The")), 1, "an earlier message about something else");
    let call = |tool: &str| {
        format!(
            r#"{{"user": "Go.", "reply": "Done.", "calls": [{{"tool": "{tool}", "arguments": {{"id": 7}}, "output": "9"}}]}}"#
        )
    };
    assert_eq!(before(&call("mcp__probe__get")), 0);
    assert_eq!(before(&call("list_files")), 1);
}

#[test]
fn many_turns_that_name_a_page_take_no_time_of_their_square() {
    let turn = json!({
        "user": "Read http://localhost:8080/canary/one.",
        "reply": "I read http://localhost:8080/canary/one.",
        "calls": [{"tool": "web_fetch", "arguments": {"url": "http://localhost:8080/canary/one"}, "output": "403 Forbidden"}],
    });
    let session = transcript::parse(&json!(vec![turn; 3000]).to_string(), None).unwrap();
    let report = verify_session(&session, &options(&[("one", "HALLUCINATED")]));
    assert_eq!((report.totals.claims, report.totals.flagged), (256, 256), "beyond so many calls it is left alone");
}

#[test]
fn many_verdicts_and_many_claims_take_no_time_of_their_product() {
    let claims: Vec<String> = (0..1000).map(|i| format!("I read http://localhost:8080/canary/n{i}.")).collect();
    let turn = json!({"reply": claims.join("\n\n"), "calls": [{"tool": "ls", "arguments": {}, "output": "x".repeat(1_000_000)}]});
    let turn = transcript::turn(&turn.to_string()).unwrap();
    let names: Vec<String> = (0..5000).map(|i| format!("n{i}")).collect();
    let given: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "HALLUCINATED")).collect();
    let found = verify(&turn, &options(&given)).unwrap();
    assert_eq!(found.canaries.len(), 5000);
}
