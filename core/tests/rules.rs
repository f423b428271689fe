//! Rules of the host: what is refused when they are read, and what hostile input costs.

#![allow(clippy::unwrap_used, clippy::expect_used)] // A rule that cannot be read has to fail the test.

use counterfoil::{transcript, verify, Options, Verdict};
use serde_json::{json, Value};

fn rule(key: &str, value: Value) -> Value {
    let mut rule = json!({"name": "deploy", "says": ["deployed"], "needs": {"matches": "helm"}});
    rule[key] = value;
    rule
}

fn error(rules: Value) -> String {
    Options::read(&json!({ "rules": rules })).unwrap_err().to_string()
}

#[test]
fn an_error_names_the_rule_and_the_key() {
    assert_eq!(error(json!({})), "rules: expected a list of rules; found an object");
    assert_eq!(error(json!([3])), "rules[0]: expected an object; found 3");
    assert_eq!(
        error(json!([rule("say", json!("x"))])),
        "rules[0].say: unknown key; a rule has name, says, object, needs"
    );
    assert_eq!(
        error(json!([rule("name", json!("Deploy!"))])),
        "rules[0].name: expected a lower-case letter and then letters, digits, _ or -, at most 40 in all; found \"Deploy!\""
    );
    assert_eq!(error(json!([rule("name", json!("count"))])), "rules[0].name: count is the name of a reader");
    let twice = json!([rule("object", json!("x")), rule("object", json!("y"))]);
    assert_eq!(error(twice), "rules[1].name: rules[0] has the same name");
    assert_eq!(
        error(json!([rule("says", json!([]))])),
        "rules[0].says: expected a list of phrases; found an empty list"
    );
    assert_eq!(
        error(json!([rule("says", json!("deployed"))])),
        "rules[0].says: expected a list of phrases; found \"deployed\""
    );
    assert_eq!(
        error(json!([rule("says", json!(["deployed", "a|b"]))])),
        "rules[0].says[1]: expected one to 8 words without marks; found \"a|b\""
    );
    assert_eq!(error(json!([rule("object", json!(7))])), "rules[0].object: expected a list of phrases; found 7");
    assert_eq!(error(json!([rule("object", json!(" "))])), "rules[0].object: expected a text; found an empty text");
    assert_eq!(
        error(json!([rule("needs", json!({}))])),
        "rules[0].needs: expected at least one of role, tool, matches, status"
    );
    assert_eq!(
        error(json!([rule("needs", json!({"match": "x"}))])),
        "rules[0].needs.match: unknown key; a call can need role, tool, matches, status"
    );
    assert!(error(json!([rule("needs", json!({"role": "shell"}))]))
        .starts_with("rules[0].needs.role: expected one of command,"));
    assert!(error(json!([rule("needs", json!({"status": "good"}))]))
        .starts_with("rules[0].needs.status: expected one of ok,"));
}

#[test]
fn a_rule_is_switched_off_by_its_name() {
    let given = json!({"readers": {"deploy": false}, "rules": [rule("object", json!("x"))]});
    assert_eq!(Options::read(&given).unwrap().readers.get("deploy"), Some(&false));
    let unknown = json!({"readers": {"deplay": false}, "rules": [rule("object", json!("x"))]});
    let error = Options::read(&unknown).unwrap_err().to_string();
    assert!(error.starts_with("readers.deplay: no reader of this name; the readers are call, "), "{error}");
    assert!(error.ends_with(", cited, deploy"), "{error}");
}

#[test]
fn a_wrong_pattern_is_told_on_one_line() {
    let matches = |pattern: &str| error(json!([rule("needs", json!({ "matches": pattern }))]));
    assert_eq!(matches("kubectl|(helm"), "rules[0].needs.matches: not a regular expression: unclosed group");
    assert_eq!(
        matches(r"(\w+)-\1"),
        "rules[0].needs.matches: not a regular expression: backreferences are not supported"
    );
    assert_eq!(
        matches("(a{100}){100}{100}"),
        "rules[0].needs.matches: the pattern takes more than 262144 bytes when compiled"
    );
    assert_eq!(matches(&"a".repeat(1001)), "rules[0].needs.matches: at most 1000 bytes; found 1001");
}

#[test]
fn usual_patterns_are_small_enough() {
    for pattern in
        [r"(?i)\bkubectl\s+(apply|rollout)\b", r"^\w+ --env[= ]prod", r"\d{4}-\d{2}-\d{2}", "helm|kubectl|argocd"]
    {
        let options = json!({"rules": [rule("needs", json!({ "matches": pattern }))]});
        assert!(Options::read(&options).is_ok(), "{pattern}");
    }
}

#[test]
fn an_incomplete_record_accuses_nobody() {
    let options = Options::read(&json!({"rules": [rule("name", json!("roll"))]})).unwrap();
    let turn = transcript::turn(r#"{"reply": "I deployed it.", "calls": [], "complete": "no"}"#).unwrap();
    assert_eq!(verify(&turn, &options).unwrap().claims[0].verdict, Verdict::NotShown);
}

#[test]
fn many_claims_over_many_calls_are_judged_in_linear_time() {
    let rules: Vec<Value> = (0..64)
        .map(|i| json!({"name": format!("rule{i}"), "says": ["deployed"], "needs": {"matches": "(a+)+b", "status": "ok"}}))
        .collect();
    let options = Options::read(&json!({ "rules": rules })).unwrap();
    let line = "a".repeat(2000);
    let calls: Vec<Value> =
        (0..100).map(|_| json!({"tool": "bash", "arguments": {"command": line}, "exit": 0})).collect();
    let reply = "I deployed it. ".repeat(2000);
    let turn = transcript::turn(&json!({"reply": reply, "calls": calls}).to_string()).unwrap();
    let found = verify(&turn, &options).unwrap();
    assert_eq!(found.claims.iter().filter(|c| c.verdict.flagged()).count(), 12);
    assert!(found.line.unwrap().ends_with("more"));
}
