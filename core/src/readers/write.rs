//! “Created `notes.md`.” “I have updated `src/app.py`.” “Saved the table to `out/table.csv`.”
//!
//! # Reads
//! A named file said to have been created, written, saved, updated, edited, modified, fixed or added, by the agent; or in
//! a passive whose subject is the file.
//!
//! # Checks
//! Some call that may write names the file, or its name without its ending, in its arguments or its output; or a script, a
//! generator, an agent, a formatter over a folder or a tool of unknown meaning may have written it. Reading alone does
//! not support it, nor does an edit that failed or changed nothing.
//!
//! # Leaves alone
//! Files whose text the reply itself holds, placeholders, what a program writes.
use super::edits::unchanged;
use super::prelude::*;
use super::said::{letter, OWN};
use super::text::{is_path, is_placeholder};
use super::voice::{voice_with, Voice};
use crate::evidence::acts::Act;
use crate::evidence::facts::Facts;
use crate::evidence::looks;
use crate::evidence::writes::Writes;

pub(super) const FORM: Form = Form { reader: "write", reads: Reads::Phrases(PHRASES, read), check, asks: nothing_more };

const PHRASES: &[&str] = &[
    "added|adjusted|appended|changed|copied|corrected|created|edited|exported|extended|fixed|generated|implemented|inserted|introduced|modified|moved|patched|refactored|removed|renamed|replaced|rewrote|rewritten|saved|updated|wrote|written",
];

/// Verbs whose object goes into a file that is named behind it.
const INTO: &[&str] = &["added", "appended", "corrected", "exported", "fixed", "saved", "wrote", "written"];

/// Verbs that write only the file that is named behind “in”, “to” or “from”, whatever they are done to.
const WITHIN: &[&str] = &[
    "adjusted",
    "changed",
    "copied",
    "extended",
    "implemented",
    "inserted",
    "introduced",
    "moved",
    "removed",
    "renamed",
    "replaced",
];

/// Words in front of the file that something is done to or put in.
const TO: &[&str] = &["as", "at", "in", "inside", "into", "to", "under"];

/// Words behind which a file only helps, or is another one.
#[rustfmt::skip]
const OTHER: &[&str] = &[
    "about", "after", "based", "because", "before", "by", "describing", "for", "from", "importing", "like", "matching",
    "mentioned", "of", "on", "per", "regarding", "so", "that", "than", "using", "via", "when", "where", "which", "while", "with", "without",
];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let at = found.tokens.start;
    if !reading.asserts(clause, at) || clause.place == Place::Row {
        return;
    }
    let (path, passive) = match voice_with(reading, clause, at, OWN) {
        Voice::Own => (target(reading, clause, at), false),
        Voice::Passive(_) | Voice::Bare(_) if WITHIN.contains(&reading.word(at)) => return,
        Voice::Passive(subject) => (only(reading, subject), true),
        Voice::Bare(subject) => (only(reading, subject), false),
        Voice::Other => match closing(reading, clause, at) {
            Some(path) => (Some(path), false),
            None => (saved(reading, clause, at), true),
        },
    };
    let Some(path) = path else { return };
    let more = if passive { Vec::new() } else { listed(reading, clause, &path) };
    for path in [path].into_iter().chain(more) {
        claim(reading, index, at, &path, passive);
    }
}

/// The files that a list goes on with behind the first: “updated `a.py`, `b.py` and `c.py`”.
fn listed(reading: &Reading<'_, '_>, clause: &Clause, first: &str) -> Vec<String> {
    const MOST: usize = 4;
    const ENDS: &[&str] = &["(", "&", ",", "accordingly", "and", "for", "in", "so", "to", "too", "under", "with"];
    let named = |i: usize| reading.token(i).is_some_and(|t| names_file(reading, t));
    let Some(start) = clause.tokens.clone().find(|&i| named(i) && reading.token(i).is_some_and(|t| t.text == first))
    else {
        return Vec::new();
    };
    let (mut files, mut joined) = (Vec::new(), false);
    for i in start + 1..clause.tokens.end {
        let Some(token) = reading.token(i) else { break };
        match token.text.as_ref() {
            "," | "and" | "&" => joined = true,
            // What goes on behind it may be another sentence, in which it does something: “and `b.py` imports it”.
            text if joined && named(i) && files.len() < MOST => {
                let next = reading.token(i + 1).filter(|_| i + 1 < clause.tokens.end);
                let ends = next.is_none_or(|t| ENDS.contains(&t.text.as_ref()));
                if !ends {
                    break;
                }
                files.push(text.to_string());
                joined = false;
            }
            _ => break,
        }
    }
    files
}

