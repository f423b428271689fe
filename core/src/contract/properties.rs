//! Properties of the leaf modules over generated input, each against a simple oracle.

use super::address::{allowed, classify, Class};
use super::decimal::{equal, equal_within, within, write_key, Decimal};
use super::dsse::{decode, encode, pae, Envelope, Signature};
use super::json::{array, object, Json};
use super::keys::Key;
use super::pointer::Pointer;
use super::{junit, origin, paths, sql, strict};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::net::{Ipv4Addr, Ipv6Addr};
use num_bigint::BigInt;
use proptest::prelude::*;

/// A number in JSON's grammar: sign, whole, fraction, exponent.
fn number() -> impl Strategy<Value = (bool, String, String, Option<i32>)> {
    let whole = prop_oneof!["0", "[1-9][0-9]{0,18}", "[1-9]0{0,30}"];
    let fraction = prop_oneof!["", "[0-9]{1,20}", "0{0,25}[0-9]0{0,5}"];
    (any::<bool>(), whole, fraction, proptest::option::of(-60..60))
}

fn written((negative, whole, fraction, exponent): &(bool, String, String, Option<i32>)) -> String {
    let sign = if *negative { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}{}", exponent.map(|e| format!("e{e}")).unwrap_or_default())
}

/// The number times 10^200, which is whole.
fn oracle((negative, whole, fraction, exponent): &(bool, String, String, Option<i32>)) -> BigInt {
    let digits: BigInt = format!("{whole}{fraction}").parse().unwrap();
    let power = 200 + exponent.unwrap_or(0) - fraction.len() as i32;
    let value = digits * BigInt::from(10).pow(power as u32);
    if *negative {
        -value
    } else {
        value
    }
}

fn json(text: &str) -> Json {
    strict::document(text.as_bytes()).unwrap()
}

fn key(value: &Json) -> String {
    let mut out = String::new();
    write_key(value, &mut out);
    out
}

proptest! {
    #[test]
    fn decimals_agree_with_big_integers(a in number(), b in number(), c in number()) {
        let (x, y) = (Decimal::parse(&written(&a)).unwrap(), Decimal::parse(&written(&b)).unwrap());
        let (big_x, big_y) = (oracle(&a), oracle(&b));
        prop_assert_eq!(x.cmp(&y), big_x.cmp(&big_y));
        prop_assert_eq!(x == y, big_x == big_y);
        let tolerance = (false, c.1, c.2, c.3);
        let apart = if big_x > big_y { &big_x - &big_y } else { &big_y - &big_x };
        let t = Decimal::parse(&written(&tolerance)).unwrap();
        prop_assert_eq!(within(&x, &y, &t), apart <= oracle(&tolerance));
    }

    #[test]
    fn a_tolerance_of_the_very_distance_is_enough(a in number(), b in number()) {
        let (x, y) = (Decimal::parse(&written(&a)).unwrap(), Decimal::parse(&written(&b)).unwrap());
        let apart = oracle(&a) - oracle(&b);
        let apart = apart.to_string();
        let exact = Decimal::parse(&format!("{}e-200", apart.trim_start_matches('-'))).unwrap();
        prop_assert!(within(&x, &y, &exact));
        if apart != "0" {
            let digits: BigInt = apart.trim_start_matches('-').parse().unwrap();
            let less = Decimal::parse(&format!("{}e-200", digits - 1)).unwrap();
            prop_assert!(!within(&x, &y, &less));
        }
    }

    #[test]
    fn vast_exponents_cost_nothing(a in number(), e in -99_999_999_999_999_999_i64..99_999_999_999_999_999) {
        let far = (a.0, a.1, a.2, None);
        let text = format!("{}e{e}", written(&far));
        let x = Decimal::parse(&text).unwrap();
        prop_assert!(within(&x, &x, &Decimal::parse("0").unwrap()));
        let one = Decimal::parse("1").unwrap();
        prop_assert_eq!(within(&x, &one, &one), within(&one, &x, &one));
    }

    #[test]
    fn keys_are_equal_where_values_are(a in number(), b in number()) {
        let pair = [json(&written(&a)), json(&written(&b))];
        let wrapped = pair.clone().map(|value| object([("a", array([value.clone(), Json::Null])), ("b", value)]));
        prop_assert_eq!(key(&wrapped[0]) == key(&wrapped[1]), equal(&wrapped[0], &wrapped[1]));
        prop_assert_eq!(equal(&pair[0], &pair[1]), oracle(&a) == oracle(&b));
        prop_assert_eq!(equal(&pair[0], &pair[1]), equal_within(&pair[0], &pair[1], Decimal::parse("0").as_ref()));
    }

    #[test]
    fn no_text_is_too_strange_for_a_number(text in "[-+0-9.eE]{0,40}") {
        let value = Decimal::parse(&text);
        prop_assert_eq!(value.is_some(), strict::document(text.as_bytes()).is_ok() && far_exponent(&text).is_none());
    }
}

