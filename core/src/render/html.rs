//! Static HTML for a notebook cell or a page: escaped, without script, readable in light and dark.
//!
//! Verdicts are written out, never told by colour alone. Sizes are bounded, and what is left out is counted.

use super::line::{proof, reason, worded};
use super::text::summary;
use super::window::{windows, Window};
use super::{counted, flat, masked, masked_parts, safe, shown, Calls};
use crate::record::{Detected, Session, Turn};
use crate::sort::sorted;
use crate::verification::{Claim, Report, TurnReport, Verdict, Verification};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

/// The most turns of a session that are shown.
const TURNS: usize = 200;
/// The most claims of one turn that are shown.
const CLAIMS: usize = 100;
/// The most bytes of one reply that are shown.
const REPLY: usize = 20_000;
/// The size past which a fragment takes no further turn.
const SIZE: usize = 2_000_000;
/// The most characters of a claim, a reason or a record line.
const LONGEST: usize = 400;
/// The columns of the line of a reply that a claim is shown in.
const ROOM: usize = 160;

const CSS: &str = "<style>\
.counterfoil{font:14px/1.5 system-ui,sans-serif;color:#1f2328;background:#fff;padding:.5em 1em;\
color-scheme:light dark;overflow-wrap:anywhere}\
.counterfoil h3,.counterfoil h4{font-size:1em;margin:1em 0 .2em}\
.counterfoil p{margin:.2em 0}\
.counterfoil .muted{color:#59636e}\
.counterfoil .flagged{color:#b3261e;font-weight:600}\
.counterfoil .reply{white-space:pre-wrap;border-left:3px solid #8c959f;padding:.2em .8em;margin:.5em 0}\
.counterfoil table{border-collapse:collapse;margin:.5em 0;width:100%}\
.counterfoil th,.counterfoil td{text-align:left;vertical-align:top;padding:.25em .6em;border-top:1px solid #8c959f66}\
.counterfoil code{font:12px/1.5 ui-monospace,monospace}\
.counterfoil .doubted{color:#7d4e00;font-weight:600}\
.counterfoil mark{color:inherit;background:#ffd8d3;border-bottom:2px solid #b3261e}\
.counterfoil mark.doubt{background:#fff1c2;border-bottom:2px dashed #7d4e00}\
.counterfoil mark.ok{background:#d7f5dd;border-bottom:2px dotted #1a7f37}\
.counterfoil mark.open{background:#eaeef2;border-bottom:2px dashed #59636e}\
@media (prefers-color-scheme:dark){\
.counterfoil{color:#e6edf3;background:#0d1117}\
.counterfoil .muted{color:#9198a1}\
.counterfoil .flagged{color:#ff8a80}\
.counterfoil .doubted{color:#e3b341}\
.counterfoil mark{background:#5c1a16;border-color:#ff8a80}\
.counterfoil mark.doubt{background:#3d2e00;border-color:#e3b341}\
.counterfoil mark.ok{background:#12381f;border-color:#3fb950}\
.counterfoil mark.open{background:#2a313c;border-color:#9198a1}}\
</style>";

/// One checked reply: its words with the claims marked, and a table of the claims.
pub fn verification(turn: &Turn, found: &Verification) -> String {
    let calls = Calls::of(core::slice::from_ref(turn));
    let mut out = opened();
    if let Some(line) = unsupported(found) {
        out.push_str(&line);
    } else {
        let supported = found.claims.iter().filter(|claim| claim.verdict == Verdict::Supported).count();
        let _ = write!(out, "<p>nothing flagged; {} supported</p>", counted(supported, "claim"));
    }
    write_proofs(&mut out, found);
    write_reply(&mut out, &turn.text(), &found.claims);
    let claims: Vec<&Claim> = found.claims.iter().collect();
    write_claims(&mut out, &calls, 0, &turn.text(), &claims);
    out.push_str("</div>");
    out
}

