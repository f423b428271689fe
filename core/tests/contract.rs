//! The cases of `tests/contract/*.json`, which every package runs; `tests/contract/README.md` has their shape.
#![allow(clippy::unwrap_used, clippy::panic)]

use counterfoil::contract::json::Object;
use counterfoil::contract::strict::{parse, CALL};
use counterfoil::contract::wire::call;
use counterfoil::contract::{canonical::canonical, ContractError, Json};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

fn json(text: &str) -> Json {
    parse(text.as_bytes(), &CALL).unwrap_or_else(|fault| panic!("{fault:?}: {text}"))
}

fn ask(name: &str, input: &Json) -> Result<Json, ContractError> {
    call(name, &canonical(input)).map(|text| json(&text))
}

fn get(value: &Json, name: &str) -> Json {
    value.get(name).cloned().unwrap_or(Json::Null)
}

fn object(members: &[(&str, Json)]) -> Json {
    Json::Object(members.iter().map(|(name, value)| (name.to_string(), value.clone())).collect())
}

/// Members of both, those of `over` first.
fn merged(base: &Json, over: &Json) -> Json {
    let mut members: Object = base.object().cloned().unwrap_or_default();
    members.extend(over.object().cloned().unwrap_or_default());
    Json::Object(members)
}

fn without(value: &Json, names: &[&str]) -> Json {
    let members = value.object().cloned().unwrap_or_default();
    Json::Object(members.into_iter().filter(|(name, _)| !names.contains(&name.as_str())).collect())
}

/// Freezes and plans: the plan, and what was asked for it.
fn planned(input: &Json) -> Result<(Json, Json), ContractError> {
    let defaults = json(r#"{"now": "2026-01-01T00:05:00Z", "by": "human:dana"}"#);
    let mut contract = get(input, "contract");
    if get(&contract, "digest").is_null() {
        let freezing = merged(&defaults, &merged(&get(input, "freeze"), &object(&[("contract", contract)])));
        contract = get(&ask("freeze", &freezing)?, "contract");
    }
    let env = merged(&json(r#"{"now": "2026-01-01T01:00:00Z", "workspace": "w"}"#), &get(input, "run_env"));
    let asked = object(&[("contract", contract), ("run_env", env), ("supplements", get(input, "supplements"))]);
    Ok((ask("plan", &asked)?, asked))
}

/// Freezes, plans and judges: the bundle, and the frozen contract.
fn run(input: &Json) -> Result<(Json, Json), ContractError> {
    let (plan, asked) = planned(input)?;
    let digest = object(&[("plan_digest", get(&plan, "plan_digest"))]);
    let observations = get(input, "observations");
    let seen: Vec<Json> = observations.array().unwrap_or_default().iter().map(|seen| merged(&digest, seen)).collect();
    let rest = without(input, &["contract", "run_env", "supplements", "observations", "freeze", "plan"]);
    let plan = merged(&plan, &get(input, "plan"));
    let judged = merged(&merged(&asked, &rest), &object(&[("plan", plan), ("observations", Json::Array(seen))]));
    Ok((ask("judge", &judged)?, get(&asked, "contract")))
}

fn text<'a>(value: &'a Json, name: &str) -> &'a str {
    value.get(name).and_then(Json::str).unwrap_or_else(|| panic!("no {name} in {}", canonical(value)))
}

/// A text with the first of a word replaced; the word has to be there.
fn edited(text_of: &str, edit: &Json) -> String {
    let (find, replace) = (text(edit, "find"), text(edit, "replace"));
    assert!(text_of.contains(find), "{find} is not in {text_of}");
    text_of.replacen(find, replace, 1)
}

/// Runs, edits the bundle, and attests.
fn attested(input: &Json) -> Result<Json, ContractError> {
    let (bundle, contract) = run(&get(input, "run"))?;
    let mut evidence = canonical(&bundle);
    for edit in get(input, "edit_bundle").array().unwrap_or_default() {
        evidence = edited(&evidence, edit);
    }
    let made = object(&[("contract", contract), ("bundle", json(&evidence)), ("now", "2026-01-01T01:00:01Z".into())]);
    ask("attest", &merged(&made, &get(input, "attest")))
}

/// The same, then edits the files and reads them back.
fn read_back(input: &Json) -> Result<Json, ContractError> {
    let mut files = get(&attested(input)?, "files").object().cloned().unwrap_or_default();
    for edit in get(input, "edits").array().unwrap_or_default() {
        let name = text(edit, "file").to_string();
        if get(edit, "remove") == Json::Bool(true) {
            files.remove(&name);
        } else {
            let after = edited(files.get(&name).and_then(Json::str).unwrap_or_default(), edit);
            files.insert(name, after.into());
        }
    }
    ask("reverify", &merged(&object(&[("files", Json::Object(files))]), &get(input, "reverify")))
}

/// Plans, and asks about the addresses of a request.
fn addresses(input: &Json) -> Result<Json, ContractError> {
    let (plan, _) = planned(input)?;
    ask("check_addresses", &merged(&without(input, &["contract", "run_env"]), &object(&[("plan", plan)])))
}

fn done(name: &str, input: &Json) -> Json {
    let result = match name {
        "run" => run(input).map(|(bundle, _)| bundle),
        "attested" => attested(input),
        "read_back" => read_back(input),
        "addresses" => addresses(input),
        name => ask(name, input),
    };
    result.unwrap_or_else(|error| object(&[("error", json(&error.to_json()))]))
}

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

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/contract")
}

