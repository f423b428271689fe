//! The sums at the end of a run over several files: by file, by model, by reader.

use crate::render::text::Style;
use crate::render::{columns, flat, head, tail};
use crate::sort::sorted;
use crate::verification::{ModelTotals, Totals};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Write as _;

/// What came of a file.
pub(super) struct Row {
    /// Its name, as it is shown.
    pub(super) name: String,
    /// The format that it was read as.
    pub(super) format: Option<String>,
    /// None for one that could not be read.
    pub(super) totals: Option<Totals>,
}

/// The columns that a file's name has at least, and at most.
const NAME: core::ops::RangeInclusive<usize> = 24..=60;

/// The most columns of a model's name.
const MODEL: usize = 28;

/// All tables.
pub(super) fn tables(rows: &[Row], style: Style) -> String {
    by_file(rows, style) + &by_model(rows, style) + &by_reader(rows, style)
}

/// A line of a table, and whether something in it was flagged.
type Line = (Vec<String>, bool);

fn numbers(sums: &ModelTotals) -> Vec<String> {
    [sums.turns, sums.calls, sums.claims, sums.flagged].iter().map(ToString::to_string).collect()
}

fn sums(totals: &Totals) -> ModelTotals {
    let Totals { turns, calls, claims, flagged, .. } = *totals;
    ModelTotals { turns, calls, claims, flagged }
}

fn add(to: &mut ModelTotals, from: &ModelTotals) {
    to.turns += from.turns;
    to.calls += from.calls;
    to.claims += from.claims;
    to.flagged += from.flagged;
}

/// The files with what was read in each, and their sum.
fn by_file(rows: &[Row], style: Style) -> String {
    let named = rows.iter().filter_map(|row| row.totals.as_ref()).any(|totals| !totals.by_model.is_empty());
    let texts = if named { 3 } else { 2 };
    let mut all = ModelTotals::default();
    let folder = shared(rows);
    let file = if folder.is_empty() { "file".to_string() } else { format!("file in {folder}") };
    let mut lines: Vec<Line> = vec![(headings(&[&file, "format", "model"], texts), false)];
    for row in rows {
        let name = row.name.strip_prefix(folder).unwrap_or(&row.name);
        let mut cells = vec![name.to_string(), flat(row.format.as_deref().unwrap_or(""), 40)];
        cells.extend(named.then(|| models(row)));
        match &row.totals {
            None => cells.push("unreadable".into()),
            Some(totals) => {
                add(&mut all, &sums(totals));
                cells.extend(numbers(&sums(totals)));
            }
        }
        lines.push((cells, row.totals.as_ref().is_none_or(|totals| totals.flagged > 0)));
    }
    let mut cells = headings(&["all", "", ""], texts);
    cells.splice(texts.., numbers(&all));
    lines.push((cells, false));
    let others: usize = widths(&lines).iter().skip(1).map(|width| width + 2).sum();
    let room = style.width.saturating_sub(others).clamp(*NAME.start(), *NAME.end());
    for (cells, _) in &mut lines {
        if let Some(name) = cells.first_mut() {
            *name = middle(name, room);
        }
    }
    written(&lines, texts, style)
}

/// The folder in which all files are, with its slash; an empty text where there is none, or but one file.
fn shared(rows: &[Row]) -> &str {
    let mut rows = rows.iter().map(|row| row.name.as_str());
    let first = rows.next().unwrap_or("");
    let mut folder = if rows.len() > 0 { first } else { "" };
    for name in rows {
        let same = folder.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
        let end = folder.as_bytes().iter().take(same).rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
        folder = folder.get(..end).unwrap_or("");
    }
    folder
}

/// The models of a file: that of the most turns, and how many others there are.
fn models(row: &Row) -> String {
    let models = row.totals.iter().flat_map(|totals| &totals.by_model);
    let models = sorted(models.collect::<Vec<_>>(), |a, b| b.1.turns.cmp(&a.1.turns));
    match models.as_slice() {
        [] => String::new(),
        [(name, _)] => model(name),
        [(name, _), others @ ..] => format!("{} +{}", model(name), others.len()),
    }
}

