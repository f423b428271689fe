//! Repairs of almost-JSON: what `serde_json` refuses although every reader knows what was meant.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

/// A text with its repairs counted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Repaired {
    pub(super) text: String,
    /// Escapes of half a surrogate pair that became U+FFFD, as in a log cut inside an emoji.
    pub(super) surrogates: usize,
    /// `NaN`, infinities and numbers out of range that became null.
    pub(super) numbers: usize,
    /// Raw control characters in strings that were escaped.
    pub(super) controls: usize,
}

/// Repairs a text, or `None` where there is nothing to repair. One pass.
pub(super) fn repair(text: &str) -> Option<Repaired> {
    let bytes = text.as_bytes();
    let mut out = Repaired::default();
    let mut copied = 0;
    let mut i = 0;
    let mut inside = false;
    while let Some(&b) = bytes.get(i) {
        let (step, new) = if inside { in_string(bytes, i, b, &mut out) } else { outside(text, i, b, &mut out) };
        if b == b'"' {
            inside = !inside;
        }
        if let Some(new) = new {
            out.text.push_str(text.get(copied..i).unwrap_or(""));
            out.text.push_str(&new);
            copied = i + step;
        }
        i += step;
    }
    if copied == 0 {
        return None;
    }
    out.text.push_str(text.get(copied..).unwrap_or(""));
    Some(out)
}

/// One step inside a string: how many bytes, and what they become.
fn in_string(bytes: &[u8], i: usize, b: u8, out: &mut Repaired) -> (usize, Option<String>) {
    if b < 0x20 {
        out.controls += 1;
        return (1, Some(alloc::format!("\\u{b:04x}")));
    }
    if b != b'\\' {
        return (1, None);
    }
    match unit(bytes, i) {
        Some(0xD800..=0xDBFF) => match unit(bytes, i + 6) {
            Some(0xDC00..=0xDFFF) => (12, None),
            _ => lone(out),
        },
        Some(0xDC00..=0xDFFF) => lone(out),
        Some(_) => (6, None),
        // A backslash takes the next character with it only where that is ASCII, so that every cut is on a character.
        None if bytes.get(i + 1).is_some_and(|n| n.is_ascii() && *n >= 0x20) => (2, None),
        None => (1, None),
    }
}

fn lone(out: &mut Repaired) -> (usize, Option<String>) {
    out.surrogates += 1;
    (6, Some("\\uFFFD".to_string()))
}

/// The code unit of a `\uXXXX` escape that starts at `i`.
fn unit(bytes: &[u8], i: usize) -> Option<u16> {
    let escape = bytes.get(i..i.checked_add(6)?)?;
    if escape.get(..2)? != b"\\u" {
        return None;
    }
    let digits = core::str::from_utf8(escape.get(2..)?).ok()?;
    if digits.starts_with('+') {
        return None;
    }
    u16::from_str_radix(digits, 16).ok()
}

