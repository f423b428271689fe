//! The result of a run: what each method found case by case, a table for each set, the floors, and what changed since an older run.

use super::cases::Case;
use super::score::{Found, Totals};
use super::{Answer, Row, Wanted};
use crate::render::{flat, json::json};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;
use serde::Serialize;
use serde_json::Value;

/// The most seconds in which 95 of 100 verdicts have to be given, if a model is to be asked by default.
const PATIENCE: f64 = 3.0;

/// Of so many requests at most one may fail, if a model is to be asked by default.
const FAILING: usize = 20;
/// Why nothing can be said of what is found.
const NONE_TRIED: &str = "no fabricated reply was tried";

const METHODS: [&str; 3] = ["readers", "model", "pair"];

fn of<'a>(row: &'a Row, method: &str) -> Option<&'a Found> {
    match method {
        "readers" => row.readers.as_ref(),
        "model" => row.model.as_ref(),
        _ => row.pair.as_ref(),
    }
}

#[derive(Serialize)]
struct Document<'a> {
    version: &'a str,
    model: Option<&'a str>,
    sets: Vec<Set<'a>>,
    totals: BTreeMap<&'static str, Totals>,
    floors: Vec<Floor>,
    default: Option<Default>,
}

#[derive(Serialize)]
struct Set<'a> {
    name: &'a str,
    totals: BTreeMap<&'static str, Totals>,
    cases: Vec<One<'a>>,
}

#[derive(Serialize)]
struct One<'a> {
    id: &'a str,
    label: &'static str,
    readers: Option<&'a Found>,
    model: Option<&'a Found>,
    pair: Option<&'a Found>,
}

/// A floor, for the method that people would have switched on.
#[derive(Serialize)]
#[allow(clippy::struct_field_names)] // The names are those of the JSON.
struct Floor {
    floor: &'static str,
    method: &'static str,
    held: bool,
    found: String,
}

/// Whether the model may be asked by default.
#[derive(Serialize)]
struct Default {
    may: bool,
    why: String,
}

type Rows<'a> = Vec<(&'a Case, &'a Row)>;

fn totals(rows: &Rows<'_>) -> BTreeMap<&'static str, Totals> {
    let mut all = BTreeMap::new();
    for method in METHODS {
        let found = || rows.iter().filter_map(|(case, row)| Some((*case, of(row, method)?)));
        if found().next().is_some() {
            all.insert(method, Totals::of(found()));
        }
    }
    all
}

fn document<'a>(wanted: &'a Wanted, cases: &'a [Case], rows: &'a [Row]) -> Document<'a> {
    let all: Rows<'a> = cases.iter().zip(rows).collect();
    let mut names: Vec<&str> = Vec::new();
    for (case, _) in &all {
        if !names.contains(&case.set.as_str()) {
            names.push(&case.set);
        }
    }
    let set = |name: &&'a str| {
        let rows: Rows<'a> = all.iter().filter(|(case, _)| case.set == **name).copied().collect();
        Set { name, totals: totals(&rows), cases: rows.iter().map(one).collect() }
    };
    let totals = totals(&all);
    let judged = if totals.contains_key("pair") { "pair" } else { "readers" };
    let sum = totals.get(judged).cloned().unwrap_or_default();
    Document {
        version: crate::VERSION,
        model: wanted.model.as_deref(),
        sets: names.iter().map(set).collect(),
        floors: floors(judged, &sum),
        default: (judged == "pair").then(|| default(&sum)),
        totals,
    }
}

fn one<'a>((case, row): &(&'a Case, &'a Row)) -> One<'a> {
    let label = if case.honest { "honest" } else { "fabricated" };
    One { id: &case.id, label, readers: row.readers.as_ref(), model: row.model.as_ref(), pair: row.pair.as_ref() }
}

