//! What a call let the agent see: what a claim to have looked, read or checked rests on.
//!
//! Every field is a bound in the reply's favour. A call counts as blank, refused or partial only where its own output says
//! so, and its reach is unknown wherever its line or its tool may have looked at more than it names.

use super::acts::{self, Act};
use super::envelope;
use super::facts::Facts;
use super::lookup;
use super::roles::{words, Role};
use super::shell::Simple;
use crate::record::{Call, Status};
use alloc::collections::BTreeSet;
use alloc::string::String;
use core::cell::OnceCell;
use serde_json::Value;

mod page;

/// What came of a call, as far as something can be seen by it. What only few claims ask for is worked out when they do.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Its tool only keeps the agent's own notes, waits, or ends the work.
    pub inward: bool,
    /// It was carried out, whatever came of it.
    pub executed: bool,
    /// What it brought back holds nothing: no text, an empty list, a terminal that showed nothing.
    pub blank: bool,
    page: OnceCell<page::Page>,
    reach: OnceCell<(Option<usize>, Option<usize>)>,
    closed: OnceCell<Option<usize>>,
}

/// The longest output that is read for being blank, or a page that was refused.
const SHORT: usize = 1_200;

/// Tools with which the agent keeps its own notes, waits or ends: nothing is seen by them.
#[rustfmt::skip]
const INWARD: &[&str] = &[
    "attempt", "complete", "finish", "noop", "nothing", "plan", "reason", "sleep", "submit", "think", "thinking",
    "thought", "thoughts", "todo", "todos", "wait", "final",
];

/// Words in the names of tools that give names and not what stands behind them.
const LISTING: &[&str] = &["directory", "dir", "glob", "ls", "tree", "files"];

impl Seen {
    /// Works out a call.
    pub fn of(facts: &Facts<'_>) -> Self {
        let call = facts.call;
        let inward = is_inward(facts);
        let executed = executed(facts);
        let blank = call.output.as_deref().is_some_and(|o| holds_nothing(facts, o));
        Seen { inward, executed, blank, page: OnceCell::new(), reach: OnceCell::new(), closed: OnceCell::new() }
    }

    /// The page or the thing that it asked for was not to be had.
    pub fn refused(&self, facts: &Facts<'_>) -> bool {
        self.executed && self.page(facts).refused
    }

    /// Its output says that there is more than it shows.
    pub fn partial(&self, facts: &Facts<'_>) -> bool {
        self.executed && self.page(facts).partial
    }

    fn page(&self, facts: &Facts<'_>) -> page::Page {
        *self.page.get_or_init(|| page::Page::of(facts.call))
    }

    /// How many different things it can have looked into; none where nothing bounds that.
    pub fn reach(&self, facts: &Facts<'_>) -> Option<usize> {
        self.bounds(facts).0
    }

    /// How many it can have looked at, as things that stand inside others: pages, slides, messages.
    pub fn words(&self, facts: &Facts<'_>) -> Option<usize> {
        self.bounds(facts).1
    }

    /// How many different things its command line names, where it can have looked at no others.
    pub fn closed(&self, facts: &Facts<'_>) -> Option<usize> {
        *self.closed.get_or_init(|| closed(facts))
    }

    fn bounds(&self, facts: &Facts<'_>) -> (Option<usize>, Option<usize>) {
        let looks = self.executed && !self.inward;
        *self.reach.get_or_init(|| if looks { reach(self, facts) } else { (Some(0), Some(0)) })
    }
}

/// Whether a tool only keeps the agent's own notes, waits, or ends the work.
fn is_inward(facts: &Facts<'_>) -> bool {
    matches!(facts.role, Role::Look | Role::Ask)
        && words(&facts.call.tool).iter().any(|w| INWARD.contains(&w.as_str()) || w.starts_with("todo"))
}

/// Whether a call was carried out, so that something may have been seen, if only a failure.
fn executed(facts: &Facts<'_>) -> bool {
    let call = facts.call;
    let output = call.output.as_deref().unwrap_or_default().trim();
    match call.status {
        Status::Denied | Status::Declined | Status::Pending => false,
        Status::Background => !output.is_empty(),
        _ => !ran_nothing(facts, output),
    }
}

