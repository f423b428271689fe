//! “All 12 files were compared.” “I visited all ten pages and read the opening hours on each of them.”
//!
//! # Reads
//! A number of things of which all, every one or each is said to have been checked, compared, read, reviewed, tested or
//! visited: by the agent, by an agent that it called, or in a passive.
//!
//! # Checks
//! The calls in the turn and before it can together have looked at so many. A read, an edit and a fetch look at one thing;
//! of things that stand inside such as slides or messages, a look shows at most as many as its output has words. A
//! command that names its files looks at those. Any other command, code, an agent with a result and an unknown tool may
//! have covered them all.
//!
//! # Leaves alone
//! What has no number; tests that passed; what the person gave in the conversation.
use super::check::is_file;
use super::prelude::*;
use super::voice::{outside_where, voice_where, Voice};
use crate::evidence::facts::Facts;
use crate::evidence::numbers;
use crate::evidence::roles::Role;
use crate::prose::lexicon;

pub(super) const FORM: Form =
    Form { reader: "coverage", reads: Reads::Phrases(PHRASES, read), check, asks: nothing_more };

/// What is said to have been done with each.
macro_rules! verbs {
    () => {
        "checked|compared|tested|verified|reviewed|read|visited|inspected|opened|examined|validated|scanned|audited|analyzed|analysed|fetched|covered|called|pinged"
    };
}

const PHRASES: &[&str] = &[
    concat!(verbs!(), " all|every|each"),
    "went|gone|looked|gone through|over|at|into all|every|each",
    concat!(verbs!(), " .. all|every|each|one of them|these|those"),
    concat!("all|every|each ..8 was|were|been .. ", verbs!()),
];

/// The phrase of things named before, and that of the passive.
const OF_THEM: usize = 2;
const PASSIVE: usize = 3;

/// Things of which a read or an edit looks at one.
#[rustfmt::skip]
const FILES: &[&str] = &[
    "component", "components", "config", "configs", "document", "documents", "file", "files", "module", "modules",
    "notebook", "notebooks", "pdf", "pdfs", "script", "scripts", "spreadsheet", "spreadsheets", "template", "templates",
];

/// Things of which a fetch looks at one.
const SITES: &[&str] = &["article", "articles", "link", "links", "site", "sites", "url", "urls", "website", "websites"];

/// Things that answer when they are called.
#[rustfmt::skip]
const SERVICES: &[&str] = &[
    "api", "apis", "button", "buttons", "endpoint", "endpoints", "host", "hosts", "route", "routes", "server",
    "servers", "service", "services",
];

/// Things that stand inside others.
#[rustfmt::skip]
const PARTS: &[&str] = &[
    "accounts", "branches", "chapters", "columns", "comments", "commits", "contacts", "contracts", "customers", "emails",
    "entries", "events", "images", "invoices", "issues", "items", "keys", "leads", "lines", "mails", "messages", "orders",
    "pages", "papers", "photos", "posts", "products", "questions", "records", "references", "repos", "repositories",
    "results", "rows", "sections", "slides", "sources", "tables", "tickets", "transactions", "users",
];

/// Verbs for which a list of names is enough.
const LISTED: &[&str] = &["checked", "covered", "scanned", "validated", "verified"];

/// How a person puts things into the conversation.
const GIVEN: &[&str] = &["attached", "gave", "given", "pasted", "provided", "quoted", "sent", "shared", "uploaded"];

/// Verbs of going to a page, whatever it answers.
const VISITS: &[&str] = &["fetched", "opened", "visited"];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let verb = if found.phrase == PASSIVE { found.tokens.end - 1 } else { found.tokens.start };
    let agent = |from: usize, to: usize| {
        (from..to).any(|i| {
            matches!(reading.word(i), "agent" | "agents" | "subagent" | "subagents" | "sub-agent" | "sub-agents")
        })
    };
    let counts = |i: usize| !matches!(reading.word(i), "each" | "every");
    let told = reading.asserts(clause, verb)
        && match voice_where(reading, clause, verb, counts) {
            Voice::Own => found.phrase != PASSIVE,
            // “They were tested in `io_test.go`” tells what the file does.
            Voice::Passive(_) if matches!(reading.word(verb + 1), "in" | "by") && is_file(reading, verb + 2) => false,
            Voice::Passive(_) => found.phrase == PASSIVE,
            Voice::Bare(_) => false,
            Voice::Other => agent(clause.tokens.start, verb) && !outside_where(reading, clause, counts),
        };
    if !told {
        return;
    }
    // What the person put into the conversation needs no call.
    if reading.mentions(clause, &["you", "you've"]) && reading.mentions(clause, GIVEN) {
        return;
    }
    let Some((count, after)) = number(reading, clause, found) else { return };
    let noun = (after..after + 4).find_map(|i| Some(reading.word(i)).filter(|w| is_kind(w)));
    let noun = noun.unwrap_or_else(|| reading.word(after));
    let visited = reading.sentence(clause).iter().any(|t| VISITS.contains(&t.text.as_ref()));
    let kind = match noun {
        "page" | "pages" if visited => "site",
        _ if lexicon::has(FILES, noun) => "file",
        _ if lexicon::has(SITES, noun) => "site",
        _ if lexicon::has(SERVICES, noun) && matches!(reading.word(verb), "tested" | "called" | "pinged") => "service",
        _ if lexicon::has(PARTS, noun) => "part",
        _ => return,
    };
    let passive = found.phrase == PASSIVE;
    let needles = reading.want(Scope::Given, noun.trim_end_matches('s')).into_iter().collect();
    let word = reading.word(verb);
    let (wide, keyed) = (LISTED.contains(&word), VISITS.contains(&word));
    let number = Some(numbers::Number::whole(count));
    let values = if passive { ["passive".to_string()].to_vec() } else { Vec::new() };
    reading.claim(index, Found { name: kind.to_string(), number, needles, values, wide, keyed, ..Found::default() });
}

