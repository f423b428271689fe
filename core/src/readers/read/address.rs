//! Addresses as RFC 3986 (6.2.2 and 6.2.3) compares them, and those that a text names.
//!
//! What stands in a record is compared in the reply's favour: a scheme that is left out or another one, this machine by any
//! of its names, an address inside another one.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

/// The longest word of a text that is read as an address.
const LONGEST: usize = 2_048;

/// How many addresses of one word are read.
const MOST: usize = 8;

/// Marks that may stand behind an address and not belong to it.
const BEHIND: &[char] = &['.', ':', '!', '?', '*', '~', ']', '_'];

/// The names of this machine.
const HERE: &[&str] = &["localhost", "127.0.0.1", "[::1]", "0.0.0.0"];

/// An address for comparing: the host in lower case, the port where it is not the scheme's own, the path without dot
/// segments and without a slash at its end, the query. No scheme, user or fragment.
pub(super) fn key(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").map_or(("", url), |(scheme, rest)| (scheme, rest));
    let rest = rest.split('#').next().unwrap_or("");
    let (authority, rest) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let authority = authority.rsplit('@').next().unwrap_or("");
    let port_at = authority.rfind(':').filter(|at| authority[at + 1..].bytes().all(|b| b.is_ascii_digit()));
    let (host, port) = authority.split_at(port_at.unwrap_or(authority.len()));
    let host = unescaped(host).to_ascii_lowercase();
    let host = host.strip_suffix('.').unwrap_or(&host);
    let host = if HERE.contains(&host) { HERE[0] } else { host };
    let own = match port {
        ":" => true,
        ":80" => !scheme.eq_ignore_ascii_case("https"),
        ":443" => !scheme.eq_ignore_ascii_case("http"),
        _ => false,
    };
    let (port, mark) = (if own { "" } else { port }, if query.is_empty() { "" } else { "?" });
    format!("{host}{port}{}{mark}{}", segments(&unescaped(path)), unescaped(query))
}

/// Whether two addresses do not name different schemes.
pub(super) fn alike(a: &str, b: &str) -> bool {
    let schemes = a.split_once("://").zip(b.split_once("://"));
    schemes.is_none_or(|((a, _), (b, _))| a.eq_ignore_ascii_case(b))
}

/// A path without dot segments and without a slash at its end.
fn segments(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/').skip(1) {
        match segment {
            "." => {}
            ".." => drop(kept.pop()),
            _ => kept.push(segment),
        }
    }
    let path: String = kept.iter().flat_map(|segment| ["/", segment]).collect();
    path.trim_end_matches('/').to_string()
}

/// A part of an address in which letters, digits and `-._~` stand as such, and all other escapes in capitals.
fn unescaped(part: &str) -> Cow<'_, str> {
    if !part.contains('%') && part.is_ascii() {
        return Cow::Borrowed(part);
    }
    let mut out = String::with_capacity(part.len());
    for (byte, escape) in bytes(part) {
        let plain = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
        if plain || !(escape || byte >= 0x80) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    Cow::Owned(out)
}

/// The bytes that a part of an address stands for, each with whether it was escaped.
fn bytes(part: &str) -> impl Iterator<Item = (u8, bool)> + '_ {
    let mut rest = part.as_bytes();
    core::iter::from_fn(move || {
        let digit = |at: usize| rest.get(at).and_then(|b| char::from(*b).to_digit(16));
        let escaped = digit(1).zip(digit(2)).filter(|_| rest.first() == Some(&b'%'));
        let (byte, length) = escaped.map_or((*rest.first()?, 1), |(a, b)| ((a * 16 + b) as u8, 3));
        rest = rest.get(length..).unwrap_or(&[]);
        Some((byte, length == 3))
    })
}

