//! The cases of `tests/contract/*.json`, which every package runs; `tests/contract/README.md` has their shape.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../tests/contract.rs"]
mod runner;

use counterfoil::contract::{canonical::canonical, Json};
use runner::{cases, done, get, text};
use std::collections::BTreeSet;

/// Where a value is not what is expected: of objects the named members count, of arrays all elements.
fn difference(expected: &Json, found: &Json, place: &str) -> Option<String> {
    match (expected, found) {
        (Json::Object(wanted), Json::Object(members)) => wanted.iter().find_map(|(name, value)| {
            difference(value, members.get(name).unwrap_or(&Json::Null), &format!("{place}.{name}"))
        }),
        (Json::Array(wanted), Json::Array(items)) if wanted.len() == items.len() => {
            let pairs = wanted.iter().zip(items).enumerate();
            pairs.into_iter().find_map(|(at, (a, b))| difference(a, b, &format!("{place}[{at}]")))
        }
        (a, b) if a == b => None,
        (a, b) => Some(format!("{place}: expected {}, found {}", canonical(a), canonical(b))),
    }
}

#[test]
fn every_case_comes_out_as_expected() {
    let cases = cases();
    let mut wrong = Vec::new();
    for (file, case) in &cases {
        let found = done(text(case, "call"), &get(case, "input"));
        if let Some(difference) = difference(&get(case, "expected"), &found, "") {
            wrong.push(format!("{file} / {}\n    {difference}\n    {}", text(case, "name"), shown(&found)));
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    assert!(!cases.is_empty());
}

#[test]
#[cfg(not(feature = "json-schema"))]
fn without_a_validator_a_schema_decides_nothing() {
    let input = runner::json(
        r#"{"contract": {"contract_id": "c", "checks": [{"id": "a", "type": "json_schema",
             "params": {"path": "o.json", "schema": {"type": "object"}}}]},
            "observations": [{"request_id": "a/file", "outcome": "ok", "value": {"kind": "file", "text": "{}"}}]}"#,
    );
    let expected = runner::json(r#"{"check_results": [{"passed": null, "code": "verify.capability_missing"}]}"#);
    assert_eq!(difference(&expected, &done("run", &input), ""), None);
}

/// The rows of the conformance set that no observation can stand for: they are the hosts'.
const HOSTS: [i64; 2] = [50, 51];

#[test]
fn every_row_that_needs_no_host_has_a_case() {
    let rows: BTreeSet<i64> = cases().iter().filter_map(|(_, case)| get(case, "row").integer()).collect();
    let missing: Vec<i64> = (1..=68).filter(|row| !rows.contains(row) && !HOSTS.contains(row)).collect();
    assert!(missing.is_empty(), "rows without a case: {missing:?}");
}

fn shown(found: &Json) -> String {
    let told = found.get("check_results").or_else(|| found.get("error")).unwrap_or(found);
    canonical(told).chars().take(700).collect()
}
