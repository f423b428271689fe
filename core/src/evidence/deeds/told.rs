//! What an output says of a deed: that it came about, that it failed, that it waits for somebody.

use super::Deed;
use alloc::string::String;
use serde_json::Value;

impl Deed {
    /// Words with which a call that failed later says that it had got so far.
    pub const fn done(self) -> &'static [&'static str] {
        match self {
            Deed::Commit => &["committed", "file changed", "files changed"],
            Deed::Push => &["pushed", "pushing", "uploaded"],
            Deed::Merge => &["merged", "fast-forward"],
            Deed::Request | Deed::Ticket => &["created", "opened"],
            Deed::Deploy => &["deployed", "rolled out", "is live"],
            Deed::Release => &["published", "released", "uploaded"],
            Deed::Upload => &["uploaded", "copied", "upload:"],
            Deed::Book => &["booked", "reserved"],
            Deed::Order => &["ordered", "purchased", "placed"],
            Deed::Refund => &["refunded"],
            Deed::Transfer => &["transferred", "paid"],
            Deed::Schedule => &["scheduled"],
            Deed::Reschedule => &["rescheduled", "moved"],
            Deed::Cancel => &["cancelled", "canceled"],
            Deed::Archive => &["archived"],
            Deed::Post => &["posted", "sent"],
            Deed::Change => &["updated", "added", "saved", "created"],
        }
    }

    /// Beginnings of the words in which an output tells of it.
    pub const fn told(self) -> &'static [&'static str] {
        match self {
            Deed::Commit => &["commit", "create mode", "files changed", "file changed"],
            Deed::Push => &["push", "->", "uploaded"],
            Deed::Merge => &["merge", "fast-forward"],
            Deed::Request => {
                &["opened pull request", "created pull request", "pull request created", "pull request opened"]
            }
            Deed::Ticket => &["/issues/", "ticket", "issue", "created", "opened"],
            Deed::Deploy => &["deploy", "rolled out", "rollout", "configured", "live", "released", "running"],
            Deed::Release => &["publish", "release", "upload", "+ "],
            Deed::Upload => &["upload", "copied", "100%", "sent"],
            Deed::Book => &["book", "reserv", "confirm"],
            Deed::Order => &["order", "purchas", "bought", "placed"],
            Deed::Refund => &["refund", "reimburs", "credit"],
            Deed::Transfer => &["transfer", "paid", "payment", "sent"],
            Deed::Schedule => &["schedul", "event", "appointment", "meeting", "calendar"],
            Deed::Reschedule => &["reschedul", "moved", "updated", "postponed"],
            Deed::Cancel => &["cancel", "void", "terminat", "unsubscrib", "withdrawn"],
            Deed::Archive => &["archiv"],
            Deed::Post => &["post", "comment", "repl", "sent", "tweet"],
            Deed::Change => &["updat", "add", "sav", "chang", "creat", "set", "stor", "record"],
        }
    }
}

/// The words of an output's line that say that something did not come about.
#[rustfmt::skip]
const UNDONE: &[&str] = &[
    "before", "can't", "cannot", "couldn't", "denied", "error", "fail", "fatal", "invalid", "longer", "never", "no ",
    "not ", "rejected", "unable", "until", "would",
];

/// Whether an output's lines tell of the deed, and none of them that it did not come about. Of a call that failed only a
/// word that it was done counts.
pub fn tells(deed: Deed, output: &str, failed: bool) -> bool {
    let words = if failed { deed.done() } else { deed.told() };
    // Most outputs hold none of the words anywhere.
    let lower = output.to_lowercase();
    if !words.iter().any(|w| memchr::memmem::find(lower.as_bytes(), w.as_bytes()).is_some()) {
        return false;
    }
    let mut told = false;
    for line in output.lines().take(400) {
        let line = line.get(..line.len().min(2_000)).unwrap_or_default().to_lowercase();
        if words.iter().any(|w| line.contains(w)) {
            if UNDONE.iter().any(|w| line.contains(w)) {
                return false;
            }
            told = true;
        }
    }
    told
}

/// A tool's own word, in JSON, that it failed although its host calls it fine: `{"error": "…"}`, `{"ok": false}`.
pub(in super::super) fn says_failed(output: &str) -> bool {
    let text = output.trim();
    let speaks = || ["\"error\"", "\"ok\"", "\"success\""].iter().any(|key| text.contains(key));
    if !text.starts_with('{') || text.len() > 64 * 1024 || !speaks() {
        return false;
    }
    let Ok(Value::Object(map)) = serde_json::from_str::<Value>(text) else { return false };
    let error = |key: &str| match map.get(key) {
        Some(Value::String(text)) => !text.is_empty() && !text.eq_ignore_ascii_case("none"),
        Some(Value::Object(inner)) => !inner.is_empty(),
        Some(Value::Bool(on)) => *on,
        _ => false,
    };
    let off = |key: &str| map.get(key) == Some(&Value::Bool(false));
    error("error") || off("ok") || off("success")
}

/// A state in a tool's output, in JSON, by which the deed waits for somebody: `{"state": "awaiting_confirmation"}`.
pub fn waits(output: &str) -> Option<String> {
    let text = output.trim();
    if !text.starts_with('{') || text.len() > 64 * 1024 {
        return None;
    }
    let value: Value = serde_json::from_str(text).ok()?;
    let mut open = alloc::vec![&value];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    if let (true, Value::String(state)) = (matches!(key.as_str(), "state" | "status"), value) {
                        let low = state.to_lowercase();
                        let waits = ["await", "requires_", "needs_", "waiting_for"].iter().any(|w| low.starts_with(w));
                        if waits && !low.contains("shipment") && !low.contains("delivery") {
                            return Some(state.clone());
                        }
                    }
                    open.push(value);
                }
            }
            Value::Array(list) => open.extend(list),
            _ => {}
        }
    }
    None
}
