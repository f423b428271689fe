//! Which deed a call did or may have done, finer than [`Act`]: pushed, merged, refunded, scheduled.
//!
//! As with acts, `did` is what a call's name or line says and `may` what it could have done besides. A deed is ruled out
//! only by what is known: a command whose program cannot do it, a tool whose name speaks of other things. A script,
//! code, an agent and a tool of unknown name may have done any.

use super::acts::{self, Act, Acts};
use super::commands::{fits, own_path};
use super::roles::{words, Role};
use super::shell::Simple;
use super::tools::texts;
use super::wrappers::program;
use alloc::string::String;
use alloc::vec::Vec;
use serde_json::Value;

/// Something done that a reply may claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Deed {
    /// Committed to a repository.
    Commit,
    /// Pushed to a remote or a registry.
    Push,
    /// Merged a branch or a pull request.
    Merge,
    /// Opened a pull request.
    Request,
    /// Opened a ticket or an issue.
    Ticket,
    /// Deployed, rolled out.
    Deploy,
    /// Published a package, a release, a page.
    Release,
    /// Uploaded a file.
    Upload,
    /// Booked, reserved.
    Book,
    /// Ordered, bought.
    Order,
    /// Refunded.
    Refund,
    /// Transferred money, paid.
    Transfer,
    /// Scheduled, put on a calendar.
    Schedule,
    /// Moved to another time.
    Reschedule,
    /// Cancelled.
    Cancel,
    /// Archived.
    Archive,
    /// Posted, commented, replied, sent.
    Post,
    /// Added, updated or saved something that a service keeps.
    Change,
}

impl Deed {
    /// Every deed.
    pub const ALL: [Deed; 18] = [
        Deed::Commit,
        Deed::Push,
        Deed::Merge,
        Deed::Request,
        Deed::Ticket,
        Deed::Deploy,
        Deed::Release,
        Deed::Upload,
        Deed::Book,
        Deed::Order,
        Deed::Refund,
        Deed::Transfer,
        Deed::Schedule,
        Deed::Reschedule,
        Deed::Cancel,
        Deed::Archive,
        Deed::Post,
        Deed::Change,
    ];

    /// The deed's bit in [`Deeds`].
    pub const fn bit(self) -> u32 {
        1 << self as u32
    }

    /// The deed as a noun, as reasons name it.
    pub const fn noun(self) -> &'static str {
        match self {
            Deed::Commit => "commit",
            Deed::Push => "push",
            Deed::Merge => "merge",
            Deed::Request => "pull request",
            Deed::Ticket => "ticket call",
            Deed::Deploy => "deployment",
            Deed::Release => "publication",
            Deed::Upload => "upload",
            Deed::Book => "booking",
            Deed::Order => "order",
            Deed::Refund => "refund",
            Deed::Transfer => "transfer",
            Deed::Schedule => "scheduling call",
            Deed::Reschedule => "rescheduling call",
            Deed::Cancel => "cancellation",
            Deed::Archive => "archiving call",
            Deed::Post => "posting call",
            Deed::Change => "change",
        }
    }

    /// Words with which a call that failed later says that it had got so far.
    const fn done(self) -> &'static [&'static str] {
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
            Deed::Request => &["opened pull request", "created pull request", "pull request created", "pull request opened"],
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

/// The deeds of one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deeds {
    /// Deeds that its name or line names, as one bit each.
    pub did: u32,
    /// Deeds that it may have done besides.
    pub may: u32,
}

impl Deeds {
    /// No deed.
    pub const NONE: Deeds = Deeds { did: 0, may: 0 };
    /// Names none and may have done any.
    pub const ANY: Deeds = Deeds { did: 0, may: ALL };

    /// The deeds of both.
    #[must_use]
    pub const fn with(self, other: Deeds) -> Deeds {
        Deeds { did: self.did | other.did, may: self.may | other.may }
    }

    /// It did the deed or may have done it.
    pub const fn could(self, deed: Deed) -> bool {
        (self.did | self.may) & deed.bit() != 0
    }

    /// Its name or its line names the deed.
    pub const fn names(self, deed: Deed) -> bool {
        self.did & deed.bit() != 0
    }
}

