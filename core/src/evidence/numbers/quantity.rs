//! Quantities with their kinds: versions, dates, shares, durations, sizes, prices, and bare numbers.
//!
//! One pass over a text. A value has a base unit (milliseconds, bytes, days), so that `1.5 s` and `1500ms` compare; the
//! last digit written tells how far a value may be off and still be rounded to it.

use super::parse;
use crate::text::span::Span;
use alloc::vec::Vec;

/// What a quantity measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// `v1.2`, `5.2.17`
    Version,
    /// `14 May 2031`, `2031-05-14`
    Date,
    /// `41 %`
    Share,
    /// `217.6ms`, `2 h 5 min`
    Duration,
    /// `12 MB`
    Size,
    /// `€17.35`, `17.35 EUR`
    Price,
    /// A number without a unit.
    Plain,
}

/// A quantity in a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// What it measures.
    pub kind: Kind,
    /// Where it stands, with its unit.
    pub span: Span,
    /// Its value in the base unit; of a version the first three numbers, of a date a day.
    pub value: f64,
    /// Half of its last written digit, in the base unit.
    pub slack: f64,
}

impl Quantity {
    /// Whether one may be the other rounded, cut, or given with fewer parts. A day more or less may be a time zone.
    pub fn fits(&self, other: &Quantity) -> bool {
        let slack = match self.kind {
            Kind::Version => 0.0,
            // The last day of a month stands further from the first of the next.
            Kind::Date if self.value % MONTH < 1.5 || other.value % MONTH < 1.5 => 5.0,
            Kind::Date => 1.0,
            _ => 2.0 * self.slack.max(other.slack) * 1.02 + self.value.abs() * 1e-9,
        };
        // A date without a year fits the same day of any year.
        let yearless = |q: &Quantity| q.kind == Kind::Date && q.value < YEAR;
        let value = |q: &Quantity, bare: bool| if bare { q.value % YEAR } else { q.value };
        let bare = yearless(self) || yearless(other);
        (value(self, bare) - value(other, bare)).abs() <= slack
    }
}

impl Quantity {
    /// The month and the day of a date.
    pub fn month_and_day(&self) -> Option<(u32, u32)> {
        let day = (self.value % YEAR) as u32;
        (self.kind == Kind::Date).then_some((day / MONTH as u32 + 1, day % MONTH as u32))
    }
}

/// The name of a month from 1 to 12, in lower case.
pub fn month_name(month: u32) -> &'static str {
    MONTHS.get(month.saturating_sub(1) as usize).copied().unwrap_or("")
}

/// Days in the numbering of dates, in which every month has thirty-two.
const MONTH: f64 = 32.0;
const YEAR: f64 = 12.0 * MONTH;

