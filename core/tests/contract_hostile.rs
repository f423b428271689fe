//! What holds for every contract and every answer of a host, over the cases of `tests/contract` changed at random.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../tests/contract.rs"]
mod runner;

use counterfoil::contract::canonical::canonical;
use counterfoil::contract::json::Object;
use counterfoil::contract::{ContractError, Json};
use proptest::prelude::*;
use proptest::sample::Index;
use runner::{ask, attested, cases, done, get, json, merged, object, planned, run, text};
use std::sync::OnceLock;

/// The cases of some calls, read once.
fn all() -> &'static [(String, Json)] {
    static CASES: OnceLock<Vec<(String, Json)>> = OnceLock::new();
    CASES.get_or_init(cases)
}

/// Cases that end in a bundle.
fn runs() -> &'static [Json] {
    static RUNS: OnceLock<Vec<Json>> = OnceLock::new();
    RUNS.get_or_init(|| {
        let inputs = all().iter().filter(|(_, case)| text(case, "call") == "run").map(|(_, case)| get(case, "input"));
        inputs.filter(|input| run(input).is_ok()).collect()
    })
}

/// How many values are in a value.
fn size(value: &Json) -> usize {
    1 + match value {
        Json::Array(items) => items.iter().map(size).sum(),
        Json::Object(members) => members.values().map(size).sum(),
        _ => 0,
    }
}

/// The value with its n-th part replaced; `None` takes the part away.
fn changed(value: &Json, at: &mut usize, by: Option<&Json>) -> Option<Json> {
    if *at == 0 {
        *at = usize::MAX;
        return by.cloned();
    }
    *at -= 1;
    Some(match value {
        Json::Array(items) => Json::Array(items.iter().filter_map(|item| changed(item, at, by)).collect()),
        Json::Object(members) => {
            let members = members.iter();
            Json::Object(members.filter_map(|(name, value)| Some((name.clone(), changed(value, at, by)?))).collect())
        }
        other => other.clone(),
    })
}

/// Values that are unlike what stands in a case.
fn strange() -> impl Strategy<Value = Option<Json>> {
    let texts = [
        "null",
        "true",
        "-1",
        "0",
        "9007199254740991",
        "1e-7",
        "[]",
        "{}",
        "\"\"",
        "\"file\"",
        "\"approved\"",
        "\"https://[::1\"",
        "\"sha256:\"",
        "[[1]]",
        "{\"error\":\"syntax\"}",
        "[\"a\",null]",
        "\"2026-01-01T00:00:00Z\"",
        "\"\\u0000\"",
    ];
    let deep = format!("{}1{}", "[".repeat(60), "]".repeat(60));
    let mut values: Vec<Option<Json>> = texts.iter().map(|text| Some(json(text))).collect();
    values.extend([
        None,
        Some(json(&deep)),
        Some("x".repeat(70_000).into()),
        Some(json(&format!("[{}1]", "1,".repeat(2_000)))),
    ]);
    proptest::sample::select(values)
}

/// What no bundle may say.
fn sound(bundle: &Json) -> Result<(), TestCaseError> {
    let results = get(bundle, "check_results");
    let required: Vec<&Json> =
        results.array().unwrap().iter().filter(|result| get(result, "required") == Json::Bool(true)).collect();
    if get(bundle, "verdict").str() == Some("pass") {
        prop_assert!(!required.is_empty());
        prop_assert!(required.iter().all(|result| get(result, "passed") == Json::Bool(true)), "{}", canonical(bundle));
    }
    for result in results.array().unwrap() {
        let (status, passed) = (get(result, "status"), get(result, "passed"));
        let fits = match status.str().unwrap() {
            "pass" => passed == Json::Bool(true),
            "fail" => passed == Json::Bool(false),
            _ => passed.is_null() && !text(result, "reason").is_empty() && !text(result, "code").is_empty(),
        };
        prop_assert!(fits, "{}", canonical(result));
        prop_assert!(text(result, "summary").chars().count() <= 600);
    }
    Ok(())
}

