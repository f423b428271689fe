//! `make bench`: what a check costs, as ratios that mean the same on every machine.
//!
//! The session is made from a seed: each turn has about eight claims of different readers in a reply
//! with headings, lists and a code block, and six calls of 2 KB of varied output. Times are the best
//! of several runs; memory is counted by the allocator, not guessed.
#![allow(missing_docs, unreachable_pub, unsafe_code, clippy::print_stdout, clippy::unwrap_used, clippy::expect_used)]

use counterfoil::evidence::index::{Part, Record};
use counterfoil::prose::Prose;
use counterfoil::verification::{verify, verify_session};
use counterfoil::{transcript, Options, Session};
use serde_json::{json, Value};
use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The system's allocator with a count of what is held, and of the most that was.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call goes to the system's allocator unchanged; only numbers are kept besides.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        PEAK.fetch_max(HELD.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        System.alloc(layout)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        System.dealloc(pointer, layout);
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let held = if size > layout.size() {
            HELD.fetch_add(size - layout.size(), Relaxed) + size - layout.size()
        } else {
            HELD.fetch_sub(layout.size() - size, Relaxed)
        };
        PEAK.fetch_max(held, Relaxed);
        System.realloc(pointer, layout, size)
    }
}

/// The most that is held while `work` runs, above what was held before.
fn peak<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = HELD.load(Relaxed);
    PEAK.store(before, Relaxed);
    let made = work();
    (PEAK.load(Relaxed).saturating_sub(before), made)
}

/// The best time of several runs.
fn best<T>(runs: usize, mut work: impl FnMut() -> T) -> Duration {
    let time = |()| {
        let start = Instant::now();
        black_box(work());
        start.elapsed()
    };
    std::iter::repeat_n((), runs).map(time).min().unwrap_or_default()
}

/// A small generator of numbers, so that every run measures the same text.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

const NAMES: &[&str] =
    &["parser", "session", "invoice", "harbour", "index", "cache", "report", "user", "token", "queue"];
const VERBS: &[&str] =
    &["reads", "writes", "checks", "loads", "merges", "drops", "sorts", "renames", "retries", "folds"];

/// About `size` bytes that a tool may have printed: a log, a listing, or source text.
fn output(dice: &mut Dice, size: usize) -> String {
    let mut text = String::new();
    let kind = dice.below(3);
    while text.len() < size {
        let (name, verb, number) = (dice.pick(NAMES), dice.pick(VERBS), dice.below(9000));
        let _ = match kind {
            0 => writeln!(
                text,
                "2026-10-{:02}T08:{:02}:11Z INFO {name} {verb} {number} rows in {}.{} ms",
                number % 28 + 1,
                number % 60,
                number % 97,
                number % 10
            ),
            1 => writeln!(text, "-rw-r--r-- 1 mira mira {number:>6} Oct 14 07:55 src/{name}_{number}.rs"),
            _ => writeln!(text, "{number:>5}\tfn {name}_{verb}(input: &str) -> usize {{ input.len() + {number} }}"),
        };
    }
    text
}

/// A call with a typical command, and how it ended.
fn call(dice: &mut Dice, size: usize) -> Value {
    let (name, number) = (dice.pick(NAMES), dice.below(400));
    let mut text = output(dice, size);
    let (tool, arguments, exit) = match dice.below(6) {
        0 => {
            let _ = writeln!(text, "test result: ok. {number} passed; 0 failed; 0 ignored; finished in 1.20s");
            ("bash", json!({"command": "cargo test --workspace 2>&1 | tail -40"}), 0)
        }
        1 => ("read_file", json!({"path": format!("src/{name}.rs")}), 0),
        2 => ("edit_file", json!({"path": format!("src/{name}.rs"), "old": "let a = 1;", "new": "let a = 2;"}), 0),
        3 => ("bash", json!({"command": format!("grep -rn '{name}' src && ls -la src")}), 0),
        4 => ("bash", json!({"command": "npm run build"}), dice.below(3)),
        _ => ("web_search", json!({"query": format!("{name} {number} format")}), 0),
    };
    json!({"tool": tool, "arguments": arguments, "output": text, "exit": exit})
}

/// A reply of about eight claims; with `size`, prose goes on until it is that long.
fn reply(dice: &mut Dice, size: usize) -> String {
    let (name, other, number) = (dice.pick(NAMES), dice.pick(NAMES), dice.below(400));
    let mut text = format!(
        "## What changed\n\nI read `src/{name}.rs` and found {number} matches for the old name. The {other} now {} its \
         rows before it {} them, so that a late one is no longer lost.\n\n- Edited `src/{name}.rs` and `src/{other}.rs`\n\
         - **Ran** `cargo test --workspace`: all {number} tests passed\n- The build succeeded with exit code 0\n\
         - Removed the stale cache file `target/{other}.json`\n\n```rust\nlet a = {number};\n```\n\n### Next\n\n\
         If you want, I can also look at the {other}. Once the review is done, the branch should be merged. \
         The {name} took {}.{} ms, and no files outside `src` were changed.\n",
        dice.pick(VERBS), dice.pick(VERBS), number % 97, number % 10
    );
    while text.len() < size {
        let _ = write!(
            text,
            "\nThe {} {} the {} and `{}_{}` was written.",
            dice.pick(NAMES),
            dice.pick(VERBS),
            dice.pick(NAMES),
            dice.pick(NAMES),
            dice.below(90)
        );
    }
    text
}

