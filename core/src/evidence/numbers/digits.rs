//! Which digits a number is always written with, so that a text without them need not be read for it.

use alloc::string::{String, ToString};

/// Digits that stand together however the whole number with this key is written: `204` of `1,204`, `1204` and `1.204k`,
/// `35` of `350` and `0.35k`. None where it is no whole number.
pub(crate) fn digits(key: i128) -> Option<String> {
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
        fn the_line_of_a_whole_number_holds_its_digits(text in "[0-9]{1,4}([0-9., '_kM%\\-\n]{0,6}[0-9]{1,4}){0,6}[kMG%]?") {
            let mut parts = Vec::new();
            let mut start = 0;
            for line in text.split_inclusive('\n') {
                parts.extend(scan(line).map(|(span, number)| (Span::new(span.start + start, span.end + start), number)));
                for (_, number) in scan(line) {
                    prop_assert!(digits(number.key()).is_none_or(|digits| line.contains(&digits)), "{line:?}: {number:?}");
                }
                start += line.len();
            }
            prop_assert_eq!(parts, scan(&text).collect::<Vec<_>>());
        }
    }
}