const COMMIT: u32 = Deed::Commit.bit();
const PUSH: u32 = Deed::Push.bit();
const MERGE: u32 = Deed::Merge.bit();
const REQUEST: u32 = Deed::Request.bit();
const TICKET: u32 = Deed::Ticket.bit();
const DEPLOY: u32 = Deed::Deploy.bit();
const RELEASE: u32 = Deed::Release.bit();
const UPLOAD: u32 = Deed::Upload.bit();
const BOOK: u32 = Deed::Book.bit();
const ORDER: u32 = Deed::Order.bit();
const REFUND: u32 = Deed::Refund.bit();
const TRANSFER: u32 = Deed::Transfer.bit();
const SCHEDULE: u32 = Deed::Schedule.bit();
const MOVE: u32 = Deed::Reschedule.bit();
const CANCEL: u32 = Deed::Cancel.bit();
const ARCHIVE: u32 = Deed::Archive.bit();
const POST: u32 = Deed::Post.bit();
const CHANGE: u32 = Deed::Change.bit();
const ALL: u32 = (1 << Deed::ALL.len()) - 1;

/// What a service keeps may as well be kept in a file.
const KEPT: u32 =
    BOOK | ORDER | REFUND | TRANSFER | SCHEDULE | MOVE | CANCEL | ARCHIVE | CHANGE | TICKET;

/// A command's deeds: done, possible besides, patterns as in the table of programs.
#[rustfmt::skip]
const COMMANDS: &[(u32, u32, &[&str])] = &[
    (COMMIT, MERGE, &["git commit", "hg commit", "jj commit", "git revert", "git cherry-pick", "git am"]),
    (COMMIT | PUSH, 0, &["svn commit"]),
    (MERGE | COMMIT, 0, &["git merge", "git pull", "hg merge"]),
    (0, COMMIT | MERGE, &["git rebase"]),
    (0, CHANGE | RELEASE, &["git tag", "git notes"]),
    (PUSH, DEPLOY | RELEASE | UPLOAD | REQUEST | MERGE, &["git push", "git lfs push", "hg push", "jj git push"]),
    (PUSH | UPLOAD, RELEASE | DEPLOY, &["docker push", "docker compose push", "podman push", "helm push", "dvc push"]),
    (REQUEST, PUSH, &["gh pr create", "glab mr create", "hub pull-request", "git request-pull"]),
    (MERGE, COMMIT | PUSH | DEPLOY | CHANGE, &["gh pr merge", "glab mr merge"]),
    (TICKET, CHANGE, &["gh issue create", "glab issue create"]),
    (POST, CHANGE, &["gh pr comment", "gh issue comment", "gh pr review"]),
    (0, CHANGE | REQUEST | TICKET | CANCEL, &["gh pr edit", "gh pr close", "gh pr ready", "gh issue edit", "gh issue close"]),
    (RELEASE, UPLOAD | DEPLOY | PUSH, &[
        "cargo publish", "npm publish", "pnpm publish", "yarn publish", "yarn npm publish", "twine upload",
        "uv publish", "poetry publish", "flit publish", "hatch publish", "gem push", "gh release create",
    ]),
    (UPLOAD, RELEASE, &["gh release upload"]),
    (DEPLOY, CHANGE | RELEASE, &[
        "kubectl apply", "kubectl create", "kubectl rollout", "kubectl set", "kubectl scale", "kubectl patch",
        "kubectl replace", "helm install", "helm upgrade", "helm rollback", "terraform apply", "tofu apply",
        "pulumi up", "fly deploy", "flyctl deploy", "vercel", "netlify deploy", "firebase deploy", "wrangler deploy",
        "serverless deploy", "sls deploy", "cdk deploy", "eb deploy", "railway up", "surge", "cap", "kamal",
        "gcloud app deploy", "gcloud run deploy", "make deploy*", "just deploy*", "npm run deploy*", "task deploy*",
    ]),
    (UPLOAD, DEPLOY | PUSH, &["aws s3 cp", "aws s3 sync", "aws s3 mv", "gsutil cp", "scp", "sftp", "rsync", "s3cmd", "rclone"]),
    (0, UPLOAD | ARCHIVE | KEPT, &["cp", "mv", "copy-item", "move-item", "robocopy"]),
    (ARCHIVE, KEPT, &["tar", "zip", "7z", "gzip", "xz", "zstd"]),
    (0, SCHEDULE | KEPT, &["crontab", "at", "schtasks"]),
    (0, DEPLOY | CHANGE | CANCEL, &["systemctl", "service", "launchctl", "docker start", "docker restart", "docker stop"]),
];

/// Programs that speak to any service, by what they are sent.
const SENDERS: &[&str] = &["curl", "gh", "glab", "hub", "http", "https", "wget", "xh"];

