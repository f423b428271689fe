//! Cited entries: "entry 19", "entries 3, 5-7 and 9".
//!
//! # Reads
//! A citation is the word `entry` or `entries`, white space, and a number, a range or a list of them.
//! After the singular, a bare comma does not carry a list on (“In entry 7, 12 files changed”), and a
//! dash with white space round it makes no range (“entry 7 — 3 lines”). A number of ten or more digits
//! is not read, and no date as ISO 8601 writes it (“the log entries 2024-01-05”).
//!
//! # Checks
//! Whether the conversation holds an entry of that number; what the entry says is not looked at.
//!
//! # Cost
//! Linear in the reply and in the entries; at most 100 numbers are held.

use crate::sort::sorted;
use crate::verification::Citations;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

/// The most numbers of one reply that are looked at.
const MOST: usize = 100;
/// The most groups that the line names.
const GROUPS: usize = 8;
/// The most digits that a number may have.
const DIGITS: usize = 9;

/// Compares the entry numbers that a reply cites with those that the conversation holds.
///
/// `entries` may come in any order and hold a number twice.
///
/// ```
/// let found = counterfoil::cited::cited("As entry 3 and entries 16-18 show.", &[1, 2, 3, 16]);
/// assert_eq!(found.numbers, [3, 16, 17, 18]);
/// assert_eq!(found.missing, [17, 18]);
/// assert_eq!(found.line.as_deref(), Some("cited but not in this conversation: entries 17–18 (2)"));
/// ```
pub fn cited(reply: &str, entries: &[u64]) -> Citations {
    let (numbers, capped) = read(reply);
    let mut wanted: Vec<(u64, bool)> = sorted(numbers.clone(), Ord::cmp).into_iter().map(|n| (n, false)).collect();
    if !wanted.is_empty() {
        for entry in entries {
            if let Ok(at) = wanted.binary_search_by_key(entry, |&(n, _)| n) {
                wanted[at].1 = true;
            }
        }
    }
    let lacks = |n: &u64| wanted.binary_search_by_key(n, |&(n, _)| n).is_ok_and(|at| !wanted[at].1);
    let missing: Vec<u64> = numbers.iter().copied().filter(lacks).collect();
    let line = line(&missing, capped);
    Citations { numbers, missing, capped, line }
}

/// The entry numbers that a reply cites, in that order and each once, and whether there were more than 100.
///
/// ```
/// assert_eq!(counterfoil::cited::read("In entry 7, 12 files changed."), (vec![7], false));
/// ```
pub fn read(reply: &str) -> (Vec<u64>, bool) {
    let mut held = Held::default();
    let bytes = reply.as_bytes();
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'e', b'E', bytes.get(at..).unwrap_or(&[])) {
        let start = at + found;
        at = start + 1;
        let Some((plural, after)) = word(reply, start) else { continue };
        let first = spaces(reply, after);
        if first == after {
            continue;
        }
        at = list(reply, first, plural, &mut held).max(at);
        if held.capped {
            break;
        }
    }
    (held.numbers, held.capped)
}

/// The numbers read so far: in order, and sorted for the look-up.
#[derive(Default)]
struct Held {
    numbers: Vec<u64>,
    sorted: Vec<u64>,
    capped: bool,
}

impl Held {
    /// Takes every number from `low` to `high`. A number already held costs nothing and never caps.
    fn take(&mut self, low: u64, high: u64) {
        let from = self.sorted.partition_point(|&n| n < low);
        // All of the range is held when its far end stands as many places on as the range is long. Without
        // this, a hostile reply that repeats one range would pay for each of its numbers every time.
        let far = usize::try_from(high - low).ok().and_then(|more| from.checked_add(more));
        if far.and_then(|far| self.sorted.get(far)) == Some(&high) {
            return;
        }
        for n in low..=high {
            let Err(place) = self.sorted.binary_search(&n) else { continue };
            if self.numbers.len() == MOST {
                self.capped = true;
                return;
            }
            self.sorted.insert(place, n);
            self.numbers.push(n);
        }
    }
}

/// `entry` or `entries` at `start`, on a word boundary: whether it is the plural, and where it ends.
fn word(reply: &str, start: usize) -> Option<(bool, usize)> {
    let is = |word: &str| reply.get(start..start + word.len()).is_some_and(|s| s.eq_ignore_ascii_case(word));
    let (plural, length) = match (is("entry"), is("entries")) {
        (true, _) => (false, 5),
        (_, true) => (true, 7),
        _ => return None,
    };
    let before = reply.get(..start)?.chars().next_back();
    (!before.is_some_and(|c| c.is_alphanumeric() || c == '_')).then_some((plural, start + length))
}

/// Reads items from `at` on and gives the place after the last one.
fn list(reply: &str, mut at: usize, plural: bool, held: &mut Held) -> usize {
    loop {
        let Some((low, high, end)) = item(reply, at, plural) else { return at };
        held.take(low.min(high), low.max(high));
        at = end;
        if held.capped {
            return at;
        }
        match separator(reply, at, plural) {
            Some(next) if number(reply, next).is_some() => at = next,
            _ => return at,
        }
    }
}

