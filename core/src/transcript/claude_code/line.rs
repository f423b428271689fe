//! One line, cut down to what counts.

use crate::transcript::value::{flag, has, is_object, take, take_text, text};
use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    User,
    Assistant,
    /// A compaction.
    Boundary,
    /// Text that the agent was given: attachments, the output of hooks, notices.
    Given,
    /// The head of `stream-json`, with the tools on offer.
    Init,
    /// The end of `stream-json`.
    Result,
    /// It could not be read.
    Bad,
    /// Bookkeeping; it only links other lines.
    Other,
}

/// What is true of a message, as a set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Body(u8);

impl Body {
    /// A sub-agent's.
    pub(super) const SIDE: Body = Body(1);
    /// Written by the host.
    pub(super) const META: Body = Body(2);
    /// The summary after a compaction.
    pub(super) const SUMMARY: Body = Body(4);
    /// Sent by something that is no person.
    pub(super) const INJECTED: Body = Body(8);
    /// Written in the model's name by the host, as for an API error.
    pub(super) const SYNTHETIC: Body = Body(16);
    /// Taken back.
    pub(super) const ABORTED: Body = Body(32);

    pub(super) fn contains(self, other: Body) -> bool {
        self.0 & other.0 == other.0
    }

    pub(super) fn intersects(self, other: Body) -> bool {
        self.0 & other.0 != 0
    }

    fn when(self, yes: bool) -> Body {
        if yes {
            self
        } else {
            Body(0)
        }
    }
}

impl core::ops::BitOr for Body {
    type Output = Body;

    fn bitor(self, other: Body) -> Body {
        Body(self.0 | other.0)
    }
}

/// What `toolUseResult` adds to a result.
#[derive(Debug, Default)]
pub(super) struct Details {
    pub(super) timed_out: bool,
    pub(super) interrupted: bool,
    pub(super) background: bool,
    /// The exit was not zero, and the host says that this is fine.
    pub(super) fine: bool,
    pub(super) truncated: bool,
    /// The whole of it where it is a text: what went wrong.
    pub(super) error: Option<String>,
    /// The id of the sub-agent that did the work.
    pub(super) agent: Option<String>,
}

/// A line.
#[derive(Debug)]
pub(super) struct Line {
    /// From 1.
    pub(super) number: usize,
    pub(super) kind: Kind,
    pub(super) body: Body,
    pub(super) uuid: Option<String>,
    /// The line that it answers or goes on with.
    pub(super) above: Option<String>,
    /// The id of the API message that it is a part of.
    pub(super) message: Option<String>,
    pub(super) session: Option<String>,
    pub(super) at: Option<String>,
    pub(super) agent: Option<String>,
    /// The call whose sub-agent wrote it, where the line names it.
    pub(super) parent: Option<String>,
    pub(super) supersedes: Vec<String>,
    pub(super) details: Option<Details>,
    /// The model that wrote it.
    pub(super) model: Value,
    /// The message's content, or what the kind needs.
    pub(super) content: Value,
}

impl Line {
    /// Takes a line apart; `None` is a line that is no JSON.
    pub(super) fn of(number: usize, value: Option<Value>) -> Self {
        let mut line = Line {
            number,
            kind: Kind::Bad,
            body: Body::default(),
            uuid: None,
            above: None,
            message: None,
            session: None,
            at: None,
            agent: None,
            parent: None,
            supersedes: Vec::new(),
            details: None,
            model: Value::Null,
            content: Value::Null,
        };
        let Some(mut value) = value.filter(Value::is_object) else { return line };
        line.uuid = take_text(&mut value, "uuid");
        line.above = take_text(&mut value, "parentUuid").or_else(|| take_text(&mut value, "logicalParentUuid"));
        line.session = take_text(&mut value, "sessionId").or_else(|| take_text(&mut value, "session_id"));
        line.kind = kind(&value);
        match line.kind {
            Kind::User | Kind::Assistant => line.message(value),
            Kind::Given => line.content = given(value),
            Kind::Init => line.content = take(&mut value, "tools"),
            Kind::Result => line.content = value,
            Kind::Boundary | Kind::Bad | Kind::Other => {}
        }
        line
    }