/// The months by their whole names.
pub(crate) const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Units with their kind and how many base units they are.
#[rustfmt::skip]
const UNITS: &[(&str, Kind, f64)] = &[
    ("%", Kind::Share, 1.0), ("percent", Kind::Share, 1.0), ("per cent", Kind::Share, 1.0),
    ("ns", Kind::Duration, 1e-6), ("us", Kind::Duration, 1e-3), ("µs", Kind::Duration, 1e-3), ("μs", Kind::Duration, 1e-3),
    ("ms", Kind::Duration, 1.0), ("milliseconds", Kind::Duration, 1.0), ("millisecond", Kind::Duration, 1.0),
    ("s", Kind::Duration, 1e3), ("sec", Kind::Duration, 1e3), ("secs", Kind::Duration, 1e3), ("second", Kind::Duration, 1e3), ("seconds", Kind::Duration, 1e3),
    ("min", Kind::Duration, 6e4), ("mins", Kind::Duration, 6e4), ("minute", Kind::Duration, 6e4), ("minutes", Kind::Duration, 6e4),
    ("h", Kind::Duration, 3.6e6), ("hr", Kind::Duration, 3.6e6), ("hrs", Kind::Duration, 3.6e6), ("hour", Kind::Duration, 3.6e6), ("hours", Kind::Duration, 3.6e6),
    ("day", Kind::Duration, 8.64e7), ("days", Kind::Duration, 8.64e7), ("week", Kind::Duration, 6.048e8), ("weeks", Kind::Duration, 6.048e8),
    ("b", Kind::Size, 1.0), ("byte", Kind::Size, 1.0), ("bytes", Kind::Size, 1.0),
    ("kb", Kind::Size, 1e3), ("kib", Kind::Size, 1024.0), ("mb", Kind::Size, 1e6), ("mib", Kind::Size, 1_048_576.0),
    ("gb", Kind::Size, 1e9), ("gib", Kind::Size, 1_073_741_824.0), ("tb", Kind::Size, 1e12), ("tib", Kind::Size, 1_099_511_627_776.0),
    ("$", Kind::Price, 1.0), ("€", Kind::Price, 1.0), ("£", Kind::Price, 1.0), ("usd", Kind::Price, 1.0), ("eur", Kind::Price, 1.0),
    ("gbp", Kind::Price, 1.0), ("chf", Kind::Price, 1.0), ("pln", Kind::Price, 1.0), ("cad", Kind::Price, 1.0), ("aud", Kind::Price, 1.0), ("jpy", Kind::Price, 1.0),
    ("euros", Kind::Price, 1.0), ("dollars", Kind::Price, 1.0),
];

/// The quantities of a text, in order. What is a part of a word, an address or a time of day is none.
pub fn quantities(text: &str) -> Vec<Quantity> {
    let mut found = Vec::new();
    let (mut at, mut taken) = (0, 0);
    while let Some(start) = text.as_bytes().get(at..).and_then(|rest| rest.iter().position(u8::is_ascii_digit)) {
        let start = at + start;
        let run = run(text, start);
        at = run.end.max(start + 1);
        if let Some(mut quantity) = read(text, start, run.end, &mut at) {
            // A mark between two numbers belongs to the first.
            quantity.span.start = quantity.span.start.max(taken);
            taken = quantity.span.end;
            found.push(quantity);
        }
    }
    found
}

/// The run of word characters and inner marks around a digit.
fn run(text: &str, start: usize) -> Span {
    let bytes = text.as_bytes();
    let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let inner = |i: usize| {
        matches!(bytes.get(i), Some(b'.' | b',' | b'-' | b':' | b'/' | b'+' | b'\''))
            && bytes.get(i + 1).is_some_and(word)
            && bytes.get(i.wrapping_sub(1)).is_some_and(word)
    };
    let mut end = start;
    while end < bytes.len() && end - start < 128 && (word(&bytes[end]) || inner(end)) {
        end += 1;
    }
    Span::new(start, end)
}

