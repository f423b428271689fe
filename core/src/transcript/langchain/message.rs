//! LangChain messages: told by their kind, whichever of three ways they are written in, and put in order.
//!
//! A message is a constructor (`lc`, `kwargs`), a pair of `type` and `data`, or flat. In a log of a graph's states it
//! comes again and again: exact copies count once, and a message that was changed under its id counts as it is last.

use crate::transcript::notes::Notes;
use crate::transcript::value::{has, is_object, list, take, text};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

/// The id by which a message takes back all that were before it.
const ALL: &str = "__remove_all__";

/// Who speaks in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Human,
    Ai,
    System,
    Tool,
    Remove,
    /// No message of a kind that is known.
    Unknown,
}

/// A message, as far as it was opened.
pub(super) struct Message {
    pub(super) kind: Kind,
    /// It is a piece of a message that was streamed.
    pub(super) chunk: bool,
    /// It was taken back: its calls count, its prose does not.
    pub(super) retracted: bool,
    /// Another message of the user has its id: it may be that message written anew, or one of its own.
    pub(super) again: bool,
    pub(super) data: Value,
}

/// The kind that a type, a role or the name of a class stands for, and whether it is a chunk's.
fn kind(name: &str) -> Option<(Kind, bool)> {
    let chunk = name.ends_with("Chunk");
    let name = name.strip_suffix("Chunk").unwrap_or(name);
    let kind = match name.strip_suffix("Message").unwrap_or(name) {
        "human" | "Human" | "user" => Kind::Human,
        "ai" | "AI" | "assistant" => Kind::Ai,
        "system" | "System" | "developer" => Kind::System,
        "tool" | "Tool" | "function" | "Function" => Kind::Tool,
        "remove" | "Remove" => Kind::Remove,
        _ => return None,
    };
    Some((kind, chunk))
}

/// The name of a constructor's class, where it is a message's.
fn class(value: &Value) -> Option<&str> {
    let class = list(value, "id").last().and_then(Value::as_str).filter(|_| has(value, "lc"))?;
    (class.ends_with("Message") || class.ends_with("MessageChunk")).then_some(class)
}

/// By which keys a value is a message of this format and of no other.
pub(super) fn telling(value: &Value) -> Option<&'static str> {
    if class(value).is_some() {
        return Some("lc");
    }
    // A kind that other formats have too needs a second key.
    let kind = text(value, "type");
    let spoken = matches!(kind, "human" | "ai") || kind.ends_with("MessageChunk");
    let own = |data: &Value| has(data, "content") && (spoken || kind == "tool" && has(data, "tool_call_id"));
    if value.get("data").is_some_and(own) {
        return Some("type, data");
    }
    (own(value) && !has(value, "role")).then_some("type: ai")
}

impl Message {
    pub(super) fn of(mut value: Value) -> Self {
        let constructor = class(&value).and_then(kind);
        let named = kind(text(&value, "type")).or_else(|| kind(text(&value, "role")));
        let (found, key) = match (constructor, named) {
            (Some(found), _) => (Some(found), "kwargs"),
            (None, found) => (found, "data"),
        };
        let data = if is_object(&value, key) { take(&mut value, key) } else { value };
        let pieces = !list(&data, "tool_call_chunks").is_empty();
        // What somebody else is called speaks with the role that stands inside.
        let found = found.or_else(|| kind(text(&data, "role")));
        let (kind, chunk) = found.unwrap_or((Kind::Unknown, false));
        Message { kind, chunk: kind == Kind::Ai && (chunk || pieces), retracted: false, again: false, data }
    }

    fn id(&self) -> &str {
        text(&self.data, "id")
    }
}

/// Messages in the order in which they count.
#[derive(Default)]
struct Ordered {
    kept: Vec<Message>,
    /// Where each id stood first.
    places: BTreeMap<String, usize>,
    copies: usize,
    /// So many messages were taken back together.
    cleared: usize,
}

/// Puts the messages of a log in order: copies, versions and what was taken back.
pub(super) fn settle(values: Vec<Value>, notes: &mut Notes) -> Vec<Message> {
    let mut ordered = Ordered::default();
    for value in values {
        ordered.add(Message::of(value));
    }
    if ordered.copies > 0 {
        notes.add("copies", format!("{} messages that stand again under their id count once", ordered.copies));
    }
    let Ordered { mut kept, places, .. } = ordered;
    // A whole message stands for its chunks.
    let whole: Vec<bool> = kept.iter().map(|message| !message.chunk).collect();
    kept.retain(|message| {
        let first = places.get(message.id()).and_then(|place| whole.get(*place));
        !message.chunk || first != Some(&true)
    });
    kept
}

impl Ordered {
    fn add(&mut self, mut message: Message) {
        let id = message.id().to_string();
        if message.kind == Kind::Remove {
            return self.retract(&id);
        }
        let former = self.places.get(&id).and_then(|place| self.kept.get_mut(*place));
        let human = message.kind == Kind::Human;
        let other = |former: &Message| human && former.data.get("content") != message.data.get("content");
        message.again = former.as_deref().is_some_and(|former| former.kind == Kind::Human && other(former));
        match former.filter(|former| former.kind == message.kind && !message.chunk && !message.again) {
            Some(former) => {
                self.copies += usize::from(!former.chunk);
                *former = message;
            }
            None => {
                if !id.is_empty() {
                    self.places.entry(id).or_insert(self.kept.len());
                }
                self.kept.push(message);
            }
        }
    }

    fn retract(&mut self, id: &str) {
        if id == ALL {
            for message in self.kept.iter_mut().skip(self.cleared) {
                message.retracted = true;
            }
            self.cleared = self.kept.len();
        } else if let Some(message) = self.places.get(id).and_then(|place| self.kept.get_mut(*place)) {
            message.retracted = true;
        }
    }
}
