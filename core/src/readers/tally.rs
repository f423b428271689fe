//! “112 passed, 6 skipped.” “Coverage: 71 %.” “| Failed | 0 |”
//!
//! # Reads
//! Figures of a test run: how many passed, failed or were skipped, and its coverage, in a sentence or in a row; and a
//! passing runner's last line in a block that is shown as its output.
//!
//! # Checks
//! Some run of the turn gives the figure, or the sum of several runs does; of a coverage the outputs hold it, rounded or
//! not. Contradicted only when runs tell other figures of the same kind and no call of unknown meaning could have told
//! this one.
//!
//! # Leaves alone
//! Estimates, comparisons with an earlier state, targets, changes (“up by 3 %”), figures of other things; figures of a part
//! of the tests, up to those of the run.
use super::prelude::*;
use super::voice::outside;
use crate::evidence::facts::Facts;
use crate::evidence::index::Shared;
use crate::evidence::numbers::{self, Number};
use crate::evidence::outcome::{summary_text, Kind, Summary};
use crate::evidence::roles::Role;
use crate::prose::lexicon;
use crate::readers::has_sorted;
use crate::sort::sorted;

pub(super) const FORM: Form = Form { reader: "tally", reads: Reads::Phrases(PHRASES, read), check, asks: nothing_more };

const PHRASES: &[&str] = &[
    "# passed|passing|failed|failing|skipped|failures",
    "# / # .. pass|passed|passing|green",
    "passed|passing|failed|failing|failures|skipped",
    "coverage .. # %|percent",
    "# %|percent .. coverage",
    "coverage",
];

/// Words that make a figure an estimate, a target, a change or one of another time.
#[rustfmt::skip]
const OTHER: &[&str] = &[
    "about", "above", "almost", "approximately", "around", "average", "before", "below", "branch", "by", "delta",
    "earlier", "every", "first", "from", "gate", "goal", "improved", "increased", "initially", "least", "left", "mean",
    "minimum", "most", "nearly", "over", "per", "previously", "remain", "remained", "remaining", "remains", "required",
    "requires", "roughly", "still", "target", "than", "threshold", "under", "up", "was", "were",
];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let start = found.tokens.start;
    // “Skipped” in a cell of its own denies nothing.
    let row = clause.place == Place::Row && reading.prose.governed(clause, start) == Stance::Denies;
    if !(row || reading.asserts(clause, start)) || outside(reading, clause) || has_sorted(reading.tokens(clause), OTHER)
    {
        return;
    }
    let last = reading.word(found.tokens.end - 1);
    let (label, at) = match found.phrase {
        0 => (last, start),
        1 => ("passed", start),
        2 | 5 => {
            let Some(at) = beside(reading, clause, start) else { return };
            (reading.word(start), at)
        }
        3 => {
            let number = |i: &usize| reading.token(*i).is_some_and(|t| t.kind == TokenKind::Number);
            let Some(at) = found.tokens.clone().find(number) else { return };
            ("coverage", at)
        }
        _ => ("coverage", start),
    };
    let share =
        (at + 1..clause.tokens.end.min(at + 3)).any(|i| is_mark(reading, i, "%") || reading.word(i) == "percent");
    let tests = about_tests(reading, index, clause);
    if (label == "coverage") != share || (label != "coverage" && !tests) {
        return;
    }
    let before = at.checked_sub(1).and_then(|i| reading.token(i)).map_or("", |t| t.text.as_ref());
    let odd = ["~", "≈", "<", ">", "≥", "≤", "+", "-", "–", "/", "$", "#", "of"];
    if (odd.contains(&before) && found.phrase != 1) || reading.hedged(clause, at) {
        return;
    }
    let Some(number) = reading.token(at).and_then(|t| numbers::parse(&t.text)) else { return };
    let name = match label {
        "passed" | "passing" => "passed",
        "skipped" => "skipped",
        "coverage" => "coverage",
        _ => "failed",
    };
    let needles = [reading.wanted.number(&number)].to_vec();
    let wide = name != "coverage" && (of_a_part(reading, clause) || labelled(reading, clause));
    reading.claim(index, Found { name: name.to_string(), number: Some(number), needles, wide, ..Found::default() });
}