/// An exponent of more digits than are reckoned with, on a number that is not zero.
fn far_exponent(text: &str) -> Option<()> {
    let (mantissa, exponent) = text.split_once(['e', 'E'])?;
    let digits = exponent.trim_start_matches(['+', '-']).trim_start_matches('0');
    (digits.len() > 17 && mantissa.bytes().any(|b| (b'1'..=b'9').contains(&b))).then_some(())
}

/// Addresses of version 4, of which most are near an edge of a range.
fn version_4() -> impl Strategy<Value = Ipv4Addr> {
    let edges = [
        0x0000_0000_u32,
        0x0a00_0000,
        0x0b00_0000,
        0x6440_0000,
        0x6480_0000,
        0x7f00_0000,
        0x8000_0000,
        0xa9fe_0000,
        0xa9ff_0000,
        0xac10_0000,
        0xac20_0000,
        0xc000_0000,
        0xc000_0200,
        0xc0a8_0000,
        0xc0a9_0000,
        0xc612_0000,
        0xc614_0000,
        0xcb00_7100,
        0xe000_0000,
        0xf000_0000,
        0xffff_ffff,
    ];
    let near = (proptest::sample::select(edges.to_vec()), -3_i32..4);
    prop_oneof![
        any::<u32>().prop_map(Ipv4Addr::from),
        near.prop_map(|(edge, by)| Ipv4Addr::from(edge.wrapping_add_signed(by))),
    ]
}

/// What the standard library knows of an address; it says nothing of some ranges.
fn known(address: Ipv4Addr) -> Option<Class> {
    match address {
        a if a.is_unspecified() => Some(Class::Unspecified),
        a if a.is_loopback() => Some(Class::Loopback),
        a if a.is_private() => Some(Class::Private),
        a if a.is_link_local() => Some(Class::LinkLocal),
        a if a.is_multicast() => Some(Class::Multicast),
        a if a.is_broadcast() => Some(Class::Reserved),
        a if a.is_documentation() => Some(Class::Documentation),
        _ => None,
    }
}

fn class(text: &str) -> Class {
    classify(text).unwrap_or_else(|| panic!("{text} is an address"))
}

