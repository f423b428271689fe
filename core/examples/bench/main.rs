//! `make bench`: what a check costs, as ratios that mean the same on every machine.
//!
//! The session is made from a seed: each turn has about eight claims of different readers in a reply
//! with headings, lists and a code block, and six calls of 2 KB of varied output. Times are the best
//! of several runs; memory is counted by the allocator, not guessed.
//!
//! `--long native 500` and `--long claude-code 500` read and check so many megabytes of lines as they are made.
#![allow(missing_docs, unreachable_pub, unsafe_code, clippy::print_stdout, clippy::unwrap_used, clippy::expect_used)]

mod long;
mod made;

use counterfoil::evidence::index::{Part, Record};
use counterfoil::prose::Prose;
use counterfoil::verification::{verify, verify_session};
use counterfoil::{model, transcript, Mode, Options, Session};
use made::{call, reply, session, Dice};
use serde_json::{json, Value};
use std::alloc::{GlobalAlloc, Layout, System};
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
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [long, format, megabytes] = args.as_slice() {
        if long == "--long" {
            return long::run(format, megabytes.parse().expect("a number of megabytes"));
        }
    }
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
    planned();

    let wheels = std::env::args().nth(1).unwrap_or_else(|| "target/wheels".into());
    let sizes = std::fs::read_dir(wheels)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|e| e == "whl"));
    match sizes.filter_map(|entry| entry.metadata().ok()).map(|data| data.len()).max() {
        Some(size) => row("wheel", &format!("{:.2} MB", size as f64 / 1e6), "at most 3.7 MB"),
        None => row("wheel", "skipped", "not built: make bench builds it"),
    }
}

/// What the question to a model costs beside the readers, which have run before it.
fn planned() {
    let mut dice = Dice(11);
    let calls: Vec<Value> = (0..200).map(|_| call(&mut dice, 10_000)).collect();
    let reply = format!("The lamp turned green and it returned. {}", reply(&mut dice, 2000));
    let turn = json!({"reply": reply, "calls": calls, "said": [], "user": "go on"}).to_string();
    let turn = transcript::turn(&turn).expect("the made turn is native JSON");
    let options = Options { mode: Mode::Model, ..Options::default() };
    // What the readers flag in a made reply would end the step at once.
    let request = model::plan(&turn, None, &options).expect("something is open");
    let time = best(200, || model::plan(&turn, None, &options));
    let detail =
        format!("{} bytes; {:.1} ms for the readers", request.bytes, milliseconds(best(5, || verify(&turn, &options))));
    row("plan of the model step, 200 calls of 10 KB", &format!("{:.2} ms", milliseconds(time)), &detail);
}
