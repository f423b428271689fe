//! A call that did not come to a good end, and what shows that its work was done all the same: a later look at the state,
//! or its own refusal, which says that it was done before.

mod kept;

use super::facts::Facts;
use super::index::View;
use super::roles::{self, Role};
use super::shell::Simple;
use crate::record::Status;
use crate::text::head;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

/// What a call was to do, by its words.
#[derive(Clone, Copy)]
pub struct Work<'w> {
    /// How the words begin by which tools and commands are called that do it or tell of it.
    pub stems: &'w [&'static str],
    /// The words that tell that it was done.
    pub says: &'w [&'static str],
    /// What it was done to or with, as the claim names it.
    pub marks: &'w [String],
}

/// The most calls that are looked through for a look.
const MOST: usize = 256;

/// The most things that a look is compared with.
const THINGS: usize = 16;

/// How much of an output is read, from its beginning.
const READ: usize = 2_000;

/// The call of this turn that shows that the work of `call`, which did not end well, was done all the same: its own
/// refusal, or a look behind it. `state`: what is claimed is a state, which somebody may have brought about before; that
/// the agent brought it about itself is shown by a refusal only where an attempt before it was left open.
pub fn reached(view: &View<'_, '_>, call: usize, work: Work<'_>, state: bool) -> Option<usize> {
    let failed = view.facts(call);
    let tool = failed.call.tool.as_str();
    let open = || view.calls_before(call).iter().any(|f| f.call.tool == tool && uncertain(f));
    if (done_before(failed, work) && (state || open())) || partly(failed, work) {
        return Some(call);
    }
    let behind = || view.calls().filter(|(c, _)| *c > call);
    // The claims of a turn ask the same, but for what they name themselves.
    let plain = Work { marks: &[], ..work };
    let name = work.stems.first().copied().unwrap_or_default();
    let look = view.look(call, name, || looked_at(failed, behind(), plain));
    look.or_else(|| if work.marks.is_empty() { None } else { looked_at(failed, behind(), work) })
}

/// A look of any kind behind a call whose end is not known.
pub fn open_and_looked(view: &View<'_, '_>, call: usize) -> Option<usize> {
    let mut behind = view.calls().filter(|(c, f)| *c > call && f.succeeded && looks(f) && f.call.output.is_some());
    if uncertain(view.facts(call)) {
        behind.next_back().map(|(call, _)| call)
    } else {
        None
    }
}

/// A later look at a file whose writing did not end well, that shows it written: of a call whose end is not known any
/// look that names it, of one that failed a look that shows what it was to write, of a command a list that has the file.
pub fn written(view: &View<'_, '_>, call: usize, name: &str) -> Option<usize> {
    let failed = view.facts(call);
    let behind = || view.calls().filter(|(c, _)| *c > call);
    if uncertain(failed) {
        let marks = [name.to_string()];
        return looked_at(failed, behind(), Work { stems: &[], says: &[], marks: &marks });
    }
    let lines = lines_to_write(failed);
    let lists = |f: &Facts<'_>| {
        const LISTS: &[&str] = &["du", "file", "find", "ls", "stat", "tree", "wc"];
        let program = f.commands.iter().filter_map(|c| c.words.first()).any(|w| LISTS.contains(&w.as_str()));
        let output = f.call.output.as_deref().map_or("", |o| head(o, SHOWN));
        // A list that is longer than what is read of it may have it anywhere.
        let more = f.call.output.as_ref().is_some_and(|all| all.len() > output.len());
        failed.role == Role::Command && program && (more || output.contains(name))
    };
    let shows = |f: &Facts<'_>| {
        let output = f.call.output.as_deref().map_or("", |o| head(o, SHOWN));
        lines.iter().all(|line| output.contains(line))
    };
    let ran = !matches!(failed.call.status, Status::Denied | Status::Declined);
    let mut looks = behind().filter(|(_, f)| f.succeeded && looks(f));
    let found = looks.by_ref().take(MOST).find(|(_, f)| ran && (lists(f) || (!lines.is_empty() && shows(f))));
    // Among more looks than are compared the right one may be any.
    found.or_else(|| looks.next().filter(|_| ran)).map(|(call, _)| call)
}

/// How much of an output is searched for the lines of a file.
const SHOWN: usize = 64 * 1024;

/// The first lines that a call was to put into a file, as far as they are long enough to be known again and do not stand in
/// what it was to take out.
fn lines_to_write<'f>(facts: &Facts<'f>) -> Vec<&'f str> {
    let Some(map) = facts.call.arguments.as_object() else { return Vec::new() };
    let (old, new): (Vec<_>, Vec<_>) = map.iter().partition(|(key, _)| key.to_lowercase().contains("old"));
    let old: Vec<&str> = old.into_iter().filter_map(|(_, value)| value.as_str()).collect();
    let texts = new.into_iter().filter_map(|(_, value)| value.as_str()).filter(|text| text.contains([' ', '\n']));
    let lines = texts.flat_map(|text| text.lines().take(40)).map(str::trim).filter(|line| line.len() >= 12);
    lines.filter(|line| !old.iter().any(|text| text.contains(line))).take(4).collect()
}

