//! Proof of read, as hosts use it: clocks that jump, times that are none, bodies of requests and logs from outside.
#![allow(clippy::unwrap_used, clippy::panic, clippy::cast_possible_wrap)]

use counterfoil::canary::{
    find_sentinel, new_session, Canary, Client, Handle, Limiter, Options, Request, State, Verdict,
};
use counterfoil::{Error, ErrorKind};
use serde_json::{json, Value};

const KEY: [u8; 32] = [7; 32];
/// The start of a bucket of 300 seconds.
const NOON: i64 = 1_000_000 * 300;
const HOUR: i64 = 3_600;
/// How long a sentinel can be verified with the default settings.
const NEEDED: i64 = 25 * 300;
const CENTURY: i64 = 100 * 365 * 24 * HOUR;

fn canary() -> Canary {
    Canary::new(&KEY, Options::default()).unwrap()
}

fn handle() -> Handle {
    Handle::new(KEY.to_vec(), "").unwrap()
}

/// A canary that issued to `s0` … `s9` around noon, with the values.
fn busy() -> (Canary, Vec<String>) {
    let mut canary = canary();
    let values = (0..10).map(|i| canary.issue(&format!("s{i}"), NOON + i, None).unwrap().sentinel).collect();
    (canary, values)
}

fn state(canary: &Canary, values: &[String], i: usize, now: i64) -> State {
    canary.verify(&format!("s{i}"), Some(&values[i]), now).state
}

#[test]
fn a_clock_that_jumps_ahead_and_back_forgets_nothing() {
    for jump in [3 * HOUR, 25 * HOUR, 30 * 24 * HOUR, CENTURY] {
        let (mut canary, values) = busy();
        for i in 0..50 {
            canary.issue(&format!("ahead-{i}"), NOON + jump + i * 60, None).unwrap();
        }
        canary.issue("back", NOON + 60 * 50, None).unwrap();
        for i in 0..10 {
            assert_eq!(state(&canary, &values, i, NOON + 400), State::ReadVerified, "{jump}");
        }
        assert!(canary.export().contains("\"s0\""));
    }
}

#[test]
fn a_clock_that_jumps_back_and_ahead_forgets_nothing() {
    let (mut canary, values) = busy();
    canary.issue("back", 0, None).unwrap();
    canary.issue("back", 300, None).unwrap();
    canary.issue("ahead", NOON + 20, None).unwrap();
    assert_eq!(state(&canary, &values, 0, NOON + 20), State::ReadVerified);
}

#[test]
fn a_long_silence_is_forgotten_like_any_other_time() {
    let (mut canary, _) = busy();
    let later = NOON + 30 * 24 * HOUR;
    canary.issue("later", later, None).unwrap();
    assert_eq!(canary.issued(), 1, "what is old counts no more");
    assert!(!canary.export().contains("\"s0\""));
    // And once the time went on, it is there no more, wherever the clock goes.
    let mut now = later;
    while now < later + NEEDED {
        now += 300;
        canary.issue("later", now, None).unwrap();
    }
    canary.issue("back", NOON + 20, None).unwrap();
    assert!(!canary.export().contains("\"s0\""), "{}", canary.export());
}

#[test]
fn the_next_leap_drops_what_the_last_one_made_old() {
    let (mut canary, _) = busy();
    for week in 1..4 {
        canary.issue("weekly", NOON + week * 7 * 24 * HOUR, None).unwrap();
    }
    canary.issue("back", NOON + 20, None).unwrap();
    assert!(!canary.export().contains("\"s0\""));
}

#[test]
fn what_a_wrong_clock_noted_is_in_nobodys_way() {
    let mut canary = canary();
    canary.issue("wrong", NOON + CENTURY, None).unwrap();
    let mut now = NOON;
    while now < NOON + 48 * HOUR {
        canary.issue("right", now, None).unwrap();
        now += 300;
    }
    let records: Value = serde_json::from_str(&canary.export()).unwrap();
    let records = records["records"].as_array().unwrap();
    assert!(records.iter().all(|record| record["session"] == "right"));
    assert_eq!(records.len(), 24 * 12 + 1, "a day of them");
}

#[test]
fn a_time_that_is_none_has_its_own_code() {
    let mut handle = handle();
    for now in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 9.1e12, -9.1e12] {
        let errors = [
            handle.issue("s", now, None).unwrap_err(),
            handle.verify("s", Some("x"), now).unwrap_err(),
            handle.verify_reply("s", "x", now).unwrap_err(),
        ];
        for error in errors {
            assert_eq!((error.code(), error.path(), error.kind()), ("bad_now", "now", ErrorKind::Shape), "{error}");
        }
    }
    let mut canary = canary();
    for now in [i64::MAX, i64::MIN, 9_000_000_000_001] {
        assert_eq!(canary.issue("s", now, None).unwrap_err().code(), "bad_now");
    }
    assert_eq!(canary.issued(), 0, "no log was touched");
    canary.issue("s", 9_000_000_000_000, None).unwrap();
}

