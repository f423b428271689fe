//! What must hold for any input, one function an entry point.
//!
//! `core/tests/fuzz.rs` calls these with made texts on stable Rust, `fuzz/fuzz_targets` with those
//! of libFuzzer. Every function takes bytes and asserts: nothing panics; spans lie inside their text,
//! on character boundaries, and hold something; the same input gives the same output.

use counterfoil::render::text::{report, Style};
use counterfoil::{transcript, wire, Options, Session, Unit};
use serde_json::{json, Value};

/// What is called with bytes.
pub type Target = fn(&[u8]);

/// The entry points by name.
pub const ALL: &[(&str, Target)] = &[
    ("parse", parse),
    ("session", session),
    ("turn", turn),
    ("verify", verify),
    ("cited", cited),
    ("ran", ran),
    ("render", render),
    ("wire", wire_round),
    #[cfg(feature = "command")]
    ("command", command),
];

/// What parts the reply from the outputs in the bytes that a turn is made of.
pub const CUT: char = '\u{1e}';

/// A host's file: it is read or refused, and what was read is written as native JSON that reads back.
pub fn parse(data: &[u8]) {
    let read = transcript::parse_bytes(data, None);
    match (&read, transcript::parse_bytes(data, None)) {
        (Ok(first), Ok(second)) => assert_eq!(first, &second),
        (Err(first), Err(second)) => assert_eq!(first, &second),
        _ => panic!("one text was both read and refused"),
    }
    if let Ok(session) = read {
        let again = transcript::to_json(&session);
        let read = transcript::parse_bytes(again.as_bytes(), None);
        let turns = read.map(|session| session.turns);
        assert_eq!(turns.as_ref(), Ok(&session.turns), "native JSON reads back");
    }
}

/// A host's file from reading to showing: claims quote their turns in each unit, and what is printed
/// holds no character that drives a terminal.
pub fn session(data: &[u8]) {
    let Ok(session) = transcript::parse_bytes(data, None) else { return };
    for unit in [Unit::Utf8, Unit::Utf16, Unit::Codepoints] {
        let text = wire::verify_session(&session, "{}", unit).expect("the options are well formed");
        assert_eq!(wire::verify_session(&session, "", unit).as_ref(), Ok(&text), "same input, same output");
        let found = parsed(&text);
        for (turn, found) in session.turns.iter().zip(found["turns"].as_array().into_iter().flatten()) {
            let reply = turn.text();
            for claim in found["verification"]["claims"].as_array().into_iter().flatten() {
                let words = words(&reply, span(&claim["span"]), unit);
                let quoted = claim["text"].as_str().unwrap_or_default();
                let shown = words.as_deref().is_some_and(|w| w.starts_with(quoted.trim_end_matches('…')));
                assert!(shown && !quoted.is_empty(), "{quoted:?} is not {words:?}");
            }
        }
    }
    shown(&session);
}

/// The words under a span that counts in a unit.
fn words(text: &str, (start, end): (usize, usize), unit: Unit) -> Option<String> {
    match unit {
        Unit::Utf8 => text.get(start..end).map(str::to_string),
        Unit::Utf16 => String::from_utf16(text.encode_utf16().collect::<Vec<u16>>().get(start..end)?).ok(),
        Unit::Codepoints => (end > start).then(|| text.chars().skip(start).take(end - start).collect()),
    }
}

/// The report as text and as a page.
fn shown(session: &Session) {
    let found = counterfoil::verify_session(session, &Options::default());
    for width in [0, 80] {
        let text = report(session, &found, &Style { color: false, width, verbose: true });
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
    }
    page(&wire::html_report(session, "{}").expect("the options are well formed"));
}

/// A native turn, from whatever bytes.
pub fn turn(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Err(error) = transcript::turn(&text) {
        assert!(!error.message().is_empty());
    }
    let _ = wire::verify(&text, "{}", Unit::Utf8);
}