    fn message(&mut self, mut value: Value) {
        self.at = take_text(&mut value, "timestamp");
        self.agent = take_text(&mut value, "agentId");
        self.parent = take_text(&mut value, "parent_tool_use_id");
        self.supersedes = ids(take(&mut value, "supersedes"));
        self.details = details(take(&mut value, "toolUseResult"), take(&mut value, "tool_use_result"));
        let origin = value.get("origin").map_or("", |origin| text(origin, "kind"));
        self.body = Body::SIDE.when(flag(&value, "isSidechain") || self.parent.is_some())
            | Body::META.when(flag(&value, "isMeta") || flag(&value, "isSynthetic"))
            | Body::SUMMARY.when(flag(&value, "isCompactSummary"))
            | Body::INJECTED.when(!matches!(origin, "" | "human"))
            | Body::ABORTED.when(flag(&value, "aborted"))
            | Body::SYNTHETIC.when(flag(&value, "isApiErrorMessage"));
        let mut message = take(&mut value, "message");
        if text(&message, "model") == "<synthetic>" {
            self.body = self.body | Body::SYNTHETIC;
        }
        self.model = take(&mut message, "model");
        self.message = take_text(&mut message, "id");
        self.content = take(&mut message, "content");
    }

    /// Whether it is a sub-agent's.
    pub(super) fn is_side(&self) -> bool {
        self.body.contains(Body::SIDE)
    }

    /// Makes it a line of the session itself.
    pub(super) fn stand_alone(&mut self) {
        self.body = Body(self.body.0 & !Body::SIDE.0);
        self.parent = None;
    }

    /// The ids of calls in it.
    pub(super) fn called(&self) -> impl Iterator<Item = &str> {
        self.blocks().filter(|b| text(b, "type") == "tool_use").map(|b| text(b, "id"))
    }

    /// The ids of results in it.
    pub(super) fn returned(&self) -> impl Iterator<Item = &str> {
        self.blocks().filter(|b| text(b, "type") == "tool_result").map(|b| text(b, "tool_use_id"))
    }

    /// The blocks of its content.
    pub(super) fn blocks(&self) -> impl Iterator<Item = &Value> {
        self.content.as_array().into_iter().flatten()
    }
}

fn kind(value: &Value) -> Kind {
    let message = is_object(value, "message");
    match text(value, "type") {
        "user" if message => Kind::User,
        "assistant" if message => Kind::Assistant,
        "user" | "assistant" | "" => Kind::Bad,
        "system" => match text(value, "subtype") {
            "compact_boundary" => Kind::Boundary,
            "init" => Kind::Init,
            _ if has(value, "content") => Kind::Given,
            _ => Kind::Other,
        },
        "attachment" => Kind::Given,
        // Lines of another host in the same file: what was said and done in them is not read.
        "session_meta" | "response_item" | "event_msg" if has(value, "payload") => Kind::Bad,
        "tool_call" if has(value, "call_id") => Kind::Bad,
        "result" if has(value, "subtype") || has(value, "result") => Kind::Result,
        // Another host's call, of which nothing more is known.
        _ if has(value, "call_id") || has(value, "tool_call") => Kind::Bad,
        _ => Kind::Other,
    }
}

/// The part of a notice or attachment that the agent may have read.
fn given(mut value: Value) -> Value {
    match take(&mut value, "attachment") {
        Value::Null => take(&mut value, "content"),
        attachment => attachment,
    }
}

fn ids(value: Value) -> Vec<String> {
    match value {
        Value::String(id) => alloc::vec![id],
        Value::Array(items) => items.iter().filter_map(|v| v.as_str().map(ToString::to_string)).collect(),
        _ => Vec::new(),
    }
}

/// Session files write `toolUseResult`, the stream `tool_use_result`.
fn details(camel: Value, snake: Value) -> Option<Details> {
    let mut value = if camel.is_null() { snake } else { camel };
    match value {
        Value::String(error) => Some(Details { error: Some(error), ..Details::default() }),
        Value::Object(_) => Some(Details {
            timed_out: has(&value, "timedOutAfterMs"),
            interrupted: flag(&value, "interrupted"),
            background: has(&value, "backgroundTaskId")
                || flag(&value, "isAsync")
                || text(&value, "status") == "async_launched",
            fine: has(&value, "returnCodeInterpretation"),
            truncated: has(&value, "persistedOutputPath") || flag(&value, "truncated"),
            error: None,
            agent: take_text(&mut value, "agentId"),
        }),
        _ => None,
    }
}

/// Ids that stand more than once: the second line is a copy that a resumed session brought along.
pub(super) fn copies(lines: &[Line]) -> Vec<bool> {
    let mut seen = BTreeSet::new();
    lines.iter().map(|line| line.uuid.as_deref().is_some_and(|uuid| !seen.insert(uuid))).collect()
}
