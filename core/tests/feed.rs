//! A transcript in pieces gives the turns of the whole, and a check turn by turn the results of the check of the whole.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use counterfoil::transcript::{parse, parse_bytes, Feed};
use counterfoil::{verify_session, Checker, Options, Session, Turn, TurnReport, Verdict};
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|end| end == "json" || end == "jsonl") {
            found.push(path);
        }
    }
}

/// Every fixture and example.
fn texts() -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    files(&root().join("tests/formats"), &mut found);
    files(&root().join("examples/sessions"), &mut found);
    found.into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

/// The text in pieces of so many bytes: the turns that came before the end, and the whole.
fn fed(bytes: &[u8], size: usize, format: Option<&str>) -> Result<(usize, Session), counterfoil::Error> {
    let mut feed = Feed::new(format)?;
    let mut turns = Vec::new();
    for piece in bytes.chunks(size) {
        turns.extend(feed.feed(piece)?);
    }
    let mut rest = feed.finish()?;
    let early = turns.len();
    turns.append(&mut rest.turns);
    Ok((early, Session { turns, ..rest }))
}

fn both(bytes: &[u8], name: &str) {
    both_by(bytes, &[1, 7, 64, 4096, usize::MAX], name);
}

fn both_by(bytes: &[u8], sizes: &[usize], name: &str) {
    let whole = parse_bytes(bytes, None);
    for &size in sizes {
        match (&whole, fed(bytes, size, None)) {
            (Ok(whole), Ok((_, session))) => {
                assert_eq!(session.turns, whole.turns, "{name} in pieces of {size}");
                assert_eq!(session.id, whole.id, "{name}");
                // The notes of a stream stand in the order of its lines.
                let notes = [&session, whole].map(|s| s.notes.iter().collect::<BTreeSet<&String>>());
                assert_eq!(notes[0], notes[1], "{name} in pieces of {size}");
                let names = [&session, whole].map(|s| s.format.as_ref().map(|f| f.name.clone()));
                assert_eq!(names[0], names[1], "{name}");
            }
            (Err(whole), Err(error)) => assert_eq!(error.kind(), whole.kind(), "{name}"),
            (whole, fed) => panic!("{name} in pieces of {size}: {:?} but {:?}", whole.is_ok(), fed.err()),
        }
    }
}

#[test]
fn pieces_give_the_turns_of_the_whole() {
    for (path, bytes) in texts() {
        both(&bytes, &path.display().to_string());
        let with_mark = [b"\xef\xbb\xbf", bytes.as_slice()].concat();
        both(&with_mark, &format!("{} with a byte-order mark", path.display()));
        let text = String::from_utf8(bytes).unwrap();
        both(text.replace('\n', "\r\n").as_bytes(), &format!("{} with CRLF", path.display()));
    }
}

#[test]
fn a_text_that_is_cut_or_damaged_gives_what_the_whole_gives() {
    for (path, bytes) in texts().into_iter().filter(|(path, _)| path.extension().is_some_and(|end| end == "jsonl")) {
        let name = path.display().to_string();
        for part in 1..8 {
            both(&bytes[..bytes.len() * part / 8], &format!("{name} cut at {part}/8"));
        }
        let lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
        for bad in ["not json\n", "{\"cut\": \"here\n", "\n", "\u{fffd}\n", "null\n"] {
            for at in 0..lines.len().min(6) {
                let damaged = [&lines[..at], &[bad.as_bytes(), bad.as_bytes()], &lines[at..]].concat().concat();
                both(&damaged, &format!("{name} with {bad:?} before line {}", at + 1));
            }
        }
    }
}

#[test]
fn bytes_that_are_not_utf_8_and_other_encodings_are_read_as_ever() {
    both(b"{\"reply\": \"a\xff\", \"calls\": []}\n{\"reply\": \"\xf0\x9f\x8e\x89\", \"calls\": []}\n", "not UTF-8");
    let wide: Vec<u8> =
        "\u{feff}{\"reply\": \"a\"}\n{\"reply\": \"b\"}\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    both(&wide, "UTF-16");
    both(&[0x1f, 0x8b, 8, 0, 0, 0, 10, 10], "gzip");
    both(b"", "nothing");
    both(b"\n\n", "blank lines");
    both(b"{\"reply\": \"one line\", \"calls\": []}", "one line");
    both(b"3\n4\n", "numbers");
    assert!(Feed::new(Some("nothing")).is_err());
}

