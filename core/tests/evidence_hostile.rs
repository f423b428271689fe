//! Hostile lines, names and outputs: nothing panics, and time grows with the text.

use counterfoil::evidence::facts::Facts;
use counterfoil::evidence::{envelope, shell};
use counterfoil::Call;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

fn facts_of(tool: &str, line: &str) {
    let call = Call {
        tool: tool.into(),
        arguments: serde_json::json!({ "command": line }),
        output: Some(line.into()),
        ..Call::default()
    };
    let facts = Facts::new(&call, &BTreeMap::new());
    let shown = facts.shown();
    assert!(shown.chars().count() <= 80);
    let _ = facts.may_have_exited(1);
}

#[test]
fn repeated_openers_take_no_longer_than_their_length_allows() {
    let units = [
        "$(",
        "'",
        "{ ",
        "ran ran ",
        "sudo ",
        "bash -c ",
        "`",
        "\"",
        "<<E\n",
        "a|",
        "((",
        "[[ ",
        "if x; then ",
        "case a in ",
        "a;",
        "x=$(y) ",
        "> f ",
        "$(a) ",
        "git push ",
        "docker exec c ",
        "\\\"",
        "${",
        "find -exec ",
        "env A=1 ",
        "!",
        "&& ",
        "(a)|",
        "<(",
        "-n ",
    ];
    for unit in units {
        let line = unit.repeat(shell::MAX / unit.len());
        let start = Instant::now();
        facts_of("bash", &line);
        assert!(start.elapsed() < Duration::from_secs(5), "{unit:?} took {:?}", start.elapsed());
    }
}

#[test]
fn deep_nesting_is_read_to_a_bound() {
    let groups = format!("{}{}", "(".repeat(20_000), ")|x".repeat(20_000));
    let _ = shell::split(&groups);
    let mut line = String::from("rm x");
    for _ in 0..200 {
        line = format!("echo $({line})");
    }
    assert!(shell::split(&line).is_some());
}

#[test]
fn a_line_over_the_bound_is_not_split() {
    assert!(shell::split(&"a".repeat(shell::MAX)).is_some());
    assert!(shell::split(&"a".repeat(shell::MAX + 1)).is_none());
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(line in "\\PC{0,200}", tool in "\\PC{0,20}") {
        facts_of(&tool, &line);
        facts_of("bash", &line);
        let span = envelope::body(&line);
        prop_assert!(line.get(span.start..span.end).is_some());
        let _ = envelope::lines(&line);
    }

    #[test]
    fn any_shell_like_text_is_read_without_a_panic(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "a", " ", "'", "\"", "$(", ")", "(", "`", "|", "||", "&&", ";", ";;", "&", "\n", "<<E", "E\n", ">", ">>", "2>&1", "{", "}", "[[",
                "]]", "if ", "then ", "fi", "case ", " in ", "esac", "do ", "done", "for ", "é", "\\", "#", "$'", "${", "=", "x=", "sudo ", "sh -c ",
                "git push ", "-n", "--", "function ", "<<<", "!", "\r\n", "<(", "find -exec ", "python -m ", "ssh ", "timeout ", "exit code: 1\n",
            ]),
            0..40,
        )
    ) {
        let line = parts.concat();
        facts_of("bash", &line);
        let whole = shell::split(&line);
        prop_assert_eq!(whole, shell::split(&line));
    }
}

#[test]
fn values_and_their_words_cost_no_more_than_their_texts() {
    let units = [
        "disk 1 ms ",
        "{\"a\":[",
        "p(95)=1ms ",
        "1 May ",
        "v1.2.3 ",
        "$1,",
        "disk usage: 41%\n",
        "a1",
        "\"k\": 1, ",
        "1h2m",
    ];
    for unit in units {
        let many = unit.repeat(200_000 / unit.len());
        for output in [many.clone(), format!("{{{many}")] {
            let call = Call { tool: "stats".into(), output: Some(output), exit: Some(0), ..Call::default() };
            let reply = "- Disk usage: 61 %\n- disk p95: 84 ms\n- disk is at $3.10 on 4 June\n".repeat(300);
            let turn = counterfoil::Turn {
                reply: vec![counterfoil::Piece { text: reply, interim: false }],
                calls: Some(vec![call]),
                ..Default::default()
            };
            let start = Instant::now();
            let _ = counterfoil::verify(&turn, &counterfoil::Options::default());
            assert!(start.elapsed() < Duration::from_secs(5), "{unit:?} took {:?}", start.elapsed());
        }
    }
}
