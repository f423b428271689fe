//! The check: prose and needles of every reply, one walk over the record, then the readers in their order.

mod judge;

use crate::cited;
use crate::evidence::index::{Part, Record, View, Wanted};
use crate::evidence::needles::Scope;
use crate::options::{Mode, Options};
use crate::prose::Prose;
use crate::ran;
use crate::readers::{self, Found, Lexicon, Probed, Reading, Support, Tools, READERS};
use crate::record::{Call, Session, Turn, JOINT};
use crate::render::{line, safe};
use crate::sort::sorted;
use crate::text::span::{quote, Unit};
use crate::VERSION;
use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use judge::Judge;

pub use crate::result::{
    Citations, Claim, ModelTotals, Outcome, Proof, Report, Totals, TurnReport, Verdict, Verification,
};

/// Checks every claim in the reply against the calls of this turn and the earlier ones.
///
/// `None` means that nothing was read, not that all is well: the mode is off, there is no record, or the reply makes no
/// claim that a reader can read and no proof of read was given. Spans in the result count bytes of [`Turn::text`].
///
/// ```
/// use counterfoil::{verify, Call, Options, Outcome, Piece, Status, Turn};
///
/// let call = Call {
///     tool: "bash".into(),
///     arguments: serde_json::json!({"command": "rm notes.txt"}),
///     output: Some("rm: notes.txt: Permission denied".into()),
///     status: Status::Error,
///     exit: Some(1),
///     ..Call::default()
/// };
/// let reply = vec![Piece { text: "I removed the file `notes.txt`.".into(), interim: false }];
/// let turn = Turn { reply, calls: Some(vec![call]), ..Turn::default() };
///
/// let found = verify(&turn, &Options::default()).expect("a claim was read");
/// assert_eq!(found.status, Outcome::Unsupported);
/// assert_eq!(found.claims[0].reason.as_deref(), Some("no removal in this turn succeeded"));
/// ```
///
/// # Cost
/// Linear in the bytes of the reply and of the outputs. At most 1,000 claims of a reply are read.
pub fn verify(turn: &Turn, options: &Options) -> Option<Verification> {
    let parts = [Part { turn: None, calls: &turn.earlier }, part(turn)];
    let judged = check(&parts, Asked::default(), options, &mut |_, _| ControlFlow::Continue(()));
    judged?.pop().flatten().map(|judged| judged.result)
}

/// Checks every turn of a session; a turn's earlier calls are those of the turns before it.
///
/// A turn of a session is checked with this and not with [`verify`]: what the turns before it did and were told holds for
/// it too, and a turn taken out of its session lacks that.
///
/// ```
/// use counterfoil::{transcript, verify_session, Options};
///
/// let text = r#"[
///     {"role": "user", "content": "Do the tests pass?"},
///     {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function",
///         "function": {"name": "bash", "arguments": "{\"command\": \"pytest\"}"}}]},
///     {"role": "tool", "tool_call_id": "c1", "content": "2 failed, 7 passed in 0.31s"},
///     {"role": "assistant", "content": "All tests pass."}
/// ]"#;
/// let report = verify_session(&transcript::parse(text, None)?, &Options::default());
///
/// assert_eq!((report.totals.turns, report.totals.flagged), (1, 1));
/// assert_eq!(report.turns[0].ran.as_deref(), Some("ran: bash"));
/// let line = report.turns[0].verification.as_ref().and_then(|found| found.line.as_deref());
/// assert_eq!(line, Some("unsupported: \"All tests pass\" (the test output says 2 failed, 7 passed in 0.31s)"));
/// # Ok::<(), counterfoil::Error>(())
/// ```
///
/// # Cost
/// Linear in the session: every output is walked once, whatever the number of turns.
pub fn verify_session(session: &Session, options: &Options) -> Report {
    verify_session_with(session, options, &mut |_, _| ControlFlow::Continue(())).unwrap_or_else(empty)
}

/// Hears how many steps are done, and of how many; says whether to go on.
pub type Progress<'p> = dyn FnMut(usize, usize) -> ControlFlow<()> + 'p;

