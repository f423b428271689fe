//! The scanner for test runs: lines become events, events of one runner become a summary.

use super::form::{fit, Counts};
use super::lines::{self, Line};
use super::table::{Family, Row, Says, TESTS};
use super::{Kind, Summary};
use crate::text::span::Span;

/// Lines of one summary are no further apart; between them stand the details of failing tests.
const APART: usize = 400;

/// A summary that further lines may still add to.
struct Open {
    family: Family,
    counts: Counts,
    says: Option<Kind>,
    /// It counts only once it gives both passed and failed.
    loose: bool,
    text: Span,
    line: usize,
}

/// Test points of the Test Anything Protocol.
#[derive(Default)]
struct Points {
    plan: Option<(Span, bool)>,
    ok: u64,
    not_ok: u64,
    skipped: u64,
    failing: Option<Span>,
}

/// How summaries begin.
static STARTS: lines::Starts = {
    let (mut starts, mut i) = ([0; 256], 0);
    while i < TESTS.len() {
        starts = lines::note(starts, TESTS[i].form);
        i += 1;
    }
    starts
};

/// Whether a line may begin a summary, a test point or an event.
fn begins(line: &[u8]) -> bool {
    match line {
        [b'{', ..] | [b'o', b'k', ..] | [b'n', b'o', ..] => true,
        [b'0'..=b'9', ..] => {
            let digits = line.iter().take_while(|b| b.is_ascii_digit() || matches!(b, b',' | b'%')).count();
            matches!(line[digits..], [] | [b':' | b' ' | b'.', ..])
        }
        _ => lines::starts(&STARTS, line),
    }
}

/// One pass over an output.
pub(super) struct Scan<F> {
    give: F,
    open: Option<Open>,
    points: Points,
    playwright: bool,
    given: bool,
}

impl<F: FnMut(Family, Summary)> Scan<F> {
    /// Gives every summary of a test run, in order.
    pub(super) fn over(output: &str, give: F) {
        let mut scan = Scan { give, open: None, points: Points::default(), playwright: false, given: false };
        lines::each(output, begins, |line| scan.line(line));
        scan.close();
        scan.close_points();
    }

    fn line(&mut self, line: Line<'_>) {
        let Some(&first) = line.text.as_bytes().first() else { return };
        if first == b'{' {
            return self.go_event(line);
        }
        if line.flush {
            self.points.read(line);
        }
        if STARTS[usize::from(first)] == 0 || (first.is_ascii_digit() && !counts_something(line.text)) {
            return;
        }
        for row in TESTS {
            let starts = match row.form.as_bytes().first() {
                Some(b'%') => first.is_ascii_digit(),
                start => start == Some(&first),
            };
            if !starts {
                continue;
            }
            if let Some(counts) = fit(row.form, line.text) {
                if self.event(row, counts, line) {
                    return;
                }
            }
        }
    }

    /// Takes a line up; `false` when it says nothing where it stands.
    fn event(&mut self, row: &Row, counts: Counts, line: Line<'_>) -> bool {
        let continues = self.open.as_ref().is_some_and(|open| {
            open.family == row.family && line.number - open.line <= APART && row.says != Says::Start
        });
        match row.says {
            Says::Part | Says::PartPass if !continues => return false,
            Says::Counts if !plausible(row.family, counts, line.text) => return false,
            Says::Names if row.family == Family::Playwright => {
                self.playwright = true;
                return true;
            }
            _ => {}
        }
        let says = match row.says {
            Says::Pass | Says::PartPass => Some(Kind::Passed),
            Says::Fail => Some(Kind::Failed),
            Says::None => Some(Kind::NoneRun),
            _ => None,
        };
        if continues && joins_lines(row.family) {
            if let Some(open) = self.open.as_mut() {
                if open.join(row.says, says, counts, line) {
                    return true;
                }
            }
        }
        self.close();
        let known = row.family == Family::Playwright && self.playwright;
        let loose = matches!(row.says, Says::Loose | Says::Names) && !known;
        self.open = Some(Open { family: row.family, counts, says, loose, text: line.span, line: line.number });
        true
    }

    /// A line of `go test -json` that ends a package.
    fn go_event(&mut self, line: Line<'_>) {
        let text = line.text;
        if !text.contains("\"Action\":\"") || text.contains("\"Test\":\"") || !text.contains("\"Package\":\"") {
            return;
        }
        let kind = if text.contains("\"Action\":\"fail\"") {
            Kind::Failed
        } else if text.contains("\"Action\":\"pass\"") {
            Kind::Passed
        } else {
            return;
        };
        self.close();
        self.emit(Family::Go, kind, Counts::default(), line.span);
    }

