//! “I searched the repository for callers.” “The four web searches are done.” “No usages were found.”
//!
//! # Reads
//! The agent's own search of the web, a repository, documents or the like; a number of searches said to be done; results,
//! usages, references or matches said not to have been found.
//!
//! # Checks
//! Some call in the turn or before it searched, fetched or looked, or may have: a command, code, an agent, an unknown tool.
//! A file that was read is searched too, but no repository is by that. Where a number is given and nothing but plain
//! searches was called, there were so many.
//!
//! # Leaves alone
//! Searches of programs and other people, of the conversation, of memory.
use super::prelude::*;
use super::voice::{of_time, opens, outside, outside_where, voice_where, Voice};
use crate::evidence::facts::Facts;
use crate::evidence::lookup;
use crate::evidence::numbers;
use crate::evidence::roles::Role;
use crate::prose::lexicon;
use crate::readers::has_word;

pub(super) const FORM: Form =
    Form { reader: "search", reads: Reads::Phrases(PHRASES, read), check, asks: nothing_more };

const PHRASES: &[&str] = &[
    "searched|googled|grepped",
    "looked .. up",
    "no results|usages|references|matches|occurrences|hits .. found|returned",
    "# searches|look-ups|lookups|queries are|were|is|was|have|done|completed|finished|performed|ran",
    "# * searches|look-ups|lookups|queries are|were|is|was|have|done|completed|finished|performed|ran",
    "made|ran|did|performed|completed|finished # searches|look-ups|lookups",
    "made|ran|did|performed|completed|finished # * searches|look-ups|lookups",
    "did|ran|made|performed|conducted a|an|another .. search",
    "search of|across|in|through .. shows|showed|found|returned|turned|revealed|reveals|gave|confirms|confirmed",
    "searching .. turned|showed|shows|found|returned|revealed|gave",
    "i|we couldn't|could|did|didn't not? find any|other|further .. usages|usage|references|callers|occurrences|matches|results",
];

/// The phrases of the agent's own verb, and that of what was not found.
const SEARCHED: usize = 0;
const LOOKED_UP: usize = 1;
const NOT_FOUND: usize = 2;

/// The last phrase with a number, and those of one search.
const COUNTED: usize = 6;
const DID: usize = 7;
const SHOWS: usize = 8;
const SEARCHING: usize = 9;
const NONE: usize = 10;

/// What no single file is.
#[rustfmt::skip]
const WIDE: &[&str] = &[
    "archive", "catalog", "catalogue", "codebase", "database", "directory", "docs", "documentation", "drive",
    "folder", "github", "google", "inbox", "index", "internet", "mailbox", "online", "portal", "project", "repo",
    "repository", "site", "tree", "web", "wiki",
];

/// What is searched without a call.
#[rustfmt::skip]
const HERE: &[&str] = &[
    "above", "chat", "context", "conversation", "history", "knowledge", "memory", "message", "messages", "myself",
    "phrase", "phrasing", "rhyme", "synonym", "synonyms", "text", "transcript", "word", "wording", "you", "you've",
];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let at = found.tokens.start;
    let tokens = reading.tokens(clause);
    let googled = reading.word(at) == "googled";
    let here = has_word(tokens, HERE) && !has_word(tokens, WIDE) && !googled;
    if !told(reading, clause, found) || here || (found.phrase == LOOKED_UP && reading.word(at + 1) == "up") {
        return;
    }
    let mut number = None;
    if (NOT_FOUND + 1..=COUNTED).contains(&found.phrase) {
        let numbers = found.tokens.clone().find_map(|i| reading.token(i).and_then(|t| numbers::parse(&t.text)));
        number = numbers.filter(|n| n.as_u64().is_some_and(|n| n > 0));
        if number.is_none() {
            return;
        }
    }
    let needles = reading.want(Scope::Given, "search result").into_iter().collect();
    let wide = matches!(found.phrase, SEARCHED | DID | SHOWS | SEARCHING) && (has_word(tokens, WIDE) || googled);
    reading.claim(index, Found { number, needles, wide, ..Found::default() });
}

