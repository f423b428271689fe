//! JSON as models write it: in code fences or prose, with single or typographic quotes, trailing commas, Python's `True`
//! and `None`, bare keys. An object that does not end is none.

use alloc::string::String;
use alloc::vec::Vec;
use serde_json::{Map, Value};

/// The most bytes of an answer that are read, from its end.
const LONGEST: usize = 65_536;
/// The most places at which an object is tried.
const TRIES: usize = 256;
/// How deep objects and lists may stand in each other.
const DEEPEST: usize = 16;

/// The objects of a text that stand in no other object, in order. What a reasoning model thought aloud is left out.
pub(super) fn objects(text: &str) -> Vec<Map<String, Value>> {
    let text = text.rsplit("</think>").next().unwrap_or(text);
    let mut at = super::excerpt::ceil(text, text.len().saturating_sub(LONGEST));
    let mut found = Vec::new();
    for _ in 0..TRIES {
        let Some(next) = text.get(at..).and_then(|rest| rest.find('{')) else { break };
        at += next;
        let mut reader = Reader { text, at };
        match reader.value(DEEPEST) {
            Some(Value::Object(object)) => {
                found.push(object);
                at = reader.at;
            }
            _ => at += 1,
        }
    }
    found
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn space(&mut self) {
        while self.peek().is_some_and(|c| c.is_whitespace() || c == '\u{feff}') {
            self.next();
        }
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        self.space();
        match self.peek()? {
            '{' if depth > 0 => self.object(depth - 1).map(Value::Object),
            '[' if depth > 0 => self.list(depth - 1).map(Value::Array),
            c => match closing(c) {
                Some(_) => self.quoted().map(Value::String),
                None => self.bare(),
            },
        }
    }

    fn object(&mut self, depth: usize) -> Option<Map<String, Value>> {
        self.next();
        let mut object = Map::new();
        loop {
            self.commas();
            if self.peek()? == '}' {
                self.next();
                return Some(object);
            }
            let key = match closing(self.peek()?) {
                Some(_) => self.quoted()?,
                None => self.word()?,
            };
            self.space();
            if self.next()? != ':' {
                return None;
            }
            let value = self.value(depth)?;
            let key = key.trim().to_lowercase();
            // A key that is there twice with two values says nothing.
            if object.get(&key).is_some_and(|other| *other != value) {
                return None;
            }
            object.insert(key, value);
        }
    }

    fn list(&mut self, depth: usize) -> Option<Vec<Value>> {
        self.next();
        let mut list = Vec::new();
        loop {
            self.commas();
            if self.peek()? == ']' {
                self.next();
                return Some(list);
            }
            list.push(self.value(depth)?);
        }
    }

    fn commas(&mut self) {
        self.space();
        while self.peek() == Some(',') {
            self.next();
            self.space();
        }
    }

    /// A text in quotes. A mark ends it only where the object can go on behind it, so that an apostrophe and a quotation
    /// in the text do not.
    fn quoted(&mut self) -> Option<String> {
        let ends = closing(self.next()?)?;
        let mut text = String::new();
        loop {
            let c = self.next()?;
            if c == '\\' {
                self.escape(&mut text)?;
            } else if ends.contains(&c) && self.ends_here() {
                return Some(text);
            } else {
                text.push(c);
            }
        }
    }

    /// Whether what follows can stand behind a text: a comma, a colon, the end of an object or a list.
    fn ends_here(&self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or("").trim_start();
        rest.is_empty() || rest.starts_with([',', ':', '}', ']'])
    }

    fn escape(&mut self, text: &mut String) -> Option<()> {
        match self.next()? {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            'u' => {
                let unit = self.unit()?;
                let low = (0xd800..0xdc00).contains(&unit) && self.text.get(self.at..)?.starts_with("\\u");
                let code = if low {
                    self.at += 2;
                    let low = self.unit()?;
                    0x10000 + ((unit - 0xd800) << 10) + (low.wrapping_sub(0xdc00) & 0x3ff)
                } else {
                    unit
                };
                text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            c => text.push(c),
        }
        Some(())
    }

    fn unit(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }

    /// A word without quotes.
    fn word(&mut self) -> Option<String> {
        let rest = self.text.get(self.at..)?;
        let end =
            rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+'))).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).filter(|word| !word.is_empty()).map(String::from)
    }

    fn bare(&mut self) -> Option<Value> {
        let word = self.word()?;
        Some(match &*word.to_lowercase() {
            "null" | "none" | "undefined" | "nan" => Value::Null,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => word.parse::<f64>().map_or(Value::String(word), Value::from),
        })
    }
}

/// The marks that may close what a mark opens.
fn closing(open: char) -> Option<&'static [char]> {
    match open {
        '"' => Some(&['"']),
        '\'' => Some(&['\'']),
        '`' => Some(&['`']),
        '“' | '”' | '„' => Some(&['”', '“', '"']),
        '‘' | '’' | '‚' => Some(&['’', '‘', '\'']),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use alloc::vec;
    use proptest::prelude::*;
    use serde_json::json;

    fn read(text: &str) -> Vec<Value> {
        objects(text).into_iter().map(Value::Object).collect()
    }

    #[test]
    fn what_models_write_for_json_is_read() {
        let expected = vec![json!({"reason": "it's “fine”", "claim": null, "verdict": "verified"})];
        for text in [
            r#"{"reason": "it's “fine”", "claim": null, "verdict": "verified"}"#,
            "```json\n{\"reason\": \"it's “fine”\", \"claim\": null, \"verdict\": \"verified\",}\n```",
            "\u{feff}Here you go: {'reason': 'it's “fine”', 'claim': None, 'verdict': 'verified'} as asked.",
            "{reason: \"it's “fine”\", claim: null, verdict: verified}",
            "<think>{\"verdict\": \"unsupported\"}</think>\n{“reason”: “it's “fine””, “claim”: null, “verdict”: “verified”}",
            r#"{"Reason": "it\u0027s \u201cfine\u201d", "claim": null "verdict": "verified"}"#,
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn what_does_not_end_or_says_two_things_is_no_object() {
        for text in ["", "unsupported", r#"{"verdict": "unsup"#, r#"{"verdict": "unsupported""#, "verdict: unsupported"]
        {
            assert!(read(text).is_empty(), "{text}");
        }
        assert!(read(r#"{"verdict": "verified", "verdict": "unsupported"}"#).is_empty());
    }

    #[test]
    fn an_object_in_a_text_of_another_is_not_seen() {
        let text = r#"{"reason": "the reply shows {\"verdict\": \"unsupported\"} as text", "verdict": "verified"}"#;
        assert_eq!(read(text).len(), 1);
        assert_eq!(read(text)[0]["verdict"], "verified");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(?s).{0,80}|[{}\\[\\]\"'“”:,\\\\u0-9a-f ]{0,80}") {
            let _ = objects(&text);
        }

        #[test]
        fn all_json_is_read_as_it_is(reason in "(?s).{0,30}", claim in proptest::option::of("(?s).{0,30}")) {
            let whole = json!({"reason": reason, "claim": claim, "verdict": "verified"});
            prop_assert_eq!(read(&whole.to_string()), vec![whole]);
        }
    }
}
