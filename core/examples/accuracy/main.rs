//! `make accuracy`: how many claims are flagged rightly, wrongly, or missed, for each set and each reader.
//!
//!     cargo run --release -p counterfoil --example accuracy -- [--list] [--gate] [--write] [SET ...]
//!
//! The project's own set is `tests/accuracy`: turns that were written for it, of which the half `tuned` may be looked at
//! while a reader is made and the half `frozen` is only scored. Labelled turns that lie beside the project in
//! `../shared` are scored where they are; a set that is not there is named and keeps its row in the page.
//!
//! `--help` says what the flags do. `frozen` is never listed, so that no reader is made for it.

#![allow(clippy::expect_used, clippy::panic)] // A set that cannot be read has to fail the run.

mod document;
mod score;
mod sets;

use std::process::ExitCode;

const HELP: &str = "\
Scores the readers on labelled turns.

    cargo run --release -p counterfoil --example accuracy -- [FLAG ...] [SET ...]

  --list    print each claim that is wrong, right, not labelled or missed; frozen left out
  --gate    exit 1 when an honest line is flagged, or fewer are found than docs/accuracy.md records
  --write   write the tables into docs/accuracy.md; with --gate only where the gate lets it
  --help    print this

A SET is the beginning of a set's name: tuned, frozen, base, field, patterns, corpus. Without one all are scored.
";

fn main() -> ExitCode {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut flag = |name: &str| {
        let had = args.len();
        args.retain(|a| a != name);
        args.len() < had
    };
    let (list, gate, write) = (flag("--list"), flag("--gate"), flag("--write"));
    if flag("--help") || flag("-h") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    if let Some(unknown) = args.iter().find(|a| a.starts_with('-')) {
        eprintln!("unknown flag {unknown}; the flags are --list, --gate, --write, --help");
        return ExitCode::FAILURE;
    }
    let sets = match sets::sets(&args) {
        Ok(sets) => sets,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    let results: Vec<score::Result> = sets.iter().map(score::score).collect();
    if list {
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
        let count = document::number(names.len(), "set");
        println!("accuracy: no honest line flagged, nothing lost in {count}: {}", names.join("; "));
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