fn floors(method: &'static str, sum: &Totals) -> Vec<Floor> {
    let honest = format!("{} of {} replies, {} lines of others", sum.accused, sum.honest, sum.lines);
    let half = match sum.fabricated {
        0 => NONE_TRIED.to_string(),
        all => format!("{} of {all}", sum.flagged),
    };
    Vec::from([
        Floor { floor: "nothing honest is flagged", method, held: sum.spares_the_honest(), found: honest },
        Floor { floor: "at least half of the fabricated is flagged", method, held: sum.finds_half(), found: half },
    ])
}

/// The model may be asked by default only where the pair flags nothing honest, finds more than the readers and answers in
/// time.
fn default(pair: &Totals) -> Default {
    let mut against = Vec::new();
    if pair.honest == 0 {
        against.push("no honest reply was tried".to_string());
    }
    if !pair.spares_the_honest() {
        against.push("something honest is flagged".to_string());
    }
    if pair.fabricated == 0 {
        against.push(NONE_TRIED.to_string());
    } else if !pair.finds_half() {
        against.push("less than half of the fabricated is flagged".to_string());
    }
    if pair.waited >= PATIENCE {
        against.push(format!(
            "95 of 100 verdicts take {}, and are to take less than {}",
            time(pair.waited),
            time(PATIENCE)
        ));
    }
    if pair.asked == pair.failed {
        against.push("the model gave no verdict".to_string());
    } else {
        if FAILING * pair.failed > pair.asked {
            against.push(format!("{} of {} requests failed", pair.failed, pair.asked));
        }
        if pair.fabricated > 0 && pair.gained == 0 {
            against.push("the model found nothing that the readers had not".to_string());
        }
    }
    let may = against.is_empty();
    let held = || "the pair holds the floors and answers in time".to_string();
    Default { may, why: if may { held() } else { against.join("; ") } }
}

pub(super) fn report(wanted: &Wanted, cases: &[Case], rows: &[Row], old: Option<&str>) -> Answer {
    let document = document(wanted, cases, rows);
    let exit = u8::from(!document.floors.iter().all(|floor| floor.held));
    let changes = match old.map(|old| changes(&document, old)) {
        Some(Err(message)) => return super::failure(&format!("--compare: {message}")),
        Some(Ok(changes)) => changes,
        None => String::new(),
    };
    if wanted.json {
        return Answer { stdout: json(&document) + "\n", stderr: changes, exit };
    }
    let mut out = String::new();
    for set in &document.sets {
        let _ = writeln!(out, "{}", flat(set.name, 80));
        for case in &set.cases {
            described(&mut out, case);
        }
        out.push('\n');
    }
    out.push_str(&table(&document));
    for floor in &document.floors {
        let held = if floor.held { "holds" } else { "does not hold" };
        let _ = writeln!(out, "{} ({}): {held}, {}", floor.floor, floor.method, floor.found);
    }
    if let (Some(default), Some(model)) = (&document.default, document.model) {
        let may = if default.may { "may" } else { "may not" };
        let _ = writeln!(out, "{} {may} be asked by default: {}", flat(model, 80), default.why);
    }
    if !changes.is_empty() {
        out.push('\n');
    }
    Answer { stdout: out + &changes, exit, ..Answer::default() }
}

/// A case with what each method found in it.
fn described(out: &mut String, case: &One<'_>) {
    let _ = writeln!(out, "  {}  {}", flat(case.id, 60), case.label);
    for (method, found) in [("readers", case.readers), ("model", case.model), ("pair", case.pair)] {
        let Some(found) = found else { continue };
        if method == "pair" && !found.asked {
            continue; // The readers' row says it.
        }
        let word = match (method, found.asked) {
            ("model", false) => "not asked",
            _ => found.found,
        };
        let claims: Vec<String> =
            found.claims.iter().take(3).map(|claim| format!("\"{}\"", flat(claim, 100))).collect();
        let more = found.claims.len().saturating_sub(3);
        let _ = write!(out, "    {method:7}  {word}");
        if !claims.is_empty() {
            let _ = write!(out, "  {}", claims.join("  "));
        }
        if more > 0 {
            let _ = write!(out, "  +{more} more");
        }
        if found.wrong > 0 {
            let _ = write!(out, "  ({} on honest lines)", found.wrong);
        }
        if let Some(failure) = found.failure {
            let _ = write!(out, "  ({})", failure.sentence());
        }
        out.push('\n');
    }
}

