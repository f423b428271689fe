//! A long text in pieces: how fast it is read and checked, and how much memory that takes.

use super::made::{lines, Dice};
use super::{peak, row};
use counterfoil::transcript::Feed;
use counterfoil::{Checker, Options, Totals};
use serde_json::Value;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The bytes of a piece.
const PIECE: usize = 1 << 20;

/// What a run took.
#[derive(Default)]
struct Taken {
    bytes: usize,
    read: Duration,
    check: Duration,
    json: Duration,
}

/// Reads and checks so many megabytes of lines, which are made on the way.
pub fn run(format: &str, megabytes: usize) {
    let (memory, (taken, totals)) = peak(|| pieces(format, megabytes * 1_000_000));
    let mb = taken.bytes as f64 / 1e6;
    let both = taken.read + taken.check;
    let rate = |time: Duration| format!("{:.0} MB/s", mb / time.as_secs_f64());
    let sums = format!("{} turns, {} claims, {} flagged", totals.turns, totals.claims, totals.flagged);
    row(&format!("{mb:.0} MB of {format} lines, read and check"), &rate(both), &sums);
    row("  read alone", &rate(taken.read), "");
    row("  serde_json of the same bytes", &rate(taken.json), "");
    row("  read and check / serde_json", &format!("{:.2}", both.as_secs_f64() / taken.json.as_secs_f64()), "");
    row("  peak memory", &format!("{:.0} MB", memory as f64 / 1e6), "at most 300 MB");
}

fn pieces(format: &str, bytes: usize) -> (Taken, Totals) {
    let (mut dice, mut turn, mut taken) = (Dice(1873), 0, Taken::default());
    let mut feed = Feed::new(None).expect("no format is named");
    let mut checker = Checker::new(Options::default());
    while taken.bytes < bytes {
        let mut piece = String::new();
        while piece.len() < PIECE {
            piece.push_str(&lines(&mut dice, format, turn));
            turn += 1;
        }
        taken.bytes += piece.len();
        let start = Instant::now();
        for line in piece.lines() {
            black_box(serde_json::from_str::<Value>(line).is_ok());
        }
        taken.json += start.elapsed();
        let start = Instant::now();
        let turns = feed.feed(piece.as_bytes()).expect("the made lines are read");
        taken.read += start.elapsed();
        let start = Instant::now();
        for turn in turns {
            checker.push(turn);
        }
        if checker.is_due() {
            black_box(checker.check().len());
        }
        taken.check += start.elapsed();
    }
    let start = Instant::now();
    let rest = feed.finish().expect("the made lines are read");
    taken.read += start.elapsed();
    let start = Instant::now();
    rest.turns.into_iter().for_each(|turn| checker.push(turn));
    black_box(checker.check().len());
    taken.check += start.elapsed();
    (taken, checker.totals().clone())
}
