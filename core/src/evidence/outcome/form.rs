//! Matches one line of output against a form.
//!
//! A form is text in which a space stands for any white space and `%` opens a hole:
//! `%p` `%f` `%e` `%s` `%t` read a number of passed, failed, erred, skipped or all tests, `%n` any number,
//! `%c` a list of counts (`3 failed, 39 passed`, `Failures: 1, Errors: 0`), `%w` a word, `%d` a duration,
//! `%r` whatever stands before the form's next character, `%*` the rest of the line, and `%%` a percent sign.
//! Every hole reads forward only, so that a line is read once per form.

/// The numbers that a line gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Tests that passed.
    pub passed: Option<u64>,
    /// Tests that failed or erred.
    pub failed: Option<u64>,
    /// Tests that were not run.
    pub skipped: Option<u64>,
    /// Tests in all.
    pub total: Option<u64>,
    /// How many counts the line's list held.
    pub items: u32,
}

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Passed,
    Failed,
    Skipped,
    Total,
    Other,
}

impl Counts {
    /// Adds a count; numbers for the same field add up, as failures and errors do.
    fn add(&mut self, field: Field, n: u64) {
        let place = match field {
            Field::Passed => &mut self.passed,
            Field::Failed => &mut self.failed,
            Field::Skipped => &mut self.skipped,
            Field::Total => &mut self.total,
            Field::Other => return,
        };
        *place = Some(place.unwrap_or(0).saturating_add(n));
    }

    /// Takes over the counts of a further line, unless both give the same field.
    pub(super) fn join(&mut self, other: Counts) -> bool {
        let clash = |a: Option<u64>, b: Option<u64>| a.is_some() && b.is_some();
        if clash(self.passed, other.passed)
            || clash(self.failed, other.failed)
            || clash(self.skipped, other.skipped)
            || clash(self.total, other.total)
        {
            return false;
        }
        self.passed = self.passed.or(other.passed);
        self.failed = self.failed.or(other.failed);
        self.skipped = self.skipped.or(other.skipped);
        self.total = self.total.or(other.total);
        true
    }

    /// Adds the counts of another suite.
    pub(super) fn sum(&mut self, other: Counts) {
        let plus = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (a, b) => a.or(b),
        };
        self.passed = plus(self.passed, other.passed);
        self.failed = plus(self.failed, other.failed);
        self.skipped = plus(self.skipped, other.skipped);
        self.total = plus(self.total, other.total);
    }
}

/// The words that say what a number counts, in lower case. The longest that fits is taken.
const LABELS: [(&str, Field); 69] = [
    ("pass", Field::Passed),
    ("passed", Field::Passed),
    ("passing", Field::Passed),
    ("succeeded", Field::Passed),
    ("success", Field::Passed),
    ("successes", Field::Passed),
    ("successful", Field::Passed),
    ("test passed", Field::Passed),
    ("tests pass", Field::Passed),
    ("tests passed", Field::Passed),
    ("tests successful", Field::Passed),
    ("xpassed", Field::Passed),
    ("error", Field::Failed),
    ("error occurred outside of examples", Field::Failed),
    ("errors", Field::Failed),
    ("errors occurred outside of examples", Field::Failed),
    ("exec failed", Field::Failed),
    ("fail", Field::Failed),
    ("failed", Field::Failed),
    ("failing", Field::Failed),
    ("fails", Field::Failed),
    ("failure", Field::Failed),
    ("failures", Field::Failed),
    ("test failed", Field::Failed),
    ("tests failed", Field::Failed),
    ("timed out", Field::Failed),
    ("unexpected successes", Field::Failed),
    ("canceled", Field::Skipped),
    ("cancelled", Field::Skipped),
    ("did not run", Field::Skipped),
    ("disabled", Field::Skipped),
    ("excluded", Field::Skipped),
    ("expected failures", Field::Skipped),
    ("ignored", Field::Skipped),
    ("incomplete", Field::Skipped),
    ("omissions", Field::Skipped),
    ("pending", Field::Skipped),
    ("pendings", Field::Skipped),
    ("skip", Field::Skipped),
    ("skipped", Field::Skipped),
    ("skips", Field::Skipped),
    ("tests skipped", Field::Skipped),
    ("todo", Field::Skipped),
    ("xfailed", Field::Skipped),
    ("doctest", Field::Total),
    ("doctests", Field::Total),
    ("example", Field::Total),
    ("examples", Field::Total),
    ("properties", Field::Total),
    ("property", Field::Total),
    ("runs", Field::Total),
    ("test", Field::Total),
    ("tests", Field::Total),
    ("tests completed", Field::Total),
    ("tests run", Field::Total),
    ("total", Field::Total),
    ("assertion", Field::Other),
    ("assertions", Field::Other),
    ("deprecations", Field::Other),
    ("deselected", Field::Other),
    ("filtered out", Field::Other),
    ("flaky", Field::Other),
    ("measured", Field::Other),
    ("notifications", Field::Other),
    ("rerun", Field::Other),
    ("risky", Field::Other),
    ("subtests passed", Field::Other),
    ("warning", Field::Other),
    ("warnings", Field::Other),
];