/// A session: the sums, then every turn with something flagged.
pub fn report(session: &Session, report: &Report) -> String {
    let mut out = opened();
    write_report(&mut out, session, report, SIZE);
    out.push_str("</div>");
    out
}

/// The part of a page that shows one file; [`page`] puts them together.
pub fn section(name: &str, session: &Session, report: &Report) -> String {
    in_section(name, session.format.as_ref(), &|out| write_report(out, session, report, SIZE))
}

/// The same for a session of which only the findings were kept.
#[cfg(feature = "command")]
pub(crate) fn section_of(name: &str, session: &Session, findings: &Findings, summary: &str) -> String {
    in_section(name, session.format.as_ref(), &|out| findings.write(out, summary, &session.notes))
}

/// The same for a file that could not be read.
#[cfg(feature = "command")]
pub(crate) fn section_unread(name: &str, message: &str) -> String {
    in_section(name, None, &|out| *out += &["<p>", &escaped(message), "</p>"].concat())
}

#[cfg(feature = "command")]
impl Findings {
    /// As many as a page shows.
    pub(crate) fn of_a_page() -> Self {
        Findings::new(SIZE)
    }
}

fn in_section(name: &str, format: Option<&Detected>, write: &dyn Fn(&mut String)) -> String {
    let format = format.map(|f| format!(" <span class=\"muted\">({})</span>", escaped(&f.name)));
    let mut out = format!("<section><h2>{}{}</h2>", escaped(&flat(name, LONGEST)), format.unwrap_or_default());
    write(&mut out);
    out.push_str("</section>");
    out
}

/// A whole page of sections.
pub fn page(sections: &[String]) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>counterfoil</title>\
         </head><body>{}<h1>counterfoil</h1>\n{}\n</div></body></html>\n",
        opened().replacen("<div", "<div role=\"main\"", 1),
        sections.join("\n")
    )
}

fn opened() -> String {
    format!("<div class=\"counterfoil\">{CSS}")
}

/// A text as it may stand in HTML, in an attribute too.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' => out.push('\n'),
            c => out.push(safe(c)),
        }
    }
    out
}

fn write_report(out: &mut String, session: &Session, report: &Report, size: usize) {
    let calls = Calls::of(&session.turns);
    let mut findings = Findings::new(size);
    for found in &report.turns {
        if let Some(turn) = session.turns.get(found.turn.saturating_sub(1)) {
            findings.add(&calls, turn, found);
        }
    }
    findings.write(out, &summary(report), &session.notes);
}

/// The turns of a session with something flagged, as far as they are shown.
#[derive(Default)]
pub(crate) struct Findings {
    shown: String,
    count: usize,
    left: usize,
    size: usize,
}

impl Findings {
    fn new(size: usize) -> Self {
        Findings { size, ..Findings::default() }
    }

    /// Takes a turn, if anything is flagged in it.
    pub(crate) fn add(&mut self, calls: &Calls<'_>, turn: &Turn, found: &TurnReport) {
        if !has_finding(found) {
            return;
        }
        if self.count == TURNS || self.shown.len() > self.size {
            self.left += 1;
            return;
        }
        self.count += 1;
        write_turn(&mut self.shown, calls, found.turn.saturating_sub(1), turn, found);
    }

    fn write(&self, out: &mut String, summary: &str, notes: &[String]) {
        let _ = write!(out, "<p>{summary}</p>{}", self.shown);
        if self.count == 0 {
            out.push_str("<p class=\"muted\">nothing flagged</p>");
        }
        if self.left > 0 {
            let _ =
                write!(out, "<p class=\"muted\">{} with findings not shown here</p>", counted(self.left, "more turn"));
        }
        if !notes.is_empty() {
            out.push_str("<h3>How it was read</h3><ul>");
            for note in notes.iter().take(20) {
                let _ = write!(out, "<li>{}</li>", escaped(&flat(note, LONGEST)));
            }
            out.push_str("</ul>");
        }
    }
}