fn model(name: &str) -> String {
    middle(&flat(name, 200), MODEL)
}

/// The same sums by model, where there are several.
fn by_model(rows: &[Row], style: Style) -> String {
    let (mut all, mut known) = (ModelTotals::default(), ModelTotals::default());
    let mut models: BTreeMap<&str, ModelTotals> = BTreeMap::new();
    for totals in rows.iter().filter_map(|row| row.totals.as_ref()) {
        add(&mut all, &sums(totals));
        for (name, one) in &totals.by_model {
            add(models.entry(name).or_default(), one);
            add(&mut known, one);
        }
    }
    if models.len() < 2 {
        return String::new();
    }
    let mut lines: Vec<Line> = vec![(headings(&["model"], 1), false)];
    let models = sorted(models.into_iter().collect::<Vec<_>>(), |a, b| b.1.turns.cmp(&a.1.turns));
    for (name, one) in &models {
        lines.push(([vec![model(name)], numbers(one)].concat(), one.flagged > 0));
    }
    let rest = ModelTotals {
        turns: all.turns - known.turns,
        calls: all.calls - known.calls,
        claims: all.claims - known.claims,
        flagged: all.flagged - known.flagged,
    };
    if rest.turns > 0 {
        lines.push(([vec!["not named".to_string()], numbers(&rest)].concat(), rest.flagged > 0));
    }
    written(&lines, 1, style)
}

/// How many claims each reader flagged, the most first; nothing where none did.
fn by_reader(rows: &[Row], style: Style) -> String {
    let mut sums: BTreeMap<&str, usize> = BTreeMap::new();
    for (reader, count) in rows.iter().filter_map(|row| row.totals.as_ref()).flat_map(|t| &t.by_reader) {
        *sums.entry(reader.as_str()).or_default() += count;
    }
    let sums = sorted(sums.into_iter().collect::<Vec<(&str, usize)>>(), |a, b| b.1.cmp(&a.1));
    if sums.is_empty() {
        return String::new();
    }
    let mut lines: Vec<Line> = vec![(vec!["reader".into(), "flagged".into()], false)];
    lines.extend(sums.into_iter().map(|(name, count)| (vec![name.to_string(), count.to_string()], false)));
    written(&lines, 1, style)
}

/// The first of these words, and the names of the numbers.
fn headings(texts: &[&str], count: usize) -> Vec<String> {
    texts.iter().take(count).chain(&["turns", "calls", "claims", "flagged"]).map(ToString::to_string).collect()
}

fn widths(lines: &[Line]) -> Vec<usize> {
    let mut widths: Vec<usize> = Vec::new();
    for (cells, _) in lines {
        widths.resize(widths.len().max(cells.len()), 0);
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = columns(cell).max(*width);
        }
    }
    widths
}

/// A table below an empty line: texts to the left, numbers to the right.
fn written(lines: &[Line], texts: usize, style: Style) -> String {
    let widths = widths(lines);
    let mut out = String::from("\n");
    for (i, (cells, marked)) in lines.iter().enumerate() {
        let mut line = String::new();
        for (j, (cell, width)) in cells.iter().zip(&widths).enumerate() {
            let pad = " ".repeat(width.saturating_sub(columns(cell)));
            let gap = if j == 0 { "" } else { "  " };
            let _ = if j < texts { write!(line, "{gap}{cell}{pad}") } else { write!(line, "{gap}{pad}{cell}") };
        }
        let line = line.trim_end();
        out.push_str(&match (i, marked) {
            (0, _) => style.dim(line),
            (_, true) => style.red(line),
            _ => line.to_string(),
        });
        out.push('\n');
    }
    out
}

/// A long path without its middle: its end tells it from others, its start where it is.
pub(super) fn middle(name: &str, most: usize) -> String {
    if columns(name) <= most {
        return name.into();
    }
    let start = head(name, most / 3);
    let end = tail(name, most.saturating_sub(columns(start) + 1));
    // A whole part of the path reads better than the end of one.
    let whole = end.find('/').filter(|at| *at <= end.len() / 3).and_then(|at| end.get(at..));
    format!("{start}…{}", whole.unwrap_or(end))
}
