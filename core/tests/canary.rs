//! Proof of read: the vectors of the protocol, the verdicts at their edges, the log's bounds.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::cast_possible_wrap)]

use counterfoil::canary::{
    find_sentinel, is_session, new_session, reported, sentinel, Canary, Client, Limiter, Options, State,
    MOST_CANDIDATES,
};
use counterfoil::ErrorKind;
use proptest::prelude::*;
use serde_json::Value;
use std::path::Path;

const KEY: [u8; 32] = [7; 32];
/// The start of a bucket of 300 seconds.
const NOON: i64 = 1_000_000 * 300;

type Change = fn(&mut Options);

fn canary() -> Canary {
    Canary::new(&KEY, Options::default()).unwrap()
}

fn with(change: impl FnOnce(&mut Options)) -> Canary {
    let mut options = Options::default();
    change(&mut options);
    Canary::new(&KEY, options).unwrap()
}

fn issued(canary: &mut Canary, now: i64) -> String {
    canary.issue("s", now, None).unwrap().sentinel
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

fn check_vectors(path: &Path) {
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let key = hex(file["root_key_hex"].as_str().unwrap());
    let asked = |case: &Value| {
        let bytes = usize::try_from(case["sentinel_bytes"].as_u64().unwrap()).unwrap();
        sentinel(&key, case["session_id"].as_str().unwrap(), case["bucket"].as_i64().unwrap(), bytes)
    };
    let vectors = file["vectors"].as_array().unwrap();
    assert!(!vectors.is_empty());
    for case in vectors {
        assert_eq!(asked(case).unwrap(), case["sentinel"], "{case}");
    }
    for case in file["refusals"].as_array().into_iter().flatten() {
        assert_eq!(asked(case).unwrap_err().path(), case["path"], "{case}");
    }
}

#[test]
fn the_vectors_come_out_byte_for_byte() {
    check_vectors(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/canary/vectors.json"));
}

#[test]
fn the_published_vectors_come_out_byte_for_byte() {
    let mut above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(1).take(4);
    match above.find_map(|up| Some(up.join("shared/vectors/canary-v1.json")).filter(|path| path.exists())) {
        Some(path) => check_vectors(&path),
        None => println!("no folder shared/vectors beside the project; the published file is not read"),
    }
}

#[test]
fn a_key_that_is_none_is_refused() {
    for key in [&[][..], &[1; 31], &[1; 33], &[0; 32]] {
        let error = Canary::new(key, Options::default()).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::Option, "root_key"));
    }
}

#[test]
fn options_that_contradict_each_other_are_refused_at_construction() {
    let wrong: [(Change, &str); 9] = [
        (|o| o.bucket_seconds = 29, "bucket_seconds"),
        (|o| o.bucket_seconds = 3601, "bucket_seconds"),
        (|o| o.sentinel_bytes = 15, "sentinel_bytes"),
        (|o| o.fresh_tolerance = 9, "fresh_tolerance"),
        (|o| o.stale_horizon = 0, "stale_horizon"),
        (|o| o.stale_horizon = 1, "stale_horizon"),
        (|o| o.log_size = 255, "log_size"),
        (|o| o.retention_hours = 0, "retention_hours"),
        (|o| o.bucket_seconds = 3600, "retention_hours"),
    ];
    for (change, path) in wrong {
        let mut options = Options::default();
        change(&mut options);
        let error = Canary::new(&KEY, options).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::Option, path), "{error}");
    }
}

#[test]
fn options_are_read_strictly() {
    assert_eq!(Options::read(&Value::Null).unwrap(), Options::default());
    let read = Options::read(&serde_json::json!({"bucket_seconds": 60, "log_size": null})).unwrap();
    assert_eq!((read.bucket_seconds, read.log_size), (60, 8192));
    for (given, path) in [
        (serde_json::json!({"bucket": 60}), "bucket"),
        (serde_json::json!({"bucket_seconds": "60"}), "bucket_seconds"),
        (serde_json::json!({"bucket_seconds": 60.5}), "bucket_seconds"),
        (serde_json::json!({"sentinel_bytes": -1}), "sentinel_bytes"),
        (serde_json::json!([]), ""),
    ] {
        assert_eq!(Options::read(&given).unwrap_err().path(), path);
    }
}