/// Whether the output says that there was nothing to run, or no such program.
fn ran_nothing(facts: &Facts<'_>, output: &str) -> bool {
    if !matches!(facts.role, Role::Command | Role::Code) {
        return false;
    }
    let body = envelope::body(output).of(output).trim();
    let first = body.lines().next().unwrap_or_default();
    let first = crate::text::span::quote(first, 160).to_lowercase();
    let missing = first.contains("command not found") || first.contains(": not found");
    first.starts_with("there is no code") || (facts.commands.len() <= 1 && (facts.call.exit == Some(127) || missing))
}

/// Whether an output holds nothing that could be seen. A command's silence says that it went well; a terminal that was
/// only typed into showed nothing.
fn holds_nothing(facts: &Facts<'_>, output: &str) -> bool {
    if output.len() > SHORT {
        return false;
    }
    let body = envelope::body(output).of(output).trim();
    let body = body.strip_prefix("Code output:").unwrap_or(body).trim();
    if body.is_empty() {
        return facts.feeds() || !matches!(facts.role, Role::Command);
    }
    if facts.role == Role::Command && !facts.feeds() {
        return false;
    }
    match body.as_bytes().first() {
        Some(b'{' | b'[') => serde_json::from_str::<Value>(body).is_ok_and(|value| is_void(&value)),
        _ => matches!(body, "None" | "null" | "()" | "set()"),
    }
}

/// Whether JSON holds lists and objects, of which every list is empty, and no value that says anything.
fn is_void(value: &Value) -> bool {
    let lists = match value {
        Value::Array(_) => true,
        Value::Object(map) => map.values().any(Value::is_array) || map.is_empty(),
        _ => false,
    };
    let says = |leaf: &Value| match leaf {
        Value::Null | Value::Bool(_) => false,
        Value::Number(n) => n.as_f64() != Some(0.0),
        Value::String(text) => !text.trim().is_empty(),
        _ => true,
    };
    lists && !lookup::leaves(value).any(says)
}

/// How many things a call can have looked into, and how many inside them.
fn reach(seen: &Seen, facts: &Facts<'_>) -> (Option<usize>, Option<usize>) {
    let call = facts.call;
    let words = told(call);
    let named = names_one(call);
    match facts.role {
        Role::Agent if seen.blank || facts.acts.none() => (Some(0), Some(0)),
        Role::Notify | Role::Ask => (Some(0), words),
        Role::Read | Role::Fetch | Role::Write if named => (Some(1), words),
        Role::Search if lists_names(&call.tool) => (Some(0), words),
        Role::Look => (words, words),
        Role::Command => {
            let files = seen.closed(facts);
            let shows = |c: &Simple| c.words.first().is_none_or(|w| VIEWERS.contains(&w.as_str()));
            (files, files.and(words).filter(|_| facts.commands.iter().all(shows)))
        }
        _ => (None, None),
    }
}

/// Programs that look at nothing but what they print, or at nothing at all.
#[rustfmt::skip]
const VIEWERS: &[&str] = &[
    "bat", "cat", "cd", "date", "echo", "git", "head", "less", "ls", "mkdir", "more", "nl", "printf", "pwd", "sleep", "tail", "touch",
    "which",
];

fn lists_names(tool: &str) -> bool {
    words(tool).iter().any(|w| LISTING.contains(&w.as_str()))
}

/// How many words an output holds: so many things can stand in it at most. None where it is not in the record.
fn told(call: &Call) -> Option<usize> {
    let output = call.output.as_deref().filter(|_| !call.truncated)?;
    Some(output.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).count())
}

/// Words in the names of tools that take more than one thing at a call.
#[rustfmt::skip]
const SEVERAL: &[&str] = &[
    "all", "batch", "bulk", "crawl", "directory", "files", "folder", "many", "map", "multi", "multiple", "pages", "repo",
    "repository", "scrape", "sitemap", "urls",
];

/// Parts of the keys under which a call names the thing that it is about.
const NAMING: &[&str] =
    &["doc", "file", "href", "id", "link", "name", "notebook", "page", "path", "target", "uri", "url"];

