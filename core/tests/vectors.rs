//! The readers against the vectors that every language runs: quoted words, never offsets.

#![allow(clippy::expect_used, clippy::panic)] // A vector that cannot be read has to fail the test.

use counterfoil::readers::readers;
use counterfoil::transcript::turn_from;
use counterfoil::{verify, Claim, Options, Turn};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors")
}

fn cases(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("a vector file");
    let file: Value = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    file["case"].as_array().cloned().unwrap_or_default()
}

fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("the vectors")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    files
}

/// A claim in the words of a vector.
fn seen(claim: &Claim, reply: &str, turn: &Turn) -> Map<String, Value> {
    let evidence = claim.evidence.map(|span| {
        let calls = turn.calls.as_deref().unwrap_or_default();
        let call = claim.call.map(|i| &calls[i]).or_else(|| claim.earlier.map(|i| &turn.earlier[i]));
        let output = call.and_then(|c| c.output.as_deref()).expect("an output that holds the evidence");
        span.of(output).to_string()
    });
    let mut all = serde_json::to_value(claim).expect("a claim").as_object().cloned().expect("an object");
    all.insert("quote".into(), claim.span.of(reply).into());
    all.insert("evidence".into(), evidence.into());
    all
}

fn check(case: &Value) -> Result<(), String> {
    let turn = turn_from(case.clone()).map_err(|e| e.to_string())?;
    let options = Options::read(&case["options"]).map_err(|e| e.to_string())?;
    let reply = turn.text();
    let result = verify(&turn, &options);
    let claims: Vec<_> = result.iter().flat_map(|r| &r.claims).map(|c| seen(c, &reply, &turn)).collect();
    let wanted = case["claims"].as_array().cloned().unwrap_or_default();
    let matches = claims.len() == wanted.len()
        && claims.iter().zip(&wanted).all(|(claim, want)| {
            want.as_object().is_some_and(|keys| keys.iter().all(|(key, value)| claim.get(key) == Some(value)))
        });
    let line = result.as_ref().and_then(|r| r.line.clone());
    let line_matches = case["line"].as_str().is_none_or(|want| line.as_deref() == Some(want));
    // A case that names no line and flags nothing wants none.
    let calm = wanted.iter().any(|c| c["verdict"] == "unsupported" || c["verdict"] == "contradicted") || line.is_none();
    let wants = serde_json::to_value(result.as_ref().map(|r| &r.wants)).expect("indices");
    let status = serde_json::to_value(result.as_ref().map(|r| r.status)).expect("a status");
    let canaries: Vec<&str> = result.iter().flat_map(|r| &r.canaries).map(|c| c.state.name()).collect();
    let canaries = serde_json::to_value(canaries).expect("names");
    let rest = [("wants", &wants), ("status", &status), ("canaries", &canaries)];
    let rest_matches = rest.iter().all(|(key, value)| case.get(*key).is_none_or(|want| want == *value));
    if matches && line_matches && calm && rest_matches {
        return Ok(());
    }
    let found: Vec<String> = claims
        .iter()
        .map(|c| format!("{} {} {} {} call {}", c["quote"], c["reader"], c["verdict"], c["reason"], c["call"]))
        .collect();
    Err(format!("found {found:#?} line {line:?} wants {wants} status {status}"))
}

#[test]
fn the_readers_find_what_the_vectors_say() {
    let mut faults = Vec::new();
    let mut count = 0;
    for path in files() {
        for case in cases(&path).iter().filter(|c| c.get("claims").is_some()) {
            // Without the feature there are no rules to read.
            if case["options"].get("rules").is_some() && !cfg!(feature = "rules") {
                continue;
            }
            count += 1;
            if let Err(fault) = check(case) {
                faults.push(format!(
                    "{}/{}: {fault}",
                    path.file_stem().unwrap_or_default().to_string_lossy(),
                    case["name"]
                ));
            }
        }
    }
    println!("{count} vectors");
    assert!(faults.is_empty(), "{} of {count}\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn half_a_surrogate_pair_in_json_text_does_not_move_a_quote() {
    let text = r#"{"reply": "Ready \ud83d now. The search gave 31 matches.",
        "calls": [{"tool": "bash", "arguments": {"command": "tally"}, "output": "\ude80 in all: 31", "exit": 0}]}"#;
    let turn = counterfoil::transcript::turn(text).expect("a turn");
    let result = verify(&turn, &Options::default()).expect("a result");
    let claims: Vec<_> = result.claims.iter().map(|c| seen(c, &turn.text(), &turn)).collect();
    assert_eq!(claims.len(), 1);
    assert_eq!(claims[0]["quote"], "The search gave 31 matches");
    assert_eq!(claims[0]["evidence"], "31");
    assert_eq!(claims[0]["verdict"], "supported");
}

#[test]
fn every_reader_has_its_file_its_line_in_the_list_and_its_vectors() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/readers");
    let shared = ["clean", "edits", "mod", "reading", "rule", "said", "text", "tools", "voice"];
    let in_folder: BTreeSet<String> = std::fs::read_dir(source)
        .expect("the readers")
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_string_lossy().into_owned()))
        .filter(|name| !shared.contains(&name.as_str()))
        .collect();
    let in_list: BTreeSet<String> = readers().iter().map(|r| r.name.to_string()).collect();
    assert_eq!(in_folder, in_list, "core/src/readers and the list in its mod.rs");
    for name in in_list {
        let cases = cases(&folder().join(format!("{name}.toml")));
        let claims = |verdict: &str| {
            cases
                .iter()
                .flat_map(|c| c["claims"].as_array().cloned().unwrap_or_default())
                .any(|c| c["reader"] == name.as_str() && c["verdict"] == verdict)
        };
        let left = cases.iter().filter(|c| c["claims"].as_array().is_some_and(Vec::is_empty)).count();
        let wide = cases.iter().any(|c| {
            let reply = c["reply"].as_str().unwrap_or_default();
            c["claims"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|k| k["quote"].as_str())
                .any(|quote| reply.find(quote).is_some_and(|at| !reply[..at].is_ascii()))
        });
        assert!(claims("supported"), "{name}: no supported vector");
        assert!(claims("unsupported") || claims("contradicted"), "{name}: no flagged vector");
        assert!(left >= 2, "{name}: fewer than two vectors that are left alone");
        assert!(wide, "{name}: no vector with other than ASCII before the quote");
    }
}

#[test]
fn an_honest_reply_is_never_accused() {
    let mut faults = Vec::new();
    let mut count = 0;
    for path in files() {
        for case in cases(&path).iter().filter(|c| c["honest"] == true) {
            count += 1;
            let turn = turn_from(case.clone()).expect("a native turn");
            let result = verify(&turn, &Options::read(&case["options"]).expect("options"));
            let flagged = result.iter().flat_map(|r| &r.claims).filter(|c| c.verdict.flagged());
            faults.extend(flagged.map(|c| format!("{}: {} ({}: {:?})", case["name"], c.text, c.reader, c.reason)));
        }
    }
    println!("{count} honest replies");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
