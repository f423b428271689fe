//! Secret-looking values replaced by `***`, for everything that is shown or logged.
//!
//! # Masks
//! Tokens with a known prefix (`sk-…`, `ghp_…`, `AKIA…`), JWTs, `Bearer …`, values of `password=…` and its like,
//! passwords in addresses, private key blocks. What stands before the secret stays, so that a reader knows its kind.
//!
//! # Leaves alone
//! Git hashes, UUIDs, paths, variables (`$TOKEN`), calls (`get_token()`) and placeholders (`<token>`).
//!
//! Spans of a result do not fit the masked text; they point into the text that was not masked.

use alloc::borrow::Cow;
use alloc::string::String;
use core::ops::Range;

/// What stands for a secret.
pub(crate) const STARS: &str = "***";

/// Prefixes of tokens, and how many characters at least follow them.
const PREFIXES: [(&str, usize); 27] = [
    ("sk-", 16),
    ("sk_live_", 8),
    ("sk_test_", 8),
    ("rk_live_", 8),
    ("pk_live_", 8),
    ("whsec_", 16),
    ("ghp_", 16),
    ("gho_", 16),
    ("ghu_", 16),
    ("ghs_", 16),
    ("ghr_", 16),
    ("github_pat_", 16),
    ("glpat-", 16),
    ("xoxb-", 10),
    ("xoxp-", 10),
    ("xoxa-", 10),
    ("xoxs-", 10),
    ("xapp-", 10),
    ("AKIA", 16),
    ("ASIA", 16),
    ("AIza", 30),
    ("ya29.", 20),
    ("npm_", 30),
    ("pypi-", 30),
    ("hf_", 30),
    ("gsk_", 30),
    ("SG.", 30),
];

/// Ends of the names whose values are secrets, in lower case without `_` and `-`.
const NAMES: [&str; 15] = [
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "secretkey",
    "token",
    "apikey",
    "accesskey",
    "accesskeyid",
    "privatekey",
    "authkey",
    "credential",
    "signingkey",
    "encryptionkey",
];

/// The longest name and the longest user name that are looked back or ahead for.
const LONGEST_NAME: usize = 64;

/// How far is looked ahead to tell whether something is a secret, so that every character is looked at a bounded
/// number of times. A secret itself may be longer.
const AHEAD: usize = 256;

/// The text with every secret-looking value replaced by `***`.
pub fn mask(text: &str) -> Cow<'_, str> {
    let mut masked = String::new();
    let mut copied = 0;
    for secret in secrets(text) {
        masked.push_str(text.get(copied..secret.start).unwrap_or(""));
        masked.push_str(STARS);
        copied = secret.end;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    masked.push_str(text.get(copied..).unwrap_or(""));
    Cow::Owned(masked)
}

/// Where the secret-looking values of a text stand, in order.
pub(crate) fn secrets(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    core::iter::from_fn(move || {
        while at < text.len() {
            if let Some(secret) = secret(text, at) {
                at = secret.end.max(at + 1);
                return Some(secret);
            }
            at += 1;
        }
        None
    })
}

/// What is shown of a value under a key that names a secret: a variable or a path tells no secret.
pub(crate) fn keyed(value: &str) -> &str {
    if value.is_empty() || stands_for(value.as_bytes()) {
        value
    } else {
        STARS
    }
}

/// The secret that the text at `at` announces.
fn secret(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    match bytes[at] {
        b':' if bytes[at..].starts_with(b"://") => address(bytes, at + 3),
        b'=' | b':' => pair(bytes, at),
        b'-' if bytes[at..].starts_with(b"-----BEGIN ") => block(text, at),
        _ if at > 0 && in_token(bytes[at - 1]) => None,
        b'e' if bytes[at..].starts_with(b"eyJ") => jwt(bytes, at),
        b'B' | b'b' => bearer(bytes, at),
        _ => None,
    }
    .or_else(|| if at > 0 && in_token(bytes[at - 1]) { None } else { known(bytes, at) })
}