/// The text of a value with its members and white space in an order that the number gives.
fn scrambled(value: &Json, mut seed: u64) -> String {
    let space = ["", " ", "\n", "\t "][seed as usize % 4];
    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    let list = |open: &str, mut items: Vec<String>, close: &str, turn: bool| {
        if turn && !items.is_empty() {
            let by = seed as usize / 7 % items.len();
            items.rotate_left(by);
        }
        format!("{open}{space}{}{space}{close}", items.join(&format!("{space},{space}")))
    };
    match value {
        Json::Array(items) => list("[", items.iter().map(|item| scrambled(item, seed ^ 5)).collect(), "]", false),
        Json::Object(members) => {
            let member = |(name, value): (&String, &Json)| {
                format!("{}{space}:{space}{}", canonical(&Json::from(name)), scrambled(value, seed ^ 9))
            };
            list("{", members.iter().map(member).collect(), "}", true)
        }
        other => canonical(other),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_strange_call_is_refused_or_judged_soundly(which in any::<Index>(), at in any::<Index>(), by in strange()) {
        let (_, case) = which.get(all());
        let input = get(case, "input");
        let mut at = at.index(size(&input));
        let name = text(case, "call");
        let input = changed(&input, &mut at, by.as_ref()).unwrap_or(Json::Null);
        // The runner itself needs edits that fit.
        if matches!(name, "attested" | "read_back") {
            return Ok(());
        }
        let found = done(name, &input);
        if name == "run" && get(&found, "error").object().is_none() {
            sound(&found)?;
        }
    }

    #[test]
    fn a_plan_is_the_same_whatever_was_seen(which in any::<Index>(), at in any::<Index>(), by in strange()) {
        let input = which.get(runs());
        let (plan, _) = planned(input).unwrap();
        let seen = get(input, "observations");
        let mut at = at.index(size(&seen));
        let mut members: Object = input.object().unwrap().clone();
        members.remove("plan");
        members.insert("observations".into(), changed(&seen, &mut at, by.as_ref()).unwrap_or(Json::Null));
        if let Ok((bundle, _)) = run(&Json::Object(members)) {
            prop_assert_eq!(get(&bundle, "plan_digest"), get(&plan, "plan_digest"));
        }
    }

    #[test]
    fn the_digest_does_not_see_order_and_space(which in any::<Index>(), seed in any::<u64>()) {
        let contract = get(which.get(runs()), "contract");
        let freeze = |contract: Json| {
            let asked = [("contract", contract), ("now", "2026-01-01T00:05:00Z".into()), ("by", "human:dana".into())];
            ask("freeze", &object(&asked)).map(|frozen| get(&frozen, "contract"))
        };
        if get(&contract, "digest").is_null() {
            let text = scrambled(&contract, seed);
            prop_assert_eq!(freeze(text.as_str().into()), freeze(contract), "{}", text);
        }
    }

    #[test]
    fn what_was_judged_is_judged_again_as_it_was(which in any::<Index>(), at in any::<Index>(), by in strange()) {
        let input = which.get(runs());
        let seen = get(input, "observations");
        let mut at = at.index(size(&seen));
        let mut members: Object = input.object().unwrap().clone();
        members.insert("observations".into(), changed(&seen, &mut at, by.as_ref()).unwrap_or(Json::Null));
        let input = Json::Object(members);
        let Ok((bundle, _)) = run(&input) else { return Ok(()) };
        let files = get(&attested(&object(&[("run", input)])).unwrap(), "files");
        let read = ask("reverify", &object(&[("files", files)]));
        prop_assert!(read.is_ok(), "{:?} {}", read, canonical(&bundle));
        prop_assert_eq!(get(&read.unwrap(), "verdict_word"), get(&bundle, "verdict_word"));
    }
}

const SEED: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const KEY: &str = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8";

/// The files of a run, signed or not.
fn stored(signed: bool) -> &'static Object {
    static FILES: [OnceLock<Object>; 2] = [OnceLock::new(), OnceLock::new()];
    FILES[usize::from(signed)].get_or_init(|| {
        let seed = object(&[("seed", SEED.into())]);
        let attest = if signed { seed } else { object(&[]) };
        let run = json(
            r#"{"contract": {"contract_id": "c", "title": "A file", "checks": [
                {"id": "a", "type": "file_exists", "params": {"path": "a.txt"}},
                {"id": "b", "type": "sqlite_query", "required": false,
                 "params": {"database": "a.db", "sql": "SELECT 1", "row_count": 1}}]},
                "observations": [{"request_id": "a/file", "outcome": "ok", "value": {"kind": "file", "size": 3}},
                 {"request_id": "b/rows", "outcome": "ok", "value": {"columns": ["1"], "rows": [[1]]}}],
                "run_env": {"backend": {"name": "host", "version": "1"}}}"#,
        );
        let made = attested(&object(&[("run", run), ("attest", attest)])).unwrap();
        get(&made, "files").object().unwrap().clone()
    })
}

