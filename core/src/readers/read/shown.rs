//! Which calls may have shown a page, whether they name it or not.
//!
//! Any call whose output could be the page leaves it open: a tool of unknown meaning, a fetch of another address that may lead
//! there, a script. Only what looks at named files, searches, keeps notes or writes is known to have shown something else.

use crate::evidence::acts::{self, Act};
use crate::evidence::facts::Facts;
use crate::evidence::index::View;
use crate::evidence::roles::{words, Role};
use crate::evidence::shell::Simple;
use serde_json::Value;

/// How a call names a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Naming {
    /// Its arguments hold the session's id alone.
    Session,
    /// Its arguments hold the path of the address alone.
    Path,
    /// Its arguments name the address.
    Address,
    /// Its output names the address.
    Output,
    /// Its output says that it is the probe document of the session.
    Document,
}

/// What an output is by its own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// Nothing says that it is a probe document.
    Plain,
    /// It bears the marks of one.
    Document,
    /// It says that it is the document of sessions that nobody asks for.
    Other,
}

/// Whether a call that names a page brought what stands there.
pub(super) fn brought(view: &View<'_, '_>, call: usize, naming: Naming) -> bool {
    let (facts, seen) = (view.facts(call), view.seen(call));
    if seen.inward || !seen.executed || seen.blank || !facts.succeeded || seen.refused(facts) {
        return false;
    }
    match (facts.role, naming) {
        (Role::Write | Role::Notify | Role::Remove | Role::Ask, _) => false,
        (_, Naming::Document) => true,
        (Role::Search, _) => false,
        (Role::Command, _) => goes_out(view, call),
        (Role::Read | Role::Look, Naming::Output) => false,
        (Role::Read | Role::Look, Naming::Path | Naming::Session) => !is_local(facts),
        // What a tool of unknown meaning, or an agent, was told by a short name may be about anything.
        (Role::Code | Role::Unknown | Role::Agent, Naming::Path | Naming::Session) => false,
        (Role::Agent, _) => !facts.acts.none(),
        // A message or an entry may hold the address and bring nothing.
        (Role::Unknown, _) => facts.acts.did == 0 || facts.acts.names(Act::Fetch),
        _ => true,
    }
}

/// Whether a call asked for a page by its address, whatever came of it.
pub(super) fn tried(view: &View<'_, '_>, call: usize, naming: Naming) -> bool {
    let elsewhere =
        matches!(view.facts(call).role, Role::Write | Role::Notify | Role::Remove | Role::Ask | Role::Search);
    naming >= Naming::Address && !elsewhere && view.seen(call).executed
}

/// Whether a call that names a page, and did not bring it for certain, may have shown it.
pub(super) fn may_have_named(view: &View<'_, '_>, call: usize, naming: Naming) -> bool {
    let (facts, seen) = (view.facts(call), view.seen(call));
    let ended = facts.succeeded || facts.stopped();
    if seen.inward || !seen.executed || !ended || seen.refused(facts) {
        return false;
    }
    match facts.role {
        // A browser may have shown a picture that the record does not hold.
        Role::Fetch => true,
        _ if seen.blank => false,
        Role::Write | Role::Notify | Role::Remove | Role::Ask => false,
        // What a search was asked for is not what it found; but one that was given an address may have looked there.
        Role::Search => naming >= Naming::Address,
        _ => true,
    }
}

/// Whether a call that names the address of a page asked for that page and for no other.
pub(super) fn asks_for_one(view: &View<'_, '_>, call: usize) -> bool {
    let facts = view.facts(call);
    match facts.role {
        Role::Fetch => true,
        Role::Command => view.seen(call).closed(facts) == Some(1),
        _ => false,
    }
}

