//! Calls that have the name of an act and did not carry it out: another act's, one that waits, one that had nothing to do.

use crate::evidence::facts::Facts;
use crate::evidence::roles::words;
use alloc::string::String;
use serde_json::Value;

/// Whether the output says that there was nothing to do, that it went wrong, or that only a draft was kept.
pub(super) fn came_to_nothing(facts: &Facts<'_>) -> bool {
    let output = facts.call.output.as_deref().unwrap_or_default().trim_start();
    let start: String = output.chars().take(400).flat_map(char::to_lowercase).collect();
    let has = |said: &[&str]| said.iter().any(|words| start.contains(words));
    start.starts_with("error")
        || start.starts_with("failed")
        || has(&[
            "everything up-to-date",
            "no changes",
            "no test specified",
            "no test files",
            "no tests",
            "nothing to ",
            "collected 0 items",
            "deselected in",
            "draft",
            "not sent",
            "sandbox mode",
        ])
        || (facts.commands.is_empty() && (has(WAITING) || waits(&facts.call.arguments)))
}

/// How a service says that it did not go through with it yet.
#[rustfmt::skip]
const WAITING: &[&str] = &[
    "\"next\"", "\"sent\": false", "\"sent\":false", "approval", "await", "confirm_required", "confirmation required", "confirmation_required", "needs confirm", "needs_confirm", "needsconfirm",
    "not confirmed", "not_confirmed", "next_step", "on hold", "outbox", "pending", "please confirm", "preview", "queued", "quote", "requires confirm",
    "requires action", "requires_action", "requires_confirm", "requiresconfirm", "review", "scheduled", "to confirm", "token", "unconfirmed", "waiting",
];

/// Whether the arguments put the act off, ask only for its first step, or hold back the last.
fn waits(arguments: &Value) -> bool {
    arguments.as_object().is_some_and(|map| map.iter().take(64).any(|(key, value)| puts_off(key, value)))
}

fn puts_off(key: &str, value: &Value) -> bool {
    const LATER: &[&str] = &["at", "date", "delay", "delayed", "later", "on", "schedule", "scheduled", "time", "when"];
    const LAST: &[&str] = &["commit", "confirm", "confirmed", "execute", "final", "finalize", "go", "live", "submit"];
    const FIRST: &[&str] = &[
        "check", "draft", "dry", "estimate", "hold", "preview", "prepare", "mock", "price", "quote", "sandbox",
        "simulate", "test", "validate",
    ];
    const STEP: &[&str] = &["action", "mode", "op", "operation", "phase", "stage", "state", "status", "step", "type"];
    let words = words(key);
    let has = |list: &[&str]| words.iter().any(|w| list.contains(&w.as_str()));
    let text = value.as_str().unwrap_or("");
    let no = value.as_bool() == Some(false) || ["false", "no", "0"].iter().any(|w| text.eq_ignore_ascii_case(w));
    let on = !no && !value.is_null() && value.as_u64() != Some(0);
    let sends = ["deliver", "delay", "delayed", "post", "publish", "run", "schedule", "scheduled", "send"];
    let later = has(LATER) && has(&sends);
    let alone = has(&["delay", "delayed", "later", "schedule", "scheduled", "when"]);
    let begun = has(&["phase", "stage", "step"])
        && !["commit", "complete", "confirm", "done", "execute", "final"].iter().any(|w| text.eq_ignore_ascii_case(w));
    // A step by whatever name that is not the act itself.
    (on && (later || alone || begun || has(FIRST))) || (no && has(LAST)) || (has(STEP) && apart(text))
}

/// Whether a text names another act than the one denied: `check_eligibility`, `price`.
fn apart(text: &str) -> bool {
    text.len() < 40 && words(text).iter().any(|w| OTHERS.contains(&w.as_str()))
}

/// Words in the name of a tool beside which its verb is no act: it looks at it, prepares it or takes it back.
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "abort", "calculate", "can", "cancelled", "check", "compose", "config", "configure", "count", "describe", "disable", "draft",
    "eligibility", "enable", "estimate", "fee", "fees", "fetch", "init", "later", "option", "options", "setup", "start",
    "get", "history", "hold", "info", "is", "list", "log", "logs", "lookup", "plan", "policy", "prepare", "preview", "price",
    "quota", "quote", "read", "request", "schedule", "scheduled", "search", "settings", "should", "simulate", "status", "stop",
    "template", "templates", "test", "undo", "unsend", "validate", "verify", "view",
];

/// Whether the name of a tool says that it does the act, not something about it. `act`: the word for it.
pub(super) fn does(tool: &str, act: &str) -> bool {
    let words = words(tool);
    let takes_back = act != "cancel" && words.iter().any(|w| w == "cancel");
    !takes_back && !words.iter().any(|w| w != act && OTHERS.contains(&w.as_str()))
}

/// What is pushed, committed or merged where code is kept, and where.
#[rustfmt::skip]
const CODE: &[&str] = &[
    "and", "branch", "branches", "change", "changes", "code", "commit", "commits", "file", "files", "git", "github", "gitlab", "main",
    "mcp", "merge", "mr", "origin", "pr", "pull", "push", "remote", "repo", "repository", "to",
];

/// Messages that a program publishes to others.
const QUEUES: &[&str] = &[
    "amqp", "event", "kafka", "message", "metrics", "mqtt", "nats", "pubsub", "queue", "redis", "ros", "signal", "sns",
    "stream", "topic",
];

/// Whether a tool of unknown meaning does with code what its name speaks of.
pub(super) fn of_code(tool: &str, act: &str) -> bool {
    let words = words(tool);
    let code = match act {
        "push" | "commit" | "merge" => words.iter().all(|w| CODE.contains(&w.as_str())),
        _ => !words.iter().any(|w| QUEUES.contains(&w.as_str())),
    };
    code && does(tool, act)
}
