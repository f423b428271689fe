//! Web addresses as the URL standard reads them, and the origin that a contract lists.
//!
//! Where the standard mends a text, by dropping a tab or taking `\` for `/`, two programs can read one text as two addresses.
//! Such a text is refused: what is compared here must be what the host connects to.

use super::address;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::Write;
use core::net::{IpAddr, Ipv6Addr};

/// A web address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Url {
    /// `http` or `https`.
    pub(crate) scheme: &'static str,
    /// Lower case; an IP address in its one form, version 6 in brackets.
    pub(crate) host: String,
    /// The port, also where it is the scheme's own.
    pub(crate) port: u16,
    /// What follows the host and port: path, query and fragment as written.
    pub(crate) rest: String,
    /// The address, where the host is one.
    pub(crate) literal: Option<IpAddr>,
}

impl Url {
    /// Reads a web address.
    pub(crate) fn parse(text: &str) -> Result<Url, &'static str> {
        if text.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\') {
            return Err("a URL has no white space, control character or backslash");
        }
        let (scheme, rest) = text.split_once("://").ok_or("a URL starts with http:// or https://")?;
        let (scheme, own_port) = match scheme {
            s if s.eq_ignore_ascii_case("http") => ("http", 80),
            s if s.eq_ignore_ascii_case("https") => ("https", 443),
            _ => return Err("a URL starts with http:// or https://"),
        };
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        if authority.contains('@') {
            return Err("a URL has no user name and password");
        }
        let (host, port) = split_port(authority)?;
        let port = port.map_or(Ok(own_port), read_port)?;
        let (host, literal) = read_host(host)?;
        Ok(Url { scheme, host, port, rest: rest.to_string(), literal })
    }

    /// The origin in its one form: the port only where it is not the scheme's own.
    pub(crate) fn origin(&self) -> String {
        match (self.scheme, self.port) {
            ("http", 80) | ("https", 443) => format!("{}://{}", self.scheme, self.host),
            (scheme, port) => format!("{scheme}://{}:{port}", self.host),
        }
    }

    /// The whole address with its origin in the one form, for the host to ask for.
    pub(crate) fn href(&self) -> String {
        let slash = if self.rest.starts_with('/') { "" } else { "/" };
        format!("{}{slash}{}", self.origin(), self.rest)
    }
}

/// An origin as a contract keeps it: lower case, without the scheme's own port. A lone `/` behind it is dropped.
pub(crate) fn normalise(text: &str) -> Result<String, &'static str> {
    let url = Url::parse(text)?;
    if !matches!(url.rest.as_str(), "" | "/") {
        return Err("an origin has no path, query or fragment");
    }
    Ok(url.origin())
}

fn split_port(authority: &str) -> Result<(&str, Option<&str>), &'static str> {
    let (host, rest) = match authority.find(']') {
        Some(end) => authority.split_at(end + 1),
        None => authority.split_at(authority.find(':').unwrap_or(authority.len())),
    };
    match rest.strip_prefix(':') {
        Some(port) => Ok((host, Some(port).filter(|port| !port.is_empty()))),
        None if rest.is_empty() => Ok((host, None)),
        None => Err("what follows the brackets of a host is a port"),
    }
}

fn read_port(text: &str) -> Result<u16, &'static str> {
    let digits = text.trim_start_matches('0');
    match (text.bytes().all(|b| b.is_ascii_digit()), digits) {
        (true, "") => Ok(0),
        (true, digits) => digits.parse().map_err(|_| "a port is at most 65535"),
        (false, _) => Err("a port is a number"),
    }
}

fn read_host(host: &str) -> Result<(String, Option<IpAddr>), &'static str> {
    if let Some(inner) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let address: Ipv6Addr = inner.parse().map_err(|_| "the brackets of a host hold an IPv6 address")?;
        return Ok((format!("[{}]", version_6(address)), Some(IpAddr::V6(address))));
    }
    if !host.is_ascii() {
        return Err("a host is written in ASCII; write an international name as xn--…");
    }
    if host.is_empty() || !host.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_')) {
        return Err("a host is letters, digits, hyphens and dots, or an IP address");
    }
    if host.len() > 253 || host.split('.').any(|label| label.is_empty() || label.len() > 63) {
        return Err("the parts of a host have 1 to 63 characters, the whole at most 253");
    }
    if address::ends_in_number(host) {
        let address = address::version_4(host).ok_or("a host that ends in a number is an IPv4 address")?;
        return Ok((address.to_string(), Some(IpAddr::V4(address))));
    }
    Ok((host.to_ascii_lowercase(), None))
}

