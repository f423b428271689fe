//! What the crate finds in each case, for `scripts/homes.py`, which compares it with the other homes.

#![allow(clippy::expect_used)] // A case that cannot be read has to fail the comparison.

use counterfoil::{wire, Unit};
use serde_json::{json, Map, Value};

fn main() {
    let path = std::env::args().nth(1).expect("a file of cases");
    let text = std::fs::read_to_string(path).expect("the file of cases");
    let cases: Vec<Value> = serde_json::from_str(&text).expect("a list of cases");
    let found: Map<String, Value> =
        cases.iter().map(|case| (case["id"].as_str().expect("an id").to_string(), result(case))).collect();
    println!("{}", Value::Object(found));
}

fn result(case: &Value) -> Value {
    let turn = case["turn"].to_string();
    let read = |text: String| serde_json::from_str::<Value>(&text).expect("JSON");
    let verified = wire::verify(&turn, &case["options"].to_string(), Unit::Utf8).expect("a turn");
    let cited = wire::cited(case["text"].as_str().unwrap_or(""), &case["entries"].to_string()).expect("a reply");
    json!({"verify": verified.map(read), "ran": wire::ran(&turn).expect("a turn"), "cited": read(cited)})
}
