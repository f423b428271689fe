//! A run over files: what is printed for each, what at the end, and the exit code.

use super::passed::Passed;
use super::paths::{expand, Look, Named};
use super::pieces::{Head, Long, SHORT};
use super::table::{tables, Row};
use super::{bar, Check, Color, FailOn, Written};
use crate::error::ErrorKind;
use crate::model::{audit_line, About};
use crate::options::Options;
use crate::record::Session;
use crate::render::text::{self, Style};
use crate::render::{flat, html, json};
use crate::result::Verification;
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
    /// What was found since [`Run::events`] was last asked, where an audit is wanted.
    audited: Vec<Verification>,
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
            audited: Vec::new(),
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
                let audits = self.check.audit.is_some();
                let long = Long::new(&name, self.check.format.as_deref(), self.options.clone(), how, audits);
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

    /// Whether the file that was begun has failed, so that the rest of it need not be read.
    pub fn has_failed(&self) -> bool {
        matches!(self.open, Open::Failed(_))
    }

    /// The audit events of the turns that were checked since it was last asked, one line of JSON each. That took `seconds`,
    /// of which each turn has the same part. An empty text where the check names no file for them.
    pub fn events(&mut self, seconds: f64) -> String {
        let mut found = core::mem::take(&mut self.audited);
        if let Open::Long(long) = &mut self.open {
            found.append(&mut long.audited());
        }
        #[allow(clippy::cast_precision_loss)] // So many turns are never checked at once.
        let about = About { seconds: seconds / found.len().max(1) as f64, ..About::default() };
        found.iter().filter_map(|result| audit_line(Some(result), &about)).map(|line| line + "\n").collect()
    }

    /// Ends the file that was begun.
    pub fn end(&mut self) -> Output {
        match core::mem::replace(&mut self.open, Open::No) {
            Open::Short(name, bytes) => self.file(&name, &bytes),
            Open::Long(mut long) => match long.finish() {
                Ok((output, page, format)) => {
                    self.audited.append(&mut long.audited());
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
        let begun = match &mut self.open {
            Open::Long(long) if long.has_begun() => Some(long.break_off(&message)),
            _ => None,
        };
        if !self.has_failed() {
            self.open = Open::No;
        }
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
        if self.check.audit.is_some() {
            self.audited.extend(report.turns.into_iter().filter_map(|turn| turn.verification));
        }
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
mod tests;
