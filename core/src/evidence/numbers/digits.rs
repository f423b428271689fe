//! Which digits a number is always written with, so that a text without them need not be read for it.

use alloc::string::{String, ToString};
use memchr::memmem::Finder;

/// The digits of a whole number, ready to be looked for.
pub(crate) struct Digits {
    finder: Finder<'static>,
    /// They are all of its digits but for zeros at the end.
    all: bool,
}

impl Digits {
    /// Those of the number with this key; none where it is no whole number.
    pub(crate) fn of(key: i128) -> Option<Self> {
        let digits = digits(key)?;
        let all = (key / 64).unsigned_abs() < 1000;
        Some(Digits { finder: Finder::new(digits.as_bytes()).into_owned(), all })
    }

    /// The first place from `from` on where the number may stand: with no other digit behind its last, none before its
    /// first, and in no word.
    pub(crate) fn find(&self, text: &[u8], from: usize) -> Option<usize> {
        let length = self.finder.needle().len();
        let mut from = from;
        loop {
            let at = from + self.finder.find(text.get(from..)?)?;
            let longer = matches!(text.get(at + length), Some(b'1'..=b'9'));
            let within = match at.checked_sub(1).and_then(|before| text.get(before)) {
                Some(b'1'..=b'9') => self.all,
                // Behind these a number may go on, as in `1h30m` and `05T08`.
                Some(b'T' | b'd' | b'h' | b'm' | b's') => false,
                Some(before) => before.is_ascii_alphabetic(),
                None => false,
            };
            if !longer && !within {
                return Some(at);
            }
            from = at + 1;
        }
    }
}

/// Digits that stand together however the whole number with this key is written: `204` of `1,204`, `1204` and `1.204k`,
/// `35` of `350` and `0.35k`. None where it is no whole number.
fn digits(key: i128) -> Option<String> {
    if key % 64 != 0 {
        return None;
    }
    let all = (key / 64).unsigned_abs().to_string();
    let ending = all.trim_end_matches('0');
    if ending.is_empty() {
        return Some(all);
    }
    // Marks of thousands and the point before a `k` stand only between groups of three.
    let zeros = all.len() - ending.len();
    let start = all.len().saturating_sub((zeros / 3 + 1) * 3);
    ending.get(start..).map(String::from)
}

#[cfg(test)]
mod tests {
    use super::super::{parse, scan, Number};
    use super::*;
    use crate::text::span::Span;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    #[test]
    fn a_whole_number_is_always_written_with_its_digits() {
        for (n, expected) in
            [(0, "0"), (7, "7"), (350, "35"), (1204, "204"), (12_000, "12"), (12_340, "34"), (204_000, "204")]
        {
            assert_eq!(digits(Number::whole(n).key()).as_deref(), Some(expected));
        }
        assert_eq!(parse("1.5").and_then(|n| digits(n.key())), None);
    }

    proptest! {
        #[test]
        fn the_line_of_a_whole_number_holds_its_digits(text in "[0-9]{1,4}([0-9., '_kMThmx%\\-\n]{0,6}[0-9]{1,4}){0,6}[kMG%]?") {
            let mut parts = Vec::new();
            let mut start = 0;
            for line in text.split_inclusive('\n') {
                parts.extend(scan(line).map(|(span, number)| (Span::new(span.start + start, span.end + start), number)));
                for (span, number) in scan(line) {
                    let found = Digits::of(number.key()).map(|digits| digits.find(line.as_bytes(), 0));
                    prop_assert!(found.is_none_or(|at| at.is_some_and(|at| at < span.end)), "{line:?}: {number:?}");
                }
                start += line.len();
            }
            prop_assert_eq!(parts, scan(&text).collect::<Vec<_>>());
        }
    }
}
