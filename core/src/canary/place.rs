//! Where a server answers: the names of hosts that it knows, and the path under which its documents are.

use crate::error::{Error, ErrorKind};
use alloc::format;
use alloc::string::{String, ToString};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use serde_json::Value;

/// The longest name that the domain name system holds.
const LONGEST_NAME: usize = 253;
/// The longest path that documents may be under.
const LONGEST_BASE: usize = 200;
/// The most bytes of a client's identifier that are kept to tell it from others.
const LONGEST_CLIENT: usize = 100;

/// A host by its name in lower case, or by its address, which has many spellings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Host {
    Name(String),
    Address(IpAddr),
}

impl Host {
    /// Reads a host as it stands in an address on the web. Other spellings of an address than its own (`127.1`) are none.
    fn read(text: &str) -> Option<Host> {
        if let Some(inner) = text.strip_prefix('[') {
            return inner.strip_suffix(']')?.parse::<Ipv6Addr>().ok().map(|found| Host::Address(found.into()));
        }
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
        let label = |label: &str| !label.is_empty() && label.bytes().all(plain);
        if text.len() > LONGEST_NAME || !text.split('.').all(label) {
            return None;
        }
        let last = text.rsplit('.').next().unwrap_or("");
        let hex = last.strip_prefix("0x").or_else(|| last.strip_prefix("0X"));
        let number = last.bytes().all(|b| b.is_ascii_digit())
            || hex.is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        if number {
            return text.parse::<Ipv4Addr>().ok().map(|found| Host::Address(found.into()));
        }
        Some(Host::Name(text.to_ascii_lowercase()))
    }

    /// Reads a host and a port, as the header `Host` has them.
    pub(super) fn of(authority: &str) -> Option<Host> {
        let end = if authority.starts_with('[') { authority.find(']')? + 1 } else { 0 };
        let (host, port) = match authority.get(end..)?.split_once(':') {
            Some((rest, port)) => (authority.get(..end + rest.len())?, port),
            None => (authority, ""),
        };
        let number = port.is_empty() || (port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok());
        Host::read(host).filter(|_| number)
    }

    /// Reads the page that asks, as the header `Origin` has it.
    pub(super) fn of_origin(origin: &str) -> Option<Host> {
        Host::of(origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"))?)
    }

    /// Reads what an operator allows.
    pub(super) fn allowed(path: &str, value: &Value) -> Result<Host, Error> {
        let read =
            |text: &str| Host::read(text).or_else(|| text.parse::<Ipv6Addr>().ok().map(|a| Host::Address(a.into())));
        value
            .as_str()
            .and_then(read)
            .ok_or_else(|| wrong(path, "a host name such as probe.example, without a scheme and a port", value))
    }

    /// Whether it is this machine's own.
    pub(super) fn is_local(&self) -> bool {
        match self {
            Host::Name(name) => name == "localhost",
            Host::Address(address) => address.is_loopback(),
        }
    }
}

/// The path in front of the documents, without a slash at its end: empty for `/`.
pub(super) fn base(value: &Value) -> Result<String, Error> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    let part = |part: &str| !matches!(part, "" | "." | "..") && part.bytes().all(plain);
    let read = |text: &str| {
        let inner = text.strip_prefix('/')?;
        let inner = inner.strip_suffix('/').unwrap_or(inner);
        let fits = text.len() <= LONGEST_BASE && (inner.is_empty() || inner.split('/').all(part));
        fits.then(|| if inner.is_empty() { String::new() } else { format!("/{inner}") })
    };
    value
        .as_str()
        .and_then(read)
        .ok_or_else(|| wrong("base", "a path such as /canary, of A-Z a-z 0-9 . _ - and /", value))
}

/// A client as its questions are counted: by its address of version 4, or the first half of one of version 6, of which a client
/// has as many as it likes; other identifiers as they are.
pub(super) fn counted(client: &str) -> String {
    match client.split('%').next().unwrap_or("").parse::<IpAddr>().map(|address| address.to_canonical()) {
        Ok(IpAddr::V4(address)) => format!("4 {:x}", address.to_bits()),
        Ok(IpAddr::V6(address)) => format!("6 {:x}", address.to_bits() >> 64),
        Err(_) if client.len() <= LONGEST_CLIENT => format!("- {client}"),
        // What is longer is told apart by a number of the whole of it, too.
        Err(_) => format!("- {} {:x}", cut(client, LONGEST_CLIENT), numbered(client)),
    }
}

/// FNV-1a.
fn numbered(text: &str) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, mix)
}

/// The first bytes of a text, up to a character's end.
pub(super) fn cut(text: &str, most: usize) -> &str {
    let end = text.len().min(most);
    let end = (0..=end).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.get(..end).unwrap_or("")
}

/// The error of an option.
pub(super) fn wrong(path: &str, expected: &str, found: &Value) -> Error {
    Error::new(ErrorKind::Option, path, format!("expected {expected}; found {}", shown(found)))
}

/// A value as an error shows it: short ones whole, others by their kind. A text stands in the quotes of JSON.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Object(_) => "an object".into(),
        Value::Array(_) => "a list".into(),
        Value::String(text) if text.trim().is_empty() => "an empty text".into(),
        Value::String(text) if text.len() > 40 => Value::from(format!("{}…", cut(text, 40))).to_string(),
        other => other.to_string(),
    }
}
