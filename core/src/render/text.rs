//! A report for a person at a terminal: what was run, what is not supported, and where to look.
//!
//! A turn whose claims are all supported shows nothing but its record line. A flagged claim shows the line of the
//! reply with the claim underlined, the reason, and the nearest call with its outcome, so that it can be checked
//! without opening the transcript.

use super::line::{proof, reason, worded};
use super::width::{columns, head};
use super::window::windows;
use super::{counted, flat, shown, Calls};
use crate::record::{Detected, Session, Turn};
use crate::text::span::Span;
use crate::verification::{Claim, Report, Totals, TurnReport, Verdict, Verification};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// How text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Colours by ANSI escapes.
    pub color: bool,
    /// The columns of the terminal; less than 40 counts as 40.
    pub width: usize,
    /// Claims that are supported or not shown are listed too.
    pub verbose: bool,
}

impl Default for Style {
    fn default() -> Self {
        Style { color: false, width: 80, verbose: false }
    }
}

/// The most characters of a claim, a reason or a record line.
const LONGEST: usize = 400;
/// The most notes on how the transcript was read that are shown unless asked for more.
const NOTES: usize = 3;

impl Style {
    fn paint(self, code: &str, text: &str) -> String {
        if self.color {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    pub(crate) fn red(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    pub(crate) fn yellow(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }
}

/// Every turn that has something to show, then the sums.
///
/// The report has to be this session's, with its spans in bytes.
pub fn report(session: &Session, report: &Report, style: &Style) -> String {
    let calls = Calls::of(&session.turns);
    let mut out = String::new();
    for found in &report.turns {
        let index = found.turn.saturating_sub(1);
        if let Some(turn) = session.turns.get(index) {
            write_turn(&mut out, &calls, index, turn, found, *style);
        }
    }
    write_end(&mut out, session.format.as_ref(), &session.notes, &summary(report), *style);
    out
}

/// What stands under the turns: how the text was read, and the sums.
pub(crate) fn write_end(out: &mut String, format: Option<&Detected>, notes: &[String], summary: &str, style: Style) {
    if !out.is_empty() && !out.ends_with("\n\n") {
        out.push('\n');
    }
    if let Some(format) = format.filter(|format| format.confidence == "guess") {
        let others: Vec<&str> =
            format.candidates.iter().map(String::as_str).filter(|name| *name != format.name).collect();
        let others = match others.as_slice() {
            [] => String::new(),
            _ => format!(" (or {}, with the same turns)", others.join(", ")),
        };
        let text = format!("note: read as {}{others}, which is a guess; --format names the right one", format.name);
        out.push_str(&style.dim(&flat(&text, LONGEST)));
        out.push('\n');
    }
    let shown = if style.verbose { notes.len() } else { NOTES };
    for note in notes.iter().take(shown) {
        out.push_str(&style.dim(&format!("note: {}", flat(note, LONGEST))));
        out.push('\n');
    }
    if notes.len() > shown {
        let more = counted(notes.len() - shown, "more note");
        out.push_str(&style.dim(&format!("note: {more} on how this was read")));
        out.push('\n');
    }
    out.push_str(summary);
    out.push('\n');
}

/// One checked reply, without the turn's number.
pub fn verification(turn: &Turn, found: &Verification, style: &Style) -> String {
    let calls = Calls::of(core::slice::from_ref(turn));
    let mut out = String::new();
    if let Some(line) = unsupported(found, *style) {
        out.push_str(&line);
        out.push_str("\n\n");
    }
    write_claims(&mut out, &calls, 0, &turn.text(), found, *style);
    for line in found.canaries.iter().map(|canary| flat(&proof(canary), LONGEST)).chain(unanswered(found)) {
        out.push_str(&line);
        out.push('\n');
    }
    let mut tally = Tally::default();
    tally.add(&found.claims);
    out.push_str(&tally.claims_read(0));
    out.push('\n');
    out
}

/// `3 turns, 14 calls, 9 claims read: 7 supported, 1 unsupported, 1 not shown`
pub fn summary(report: &Report) -> String {
    let mut tally = Tally::default();
    report.turns.iter().filter_map(|t| t.verification.as_ref()).for_each(|found| tally.add(&found.claims));
    tally.summary(&report.totals)
}

/// The claims that are listed, counted by their verdicts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally([usize; 4]);

impl Tally {
    /// Counts the claims of a turn.
    pub(crate) fn add(&mut self, claims: &[Claim]) {
        for claim in claims {
            self.0[claim.verdict as usize] += 1;
        }
    }

    /// The line with the sums.
    pub(crate) fn summary(self, totals: &Totals) -> String {
        let Totals { turns, calls, claims, flagged, .. } = *totals;
        let listed = self.0[Verdict::Unsupported as usize] + self.0[Verdict::Contradicted as usize];
        let all = self.0.iter().sum();
        let unlisted = flagged.saturating_sub(listed).max(claims.saturating_sub(all));
        format!("{}, {}, {}", counted(turns, "turn"), counted(calls, "call"), self.claims_read(unlisted))
    }

    fn claims_read(self, unlisted: usize) -> String {
        let all = self.0.iter().sum::<usize>() + unlisted;
        if all == 0 {
            return "no claims read".into();
        }
        let names = ["supported", "unsupported", "contradicted", "not shown"];
        let mut parts: Vec<String> =
            self.0.iter().zip(names).filter(|(&n, _)| n > 0).map(|(n, name)| format!("{n} {name}")).collect();
        if unlisted > 0 {
            parts.push(format!("{unlisted} not listed"));
        }
        format!("{} read: {}", counted(all, "claim"), parts.join(", "))
    }
}

/// A turn that has something to show.
pub(crate) fn write_turn(
    out: &mut String,
    calls: &Calls<'_>,
    index: usize,
    turn: &Turn,
    found: &TurnReport,
    style: Style,
) {
    let mut lines: Vec<String> = Vec::new();
    lines.extend(found.ran.as_ref().map(|ran| style.dim(&flat(ran, LONGEST))));
    lines.extend(found.cited.as_ref().and_then(|cited| cited.line.as_ref()).map(|line| flat(line, LONGEST)));
    if let Some(found) = &found.verification {
        lines.extend(unsupported(found, style));
        lines.extend(found.canaries.iter().map(|canary| flat(&proof(canary), LONGEST)));
        lines.extend(unanswered(found));
    }
    if style.verbose {
        lines.extend(turn.gaps.reasons.iter().map(|why| style.dim(&format!("incomplete: {}", flat(why, LONGEST)))));
    }
    let label = format!("turn {}  ", found.turn);
    let has_claims = found.verification.as_ref().is_some_and(|v| v.claims.iter().any(|claim| is_shown(claim, style)));
    if lines.is_empty() && !has_claims {
        return;
    }
    let flagged = found.verification.as_ref().is_some_and(|v| v.line.is_some());
    if has_claims && !out.is_empty() && !out.ends_with("\n\n") {
        out.push('\n');
    }
    out.push_str(&if flagged { style.bold(&label) } else { label.clone() });
    if lines.is_empty() {
        out.push('\n');
    }
    for (i, line) in lines.iter().enumerate() {
        if i > 0 {
            out.push_str(&" ".repeat(label.len()));
        }
        out.push_str(line);
        out.push('\n');
    }
    if let Some(found) = &found.verification {
        if has_claims {
            out.push('\n');
            write_claims(out, calls, index, &turn.text(), found, style);
        }
    }
}

/// The `unsupported:` line, safe to show. Its count is that of the result's own line.
fn unsupported(found: &Verification, style: Style) -> Option<String> {
    let mut flagged = found.claims.iter().filter(|claim| claim.verdict.flagged());
    let line = match flagged.next() {
        Some(first) => {
            let unlisted = found.line.as_deref().and_then(more).unwrap_or(0);
            worded(&flat(&first.text, LONGEST), &flat(reason(first), LONGEST), unlisted.max(flagged.count()))
        }
        // A model may doubt a reply without words that stand in it.
        None => flat(found.line.as_deref()?, 2 * LONGEST),
    };
    let rest = line.strip_prefix("unsupported:").unwrap_or(&line);
    // What a model doubts is less sure than what the record shows.
    let doubted = found.method == "model";
    let head = if doubted { style.yellow("unsupported:") } else { style.red("unsupported:") };
    Some(format!("{head}{rest}"))
}

/// Why a model that was asked gave no verdict.
fn unanswered(found: &Verification) -> Option<String> {
    found.failure.map(|failure| format!("not checked by the model: {}", failure.sentence()))
}

/// The count at the end of a line: `… +3 more`.
fn more(line: &str) -> Option<usize> {
    line.strip_suffix(" more")?.rsplit_once(" +")?.1.parse().ok()
}

fn is_shown(claim: &Claim, style: Style) -> bool {
    style.verbose || claim.verdict.flagged()
}

fn write_claims(out: &mut String, calls: &Calls<'_>, index: usize, reply: &str, found: &Verification, style: Style) {
    for claim in found.claims.iter().filter(|claim| is_shown(claim, style)) {
        write_claim(out, calls, index, reply, claim, style);
        out.push('\n');
    }
}

fn write_claim(out: &mut String, calls: &Calls<'_>, index: usize, reply: &str, claim: &Claim, style: Style) {
    let near = calls.near(index, claim);
    let line = format!("line {}", claim.line);
    let gutter = near.as_ref().map_or(0, |(label, _)| label.len()).max(line.len());
    let room = style.width.clamp(40, 1000).saturating_sub(gutter + 4);
    let mut row = |label: &str, text: &str| {
        out.push_str("  ");
        out.push_str(&style.dim(&format!("{label:gutter$}")));
        out.push_str("  ");
        out.push_str(text);
        out.push('\n');
    };
    let why = why(claim);
    let windows = windows(reply, claim.span, room);
    let last = windows.len().saturating_sub(1);
    let mut said = false;
    for (i, window) in windows.iter().enumerate() {
        row(if i == 0 { &line } else { "" }, &window.text);
        if window.length == 0 {
            continue;
        }
        let under = format!("{}{}", " ".repeat(window.from), "^".repeat(window.length));
        let carets = match (claim.verdict.flagged(), claim.reader == "model") {
            (true, false) => style.red(&under),
            (true, true) => style.yellow(&under),
            (false, _) => style.dim(&under),
        };
        said = i == last && columns(&under) + 1 + columns(&why) <= room;
        row("", &if said { format!("{carets} {why}") } else { carets });
    }
    if !said {
        row(if windows.is_empty() { &line } else { "" }, &why);
    }
    let Some((label, call)) = near else { return };
    row(&label, head(&shown::call(call), room));
    let place = claim.evidence.and_then(|span| windows_of(call.output.as_deref()?, span, room));
    let proof = place.or_else(|| shown::excerpt(call, room).map(|text| head(&text, room).to_owned()));
    if let Some(text) = proof {
        row("", &style.dim(&text));
    }
}

/// The verdict of a claim in words.
fn why(claim: &Claim) -> String {
    match claim.verdict {
        Verdict::Unsupported | Verdict::Contradicted => flat(reason(claim), LONGEST),
        Verdict::Supported => "supported".into(),
        Verdict::NotShown => match &claim.reason {
            Some(reason) => format!("not shown: {}", flat(reason, LONGEST)),
            None => "not shown: the record does not hold what would decide it".into(),
        },
    }
}

/// The line of an output in which the evidence stands.
fn windows_of(output: &str, span: Span, room: usize) -> Option<String> {
    windows(output, span, room).into_iter().next().map(|window| window.text)
}

#[cfg(test)]
mod tests {
    use super::super::safe;
    use super::super::samples::{self, claim, command, turn};
    use super::*;
    use crate::record::Call;
    use alloc::vec;
    use proptest::prelude::*;

    fn shown(turn: Turn, claims: Vec<Claim>, style: &Style) -> String {
        let (session, found) = samples::report(vec![(turn, claims)]);
        report(&session, &found, style)
    }

    #[test]
    fn a_report_shows_where_to_look() {
        let (session, found) = samples::story();
        let expected = "\
turn 1  ran: bash

turn 2  ran: bash ×2 (1 failed)
        unsupported: \"All 42 tests pass\" (the test output says 3 failed) +1 more

  line 3  日本語 🎉 All 42 tests pass, and the build is green.
                    ^^^^^^^^^^^^^^^^^ the test output says 3 failed
  call 2  npm test → exit 1
          39 passed, 3 failed

  line 5          I notified Ana.
                  ^^^^^^^^^^^^^^ no call in this turn notified anyone
  turn 1, call 1  ls | wc -l → exit 0
                  2

3 turns, 3 calls, 3 claims read: 1 supported, 1 unsupported, 1 contradicted
";
        assert_eq!(report(&session, &found, &Style::default()), expected);
    }

    #[test]
    fn a_verified_reply_shows_its_record_line_only_unless_asked_for_more() {
        let reply = "It holds 2 files.";
        let one = || claim(reply, "holds 2 files", Verdict::Supported, None);
        let text = shown(turn(reply, vec![command("ls", 0, "")]), vec![one()], &Style::default());
        assert_eq!(text, "turn 1  ran: bash\n\n1 turn, 1 call, 1 claim read: 1 supported\n");
        let style = Style { verbose: true, ..Style::default() };
        let text = shown(turn(reply, vec![command("ls", 0, "")]), vec![one()], &style);
        assert!(text.contains("  line 1  It holds 2 files.\n             ^^^^^^^^^^^^^ supported\n"), "{text}");
    }

    #[test]
    fn a_session_in_which_nothing_is_read_says_so() {
        let text = shown(turn("Hello.", vec![]), vec![], &Style::default());
        assert_eq!(text, "1 turn, 0 calls, no claims read\n");
    }

    #[test]
    fn a_guessed_format_and_notes_are_told_before_the_sums() {
        let (mut session, found) = samples::report(vec![(turn("Hi.", vec![]), vec![])]);
        let name = |confidence: &str| crate::record::Detected {
            name: "acp".into(),
            confidence: confidence.into(),
            evidence: None,
            candidates: Vec::new(),
        };
        session.format = Some(name("guess"));
        session.notes = vec!["line 3 was cut".into(), "b".into(), "c".into(), "d".into()];
        let expected = "\
note: read as acp, which is a guess; --format names the right one
note: line 3 was cut
note: b
note: c
note: 1 more note on how this was read
1 turn, 0 calls, no claims read
";
        assert_eq!(report(&session, &found, &Style::default()), expected);
        let others = vec!["acp".into(), "pi".into(), "goose".into()];
        session.format = Some(crate::record::Detected { candidates: others, ..name("guess") });
        let text = report(&session, &found, &Style::default());
        assert!(text.starts_with("note: read as acp (or pi, goose, with the same turns), which is a guess;"), "{text}");
        session.format = Some(name("certain"));
        assert!(!report(&session, &found, &Style::default()).contains("guess"));
    }

    #[test]
    fn a_long_line_is_cut_around_the_claim() {
        let reply = format!("{}all tests pass{}", "before ".repeat(500_000), " after".repeat(500_000));
        let one = claim(&reply, "all tests pass", Verdict::Unsupported, Some("no test ran"));
        let text = shown(turn(&reply, vec![]), vec![one], &Style { width: 60, ..Style::default() });
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2], "  line 1  …re before before all tests pass after after afte…");
        assert_eq!(lines[3], "                            ^^^^^^^^^^^^^^ no test ran");
    }

    #[test]
    fn a_claim_over_several_lines_is_underlined_on_each() {
        let reply = "> x\n\nI sent the mail\n  to Ana today.";
        let one = claim(reply, "sent the mail\n  to Ana", Verdict::Unsupported, None);
        let text = shown(turn(reply, vec![]), vec![one], &Style::default());
        let expected = "\
  line 3  I sent the mail
            ^^^^^^^^^^^^^
          to Ana today.
          ^^^^^^ no call in this turn shows this
";
        assert!(text.contains(expected), "{text}");
    }

    #[test]
    fn a_transcript_cannot_drive_the_terminal() {
        let reply = "\u{1b}[2J\u{9b}1m All\u{202e} tests\u{7} pass\r now";
        let mut one = claim(reply, "All\u{202e} tests\u{7} pass", Verdict::Unsupported, Some("no\u{1b}]0;x\u{7} test"));
        one.call = Some(0);
        let mut call = command("echo \u{1b}[31m", 0, "\u{1b}[5mout\u{0}");
        call.tool = "ba\u{1b}sh".into();
        let text = shown(turn(reply, vec![call]), vec![one], &Style::default());
        assert!(text.chars().all(|c| c == '\n' || safe(c) == c), "{text:?}");
        assert!(text.contains("␛[2J\u{fffd}1m All\u{fffd} tests␇ pass  now"), "{text}");
    }

    #[test]
    fn a_secret_is_masked_wherever_it_stands() {
        let reply = "I pushed to https://ana:hunter2@example.com today.";
        let mut one = claim(
            reply,
            "pushed to https://ana:hunter2@example.com",
            Verdict::Unsupported,
            Some("see https://ana:hunter2@example.com"),
        );
        one.call = Some(0);
        let text = shown(
            turn(reply, vec![command("push https://ana:hunter2@example.com", 1, "to https://ana:hunter2@example.com")]),
            vec![one],
            &Style::default(),
        );
        assert!(!text.contains("hunter2"), "{text}");
        assert!(text.contains("^^^"));
    }

    #[test]
    fn colours_are_used_only_when_asked_for() {
        let (session, found) = samples::story();
        assert!(!report(&session, &found, &Style::default()).contains('\u{1b}'));
        let colored = report(&session, &found, &Style { color: true, ..Style::default() });
        assert!(colored.contains("\u{1b}[1;31munsupported:\u{1b}[0m"));
        assert!(colored.contains("\u{1b}[2mran: bash\u{1b}[0m"));
    }

    #[test]
    fn the_count_is_that_of_the_whole_result_when_not_all_is_listed() {
        let reply = "All tests pass.";
        let one = claim(reply, "All tests pass", Verdict::Unsupported, Some("no test ran"));
        let (session, mut found) = samples::report(vec![(turn(reply, vec![]), vec![one])]);
        found.turns[0].verification.as_mut().unwrap().line =
            Some("unsupported: \"All tests pass\" (no test ran) +9 more".into());
        found.totals.flagged = 10;
        found.totals.claims = 10;
        let text = report(&session, &found, &Style::default());
        assert!(text.contains("(no test ran) +9 more\n"));
        assert!(text.ends_with("10 claims read: 1 unsupported, 9 not listed\n"), "{text}");
    }

    proptest! {
        #[test]
        fn any_text_and_any_span_can_be_shown(reply in "\\PC{0,60}|(?s).{0,60}", output in "(?s).{0,40}", start in 0_usize..80,
            end in 0_usize..80, call in proptest::option::of(prop_oneof![0_usize..3, Just(usize::MAX)]), earlier in proptest::option::of(0_usize..3),
            width in 0_usize..200) {
            let mut one = claim("x", "x", Verdict::Contradicted, None);
            one.span = Span::new(start, end);
            (one.call, one.earlier, one.evidence) = (call, earlier, Some(Span::new(end, start)));
            let call = Call { output: Some(output), ..Call::default() };
            let text = shown(turn(&reply, vec![call]), vec![one], &Style { width, verbose: true, color: false });
            prop_assert!(text.chars().all(|c| c == '\n' || safe(c) == c));
        }
    }
}
