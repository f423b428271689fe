//! Numbers as values: `1,204`, `1 204` and `1204` are one number, and so are `50` and `50.00`.
//!
//! # Contract
//! [`parse`] reads one number as a person wrote it, words included. [`scan`] finds the numbers of an output in one
//! pass. Where a text can be read in several ways, as `1,204` in a row of commas, [`scan`] gives all of them: it
//! looks for support, and too much of it costs a miss, too little an honest reply's good name.

pub mod countable;
pub mod derive;
mod digits;
pub mod quantity;
pub mod units;
mod words;

use crate::text::span::Span;
use alloc::vec::Vec;

pub(crate) use digits::Digits;

/// The most digits of a number; longer runs are no quantities.
const MOST_DIGITS: usize = 30;

/// An exact decimal: `mantissa / 10^scale`, times 1000 for each step of its `k`, `M` or `G`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    mantissa: i128,
    /// Decimals as written, so that `50.00` knows to what it was rounded.
    pub decimals: u8,
    /// A `%` stands behind it.
    pub percent: bool,
    /// 1 for `k`, 2 for `M`, 3 for `G` and `B`.
    pub thousands: u8,
}

impl Number {
    /// A whole number.
    pub fn whole(n: u64) -> Self {
        Number { mantissa: i128::from(n), decimals: 0, percent: false, thousands: 0 }
    }

    /// The same key means the same value, percent signs apart.
    pub fn key(&self) -> i128 {
        if let (0, 0, Ok(whole)) = (self.decimals, self.thousands, i64::try_from(self.mantissa)) {
            return i128::from(whole) * 64;
        }
        let (mut mantissa, mut scale) = (self.mantissa, i32::from(self.decimals) - 3 * i32::from(self.thousands));
        while scale > 0 && mantissa % 10 == 0 {
            mantissa /= 10;
            scale -= 1;
            if mantissa == 0 {
                scale = 0;
            }
        }
        while scale < 0 {
            mantissa = mantissa.saturating_mul(10);
            scale += 1;
        }
        // 30 digits and nine zeros need 130 bits at worst; what does not fit is no quantity.
        mantissa.saturating_mul(64).saturating_add(i128::from(scale))
    }

    /// Its value, near enough for sums and shares.
    pub fn value(&self) -> f64 {
        let mut value = self.mantissa as f64;
        for _ in 0..self.decimals {
            value /= 10.0;
        }
        for _ in 0..self.thousands {
            value *= 1000.0;
        }
        value
    }

    /// The whole number that it is, if it is one and not negative.
    pub fn as_u64(&self) -> Option<u64> {
        let key = self.key();
        (key >= 0 && key % 64 == 0).then(|| u64::try_from(key / 64).ok()).flatten()
    }

    /// Half of its last written digit: how far a value may be from it and still be rounded to it.
    pub(crate) fn slack(&self) -> f64 {
        Number { mantissa: 1, ..*self }.value() / 2.0
    }

    /// The value in millionths; none where it has more decimals or is too large.
    pub fn micros(&self) -> Option<i128> {
        let scale = 6 + 3 * u32::from(self.thousands);
        let scale = scale.checked_sub(u32::from(self.decimals))?;
        self.mantissa.checked_mul(10_i128.checked_pow(scale)?)
    }

    /// All values that it may stand for: itself, without sign, without its `k`, and as a share of one or of a hundred.
    pub fn variants(&self) -> Vec<Number> {
        let mut all = alloc::vec![Number { percent: false, ..*self }];
        let plain = Number { mantissa: self.mantissa.saturating_abs(), percent: false, ..*self };
        if self.mantissa < 0 {
            all.push(plain);
        }
        if self.thousands > 0 {
            all.push(Number { thousands: 0, ..plain });
        }
        if self.percent {
            all.push(Number { decimals: self.decimals.saturating_add(2), ..plain });
        } else if self.decimals > 0 && self.value() <= 1.0 {
            all.push(Number { mantissa: plain.mantissa.saturating_mul(100), ..plain });
        }
        all
    }
}

