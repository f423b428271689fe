//! Real files of host formats, where they lie beside the project: what is read of each is pinned under `tests/real`.
//!
//! Nothing of the files is part of the project. A table there is named after their folder; a row tells the format, and how many
//! conversations, turns and calls a person counted in the file (`by_hand = true`) or the reader found; or the error that the file
//! has to give.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use counterfoil::transcript::{parse_all, parse_bytes};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct Table {
    file: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    /// The format that is named, where the keys leave it open.
    named: Option<String>,
    format: Option<String>,
    conversations: Option<usize>,
    turns: Option<usize>,
    calls: Option<usize>,
    /// How the error starts, for a file that holds no transcript.
    error: Option<String>,
    #[serde(default)]
    by_hand: bool,
}

/// The folder of real files, or `None` with a plain message.
fn raw() -> Option<PathBuf> {
    let mut above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(1).take(4).map(|up| up.join("shared/raw"));
    let found = above.find(|path| path.is_dir());
    if found.is_none() {
        println!("no folder shared/raw beside the project; real files are not read");
    }
    found
}

/// The rows of every folder that has a table.
fn rows() -> BTreeMap<String, Vec<Row>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("tests/real");
    let mut rows = BTreeMap::new();
    for path in std::fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
    {
        let table: Table = toml::from_str(&std::fs::read_to_string(&path).unwrap())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        rows.insert(path.file_stem().unwrap().to_string_lossy().into_owned(), table.file);
    }
    rows
}

/// What a file gives, in one line.
fn told(bytes: &[u8], named: Option<&str>) -> String {
    match parse_bytes(bytes, named) {
        Err(error) => format!("error: {error}"),
        Ok(session) => {
            let conversations = parse_all(&String::from_utf8_lossy(bytes), named).map_or(1, |all| all.len());
            let calls: usize = session.turns.iter().map(|turn| turn.calls.as_ref().map_or(0, Vec::len)).sum();
            let name = session.format.map(|format| format.name).unwrap_or_default();
            format!("{name}, {conversations} conversations, {} turns, {calls} calls", session.turns.len())
        }
    }
}

fn expected(row: &Row) -> String {
    match &row.error {
        Some(error) => format!("error: {error}"),
        None => format!(
            "{}, {} conversations, {} turns, {} calls",
            row.format.as_deref().unwrap_or(""),
            row.conversations.unwrap_or(1),
            row.turns.unwrap_or(0),
            row.calls.unwrap_or(0)
        ),
    }
}

#[test]
fn real_files_give_the_turns_and_calls_that_were_counted_in_them() {
    let Some(raw) = raw() else { return };
    let (mut wrong, mut by_hand) = (Vec::new(), 0);
    for (folder, rows) in rows() {
        for row in rows {
            let path = raw.join(&folder).join(&row.name);
            let Ok(bytes) = std::fs::read(&path) else {
                wrong.push(format!("{folder}/{}: no such file", row.name));
                continue;
            };
            by_hand += usize::from(row.by_hand);
            let (told, expected) = (told(&bytes, row.named.as_deref()), expected(&row));
            let same = if row.error.is_some() { told.starts_with(&expected) } else { told == expected };
            if !same {
                wrong.push(format!("{folder}/{}\n  expected {expected}\n  found    {told}", row.name));
            }
        }
    }
    println!("{by_hand} of the files were counted by hand");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_real_file_has_a_row() {
    let Some(raw) = raw() else { return };
    let rows = rows();
    let mut missing = Vec::new();
    for folder in std::fs::read_dir(raw).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let known: Vec<&str> = rows.get(&name).into_iter().flatten().map(|row| row.name.as_str()).collect();
        for file in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let file_name = file.file_name().unwrap().to_string_lossy().into_owned();
            if !known.contains(&file_name.as_str()) {
                missing.push(format!("{name}/{file_name}: {}", told(&std::fs::read(&file).unwrap(), None)));
            }
        }
    }
    missing.sort();
    assert!(missing.is_empty(), "no row under tests/real for\n{}", missing.join("\n"));
}
