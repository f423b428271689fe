//! What a turn's commands deleted that was there before and that nothing brought back.

use crate::evidence::acts::{of_command, Act};
use crate::evidence::facts::Facts;
use crate::evidence::index::{strings, View};
use crate::evidence::shell::Simple;
use crate::evidence::writes::Writes;
use crate::text::head;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

/// Parts of paths that come and go.
#[rustfmt::skip]
pub(super) const SHORT_LIVED: &[&str] = &[
    "tmp", "temp", "cache", "coverage", "generated", "node_modules", "scratch", "venv", "$", "~", ".bak", ".log", ".next", ".pyc",
    ".lock", "build", "dist", "target", "htmlcov", "lock.", "nohup", "screenshot", ".turbo",
];

/// How much of each text is read for names.
const READ: usize = 16 * 1024;

/// The last call of this turn that deleted something of lasting worth, among those that `counts` lets count. `spoken`:
/// short-lived things that the denial speaks of.
pub(super) fn found(
    view: &View<'_, '_>,
    spoken: &[String],
    most: usize,
    counts: impl Fn(&Facts<'_>) -> bool,
) -> Option<usize> {
    let deleted = view.deletions(|| deletions(view, counts));
    let lasting = |path: &String| {
        let path = path.to_lowercase();
        // Unless the denial speaks of the cache itself.
        let meant = spoken.iter().any(|word| path.contains(word.as_str()));
        meant || !short_lived(&path)
    };
    deleted.iter().rev().take(most).find(|(_, path)| lasting(path)).map(|(call, _)| *call)
}

fn short_lived(path: &str) -> bool {
    let name = last(path);
    let mut parts = name.split('.');
    let stem = parts.next().unwrap_or_default();
    let dump = stem == "core" && parts.next().is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    // What compilers, editors and merges leave behind.
    let left = ["class", "o", "obj", "orig", "rej", "swp"];
    let left = name.rsplit_once('.').is_some_and(|(_, ending)| left.contains(&ending));
    dump || left
        || matches!(stem, "out" | "output" | "result" | "results" | "trace")
        || SHORT_LIVED.iter().any(|part| path.contains(part))
}

/// What was known at some point of the turn.
#[derive(Default)]
struct Known<'r> {
    /// Names that calls which may write were given or printed.
    made: BTreeSet<&'r str>,
    /// Names that any call was given or printed.
    seen: BTreeSet<&'r str>,
    /// Some call may have made anything.
    any: bool,
}

/// The paths that calls of this turn deleted, each with its call, in order. What the turn may have made itself is left out,
/// and so is what may not have been there.
fn deletions(view: &View<'_, '_>, counts: impl Fn(&Facts<'_>) -> bool) -> Vec<(usize, String)> {
    let mut known = Known::default();
    let mut all = Vec::new();
    for (call, facts) in view.calls() {
        if facts.succeeded && !known.any && counts(facts) {
            for (at, command) in facts.commands.iter().enumerate() {
                let before = facts.commands.get(..at).unwrap_or(&[]);
                let paths = deleted(facts, command).into_iter();
                let lasting = |path: &&String| !made(&known, before, path) && was_there(&known, facts, command, path);
                all.extend(paths.filter(lasting).map(|path| (call, path.clone())));
            }
        }
        learn(&mut known, facts);
    }
    all
}

/// Takes up what a call was given and printed.
fn learn<'r>(known: &mut Known<'r>, facts: &'r Facts<'_>) {
    let writes = facts.writes != Writes::None;
    let output = facts.call.output.as_deref().unwrap_or("");
    known.any |= facts.writes == Writes::Any || (writes && output.len() > READ);
    if known.any {
        return;
    }
    for text in strings(&facts.call.arguments).into_iter().take(64).chain([output]) {
        for name in names(head(text, READ)) {
            known.seen.insert(name);
            if writes {
                known.made.insert(name);
            }
        }
    }
}

/// The last parts of the words of a text that may be paths.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| c.is_whitespace() || "\"'`,;:=()[]{}<>|&".contains(c);
    text.split(ends).map(last).filter(|name| name.len() > 2)
}

