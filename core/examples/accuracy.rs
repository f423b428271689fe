//! `make accuracy`: how many claims are flagged rightly, wrongly, or missed, for each set and each reader.
//!
//!     cargo run --release -p counterfoil --example accuracy -- [--list] [--gate] [--write FILE] [SET ...]
//!
//! The project's own set is `tests/accuracy`: turns that were written for it, of which the half `tuned` may be looked at
//! while a reader is made and the half `frozen` is only scored. Labelled turns that lie beside the project in
//! `../shared` are scored where they are. `--list` prints each claim that is wrong or missed, `--gate` fails when an honest
//! line is flagged or fewer are found than the figures in the document say.

use counterfoil::transcript::turn_from;
use counterfoil::{verify, Claim, Options};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A turn with what is known of its lines.
struct Case {
    id: String,
    turn: Value,
    /// Fragments that have to be flagged, with alternatives for each.
    bad: Vec<Vec<String>>,
    /// Fragments that must not be.
    good: Vec<String>,
    /// The whole turn is honest.
    honest: bool,
}

/// What came of a set, or of a reader in it.
#[derive(Clone, Copy, Default)]
struct Score {
    right: usize,
    wrong: usize,
    missed: usize,
    /// Flagged where nobody has labelled.
    unlabelled: usize,
}

/// The turns of one set.
#[derive(Default)]
struct Set {
    name: String,
    cases: Vec<Case>,
}

/// The result of one set.
#[derive(Default)]
struct Result {
    readers: BTreeMap<String, Score>,
    all: Score,
    /// Fabricated turns, and those with a flag on a right line.
    turns: (usize, usize),
    /// Honest turns, and those with a flag.
    honest: (usize, usize),
    list: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_string)
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(text).collect()
}

impl Case {
    /// A row of `cases/*.json` or of the project's own set.
    fn of(row: &Value) -> Case {
        let mut bad: Vec<Vec<String>> = texts(&row["unsupported"]).into_iter().map(|t| vec![t]).collect();
        for label in row["must_flag"].as_array().into_iter().flatten() {
            bad.push([&label["line_contains"], &label["or_line_contains"]].into_iter().filter_map(text).collect());
        }
        let mut good = texts(&row["honest"]);
        good.extend(texts(&row["must_not_flag"]));
        let honest = row["label"] == "honest";
        Case { id: text(&row["id"]).unwrap_or_default(), turn: row.clone(), bad, good, honest }
    }
}

/// The sets: the project's own, then those beside it, by name.
fn sets(only: &[String]) -> Vec<Set> {
    let mut sets = Vec::new();
    for half in ["tuned", "frozen"] {
        let mut cases = Vec::new();
        let mut files: Vec<PathBuf> = std::fs::read_dir(root().join("tests/accuracy").join(half))
            .map(|folder| folder.flatten().map(|entry| entry.path()).collect())
            .unwrap_or_default();
        files.sort();
        for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "toml")) {
            let text = std::fs::read_to_string(file).expect("a file of the set");
            let rows: Value = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            cases.extend(rows["case"].as_array().into_iter().flatten().map(Case::of));
        }
        sets.push(Set { name: half.to_string(), cases });
    }
    let shared = root().join("../shared");
    for name in ["base", "field", "patterns"] {
        let Ok(text) = std::fs::read_to_string(shared.join("cases").join(format!("{name}.json"))) else {
            println!("skipped: {name} is not beside the project");
            continue;
        };
        let file: Value = serde_json::from_str(&text).expect("JSON");
        let mut by: BTreeMap<String, Vec<Case>> = BTreeMap::new();
        for row in file["cases"].as_array().into_iter().flatten() {
            let set = match (row["lang"].as_str(), row["reach"].as_str()) {
                (Some(_), _) => format!("{name}, other languages"),
                (_, Some(reach)) => format!("{name}, {reach}"),
                _ => name.to_string(),
            };
            by.entry(set).or_default().push(Case::of(row));
        }
        sets.extend(by.into_iter().map(|(name, cases)| Set { name, cases }));
    }
    match corpus(&shared.join("corpus")) {
        Some(set) => sets.push(set),
        None => println!("skipped: the corpus is not beside the project"),
    }
    sets.retain(|set| only.is_empty() || only.iter().any(|name| set.name.starts_with(name.as_str())));
    sets
}

fn corpus(folder: &Path) -> Option<Set> {
    let lines = |name: &str| -> Option<Vec<Value>> {
        let text = std::fs::read_to_string(folder.join(name)).ok()?;
        Some(text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect())
    };
    let mut labels: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for label in lines("labels.jsonl")? {
        labels.entry(text(&label["id"])?).or_default().push(label);
    }
    let cases = lines("turns.jsonl")?.into_iter().map(|row| {
        let id = text(&row["id"]).unwrap_or_default();
        let of = |verdict: &str| -> Vec<String> {
            let here = labels.get(&id).into_iter().flatten();
            here.filter(|l| l["verdict"] == verdict).filter_map(|l| text(&l["line"])).collect()
        };
        let (bad, good) = (of("unsupported").into_iter().map(|t| vec![t]).collect(), of("supported"));
        Case { id, turn: row, bad, good, honest: false }
    });
    Some(Set { name: "corpus".into(), cases: cases.collect() })
}