proptest! {
    #[test]
    fn what_is_carried_inside_decides(inner in version_4(), tail in any::<u64>()) {
        let plain = class(&inner.to_string());
        if let Some(known) = known(inner) {
            prop_assert_eq!(plain, known);
        }
        let bits = u128::from(u32::from(inner));
        let carriers = [
            (0xffff_u128 << 32) | bits,
            (0x0064_ff9b_u128 << 96) | bits,
            (0x2002_u128 << 112) | (bits << 80) | u128::from(tail),
            (0x2001_u128 << 112) | (0x0808_0808_u128 << 64) | (u128::from(!u32::from(inner))),
        ];
        for carrier in carriers {
            let address = Ipv6Addr::from(carrier).to_string();
            prop_assert_eq!(class(&address), plain, "{}", address);
            prop_assert_eq!(class(&format!("[{address}%eth0]")), plain);
        }
        let compatible = class(&Ipv6Addr::from(bits).to_string());
        prop_assert_ne!(compatible, Class::Public);
        let local = class(&Ipv6Addr::from((0x0064_ff9b_0001_u128 << 80) | bits).to_string());
        prop_assert_eq!(local == Class::LinkLocal, plain == Class::LinkLocal);
        prop_assert_ne!(local, Class::Public);
    }

    #[test]
    fn every_spelling_is_one_address(inner in version_4()) {
        let [a, b, c, d] = inner.octets();
        let rest = u32::from(inner);
        let spellings = [
            format!("{a}.{b}.{c}.{d}"),
            format!("0{a:o}.0{b:o}.0{c:o}.0{d:o}"),
            format!("0x{a:x}.0X{b:X}.{c}.0{d:o}"),
            format!("{a}.{}", rest & 0x00ff_ffff),
            format!("{a}.{b}.0x{:x}", rest & 0xffff),
            format!("{rest}"),
            format!("0x{rest:08x}"),
            format!("0000{rest:o}"),
        ];
        for text in spellings {
            prop_assert_eq!(class(&text), class(&inner.to_string()), "{}", text);
            let expected = format!("http://{inner}");
            prop_assert_eq!(origin::normalise(&format!("http://{text}")).unwrap(), expected);
        }
    }

    #[test]
    fn outside_the_public_range_nothing_is_public(bits in any::<u128>()) {
        let address = Ipv6Addr::from(bits);
        let carries = address.to_ipv4_mapped().is_some() || bits >> 32 == 0x0064_ff9b_u128 << 64;
        if class(&address.to_string()) == Class::Public {
            prop_assert!(bits >> 125 == 1 || carries);
        }
    }

    #[test]
    fn a_name_never_reaches_what_is_not_public(inner in version_4(), literal in version_4()) {
        let address = inner.to_string();
        let class = class(&address);
        prop_assert_eq!(allowed(class, &address, "https://a.example", false), class == Class::Public);
        let mapped = inner.to_ipv6_mapped().to_string();
        prop_assert_eq!(allowed(class, &mapped, "https://a.example", false), class == Class::Public);
        let own = format!("http://{literal}:8080");
        if class != Class::Public && inner != literal {
            prop_assert!(!allowed(class, &address, &own, false));
        }
        if class == Class::LinkLocal {
            prop_assert!(!allowed(class, &address, "https://a.example", true));
            let named = format!("http://{inner}");
            prop_assert!(!allowed(class, &address, &named, false) && allowed(class, &address, &named, true));
        }
    }

    #[test]
    fn an_origin_is_its_own_form(text in "(?i)https?://[a-z0-9.:x\\[\\]-]{0,24}/?") {
        if let Ok(origin) = origin::normalise(&text) {
            prop_assert_eq!(origin::normalise(&origin).unwrap(), origin);
        }
    }

    #[test]
    fn no_text_is_too_strange(text in any::<String>(), bytes in any::<Vec<u8>>()) {
        let _ = (classify(&text), origin::normalise(&text), sql::guard(&text), junit::parse(&text));
        let _ = (paths::guard(&text, &[".".to_string()]), Pointer::parse(&text), decode(&text), Key::read(&text));
        let _ = (Key::read(&encode(&bytes)), strict::document(&bytes));
    }

    #[test]
    fn a_path_inside_stays_inside(path in "[a./\\\\ :]{1,16}") {
        if paths::guard(&path, &["a".to_string()]).is_ok() && !paths::is_absolute(&path) {
            for separators in [&['/'][..], &['/', '\\']] {
                let mut depth = Vec::new();
                for name in path.split(separators) {
                    match name {
                        "" | "." => {}
                        ".." => prop_assert!(depth.pop().is_some()),
                        name => depth.push(name),
                    }
                }
                prop_assert_eq!(depth.first().copied(), Some("a"));
            }
        }
    }

    #[test]
    fn a_pointer_finds_what_it_was_made_for(names in prop::collection::vec("[a~/01]{0,4}", 0..6)) {
        let mut document = Json::from("here");
        for name in names.iter().rev() {
            document = object([(name.as_str(), document), ("other~", Json::Null)]);
        }
        let escaped = |name: &String| format!("/{}", name.replace('~', "~0").replace('/', "~1"));
        let pointer: Vec<String> = names.iter().map(escaped).collect();
        let pointer = Pointer::parse(&pointer.concat()).unwrap();
        prop_assert_eq!(pointer.find(&document), Some(&Json::from("here")));
    }
}

