//! A file in pieces: a short one is read as a whole, a long one is checked as it comes.

use super::run::{shown, Output};
use super::Written;
use crate::checker::Checker;
use crate::error::Error;
use crate::options::Options;
use crate::record::Session;
use crate::render::html::{self, Findings};
use crate::render::json::json;
use crate::render::text::{self, Style, Tally};
use crate::result::Verification;
use crate::text::span::Unit;
use crate::transcript::Feed;
use crate::verification::{Totals, TurnReport};
use crate::VERSION;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A file of at most so many bytes is read as a whole.
pub(super) const SHORT: usize = if cfg!(test) { 64 << 10 } else { 32 << 20 };

/// A long file on its way.
pub(super) struct Long {
    name: String,
    feed: Feed,
    checker: Checker,
    written: Written,
    style: Style,
    /// What stands in front of the first turn.
    head: Option<Head>,
    /// How the text that was written so far ends.
    tail: String,
    tally: Tally,
    findings: Findings,
    /// Some turn was written.
    turns: bool,
    /// What was found since it was last taken, where an audit is wanted.
    audited: Option<Vec<Verification>>,
}

/// What stands in front of a file's turns.
#[derive(Clone, Copy)]
pub(super) struct Head {
    /// Several files are checked, so that each is named.
    pub(super) named: bool,
    /// It is the first of them.
    pub(super) first: bool,
}

impl Long {
    pub(super) fn new(
        name: &str,
        format: Option<&str>,
        options: Options,
        (written, style, head): (Written, Style, Head),
        audits: bool,
    ) -> Result<Self, Error> {
        let unit = if written == Written::Json { Unit::Codepoints } else { Unit::Utf8 };
        Ok(Long {
            name: name.to_string(),
            feed: Feed::new(format)?,
            checker: Checker::new(options).in_unit(unit),
            written,
            style,
            head: Some(head),
            tail: String::new(),
            tally: Tally::default(),
            findings: Findings::of_a_page(),
            turns: false,
            audited: audits.then(Vec::new),
        })
    }

    /// The file's name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Takes a piece of the file.
    pub(super) fn piece(&mut self, bytes: &[u8]) -> Result<Output, Error> {
        for turn in self.feed.feed(bytes)? {
            self.checker.push(turn);
        }
        if !self.checker.is_due() {
            return Ok(Output::default());
        }
        let format = self.feed.format().map(|format| format.name.clone());
        Ok(self.check(format.as_deref()))
    }

    /// Whether something of it was written.
    pub(super) fn has_begun(&self) -> bool {
        self.head.is_none()
    }

    /// What was found since this was last asked.
    pub(super) fn audited(&mut self) -> Vec<Verification> {
        self.audited.as_mut().map(core::mem::take).unwrap_or_default()
    }

    /// The sums so far.
    pub(super) fn totals(&self) -> &Totals {
        self.checker.totals()
    }

    /// Closes what was written of a file that could not be read to its end, for this reason.
    pub(super) fn break_off(&mut self, reason: &str) -> String {
        match self.written {
            Written::Json => self.closed(Some(reason)),
            Written::Text | Written::Html => String::new(),
        }
    }

    /// The end of the file's JSON.
    fn closed(&self, error: Option<&str>) -> String {
        ["],\"totals\":", &json(self.totals()), ",\"error\":", &json(&error), "}"].concat()
    }

    /// Ends the file. Gives what is left to write, a part of the page, and the format.
    pub(super) fn finish(&mut self) -> Result<(Output, Option<String>, Option<String>), Error> {
        let feed = core::mem::replace(&mut self.feed, Feed::new(None)?);
        let mut rest = feed.finish()?;
        for turn in core::mem::take(&mut rest.turns) {
            self.checker.push(turn);
        }
        let format = rest.format.as_ref().map(|format| format.name.clone());
        let mut output = self.check(format.as_deref());
        let summary = core::mem::take(&mut self.tally).summary(self.checker.totals());
        let mut page = None;
        match self.written {
            Written::Text => self.end(&mut output.stdout, &rest, &summary),
            Written::Json => output.stdout.push_str(&self.closed(None)),
            Written::Html => page = Some(html::section_of(&shown(&self.name), &rest, &self.findings, &summary)),
        }
        Ok((output, page, format))
    }

    fn end(&self, out: &mut String, rest: &Session, summary: &str) {
        let mut text = self.tail.clone();
        text::write_end(&mut text, rest.format.as_ref(), &rest.notes, summary, self.style);
        out.push_str(text.get(self.tail.len()..).unwrap_or(""));
    }

    /// Checks the turns that came, and writes what is to be said of them.
    fn check(&mut self, format: Option<&str>) -> Output {
        let reports = self.checker.check();
        for found in reports.iter().filter_map(|report| report.verification.as_ref()) {
            self.tally.add(&found.claims);
        }
        let mut output = Output::default();
        match self.written {
            Written::Text => output.stdout = self.text(&reports, format),
            Written::Json => output.stdout = self.json(&reports, format),
            Written::Html => {
                let calls = self.checker.calls();
                for report in &reports {
                    if let Some(turn) = self.checker.turn(report.turn) {
                        self.findings.add(&calls, turn, report);
                    }
                }
            }
        }
        if let Some(audited) = &mut self.audited {
            audited.extend(reports.into_iter().filter_map(|report| report.verification));
        }
        output
    }

    fn text(&mut self, reports: &[TurnReport], format: Option<&str>) -> String {
        let head = self.head.take();
        let head = head.map_or_else(String::new, |head| super::run::headline(&self.name, format, head, self.style));
        let mut text = core::mem::take(&mut self.tail);
        let before = text.len();
        let calls = self.checker.calls();
        for report in reports {
            if let Some(turn) = self.checker.turn(report.turn) {
                text::write_turn(&mut text, &calls, report.turn.saturating_sub(1), turn, report, self.style);
            }
        }
        self.tail = text.get(text.len().saturating_sub(2)..).unwrap_or("\n").to_string();
        head + text.get(before..).unwrap_or("")
    }

    fn json(&mut self, reports: &[TurnReport], format: Option<&str>) -> String {
        let mut out = String::new();
        if self.head.take().is_some() {
            out = format!(
                "{{\"file\":{},\"format\":{},\"version\":\"{VERSION}\",\"unit\":\"codepoints\",\"turns\":[",
                json(&self.name),
                json(&format)
            );
        }
        let texts: Vec<String> = reports.iter().map(json).collect();
        if self.turns && !texts.is_empty() {
            out.push(',');
        }
        self.turns |= !texts.is_empty();
        out + &texts.join(",")
    }
}