/// [`verify_session`] for a host that shows how far it has come or lets its user stop.
///
/// A turn takes two steps: its reply is read, and its claims are judged. `None` when `progress` broke off.
///
/// ```
/// use core::ops::ControlFlow;
/// use counterfoil::{transcript, verify_session_with, Options};
///
/// let session = transcript::parse(r#"[{"reply": "Hello.", "calls": []}, {"reply": "Done.", "calls": []}]"#, None)?;
/// let mut seen = Vec::new();
/// let report = verify_session_with(&session, &Options::default(), &mut |done, total| {
///     seen.push((done, total));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(report.map(|report| report.totals.turns), Some(2));
/// assert_eq!(seen, [(1, 4), (2, 4), (3, 4), (4, 4)]);
/// assert!(verify_session_with(&session, &Options::default(), &mut |_, _| ControlFlow::Break(())).is_none());
/// # Ok::<(), counterfoil::Error>(())
/// ```
pub fn verify_session_with(session: &Session, options: &Options, progress: &mut Progress<'_>) -> Option<Report> {
    let before = session.turns.first().map_or(&[][..], |t| t.earlier.as_slice());
    let mut parts = Vec::with_capacity(session.turns.len() + 1);
    parts.push(Part { turn: None, calls: before });
    parts.extend(session.turns.iter().map(part));
    let judged = check(&parts, Asked::default(), options, progress)?;
    let mut report = empty();
    let mut carried = Carried::new(before, options);
    for (i, (turn, judged)) in session.turns.iter().zip(judged.into_iter().skip(1)).enumerate() {
        report.turns.push(carried.report(turn, i + 1, judged, &mut report.totals));
    }
    Some(report)
}

/// What the reports of the turns before hand on to the next one.
#[derive(Debug, Default)]
pub(crate) struct Carried {
    /// Names of the tools on offer.
    tools: Option<Vec<String>>,
    /// Names of the tools that were called.
    called: BTreeSet<String>,
}

impl Carried {
    /// Before the first turn; `before` are the calls in front of it.
    pub(crate) fn new(before: &[Call], options: &Options) -> Self {
        let mut carried = Carried { tools: options.tools.clone(), called: BTreeSet::new() };
        carried.hear(before);
        carried
    }

    fn hear(&mut self, calls: &[Call]) {
        for call in calls {
            if !self.called.contains(&call.tool) {
                self.called.insert(call.tool.clone());
            }
        }
    }

    /// The report on a turn. The sums are those of the session so far.
    pub(crate) fn report(
        &mut self,
        turn: &Turn,
        number: usize,
        judged: Option<Judged<'_>>,
        totals: &mut Totals,
    ) -> TurnReport {
        let text = text(turn);
        if turn.tools.is_some() {
            self.tools.clone_from(&turn.tools);
        }
        let ran = turn.calls.as_deref().and_then(|calls| {
            let (names, more): (Vec<&str>, Vec<String>) = match (calls.is_empty(), &self.tools) {
                (false, _) => (Vec::new(), Vec::new()),
                (true, Some(tools)) => (tools.iter().map(String::as_str).collect(), Vec::new()),
                (true, None) => (self.called.iter().map(String::as_str).collect(), readers::call_names(&text)),
            };
            let more: Vec<&str> = more.iter().map(String::as_str).collect();
            ran::ran_in(&text, calls, &names, &more)
        });
        let cited = turn.entries.as_ref().map(|entries| cited::cited(&text, entries));
        self.hear(turn.calls.as_deref().unwrap_or(&[]));
        let calls = turn.calls.as_ref().map_or(0, Vec::len);
        let (mut claims, mut flagged) = (0, 0);
        if let Some(judged) = &judged {
            claims = judged.read;
            for (reader, count) in &judged.flagged {
                flagged += count;
                *totals.by_reader.entry((*reader).to_string()).or_default() += count;
            }
        }
        totals.turns += 1;
        totals.calls += calls;
        totals.claims += claims;
        totals.flagged += flagged;
        if let Some(model) = &turn.model {
            let sums = totals.by_model.entry(model.clone()).or_default();
            sums.turns += 1;
            sums.calls += calls;
            sums.claims += claims;
            sums.flagged += flagged;
        }
        TurnReport { turn: number, ran, cited, verification: judged.map(|j| j.result) }
    }
}

/// A report without turns.
fn empty() -> Report {
    Report { version: VERSION.to_string(), unit: Unit::Utf8, turns: Vec::new(), totals: Totals::default() }
}

pub(crate) fn part(turn: &Turn) -> Part<'_> {
    Part { turn: Some(turn), calls: turn.calls.as_deref().unwrap_or(&[]) }
}

/// The reply as one text, without a copy where it has one piece.
fn text(turn: &Turn) -> Cow<'_, str> {
    match turn.reply.as_slice() {
        [piece] => Cow::Borrowed(piece.text.as_str()),
        _ => Cow::Owned(turn.text()),
    }
}