#[test]
fn a_read_inside_the_window_is_verified_at_every_edge() {
    for start in [NOON, 0, -NOON, -300, 299] {
        let mut canary = canary();
        let first = start.div_euclid(300) * 300;
        let value = issued(&mut canary, start);
        let verdict = |now| canary.verify("s", Some(&value), now);
        assert_eq!(verdict(first).state, State::ReadVerified);
        assert_eq!((verdict(first - 1).state, verdict(first - 1).distance), (State::ReadVerified, Some(-1)));
        assert_eq!(verdict(first - 301).state, State::Hallucinated, "two buckets early");
        assert_eq!((verdict(first + 599).state, verdict(first + 599).distance), (State::ReadVerified, Some(1)));
        assert_eq!((verdict(first + 600).state, verdict(first + 600).distance), (State::ReadStale, Some(2)));
        assert_eq!(verdict(first + 25 * 300 - 1).state, State::ReadStale, "the last second of the horizon");
        assert_eq!(verdict(first + 25 * 300).state, State::Hallucinated, "past the horizon");
    }
}

#[test]
fn what_was_never_issued_looks_like_a_replay_and_what_fits_nothing_like_an_invention() {
    let canary = canary();
    let right = sentinel(&KEY, "s", NOON / 300, 32).unwrap();
    assert_eq!(canary.verify("s", Some(&right), NOON).state, State::ReplaySuspect);
    let other = sentinel(&KEY, "t", NOON / 300, 32).unwrap();
    assert_eq!(canary.verify("s", Some(&other), NOON).state, State::Hallucinated);
    assert_eq!(canary.verify("s", None, NOON).state, State::Hallucinated);
    assert_eq!(canary.verify("s", Some(""), NOON).state, State::Hallucinated);
    assert_eq!(canary.verify("a/b", Some(&right), NOON).state, State::Hallucinated);
    assert_eq!(canary.verify("s", Some(&right), NOON).distance, Some(0));
}

#[test]
fn a_restart_forgets() {
    let mut before = canary();
    let value = issued(&mut before, NOON);
    assert_eq!(canary().verify("s", Some(&value), NOON).state, State::ReplaySuspect);
    let after = Canary::new(&[8; 32], Options::default()).unwrap();
    assert_eq!(after.verify("s", Some(&value), NOON).state, State::Hallucinated);
}

#[test]
fn marks_around_a_value_are_taken_off_and_its_case_is_kept() {
    let mut canary = canary();
    let value = issued(&mut canary, NOON);
    for claim in [format!("  `{value}`\n"), format!("\"{value}\""), format!("'{value}'\u{a0}")] {
        assert_eq!(canary.verify("s", Some(&claim), NOON).state, State::ReadVerified, "{claim:?}");
    }
    let folded = value.to_lowercase();
    let long = format!("{value}A");
    let cut = &value[..42];
    for claim in
        [folded.as_str(), &long, cut, &format!("<{value}>"), &format!("{value} {value}"), &"x".repeat(1_000_000)]
    {
        assert_eq!(canary.verify("s", Some(claim), NOON).state, State::Hallucinated);
    }
}

#[test]
fn an_answer_in_a_sentence_is_found_and_the_best_one_counts() {
    let mut canary = canary();
    let value = issued(&mut canary, NOON);
    let never = sentinel(&KEY, "s", NOON / 300 - 5, 32).unwrap();
    let invented = "A".repeat(43);
    let reply = format!("Not {invented}, nor {never}. The page says: **{value}**, 日本語。");
    assert_eq!(canary.verify_reply("s", &reply, NOON).state, State::ReadVerified);
    assert_eq!(canary.verify_reply("s", &never, NOON).state, State::ReplaySuspect);
    assert_eq!(canary.verify_reply("s", "I read it.", NOON).state, State::Hallucinated);
    let many: Vec<String> = (0..100).map(|i| format!("{i:A>43}")).collect();
    assert_eq!(find_sentinel(&many.join(" "), 32).len(), MOST_CANDIDATES);
}

