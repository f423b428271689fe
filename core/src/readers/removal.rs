//! “Removed the scratch file.” “The branch was deleted.” “Cleaned up the containers.”
//!
//! # Reads
//! A file, folder, branch, container, table, note, record, account, message or entry said to have been removed.
//!
//! # Checks
//! A removing call or command succeeded, or one that may have removed it; a failed call whose output shows the step
//! done; or an output that tells of it. What is taken out of a file (an entry, a note, a table) is supported by an edit.
//!
//! # Leaves alone
//! Edits (“removed the unused import”), denials, plans.
use super::prelude::*;
use super::text::is_path;

pub(super) const FORM: Form = Form { reader: "removal", reads: Reads::Phrases(PHRASES, read), check };

const PHRASES: &[&str] = &["removed|deleted|cleaned|erased|trashed"];

/// Things that only a removal takes away.
const THINGS: &[&str] = &[
    "account", "accounts", "branch", "branches", "container", "containers", "directories", "directory", "file", "files", "folder",
    "folders", "image", "images", "volume", "volumes", "worktree", "database", "bucket", "dir",
];

/// Things that may also be a part of a file, so that an edit takes them away.
const PARTS: &[&str] = &[
    "entries", "entry", "message", "messages", "note", "notes", "record", "records", "row", "rows", "table", "tables",
];

/// Words that show that something inside a file is meant.
const INSIDE: &[&str] = &["from", "in", "import", "imports", "reference", "references", "code", "line", "lines", "function", "functions", "handling", "check", "header", "section", "option", "flag", "field", "parameter"];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let at = found.tokens.start;
    let verb = reading.word(at);
    let before = reading.word_before(clause, at);
    let noun = matches!(before, "is" | "are" | "be" | "being" | "to" | "gets" | "the" | "a" | "any" | "each" | "newly");
    let shape = !noun && (verb != "cleaned" || reading.word(at + 1) == "up");
    if !shape || !reading.asserts(clause, at) {
        return;
    }
    let Some((part, object)) = object(reading, clause, at) else { return };
    let forms = match &object {
        Some(name) => [format!("{verb} {name}"), format!("{name} {verb}"), format!("{name} was {verb}"), format!("'{name}' {verb}")],
        None => [format!("file {verb}"), format!("{verb} file"), format!("successfully {verb}"), format!("has been {verb}")],
    };
    let needles = forms.iter().filter_map(|f| reading.want(Scope::Told, f)).collect();
    reading.claim(index, Found { name: object.unwrap_or_default(), needles, wide: part, ..Found::default() });
}

/// What was removed: the thing nearest to the verb, behind it for an active verb, before it for a passive one. Tells
/// whether an edit could have removed it, and its name where code gives one.
fn object(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Option<(bool, Option<String>)> {
    let passive = at > clause.tokens.start
        && (matches!(reading.word_before(clause, at), "was" | "were" | "been" | "got" | "successfully" | "now" | "also" | "then" | "")
            || THINGS.contains(&reading.word_before(clause, at)));
    let ahead = at + 1..clause.tokens.end.min(at + 8);
    let behind = clause.sentence.start.max(at.saturating_sub(12))..at;
    let inside = ahead.clone().any(|i| INSIDE.contains(&reading.word(i)));
    let mut order: Vec<usize> = if passive { behind.clone().rev().collect() } else { ahead.clone().collect() };
    if passive && behind.is_empty() {
        order = ahead.collect();
    }
    for i in order {
        let token = reading.token(i)?;
        let text = token.text.as_ref();
        match token.kind {
            TokenKind::Word if THINGS.contains(&text) => {
                return (!INSIDE.contains(&reading.word(i + 1)) || inside).then(|| (inside, name_near(reading, clause, i)));
            }
            TokenKind::Word if PARTS.contains(&text) => return Some((true, None)),
            TokenKind::Word if INSIDE.contains(&text) => return None,
            TokenKind::Code if is_path(text) => return (!INSIDE.contains(&reading.word(i + 1))).then(|| (inside, Some(text.to_string()))),
            TokenKind::Code => return None,
            _ => {}
        }
    }
    None
}

/// A path in code font next to the thing.
fn name_near(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Option<String> {
    let near = clause.tokens.start.max(at.saturating_sub(2))..clause.tokens.end.min(at + 3);
    near.filter_map(|i| reading.token(i)).find(|t| t.kind == TokenKind::Code && is_path(&t.text)).map(|t| t.text.to_string())
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    if let Some(call) = view.doer(Act::Remove) {
        return Support::by(call);
    }
    if claim.wide {
        if let Some(call) = view.doer(Act::Cut) {
            return Support::by(call);
        }
    }
    if let Some(hit) = claim.needles.iter().find_map(|&id| view.hit(id)) {
        return Support::at(hit);
    }
    let near = view.calls().rev().find(|(_, f)| f.acts.names(Act::Remove));
    if let Some((call, facts)) = near {
        let done = facts.ran() && facts.call.output.as_deref().is_some_and(|o| o.contains("removed") || o.contains("Deleted") || o.contains("deleted"));
        if done {
            return Support::by(call);
        }
    }
    Support::Not("no removal in this turn succeeded".to_string(), near.map(|(call, _)| call))
}
