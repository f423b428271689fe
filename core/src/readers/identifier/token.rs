//! What an opaque token looks like: a hash, a UUID, a ticket's key, a DOI, an address, a time, a URL.

/// The shape of a token, as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `3f9c2ab`: seven to sixty-four hexadecimal digits, letters and numerals among them.
    Hash,
    /// `8f14e45f-ceea-467f-a0e6-1b2c3d4e5f60`
    Uuid,
    /// `OPS-4711`, `SR-2031-0042`
    Key,
    /// `10.1234/abc.99`
    Doi,
    /// `172.20.14.9`
    Address,
    /// `2031-02-05T09:14:33`
    Time,
    /// `https://…`
    Url,
    /// Digits, perhaps behind `#`.
    Number,
    /// Letters and digits mixed, such as `22G90` or `re_9K2`: opaque only behind a noun that says so.
    Mixed,
}

/// Prefixes of keys that name standards, products and units, which are known without having been looked up.
#[rustfmt::skip]
const KNOWN: &[&str] = &[
    "ADR", "AES", "ANSI", "API", "AWS", "BCP", "BIP", "CAN", "CIS", "COVID", "CVE", "CWE", "DIN", "ECMA", "EIP", "EN", "ERC", "FIPS",
    "FY", "GCP", "GHSA", "GMT", "GPT", "HTTP", "IEC", "IEEE", "ISBN", "ISO", "ISSN", "JDK", "JEP", "JSR", "KB", "MD", "MIL", "NIST", "OAS", "OWASP",
    "PCI", "PEP", "RFC", "RSA", "RTX", "SHA", "SOC", "STD", "TLS", "UTC", "UTF", "VT", "WCAG", "X",
];

/// The shape of a token; none where it is a plain word or quantity.
pub(super) fn shape(text: &str) -> Option<Shape> {
    let plain = text.strip_prefix('#').unwrap_or(text);
    if plain.bytes().all(|b| b.is_ascii_digit()) {
        return (!plain.is_empty()).then_some(Shape::Number);
    }
    let (text, bytes) = (plain, plain.as_bytes());
    if text.starts_with("https://") || text.starts_with("http://") {
        return Some(Shape::Url);
    }
    let digits = bytes.iter().filter(|b| b.is_ascii_digit()).count();
    if digits == 0 || !text.is_ascii() || text.len() > 128 {
        return None;
    }
    if is_doi(text) {
        return Some(Shape::Doi);
    }
    if is_uuid(bytes) {
        return Some(Shape::Uuid);
    }
    if is_time(bytes) {
        return Some(Shape::Time);
    }
    if is_address(text) {
        return Some(Shape::Address);
    }
    let hex = bytes.iter().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(b));
    if hex && digits < bytes.len() && (7..=64).contains(&bytes.len()) {
        return Some(Shape::Hash);
    }
    if is_key(text) {
        return Some(Shape::Key);
    }
    let opaque = bytes.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    (opaque && !is_quantity(text)).then_some(Shape::Mixed)
}

/// `10am`, `300ms`, `3rd`: digits and then small letters; `12-15`, `2031-04`: a range or a month.
fn is_quantity(text: &str) -> bool {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let united = unit.len() < text.len() && unit.bytes().all(|b| b.is_ascii_lowercase());
    let dashed = text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    let month = text.len() >= 7 && text.as_bytes()[4] == b'-' && (text.starts_with("19") || text.starts_with("20"));
    united || (dashed && (digits(text) < 6 || month))
}

/// `10.`, four digits or more, a slash and something behind it.
fn is_doi(text: &str) -> bool {
    let Some((registrant, rest)) = text.strip_prefix("10.").and_then(|rest| rest.split_once('/')) else { return false };
    registrant.len() >= 4 && registrant.bytes().all(|b| b.is_ascii_digit() || b == b'.') && rest.len() >= 3
}

fn is_uuid(bytes: &[u8]) -> bool {
    let dash = |i: usize| matches!(i, 8 | 13 | 18 | 23);
    bytes.len() == 36 && bytes.iter().enumerate().all(|(i, b)| if dash(i) { *b == b'-' } else { b.is_ascii_hexdigit() })
}

/// A date and a time of day to the second.
fn is_time(bytes: &[u8]) -> bool {
    let form = b"0000-00-00T00:00:00";
    bytes.len() >= form.len()
        && bytes.iter().zip(form).all(|(b, f)| match f {
            b'0' => b.is_ascii_digit(),
            _ => b == f,
        })
}

