//! What may be shown and stored: no absolute path, no secret-looking value, nothing without bound.

use super::canonical::{canonical, digest_bytes};
use super::json::{array, object, Json};
use crate::render::mask::mask;
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The most characters of a summary.
pub(crate) const SUMMARY: usize = 600;
/// The most bytes of what was expected or observed.
const VALUE: usize = 8 << 10;

/// The first directory of an absolute path. A JSON pointer begins with a slash too, so that not every slash begins a path.
const TOPS: [&str; 17] = [
    "home",
    "Users",
    "root",
    "tmp",
    "var",
    "usr",
    "opt",
    "etc",
    "private",
    "mnt",
    "media",
    "srv",
    "proc",
    "Applications",
    "Library",
    "System",
    "Volumes",
];

/// Takes the workspace's path, other absolute paths and secret-looking values out.
pub(crate) struct Mask<'a> {
    workspace: Option<&'a str>,
}

impl<'a> Mask<'a> {
    /// With the workspace as the host gave it. A token that is no path takes nothing out.
    pub(crate) fn new(workspace: Option<&'a str>) -> Mask<'a> {
        let place = workspace.map(|place| place.trim_end_matches(['/', '\\']));
        Mask { workspace: place.filter(|place| place.len() > 1 && (place.starts_with('/') || drive(place))) }
    }

    /// A text of any length.
    pub(crate) fn text(&self, text: &str) -> String {
        let relative = self.workspace.map_or_else(|| text.to_string(), |place| without(text, place));
        mask(&without_paths(&relative)).into_owned()
    }

    /// A text for people: one that is bounded.
    pub(crate) fn summary(&self, text: &str) -> String {
        cut(&self.text(text), SUMMARY)
    }

    /// A value with every string in it masked.
    pub(crate) fn value(&self, value: &Json) -> Json {
        match value {
            Json::String(text) => Json::String(self.text(text)),
            Json::Array(items) => match items.as_slice() {
                // A header of an answer.
                [Json::String(name), Json::String(_)] if is_secret_header(name) => array([name.as_str(), STARS]),
                items => Json::Array(items.iter().map(|item| self.value(item)).collect()),
            },
            Json::Object(members) => {
                let masked = members.iter().map(|(name, value)| match value {
                    Json::String(text) if is_named_secret(name, text) => (name.clone(), STARS.into()),
                    value => (name.clone(), self.value(value)),
                });
                Json::Object(masked.collect())
            }
            other => other.clone(),
        }
    }

    /// A value for people: one that is bounded.
    pub(crate) fn bounded(&self, value: &Json) -> Json {
        let text = canonical(value);
        if text.len() <= VALUE {
            return self.value(value);
        }
        let head = self.text(&cut(&text, 1_000));
        object([("bytes", text.len().into()), ("digest", digest_bytes(text.as_bytes()).into()), ("head", head.into())])
    }
}

/// What stands for a secret.
const STARS: &str = "***";
/// Headers whose value lets its holder in.
const SECRET_HEADERS: [&str; 6] =
    ["set-cookie", "cookie", "authorization", "proxy-authorization", "x-api-key", "x-auth-token"];
/// The longest value that a name is asked about.
const NAMED: usize = 4 << 10;

fn is_secret_header(name: &str) -> bool {
    SECRET_HEADERS.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether a member's name says that its value is a secret, as in `{"password": "…"}`. What says so in its own text is masked there.
fn is_named_secret(name: &str, text: &str) -> bool {
    if text.len() > NAMED || text.contains(['"', '\n']) {
        return false;
    }
    let pair = format!("{name}=\"{text}\"");
    matches!(mask(text), Cow::Borrowed(_)) && matches!(mask(&pair), Cow::Owned(_))
}

/// The first characters of a text.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_string();
    }
    match text.char_indices().nth(most) {
        None => text.to_string(),
        Some(_) => {
            let kept: String = text.chars().take(most.saturating_sub(1)).collect();
            format!("{kept}…")
        }
    }
}

/// The last characters of a text.
pub(crate) fn tail(text: &str, most: usize) -> &str {
    let start = text.char_indices().rev().nth(most.saturating_sub(1)).map_or(0, |(at, _)| at);
    text.get(start..).unwrap_or_default()
}

fn drive(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() > 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && matches!(bytes[2], b'\\' | b'/')
}

