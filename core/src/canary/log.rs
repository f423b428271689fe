//! What was issued: bounded in time and in size, the oldest out first.
//!
//! A record never holds the sentinel or an address. Sessions' ids come from outside; a tree cannot be made slow by ids that
//! were chosen for it, as a table of hashes can.

use super::sentinel::{Keys, LONGEST};
use super::{is_session, strict, Options};
use crate::error::{Error, ErrorKind};
use alloc::collections::btree_map::Entry;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use serde_json::{json, Value};

/// The most characters of a user agent that are kept.
const AGENT: usize = 256;

/// Who asked for a document.
#[derive(Clone, Copy, Default)]
pub struct Client<'a> {
    /// What tells the client apart, such as its address. Only a digest of it is kept.
    pub identifier: &'a str,
    /// What it calls itself.
    pub agent: &'a str,
}

/// What is kept of a client.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Kept {
    client: String,
    agent: String,
}

impl Client<'_> {
    pub(super) fn kept(self, keys: &Keys) -> Kept {
        Kept { client: keys.client(self.identifier), agent: cut(self.agent) }
    }
}

/// A user agent as it is kept.
fn cut(agent: &str) -> String {
    agent.chars().filter(|c| !c.is_control()).take(AGENT).collect()
}

struct Issuance {
    at: i64,
    client: Option<Kept>,
}

/// A session and a bucket, behind a number of both that is compared first: whole ids are looked at only where it is the same,
/// and the tree stays as deep as it is where ids were chosen to make it so.
type Key = (u64, Arc<str>, i64);

fn key(session: &str, bucket: i64) -> Key {
    // FNV-1a.
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let number = session.bytes().fold(0xcbf2_9ce4_8422_2325 ^ bucket as u64, mix);
    (number, session.into(), bucket)
}

pub(super) struct Log {
    records: BTreeMap<Key, Issuance>,
    /// The keys in the order in which they came.
    order: VecDeque<Key>,
    retention: i64,
    /// How long a sentinel can be verified at all, in seconds.
    needed: i64,
    size: usize,
    /// The time of the last issuance.
    last: Option<i64>,
    /// Since when the time has gone on without a leap.
    since: i64,
}

impl Log {
    pub(super) fn new(options: &Options) -> Self {
        Log {
            records: BTreeMap::new(),
            order: VecDeque::new(),
            retention: options.retention(),
            needed: options.needed(),
            size: options.log_size,
            last: None,
            since: 0,
        }
    }

    /// How many issuances are no older than the retention at the time of the last one.
    pub(super) fn len(&self) -> usize {
        self.live().count()
    }

    fn live(&self) -> impl Iterator<Item = (&Key, &Issuance)> {
        let records = self.order.iter().filter_map(|key| Some((key, self.records.get(key)?)));
        records.filter(|(_, issuance)| self.last.is_none_or(|last| !self.is_old(issuance, last)))
    }

    fn is_old(&self, issuance: &Issuance, now: i64) -> bool {
        now.saturating_sub(issuance.at) > self.retention
    }

    /// Notes an issuance. One that is noted already stays as it is: its bucket is the same.
    pub(super) fn note(&mut self, session: &str, bucket: i64, at: i64, client: Option<Kept>) {
        self.pass(at);
        self.insert(session, bucket, at, client);
    }

    /// Takes a time for the present one, and drops what is too old by it.
    ///
    /// A leap ahead may be a long silence or a clock that went wrong. What is old by it counts no more, but it is dropped only
    /// once the new time has gone on for as long as a sentinel can be verified, or by the next leap ahead: should the clock
    /// jump back before, all that was issued is known again, and afterwards no sentinel of before could be verified anyway.
    fn pass(&mut self, now: i64) {
        let Some(last) = self.last.replace(now) else {
            self.since = now;
            return;
        };
        let step = now.saturating_sub(last);
        let retention = self.retention;
        if step > self.needed {
            self.since = now;
            self.drop_while(|at| last.saturating_sub(at) > retention);
        } else if step < 0 {
            self.since = self.since.min(now);
        } else if now.saturating_sub(self.since) >= self.needed {
            // A time that is still to come is that of a clock which went wrong, and would be in the way.
            self.drop_while(|at| now.abs_diff(at) > retention.unsigned_abs());
        }
    }

