//! “I found 18 files.” “The search gave 31 matches.” “Listed 4 entries.”
//!
//! # Reads
//! A number of files, matches, entries, tests, rows, errors or occurrences that was found, listed or returned.
//!
//! # Checks
//! The number stands in some output as a whole token, the turn's calls printed at least so many lines or items, so that
//! it may be a count of some of them, or it is derivable from numbers that were printed; or the reply itself lists so many;
//! of tests also that the turn's calls wrote at least so many.
//!
//! # Leaves alone
//! Judgements (“found 3 problems”), estimates (“about”, “at least”), what may be, what books and data sets hold.
use super::prelude::*;
use super::voice::{outside, voice, Voice};
use crate::evidence::facts::Facts;
use crate::evidence::index::Shared;
use crate::evidence::numbers;
use crate::evidence::outcome::tests_in;
use crate::evidence::roles::Role;
use crate::evidence::writes::Writes;

pub(super) const FORM: Form = Form { reader: "count", reads: Reads::Phrases(PHRASES, read), check, asks: nothing_more };

/// What may be counted. Problems and issues are judgements, so they are not among them.
macro_rules! nouns {
    () => {
        "file|files|match|matches|entry|entries|test|tests|row|rows|occurrence|occurrences|hit|hits|result|results|record|records|directory|directories|folder|folders"
    };
}

/// Verbs of finding and showing.
macro_rules! verbs {
    () => {
        "found|listed|matched|returned|gave|printed|yielded|reported|reports|shows|showed|counted|lists|contains"
    };
}

const PHRASES: &[&str] = &[
    concat!(verbs!(), " .. # ", nouns!()),
    concat!(verbs!(), " .. # * ", nouns!()),
    "reported|reports|printed|gave|lists|shows .. # error|errors",
    "there|you are|were|have # appointments|bookings|customers|files|invoices|messages|occurrences|orders|records|rows|tickets|usages",
    "there|you are|were|have # * appointments|bookings|customers|files|invoices|messages|occurrences|orders|records|rows|tickets|usages",
    "# tests|test passed|pass",
    "test|tests|specs pass|passed|passing .. # of #",
];

/// From this phrase on they speak of tests passed.
const PASSED: usize = 5;

/// The phrases that say how many there are.
const THERE: core::ops::Range<usize> = 3..5;

/// Words that make the number an estimate or a bound.
#[rustfmt::skip]
const LOOSE: &[&str] = &[
    "about", "almost", "another", "approximately", "around", "first", "last", "least", "more", "most", "nearly",
    "only", "other", "over", "roughly", "some", "than", "top", "up",
];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let mut tokens = found.tokens.clone();
    let Some(at) = tokens
        .find(|&i| reading.token(i).is_some_and(|t| numbers::parse(&t.text).is_some() && t.kind != TokenKind::Code))
    else {
        return;
    };
    let near = clause.tokens.start.max(at.saturating_sub(3))..at;
    let plain = found.tokens.clone().all(|i| !matches!(reading.word(i), "no" | "each" | "every" | "in"));
    let own = found.phrase >= PASSED
        || THERE.contains(&found.phrase) && stated(reading, clause, found)
        || finder(reading, clause, found.tokens.start);
    if !reading.asserts(clause, found.tokens.start)
        || !plain
        || !own
        || outside(reading, clause)
        || near.clone().any(|i| LOOSE.contains(&reading.word(i)))
        || reading.hedged(clause, at)
    {
        return;
    }
    let (text, next) = grouped(reading, at);
    let marks = [at.saturating_sub(1), next];
    let odd = |i: usize| {
        reading
            .token(i)
            .is_some_and(|t| matches!(t.text.as_ref(), "/" | "~" | "–" | "-" | "%" | "+" | "#" | "$" | "≈" | "<" | ">"))
    };
    if marks.into_iter().any(odd) {
        return;
    }
    let Some(number) = numbers::parse(&text) else { return };
    let Some(count) = number.as_u64().filter(|&n| n > 1) else { return };
    let wide = listed(reading, index, count);
    let needles = [reading.wanted.number(&number)].to_vec();
    let keyed = (at + 1..found.tokens.end).any(|i| matches!(reading.word(i), "test" | "tests"));
    reading.claim(index, Found { number: Some(number), needles, wide, keyed, name: text, ..Found::default() });
}

/// Whether “there are 40 rows” tells what was seen: it opens its clause, and nothing makes it a rule, a limit or a case.
fn stated(reading: &Reading<'_, '_>, clause: &Clause, found: &Match) -> bool {
    let opens = (clause.tokens.start..found.tokens.start).all(|i| {
        let word = reading.word(i);
        word.is_empty() || matches!(word, "and" | "but" | "now" | "so" | "in" | "total" | "all" | "currently" | "that")
    });
    let pair = matches!((reading.word(found.tokens.start), reading.word(found.tokens.start + 1)), ("there", w) if w != "have")
        || (reading.word(found.tokens.start) == "you" && reading.word(found.tokens.start + 1) == "have");
    let rule = [
        "allowed",
        "at",
        "by",
        "can",
        "default",
        "if",
        "left",
        "max",
        "maximum",
        "may",
        "once",
        "per",
        "remaining",
        "to",
        "up",
        "when",
    ];
    pair && opens && !reading.sentence(clause).iter().any(|t| rule.contains(&t.text.as_ref()))
}