/// The files of real sessions lie beside the project, where they do.
#[test]
fn real_files_in_pieces_give_what_the_whole_gives() {
    let folder = root().join("../shared/raw");
    let mut found = Vec::new();
    if folder.exists() {
        files(&folder, &mut found);
    }
    for path in found {
        both_by(&std::fs::read(&path).unwrap(), &[100_000], &path.display().to_string());
    }
}

/// Native turns, one a line.
fn native(count: usize) -> String {
    let mut text = String::new();
    for i in 0..count {
        let output = format!("{} passed in 0.{i}1s\n{}", i + 3, "filler line of a log\n".repeat(20));
        let calls = json!([{"tool": "bash", "arguments": {"command": "pytest"}, "output": output, "exit": 0}]);
        let reply = format!("All {} tests passed. Port {} is open.", i + 3, 4000 + i);
        let _ = writeln!(text, "{}", json!({"reply": reply, "calls": calls, "user": "go on"}));
    }
    text
}

#[test]
fn lines_are_given_out_as_they_come() {
    assert_eq!(fed(native(300).as_bytes(), 1000, None).unwrap().0, 300);
    let mut chat = String::new();
    for i in 0..300 {
        let call = json!({"id": format!("c{i}"), "type": "function", "function": {"name": "bash", "arguments": "{}"}});
        let _ = writeln!(chat, "{}", json!({"role": "user", "content": format!("question {i}")}));
        let _ = writeln!(chat, "{}", json!({"role": "assistant", "content": null, "tool_calls": [call]}));
        let _ = writeln!(chat, "{}", json!({"role": "tool", "tool_call_id": format!("c{i}"), "content": "done"}));
        let _ = writeln!(chat, "{}", json!({"role": "assistant", "content": format!("Answer {i}.")}));
    }
    assert_eq!(fed(chat.as_bytes(), 1000, None).unwrap().0, 299, "the last turn waits for the end");
    both(chat.as_bytes(), "chat");
    let talks: String = chat.lines().flat_map(|line| ["{\"messages\": [", line, "]}\n"]).collect();
    assert!(fed(talks.as_bytes(), 1000, None).unwrap().0 > 500);
    both(talks.as_bytes(), "conversations");
}

#[test]
fn a_call_that_never_returns_holds_back_no_more_than_a_few_turns() {
    let call = json!({"id": "c", "type": "function", "function": {"name": "bash", "arguments": "{}"}});
    let mut chat = format!("{}\n", json!({"role": "user", "content": "start"}));
    let _ = writeln!(chat, "{}", json!({"role": "assistant", "content": "Started.", "tool_calls": [call]}));
    for i in 0..40 {
        let _ = writeln!(chat, "{}", json!({"role": "user", "content": format!("question {i}")}));
        let _ = writeln!(chat, "{}", json!({"role": "assistant", "content": format!("Answer {i}.")}));
    }
    let late = json!({"role": "tool", "tool_call_id": "c", "content": "a late result"});
    let _ = writeln!(chat, "{late}\n{}", json!({"role": "assistant", "content": "It came."}));
    let (early, session) = fed(chat.as_bytes(), 100, None).unwrap();
    assert!(early > 20, "{early}");
    assert!(!session.turns[0].gaps.none(), "what it returned is not known");
    let last = session.turns.last().unwrap();
    assert_eq!(last.context, ["a late result"]);
    assert!(!last.gaps.none());
}

fn checked(turns: Vec<Turn>, mut checker: Checker, together: usize) -> (Vec<TurnReport>, Checker) {
    let mut reports = Vec::new();
    for (i, turn) in turns.into_iter().enumerate() {
        checker.push(turn);
        if (i + 1) % together == 0 {
            reports.extend(checker.check());
        }
    }
    reports.extend(checker.check());
    (reports, checker)
}

#[test]
fn a_check_turn_by_turn_is_that_of_the_whole() {
    let options = Options::default();
    for (path, bytes) in texts() {
        let Ok(session) = parse_bytes(&bytes, None) else { continue };
        let whole = verify_session(&session, &options);
        for together in [1, 2, 1000] {
            let (reports, checker) = checked(session.turns.clone(), Checker::new(options.clone()), together);
            assert_eq!(reports, whole.turns, "{} by {together}", path.display());
            assert_eq!(checker.totals(), &whole.totals, "{}", path.display());
        }
    }
}

