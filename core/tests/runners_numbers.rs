//! Numbers as values, what can be counted, and what follows from what was printed.
#![allow(clippy::unwrap_used, clippy::panic)]

use counterfoil::evidence::numbers::countable::countable;
use counterfoil::evidence::numbers::derive::{derivable, roughly, Figures};
use counterfoil::evidence::numbers::{parse, scan, Number};

fn key(text: &str) -> i128 {
    parse(text).unwrap_or_else(|| panic!("no number in {text:?}")).key()
}

fn scanned(text: &str) -> Vec<&str> {
    scan(text).map(|(span, _)| span.of(text)).collect()
}

#[test]
fn one_value_has_one_key_however_it_is_written() {
    for same in [
        &["1,204", "1 204", "1204", "1'204", "1_204", "1\u{2009}204", "1\u{202f}204", "1204.0", " 1204 ", "+1204"][..],
        &["50", "50.00", "fifty"],
        &["0.5", ".5", "0.50", "0,5"],
        &["12k", "12,000", "12K", "twelve thousand"],
        &["1.5M", "1500000", "1,500,000.00"],
        &["-3", "−3"],
        &["0", "0.00", "zero"],
        &["12", "a dozen", "twelve"],
        &["24", "two dozen", "twenty-four", "Twenty four"],
        &["312", "three hundred and twelve", "three hundred twelve"],
    ] {
        for text in same {
            assert_eq!(key(text), key(same[0]), "{text:?} is not {:?}", same[0]);
        }
    }
    assert_ne!(key("1.204"), key("1204"));
    assert_ne!(key("5"), key("50"));
    assert_ne!(key("3"), key("-3"));
}

#[test]
fn what_is_no_number_is_none() {
    for text in ["", "-", "v2", "1.2.3", "12,34,5", "abc", "two three", "a couple", "no", "1,20x", "a", "and", "."] {
        assert_eq!(parse(text), None, "{text:?}");
    }
}

#[test]
fn a_share_is_also_a_percentage() {
    let percent = parse("59.3 %").unwrap();
    assert!(percent.percent);
    assert!(percent.variants().iter().any(|n| n.key() == key("0.593")));
    assert!(parse("0.593").unwrap().variants().iter().any(|n| n.key() == key("59.3")));
    assert_eq!(parse("12k").unwrap().as_u64(), Some(12_000));
    assert_eq!(parse("1.5").unwrap().as_u64(), None);
}

#[test]
fn numbers_are_found_where_they_stand() {
    for (text, found) in [
        ("found 18 files", &["18"][..]),
        ("1,204 rows", &["1,204", "1", "204"]),
        ("v2 sha1abc file3.txt utf8 x_12 3fa9c1 7f3a91c", &[]),
        ("12:30:05", &["12", "30", "05"]),
        ("10.0.0.1", &["10", "0", "0", "1"]),
        ("2026-03-05T08:20Z", &["2026", "03", "05", "08", "20"]),
        ("took 0.018s, 59.3 % of 12MB", &["0.018", "59.3 %", "12"]),
        ("-3 a-4 (5)", &["-3", "4", "5"]),
        ("é7→8", &["7", "8"]),
        ("n=3,5", &["3", "5"]),
        ("1st and 22nd", &["1", "22"]),
        ("1h30m", &["1", "30"]),
        ("ends in 9", &["9"]),
    ] {
        assert_eq!(scanned(text), found, "{text:?}");
    }
    let padded = format!("{}42{}", "a ".repeat(100), " b".repeat(100));
    assert_eq!(scanned(&padded), ["42"]);
}