/// The number that a whole text is: `1,204`, `−3.5 %`, `12k`, `twenty-one`, `a dozen`.
pub fn parse(text: &str) -> Option<Number> {
    let text = text.trim();
    let (negative, rest) = match text.strip_prefix(['-', '−', '+', '$', '€', '£', '~', '#']) {
        Some(rest) => (text.starts_with(['-', '−']), rest.trim_start()),
        None => (false, text),
    };
    if !rest.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return words::read(text).map(Number::whole);
    }
    let bytes = rest.as_bytes();
    let (mut number, end) = match fraction(bytes) {
        Some(read) => read,
        None => grouped(bytes, 0).or_else(|| plain(bytes, 0))?,
    };
    let mut end = end;
    // A comma before one or two last digits is a decimal comma: `59,3 %`.
    if number.decimals == 0 && bytes.get(end) == Some(&b',') {
        let digits = bytes[end + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
        if digits == 1 || digits == 2 {
            number = with_decimals(number, &bytes[end + 1..=end + digits])?;
            end += 1 + digits;
        }
    }
    let (percent, thousands) = match rest.get(end..)?.trim_start() {
        "" => (false, 0),
        "%" | "percent" => (true, 0),
        "k" | "K" => (false, 1),
        "M" => (false, 2),
        "G" | "B" => (false, 3),
        _ => return None,
    };
    let mantissa = if negative { -number.mantissa } else { number.mantissa };
    Some(Number { mantissa, percent, thousands, ..number })
}

/// `.5`
fn fraction(bytes: &[u8]) -> Option<(Number, usize)> {
    let digits = bytes.strip_prefix(b".")?;
    let count = digits.iter().take_while(|b| b.is_ascii_digit()).count();
    let number = with_decimals(Number::whole(0), digits.get(..count).filter(|d| !d.is_empty())?)?;
    Some((number, count + 1))
}

fn with_decimals(number: Number, digits: &[u8]) -> Option<Number> {
    let mut mantissa = number.mantissa;
    if digits.len() > MOST_DIGITS / 2 {
        return None;
    }
    for b in digits {
        mantissa = mantissa.checked_mul(10)?.checked_add(i128::from(b - b'0'))?;
    }
    Some(Number { mantissa, decimals: digits.len() as u8, ..number })
}

/// The digits at `at`, with decimals behind a point, and where they end.
fn plain(bytes: &[u8], at: usize) -> Option<(Number, usize)> {
    let count = bytes.get(at..)?.iter().take(MOST_DIGITS + 1).take_while(|b| b.is_ascii_digit()).count();
    if count == 0 || count > MOST_DIGITS / 2 {
        return None;
    }
    // Fifteen digits fit.
    let value = bytes[at..at + count].iter().fold(0, |n: u64, b| n * 10 + u64::from(b - b'0'));
    Some(decimals(Number::whole(value), bytes, at + count))
}

/// Reads `.25` behind a number; a second point as in `1.2.3` makes it no decimal.
fn decimals(whole: Number, bytes: &[u8], end: usize) -> (Number, usize) {
    let Some(b'.') = bytes.get(end) else { return (whole, end) };
    let digits = bytes[end + 1..].iter().take(MOST_DIGITS).take_while(|b| b.is_ascii_digit()).count();
    let stop = end + 1 + digits;
    let dotted = bytes.get(stop) == Some(&b'.') && bytes.get(stop + 1).is_some_and(u8::is_ascii_digit);
    if digits == 0 || dotted {
        return (whole, end);
    }
    // More decimals than are kept do not change what it rounds to.
    let kept = digits.min(MOST_DIGITS / 2);
    match with_decimals(whole, &bytes[end + 1..end + 1 + kept]) {
        Some(number) => (number, stop),
        None => (whole, end),
    }
}