/// The URL standard's form: lower-case hexadecimal throughout, the first longest run of zeros left out. The standard library writes
/// the end of a mapped address with dots.
fn version_6(address: Ipv6Addr) -> String {
    let parts = address.segments();
    let (mut start, mut length) = (8, 1);
    let mut at = 0;
    while at < 8 {
        let run = parts.iter().skip(at).take_while(|part| **part == 0).count();
        if run > length {
            (start, length) = (at, run);
        }
        at += run.max(1);
    }
    let mut out = String::new();
    let mut at = 0;
    while let Some(part) = parts.get(at) {
        if at == start {
            out.push_str("::");
            at += length;
            continue;
        }
        if at > 0 && !out.ends_with(':') {
            out.push(':');
        }
        let _ = write!(out, "{part:x}");
        at += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_has_one_form() {
        let cases = [
            ("https://a:443", "https://a"),
            ("HTTPS://A", "https://a"),
            ("http://a:80/", "http://a"),
            ("http://a:0080", "http://a"),
            ("http://a:", "http://a"),
            ("http://a:443", "http://a:443"),
            ("https://a:80", "https://a:80"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://0177.1:8080", "http://127.0.0.1:8080"),
            ("http://0x7f.0.0.1", "http://127.0.0.1"),
            ("http://2130706433", "http://127.0.0.1"),
            ("http://127.0.0.1", "http://127.0.0.1"),
            ("http://[0:0::1]:80", "http://[::1]"),
            ("http://[2001:DB8:0:0:1:0:0:0]", "http://[2001:db8:0:0:1::]"),
            ("http://[::ffff:127.0.0.1]", "http://[::ffff:7f00:1]"),
            ("http://[1:0:2:0:3:0:4:0]", "http://[1:0:2:0:3:0:4:0]"),
            ("http://[::]", "http://[::]"),
            ("http://[1:2:3:4:5:6:7:0]", "http://[1:2:3:4:5:6:7:0]"),
            ("http://xn--mnchen-3ya.example", "http://xn--mnchen-3ya.example"),
            ("http://my_service:3000", "http://my_service:3000"),
            ("http://1.example", "http://1.example"),
        ];
        for (text, expected) in cases {
            assert_eq!(normalise(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_origin_is_refused() {
        let texts = [
            "",
            "a",
            "a.example:80",
            "ftp://a",
            "file:///a",
            "http:a",
            "http:/a",
            "http://",
            "http:///a",
            "http://user@a",
            "http://user:pass@a",
            "http://a@",
            "http://a/path",
            "http://a?",
            "http://a/#",
            "http://a\\b",
            "http://a\tb",
            " http://a",
            "http://a ",
            "http://a%2e",
            "http://münchen.example",
            "http://a..b",
            "http://a.",
            "http://.a",
            "http://a*",
            "http://*.a",
            "http://a:99999",
            "http://a:8x",
            "http://a:-1",
            "http://a:1:2",
            "http://256.256.256.256",
            "http://1.2.3.4.5",
            "http://1.2.3.08",
            "http://a.0x",
            "http://127.0.0.1.",
            "http://4294967296",
            "http://0x7f255fffffe80",
            "http://a.0x7f255fffffe80",
            "http://[::1",
            "http://::1",
            "http://[::1]a",
            "http://[::1%25eth0]",
            "http://[1.2.3.4]",
            "http://[]",
            "http://\u{ff11}27.0.0.1",
            "http://a\u{200b}b",
        ];
        for text in texts {
            assert!(normalise(text).is_err(), "{text:?} gave {:?}", normalise(text));
        }
    }

    #[test]
    fn a_url_keeps_its_path_and_gives_its_origin() {
        let url = Url::parse("HTTP://0x7f.1:80?q=1#top").unwrap();
        assert_eq!((url.origin().as_str(), url.href().as_str()), ("http://127.0.0.1", "http://127.0.0.1/?q=1#top"));
        let url = Url::parse("https://A.example/x@y:1/%20?u=http://b").unwrap();
        assert_eq!(url.origin(), "https://a.example");
        assert_eq!(url.href(), "https://a.example/x@y:1/%20?u=http://b");
        assert_eq!(url.literal, None);
    }
}
