//! “I tested the form in the browser.” “All links have been verified.” “Confirmed that the port is free.”
//!
//! # Reads
//! Something said to have been verified, confirmed, validated, checked or tested: by the agent, or in a passive whose
//! subject is definite.
//!
//! # Checks
//! Some call in the turn or before it was carried out and could have been that check. A test takes something that runs: a
//! command, code, a browser, an agent, an unknown tool; to verify or check, a look or a read is enough. Where something
//! good is said to have been found, a call that failed, brought nothing back or met an error page does not show it.
//!
//! # Leaves alone
//! What can be checked in the conversation itself: arithmetic, spelling, the person's own text. What programs and other
//! people check, bookings that were confirmed, bags that were checked.
use super::prelude::*;
use super::text::is_path;
use super::voice::{of_time, voice_where, Voice};
use crate::evidence::facts::Facts;
use crate::evidence::roles::Role;
use crate::evidence::seen;
use crate::prose::lexicon;
use crate::readers::has_word;
use crate::record::Status;

pub(super) const FORM: Form = Form { reader: "check", reads: Reads::Phrases(PHRASES, read), check, asks: nothing_more };

const PHRASES: &[&str] = &[
    "verified|confirmed|validated|checked|double-checked|cross-checked|cross-verified|rechecked|re-checked|re-verified|reverified",
    "tested|retested|re-tested|load-tested|smoke-tested|stress-tested",
];

/// The phrase of tests.
const TESTED: usize = 1;

/// Things that are confirmed by being agreed on.
#[rustfmt::skip]
const AGREED: &[&str] = &[
    "appointment", "attendance", "availability", "booking", "bookings", "cancellation", "choice", "consent", "date",
    "delivery", "flight", "invitation", "meeting", "order", "orders", "participation", "payment", "purchase", "refund",
    "registration", "reservation", "seat", "shipment", "subscription", "ticket", "transaction", "transfer", "trip",
];

/// Words behind “checked” that make it another act.
const HANDED_IN: &[&str] = &["bag", "baggage", "bags", "in", "into", "luggage", "off", "out"];

/// What of the person's is not in the conversation.
const THEIRS: &[&str] =
    &["calendar", "database", "inbox", "mailbox", "repo", "repository", "server", "site", "website"];

/// What an agent works on: a passive tells of the agent's own check where it is about one of these.
#[rustfmt::skip]
const WORK: &[&str] = &[
    "address", "addresses", "all", "amounts", "api", "app", "both", "build", "change", "changes", "code", "codes",
    "configuration", "content", "data", "deployment", "details", "distance", "endpoint", "endpoints", "entries",
    "everything", "fact", "facts", "feature", "fields", "figures", "file", "files", "findings", "fix", "fixes", "flow",
    "form", "function", "functions", "implementation", "information", "integration", "items", "links", "list", "login",
    "migration", "names", "numbers", "output", "outputs", "page", "pages", "patch", "prices", "query", "records",
    "reference", "references", "result", "results", "rows", "schedule", "schedules", "script", "service", "services",
    "settings", "setup", "site", "solution", "source", "sources", "step", "steps", "table", "urls", "values", "workflow",
];

/// Where others check.
#[rustfmt::skip]
const ELSEWHERE: &[&str] = &[
    "experiment", "experiments", "historians", "literature", "observation", "observations", "researchers",
    "scientists", "studies", "study", "survey", "surveys", "trial", "trials", "years",
];

/// What can be checked without a call: it stands in the conversation, or in the agent's own reasoning.
#[rustfmt::skip]
const HERE: &[&str] = &[
    "above", "algebra", "answer", "argument", "arithmetic", "assumption", "assumptions", "calculation",
    "calculations", "conversation", "dates", "digits", "draft", "equation", "equations", "essay", "formula", "grammar",
    "guideline", "guidelines", "head", "history", "instructions", "knowledge", "letter", "logic", "math", "mathematically", "maths", "memory", "mental", "mentally",
    "message", "myself", "paper", "paragraph", "phrasing", "phrasings", "wordings", "notes", "policies", "policy", "prompt", "proof", "reasoning", "requirement", "requirements", "rules", "sentence", "snippet", "solution",
    "spelling", "substituting", "substitution", "sum", "sums", "syntax", "terms", "text", "theory", "trace", "traced",
    "training", "translation", "units", "weekday", "weekdays", "wording", "you", "you've", "your",
];

/// Verbs that say that something good was found.
const SURE: &[&str] = &["confirmed", "cross-verified", "re-verified", "reverified", "validated", "verified"];

/// Words of a test that is only thought.
#[rustfmt::skip]
const THOUGHT: &[&str] = &[
    "algebra", "argument", "assumption", "assumptions", "head", "knowledge", "logic", "math", "mathematically", "memory", "mental",
    "mentally", "paper", "phrasing", "phrasings", "reasoning", "substituting", "substitution", "theory", "trace",
    "traced", "training", "wording", "wordings",
];

