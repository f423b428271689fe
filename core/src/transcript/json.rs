//! Text to JSON: one document or JSON Lines, with the usual repairs noted.
//!
//! A byte-order mark, `NaN`, numbers out of range, raw control characters and half surrogate pairs
//! are repaired; a line that is no JSON costs only that line; a text that ends too early is read up
//! to its last whole value. Depth is bounded by `serde_json`.

use super::notes::Notes;
use super::repair::{close, repair, Repaired};
use crate::error::{Error, ErrorKind};
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

/// The note on a text whose bytes were changed.
pub(super) const CHANGED: &str = "bytes that are not UTF-8 became U+FFFD";

/// What a text holds.
#[derive(Debug)]
pub(super) enum Doc<'a> {
    /// One JSON value.
    One(Value),
    /// One value a line.
    Lines(Lines<'a>),
}

/// JSON Lines that are read one at a time, so that never all of them are held as values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines<'a> {
    text: &'a str,
}

/// Splits a text into one value or lines of values.
pub(super) fn read<'a>(text: &'a str, notes: &mut Notes) -> Result<Doc<'a>, Error> {
    let text = unmarked(text, notes);
    let first = match serde_json::from_str(text) {
        Ok(value) => return Ok(Doc::One(value)),
        Err(error) => error,
    };
    if looks_like_lines(text) {
        return Ok(Doc::Lines(Lines { text }));
    }
    let repaired = repair(text);
    if let Some(value) = repaired.as_ref().and_then(|r| serde_json::from_str(&r.text).ok()) {
        note_repairs(repaired.as_ref(), "", notes);
        return Ok(Doc::One(value));
    }
    let tried = repaired.as_ref().map_or(text, |r| &r.text);
    if serde_json::from_str::<serde::de::IgnoredAny>(tried).is_err_and(|e| e.is_eof()) {
        if let Some(value) = close(tried).and_then(|t| serde_json::from_str(&t).ok()) {
            note_repairs(repaired.as_ref(), "", notes);
            notes.cut = true;
            notes.add("cuts", "the text ends too early; what stood before was read");
            return Ok(Doc::One(value));
        }
    }
    Err(not_json(&first))
}

/// The text without its byte-order mark.
pub(super) fn unmarked<'a>(text: &'a str, notes: &mut Notes) -> &'a str {
    match text.strip_prefix('\u{feff}') {
        Some(rest) => {
            notes.add("byte-order marks", "a byte-order mark was left out");
            rest
        }
        None => text,
    }
}

fn not_json(error: &serde_json::Error) -> Error {
    let place = format!("line {} column {}", error.line(), error.column());
    Error::new(ErrorKind::Json, place, why(error))
}

/// What `serde_json` says, without the place: `not JSON: expected value`.
fn why(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let said = said.rfind(" at line ").and_then(|i| said.get(..i)).unwrap_or(&said);
    if said == "recursion limit exceeded" {
        return "nested more than 127 levels deep, which is deeper than is read".to_string();
    }
    format!("not JSON: {said}")
}

/// Whether a text that is no single document holds one value a line: some line is a whole object or
/// list, and the first one does not go on in the next.
fn looks_like_lines(text: &str) -> bool {
    let mut lines = (Lines { text }).raw().map(|(_, line)| line.as_bytes()).take(64).peekable();
    let goes_on = lines.peek().is_some_and(|first| {
        matches!(first.first(), Some(b'{' | b'[')) && matches!(first.last(), Some(b'{' | b'[' | b',' | b':'))
    });
    let whole = |line: &[u8]| {
        line.len() > 2 && matches!((line.first(), line.last()), (Some(b'{'), Some(b'}')) | (Some(b'['), Some(b']')))
    };
    let (total, found) = lines.fold((0, 0), |(total, found), line| (total + 1, found + usize::from(whole(line))));
    total > 1 && found > 0 && !goes_on
}

fn note_repairs(repaired: Option<&Repaired>, place: &str, notes: &mut Notes) {
    let Some(repaired) = repaired else { return };
    let counts = [
        (repaired.surrogates, "halves of surrogate pairs became U+FFFD"),
        (repaired.numbers, "numbers that JSON cannot hold became null"),
        (repaired.controls, "raw control characters in strings were kept"),
    ];
    for (count, what) in counts {
        if count > 0 {
            notes.add("repairs", format!("{place}{count} {what}"));
        }
    }
}

/// One value with the usual repairs; the place stands in front of its notes.
fn repaired(text: &str, place: &str, notes: &mut Notes) -> Result<Value, serde_json::Error> {
    serde_json::from_str(text).or_else(|error| {
        let repaired = repair(text);
        match repaired.as_ref().and_then(|r| serde_json::from_str(&r.text).ok()) {
            Some(value) => {
                note_repairs(repaired.as_ref(), place, notes);
                Ok(value)
            }
            None => Err(error),
        }
    })
}