/// Words before "tests" that leave the figure one of the whole run.
#[rustfmt::skip]
const WHOLE: &[&str] = &[
    "all", "complete", "entire", "final", "full", "now", "of", "our", "overall", "project", "project's", "test", "the",
    "total", "whole", "with", "your",
];

/// Whether the figure is told of a part of the run, or of what is counted beside the tests: “the parser tests”, “tests
/// for the parser”, “test files”.
fn of_a_part(reading: &Reading<'_, '_>, clause: &Clause) -> bool {
    const NOUNS: &[&str] = &["cases", "spec", "specs", "suite", "test", "tests"];
    const BESIDE: &[&str] = &["alone", "classes", "files", "modules", "packages", "projects", "suites"];
    let named = |i: usize| {
        let before = reading.word_before(clause, i);
        let after = reading.word(i + 1);
        let code = i > clause.tokens.start && reading.token(i - 1).is_some_and(|t| t.kind == TokenKind::Code);
        let modified = code || !(before.is_empty() || WHOLE.contains(&before) || lexicon::is_past(before));
        NOUNS.contains(&reading.word(i)) && (modified || matches!(after, "for" | "in" | "under"))
    };
    clause.tokens.clone().any(named) || reading.mentions(clause, BESIDE)
}

/// Whether the clause speaks of tests; for a row also what stands near it.
fn about_tests(reading: &Reading<'_, '_>, index: usize, clause: &Clause) -> bool {
    const TESTS: &[&str] =
        &["failures", "pytest", "skipped", "spec", "specs", "suite", "suites", "test", "tests", "unit"];
    let near = index.saturating_sub(3)..(index + 4).min(reading.prose.clauses.len());
    let beside = near.map(|i| reading.clause(i)).filter(|_| clause.place == Place::Row);
    beside.chain([clause]).any(|c| reading.mentions(c, TESTS)) || labelled(reading, clause)
}

/// “`lib/text`: 12 passed”: a part of the code in code font, and figures that count nothing else.
fn labelled(reading: &Reading<'_, '_>, clause: &Clause) -> bool {
    let mut tokens = clause.tokens.clone().filter_map(|i| reading.token(i));
    let code = tokens.next().is_some_and(|t| t.kind == TokenKind::Code);
    let colon = tokens.next().is_some_and(|t| t.text == ":");
    let figure = |t: &Token<'_>| match t.kind {
        TokenKind::Number | TokenKind::Mark => true,
        _ => matches!(t.text.as_ref(), "and" | "failed" | "failing" | "passed" | "passing"),
    };
    code && colon && tokens.all(figure)
}

fn is_mark(reading: &Reading<'_, '_>, at: usize, mark: &str) -> bool {
    reading.token(at).is_some_and(|t| t.kind == TokenKind::Mark && t.text == mark)
}

/// The number in the cell beside a label that stands in the first cell of a row, or behind its colon in an item.
fn beside(reading: &Reading<'_, '_>, clause: &Clause, label: usize) -> Option<usize> {
    let end = clause.tokens.end.min(label + 6);
    let number = |i: usize| reading.token(i).is_some_and(|t| t.kind == TokenKind::Number);
    if clause.place == Place::Row {
        if (clause.tokens.start..label).any(|i| is_mark(reading, i, "|")) {
            return None;
        }
        let bar = (label + 1..end).find(|&i| is_mark(reading, i, "|"))?;
        let skip =
            |i: usize| reading.token(i).is_some_and(|t| matches!(t.text.as_ref(), "✅" | "✓" | "✔" | "❌" | "⚠"));
        let at = (bar + 1..clause.tokens.end.min(bar + 3)).find(|&i| !skip(i))?;
        return number(at).then_some(at);
    }
    let first = (clause.tokens.start..label).all(|i| reading.word(i).is_empty());
    // “Passed: 3 criteria” counts something else.
    let noun = reading.word(label + 3);
    let alone = noun.is_empty() || matches!(noun, "test" | "tests" | "specs");
    (first && alone && is_mark(reading, label + 1, ":") && number(label + 2)).then_some(label + 2)
}