#[test]
fn emphasis_with_underscores_hides_no_value() {
    for value in ["_".repeat(3) + &"b".repeat(40), "b".repeat(42) + "-", format!("-{}_", "b".repeat(41))] {
        for reply in
            [format!("_{value}_"), format!("__{value}__"), format!("It is ***{value}***."), format!("{value}--")]
        {
            assert!(find_sentinel(&reply, 32).contains(&value.as_str()), "{reply}");
        }
    }
    let plain = "c".repeat(43);
    assert_eq!(find_sentinel(&format!("_{plain}_ and __{plain}__"), 32), [plain.as_str()]);
    assert!(find_sentinel(&format!("{plain}c"), 32).is_empty(), "a longer word holds none");
}

#[test]
fn a_reply_is_searched_as_a_reader_sees_it() {
    let mut canary = canary();
    let value = issued(&mut canary, NOON);
    let escaped = value.replace('_', "\\_").replace('-', "\\-");
    let (a, b, c) = (&value[..20], &value[20..38], &value[38..]);
    for reply in [
        format!("It says {escaped}."),
        format!("It says **{escaped}**."),
        format!("`value-{value}`"),
        format!("the sentinel_{value}-it-is."),
        format!("It says {a}\n{b}{c}."),
        format!("> It says {a}\r\n> {b}{c}\n"),
        format!("It says\n    {a}\\\n    {b}\n    {c} and ends."),
        format!("It says {a}-\n{b}{c}"),
        format!("It says value-{a}  \n  {b}{c}_"),
        format!("It says {a}\u{ad}{b}\u{200b}{c}."),
        format!("{}\n{value}", "x".repeat(7)),
    ] {
        assert_eq!(canary.verify_reply("s", &reply, NOON).state, State::ReadVerified, "{reply:?}");
    }
}

#[test]
fn a_part_of_a_value_is_no_value() {
    let mut canary = canary();
    let value = issued(&mut canary, NOON);
    for reply in [
        value[..42].to_string(),
        value[1..].to_string(),
        format!("{value}A"),
        format!("x{value}"),
        format!("{} {}", &value[..20], &value[20..]),
        format!("{}\n\n{}", &value[..20], &value[20..]),
        format!("{}\nand {}", &value[..20], &value[20..]),
        format!("{}\n{}", &value[..20], &value[21..]),
        format!("{}…", &value[..30]),
        value.chars().flat_map(|c| [c, '\n']).collect(),
    ] {
        assert_eq!(canary.verify_reply("s", &reply, NOON).state, State::Hallucinated, "{reply:?}");
    }
}

#[test]
fn the_log_forgets_by_time() {
    let mut canary = with(|o| o.retention_hours = 3);
    let value = issued(&mut canary, NOON);
    assert_eq!(canary.verify("s", Some(&value), NOON + 600).state, State::ReadStale);
    canary.issue("t", NOON + 3 * 3600, None).unwrap();
    assert_eq!(canary.issued(), 2, "the last second counts");
    canary.issue("t", NOON + 3 * 3600 + 1, None).unwrap();
    assert_eq!(canary.issued(), 1);
}

#[test]
fn the_log_forgets_by_size_the_oldest_first() {
    let mut canary = with(|o| o.log_size = 256);
    let first = canary.issue("n0", NOON, None).unwrap().sentinel;
    for i in 1..=256 {
        canary.issue(&format!("n{i}"), NOON, None).unwrap();
    }
    assert_eq!(canary.issued(), 256);
    assert_eq!(canary.verify("n0", Some(&first), NOON).state, State::ReplaySuspect);
    let second = sentinel(&KEY, "n1", NOON / 300, 32).unwrap();
    assert_eq!(canary.verify("n1", Some(&second), NOON).state, State::ReadVerified);
}