/// Four numbers up to 255, unless they are known to everybody or kept for examples.
fn is_address(text: &str) -> bool {
    let mut parts = [0u16; 4];
    let mut count = 0;
    for part in text.split('.') {
        let (Some(slot), Ok(number)) = (parts.get_mut(count), part.parse::<u16>()) else { return false };
        if number > 255 || part.len() > 3 {
            return false;
        }
        *slot = number;
        count += 1;
    }
    let known = matches!(
        parts,
        [0 | 127 | 255, ..]
            | [192, 0, 2, _]
            | [198, 51, 100, _]
            | [203, 0, 113, _]
            | [8, 8, 8 | 4, 8 | 4]
            | [1, 1 | 0, 1 | 0, 1]
            | [9, 9, 9, 9]
            | [169, 254, ..]
            | [192, 168, 0 | 1, _]
            | [192, 168, _, 1]
            | [_, _, _, 0 | 255]
            | [10, 0, 0, _]
            | [172, 17, 0, _]
    );
    count == 4 && !known
}

/// Two to ten capitals and digits, then one or two groups of digits behind dashes.
fn is_key(text: &str) -> bool {
    let mut parts = text.split('-');
    let prefix = parts.next().unwrap_or("");
    let named = prefix.starts_with(|c: char| c.is_ascii_uppercase())
        && (1..=10).contains(&prefix.len())
        && prefix.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    let mut groups = 0;
    for part in parts {
        if part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit()) {
            return false;
        }
        groups += 1;
    }
    named && (1..=2).contains(&groups) && !KNOWN.contains(&prefix)
}

/// How many digits a token has.
pub(super) fn digits(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}

/// The hashes of nothing and of an empty tree.
const EMPTY: [&str; 5] = ["00000000", "4b825dc", "d41d8cd", "da39a3e", "e3b0c44"];

/// Whether a token is one of those that people write for an example: `1234567`, `000000`, `abc1234`, `deadbeef1`.
pub(super) fn is_made_up(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let digits: alloc::vec::Vec<u8> = lower.bytes().filter(u8::is_ascii_digit).collect();
    let same = digits.len() >= 3 && digits.windows(2).all(|w| w[0] == w[1]);
    let row = digits.len() >= 3 && digits.windows(2).all(|w| w[1] == w[0] + 1 || (w[0] == b'9' && w[1] == b'0'));
    let word = ["abc", "deadbeef", "xxx", "cafebabe", "c0ffee", "00805f9b34fb"].iter().any(|w| lower.contains(w));
    same || row || word || EMPTY.iter().any(|hash| lower.starts_with(hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_told_apart() {
        for (text, expected) in [
            ("3f9c2ab", Some(Shape::Hash)),
            ("8f14e45f-ceea-467f-a0e6-1b2c3d4e5f60", Some(Shape::Uuid)),
            ("OPS-4711", Some(Shape::Key)),
            ("SR-2031-0042", Some(Shape::Key)),
            ("10.4242/qrs.99", Some(Shape::Doi)),
            ("172.20.14.9", Some(Shape::Address)),
            ("2031-02-05T09:14:33Z", Some(Shape::Time)),
            ("https://a.example/b", Some(Shape::Url)),
            ("#318", Some(Shape::Number)),
            ("22G90", Some(Shape::Mixed)),
            ("#R60674", Some(Shape::Mixed)),
            ("defaced", None),
            ("127.0.0.1", None),
            ("1.2.3", None),
            ("word", None),
            ("10am", None),
            ("12-15", None),
            ("2031-04", None),
            ("55-20871", Some(Shape::Mixed)),
        ] {
            assert_eq!(shape(text), expected, "{text}");
        }
        for known in ["RFC-9110", "CVE-2021-44228", "ISO-8601", "UTF-8", "SHA-256"] {
            assert_ne!(shape(known), Some(Shape::Key), "{known}");
        }
    }

    #[test]
    fn tokens_for_an_example_are_seen() {
        for yes in ["1234567", "ABC-123", "OPS-000", "abc1234", "PROJ-1234"] {
            assert!(is_made_up(yes), "{yes}");
        }
        for no in ["3f9c2ab", "OPS-4711", "318"] {
            assert!(!is_made_up(no), "{no}");
        }
    }
}