/// `1,204` `1 204` `1'204` `1_204`: one to three digits, then groups of exactly three behind the same mark.
fn grouped(bytes: &[u8], at: usize) -> Option<(Number, usize)> {
    let head = bytes.get(at..)?.iter().take(4).take_while(|b| b.is_ascii_digit()).count();
    if !(1..=3).contains(&head) {
        return None;
    }
    let mut end = at + head;
    if !matches!(bytes.get(end)?, b',' | b' ' | b'\'' | b'_' | 0xc2 | 0xe2) {
        return None;
    }
    let mark = mark(bytes.get(end..)?)?;
    if !bytes.get(end + mark.len()).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let mut mantissa = bytes[at..end].iter().fold(0, |n: i128, b| n * 10 + i128::from(b - b'0'));
    let mut groups = 0;
    while bytes.get(end..).is_some_and(|rest| rest.starts_with(mark)) {
        let from = end + mark.len();
        let digits = bytes[from..].iter().take(4).take_while(|b| b.is_ascii_digit()).count();
        if digits != 3 {
            break;
        }
        mantissa = bytes[from..from + 3].iter().fold(mantissa, |n, b| n * 10 + i128::from(b - b'0'));
        end = from + 3;
        groups += 1;
        if groups > 4 {
            return None;
        }
    }
    let whole = Number { mantissa, decimals: 0, percent: false, thousands: 0 };
    (groups > 0).then(|| decimals(whole, bytes, end))
}

/// The thousands mark that a text begins with.
fn mark(rest: &[u8]) -> Option<&'static [u8]> {
    const MARKS: [&[u8]; 8] = [
        b",",
        b" ",
        b"'",
        b"_",
        "\u{a0}".as_bytes(),
        "\u{2009}".as_bytes(),
        "\u{202f}".as_bytes(),
        "\u{2019}".as_bytes(),
    ];
    MARKS.into_iter().find(|mark| rest.starts_with(mark))
}

/// The numbers of a text with their places, in one pass. Digits inside words (`v2`, `sha1abc`, `file3.txt`) are none.
///
/// A number in groups comes first as a whole and then in its parts; of dates, times and addresses the parts come.
pub fn scan(text: &str) -> impl Iterator<Item = (Span, Number)> + '_ {
    Scan { bytes: text.as_bytes(), at: 0, parts_from: 0 }
}

struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
    /// Groups that start before this place were given as a whole already.
    parts_from: usize,
}

impl Iterator for Scan<'_> {
    type Item = (Span, Number);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let at = next_digit(self.bytes, self.at)?;
            if let Some((value, end)) = bare(self.bytes, at) {
                self.at = end;
                return Some((Span::new(at, end), Number::whole(value)));
            }
            if at > 0 && in_word(self.bytes[at - 1]) && !self.follows_unit(at) {
                self.at = word_end(self.bytes, at);
                continue;
            }
            if at >= self.parts_from {
                if let Some((number, end)) = grouped(self.bytes, at) {
                    if !self.bytes.get(end).is_some_and(|b| in_word(*b)) {
                        self.parts_from = end;
                        self.at = at;
                        return Some(self.token(number, at, end));
                    }
                }
            }
            let dotted = at > 1 && self.bytes[at - 1] == b'.' && self.bytes[at - 2].is_ascii_digit();
            let Some((mut number, mut end)) = plain(self.bytes, at) else {
                self.at = word_end(self.bytes, at);
                continue;
            };
            if dotted && number.decimals > 0 {
                end = digits_end(self.bytes, at);
                number = plain(&self.bytes[..end], at)?.0;
            }
            let tail = word_end(self.bytes, end);
            if !unit(&self.bytes[end..tail]) {
                self.at = tail;
                continue;
            }
            self.at = end;
            return Some(self.token(number, at, end));
        }
    }
}

