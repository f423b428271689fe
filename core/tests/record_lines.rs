//! The two record lines against the vectors that every language runs.

#![allow(clippy::expect_used)] // A vector that cannot be read has to fail the test.

use counterfoil::{cited, ran, Turn};
use serde_json::Value;

fn cases(text: &str) -> Vec<Value> {
    let file: Value = toml::from_str(text).expect("the vectors are TOML");
    file["case"].as_array().expect("a list of cases").clone()
}

/// The case's own keys are unknown to the native reader, which leaves them out.
fn turn_from(case: &Value) -> Turn {
    let mut fields = case.clone();
    fields["reply"] = Value::from(case["reply"].as_str().unwrap_or_default());
    counterfoil::transcript::turn_from(fields).expect("a native turn")
}

/// Numbers and pairs that stand for every number from the first to the second.
fn numbers(list: &Value) -> Vec<u64> {
    let mut all = Vec::new();
    for item in list.as_array().into_iter().flatten() {
        match item {
            Value::Array(pair) => all.extend(pair[0].as_u64().expect("a number")..=pair[1].as_u64().expect("a number")),
            other => all.push(other.as_u64().expect("a number")),
        }
    }
    all
}

#[test]
fn the_ran_line_is_what_the_vectors_say() {
    for case in cases(include_str!("../../tests/vectors/ran.toml")) {
        assert_eq!(ran::ran(&turn_from(&case)).as_deref(), case["line"].as_str(), "{}", case["name"]);
    }
}

#[test]
fn cited_entries_are_what_the_vectors_say() {
    for case in cases(include_str!("../../tests/vectors/cited.toml")).iter().filter(|case| case["claims"].is_null()) {
        let reply = case["reply"].as_str().expect("a reply");
        let expected = numbers(&case["numbers"]);
        let entries = case["store"].as_u64().map_or_else(|| expected.clone(), |last| (1..=last).collect());
        let found = cited::cited(reply, &entries);
        assert_eq!(found.numbers, expected, "{}: numbers", case["name"]);
        assert_eq!(found.missing, numbers(&case["missing"]), "{}: missing", case["name"]);
        assert_eq!(found.capped, case["capped"].as_bool().unwrap_or(false), "{}: capped", case["name"]);
        assert_eq!(found.line.as_deref(), case["line"].as_str(), "{}: line", case["name"]);
    }
}