fn last(path: &str) -> &str {
    path.trim_end_matches(['/', '*', '.']).rsplit(['/', '\\']).next().unwrap_or_default()
}

/// Whether the turn may have made what is deleted: earlier, or by a command in front of it on the line.
fn made(known: &Known<'_>, before: &[Simple], path: &str) -> bool {
    let name = last(path);
    let same = |word: &String| names(word).any(|part| part == name);
    let here = |c: &Simple| {
        let acts = of_command(c);
        let script = acts.could(Act::Wrap) || acts.could(Act::Build);
        script || (acts.could(Act::Write) && (c.words.iter().any(same) || c.writes.iter().any(|t| same(&t.path))))
    };
    // In a folder that was made, all is the turn's own.
    let goes = |c: &Simple| matches!(c.words.first().map(String::as_str), Some("cd" | "pushd"));
    let entered = before.iter().filter(|c| goes(c)).flat_map(|c| c.words.iter().skip(1)).map(|w| last(w));
    let own = |folder: &str| {
        let names_it = |c: &Simple| !goes(c) && c.words.iter().any(|w| last(w) == folder);
        known.made.contains(folder) || before.iter().any(names_it)
    };
    known.made.contains(name) || before.iter().any(here) || entered.into_iter().any(own)
}

/// Whether what a command deletes is known to have been there: without `-f` it would have failed else.
fn was_there(known: &Known<'_>, facts: &Facts<'_>, command: &Simple, path: &str) -> bool {
    let short = |w: &String| w.starts_with('-') && !w.starts_with("--") && w.contains('f');
    let forced = command.words.iter().skip(1).any(|w| short(w) || w == "--force");
    let told = || facts.call.output.as_deref().is_some_and(|o| head(o, READ).contains("removed"));
    !forced || command.words.first().is_some_and(|w| w == "find") || known.seen.contains(last(path)) || told()
}

/// The paths that a command deleted, where it shows that it did.
fn deleted<'c>(facts: &Facts<'_>, command: &'c Simple) -> Vec<&'c String> {
    let program = command.words.first().map_or("", String::as_str);
    // What `find` deletes lies in the folders that stand before its tests.
    let finds = program == "find" && command.words.iter().any(|w| w == "-delete");
    let far = |c: &Simple| {
        let program = c.words.first().map_or("", String::as_str);
        matches!(program, "docker" | "kubectl" | "podman" | "ssh" | "vagrant" | "wsl")
    };
    let told = head(facts.call.output.as_deref().unwrap_or(""), READ).to_lowercase();
    let kept = ["no such file", "cannot remove", "not removed"].iter().any(|words| told.contains(words));
    // Asked for each of them, it may have been told to keep it.
    let asks = |w: &String| w.starts_with('-') && !w.starts_with("--") && w.contains(['i', 'I']);
    let asks = !finds && command.words.iter().skip(1).any(|w| asks(w) || w.starts_with("--interactive"));
    if command.dry
        || command.masked
        || asks
        || kept
        || facts.commands.iter().any(far)
        || !(finds || matches!(program, "rm" | "rmdir" | "unlink" | "trash" | "shred"))
        || (finds && !printed(facts, command))
    {
        return Vec::new();
    }
    let plain = |w: &&String| !w.starts_with('-') && !matches!(w.as_str(), "(" | "!");
    let paths = command.words.iter().skip(1).skip_while(|w| finds && w.starts_with('-'));
    let paths = paths.take_while(|w| !finds || plain(w)).filter(plain);
    paths.filter(|path| last(path).len() > 2 || last(path).is_empty()).take(64).collect()
}

/// Whether `find` printed what it deleted, without which it may have found nothing.
fn printed(facts: &Facts<'_>, command: &Simple) -> bool {
    let output = facts.call.output.as_deref().unwrap_or("").trim();
    command.words.iter().any(|w| w == "-print") && !output.is_empty() && !output.starts_with("find:")
}