#[test]
fn every_case_comes_out_as_expected() {
    let mut wrong = Vec::new();
    let mut count = 0;
    let mut names: Vec<_> = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    for path in names.iter().filter(|path| path.extension().is_some_and(|end| end == "json")) {
        let cases = json(&fs::read_to_string(path).unwrap());
        for case in cases.array().unwrap() {
            count += 1;
            let found = done(text(case, "call"), &get(case, "input"));
            let name = format!("{} / {}", path.file_stem().unwrap().to_string_lossy(), text(case, "name"));
            if let Some(difference) = difference(&get(case, "expected"), &found, "") {
                wrong.push(format!("{name}\n    {difference}\n    {}", shown(&found)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count} cases:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 0);
}

#[test]
#[cfg(not(feature = "json-schema"))]
fn without_a_validator_a_schema_decides_nothing() {
    let input = json(
        r#"{"contract": {"contract_id": "c", "checks": [{"id": "a", "type": "json_schema",
             "params": {"path": "o.json", "schema": {"type": "object"}}}]},
            "observations": [{"request_id": "a/file", "outcome": "ok", "value": {"kind": "file", "text": "{}"}}]}"#,
    );
    let expected = json(r#"{"check_results": [{"passed": null, "code": "verify.capability_missing"}]}"#);
    assert_eq!(difference(&expected, &done("run", &input), ""), None);
}

/// The rows of the conformance set that no observation can stand for: they are the hosts'.
const HOSTS: [i64; 2] = [50, 51];

#[test]
fn every_row_that_needs_no_host_has_a_case() {
    let mut rows = BTreeSet::new();
    for path in fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()) {
        if path.extension().is_some_and(|end| end == "json") {
            let cases = json(&fs::read_to_string(path).unwrap());
            rows.extend(cases.array().unwrap().iter().filter_map(|case| get(case, "row").integer()));
        }
    }
    let missing: Vec<i64> = (1..=68).filter(|row| !rows.contains(row) && !HOSTS.contains(row)).collect();
    assert!(missing.is_empty(), "rows without a case: {missing:?}");
}

fn shown(found: &Json) -> String {
    let told = found.get("check_results").or_else(|| found.get("error")).unwrap_or(found);
    canonical(told).chars().take(700).collect()
}