/// How a text names an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named<'t> {
    /// As a whole: its [`key`].
    Whole(&'t str),
    /// By its path alone, without the slash in front.
    Path(&'t str),
}

/// Tells `visit` all addresses that a text names or may name.
pub(super) fn each(text: &str, mut visit: impl FnMut(Named<'_>)) {
    // JSON may escape a slash.
    let text = if text.contains("\\/") { Cow::Owned(text.replace("\\/", "/")) } else { Cow::Borrowed(text) };
    let ends = |c: char| {
        c.is_whitespace()
            || matches!(c, '"' | '\'' | '`' | '<' | '>' | '(' | ')' | '{' | '}' | '|' | '\\' | '^' | ',' | ';')
    };
    for word in text.split(ends).filter(|word| (3..=LONGEST).contains(&word.len())) {
        if word.contains('/') {
            within(word, &mut visit);
        }
        if word.contains('%') {
            let whole: Vec<u8> = bytes(word).map(|(byte, _)| byte).collect();
            let whole = String::from_utf8_lossy(&whole);
            whole.split('&').filter(|part| part.contains("://")).for_each(|part| within(part, &mut visit));
        }
    }
}

/// The addresses of one word.
fn within(word: &str, visit: &mut impl FnMut(Named<'_>)) {
    let mut starts = word.match_indices("://").take(MOST).peekable();
    if starts.peek().is_none() {
        variants(word.trim_start_matches('/'), visit);
        if let Some((_, value)) = word.rsplit_once('=').filter(|(_, value)| value.contains('/')) {
            variants(value.trim_start_matches('/'), visit);
        }
        return;
    }
    for (at, _) in starts {
        let scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let start = word[..at].trim_end_matches(scheme).len();
        let one = &word[start..];
        variants(one, visit);
        if let (true, Some((one, _))) = (start > 0, one.split_once('&')) {
            variants(one, visit);
        }
    }
}

/// An address as it stands and without the marks behind it, each with its query and without.
fn variants(one: &str, visit: &mut impl FnMut(Named<'_>)) {
    let bare = one.trim_end_matches(BEHIND);
    for one in [Some(one), Some(bare).filter(|bare| bare.len() < one.len())].into_iter().flatten() {
        let whole = key(one);
        visit(Named::Whole(&whole));
        if let Some((page, _)) = whole.split_once('?') {
            visit(Named::Whole(page));
        }
        if !one.contains("://") {
            let path = key(&format!("x/{one}"));
            if let Some(path) = path.split('?').next().and_then(|path| path.strip_prefix("x/")) {
                visit(Named::Path(path));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_is_searched_and_a_key_is_its_own_key(text in "[a-zé%2F:/?#@=&.\\[\\] ]{0,60}", any in "\\PC{0,60}") {
            let found = (named(&text), named(&any));
            prop_assert!(found.0.len() < 400 && found.1.len() < 400);
            prop_assert_eq!(key(&key(&format!("x/{text}"))), key(&format!("x/{text}")));
        }
    }

    #[test]
    fn what_is_the_same_address_has_the_same_key() {
        for (a, b) in [
            ("http://harbour.test", "HTTP://Harbour.TEST:80/"),
            ("https://harbour.test/a", "https://harbour.test.:443/a#top"),
            ("http://harbour.test/a/%7euser", "http://harbour.test/a/~user"),
            ("http://harbour.test/%2fa", "http://harbour.test/%2Fa"),
            ("http://harbour.test/a/b", "http://me:secret@harbour.test/a/./c/../b/"),
            ("http://harbour.test/é", "http://harbour.test/%c3%A9"),
            ("http://localhost:8080/a", "http://[::1]:8080/a"),
            ("http://harbour.test/a?b=%63", "http://harbour.test:/a?b=c"),
            ("http://harbour.test/a", "harbour.test/a?"),
        ] {
            assert_eq!(key(a), key(b), "{a} {b}");
        }
    }

    #[test]
    fn what_is_another_address_has_another_key() {
        for (a, b) in [
            ("http://harbour.test/a", "http://harbour.test/A"),
            ("http://harbour.test/a", "http://harbour.test/a/b"),
            ("http://harbour.test/a", "http://harbour.test/a?b"),
            ("http://harbour.test/a", "http://harbour.test:8080/a"),
            ("http://harbour.test:443/a", "https://harbour.test/a"),
            ("http://harbour.test/a/b", "http://harbour.test/a%2Fb"),
            ("http://harbour.test/%zz", "http://harbour.test/%ZZ"),
        ] {
            assert_ne!(key(a), key(b), "{a} {b}");
        }
        assert!(alike("http://a.test", "HTTP://b.test") && alike("a.test", "http://a.test"));
        assert!(!alike("http://a.test", "https://a.test"));
    }

    fn named(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        each(text, |named| {
            let (Named::Whole(key) | Named::Path(key)) = named;
            found.push(key.to_string());
        });
        found
    }

    #[test]
    fn addresses_are_found_in_texts() {
        for text in [
            "See http://harbour.test/canary/a1.",
            "[the page](http://harbour.test/canary/a1)",
            r#"{"url": "http:\/\/harbour.test\/canary\/a1"}"#,
            "--url=http://harbour.test/canary/a1?form=text",
            "https://reader.test/http://harbour.test/canary/a1",
            "https://reader.test/?u=http%3A%2F%2Fharbour.test%2Fcanary%2Fa1&x=1",
            "https://reader.test/?u=http://harbour.test/canary/a1&x=1",
            "**http://harbour.test/canary/a1**",
            "curl harbour.test/canary/a1",
            "--host=harbour.test/canary/a1",
            r"one\nhttp://harbour.test/canary/a1\ntwo",
        ] {
            assert!(named(text).iter().any(|key| key == "harbour.test/canary/a1"), "{text}: {:?}", named(text));
        }
        assert!(named("GET /canary/a1").contains(&"canary/a1".to_string()));
        for text in ["http://harbour.test/canary/a12", "http://harbour.test/canary/a1/b", "harbour.test"] {
            assert!(!named(text).iter().any(|key| key == "harbour.test/canary/a1"), "{text}");
        }
    }

    #[test]
    fn no_text_is_too_odd() {
        for text in ["://", "%", "%%%/", "/", "///", "@:/?#", "http://", "[::1", "é%é/é", "://://://a", "..", "/../.."]
        {
            let _ = (key(text), named(text));
        }
        let long = "://".repeat(100_000);
        assert!(named(&long).is_empty() && named(&"/".repeat(2_000)).len() <= 8);
    }
}
