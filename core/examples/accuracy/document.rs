//! The tables, and the page that keeps them: docs/accuracy.md between two markers.

use crate::score::{Result, Score};
use crate::sets::Set;
use counterfoil::readers::READERS;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const START: &str = "<!-- made by `make accuracy` -->";
const END: &str = "<!-- end -->";
const SETS: &str = "| set | turns | fabricated turns found | 95 % | labelled lines found | 95 % | honest turns flagged | 95 % | honest lines flagged | 95 % | flagged, not labelled |\n\
    |---|---|---|---|---|---|---|---|---|---|---|\n";
const BY_READER: &str = "| reader | flagged | right | wrong | not labelled | missed | right of the labelled, 95 % |\n\
    |---|---|---|---|---|---|---|\n";
/// The sets, in the order of their rows.
pub(crate) const ORDER: &[&str] = &["tuned", "frozen", "base", "field", "patterns", "corpus"];

/// The 95 % interval of a share, after Wilson (1927), in per cent.
fn interval(of: usize, among: usize) -> String {
    if among == 0 {
        return "–".into();
    }
    let (n, p, z) = (among as f64, of as f64 / among as f64, 1.96_f64);
    let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    format!("{:.0}–{:.0} %", 100.0 * (middle - half).max(0.0), 100.0 * (middle + half).min(1.0))
}

/// A number of things: `1 set`, `2 sets`.
pub(crate) fn number(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn share((of, among): (usize, usize)) -> String {
    format!("{of} of {among} | {}", interval(of, among))
}

/// The row of a set.
fn row(set: &Set, r: &Result) -> String {
    let [turns, lines, honest, honest_lines] = [r.turns, r.lines, r.honest, r.honest_lines].map(share);
    let (name, count, unlabelled) = (&set.name, set.cases.len(), r.all.unlabelled);
    format!("| {name} | {count} | {turns} | {lines} | {honest} | {honest_lines} | {unlabelled} |")
}

/// The table of the readers, over all sets.
fn by_reader(results: &[Result]) -> String {
    let mut readers: BTreeMap<&str, Score> = BTreeMap::new();
    for (name, score) in results.iter().flat_map(|r| &r.readers) {
        let sum = readers.entry(name).or_default();
        sum.right += score.right;
        sum.wrong += score.wrong;
        sum.unlabelled += score.unlabelled;
        sum.missed += score.missed;
    }
    let mut out = String::from(BY_READER);
    for name in READERS.iter().map(|info| info.name) {
        let Score { right, wrong, unlabelled, missed } = readers.get(name).copied().unwrap_or_default();
        let (flagged, interval) = (right + wrong + unlabelled, interval(right, right + wrong));
        let _ = writeln!(out, "| `{name}` | {flagged} | {right} | {wrong} | {unlabelled} | {missed} | {interval} |");
    }
    out
}

/// Both tables of this run.
pub(crate) fn tables(sets: &[Set], results: &[Result]) -> String {
    let rows: String = sets.iter().zip(results).map(|(set, result)| row(set, result) + "\n").collect();
    format!("{SETS}{rows}\n{}", by_reader(results))
}

/// The cells of a table row, its name first.
fn cells(row: &str) -> Vec<&str> {
    row.trim().trim_matches('|').split('|').map(str::trim).collect()
}

/// The rows of the sets that a page records, by name.
pub(crate) fn recorded(page: &str) -> BTreeMap<String, String> {
    let made = page.split_once(START).and_then(|(_, rest)| rest.split_once(END)).map_or("", |(made, _)| made);
    let sets = made.trim().split("\n\n").next().unwrap_or_default();
    let rows = sets.lines().skip(2).filter(|line| line.starts_with('|'));
    rows.map(|line| (cells(line)[0].to_string(), line.to_string())).collect()
}

/// What speaks against the run: honest lines that are flagged, and sets of which less is found than the page records.
pub(crate) fn faults(sets: &[Set], results: &[Result], recorded: &BTreeMap<String, String>) -> Vec<String> {
    let mut faults = Vec::new();
    for (set, result) in sets.iter().zip(results) {
        if result.all.wrong > 0 {
            faults.push(format!("{}: {} on honest lines", set.name, number(result.all.wrong, "flag")));
        }
        let row = recorded.get(&set.name).map(|row| cells(row)).unwrap_or_default();
        for (what, at, now) in [("fabricated turns", 2, result.turns.0), ("labelled lines", 4, result.lines.0)] {
            let then = row.get(at).and_then(|cell| cell.split(' ').next()?.parse::<usize>().ok());
            if let Some(then) = then.filter(|then| now < *then) {
                faults.push(format!("{}: {now} {what} are found; the page records {then}", set.name));
            }
        }
    }
    faults
}

/// The page with the tables of this run. Sets that it records and that are not in the run keep their row, and then the table of
/// the readers stays, too, since it is over all sets.
pub(crate) fn written(page: &str, sets: &[Set], results: &[Result]) -> Option<String> {
    let (head, rest) = page.split_once(START)?;
    let (made, tail) = rest.split_once(END)?;
    let mut rows = recorded(page);
    let whole = rows.keys().all(|name| sets.iter().any(|set| set.name == *name));
    rows.extend(sets.iter().zip(results).map(|(set, result)| (set.name.clone(), row(set, result))));
    let mut rows: Vec<(String, String)> = rows.into_iter().collect();
    rows.sort_by_key(|(name, _)| ORDER.iter().position(|known| name.starts_with(known)));
    let rows: String = rows.into_iter().map(|(_, row)| row + "\n").collect();
    let readers = match made.split_once(BY_READER) {
        Some((_, old)) if !whole => format!("{BY_READER}{}\n", old.trim_end()),
        _ => by_reader(results),
    };
    Some(format!("{head}{START}\n\n{SETS}{rows}\n{readers}\n{END}{tail}"))
}
