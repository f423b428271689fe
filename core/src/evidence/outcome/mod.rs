//! What a test or build run's output says of itself.
//!
//! # Contract
//! Only the shapes in which a runner sums up a run count (`table`); a log line that holds the word “failed” or
//! “error” says nothing. A false “failed” would accuse an honest reply, so that the failing side is strict, and
//! [`pass_words`] is lenient on the passing side. One pass over the output, whatever it holds; nothing is kept of it
//! but counts and places.

mod broken;
mod form;
mod lines;
mod table;
mod tests_run;
mod written;

use crate::text::span::{quote, Span};
use alloc::string::String;
use alloc::vec::Vec;
use form::fit;
use memchr::memmem::Finder;
use table::{Built, Says, BUILDS, CHECKS};
use tests_run::Scan;
pub use written::tests_in;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Something ran and nothing failed.
    Passed,
    /// Something failed.
    Failed,
    /// No test ran: none was found, collected or left after filters and skips.
    NoneRun,
}

/// What a run says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// How it ended.
    pub kind: Kind,
    /// How many passed, where it says so or its other counts do.
    pub passed: Option<u64>,
    /// How many failed or erred.
    pub failed: Option<u64>,
    /// How many were not run.
    pub skipped: Option<u64>,
    /// How many there were.
    pub total: Option<u64>,
    /// The line of the output that says so.
    pub text: Span,
}

/// The most summaries that [`all_tests`] gives.
const MOST: usize = 256;

/// What the test runs in an output say as a whole: failed when one of them failed, passed when one passed.
///
/// Counts of several suites are added up where the runner prints no sum itself; the text is that of the last
/// summary that decides.
pub fn tests(output: &str) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    let mut sums: Vec<(table::Family, form::Counts)> = Vec::new();
    Scan::over(output, |family, summary| {
        let counts = form::Counts {
            passed: summary.passed,
            failed: summary.failed,
            skipped: summary.skipped,
            total: summary.total,
            items: 0,
        };
        match sums.iter_mut().find(|(f, _)| *f == family) {
            Some((_, sum)) if family.adds() => sum.sum(counts),
            Some((_, last)) => *last = counts,
            None => sums.push((family, counts)),
        }
        // `error: test failed, to rerun …` behind a summary with counts says less than that.
        let tells =
            |w: Summary| weight(summary.kind) > weight(w.kind) || summary.failed.is_some() || w.failed.is_none();
        if whole.is_none_or(|w| weight(summary.kind) >= weight(w.kind) && tells(w)) {
            whole = Some(summary);
        }
    });
    let mut all = form::Counts::default();
    for (_, counts) in &sums {
        all.sum(*counts);
    }
    let whole = whole.or_else(|| broken::task(output).map(|text| summary(Kind::Failed, all, text)));
    whole.map(|whole| Summary {
        passed: all.passed,
        failed: all.failed,
        skipped: all.skipped,
        total: all.total,
        ..whole
    })
}

/// A run in the output, or all of them together, gives `n` as the number of tests that passed or that there were.
pub fn gives(output: &str, n: u64) -> bool {
    let holds = |summary: &Summary| [summary.passed, summary.total].contains(&Some(n));
    let mut any = false;
    Scan::over(output, |_, summary| any |= holds(&summary));
    any || tests(output).is_some_and(|whole| holds(&whole))
}

fn weight(kind: Kind) -> u8 {
    match kind {
        Kind::NoneRun => 0,
        Kind::Passed => 1,
        Kind::Failed => 2,
    }
}

/// Every summary of a test run in an output, in order. Of more than 256 the first 255 and the last are given, and a
/// failing one is never left out for a passing one.
pub fn all_tests(output: &str) -> Vec<Summary> {
    let mut all: Vec<Summary> = Vec::new();
    Scan::over(output, |_, summary| {
        if all.len() < MOST {
            all.push(summary);
        } else if let Some(last) = all.last_mut() {
            if weight(summary.kind) >= weight(last.kind) {
                *last = summary;
            }
        }
    });
    all
}

/// How the forms of a table begin.
const fn starts<T: Copy>(table: &[(T, &str)]) -> lines::Starts {
    let (mut starts, mut i) = ([0; 256], 0);
    while i < table.len() {
        starts = lines::note(starts, table[i].1);
        i += 1;
    }
    starts
}

