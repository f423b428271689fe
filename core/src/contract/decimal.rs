//! Numbers by their exact decimal value: 29 is 29.0 is 2.9e1, and 0.30000000000000004 is not 0.3.
//!
//! A value is its digits and the place of its point. Nothing is ever written out to the size of an exponent, so a comparison
//! costs the digits that stand in the texts and no more, and `1e999999999` is as cheap as `1`.

use super::json::Json;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::Write;

/// An exact decimal number, of any length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    negative: bool,
    /// From the first to the last that is not 0; none is zero.
    digits: Vec<u8>,
    /// The power of ten of the first digit. 0 for zero, so that equal values have equal parts.
    first: i64,
}

/// The most digits of an exponent, leading zeros apart. Far beyond any number that means something, and small enough that adding
/// the length of a text to it never overflows.
const EXPONENT_DIGITS: usize = 17;

impl Decimal {
    /// The value of a text in JSON's grammar of numbers. `None` for another text and for an exponent of more than 17 digits.
    pub(crate) fn parse(text: &str) -> Option<Decimal> {
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = match rest.find(['e', 'E']) {
            Some(at) => (rest.get(..at)?, Some(rest.get(at + 1..)?)),
            None => (rest, None),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((whole, fraction)) if is_digits(fraction) => (whole, fraction),
            Some(_) => return None,
            None => (mantissa, ""),
        };
        if !is_digits(whole) || (whole.len() > 1 && whole.starts_with('0')) {
            return None;
        }
        let exponent = exponent.map_or(Some(Exponent::Small(0)), Exponent::parse)?;
        let all = whole.bytes().chain(fraction.bytes());
        let Some(leading) = all.clone().position(|b| b != b'0') else {
            return Some(Decimal { negative: false, digits: Vec::new(), first: 0 });
        };
        let Exponent::Small(exponent) = exponent else { return None };
        let mut digits: Vec<u8> = all.skip(leading).map(|b| b - b'0').collect();
        let kept = digits.iter().rposition(|d| *d != 0).map_or(0, |last| last + 1);
        digits.truncate(kept);
        let place = i64::try_from(whole.len()).ok()? - 1 - i64::try_from(leading).ok()?;
        Some(Decimal { negative, digits, first: exponent.checked_add(place)? })
    }

    /// The value of a JSON number.
    pub(crate) fn of(value: &Json) -> Option<Decimal> {
        Decimal::parse(value.number()?.text())
    }

    /// Whether it has no fraction.
    pub(crate) fn is_integer(&self) -> bool {
        i64::try_from(self.digits.len()).is_ok_and(|count| count == 0 || self.first >= count - 1)
    }

    /// The digit of a power of ten, if this number has one there.
    fn digit(&self, power: i64) -> Option<u8> {
        let index = usize::try_from(self.first.checked_sub(power)?).ok()?;
        self.digits.get(index).copied()
    }

    fn write(&self, out: &mut String) {
        out.push(if self.negative { '-' } else { '+' });
        out.extend(self.digits.iter().map(|digit| char::from(b'0' + digit)));
        let _ = write!(out, "e{};", self.first);
    }

    fn negated(&self) -> Decimal {
        Decimal { negative: !self.negative && !self.digits.is_empty(), ..self.clone() }
    }

    fn size(&self, other: &Decimal) -> Ordering {
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self.first.cmp(&other.first).then_with(|| self.digits.cmp(&other.digits)),
        }
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Decimal) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.size(other),
            (true, true) => other.size(self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Decimal) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

enum Exponent {
    Small(i64),
    /// Of more digits than are reckoned with. Zero with it is still zero.
    Vast,
}

impl Exponent {
    fn parse(text: &str) -> Option<Exponent> {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        if !is_digits(digits) {
            return None;
        }
        let digits = digits.trim_start_matches('0');
        if digits.len() > EXPONENT_DIGITS {
            return Some(Exponent::Vast);
        }
        let size: i64 = if digits.is_empty() { 0 } else { digits.parse().ok()? };
        Some(Exponent::Small(if text.starts_with('-') { -size } else { size }))
    }
}

/// Whether `a` and `b` are no further apart than `tolerance`.
pub(crate) fn within(a: &Decimal, b: &Decimal, tolerance: &Decimal) -> bool {
    let (least, minus_b, minus_a) = (tolerance.negated(), b.negated(), a.negated());
    sign([a, &minus_b, &least]) != Ordering::Greater && sign([b, &minus_a, &least]) != Ordering::Greater
}

/// Whether a sum of three is below, at or above zero.
///
/// It goes down the powers of ten with the sum of the digits so far, in units of the present power. All that is to come is
/// less than 3 of these units, so a sum of 3 or more has the sign already. A sum of zero goes on at the next digit that there is, however
/// far below.
fn sign(terms: [&Decimal; 3]) -> Ordering {
    let Some(mut power) = terms.iter().filter(|t| !t.digits.is_empty()).map(|t| t.first).max() else {
        return Ordering::Equal;
    };
    let mut sum = 0_i32;
    loop {
        sum *= 10;
        for term in terms {
            let digit = i32::from(term.digit(power).unwrap_or(0));
            sum += if term.negative { -digit } else { digit };
        }
        if sum.abs() >= 3 {
            return sum.cmp(&0);
        }
        // The highest power below this one at which a term still has a digit.
        let next = terms.iter().filter_map(|term| {
            let start = term.first.min(power - 1);
            term.digit(start).map(|_| start)
        });
        match next.max() {
            None => return sum.cmp(&0),
            Some(below) if sum != 0 && below < power - 1 => return sum.cmp(&0),
            Some(below) => power = below,
        }
    }
}