/// The last look at the state among the calls behind one that did not end well: at the same thing, or by a name of this
/// kind of work. What it showed may be that the work was done all the same.
pub fn looked_at<'f, 'a: 'f>(
    failed: &Facts<'_>,
    behind: impl Iterator<Item = (usize, &'f Facts<'a>)>,
    work: Work<'_>,
) -> Option<usize> {
    if matches!(failed.call.status, Status::Denied | Status::Declined) {
        return None;
    }
    let mut things = things(failed, work);
    things.truncate(THINGS);
    let left = |f: &Facts<'_>| kept::left_behind(failed, f, work);
    let mut looks = behind.filter(|(_, f)| f.succeeded && (looks(f) || left(f)));
    let open = uncertain(failed);
    let keys = kept::keys(failed);
    // Of a call that is known to have failed only a look that tells of the work shows it done.
    let tells = |f: &Facts<'_>| {
        let text = f.call.output.as_deref().map_or("", |o| head(o, READ)).to_lowercase();
        work.says.iter().any(|word| text.contains(word))
    };
    let shown = |f: &Facts<'_>| {
        about(f, &things, work)
            || ((open || tells(f)) && kept::same_key(failed, &keys, f))
            || (open && same_service(failed, f))
            || left(f)
    };
    let found = looks.by_ref().take(MOST).filter(|(_, f)| shown(f)).last();
    // Among more looks than are compared the right one may be any.
    found.or_else(|| looks.next()).map(|(call, _)| call)
}

/// How a service says that something is not as it should be.
const TROUBLE: &[&str] =
    &["ahead", "crash", "critical", "degraded", "error", "fail", "not found", "pending", "unhealthy"];

/// Whether a command asks the same service that another was to change something at: `npm view` behind `npm publish`.
fn same_service(failed: &Facts<'_>, look: &Facts<'_>) -> bool {
    const SERVICES: &[&str] = &[
        "aws",
        "az",
        "cargo",
        "docker",
        "fly",
        "flyctl",
        "gcloud",
        "gh",
        "git",
        "glab",
        "helm",
        "heroku",
        "kubectl",
        "npm",
        "pnpm",
        "podman",
        "terraform",
        "vercel",
        "wrangler",
        "yarn",
    ];
    let program = |f: &Facts<'_>| {
        let words = f.commands.iter().filter_map(|c| c.words.first());
        words.map(String::as_str).find(|word| SERVICES.contains(word)).map(String::from)
    };
    let text = look.call.output.as_deref().map_or("", |o| head(o, READ)).to_lowercase();
    let bad = TROUBLE.iter().any(|word| text.contains(word));
    // Most of what git shows is not what its remote holds.
    let local = || {
        program(look).as_deref() == Some("git")
            && !["origin", "refs/", "remote", "up to date"].iter().any(|w| text.contains(w))
    };
    !bad && !local() && program(failed).is_some_and(|service| program(look).as_ref() == Some(&service))
}

/// Whether a call looks at a state and changes nothing.
pub fn looks(facts: &Facts<'_>) -> bool {
    match facts.role {
        Role::Look | Role::Search | Role::Fetch | Role::Read => true,
        Role::Command => !facts.commands.is_empty() && (facts.acts.none() || facts.commands.iter().all(shows)),
        _ => false,
    }
}

/// Whether a command only shows something: `npm view`, `gh pr list`, a request that sends nothing.
fn shows(command: &Simple) -> bool {
    const SHOWING: &[&str] = &["describe", "get", "head", "info", "list", "log", "ls", "show", "status", "view"];
    const SENDS: &[&str] = &["--data", "--form", "--json", "--request", "--upload-file", "-F", "-T", "-X", "-d"];
    let words = || command.words.iter().map(String::as_str);
    let requests = matches!(words().next(), Some("curl" | "wget" | "http"));
    super::acts::of_command(command).none()
        || asks_version(command)
        || words().skip(1).take(3).any(|w| SHOWING.contains(&w))
        || (requests && !words().any(|w| SENDS.iter().any(|flag| w.starts_with(flag))))
}

/// Whether a program is asked for its version alone, and so does nothing else.
fn asks_version(command: &Simple) -> bool {
    const VERSION: &[&str] = &["--version", "-V", "-v", "-version", "version"];
    command.words.len() == 2 && command.words.get(1).is_some_and(|w| VERSION.contains(&w.as_str()))
}

