//! What proof of read costs: issuing, judging, and the memory that a flood of ids takes. `make bench` runs it.
#![allow(clippy::unwrap_used, missing_docs)]

use counterfoil::canary::{Canary, Client, Limiter, Options};
use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

/// Counts the bytes that are held, and the most that were.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        MOST.fetch_max(HELD.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        System.alloc(layout)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        System.dealloc(pointer, layout);
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const KEY: [u8; 32] = [7; 32];
const NOON: i64 = 300_000_000;
const FLOOD: usize = 1_000_000;

fn main() {
    let mut canary = Canary::new(&KEY, Options::default()).unwrap();
    let rate = best(|| {
        for _ in 0..100_000 {
            black_box(canary.issue("session-1", NOON, None).unwrap());
        }
        100_000
    });
    row("canary: issue to one session", rate, "at least 1,000,000 a second");
    let ids: Vec<String> = (0..100_000).map(|i| format!("session-{i}")).collect();
    let mut canary = Canary::new(&KEY, Options::default()).unwrap();
    let rate = best(|| {
        for id in &ids {
            black_box(canary.issue(id, NOON, None).unwrap());
        }
        ids.len()
    });
    row("canary: issue to 100,000 sessions in turn", rate, "a full log, the oldest out");
    let value = canary.issue("session-1", NOON, None).unwrap().sentinel;
    for (what, claim) in [("a right claim", value.as_str()), ("a wrong claim", &"x".repeat(43))] {
        let rate = best(|| {
            for _ in 0..10_000 {
                black_box(canary.verify("session-1", Some(claim), NOON));
            }
            10_000
        });
        row(&format!("canary: verify {what}, horizon 24"), rate, "at least 50,000 a second");
    }
    flood();
}

/// As many ids as one client could send in hours without the limits of a handler.
fn flood() {
    let before = HELD.load(Relaxed);
    let mut canary = Canary::new(&KEY, Options::default()).unwrap();
    let mut limiter = Limiter::new(30.0).unwrap();
    for i in 0..FLOOD {
        let name = format!("{i:0>128}");
        let client = Client { identifier: &name, agent: &name };
        canary.issue(&name, NOON, Some(client)).unwrap();
        let _ = limiter.ask(&name, NOON as f64);
    }
    let held = (HELD.load(Relaxed) - before) as f64 / 1e6;
    assert!(held < 20.0, "{held} MB are held after a flood");
    let what =
        format!("held after 10^6 ids of 128 characters; {} issuances, {} names", canary.issued(), limiter.names());
    println!("{:<44} {:>9}  {what}", "canary: a flood", format!("{held:.1} MB"));
}

/// The best of five runs, as how many were done in a second.
fn best(mut run: impl FnMut() -> usize) -> f64 {
    let mut most = 0.0_f64;
    for _ in 0..5 {
        let start = Instant::now();
        let done = run() as f64;
        most = most.max(done / start.elapsed().as_secs_f64());
    }
    most
}

fn row(what: &str, rate: f64, detail: &str) {
    println!("{what:<44} {:>9}  {detail}", format!("{:.0} k/s", rate / 1e3));
}
