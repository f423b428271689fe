//! What the removing calls of a turn may have taken away, by the names that they give.
//!
//! A removal often names something else than the claim does: a folder around the file, an id out of a listing, a pattern,
//! a path from another root. It is shown to be of other things only where all that it names are files of other names; for
//! what is no file, as a branch, where it names other words. It is worked out once a turn and asked for each claim.

use super::acts::{of_command, Act};
use super::facts::Facts;
use super::index::strings;
use super::roles::Role;
use super::shell::Simple;
use crate::sort::set;
use crate::text::head;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

/// The removals of a turn, and what else may have been one.
#[derive(Debug, Default)]
pub struct Removals {
    /// Removals that failed, by the last part of what they were given: the last of them, and how many may be of anything.
    failed: BTreeMap<String, (usize, usize)>,
    /// How many of those that failed may have been of anything.
    failed_open: usize,
    /// Some call may have removed anything.
    open: bool,
    /// Some removal was of what may be a folder with anything in it.
    folder: bool,
    /// What removals name, and the same of those that failed.
    named: BTreeSet<String>,
    named_failed: BTreeSet<String>,
    /// The folders around what they name.
    around: BTreeSet<String>,
    /// The last parts of what removals name.
    lasts: BTreeSet<String>,
    /// The last parts of what calls were given that may have removed it by a move or an overwrite.
    given: BTreeSet<String>,
}

/// What a claim says was removed.
#[derive(Clone, Copy, Debug)]
pub struct Removed<'n> {
    /// As the claim names it.
    pub name: &'n str,
    /// It lies among files, so that a folder around it may be named otherwise.
    pub file: bool,
    /// It is a branch, whose name's last part says nothing.
    pub branch: bool,
}

/// A name that has more bytes is compared with none.
const LONGEST: usize = 512;

/// So many folders around a name are compared.
const DEEPEST: usize = 32;

impl Removals {
    /// Those of these calls.
    pub fn of<'f, 'a: 'f>(calls: impl Iterator<Item = (usize, &'f Facts<'a>)>) -> Self {
        let mut removals = Removals::default();
        let able = [Act::Remove, Act::Wrap, Act::Write, Act::Publish, Act::Cut];
        for (call, facts) in calls.filter(|(_, f)| f.ran() && able.iter().any(|&act| f.acts.could(act))) {
            removals.add(call, facts);
        }
        removals
    }

    fn add(&mut self, call: usize, facts: &Facts<'_>) {
        if !facts.acts.could(Act::Remove) && !facts.acts.could(Act::Wrap) {
            self.given.extend(given(facts));
            self.open |= moves(facts);
            return;
        }
        let named = named(facts);
        let open = named.is_none();
        if !failed(facts) {
            self.open |= open;
            for path in named.into_iter().flatten() {
                self.folder |= !path.file;
                self.lasts.insert(last(path.name));
                self.take(path.name, false);
            }
            return;
        }
        self.failed_open += usize::from(open);
        for name in set(given(facts).into_iter()) {
            let known = self.failed.entry(name).or_default();
            *known = (call, known.1 + usize::from(open));
        }
        named.into_iter().flatten().for_each(|path| self.take(path.name, true));
    }

    /// Keeps a name and the folders around it.
    fn take(&mut self, name: &str, failed: bool) {
        self.around.extend(folders(name).map(String::from));
        let names = if failed { &mut self.named_failed } else { &mut self.named };
        names.insert(name.to_string());
    }

    /// The last call that was to remove what is named so and failed.
    pub fn failed(&self, name: &str) -> Option<usize> {
        self.failed.get(&last(name)).map(|(call, _)| *call)
    }

    /// Whether some call may have removed it, those left out that were to and failed.
    pub fn may(&self, what: Removed<'_>) -> bool {
        let name = plain(what.name);
        let end = last(name);
        let failed = self.failed.get(&end).map_or(0, |(_, open)| *open);
        self.open
            || self.failed_open > failed
            || (what.file && self.folder)
            || name.len() > LONGEST
            || self.given.contains(&end)
            || self.named.contains(name)
            || self.around.contains(name)
            || folders(name).any(|folder| self.named.contains(folder) || self.named_failed.contains(folder))
            || (!what.branch && self.lasts.contains(&end))
    }
}

/// A path that a removal names.
struct Path<'p> {
    name: &'p str,
    /// By its name it is a file, not a folder.
    file: bool,
}

fn plain(name: &str) -> &str {
    name.trim_start_matches("./").trim_end_matches('/')
}

/// The last part of a name, in lower case.
fn last(name: &str) -> String {
    let name = name.trim_end_matches(['/', '\\']);
    name.rsplit(['/', '\\']).next().unwrap_or(name).to_lowercase()
}

/// The folders around a name, as far as it gives them.
fn folders(name: &str) -> impl Iterator<Item = &str> {
    name.match_indices('/').take(DEEPEST).filter_map(|(at, _)| name.get(..at)).filter(|folder| !folder.is_empty())
}

/// Whether a path is that of a file by its ending.
fn is_file(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').is_some_and(|(stem, ending)| {
        let letters =
            ending.bytes().all(|b| b.is_ascii_alphanumeric()) && ending.bytes().any(|b| b.is_ascii_alphabetic());
        !stem.is_empty() && (1..=5).contains(&ending.len()) && letters
    })
}