    fn insert(&mut self, session: &str, bucket: i64, at: i64, client: Option<Kept>) {
        match self.records.entry(key(session, bucket)) {
            Entry::Occupied(_) => return,
            Entry::Vacant(place) => {
                self.order.push_back(place.key().clone());
                place.insert(Issuance { at, client });
            }
        }
        while self.records.len() > self.size {
            self.drop_oldest();
        }
    }

    /// Whether a sentinel was issued to the session in this bucket, and is remembered at `now`.
    pub(super) fn issued(&self, session: &str, bucket: i64, now: i64) -> bool {
        self.records.get(&key(session, bucket)).is_some_and(|issuance| !self.is_old(issuance, now))
    }

    /// Drops the oldest as long as it was issued at such a time.
    fn drop_while(&mut self, drops: impl Fn(i64) -> bool) {
        while self.order.front().and_then(|key| self.records.get(key)).is_some_and(|issuance| drops(issuance.at)) {
            self.drop_oldest();
        }
    }

    fn drop_oldest(&mut self) {
        if let Some(key) = self.order.pop_front() {
            self.records.remove(&key);
        }
    }

    pub(super) fn export(&self) -> String {
        let record = |(key, issuance): (&Key, &Issuance)| {
            let client =
                issuance.client.as_ref().map(|Kept { client, agent }| json!({"client": client, "agent": agent}));
            json!({"session": &*key.1, "bucket": key.2, "at": issuance.at, "client": client})
        };
        let records: Vec<Value> = self.live().map(record).collect();
        json!({"protocol": super::PROTOCOL, "records": records}).to_string()
    }

    /// Takes all records of a text, or none: nothing is noted before all of it was read.
    pub(super) fn import(&mut self, text: &str) -> Result<(), Error> {
        let read = strict::read(text, CODE)?;
        if read.get("protocol").and_then(Value::as_str) != Some(super::PROTOCOL) {
            return Err(wrong("protocol", &format!("expected {}; found another protocol", super::PROTOCOL)));
        }
        known("", &read, &["protocol", "records"])?;
        let Some(records) = read.get("records").and_then(Value::as_array) else {
            return Err(wrong("records", "expected a list"));
        };
        let records =
            records.iter().enumerate().map(|(i, record)| Record::read(record, i)).collect::<Result<Vec<_>, _>>()?;
        for Record { session, bucket, at, client } in records {
            self.insert(session, bucket, at, client);
        }
        Ok(())
    }
}

/// The name of all errors of a text that is no log.
const CODE: &str = "bad_log";

fn wrong(path: &str, message: &str) -> Error {
    Error::new(ErrorKind::Shape, path, message).coded(CODE)
}

/// Whether an object has no other keys than these.
fn known(path: &str, value: &Value, keys: &[&str]) -> Result<(), Error> {
    let Some(key) = strict::unknown(value, keys) else { return Ok(()) };
    let dot = if path.is_empty() { "" } else { "." };
    Err(wrong(&format!("{path}{dot}{key}"), &format!("unknown key; the keys are {}", keys.join(", "))))
}

/// One issuance, as it is imported.
struct Record<'a> {
    session: &'a str,
    bucket: i64,
    at: i64,
    client: Option<Kept>,
}

impl<'a> Record<'a> {
    fn read(value: &'a Value, i: usize) -> Result<Self, Error> {
        let get = |key: &str| value.get(key).unwrap_or(&Value::Null);
        let path = |key: &str| format!("records[{i}].{key}");
        known(&format!("records[{i}]"), value, &["session", "bucket", "at", "client"])?;
        known(&path("client"), get("client"), &["client", "agent"])?;
        let wrong = |key: &str, expected: &str| wrong(&path(key), &format!("expected {expected}"));
        let whole = |key: &str| get(key).as_i64().ok_or_else(|| wrong(key, "a whole number of 64 bits"));
        let session = get("session").as_str().filter(|session| is_session(session));
        let client = match get("client") {
            Value::Null => None,
            client => {
                let text = |key: &str| client.get(key).and_then(Value::as_str);
                // A digest is as long as the longest sentinel.
                let digest = text("client").filter(|digest| digest.len() <= LONGEST);
                let kept =
                    digest.zip(text("agent")).map(|(client, agent)| Kept { client: client.into(), agent: cut(agent) });
                Some(kept.ok_or_else(|| wrong("client", "a digest of a client and its agent as texts"))?)
            }
        };
        let session = session.ok_or_else(|| wrong("session", "1 to 128 of A-Z a-z 0-9 . _ -"))?;
        Ok(Record { session, bucket: whole("bucket")?, at: whole("at")?, client })
    }
}