/// One step outside strings.
fn outside(text: &str, i: usize, b: u8, out: &mut Repaired) -> (usize, Option<String>) {
    const NAMES: [&str; 3] = ["NaN", "Infinity", "-Infinity"];
    let rest = text.as_bytes().get(i..).unwrap_or(&[]);
    if matches!(b, b'N' | b'I' | b'-') {
        if let Some(name) = NAMES.iter().find(|name| rest.starts_with(name.as_bytes())) {
            out.numbers += 1;
            return (name.len(), Some("null".to_string()));
        }
    }
    if b != b'-' && !b.is_ascii_digit() {
        return (1, None);
    }
    let len = rest.iter().take_while(|b| matches!(b, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')).count().max(1);
    let number = text.get(i..i + len).unwrap_or("");
    let huge = (len > 300 || number.contains(['e', 'E'])) && out_of_range(number);
    if huge {
        out.numbers += 1;
        // An exit status of null is none at all; one out of range is wrong, which only its reader can say.
        let kept = if is_exit(text.get(..i).unwrap_or("")) { "1e308" } else { "null" };
        return (len, Some(kept.to_string()));
    }
    (len, None)
}

/// Whether a text ends in the key of an exit status.
fn is_exit(text: &str) -> bool {
    text.trim_end().strip_suffix(':').is_some_and(|text| text.trim_end().ends_with("\"exit\""))
}

/// Whether a number is none that JSON can hold. What reads it says so; the standard library's own reader of numbers
/// would add 17 KB to the wasm file.
fn out_of_range(number: &str) -> bool {
    serde_json::from_str::<Value>(number).is_err_and(|error| error.to_string().starts_with("number out of range"))
}

/// The value in a text that holds JSON, and whether the text was cut off before its end.
pub(super) fn json_or_cut(text: &str) -> Option<(Value, bool)> {
    match serde_json::from_str(text) {
        Ok(value) => Some((value, false)),
        Err(error) if error.is_eof() => Some((serde_json::from_str(&close(text)?).ok()?, true)),
        Err(_) => None,
    }
}

/// A text whose end is missing, cut back to its last whole value, with what is open closed.
///
/// `None` where it is nested too deeply to be read anyway.
pub(super) fn close(text: &str) -> Option<String> {
    const DEEPEST: usize = 127;
    let mut open: Vec<char> = Vec::new();
    let mut whole = 0;
    let (mut inside, mut escaped) = (false, false);
    for (i, &b) in text.as_bytes().iter().enumerate() {
        if inside {
            match b {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => inside = false,
                _ => {}
            }
            continue;
        }
        match b {
            b'"' => inside = true,
            b'{' | b'[' => {
                open.push(if b == b'{' { '}' } else { ']' });
                whole = i + 1;
            }
            b'}' | b']' => {
                open.pop();
                whole = i + 1;
            }
            b',' => whole = i,
            _ => {}
        }
        if open.len() > DEEPEST {
            return None;
        }
    }
    let mut closed = text.get(..whole)?.to_string();
    closed.extend(open.iter().rev());
    Some(closed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_surrogate_pair_becomes_the_replacement_character() {
        let repaired = repair(r#"{"a":"x\ud83d","b":"\ud83d\ude00 \\ud83d","c":"\ude00"}"#).unwrap();
        assert_eq!(repaired.text, r#"{"a":"x\uFFFD","b":"\ud83d\ude00 \\ud83d","c":"\uFFFD"}"#);
        assert_eq!(repaired.surrogates, 2);
    }

    #[test]
    fn an_exit_status_out_of_range_stays_wrong() {
        let repaired = repair(r#"{"exit" : 1e400, "x": 1e400}"#).expect("something to repair");
        assert_eq!(repaired.text, r#"{"exit" : 1e308, "x": null}"#);
    }

    #[test]
    fn no_number_becomes_null_but_not_inside_a_string() {
        let repaired = repair(r#"[NaN,-Infinity,Infinity,1e999,-1e5,"NaN"]"#).unwrap();
        assert_eq!(repaired.text, r#"[null,null,null,null,-1e5,"NaN"]"#);
        assert_eq!(repaired.numbers, 4);
    }

    #[test]
    fn raw_control_characters_in_strings_are_escaped() {
        assert_eq!(repair("{\"a\":\n\"x\ty\"}").unwrap().text, "{\"a\":\n\"x\\u0009y\"}");
    }

    #[test]
    fn good_json_needs_no_repair() {
        assert_eq!(repair(r#"{"a":"é\n","b":[1,2.5e3]}"#), None);
    }

    #[test]
    fn a_cut_text_is_closed_after_its_last_whole_value() {
        assert_eq!(close(r#"{"a":[{"b":1},{"c":"x"#).unwrap(), r#"{"a":[{"b":1},{}]}"#);
        assert_eq!(close(r#"[{"b":1,"c"#).unwrap(), r#"[{"b":1}]"#);
        assert_eq!(close(&"[".repeat(1000)), None);
    }
}
