//! Property tests over made texts: seeded, on stable Rust, for as long as `FUZZ_SECONDS` says.
//!
//! Without it every target gets the same few hundred texts at each run. A failure prints the seed
//! that made its text; `FUZZ_SEED` starts there.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, unreachable_pub)]

#[path = "../../fuzz/targets.rs"]
mod targets;

use std::time::{Duration, Instant};

/// Pieces that texts are made of: forms that the readers read, markdown, JSON, and what breaks programs.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "All tests pass", "all 42 tests passed", "12 tests passed", "the build succeeded", "compiles cleanly", "exit code 2",
    "`npm test` passes", "ran `cargo test --all`", "found 18 files", "listed seven entries", "was denied per policy",
    "notification sent", "emailed Ana", "removed `old.log`", "Deleted the branch", "you chose B", "as you confirmed",
    "inspect(config) → ok", "edit_file(path=\"a.txt\") returned 3", "committed as 9c41f0e", "wrote `src/a.rs`",
    "sent $64.10 to Ana", "searched the web", "entry 19", "entries 3, 5-7 and 9", "entries 1-100000", "coverage is 93.4 %",
    "no files were changed", "I verified that", "once all tests pass", "should", "not", "and", "if", "Output:", "Returned",
    "3 failed, 39 passed in 2.41s", "test result: ok. 3 passed; 0 failed", "error: ", "exit status: 0", "done", "2026-07-01",
    "rm -rf build && git push", "bash -lc 'npm test'", "cat <<'E'\nx\nE", "echo \"All tests passed\"", "$(", "`", "'", "\"",
    "# ", "## Result\n", "- ", "1. ✅ ", "> ", "| a | b |\n|---|---|\n| 1 | 2 |\n", "```\n", "```bash\n", "~~~\n", "**", "_", "[x](y)",
    "<b>", "<script>", "&amp;", "\\", "\n", "\n\n", "\r\n", "\t", "    ", " ", " ", ". ", "; ", ", ", ": ", "→", "—", "…", "’", "“",
    "日本語", "🎉", "é", "e\u{301}", "\u{200b}", "\u{a0}", "\u{feff}", "\0", "\u{1b}[31m", "\u{202e}", "ß", "İ", "𝟛", "٣",
    "{", "}", "[", "]", "\"turns\":", "\"reply\":", "\"calls\":[", "\"tool\":\"bash\"", "\"type\":\"assistant\"", "\"role\":\"user\"",
    "\"content\":", "\"tool_use\"", "\"toolu_1\"", "\"uuid\":\"a\"", "\"sessionId\":\"s\"", "\"message\":", "null", "true", "1e999", "-1",
    "18446744073709551616", "\"\\ud83d\"", "NaN", ":", ",", "\"\"", "\"x\"",
];

/// A small generator of numbers, so that a seed names a text for ever.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// The text of a seed: pieces in a row, at times one of them many times over, at times broken bytes.
fn text(seed: u64) -> Vec<u8> {
    let mut dice = Dice(seed);
    let mut made = String::new();
    let size = [2, 6, 20, 60][dice.below(4)];
    for _ in 0..=dice.below(size) {
        let piece = PIECES[dice.below(PIECES.len())];
        let times = if dice.below(60) == 0 { dice.below(400) } else { 1 };
        made.extend(std::iter::repeat_n(piece, times));
        match dice.below(8) {
            0 => made.push(targets::CUT),
            1..=5 => made.push(' '),
            _ => {}
        }
    }
    let mut bytes = made.into_bytes();
    let at = dice.below(bytes.len());
    match (dice.below(10), bytes.get_mut(at)) {
        (0, Some(byte)) => *byte = dice.next() as u8,
        (1, _) => bytes.truncate(at),
        _ => {}
    }
    bytes
}

/// A host's file with some of its bytes changed, cut out or put in, so that every adapter is reached.
fn damaged(seed: u64, files: &[Vec<u8>]) -> Vec<u8> {
    let mut dice = Dice(seed);
    let Some(file) = files.get(dice.below(files.len())) else { return text(seed) };
    let mut bytes = file.clone();
    for _ in 0..dice.below(4) {
        let at = dice.below(bytes.len());
        match (dice.below(4), bytes.get_mut(at)) {
            (0, _) => bytes.truncate(at),
            (1, _) => drop(bytes.splice(at..at, PIECES[dice.below(PIECES.len())].bytes())),
            (2, Some(byte)) => *byte = dice.next() as u8,
            _ => drop(bytes.drain(at..(at + dice.below(200)).min(bytes.len()))),
        }
    }
    bytes
}

/// The sessions that lie in the repository.
fn files() -> Vec<Vec<u8>> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let folders = ["examples/sessions", "tests/sessions"].map(|name| format!("{root}/{name}"));
    let entries = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read(path).ok()).filter(|bytes| bytes.len() < 200_000).collect()
}

/// Prints the seed when a target panics under it.
struct Named(&'static str, u64);

impl Drop for Named {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("target {} failed; start there with FUZZ_SEED={}", self.0, self.1);
        }
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// The longest that one text may take; more means worse than linear time.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many texts a run without a time is given.
const TEXTS: u64 = 400;

fn in_time(target: targets::Target, data: &[u8]) {
    let start = Instant::now();
    target(data);
    assert!(start.elapsed() < PATIENCE, "{} bytes took {:?}", data.len(), start.elapsed());
}

/// Time that grows with the square of the input shows on such texts: a minute instead of milliseconds.
#[test]
fn one_piece_many_times_over_costs_no_more_than_its_length() {
    let size = if number("FUZZ_SECONDS").is_some() { 200_000 } else { 10_000 };
    for (i, piece) in PIECES.iter().enumerate() {
        let next = PIECES[(i + 1) % PIECES.len()];
        for unit in [(*piece).to_string(), format!("{piece} {next} ")] {
            let data = unit.repeat(size / unit.len());
            for (name, target) in targets::ALL {
                println!("{name}: {unit:?} to {size} bytes");
                in_time(*target, data.as_bytes());
            }
        }
    }
}

#[test]
fn nothing_that_is_read_breaks_a_promise() {
    let files = files();
    let first = number("FUZZ_SEED").unwrap_or(1);
    let deadline = number("FUZZ_SECONDS").map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut seed = first;
    while deadline.map_or(seed < first + TEXTS, |end| Instant::now() < end) {
        for (name, target) in targets::ALL {
            let _named = Named(name, seed);
            let file = matches!(*name, "parse" | "session") && seed % 4 != 0;
            in_time(*target, &if file { damaged(seed, &files) } else { text(seed) });
        }
        seed += 1;
    }
    println!("{} texts through {} targets, seeds {first} to {}", seed - first, targets::ALL.len(), seed - 1);
}
