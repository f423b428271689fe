//! The one parser of the module. What two readers of the same bytes could understand differently is refused: a member named
//! twice, half a surrogate pair, a number beyond what every reader holds exactly.
//!
//! [`parse`] is for contracts, observations and bundles: its numbers are binary doubles by their shortest text, so that equal
//! digests mean equal decisions. [`document`] is for a file under test, whose numbers stay as they are written.

use super::canonical::number;
use super::json::{Json, Number, Object};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// How much is read.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most bytes.
    pub bytes: usize,
    /// The most arrays and objects inside each other.
    pub depth: usize,
    /// The most values.
    pub values: usize,
}

/// The limits of a contract: 1 MiB, 64 deep.
pub const CONTRACT: Limits = Limits { bytes: 1 << 20, depth: 64, values: 1 << 18 };
/// The limits of a call of this module, which carries observations.
pub const CALL: Limits = Limits { bytes: 64 << 20, depth: 72, values: 1 << 21 };
/// The limits of a file under test.
pub const DOCUMENT: Limits = Limits { bytes: 16 << 20, depth: 512, values: 1 << 22 };

/// Why a text was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The bytes are not UTF-8.
    Utf8,
    /// The text is not JSON. `NaN` and `Infinity` are among it.
    Syntax,
    /// A member is named twice.
    Duplicate,
    /// Half a surrogate pair.
    Surrogate,
    /// A number beyond ±(2^53−1).
    Range,
    /// More bytes, depth or values than the limits.
    Size,
}

/// Why a text was refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Why.
    pub kind: FaultKind,
    /// The byte.
    pub at: usize,
    /// The sentence.
    pub message: String,
}

/// Reads a contract, an observation or a bundle.
pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Json, Fault> {
    read(bytes, limits, true)
}

/// Reads a file under test: numbers keep their text, whatever their size.
pub fn document(bytes: &[u8]) -> Result<Json, Fault> {
    read(bytes, &DOCUMENT, false)
}

