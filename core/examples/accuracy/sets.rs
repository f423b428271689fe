//! The labelled sets: the project's own, and those that lie beside it.

use crate::document::ORDER;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A turn with what is known of its lines.
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) turn: Value,
    /// The reader that the false line is for, or the trap that the honest wording sets; empty where it is not said.
    pub(crate) kind: String,
    /// Fragments that have to be flagged, with alternatives for each.
    pub(crate) bad: Vec<Vec<String>>,
    /// Fragments that must not be.
    pub(crate) good: Vec<String>,
    /// The whole turn is honest.
    pub(crate) honest: bool,
}

/// The turns of one set.
#[derive(Default)]
pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) cases: Vec<Case>,
}

pub(crate) fn root() -> PathBuf {
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
        let (id, kind) = (text(&row["id"]).unwrap_or_default(), text(&row["kind"]).unwrap_or_default());
        Case { id, turn: row.clone(), kind, bad, good, honest }
    }
}

/// The sets that are named, all where none is; an error where a name is none, or nothing of that name lies here.
pub(crate) fn sets(only: &[String]) -> Result<Vec<Set>, String> {
    let mut sets = all();
    let unknown = only.iter().find(|name| !sets.iter().any(|set| set.name.starts_with(name.as_str())));
    if let Some(name) = unknown {
        let names: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
        let why = if ORDER.contains(&name.as_str()) { "is not beside the project" } else { "is no set" };
        return Err(format!("{name} {why}; the sets that are here are {}", names.join("; ")));
    }
    sets.retain(|set| only.is_empty() || only.iter().any(|name| set.name.starts_with(name.as_str())));
    Ok(sets)
}

/// Every set that is here: the project's own, then those beside it, by name.
fn all() -> Vec<Set> {
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
        Case { id, turn: row, kind: String::new(), bad, good, honest: false }
    });
    Some(Set { name: "corpus".into(), cases: cases.collect() })
}