/// Whether a word of a command line or an argument may stand for any path.
fn stands_for_any(word: &str) -> bool {
    let last = plain(word).rsplit('/').next().unwrap_or("");
    word.len() > LONGEST || matches!(last, "" | "." | ".." | "~") || word.contains(|c| "*?$`{[!(".contains(c))
}

/// All that a removing call names; none where it may have removed anything.
fn named<'f>(facts: &'f Facts<'_>) -> Option<Vec<Path<'f>>> {
    if !facts.acts.names(Act::Remove) || facts.acts.could(Act::Wrap) {
        return None;
    }
    if facts.commands.is_empty() {
        return argued(facts);
    }
    let mut all = Vec::new();
    for command in facts.commands.iter().filter(|c| of_command(c).could(Act::Remove)) {
        all.extend(operands(command)?);
    }
    Some(all)
}

/// What the words of a removing command name.
fn operands(command: &Simple) -> Option<Vec<Path<'_>>> {
    let words = command.words.as_slice();
    let program = words.first()?.as_str();
    let skipped = match (program, words.get(1).map(String::as_str)) {
        ("rm" | "rmdir" | "unlink" | "trash" | "shred", _) => 1,
        ("git", Some("rm" | "branch")) => 2,
        _ => return None,
    };
    let short = |w: &String| w.starts_with('-') && !w.starts_with("--") && w.contains(['r', 'R']);
    let whole = program == "rmdir" || words.iter().skip(skipped).any(|w| short(w) || w == "--recursive");
    // A branch has nothing in it either.
    let branch = skipped == 2 && words.get(1).is_some_and(|w| w == "branch");
    let paths = words.iter().skip(skipped).filter(|w| !w.starts_with('-'));
    listed(paths.map(String::as_str), |path| branch || (!whole && is_file(path)))
}

/// What the arguments of a removing tool name: a file by its path, and no id that may be another's.
fn argued<'f>(facts: &'f Facts<'_>) -> Option<Vec<Path<'f>>> {
    let id =
        |key: &String| super::roles::words(key).iter().any(|w| matches!(w.as_str(), "id" | "ids" | "key" | "uuid"));
    let by_id = facts.call.arguments.as_object().is_some_and(|map| map.keys().any(id));
    let texts = strings(&facts.call.arguments);
    if facts.role == Role::Command || by_id || texts.iter().any(|text| text.contains("://")) {
        return None;
    }
    if texts.iter().any(|text| is_file(text)) {
        listed(texts.into_iter().filter(|text| text.contains(['.', '/'])), |path| is_file(path) && !path.ends_with('/'))
    } else {
        None
    }
}

fn listed<'w>(words: impl Iterator<Item = &'w str>, file: impl Fn(&str) -> bool) -> Option<Vec<Path<'w>>> {
    let mut paths = Vec::new();
    for word in words {
        if stands_for_any(word) {
            return None;
        }
        paths.push(Path { name: plain(word), file: file(word) });
    }
    Some(paths).filter(|paths| !paths.is_empty())
}

/// Whether a patch moves a file, so that it is gone from where it was.
fn moves(facts: &Facts<'_>) -> bool {
    let moved = |text: &&str| text.contains("*** Move to") || text.contains("rename from");
    facts.role == Role::Write && strings(&facts.call.arguments).iter().any(moved)
}

/// The last parts of the words and texts that a call was given, as far as they are short.
fn given(facts: &Facts<'_>) -> Vec<String> {
    let words = facts.commands.iter().flat_map(|c| c.words.iter().chain(c.writes.iter().map(|t| &t.path)));
    let values = facts.call.arguments.as_object().into_iter().flat_map(|map| map.values().filter_map(Value::as_str));
    let texts = words.map(String::as_str).chain(values);
    texts.filter(|text| text.len() <= LONGEST).map(last).filter(|name| !name.is_empty()).collect()
}

/// Whether a removal failed, with nothing removed on its way and what it was to remove still there.
fn failed(facts: &Facts<'_>) -> bool {
    let bad = facts.acts.names(Act::Remove) && (!facts.succeeded || facts.refuses) && !may_be_half_done(facts);
    let gone = || {
        let output = head(facts.call.output.as_deref().unwrap_or(""), 400).to_lowercase();
        ["no such", "not found", "not exist"].iter().any(|words| output.contains(words))
    };
    bad && !gone()
}

/// Whether a call that failed may have removed something first: it had several things to do, or was stopped.
pub fn may_be_half_done(facts: &Facts<'_>) -> bool {
    let many = |words: &[String]| {
        let program = words.first().map(String::as_str);
        matches!(program, Some("rm" | "rmdir" | "trash" | "unlink" | "del" | "shred"))
            && words.iter().skip(1).filter(|w| !w.starts_with('-')).count() > 1
    };
    let several = facts.commands.len() > 1 || facts.commands.iter().any(|c| many(&c.words));
    let script = !facts.commands.is_empty() && !facts.acts.names(Act::Remove);
    several || script || facts.stopped()
}
