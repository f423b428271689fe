//! How often somebody may ask: so many times a minute, over a bounded number of names.

use crate::error::{Error, ErrorKind};
use alloc::collections::{BTreeMap, VecDeque};
use alloc::format;
use alloc::sync::Arc;

/// So many names are remembered; the oldest out first.
const NAMES: usize = 8192;
/// The most bytes of a name that count, so that long ones take no room.
const LONGEST: usize = 128;
/// The window, in seconds.
const WINDOW: f64 = 60.0;

/// Counts what each name asked for in its minute, which starts with its first question.
#[derive(Debug)]
pub struct Limiter {
    most: u32,
    seen: BTreeMap<Arc<str>, (f64, u32)>,
    order: VecDeque<Arc<str>>,
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
        Ok(Limiter { most: most as u32, seen: BTreeMap::new(), order: VecDeque::new() })
    }

    /// Lets a name ask at `now`, in Unix seconds, or says in how many whole seconds it may again. A `now` that is no time counts
    /// as if none had passed, so that a clock that went wrong lets nobody ask without a limit.
    pub fn ask(&mut self, name: &str, now: f64) -> Result<(), u32> {
        let end = name.len().min(LONGEST);
        let end = (0..=end).rev().find(|end| name.is_char_boundary(*end)).unwrap_or(0);
        let name = name.get(..end).unwrap_or("");
        if let Some((start, count)) = self.seen.get_mut(name) {
            let passed = if now.is_finite() { now - *start } else { 0.0 };
            // A clock that jumped back starts a new minute; otherwise a name could be shut out for as long as it jumped.
            if !(0.0..WINDOW).contains(&passed) {
                (*start, *count) = (now, 1);
                return Ok(());
            }
            if *count >= self.most {
                return Err(whole(WINDOW - passed));
            }
            *count += 1;
            return Ok(());
        }
        let name: Arc<str> = name.into();
        self.order.push_back(name.clone());
        self.seen.insert(name, (if now.is_finite() { now } else { 0.0 }, 1));
        if self.order.len() > NAMES {
            if let Some(oldest) = self.order.pop_front() {
                self.seen.remove(&oldest);
            }
        }
        Ok(())
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