/// What one simple command did or may have done, had it succeeded.
pub(super) fn of_command(command: &Simple) -> Deeds {
    let acts = acts::of_command(command);
    let Some(first) = command.words.first() else { return written(acts) };
    if command.dry {
        return Deeds::NONE;
    }
    let name = program(first);
    let mut best: Option<(usize, Deeds)> = None;
    for (did, may, patterns) in COMMANDS {
        for pattern in patterns.iter().filter(|p| p.starts_with(name.as_str())) {
            let Some(length) = fits(pattern, &name, &command.words) else { continue };
            if best.is_none_or(|(longest, _)| longest < length) {
                best = Some((length, Deeds { did: *did, may: *may }));
            }
        }
    }
    let open = acts.could(Act::Wrap) || acts.may == Acts::ANY.may || own_path(first);
    let sends = SENDERS.contains(&name.as_str()) && acts.could(Act::Publish);
    let hook = acts.could(Act::Fetch) && command.words.iter().any(|w| w.contains("hook") || w.contains("deploy"));
    let may = match best {
        Some((_, deeds)) => return if open && deeds.did & DEPLOY == 0 { deeds.with(Deeds::ANY) } else { deeds },
        None if open || hook || (sends && !(command.words.iter().any(|w| w == "pr" || w == "issue"))) => ALL,
        None if acts.could(Act::Publish) => KEPT | DEPLOY | RELEASE | UPLOAD | POST,
        None if acts.could(Act::Notify) => POST,
        None => return written(acts),
    };
    Deeds { did: 0, may }
}

/// What a command that only writes may have done.
fn written(acts: Acts) -> Deeds {
    let writes = acts.could(Act::Write) || acts.could(Act::Remove) || acts.could(Act::Cut);
    Deeds { did: 0, may: if writes { KEPT } else { 0 } }
}

/// Deeds that words in a tool's name speak of.
#[rustfmt::skip]
const NAMED: &[(u32, u32, &[&str])] = &[
    (COMMIT, 0, &["commit", "commits"]),
    (PUSH, COMMIT | UPLOAD | RELEASE | DEPLOY, &["push"]),
    (MERGE, COMMIT | CHANGE, &["merge"]),
    (DEPLOY, RELEASE, &["deploy", "deployment", "redeploy", "rollout", "promote", "launch"]),
    (RELEASE, DEPLOY | UPLOAD | POST, &["publish", "release"]),
    (UPLOAD, RELEASE | CHANGE, &["upload", "attach"]),
    (BOOK, ORDER | SCHEDULE, &["book", "reserve", "booking", "reservation", "rebook"]),
    (ORDER, TRANSFER | BOOK, &["buy", "purchase", "checkout"]),
    (REFUND, TRANSFER | CANCEL, &["refund", "reimburse", "reimbursement"]),
    (TRANSFER, ORDER, &["transfer", "pay", "payment", "wire", "payout", "remit"]),
    (SCHEDULE, MOVE | CHANGE, &["schedule"]),
    (MOVE, SCHEDULE | CHANGE, &["reschedule", "postpone"]),
    (CANCEL, REFUND | CHANGE, &["cancel", "unsubscribe", "cancellation", "void"]),
    (ARCHIVE, CHANGE, &["archive"]),
    (POST, CHANGE, &["post", "comment", "reply", "tweet", "send", "react", "reaction", "message"]),
];

