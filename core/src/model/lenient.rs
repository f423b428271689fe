//! JSON as models write it: in code fences or prose, with single or typographic quotes, trailing commas, Python's `True`
//! and `None`, bare keys. An object that does not end is none.

use alloc::string::String;
use alloc::vec::Vec;
use serde_json::{Map, Value};

/// The most bytes of an answer that are read, from its end.
const LONGEST: usize = 65_536;
/// The most places at which an object is tried.
const TRIES: usize = 256;
/// What stands around thoughts.
const BEGINS: &str = "<think>";
const ENDS: &str = "</think>";
/// How deep objects and lists may stand in each other.
const DEEPEST: usize = 16;

/// The objects of a text that stand in no other object, in order. What a reasoning model thought aloud is left out.
///
/// `None` where it cannot be told which objects are the answer's own: thoughts that do not end, an object that is broken off and
/// may hold what follows, a verdict outside any object, too many objects.
pub(super) fn objects(text: &str) -> Option<Vec<Map<String, Value>>> {
    let mut at = super::excerpt::ceil(text, text.len().saturating_sub(LONGEST));
    // Where the beginning is not read, it may have been one of thoughts.
    let (mut thinks, mut broken) = (at > 0, false);
    let mut found = Vec::new();
    let mut tries = 0;
    loop {
        let rest = text.get(at..)?;
        if thinks {
            at += rest.find(ENDS)? + ENDS.len();
            (thinks, broken) = (false, false);
            found.clear();
            continue;
        }
        let brace = rest.find('{').unwrap_or(rest.len());
        let between = rest.get(..brace)?;
        if let Some(end) = between.rfind(ENDS) {
            at += end + ENDS.len();
            broken = false;
            found.clear();
            continue;
        }
        if let Some(start) = between.find(BEGINS) {
            at += start;
            thinks = true;
            continue;
        }
        broken |= has_verdict(between);
        if brace == rest.len() {
            return (!broken).then_some(found);
        }
        tries += 1;
        if tries > TRIES {
            return None;
        }
        at += brace;
        let mut reader = Reader { text, at, strict: is_json(text.get(at..)?), keyed: false };
        if let Some(Value::Object(object)) = reader.value(DEEPEST) {
            found.push(object);
            at = reader.at;
        } else {
            broken |= reader.keyed;
            at += 1;
        }
    }
}

/// Whether an object of proper JSON begins a text: its texts end where JSON says.
fn is_json(text: &str) -> bool {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
    values.next().is_some_and(|value| value.is_ok())
}

/// Whether a text outside any object has the key `verdict`.
fn has_verdict(text: &str) -> bool {
    let behind = |(at, word): (usize, &str)| text.get(at + word.len()..).unwrap_or("");
    text.match_indices("verdict").map(behind).any(|rest| {
        let key = rest.trim_start_matches(['"', '\'', '”', '’', '\\', '`']);
        key.len() < rest.len() && key.trim_start().starts_with(':')
    })
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// It is proper JSON.
    strict: bool,
    /// A key was read, so that it is an object and no brace of prose.
    keyed: bool,
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
                Some(_) => self.quoted(false).map(Value::String),
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
                Some(_) => self.quoted(true)?,
                None => self.word()?,
            };
            self.space();
            if self.next()? != ':' {
                return None;
            }
            self.keyed = true;
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
    /// in the text do not, and not within an object that the text quotes.
    fn quoted(&mut self, key: bool) -> Option<String> {
        let ends = closing(self.next()?)?;
        let mut text = String::new();
        let mut inside = 0_usize;
        loop {
            let c = self.next()?;
            if c == '\\' {
                self.escape(&mut text)?;
                continue;
            }
            if ends.contains(&c) && (self.strict || inside == 0 && self.ends_here(key)) {
                return Some(text);
            }
            match c {
                '{' => inside += 1,
                '}' => inside = inside.saturating_sub(1),
                _ => {}
            }
            text.push(c);
        }
    }

    /// Whether what follows can stand behind a text: a colon behind a key; else a comma, the end of an object or a list.
    fn ends_here(&self, key: bool) -> bool {
        let rest = self.text.get(self.at..).unwrap_or("").trim_start();
        if key {
            return rest.starts_with(':');
        }
        rest.is_empty() || rest.starts_with([',', '}', ']'])
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
        objects(text).unwrap_or_default().into_iter().map(Value::Object).collect()
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

    #[test]
    fn a_quoted_object_is_never_taken_for_the_answer() {
        let outer =
            r#"{"reason": "it shows {"x": "y", "verdict": "verified"} here", "claim": null, "verdict": "unsupported"}"#;
        assert_eq!(read(outer)[0]["verdict"], "unsupported");
        for text in [
            r#"{"reason": "it shows {"verdict": "verified"}"#,
            r#"{"reason": "broken off {"verdict": "verified"} and "claim": 3"#,
            r#"{"reason": "it says ", "verdict": "verified"} there", "verdict": "unsupported"}"#,
            r#"<think>so {"verdict": "verified"}"#,
            r#"{"reason": "x", "verdict": "verified"} <think> but"#,
        ] {
            assert_eq!(objects(text), None, "{text}");
        }
        let quoted = r#"{"reason": "it says </think>{\"verdict\": \"verified\"}", "verdict": "unsupported"}"#;
        assert_eq!(read(quoted)[0]["verdict"], "unsupported");
        assert_eq!(read("In {a, b} ${HOME} {x}: {\"verdict\": \"verified\"}").len(), 1);
        assert_eq!(objects(&"{a ".repeat(TRIES + 1)), None);
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