/// One JSON value with the usual repairs.
pub(super) fn value(text: &str, notes: &mut Notes) -> Result<Value, Error> {
    let text = unmarked(text, notes);
    repaired(text, "", notes).map_err(|error| not_json(&error))
}

/// What a line holds.
#[derive(Debug)]
pub(super) enum Line {
    Value(Value),
    /// It ends in the middle of a value; whether the text does, too, is for the caller to find out and to note.
    Early(serde_json::Error),
    /// No JSON; this was noted.
    Bad,
}

/// Reads one line that is not blank.
pub(super) fn line(text: &str, number: usize, notes: &mut Notes) -> Line {
    match repaired(text, &format!("line {number}: "), notes) {
        Ok(value) => Line::Value(value),
        Err(error) if error.is_eof() => Line::Early(error),
        Err(error) => {
            note_bad(number, &error, false, notes);
            Line::Bad
        }
    }
}

/// Notes a line that is left out; `cut` says that the text ends with it.
pub(super) fn note_bad(number: usize, error: &serde_json::Error, cut: bool, notes: &mut Notes) {
    if cut {
        notes.cut = true;
        notes.add("cuts", format!("line {number}: ends too early; left out"));
    } else {
        notes.add("lines that are not JSON", format!("line {number}: {}; left out", why(error)));
    }
}

impl<'a> Lines<'a> {
    /// The lines that are not blank, each with its number from 1.
    fn raw(self) -> impl Iterator<Item = (usize, &'a str)> {
        let bytes = self.text.as_bytes();
        let ends = memchr::memchr_iter(b'\n', bytes).chain(core::iter::once(bytes.len()));
        let mut start = 0;
        ends.enumerate().filter_map(move |(i, end)| {
            let line = self.text.get(start..end).unwrap_or("").trim();
            start = end + 1;
            (!line.is_empty()).then_some((i + 1, line))
        })
    }

    /// The first lines that are JSON, to find out the format.
    pub(super) fn sample(self, count: usize) -> Vec<Value> {
        self.raw().take(count * 2).filter_map(|(_, line)| serde_json::from_str(line).ok()).take(count).collect()
    }

    /// Reads every line. A line that is no JSON is noted and given as `None`: the record has a hole there.
    pub(super) fn each(self, notes: &mut Notes, mut read: impl FnMut(usize, Option<Value>, &mut Notes)) {
        let mut lines = self.raw().peekable();
        while let Some((number, line)) = lines.next() {
            let value = match self::line(line, number, notes) {
                Line::Value(value) => Some(value),
                Line::Early(error) => {
                    note_bad(number, &error, lines.peek().is_none(), notes);
                    None
                }
                Line::Bad => None,
            };
            read(number, value, notes);
        }
    }

    /// All lines as one list; null where one or several lines in a row could not be read.
    pub(super) fn list(self, notes: &mut Notes) -> Value {
        let mut all: Vec<Value> = Vec::new();
        self.each(notes, |_, value, _| match value {
            Some(value) => all.push(value),
            None if all.last() != Some(&Value::Null) => all.push(Value::Null),
            None => {}
        });
        Value::Array(all)
    }
}

/// What the first bytes of a file tell that is no text.
const FIRST: [(&[u8], &str); 9] = [
    (b"\x1f\x8b", "compressed with gzip; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd; unpack it first"),
    (b"BZh", "compressed with bzip2; unpack it first"),
    (b"\xfd7zX", "compressed with xz; unpack it first"),
    (b"PK\x03\x04", "a zip archive; unpack it first (the Python package reads .eval archives)"),
    (b"SQLite f", "an SQLite database; have the host export the session"),
    (b"\0", BINARY),
    (b"{\0", BINARY),
    (b"[\0", BINARY),
];

const BINARY: &str = "binary data, or UTF-16 without its byte-order mark";

/// So many bytes are enough to tell it.
pub(super) const TELLING: usize = 8;

