//! A run over files: what is printed for each, what at the end, and the exit code.

use super::passed::Passed;
use super::paths::{expand, Look, Named};
use super::pieces::{Head, Long, SHORT};
use super::table::{tables, Row};
use super::{bar, Check, Color, FailOn, Written};
use crate::error::ErrorKind;
use crate::options::Options;
use crate::record::Session;
use crate::render::text::{self, Style};
use crate::render::{flat, html, json};
use crate::text::span::Unit;
use crate::verification::{verify_session, Report, Totals};
use crate::{transcript, wire};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// What the program writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Standard output is a terminal that shows colours, and `NO_COLOR` is not set.
    pub color: bool,
    /// Its columns; 80 where that is not known.
    pub width: usize,
}

/// Text for both outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// For standard output.
    pub stdout: String,
    /// For standard error.
    pub stderr: String,
}

impl Output {
    fn and(self, other: Output) -> Output {
        Output { stdout: self.stdout + &other.stdout, stderr: self.stderr + &other.stderr }
    }
}

/// The end of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    /// For standard output.
    pub stdout: String,
    /// For standard error.
    pub stderr: String,
    /// The exit code: 2 if a file was unreadable or none was read, else 1 if something was flagged, else 0.
    pub exit: u8,
}

/// A run: give it every file, then finish it. It can be finished early, as on an interrupt.
///
/// A file is given whole ([`Run::file`]) or in pieces ([`Run::begin`], [`Run::piece`], [`Run::end`]): then a long one in lines does
/// not have to be in memory.
pub struct Run {
    check: Check,
    options: Options,
    style: Style,
    unit: Unit,
    rows: Vec<Row>,
    /// The files that stand in folders or fit patterns, and those among them that are no transcripts.
    found: BTreeSet<String>,
    passed: Passed,
    /// The parts of the page.
    parts: Vec<String>,
    /// How many files there are, and how many of them are over.
    count: usize,
    done: usize,
    /// How many lists were written in JSON.
    written: usize,
    open: Open,
}

/// So much of what was kept is handed on at a time, so that it is not held twice.
const PIECE: usize = 1 << 20;

/// The file that is given in pieces.
enum Open {
    No,
    /// Its name, and as long as it is short all of it.
    Short(String, Vec<u8>),
    Long(alloc::boxed::Box<Long>),
    /// It could not be read; this was said. Its name.
    Failed(String),
}

impl Run {
    /// A run of a check.
    pub fn new(check: Check, terminal: Terminal) -> Self {
        let color = match check.color.unwrap_or_default() {
            Color::Auto => terminal.color,
            Color::Always => true,
            Color::Never => false,
        };
        let style = Style { color, width: terminal.width, verbose: check.verbose };
        let options = check.options();
        let count = check.files.len();
        Run {
            check,
            options,
            style,
            unit: Unit::Codepoints,
            rows: Vec::new(),
            found: BTreeSet::new(),
            passed: Passed::default(),
            parts: Vec::new(),
            count,
            done: 0,
            written: 0,
            open: Open::No,
        }
    }

    /// The files that the words of the command line name, in the order in which they are to be given. `look` tells what
    /// stands at a path; `more` are endings that the program can read besides those of the formats.
    ///
    /// A file that stands in a folder or fits a pattern is passed over where it is no transcript, and counted; one that a
    /// word names is an error.
    pub fn expand(&mut self, more: &[&str], look: &mut dyn FnMut(&str) -> Look) -> Vec<Named> {
        let files = expand(&self.check.files, more, &mut self.passed, look);
        self.count = files.len();
        self.found = files.iter().filter(|file| file.found).map(|file| file.path.clone()).collect();
        for file in files.iter().filter(|file| !file.found) {
            self.found.remove(&file.path);
        }
        files
    }

    /// How far it is, as one line for a terminal: so many bytes were read of the file that was begun, and so many it has, 0
    /// where that is not known. An empty text where no line is worth it.
    pub fn progress(&self, read: u64, size: u64) -> String {
        let name = match &self.open {
            Open::Short(name, _) | Open::Failed(name) => name,
            Open::Long(long) => long.name(),
            Open::No => "",
        };
        bar::line(&bar::Far { done: self.done, count: self.count, name: &shown(name), read, size })
    }

    /// Begins a file that comes in pieces.
    pub fn begin(&mut self, name: &str) {
        self.open = Open::Short(name.to_string(), Vec::new());
    }