#[test]
fn spans_are_counted_in_the_unit_that_was_asked_for() {
    let text = "{\"reply\": \"🎉 All 3 tests passed.\", \"calls\": [{\"tool\": \"bash\", \"arguments\": {\"command\": \"pytest\"}, \
                \"output\": \"🎉 3 passed\", \"exit\": 0}]}";
    let turns = parse(text, None).unwrap().turns;
    let turns = [turns.clone(), turns].concat();
    let checker = Checker::new(Options::default()).in_unit(counterfoil::Unit::Utf16);
    let (reports, _) = checked(turns, checker, 1);
    for report in reports {
        let found = report.verification.unwrap();
        assert_eq!(found.claims[0].span.start, 3);
        assert_eq!(found.unit, counterfoil::Unit::Utf16);
    }
}

fn flagged(reports: &[TurnReport]) -> Vec<(usize, String)> {
    let mut flagged = Vec::new();
    for report in reports {
        for claim in report.verification.iter().flat_map(|found| &found.claims) {
            if claim.verdict.flagged() {
                flagged.push((report.turn, claim.text.clone()));
            }
        }
    }
    flagged
}

#[test]
fn an_output_that_was_given_up_makes_nothing_flagged() {
    let turns = parse(
        &format!(
            "{}{}\n",
            native(3),
            json!({"reply": "As seen, it took 0.11s and the server said `filler line of a log`.", "calls": [], "user": "so?"})
        ),
        None,
    )
    .unwrap()
    .turns;
    let (whole, _) = checked(turns.clone(), Checker::new(Options::default()), 1);
    let (reports, _) = checked(turns, Checker::new(Options::default()).keeping(0), 1);
    assert_eq!(whole[..3], reports[..3]);
    let verdicts: Vec<Verdict> =
        reports[3].verification.iter().flat_map(|v| v.claims.iter().map(|claim| claim.verdict)).collect();
    assert!(verdicts.iter().all(|verdict| !verdict.flagged()), "{verdicts:?}");
}

/// The cases of the readers hold turns with earlier calls of every kind.
#[test]
fn keeping_nothing_flags_nothing_that_keeping_all_does_not() {
    let (mut more, mut seen) = (Vec::new(), 0);
    for folder in ["tests/vectors", "tests/accuracy/tuned"] {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths.into_iter().filter(|path| path.extension().is_some_and(|end| end == "toml")) {
            let cases: toml::Value = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            let tables = cases.as_table().unwrap().values().filter_map(toml::Value::as_array).flatten();
            for case in tables {
                let Ok(value) = serde_json::to_value(case) else { continue };
                let Ok(turn) = counterfoil::transcript::turn_from(value) else { continue };
                // The calls as they stand, all of them in the turn before, and all but the last.
                let calls = turn.calls.clone().unwrap_or_default();
                for split in [0, calls.len(), calls.len().saturating_sub(1)] {
                    let earlier = [&turn.earlier, &calls[..split]].concat();
                    seen += usize::from(!earlier.is_empty());
                    let turn = Turn { earlier, calls: Some(calls[split..].to_vec()), ..turn.clone() };
                    more.extend(newly_flagged(turn).into_iter().map(|claim| format!("{}: {claim}", path.display())));
                }
            }
        }
    }
    assert!(seen > 1000, "{seen} turns with calls before them");
    assert!(more.is_empty(), "{} newly flagged:\n{}", more.len(), more.join("\n"));
}

/// The claims of a turn that are flagged only where the outputs of the calls before it were given up.
fn newly_flagged(mut turn: Turn) -> Vec<String> {
    if turn.earlier.is_empty() {
        return Vec::new();
    }
    let first = Turn { calls: Some(std::mem::take(&mut turn.earlier)), ..Turn::default() };
    let turns = vec![first, turn];
    let (whole, _) = checked(turns.clone(), Checker::new(Options::default()), 1);
    let (given_up, _) = checked(turns, Checker::new(Options::default()).keeping(0), 1);
    let known = flagged(&whole);
    flagged(&given_up).into_iter().filter(|one| !known.contains(one)).map(|(_, text)| text).collect()
}