#[test]
fn a_flood_of_ids_keeps_the_log_bounded() {
    let mut canary = canary();
    for i in 0..50_000 {
        canary.issue(&format!("flood-{i}"), NOON + i, None).unwrap();
    }
    assert_eq!(canary.issued(), 8192);
}

#[test]
fn a_log_goes_to_another_process_with_the_same_key() {
    let mut one = canary();
    let value = one.issue("s", NOON, Some(Client { identifier: "10.0.0.1", agent: "probe\u{7}/1" })).unwrap().sentinel;
    let text = one.export();
    assert!(!text.contains(&value) && !text.contains("10.0.0.1") && text.contains("probe/1"), "{text}");
    let mut two = canary();
    two.import(&text).unwrap();
    assert_eq!(two.verify("s", Some(&value), NOON).state, State::ReadVerified);
    assert_eq!(two.export(), text);
    for wrong in ["", "[]", "{}", "{\"protocol\":\"x\",\"records\":[]}", &text.replace("\"s\"", "\"a/b\"")] {
        let error = two.import(wrong).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Json | ErrorKind::Shape), "{wrong}: {error}");
    }
}

#[test]
fn a_log_from_outside_takes_no_more_room_than_ones_own() {
    let record = |client: &str| {
        let records = format!(r#"[{{"session": "s", "bucket": 1, "at": 300, "client": {client}}}]"#);
        format!(r#"{{"protocol": "occam-canary-v1", "records": {records}}}"#)
    };
    let mut canary = canary();
    let long = "x".repeat(1_000);
    canary.import(&record(&format!(r#"{{"client": "d", "agent": "{long}\u0007"}}"#))).unwrap();
    assert_eq!(canary.export().matches('x').count(), 256);
    for wrong in ["3", "{}", &format!(r#"{{"client": "{long}", "agent": ""}}"#)] {
        assert_eq!(canary.import(&record(wrong)).unwrap_err().path(), "records[0].client");
    }
    let many: Vec<String> =
        (0..20_000).map(|i| format!(r#"{{"session": "s{i}", "bucket": 1, "at": {}}}"#, i64::MAX - i)).collect();
    canary.import(&format!(r#"{{"protocol": "occam-canary-v1", "records": [{}]}}"#, many.join(","))).unwrap();
    assert_eq!(canary.issued(), 8192, "a time from the future clears nothing, the size holds");
}

#[test]
fn a_fresh_id_is_an_id_of_all_its_random_bits() {
    let ids = [new_session([0; 16]), new_session([255; 16]), new_session([1; 16])];
    assert!(ids.iter().all(|id| is_session(id) && id.len() == 32), "{ids:?}");
    assert_eq!(ids.iter().collect::<std::collections::BTreeSet<_>>().len(), 3);
}

#[test]
fn no_length_of_a_sentinel_is_too_odd_to_be_looked_for() {
    for bytes in [0, 1, 15, 33, usize::MAX] {
        assert!(find_sentinel(&"a".repeat(43), bytes).is_empty());
    }
}

#[test]
fn a_client_is_another_digest_in_another_process() {
    let export = |key: [u8; 32]| {
        let mut canary = Canary::new(&key, Options::default()).unwrap();
        canary.issue("s", NOON, Some(Client { identifier: "10.0.0.1", agent: "" })).unwrap();
        canary.export()
    };
    assert_eq!(export(KEY), export(KEY));
    assert_ne!(export(KEY), export([8; 32]));
}

#[test]
fn nothing_shows_a_key_or_a_sentinel_by_accident() {
    let mut canary = canary();
    let value = canary.issue("s", NOON, None).unwrap();
    let shown = format!("{canary:?} {value:?} {:?}", canary.verify("s", Some("x"), NOON));
    assert!(!shown.contains(&value.sentinel), "{shown}");
    assert!(!shown.contains("7, 7") && !shown.contains("0707"), "{shown}");
}

#[test]
fn a_user_agent_is_cut() {
    let mut canary = canary();
    let agent = "é".repeat(300);
    canary.issue("s", NOON, Some(Client { identifier: "c", agent: &agent })).unwrap();
    assert_eq!(canary.export().matches('é').count(), 256);
}

#[test]
fn the_document_holds_the_sentinel_three_times_and_says_what_it_is() {
    let issued = canary().issue("s", NOON, None).unwrap();
    let page = issued.document();
    assert_eq!(page.matches(&issued.sentinel).count(), 3);
    assert!(page.contains("<meta name=\"occam-sentinel\"") && page.contains("data-occam-sentinel=\"1\""));
    assert!(page.contains("noindex, nofollow"));
    assert_eq!(issued.text().matches(&issued.sentinel).count(), 1);
    let tool: Value = serde_json::from_str(&issued.tool_result()).unwrap();
    assert_eq!(tool["content"][0]["text"], issued.text());
    assert_eq!(issued.expires, NOON + 600);
}

#[test]
fn a_name_asks_so_often_a_minute_and_is_told_when_it_may_again() {
    let mut limiter = Limiter::new(2.0).unwrap();
    assert_eq!([limiter.ask("a", 0.0), limiter.ask("a", 10.5), limiter.ask("b", 11.0)], [Ok(()); 3]);
    assert_eq!(limiter.ask("a", 11.5), Err(49));
    assert_eq!(limiter.ask("a", 59.9), Err(1));
    assert_eq!(limiter.ask("a", 60.0), Ok(()));
    for i in 0..50_000 {
        let _ = limiter.ask(&format!("{i}-{}", "é".repeat(200)), 60.0);
    }
    assert!((7168..=8192).contains(&limiter.names()));
    for wrong in [0.0, 1.5, -3.0, f64::NAN, 1e9] {
        assert_eq!(Limiter::new(wrong).unwrap_err().path(), "per_minute");
    }
}

proptest! {
    #[test]
    fn any_claim_is_judged(claim in "\\PC{0,60}", now: i64, session in "\\PC{0,20}") {
        let canary = canary();
        let verdict = canary.verify(&session, Some(&claim), now);
        prop_assert_eq!(verdict.state, State::Hallucinated);
        canary.verify_reply(&session, &claim, now);
    }

    #[test]
    fn any_text_is_a_log_or_an_error(text in "\\PC{0,60}", at in "-?[0-9]{1,20}", client in "null|3|\\{\\}|\"x\"") {
        let mut canary = canary();
        prop_assert!(canary.import(&text).is_err());
        let record = format!(r#"{{"session": "s", "bucket": {at}, "at": {at}, "client": {client}}}"#);
        let found = canary.import(&format!(r#"{{"protocol": "occam-canary-v1", "records": [{record}]}}"#));
        prop_assert_eq!(canary.issued(), usize::from(found.is_ok()));
        prop_assert_eq!(canary.verify("s", Some(&text), i64::MIN).state, State::Hallucinated);
        let _ = canary.issue("t", i64::MAX, None);
        let _ = canary.issue("t", i64::MIN, None);
    }

    #[test]
    fn any_reply_is_searched(reply in "[a_\\-.é ]{0,120}", bytes in 14_usize..35) {
        for found in find_sentinel(&reply, bytes) {
            prop_assert!(reply.contains(found) && found.len() == (bytes * 8).div_ceil(6));
        }
        for found in reported(&reply.replace('é', "\n"), bytes) {
            prop_assert!(found.len() == (bytes * 8).div_ceil(6));
        }
    }

    #[test]
    fn what_was_issued_is_known_through_the_whole_horizon(start in -1_000_000_i64..1_000_000, later in 0_i64..24) {
        let mut canary = canary();
        let value = issued(&mut canary, start);
        let state = canary.verify("s", Some(&value), start + later * 300).state;
        prop_assert_eq!(state, if later <= 1 { State::ReadVerified } else { State::ReadStale });
    }
}