fn is_kind(word: &str) -> bool {
    word == "page" || [FILES, SITES, SERVICES, PARTS].iter().any(|list| lexicon::has(list, word))
}

/// The number of the things, and the token behind it: “all 12 …”, “each of the 12 …”; for “each of them” it stands before.
fn number(reading: &Reading<'_, '_>, clause: &Clause, found: &Match) -> Option<(u64, usize)> {
    let mark = |i: usize| {
        reading.token(i).is_some_and(|t| matches!(t.text.as_ref(), "/" | "%" | "-" | "–" | "#" | "$" | "." | "~" | "+"))
    };
    let whole = |i: usize| {
        let token = reading.token(i)?;
        let plain = token.kind != TokenKind::Code && !mark(i + 1) && !i.checked_sub(1).is_some_and(mark);
        let count = numbers::parse(&token.text).filter(|_| plain)?.as_u64()?;
        (count > 1 && !(1900..2100).contains(&count)).then_some(count)
    };
    if found.phrase == OF_THEM {
        let at = (reading.around(clause).start..found.tokens.start).rev().find(|&i| whole(i).is_some())?;
        return Some((whole(at)?, at + 1));
    }
    let all = found.tokens.clone().find(|&i| matches!(reading.word(i), "all" | "every" | "each"))?;
    let near = all + 1..clause.tokens.end.min(all + 4);
    let at = near.clone().find(|&i| whole(i).is_some())?;
    let joins = (all + 1..at).all(|i| matches!(reading.word(i), "of" | "the" | "these" | "those" | "our" | "its"));
    joins.then_some((whole(at)?, at + 1))
}

/// How many of the things a call can have looked at; none where nothing bounds that.
fn reach(claim: &Found, view: &View<'_, '_>, call: usize, facts: &Facts<'_>) -> Option<usize> {
    let seen = view.seen(call);
    let kind = claim.name.as_str();
    match (kind, facts.role) {
        (_, Role::Fetch) if seen.refused(facts) => seen.reach(facts).map(|n| n * usize::from(claim.keyed)),
        ("part", _) => seen.words(facts),
        (_, Role::Search | Role::Look) if claim.wide => seen.words(facts),
        ("service", Role::Read | Role::Write) => Some(0),
        ("service", Role::Fetch | Role::Command) => seen.words(facts),
        _ => seen.reach(facts),
    }
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let Some(wanted) = claim.number.and_then(|n| n.as_u64()) else { return Support::Leave };
    let mut sum = 0;
    let mut near = None;
    for (call, facts) in view.all() {
        let Some(reach) = reach(claim, view, call, facts) else { return Support::by(call) };
        sum += reach as u64;
        if sum >= wanted {
            return Support::by(call);
        }
        near = near.or_else(|| view.now().contains(&call).then_some(call));
    }
    // Without any call a passive may tell of the world.
    if view.material() || (!claim.values.is_empty() && view.now().is_empty()) {
        return Support::Leave;
    }
    if view.wants_text() {
        return Support::Leave;
    }
    if let Some(hit) = claim.needles.iter().find_map(|&id| view.hit(id)) {
        return Support::at(hit);
    }
    Support::Not(format!("no call in this turn covered all {wanted}"), near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_that_are_searched_by_halves_are_sorted() {
        for list in [FILES, SITES, SERVICES, PARTS] {
            assert!(list.windows(2).all(|w| w[0] < w[1]), "{list:?}");
        }
    }
}
