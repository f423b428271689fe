//! What can be counted in an output: lines, rows, items, hits a file, lengths of lists.
//!
//! Every count that a person could make by looking at the output is taken up; a claimed number is then looked up.
//! One pass, and as much memory as there are different counts.

mod tally;

use alloc::collections::BTreeSet;
use tally::{Tally, LONGEST};

/// The longest member of an object that is counted.
const MEMBER: usize = 64;

/// The deepest nesting of lists and objects that is followed.
const DEEPEST: usize = 256;

/// Counts below this are kept as bits.
const SMALL: u64 = 1024;

/// The counts that an output allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Countables {
    small: [u64; SMALL as usize / 64],
    large: BTreeSet<u64>,
}

impl Countables {
    /// Counts what there is to count.
    pub fn of(output: &str) -> Self {
        let mut all = Countables { small: [0; SMALL as usize / 64], large: BTreeSet::new() };
        all.lines(output);
        all.lists(output);
        all
    }

    /// The counts, in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let set = |mut bits: u64| {
            core::iter::from_fn(move || {
                let bit = bits.trailing_zeros();
                bits &= bits.wrapping_sub(1);
                (bit < 64).then_some(u64::from(bit))
            })
        };
        let small = self.small.iter().zip(0..).flat_map(move |(&bits, word)| set(bits).map(move |bit| word * 64 + bit));
        small.chain(self.large.iter().copied())
    }

    /// Something in the output occurs so many times.
    pub fn holds(&self, n: u64) -> bool {
        match self.small.get(n as usize / 64).filter(|_| n < SMALL) {
            Some(bits) => bits >> (n % 64) & 1 == 1,
            None => self.large.contains(&n),
        }
    }

    fn add(&mut self, n: u64) {
        match self.small.get_mut(n as usize / 64).filter(|_| n < SMALL) {
            Some(bits) => *bits |= 1 << (n % 64),
            None => drop(self.large.insert(n)),
        }
    }

    /// Rows may have a header, a ruler and a closing line that do not count.
    fn add_rows(&mut self, n: u64) {
        match n {
            0..=60 => self.small[0] |= (0b1111 << n) >> 3,
            _ => (0..=3).for_each(|less| self.add(n - less)),
        }
    }

    fn lines(&mut self, output: &str) {
        let mut seen = Lines::default();
        let bytes = output.as_bytes();
        let next =
            |one, other| Next { bytes: [one, other], at: memchr::memchr2(one, other, bytes).unwrap_or(bytes.len()) };
        let (mut commas, mut colons, mut bars) = (next(b',', b','), next(b':', b':'), next(b'|', b'\t'));
        let mut start = 0;
        while start < bytes.len() {
            let end = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |i| start + i);
            let holds = Holds {
                comma: commas.within(bytes, start, end),
                colon: colons.within(bytes, start, end),
                bar: bars.within(bytes, start, end),
            };
            seen.line(output.get(start..end).unwrap_or(""), holds, self);
            start = end + 1;
        }
        seen.group_ends(self);
        self.add(seen.all);
        self.add_rows(seen.full);
        if seen.full > 0 {
            self.add(seen.full + 1);
        }
        self.add(seen.paragraphs);
        self.add(seen.items);
        self.add_rows(seen.rows);
        self.add(seen.paths);
        self.add(seen.sum);
        self.add(seen.with_hits);
        self.add(seen.dots);
        self.add(seen.marks);
        self.add(seen.names);
        for count in seen.first.counts().chain(seen.last.counts()) {
            self.add(count);
        }
    }

    /// Lengths of lists and objects in JSON and in what looks like it. Commas in strings do not count.
    fn lists(&mut self, output: &str) {
        let mut open: [(u64, bool); DEEPEST] = [(0, false); DEEPEST];
        let (mut depth, mut string, mut escaped, mut values) = (0usize, false, false, 0u64);
        let bytes = output.as_bytes();
        let (mut at, mut start) = (0, 0);
        // Members and items of JSON that are the same: `"state": "open"`.
        let json = output.trim_start().starts_with(['{', '[']);
        let mut same = Tally::default();
        while let Some(&b) = bytes.get(at) {
            at += 1;
            // Outside of brackets only an opening one tells anything.
            if depth == 0 && !matches!(b, b'[' | b'{') {
                at = memchr::memchr2(b'[', b'{', &bytes[at..]).map_or(bytes.len(), |i| at + i);
                continue;
            }
            if string {
                string = (escaped || b != b'"') && b != b'\n';
                escaped = b == b'\\' && !escaped;
                continue;
            }
            if json && matches!(b, b'[' | b'{' | b']' | b'}' | b',') {
                same.up_to(output.get(start..at - 1).unwrap_or("").trim(), MEMBER);
                start = at;
            }
            match b {
                b'[' | b'{' => {
                    if let Some((_, filled)) = depth.checked_sub(1).and_then(|i| open.get_mut(i)) {
                        *filled = true;
                    }
                    if let Some(slot) = open.get_mut(depth) {
                        *slot = (0, false);
                    }
                    depth += 1;
                }
                b']' | b'}' if depth > 0 => {
                    depth -= 1;
                    if let Some((commas, filled)) = open.get(depth) {
                        let n = commas + u64::from(*filled);
                        self.add(n);
                    }
                    values += u64::from(depth == 0);
                }
                b',' => {
                    if let Some((commas, filled)) = depth.checked_sub(1).and_then(|i| open.get_mut(i)) {
                        *commas += 1;
                        // A comma before the closing bracket adds no item.
                        *filled = false;
                    }
                }
                _ if b.is_ascii_whitespace() => {}
                _ => {
                    (string, escaped) = (b == b'"' && depth > 0, false);
                    if let Some((_, filled)) = depth.checked_sub(1).and_then(|i| open.get_mut(i)) {
                        *filled = true;
                    }
                }
            }
        }
        self.add(values);
        for count in same.counts() {
            self.add(count);
        }
    }
}