/// What nouns in a tool's name leave open: who handles orders opens no pull request.
#[rustfmt::skip]
const FIELDS: &[(u32, &[&str])] = &[
    (COMMIT | PUSH | MERGE | REQUEST | CHANGE | RELEASE | UPLOAD | ARCHIVE | TICKET | POST, &[
        "branch", "branches", "git", "github", "gitlab", "mr", "pr", "pull", "repo", "repository",
    ]),
    (TICKET | CHANGE | ARCHIVE | CANCEL | POST | SCHEDULE | BOOK | ORDER, &[
        "bug", "card", "case", "incident", "issue", "issues", "jira", "linear", "task", "tasks", "ticket", "tickets",
        "todo", "todos",
    ]),
    (SCHEDULE | MOVE | CANCEL | BOOK | CHANGE | ARCHIVE | POST, &[
        "appointment", "calendar", "event", "events", "meeting", "reminder", "slot",
    ]),
    (REFUND | TRANSFER | ORDER | CANCEL | CHANGE | BOOK, &[
        "balance", "charge", "credit", "invoice", "money", "payment", "payments", "payout", "refund", "refunds",
        "transfer", "transfers", "wallet",
    ]),
    (POST | CHANGE | ARCHIVE | SCHEDULE | TICKET | UPLOAD, &[
        "channel", "chat", "comment", "comments", "email", "mail", "message", "messages", "reaction", "slack", "sms",
        "tweet",
    ]),
    (ORDER | BOOK | REFUND | CANCEL | MOVE | SCHEDULE | CHANGE | TRANSFER, &[
        "booking", "cart", "flight", "hotel", "item", "items", "order", "orders", "product", "reservation", "room",
        "seat", "subscription",
    ]),
    (CHANGE | ARCHIVE | SCHEDULE | UPLOAD | RELEASE | POST | MERGE | TICKET | CANCEL, &[
        "contact", "contacts", "list", "memory", "note", "notes", "page", "preference", "preferences", "profile",
        "record", "records", "setting", "settings", "sheet",
    ]),
];

/// Verbs that begin something and end nothing, and the other way round.
#[rustfmt::skip]
const BEGINNING: &[&str] = &["add", "buy", "create", "insert", "new", "open", "place", "reserve"];
#[rustfmt::skip]
const ENDING: &[&str] = &["cancel", "clear", "close", "delete", "disable", "dismiss", "remove", "void"];
#[rustfmt::skip]
const TURNING: &[&str] = &["change", "edit", "exchange", "manage", "modify", "move", "or", "patch", "set", "sync", "update", "upsert"];

/// Words for running something, which may be anything.
#[rustfmt::skip]
const RUNNING: &[&str] = &[
    "agent", "api", "apply", "batch", "call", "do", "exec", "execute", "handle", "invoke", "job", "perform",
    "pipeline", "process", "request", "run", "script", "start", "tool", "trigger", "workflow",
];

/// What the name of a tool that no table knows leaves open, and what of it the name speaks of.
pub(super) fn of_name(name: &str) -> Deeds {
    let words = words(name);
    let has = |list: &[&str]| words.iter().any(|w| list.contains(&w.as_str()));
    let mut deeds = Deeds::NONE;
    for (did, may, list) in NAMED {
        if has(list) {
            deeds = deeds.with(Deeds { did: *did, may: *may });
        }
    }
    let mut field = 0;
    for (may, list) in FIELDS {
        if has(list) {
            field |= may;
        }
    }
    let (begins, ends) = (has(BEGINNING), has(ENDING));
    if begins || has(&["issue", "submit", "raise", "file"]) {
        if has(&["pr", "pull", "mr"]) || (has(&["merge"]) && has(&["request"])) {
            deeds.did = (deeds.did & !MERGE) | REQUEST;
        }
        if has(&["ticket", "issue", "incident", "bug", "case"]) && begins {
            deeds.did |= TICKET;
        }
        if has(&["event", "meeting", "appointment", "reminder"]) {
            deeds.did |= SCHEDULE;
        }
        if has(&["order", "cart"]) {
            deeds.did |= ORDER;
        }
    }
    let changes = begins || has(TURNING) || has(&["save", "store", "remember", "write", "put", "mark", "log", "set"]);
    if changes {
        deeds.did |= CHANGE;
    }
    let acts = deeds != Deeds::NONE || ends || has(&["return", "rename", "assign", "book", "call"]);
    deeds.may |= if !acts || (field == 0 && deeds.did & !CHANGE == 0) || has(RUNNING) && !begins && !ends { ALL } else { field | CHANGE };
    if begins && !ends && !has(TURNING) {
        deeds.may &= !(CANCEL | ARCHIVE | MOVE);
    }
    if ends && !begins && !has(TURNING) {
        deeds.may &= !(BOOK | ORDER | SCHEDULE | TICKET | REQUEST | RELEASE | COMMIT | PUSH);
    }
    deeds
}