#[test]
fn where_the_first_turns_are_given_up_nothing_is_flagged_and_calls_keep_their_numbers() {
    let calls = vec![counterfoil::Call { tool: "read_file".into(), ..counterfoil::Call::default() }; 60];
    let quiet = Turn { calls: Some(calls), ..Turn::default() };
    let mut turns = vec![quiet; 700];
    turns.extend(parse("{\"reply\": \"All tests pass.\", \"calls\": [{\"tool\": \"bash\", \"arguments\": {\"command\": \"pytest\"}, \"output\": \"1 failed\", \"exit\": 1}]}", None).unwrap().turns);
    let (reports, checker) = checked(turns, Checker::new(Options::default()), 100);
    let last = reports.last().unwrap();
    assert_eq!(last.turn, 701);
    assert_eq!(checker.totals().calls, 42_001);
    let found = last.verification.as_ref().unwrap();
    assert_eq!((found.claims[0].verdict, found.complete.as_str()), (Verdict::NotShown, "no"));
}

/// Lines of some formats.
const FORMATS: &[&[&str]] = &[
    &[r#"{"reply": "All tests pass.", "calls": [{"tool": "bash", "exit": 1}]}"#, r#"{"reply": 3, "calls": []}"#],
    &[
        r#"{"role": "user", "content": "go on"}"#,
        r#"{"role": "assistant", "content": "Done.", "tool_calls": [{"id": "c1", "function": {"name": "bash"}}]}"#,
        r#"{"role": "tool", "tool_call_id": "c1", "content": "ok"}"#,
    ],
    &[
        r#"{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}]}"#,
        r#"{"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "bash", "input": {}}]}"#,
        r#"{"role": "user", "content": "go on"}"#,
    ],
    &[
        r#"{"type": "user", "uuid": "u1", "parentUuid": null, "sessionId": "s", "message": {"content": "Hi"}}"#,
        r#"{"type": "assistant", "uuid": "u2", "parentUuid": "u1", "sessionId": "s", "message": {"content": "Hello."}}"#,
        r#"{"type": "result", "subtype": "success", "session_id": "s", "result": "Hello."}"#,
    ],
];

/// Lines of no format.
const NOISE: &[&str] =
    &[r#"{"a": "#, r#"{"a": NaN}"#, "not json", "[", "]", "null", "3", "[]", "\"a text\"", "", "  ", "{", "}"];

proptest::proptest! {
    #[test]
    fn any_lines_in_any_pieces_give_what_the_whole_gives(
        format in 0..FORMATS.len(), picked in proptest::collection::vec(0_usize..24, 0..9), size in 1_usize..200,
        end in "\n|\r\n|\n\n", last in "|\n",
    ) {
        let lines = FORMATS[format];
        let line = |i: usize| if i < NOISE.len() && i % 2 == 0 { NOISE[i] } else { lines[i % lines.len()] };
        let lines: Vec<&str> = picked.into_iter().map(line).collect();
        let text = lines.join(&end) + &last;
        both_by(text.as_bytes(), &[size], &text);
        for format in counterfoil::transcript::FORMATS {
            let whole = parse_bytes(text.as_bytes(), Some(format.name));
            let fed = fed(text.as_bytes(), size, Some(format.name)).map(|(_, session)| session);
            match (whole, fed) {
                (Ok(whole), Ok(fed)) => assert_eq!(whole.turns, fed.turns, "{} named, {text}", format.name),
                (Err(_), Err(_)) => {}
                (whole, fed) => panic!("{} named: {:?} but {:?}\n{text}", format.name, whole.err(), fed.err()),
            }
        }
    }
}

#[test]
fn a_text_that_is_no_json_fails_long_before_its_end() {
    let (line, dot) = ("Sound the horn, then wait.\n".repeat(200), ".".repeat(1 << 20));
    for piece in [line, dot] {
        let mut feed = Feed::new(None).unwrap();
        let failed = (0..40).find_map(|_| feed.feed(piece.as_bytes()).err());
        assert_eq!(failed.expect("an error").kind(), counterfoil::ErrorKind::Json);
    }
    let stream =
        "event: ping\ndata: {\"type\":\"message_start\",\"message\":{\"role\":\"assistant\",\"type\":\"message\"}}\n\n";
    let mut feed = Feed::new(None).unwrap();
    for _ in 0..200 {
        assert_eq!(feed.feed(stream.as_bytes()).unwrap(), []);
    }
}