/// Whether two values are equal: numbers by value, `true` never as a number, strings by code points, arrays in order, objects
/// without order.
pub(crate) fn equal(a: &Json, b: &Json) -> bool {
    equal_within(a, b, None)
}

/// The same, with numbers taken for equal that are no further apart than the tolerance.
pub(crate) fn equal_within(a: &Json, b: &Json, tolerance: Option<&Decimal>) -> bool {
    match (a, b) {
        (Json::Number(left), Json::Number(right)) => {
            left == right || same_number(left.text(), right.text(), tolerance).unwrap_or(false)
        }
        (Json::Array(left), Json::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(a, b)| equal_within(a, b, tolerance))
        }
        (Json::Object(left), Json::Object(right)) => {
            left.len() == right.len()
                && left.iter().zip(right).all(|((k, a), (l, b))| k == l && equal_within(a, b, tolerance))
        }
        (a, b) => a == b,
    }
}

fn same_number(left: &str, right: &str, tolerance: Option<&Decimal>) -> Option<bool> {
    let (left, right) = (Decimal::parse(left)?, Decimal::parse(right)?);
    Some(tolerance.map_or_else(|| left == right, |tolerance| within(&left, &right, tolerance)))
}

/// Writes a text that two values share if they are equal, and only then, for the comparison of many with many.
pub(crate) fn write_key(value: &Json, out: &mut String) {
    let text = |mark: char, text: &str, out: &mut String| {
        let _ = write!(out, "{mark}{}:{text}", text.len());
    };
    match value {
        Json::Null => out.push('n'),
        Json::Bool(value) => out.push(if *value { 't' } else { 'f' }),
        Json::String(string) => text('s', string, out),
        Json::Number(number) => match Decimal::parse(number.text()) {
            Some(value) => value.write(out),
            None => text('v', number.text(), out),
        },
        Json::Array(items) => {
            let _ = write!(out, "a{}:", items.len());
            for item in items {
                write_key(item, out);
            }
        }
        Json::Object(members) => {
            let _ = write!(out, "o{}:", members.len());
            for (name, value) in members {
                text('s', name, out);
                write_key(value, out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).unwrap_or_else(|| panic!("{text} is a number"))
    }

    #[test]
    fn one_value_has_many_texts() {
        for text in ["29", "29.0", "2.9e1", "2.9E+1", "290e-1", "0.29e2", "29.000e0", "29e-0", "0.0029e00004"] {
            assert_eq!(decimal(text), decimal("29"), "{text}");
        }
        for text in ["0", "-0", "0.000", "0e99999999999999999999999", "-0.0e-7"] {
            assert_eq!(decimal(text), decimal("0"), "{text}");
        }
    }

    #[test]
    fn what_is_no_json_number_is_none() {
        let none = [
            "", "-", "+1", "01", "-01", ".5", "5.", "1e", "1e+", "1.e3", "NaN", "Infinity", "1 ", " 1", "0x1", "1_0",
            "١",
        ];
        for text in none {
            assert_eq!(Decimal::parse(text), None, "{text:?}");
        }
        assert_eq!(Decimal::parse("1e123456789012345678"), None);
    }

    #[test]
    fn order_is_by_value() {
        let rising = [
            "-1e999999999",
            "-10",
            "-9.99",
            "-1e-9",
            "0",
            "1e-999999999",
            "0.3",
            "0.30000000000000004",
            "2",
            "10",
            "1e3",
        ];
        for pair in rising.windows(2) {
            assert!(decimal(pair[0]) < decimal(pair[1]), "{pair:?}");
        }
        assert!(decimal("9007199254740993") > decimal("9007199254740992"));
    }

    #[test]
    fn a_tolerance_is_exact_and_inclusive() {
        let cases = [
            ("0.3", "0.30000000000000004", "0", false),
            ("0.3", "0.30000000000000004", "0.00000000000000004", true),
            ("0.3", "0.30000000000000004", "0.00000000000000003", false),
            ("10", "9.99", "0.01", true),
            ("10", "9.99", "0.009", false),
            ("-1", "1", "2", true),
            ("-1", "1", "1.9999999999999999999999", false),
            ("1e999999999", "1e999999999", "0", true),
            ("1e999999999", "1", "1", false),
            ("1e999999999", "1", "1e999999999", true),
            ("1e999999999", "-1", "1e999999999", false),
            ("1e-999999999", "0", "0", false),
            ("1", "0.9999999999999999999999999", "1e-25", true),
            ("1", "0.9999999999999999999999999", "9e-26", false),
            ("0", "0", "0", true),
        ];
        for (a, b, tolerance, expected) in cases {
            assert_eq!(within(&decimal(a), &decimal(b), &decimal(tolerance)), expected, "{a} {b} {tolerance}");
            assert_eq!(within(&decimal(b), &decimal(a), &decimal(tolerance)), expected, "{b} {a} {tolerance}");
        }
    }

    #[test]
    fn a_million_digits_take_no_time() {
        let long: String = format!("1{}", "3".repeat(1_000_000));
        let other = format!("{long}.5e-1000000");
        assert!(!within(&decimal(&long), &decimal(&other), &decimal("0")));
        assert!(decimal(&long) > decimal(&other));
    }

    #[test]
    fn true_is_no_number_and_null_is_only_null() {
        assert!(!equal(&Json::Bool(true), &Json::from(1_i64)));
        assert!(!equal(&Json::Null, &Json::Bool(false)));
        assert!(equal(&Json::Null, &Json::Null));
        assert!(!equal(&Json::from("1"), &Json::from(1_i64)));
        // The letter with its accent in one code point and in two.
        assert!(!equal(&Json::from("\u{e9}"), &Json::from("e\u{301}")));
    }
}