/// What a call did or may have done. `name` is what its tool's name says.
pub(super) fn of_call(role: Role, name: Deeds, commands: &[Simple], acts: Acts, arguments: &Value) -> Deeds {
    // A list of tasks or a plan is kept by a tool that changes nothing else.
    if role == Role::Look && name.names(Deed::Change) {
        return Deeds { did: 0, may: KEPT };
    }
    if acts.none() {
        return Deeds::NONE;
    }
    let line = commands.iter().map(of_command).fold(Deeds::NONE, Deeds::with);
    match role {
        Role::Read | Role::Look | Role::Search | Role::Fetch | Role::Ask => Deeds::NONE,
        Role::Command if !commands.is_empty() && !(acts.could(Act::Wrap) && line == Deeds::NONE) => line,
        Role::Command | Role::Agent => Deeds::ANY.with(line),
        Role::Code => Deeds { did: 0, may: if computes(arguments) { 0 } else { ALL } }.with(line),
        Role::Notify => Deeds { did: POST, may: CHANGE | TICKET },
        Role::Remove => Deeds { did: 0, may: CANCEL | ARCHIVE | CHANGE },
        Role::Write => Deeds { did: 0, may: KEPT }.with(name_of_writer(name)),
        Role::Unknown => name.with(said(arguments)),
    }
}

/// A tool that writes may have a name that says more: `github_create_file` commits.
fn name_of_writer(name: Deeds) -> Deeds {
    if name.may == ALL {
        Deeds { did: name.did & CHANGE, may: 0 }
    } else {
        name
    }
}

/// Deeds that short texts and keys in the arguments speak of: `{"action": "cancel"}`, `{"refund": true}`.
fn said(arguments: &Value) -> Deeds {
    let mut may = 0;
    let mut take = |text: &str| {
        if text.len() > 40 {
            return;
        }
        for word in words(text) {
            let stem = |w: &&str| word.starts_with(w.trim_end_matches(['e', 'y']));
            for (did, also, list) in NAMED {
                if list.iter().any(|w| stem(&w)) {
                    may |= did | also;
                }
            }
        }
    };
    texts(arguments, &mut take);
    if let Value::Object(map) = arguments {
        map.keys().for_each(|key| take(key));
    }
    Deeds { did: 0, may }
}

/// Functions of python that only compute or print.
#[rustfmt::skip]
const PLAIN: &[&str] = &[
    "abs", "all", "any", "bool", "chr", "dict", "display", "divmod", "enumerate", "filter", "float", "format",
    "frozenset", "getattr", "hasattr", "hex", "int", "isinstance", "len", "list", "map", "max", "min", "next", "ord",
    "pow", "print", "range", "repr", "reversed", "round", "set", "sorted", "str", "sum", "tuple", "type", "zip",
];

/// Modules that only compute, or whose writing shows in the name of a method.
#[rustfmt::skip]
const COMPUTING: &[&str] = &[
    "collections", "csv", "datetime", "functools", "glob", "itertools", "json", "math", "matplotlib", "numpy", "os",
    "pandas", "random", "re", "scipy", "seaborn", "sklearn", "statistics", "string", "sys", "time",
];

/// Parts of names with which code writes, sends or runs something.
#[rustfmt::skip]
const REACHING: &[&str] = &[
    "api", "client", "commit", "connect", "copy", "create", "delete", "dump", "eval", "exec", "execute", "export",
    "insert", "mkdir", "move", "open", "popen", "post", "publish", "push", "put", "remove", "rename", "replace_",
    "request", "run", "save", "send", "session", "spawn", "store", "submit", "subprocess", "system", "to_",
    "touch", "unlink", "update_", "upload", "write",
];

/// Whether code only computes and prints, as far as can be seen: plain calls, known modules, no word of writing.
pub(super) fn computes(arguments: &Value) -> bool {
    let mut plain = true;
    let mut any = false;
    texts(arguments, &mut |text| {
        if text.len() > 40 || text.contains(['\n', '(', '=']) {
            any = true;
            plain = plain && text.lines().all(plain_line);
        }
    });
    any && plain
}

