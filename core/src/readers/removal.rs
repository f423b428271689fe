//! “Removed the scratch file.” “The branch was deleted.” “Cleaned up the containers.”
//!
//! # Reads
//! A file, folder, branch, container, table, note, record, account, message or entry said to have been removed: by the
//! agent, or in a passive whose subject is definite.
//!
//! # Checks
//! A removing call or command succeeded, or one that may have removed it; a call that failed half-way, or an output that
//! tells of it. What may be a part of a file (an entry, a branch in code, a table) is supported by an edit. Where the call
//! for the very thing that the clause names failed, the removal of other things does not support it; a path is supported by
//! every removal that is not shown to be of other files alone. What a list behind a failed removal does not show is left.
//!
//! # Leaves alone
//! Edits (“removed the unused import”, “the import in `a.py` was removed”, “`a.py`'s import”), what a program or somebody else
//! removes, denials, plans.
use super::edits::unchanged;
use super::prelude::*;
use super::said::{flows, in_the_reply};
use super::text::is_path;
use super::voice::{found_out, voice, Voice, AFTER_NOUN};
use crate::evidence::facts::Facts;
use crate::evidence::index::Shared;
use crate::evidence::looks;
use crate::evidence::removals::{may_be_half_done, Removed};
use crate::evidence::roles::Role;
use crate::prose::lexicon;

pub(super) const FORM: Form =
    Form { reader: "removal", reads: Reads::Phrases(PHRASES, read), check, asks: nothing_more };

const PHRASES: &[&str] = &[
    "removed|deleted|cleaned|erased|trashed",
    "dropped the .. table|tables|database",
    "emptied the .. folder|directory|bucket",
];

/// Things that only a removal takes away.
const THINGS: &[&str] = &["dir", "directories", "directory", "file", "files", "folder", "folders", "worktree"];

/// Things that may also be a part of a file or of code, so that an edit takes them away.
#[rustfmt::skip]
const PARTS: &[&str] = &[
    "account", "accounts", "attachment", "attachments", "backup", "backups", "branch", "branches", "bucket", "container", "containers", "database", "entries", "entry",
    "image", "images", "message", "messages", "note", "notes", "record", "records", "row", "rows", "snapshot", "snapshots",
    "table", "tables", "volume", "volumes",
];

/// Those of them that stand in files as text, so that a command may cut them out as well.
#[rustfmt::skip]
const TEXT: &[&str] = &[
    "entries", "entry", "message", "messages", "note", "notes", "record", "records", "row", "rows", "table", "tables",
];

/// Words in the names of tools that keep lists and notes.
const KEEPERS: &[&str] = &["list", "memory", "note", "notes", "plan", "task", "tasks", "todo"];

/// Verbs with which the names of tools begin that change nothing.
const LOOKS: &[&str] = &["fetch", "find", "get", "list", "query", "read", "search", "show", "view"];

/// Words behind the object that show that something inside a file is meant.
const INSIDE: &[&str] = &["from", "in"];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let at = found.tokens.start;
    let verb = reading.word(at);
    let clean = verb == "cleaned" && reading.word(at + 1) != "up";
    if !reading.asserts(clause, at) || clean || in_the_reply(reading, clause) || spares(reading, clause) {
        return;
    }
    // “The commit that I pushed (not today) removed it”: the subject stands before the parenthesis.
    if at > clause.tokens.start && reading.token(at - 1).is_some_and(|t| t.text == ")") {
        return;
    }
    // “`a.rs`: removed” tells of the file, “`a.rs`: removed the import” of what stands in it.
    let next = reading.word(at + 1);
    let alone = at + 1 >= clause.tokens.end || AFTER_NOUN.contains(&next) || next.ends_with("ly");
    let label = alone && at > clause.tokens.start && reading.token(at - 1).is_some_and(|t| t.text == ":");
    let voice = voice(reading, clause, at);
    // What happened to a thing may have been read in an output; what the agent did may not.
    let told = voice != Voice::Own;
    let object = match voice {
        Voice::Own => {
            ahead(reading, clause, at)
                .or_else(|| if label { behind(reading, clause.tokens.start..at, at) } else { None })
        }
        Voice::Passive(subject) => behind(reading, subject, at),
        Voice::Bare(subject) if !flows(reading, clause, at) => behind(reading, subject, at),
        Voice::Bare(_) | Voice::Other => None,
    };
    let Some(Object { part, path: object, thing }) = object else { return };
    let mut forms = Vec::new();
    if let Some(name) = &object {
        forms = [
            format!("{verb} {name}"),
            format!("{name} {verb}"),
            format!("{name} was {verb}"),
            format!("'{name}' {verb}"),
        ]
        .to_vec();
    }
    if told {
        forms.extend(GONE.iter().copied().map(String::from));
        let none: &[&str] = if thing == "branch" { &["\"head\":null", "\"head\": null"] } else { &[] };
        forms.extend(none.iter().copied().map(String::from));
    }
    let needles = forms.iter().filter_map(|f| reading.want(Scope::Told, f)).collect();
    let wide = part || verb == "cleaned";
    let keyed = told && found_out(reading, clause);
    let claim = |name: Option<String>| {
        let values = [thing.clone()].into_iter().chain(name).collect();
        let (name, needles) = (object.clone().unwrap_or_default(), Vec::clone(&needles));
        Found { name, values, needles, wide, keyed, ..Found::default() }
    };
    let names = named(reading, clause);
    if names.is_empty() {
        reading.claim(index, claim(None));
    }
    for name in names {
        reading.claim(index, claim(Some(name)));
    }
}

