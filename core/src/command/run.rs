//! A run over files: what is printed for each, what at the end, and the exit code.

use super::{Check, Color, FailOn, Written};
use crate::options::Options;
use crate::record::Session;
use crate::render::text::{self, Style};
use crate::render::{flat, html, json};
use crate::text::span::Unit;
use crate::verification::{verify_session, Report, Totals};
use crate::{transcript, wire};
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
pub struct Run {
    check: Check,
    options: Options,
    style: Style,
    unit: Unit,
    rows: Vec<(String, Option<Totals>)>,
    parts: Vec<String>,
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
        Run { check, options, style, unit: Unit::Codepoints, rows: Vec::new(), parts: Vec::new() }
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
                self.parts.push(json::file(name, session, &report));
            }
        }
        self.rows.push((shown(name), Some(report.totals)));
        output
    }

    fn text(&self, name: &str, session: &Session, report: &Report) -> String {
        let report = text::report(session, report, &self.style);
        if self.check.files.len() < 2 {
            return report;
        }
        let format = session.format.as_ref().map(|format| format!(" ({})", flat(&format.name, 40)));
        let name = self.style.bold(&shown(name));
        let gap = if self.rows.is_empty() { "" } else { "\n" };
        format!("{gap}{name}{}\n\n{report}", format.unwrap_or_default())
    }

    /// What is printed after the last file, and the exit code.
    pub fn finish(&mut self) -> Finished {
        let flagged = self.rows.iter().any(|(_, totals)| totals.as_ref().is_some_and(|totals| totals.flagged > 0));
        let unreadable = self.rows.iter().any(|(_, totals)| totals.is_none());
        let fails = self.check.fail_on.unwrap_or_default() == FailOn::Unsupported;
        let exit = if unreadable { 2 } else { u8::from(flagged && fails) };
        let stdout = match self.check.output.unwrap_or_default() {
            Written::Json if self.parts.is_empty() => "[]\n".into(),
            Written::Json => format!("[\n{}\n]\n", self.parts.join(",\n")),
            Written::Html => html::page(&self.parts),
            Written::Text if self.rows.len() > 1 => table(&self.rows, self.style),
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

/// The end of a long path, which tells files apart better than its start.
fn tail(name: &str) -> String {
    let count = name.chars().count();
    if count <= 50 {
        return name.into();
    }
    format!("…{}", name.chars().skip(count - 49).collect::<String>())
}

/// A file's name as it is shown.
fn shown(name: &str) -> String {
    if name == "-" {
        return "standard input".into();
    }
    crate::text::span::quote(&name.chars().map(crate::render::safe).collect::<String>(), 400)
}

fn parse(bytes: &[u8], format: Option<&str>) -> Result<Session, crate::Error> {
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
";
        let finished = run.finish();
        assert_eq!(finished.stdout, expected);
        assert_eq!(finished.exit, 2);
    }

    #[test]
    fn json_is_one_list_with_code_points() {
        let (session, report) = samples::story();
        let mut run = run(&["check", "--output=json", "--fail-on", "never", "a", "b"]);
        assert_eq!(run.reported("a", &session, report.clone()).stdout, "");
        run.reported("b", &session, report);
        let finished = run.finish();
        let list: serde_json::Value = serde_json::from_str(&finished.stdout).unwrap();
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
}