/// A runner's own last line in a block of the reply: how many passed there.
pub(super) const BLOCK: Form = Form { reader: "tally", reads: Reads::Reply(read_blocks), check, asks: nothing_more };

/// The most blocks, lines of summaries in one, and bytes of one that are read.
const BLOCKS: (usize, usize, usize) = (64, 4, 32 * 1024);

/// Words before a block that make it an example or what is to be.
#[rustfmt::skip]
const EXAMPLES: &[&str] = &[
    "before", "can", "ci", "example", "expect", "expected", "if", "like", "looks", "previously", "sample", "should",
    "was", "will", "would", "you", "your",
];

fn read_blocks(reading: &mut Reading<'_, '_>) {
    let prose = reading.prose;
    for fence in prose.fences.iter().take(BLOCKS.0) {
        let info = fence.info.of(prose.source).trim();
        let plain =
            matches!(info, "" | "bash" | "console" | "log" | "output" | "plaintext" | "sh" | "shell" | "text" | "txt");
        let body = fence.body.of(prose.source);
        let lead = fence.before.map(|clause| reading.clause(clause));
        let example = lead.is_some_and(|c| has_sorted(reading.sentence(c), EXAMPLES) || c.foreign);
        if !plain || example || body.len() > BLOCKS.2 {
            continue;
        }
        for summary in crate::evidence::outcome::all_tests(body).iter().take(BLOCKS.1) {
            let Some(passed) = summary.passed.filter(|_| summary.kind == Kind::Passed) else { continue };
            let line = summary.text.of(body);
            let start = fence.body.start + summary.text.start;
            let needles = reading.want(Scope::Told, crate::text::head(line, 200)).into_iter().collect();
            let number = Some(Number::whole(passed));
            let span = Span::new(start, start + line.len());
            reading.put(Found { name: "passed".to_string(), number, needles, span, keyed: true, ..Found::default() });
        }
    }
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let Some(number) = &claim.number else { return Support::Leave };
    if view.before(Act::Test).is_some() {
        return Support::Leave;
    }
    if claim.name == "coverage" {
        return covered(claim, number, view);
    }
    let Some(count) = number.as_u64() else { return Support::Leave };
    let field = |s: &Summary| match claim.name.as_str() {
        "passed" => s.passed.or(s.total.filter(|_| s.kind == Kind::Passed)),
        // What a summary with counts leaves out is none.
        "skipped" => s.skipped.or(s.passed.or(s.total).map(|_| 0)),
        _ => s.failed.or(if s.kind == Kind::Passed { Some(0) } else { None }),
    };
    let (mut told, mut last) = (Vec::new(), None);
    let unsure = |f: &Facts<'_>| f.acts.could(Act::Test) || f.role == Role::Agent;
    if !view.calls().any(|(_, f)| f.ran() && f.acts.could(Act::Test))
        || view.calls().any(|(call, f)| f.ran() && unsure(f) && view.tests(call).is_none())
    {
        return Support::Leave;
    }
    for (call, facts) in view.calls().filter(|(_, f)| f.ran()) {
        let Some(whole) = view.tests(call) else { continue };
        let all = view.summaries(call);
        if whole.kind == Kind::NoneRun || facts.call.truncated || all.len() > MOST {
            return Support::Leave;
        }
        // A line that is shown as the runner's own has to give this figure in its place.
        let anywhere = !claim.keyed && all.iter().chain([whole]).any(|s| printed(view, call, s, number));
        if anywhere {
            return Support::by(call);
        }
        if field(whole) == Some(count) || all.iter().any(|s| field(s) == Some(count)) {
            return Support::by(call);
        }
        told.extend(all.iter().chain([whole]).filter_map(field));
        if field(whole).is_none() {
            return Support::Leave;
        }
        last = Some((call, *whole));
    }
    let Some((call, whole)) = last else { return Support::Leave };
    // A part of a run may come to any figure up to that of the whole.
    if claim.wide && told.iter().any(|figure| *figure >= count) {
        return Support::Leave;
    }
    // What the person or another output says in these figures is good enough, unless they are too small to tell.
    let hit = claim.needles.iter().find_map(|&id| view.hit(id));
    if sums(&told, count) || hit.is_some_and(|hit| claim.keyed || hit.call.is_none() || count > SMALL) {
        return Support::By(Some(call), None);
    }
    let output = view.facts(call).call.output.as_deref().unwrap_or("");
    Support::Against(format!("the test output says {}", summary_text(&whole, output)), call, Some(whole.text))
}

