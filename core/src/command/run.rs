//! A run over files: what is printed for each, what at the end, and the exit code.

use super::pieces::{Head, Long, SHORT};
use super::{Check, Color, FailOn, Written};
use crate::options::Options;
use crate::record::Session;
use crate::render::text::{self, Style};
use crate::render::{flat, html, json};
use crate::sort::sorted;
use crate::text::span::Unit;
use crate::verification::{verify_session, Report, Totals};
use crate::{transcript, wire};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;

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
    /// The exit code: 2 if a file was unreadable, else 1 if something was flagged, else 0.
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
    rows: Vec<(String, Option<Totals>)>,
    /// The parts of the page.
    parts: Vec<String>,
    /// How many files there are.
    count: usize,
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
    /// It could not be read; this was said.
    Failed,
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
        let (rows, parts) = (Vec::new(), Vec::new());
        Run { check, options, style, unit: Unit::Codepoints, rows, parts, count, written: 0, open: Open::No }
    }

    /// Hears how many files there are, where folders and patterns among the words stand for more or less.
    pub fn expect(&mut self, count: usize) {
        self.count = count;
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
                Err(error) => {
                    let name = long.name().to_string();
                    self.failed(&name, &error)
                }
            },
            Open::No | Open::Failed => Output::default(),
        }
    }

    /// Ends the file that was begun.
    pub fn end(&mut self) -> Output {
        match core::mem::replace(&mut self.open, Open::No) {
            Open::Short(name, bytes) => self.file(&name, &bytes),
            Open::Long(long) => {
                let name = long.name().to_string();
                match long.finish() {
                    Ok((output, page, totals)) => {
                        let output = self.opened(output);
                        self.parts.extend(page);
                        self.rows.push((shown(&name), Some(totals)));
                        output
                    }
                    Err(error) => self.failed(&name, &error),
                }
            }
            Open::No | Open::Failed => Output::default(),
        }
    }

    fn failed(&mut self, name: &str, error: &crate::Error) -> Output {
        self.open = Open::Failed;
        self.unreadable(name, &error.to_string())
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
            Err(error) => self.unreadable(name, &error.to_string()),
        }
    }

    /// Notes a file that the program could not open, with the reason that it was given.
    pub fn unreadable(&mut self, name: &str, message: &str) -> Output {
        let name = shown(name);
        let stderr = format!("counterfoil: {name}: {}\n", flat(message, 400));
        self.rows.push((name, None));
        Output { stdout: String::new(), stderr }
    }

    /// Checks a session that was read already.
    pub fn session(&mut self, name: &str, session: &Session) -> Output {
        let report = verify_session(session, &self.options);
        self.reported(name, session, report)
    }

    fn reported(&mut self, name: &str, session: &Session, mut report: Report) -> Output {
        let mut output = Output::default();
        match self.check.output.unwrap_or_default() {
            Written::Text => output.stdout = self.text(name, session, &report),
            Written::Html => self.parts.push(html::section(&shown(name), session, &report)),
            Written::Json => {
                wire::recode_report(&mut report, session, self.unit);
                output.stdout = format!("{}{}", self.between(), json::file(name, session, &report));
            }
        }
        self.rows.push((shown(name), Some(report.totals)));
        output
    }

    fn text(&self, name: &str, session: &Session, report: &Report) -> String {
        let report = text::report(session, report, &self.style);
        let head = Head { named: self.count > 1, first: self.rows.is_empty() };
        headline(name, session.format.as_ref().map(|format| format.name.as_str()), head, self.style) + &report
    }

    /// What is printed after the last file, and the exit code.
    pub fn finish(&mut self) -> Finished {
        let flagged = self.rows.iter().any(|(_, totals)| totals.as_ref().is_some_and(|totals| totals.flagged > 0));
        let unreadable = self.rows.iter().any(|(_, totals)| totals.is_none());
        let fails = self.check.fail_on.unwrap_or_default() == FailOn::Unsupported;
        let exit = if unreadable { 2 } else { u8::from(flagged && fails) };
        let stdout = match self.check.output.unwrap_or_default() {
            Written::Json if self.written == 0 => "[]\n".into(),
            Written::Json => "\n]\n".into(),
            Written::Html => html::page(&self.parts),
            Written::Text if self.rows.len() > 1 => table(&self.rows, self.style) + &by_reader(&self.rows, self.style),
            Written::Text => String::new(),
        };
        Finished { stdout, stderr: String::new(), exit }
    }
}

/// The files with what was read in each, right-aligned, and their sum.
fn table(rows: &[(String, Option<Totals>)], style: Style) -> String {
    let mut sum = Totals::default();
    let mut lines: Vec<([String; 5], bool)> = Vec::new();
    lines.push((["file", "turns", "calls", "claims", "flagged"].map(ToString::to_string), false));
    let cells = |name: &str, t: &Totals| {
        [name.to_string(), t.turns.to_string(), t.calls.to_string(), t.claims.to_string(), t.flagged.to_string()]
    };
    for (name, totals) in rows {
        let name = tail(name);
        match totals {
            None => lines.push(([name, "unreadable".into(), String::new(), String::new(), String::new()], true)),
            Some(totals) => {
                sum.turns += totals.turns;
                sum.calls += totals.calls;
                sum.claims += totals.claims;
                sum.flagged += totals.flagged;
                lines.push((cells(&name, totals), totals.flagged > 0));
            }
        }
    }
    lines.push((cells("all", &sum), false));
    let mut widths = [0; 5];
    for (cells, _) in &lines {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = crate::render::columns(cell).max(*width);
        }
    }
    let mut out = String::from("\n");
    for (i, ([name, numbers @ ..], marked)) in lines.iter().enumerate() {
        let pad = " ".repeat(widths[0].saturating_sub(crate::render::columns(name)));
        let mut line = format!("{name}{pad}");
        for (number, width) in numbers.iter().zip(&widths[1..]) {
            let _ = write!(line, "  {number:>width$}");
        }
        let line = line.trim_end();
        out.push_str(&match (i, marked) {
            (0, _) => style.dim(line),
            (_, true) => style.red(line),
            _ => line.to_string(),
        });
        out.push('\n');
    }
    out
}

/// How many claims each reader flagged, the most first; nothing where none did.
fn by_reader(rows: &[(String, Option<Totals>)], style: Style) -> String {
    let mut sums: BTreeMap<&str, usize> = BTreeMap::new();
    for (reader, count) in rows.iter().filter_map(|(_, totals)| totals.as_ref()).flat_map(|t| &t.by_reader) {
        *sums.entry(reader.as_str()).or_default() += count;
    }
    let sums = sorted(sums.into_iter().collect::<Vec<(&str, usize)>>(), |a, b| b.1.cmp(&a.1));
    let Some(width) = sums.iter().map(|(name, _)| name.len()).max().map(|longest| longest.max("reader".len())) else {
        return String::new();
    };
    let mut out = format!("\n{}\n", style.dim(&format!("{:width$}  flagged", "reader")));
    for (name, count) in sums {
        let _ = writeln!(out, "{name:width$}  {count:>7}");
    }
    out
}

/// The end of a long path, which tells files apart better than its start.
fn tail(name: &str) -> String {
    let count = name.chars().count();
    if count <= 50 {
        return name.into();
    }
    format!("…{}", name.chars().skip(count - 49).collect::<String>())
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
file                 turns  calls  claims  flagged
日.jsonl                 3      3       3        2
standard input           3      3       3        2
gone.jsonl      unreadable
all                      6      6       6        4

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
        assert_eq!(super::tests::run(&["check", "-o", "json", "a"]).finish().stdout, "[]\n");
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
