//! What the servers of all packages decide alike: who is answered, what is refused, and how often somebody may ask.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use counterfoil::canary::{Gate, Limiter, Options};
use serde_json::{json, Map, Value};
use std::path::Path;

fn table(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/canary").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn gate(per_minute: u32) -> Gate {
    Gate::new(&json!({"per_minute": per_minute}).to_string()).unwrap()
}

/// Asks for a session's document; the status, and in how many seconds one may come again.
fn ask(gate: &mut Gate, client: &str, session: &str, now: f64) -> (u64, u64) {
    let head = json!({"method": "GET", "target": format!("/canary/{session}"), "host": "localhost", "client": client});
    let found: Value = serde_json::from_str(&gate.arrive(&head.to_string(), now)).unwrap();
    let refused = &found["refused"];
    let wait = refused["headers"]["Retry-After"].as_str().map_or(0, |wait| wait.parse().unwrap());
    (refused["status"].as_u64().unwrap_or(200), wait)
}

fn answered(gate: &mut Gate, client: &str, session: &str, times: usize, now: f64) -> usize {
    (0..times).filter(|_| ask(gate, client, session, now).0 == 200).count()
}

#[test]
fn every_request_of_the_table_is_answered_as_it_says() {
    let table = table("requests.json");
    let mut gate = Gate::new(&json!({"hosts": table["hosts"], "per_minute": 1000}).to_string()).unwrap();
    for case in table["cases"].as_array().unwrap() {
        let mut head = case.as_object().unwrap().clone();
        for (name, value) in
            [("method", "GET"), ("target", "/canary/s"), ("host", "localhost"), ("type", "application/json")]
        {
            head.entry(name).or_insert(value.into());
        }
        let mut found: Value = serde_json::from_str(&gate.arrive(&Value::Object(head).to_string(), 0.0)).unwrap();
        if found["verify"] == json!(true) {
            found = serde_json::from_str(&gate.asked("", case["body"].as_str().unwrap().as_bytes(), 0.0)).unwrap();
        }
        let refused = &found["refused"];
        assert_eq!(refused["status"].as_u64().unwrap_or(200), case["status"], "{case}: {found}");
        let body: Value = serde_json::from_str(refused["body"].as_str().unwrap_or("null")).unwrap();
        for name in ["code", "message"] {
            assert!(case[name].is_null() || case[name] == body["error"][name], "{case}: {body}");
        }
    }
}

#[test]
fn every_option_of_the_table_is_refused_as_it_says() {
    let table = table("options.json");
    let wrong = |name: &str, hosts: &[&str], read: fn(&Value) -> Option<counterfoil::Error>| {
        for case in table[name].as_array().unwrap() {
            let options: &Map<String, Value> = case["options"].as_object().unwrap();
            // Functions, unknown names and what is null are looked at by the packages.
            if options.iter().any(|(name, value)| hosts.contains(&name.as_str()) || value.is_null()) {
                continue;
            }
            let error = read(&case["options"]).unwrap_or_else(|| panic!("{case} is taken"));
            assert_eq!(error.path(), case["path"], "{case}");
            assert_eq!(error.message(), case["message"].as_str().unwrap(), "{case}");
        }
    };
    wrong("canary", &[], |options| Options::read(options).err());
    wrong("app", &["now", "audit", "on_error", "nope"], |options| Gate::new(&options.to_string()).err());
}

#[test]
fn nobody_is_shut_out_of_a_session_by_others_who_ask_for_it() {
    let mut gate = gate(30);
    for other in 0..100 {
        answered(&mut gate, &format!("10.0.0.{other}"), "s", 100, 1.0);
    }
    assert_eq!(answered(&mut gate, "10.0.1.1", "s", 100, 1.0), 10, "its own are left");
    assert_eq!(answered(&mut gate, "10.0.1.2", "t", 100, 1.0), 30, "another session is not touched");
    assert_eq!(ask(&mut gate, "10.0.1.1", "s", 31.0), (429, 30));
    assert_eq!(ask(&mut gate, "10.0.1.1", "s", 61.0).0, 200);
}

#[test]
fn a_client_has_one_limit_over_all_sessions() {
    let mut gate = gate(30);
    assert_eq!((0..100).filter(|i| ask(&mut gate, "c", &format!("s{i}"), 0.0).0 == 200).count(), 30);
    assert_eq!(ask(&mut gate, "d", "s1", 0.0).0, 200);
}

#[test]
fn a_network_of_version_6_is_one_client_and_a_mapped_address_its_own() {
    let mut gate = gate(30);
    assert_eq!((0..100).filter(|i| ask(&mut gate, &format!("2001:db8::{i}"), "s", 0.0).0 == 200).count(), 30);
    assert_eq!(ask(&mut gate, "2001:db8:0:1::1", "s", 0.0).0, 200);
    assert_eq!(answered(&mut gate, "10.0.0.1", "t", 100, 0.0), 30);
    assert_eq!(ask(&mut gate, "::ffff:10.0.0.1", "u", 0.0).0, 429);
    assert_eq!(ask(&mut gate, "fe80::1%eth0", "s", 0.0).0, 200);
    let long = "x".repeat(5000);
    assert_eq!(answered(&mut gate, &format!("{long}1"), "v", 100, 0.0), 30);
    assert_eq!(ask(&mut gate, &format!("{long}2"), "v", 0.0).0, 200);
}

#[test]
fn a_clock_that_steps_back_clears_no_count_and_shuts_nobody_out() {
    let mut limiter = Limiter::new(2.0).unwrap();
    assert_eq!([limiter.ask("a", 5000.0), limiter.ask("a", 5000.0)], [Ok(()); 2]);
    assert_eq!(limiter.ask("a", 0.0), Err(60));
    assert_eq!(limiter.ask("a", f64::NAN), Err(60));
    assert_eq!(limiter.ask("a", f64::INFINITY), Err(60));
    assert_eq!(limiter.ask("a", 59.0), Err(1));
    assert_eq!(limiter.ask("a", 60.0), Ok(()));
}

#[test]
fn a_flood_of_names_does_not_make_those_at_their_limit_forgotten() {
    let mut limiter = Limiter::new(2.0).unwrap();
    for name in ["a", "b"] {
        assert_eq!([limiter.ask(name, 0.0), limiter.ask(name, 0.0)], [Ok(()); 2]);
    }
    for i in 0..100_000 {
        assert_eq!(limiter.ask(&format!("flood-{i}"), 1.0), Ok(()));
        assert!(limiter.names() <= 8192);
    }
    assert_eq!([limiter.ask("a", 2.0), limiter.ask("b", 2.0)], [Err(58); 2]);
    assert_eq!(limiter.ask("a", 60.0), Ok(()), "its minute ends all the same");
}
