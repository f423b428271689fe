//! `make accuracy`: how many claims are flagged rightly, wrongly, or missed, for each set and each reader.
//!
//!     cargo run --release -p counterfoil --example accuracy -- [--list] [--gate] [--write] [SET ...]
//!
//! The project's own set is `tests/accuracy`: turns that were written for it, of which the half `tuned` may be looked at
//! while a reader is made and the half `frozen` is only scored. Labelled turns that lie beside the project in
//! `../shared` are scored where they are; a set that is not there is named and keeps its row in the page.
//!
//! `--list` prints each claim that is wrong, right, not labelled or missed, `frozen` left out. `--gate` fails when an honest line is flagged or
//! fewer are found than docs/accuracy.md records. `--write` writes the tables there; together with `--gate` only where
//! the gate lets it.

#![allow(clippy::expect_used, clippy::panic)] // A set that cannot be read has to fail the run.

mod document;
mod score;
mod sets;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut flag = |name: &str| {
        let had = args.len();
        args.retain(|a| a != name);
        args.len() < had
    };
    let (list, gate, write) = (flag("--list"), flag("--gate"), flag("--write"));
    if let Some(unknown) = args.iter().find(|a| a.starts_with('-')) {
        println!("unknown flag {unknown}; the flags are --list, --gate, --write");
        return ExitCode::FAILURE;
    }
    let sets = sets::sets(&args);
    let results: Vec<score::Result> = sets.iter().map(score::score).collect();
    if list {
        // What is only scored is not shown, so that no reader is made for it.
        for (set, result) in sets.iter().zip(&results).filter(|(set, _)| set.name != "frozen") {
            println!("## {}", set.name);
            for line in &result.list {
                println!("{line}");
            }
        }
    }
    println!("{}", document::tables(&sets, &results));
    let path = sets::root().join("docs/accuracy.md");
    let page = std::fs::read_to_string(&path).unwrap_or_default();
    if gate {
        let faults = document::faults(&sets, &results, &document::recorded(&page));
        for fault in &faults {
            println!("accuracy: {fault}");
        }
        if !faults.is_empty() {
            return ExitCode::FAILURE;
        }
        let names: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
        println!("accuracy: no honest line flagged, nothing lost in {} sets: {}", names.len(), names.join("; "));
    }
    if write {
        let Some(page) = document::written(&page, &sets, &results) else {
            println!("docs/accuracy.md has no place for the tables");
            return ExitCode::FAILURE;
        };
        if let Err(error) = std::fs::write(&path, page) {
            println!("docs/accuracy.md: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
