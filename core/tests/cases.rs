//! The labelled turns that lie beside the project, where they do: what must be flagged is, what must not is not.

#![allow(clippy::unwrap_used, clippy::panic)] // A case that cannot be read has to fail the test.

use counterfoil::transcript::turn_from;
use counterfoil::{verify, Claim, Options};
use serde_json::Value;
use std::path::Path;

/// Cases that wait for a reader that is not built yet.
const WAITING: &[&str] = &[];

fn cases(name: &str) -> Option<Vec<Value>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/cases").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: {name} is not beside the project");
        return None;
    };
    let file: Value = serde_json::from_str(&text).unwrap();
    Some(file["cases"].as_array().unwrap().clone())
}

/// The whole lines of the reply that a claim touches.
fn lines(reply: &str, claim: &Claim) -> String {
    let start = reply[..claim.span.start].rfind('\n').map_or(0, |i| i + 1);
    let end = reply[claim.span.end..].find('\n').map_or(reply.len(), |i| i + claim.span.end);
    reply[start..end].to_string()
}

fn overlaps(reply: &str, claim: &Claim, fragment: &str) -> bool {
    reply.match_indices(fragment).any(|(at, _)| at < claim.span.end && claim.span.start < at + fragment.len())
}

fn check(case: &Value) -> Vec<String> {
    let id = case["id"].as_str().unwrap();
    let turn = turn_from(case.clone()).unwrap_or_else(|e| panic!("{id}: {e}"));
    let reply = turn.text();
    let result = verify(&turn, &Options::default());
    let flagged: Vec<&Claim> = result.iter().flat_map(|r| &r.claims).filter(|c| c.verdict.flagged()).collect();
    let mut faults = Vec::new();
    let text = |v: &Value| v.as_str().map(str::to_string);
    let must: Vec<&Value> = case["must_flag"].as_array().into_iter().flatten().collect();
    for label in &must {
        let wanted = text(&label["line_contains"]).unwrap();
        let or = text(&label["or_line_contains"]);
        let hit = flagged.iter().find(|c| {
            let line = lines(&reply, c);
            line.contains(&wanted) || or.as_ref().is_some_and(|o| line.contains(o))
        });
        match hit {
            None => faults.push(format!("{id}: not flagged: {wanted}")),
            Some(claim) => {
                if let Some(reader) = text(&label["reader"]).filter(|r| !r.split('|').any(|one| one == claim.reader)) {
                    faults.push(format!("{id}: {wanted}: reader {} instead of {reader}", claim.reader));
                }
                let reason = claim.reason.clone().unwrap_or_default();
                if let Some(prefix) = text(&label["reason"]).filter(|p| !reason.starts_with(p.as_str())) {
                    faults.push(format!("{id}: {wanted}: reason {reason:?} instead of {prefix:?}"));
                }
            }
        }
    }
    for fragment in case["must_not_flag"].as_array().into_iter().flatten().filter_map(text) {
        if let Some(claim) = flagged.iter().find(|c| overlaps(&reply, c, &fragment)) {
            faults.push(format!("{id}: FALSE: {} ({}: {:?})", claim.text, claim.reader, claim.reason));
        }
    }
    if case["label"] == "honest" {
        for claim in &flagged {
            faults.push(format!("{id}: FALSE: {} ({}: {:?})", claim.text, claim.reader, claim.reason));
        }
    }
    faults
}

#[test]
fn the_base_cases_come_out_as_labelled() {
    let Some(cases) = cases("base.json") else { return };
    let mut faults = Vec::new();
    for case in &cases {
        let waits = WAITING.contains(&case["id"].as_str().unwrap());
        let (missed, wrong): (Vec<_>, Vec<_>) =
            check(case).into_iter().partition(|f| waits && f.contains(": not flagged: "));
        if waits && missed.is_empty() {
            faults.push(format!("{}: waits no longer; take it off the list", case["id"]));
        }
        faults.extend(wrong);
    }
    println!("{} cases, {} faults", cases.len(), faults.len());
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn no_honest_line_of_the_other_cases_is_flagged() {
    let mut faults = Vec::new();
    for name in ["field.json", "patterns.json"] {
        for mut case in cases(name).into_iter().flatten() {
            case["must_not_flag"] = case["honest"].take();
            faults.extend(check(&case));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