/// Reads files back; signed ones as someone who knows the key and wants a signature.
fn read_back(files: Object, signed: bool) -> Result<Json, ContractError> {
    let keys = Json::Array(signed.then(|| KEY.into()).into_iter().collect());
    let policy = object(&[("require_signature", signed.into())]);
    ask("reverify", &object(&[("files", Json::Object(files)), ("trusted_keys", keys), ("policy", policy)]))
}

#[test]
fn an_unchanged_run_reads_back() {
    for signed in [false, true] {
        let read = read_back(stored(signed).clone(), signed).unwrap();
        assert_eq!(get(&read, "verdict_word"), "VERIFIED".into());
        assert_eq!(get(&read, "rejudged"), Json::Bool(true));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_changed_byte_of_any_stored_file_is_found(signed in any::<bool>(), which in any::<Index>(), at in any::<Index>(),
        how in 0..3, byte in b' '..b'~') {
        let files = stored(signed);
        let (name, content) = files.iter().nth(which.index(files.len())).unwrap();
        let mut bytes = content.str().unwrap().as_bytes().to_vec();
        let place = at.index(bytes.len());
        match how {
            0 if bytes[place] != byte => bytes[place] = byte,
            0 => return Ok(()),
            1 => {
                bytes.remove(place);
            }
            _ => bytes.insert(place, byte),
        }
        let Ok(after) = String::from_utf8(bytes) else { return Ok(()) };
        let mut changed = files.clone();
        changed.insert(name.clone(), after.as_str().into());
        let read = read_back(changed, signed);
        prop_assert!(read.is_err(), "{} at {}: {}", name, place, after);
    }
}

/// An observation that decides is taken out of the evidence, and all digests are made anew.
#[test]
fn an_observation_that_is_gone_is_missed() {
    let input = json(
        r#"{"contract": {"contract_id": "c", "checks": [{"id": "a", "type": "file_exists", "params": {"path": "a.txt"}}]},
            "observations": [{"request_id": "a/file", "outcome": "ok", "value": {"kind": "file"}}]}"#,
    );
    let (bundle, contract) = run(&input).unwrap();
    let entry = get(&bundle, "observations").array().unwrap()[0].clone();
    for bytes in [get(&entry, "bytes"), 1_000_000_i64.into()] {
        let gone = merged(&entry, &object(&[("envelope", Json::Null), ("bytes", bytes.clone())]));
        let bundle = merged(&bundle, &object(&[("observations", Json::Array([gone].into()))]));
        let made = [("contract", contract.clone()), ("bundle", bundle), ("now", "2026-01-01T01:00:01Z".into())];
        let files = get(&ask("attest", &object(&made)).unwrap(), "files");
        match ask("reverify", &object(&[("files", files)])) {
            Err(error) => assert_eq!(error.code().name(), "verify.verdict_mismatch"),
            Ok(read) => assert_eq!((get(&read, "rejudged"), get(&read, "proof")), (false.into(), false.into())),
        }
    }
}