/// Reads what starts at a digit; `end` is where its run ends, `next` where the scan goes on.
fn read(text: &str, start: usize, end: usize, next: &mut usize) -> Option<Quantity> {
    let bytes = text.as_bytes();
    let mut from = start;
    if let Some(before) = start.checked_sub(1).and_then(|i| bytes.get(i)) {
        if matches!(before, b'v' | b'V') && !start.checked_sub(2).is_some_and(|i| in_word(bytes[i])) {
            from = start - 1;
        } else if in_word(*before) || matches!(before, b'.' | b'/' | b'#' | b'@' | b':' | b'-') && glued(bytes, start) {
            return None;
        }
    }
    let run = text.get(start..end)?;
    let head = run.bytes().take_while(|b| b.is_ascii_digit() || matches!(b, b'.' | b',' | b'\'')).count();
    let number = run.get(..head)?.trim_end_matches(['.', ',', '\'']);
    let tail = run.get(number.len()..)?;
    let dots = number.bytes().filter(|b| *b == b'.').count();
    if let Some(day) = iso(run) {
        *next = start + 10;
        return Some(Quantity { kind: Kind::Date, span: Span::new(start, start + 10), value: day, slack: 0.5 });
    }
    if from < start || dots >= 2 {
        if let Some(day) = dotted(number) {
            return Some(Quantity {
                kind: Kind::Date,
                span: Span::new(start, start + number.len()),
                value: day,
                slack: 0.5,
            });
        }
        let version = dots >= 1 || from < start;
        let plain = version && !number.contains([',', '\'']) && !tail.starts_with([':', '/']);
        return plain.then(|| Quantity {
            kind: Kind::Version,
            span: Span::new(from, end),
            value: components(number),
            slack: 0.0,
        });
    }
    // `2.4-rc1`, `10:30`, `3/4`, `2-5` are no single quantities.
    if tail.starts_with(['-', ':', '/', '+', '\'', '.', ',']) {
        return None;
    }
    if let Some((value, span)) = month(text, start, start + number.len()) {
        *next = span.end.max(*next);
        return Some(Quantity { kind: Kind::Date, span, value, slack: 0.5 });
    }
    let parsed = parse(number)?;
    let (kind, factor, stop) = unit(text, start, start + number.len())?;
    let (mut value, mut stop, mut slack) = (parsed.value() * factor, stop, parsed.slack() * factor);
    if kind == Kind::Duration && factor > 1e3 {
        // `2 h 5 min`, `1m30s`
        while let Some((more, finer, after)) = part(text, stop) {
            value += more;
            (slack, stop) = (finer, after);
        }
    }
    *next = stop.max(*next);
    // The mark of a currency in front belongs to the price.
    let front = text.get(..start).unwrap_or("").trim_end_matches(' ');
    let mark = front.chars().next_back().filter(|c| "$€£".contains(*c)).map_or(3, char::len_utf8);
    let start =
        if kind == Kind::Price && stop == start + number.len() { front.len().saturating_sub(mark) } else { start };
    Some(Quantity { kind, span: Span::new(start, stop), value, slack })
}

/// A bare number that its label says to be a version.
pub fn as_version(number: Quantity, text: &str) -> Quantity {
    Quantity { kind: Kind::Version, value: components(number.span.of(text)), slack: 0.0, ..number }
}

fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 && !matches!(byte, 0xa0..=0xbf)
}

/// Whether the mark before a digit is itself behind a word, so that the digit is a part of a path, a time or an address.
fn glued(bytes: &[u8], start: usize) -> bool {
    bytes[start - 1] == b'#' || start.checked_sub(2).is_some_and(|i| in_word(bytes[i]))
}

/// The first three numbers of a version as one value.
fn components(text: &str) -> f64 {
    let mut parts = text.split('.').take(4).map(|part| part.parse::<u32>().unwrap_or(0));
    let mut next = || f64::from(parts.next().unwrap_or(0));
    ((next() * 1e4 + next()) * 1e4 + next()) * 1e4 + next()
}

fn day(year: u32, month: u32, day: u32) -> Option<f64> {
    ((1..=12).contains(&month) && (1..=31).contains(&day))
        .then(|| f64::from(year) * YEAR + f64::from(month - 1) * MONTH + f64::from(day))
}

/// `2031-05-14` at the start of a text.
fn iso(run: &str) -> Option<f64> {
    let part = |from: usize, to: usize| -> Option<u32> {
        let digits = run.get(from..to)?;
        digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
    };
    let dashes = run.as_bytes().get(4) == Some(&b'-') && run.as_bytes().get(7) == Some(&b'-');
    let ends = run.as_bytes().get(10).is_none_or(|b| !b.is_ascii_digit());
    if !dashes || !ends {
        return None;
    }
    day(part(0, 4)?, part(5, 7)?, part(8, 10)?)
}

/// `14.05.2031`
fn dotted(number: &str) -> Option<f64> {
    let mut parts = number.split('.');
    let (d, m, y) = (parts.next()?, parts.next()?, parts.next()?);
    if y.len() != 4 || d.len() > 2 || m.len() > 2 || parts.next().is_some() {
        return None;
    }
    day(y.parse().ok()?, m.parse().ok()?, d.parse().ok()?)
}

