//! Which deed a call did or may have done, finer than [`Act`]: pushed, merged, refunded, scheduled.
//!
//! As with acts, `did` is what a call's name or line says and `may` what it could have done besides. A deed is ruled out
//! only by what is known: a command whose program cannot do it, a tool whose name speaks of other things. A script,
//! code, an agent and a tool of unknown name may have done any.

mod code;
mod places;
mod table;
mod told;

use super::acts::{Act, Acts};
use super::commands::{fits_line, own_path};
use super::dry;
use super::facts::Facts;
use super::roles::{words, Role};
use super::shell::Simple;
use super::tools::texts;
use super::wrappers::program;
use alloc::string::String;
use serde_json::Value;
use table::*;

pub(super) use code::{computes, writes_by_name};
pub(super) use told::says_failed;
pub use told::{tells, waits};

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

    /// Its name rules some deeds out.
    pub const fn limits(self) -> bool {
        self.may != ALL
    }

    /// Its name or its line names the deed.
    pub const fn names(self, deed: Deed) -> bool {
        self.did & deed.bit() != 0
    }
}

/// What one simple command did or may have done, had it succeeded.
pub(super) fn of_command(command: &Simple, acts: Acts) -> Deeds {
    let Some(first) = command.words.first() else {
        return written(acts).with(Deeds { did: 0, may: places::ships("", command, acts) });
    };
    if command.dry {
        return Deeds::NONE;
    }
    let name = program(first);
    of_program(command, acts, &name).with(Deeds { did: 0, may: places::ships(&name, command, acts) })
}

