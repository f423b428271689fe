//! The sentinel in a whole reply, so that an agent may answer in a sentence.
//!
//! Only what has a sentinel's whole length is ever tried: however it is looked for, nobody finds it who was not told all of it.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// So many tokens of one reply are tried.
pub const MOST_CANDIDATES: usize = 16;

/// Over so many lines a value may be broken.
const LINES: usize = 4;

/// The words of a reply that look like a sentinel of so many bytes: base64url of just its length, each once, at most
/// [`MOST_CANDIDATES`]. No sentinel has less than 16 bytes or more than 32. Linear in the reply.
///
/// Emphasis around a value and words that a hyphen or an underscore joins to it are left out. What stands in the reply in
/// pieces is found by [`reported`].
///
/// ```
/// let reply = "The code is **mENHHl1pbVogGlYUtGkyvSXzZosi-jQiJ6kpN5jmQhw**.";
/// assert_eq!(counterfoil::canary::find_sentinel(reply, 32), ["mENHHl1pbVogGlYUtGkyvSXzZosi-jQiJ6kpN5jmQhw"]);
/// ```
pub fn find_sentinel(reply: &str, bytes: usize) -> Vec<&str> {
    let mut found = Vec::new();
    if let Some(length) = length(bytes) {
        words(reply).filter(|word| word.len() == length).for_each(|word| add(&mut found, word));
        words(reply).for_each(|word| parts(word, length, &mut found));
    }
    found
}

/// What a reader of the reply would copy as the sentinel: [`find_sentinel`] in the text without the escapes of Markdown (`\_`)
/// and without characters that nobody sees, and then what is whole only where lines are joined.
///
/// ```
/// use counterfoil::canary::reported;
/// let value = "mENHHl1pbVogGlYUtGkyvSXzZosi-jQiJ6kpN5jmQhw";
/// assert_eq!(reported("It says mENHHl1pbVogGlYUtGkyvSXzZosi\\-jQiJ6kpN5jmQhw.", 32), [value]);
/// assert_eq!(reported("It says mENHHl1pbVogGlYUtGky\n  vSXzZosi-jQiJ6kpN5jmQhw.", 32), [value]);
/// assert!(reported("It says mENHHl1pbVogGlYUtGky and so on.", 32).is_empty());
/// ```
pub fn reported(reply: &str, bytes: usize) -> Vec<String> {
    let Some(length) = length(bytes) else { return Vec::new() };
    let text = rendered(reply);
    let mut found: Vec<String> = find_sentinel(&text, bytes).into_iter().map(ToString::to_string).collect();
    let lines: Vec<&str> = text.lines().map(trimmed).collect();
    for at in 0..lines.len() {
        for joined in joined(lines.get(at..).unwrap_or(&[]), length) {
            let mut here = Vec::new();
            parts(&joined, length, &mut here);
            for value in here.into_iter().map(ToString::to_string) {
                if found.len() < MOST_CANDIDATES && !found.contains(&value) {
                    found.push(value);
                }
            }
        }
    }
    found
}

/// How many characters a sentinel of so many bytes has.
fn length(bytes: usize) -> Option<usize> {
    (16..=32).contains(&bytes).then(|| (bytes * 8).div_ceil(6))
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_of_word(c))
}

fn add<'t>(found: &mut Vec<&'t str>, value: &'t str) {
    if found.len() < MOST_CANDIDATES && !found.contains(&value) {
        found.push(value);
    }
}

/// The parts of a word that have this length, and before and behind which the word ends or has a mark. Underscores may be
/// emphasis around a value, and hyphens a dash or what joins it to another word; both may be its own, too.
fn parts<'t>(word: &'t str, length: usize, found: &mut Vec<&'t str>) {
    let mark = |at: usize| word.as_bytes().get(at).is_none_or(|byte| matches!(byte, b'-' | b'_'));
    for start in 0..(word.len() + 1).saturating_sub(length) {
        if found.len() == MOST_CANDIDATES {
            return;
        }
        if (start == 0 || mark(start - 1)) && mark(start + length) {
            word.get(start..start + length).into_iter().for_each(|value| add(found, value));
        }
    }
}

/// The reply without a backslash in front of a mark that a value may hold, and without what takes no room on a screen.
fn rendered(reply: &str) -> Cow<'_, str> {
    const UNSEEN: [char; 5] = ['\u{ad}', '\u{200b}', '\u{200c}', '\u{2060}', '\u{feff}'];
    if !reply.contains('\\') && !reply.contains(UNSEEN) {
        return Cow::Borrowed(reply);
    }
    let mut out = String::with_capacity(reply.len());
    let mut rest = reply.chars().filter(|c| !UNSEEN.contains(c)).peekable();
    while let Some(c) = rest.next() {
        if c != '\\' || !matches!(rest.peek(), Some('-' | '_')) {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// A line without its indentation, the mark of a quotation, and the break at its end.
fn trimmed(line: &str) -> &str {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || c == '>').trim_end();
    line.strip_suffix('\\').unwrap_or(line).trim_end()
}

/// What the end of the first of these lines makes with the lines behind it, once it is as long as asked for: as it stands,
/// and without a hyphen at the break.
fn joined(lines: &[&str], length: usize) -> Vec<String> {
    let Some((first, behind)) = lines.split_first() else { return Vec::new() };
    let tail = first.get(first.trim_end_matches(is_of_word).len()..).unwrap_or("");
    let mut made = Vec::new();
    for tail in [Some(tail), tail.strip_suffix('-')].into_iter().flatten() {
        if tail.is_empty() || tail.len() >= length {
            continue;
        }
        let mut value = tail.to_string();
        for line in behind.iter().take(LINES - 1) {
            let head = line.get(..line.len() - line.trim_start_matches(is_of_word).len()).unwrap_or("");
            // A longer one holds the value by itself, or none.
            if head.is_empty() || head.len() > length {
                break;
            }
            value.push_str(head);
            if value.len() >= length {
                made.push(value);
                break;
            }
            if head.len() < line.len() {
                break;
            }
        }
    }
    made
}