fn claim(reading: &mut Reading<'_, '_>, index: usize, at: usize, path: &str, passive: bool) {
    let clause = reading.clause(index);
    let example = ["above", "below", "e.g", "example", "following", "snippet"];
    if is_placeholder(path) || shown(reading, clause) || letter(reading) || reading.mentions(clause, &example) {
        return;
    }
    let name = path.trim_end_matches('/').rsplit(['/', '\\']).next().unwrap_or(path).to_string();
    let stem = name.trim_start_matches('.').split('.').next().unwrap_or_default().to_string();
    let stem = if stem.len() >= 4 { stem } else { String::new() };
    let needles = [name.clone(), stem].iter().filter_map(|text| reading.want(Scope::Writer, text)).collect();
    let mut others = if passive { reading.want(Scope::Told, &name).into_iter().collect() } else { Vec::new() };
    // An entry of a log that an output shows word by word is the log's.
    let text = clause.span.of(reading.prose.source);
    if clause.place == Place::Item && text.len() < 160 && text.contains(' ') {
        others.extend(reading.want(Scope::Told, text));
    }
    let fixes = matches!(reading.word(at), "fixed" | "corrected" | "patched");
    reading.claim(index, Found { name, needles, others, wide: fixes, ..Found::default() });
}

/// The file that opens an item which the verb closes: “`a.csv` – 12 rows, saved”.
fn closing(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Option<String> {
    let alone = clause.place == Place::Item && at + 1 == clause.tokens.end && reading.token(at - 1)?.text == ",";
    let first = clause.tokens.clone().filter_map(|i| reading.token(i)).find(|t| t.kind != TokenKind::Mark)?;
    (alone && names_file(reading, first)).then(|| first.text.to_string())
}

/// “Table saved to `out/a.csv`”: a short subject without a verb, and the file closes the clause.
fn saved(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Option<String> {
    let subject = clause.tokens.start..at;
    let noun = |i: usize| {
        let word = reading.word(i);
        let verb = crate::prose::lexicon::has(crate::prose::lexicon::en::AUXILIARIES, word)
            || crate::prose::lexicon::is_past(word);
        !(verb || OTHER.contains(&word) || TO.contains(&word) || matches!(word, "and" | "by" | "is" | "are" | "your"))
    };
    let whole = clause.sentence.clone().filter(|i| !clause.tokens.contains(i)).all(|i| reading.word(i).is_empty());
    let told = matches!(reading.word(at), "exported" | "saved" | "written") && whole;
    let short = (1..=4).contains(&subject.len()) && subject.into_iter().all(noun);
    let to = matches!(reading.word(at + 1), "as" | "to");
    let file = reading.token(at + 2).filter(|t| at + 3 == clause.tokens.end && names_file(reading, t))?;
    (told && short && to && !super::voice::outside(reading, clause)).then(|| file.text.to_string())
}

/// Whether the reply shows the file: a block stands in it, so that what was made may be what it shows.
fn shown(reading: &Reading<'_, '_>, clause: &Clause) -> bool {
    let fences = &reading.prose.fences;
    let next = fences.get(fences.partition_point(|f| f.span.start < clause.span.end));
    next.is_some_and(|f| f.span.start - clause.span.end < 200)
}

/// The file that an active verb writes: its object, or what stands behind “to”.
fn target(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Option<String> {
    let verb = reading.word(at);
    let into = INTO.contains(&verb);
    let within = WITHIN.contains(&verb);
    let (mut object, mut behind) = (None, false);
    for i in at + 1..clause.tokens.end.min(at + 24) {
        let token = reading.token(i)?;
        let text = token.text.as_ref();
        match token.kind {
            TokenKind::Code | TokenKind::Word if names_file(reading, token) => {
                if behind {
                    return Some(text.to_string());
                }
                object = object.or_else(|| Some(text.to_string()).filter(|_| !within));
            }
            TokenKind::Word if TO.contains(&text) || (text == "from" && verb == "removed") => {
                if object.is_some() && !(into && text != "as") {
                    return object;
                }
                behind = true;
            }
            TokenKind::Word if OTHER.contains(&text) || reading.prose.is_auxiliary(i) => break,
            TokenKind::Mark if matches!(text, "(" | "—" | "–" | ":" | ";") => break,
            TokenKind::Arrow => break,
            _ => {}
        }
    }
    // “Added `a.md` to the list” adds a line, “to the project” a file.
    let places = ["directory", "docs", "folder", "project", "repo", "repository", "root"];
    object.filter(|_| !(behind && verb == "added") || reading.mentions(clause, &places))
}

fn names_file(reading: &Reading<'_, '_>, token: &Token<'_>) -> bool {
    let text = token.text.as_ref();
    // A path without an ending may be a folder, a branch or a route.
    let named = || {
        let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
        is_path(name) && is_path(text) && !(text.len() == name.len() && is_product(text))
    };
    let plain = text.len() > 3 && !text.contains(['*', '$', '@', ':', '#', '~', '%', ',']) && !text.starts_with("--");
    plain && text.contains('.') && named() && !reading.runs(token)
}

/// “Next.js”, “Node.js”: no file, as long as nothing else says so.
fn is_product(word: &str) -> bool {
    let stem = word.strip_suffix("js").and_then(|w| w.strip_suffix('.'));
    stem.is_some_and(|stem| {
        stem.starts_with(char::is_uppercase)
            || matches!(stem, "next" | "node" | "vue" | "three" | "d3" | "express" | "nuxt" | "chart")
    })
}

/// The one file among the tokens of a subject.
fn only(reading: &Reading<'_, '_>, subject: core::ops::Range<usize>) -> Option<String> {
    let mut found = None;
    for i in subject {
        let token = reading.token(i)?;
        match token.kind {
            TokenKind::Code | TokenKind::Word if names_file(reading, token) => {
                if found.is_some() {
                    return None;
                }
                found = Some(token.text.to_string());
            }
            TokenKind::Word if TO.contains(&token.text.as_ref()) || OTHER.contains(&token.text.as_ref()) => {
                return None
            }
            TokenKind::Code => return None,
            _ => {}
        }
    }
    found
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let writes = |f: &Facts<'_>| f.writes != Writes::None;
    let direct = view.calls().rev().filter(|(_, f)| writes(f)).take(64).find(|(_, f)| f.is_given(&claim.name));
    if let Some(call) = direct.map(|(call, _)| call).or_else(|| view.wrote_any()) {
        return Support::by(call);
    }
    if let Some(hit) = claim.needles.iter().find_map(|&id| view.hit(id)) {
        return Support::at(hit);
    }
    // What is wrong with a file may be mended in another.
    if claim.wide && view.calls().any(|(_, f)| f.writes != Writes::None) {
        return Support::Leave;
    }
    if let Some(hit) = claim.others.iter().find_map(|&id| view.hit(id)) {
        return Support::at(hit);
    }
    let name = crate::text::fold::fold(&claim.name);
    let tried = |(call, facts): &(usize, &Facts<'_>)| {
        let writes = facts.acts.could(Act::Write);
        writes
            && view
                .values(*call)
                .texts
                .iter()
                .take(256)
                .any(|t| t.len() <= 4_096 && memchr::memmem::find(t, &name).is_some())
    };
    // Among the last calls, or the first that was given the name.
    let first = || view.naming(&claim.name).map(|call| (call, view.facts(call))).filter(tried);
    let near = view.calls().rev().take(64).find(tried).or_else(first);
    if let Some(look) = near.and_then(|(call, _)| looks::written(view, call, &claim.name)) {
        return Support::by(look);
    }
    match near {
        Some((call, facts)) if !facts.succeeded => {
            Support::Not(format!("no call in this turn wrote {}; {}", claim.name, facts.ending()), Some(call))
        }
        Some(_) if unchanged(claim, view) => Support::Leave,
        Some((call, facts)) => Support::Not(
            format!("no call in this turn wrote {}; {} changed nothing", claim.name, facts.shown()),
            Some(call),
        ),
        None => Support::Not(format!("no call in this turn wrote {}", claim.name), None),
    }
}