fn of_program(command: &Simple, acts: Acts, name: &str) -> Deeds {
    let first = command.words.first().map_or("", String::as_str);
    let mut best: Option<(usize, Deeds)> = None;
    for (did, may, patterns) in COMMANDS {
        for pattern in patterns.iter().filter(|p| p.as_bytes().first() == name.as_bytes().first()) {
            let Some(length) = fits_line(pattern, name, &command.words) else { continue };
            if best.is_none_or(|(longest, _)| longest < length) {
                best = Some((length, Deeds { did: *did, may: *may }));
            }
        }
    }
    // A push opens a merge request only when it is told to.
    let asks = command.words.iter().any(|w| w == "-o" || w.starts_with("--push-option"));
    if let Some((_, deeds)) = best.as_mut().filter(|(_, deeds)| deeds.names(Deed::Push) && name == "git" && !asks) {
        deeds.may &= !REQUEST;
    }
    let open = acts.could(Act::Wrap) || acts.may == Acts::ANY.may || own_path(first);
    let sends = SENDERS.contains(&name) && acts.could(Act::Publish);
    let hook = acts.could(Act::Fetch) && command.words.iter().any(|w| w.contains("hook") || w.contains("deploy"));
    let may = match best {
        Some((_, deeds)) => return if open { deeds.with(Deeds::ANY) } else { deeds },
        None if open || hook => ALL,
        // Other subcommands for pull requests and issues open none.
        None if sends && command.words.iter().any(|w| w == "pr" || w == "issue") => ALL & !(REQUEST | TICKET),
        None if sends => ALL,
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
    deeds.may |= if !acts || (field == 0 && deeds.did & !CHANGE == 0) || has(RUNNING) && !begins && !ends {
        ALL
    } else {
        field | CHANGE
    };
    if begins && !ends && !has(TURNING) {
        deeds.may &= !(CANCEL | ARCHIVE | MOVE);
    }
    if ends && !begins && !has(TURNING) {
        deeds.may &= !(BOOK | ORDER | SCHEDULE | TICKET | REQUEST | RELEASE | COMMIT | PUSH);
    }
    deeds
}

/// What a call did or may have done. `name` is what its tool's name says.
///
/// `feeds`: what it is given goes to a program that already runs.
/// `each`: what each command of its line did.
pub(super) fn of_call((role, name, feeds): (Role, Deeds, bool), facts: &Facts<'_>, each: &[Acts]) -> Deeds {
    let (commands, acts, arguments) = (&facts.commands, facts.acts, &facts.call.arguments);
    if dry::asks(arguments) {
        return Deeds::NONE;
    }
    // A list of tasks or a plan is kept by a tool that changes nothing else.
    if role == Role::Look && name.names(Deed::Change) {
        return Deeds { did: 0, may: KEPT };
    }
    let of = |(command, acts): (&Simple, &Acts)| of_command(command, *acts);
    let line = commands.iter().zip(each).map(of).fold(Deeds::NONE, Deeds::with);
    let looks = matches!(role, Role::Fetch | Role::Search | Role::Look);
    if acts.none() && !looks && (role != Role::Command || commands.is_empty()) {
        return Deeds::NONE;
    }
    match role {
        Role::Fetch | Role::Search | Role::Look if sends(arguments) => Deeds::ANY,
        Role::Search if acts.could(Act::Publish) => Deeds { did: 0, may: KEPT },
        Role::Ask if !asks(arguments) => Deeds { did: 0, may: KEPT },
        Role::Read | Role::Look | Role::Search | Role::Fetch | Role::Ask => Deeds::NONE,
        Role::Command if feeds => Deeds::ANY.with(line),
        Role::Command if !(commands.is_empty() || (acts.could(Act::Wrap) && line == Deeds::NONE)) => line,
        Role::Command | Role::Agent => Deeds::ANY.with(line),
        Role::Code => Deeds { did: 0, may: if computes(arguments) { 0 } else { ALL } }.with(line),
        Role::Notify => Deeds { did: POST, may: CHANGE | TICKET },
        Role::Remove => Deeds { did: 0, may: CANCEL | ARCHIVE | CHANGE },
        Role::Write => {
            let may = KEPT | UPLOAD | POST | places::written_at(arguments);
            Deeds { did: 0, may }.with(name_of_writer(name))
        }
        Role::Unknown if name.may == ALL => name,
        Role::Unknown => name.with(said(arguments)),
    }
}

/// Whether a tool that reads was told to send or do something: a request with a method, a form that is filled, a change
/// in the language of a query.
fn sends(arguments: &Value) -> bool {
    let text = |key: &str| arguments.get(key).and_then(Value::as_str).unwrap_or_default();
    let method = ["POST", "PUT", "PATCH", "DELETE"].iter().any(|m| text("method").eq_ignore_ascii_case(m));
    let body = ["body", "data", "json", "form"].iter().any(|key| arguments.get(key).is_some_and(|v| !v.is_null()));
    let acts = ["click", "drag", "eval", "fill", "input", "press", "select", "submit", "type", "upload"];
    let action = ["action", "command", "operation"].iter().any(|key| acts.iter().any(|act| text(key).contains(act)));
    // A link that does something when it is opened.
    let address = text("url").len() < 2_000 && {
        let link = ["approve", "cancel", "confirm", "hook", "optout", "opt-out", "trigger", "unsub"];
        let url = text("url").to_lowercase();
        link.iter().any(|part| url.contains(part))
    };
    method || body || action || address || text("query").trim_start().starts_with("mutation")
}

/// Whether a tool that asks was given a question, or something to confirm by itself.
fn asks(arguments: &Value) -> bool {
    let Value::Object(map) = arguments else { return true };
    let asked = ["question", "message", "text", "prompt", "plan", "option", "query", "input", "title"];
    map.is_empty() || map.keys().any(|key| asked.iter().any(|a| key.to_lowercase().contains(a)))
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
                if list.iter().any(stem) {
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

#[cfg(test)]
mod tests {
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
            ("flyctl deploy -a shop", Deed::Deploy),
            ("aws s3 cp a s3://b/a", Deed::Upload),
            ("gh issue create -t x", Deed::Ticket),
        ] {
            assert!(line(text).names(deed), "{text}");
        }
        assert!(!line("git commit -am x").could(Deed::Push));
        assert!(!line("git push").could(Deed::Commit));
        assert!(!line("git push --dry-run").could(Deed::Push));
        assert!(!line("ls; cat a; git status").could(Deed::Change));
        assert!(!line("cargo test parse | head -5").could(Deed::Push));
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
        for code in ["cancel_order('A1')", "df.to_csv('x.csv')", "import shop\nshop.go()", "!git push", "open('a','w')"]
        {
            assert!(deeds("python", json!({ "code": code })).could(Deed::Change), "{code}");
        }
    }

    #[test]
    fn a_tools_own_word_of_failure_counts() {
        assert!(says_failed(r#"{"error": "TOO_LATE"}"#));
        assert!(says_failed(r#"{"ok": false}"#));
        assert!(!says_failed(r#"{"error": null, "id": 1}"#));
        assert!(!says_failed("error"));
        assert_eq!(waits(r#"{"a": {"state": "awaiting_approval"}}"#).as_deref(), Some("awaiting_approval"));
        assert_eq!(waits(r#"{"status": "pending"}"#), None);
    }
}
