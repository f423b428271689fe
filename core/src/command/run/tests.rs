//! A run over files, as a program makes it.

use super::super::{parse as arguments, Invocation};
use super::*;
use crate::render::samples;
use serde_json::{json, Value};

const PLAIN: Terminal = Terminal { color: false, width: 80 };

fn run(args: &[&str]) -> Run {
    let args: Vec<String> = args.iter().map(ToString::to_string).collect();
    match arguments(&args) {
        Invocation::Check(check) => Run::new(check, PLAIN),
        other => panic!("{other:?}"),
    }
}

#[test]
fn one_file_is_reported_without_a_table() {
    let (session, report) = samples::story();
    let mut run = run(&["check", "a.jsonl"]);
    let output = run.reported("a.jsonl", &session, report);
    assert!(output.stdout.starts_with("turn 1  ran: bash\n"));
    assert!(output.stdout.ends_with("3 turns, 3 calls, 3 claims read: 1 supported, 1 unsupported, 1 contradicted\n"));
    assert_eq!(run.finish(), Finished { exit: 1, ..Finished::default() });
}

#[test]
fn several_files_end_in_a_table_and_an_unreadable_one_in_exit_2() {
    let (session, report) = samples::story();
    let mut run = run(&["check", "日.jsonl", "-", "gone.jsonl"]);
    let first = run.reported("日.jsonl", &session, report.clone());
    assert!(first.stdout.starts_with("日.jsonl\n\nturn 1"));
    assert!(run.reported("-", &session, report).stdout.starts_with("\nstandard input\n"));
    let output = run.unreadable("gone.jsonl", "no such\nfile");
    assert_eq!(output.stderr, "counterfoil: gone.jsonl: no such file\n");
    let expected = "
file            format       turns  calls  claims  flagged
日.jsonl                         3      3       3        2
standard input                   3      3       3        2
gone.jsonl              unreadable
all                              6      6       6        4

reader        flagged
notification        2
outcome             2
";
    let finished = run.finish();
    assert_eq!(finished.stdout, expected);
    assert_eq!(finished.exit, 2);
}

#[test]
fn json_is_one_list_with_code_points() {
    let (session, report) = samples::story();
    let mut run = run(&["check", "--output=json", "--fail-on", "never", "a", "b"]);
    let first = run.reported("a", &session, report.clone());
    let second = run.reported("b", &session, report);
    let finished = run.finish();
    let text = [first.stdout, second.stdout, finished.stdout].concat();
    let list: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(list[1]["file"], "b");
    assert_eq!(list[0]["unit"], "codepoints");
    assert_eq!(list[0]["turns"][1]["verification"]["claims"][0]["span"]["start"], 15);
    assert!(list[0]["format"].is_null());
    assert_eq!(finished.exit, 0);
    assert_eq!(list[0]["error"], serde_json::Value::Null);
    assert_eq!(super::tests::run(&["check", "-o", "json", "a"]).finish().stdout, "[]\n");
}

