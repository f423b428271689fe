//! “All tests passed.” “12 tests pass.” “`npm test` passes.”
//!
//! # Reads
//! Tests said to have passed, with or without a count, as a finished fact.
//!
//! # Checks
//! The turn's runs, in their order: a passing summary, a silent success, or a call that may have run tests supports;
//! a runner's own failing summary contradicts where nothing passed and nothing ran after it. A part of the tests, or a
//! report that names failures, is supported by any run. The count of a summary supports the same count.
//!
//! # Leaves alone
//! Wishes, aims and conditions (“once all tests pass”, “to make the tests pass”); what tests hand over (“the test passes
//! `None`”); what passes elsewhere (CI, the person's own machine).
use super::named;
use super::prelude::*;
use super::runs::{self, Asked};
use crate::evidence::{acts, numbers, shell};
use crate::prose::lexicon;
use crate::readers::has_word;
use crate::readers::text::is_command;
use crate::readers::voice::{opens, outside, AFTER_NOUN};

pub(in crate::readers) const TESTS: Form =
    Form { reader: "outcome", reads: Reads::Phrases(PHRASES, read), check, asks };

/// Other readers judge the same claims by other things.
pub(in crate::readers) const PHRASES: &[&str] = &[
    "test|tests|suite|suites|specs .. pass|passes|passed|passing|green|succeed|succeeded",
    "passes|passed|passing all|the|# .. tests|specs",
    "` pass|passes|passed|passing|succeeds|succeeded",
    "they|all|both all? of? them? pass|passed",
];

/// Words before the phrase that make it an aim or a comparison.
#[rustfmt::skip]
pub(super) const AIMS: &[&str] = &[
    "ensure", "expects", "get", "getting", "have", "help", "how", "let", "make", "makes", "making", "number", "see",
    "until", "why",
];

/// Modifiers that leave the claim one about all of the tests.
#[rustfmt::skip]
const WHOLE: &[&str] = &[
    "all", "also", "complete", "entire", "every", "everything", "full", "now", "of", "project", "so", "still", "test",
    "the", "then", "whole",
];

/// Words that take something out of what passed.
#[rustfmt::skip]
pub(super) const EXCEPT: &[&str] = &[
    "apart", "aside", "bar", "besides", "but", "except", "excepting", "excluded", "excluding", "far", "minus", "most",
    "mostly", "other", "save", "skipped", "some", "than",
];

/// Words that deny or limit the pass so much that it is no claim.
const DENIED: &[&str] = &[
    "accident",
    "almost",
    "although",
    "barely",
    "because",
    "hardly",
    "intermittently",
    "longer",
    "nearly",
    "occasionally",
    "often",
    "only",
    "sometimes",
    "though",
    "unless",
    "until",
    "usually",
    "vacuously",
    "whenever",
];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let tokens = found.tokens.clone();
    let verb = if found.phrase == 1 { tokens.start } else { tokens.end - 1 };
    if !reading.asserts(clause, verb) || !reading.asserts(clause, tokens.start) || outside(reading, clause) {
        return;
    }
    if found.phrase == THEY {
        let free = !has_word(reading.tokens(clause), DENIED) && !takes_object(reading, clause, verb);
        if free && tests_before(reading, clause) {
            let keyed = PRESENT.contains(&reading.word(verb));
            reading.claim(index, Found { wide: !runs::limited(reading, clause), keyed, ..Found::default() });
        }
        return;
    }
    let Some(before) = opens(reading, clause, tokens.start) else { return };
    let modifiers = before.clone().chain(tokens.start + 1..tokens.end - 1);
    if before.clone().any(|i| AIMS.contains(&reading.word(i))) || has_word(reading.tokens(clause), DENIED) {
        return;
    }
    // “Tests passed is the gate”: the words are the subject of another verb.
    let named = |i: usize| i < clause.tokens.end && reading.prose.is_auxiliary(i);
    if named(tokens.end) || (matches!(reading.word(tokens.end), "here" | "there") && named(tokens.end + 1)) {
        return;
    }
    if match found.phrase {
        0 => {
            flows(reading, clause, verb)
                || takes_object(reading, clause, verb)
                || modifiers.clone().any(|i| bound(reading, i))
        }
        1 => {
            !(before.is_empty()
                || before.clone().all(|i| matches!(reading.word(i), "it" | "everything" | "code" | "the" | "now")))
        }
        _ => !is_test_line(reading, tokens.start),
    } {
        return;
    }
    let whole = |i: usize| WHOLE.contains(&reading.word(i)) || number_at(reading, i).is_some();
    let all = before.clone().any(|i| matches!(reading.word(i), "all" | "every"));
    let kind = |i: usize| all && matches!(reading.word(i), "unit" | "integration" | "existing");
    let part = found.phrase == 0 && !before.clone().all(|i| whole(i) || kind(i))
        || runs::limited(reading, clause)
        || reading
            .tokens(clause)
            .iter()
            .any(|t| t.kind == TokenKind::Code && !is_command(&t.text) && found.phrase != 2);
    let share = share(reading, clause, tokens.start);
    // “42 of 42 tests” are all of a run.
    let part = part || part_named(reading, clause, verb);
    let all_of = !part && share != Share::Part;
    let part = part || share != Share::None;
    let number =
        before.chain(tokens.clone()).rev().chain(tokens.end..tokens.end + 2).find_map(|i| number_at(reading, i));
    let keyed = PRESENT.contains(&reading.word(verb));
    let values = if all_of && number.is_some() { [ALL_OF.to_string()].to_vec() } else { Vec::new() };
    let name = if found.phrase == 2 { runs::line_at(reading, clause, tokens.start) } else { String::new() };
    reading.claim(index, Found { number, name, values, wide: !part, keyed, ..Found::default() });
}

