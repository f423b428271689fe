//! Hostile outputs: nothing panics, spans fit, and time stays in line with length.
#![allow(clippy::unwrap_used, clippy::panic)]

use counterfoil::evidence::numbers::countable::Countables;
use counterfoil::evidence::numbers::derive::{derivable, Figures};
use counterfoil::evidence::numbers::{parse, scan, Number};
use counterfoil::evidence::outcome::{all_tests, build, checks, pass_words, summary_text, tests};
use counterfoil::render::mask::mask;
use proptest::prelude::*;
use std::time::{Duration, Instant};

fn all(text: &str) {
    for summary in all_tests(text).into_iter().chain(tests(text)).chain(build(text)).chain(checks(text)) {
        assert!(!summary.text.of(text).is_empty(), "{:?}", summary.text);
        assert!(summary_text(&summary, text).chars().count() <= 80);
    }
    pass_words(text);
    let mut end = 0;
    for (span, number) in scan(text) {
        assert!(!span.of(text).is_empty(), "{span:?}");
        assert!(span.end >= end.min(span.start));
        end = span.end;
        number.variants().iter().for_each(|n| {
            n.key();
        });
    }
    parse(text);
    Countables::of(text);
    Figures::of(text).derive(&Number::whole(18));
    mask(text);
}

#[test]
fn hostile_outputs_cost_linear_time() {
    let pieces = [
        "1",
        " ",
        "1,",
        "1,111,",
        "1.",
        "1 ",
        ".1",
        "1.1.",
        "-",
        "1-",
        "\u{1b}[",
        "\u{1b}",
        "[",
        "[,",
        "{\"",
        "\"",
        "\\\"",
        "1:",
        "a:",
        "ok ",
        "1..",
        "=",
        "✓ ",
        "\r",
        "\r\n",
        "\n",
        "1 passed, ",
        "Ran ",
        "error",
        ": error: ",
        "é",
        "token=",
        "password=$",
        "password=aaaaaaaa(",
        "password='",
        "sk-.",
        "sk-",
        "eyJ",
        "eyJ.",
        "://",
        "://a:",
        "@",
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY",
        "Bearer ",
        "T1",
        "1T",
        "1h",
        "1e9",
        "99999999999999999999999999999999",
        "a 1\n",
        "1\n",
        "1,1,1\n",
        "a:1\n",
    ];
    for piece in pieces {
        let text = piece.repeat(65_536 / piece.len());
        let started = Instant::now();
        all(&text);
        // Generous, as the machine that runs this may be busy and the build unoptimised; quadratic costs minutes.
        assert!(started.elapsed() < Duration::from_secs(6), "{piece:?} took {:?}", started.elapsed());
    }
}

#[test]
fn two_thousand_numbers_are_combined_quickly() {
    let numbers: Vec<Number> = (0..2000).map(|n| Number::whole(n * 7919 + 1_000_003)).collect();
    let started = Instant::now();
    assert!(!derivable(&parse("99999999.37%").unwrap(), &numbers));
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(text in "\\PC{0,200}|(.|\n){0,200}") {
        all(&text);
    }

    #[test]
    fn texts_of_the_readers_own_pieces_are_read_without_a_panic(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "1", "0", "204", ",", " ", ".", "\n", "\t", "-", "%", "k", "T", "passed", "failed", "Tests:", "Tests run:", "Ran", "tests in",
            "OK", "(", ")", "test result: ok.", ";", "|", "=", "\u{1b}[31m", "\r", "é", "✓", "日", "\u{2009}", "[INFO] ", "ok", "not ok",
            "1..2", "# pass", "# fail", "error TS", ": error: ", ".go:", "# ", "make: *** [", "] Error", "token=", "password: ", "sk-",
            "://", ":", "@", "-----BEGIN ", "PRIVATE KEY-----", "-----END ", "eyJ", "\"", "'", "{", "}", "[", "]", "abcdefgh1", "$",
        ]), 0..60)
    ) {
        all(&pieces.concat());
    }

    #[test]
    fn a_number_has_the_key_of_its_grouped_form(n in 0u64..1_000_000_000_000) {
        let digits = n.to_string();
        let mut grouped = String::new();
        for (i, c) in digits.chars().enumerate() {
            if i > 0 && (digits.len() - i) % 3 == 0 {
                grouped.push(',');
            }
            grouped.push(c);
        }
        prop_assert_eq!(parse(&grouped).map(|n| n.key()), Some(Number::whole(n).key()));
        prop_assert_eq!(parse(&format!("{digits}.00")).map(|n| n.key()), Some(Number::whole(n).key()));
        prop_assert_eq!(parse(&grouped).and_then(|n| n.as_u64()), Some(n));
        prop_assert!(scan(&grouped).any(|(_, found)| found.key() == Number::whole(n).key()));
    }
}
