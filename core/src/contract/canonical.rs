//! RFC 8785: one sequence of bytes for a value, the same from every implementation, and digests over it.

use super::json::{Json, Number, Object};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;
use sha2::{Digest, Sha256};

/// The canonical text of a value whose numbers are doubles, as those of [`super::strict::parse`] are.
pub fn canonical(value: &Json) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

/// `sha256:` and the digest of the canonical text.
pub fn digest(value: &Json) -> String {
    digest_bytes(canonical(value).as_bytes())
}

/// `sha256:` and the digest of bytes.
pub fn digest_bytes(bytes: &[u8]) -> String {
    format!("sha256:{}", hex(&Sha256::digest(bytes)))
}

/// Whether a text is `sha256:` and 64 lower-case hexadecimal digits.
pub fn is_digest(text: &str) -> bool {
    let digits = text.strip_prefix("sha256:").unwrap_or_default();
    digits.len() == 64 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// Bytes in lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

fn write(value: &Json, out: &mut String) {
    match value {
        Json::Null => out.push_str("null"),
        Json::Bool(true) => out.push_str("true"),
        Json::Bool(false) => out.push_str("false"),
        Json::Number(text) => number_text(text, out),
        Json::String(text) => string(text, out),
        Json::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Json::Object(members) => object(members, out),
    }
}

fn object(members: &Object, out: &mut String) {
    let mut sorted: Vec<_> = members.iter().collect();
    // A map sorts by code points. The two orders differ where a surrogate pair meets U+E000 to U+FFFF.
    sorted.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
    out.push('{');
    for (index, (name, value)) in sorted.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        string(name, out);
        out.push(':');
        write(value, out);
    }
    out.push('}');
}

fn string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// A number beyond the doubles, which only a file under test can hold, keeps its own text.
fn number_text(text: &Number, out: &mut String) {
    match text.text().parse::<f64>() {
        Ok(value) if value.is_finite() => out.push_str(&number(value)),
        _ => out.push_str(text.text()),
    }
}

/// A finite double as ECMAScript prints it: the shortest digits that read back as the same double, with an exponent below 1e-6 and
/// from 1e21.
pub(super) fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_string();
    }
    let scientific = shortest(value);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let digits: String = mantissa.chars().filter(|c| *c != '.').collect();
    let exponent: i32 = exponent.parse().unwrap_or(0);
    // The place of the point, counted from the first digit.
    let point = exponent + 1;
    let count = digits.len() as i32;
    let body = if point >= count && point <= 21 {
        format!("{digits}{}", "0".repeat((point - count) as usize))
    } else if point > 0 && point <= 21 {
        let (whole, fraction) = digits.split_at(point as usize);
        format!("{whole}.{fraction}")
    } else if point > -6 && point <= 0 {
        format!("0.{}{digits}", "0".repeat((-point) as usize))
    } else {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        let plus = if exponent > 0 { "+" } else { "" };
        format!("{first}{dot}{rest}e{plus}{exponent}")
    };
    format!("{sign}{body}")
}

/// The shortest digits that read back as the double; of two that are as near, those that end in an even digit. The formatter of the
/// standard library takes the upper one, and rounds to even only where it is told how many digits to give.
fn shortest(value: f64) -> String {
    let found = format!("{value:e}");
    let digits = found.bytes().take_while(|b| *b != b'e').filter(u8::is_ascii_digit).count();
    let even = format!("{value:.*e}", digits.saturating_sub(1));
    if even.parse() == Ok(value) {
        return even;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_ecmascript() {
        for (value, text) in [
            (29.0, "29"),
            (-0.0, "0"),
            (1e16, "10000000000000000"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (1.5e-9, "1.5e-9"),
            (333_333_333.333_333_3, "333333333.3333333"),
            (0.1 + 0.2, "0.30000000000000004"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            // Two of the shortest are as near (.25, .125 and .25 exactly): the even one is taken.
            (6_488_861_414_228_426.0 / 8.0, "811107676778553.2"),
            (2_144_300_127_738_113.0 / 8.0, "268037515967264.12"),
            (-6_965_241_173_530_549.0 / 4.0, "-1741310293382637.2"),
        ] {
            assert_eq!(number(value), text);
        }
    }
}