/// Marks a test of something that the person gave: where nothing was called, it was a test in words.
const IN_TALK: &str = "talk";

/// Words of something good that was found.
#[rustfmt::skip]
const GOOD: &[&str] = &[
    "accurate", "accurately", "clean", "cleanly", "complete", "consistent", "correct", "correctly", "exists", "expected", "fine", "fixed", "good", "healthy",
    "intact", "match", "matches", "ok", "okay", "passed", "passes", "present", "properly", "succeeds", "successfully", "true", "valid",
    "work", "working", "works",
];

/// Words of something missing or wrong that was found, which a failure and an empty answer show as well.
#[rustfmt::skip]
const BAD: &[&str] = &[
    "absent", "bad", "blocked", "broken", "bug", "bugs", "cannot", "cleaned", "cleared", "closed", "completed", "conflict", "crash",
    "crashes", "dead", "deleted", "denied", "disabled", "down", "drained", "empty", "error", "errors", "exception", "expired",
    "fail", "failed", "failing", "fails", "failure", "finished", "free", "gone", "handled", "invalid", "issue", "lacks", "missing",
    "neither", "never", "no", "nobody", "none", "not", "nothing", "off", "offline", "panics", "problem", "processed", "raises",
    "redirects", "refused", "rejected", "rejects", "removed", "reproduces", "resolved", "returns", "stopped", "throws", "timeout",
    "unavailable", "unreachable", "unused", "without", "wrong", "zero",
];

/// Words of a check for which something has to run.
#[rustfmt::skip]
const LIVE: &[&str] = &[
    "browser", "device", "e2e", "emulator", "end-to-end", "live", "postman", "production", "runtime", "simulator", "staging",
];

/// Verbs of what a program does once it runs.
#[rustfmt::skip]
const RUNS: &[&str] = &["compiles", "pass", "passes", "render", "renders", "run", "runs", "scroll", "scrolls", "work", "working", "works"];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let at = found.tokens.start;
    if !reading.asserts(clause, at) || clause.place == Place::Row {
        return;
    }
    // What was found may tell of a bug or another day; the check itself does not.
    let that = (at + 1..clause.sentence.end.min(at + 4)).find(|&i| matches!(reading.word(i), "that" | "the"));
    let end = that.unwrap_or(usize::MAX);
    let before = || (clause.tokens.start..at).map(|i| reading.word(i));
    let keyed = match voice_where(reading, clause, at, |i| i < end || of_time(reading.word(i))) {
        Voice::Own if !describes(reading, clause, at) => false,
        // “They were tested in `io_test.go`” tells what the file does.
        Voice::Passive(_) if matches!(reading.word(at + 1), "in" | "by") && is_file(reading, at + 2) => return,
        Voice::Passive(_) if before().any(|w| lexicon::has(WORK, w)) && !reading.mentions(clause, ELSEWHERE) => {
            before().all(|w| w != "been")
        }
        _ => return,
    };
    if is_other(reading, clause, at) {
        return;
    }
    let (tokens, sentence) = (reading.tokens(clause), reading.sentence(clause));
    let name = kind(reading, clause, found).to_string();
    let here = has_word(sentence, HERE) && !has_word(tokens, THEIRS);
    let thought = has_word(sentence, THOUGHT);
    let values = match (here, name.as_str()) {
        // What is run is no longer in the conversation only.
        (true, "test") if !thought => [IN_TALK.to_string()].to_vec(),
        (true, _) => ["here".to_string()].to_vec(),
        _ => Vec::new(),
    };
    // An answer of an error, `404`, may be just what was wanted.
    let code = |t: &Token<'_>| t.kind == TokenKind::Number && t.text.len() == 3 && t.text.starts_with(['4', '5']);
    let bad = has_word(sentence, BAD) || sentence.iter().any(code);
    let wide = !bad && (has_word(tokens, SURE) || has_word(sentence, GOOD));
    // What was given to the agent may be what it checked.
    let words = tokens.iter().filter(|t| matches!(t.kind, TokenKind::Word | TokenKind::Code));
    let words = words.map(|t| t.text.as_ref()).filter(|w| w.len() > 4 && *w != reading.word(at)).take(12);
    let words: Vec<&str> = words.collect();
    let needles = words.into_iter().filter_map(|w| reading.want(Scope::Given, w)).collect();
    reading.claim(index, Found { name, values, needles, wide, keyed, ..Found::default() });
}

/// Whether a token is the name of a file in code.
pub(super) fn is_file(reading: &Reading<'_, '_>, at: usize) -> bool {
    reading.token(at).is_some_and(|t| t.kind == TokenKind::Code && is_path(&t.text))
}