/// Numbers up to this stand in nearly every output.
const SMALL: u64 = 20;

/// The most summaries of a call that are compared.
const MOST: usize = 64;

/// Whether the line of a summary holds the number, whatever it counts.
fn printed(view: &View<'_, '_>, call: usize, summary: &Summary, number: &Number) -> bool {
    let output = view.facts(call).call.output.as_deref().unwrap_or("");
    let line = crate::text::head(summary.text.of(output), 400);
    let held = numbers::scan(line).any(|(_, n)| n.key() == number.key());
    held
}

/// Whether some of the figures add up to the count: all of them, or any two or three.
fn sums(told: &[u64], count: u64) -> bool {
    let few = told.iter().copied().filter(|n| *n > 0 && *n < count).collect();
    let mut few: Vec<u64> = sorted(few, u64::cmp);
    few.dedup();
    few.truncate(64);
    let all: u64 = few.iter().fold(0, |a, b| a.saturating_add(*b));
    let two = |rest: &[u64], want: u64| rest.iter().any(|a| want.checked_sub(*a).is_some_and(|b| rest.contains(&b)));
    count > 0
        && (all == count
            || two(&few, count)
            || few.iter().any(|a| count.checked_sub(*a).is_some_and(|rest| two(&few, rest))))
}

/// A coverage: some output prints it, or it is rounded from one that is printed.
fn covered(claim: &Found, number: &Number, view: &View<'_, '_>) -> Support {
    let mut last = None;
    let tells = |&(call, facts): &(usize, &Facts<'_>)| view.coverage(call).is_none() && may_tell(facts);
    let unsure = view.shared(Shared::Coverage, || view.calls().find(tells).map(|(call, _)| call));
    for (call, facts) in view.calls() {
        match view.coverage(call) {
            Some(coverage) => {
                let near = |share: &f64| (share - number.value()).abs() <= number.slack() * 1.02;
                if facts.call.truncated || coverage.shares.iter().any(near) {
                    return Support::by(call);
                }
                last = Some((call, coverage));
            }
            None if unsure == Some(call) => return Support::Leave,
            None => {}
        }
    }
    let Some((call, coverage)) = last else { return Support::Leave };
    if let Some(hit) = claim.needles.iter().find_map(|&id| view.hit(id)) {
        return Support::at(hit);
    }
    let text = coverage.text.of(view.facts(call).call.output.as_deref().unwrap_or(""));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let what = crate::text::span::quote(&text, 80);
    Support::Against(format!("the coverage output says {what}"), call, Some(coverage.text))
}

/// Whether a call without a line for the whole may have told of a coverage all the same.
fn may_tell(facts: &Facts<'_>) -> bool {
    let wraps = facts.acts.could(Act::Wrap) || facts.role == Role::Agent;
    wraps && facts.call.output.as_deref().is_some_and(|o| o.contains('%') || o.contains("overage"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_that_is_searched_by_halves_is_sorted() {
        for list in [OTHER, EXAMPLES] {
            assert!(list.windows(2).all(|w| w[0] < w[1]));
        }
    }
}