static BUILD_STARTS: lines::Starts = starts(BUILDS);
static CHECK_STARTS: lines::Starts = starts(CHECKS);

/// Words that tell of a build wherever they stand in a line; without any of them its first byte decides.
const ANYWHERE: [&str; 4] = ["error", ".go:", " naming to ", "Execution failed for task '"];

/// What the builds in an output say: the last word counts, as a failed attempt may be followed by a good one.
///
/// The failure of a tool that runs tests as well (`make`, `gradle`, `mvn`) is no failed build where tests failed.
pub fn build(output: &str) -> Option<Summary> {
    build_with(output, &BuildWords::new())
}

/// [`ANYWHERE`], ready to be looked for in many outputs.
pub(crate) struct BuildWords([Finder<'static>; ANYWHERE.len()]);

impl BuildWords {
    pub(crate) fn new() -> Self {
        BuildWords(ANYWHERE.map(Finder::new))
    }
}

/// What [`build`] says.
pub(crate) fn build_with(output: &str, words: &BuildWords) -> Option<Summary> {
    let bytes = output.as_bytes();
    // Colours may stand between the words.
    let anywhere = memchr::memchr(0x1b, bytes).is_some() || words.0.iter().any(|words| words.find(bytes).is_some());
    let begins = |line: &[u8]| anywhere || lines::starts(&BUILD_STARTS, line);
    let (mut last, mut other, mut unsure) = (None, false, false);
    let mut package = false;
    lines::each(output, begins, |line| {
        let said = built(&line, package);
        package = line.flush && line.text.starts_with("# ");
        let (kind, counts) = match said {
            None => return,
            Some((Built::Other, _)) => {
                other = true;
                return;
            }
            Some((Built::Run, _)) if matches!(last, Some(Summary { kind: Kind::Failed, .. })) => return,
            Some((Built::Pass, counts)) => (Kind::Passed, counts),
            Some((_, counts)) => (Kind::Failed, counts),
        };
        unsure = said.is_some_and(|(built, _)| built == Built::Run);
        last = Some(summary(kind, counts, line.span));
    });
    let tests_failed = || other || tests(output).is_some_and(|tests| tests.kind == Kind::Failed);
    last.filter(|_| !unsure || !tests_failed())
}

fn built(line: &lines::Line<'_>, package: bool) -> Option<(Built, form::Counts)> {
    let text = line.text;
    let first = *text.as_bytes().first()?;
    if BUILD_STARTS[usize::from(first)] != 0 {
        for (said, form) in BUILDS {
            let open = form.as_bytes().first() == Some(&first);
            if let Some(counts) = open.then(|| fit(form, text)).flatten() {
                return Some(match said {
                    Built::Fail if counts.failed == Some(0) => (Built::Pass, counts),
                    Built::Fail if text.contains("(checked ") => return None,
                    Built::Run if names_tests(text) => (Built::Other, counts),
                    said => (*said, counts),
                });
            }
        }
    }
    let fails = compiler_error(text) || (package && go_error(text));
    if fails {
        return Some((Built::Fail, form::Counts::default()));
    }
    if text.contains("Execution failed for task '") && names_tests(text) {
        return Some((Built::Other, form::Counts::default()));
    }
    text.contains(" naming to ").then(|| (Built::Pass, form::Counts::default()))
}

/// `make: *** [Makefile:3: test] Error 1` is no failed build.
fn names_tests(text: &str) -> bool {
    ["test", "Test", "check", "lint", "Lint"].iter().any(|word| text.contains(word))
}

/// `x.c:3:5: error: …`, `x.cs(3,4): error CS0103: …`. Not those of python's checkers.
fn compiler_error(text: &str) -> bool {
    let Some(at) = text.find("error") else { return false };
    let (before, after) = text.split_at(at);
    let code = after.strip_prefix("error ").map_or("", |rest| rest.split(':').next().unwrap_or(""));
    let letters = code.bytes().take_while(u8::is_ascii_uppercase).count();
    let coded =
        (1..=4).contains(&letters) && code.len() > letters && code.bytes().skip(letters).all(|b| b.is_ascii_digit());
    let place = before.trim_end_matches([' ', '-']).trim_end_matches(':').trim_end_matches(" fatal");
    let place = place.trim_end_matches(':');
    if coded {
        return place.ends_with(')') || place.ends_with(|c: char| c.is_ascii_digit());
    }
    let numbered = place.rsplit_once(':').is_some_and(|(path, n)| {
        // A time of day in front of a log line is no place in a file.
        path.contains(['.', '/'])
            && path.contains(char::is_alphabetic)
            && !path.contains(' ')
            && !n.is_empty()
            && n.bytes().all(|b| b.is_ascii_digit())
    });
    numbered && after.starts_with("error: ") && !place.contains(".py:")
}

/// `./main.go:12:3: undefined: x`, which counts after the line `# package`.
fn go_error(text: &str) -> bool {
    let Some((path, rest)) = text.split_once(".go:") else { return false };
    let mut parts = rest.splitn(3, ':');
    let mut number = || parts.next().is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    !path.contains(' ') && number() && number() && parts.next().is_some_and(|says| says.starts_with(' '))
}

/// What linters and type checkers in an output say; failed when one of them counted errors.
pub fn checks(output: &str) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    let begins = |line: &[u8]| lines::starts(&CHECK_STARTS, line);
    lines::each(output, begins, |line| {
        let first = line.text.as_bytes().first().copied().unwrap_or(0);
        if CHECK_STARTS[usize::from(first)] == 0 {
            return;
        }
        let Some((says, counts)) = CHECKS.iter().find_map(|(says, form)| Some((says, fit(form, line.text)?))) else {
            return;
        };
        let failed = *says != Says::Pass && counts.failed.unwrap_or(0) > 0;
        let kind = if failed { Kind::Failed } else { Kind::Passed };
        if whole.is_none_or(|w| weight(kind) >= weight(w.kind)) {
            whole = Some(summary(kind, counts, line.span));
        }
    });
    whole
}

fn summary(kind: Kind, counts: form::Counts, text: Span) -> Summary {
    let form::Counts { passed, failed, skipped, total, .. } = counts;
    Summary { kind, passed, failed, skipped, total, text }
}

/// A short quote of a summary: one line, without colours and rulers, of at most 80 characters.
pub fn summary_text(summary: &Summary, output: &str) -> String {
    let mut plain = String::new();
    lines::push_plain(summary.text.of(output), &mut plain);
    let words: Vec<&str> = lines::bare(plain.trim()).split_whitespace().collect();
    quote(&words.join(" "), 80)
}

/// Words of success.
const GOOD: [&str; 15] = [
    "correct",
    "green",
    "ok",
    "okay",
    "pass",
    "passed",
    "passes",
    "passing",
    "succeeded",
    "succeeds",
    "success",
    "successes",
    "successful",
    "successfully",
    "verified",
];

/// Words after which `true` is a success: `Match: True`.
const BEFORE_TRUE: [&str; 10] =
    ["correct", "equal", "match", "matched", "matches", "ok", "passed", "result", "success", "valid"];

/// Words before a word of success that turn it round.
const NOT: [&str; 12] =
    ["0", "cannot", "didn't", "doesn't", "isn't", "never", "no", "none", "not", "wasn't", "without", "zero"];

/// An output that says in any way that something passed: `all tests passed`, `OK (12 tests)`, `Match: True`, `✓`.
///
/// It is generous on purpose: what it finds only ever supports.
pub fn pass_words(output: &str) -> bool {
    let mut good = false;
    let mut before: [u8; 8] = [0; 8];
    let mut length = 0;
    for word in output.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '✓' | '✔' | '✅' | '☑' | '🎉')))
    {
        if word.is_empty() {
            continue;
        }
        let previous = |list: &[&str]| {
            let word = core::str::from_utf8(before.get(..length).unwrap_or(&[])).unwrap_or("");
            list.binary_search(&word).is_ok()
        };
        good = (!word.is_ascii() && word.contains(['✓', '✔', '✅', '☑', '🎉']))
            || (is_good(word) && !previous(&NOT))
            || (word.eq_ignore_ascii_case("true") && previous(&BEFORE_TRUE));
        if good {
            break;
        }
        length = if word.len() <= before.len() { word.len() } else { 0 };
        for (slot, byte) in before.iter_mut().zip(word.bytes().take(length)) {
            *slot = byte.to_ascii_lowercase();
        }
    }
    good
}

fn is_good(word: &str) -> bool {
    let first = word.as_bytes().first().map(u8::to_ascii_lowercase);
    (2..=12).contains(&word.len())
        && GOOD.iter().any(|good| good.as_bytes().first() == first.as_ref() && good.eq_ignore_ascii_case(word))
}