    /// Ends the open summary and gives it, when it says enough.
    fn close(&mut self) {
        let Some(Open { family, mut counts, says, loose, text, .. }) = self.open.take() else { return };
        if loose && (counts.passed.is_none() || counts.failed.is_none()) {
            return;
        }
        if family == Family::JestSuites {
            if counts.failed.unwrap_or(0) > 0 {
                self.emit(family, Kind::Failed, Counts::default(), text);
            }
            return;
        }
        let failed = counts.failed.unwrap_or(0);
        let skipped = counts.skipped.unwrap_or(0);
        if counts.passed.is_none() && (counts.failed.is_some() || says == Some(Kind::Passed)) {
            counts.passed = counts.total.map(|total| total.saturating_sub(failed).saturating_sub(skipped));
        }
        let none = counts.passed.unwrap_or(0) == 0
            && (counts.passed.is_some() || counts.total == Some(0) || counts.skipped.is_some() || counts.items > 0);
        let kind = match says {
            Some(Kind::Failed) => Kind::Failed,
            Some(Kind::Passed) if none && failed == 0 => Kind::NoneRun,
            Some(kind) => kind,
            None if failed > 0 => Kind::Failed,
            None if counts.passed.unwrap_or(0) > 0 => Kind::Passed,
            None if none => Kind::NoneRun,
            // A single `0 failed` or a number of tests alone tells nothing.
            None => return,
        };
        self.emit(family, kind, counts, text);
    }

    fn emit(&mut self, family: Family, kind: Kind, counts: Counts, text: Span) {
        self.given = true;
        (self.give)(family, super::summary(kind, counts, text));
    }

    /// Test points count where their plan is in the output and no runner summed them up.
    fn close_points(&mut self) {
        let Points { plan: Some((plan, empty)), ok, not_ok, skipped, failing } = core::mem::take(&mut self.points)
        else {
            return;
        };
        if self.given || (ok + not_ok + skipped == 0 && !empty) {
            return;
        }
        let counts = Counts {
            passed: Some(ok),
            failed: Some(not_ok),
            skipped: Some(skipped),
            total: Some(ok + not_ok + skipped),
            items: 0,
        };
        let kind = match (not_ok, ok) {
            (0, 0) => Kind::NoneRun,
            (0, _) => Kind::Passed,
            _ => Kind::Failed,
        };
        self.emit(Family::Tap, kind, counts, failing.unwrap_or(plan));
    }
}

impl Open {
    fn join(&mut self, row: Says, says: Option<Kind>, counts: Counts, line: Line<'_>) -> bool {
        if says.is_some() && self.says.is_some() && row != Says::Fail {
            return false;
        }
        if !self.counts.join(counts) {
            return false;
        }
        self.says = match (self.says, says) {
            (Some(Kind::Failed), _) | (_, Some(Kind::Failed)) => Some(Kind::Failed),
            (a, b) => b.or(a),
        };
        if says == Some(Kind::Failed) || counts.failed.unwrap_or(0) > 0 {
            self.text = line.span;
        }
        if matches!(row, Says::Names | Says::Counts) {
            self.loose = false;
        }
        self.line = line.number;
        true
    }
}

impl Points {
    /// `1..12`, `ok 1 - x`, `not ok 2 - y # TODO`.
    fn read(&mut self, line: Line<'_>) {
        let text = line.text;
        let (good, rest) = match (text.strip_prefix("ok "), text.strip_prefix("not ok ")) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            _ => {
                let end = text.strip_prefix("1..").map(|n| n.split(' ').next().unwrap_or(""));
                if let Some(n) = end.filter(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())) {
                    self.plan = Some((line.span, n == "0"));
                }
                return;
            }
        };
        if !rest.starts_with(|c: char| c.is_ascii_digit()) {
            return;
        }
        let directive = rest.rsplit_once("# ").map_or("", |(_, words)| words);
        let is = |word: &str| directive.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
        if is("skip") || is("todo") {
            self.skipped += 1;
        } else if good {
            self.ok += 1;
        } else {
            self.not_ok += 1;
            self.failing.get_or_insert(line.span);
        }
    }
}

/// A line that begins with a number is looked at only when a letter, `%` or `:` comes soon behind it.
fn counts_something(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | '%'));
    match rest.as_bytes() {
        [b':', ..] => true,
        [b' ', rest @ ..] => rest.first().is_some_and(u8::is_ascii_alphabetic),
        _ => false,
    }
}

/// Its summary takes several lines.
fn joins_lines(family: Family) -> bool {
    use Family::*;
    matches!(
        family,
        Unittest | Mocha | Node | JUnit | Dotnet | Bun | Playwright | Cypress | Google | Meson | Clojure | Prove
    )
}

/// A bare list of counts is a summary of tests only when it speaks of tests or of passing.
fn plausible(family: Family, counts: Counts, text: &str) -> bool {
    let holds = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let decides = counts.passed.is_some() || counts.failed.is_some();
    match family {
        Family::Pytest => !holds(&["succe"]) && (decides || counts.skipped.is_some() || holds(&["deselected"])),
        Family::Examples => {
            text.starts_with(|c: char| c.is_ascii_digit())
                && !holds(&["succe"])
                && holds(&["pass", "test", "example", "doctest", "propert"])
                && (counts.passed.is_some() || (counts.total.is_some() && counts.failed.is_some()))
        }
        _ => true,
    }
}