/// A result with what its counts leave out.
pub(crate) struct Judged<'o> {
    result: Verification,
    /// How many claims were read.
    read: usize,
    /// How many were flagged by each reader, those beyond the limit included.
    flagged: BTreeMap<&'o str, usize>,
}

/// Which parts are checked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked {
    /// The first of them; those in front of it are only looked at.
    pub(crate) first: usize,
    /// Outputs of calls in front of it were given up: that nothing shows a claim is then no reason to flag it.
    pub(crate) lost: bool,
}

/// Checks every part that is a turn; `None` when `progress` broke off.
pub(crate) fn check<'o>(
    parts: &[Part<'_>],
    asked: Asked,
    options: &'o Options,
    progress: &mut Progress<'_>,
) -> Option<Vec<Option<Judged<'o>>>> {
    if options.mode == Mode::Off {
        return Some(parts.iter().map(|_| None).collect());
    }
    let total = 2 * parts.iter().filter(|p| p.turn.is_some()).count();
    let mut done = 0;
    let mut step = |part: &Part<'_>| {
        done += usize::from(part.turn.is_some());
        part.turn.map_or(ControlFlow::Continue(()), |_| progress(done, total))
    };
    let on = |name: &str| {
        let default = READERS.iter().find(|r| r.name == name).is_some_and(|r| r.default);
        options.readers.get(name).copied().unwrap_or(default)
    };
    let tools = tools(parts, options);
    let offered = options.tools.is_some() || parts.iter().any(|p| p.turn.is_some_and(|t| t.tools.is_some()));
    let lexicon = Lexicon::new(on);
    let mut wanted = Wanted::default();
    let mut found = Vec::with_capacity(parts.len());
    for (i, part) in parts.iter().enumerate() {
        found.push(part.turn.filter(|t| i >= asked.first && t.calls.is_some()).map_or_else(Vec::new, |turn| {
            let text = text(turn);
            let prose = Prose::read(&text);
            let found = readers::read(Reading::new(&prose, &tools, offered, i, &mut wanted), &lexicon, on);
            with_rules(found, options, Reading::new(&prose, &tools, offered, i, &mut wanted))
        }));
        step(part).continue_value()?;
    }
    let mut record = Record::new(parts, &options.roles);
    let judge =
        Judge { lost: asked.lost, ..Judge::new(options, Probed::new(&options.canaries, parts, asked.first == 0)) };
    let found = settle(found, &judge, &mut record, &mut wanted);
    let mut judged = Vec::with_capacity(parts.len());
    for (i, (part, found)) in parts.iter().zip(found).enumerate() {
        let view = View::new(&record, i).filter(|_| i >= asked.first);
        judged.push(view.and_then(|view| judge.judge(found, &view, i)));
        step(part).continue_value()?;
    }
    Some(judged)
}

/// A claim with what the record says of it, unless that waits for a place to be looked up.
type Settled = (Found, Option<Support>);

/// Judges the claims for which nothing must be looked up, and looks up what the others ask for.
fn settle(
    found: Vec<Vec<Found>>,
    judge: &Judge<'_>,
    record: &mut Record<'_>,
    wanted: &mut Wanted,
) -> Vec<Vec<Settled>> {
    let mut pending = Vec::new();
    let mut settled = Vec::with_capacity(found.len());
    for (part, found) in found.into_iter().enumerate() {
        let view = View::new(record, part);
        let judged = found.into_iter().map(|mut one| {
            let support = view.as_ref().map(|view| judge.check_turn(&one, view));
            // What would be flagged is asked again, with the earlier calls.
            let support = support.filter(|s| !view.as_ref().is_some_and(View::waits) && !flags(s));
            if support.is_none() {
                let texts = (readers::form(&one).asks)(&one);
                one.needles.extend(texts.iter().filter_map(|text| wanted.text(Scope::Told, text)));
                pending.extend(one.needles.iter().chain(&one.others).map(|&id| (part, id)));
            }
            (one, support)
        });
        settled.push(judged.collect());
    }
    record.look_up(wanted, &pending);
    settled
}