/// A place in a line that moves forward.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or(&[])
    }

    fn literal(&mut self, want: u8) -> bool {
        let same = self.peek() == Some(want);
        self.at += usize::from(same);
        same
    }

    fn spaces(&mut self) -> bool {
        let start = self.at;
        while self.peek().is_some_and(|b| b == b' ' || b == b'\t') {
            self.at += 1;
        }
        self.at > start
    }

    /// A whole number with or without commas between its groups.
    fn number(&mut self) -> Option<u64> {
        let start = self.at;
        let mut value: u64 = 0;
        while let Some(b) = self.peek() {
            if b.is_ascii_digit() {
                value = value.checked_mul(10)?.checked_add(u64::from(b - b'0'))?;
            } else if b != b',' || !self.groups() {
                break;
            }
            self.at += 1;
        }
        (self.at > start).then_some(value)
    }

    /// The comma here stands before a group of exactly three digits.
    fn groups(&self) -> bool {
        let digit = |i: usize| self.bytes.get(self.at + i).is_some_and(u8::is_ascii_digit);
        digit(1) && digit(2) && digit(3) && !digit(4)
    }

    fn label(&mut self) -> Option<Field> {
        let rest = self.rest();
        let mut best: Option<(usize, Field)> = None;
        for (word, field) in LABELS {
            let fits = rest.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
                && !rest.get(word.len()).is_some_and(u8::is_ascii_alphanumeric);
            if fits && best.is_none_or(|(len, _)| word.len() > len) {
                best = Some((word.len(), field));
            }
        }
        let (len, field) = best?;
        self.at += len;
        Some(field)
    }

    /// `3 failed`, `Failures: 1`, `failures=1` or `failed 1`.
    fn item(&mut self, counts: &mut Counts) -> bool {
        let start = self.at;
        let read = if self.peek().is_some_and(|b| b.is_ascii_digit()) {
            let n = self.number();
            self.spaces();
            n.zip(self.label())
        } else {
            let field = self.label();
            self.spaces();
            if self.peek().is_some_and(|b| b == b':' || b == b'=') {
                self.at += 1;
            }
            self.spaces();
            self.number().zip(field)
        };
        if let Some((n, field)) = read {
            counts.add(field, n);
            counts.items += 1;
        } else {
            self.at = start;
        }
        read.is_some()
    }

    /// Counts with a comma, semicolon, bar, slash or `and` between them.
    fn list(&mut self, counts: &mut Counts) -> bool {
        if !self.item(counts) {
            return false;
        }
        loop {
            let end = self.at;
            let spaced = self.spaces();
            if self.peek().is_some_and(|b| matches!(b, b',' | b';' | b'|' | b'/')) {
                self.at += 1;
            } else if spaced && self.rest().starts_with(b"and ") {
                self.at += 4;
            } else {
                self.at = end;
                return true;
            }
            self.spaces();
            if !self.item(counts) {
                self.at = end;
                return true;
            }
        }
    }

    /// `0.018s`, `30 ms`, `2.1 seconds`.
    fn duration(&mut self) -> bool {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit() || b == b'.') {
            self.at += 1;
        }
        if self.at == start {
            return false;
        }
        self.spaces();
        let letters = self.rest().iter().take_while(|b| b.is_ascii_alphabetic() || **b >= 0x80).count();
        self.at += letters;
        (1..=7).contains(&letters)
    }

    fn until(&mut self, stop: impl Fn(u8) -> bool) -> bool {
        let start = self.at;
        while self.peek().is_some_and(|b| !stop(b)) {
            self.at += 1;
        }
        self.at > start
    }

    fn hole(&mut self, kind: u8, next: u8, counts: &mut Counts) -> bool {
        let field = match kind {
            b'c' => return self.list(counts),
            b'd' => return self.duration(),
            b'w' => return self.until(|b| b == b' ' || b == b'\t' || b == next),
            b'r' => return self.until(|b| b == next),
            b'p' => Field::Passed,
            b'f' | b'e' => Field::Failed,
            b's' => Field::Skipped,
            b't' => Field::Total,
            _ => Field::Other,
        };
        match self.number() {
            Some(n) => {
                counts.add(field, n);
                true
            }
            None => false,
        }
    }
}

/// The counts of a line that has this form, or `None` when it has not.
pub(super) fn fit(form: &str, line: &str) -> Option<Counts> {
    let form = form.as_bytes();
    let mut reader = Reader { bytes: line.as_bytes(), at: 0 };
    let mut counts = Counts::default();
    let mut i = 0;
    while let Some(&want) = form.get(i) {
        i += 1;
        let fits = match want {
            b'%' => {
                let kind = form.get(i).copied().unwrap_or(b'*');
                i += 1;
                match kind {
                    b'*' => return Some(counts),
                    b'%' => reader.literal(b'%'),
                    _ => reader.hole(kind, form.get(i).copied().unwrap_or(0), &mut counts),
                }
            }
            b' ' => reader.spaces(),
            _ => reader.literal(want),
        };
        if !fits {
            return None;
        }
    }
    (reader.at == line.len()).then_some(counts)
}