fn has_finding(found: &TurnReport) -> bool {
    let flagged = |v: &Verification| !v.canaries.is_empty() || v.line.is_some();
    found.verification.as_ref().is_some_and(flagged) || found.cited.as_ref().is_some_and(|cited| cited.line.is_some())
}

fn write_turn(out: &mut String, calls: &Calls<'_>, index: usize, turn: &Turn, found: &TurnReport) {
    let _ = write!(out, "<h3>turn {}</h3>", found.turn);
    let cited = found.cited.as_ref().and_then(|cited| cited.line.as_ref());
    for line in found.ran.iter().chain(cited) {
        let _ = write!(out, "<p class=\"muted\">{}</p>", escaped(&flat(line, LONGEST)));
    }
    if let Some(found) = &found.verification {
        out.push_str(&unsupported(found).unwrap_or_default());
        write_proofs(out, found);
        let flagged: Vec<&Claim> = found.claims.iter().filter(|claim| claim.verdict.flagged()).collect();
        write_claims(out, calls, index, &turn.text(), &flagged);
    }
}

fn write_proofs(out: &mut String, found: &Verification) {
    for canary in found.canaries.iter().take(CLAIMS) {
        let _ = write!(out, "<p>{}</p>", escaped(&flat(&proof(canary), LONGEST)));
    }
    if found.canaries.len() > CLAIMS {
        let more = counted(found.canaries.len() - CLAIMS, "more proof");
        let _ = write!(out, "<p class=\"muted\">{more} of read not shown here</p>");
    }
    if let Some(failure) = found.failure {
        let _ = write!(out, "<p class=\"muted\">not checked by the model: {}</p>", failure.sentence());
    }
}

fn unsupported(found: &Verification) -> Option<String> {
    let mut flagged = found.claims.iter().filter(|claim| claim.verdict.flagged());
    let line = match flagged.next() {
        Some(first) => worded(&flat(&first.text, LONGEST), &flat(reason(first), LONGEST), flagged.count()),
        // A model may doubt a reply without words that stand in it.
        None => flat(found.line.as_deref()?, 2 * LONGEST),
    };
    let class = if found.method == "model" { "doubted" } else { "flagged" };
    Some(format!("<p class=\"{class}\">{}</p>", escaped(&line)))
}

fn write_claims(out: &mut String, calls: &Calls<'_>, index: usize, reply: &str, claims: &[&Claim]) {
    if claims.is_empty() {
        return;
    }
    out.push_str(
        "<table><thead><tr><th scope=\"col\">Verdict</th><th scope=\"col\">Line</th><th scope=\"col\">Claim</th>\
         <th scope=\"col\">Why</th><th scope=\"col\">Nearest call</th></tr></thead><tbody>",
    );
    for claim in claims.iter().take(CLAIMS) {
        let (name, class) = verdict(claim);
        let words = windows(reply, claim.span, ROOM).first().map(|window| marked(window, class));
        let near = calls.near(index, claim);
        let near = near.map(|(label, call)| {
            let text =
                shown::excerpt(call, ROOM).map(|text| format!("<br><code class=\"muted\">{}</code>", escaped(&text)));
            format!("{label}: <code>{}</code>{}", escaped(&shown::call(call)), text.unwrap_or_default())
        });
        let why = if claim.verdict.flagged() { reason(claim) } else { claim.reason.as_deref().unwrap_or("") };
        let _ = write!(
            out,
            "<tr><td>{name}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            claim.line,
            words.unwrap_or_else(|| escaped(&flat(&claim.text, LONGEST))),
            escaped(&flat(why, LONGEST)),
            near.unwrap_or_default(),
        );
    }
    out.push_str("</tbody></table>");
    if claims.len() > CLAIMS {
        let more = counted(claims.len() - CLAIMS, "more claim");
        let _ = write!(out, "<p class=\"muted\">{more} not shown here</p>");
    }
}

