//! Calls a case of `contract/*.json` by the rules of `contract/README.md`.

#![allow(clippy::panic, clippy::unwrap_used)] // A case that cannot be called is a mistake in the case.

use counterfoil::contract::json::Object;
use counterfoil::contract::strict::{parse, CALL};
use counterfoil::contract::wire::call;
use counterfoil::contract::{canonical::canonical, ContractError, Json};
use std::fs;
use std::path::PathBuf;

pub(crate) fn json(text: &str) -> Json {
    parse(text.as_bytes(), &CALL).unwrap_or_else(|fault| panic!("{fault:?}: {text}"))
}

pub(crate) fn ask(name: &str, input: &Json) -> Result<Json, ContractError> {
    call(name, &canonical(input)).map(|text| json(&text))
}

pub(crate) fn get(value: &Json, name: &str) -> Json {
    value.get(name).cloned().unwrap_or(Json::Null)
}

pub(crate) fn object(members: &[(&str, Json)]) -> Json {
    Json::Object(members.iter().map(|(name, value)| (name.to_string(), value.clone())).collect())
}

/// Members of both, those of `over` first.
pub(crate) fn merged(base: &Json, over: &Json) -> Json {
    let mut members: Object = base.object().cloned().unwrap_or_default();
    members.extend(over.object().cloned().unwrap_or_default());
    Json::Object(members)
}

pub(crate) fn without(value: &Json, names: &[&str]) -> Json {
    let members = value.object().cloned().unwrap_or_default();
    Json::Object(members.into_iter().filter(|(name, _)| !names.contains(&name.as_str())).collect())
}

/// Freezes and plans: the plan, and what was asked for it.
pub(crate) fn planned(input: &Json) -> Result<(Json, Json), ContractError> {
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
pub(crate) fn run(input: &Json) -> Result<(Json, Json), ContractError> {
    let (plan, asked) = planned(input)?;
    let digest = object(&[("plan_digest", get(&plan, "plan_digest"))]);
    let observations = get(input, "observations");
    let seen: Vec<Json> = observations.array().unwrap_or_default().iter().map(|seen| merged(&digest, seen)).collect();
    let rest = without(input, &["contract", "run_env", "supplements", "observations", "freeze", "plan"]);
    let plan = merged(&plan, &get(input, "plan"));
    let judged = merged(&merged(&asked, &rest), &object(&[("plan", plan), ("observations", Json::Array(seen))]));
    Ok((ask("judge", &judged)?, get(&asked, "contract")))
}

pub(crate) fn text<'a>(value: &'a Json, name: &str) -> &'a str {
    value.get(name).and_then(Json::str).unwrap_or_else(|| panic!("no {name} in {}", canonical(value)))
}

/// A text with the first of a word replaced; the word has to be there.
pub(crate) fn edited(text_of: &str, edit: &Json) -> String {
    let (find, replace) = (text(edit, "find"), text(edit, "replace"));
    assert!(text_of.contains(find), "{find} is not in {text_of}");
    text_of.replacen(find, replace, 1)
}

/// Runs, edits the bundle, and attests.
pub(crate) fn attested(input: &Json) -> Result<Json, ContractError> {
    let (bundle, contract) = run(&get(input, "run"))?;
    let mut evidence = canonical(&bundle);
    for edit in get(input, "edit_bundle").array().unwrap_or_default() {
        evidence = edited(&evidence, edit);
    }
    let made = object(&[("contract", contract), ("bundle", json(&evidence)), ("now", "2026-01-01T01:00:01Z".into())]);
    ask("attest", &merged(&made, &get(input, "attest")))
}

/// The same, then edits the files and reads them back.
pub(crate) fn read_back(input: &Json) -> Result<Json, ContractError> {
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
pub(crate) fn addresses(input: &Json) -> Result<Json, ContractError> {
    let (plan, _) = planned(input)?;
    ask("check_addresses", &merged(&without(input, &["contract", "run_env"]), &object(&[("plan", plan)])))
}

pub(crate) fn done(name: &str, input: &Json) -> Json {
    let result = match name {
        "run" => run(input).map(|(bundle, _)| bundle),
        "attested" => attested(input),
        "read_back" => read_back(input),
        "addresses" => addresses(input),
        name => ask(name, input),
    };
    result.unwrap_or_else(|error| object(&[("error", json(&error.to_json()))]))
}

/// The cases of every file, each with the file's name.
pub(crate) fn cases() -> Vec<(String, Json)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/contract");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "json"));
    paths.sort();
    let of = |path: &PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let read = json(&fs::read_to_string(path).unwrap());
        read.array().unwrap().iter().map(|case| (name.clone(), case.clone())).collect::<Vec<_>>()
    };
    paths.iter().flat_map(of).collect()
}