fn in_path(c: char) -> bool {
    !c.is_whitespace()
        && !c.is_control()
        && !matches!(c, '"' | '\'' | '`' | '<' | '>' | '|' | '*' | '?' | ',' | ';' | ')' | '(' | ']' | '[' | '}' | '{')
}

/// A text with a directory taken off the front of its paths.
fn without(text: &str, place: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(place) {
        let (before, found) = rest.split_at(at);
        let after = found.get(place.len()..).unwrap_or_default();
        out.push_str(before);
        match after.chars().next() {
            Some('/' | '\\') => rest = after.get(1..).unwrap_or_default(),
            Some(c) if in_path(c) && c != ':' && c != '.' => {
                out.push_str(place);
                rest = after;
            }
            _ => {
                out.push('.');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// A text whose absolute paths are cut to their last part.
fn without_paths(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut copied, mut at) = (0, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let begins = at == 0
            || text.get(..at).is_some_and(|before| before.ends_with(begins_after) || before.ends_with("file://"));
        let here = text.get(at..).filter(|here| begins && (drive(here) || top(here)));
        let Some(here) = here else {
            at += 1;
            continue;
        };
        let length = here.find(|c| !in_path(c)).unwrap_or(here.len());
        out.push_str(text.get(copied..at).unwrap_or_default());
        out.push_str(&last(here.get(..length).unwrap_or_default()));
        at += length;
        copied = at;
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    out
}

/// A path begins a word; `a/home/b` and `https://host/home` hold none.
fn begins_after(c: char) -> bool {
    !c.is_alphanumeric() && !matches!(c, '/' | '\\' | '.' | '_' | '-' | '~' | '%')
}

fn top(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('/') else { return false };
    TOPS.iter().any(|top| {
        rest.strip_prefix(top).is_some_and(|after| {
            after.is_empty() || !after.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-')
        })
    })
}

/// `…/c` of `/home/a/b/c`. What stands directly in a home may be the name of its owner.
fn last(path: &str) -> String {
    let parts: Vec<&str> = path.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    let shallow = match parts.first() {
        Some(&("home" | "Users")) => 2,
        Some(first) if first.ends_with(':') => 3,
        _ => 1,
    };
    match parts.last() {
        Some(name) if parts.len() > shallow => format!("…/{name}"),
        _ => "…".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::strict::document;
    use super::*;

    #[test]
    fn secrets_go_by_their_name_too() {
        for (text, masked) in [
            (r#"["Set-Cookie","sid=1"]"#, r#"["Set-Cookie","***"]"#),
            (r#"["Server","nginx"]"#, r#"["Server","nginx"]"#),
            (r#"{"password":"hunter2hunter2"}"#, r#"{"password":"***"}"#),
            (r#"{"password":"short"}"#, r#"{"password":"short"}"#),
            (
                r#"{"sha256":"3f786850e387550fdab836ed7e6dc881de23001b"}"#,
                r#"{"sha256":"3f786850e387550fdab836ed7e6dc881de23001b"}"#,
            ),
            (r#"{"text":"{\"api_key\": \"abcdefgh\"}"}"#, r#"{"text":"{\"api_key\": \"***\"}"}"#),
        ] {
            let value = document(text.as_bytes()).unwrap();
            assert_eq!(canonical(&Mask::new(None).value(&value)), masked);
        }
    }

    #[test]
    fn paths_are_cut_to_what_does_not_say_whose_they_are() {
        let mask = Mask::new(Some("/home/dana/w/"));
        for (text, shown) in [
            ("/home/dana/w/out/a.txt:3 is wrong", "out/a.txt:3 is wrong"),
            ("in /home/dana/w", "in ."),
            ("/home/dana/work/a", "…/a"),
            ("see (/home/dana)", "see (…)"),
            ("C:\\Users\\dana\\x.py", "…/x.py"),
            ("file:///Users/dana/x", "file://…/x"),
            ("the pointer /orders/0/total", "the pointer /orders/0/total"),
            ("https://a.example/home/page", "https://a.example/home/page"),
            ("a/home/b", "a/home/b"),
            ("/usr/lib/python3/x.py", "…/x.py"),
        ] {
            assert_eq!(mask.text(text), shown);
            assert_eq!(mask.text(shown), shown, "again");
        }
        assert_eq!(Mask::new(Some("w")).text("w and w/x"), "w and w/x", "a token is no path");
    }
}
