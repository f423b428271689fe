//! What can be counted in an output: lines, rows, items, hits a file, lengths of lists.
//!
//! Every count that a person could make by looking at the output is taken up; a claimed number is then looked up.
//! One pass, and as much memory as there are different counts.

use alloc::collections::{BTreeMap, BTreeSet};

/// The most different first or last words whose lines are counted apart.
const MOST_WORDS: usize = 256;

/// The deepest nesting of lists and objects that is followed.
const DEEPEST: usize = 256;

/// The counts that an output allows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Countables {
    counts: BTreeSet<u64>,
}

impl Countables {
    /// Counts what there is to count.
    pub fn of(output: &str) -> Self {
        let mut all = Countables::default();
        all.lines(output);
        all.lists(output);
        all
    }

    /// The counts, in order.
    pub fn into_iter(self) -> impl Iterator<Item = u64> {
        self.counts.into_iter()
    }

    /// Something in the output occurs so many times.
    pub fn holds(&self, n: u64) -> bool {
        self.counts.contains(&n)
    }

    fn add(&mut self, n: u64) {
        self.counts.insert(n);
    }

    /// Rows may have a header, a ruler and a closing line that do not count.
    fn add_rows(&mut self, n: u64) {
        (0..=3).for_each(|less| self.add(n.saturating_sub(less)));
    }

    fn lines(&mut self, output: &str) {
        let mut seen = Lines::default();
        for line in output.lines() {
            seen.line(line, self);
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
        for count in seen.first.into_values().chain(seen.last.into_values()) {
            self.add(count);
        }
    }

    /// Lengths of lists and objects in JSON and in what looks like it. Commas in strings do not count.
    fn lists(&mut self, output: &str) {
        let mut open: [(u64, bool); DEEPEST] = [(0, false); DEEPEST];
        let (mut depth, mut string, mut escaped, mut values) = (0usize, false, false, 0u64);
        for &b in output.as_bytes() {
            if string {
                string = (escaped || b != b'"') && b != b'\n';
                escaped = b == b'\\' && !escaped;
                continue;
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
                        self.counts.insert(commas + u64::from(*filled));
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
    }
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
    in_paragraph: u64,
    path: &'t str,
    first: BTreeMap<&'t str, u64>,
    last: BTreeMap<&'t str, u64>,
}

impl<'t> Lines<'t> {
    fn line(&mut self, line: &'t str, counts: &mut Countables) {
        self.all += 1;
        let text = line.trim();
        if text.is_empty() {
            counts.add_rows(self.in_paragraph);
            self.in_paragraph = 0;
            return;
        }
        self.full += 1;
        self.paragraphs += u64::from(self.in_paragraph == 0);
        self.in_paragraph += 1;
        self.items += u64::from(item(text));
        self.rows += u64::from(text.starts_with(['|', '│', '┃']) || text.contains(" | ") || text.contains('\t'));
        let commas = memchr::memchr_iter(b',', text.as_bytes()).count() as u64;
        if commas > 0 {
            counts.add(commas + 1);
        }
        self.grep(text, counts);
        self.progress(text);
        tally(&mut self.first, text.split_ascii_whitespace().next());
        tally(&mut self.last, text.rsplit(|c: char| c.is_ascii_whitespace()).next());
        // The first column of `ls -l` and of a diff.
        tally(&mut self.first, text.get(..1));
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
        if let Some(n) = text.rsplit_once(':').and_then(|(_, n)| n.trim().parse::<u64>().ok()) {
            self.sum = self.sum.saturating_add(n);
            self.with_hits += u64::from(n > 0);
        }
    }

    fn group_ends(&mut self, counts: &mut Countables) {
        counts.add(self.hits);
        counts.add_rows(self.in_paragraph);
        self.hits = 0;
    }

    /// The dots and letters of pytest, unittest and rspec: `..s..F.. [ 60%]`.
    fn progress(&mut self, text: &str) {
        let marks = text.bytes().take_while(|b| matches!(b, b'.' | b's' | b'x' | b'X' | b'F' | b'E' | b'*' | b'S'));
        let (mut all, mut dots) = (0, 0);
        for b in marks {
            all += 1;
            dots += u64::from(b == b'.');
        }
        let rest = text.get(all as usize..).unwrap_or("").trim_start();
        if rest.is_empty() || rest.starts_with(['[', '(']) {
            self.dots += dots;
            self.marks += all;
        }
    }
}

fn tally<'t>(counts: &mut BTreeMap<&'t str, u64>, word: Option<&'t str>) {
    let Some(word) = word.filter(|word| word.len() <= 24) else { return };
    if let Some(count) = counts.get_mut(word) {
        *count += 1;
    } else if counts.len() < MOST_WORDS {
        counts.insert(word, 1);
    }
}

/// `- x`, `* x`, `• x`, `12. x`, `3) x`
fn item(text: &str) -> bool {
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