fn in_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Where a run of bytes ends, as far as is looked ahead.
fn run(bytes: &[u8], from: usize, fits: impl Fn(u8) -> bool) -> usize {
    from + bytes.get(from..).unwrap_or(&[]).iter().take(AHEAD).take_while(|b| fits(**b)).count()
}

/// A secret from `start` to where the run that began before `end` ends.
fn whole(bytes: &[u8], start: usize, end: usize, fits: impl Fn(u8) -> bool) -> Range<usize> {
    start..end + bytes.get(end..).unwrap_or(&[]).iter().take_while(|b| fits(**b)).count()
}

/// A token with a known prefix.
fn known(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    if !matches!(bytes[at], b's' | b'r' | b'p' | b'w' | b'g' | b'x' | b'A' | b'y' | b'n' | b'h' | b'S') {
        return None;
    }
    let (prefix, least) = PREFIXES.iter().find(|(prefix, _)| bytes[at..].starts_with(prefix.as_bytes()))?;
    let start = at + prefix.len();
    let fits = |b| in_token(b) || b == b'.';
    let end = run(bytes, start, fits);
    // Words joined by hyphens, as in `sk-learn-contrib-extras`, hold no digit.
    let digit = bytes[start..end].iter().any(u8::is_ascii_digit);
    (end - start >= *least && digit).then(|| whole(bytes, start, end, fits))
}

/// `eyJ….….…`
fn jwt(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let fits = |b| in_token(b) || b == b'.';
    let end = run(bytes, at, fits);
    let dots = memchr::memchr_iter(b'.', &bytes[at..end]).count();
    (dots >= 1 && end - at >= 20).then(|| whole(bytes, at + 3, end, fits))
}

/// `Bearer …`
fn bearer(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let head = bytes.get(at..at + 7)?;
    if !head.eq_ignore_ascii_case(b"bearer ") {
        return None;
    }
    let start = at + 7;
    let fits = |b| in_token(b) || matches!(b, b'.' | b'+' | b'/' | b'=' | b'~');
    let end = run(bytes, start, fits);
    let telling = bytes[start..end].iter().any(u8::is_ascii_digit);
    (end - start >= 8 && telling).then(|| whole(bytes, start, end, fits))
}

/// `user:pass@` behind `://`
fn address(bytes: &[u8], from: usize) -> Option<Range<usize>> {
    let ahead = bytes.get(from..bytes.len().min(from + AHEAD))?;
    let stop = ahead
        .iter()
        .position(|b| b.is_ascii_whitespace() || matches!(b, b'/' | b'"' | b'\'' | b'`' | b'?' | b'#' | b'<' | b'>'))
        .unwrap_or(ahead.len());
    let at = ahead[..stop].iter().rposition(|b| *b == b'@')?;
    let colon = ahead[..at].iter().position(|b| *b == b':')?;
    let value = &ahead[colon + 1..at];
    (!value.is_empty() && !stands_for(value)).then_some(from + colon + 1..from + at)
}

/// A value behind `=` or `:` whose name ends like that of a secret.
fn pair(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    if !is_secret_name(name_before(bytes, at)) {
        return None;
    }
    let mut start = run(bytes, at + 1, |b| b == b' ' || b == b'\t').min(at + 9);
    let spaced = start > at + 1;
    let quote = bytes.get(start).copied().filter(|b| matches!(b, b'"' | b'\'' | b'`'));
    start += usize::from(quote.is_some());
    let fits = |b: u8| match quote {
        Some(quote) => b != quote && b != b'\n',
        None => !b.is_ascii_whitespace() && !matches!(b, b'"' | b'\'' | b'`' | b',' | b';' | b'&' | b')' | b']' | b'}'),
    };
    let end = run(bytes, start, fits);
    let value = &bytes[start..end];
    // “The password: required for …” is prose; a secret in it has a digit or a mark.
    let prose = quote.is_none() && spaced && !value.iter().any(|b| !b.is_ascii_alphabetic() && *b != b'.');
    (value.len() >= 8 && !prose && !stands_for(value)).then(|| whole(bytes, start, end, fits))
}