fn plain_line(line: &str) -> bool {
    let line = line.trim_start();
    if line.starts_with(['!', '%']) || line.contains('`') {
        return false;
    }
    let mut words = line.split_whitespace();
    if let (Some("import" | "from"), Some(module)) = (words.next(), words.next()) {
        let root = module.split(['.', ',']).next().unwrap_or_default();
        return COMPUTING.contains(&root) && !line.contains(',') || line.starts_with("from ") && COMPUTING.contains(&root);
    }
    if REACHING.iter().any(|part| line.contains(part)) {
        return false;
    }
    // Every name that is called without a dot before it has to be a plain one.
    let parts: Vec<&str> = line.split('(').collect();
    let called = parts.iter().take(parts.len().saturating_sub(1));
    called.into_iter().all(|before| {
        let name_start = before
            .char_indices()
            .rev()
            .take_while(|(_, c)| c.is_alphanumeric() || *c == '_')
            .last()
            .map_or(before.len(), |(i, _)| i);
        let (head, name) = before.split_at(name_start);
        name.is_empty() || head.ends_with('.') || PLAIN.contains(&name) || matches!(name, "in" | "and" | "or" | "if" | "not" | "return" | "lambda")
    })
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
pub(super) fn says_failed(output: &str) -> bool {
    let text = output.trim();
    if !text.starts_with('{') || text.len() > 64 * 1024 {
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

#[cfg(test)]
mod tests {
    use super::super::facts::Facts;
    use super::*;
    use crate::record::Call;
    use alloc::collections::BTreeMap;
    use alloc::string::ToString;
    use serde_json::json;

    fn deeds(tool: &str, arguments: Value) -> Deeds {
        let call = Call { tool: tool.to_string(), arguments, ..Call::default() };
        Facts::new(&call, &BTreeMap::new()).deeds
    }

    fn line(line: &str) -> Deeds {
        deeds("bash", json!({ "command": line }))
    }

    #[test]
    fn a_command_names_its_deed_and_no_other() {
        for (text, deed) in [
            ("git commit -am x", Deed::Commit),
            ("git push origin main", Deed::Push),
            ("cd a && gh pr create --fill", Deed::Request),
            ("npm publish", Deed::Release),
            ("kubectl apply -f x.yaml", Deed::Deploy),
            ("fly deploy --remote-only", Deed::Deploy),
            ("aws s3 cp a s3://b/a", Deed::Upload),
            ("gh issue create -t x", Deed::Ticket),
        ] {
            assert!(line(text).names(deed), "{text}");
        }
        assert!(!line("git commit -am x").could(Deed::Push));
        assert!(!line("git push").could(Deed::Commit));
        assert!(!line("git push --dry-run").could(Deed::Push));
        assert!(!line("ls; cat a; git status").could(Deed::Change));
        assert!(!line("cargo test book | tail -5").could(Deed::Push));
    }

    #[test]
    fn what_runs_anything_may_have_done_any_deed() {
        for text in ["./ship.sh", "make", "python tool.py", "frobnicate", "curl -X POST https://a/b", "ssh host ./up"] {
            assert!(Deed::ALL.iter().all(|d| line(text).could(*d)), "{text}");
        }
        for tool in ["room_relay", "run_workflow", "handle", "do_it", "execute_action"] {
            assert!(Deed::ALL.iter().all(|d| deeds(tool, json!({})).could(*d)), "{tool}");
        }
    }

    #[test]
    fn a_tools_name_names_and_rules_out() {
        assert!(deeds("cancel_order", json!({})).names(Deed::Cancel));
        assert!(deeds("cancel_order", json!({})).could(Deed::Refund));
        assert!(!deeds("cancel_order", json!({})).could(Deed::Push));
        assert!(deeds("modify_pending_order_items", json!({})).could(Deed::Refund));
        assert!(deeds("create_transfer", json!({})).names(Deed::Transfer));
        assert!(deeds("create_pull_request", json!({})).names(Deed::Request));
        assert!(deeds("calendar_update_event", json!({})).could(Deed::Reschedule));
        assert!(deeds("order_api_update", json!({"action": "cancel"})).could(Deed::Cancel));
        assert!(!deeds("get_order", json!({})).could(Deed::Cancel));
    }

    #[test]
    fn code_that_only_computes_does_nothing() {
        let plain = "import pandas as pd\ndf = pd.read_csv('a.csv')\nprint(df.groupby('k').mean().round(1))";
        assert!(!deeds("python", json!({ "code": plain })).could(Deed::Change));
        for code in ["cancel_order('A1')", "df.to_csv('x.csv')", "import shop\nshop.go()", "!git push", "open('a','w')"] {
            assert!(deeds("python", json!({ "code": code })).could(Deed::Change), "{code}");
        }
    }

    #[test]
    fn a_tools_own_word_of_failure_counts() {
        assert!(says_failed(r#"{"error": "ALREADY_SHIPPED"}"#));
        assert!(says_failed(r#"{"ok": false}"#));
        assert!(!says_failed(r#"{"error": null, "id": 1}"#));
        assert!(!says_failed("error"));
        assert_eq!(waits(r#"{"a": {"state": "awaiting_approval"}}"#).as_deref(), Some("awaiting_approval"));
        assert_eq!(waits(r#"{"status": "pending"}"#), None);
    }
}
