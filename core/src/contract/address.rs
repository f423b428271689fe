//! What kind of address a name resolved to, and whether a contract lets a check connect to it.
//!
//! An address that carries another inside, mapped, translated or tunnelled, is of the kind of the one that packets end at.

use super::origin::Url;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The kind of an address. Only the first is reached without a contract's word for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Reached from everywhere.
    Public,
    /// 0.0.0.0 and ::, which many systems take for the own machine.
    Unspecified,
    /// The own machine.
    Loopback,
    /// Networks of a house or firm.
    Private,
    /// The own cable, where clouds keep their metadata service.
    LinkLocal,
    /// The private networks of version 6.
    UniqueLocal,
    /// Behind the address translation of a provider.
    Shared,
    /// Many receivers.
    Multicast,
    /// For the measuring of devices.
    Benchmark,
    /// For books.
    Documentation,
    /// For later, or for a protocol.
    Reserved,
}

impl Class {
    /// The word for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Class::Public => "public",
            Class::Unspecified => "unspecified",
            Class::Loopback => "loopback",
            Class::Private => "private",
            Class::LinkLocal => "link-local",
            Class::UniqueLocal => "unique-local",
            Class::Shared => "shared",
            Class::Multicast => "multicast",
            Class::Benchmark => "benchmark",
            Class::Documentation => "documentation",
            Class::Reserved => "reserved",
        }
    }

    /// The stricter of two: link-local before all, public last.
    fn stricter(self, other: Class) -> Class {
        match (self, other) {
            (Class::LinkLocal, _) | (_, Class::LinkLocal) => Class::LinkLocal,
            (Class::Public, other) => other,
            (own, _) => own,
        }
    }
}

/// The kind of an address by its text, in any spelling that a resolver or a URL may give. `None` for what is no address.
pub(crate) fn classify(text: &str) -> Option<Class> {
    Some(match parse(text)? {
        IpAddr::V4(address) => of_version_4(address),
        IpAddr::V6(address) => of_version_6(address),
    })
}

/// Whether a check may connect to this address. `class` is that of the address, `origin` the entry in the contract.
///
/// A link-local address needs both the address in the contract and its `allow_private`. `localhost` stands for the own
/// machine and for nothing else.
pub(crate) fn allowed(class: Class, address: &str, origin: &str, allow_private: bool) -> bool {
    let Ok(url) = Url::parse(origin) else { return false };
    let named = url.literal.is_some_and(|literal| parse(address).is_some_and(|a| unmapped(a) == unmapped(literal)));
    match class {
        Class::Public => true,
        Class::LinkLocal => named && allow_private,
        Class::Loopback => named || allow_private || url.host == "localhost",
        _ => named || allow_private,
    }
}

/// An address in any spelling: brackets, a zone, and the short, octal and hexadecimal forms of version 4.
fn parse(text: &str) -> Option<IpAddr> {
    if !text.contains(':') {
        return version_4(text).map(IpAddr::V4);
    }
    let bare = text.strip_prefix('[').map_or(Some(text), |rest| rest.strip_suffix(']'))?;
    let bare = bare.split_once('%').map_or(bare, |(address, _)| address);
    bare.parse().ok().map(IpAddr::V6)
}

/// The same address of version 4, where one of version 6 only maps it.
fn unmapped(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(six) => six.to_ipv4_mapped().map_or(address, IpAddr::V4),
        IpAddr::V4(_) => address,
    }
}

/// Whether the URL standard takes a host for an address of version 4: its last part is digits, or `0x` and hexadecimal digits.
pub(crate) fn ends_in_number(host: &str) -> bool {
    let last = host.rsplit('.').next().unwrap_or(host);
    let hexadecimal = last.strip_prefix("0x").or_else(|| last.strip_prefix("0X"));
    match hexadecimal {
        Some(digits) => digits.bytes().all(|b| b.is_ascii_hexdigit()),
        None => !last.is_empty() && last.bytes().all(|b| b.is_ascii_digit()),
    }
}

/// One to four parts, each decimal, octal (`0…`) or hexadecimal (`0x…`); the last fills all bytes that are left.
pub(crate) fn version_4(text: &str) -> Option<Ipv4Addr> {
    let mut bytes = 0_u64;
    let mut parts = text.split('.').peekable();
    let mut shift = 32_u32;
    while let Some(text) = parts.next() {
        let value = part(text)?;
        let width = if parts.peek().is_none() { shift } else { 8 };
        if shift == 0 || value >> width != 0 {
            return None;
        }
        shift -= width;
        bytes |= value << shift;
    }
    u32::try_from(bytes).ok().map(Ipv4Addr::from)
}