impl Scan<'_> {
    /// Adds sign, percent sign and `k` to a number.
    fn token(&self, number: Number, at: usize, end: usize) -> (Span, Number) {
        let bytes = self.bytes;
        let (mut start, mut stop) = (at, end);
        let mut number = number;
        if at > 0 && bytes[at - 1] == b'-' && !(at > 1 && (in_word(bytes[at - 2]) || bytes[at - 2] == b')')) {
            start = at - 1;
            number.mantissa = -number.mantissa;
        }
        let rest = bytes.get(end..).unwrap_or(&[]);
        if rest.starts_with(b"%") || rest.starts_with(b" %") {
            stop = end + if rest[0] == b'%' { 1 } else { 2 };
            number.percent = true;
        } else if let Some(b @ (b'k' | b'K' | b'M' | b'G')) = rest.first() {
            number.thousands = match b {
                b'G' => 3,
                b'M' => 2,
                _ => 1,
            };
        }
        (Span::new(start, stop), number)
    }

    /// The digit stands behind a unit or the `T` of a date: `1h30m`, `2026-03-05T08:20`.
    fn follows_unit(&self, at: usize) -> bool {
        at > 1
            && at == self.at_unit_end()
            && matches!(self.bytes[at - 1], b'T' | b'h' | b'm' | b's' | b'd')
            && self.bytes[at - 2].is_ascii_digit()
    }

    /// The place behind the unit letter where the last number ended.
    fn at_unit_end(&self) -> usize {
        self.at + 1
    }
}

/// A number that nothing around it can make part of anything else, which most are: its value and its end.
fn bare(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let before = at.checked_sub(1).map_or(b'\n', |i| bytes[i]);
    if in_word(before) || matches!(before, b'.' | b'-') {
        return None;
    }
    let digits = bytes[at..].iter().take(MOST_DIGITS / 2 + 1).take_while(|b| b.is_ascii_digit()).count();
    let end = at + digits;
    let ends = match bytes.get(end..).unwrap_or(&[]) {
        [b' ', next, ..] => !next.is_ascii_digit() && *next != b'%',
        [] | [b'\n' | b'\t' | b'\r' | b':' | b';' | b'/' | b')' | b']' | b'}' | b'"' | b'|' | b'-' | b' ', ..] => true,
        _ => false,
    };
    let value = || bytes[at..end].iter().fold(0, |n: u64, b| n * 10 + u64::from(b - b'0'));
    (ends && digits <= MOST_DIGITS / 2).then(|| (value(), end))
}

fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The place of the next digit. Near ones are looked for in eight bytes at once; blocks without one are passed over as a
/// whole.
fn next_digit(bytes: &[u8], mut at: usize) -> Option<usize> {
    const BLOCK: usize = 32;
    loop {
        for _ in 0..BLOCK / 8 {
            let rest = bytes.get(at..)?;
            let Some(eight) = rest.first_chunk() else {
                return rest.iter().position(u8::is_ascii_digit).map(|i| at + i);
            };
            let digits = digits_among(u64::from_le_bytes(*eight));
            if digits != 0 {
                return Some(at + digits.trailing_zeros() as usize / 8);
            }
            at += 8;
        }
        for block in bytes.get(at..)?.chunks_exact(BLOCK) {
            if block.iter().fold(false, |any, b| any | b.is_ascii_digit()) {
                break;
            }
            at += BLOCK;
        }
    }
}

/// The top bit of each of eight bytes that is a digit.
fn digits_among(bytes: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let low = bytes & (0x7f * ONES);
    let (least, beyond) = (low + (0x80 - u64::from(b'0')) * ONES, low + (0x7f - u64::from(b'9')) * ONES);
    least & !beyond & !bytes & (0x80 * ONES)
}

fn digits_end(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count()
}

fn word_end(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take_while(|b| in_word(**b)).count()
}

/// Letters that may stand directly behind a number: a unit, an ordinal's ending, or the rest of `1h30m` and `05T08`.
fn unit(tail: &[u8]) -> bool {
    let letters = tail.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    if letters == tail.len() {
        return letters <= 4;
    }
    let mut digits = true;
    tail.iter().take(24).all(|b| {
        let fits = b.is_ascii_digit() || (digits && matches!(b, b'T' | b'h' | b'm' | b's' | b'd' | b'Z'));
        digits = b.is_ascii_digit();
        fits
    }) && tail.len() <= 24
}