/// Whether the verb tells of another act than a check: a booking that was confirmed, a bag that was checked in.
fn is_other(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    let alone = at + 1 >= clause.tokens.end && clause.tokens.len() <= 2;
    let behind = at + 1..clause.tokens.end.min(at + 6);
    let mut object = (clause.tokens.start..at).chain(behind).map(|i| reading.word(i));
    let next = if at + 1 < clause.tokens.end { reading.word(at + 1) } else { "" };
    let act = match reading.word(at) {
        "confirmed" => object.any(|w| lexicon::has(AGREED, w)),
        "checked" => (at + 1..clause.tokens.end.min(at + 4)).any(|i| lexicon::has(HANDED_IN, reading.word(i))),
        "verified" => object.any(|w| w == "identity"),
        _ => false,
    };
    alone || act || matches!(next, "positive" | "negative" | "box" | "boxes")
}

/// What the check takes: something that runs (`test`), something that shows how it runs (`run`), or a look (`look`).
fn kind(reading: &Reading<'_, '_>, clause: &Clause, found: &Match) -> &'static str {
    let tokens = reading.tokens(clause);
    let request =
        has_word(tokens, &["api", "curl", "http"]) && has_word(tokens, &["call", "calls", "request", "requests"]);
    if found.phrase == TESTED || request || has_word(tokens, LIVE) {
        "test"
    } else if has_word(tokens, RUNS) {
        "run"
    } else {
        "look"
    }
}

/// Whether a verb without a subject is an adjective: “Verified accounts”, “Tested versions: 3 and 4”.
fn describes(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    let bare = (clause.tokens.start..at).all(|i| reading.word(i).is_empty());
    let Some(next) = reading.token(at + 1).filter(|_| bare && at + 1 < clause.tokens.end) else { return false };
    match next.kind {
        TokenKind::Word => !lexicon::has(BEHIND, &next.text) && !next.text.ends_with("ly"),
        TokenKind::Mark => next.text == ":",
        _ => false,
    }
}

/// What stands behind a verb that is one.
#[rustfmt::skip]
const BEHIND: &[&str] = &[
    "a", "after", "again", "against", "all", "an", "and", "both", "by", "each", "every", "everything", "for", "from", "how", "in", "it",
    "its", "locally", "manually", "my", "on", "once", "one", "our", "several", "that", "the", "their", "them", "there", "these", "this",
    "those", "three", "through", "twice", "two", "under", "using", "via", "what", "whether", "which", "with", "your",
];

/// What keeps a call from being the check.
enum Lacks {
    /// It could not have been it, whatever came of it.
    Kind,
    /// It could have, but nothing came of it.
    Result,
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let mut near = None;
    for (call, facts) in view.all() {
        match lacks(claim, view, call, facts) {
            None => return Support::by(call),
            Some(Lacks::Result) if near.is_none() => near = Some(call),
            Some(_) => {}
        }
    }
    // Without any call nothing tells the agent's own work from what happened in the world.
    let world = claim.keyed && view.now().is_empty();
    let here = claim.values.first().is_some_and(|v| v != IN_TALK || view.now().is_empty());
    if world || here || (claim.name != "test" && view.material()) {
        return Support::Leave;
    }
    if view.wants_text() {
        return Support::Leave;
    }
    if let Some(hit) = claim.needles.iter().find_map(|&id| view.hit(id)) {
        return Support::at(hit);
    }
    let what = if claim.name == "test" { "tested" } else { "checked" };
    match near.filter(|call| view.now().contains(call)) {
        Some(call) => Support::Not(seen::came_of(view.facts(call), view.seen(call)), Some(call)),
        None => Support::Not(format!("no call in this turn {what} it"), view.now().next_back()),
    }
}

/// What keeps a call from being the claimed check; nothing where it may have been it.
fn lacks(claim: &Found, view: &View<'_, '_>, call: usize, facts: &Facts<'_>) -> Option<Lacks> {
    let kind = match facts.role {
        Role::Notify => false,
        Role::Write | Role::Remove => claim.name == "look",
        Role::Read | Role::Ask => claim.name != "test",
        _ => true,
    };
    if !kind || view.seen(call).inward {
        return Some(Lacks::Kind);
    }
    let seen = view.seen(call);
    if !seen.executed {
        return Some(Lacks::Result);
    }
    let nothing = facts.feeds() && seen.blank;
    let several = facts.commands.len() > 1;
    let failed = !facts.succeeded && !several && facts.call.status != Status::Background;
    let looks = matches!(facts.role, Role::Look | Role::Search | Role::Fetch | Role::Agent);
    if nothing || (claim.wide && (failed || seen.refused(facts) || (seen.blank && looks))) {
        return Some(Lacks::Result);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_that_are_searched_by_halves_are_sorted() {
        for list in [AGREED, HANDED_IN, WORK, BEHIND] {
            assert!(list.windows(2).all(|w| w[0] < w[1]), "{list:?}");
        }
    }
}