    /// Takes the next piece of the file that was begun. What fails is said once, and its other pieces are passed over.
    pub fn piece(&mut self, bytes: &[u8]) -> Output {
        match &mut self.open {
            Open::Short(_, kept) if kept.len() + bytes.len() <= SHORT => {
                kept.extend_from_slice(bytes);
                Output::default()
            }
            Open::Short(name, kept) => {
                let (name, kept) = (core::mem::take(name), core::mem::take(kept));
                let head = Head { named: self.count > 1, first: self.rows.is_empty() };
                let how = (self.check.output.unwrap_or_default(), self.style, head);
                let long = Long::new(&name, self.check.format.as_deref(), self.options.clone(), how);
                let fed = long.and_then(|mut long| {
                    let mut output = Output::default();
                    for piece in kept.chunks(PIECE).chain([bytes]) {
                        output = output.and(long.piece(piece)?);
                    }
                    Ok((long, output))
                });
                match fed {
                    Ok((long, output)) => {
                        self.open = Open::Long(alloc::boxed::Box::new(long));
                        self.opened(output)
                    }
                    Err(error) => self.failed(&name, &error),
                }
            }
            Open::Long(long) => match long.piece(bytes) {
                Ok(output) => self.opened(output),
                Err(error) => self.broken(&error),
            },
            Open::No | Open::Failed(_) => Output::default(),
        }
    }

    /// Ends the file that was begun.
    pub fn end(&mut self) -> Output {
        match core::mem::replace(&mut self.open, Open::No) {
            Open::Short(name, bytes) => self.file(&name, &bytes),
            Open::Long(mut long) => match long.finish() {
                Ok((output, page, format)) => {
                    let output = self.opened(output);
                    self.parts.extend(page);
                    self.row(long.name(), format, Some(long.totals().clone()));
                    output
                }
                Err(error) => {
                    self.open = Open::Long(long);
                    let output = self.broken(&error);
                    self.open = Open::No;
                    output
                }
            },
            Open::No | Open::Failed(_) => Output::default(),
        }
    }

    fn failed(&mut self, name: &str, error: &crate::Error) -> Output {
        self.open = Open::Failed(name.to_string());
        self.refused(name, error)
    }

    /// A long file failed on its way: what was begun of it is closed.
    fn broken(&mut self, error: &crate::Error) -> Output {
        let name = match &self.open {
            Open::Long(long) => long.name().to_string(),
            _ => String::new(),
        };
        let begun = matches!(&self.open, Open::Long(long) if long.has_begun());
        let output = if begun { self.unreadable(&name, &error.to_string()) } else { self.refused(&name, error) };
        self.open = Open::Failed(name);
        output
    }

    /// A file that is no transcript, or none that can be read: one that was found in a folder is passed over.
    fn refused(&mut self, name: &str, error: &crate::Error) -> Output {
        if !self.found.contains(name) || !matches!(error.kind(), ErrorKind::Format | ErrorKind::Json) {
            return self.unreadable(name, &error.to_string());
        }
        self.done += 1;
        self.passed.is_none(&shown(name), error.kind());
        let told = format!("counterfoil: {}: passed over: {}\n", shown(name), flat(&error.to_string(), 400));
        Output { stdout: String::new(), stderr: if self.check.verbose { told } else { String::new() } }
    }

    fn row(&mut self, name: &str, format: Option<String>, totals: Option<Totals>) {
        self.done += 1;
        self.rows.push(Row { name: shown(name), format, totals });
    }

    /// What is written for a long file; the list that holds its JSON is opened first.
    fn opened(&mut self, mut output: Output) -> Output {
        if self.check.output == Some(Written::Json) && output.stdout.starts_with("{\"file\":") {
            output.stdout.insert_str(0, self.between());
        }
        output
    }

