//! “Removed the scratch file.” “The branch was deleted.” “Cleaned up the containers.”
//!
//! # Reads
//! A file, folder, branch, container, table, note, record, account, message or entry said to have been removed: by the
//! agent, or in a passive whose subject is definite.
//!
//! # Checks
//! A removing call or command succeeded, or one that may have removed it; a call that failed half-way, or an output that
//! tells of it. What may be a part of a file (an entry, a branch in code, a table) is supported by an edit. Where the call
//! for the very thing that the clause names failed, the removal of other things does not support it.
//!
//! # Leaves alone
//! Edits (“removed the unused import”), what a program or somebody else removes, denials, plans.
use super::edits::unchanged;
use super::prelude::*;
use super::said::{flows, in_the_reply};
use super::text::is_path;
use super::voice::{found_out, voice, Voice, AFTER_NOUN};
use crate::evidence::acts;
use crate::evidence::facts::Facts;
use crate::evidence::looks;
use crate::evidence::roles::Role;
use crate::evidence::shell::Simple;
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
    if !reading.asserts(clause, at) || clean || in_the_reply(reading, clause) {
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
            ahead(reading, clause, at).or_else(|| if label { behind(reading, clause.tokens.start..at) } else { None })
        }
        Voice::Passive(subject) => behind(reading, subject),
        Voice::Bare(subject) if !flows(reading, clause, at) => behind(reading, subject),
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

