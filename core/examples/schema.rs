//! Prints the JSON Schema of everything that crosses the border, as one object by name.
//!
//! `scripts/generate.py` makes `docs/schema` and the Python types of it. The results are the core's
//! own structs. A turn and a session are read by hand-written code that fills in what is left out,
//! so that their schema is stated here, in the form that a host may write.
#![allow(missing_docs, dead_code, unreachable_pub)]

use counterfoil::model::{Batch, Request};
use counterfoil::record::Detected;
use counterfoil::{Call, Citations, Piece, Report, Verification};
use schemars::{generate::SchemaSettings, JsonSchema};
use serde_json::{Map, Value};

/// A reply: one text, or pieces in the order in which they were written.
#[derive(JsonSchema)]
#[serde(untagged)]
enum Reply {
    /// The whole reply.
    Text(String),
    /// Pieces; they are joined by a blank line before spans are counted.
    Pieces(Vec<Piece>),
}

/// Whether the record of a turn is known to be incomplete.
#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Complete {
    /// Nothing is known to be missing.
    Yes,
    /// `reasons` says what is missing.
    No,
}

/// One turn of an agent: what it said and what it did before saying so.
#[derive(JsonSchema)]
struct Turn {
    /// What the agent wrote.
    reply: Reply,
    /// The turn's calls; null when there is no record, so that nothing is checked. An empty list says that it made no call.
    calls: Option<Vec<Call>>,
    /// Calls of all earlier turns, oldest first.
    earlier: Option<Vec<Call>>,
    /// This turn's message from the person.
    user: Option<String>,
    /// The person's earlier messages.
    said: Option<Vec<String>>,
    /// Other text the agent was given: system prompt, reminders, attachments, hook output.
    context: Option<Vec<String>>,
    /// Numbers of the stored entries; null when citations are not to be checked.
    entries: Option<Vec<u64>>,
    /// Names of the tools on offer.
    tools: Option<Vec<String>>,
    /// The model that wrote the reply; of several the one that wrote its last text.
    model: Option<String>,
    /// `no` where the record is known to be incomplete; `yes` when absent.
    complete: Option<Complete>,
    /// Why the record is known to be incomplete.
    reasons: Option<Vec<String>>,
}

/// A session: turns in order. A turn's earlier calls are those of the turns before it.
#[derive(JsonSchema)]
struct Session {
    /// The turns, oldest first.
    turns: Vec<Turn>,
    /// The host's id of the session.
    id: Option<String>,
    /// The format it was read from.
    format: Option<Detected>,
    /// What was repaired, left out or not understood, in plain sentences that name the place.
    notes: Option<Vec<String>>,
}

/// The schema of `T` as it is written: every field is listed as required, in its declared order.
fn schema<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>().to_value()
}

fn main() {
    let mut all = Map::new();
    all.insert("turn".into(), schema::<Turn>());
    all.insert("session".into(), schema::<Session>());
    all.insert("verification".into(), schema::<Verification>());
    all.insert("report".into(), schema::<Report>());
    all.insert("citations".into(), schema::<Citations>());
    all.insert("request".into(), schema::<Request>());
    all.insert("batch".into(), schema::<Batch>());
    println!("{}", Value::Object(all));
}