fn part(text: &str) -> Option<u64> {
    let (digits, radix) = match text.as_bytes() {
        [] => return None,
        [b'0', b'x' | b'X', ..] => (text.get(2..)?, 16),
        [b'0', _, ..] => (text.get(1..)?, 8),
        _ => (text, 10),
    };
    // The standard reads `0x` alone as 0. A sign, which the library would read, is no digit.
    if digits.is_empty() {
        return Some(0);
    }
    if !digits.bytes().all(|b| char::from(b).is_digit(radix)) {
        return None;
    }
    let significant = digits.trim_start_matches('0');
    match significant.len() {
        0 => Some(0),
        1..=12 => u64::from_str_radix(significant, radix).ok(),
        _ => None,
    }
}

fn of_version_4(address: Ipv4Addr) -> Class {
    match address.octets() {
        [0, 0, 0, 0] => Class::Unspecified,
        [0 | 240..=255, ..] | [192, 0, 0, _] | [192, 88, 99, _] => Class::Reserved,
        [127, ..] => Class::Loopback,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => Class::Private,
        [100, 64..=127, ..] => Class::Shared,
        [169, 254, ..] => Class::LinkLocal,
        [198, 18 | 19, ..] => Class::Benchmark,
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => Class::Documentation,
        [224..=239, ..] => Class::Multicast,
        _ => Class::Public,
    }
}