/// The phrase in which the tests are named by the clause before: “I ran the tests and they all passed”.
const THEY: usize = 3;

/// Whether a pronoun opens the clause and the clause before it in the sentence is of running the tests.
fn tests_before(reading: &Reading<'_, '_>, clause: &Clause) -> bool {
    let before = reading.around(clause).start..clause.tokens.start;
    let has = |words: &[&str]| before.clone().any(|i| words.contains(&reading.word(i)));
    let opens = matches!(reading.word(clause.tokens.start), "they" | "all" | "both");
    opens && has(&["tests", "specs"]) && has(&["ran", "re-ran", "reran", "run"])
}

/// What part of the tests the words before the noun name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Share {
    /// None.
    None,
    /// All of them, by their number: “42 of 42”.
    Whole,
    /// Not all of them: “40 of the 42”, “60 % of the”, “half of the”.
    Part,
}

fn share(reading: &Reading<'_, '_>, clause: &Clause, noun: usize) -> Share {
    let near = (clause.tokens.start + 1).max(noun.saturating_sub(6))..noun;
    let Some(of) = near.rev().find(|&i| reading.word(i) == "of") else { return Share::None };
    let percent = reading.token(of - 1).is_some_and(|t| matches!(t.text.as_ref(), "%" | "percent"));
    if percent {
        let number = of.checked_sub(2).and_then(|i| number_at(reading, i));
        return if number.and_then(|n| n.as_u64()) == Some(100) { Share::None } else { Share::Part };
    }
    let all = (of + 1..=noun).find_map(|i| number_at(reading, i));
    match number_at(reading, of - 1) {
        Some(some) if all.is_some_and(|all| all.key() == some.key()) => Share::Whole,
        Some(_) => Share::Part,
        None if matches!(reading.word(of - 1), "all" | "both" | "each" | "every" | "none") => Share::None,
        None => Share::Part,
    }
}

/// Whether what follows the verb names some of the tests or some of the times: “passing: a, b”, “pass or time out”, “pass
/// without the patch”, “pass half of the time”.
fn part_named(reading: &Reading<'_, '_>, clause: &Clause, verb: usize) -> bool {
    const FAULTS: &[&str] = &[
        "any",
        "error",
        "errors",
        "failure",
        "failures",
        "issue",
        "issues",
        "problem",
        "problems",
        "regressions",
        "warnings",
    ];
    const OPENING: &[&str] = &["at", "for", "in", "on", "under", "with", "without"];
    let first = clause.tokens.start;
    let alone = reading.word(first) == "run" && reading.word(first + 1) == "alone";
    if OPENING.contains(&reading.word(first))
        || alone
        || elsewhere(reading, clause, verb)
        || shared_out(reading, clause)
    {
        return true;
    }
    let listed = reading.token(verb + 1).is_some_and(|t| t.text == ":")
        && reading.token(verb + 2).is_some_and(|t| t.kind == TokenKind::Word);
    let behind = |i: usize| match reading.word(i) {
        "or" | "half" | "time" | "times" => true,
        "without" => !FAULTS.contains(&reading.word(i + 1)),
        _ => false,
    };
    listed || (verb + 1..clause.tokens.end).any(behind)
}

/// Whether a place, a version or a time follows at which they pass: “pass on Linux”, “pass in isolation”, “pass at random”.
fn elsewhere(reading: &Reading<'_, '_>, clause: &Clause, verb: usize) -> bool {
    const WHERE: &[&str] = &["against", "at", "before", "on", "outside", "under"];
    const OWN: &[&str] = &["all", "both", "every", "full", "total"];
    const OTHER: &[&str] = &["earlier", "old", "original", "previous"];
    (verb + 1..clause.tokens.end.min(verb + 4)).any(|i| {
        let (word, next) = (reading.word(i), reading.word(i + 1));
        let place = WHERE.contains(&word) && !OWN.contains(&next) && number_at(reading, i + 1).is_none();
        let other = word == "with" && (i + 1..i + 4).any(|n| OTHER.contains(&reading.word(n)));
        let way = word == "in" && matches!(next, "isolation" | "order" | "parallel" | "sequence");
        place || way || other || (word == "and" && next == "then")
    })
}