/// Whether a call that names no page may have shown one.
pub(super) fn may_show(view: &View<'_, '_>, call: usize, output: Output) -> bool {
    let (facts, seen) = (view.facts(call), view.seen(call));
    let (role, given) = (facts.role, facts.call.output.as_deref());
    // A browser, or a file of a picture, may have shown what the record does not hold.
    let picture = matches!(role, Role::Read | Role::Look) && is_picture(facts);
    let blank = seen.blank && !picture && !matches!(role, Role::Fetch | Role::Look | Role::Unknown);
    if seen.inward || !seen.executed || blank || matches!(role, Role::Write | Role::Notify | Role::Remove) {
        return false;
    }
    if output != Output::Plain {
        return output == Output::Document;
    }
    if !(facts.succeeded || facts.stopped()) || seen.refused(facts) {
        return false;
    }
    // What is not in the record may be anything.
    let unseen = given.is_none() || facts.call.truncated;
    match role {
        Role::Agent => !facts.acts.none(),
        Role::Ask => given.is_some_and(|answer| answer.split_whitespace().count() >= ANSWER),
        Role::Command => unseen || goes_out(view, call),
        Role::Read => unseen || picture || !is_local(facts),
        Role::Look => unseen || picture || !(is_local(facts) || keeps_to_itself(facts)),
        Role::Search => unseen || !asks(facts),
        _ => true,
    }
}

/// An answer of the person of so many words may hold what a page says.
const ANSWER: usize = 4;

/// Whether a command line may have fetched something, by a program that gets pages or by one that its line does not show.
fn goes_out(view: &View<'_, '_>, call: usize) -> bool {
    let facts = view.facts(call);
    let gets = |command: &Simple| {
        let git = command.words.first().is_some_and(|word| word.rsplit('/').next() == Some("git"));
        !git && acts::of_command(command).could(Act::Fetch)
    };
    facts.commands.iter().any(gets) || view.seen(call).closed(facts).is_none()
}

/// Parts of the keys under which a call names a file or a folder.
const PLACES: &[&str] = &["cwd", "dir", "file", "folder", "glob", "notebook", "path", "root"];

/// Whether a call looks at named files or folders, and was given no address.
fn is_local(facts: &Facts<'_>) -> bool {
    let Value::Object(map) = &facts.call.arguments else { return false };
    let place = |key: &str| {
        let key = key.to_ascii_lowercase();
        !key.ends_with("id") && PLACES.iter().any(|part| key.contains(part))
    };
    let outside = |value: &Value| value.as_str().is_some_and(|text| text.contains("://"));
    map.iter().any(|(key, value)| place(key) && value.is_string()) && !map.values().any(outside)
}

/// Whether a call looks at a file that may be the picture of a page, or a copy that was printed.
fn is_picture(facts: &Facts<'_>) -> bool {
    const ENDINGS: &[&str] = &["gif", "heic", "jpeg", "jpg", "mhtml", "pdf", "png", "webp"];
    let Value::Object(map) = &facts.call.arguments else { return false };
    let ending = |text: &str| text.rsplit('.').next().map(str::to_ascii_lowercase);
    map.values().filter_map(Value::as_str).filter_map(ending).any(|ending| ENDINGS.contains(&ending.as_str()))
}

/// Words in the names of tools that tell of this machine, the clock or a sum, and of no page.
#[rustfmt::skip]
const HERE: &[&str] = &[
    "calculate", "calculation", "calculator", "clock", "date", "datetime", "diagnostics", "dir", "git", "gitdiff", "gitlog", "gitshow",
    "gitstatus", "listdir", "listdirectory", "listfiles", "ls", "lsp", "time", "tree", "weather", "whoami",
];

/// Whether a tool looks at something that is no page: by a word of its name, or since it lists files.
fn keeps_to_itself(facts: &Facts<'_>) -> bool {
    let words = words(&facts.call.tool);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    has(HERE) || (has(&["list"]) && has(&["directories", "directory", "files", "folder", "folders"]))
}

/// Parts of the keys under which a search is told what to look for.
#[rustfmt::skip]
const QUERIES: &[&str] = &[
    "filter", "glob", "input", "keyword", "name", "pattern", "phrase", "prompt", "q", "query", "queries", "question", "regex", "search",
    "symbol", "term", "text", "topic",
];

/// Whether a call was told in words what to search for.
fn asks(facts: &Facts<'_>) -> bool {
    let Value::Object(map) = &facts.call.arguments else { return facts.call.arguments.is_string() };
    let key = |key: &str| {
        let key = key.to_ascii_lowercase();
        QUERIES.iter().any(|part| if part.len() > 1 { key.contains(part) } else { key == *part })
    };
    map.iter().any(|(name, value)| key(name) && !value.is_number())
}