    /// What stands in front of a file's report in JSON.
    fn between(&mut self) -> &'static str {
        self.written += 1;
        if self.written == 1 {
            "[\n"
        } else {
            ",\n"
        }
    }

    /// Checks one file. `-` is shown as standard input.
    pub fn file(&mut self, name: &str, bytes: &[u8]) -> Output {
        match parse(bytes, self.check.format.as_deref()) {
            Ok(session) => self.session(name, &session),
            Err(error) => self.refused(name, &error),
        }
    }

    /// Notes a file that the program could not open or read to its end, with the reason that it was given.
    pub fn unreadable(&mut self, name: &str, message: &str) -> Output {
        let message = flat(message, 400);
        let stderr = format!("counterfoil: {}: {message}\n", shown(name));
        let mut output = Output { stdout: String::new(), stderr };
        let begun = match core::mem::replace(&mut self.open, Open::No) {
            Open::Long(mut long) if long.has_begun() => Some(long.break_off(&message)),
            _ => None,
        };
        match (self.check.output.unwrap_or_default(), begun) {
            (_, Some(rest)) => output.stdout = rest,
            (Written::Text, None) => {}
            (Written::Html, None) => self.parts.push(html::section_unread(&shown(name), &message)),
            (Written::Json, None) => {
                let report = verify_session(&Session::default(), &Options::default());
                let report = Report { unit: self.unit, ..report };
                output.stdout = [self.between(), &json::file(name, None, &report, Some(&message))].concat();
            }
        }
        self.row(name, None, None);
        output
    }

    /// Checks a session that was read already.
    pub fn session(&mut self, name: &str, session: &Session) -> Output {
        let report = verify_session(session, &self.options);
        self.reported(name, session, report)
    }

    fn reported(&mut self, name: &str, session: &Session, mut report: Report) -> Output {
        let mut output = Output::default();
        let format = session.format.as_ref().map(|format| format.name.clone());
        match self.check.output.unwrap_or_default() {
            Written::Text => output.stdout = self.text(name, session, &report),
            Written::Html => self.parts.push(html::section(&shown(name), session, &report)),
            Written::Json => {
                wire::recode_report(&mut report, session, self.unit);
                output.stdout = [self.between(), &json::file(name, format.as_deref(), &report, None)].concat();
            }
        }
        self.row(name, format, Some(report.totals));
        output
    }

    fn text(&self, name: &str, session: &Session, report: &Report) -> String {
        let report = text::report(session, report, &self.style);
        let head = Head { named: self.count > 1, first: self.rows.is_empty() };
        headline(name, session.format.as_ref().map(|format| format.name.as_str()), head, self.style) + &report
    }

    /// What is printed after the last file, and the exit code.
    pub fn finish(&mut self) -> Finished {
        let totals = || self.rows.iter().map(|row| row.totals.as_ref());
        let flagged = totals().flatten().any(|totals| totals.flagged > 0);
        let passed = self.passed.line();
        let none = passed.is_some() && totals().flatten().next().is_none();
        let fails = self.check.fail_on.unwrap_or_default() == FailOn::Unsupported;
        let exit = if none || totals().any(|totals| totals.is_none()) { 2 } else { u8::from(flagged && fails) };
        let what = if none { "nothing was checked; passed over" } else { "passed over" };
        let stderr = passed.map_or_else(String::new, |passed| format!("counterfoil: {what} {passed}\n"));
        let stdout = match self.check.output.unwrap_or_default() {
            Written::Json if self.written == 0 => "[]\n".into(),
            Written::Json => "\n]\n".into(),
            Written::Html => html::page(&self.parts),
            Written::Text if self.rows.len() > 1 => tables(&self.rows, self.style),
            Written::Text => String::new(),
        };
        Finished { stdout, stderr, exit }
    }
}

/// The line that names a file, where there are several.
pub(super) fn headline(name: &str, format: Option<&str>, head: Head, style: Style) -> String {
    if !head.named {
        return String::new();
    }
    let format = format.map(|format| format!(" ({})", flat(format, 40)));
    let gap = if head.first { "" } else { "\n" };
    format!("{gap}{}{}\n\n", style.bold(&shown(name)), format.unwrap_or_default())
}

/// A file's name as it is shown.
pub(super) fn shown(name: &str) -> String {
    if name == "-" {
        return "standard input".into();
    }
    crate::text::span::quote(&name.chars().map(crate::render::safe).collect::<String>(), 400)
}

pub(super) fn parse(bytes: &[u8], format: Option<&str>) -> Result<Session, crate::Error> {
    transcript::parse_bytes(bytes, format)
}

#[cfg(test)]
mod tests {
    use super::super::{parse as arguments, Invocation};
    use super::*;
    use crate::render::samples;
    use serde_json::json;

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
        assert!(output
            .stdout
            .ends_with("3 turns, 3 calls, 3 claims read: 1 supported, 1 unsupported, 1 contradicted\n"));
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
        assert!(finished.stdout.contains("e.json  native      0      0       0        0\n"), "{}", finished.stdout);
        let (said, _) = folder(&["check", "-v", "in"], &files);
        assert!(said
            .starts_with("counterfoil: in/b.json: passed over: not a transcript I know: an object with the key name"));
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
        said.push_str(&run.end().stderr);
        assert_eq!(said, "counterfoil: a: not JSON: compressed with gzip; unpack it first\n");
        assert_eq!(run.finish().exit, 2);
    }
}