/// The next place of one or two bytes, so that lines without them are not searched.
struct Next {
    bytes: [u8; 2],
    at: usize,
}

impl Next {
    /// Whether one of the bytes stands in a line; lines are asked for in their order.
    fn within(&mut self, text: &[u8], start: usize, end: usize) -> bool {
        if self.at < start {
            let [one, other] = self.bytes;
            self.at = memchr::memchr2(one, other, &text[start..]).map_or(text.len(), |i| start + i);
        }
        self.at < end
    }
}

/// Which of the marks stand in a line.
#[derive(Clone, Copy)]
struct Holds {
    comma: bool,
    colon: bool,
    /// A bar or a tab.
    bar: bool,
}

/// Running counts over lines.
#[derive(Default)]
struct Lines<'t> {
    all: u64,
    full: u64,
    paragraphs: u64,
    items: u64,
    rows: u64,
    paths: u64,
    hits: u64,
    sum: u64,
    with_hits: u64,
    dots: u64,
    marks: u64,
    names: u64,
    in_paragraph: u64,
    path: &'t str,
    first: Tally<'t>,
    last: Tally<'t>,
}

impl<'t> Lines<'t> {
    fn line(&mut self, line: &'t str, holds: Holds, counts: &mut Countables) {
        self.all += 1;
        let text = trim(line);
        if text.is_empty() {
            counts.add_rows(self.in_paragraph);
            self.in_paragraph = 0;
            return;
        }
        self.full += 1;
        self.paragraphs += u64::from(self.in_paragraph == 0);
        self.in_paragraph += 1;
        self.items += u64::from(item(text));
        let bytes = text.as_bytes();
        let bars = holds.bar && (memchr::memchr(b'\t', bytes).is_some() || text.contains(" | "));
        self.rows += u64::from(bars || text.starts_with(['|', '│', '┃']));
        if holds.comma {
            counts.add(memchr::memchr_iter(b',', bytes).count() as u64 + 1);
        }
        if holds.colon {
            self.grep(text, counts);
        }
        self.progress(text);
        self.names(line, counts);
        let end = bytes.iter().take(LONGEST + 1).position(u8::is_ascii_whitespace).unwrap_or(bytes.len());
        self.first.add(&text[..end]);
        let from = bytes.len().saturating_sub(LONGEST + 1);
        let start = bytes[from..].iter().rposition(u8::is_ascii_whitespace).map_or(0, |i| from + i + 1);
        self.last.add(&text[start..]);
        // The first column of `ls -l` and of a diff.
        self.first.add(text.get(..1).unwrap_or(""));
    }