/// Whether a look is at one of these things, or called by a word of the work.
fn about(facts: &Facts<'_>, things: &[String], work: Work<'_>) -> bool {
    let stem = |word: &str| work.stems.iter().any(|stem| stem.len() > 3 && word.starts_with(stem));
    let line = facts.line.as_deref().unwrap_or("");
    let output = facts.call.output.as_deref().map_or("", |o| head(o, READ));
    let names = |text: &str| things.iter().chain(work.marks).any(|thing| text.contains(thing.as_str()));
    let kind = match facts.role {
        Role::Command => line.split(|c: char| !c.is_ascii_alphanumeric()).take(24).any(stem),
        _ => roles::words(&facts.call.tool).iter().any(|w| stem(w) || work.says.contains(&w.as_str())),
    };
    let given = || super::index::strings(&facts.call.arguments).into_iter().take(8).any(|text| names(head(text, READ)));
    !output.trim().is_empty() && (kind || names(output) || names(line) || given())
}

/// The names that a call was given: of its command line those behind the program that are no words of the work.
fn things(facts: &Facts<'_>, work: Work<'_>) -> Vec<String> {
    let own = |word: &str| {
        let last = word.trim_end_matches('/').rsplit(['/', '\\']).next().unwrap_or(word);
        let fit = last.len() >= 3 && last.len() <= 80 && !last.starts_with('-') && !last.contains(char::is_whitespace);
        let of_work = work.stems.iter().chain(work.says).any(|stem| last.starts_with(stem));
        (fit && !of_work && !PLAIN.contains(&last)).then(|| last.to_string())
    };
    if facts.role == Role::Command {
        let words = facts.commands.iter().take(8).flat_map(|c| c.words.iter().skip(1).take(8));
        return words.filter_map(|w| own(w)).collect();
    }
    super::index::strings(&facts.call.arguments).into_iter().take(24).filter_map(own).collect()
}

/// Words of command lines and arguments that name nothing.
const PLAIN: &[&str] = &["all", "head", "latest", "main", "master", "origin", "prod", "production", "run", "staging"];

/// Words of an error after which nobody knows whether the work was done: the answer was lost, not the request.
const LOST: &[&str] = &["502", "503", "504", "econnreset", "eof", "etimedout", "gateway", "timeout", "unavailable"];

/// The same in several words.
const LOST_PHRASES: &[&str] = &["broken pipe", "connection closed", "connection reset", "hung up", "timed out"];

/// Whether a word stands in a text by itself.
fn holds_word(text: &str, word: &str) -> bool {
    let text = text.as_bytes();
    let goes_on = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    memchr::memmem::find_iter(text, word).any(|at| !goes_on(text[..at].last()) && !goes_on(text.get(at + word.len())))
}

/// Whether the record leaves open what came of a call that did not end well: it was stopped, has no result, or lost its
/// connection.
pub fn uncertain(facts: &Facts<'_>) -> bool {
    let lost = |text: String| {
        LOST_PHRASES.iter().any(|phrase| text.contains(phrase)) || LOST.iter().any(|word| holds_word(&text, word))
    };
    match facts.call.status {
        Status::Denied | Status::Declined => false,
        _ if facts.stopped() || facts.call.status == Status::Pending => true,
        _ => (!facts.succeeded || facts.refuses) && lost(told(facts)),
    }
}

/// Whether a call was refused because what it was to do is done already: “already refunded”, “a release of this name
/// exists”.
pub fn done_before(facts: &Facts<'_>, work: Work<'_>) -> bool {
    if matches!(facts.call.status, Status::Denied | Status::Declined) {
        return false;
    }
    let text = told(facts);
    let again = ["already", "duplicate", "previously", "nothing to commit"].iter().any(|w| text.contains(w))
        || (["409", "conflict"].iter().any(|w| text.contains(w)) && text.contains("exist"));
    let meant = || work.stems.iter().chain(work.says).any(|stem| stem.len() > 3 && text.contains(stem));
    again && (meant() || text.contains("exist"))
}

/// Whether an answer that tells of an error counts what was done besides: `{"uploaded": 12, "error": "1 duplicate"}`.
fn partly(facts: &Facts<'_>, work: Work<'_>) -> bool {
    let text = facts.call.output.as_deref().unwrap_or("").trim();
    if !text.starts_with('{') || text.len() > SHOWN {
        return false;
    }
    let Ok(Value::Object(map)) = serde_json::from_str::<Value>(text) else { return false };
    let counts = |value: &Value| match value {
        Value::Number(number) => number.as_f64().is_some_and(|n| n > 0.0),
        Value::Array(list) => !list.is_empty(),
        _ => false,
    };
    let done = |key: &str| work.says.iter().any(|word| word.ends_with("ed") && key.to_lowercase().starts_with(word));
    map.iter().any(|(key, value)| done(key) && counts(value))
}

/// What a call says of its end: its error and the beginning of its output, in lower case.
fn told(facts: &Facts<'_>) -> String {
    let texts = [facts.call.error.as_deref(), facts.call.output.as_deref()];
    let mut all = String::new();
    for text in texts.into_iter().flatten() {
        all.push_str(head(text, READ));
        all.push('\n');
    }
    all.to_lowercase()
}
