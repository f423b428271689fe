//! The line of progress, which the programs draw on standard error.

use super::table::middle;
use alloc::format;
use alloc::string::String;
use core::fmt::Write as _;

/// A file of more bytes tells how far it is.
const LONG: u64 = 32 << 20;

const MEGABYTE: u64 = 1_000_000;

/// The signs of the bar.
const SIGNS: u64 = 20;

/// The columns of the file's name.
const NAME: usize = 40;

/// How far a run is: so many files of all are done, and so many bytes of one more were read. Its size is 0 where it is not
/// known, as that of a pipe.
pub(crate) struct Far<'a> {
    pub(crate) done: usize,
    pub(crate) count: usize,
    pub(crate) name: &'a str,
    pub(crate) read: u64,
    pub(crate) size: u64,
}

/// The line, or an empty text where there is nothing that is worth a line.
pub(crate) fn line(far: &Far<'_>) -> String {
    let long = far.read.max(far.size) > LONG;
    if far.count < 2 && !long {
        return String::new();
    }
    let part = far.read.min(far.size).saturating_mul(1000).checked_div(far.size).unwrap_or(0);
    let (done, count) = (far.done as u64, far.count.max(1) as u64);
    let filled = (SIGNS * (done * 1000 + part) / (count * 1000)).min(SIGNS) as usize;
    let mut line = format!("[{}{}]", "#".repeat(filled), ".".repeat(SIGNS as usize - filled));
    if count > 1 {
        let _ = write!(line, " {done}/{count}");
    }
    let _ = match far.size {
        _ if !long => Ok(()),
        0 => write!(line, " {} MB read", far.read / MEGABYTE),
        size => write!(line, " {}% of {} MB", part / 10, size / MEGABYTE),
    };
    line + " " + &middle(far.name, NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(done: usize, count: usize, read: u64, size: u64) -> String {
        line(&Far { done, count, name: "a.jsonl", read, size })
    }

    #[test]
    fn one_long_file_tells_its_percent_and_several_are_counted() {
        assert_eq!(bar(0, 1, 120_000_000, 480_000_000), "[#####...............] 25% of 480 MB a.jsonl");
        assert_eq!(bar(3, 10, 0, 500), "[######..............] 3/10 a.jsonl");
        assert_eq!(bar(3, 10, 240_000_000, 480_000_000), "[#######.............] 3/10 50% of 480 MB a.jsonl");
        assert_eq!(bar(0, 1, 64_000_000, 0), "[....................] 64 MB read a.jsonl");
        assert_eq!(bar(0, 1, 900, 1000), "");
        assert_eq!(bar(9, 1, u64::MAX / 2000, 1), "[####################] 100% of 0 MB a.jsonl");
    }
}