/// Whether the words tell of the agent's own search, or of what one did not find.
fn told(reading: &Reading<'_, '_>, clause: &Clause, found: &Match) -> bool {
    let (at, last) = (found.tokens.start, found.tokens.end - 1);
    let asserts = reading.asserts(clause, at);
    let stance = reading.prose.governed(clause, last);
    let found_or_not = matches!(stance, Stance::Asserts | Stance::Denies);
    // What was searched says nothing of when and where.
    let counts = |i: usize| i <= at || of_time(reading.word(i));
    let outer = outside_where(reading, clause, counts);
    let own = || asserts && voice_where(reading, clause, at, counts) == Voice::Own;
    match found.phrase {
        SEARCHED | LOOKED_UP | DID => own(),
        SHOWS => stance == Stance::Asserts && !outer && opens(reading, clause, at).is_some(),
        SEARCHING => stance == Stance::Asserts && !outer && at == clause.tokens.start,
        NONE => found_or_not && !outer,
        NOT_FOUND => found_or_not && !outside(reading, clause) && at == clause.tokens.start,
        _ if lexicon::is_past(reading.word(at)) => own(),
        // “Four queries are slow” tells of the queries, not of an act.
        _ if matches!(reading.word(last), "are" | "have" | "is" | "was" | "were") && !done(reading, clause, last) => {
            false
        }
        _ => asserts && !outside(reading, clause) && opens(reading, clause, at).is_some(),
    }
}

/// Whether what stands behind an auxiliary says that it was carried out.
fn done(reading: &Reading<'_, '_>, clause: &Clause, auxiliary: usize) -> bool {
    let ended = auxiliary + 1..clause.tokens.end.min(auxiliary + 5);
    let words =
        ["complete", "completed", "conducted", "done", "executed", "finished", "made", "performed", "run", "through"];
    ended.into_iter().any(|i| words.contains(&reading.word(i)))
}

/// Whether a call searched or may have.
fn may(claim: &Found, view: &View<'_, '_>, call: usize, facts: &Facts<'_>) -> bool {
    let kind = match facts.role {
        Role::Write | Role::Remove | Role::Notify | Role::Ask => false,
        Role::Read => !claim.wide,
        _ => true,
    };
    kind && facts.ran() && !view.seen(call).inward
}

/// Whether a call makes one search and no more, as far as its arguments say.
fn single(facts: &Facts<'_>) -> bool {
    matches!(facts.role, Role::Search | Role::Fetch | Role::Read | Role::Look)
        && !facts.call.arguments.as_object().is_some_and(|map| map.values().any(serde_json::Value::is_array))
        && lookup::strings(&facts.call.arguments).iter().all(|text| !text.contains('\n'))
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let mut searches = view.all().filter(|&(call, facts)| may(claim, view, call, facts));
    if let Some(wanted) = claim.number.and_then(|n| n.as_u64()) {
        let (mut count, mut last) = (0, None);
        for (call, facts) in searches {
            if !single(facts) {
                return Support::by(call);
            }
            count += 1;
            last = last.or(Some(call));
        }
        if count >= wanted {
            return Support::By(last, None);
        }
        return Support::Not(
            match count {
                0 => "no call in this turn searched".to_string(),
                1 => "only 1 call searched".to_string(),
                _ => format!("only {count} calls searched"),
            },
            last,
        );
    }
    if let Some((call, _)) = searches.next() {
        return Support::by(call);
    }
    // Without any call only a wide search is surely the agent's own work.
    if !claim.wide && (view.now().is_empty() || view.material()) {
        return Support::Leave;
    }
    if view.wants_text() {
        return Support::Leave;
    }
    if let Some(hit) = claim.needles.iter().find_map(|&id| view.hit(id)) {
        return Support::at(hit);
    }
    Support::Not("no call in this turn searched".to_string(), view.now().next_back())
}