/// A reply with its outputs: every claim quotes the reply, in order, in each unit.
pub fn verify(data: &[u8]) {
    let (turn, reply, outputs) = made(data);
    let Some(result) = checked(&turn, Unit::Utf8) else { return };
    assert_eq!(checked(&turn, Unit::Utf8).as_ref(), Some(&result), "same input, same output");
    let mut last = 0;
    for claim in result["claims"].as_array().into_iter().flatten() {
        let (start, end) = span(&claim["span"]);
        let words = reply.get(start..end).unwrap_or_else(|| panic!("span {start}..{end} cuts a character"));
        assert!(!words.is_empty(), "an empty span at {start}");
        assert!(start >= last, "claims stand in reading order");
        last = start;
        let quoted = claim["text"].as_str().unwrap_or_default();
        assert!(words.starts_with(quoted.strip_suffix('…').unwrap_or(quoted)), "{quoted:?} is not {words:?}");
        let line = reply[..start].matches('\n').count() + 1;
        assert_eq!(claim["line"], json!(line), "the line of {words:?}");
        if let (Some(call), true) = (claim["call"].as_u64(), claim["evidence"].is_object()) {
            let (start, end) = span(&claim["evidence"]);
            assert!(outputs[call as usize].get(start..end).is_some(), "evidence {start}..{end} cuts a character");
        }
    }
    for unit in [Unit::Utf16, Unit::Codepoints] {
        recodes(&turn, &reply, &result, unit);
    }
}

/// A result changed to another unit is the result made in that unit, and back again the first.
fn recodes(turn: &str, reply: &str, result: &Value, unit: Unit) {
    let change =
        |value: &Value, unit| wire::recode(&value.to_string(), reply, Some(turn), unit).map(|text| parsed(&text));
    let there = change(result, unit).expect("a result recodes");
    assert_eq!(Some(&there), checked(turn, unit).as_ref(), "recoded, it is the result made in that unit");
    assert_eq!(&change(&there, Unit::Utf8).expect("and back"), result, "recode goes round");
}

/// Cited numbers are in the reply's order, each once, and the missing ones are among them.
pub fn cited(data: &[u8]) {
    let reply = String::from_utf8_lossy(data);
    let text = wire::cited(&reply, "[1,2,3,5,8]").expect("entries are well formed");
    assert_eq!(wire::cited(&reply, "[1,2,3,5,8]").as_ref(), Ok(&text));
    let found = parsed(&text);
    let list =
        |name: &str| -> Vec<u64> { found[name].as_array().into_iter().flatten().filter_map(Value::as_u64).collect() };
    let (numbers, missing) = (list("numbers"), list("missing"));
    let mut once = numbers.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), numbers.len());
    assert!(numbers.len() <= 100);
    assert!(missing.iter().all(|n| numbers.contains(n)));
    assert_eq!(found["line"].is_null(), missing.is_empty());
}

/// The `ran:` line is one line.
pub fn ran(data: &[u8]) {
    let (turn, _, _) = made(data);
    let line = wire::ran(&turn).expect("the turn is well formed");
    assert_eq!(wire::ran(&turn).as_ref(), Ok(&line));
    let text = String::from_utf8_lossy(data);
    let calls: Vec<Value> = text.split(CUT).map(|tool| json!({"tool": tool})).collect();
    let named = wire::ran(&json!({"calls": calls}).to_string()).expect("the turn is well formed");
    for line in line.into_iter().chain(named) {
        assert!(line.starts_with("ran: ") && !line.contains(char::is_control), "{line:?}");
    }
}

/// Pages hold no script and terminals get no command, whatever the reply and the outputs hold.
pub fn render(data: &[u8]) {
    let (turn, _, _) = made(data);
    if let Some(html) = wire::html_turn(&turn, "{}").expect("the turn is well formed") {
        page(&html);
        let session = transcript::parse(&format!("{{\"turns\":[{turn}]}}"), None).expect("a native session");
        shown(&session);
    }
}