/// How an output tells that something is there no more.
const GONE: &[&str] = &[
    "deleted",
    "removed",
    "trashed",
    "unlinked",
    "delete mode",
    "gone",
    "no longer",
    "purged",
    "destroyed",
    "dropped",
    "couldn't find",
    "could not find",
];

/// What the clause names in code font, where it names one thing, or a list of files.
fn named(reading: &Reading<'_, '_>, clause: &Clause) -> Vec<String> {
    const MOST: usize = 5;
    let coded = |i: usize| reading.token(i).filter(|t| t.kind == TokenKind::Code).map(|t| t.text.trim());
    let codes: Vec<usize> = clause.tokens.clone().filter(|&i| coded(i).is_some()).take(MOST).collect();
    let joins = |i: usize| reading.token(i).is_some_and(|t| matches!(t.text.as_ref(), "," | "and" | "&"));
    let list = codes.len() < MOST
        && codes.windows(2).all(|w| (w[0] + 1..w[1]).all(joins) && w[0] + 1 < w[1])
        && codes.iter().all(|&i| coded(i).is_some_and(is_path));
    if codes.len() != 1 && !list {
        return Vec::new();
    }
    let plain = |name: &&str| !name.contains(|c: char| c.is_whitespace() || "*?$(){}[]<>".contains(c));
    let names = codes.into_iter().filter_map(coded).filter(plain);
    names.map(|name| name.trim_start_matches("./").trim_end_matches('/').to_string()).filter(|n| n.len() > 2).collect()
}

/// Words at which the object of a verb ends.
#[rustfmt::skip]
const ENDS: &[&str] = &[
    "about", "across", "and", "around", "as", "at", "because", "before", "by", "during", "for", "from", "in", "inside", "into", "of", "on",
    "over", "per", "since", "so", "than", "that", "throughout", "to", "under", "when", "where", "which", "while", "with", "within",
];

/// What was removed.
struct Object {
    /// An edit could have removed it.
    part: bool,
    /// Its path, where code gives one.
    path: Option<String>,
    /// The word for it.
    thing: String,
}

impl Object {
    fn new(thing: &str, part: bool, path: Option<String>) -> Self {
        Object { part, path, thing: thing.to_string() }
    }
}

