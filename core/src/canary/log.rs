//! What was issued: bounded in time and in size, the oldest out first.
//!
//! A record never holds the sentinel or an address. Sessions' ids come from outside; a tree cannot be made slow by ids that
//! were chosen for it, as a table of hashes can.

use super::sentinel::{Keys, LONGEST};
use super::{is_session, Options};
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
    size: usize,
}

impl Log {
    pub(super) fn new(options: &Options) -> Self {
        Log { records: BTreeMap::new(), order: VecDeque::new(), retention: options.retention(), size: options.log_size }
    }

    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// Notes an issuance. One that is noted already stays as it is: its bucket is the same.
    pub(super) fn note(&mut self, session: &str, bucket: i64, at: i64, client: Option<Kept>) {
        self.forget(at);
        self.insert(session, bucket, at, client);
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
        let found = self.records.get(&key(session, bucket));
        found.is_some_and(|issuance| now.saturating_sub(issuance.at) <= self.retention)
    }

    fn forget(&mut self, now: i64) {
        while let Some(issuance) = self.order.front().and_then(|key| self.records.get(key)) {
            if now.saturating_sub(issuance.at) <= self.retention {
                break;
            }
            self.drop_oldest();
        }
    }

    fn drop_oldest(&mut self) {
        if let Some(key) = self.order.pop_front() {
            self.records.remove(&key);
        }
    }

    pub(super) fn export(&self) -> String {
        let record = |key: &Key| {
            let issuance = self.records.get(key)?;
            let client =
                issuance.client.as_ref().map(|Kept { client, agent }| json!({"client": client, "agent": agent}));
            Some(json!({"session": &*key.1, "bucket": key.2, "at": issuance.at, "client": client}))
        };
        let records: Vec<Value> = self.order.iter().filter_map(record).collect();
        json!({"protocol": super::PROTOCOL, "records": records}).to_string()
    }

    /// Takes all records of a text, or none: nothing is noted before all of it was read.
    pub(super) fn import(&mut self, text: &str) -> Result<(), Error> {
        let read: Value = serde_json::from_str(text).map_err(|error| Error::new(ErrorKind::Json, "", error))?;
        if read.get("protocol").and_then(Value::as_str) != Some(super::PROTOCOL) {
            let message = format!("expected {}; found another protocol", super::PROTOCOL);
            return Err(Error::new(ErrorKind::Shape, "protocol", message));
        }
        let Some(records) = read.get("records").and_then(Value::as_array) else {
            return Err(Error::new(ErrorKind::Shape, "records", "expected a list"));
        };
        let records =
            records.iter().enumerate().map(|(i, record)| Record::read(record, i)).collect::<Result<Vec<_>, _>>()?;
        for Record { session, bucket, at, client } in records {
            self.insert(session, bucket, at, client);
        }
        Ok(())
    }
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
        let wrong = |key: &str, expected: &str| {
            Error::new(ErrorKind::Shape, format!("records[{i}].{key}"), format!("expected {expected}"))
        };
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
