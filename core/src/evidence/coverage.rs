//! What an output says of test coverage: the shares of its table, and the line for the whole.

use super::numbers;
use crate::text::span::Span;
use alloc::vec::Vec;

/// The coverage that an output reports.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    /// Every share that it prints, in per cent.
    pub shares: Vec<f64>,
    /// The line for the whole.
    pub text: Span,
}

/// The most shares that are kept.
const MOST: usize = 2000;

/// How the line for the whole begins: coverage.py, istanbul, go, tarpaulin, gcov and others.
#[rustfmt::skip]
const WHOLE: &[&str] = &[
    "all files", "coverage:", "lines      :", "lines       :", "lines:", "lines......:", "statements   :",
    "statements  :", "total ", "total:", "total\t", "total coverage", "totals",
];

/// Whether the line for the whole of a table of istanbul stands there without the names of its columns, as `grep` leaves it:
/// four shares behind bars.
fn headless(output: &str) -> bool {
    let mut lines = output.lines().map(str::trim).filter(|line| line.starts_with("All files"));
    output.contains("All files |")
        && lines.any(|line| {
            let cells: Vec<&str> = line.split('|').skip(1).map(str::trim).collect();
            let share = |cell: &&&str| cell.parse::<f64>().is_ok_and(|n| (0.0..=100.0).contains(&n));
            cells.len() >= 4 && cells.iter().take(4).filter(share).count() == 4
        })
}

/// Reads the coverage of an output; none where no line tells of the whole.
pub fn coverage(output: &str) -> Option<Coverage> {
    let spoken = ["coverage", "Coverage", "% Stmts", "Cover", "%"].iter().any(|w| output.contains(w));
    if !spoken && !headless(output) {
        return None;
    }
    let mut found = Coverage { shares: Vec::new(), text: Span::default() };
    let (mut whole, mut start) = (false, 0);
    // A table of istanbul gives its shares without a mark.
    let bare = output.contains("% Stmts") || output.contains("% Lines") || headless(output);
    for line in output.split_inclusive('\n') {
        let begin = start;
        start += line.len();
        let text = line.trim();
        if !(text.contains('%') || (bare && text.contains('|'))) {
            continue;
        }
        let head: alloc::string::String = text.chars().take(24).collect::<alloc::string::String>().to_lowercase();
        let shares = numbers::scan(text).filter(|(_, n)| n.percent || bare).map(|(_, n)| n.value());
        let room = MOST.saturating_sub(found.shares.len());
        found.shares.extend(shares.take(room));
        let named =
            WHOLE.iter().any(|w| head.starts_with(w)) || text.contains("% coverage") || text.contains("coverage: ");
        if named {
            let from = begin + (line.len() - line.trim_start().len());
            (whole, found.text) = (true, Span::new(from, from + text.len()));
        }
    }
    whole.then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_for_the_whole_is_found() {
        for (output, text) in [
            ("Name   Stmts  Miss  Cover\na.py   10  1  90%\nTOTAL  10  1  90%\n", "TOTAL  10  1  90%"),
            ("File | % Stmts | % Branch\nAll files | 81.2 | 70 |\n a.ts | 90 | 70 |", "All files | 81.2 | 70 |"),
            (
                "ok  example.org/a 0.02s coverage: 64.0% of statements",
                "ok  example.org/a 0.02s coverage: 64.0% of statements",
            ),
            ("81.20% coverage, 406/500 lines covered", "81.20% coverage, 406/500 lines covered"),
        ] {
            assert_eq!(coverage(output).map(|c| c.text.of(output)), Some(text));
        }
        assert_eq!(coverage("progress 80%\n"), None);
    }
}