/// The tools that are on offer or in the record.
fn tools(parts: &[Part<'_>], options: &Options) -> Tools {
    let offered = parts.iter().filter_map(|p| p.turn?.tools.as_ref()).chain(&options.tools).flatten();
    let called = parts.iter().flat_map(|p| p.calls).map(|c| &c.tool);
    Tools::new(offered.chain(called).map(String::as_str))
}

/// The claims of the readers, and behind them those of the host's rules.
#[cfg(feature = "rules")]
fn with_rules(mut found: Vec<Found>, options: &Options, reading: Reading<'_, '_>) -> Vec<Found> {
    found.extend(readers::read_rules(reading, options));
    found
}

#[cfg(not(feature = "rules"))]
fn with_rules(found: Vec<Found>, _: &Options, _: Reading<'_, '_>) -> Vec<Found> {
    found
}

fn flags(support: &Support) -> bool {
    matches!(support, Support::Not(..) | Support::Against(..))
}

/// Joins the claims about neighbouring lines of a block that came out the same way.
fn join_lines(claims: Vec<(Found, Support)>, reply: &str) -> Vec<(Found, Support)> {
    let mut joined: Vec<(Found, Support)> = Vec::with_capacity(claims.len());
    for (found, support) in claims {
        if let (Some((last, held)), None) = (joined.last_mut(), found.clause) {
            let between = reply.get(last.span.end..found.span.start).unwrap_or("x");
            let near = last.clause.is_none() && last.form == found.form && between.trim().is_empty();
            let alike = core::mem::discriminant(held) == core::mem::discriminant(&support);
            let beside = (flags(held) && support == Support::Beside) || (*held == Support::Beside && flags(&support));
            if near && beside && *held == Support::Beside {
                *held = support;
                last.span.end = found.span.end;
                continue;
            }
            if near && (alike || beside) {
                last.span.end = found.span.end;
                continue;
            }
        }
        joined.push((found, support));
    }
    joined.retain(|(_, support)| *support != Support::Beside);
    joined
}

/// A reason as people read it: what a command or an output has in it of control characters, or of marks that turn the
/// writing direction, is told by other characters.
fn shown(reason: &str) -> String {
    reason.chars().map(safe).collect()
}

/// Shapes what was judged as the result that hosts see.
fn result(judged: Vec<(Found, Support)>, view: &View<'_, '_>, judge: &Judge<'_>, reply: &str) -> Verification {
    let options = judge.options;
    let start = view.now().start;
    let lines: Vec<usize> = memchr::memchr_iter(b'\n', reply.as_bytes()).collect();
    let (mut claims, mut wants) = (Vec::with_capacity(judged.len()), Vec::new());
    let mut flagged = 0;
    for (found, support) in judged {
        let (verdict, reason, call, evidence) = match support {
            Support::By(call, span) => (Verdict::Supported, None, call, span),
            Support::Not(reason, call) => (Verdict::Unsupported, Some(shown(&reason)), call, None),
            Support::Against(reason, call, span) => (Verdict::Contradicted, Some(shown(&reason)), Some(call), span),
            Support::Cut(calls) => {
                wants.extend(calls.into_iter().filter_map(|c| c.checked_sub(start)));
                (Verdict::NotShown, None, None, None)
            }
            Support::Beside | Support::Leave => continue,
        };
        flagged += usize::from(verdict.flagged());
        if verdict.flagged() && flagged > options.limits.flagged {
            continue;
        }
        claims.push(Claim {
            reader: judge.reader(&found).to_string(),
            text: quote(found.span.of(reply), options.limits.quote),
            verdict,
            reason,
            span: found.span,
            line: lines.partition_point(|&at| at < found.span.start) + 1,
            call: call.and_then(|c| c.checked_sub(start)),
            earlier: call.filter(|&c| c < start),
            evidence: evidence.filter(|_| call.is_some()),
        });
    }
    let mut wants = sorted(wants, Ord::cmp);
    wants.dedup();
    let status = if flagged > 0 {
        Outcome::Unsupported
    } else if claims.iter().any(|c| c.verdict == Verdict::Supported) {
        Outcome::Verified
    } else {
        Outcome::NotShown
    };
    let line = line::line(&claims, flagged.saturating_sub(options.limits.flagged));
    Verification { status, wants, line, claims, ..nothing_read(view.turn) }
}

/// The result of a turn before anything was read in it.
pub(crate) fn nothing_read(turn: &Turn) -> Verification {
    Verification {
        version: VERSION.to_string(),
        unit: Unit::Utf8,
        status: Outcome::NotShown,
        method: "readers".to_string(),
        calls: turn.calls.as_ref().map_or(0, Vec::len),
        complete: if turn.gaps.none() { "yes" } else { "no" }.to_string(),
        wants: Vec::new(),
        failure: None,
        answer: None,
        claims: Vec::new(),
        canaries: Vec::new(),
        line: None,
        joined: (turn.reply.len() > 1).then(|| JOINT.to_string()),
    }
}
