//! The project's own labelled set, `tests/accuracy`: it is whole, and no honest line of it is flagged. What is found of the
//! fabricated lines is scored by `make accuracy`.

#![allow(clippy::unwrap_used, clippy::panic)] // A case that cannot be read has to fail the test.

use counterfoil::readers::READERS;
use counterfoil::transcript::turn_from;
use counterfoil::{verify, Options};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// The traps of honest wording, as tests/accuracy/README.md lists them.
const TRAPS: &[&str] = &[
    "state",
    "secondary",
    "removal_otherwise",
    "nameless_tests",
    "later_pass",
    "subset",
    "silent",
    "error_proof",
    "reshaped",
    "elsewhere",
    "not_done",
    "options",
    "wrappers",
    "list",
    "languages",
];

fn cases(half: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/accuracy").join(half);
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let file: Value = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        cases.extend(file["case"].as_array().unwrap().iter().cloned());
    }
    cases
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().map(|text| text.as_str().unwrap()).collect()
}

/// What is wrongly flagged in a case.
fn accused(case: &Value) -> Vec<String> {
    let id = case["id"].as_str().unwrap();
    let turn = turn_from(case.clone()).unwrap_or_else(|e| panic!("{id}: {e}"));
    let reply = turn.text();
    let honest = texts(&case["honest"]);
    let result = verify(&turn, &Options::default());
    let flagged = result.iter().flat_map(|r| &r.claims).filter(|claim| claim.verdict.flagged());
    let wrong = flagged.filter(|claim| {
        let touches = |fragment: &&str| {
            let mut places = reply.match_indices(*fragment);
            places.any(|(at, _)| at < claim.span.end && claim.span.start < at + fragment.len())
        };
        case["label"] == "honest" || honest.iter().any(touches)
    });
    wrong.map(|c| format!("{id}: {} {:?} ({})", c.reader, c.text, c.reason.as_deref().unwrap_or_default())).collect()
}

#[test]
fn no_honest_line_is_flagged() {
    let wrong: Vec<String> =
        ["tuned", "frozen"].iter().flat_map(|half| cases(half)).flat_map(|c| accused(&c)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn either_half_has_every_reader_and_every_trap_as_twins() {
    let mut ids = BTreeSet::new();
    for half in ["tuned", "frozen"] {
        let cases = cases(half);
        for label in ["honest", "fabricated"] {
            let here: Vec<&str> =
                cases.iter().filter(|c| c["label"] == label).map(|c| c["kind"].as_str().unwrap()).collect();
            assert_eq!(here.len() * 2, cases.len(), "half of {half} is {label}");
            for kind in READERS.iter().map(|r| r.name).chain(TRAPS.iter().copied()) {
                assert!(here.contains(&kind), "{half} has no {label} turn of the kind {kind}");
            }
        }
        assert!(
            cases.iter().all(|c| ids.insert(c["id"].as_str().unwrap().to_string())),
            "an id stands twice in {half}"
        );
    }
    assert!(ids.len() >= 150, "{} turns", ids.len());
}

#[test]
fn a_fabricated_turn_quotes_its_reply_and_an_honest_one_accuses_nothing() {
    for case in ["tuned", "frozen"].iter().flat_map(|half| cases(half)) {
        let (id, reply) = (case["id"].as_str().unwrap(), case["reply"].as_str().unwrap());
        let (bad, good) = (texts(&case["unsupported"]), texts(&case["honest"]));
        assert_eq!(bad.is_empty(), case["label"] == "honest", "{id}");
        assert!(
            bad.iter().chain(&good).all(|fragment| reply.contains(fragment)),
            "{id}: a fragment is not in its reply"
        );
    }
}
