//! What a call of a tool did or may have done, by its role, name and arguments.

use super::acts::bits::*;
use super::acts::{deletes_file, of_code, sql, Acts};
use super::dry;
use super::roles::{words, Role};
use alloc::string::String;
use serde_json::Value;

/// Verbs in the names of tools that are not in the table: done, possible besides, verbs.
const VERBS: &[(u16, u16, &[&str])] = &[
    (
        N,
        P,
        &[
            "alert",
            "announce",
            "broadcast",
            "email",
            "mail",
            "message",
            "notification",
            "notify",
            "ping",
            "remind",
            "say",
            "send",
            "slack",
            "sms",
            "text",
            "toast",
            "tweet",
            "whatsapp",
        ],
    ),
    (P, N, &["comment", "invite", "post", "react", "reaction", "reply", "share"]),
    (
        P,
        W,
        &[
            "add",
            "append",
            "approve",
            "assign",
            "book",
            "buy",
            "charge",
            "create",
            "enroll",
            "insert",
            "issue",
            "label",
            "like",
            "order",
            "pay",
            "pin",
            "purchase",
            "refund",
            "register",
            "reserve",
            "save",
            "schedule",
            "store",
            "subscribe",
            "tag",
            "transfer",
            "upload",
            "vote",
        ],
    ),
    (
        P,
        W | R,
        &[
            "archive",
            "cancel",
            "change",
            "close",
            "configure",
            "disable",
            "dismiss",
            "edit",
            "enable",
            "exchange",
            "exclude",
            "mark",
            "merge",
            "modify",
            "move",
            "patch",
            "put",
            "rename",
            "replace",
            "restore",
            "return",
            "revert",
            "revoke",
            "set",
            "swap",
            "sync",
            "toggle",
            "unsubscribe",
            "update",
            "upsert",
            "void",
        ],
    ),
    (
        R | P,
        W,
        &[
            "clean",
            "cleanup",
            "clear",
            "delete",
            "deprovision",
            "destroy",
            "discard",
            "drop",
            "erase",
            "prune",
            "purge",
            "remove",
            "rm",
            "teardown",
            "trash",
            "uninstall",
            "unlink",
            "unpublish",
            "wipe",
        ],
    ),
    (P, Acts::ANY.may, &["deploy", "publish", "release", "push", "commit", "submit", "ship", "upgrade"]),
    (T, Acts::ANY.may, &["test", "tests", "spec", "ctest", "pytest", "jest", "vitest", "validate", "verify", "ci"]),
    (B, Acts::ANY.may, &["build", "compile", "make"]),
    (F, W, &["download", "crawl", "scrape"]),
    (W, C, &["write", "rewrite", "overwrite", "refactor"]),
];

/// What a call of a tool did or may have done, by its role, its name and its arguments.
///
/// For a command the line says more: see [`super::facts::Facts`].
pub fn of_tool(role: Role, name: &str, arguments: &Value) -> Acts {
    if dry::asks(arguments) {
        return Acts::NONE;
    }
    match role {
        Role::Command => Acts::ANY,
        Role::Agent => Acts::ANY.with(Acts::of(X, 0)),
        Role::Code => {
            let mut did = X;
            texts(arguments, &mut |text| did |= of_code(text));
            Acts::ANY.with(Acts::of(did, 0))
        }
        Role::Read => Acts::NONE,
        // A question is put before the person, which may be called a message.
        Role::Ask => Acts::of(0, N),
        Role::Look => results(name),
        Role::Search => Acts::of(S, statements(name, arguments)).with(results(name)),
        Role::Fetch => Acts::of(F, 0).with(results(name)),
        Role::Notify => Acts::of(N, P),
        Role::Remove => Acts::of(R, W | P),
        Role::Write => writing(name, arguments),
        Role::Unknown => unknown(name, arguments),
    }
}

/// A look at tests or a build shows their result: `get_test_results`, `check_build`.
fn results(name: &str) -> Acts {
    let has = |list: &[&str]| words(name).iter().any(|w| list.contains(&w.as_str()));
    let mut may = 0;
    if has(&["test", "tests", "spec", "ci", "check", "checks", "pipeline", "workflow", "job", "run", "actions"]) {
        may |= T;
    }
    if has(&[
        "build",
        "builds",
        "ci",
        "compile",
        "checks",
        "pipeline",
        "workflow",
        "job",
        "run",
        "actions",
        "errors",
        "diagnostics",
    ]) {
        may |= B;
    }
    Acts::of(0, may)
}