/// Whether the clause gives a share of less than all: “3 of 5 pass”, “pass (60 %)”; or tells that some do not.
fn shared_out(reading: &Reading<'_, '_>, clause: &Clause) -> bool {
    let less = |i: usize| match (i.checked_sub(1).and_then(|b| number_at(reading, b)), number_at(reading, i + 1)) {
        (Some(some), Some(all)) => some.value() < all.value(),
        _ => false,
    };
    let percent = |i: usize| reading.token(i).is_some_and(|t| matches!(t.text.as_ref(), "%" | "percent"));
    let part = |i: usize| i.checked_sub(1).and_then(|b| number_at(reading, b)).is_some_and(|n| n.value() < 100.0);
    let covers = reading.mentions(clause, &["coverage", "covered"]);
    let not = |i: usize| reading.word(i) == "don't" || (reading.word(i) == "do" && reading.word(i + 1) == "not");
    clause.tokens.clone().any(|i| (reading.word(i) == "of" && less(i)) || (percent(i) && part(i) && !covers))
        || reading.around(clause).any(not)
}

/// Marks a claim whose number is that of all tests of a run.
const ALL_OF: &str = "all of";

/// Verbs that tell how things stand, not what a run did: they are `keyed`.
const PRESENT: &[&str] = &["green", "pass", "passes", "passing", "succeed"];

/// A number or a number word.
fn number_at(reading: &Reading<'_, '_>, at: usize) -> Option<numbers::Number> {
    reading
        .token(at)
        .filter(|t| matches!(t.kind, TokenKind::Number | TokenKind::Word))
        .and_then(|t| numbers::parse(&t.text))
}

/// Whether an arrow follows: a flow of events, not a report.
pub(super) fn flows(reading: &Reading<'_, '_>, clause: &Clause, verb: usize) -> bool {
    verb + 1 < clause.tokens.end && reading.token(verb + 1).is_some_and(|t| t.kind == TokenKind::Arrow)
}

/// Words between the noun and its verb that show that they do not belong together.
fn bound(reading: &Reading<'_, '_>, at: usize) -> bool {
    matches!(reading.word(at), "that" | "which" | "who" | "to" | "a" | "for" | "if" | "when" | "i" | "we")
}

/// Whether an object follows: “passes `None`”, “pass a clock”, “passes its own config”, “passes in a list”.
pub(super) fn takes_object(reading: &Reading<'_, '_>, clause: &Clause, verb: usize) -> bool {
    let Some(next) = reading.token(verb + 1).filter(|_| verb + 1 < clause.tokens.end) else { return false };
    match next.kind {
        TokenKind::Code => true,
        TokenKind::Word => {
            let after = reading.word(verb + 2);
            let present = matches!(reading.word(verb), "pass" | "passes");
            let free = AFTER_NOUN.contains(&next.text.as_ref())
                || lexicon::has(lexicon::en::ADVERBS, &next.text)
                || next.text.ends_with("ly");
            let free = free
                || matches!(
                    next.text.as_ref(),
                    "except" | "apart" | "green" | "here" | "there" | "under" | "either" | "bar" | "save" | "other"
                );
            (present && !free)
                || matches!(
                    next.text.as_ref(),
                    "a" | "an" | "the" | "its" | "their" | "his" | "this" | "to" | "by" | "through"
                )
                || (matches!(next.text.as_ref(), "in" | "on") && matches!(after, "a" | "an" | "to"))
        }
        TokenKind::Number => reading.word(verb) != "passed",
        _ => false,
    }
}

fn is_test_line(reading: &Reading<'_, '_>, at: usize) -> bool {
    let line = reading.token(at).and_then(|code| shell::split(&code.text));
    line.is_some_and(|l| l.commands.iter().any(|c| acts::of_command(c).names(Act::Test)))
}

/// How outputs and notices tell of a pass.
fn asks(_: &Found) -> Vec<String> {
    let told = [
        "tests passed",
        "tests pass",
        "tests all passed",
        "test suite passed",
        "all tests passing",
        "tests are passing",
    ];
    told.map(String::from).to_vec()
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let asked = Asked {
        act: Act::Test,
        summary: &|call| view.tests(call),
        given: crate::evidence::outcome::tests,
        wide: claim.wide,
        number: claim.number.as_ref().and_then(numbers::Number::as_u64),
        none: "no test command in this turn exited 0",
    };
    let all_of = asked.number.filter(|_| claim.values.iter().any(|v| v == ALL_OF));
    let refuted = all_of.and_then(|n| named::failed_of(&asked, view, n, "test"));
    if let Some(against) = refuted.or_else(|| named::refuted(&asked, view, &claim.name)) {
        return against;
    }
    match runs::check(&asked, view, "test") {
        Support::Not(reason, near) => runs::told(claim, view).unwrap_or(Support::Not(reason, near)),
        support => support,
    }
}