/// The name of a verdict, and the class of its mark. What a model doubts has its own: it is less sure than what the record
/// shows.
fn verdict(claim: &Claim) -> (&'static str, &'static str) {
    match claim.verdict {
        Verdict::Unsupported if claim.reader == "model" => ("doubted", " class=\"doubt\""),
        Verdict::Supported => ("supported", " class=\"ok\""),
        Verdict::Unsupported => ("unsupported", ""),
        Verdict::Contradicted => ("contradicted", ""),
        Verdict::NotShown => ("not shown", " class=\"open\""),
    }
}

fn marked(window: &Window, class: &str) -> String {
    let [before, hit, after] = &window.parts;
    if window.length == 0 {
        return escaped(&window.text);
    }
    format!("{}<mark{class}>{}</mark>{}", escaped(before), escaped(hit), escaped(after))
}

/// The reply with its claims marked; flagged ones win where two overlap.
fn write_reply(out: &mut String, reply: &str, claims: &[Claim]) {
    let shown = reply.char_indices().take_while(|&(at, _)| at < REPLY).last().map_or(0, |(at, c)| at + c.len_utf8());
    let mut marks: Vec<&Claim> = Vec::new();
    let key = |claim: &Claim| (!claim.verdict.flagged(), claim.span);
    let whole: Vec<&Claim> = claims.iter().filter(|claim| claim.span.end <= shown).collect();
    for claim in sorted(whole, |a, b| key(a).cmp(&key(b))) {
        // The marks are kept in order and apart from each other, so that the neighbours decide.
        let at = marks.partition_point(|mark| mark.span.start < claim.span.start);
        let free = at.checked_sub(1).and_then(|i| marks.get(i)).is_none_or(|mark| mark.span.end <= claim.span.start)
            && marks.get(at).is_none_or(|mark| claim.span.end <= mark.span.start);
        let fits = !claim.span.of(reply).is_empty();
        if free && fits && marks.len() < CLAIMS {
            marks.insert(at, claim);
        }
    }
    out.push_str("<div class=\"reply\" role=\"group\" aria-label=\"reply\">");
    let text = reply.get(..shown).unwrap_or("");
    match pieces(text, &marks) {
        Some(pieces) => out.push_str(&pieces),
        // A secret reaches over the end of a claim, so the words are shown without marks.
        None => out.push_str(&escaped(&masked(text))),
    }
    if shown < reply.len() {
        let _ = write!(out, "<br><span class=\"muted\">… {} more bytes</span>", reply.len() - shown);
    }
    out.push_str("</div>");
}