/// Text that a database does not read as words.
fn inert() -> impl Strategy<Value = String> {
    let words = "(DELETE|delete|Drop|;|--|/\\*|\\*/|\n| |x|é|\\$a\\(){0,4}";
    prop_oneof![
        words.prop_map(|text| format!("'{}'", text.replace('\'', "''"))),
        words.prop_map(|text| format!("\"{}\"", text.replace('"', "\"\""))),
        words.prop_map(|text| format!("`{}`", text.replace('`', "``"))),
        words.prop_map(|text| format!("[{}]", text.replace(']', ""))),
        words.prop_map(|text| format!("/*{}*/", text.replace("*/", "").replace('*', ""))),
        words.prop_map(|text| format!("--{}\n", text.replace('\n', ""))),
        "[a-z]{1,3}_|[0-9]{1,3}|:a,|\\?1,|,|=|\\(|\\)",
    ]
}

/// A word that no query has, in any case of its ASCII letters.
fn word() -> impl Strategy<Value = String> {
    let words = ["delete", "drop", "pragma", "attach", "vacuum", "replace", "insert", "begin"];
    (proptest::sample::select(words.to_vec()), any::<u8>()).prop_map(|(word, upper)| {
        let one = |(at, c): (usize, char)| if upper >> (at % 8) & 1 == 1 { c.to_ascii_uppercase() } else { c };
        word.chars().enumerate().map(one).collect()
    })
}

proptest! {
    #[test]
    fn words_are_told_from_text(parts in prop::collection::vec(inert(), 0..8), at in any::<prop::sample::Index>(),
        word in word(), gap in "( |\n|\t|/\\*\\*/|--\n)") {
        let query = |parts: &[String]| format!("SELECT 1 {}", parts.join(" "));
        prop_assert_eq!(sql::guard(&query(&parts)), Ok(()));
        let mut bad = parts.clone();
        bad.insert(at.index(parts.len() + 1), format!("{gap}{word}{gap}x"));
        prop_assert!(sql::guard(&query(&bad)).is_err(), "{}", query(&bad));
        let mut two = parts;
        two.push("; SELECT 2".into());
        prop_assert!(sql::guard(&query(&two)).is_err());
    }

    #[test]
    fn signed_bytes_tell_type_from_body(a in any::<(String, Vec<u8>)>(), b in any::<(String, Vec<u8>)>()) {
        prop_assert_eq!(pae(&a.0, &a.1) == pae(&b.0, &b.1), a == b);
    }

    #[test]
    fn an_envelope_comes_back_as_it_was(payload_type in any::<String>(), payload in any::<Vec<u8>>(),
        signatures in prop::collection::vec(any::<(String, Vec<u8>)>(), 1..4)) {
        let signatures = signatures.into_iter().map(|(keyid, bytes)| Signature { keyid, bytes }).collect();
        let envelope = Envelope { payload_type, payload, signatures };
        prop_assert_eq!(Envelope::read(&envelope.to_json()), Ok(envelope));
    }

    #[test]
    fn base64_of_both_alphabets(bytes in any::<Vec<u8>>()) {
        let text = encode(&bytes);
        for form in [text.clone(), text.replace('+', "-").replace('/', "_"), text.trim_end_matches('=').to_string()] {
            prop_assert_eq!(decode(&form), Some(bytes.clone()), "{}", form);
        }
    }
}

#[cfg(feature = "sign")]
proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_signature_is_of_one_message_and_key(seed in any::<[u8; 32]>(), other in any::<[u8; 32]>(),
        payload in prop::collection::vec(any::<u8>(), 1..64), at in any::<prop::sample::Index>(), bit in 0..8_u8) {
        let (signature, key) = super::keys::sign_ed25519(&seed, &pae("t", &payload)).unwrap();
        let signed = |payload: Vec<u8>, bytes: Vec<u8>| Envelope {
            payload_type: "t".into(),
            payload,
            signatures: [Signature { keyid: String::new(), bytes }].into(),
        };
        prop_assert!(signed(payload.clone(), signature.clone()).is_signed_by(&key));
        let (_, stranger) = super::keys::sign_ed25519(&other, b"").unwrap();
        prop_assert_eq!(signed(payload.clone(), signature.clone()).is_signed_by(&stranger), seed == other);
        let mut changed = payload.clone();
        changed[at.index(payload.len())] ^= 1 << bit;
        prop_assert!(!signed(changed, signature.clone()).is_signed_by(&key));
        let mut changed = signature;
        changed[at.index(64)] ^= 1 << bit;
        prop_assert!(!signed(payload, changed).is_signed_by(&key));
    }
}
