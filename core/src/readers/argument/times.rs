//! Days and versions.

use super::super::prelude::*;
use crate::evidence::facts::Facts;
use crate::evidence::index::strings;
use crate::evidence::numbers::quantity;

/// The months, by the first three letters of their names.
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Weekdays and small words that may stand between a preposition and a day.
#[rustfmt::skip]
const BETWEEN: &[&str] = &[
    "friday", "monday", "saturday", "sunday", "the", "thursday", "tuesday", "wednesday", "next",
];

/// The one day in the clause, as month and day, where it stands behind “for”, “on” or “to”.
pub(super) fn day(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Option<String> {
    let mut found = None;
    for i in at + 1..clause.tokens.end {
        let Some(month) = month(reading.word(i)) else { continue };
        // “9 June”, “June 9th”.
        let before = number(reading, i - 1).map(|day| (day, i - 1));
        let (day, start) = before.or_else(|| number(reading, i + 1).map(|day| (day, i)))?;
        let lead = (at + 1..start).rev().find(|&k| {
            let mark = reading.token(k).is_some_and(|t| t.kind == TokenKind::Mark && t.text == ",");
            !mark && !BETWEEN.contains(&reading.word(k))
        });
        let placed = lead.is_some_and(|k| matches!(reading.word(k), "for" | "on" | "to"));
        if found.is_some()
            || !placed
            || lead.is_some_and(|k| of_another(reading, at + 1..k) || reading.word(k - 1) == "up")
        {
            return None;
        }
        found = Some(format!("{month:02}-{day:02}"));
    }
    found
}

/// Whether the words between the verb and its day bring in another thing that has one: “for the exam on 9 June”, “with
/// check-out on June 12”. A number of guests or nights has none.
fn of_another(reading: &Reading<'_, '_>, words: core::ops::Range<usize>) -> bool {
    let ends = ["back", "check-out", "checkout", "due", "return", "returning", "that", "until", "which"];
    words.into_iter().any(|i| {
        let thing = matches!(reading.word(i), "for" | "before" | "after" | "about")
            && matches!(reading.word(i + 1), "a" | "an" | "his" | "her" | "my" | "our" | "the" | "their" | "your");
        thing || ends.contains(&reading.word(i))
    })
}

fn month(word: &str) -> Option<usize> {
    quantity::MONTHS.iter().position(|m| *m == word).or_else(|| MONTHS.iter().position(|m| *m == word)).map(|i| i + 1)
}

fn number(reading: &Reading<'_, '_>, at: usize) -> Option<u8> {
    let text = reading.token(at)?.text.as_ref();
    let text = ["st", "nd", "rd", "th"].iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text);
    text.parse().ok().filter(|day| (1..=31).contains(day))
}

/// The days that a call's arguments hold, and what is one day away where a time of a zone stands beside them.
pub(super) fn days(facts: &Facts<'_>) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for text in strings(&facts.call.arguments).into_iter().take(64) {
        let bytes = text.as_bytes();
        let digits =
            |range: core::ops::Range<usize>| bytes.get(range).is_some_and(|b| b.iter().all(u8::is_ascii_digit));
        let iso =
            digits(0..4) && digits(5..7) && digits(8..10) && bytes.get(4) == Some(&b'-') && bytes.get(7) == Some(&b'-');
        if text.contains("RRULE") || text.contains("FREQ=") {
            return Vec::new();
        }
        let Some(day) = text.get(5..10).filter(|_| iso && text.len() < 64) else { continue };
        // In another zone it may be the day before or after.
        if text.len() > 19 {
            return Vec::new();
        }
        let shown = text.get(..10).unwrap_or(text).to_string();
        found.push((shown, day.to_string()));
    }
    found
}

/// The one version in the clause: “v2.1”, “2.1.0”.
pub(super) fn version(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Option<String> {
    let mut found = None;
    for i in at + 1..clause.tokens.end {
        // What something runs on or is made with has a version of its own.
        if matches!(
            reading.word(i),
            "for" | "from" | "needs" | "on" | "requires" | "that" | "under" | "using" | "which" | "with"
        ) {
            return found;
        }
        let text = reading.token(i)?.text.as_ref();
        if let Some(version) = plain(text) {
            if found.is_some() {
                return None;
            }
            found = Some(version.to_string());
        }
    }
    found
}

/// A version without its `v`: with it two numbers are enough, else there have to be three.
fn plain(text: &str) -> Option<&str> {
    let bare = text.strip_prefix('v').unwrap_or(text);
    let parts = bare.split('.').count();
    let numbers =
        bare.split('.').all(|part| !part.is_empty() && part.len() < 6 && part.bytes().all(|b| b.is_ascii_digit()));
    (numbers && parts >= if bare.len() < text.len() { 2 } else { 3 } && parts <= 4).then_some(bare)
}

/// The versions that a call was given, alone or behind a `:`, `@` or `=`.
pub(super) fn versions(facts: &Facts<'_>) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut take = |text: &str| {
        for part in text.split([':', '@', '=', '/']) {
            found.extend(plain(part).map(|version| (part.to_string(), version.to_string())));
        }
    };
    facts.commands.iter().flat_map(|c| &c.words).filter(|w| w.len() < 200).for_each(|word| take(word));
    if facts.commands.is_empty() {
        strings(&facts.call.arguments).into_iter().filter(|t| t.len() < 64).take(64).for_each(take);
    }
    found
}