/// A list that was written in JSON.
fn listed(parts: &[&str]) -> serde_json::Value {
    let text = parts.concat();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_file_that_could_not_be_read_is_listed_with_its_error() {
    let mut run = run(&["check", "-o", "json", "a", "b", "c"]);
    let parts = [
        run.unreadable("a", "Permission denied").stdout,
        run.file("b", b"{'no").stdout,
        run.file("c", b"[]").stdout,
        run.finish().stdout,
    ];
    let list = listed(&parts.each_ref().map(String::as_str));
    let errors: Vec<_> = list.as_array().unwrap().iter().map(|file| file["error"].as_str()).collect();
    assert_eq!(errors[0], Some("Permission denied"));
    assert!(errors[1].is_some_and(|error| error.contains("not JSON")));
    assert_eq!((errors[2], &list[0]["turns"], &list[0]["unit"]), (None, &json!([]), &json!("codepoints")));
}

#[test]
fn a_long_file_that_breaks_off_leaves_a_sound_list() {
    let text = long();
    for output in ["--output=json", "--output=text", "--output=html"] {
        let mut run = run(&["check", output, "a"]);
        run.begin("a");
        let first = run.piece(text.as_bytes()).stdout;
        let broken = run.unreadable("a", "Input/output error");
        assert_eq!(broken.stderr, "counterfoil: a: Input/output error\n");
        let finished = run.finish();
        assert_eq!(finished.exit, 2);
        if output == "--output=json" {
            assert!(first.contains("\"turn\":1"));
            let list = listed(&[&first, &broken.stdout, &finished.stdout]);
            assert_eq!(list[0]["error"], "Input/output error");
        }
    }
}

/// A run over a folder with these files.
fn folder(args: &[&str], files: &[(&str, &str)]) -> (String, Finished) {
    let mut run = run(args);
    let found = run.expand(&[], &mut |path| match path {
        "in" => {
            let names = files.iter().map(|(name, _)| (name.to_string(), Some(false))).collect();
            Look::Folder { id: "in".into(), names }
        }
        _ => Look::File,
    });
    let mut said = String::new();
    for named in found {
        let text = files.iter().find(|(name, _)| named.path.ends_with(name)).map_or("", |(_, text)| text);
        run.begin(&named.path);
        run.piece(text.as_bytes());
        said += &run.end().stderr;
    }
    (said, run.finish())
}

#[test]
fn what_is_no_transcript_is_passed_over_in_a_folder_and_named_by_a_word() {
    let good = "[{\"reply\": \"Hello.\", \"calls\": []}]";
    let files = [("a.json", good), ("b.json", "{\"name\": 1}"), ("c.json", "{'no"), ("d.md", ""), ("e.json", "[]")];
    let (said, finished) = folder(&["check", "in"], &files);
    assert_eq!((said.as_str(), finished.exit), ("", 0));
    let line =
        "counterfoil: passed over 3 files: 1 holds no transcript (b.json); 1 is not JSON (c.json); 1 ends in .md\n";
    assert_eq!(finished.stderr, line);
    assert!(
        finished.stdout.contains("\nfile in in/  format  turns  calls  claims  flagged\na.json "),
        "{}",
        finished.stdout
    );
    assert!(finished.stdout.contains("e.json       native      0      0       0        0\n"), "{}", finished.stdout);
    let (said, _) = folder(&["check", "-v", "in"], &files);
    assert!(
        said.starts_with("counterfoil: in/b.json: passed over: not a transcript I know: an object with the key name")
    );
    assert_eq!(folder(&["check", "in", "in/b.json"], &files).1.exit, 2, "a word names it");
    let (said, finished) = folder(&["check", "-o", "json", "in"], &files[1..3]);
    assert_eq!((said.as_str(), finished.stdout.as_str(), finished.exit), ("", "[]\n", 2));
    assert!(finished.stderr.starts_with("counterfoil: nothing was checked; passed over 2 files: "));
}

#[test]
fn tables_sum_up_by_file_model_and_reader() {
    let turn = |model: &str| {
        json!({"reply": "All tests pass.", "model": model, "calls": [
            {"tool": "bash", "arguments": {"command": "pytest"}, "output": "1 failed", "exit": 1}]})
    };
    let long = "some/folder/of/sessions/that/lies/rather/deep/2026-11-30/3f2a-session.jsonl";
    let mut run = run(&["check", "a.json", long]);
    run.file("a.json", json!([turn("large-4"), turn("large-4"), turn("small-1")]).to_string().as_bytes());
    run.file(long, json!([turn("small-1"), {"reply": "Hello.", "calls": []}]).to_string().as_bytes());
    let expected = "
file                           format  model       turns  calls  claims  flagged
a.json                         native  large-4 +1      3      3       3        3
some/fold…/3f2a-session.jsonl  native  small-1         2      1       1        1
all                                                    5      4       4        4

model      turns  calls  claims  flagged
large-4        2      2       2        2
small-1        2      2       2        2
not named      1      0       0        0

reader   flagged
outcome        4
";
    assert_eq!(run.finish().stdout, expected);
}

#[test]
fn html_is_one_page() {
    let (session, report) = samples::story();
    let mut run = run(&["check", "-o", "html", "<b>"]);
    run.reported("<b>", &session, report);
    let page = run.finish().stdout;
    assert!(page.starts_with("<!doctype html>") && page.contains("<h2>&lt;b&gt;</h2>"));
}

#[test]
fn what_is_no_transcript_is_one_line_on_standard_error() {
    let mut run = run(&["check", "a\u{1b}.bin"]);
    let output = run.file("a\u{1b}.bin", &[0xff, 0, 1]);
    assert!(output.stderr.starts_with("counterfoil: a␛.bin: "));
    assert_eq!(output.stderr.lines().count(), 1);
    assert_eq!(output.stdout, "");
    assert_eq!(run.finish().exit, 2);
}

/// A long file of native lines, and the same as a session.
fn long() -> String {
    let output = "1 failed, 3 passed\n".repeat(10);
    let turn = serde_json::json!({"user": "go on", "reply": "All tests pass.", "calls": [
        {"tool": "bash", "arguments": {"command": "pytest"}, "output": output, "exit": 1}]});
    format!("{turn}\n").repeat(400)
}

fn whole(args: &[&str], text: &str, size: usize) -> (String, u8) {
    let mut run = run(args);
    let mut out = String::new();
    for name in ["a", "b"] {
        run.begin(name);
        for piece in text.as_bytes().chunks(size) {
            out.push_str(&run.piece(piece).stdout);
        }
        out.push_str(&run.end().stdout);
    }
    let finished = run.finish();
    (out + &finished.stdout, finished.exit)
}

#[test]
fn a_long_file_in_pieces_is_written_as_if_it_were_read_whole() {
    let text = long();
    assert!(text.len() > SHORT);
    for output in ["--output=text", "--output=json", "--output=html"] {
        let args = ["check", output, "a", "b"];
        let mut once = run(&args);
        let first = once.file("a", text.as_bytes()).stdout;
        let second = once.file("b", text.as_bytes()).stdout;
        let finished = once.finish();
        let (pieces, exit) = whole(&args, &text, 10_000);
        assert_eq!(exit, 1);
        assert!(pieces == first + &second + &finished.stdout, "{output}");
    }
}

#[test]
fn a_file_in_pieces_that_is_no_transcript_is_said_once() {
    let mut run = run(&["check", "a", "b"]);
    run.begin("a");
    let mut said = String::new();
    for _ in 0..3 {
        said.push_str(&run.piece(&alloc::vec![0x1f, 0x8b, 8, 0].repeat(SHORT / 8)).stderr);
    }
    assert!(run.has_failed(), "the program may stop there");
    said.push_str(&run.end().stderr);
    assert_eq!(said, "counterfoil: a: not JSON: compressed with gzip; unpack it first\n");
    assert_eq!(run.finish().exit, 2);
}

#[test]
fn an_audit_has_an_event_for_each_checked_turn_with_its_part_of_the_time() {
    let turns: Vec<_> = (0..40).map(|n| json!({"reply": "All tests pass.", "calls": [{"tool": "t", "output": "x".repeat(4_000), "id": n.to_string()}]})).collect();
    let text = turns.iter().map(|turn| turn.to_string() + "\n").collect::<String>()
        + "{\"reply\": \"Hello.\", \"calls\": []}\n";
    for (name, piece) in [("whole", text.len()), ("in pieces", 9_000)] {
        let mut run = run(&["check", "a.jsonl", "--audit", "x"]);
        let mut events = String::new();
        run.begin("a.jsonl");
        for bytes in text.as_bytes().chunks(piece) {
            run.piece(bytes);
            events += &run.events(8.0);
        }
        run.end();
        events += &run.events(4.0);
        assert_eq!(run.events(1.0), "", "{name}");
        let events: Vec<Value> = events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(events.len(), 40, "{name}: a turn in which nothing was read is no check");
        let seconds: f64 = events.iter().map(|event| event["seconds"].as_f64().unwrap()).sum();
        assert!((4.0..80.0).contains(&seconds), "{name}: {seconds}");
        assert!(events.iter().all(|event| event["event"] == "response.verification" && event["method"] == "readers"));
    }
    let mut run = run(&["check", "a.jsonl"]);
    run.file("a.jsonl", text.as_bytes());
    assert_eq!(run.events(1.0), "", "nobody asked for it");
}