#[test]
fn what_a_person_can_count_is_countable() {
    for (output, n) in [
        ("a\nb\n\nc\n", 3),
        ("NAME AGE\na 1\nb 2\n", 2),
        ("| a |\n|---|\n| 1 |\n| 2 |", 2),
        ("- a\n- b\n\ntext", 2),
        ("one\ntwo\n\nthree", 2),
        ("[1, 2, [3, 4, 5, 6, 7]]", 5),
        ("{\"a\": [{\"x\": 1}, {\"x\": \"1,2\"}], \"b\": 2, \"c\": 3}", 3),
        ("{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3}\n{\"a\": 4}", 4),
        ("found: red, green, blue, grey", 4),
        ("a.rs:1\nb.rs:0\nc.rs:6", 7),
        ("a.rs:1:x\na.rs:2:x\nb.rs:3:x\n", 2),
        ("A > x PASSED\nA > y PASSED\nA > z FAILED", 2),
        ("drwx a\n-rw b\n-rw c\n-rw d", 3),
        ("....s.. [100%]", 7),
        ("[{\"id\": 1, \"state\": \"open\"}, {\"id\": 2, \"state\": \"shut\"}, {\"id\": 3, \"state\": \"open\"}]", 2),
        ("{\"a\": {\"late\": true}, \"b\": {\"late\": true}, \"c\": {\"late\": true}, \"d\": {\"late\": false}, \"e\": {}, \"f\": 1}", 3),
        ("", 0),
        ("[]", 0),
    ] {
        assert!(countable(output, n), "{n} in {output:?}");
    }
    assert!(!countable("a\nb\n\nc\n", 9));
    assert!(!countable("found: red, green", 18));
}

fn derives(n: &str, output: &str) -> bool {
    let n = parse(n).unwrap();
    let numbers: Vec<Number> = scan(output).map(|(_, n)| n).collect();
    let figures = Figures::of(output).derive(&n);
    // What follows from the numbers alone follows from the output as well.
    assert!(figures || !derivable(&n, &numbers), "{n:?} in {output:?}");
    figures
}

#[test]
fn sums_shares_rounding_and_units_follow() {
    for (n, output) in [
        ("154", "83 passed\n71 passed"),
        ("12", "83 then 71"),
        ("59.3 %", "rate 0.593"),
        ("59.3%", "0.59312"),
        ("81.50", "8150"),
        ("81.5", "cents: 8150"),
        ("2.1", "size 2,202,010 bytes"),
        ("2.1", "2101 ms"),
        ("66.7%", "2 of 3"),
        ("40%", "passed 40, failed 60"),
        ("25%", "from 80 to 100"),
        ("1.5", "90 seconds"),
        ("60", " 10 a\n 20 b\n 30 c\n"),
        ("50", "50.00"),
        ("8.2k", "8,213"),
        ("9", "1 a 7\n3 b 8\n5 c 9"),
        ("37.50", "lamp: 3 at 12.50 each"),
        ("187.40", "a 62.00 on 3 May, b 48.40 on 4 May, c 77.00 on 5 May, limit 900"),
        ("110.40", "a 62.00 on 3 May, b 48.40 on 4 May, c 77.00 on 5 May, limit 900"),
        ("1.2", "1204000000000 bytes"),
        ("14", "336 h"),
        ("7", "test result: ok. 1 passed\nx 9\ntest result: ok. 2 passed\ntest result: ok. 4 passed"),
    ] {
        assert!(derives(n, output), "{n} from {output:?}");
    }
}

#[test]
fn what_does_not_follow_is_not_derived() {
    for (n, output) in [
        ("18", "found 3 files"),
        ("214", "12 passed in 0.5s"),
        ("99.1%", "2 of 3"),
        ("7", ""),
        ("18", "total 1000 2000"),
        ("36", "lamp: 3 in 12 boxes"),
        ("133.00", "a 62.00, b 48.40, c 77.00"),
    ] {
        assert!(!derives(n, output), "{n} from {output:?}");
    }
}

#[test]
fn beyond_the_bound_everything_may_follow() {
    let output = "1 ".repeat(2100);
    assert!(Figures::of(&output).derive(&Number::whole(987_654_321)));
    let numbers = vec![Number::whole(1); 2001];
    assert!(derivable(&Number::whole(987_654_321), &numbers));
}

#[test]
fn about_ten_is_near_ten() {
    assert!(roughly(&parse("10").unwrap(), &[parse("9.6").unwrap()]));
    assert!(!roughly(&parse("10").unwrap(), &[parse("12").unwrap()]));
}