fn read(bytes: &[u8], limits: &Limits, exact: bool) -> Result<Json, Fault> {
    if bytes.len() > limits.bytes {
        let message = format!("{} bytes, and {} are read", bytes.len(), limits.bytes);
        return Err(Fault { kind: FaultKind::Size, at: limits.bytes, message });
    }
    let text = core::str::from_utf8(bytes).map_err(|error| Fault {
        kind: FaultKind::Utf8,
        at: error.valid_up_to(),
        message: "the bytes are not UTF-8".to_string(),
    })?;
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut parser = Parser { text, bytes, at: start, depth: 0, values: 0, limits, exact };
    let value = parser.value()?;
    parser.space();
    match parser.peek() {
        None => Ok(value),
        Some(_) => Err(parser.syntax("the end of the text")),
    }
}

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    values: usize,
    limits: &'a Limits,
    exact: bool,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn fault(&self, kind: FaultKind, message: impl ToString) -> Fault {
        Fault { kind, at: self.at, message: message.to_string() }
    }

    fn syntax(&self, expected: &str) -> Fault {
        let found = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        let found = found.map_or("the end".to_string(), |c| format!("{c:?}"));
        self.fault(FaultKind::Syntax, format!("expected {expected}; found {found} at byte {}", self.at))
    }

    fn expect(&mut self, byte: u8, expected: &str) -> Result<(), Fault> {
        if self.peek() != Some(byte) {
            return Err(self.syntax(expected));
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self) -> Result<Json, Fault> {
        self.space();
        self.values += 1;
        if self.values > self.limits.values {
            return Err(self.fault(FaultKind::Size, format!("more than {} values", self.limits.values)));
        }
        match self.peek() {
            Some(b'{') => self.nested(Parser::object),
            Some(b'[') => self.nested(Parser::array),
            Some(b'"') => self.string().map(Json::String),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'n') => self.word("null", Json::Null),
            Some(b'-' | b'0'..=b'9') => self.number().map(Json::Number),
            _ => Err(self.syntax("a value")),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Json, Fault>) -> Result<Json, Fault> {
        self.depth += 1;
        if self.depth > self.limits.depth {
            return Err(self.fault(FaultKind::Size, format!("nested more than {} deep", self.limits.depth)));
        }
        self.at += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn word(&mut self, word: &str, value: Json) -> Result<Json, Fault> {
        if !self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(word.as_bytes())) {
            return Err(self.syntax("a value"));
        }
        self.at += word.len();
        Ok(value)
    }

    fn array(&mut self) -> Result<Json, Fault> {
        let mut items = Vec::new();
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.value()?);
            self.space();
            if self.peek() == Some(b',') {
                self.at += 1;
                continue;
            }
            self.expect(b']', "a comma or the end of the array")?;
            return Ok(Json::Array(items));
        }
    }

    fn object(&mut self) -> Result<Json, Fault> {
        let mut members = Object::new();
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Json::Object(members));
        }
        loop {
            self.space();
            let start = self.at;
            let name = self.string()?;
            if members.contains_key(&name) {
                let message = format!("the member {name:?} is there twice");
                return Err(Fault { kind: FaultKind::Duplicate, at: start, message });
            }
            self.space();
            self.expect(b':', "a colon")?;
            let value = self.value()?;
            members.insert(name, value);
            self.space();
            if self.peek() == Some(b',') {
                self.at += 1;
                continue;
            }
            self.expect(b'}', "a comma or the end of the object")?;
            return Ok(Json::Object(members));
        }
    }

    fn string(&mut self) -> Result<String, Fault> {
        self.expect(b'"', "a string")?;
        let mut out = String::new();
        loop {
            let start = self.at;
            while self.peek().is_some_and(|b| b >= 0x20 && b != b'"' && b != b'\\') {
                self.at += 1;
            }
            out.push_str(self.text.get(start..self.at).unwrap_or_default());
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => {
                    self.at += 1;
                    out.push(self.escape()?);
                }
                _ => return Err(self.syntax("the end of the string")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let Some(byte) = self.peek() else { return Err(self.syntax("an escape")) };
        let plain = match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return Err(self.syntax("an escape")),
        };
        self.at += 1;
        Ok(plain)
    }

    fn unicode(&mut self) -> Result<char, Fault> {
        let first = self.hex()?;
        let code = match first {
            0xD800..=0xDBFF if self.bytes.get(self.at..self.at + 2) == Some(b"\\u") => {
                self.at += 1;
                let second = self.hex()?;
                match second {
                    0xDC00..=0xDFFF => 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00),
                    _ => first,
                }
            }
            _ => first,
        };
        char::from_u32(code).ok_or_else(|| self.fault(FaultKind::Surrogate, "half a surrogate pair"))
    }

    /// The four digits after `u`, on which the parser stands.
    fn hex(&mut self) -> Result<u32, Fault> {
        self.at += 1;
        let digits = self.text.get(self.at..self.at + 4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        let Some(code) = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) else {
            return Err(self.syntax("four hexadecimal digits"));
        };
        self.at += 4;
        Ok(code)
    }

    fn digits(&mut self) -> Result<(), Fault> {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start {
            return Err(self.syntax("a digit"));
        }
        Ok(())
    }

    fn number(&mut self) -> Result<Number, Fault> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        if !self.exact {
            return Ok(Number::of_text(text.to_string()));
        }
        // The shortest text of the double: what a decision compares is what the digest covers.
        let value = text.parse::<f64>().unwrap_or(f64::INFINITY);
        if value.abs() > MOST_EXACT {
            let message = format!("a number beyond ±9007199254740991 at byte {start}; write it as a string of digits");
            return Err(Fault { kind: FaultKind::Range, at: start, message });
        }
        Ok(Number::of_text(number(value)))
    }
}

/// 2^53 − 1.
const MOST_EXACT: f64 = 9_007_199_254_740_991.0;
