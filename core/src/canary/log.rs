//! What was issued: bounded in time and in size, the oldest out first.
//!
//! A record never holds the sentinel or an address. Sessions' ids come from outside; a tree cannot be made slow by ids that
//! were chosen for it, as a table of hashes can.

use super::sentinel::Keys;
use super::{is_session, Options};
use crate::error::{Error, ErrorKind};
use alloc::collections::{BTreeMap, VecDeque};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

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
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    client: String,
    agent: String,
}

impl Client<'_> {
    pub(super) fn kept(self, keys: &Keys) -> Kept {
        let agent = self.agent.chars().filter(|c| !c.is_control()).take(AGENT).collect();
        Kept { client: keys.client(self.identifier), agent }
    }
}

/// One issuance, as it is exported.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    session: String,
    bucket: i64,
    at: i64,
    client: Option<Kept>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exported {
    protocol: String,
    records: Vec<Record>,
}

struct Issuance {
    at: i64,
    client: Option<Kept>,
}

type Key = (Arc<str>, i64);

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
        let key: Key = (session.into(), bucket);
        if self.records.contains_key(&key) {
            return;
        }
        self.order.push_back(key.clone());
        self.records.insert(key, Issuance { at, client });
        while self.records.len() > self.size {
            self.drop_oldest();
        }
    }

    /// Whether a sentinel was issued to the session in this bucket, and is remembered at `now`.
    pub(super) fn issued(&self, session: &str, bucket: i64, now: i64) -> bool {
        let found = self.records.get(&(session.into(), bucket));
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
            Some(Record { session: key.0.to_string(), bucket: key.1, at: issuance.at, client: issuance.client.clone() })
        };
        let records = self.order.iter().filter_map(record).collect();
        serde_json::to_string(&Exported { protocol: super::PROTOCOL.to_string(), records }).unwrap_or_default()
    }

    pub(super) fn import(&mut self, text: &str) -> Result<(), Error> {
        let read: Exported = serde_json::from_str(text).map_err(|error| {
            let kind = if error.is_data() { ErrorKind::Shape } else { ErrorKind::Json };
            Error::new(kind, "", error)
        })?;
        if read.protocol != super::PROTOCOL {
            let message = format!("expected {}; found another protocol", super::PROTOCOL);
            return Err(Error::new(ErrorKind::Shape, "protocol", message));
        }
        if let Some(i) = read.records.iter().position(|record| !is_session(&record.session)) {
            let message = "expected 1 to 128 of A-Z a-z 0-9 . _ -";
            return Err(Error::new(ErrorKind::Shape, format!("records[{i}].session"), message));
        }
        for Record { session, bucket, at, client } in read.records {
            self.note(&session, bucket, at, client);
        }
        Ok(())
    }
}