    /// `path:12:text`, `path:3`: hits a file, files with hits, and the sum of counts.
    fn grep(&mut self, text: &'t str, counts: &mut Countables) {
        let Some(colon) = memchr::memchr(b':', text.as_bytes()) else { return };
        let path = &text[..colon];
        if path != self.path {
            self.group_ends(counts);
            self.path = path;
            self.paths += 1;
        }
        self.hits += 1;
        if !text.as_bytes().last().is_some_and(u8::is_ascii_digit) {
            return;
        }
        let last = memchr::memrchr(b':', text.as_bytes()).unwrap_or(colon);
        if let Ok(n) = text[last + 1..].trim().parse::<u64>() {
            self.sum = self.sum.saturating_add(n);
            self.with_hits += u64::from(n > 0);
        }
    }

    fn group_ends(&mut self, counts: &mut Countables) {
        counts.add(self.hits);
        counts.add_rows(self.in_paragraph);
        self.hits = 0;
    }

    /// Names side by side, as `echo *` and `ls` in columns give them: those of the line and of all such lines.
    fn names(&mut self, line: &str, counts: &mut Countables) {
        let (mut all, mut marked) = (0, 0);
        for word in line.split_ascii_whitespace() {
            let bytes = word.as_bytes();
            let ends = matches!(bytes.last(), Some(b'.' | b'-' | b'='));
            let plain = |b: &u8| b.is_ascii_alphanumeric() || *b >= 0x80 || b"._-/~@+*$\\#=".contains(b);
            if ends || !bytes.iter().any(|b| b.is_ascii_alphabetic() || *b >= 0x80) || !bytes.iter().all(plain) {
                return;
            }
            all += 1;
            marked += u64::from(bytes.iter().any(|b| matches!(b, b'.' | b'/' | b'_' | b'-')));
        }
        // Most lines are not such ones, so that columns are looked for last.
        if all > 1 && (3 * marked >= all || line.contains("  ") || line.contains('\t')) {
            self.names += all;
            counts.add(all);
        }
    }

    /// The dots and letters of pytest, unittest and rspec: `..s..F.. [ 60%]`.
    fn progress(&mut self, text: &str) {
        let marks = text.bytes().take_while(|b| matches!(b, b'.' | b's' | b'x' | b'X' | b'F' | b'E' | b'*' | b'S'));
        let (mut all, mut dots) = (0, 0);
        for b in marks {
            all += 1;
            dots += u64::from(b == b'.');
        }
        if all == 0 {
            return;
        }
        let rest = text.get(all as usize..).unwrap_or("").trim_start();
        if rest.is_empty() || rest.starts_with(['[', '(']) {
            self.dots += dots;
            self.marks += all;
        }
    }
}

/// A text without white space around it.
fn trim(text: &str) -> &str {
    let text = text.trim_ascii();
    match text.as_bytes() {
        [b'!'..=b'~', .., b'!'..=b'~'] => text,
        _ => text.trim(),
    }
}

/// `- x`, `* x`, `• x`, `12. x`, `3) x`
fn item(text: &str) -> bool {
    if text.bytes().next().is_some_and(|b| b.is_ascii_alphabetic()) {
        return false;
    }
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < text.len() {
        return rest.starts_with(". ") || rest.starts_with(") ");
    }
    ["- ", "* ", "+ ", "• ", "– "].iter().any(|mark| text.starts_with(mark))
}

/// Something in an output can be counted to be `n`.
pub fn countable(output: &str, n: u64) -> bool {
    Countables::of(output).holds(n)
}