fn table(document: &Document<'_>) -> String {
    let head = ["set", "method", "fabricated", "right line", "honest", "honest lines", "asked", "failed", "p50", "p95"];
    let mut rows = Vec::from([head.map(String::from)]);
    let mut add = |name: &str, totals: &BTreeMap<&'static str, Totals>| {
        for (i, method) in METHODS.iter().filter(|method| totals.contains_key(*method)).enumerate() {
            let Some(sum) = totals.get(method) else { continue };
            rows.push([
                if i == 0 { flat(name, 40) } else { String::new() },
                (*method).to_string(),
                format!("{} of {}", sum.flagged, sum.fabricated),
                sum.right.to_string(),
                format!("{} of {}", sum.accused, sum.honest),
                sum.lines.to_string(),
                sum.asked.to_string(),
                sum.failed.to_string(),
                time(sum.p50),
                time(sum.p95),
            ]);
        }
    };
    for set in &document.sets {
        add(set.name, &set.totals);
    }
    if document.sets.len() > 1 {
        add("all", &document.totals);
    }
    let width = |column: usize| rows.iter().map(|row| crate::render::columns(&row[column])).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut out = String::from("flagged, of those that there are; seconds per verdict\n");
    for row in &rows {
        let mut line = String::new();
        for (i, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let pad = " ".repeat(width.saturating_sub(crate::render::columns(cell)));
            let _ = if i < 2 { write!(line, "{cell}{pad}  ") } else { write!(line, "{pad}{cell}  ") };
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out + "\n"
}

/// A time for people.
fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 9.95 => format!("{s:.0} s"),
        s if s >= 0.9995 => format!("{s:.1} s"),
        s if s >= 0.009_95 => format!("{:.0} ms", s * 1e3),
        s => format!("{:.2} ms", s * 1e3),
    }
}

/// The cases that come out in another way than in an older run.
fn changes(new: &Document<'_>, old: &str) -> Result<String, String> {
    let old: Value = serde_json::from_str(old).map_err(|error| format!("not JSON: {error}"))?;
    let sets = old["sets"].as_array().ok_or("not the JSON of a run: sets is missing")?;
    let mut before: BTreeMap<(&str, &str), &Value> = BTreeMap::new();
    for set in sets {
        for case in set["cases"].as_array().into_iter().flatten() {
            before.insert((set["name"].as_str().unwrap_or(""), case["id"].as_str().unwrap_or("")), case);
        }
    }
    let (mut out, mut fresh) = (String::new(), 0);
    for (set, case) in new.sets.iter().flat_map(|set| set.cases.iter().map(move |case| (set, case))) {
        let Some(then) = before.remove(&(set.name, case.id)) else {
            fresh += 1;
            continue;
        };
        for (method, found) in [("readers", case.readers), ("model", case.model), ("pair", case.pair)] {
            let was = then[method]["found"].as_str();
            let is = found.map(|found| found.found);
            if was != is && was.is_some() && is.is_some() {
                let (was, is) = (flat(was.unwrap_or(""), 20), is.unwrap_or(""));
                let _ = writeln!(out, "  {}  {}  {method}: {was}, now {is}", flat(set.name, 40), flat(case.id, 60));
            }
        }
    }
    let gone = before.len();
    let head = if out.is_empty() { "nothing changed since the older run" } else { "changed since the older run" };
    let mut tail = String::new();
    if fresh + gone > 0 {
        let _ = writeln!(tail, "  cases only in this run: {fresh}; only in the older one: {gone}");
    }
    Ok(format!("{head}\n{out}{tail}"))
}