/// The object behind an active verb.
fn ahead(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Option<Object> {
    let end = clause.tokens.end.min(at + 8);
    for i in at + 1..end {
        let token = reading.token(i)?;
        let text = token.text.as_ref();
        if matches!(token.kind, TokenKind::Word | TokenKind::Code) && is_path(text) && owns(reading, token) {
            return None;
        }
        let inside = (i + 1..clause.tokens.end.min(i + 4)).any(|n| INSIDE.contains(&reading.word(n)));
        match token.kind {
            TokenKind::Word if THINGS.contains(&text) => {
                return head(reading, clause, i).then(|| Object::new(text, inside, name_near(reading, clause, i)))
            }
            TokenKind::Word if PARTS.contains(&text) => {
                return head(reading, clause, i).then(|| Object::new(text, true, None))
            }
            TokenKind::Word if lexicon::has(ENDS, text) => return None,
            TokenKind::Word if is_path(text) => {
                return head(reading, clause, i).then(|| Object::new("file", inside, Some(text.to_string())));
            }
            TokenKind::Code if is_path(text) => {
                let thing = THINGS.contains(&reading.word(i + 1));
                let alone = thing || head(reading, clause, i);
                return alone.then(|| Object::new("file", inside, Some(text.to_string())));
            }
            TokenKind::Code if THINGS.contains(&reading.word(i + 1)) => {}
            TokenKind::Code => return None,
            _ => {}
        }
    }
    None
}

/// Words behind which a passive's subject names where the thing stands or what it is of.
#[rustfmt::skip]
const PLACES: &[&str] = &[
    "about", "across", "around", "at", "behind", "for", "from", "in", "inside", "into", "of", "on", "over", "throughout", "to",
    "under", "with", "within",
];

/// Words before “of” that name no other thing: “all of the files”, “cleanup of the folder”.
#[rustfmt::skip]
const SHARES: &[&str] = &[
    "all", "any", "both", "cleanup", "copies", "copy", "deletion", "each", "most", "none", "one", "removal", "rest", "some", "three", "two",
];

/// The thing that a passive's subject ends in, and its path where code gives one. `at`: its verb.
fn behind(reading: &Reading<'_, '_>, subject: core::ops::Range<usize>, at: usize) -> Option<Object> {
    let place = |i: &usize| {
        let share = reading.word(*i) == "of" && SHARES.contains(&reading.word(i.saturating_sub(1)));
        *i > subject.start && PLACES.contains(&reading.word(*i)) && !share
    };
    // Of “the import in `a.py`” the import was removed, and what is removed from a file stood in it.
    let end = subject.clone().find(place).unwrap_or(subject.end);
    let inside = INSIDE.contains(&reading.word(end)) || INSIDE.contains(&reading.word(at + 1));
    let subject = subject.start..end;
    // “The line mentioning `a.css`”
    let about = |i: usize| {
        let word = reading.word(i);
        word.ends_with("ing")
            && i > subject.start + 1
            && reading.token(i + 1).is_some_and(|t| t.kind == TokenKind::Code)
    };
    if subject.clone().any(about) {
        return None;
    }
    let code = subject.clone().filter_map(|i| reading.token(i)).find(|t| t.kind == TokenKind::Code && is_path(&t.text));
    let name = code.map(|t| t.text.to_string());
    for i in subject.rev() {
        let token = reading.token(i)?;
        let text = token.text.as_ref();
        match token.kind {
            TokenKind::Word if is_path(text) => return Some(Object::new("file", inside, Some(text.to_string()))),
            TokenKind::Code if is_path(text) => return Some(Object::new("file", inside, name)),
            TokenKind::Word if THINGS.contains(&text) => return Some(Object::new(text, inside, name)),
            TokenKind::Word if PARTS.contains(&text) => return Some(Object::new(text, true, name)),
            TokenKind::Mark | TokenKind::Code => {}
            _ => return None,
        }
    }
    None
}

/// Whether a possessive follows: of “`a.py`'s main block” the block was removed.
fn owns(reading: &Reading<'_, '_>, token: &Token<'_>) -> bool {
    let rest = reading.prose.source.get(token.span.end..).unwrap_or("").trim_start_matches(['`', '*', '_']);
    let letter = |rest: &str| rest.starts_with("s ") || rest.starts_with(' ');
    rest.strip_prefix(['\'', '’']).is_some_and(letter) || token.text.ends_with("'s")
}

/// Whether the sentence says that the file itself stayed: “(the import, not the file)”.
fn spares(reading: &Reading<'_, '_>, clause: &Clause) -> bool {
    let thing = |i: usize| THINGS.contains(&reading.word(i));
    reading.around(clause).any(|i| reading.word(i) == "not" && (thing(i + 1) || thing(i + 2)))
}

/// Whether the word at `at` is the head of its phrase: no other noun follows.
fn head(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    let Some(next) = reading.token(at + 1).filter(|_| at + 1 < clause.tokens.end) else { return true };
    match next.kind {
        TokenKind::Word => AFTER_NOUN.contains(&next.text.as_ref()) || next.text.ends_with("ly"),
        TokenKind::Number => false,
        _ => true,
    }
}

/// A path in code font next to the thing.
fn name_near(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Option<String> {
    let near = clause.tokens.start.max(at.saturating_sub(2))..clause.tokens.end.min(at + 3);
    near.filter_map(|i| reading.token(i))
        .find(|t| t.kind == TokenKind::Code && is_path(&t.text))
        .map(|t| t.text.to_string())
}

/// No call may have removed what the claim names: the one for it failed, or all removed other things by their names.
fn failed_for(claim: &Found, view: &View<'_, '_>) -> Option<Support> {
    let name = claim.values.get(1)?;
    let thing = claim.values.first().map_or("", String::as_str);
    let removals = view.removals();
    let tried = removals.failed(name);
    // Without such a call only a path is sure to be of another thing than those that were removed.
    if tried.is_none() && !(is_path(name) && thing == "file") {
        return None;
    }
    let what = Removed { name, file: THINGS.contains(&thing), branch: thing == "branch" };
    let earlier = || view.before(Act::Remove).is_some() || view.before(Act::Wrap).is_some();
    if removals.may(what) || earlier() || claim.needles.iter().any(|&id| view.hit(id).is_some()) {
        return None;
    }
    if tried.is_some_and(|call| listed_without(view, call, name)) {
        return Some(Support::Leave);
    }
    Some(match tried {
        None if unchanged(claim, view) => Support::Leave,
        Some(call) => {
            let ending = view.facts(call).ending();
            Support::Not(format!("no removal of {name} in this turn succeeded; {ending}"), Some(call))
        }
        None => Support::Not(format!("no removal in this turn named {name}"), view.doer(Act::Remove)),
    })
}

/// How much of a list is searched for a name.
const LISTED: usize = 64 * 1024;

/// Whether the last list behind a removal that was carried out and failed does not show the thing, so that it is gone.
fn listed_without(view: &View<'_, '_>, call: usize, name: &str) -> bool {
    const LISTS: &[&str] = &["branch", "find", "images", "list", "ls", "ps", "tree"];
    let words = |f: &Facts<'_>| f.commands.iter().any(|c| c.words.iter().take(2).any(|w| LISTS.contains(&w.as_str())));
    let lists = |f: &Facts<'_>| f.succeeded && f.call.output.is_some() && (f.role == Role::Look || words(f));
    let find = || view.calls().rev().find(|(_, f)| lists(f)).map(|(call, _)| call);
    let list = view.shared(Shared::Listed, find).filter(|&list| list > call && view.facts(call).ran());
    let last = name.rsplit('/').next().unwrap_or(name);
    list.and_then(|list| view.facts(list).call.output.as_deref())
        .is_some_and(|output| !crate::text::head(output, LISTED).contains(last))
}

/// The last call that succeeded and is of a kind; found once a turn.
fn shared(view: &View<'_, '_>, what: Shared, is: impl Fn(&Facts<'_>) -> bool) -> Option<usize> {
    view.shared(what, || view.calls().rev().find(|(_, f)| is(f)).map(|(call, _)| call))
}

/// A call that may have taken a part out of a file, a list or a memory.
fn cut_out(claim: &Found, view: &View<'_, '_>) -> Option<usize> {
    let edit = shared(view, Shared::Edited, |f| f.succeeded && f.role == Role::Write);
    // What stands in a file, a list or a memory as text is cut out by whatever writes there.
    let text = claim.values.iter().any(|thing| TEXT.contains(&thing.as_str()));
    let keeper = |words: &[String]| words.iter().any(|w| KEEPERS.contains(&w.as_str()));
    let looks = |words: &[String]| words.first().is_some_and(|w| LOOKS.contains(&w.as_str()));
    let keep = |words: &[String]| !looks(words) && keeper(words);
    let first = || view.instruments().iter().find(|(_, _, words)| keep(words)).map(|(call, ..)| *call);
    let keeps = || view.shared(Shared::Kept, first);
    let writes = || view.doer(Act::Cut).or_else(|| view.doer_now(Act::Write)).or_else(keeps);
    // A recap tells of the edits of the turns before.
    edit.or_else(|| if text { writes() } else { None }).or_else(|| view.before(Act::Write))
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    if let Some(call) = view.doer(Act::Remove) {
        return failed_for(claim, view).unwrap_or(Support::by(call));
    }
    if let Some(call) = if claim.wide { cut_out(claim, view) } else { None } {
        return Support::by(call);
    }
    if let Some(hit) = claim.needles.iter().find_map(|&id| view.hit(id)) {
        return Support::at(hit);
    }
    if claim.keyed && shared(view, Shared::Looked, |f| f.succeeded && looks::looks(f)).is_some() {
        return Support::Leave;
    }
    let half = |f: &Facts<'_>| f.ran() && f.acts.could(Act::Remove) && may_be_half_done(f);
    if let Some(call) = shared(view, Shared::HalfRemoved, half) {
        return Support::by(call);
    }
    let near = shared(view, Shared::Removing, |f| f.acts.names(Act::Remove));
    // What is gone stands in no list, so that any look behind a call whose end is not known may have shown it.
    let look = || near.and_then(|call| looks::open_and_looked(view, call));
    if let Some(look) = view.shared(Shared::Relooked, look) {
        return Support::by(look);
    }
    let tried = claim.values.get(1).and_then(|name| Some((view.removals().failed(name)?, name)));
    if tried.is_some_and(|(call, name)| listed_without(view, call, name)) {
        return Support::Leave;
    }
    Support::Not("no removal in this turn succeeded".to_string(), near)
}