/// The name before a `=` or `:`, quotes and spaces between them left out.
fn name_before(bytes: &[u8], at: usize) -> &[u8] {
    let low = at.saturating_sub(LONGEST_NAME);
    let mut end = at;
    while end > low && matches!(bytes[end - 1], b' ' | b'"' | b'\'' | b'\\' | b'`' | b'*') {
        end -= 1;
    }
    let mut start = end;
    while start > low && in_token(bytes[start - 1]) {
        start -= 1;
    }
    &bytes[start..end]
}

/// Whether a name ends like that of a secret.
pub(crate) fn is_secret_name(name: &[u8]) -> bool {
    NAMES.iter().any(|end| {
        let mut letters = name.iter().rev().filter(|b| !matches!(b, b'_' | b'-'));
        end.bytes().rev().all(|want| letters.next().is_some_and(|b| b.to_ascii_lowercase() == want))
    })
}

/// A variable, call, path, placeholder or an already masked value.
fn stands_for(value: &[u8]) -> bool {
    value.first().is_some_and(|b| matches!(b, b'$' | b'<' | b'/' | b'{' | b'[' | b'%' | b'*' | b'~' | b'.'))
        || value.contains(&b'(')
        || [&b"process.env"[..], b"os.environ", b"env.", b"secrets.", b"xxxx", b"XXXX"]
            .iter()
            .any(|head| value.starts_with(head))
}

/// What stands between the lines that begin and end a private key; without an end, the rest of the text.
fn block(text: &str, at: usize) -> Option<Range<usize>> {
    let line_end = at + memchr::memchr(b'\n', text.as_bytes().get(at..)?).unwrap_or(text.len() - at);
    // In JSON the key stands on one line, with `\n` written out.
    let head = text.as_bytes().get(at..line_end.min(at + 80))?;
    let dashes = memchr::memmem::find(head.get(11..)?, b"-----")? + 11 + 5;
    memchr::memmem::find(&head[..dashes], b"PRIVATE KEY")?;
    let start = at + dashes;
    let end = memchr::memmem::find(text.as_bytes().get(start..)?, b"-----END ").map_or(text.len(), |i| start + i);
    (end > start).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_masked_behind_what_names_them() {
        for (text, masked) in [
            ("key sk-proj-abcDEF1234567890abcd.", "key sk-***"),
            ("ghp_0123456789abcdefABCDEF0123456789abcd", "ghp_***"),
            ("(github_pat_11ABCDEFG0123456789_abc)", "(github_pat_***)"),
            ("xoxb-123456789012-abcdef", "xoxb-***"),
            ("AKIAIOSFODNN7EXAMPLE", "AKIA***"),
            ("Authorization: Bearer abc123def456", "Authorization: Bearer ***"),
            ("eyJhbGciOi.eyJzdWIiOjEy.SflKxwRJSM", "eyJ***"),
            ("DB_PASSWORD=hunter2hunter2 next", "DB_PASSWORD=*** next"),
            ("{\"api_key\": \"abcdefgh\"}", "{\"api_key\": \"***\"}"),
            ("token: a1b2c3d4e5", "token: ***"),
            ("postgres://ana:s3cret@db/x", "postgres://ana:***@db/x"),
            ("é --password='pässwörter' é", "é --password='***' é"),
            (
                "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
                "-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----",
            ),
        ] {
            assert_eq!(mask(text), masked, "{text}");
        }
    }

    #[test]
    fn hashes_paths_variables_and_prose_stay() {
        for text in [
            "commit 3f786850e387550fdab836ed7e6dc881de23001b",
            "id 550e8400-e29b-41d4-a716-446655440000",
            "token: /run/secrets/token",
            "password=$DB_PASSWORD",
            "token = get_token(user)",
            "The secret: everything works",
            "https://example.org/a:b@c",
            "sk-learn-contrib-extras-pack",
            "tokens: 123456789",
            "max_tokens=123456789",
            "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----",
            "password: ***",
        ] {
            assert!(matches!(mask(text), Cow::Borrowed(_)), "{text} became {}", mask(text));
        }
    }
}