#[test]
fn a_time_before_1970_is_a_time() {
    let mut handle = handle();
    let issued: Value = serde_json::from_str(&handle.issue("s", -0.5, None).unwrap()).unwrap();
    assert_eq!((&issued["bucket"], &issued["event"]["at"]), (&json!(-1), &json!(-1)));
    let found = handle.verify("s", issued["sentinel"].as_str(), -300.0).unwrap();
    assert!(found.contains("\"READ_VERIFIED\""), "{found}");
}

#[test]
fn a_limit_holds_whatever_the_clock_says() {
    let mut limiter = Limiter::new(2.0).unwrap();
    let asked: Vec<bool> = (0..4).map(|_| limiter.ask("a", f64::NAN).is_ok()).collect();
    assert_eq!(asked, [true, true, false, false]);
    assert_eq!(limiter.ask("b", 10.0), Ok(()));
    assert_eq!((limiter.ask("b", f64::INFINITY), limiter.ask("b", f64::NAN)), (Ok(()), Err(60)));
}

fn code(error: &Error) -> (&str, &str) {
    (error.code(), error.path())
}

#[test]
fn the_body_of_a_request_is_read_strictly() {
    let read = |body: &str| Request::read(body).unwrap();
    let answer = Request { session: "s".into(), claim: None, reply: Some("x".into()) };
    assert_eq!(read(r#"{"session": "s", "reply": "x"}"#), answer);
    assert_eq!(read(r#"{"session": "s", "claim": null, "reply": "x"}"#), answer);
    assert_eq!(read(r#"{"session": "s"}"#), Request { reply: None, ..answer });
    for (body, wanted) in [
        ("", ("bad_request", "")),
        ("[]", ("bad_request", "")),
        ("{} {}", ("bad_request", "")),
        ("{}", ("bad_session", "session")),
        (r#"{"session": 3}"#, ("bad_session", "session")),
        (r#"{"session": "s", "claim": 7}"#, ("bad_claim", "claim")),
        (r#"{"session": "s", "claim": ["x"]}"#, ("bad_claim", "claim")),
        (r#"{"session": "s", "claim": true}"#, ("bad_claim", "claim")),
        (r#"{"session": "s", "reply": {}}"#, ("bad_reply", "reply")),
        (r#"{"session": "s", "claim": "x", "reply": "x"}"#, ("bad_request", "reply")),
        (r#"{"session": "s", "claims": "x"}"#, ("bad_request", "claims")),
        (r#"{"session": "s", "claim": "x", "claim": "y"}"#, ("bad_request", "claim")),
    ] {
        assert_eq!(code(&Request::read(body).unwrap_err()), wanted, "{body}");
    }
    assert_eq!(Request::read("[".repeat(100_000)).unwrap_err().code(), "bad_request");
}

#[test]
fn a_log_from_outside_is_read_strictly() {
    let mut canary = canary();
    let log = |records: &str| format!(r#"{{"protocol": "occam-canary-v1", "records": [{records}]}}"#);
    let good = r#"{"session": "s", "bucket": 1, "at": 300, "client": {"client": "d", "agent": "a"}}"#;
    for (text, path) in [
        ("[".to_string(), ""),
        ("[]".to_string(), "protocol"),
        (log("3"), "records[0].session"),
        (log(good).replace("\"records\"", "\"more\": 1, \"records\""), "more"),
        (log(good).replace("\"records\"", "\"protocol\": \"x\", \"records\""), "protocol"),
        (log(&format!("{good}, {}", good.replace("\"at\"", "\"note\": 1, \"at\""))), "records[1].note"),
        (log(&format!("{good}, {}", good.replace("\"at\"", "\"at\": 1, \"at\""))), "records[1].at"),
        (log(&good.replace("\"agent\"", "\"address\": 1, \"agent\"")), "records[0].client.address"),
        (log(&good.replace("\"agent\"", "\"client\": 1, \"agent\"")), "records[0].client.client"),
    ] {
        assert_eq!(code(&canary.import(&text).unwrap_err()), ("bad_log", path), "{text}");
        assert_eq!(canary.issued(), 0, "nothing is taken in");
    }
    canary.import(&log(&format!("{good}, {good}"))).unwrap();
    assert_eq!(canary.issued(), 1);
}

#[test]
fn options_as_text_are_read_strictly() {
    let made = |text: &str| Handle::new(KEY.to_vec(), text).map(|handle| handle.options());
    assert!(made(r#"{"log_size": 300}"#).unwrap().contains("\"log_size\":300"));
    let failed = |text: &str| made(text).map_err(|error| (error.kind(), error.path().to_string())).unwrap_err();
    assert_eq!(failed("{"), (ErrorKind::Json, "options".into()));
    assert_eq!(failed(r#"{"log_size": 300, "log_size": 400}"#), (ErrorKind::Option, "log_size".into()));
    assert_eq!(failed(r#"{"size": 300}"#), (ErrorKind::Option, "size".into()));
}

#[test]
fn an_id_that_is_none_has_its_own_code() {
    for id in ["", "../", "a\nb", "<script>", &"x".repeat(129)] {
        assert_eq!(code(&canary().issue(id, NOON, None).unwrap_err()), ("bad_session", "session"));
    }
    assert_eq!(Canary::new(&[], Options::default()).unwrap_err().code(), "option", "others have that of their kind");
}

#[test]
fn no_public_type_prints_a_key_or_a_sentinel() {
    let key: Vec<u8> = (1..33).map(|i| i * 7).collect();
    let mut canary = Canary::new(&key, Options::default()).unwrap();
    let mut handle = Handle::new(key.clone(), "").unwrap();
    let client = Some(Client { identifier: "10.0.0.1", agent: "probe/1" });
    let issued = canary.issue("s", NOON, client).unwrap();
    let told: Value =
        serde_json::from_str(&handle.issue("s", NOON as f64, Some(("10.0.0.1", "probe/1"))).unwrap()).unwrap();
    let verdict: Verdict = canary.verify("s", Some(&issued.sentinel), NOON);
    let mut shown = format!("{canary:?} {handle:?} {issued:?} {verdict:?} {:?}", canary.options());
    shown += &Canary::new(&key[1..], Options::default()).unwrap_err().to_string();
    shown += &told["event"].to_string();
    shown += &serde_json::to_string(&verdict).unwrap();
    shown += &handle.verify("s", Some(&issued.sentinel), NOON as f64).unwrap();
    shown += &canary.export();
    let hex = new_session(key[..16].try_into().unwrap());
    let list: Vec<String> = key.iter().map(u8::to_string).collect();
    for secret in [&issued.sentinel, &hex[..8], &list[..3].join(", "), "10.0.0.1"] {
        assert!(!shown.contains(secret), "{secret}: {shown}");
    }
    assert_eq!(find_sentinel(&shown, 32).iter().filter(|word| **word == issued.sentinel).count(), 0);
}

#[test]
fn verdicts_come_in_their_order() {
    let mut canary = canary();
    let bucket = NOON / 300;
    let of = |session: &str, back: i64| counterfoil::canary::sentinel(&KEY, session, bucket - back, 32).unwrap();
    // 1 before 2: an id that is none and a bucket out of the window, although neither was issued.
    assert_eq!(canary.verify("a/b", Some(&of("s", 0)), NOON).state, State::Hallucinated);
    assert_eq!(canary.verify("s", Some(&of("s", 25)), NOON).state, State::Hallucinated);
    assert_eq!(canary.verify("s", Some(&of("s", -2)), NOON).state, State::Hallucinated);
    // 2 before 3 and 4: fresh and stale ones that were not issued.
    for back in [-1, 0, 1, 2, 24] {
        let found = canary.verify("s", Some(&of("s", back)), NOON);
        assert_eq!((found.state, found.distance), (State::ReplaySuspect, Some(back)));
    }
    // 3 before 4.
    for back in [-1, 0, 1, 2, 24] {
        canary.issue("s", NOON - back * 300, None).unwrap();
        let wanted = if back <= 1 { State::ReadVerified } else { State::ReadStale };
        assert_eq!(canary.verify("s", Some(&of("s", back)), NOON).state, wanted, "{back}");
    }
}

#[test]
fn the_edges_move_with_the_tolerance_and_the_horizon() {
    for (tolerance, horizon) in [(0, 1), (0, 24), (8, 9), (8, 24), (1, 2)] {
        let options = Options { fresh_tolerance: tolerance, stale_horizon: horizon, ..Options::default() };
        let mut canary = Canary::new(&KEY, options).unwrap();
        let value = canary.issue("s", NOON, None).unwrap().sentinel;
        let at = |bucket: i64, second: i64| canary.verify("s", Some(&value), NOON + bucket * 300 + second).state;
        assert_eq!(at(-tolerance, 0), State::ReadVerified);
        assert_eq!(at(-tolerance, -1), State::Hallucinated);
        assert_eq!(at(tolerance, 299), State::ReadVerified);
        assert_eq!(at(tolerance + 1, 0), State::ReadStale);
        assert_eq!(at(horizon, 299), State::ReadStale);
        assert_eq!(at(horizon + 1, 0), State::Hallucinated);
    }
}