fn of_version_6(address: Ipv6Addr) -> Class {
    let inner = |high: u16, low: u16| of_version_4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)));
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0] => Class::Unspecified,
        [0, 0, 0, 0, 0, 0, 0, 1] => Class::Loopback,
        // Mapped; and the well-known prefix of translation to version 4.
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => inner(high, low),
        // Two old ways to embed version 4, which no public host is reached by.
        [0, 0, 0, 0, 0 | 0xffff, 0, high, low] => inner(high, low).stricter(Class::Reserved),
        // Translation inside a network. Where in it the address stands is that network's choice.
        [0x64, 0xff9b, 1, a, b, c, high, low] => {
            // With the shortest prefix the four bytes go around the ninth, which is zero.
            let around = inner(a, (b & 0xff) << 8 | c >> 8);
            if [inner(high, low), around].contains(&Class::LinkLocal) {
                Class::LinkLocal
            } else {
                Class::Private
            }
        }
        [0x2002, high, low, ..] => inner(high, low),
        // A tunnel through a server to a client, whose address is written inverted.
        [0x2001, 0, server_high, server_low, _, _, high, low] => {
            inner(!high, !low).stricter(inner(server_high, server_low))
        }
        [0x2001, 2, 0, ..] => Class::Benchmark,
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0x0fff, ..] => Class::Documentation,
        [0x2001, 0..=0x1ff, ..] => Class::Reserved,
        [0xfc00..=0xfdff, ..] => Class::UniqueLocal,
        [0xfe80..=0xfebf, ..] => Class::LinkLocal,
        [0xfec0..=0xfeff, ..] => Class::Private,
        [0xff00..=0xffff, ..] => Class::Multicast,
        [0x2000..=0x3fff, ..] => Class::Public,
        _ => Class::Reserved,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_by_its_edges() {
        let cases = [
            ("0.0.0.0", "unspecified"),
            ("0.0.0.1", "reserved"),
            ("9.255.255.255", "public"),
            ("10.0.0.1", "private"),
            ("11.0.0.0", "public"),
            ("100.63.255.255", "public"),
            ("100.64.0.0", "shared"),
            ("100.127.255.255", "shared"),
            ("100.128.0.0", "public"),
            ("127.255.255.254", "loopback"),
            ("169.254.169.254", "link-local"),
            ("172.15.255.255", "public"),
            ("172.16.0.0", "private"),
            ("172.31.255.255", "private"),
            ("172.32.0.0", "public"),
            ("192.0.0.8", "reserved"),
            ("192.0.2.1", "documentation"),
            ("192.168.1.1", "private"),
            ("198.17.255.255", "public"),
            ("198.19.255.255", "benchmark"),
            ("203.0.113.9", "documentation"),
            ("223.255.255.255", "public"),
            ("224.0.0.1", "multicast"),
            ("240.0.0.1", "reserved"),
            ("255.255.255.255", "reserved"),
            ("::", "unspecified"),
            ("::1", "loopback"),
            ("[::1]", "loopback"),
            ("::2", "reserved"),
            ("2606:4700::1111", "public"),
            ("fc00::1", "unique-local"),
            ("fdff::1", "unique-local"),
            ("fe80::1%eth0", "link-local"),
            ("febf::1", "link-local"),
            ("fec0::1", "private"),
            ("ff02::1", "multicast"),
            ("2001:db8::1", "documentation"),
            ("3fff:fff::1", "documentation"),
            ("3fff:1000::1", "public"),
            ("2001:2::1", "benchmark"),
            ("2001:20::1", "reserved"),
            ("2001:200::1", "public"),
            ("100::1", "reserved"),
            ("5f00::1", "reserved"),
            ("4000::1", "reserved"),
        ];
        for (text, expected) in cases {
            assert_eq!(classify(text).map(Class::name), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_inside_decides() {
        let cases = [
            ("::ffff:127.0.0.1", "loopback"),
            ("::ffff:8.8.8.8", "public"),
            ("::127.0.0.1", "loopback"),
            ("::8.8.8.8", "reserved"),
            ("::ffff:0:10.0.0.1", "private"),
            ("64:ff9b::10.0.0.1", "private"),
            ("64:ff9b::8.8.8.8", "public"),
            ("64:ff9b::169.254.169.254", "link-local"),
            ("64:ff9b:1::8.8.8.8", "private"),
            ("64:ff9b:1::169.254.169.254", "link-local"),
            ("64:ff9b:1:a9fe:a9:fe00::", "link-local"),
            ("2002:7f00:1::", "loopback"),
            ("2002:808:808::1", "public"),
            ("2002:a9fe:a9fe::1", "link-local"),
            ("2001:0:4136:e378:8000:63bf:3fff:fdd2", "documentation"),
            ("2001:0:4136:e378:8000:63bf:f7f7:f7f7", "public"),
            ("2001:0:4136:e378:8000:63bf:80ff:fffe", "loopback"),
            ("2001:0:a00:1:8000:63bf:f7f7:f7f7", "private"),
        ];
        for (text, expected) in cases {
            assert_eq!(classify(text).map(Class::name), Some(expected), "{text}");
        }
    }

    #[test]
    fn short_octal_and_hexadecimal_forms_are_read() {
        for text in
            ["127.1", "0177.0.0.1", "0x7f.1", "017700000001", "2130706433", "0x7f000001", "127.0.1", "0x7F.0.0x0.01"]
        {
            assert_eq!(classify(text), Some(Class::Loopback), "{text}");
        }
        for text in [
            "",
            "a",
            "1.2.3.4.5",
            "256.1.1.1",
            "1.1.1.256",
            "08.1.1.1",
            "1..1",
            "1.1.1.",
            "+1.1.1.1",
            "4294967296",
            "1.16777216",
            "::g",
            "[::1",
            "::1]",
        ] {
            assert_eq!(classify(text), None, "{text}");
        }
    }

    fn may(address: &str, origin: &str, allow_private: bool) -> bool {
        allowed(classify(address).unwrap(), address, origin, allow_private)
    }

    #[test]
    fn a_name_reaches_public_addresses_alone() {
        assert!(may("8.8.8.8", "https://a.example", false));
        for address in ["169.254.169.254", "10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::10.0.0.1", "fd00::1", "0.0.0.0"] {
            assert!(!may(address, "https://a.example", false), "{address}");
        }
        assert!(may("10.0.0.1", "https://a.example", true));
        assert!(!may("169.254.169.254", "https://a.example", true));
        assert!(!may("64:ff9b::169.254.169.254", "https://a.example", true));
    }

    #[test]
    fn an_address_in_the_contract_reaches_itself() {
        assert!(may("127.0.0.1", "http://127.0.0.1:8080", false));
        assert!(may("::ffff:127.0.0.1", "http://127.0.0.1:8080", false));
        assert!(may("127.0.0.1", "http://0x7f.1", false));
        assert!(!may("127.0.0.2", "http://127.0.0.1", false));
        assert!(!may("10.0.0.1", "http://127.0.0.1", false));
        assert!(!may("169.254.169.254", "http://169.254.169.254", false));
        assert!(may("169.254.169.254", "http://169.254.169.254", true));
        assert!(may("::1", "http://localhost:3000", false) && may("127.0.0.1", "http://LOCALHOST", false));
        assert!(!may("10.0.0.1", "http://localhost", false));
        assert!(!may("127.0.0.1", "http://localhost.example", false));
        assert!(!may("127.0.0.1", "no origin", true));
    }
}