fn pieces(text: &str, marks: &[&Claim]) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 64);
    let mut plain = String::with_capacity(text.len());
    let mut at = 0;
    for claim in marks {
        let [before, hit] = [text.get(at..claim.span.start)?, claim.span.of(text)].map(|part| masked(part));
        let (name, class) = verdict(claim);
        let title = if claim.verdict.flagged() { format!("{name}: {}", reason(claim)) } else { name.into() };
        let title = escaped(&flat(&title, LONGEST));
        let _ = write!(out, "{}<mark{class} title=\"{title}\">{}</mark>", escaped(&before), escaped(&hit));
        plain.extend([before, hit]);
        at = claim.span.end;
    }
    let [rest] = masked_parts([text.get(at..)?])?;
    out.push_str(&escaped(&rest));
    plain.push_str(&rest);
    (plain == masked(text)).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::super::samples::{self, claim, command, turn};
    use super::*;
    use crate::text::span::Span;
    use alloc::vec;
    use proptest::prelude::*;

    #[test]
    fn a_claim_is_marked_in_the_reply_and_listed_with_its_call() {
        let reply = "日本 🎉 All 42 tests pass.\nFound 2 files.";
        let mut first = claim(reply, "All 42 tests pass", Verdict::Contradicted, Some("the test output says 3 failed"));
        first.call = Some(0);
        let second = claim(reply, "Found 2 files", Verdict::Supported, None);
        let checked = samples::verification(vec![first, second]);
        let html = verification(&turn(reply, vec![command("npm test", 1, "3 failed")]), &checked);
        assert!(html.starts_with("<div class=\"counterfoil\"><style>"));
        assert!(html.contains(
            "日本 🎉 <mark title=\"contradicted: the test output says 3 failed\">All 42 tests pass</mark>.\n\
             <mark class=\"ok\" title=\"supported\">Found 2 files</mark>.</div>"
        ));
        assert!(html.contains(
            "<td>contradicted</td><td>1</td><td>日本 🎉 <mark>All 42 tests pass</mark>.</td>\
             <td>the test output says 3 failed</td><td>call 1: <code>npm test → exit 1</code>\
             <br><code class=\"muted\">3 failed</code></td>"
        ));
    }

    #[test]
    fn nothing_in_a_transcript_becomes_markup() {
        let evil = "<script>alert('x')</script>\"><img src=x onerror=1>&\u{202e}\u{1b}";
        let mut one = claim(evil, evil, Verdict::Unsupported, Some(evil));
        one.call = Some(0);
        let mut call = command(evil, 0, evil);
        call.tool = evil.into();
        let (mut session, found) = samples::report(vec![(turn(evil, vec![call.clone()]), vec![one.clone()])]);
        session.notes.push(evil.into());
        let cell = verification(&turn(evil, vec![call]), &samples::verification(vec![one]));
        for html in [cell, report(&session, &found), page(&[section(evil, &session, &found)])] {
            assert!(!html.contains("<script") && !html.contains("<img") && !html.contains('\u{1b}'), "{html}");
            assert!(!html.contains('\u{202e}'));
            assert!(html.contains("&lt;script&gt;alert(&#39;x&#39;)"));
        }
    }

    #[test]
    fn a_long_session_is_cut_and_says_so() {
        let reply = "All tests pass.";
        let one = |_| (turn(reply, vec![]), vec![claim(reply, "All tests pass", Verdict::Unsupported, None)]);
        let (session, found) = samples::report((0..260).map(one).collect());
        let html = report(&session, &found);
        assert_eq!(html.matches("<h3>turn ").count(), 200);
        assert!(html.contains("60 more turns with findings not shown here"));
    }

    #[test]
    fn a_huge_reply_is_cut_and_says_so() {
        let reply = "日本語 ".repeat(1_000_000);
        let html = verification(&turn(&reply, vec![]), &samples::verification(vec![]));
        assert!(html.len() < 30_000);
        assert!(html.contains("more bytes"));
    }

    #[test]
    fn a_secret_is_masked_in_reply_and_table() {
        let reply = "Pushed to https://ana:hunter2@example.com now, or https://ana:hunter2@example.org.";
        let one = claim(
            reply,
            "Pushed to https://ana:hunter2@example.com",
            Verdict::Unsupported,
            Some("see https://ana:hunter2@example.com"),
        );
        let html = verification(&turn(reply, vec![]), &samples::verification(vec![one]));
        assert!(!html.contains("hunter2"));
        assert!(html.contains("<mark title="));
    }

    #[test]
    fn a_session_without_findings_says_so() {
        let (session, found) = samples::report(vec![(turn("Hi.", vec![]), vec![])]);
        assert!(report(&session, &found).contains("nothing flagged"));
    }

    proptest! {
        #[test]
        fn any_reply_and_any_spans_give_html(reply in "(?s).{0,60}", spans in proptest::collection::vec((0_usize..80, 0_usize..80), 0..6)) {
            let claims: Vec<Claim> = spans.into_iter().map(|(start, end)| {
                let mut one = claim("x", "x", if start % 2 == 0 { Verdict::Supported } else { Verdict::Unsupported }, None);
                one.span = Span::new(start, end);
                one.call = Some(start);
                one
            }).collect();
            let html = verification(&turn(&reply, vec![]), &samples::verification(claims));
            prop_assert!(html.ends_with("</div>"));
        }
    }
}