/// A native session of so many turns, as text.
fn session(turns: usize) -> String {
    let mut dice = Dice(1873);
    let turn = |_| {
        let calls: Vec<Value> = (0..6).map(|_| call(&mut dice, 2000)).collect();
        json!({"user": "Please go on.", "reply": reply(&mut dice, 0), "calls": calls, "said": []})
    };
    json!({"turns": (0..turns).map(turn).collect::<Vec<Value>>()}).to_string()
}

fn read(text: &str) -> Session {
    transcript::parse(text, None).expect("the made session is native JSON")
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn row(what: &str, value: &str, detail: &str) {
    println!("{what:<44} {value:>9}  {detail}");
}

/// What the steps of a check take, each as a share of the time to parse the session's JSON.
fn breakdown(session: &Session, check: Duration, json: Duration) {
    let roles = Options::default().roles;
    let texts: Vec<String> = session.turns.iter().map(counterfoil::Turn::text).collect();
    let part = |turn| Part { turn: Some(turn), calls: turn.calls.as_deref().unwrap_or(&[]) };
    let parts: Vec<Part<'_>> = session.turns.iter().map(part).collect();
    let prose = best(3, || texts.iter().map(|text| Prose::read(text).clauses.len()).sum::<usize>());
    let facts = best(3, || Record::new(&parts, &roles).facts.len());
    let rest = check.saturating_sub(prose + facts);
    for (what, time) in [("  prose", prose), ("  facts of the calls", facts), ("  claims, judging, looking up", rest)] {
        let ratio = time.as_secs_f64() / json.as_secs_f64();
        row(what, &format!("{ratio:.2}"), &format!("{:.1} ms", milliseconds(time)));
    }
}

fn main() {
    let options = Options::default();
    let text = session(1500);
    let megabytes = text.len() as f64 / 1e6;
    row("", "", &format!("a session of 1500 turns, 9000 calls, {megabytes:.1} MB"));

    let json = best(3, || serde_json::from_str::<Value>(&text).map(|value| value.is_object()));
    let parse = best(3, || read(&text));
    let (held, made) = peak(|| read(&text));
    let check = best(3, || verify_session(&made, &options));
    let (more, report) = peak(|| verify_session(&made, &options));
    let ratio = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64();
    row(
        "check / serde_json parse",
        &format!("{:.2}", ratio(check, json)),
        &format!("{:.0} ms / {:.0} ms", milliseconds(check), milliseconds(json)),
    );
    row(
        "read the session / serde_json parse",
        &format!("{:.2}", ratio(parse, json)),
        &format!("{:.0} ms / {:.0} ms", milliseconds(parse), milliseconds(json)),
    );
    breakdown(&made, check, json);
    let claims = format!("{} claims, {} flagged", report.totals.claims, report.totals.flagged);
    row("check, MB of session a second", &format!("{:.0}", megabytes / check.as_secs_f64()), &claims);
    row(
        "peak memory / session text, read and check",
        &format!("{:.2}", (held + more) as f64 / text.len() as f64),
        &format!("{:.1} MB read, {:.1} MB more to check", held as f64 / 1e6, more as f64 / 1e6),
    );

    let (one, many) = (read(&session(24)), read(&session(24 * 64)));
    let (short, long) = (best(20, || verify_session(&one, &options)), best(3, || verify_session(&many, &options)));
    row(
        "64 x turns / 1 x",
        &format!("{:.1}", ratio(long, short)),
        &format!("{:.1} ms / {:.2} ms; 64 is linear", milliseconds(long), milliseconds(short)),
    );

    let mut dice = Dice(7);
    let calls: Vec<Value> = (0..40).map(|_| call(&mut dice, 2000)).collect();
    let turn = json!({"reply": reply(&mut dice, 4500), "calls": calls, "said": [], "user": "go on"}).to_string();
    let turn = transcript::turn(&turn).expect("the made turn is native JSON");
    row("4.5 KB reply, 40 calls of 2 KB", &format!("{:.2} ms", milliseconds(best(50, || verify(&turn, &options)))), "");

    let wheels = std::env::args().nth(1).unwrap_or_else(|| "target/wheels".into());
    let sizes = std::fs::read_dir(wheels)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|e| e == "whl"));
    match sizes.filter_map(|entry| entry.metadata().ok()).map(|data| data.len()).max() {
        Some(size) => row("wheel", &format!("{:.2} MB", size as f64 / 1e6), "at most 2 MB"),
        None => row("wheel", "skipped", "not built: make bench builds it"),
    }
}