/// The thing that a passive's subject ends in, and its path where code gives one.
fn behind(reading: &Reading<'_, '_>, subject: core::ops::Range<usize>) -> Option<Object> {
    let code = subject.clone().filter_map(|i| reading.token(i)).find(|t| t.kind == TokenKind::Code && is_path(&t.text));
    let name = code.map(|t| t.text.to_string());
    for i in subject.rev() {
        let token = reading.token(i)?;
        match token.kind {
            TokenKind::Word if is_path(&token.text) => {
                return Some(Object::new("file", false, Some(token.text.to_string())))
            }
            TokenKind::Code if is_path(&token.text) => return Some(Object::new("file", false, name)),
            TokenKind::Word if THINGS.contains(&token.text.as_ref()) => {
                return Some(Object::new(&token.text, false, name))
            }
            TokenKind::Word if PARTS.contains(&token.text.as_ref()) => {
                return Some(Object::new(&token.text, true, name))
            }
            TokenKind::Mark | TokenKind::Code => {}
            _ => return None,
        }
    }
    None
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

/// What is asked for by name and what one path of a command line has in common: one is the other or lies in it, or they
/// end in the same name, which two branches may. What the shell fills in may be anything.
fn touches(word: &str, name: &str, branch: bool) -> bool {
    let word = word.trim_start_matches("./").trim_end_matches('/');
    let last = |path: &str| path.rsplit('/').next().map(str::to_lowercase);
    let inside = |outer: &str, inner: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'));
    matches!(word, "" | "." | "..")
        || word.contains(['*', '?', '$', '`', '{', '['])
        || word == name
        || inside(word, name)
        || inside(name, word)
        || (!branch && last(word) == last(name))
}

/// Whether a call removes only things that it names, and not this one.
fn removes_others(facts: &Facts<'_>, name: &str, branch: bool) -> bool {
    if !facts.acts.names(Act::Remove) || facts.acts.could(Act::Wrap) {
        return false;
    }
    let others = |words: &[String]| {
        let program = words.first().map_or("", String::as_str);
        let skipped = match (program, words.get(1).map(String::as_str)) {
            ("rm" | "rmdir" | "unlink" | "trash" | "shred", _) => 1,
            ("git", Some("rm" | "branch")) => 2,
            _ => return false,
        };
        let mut paths = words.iter().skip(skipped).filter(|w| !w.starts_with('-')).peekable();
        paths.peek().is_some() && !paths.any(|path| touches(path, name, branch))
    };
    let removes = |c: &&Simple| acts::of_command(c).could(Act::Remove);
    if facts.commands.is_empty() {
        let texts = crate::evidence::index::strings(&facts.call.arguments);
        return facts.role != Role::Command
            && !texts.is_empty()
            && !texts.iter().any(|text| touches(text, name, branch));
    }
    facts.commands.iter().filter(removes).all(|c| others(&c.words))
}

/// No call may have removed what the claim names: the one for it failed, or all removed other things by their names.
fn failed_for(claim: &Found, view: &View<'_, '_>) -> Option<Support> {
    let name = claim.values.get(1)?;
    let branch = claim.values.first().is_some_and(|thing| thing == "branch");
    let gone = |f: &Facts<'_>| {
        let output = crate::text::head(f.call.output.as_deref().unwrap_or(""), 400).to_lowercase();
        ["no such", "not found", "not exist"].iter().any(|words| output.contains(words))
    };
    let last = name.rsplit('/').next().unwrap_or(name);
    let failed = |f: &Facts<'_>| {
        let names = f.acts.names(Act::Remove) && f.is_given(last);
        names && f.ran() && (!f.succeeded || f.refuses) && !may_be_half_done(f) && !gone(f)
    };
    let tried = view.calls().rev().find(|(_, f)| failed(f));
    // Without such a call only a path is sure to be of another thing than those that were removed.
    let path = is_path(name) && claim.values.first().is_some_and(|thing| thing == "file");
    if tried.is_none() && !path {
        return None;
    }
    let able = [Act::Remove, Act::Wrap, Act::Write, Act::Publish, Act::Cut];
    let may = |f: &Facts<'_>| {
        let acts = able.iter().any(|&act| f.acts.could(act)) && !failed(f);
        // Another removal may also be one by a move or an overwrite, which names it.
        let plain = !f.acts.could(Act::Remove) && !f.acts.could(Act::Wrap) && !f.is_given(last);
        acts && f.ran() && !plain && !removes_others(f, name, branch)
    };
    let earlier = view.before(Act::Remove).is_some() || view.before(Act::Wrap).is_some();
    if earlier || view.calls().any(|(_, f)| may(f)) || claim.needles.iter().any(|&id| view.hit(id).is_some()) {
        return None;
    }
    Some(match tried {
        None if unchanged(claim, view) => Support::Leave,
        Some((call, facts)) => {
            Support::Not(format!("no removal of {name} in this turn succeeded; {}", facts.ending()), Some(call))
        }
        None => Support::Not(format!("no removal in this turn named {name}"), view.doer(Act::Remove)),
    })
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    if let Some(call) = view.doer(Act::Remove) {
        return failed_for(claim, view).unwrap_or(Support::by(call));
    }
    if claim.wide {
        let edit = view.calls().rev().find(|(_, f)| f.succeeded && f.role == Role::Write).map(|(call, _)| call);
        // What stands in a file, a list or a memory as text is cut out by whatever writes there.
        let text = claim.values.iter().any(|thing| TEXT.contains(&thing.as_str()));
        let keeper = |words: &[String]| words.iter().any(|w| KEEPERS.contains(&w.as_str()));
        let looks = |words: &[String]| words.first().is_some_and(|w| LOOKS.contains(&w.as_str()));
        let keep = |words: &[String]| !looks(words) && keeper(words);
        let keeps = || view.instruments().iter().find(|(_, _, words)| keep(words)).map(|(call, ..)| *call);
        let writes = || view.doer(Act::Cut).or_else(|| view.doer_now(Act::Write)).or_else(keeps);
        if let Some(call) = edit.or_else(|| if text { writes() } else { None }) {
            return Support::by(call);
        }
    }
    if let Some(hit) = claim.needles.iter().find_map(|&id| view.hit(id)) {
        return Support::at(hit);
    }
    if claim.keyed && view.calls().any(|(_, f)| f.succeeded && looks::looks(f)) {
        return Support::Leave;
    }
    let may = view.calls().rev().find(|(_, f)| f.ran() && f.acts.could(Act::Remove) && may_be_half_done(f));
    if let Some((call, _)) = may {
        return Support::by(call);
    }
    let near = view.calls().rev().find(|(_, f)| f.acts.names(Act::Remove)).map(|(call, _)| call);
    // What is gone stands in no list, so that any look behind a call whose end is not known may have shown it.
    if let Some(look) = near.and_then(|call| looks::open_and_looked(view, call)) {
        return Support::by(look);
    }
    Support::Not("no removal in this turn succeeded".to_string(), near)
}

/// Whether a call that failed may have removed something first: it had several things to do, or was stopped.
fn may_be_half_done(facts: &Facts<'_>) -> bool {
    let many = |words: &[String]| {
        let program = words.first().map(String::as_str);
        matches!(program, Some("rm" | "rmdir" | "trash" | "unlink" | "del" | "shred"))
            && words.iter().skip(1).filter(|w| !w.starts_with('-')).count() > 1
    };
    let several = facts.commands.len() > 1 || facts.commands.iter().any(|c| many(&c.words));
    let script = !facts.commands.is_empty() && !facts.acts.names(Act::Remove);
    several || script || facts.stopped()
}