/// A query tool runs any statement that it is given.
fn statements(name: &str, arguments: &Value) -> u16 {
    let runs = words(name).iter().any(|w| matches!(w.as_str(), "query" | "sql" | "db" | "database"));
    let mut acts = Acts::NONE;
    if runs {
        texts(arguments, &mut |text| acts = acts.with(sql(text)));
    }
    acts.did | acts.may
}

/// An edit takes things out of a file; the file itself goes when the arguments say so or leave nothing in it.
fn writing(name: &str, arguments: &Value) -> Acts {
    let mut did = W;
    texts(arguments, &mut |text| {
        if deletes_file(text) {
            did |= R;
        }
    });
    let text = |keys: &[&str]| keys.iter().find_map(|key| arguments.get(key).and_then(Value::as_str));
    let whole = text(&["content", "contents", "file_text", "text", "CodeContent"]);
    let part = text(&["new", "new_str", "new_string", "newText", "new_text", "replacement"]);
    let appends = arguments.get("mode").and_then(Value::as_str) == Some("append");
    if (whole == Some("") && !appends)
        || mode_removes(arguments)
        || words(name).iter().any(|w| w == "delete" || w == "remove")
    {
        did |= R;
    }
    // Without the text that was written nothing rules a removal out.
    let shown = arguments.is_string()
        || whole.is_some()
        || part.is_some()
        || ["input", "patch", "diff", "edits", "code_edit", "new_source"].iter().any(|k| arguments.get(k).is_some());
    match (shown, part) {
        (false, _) | (_, Some("")) => Acts::of(did, C | R),
        _ if appends => Acts::of(did, 0),
        _ => Acts::of(did, C),
    }
}

/// Whether an argument that chooses what the tool does asks for removal: `mode: "delete"`.
fn mode_removes(arguments: &Value) -> bool {
    const KEYS: &[&str] = &["action", "command", "edit_mode", "method", "mode", "op", "operation", "type"];
    KEYS.iter().any(|key| {
        let Some(value) = arguments.get(key).and_then(Value::as_str) else { return false };
        let value = value.to_lowercase();
        ["delete", "remove", "forget", "clear", "trash", "unlink", "purge", "rm"]
            .iter()
            .any(|verb| value.starts_with(verb))
    })
}

fn unknown(name: &str, arguments: &Value) -> Acts {
    let words = words(name);
    let mut acts = Acts::NONE;
    let mut known = false;
    for (did, may, verbs) in VERBS {
        if words.iter().any(|w| verbs.contains(&w.as_str())) {
            known = true;
            acts = acts.with(Acts::of(*did, *may));
        }
    }
    // A tool for chats tells what it writes; services mail those whom something is assigned to or booked for.
    let tells =
        ["approve", "assign", "channel", "chat", "discord", "enroll", "inbox", "schedule", "subscribe", "telegram"];
    if words.iter().any(|w| tells.contains(&w.as_str())) {
        acts = acts.with(Acts::of(0, N));
    }
    // Whatever runs something else may have done what that does.
    let runs = [
        "run", "exec", "execute", "start", "launch", "trigger", "invoke", "call", "do", "perform", "workflow",
        "pipeline", "job", "script", "task", "agent", "process", "batch", "apply",
    ];
    if !known || words.iter().any(|w| runs.contains(&w.as_str())) {
        acts = acts.with(Acts::ANY);
    }
    if mode_removes(arguments) {
        acts = acts.with(Acts::of(R, 0));
    }
    // `sendUpdates: "all"`, `attendees: […]`: the change is told to somebody.
    let tells = |key: &String| {
        let key = key.to_lowercase();
        ["notif", "email", "mail", "message", "send", "attendee", "invite", "recipient", "alert", "remind"]
            .iter()
            .any(|part| key.contains(part))
    };
    if arguments.as_object().is_some_and(|map| map.keys().any(tells)) {
        acts = acts.with(Acts::of(0, N));
    }
    acts
}

/// Hands every text in the arguments to `take`, without recursion.
pub(super) fn texts(arguments: &Value, take: &mut dyn FnMut(&str)) {
    let mut open = alloc::vec![arguments];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => take(text),
            Value::Array(list) => open.extend(list.iter().rev()),
            Value::Object(map) => open.extend(map.values().rev()),
            _ => {}
        }
    }
}