/// Whether a call names one thing: its tool takes one, and the arguments hold no list and no pattern.
fn names_one(call: &Call) -> bool {
    let Value::Object(map) = &call.arguments else { return false };
    let named = map.keys().any(|key| NAMING.iter().any(|part| key.to_lowercase().contains(part)));
    if !named || words(&call.tool).iter().any(|w| SEVERAL.contains(&w.as_str())) {
        return false;
    }
    let several = |value: &Value| match value {
        Value::Array(list) => list.len() > 1,
        Value::String(text) => text.len() < 512 && text.contains(['*', '?']) && !text.contains("://"),
        _ => false,
    };
    !map.values().any(several)
}

/// Programs that look into what lies below a folder, or into what their line does not name.
const WIDE: &[&str] = &["ack", "ag", "find", "fd", "fdfind", "gh", "rg", "tar", "tree", "unzip", "xargs", "zip"];

/// Programs that look into folders, or leave names out, where an option says so.
const SEARCHING: &[&str] = &["diff", "egrep", "fgrep", "grep", "zgrep"];

/// Words of `git` that show what stands in files.
#[rustfmt::skip]
const SHOWING: &[&str] = &[
    "--patch", "-p", "archive", "blame", "cat-file", "checkout", "diff", "difftool", "format-patch", "grep", "range-diff",
    "restore", "show", "stash", "whatchanged",
];

/// How many different things a command line names, where it can have looked at no others.
fn closed(facts: &Facts<'_>) -> Option<usize> {
    if facts.role != Role::Command || facts.commands.is_empty() || facts.feeds() {
        return None;
    }
    let mut named: BTreeSet<&str> = BTreeSet::new();
    for command in &facts.commands {
        if opens(command) {
            return None;
        }
        named.extend(command.words.iter().skip(1).map(String::as_str).filter(|w| !w.starts_with('-')));
    }
    Some(named.len())
}

/// Whether a simple command may look at what its line does not name.
fn opens(command: &Simple) -> bool {
    let Some(first) = command.words.first() else { return false };
    let name = first.rsplit('/').next().unwrap_or(first);
    let wide = |word: &String| {
        let option = word.starts_with('-');
        let short = option && !word.starts_with("--") && SEARCHING.contains(&name);
        let recursive = short && word.contains(['r', 'R', 'h']);
        let shows = name == "git" && SHOWING.contains(&word.as_str());
        // A list of what to look at may stand in a file.
        let sums = name.ends_with("sum") && (word.starts_with("-c") || word == "--check");
        let listed = option && (sums || word.contains("files"));
        let expands = word
            .bytes()
            .zip(word.bytes().skip(1))
            .any(|(a, b)| a == b'$' && (b.is_ascii_alphabetic() || matches!(b, b'(' | b'{' | b'@' | b'*')));
        recursive
            || shows
            || listed
            || expands
            || word == "--recursive"
            || word.contains(['*', '?', '{', '`'])
            || word == "."
    };
    WIDE.contains(&name) || command.words.iter().skip(1).any(wide) || acts::of_command(command).could(Act::Wrap)
}

/// Why a call shows nothing, in the words of a reason.
pub fn came_of(facts: &Facts<'_>, seen: &Seen) -> String {
    let shown = facts.shown();
    match (facts.call.status, facts.call.exit) {
        (Status::Denied, _) => alloc::format!("{shown} was denied"),
        (Status::Declined, _) => alloc::format!("{shown} was declined"),
        (Status::Pending, _) => alloc::format!("{shown} has no result yet"),
        (Status::Background, _) => alloc::format!("{shown} runs in the background"),
        (Status::Timeout, _) => alloc::format!("{shown} timed out"),
        (Status::Cancelled, _) => alloc::format!("{shown} was cancelled"),
        (_, Some(exit)) if exit != 0 => alloc::format!("{shown} exited {exit}"),
        _ if !seen.executed => alloc::format!("{shown} ran nothing"),
        _ if seen.refused(facts) => alloc::format!("{shown} returned an error page"),
        _ if seen.blank || (facts.role == Role::Agent && facts.acts.none()) => {
            alloc::format!("{shown} returned nothing")
        }
        _ => alloc::format!("{shown} failed"),
    }
}