/// A number or a range.
fn item(reply: &str, at: usize, plural: bool) -> Option<(u64, u64, usize)> {
    let (low, end) = number(reply, at).filter(|_| !date(reply, at))?;
    let range = || {
        let dash = spaces(reply, end);
        let c = reply.get(dash..)?.chars().next().filter(|c| matches!(c, '-' | '–' | '—'))?;
        let after = dash + c.len_utf8();
        let next = spaces(reply, after);
        if !plural && (dash > end || next > after) {
            return None;
        }
        number(reply, next)
    };
    Some(range().map_or((low, low, end), |(high, end)| (low, high, end)))
}

/// Digits, after a `#` or without one.
fn number(reply: &str, at: usize) -> Option<(u64, usize)> {
    let bytes = reply.as_bytes();
    let start = at + usize::from(bytes.get(at) == Some(&b'#'));
    let digits = bytes.get(start..)?.iter().take(DIGITS + 1).take_while(|b| b.is_ascii_digit()).count();
    if digits > DIGITS {
        return None;
    }
    let end = start + digits;
    Some((reply.get(start..end)?.parse().ok()?, end))
}

/// Whether a calendar date stands at `at`: four digits, a month and a day.
fn date(reply: &str, at: usize) -> bool {
    let two = |from: usize| match number(reply, from) {
        Some((n, end)) if end == from + 2 => n,
        _ => 0,
    };
    let dash = |at: usize| reply.as_bytes().get(at) == Some(&b'-');
    let year = number(reply, at).is_some_and(|(_, end)| end == at + 4);
    year && dash(at + 4) && (1..=12).contains(&two(at + 5)) && dash(at + 7) && (1..=31).contains(&two(at + 8))
}

/// What carries a list on: the place where its next item has to stand.
fn separator(reply: &str, at: usize, plural: bool) -> Option<usize> {
    let next = spaces(reply, at);
    match reply.as_bytes().get(next)? {
        b'&' => Some(spaces(reply, next + 1)),
        b',' => {
            let item = spaces(reply, next + 1);
            if let Some(after) = joined(reply, item) {
                return Some(after);
            }
            (plural || reply.as_bytes().get(item) == Some(&b'#')).then_some(item)
        }
        _ if next > at => joined(reply, next),
        _ => None,
    }
}

/// `and` or `or` with the white space after it.
fn joined(reply: &str, at: usize) -> Option<usize> {
    let is = |word: &str| reply.get(at..at + word.len()).is_some_and(|s| s.eq_ignore_ascii_case(word));
    let end = at
        + if is("and") {
            3
        } else if is("or") {
            2
        } else {
            return None;
        };
    let next = spaces(reply, end);
    (next > end).then_some(next)
}

/// The first place from `at` on that is no white space.
fn spaces(reply: &str, at: usize) -> usize {
    let rest = reply.get(at..).unwrap_or("");
    at + (rest.len() - rest.trim_start().len())
}

/// The line under the reply, or `None` when nothing is missing.
fn line(missing: &[u64], capped: bool) -> Option<String> {
    let sorted = sorted(missing.to_vec(), Ord::cmp);
    let mut groups: Vec<(u64, u64)> = Vec::new();
    for &n in &sorted {
        match groups.last_mut() {
            Some((_, high)) if *high + 1 == n => *high = n,
            _ => groups.push((n, n)),
        }
    }
    groups.first()?;
    let noun = if sorted.len() == 1 { "entry" } else { "entries" };
    let mut line = format!("cited but not in this conversation: {noun} ");
    for (i, (low, high)) in groups.iter().take(GROUPS).enumerate() {
        let comma = if i > 0 { ", " } else { "" };
        let group = if low == high { format!("{low}") } else { format!("{low}–{high}") };
        line.push_str(comma);
        line.push_str(&group);
    }
    if groups.len() > GROUPS {
        let _ = write!(line, ", +{} more", groups.len() - GROUPS);
    }
    if sorted.len() > 1 {
        let _ = write!(line, " ({})", sorted.len());
    }
    if capped {
        line.push_str("; only the first 100 cited were checked");
    }
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_range_stops_at_a_hundred() {
        let (numbers, capped) = read("entries 1-999999999");
        assert_eq!((numbers.len(), numbers[99], capped), (100, 100, true));
    }

    #[test]
    fn a_range_repeated_a_million_times_is_paid_once() {
        let reply = format!("entries 1-99{}", ", 1-99".repeat(1_000_000));
        let (numbers, capped) = read(&reply);
        assert_eq!((numbers.len(), capped), (99, false));
    }

    #[test]
    fn ten_megabytes_of_one_citation_are_one_number() {
        assert_eq!(read(&"entry 1, ".repeat(1_100_000)), (alloc::vec![1], false));
    }

    #[test]
    fn white_space_without_end_is_walked_a_few_times_only() {
        let reply = format!("entries 1{}x", " \n".repeat(2_000_000));
        assert_eq!(read(&reply), (alloc::vec![1], false));
    }

    #[test]
    fn entries_may_come_unsorted_and_twice() {
        let found = cited("entries 1-4", &[4, 2, 2, 9]);
        assert_eq!(found.missing, [1, 3]);
        assert_eq!(found.line.as_deref(), Some("cited but not in this conversation: entries 1, 3 (2)"));
    }
}