/// Whether the agent or something that it ran did the finding: “I found”, “Found”, “the search gave”, “`grep -c` reports”.
fn finder(reading: &Reading<'_, '_>, clause: &Clause, verb: usize) -> bool {
    if voice(reading, clause, verb) == Voice::Own {
        return true;
    }
    let subject = clause.sentence.start.max(verb.saturating_sub(8))..verb;
    let mut words = subject.filter_map(|i| reading.token(i));
    words.any(|t| match t.kind {
        TokenKind::Code => reading.runs(t),
        TokenKind::Word => SUBJECTS.contains(&t.text.as_ref()),
        _ => false,
    })
}

/// What finds, apart from the agent.
#[rustfmt::skip]
const SUBJECTS: &[&str] = &[
    "call", "command", "directory", "folder", "folders", "grep", "index", "it", "list", "listing", "look-up",
    "lookup", "output", "pattern", "query", "report", "scan", "search", "sheet", "table", "tool", "which",
];

/// The number at a token with the groups of three digits that stand behind it, and the token after them: “4 204”.
fn grouped(reading: &Reading<'_, '_>, at: usize) -> (String, usize) {
    let mut text = reading.token(at).map_or(String::new(), |t| t.text.to_string());
    let first = text.len() <= 3 && text.bytes().all(|b| b.is_ascii_digit());
    let group = |t: &&Token<'_>| t.text.len() == 3 && t.text.bytes().all(|b| b.is_ascii_digit());
    let mut next = at + 1;
    while let Some(token) = reading.token(next).filter(group).filter(|_| first) {
        text.push_str(&token.text);
        next += 1;
    }
    (text, next)
}

/// Whether the reply itself lists so many things after the clause: list items, table rows or lines of a block.
fn listed(reading: &Reading<'_, '_>, index: usize, count: u64) -> bool {
    let prose = reading.prose;
    let first = prose.clauses[index].block;
    let (mut items, mut rows, mut block) = (0, 0, first);
    for clause in prose.clauses[index..].iter().take(4_096) {
        if clause.block == block {
            continue;
        }
        block = clause.block;
        match clause.place {
            Place::Item => items += 1,
            Place::Row => rows += 1,
            _ => {}
        }
    }
    let end = prose.clauses[index].span.end;
    let lines = prose
        .fences
        .iter()
        .filter(|f| f.span.start >= end)
        .map(|f| f.body.of(prose.source).lines().filter(|l| !l.trim().is_empty()).count() as u64);
    let codes = reading.tokens(&prose.clauses[index]).iter().filter(|t| t.kind == TokenKind::Code).count() as u64;
    items == count || rows == count || codes == count || lines.into_iter().any(|n| n == count)
}

/// How many tests this turn's calls wrote, of which the agent may speak.
fn written(view: &View<'_, '_>) -> u64 {
    let writes = |f: &Facts<'_>| f.succeeded && f.writes != Writes::None;
    let given = |f: &Facts<'_>| tests_in(&f.call.arguments);
    let all = || Some(view.calls().filter(|(_, f)| writes(f)).map(|(_, f)| given(f)).sum());
    view.shared(Shared::TestsWritten, all).map_or(0, |n| n as u64)
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let Some(number) = &claim.number else { return Support::Leave };
    if let Some(call) = number.as_u64().and_then(|n| view.searched(n)) {
        return Support::by(call);
    }
    if let Some(hit) = claim.needles.iter().find_map(|&id| view.hit(id)) {
        return Support::at(hit);
    }
    let Some(count) = number.as_u64() else { return Support::Leave };
    if let Some(call) = view.printed(count) {
        return Support::by(call);
    }
    let calls = view.now().len() as u64;
    if calls == 0 && view.now().start == 0 {
        return Support::Leave;
    }
    if claim.wide
        || count == calls
        || view.shared(Shared::Well, || Some(view.calls().filter(|(_, f)| f.succeeded).count())) == Some(count as usize)
        // Lines are counted sooner than all numbers are read.
        || view.allows(count)
        || view.derives(number)
        || (claim.keyed && written(view) >= count)
    {
        return Support::By(None, None);
    }
    // A picture, or a result that the record does not hold, may show any number.
    let unseen = |o: &Option<String>| o.as_deref().is_none_or(|o| o.trim().is_empty() || o.contains("[image"));
    let looks = |role: Role| matches!(role, Role::Read | Role::Look | Role::Fetch | Role::Agent);
    let unshown = |f: &Facts<'_>| f.succeeded && looks(f.role) && unseen(&f.call.output);
    let first = || view.calls().find(|(_, f)| unshown(f)).map(|(call, _)| call);
    if view.shared(Shared::Unshown, first).is_some() {
        return Support::Cut(Vec::new());
    }
    if !view.cut().is_empty() {
        return Support::Cut(view.cut().to_vec());
    }
    let near = view.calls().rev().find(|(_, f)| f.searches() && f.call.output.is_some()).map(|(call, _)| call);
    Support::Not(format!("no call's output holds {}", claim.name), near)
}