/// The month that a word names, whole or by its first three letters.
fn month_of(word: &str) -> Option<u32> {
    let word = word.trim_end_matches('.').to_ascii_lowercase();
    let named = |m: &&str| **m == *word || (word.len() >= 3 && word.len() <= 4 && m.starts_with(word.as_str()));
    (1..).zip(&MONTHS).find(|(_, m)| named(m)).map(|(i, _)| i)
}

/// A day beside the name of a month: `14 May 2031`, `30th of Nov`, `May 14, 2031`.
fn month(text: &str, start: usize, end: usize) -> Option<(f64, Span)> {
    let number: u32 = text.get(start..end)?.parse().ok().filter(|n| (1..=31).contains(n))?;
    let year = |from: usize| -> (u32, usize) {
        let rest = text.get(from..).unwrap_or("");
        let skipped = rest.len() - rest.trim_start_matches([' ', ',']).len();
        let digits: &str = rest.get(skipped..skipped + 4).unwrap_or("");
        let alone = !rest.as_bytes().get(skipped + 4).is_some_and(u8::is_ascii_alphanumeric);
        match digits.parse::<u32>() {
            Ok(year) if skipped <= 2 && alone && (1900..2200).contains(&year) => (year, from + skipped + 4),
            _ => (0, from),
        }
    };
    let mut rest = text.get(end..)?;
    for ending in ["st", "nd", "rd", "th", "."] {
        rest = rest.strip_prefix(ending).unwrap_or(rest);
    }
    let rest = rest.strip_prefix(' ').map_or(rest, |rest| rest.strip_prefix("of ").unwrap_or(rest));
    let word: &str = rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
    if let Some(month) = month_of(word).filter(|_| word.len() >= 3) {
        let from = text.len() - rest.len() + word.len();
        let (year, stop) = year(from);
        return Some((day(year, month, number)?, Span::new(start, stop)));
    }
    let before = text.get(start.saturating_sub(12)..start).or_else(|| text.get(start.saturating_sub(10)..start))?;
    let before = before.strip_suffix(' ')?;
    let word = before.rsplit(|c: char| !(c.is_ascii_alphabetic() || c == '.')).next().unwrap_or("");
    let month = month_of(word).filter(|_| word.len() >= 3)?;
    let ordinal = ["st", "nd", "rd", "th"].iter().any(|ending| text.get(end..).unwrap_or("").starts_with(ending));
    let (year, stop) = year(if ordinal { end + 2 } else { end });
    Some((day(year, month, number)?, Span::new(start - 1 - word.len(), stop)))
}

/// The kind of the number between two places by the unit around it, how many base units it is, and where the unit ends.
/// None where letters follow that are no unit that is known.
fn unit(text: &str, start: usize, end: usize) -> Option<(Kind, f64, usize)> {
    let rest = text.get(end..)?;
    let spaced = rest.strip_prefix(['\u{a0}', '\u{202f}', ' ']);
    let word = spaced.unwrap_or(rest);
    let letters = word.split(|c: char| !(c.is_alphabetic() || c == '%' || c == '€' || c == '$' || c == '£')).next();
    let letters = letters.unwrap_or("");
    let stop = end + (rest.len() - word.len()) + letters.len();
    let low = letters.to_lowercase();
    // A single letter behind a space may be anything.
    let sure = spaced.is_none() || low.len() > 1 || matches!(letters, "%" | "€" | "s" | "h" | "B");
    if let Some((_, kind, factor)) = UNITS.iter().find(|(name, ..)| *name == low).filter(|_| sure) {
        return Some((*kind, *factor, stop));
    }
    if low == "m" && spaced.is_none() && part(text, stop).is_some() {
        return Some((Kind::Duration, 6e4, stop));
    }
    if spaced.is_none() && !letters.is_empty() {
        return None;
    }
    let before = text.get(..start)?.trim_end_matches(' ');
    let code = before.get(before.len().saturating_sub(3)..).unwrap_or("").to_lowercase();
    let priced = before.ends_with(['$', '€', '£'])
        || UNITS.iter().any(|(name, kind, _)| *kind == Kind::Price && name.len() == 3 && *name == code);
    Some((if priced { Kind::Price } else { Kind::Plain }, 1.0, end))
}