fn page(html: &str) {
    let low = html.to_ascii_lowercase();
    assert!(!low.contains("<script") && !low.contains("<iframe") && !low.contains("<img"), "{html}");
}

/// Any text may stand where JSON is asked for.
pub fn wire_round(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let turn = r#"{"reply":"All tests pass.","calls":[]}"#;
    let _ = wire::verify(turn, &text, Unit::Utf16);
    let _ = wire::cited("entry 7", &text);
    let _ = wire::ran(&text);
    let _ = wire::recode(&text, "All tests pass.", None, Unit::Utf16);
    let _ = wire::recode(&text, "All tests pass.", Some(turn), Unit::Utf16);
    let _ = wire::html_turn(turn, &text);
    let _ = wire::html_turn(&text, "{}");
    let _ = wire::html_report(&Session::default(), &text);
    let _ = wire::verify_session(&Session::default(), &text, Unit::Codepoints);
}

/// The command line: the first line is its words, the rest a settings file and a transcript.
///
/// Whatever is wrong is said on one line that any terminal can show.
#[cfg(feature = "command")]
pub fn command(data: &[u8]) {
    use counterfoil::command::{parse, Invocation, Run, Terminal};
    let one_line = |text: &str| assert!(!text.trim_end().contains(char::is_control), "{text:?}");
    let text = String::from_utf8_lossy(data);
    let (line, rest) = text.split_once('\n').unwrap_or((&text, &text));
    let words: Vec<String> = line.split(' ').map(str::to_string).collect();
    if let Invocation::Fail { message, exit } = parse(&words) {
        assert_eq!(exit, 2);
        message.lines().for_each(one_line);
    }
    for output in ["text", "json", "html"] {
        let words = ["check", "-o", output, "a"].map(str::to_string);
        let Invocation::Check(mut check) = parse(&words) else { panic!("a check is asked for") };
        for file in ["counterfoil.toml", "pyproject.toml"] {
            if let Err(error) = check.configure(rest, file) {
                one_line(&error.to_string());
            }
        }
        let mut run = Run::new(check, Terminal { color: false, width: 60 });
        let read = run.file(line, rest.as_bytes());
        assert!(read.stderr.lines().count() <= 1, "{:?}", read.stderr);
        one_line(&read.stderr);
        let finished = run.finish();
        assert_eq!(finished.exit == 2, !read.stderr.is_empty());
        if output == "json" {
            assert!(parsed(&[read.stdout, finished.stdout].concat()).is_array());
        }
    }
}

/// A turn of bytes: the reply, then one output a call, parted by [`CUT`].
fn made(data: &[u8]) -> (String, String, Vec<String>) {
    let text = String::from_utf8_lossy(data);
    let mut parts = text.split(CUT).map(str::to_string);
    let reply = parts.next().unwrap_or_default();
    let outputs: Vec<String> = parts.take(8).collect();
    let calls: Vec<Value> = outputs.iter().enumerate().map(|(i, output)| call(i, output)).collect();
    let turn = json!({"reply": reply, "calls": calls, "tools": ["bash", "edit_file"], "said": [], "user": "go on"});
    (turn.to_string(), reply, outputs)
}

/// A call whose first line is its arguments too, so that commands and forms are found.
fn call(number: usize, output: &str) -> Value {
    let (tool, key) =
        [("bash", "command"), ("edit_file", "path"), ("notify", "text"), ("fetch_rows", "query")][number % 4];
    let status = ["ok", "error", "denied", "unknown", "timeout"][number % 5];
    let first = output.lines().next().unwrap_or_default();
    json!({"tool": tool, "arguments": {key: first}, "output": output, "status": status})
}

fn checked(turn: &str, unit: Unit) -> Option<Value> {
    wire::verify(turn, "{}", unit).expect("the turn is well formed").map(|text| parsed(&text))
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("the wire gives JSON")
}

fn span(value: &Value) -> (usize, usize) {
    let at = |name: &str| value[name].as_u64().unwrap_or(u64::MAX) as usize;
    (at("start"), at("end"))
}
