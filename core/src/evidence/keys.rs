//! Keys of tickets, orders and the like in an output: `OPS-4711`, `SR-2031-0042`.

use crate::text::span::Span;
use alloc::vec::Vec;

/// The most keys of a turn that are kept.
pub(super) const MOST: usize = 1_000;

/// The keys of a text: capitals and digits, then one or two groups of digits behind dashes. One pass.
pub(super) fn keys(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(dash) = memchr::memchr(b'-', bytes.get(from..).unwrap_or(&[])).map(|i| from + i) {
        from = dash + 1;
        let prefix = bytes[..dash].iter().rev().take(11).take_while(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        let start = dash - prefix.count();
        let named = bytes[start].is_ascii_uppercase() && start + 10 >= dash;
        let alone =
            start.checked_sub(1).is_none_or(|i| !(bytes[i].is_ascii_alphanumeric() || matches!(bytes[i], b'-' | b'_')));
        if !named || !alone {
            continue;
        }
        let (mut end, mut groups) = (dash, 0);
        while bytes.get(end) == Some(&b'-') && groups < 3 {
            let digits = bytes[end + 1..].iter().take(20).take_while(|b| b.is_ascii_digit()).count();
            if digits == 0 {
                break;
            }
            end += 1 + digits;
            groups += 1;
        }
        let closed = bytes.get(end).is_none_or(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')));
        if (1..=2).contains(&groups) && closed {
            found.push(Span::new(start, end));
        }
        from = end.max(from);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_alone() {
        let text = "{\"key\": \"OPS-4711\", \"self\": \"https://x/browse/SR-2031-0042\"} a-1 X-Y PRE-OPS-1 2031-04-05 OPS-12a -9";
        let found: Vec<&str> = keys(text).into_iter().map(|span| span.of(text)).collect();
        assert_eq!(found, ["OPS-4711", "SR-2031-0042"]);
    }
}