/// A further part of a duration: ` 5 min`, `30s`.
fn part(text: &str, at: usize) -> Option<(f64, f64, usize)> {
    let rest = text.get(at..)?;
    let digits_at = at + (rest.len() - rest.trim_start_matches([' ', ',']).len()).min(2);
    let rest = text.get(digits_at..)?;
    let digits = rest.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
    let number = parse(rest.get(..digits).filter(|d| d.starts_with(|c: char| c.is_ascii_digit()))?)?;
    let word = rest.get(digits..)?.trim_start_matches(' ');
    let letters: &str = word.split(|c: char| !c.is_alphabetic()).next().unwrap_or("");
    let low = letters.to_lowercase();
    let (_, _, factor) = UNITS.iter().find(|(name, kind, _)| *kind == Kind::Duration && *name == low)?;
    let stop = digits_at + digits + (rest.len() - digits - word.len()) + letters.len();
    Some((number.value() * factor, number.slack() * factor, stop))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn quantities_stand_in_their_order_and_on_characters(
            text in "([a-zäé€µ$ .,:/'%-]{0,6}[0-9]{0,4}(ms|th|\u{a0}| May|€|h)?){0,12}"
        ) {
            let mut end = 0;
            for quantity in quantities(&text) {
                prop_assert!(quantity.span.start >= end && quantity.span.end > quantity.span.start, "{text:?}: {quantity:?}");
                prop_assert!(text.get(quantity.span.start..quantity.span.end).is_some());
                end = quantity.span.end;
            }
        }
    }

    fn all(text: &str) -> Vec<(Kind, String)> {
        quantities(text).into_iter().map(|q| (q.kind, q.span.of(text).to_string())).collect()
    }

    fn one(text: &str) -> Quantity {
        quantities(text)[0]
    }

    #[test]
    fn kinds_are_told_by_units() {
        assert_eq!(
            all("took 217.6ms, 41 % of 12 MB"),
            [(Kind::Duration, "217.6ms".into()), (Kind::Share, "41 %".into()), (Kind::Size, "12 MB".into()),]
        );
        assert_eq!(
            all("€17.35 or EUR 21 or 22.60 EUR"),
            [(Kind::Price, "€17.35".into()), (Kind::Price, "EUR 21".into()), (Kind::Price, "22.60 EUR".into()),]
        );
        assert_eq!(
            all("v0.9.4, 5.2.17 and 31.0"),
            [(Kind::Version, "v0.9.4".into()), (Kind::Version, "5.2.17".into()), (Kind::Plain, "31.0".into()),]
        );
    }

    #[test]
    fn dates_compare_however_they_are_written() {
        let day = one("2031-05-14T10:00:00Z");
        for text in ["14 May 2031", "14th of May 2031", "May 14, 2031", "14.05.2031", "May 14", "14. May"] {
            assert!(one(text).kind == Kind::Date && one(text).fits(&day), "{text}: {:?}", one(text));
        }
        assert!(!one("14 March 2031").fits(&day));
    }

    #[test]
    fn parts_of_words_times_and_addresses_are_none() {
        for text in ["file3.txt", "10:30", "a1b2", "31M90", "host:8080", "#572", "1-5", "3/4", "/v/12", "ZR-70"] {
            assert_eq!(all(text), [], "{text}");
        }
    }

    #[test]
    fn durations_are_summed_and_rounded() {
        assert!(one("1h30m").fits(&one("90 minutes")));
        assert!(one("2 h 5 min").fits(&one("125 min")));
        assert!(one("71 ms").fits(&one("71.42ms")));
        assert!(one("1.5 s").fits(&one("1500ms")));
        assert!(!one("117 ms").fits(&one("217.6ms")));
    }
}