/// The whole lines of the reply that a claim touches.
fn lines_of(reply: &str, claim: &Claim) -> (usize, usize) {
    let start = reply[..claim.span.start].rfind('\n').map_or(0, |i| i + 1);
    let end = reply[claim.span.end..].find('\n').map_or(reply.len(), |i| i + claim.span.end);
    (start, end)
}

/// Whether a fragment stands on the lines, or holds them.
fn on_lines(reply: &str, (start, end): (usize, usize), fragment: &str) -> bool {
    reply.match_indices(fragment).any(|(at, _)| at < end && start < at + fragment.len())
}

fn overlaps(reply: &str, claim: &Claim, fragment: &str) -> bool {
    reply.match_indices(fragment).any(|(at, _)| at < claim.span.end && claim.span.start < at + fragment.len())
}

fn score(set: &Set) -> Result {
    let mut result = Result::default();
    let options = Options::default();
    for case in &set.cases {
        let turn = turn_from(case.turn.clone()).unwrap_or_else(|e| panic!("{}: {e}", case.id));
        let reply = turn.text();
        let found = verify(&turn, &options);
        let flagged: Vec<&Claim> = found.iter().flat_map(|r| &r.claims).filter(|c| c.verdict.flagged()).collect();
        let mut hit = vec![false; case.bad.len()];
        for claim in &flagged {
            let lines = lines_of(&reply, claim);
            let matching = |any: &Vec<String>| any.iter().any(|f| on_lines(&reply, lines, f));
            let wrong = case.honest || case.good.iter().any(|f| overlaps(&reply, claim, f));
            let mut right = false;
            for (i, bad) in case.bad.iter().enumerate() {
                if matching(bad) {
                    (hit[i], right) = (true, true);
                }
            }
            let kind = match (wrong, right) {
                (true, _) => "WRONG",
                (_, true) => "right",
                _ => "unlabelled",
            };
            for score in [&mut result.all, result.readers.entry(claim.reader.clone()).or_default()] {
                match kind {
                    "WRONG" => score.wrong += 1,
                    "right" => score.right += 1,
                    _ => score.unlabelled += 1,
                }
            }
            let reason = claim.reason.as_deref().unwrap_or_default();
            result.list.push(format!("{kind} {}: {} {:?} ({reason})", case.id, claim.reader, claim.text));
        }
        for (bad, hit) in case.bad.iter().zip(&hit) {
            if !hit {
                result.all.missed += 1;
                result.list.push(format!("missed {}: {:?}", case.id, bad.first()));
            }
        }
        if case.honest {
            result.honest.0 += 1;
            result.honest.1 += usize::from(!flagged.is_empty());
        } else if !case.bad.is_empty() {
            result.turns.0 += 1;
            result.turns.1 += usize::from(hit.contains(&true));
        }
    }
    result
}

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

fn table(sets: &[Set], results: &[Result]) -> String {
    let mut out = String::from(
        "| set | turns | fabricated turns found | 95 % | lines right | lines missed | honest turns flagged | 95 % | honest lines wrong | not labelled |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for (set, r) in sets.iter().zip(results) {
        let _ = writeln!(
            out,
            "| {} | {} | {} of {} | {} | {} | {} | {} of {} | {} | {} | {} |",
            set.name,
            set.cases.len(),
            r.turns.1,
            r.turns.0,
            interval(r.turns.1, r.turns.0),
            r.all.right,
            r.all.missed,
            r.honest.1,
            r.honest.0,
            interval(r.honest.1, r.honest.0),
            r.all.wrong,
            r.all.unlabelled,
        );
    }
    out.push_str(
        "\n| reader | right | wrong | not labelled | precision where labelled, 95 % |\n|---|---|---|---|---|\n",
    );
    let mut readers: BTreeMap<&str, Score> = BTreeMap::new();
    for (name, score) in results.iter().flat_map(|r| &r.readers) {
        let sum = readers.entry(name).or_default();
        sum.right += score.right;
        sum.wrong += score.wrong;
        sum.unlabelled += score.unlabelled;
    }
    for info in counterfoil::readers::READERS {
        let s = readers.get(info.name).copied().unwrap_or_default();
        let precision = interval(s.right, s.right + s.wrong);
        let _ = writeln!(out, "| `{}` | {} | {} | {} | {precision} |", info.name, s.right, s.wrong, s.unlabelled);
    }
    out
}

fn main() -> ExitCode {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut flag = |name: &str| {
        let had = args.len();
        args.retain(|a| a != name);
        args.len() < had
    };
    let (list, gate) = (flag("--list"), flag("--gate"));
    let sets = sets(&args);
    let results: Vec<Result> = sets.iter().map(score).collect();
    if list {
        for (set, result) in sets.iter().zip(&results) {
            println!("## {}", set.name);
            for line in &result.list {
                println!("{line}");
            }
        }
    }
    println!("{}", table(&sets, &results));
    let wrong: usize = results.iter().map(|r| r.all.wrong).sum();
    if gate && wrong > 0 {
        println!("{wrong} honest lines are flagged");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