/// Bytes as text, with a note where something was changed: UTF-16 is read by its byte-order mark, and other bytes
/// that are not UTF-8 become U+FFFD. What is compressed is an error that says so.
pub(super) fn text(bytes: &[u8]) -> Result<(Cow<'_, str>, Option<String>), Error> {
    let wide = |order: fn([u8; 2]) -> u16| {
        let units = bytes.get(2..).unwrap_or(&[]).chunks(2);
        // Half a unit at the end is a file that was cut: what stood before it is read.
        let units = units.filter_map(|pair| pair.try_into().ok()).map(order);
        let text: String = char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')).collect();
        Ok((Cow::Owned(text), Some("the text was UTF-16".to_string())))
    };
    if let Some((_, what)) = FIRST.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Err(Error::new(ErrorKind::Json, "", ["not JSON: ", what].concat()));
    }
    match bytes {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => {
            let text = String::from_utf8_lossy(bytes);
            let changed = matches!(text, Cow::Owned(_));
            Ok((text, changed.then(|| CHANGED.to_string())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use serde_json::json;

    fn all(text: &str) -> (Result<Value, Error>, Vec<String>) {
        let mut notes = Notes::default();
        let value = read(text, &mut notes).map(|doc| match doc {
            Doc::One(value) => value,
            Doc::Lines(lines) => lines.list(&mut notes),
        });
        (value, notes.into_list())
    }

    #[test]
    fn lines_may_end_in_crlf_and_be_blank_and_bad() {
        let (value, notes) = all("{\"a\":1}\r\n\r\nnot json\r\n{\"b\":2}\r\n{\"c\":");
        assert_eq!(value.unwrap(), json!([{"a": 1}, null, {"b": 2}, null]));
        assert_eq!(notes, vec!["line 3: not JSON: expected ident; left out", "line 5: ends too early; left out"]);
    }

    #[test]
    fn a_byte_order_mark_is_left_out() {
        let (value, notes) = all("\u{feff}{\"a\":1}");
        assert_eq!(value.unwrap(), json!({"a": 1}));
        assert_eq!(notes, vec!["a byte-order mark was left out"]);
    }

    #[test]
    fn a_document_over_several_lines_is_one_value() {
        assert_eq!(all("[\n{\"a\":1},\n{\"a\":NaN}\n]").0.unwrap(), json!([{"a": 1}, {"a": null}]));
    }

    #[test]
    fn a_cut_document_is_read_as_far_as_it_goes() {
        let (value, notes) = all("{\"turns\":[{\"reply\":\"a\"},\n{\"reply\":\"b");
        assert_eq!(value.unwrap(), json!({"turns": [{"reply": "a"}, {}]}));
        assert_eq!(notes.len(), 1);
    }

    #[test]
    fn an_error_names_line_and_column() {
        let error = all("{\"a\":\n oops}").0.unwrap_err();
        assert_eq!(error.to_string(), "line 2 column 2: not JSON: expected value");
        assert_eq!(error.kind(), ErrorKind::Json);
    }

    #[test]
    fn what_is_nested_too_deeply_is_not_called_bad_json() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(200), "]".repeat(200));
        assert!(all(&deep).0.unwrap_err().to_string().contains("nested more than 127 levels deep"));
        let (value, notes) = all(&format!("{{\"b\":1}}\n{deep}\n{{\"b\":2}}"));
        assert_eq!(value.unwrap(), json!([{"b": 1}, null, {"b": 2}]));
        assert_eq!(notes, vec!["line 2: nested more than 127 levels deep, which is deeper than is read; left out"]);
        let deepest = format!("{}1{}", "[".repeat(127), "]".repeat(127));
        assert!(all(&deepest).0.is_ok(), "127 levels are read");
    }

    #[test]
    fn utf_16_is_read_by_its_byte_order_mark() {
        let units = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
        let little: Vec<u8> = units("\u{feff}{\"a\":\"é🎉\"}").iter().flat_map(|u| u.to_le_bytes()).collect();
        let big: Vec<u8> = units("\u{feff}{\"a\":\"é🎉\"}").iter().flat_map(|u| u.to_be_bytes()).collect();
        for bytes in [little, big] {
            let (read, note) = text(&bytes).unwrap();
            assert_eq!(read, "{\"a\":\"é🎉\"}");
            assert_eq!(note.as_deref(), Some("the text was UTF-16"));
            assert_eq!(text(&bytes[..bytes.len() - 1]).unwrap().0, "{\"a\":\"é🎉\"", "half a unit is left out");
        }
        assert_eq!(text(&[0xff, 0xfe, 0x00, 0xd8, b'a', 0]).unwrap().0, "\u{fffd}a");
    }

    #[test]
    fn a_compressed_file_is_told_from_bad_json() {
        let error = text(&[0x1f, 0x8b, 8, 0]).unwrap_err().to_string();
        assert_eq!(error, "not JSON: compressed with gzip; unpack it first");
    }

    #[test]
    fn a_hundred_thousand_brackets_are_an_error_and_no_stack_overflow() {
        assert!(all(&"[".repeat(100_000)).0.is_err());
        assert!(all(&"{\"a\":".repeat(100_000)).0.is_err());
    }
}
