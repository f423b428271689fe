//! How often somebody may ask: so many times a minute, over a bounded number of names.

use super::place::cut;
use crate::error::{Error, ErrorKind};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};

/// So many names are remembered.
const NAMES: usize = 8192;
/// So many are forgotten at once when there are more, so that looking for them costs little for each.
const FORGOTTEN: usize = 1024;
/// The most bytes of a name that count, so that long ones take no room.
const LONGEST: usize = 260;
/// The window, in seconds.
const WINDOW: f64 = 60.0;

/// Counts what each name asked for in its minute, which starts with its first question.
///
/// A name is forgotten when its minute is over, and before that only where 7,168 others asked at least as often in theirs.
#[derive(Debug)]
pub struct Limiter {
    most: u32,
    seen: BTreeMap<String, Seen>,
    /// The last time that was told, and the seconds that went by in all.
    told: f64,
    passed: f64,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    start: f64,
    count: u32,
}

impl Seen {
    /// Who asked least goes first, of them who began first.
    fn rank(&self) -> u64 {
        let start = (self.start * 1000.0) as u64;
        u64::from(self.count) << 44 | start.min((1 << 44) - 1)
    }
}

impl Limiter {
    /// A limit of so many a minute, 1 to 100,000.
    ///
    /// # Errors
    /// [`ErrorKind::Option`] for a number out of range.
    pub fn new(most: f64) -> Result<Self, Error> {
        if !(1.0..=100_000.0).contains(&most) || most % 1.0 != 0.0 {
            let message = format!("expected a whole number from 1 to 100000; found {}", super::number(most));
            return Err(Error::new(ErrorKind::Option, "per_minute", message));
        }
        Ok(Limiter { most: most as u32, seen: BTreeMap::new(), told: f64::NAN, passed: 0.0 })
    }

    /// Lets a name ask at `now`, in seconds of any clock, or says in how many whole seconds it may again. A clock that steps
    /// back neither clears the counts nor shuts anybody out for longer: the step counts as no time.
    pub fn ask(&mut self, name: &str, now: f64) -> Result<(), u32> {
        let now = self.clock(now);
        let name = cut(name, LONGEST);
        if let Some(seen) = self.seen.get_mut(name) {
            let passed = now - seen.start;
            if passed >= WINDOW {
                *seen = Seen { start: now, count: 1 };
                return Ok(());
            }
            if seen.count >= self.most {
                return Err(whole(WINDOW - passed));
            }
            seen.count += 1;
            return Ok(());
        }
        if self.seen.len() >= NAMES {
            self.forget(now);
        }
        self.seen.insert(name.to_string(), Seen { start: now, count: 1 });
        Ok(())
    }

    /// The seconds that went by since the first question. What is no number adds none.
    fn clock(&mut self, now: f64) -> f64 {
        if now.is_finite() {
            self.passed += (now - self.told).max(0.0); // Of nothing told and a number `max` takes the number.
            self.told = now;
        }
        self.passed
    }

    /// Forgets whose minute is over. Where nobody's is, those who asked least, of them those who began first.
    fn forget(&mut self, now: f64) {
        self.seen.retain(|_, seen| now - seen.start < WINDOW);
        if self.seen.len() < NAMES {
            return;
        }
        let last = self.ranked(FORGOTTEN - 1);
        let mut left = FORGOTTEN;
        self.seen.retain(|_, seen| {
            let goes = left > 0 && seen.rank() <= last;
            left -= usize::from(goes);
            !goes
        });
    }

    /// The rank that has so many below it, found bit by bit, which takes less code than sorting.
    fn ranked(&self, below: usize) -> u64 {
        let mut found = 0;
        for bit in (0..u64::BITS).rev() {
            let tried = found | 1 << bit;
            if self.seen.values().filter(|seen| seen.rank() < tried).count() <= below {
                found = tried;
            }
        }
        found
    }

    /// How many names are remembered.
    pub fn names(&self) -> usize {
        self.seen.len()
    }
}

/// Seconds, rounded up, at least one.
fn whole(seconds: f64) -> u32 {
    let down = seconds as u32;
    (if f64::from(down) < seconds { down + 1 } else { down }).max(1)
}
