//! The whole record as the readers see it: every call's facts, and every needle's first places, from one pass.

use super::acts::Act;
use super::coverage::{self, Coverage};
use super::deeds::{Deed, Deeds};
use super::ended::{self, Answer};
use super::facts::{Facts, Tool};
use super::keys::{keys, MOST};
use super::labels::{Labels, Vocabulary};
use super::lookup::{self, Walk};
use super::needles::Id;
use super::numbers::countable::Countables;
use super::numbers::derive::Figures;
use super::numbers::Number;
use super::outcome::{self, BuildWords, Summary};
use super::roles::Role;
use super::seen::Seen;
use super::stand_in::{self, StandIn};
use super::writes::Writes;
use crate::record::{Call, Status, Turn};
use crate::text::span::Span;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::cell::{Cell, OnceCell, RefCell};
use core::ops::Range;

pub use super::lookup::{scalars, strings, Hit, Place, Wanted};

/// The calls of one turn with what the agent was given in it. The calls before the first turn have no turn.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The turn, if it is known as one.
    pub turn: Option<&'a Turn>,
    /// Its calls.
    pub calls: &'a [Call],
}

/// The record of a session, or of one turn with the calls before it.
pub struct Record<'a> {
    /// All calls, oldest first.
    pub facts: Vec<Facts<'a>>,
    /// Which of them each part made.
    pub ranges: Vec<Range<usize>>,
    parts: &'a [Part<'a>],
    /// For each act the calls that did it or may have, and those that did it by their name.
    able: [Vec<usize>; Act::ALL.len()],
    named: [Vec<usize>; Act::ALL.len()],
    /// Calls that did a deed or may have, by the deed; those that may have done any stand apart.
    doers: [Vec<usize>; Deed::ALL.len()],
    doers_of_any: Vec<usize>,
    /// Calls that may have written any file.
    writers: Vec<usize>,
    tools: BTreeMap<&'a str, usize>,
    /// For each of the tools its calls.
    called: Vec<Vec<usize>>,
    refused: Vec<usize>,
    cut: Vec<usize>,
    asks: Vec<usize>,
    failed: Vec<usize>,
    /// Calls that searched, listed or looked.
    searches: Vec<usize>,
    /// The calls that exited with each number; the number's bits are the key.
    exits: BTreeMap<u64, Vec<usize>>,
    /// Commands that may have exited with 0, and with another number, without the record saying so.
    open: [Vec<usize>; 2],
    counted: RefCell<Counted>,
    /// What was worked out of each call, as far as claims asked for it.
    learned: Vec<Learned>,
    /// Which calls ran each program, by its name without its folder.
    programs: BTreeMap<String, usize>,
    ran: Vec<Vec<usize>>,
    /// The first part in which the person's messages are known.
    heard: Option<usize>,
    /// The places of what was asked for; none before it was looked up.
    hits: Option<Vec<Option<Hit>>>,
    build_words: BuildWords,
    /// The first part in which the person gave material to look at.
    material: OnceCell<Option<usize>>,
    /// The first part in which the person asked for a text.
    texts: OnceCell<Option<usize>>,
    /// The labelled values of each part's outputs.
    labels: Vec<OnceCell<Labels>>,
}

/// What was worked out of a call. Most calls are never asked for it, so that it is small.
#[derive(Default)]
struct Learned {
    counts: OnceCell<Option<Box<Countables>>>,
    lines: OnceCell<u64>,
    /// The folded texts of its arguments, and their numbers.
    values: OnceCell<Box<Values>>,
    tests: OnceCell<Option<Box<Summary>>>,
    builds: OnceCell<Option<Box<Summary>>>,
    checks: OnceCell<Option<Box<Summary>>>,
    answer: OnceCell<Answer>,
    coverage: OnceCell<Option<Box<Coverage>>>,
    summaries: OnceCell<Vec<Summary>>,
    /// What it let the agent see.
    seen: OnceCell<Box<Seen>>,
}

impl<'a> Record<'a> {
    /// Works out the facts of every call.
    pub fn new(parts: &'a [Part<'a>], roles: &BTreeMap<String, Role>) -> Self {
        let mut facts = Vec::with_capacity(parts.iter().map(|p| p.calls.len()).sum());
        let mut ranges = Vec::with_capacity(parts.len());
        let (mut tools, mut seen, mut called) = (BTreeMap::new(), Vec::new(), Vec::<Vec<usize>>::new());
        for part in parts {
            let start = facts.len();
            facts.extend(part.calls.iter().zip(start..).map(|(call, i)| {
                let tool = *tools.entry(call.tool.as_str()).or_insert(seen.len());
                if tool == seen.len() {
                    seen.push(Tool::new(&call.tool, roles));
                    called.push(Vec::new());
                }
                called[tool].push(i);
                Facts::with(call, seen[tool])
            }));
            ranges.push(start..facts.len());
        }
        let mut record = Record {
            parts,
            ranges,
            able: Default::default(),
            named: Default::default(),
            tools,
            called,
            doers: Default::default(),
            doers_of_any: Vec::new(),
            writers: Vec::new(),
            refused: Vec::new(),
            cut: Vec::new(),
            asks: Vec::new(),
            failed: Vec::new(),
            searches: Vec::new(),
            exits: BTreeMap::new(),
            open: Default::default(),
            counted: RefCell::default(),
            learned: facts.iter().map(|_| Learned::default()).collect(),
            programs: BTreeMap::new(),
            ran: Vec::new(),
            heard: parts.iter().position(|p| p.turn.is_some_and(|t| t.user.is_some() || t.said.is_some())),
            hits: None,
            build_words: BuildWords::new(),
            material: OnceCell::new(),
            texts: OnceCell::new(),
            labels: parts.iter().map(|_| OnceCell::new()).collect(),
            facts,
        };
        record.sort();
        record
    }

    fn sort(&mut self) {
        for (i, facts) in self.facts.iter().enumerate() {
            if facts.succeeded {
                for act in Act::ALL {
                    if facts.acts.could(act) {
                        self.able[act as usize].push(i);
                    }
                    if facts.acts.names(act) {
                        self.named[act as usize].push(i);
                    }
                }
            }
            if facts.succeeded && !facts.refuses {
                if facts.deeds.may == Deeds::ANY.may {
                    self.doers_of_any.push(i);
                } else {
                    let able = |deed: &&Deed| facts.deeds.could(**deed);
                    Deed::ALL.iter().filter(able).for_each(|&deed| self.doers[deed as usize].push(i));
                }
            }
            if facts.writes == Writes::Any {
                self.writers.push(i);
            }
            for program in facts.commands.iter().filter_map(|c| c.words.first()) {
                let name = program.rsplit('/').next().unwrap_or(program);
                match self.programs.get(name) {
                    Some(&at) if self.ran[at].last() == Some(&i) => {}
                    Some(&at) => self.ran[at].push(i),
                    None => {
                        self.programs.insert(name.to_string(), self.ran.len());
                        self.ran.push(vec![i]);
                    }
                }
            }
            if matches!(facts.call.status, Status::Denied | Status::Declined) {
                self.refused.push(i);
            }
            if facts.call.truncated {
                self.cut.push(i);
            }
            if facts.role == Role::Ask {
                self.asks.push(i);
            }
            if facts.ran() && !facts.succeeded {
                self.failed.push(i);
            }
            if facts.searches() {
                self.searches.push(i);
            }
            if let Some(exit) = facts.call.exit {
                self.exits.entry(exit as u64).or_default().push(i);
            }
            for (n, open) in self.open.iter_mut().enumerate() {
                if facts.may_have_exited(n as i64) {
                    open.push(i);
                }
            }
        }
    }

    /// What can be counted in a call's output, the host's envelope left out.
    fn counts(&self, call: usize) -> Option<&Countables> {
        let of = |output: &String| Box::new(Countables::of(&output[super::envelope::body(output).range(output)]));
        self.learned[call].counts.get_or_init(|| self.facts[call].call.output.as_ref().map(of)).as_deref()
    }

    /// How many lines a call printed, or how long a list: the more of them.
    fn lines(&self, call: usize) -> u64 {
        let count = || {
            let Some(output) = self.facts[call].call.output.as_deref() else { return 0 };
            let list = output.trim_start().starts_with(['[', '{']);
            let listed = if list { self.counts(call).and_then(|c| c.iter().max()) } else { None };
            listed.unwrap_or(0).max(super::envelope::lines(output) as u64)
        };
        *self.learned[call].lines.get_or_init(count)
    }

    /// The first part in which a message of the person is of a kind.
    fn said(&self, kind: fn(&str) -> bool) -> Option<usize> {
        let messages = |part: &Part<'a>| part.turn.map(|t| t.user.iter().chain(t.said.iter().flatten()));
        self.parts.iter().position(|part| messages(part).into_iter().flatten().any(|text| kind(text)))
    }

    /// Looks up what the claims of some parts asked for: the part and the thing, in the order of the parts.
    pub fn look_up(&mut self, wanted: &Wanted, pending: &[(usize, Id)]) {
        let walk = Walk { parts: self.parts, facts: &self.facts, ranges: &self.ranges };
        self.hits = Some(lookup::look_up(walk, wanted, pending));
    }
}

/// The calls that let something be counted to each number, as far as they were asked for.
#[derive(Default)]
struct Counted {
    calls: BTreeMap<u64, Vec<usize>>,
    done: usize,
}

impl Counted {
    /// The last call before `end` whose output lets something be counted to so many.
    fn before(&mut self, count: u64, end: usize, record: &Record<'_>) -> Option<usize> {
        while self.done < end {
            for n in record.counts(self.done).iter().flat_map(|counts| counts.iter()) {
                self.calls.entry(n).or_default().push(self.done);
            }
            self.done += 1;
        }
        let calls = self.calls.get(&count)?;
        calls.partition_point(|&call| call < end).checked_sub(1).map(|i| calls[i])
    }
}

/// The record as it stands at the end of one turn.
pub struct View<'r, 'a> {
    record: &'r Record<'a>,
    part: usize,
    /// The turn.
    pub turn: &'a Turn,
    figures: OnceCell<Figures>,
    waits: Cell<bool>,
    unseen: OnceCell<Vec<usize>>,
    keys: OnceCell<Vec<(usize, Span)>>,
    vocabulary: OnceCell<Vocabulary>,
    wrapper: OnceCell<Option<usize>>,
    instruments: OnceCell<Vec<(usize, Role, Vec<String>)>>,
    shared: [OnceCell<Option<usize>>; 12],
    /// For each deed the call that tells of it.
    told: [OnceCell<Option<usize>>; Deed::ALL.len()],
    /// Whether the agent was given a passing run, of builds and of tests.
    given: [OnceCell<bool>; 2],
    stand_in: OnceCell<Option<StandIn>>,
    unended: OnceCell<Vec<usize>>,
    /// What the runs of tests and of builds came to: for claims about a part, for those about all, and by other calls.
    courses: [[OnceCell<Course>; 3]; 2],
}

/// What the runs of one kind in a turn came to. It is the same for every claim, so that it is worked out once.
#[derive(Clone, Debug, Default)]
pub struct Course {
    /// The first call whose summary counts so many.
    pub counted: BTreeMap<u64, usize>,
    /// The last call that passed, and whether its summary says so.
    pub passed: Option<(usize, bool)>,
    /// The last call that may have run it unseen.
    pub may: Option<usize>,
    /// The last call whose summary says that it failed.
    pub failed: Option<usize>,
}

/// A call for which all outputs of a turn have to be read. It is the same for every claim, so that it is found once.
#[derive(Clone, Copy, Debug)]
pub enum Shared {
    /// It tells of a pass in whatever words.
    Pass,
    /// Its failure names a policy.
    Policy,
    /// Its failure names the operating system or a sandbox.
    System,
    /// No call but a number: how many lines of outputs tell of a test that passed.
    Marks,
    /// No call either: there is one when the reply tells of running something again.
    Again,
    /// Likewise, when the reply tells of content that stands in for the real one.
    Disclosed,
    /// It ran tests, or something behind a build, so that what is said to be built was.
    Built,
    /// It may have told of a coverage that is in no line for the whole.
    Coverage,
    /// It may have read a file without naming it; further, one that programs read by themselves; a page that was opened;
    /// both.
    Open,
    /// See [`Shared::Open`].
    OpenImplied,
    /// See [`Shared::Open`].
    OpenKeyed,
    /// See [`Shared::Open`].
    OpenBoth,
}

/// What a call's arguments hold, made ready for comparing.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// Texts, scalars and keys, folded.
    pub texts: Vec<Vec<u8>>,
    /// Numbers.
    pub numbers: Vec<Number>,
}

impl Values {
    fn of(arguments: &serde_json::Value) -> Self {
        let scalars = lookup::scalars(arguments);
        let keys = arguments.as_object().into_iter().flat_map(|object| object.keys());
        let texts = lookup::strings(arguments).into_iter().chain(scalars.iter().map(String::as_str));
        let numbers = scalars.iter().filter_map(|n| super::numbers::parse(n)).collect();
        Values { texts: texts.chain(keys.map(String::as_str)).map(crate::text::fold::fold).collect(), numbers }
    }
}

/// A message of so many bytes holds more than a request.
const MATERIAL: usize = 1_500;

/// Words with which a person asks for a text.
#[rustfmt::skip]
const TEXTS: &[&str] = &[
    "announcement", "blog", "cover letter", "dialog", "diary", "draft", "e-mail", "email", "essay", "fiction", "letter",
    "lyrics", "novel", "paraphrase", "poem", "proofread", "readme", "release notes", "rephrase", "reword", "role-play",
    "roleplay", "speech", "story", "testimonial", "translate", "tweet",
];

/// Whether a message asks for a text to be written.
fn wants_text(text: &str) -> bool {
    let lower = text.to_lowercase();
    TEXTS.iter().any(|word| lower.contains(word))
}

/// Whether a message holds more than a request.
fn is_material(text: &str) -> bool {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    text.len() > MATERIAL || text.contains("```") || lines.take(6).count() == 6
}

/// How many bytes of a turn's outputs are searched for numbers that others could follow from.
const FIGURED: usize = 1 << 20;

impl<'r, 'a> View<'r, 'a> {
    /// The view at the end of `part`; none where it is no turn.
    pub fn new(record: &'r Record<'a>, part: usize) -> Option<Self> {
        let turn = record.parts.get(part)?.turn?;
        Some(View {
            record,
            part,
            turn,
            figures: OnceCell::new(),
            waits: Cell::new(false),
            unseen: OnceCell::new(),
            keys: OnceCell::new(),
            vocabulary: OnceCell::new(),
            wrapper: OnceCell::new(),
            instruments: OnceCell::new(),
            shared: [const { OnceCell::new() }; 12],
            told: [const { OnceCell::new() }; Deed::ALL.len()],
            given: [const { OnceCell::new() }; 2],
            stand_in: OnceCell::new(),
            unended: OnceCell::new(),
            courses: Default::default(),
        })
    }

    /// Whether a place was asked for, since this was asked last, before anything was looked up. What the record answered
    /// in the meantime is then to be asked again.
    pub fn waits(&self) -> bool {
        self.waits.take()
    }

    /// Puts a claim off until places were looked up, if they were not yet.
    pub fn look_up_first(&self) {
        if self.record.hits.is_none() {
            self.waits.set(true);
        }
    }

    /// The turn's own calls, counted over the whole record.
    pub fn now(&self) -> Range<usize> {
        self.record.ranges[self.part].clone()
    }

    /// A call's facts.
    pub fn facts(&self, call: usize) -> &'r Facts<'a> {
        &self.record.facts[call]
    }

    /// The facts of every call of the record, those of later turns included.
    #[cfg(feature = "rules")]
    pub(crate) fn record(&self) -> &'r [Facts<'a>] {
        &self.record.facts
    }

    /// The turn's own calls with their numbers.
    pub fn calls(&self) -> impl DoubleEndedIterator<Item = (usize, &'r Facts<'a>)> + 'r {
        let record = self.record;
        self.now().map(move |i| (i, &record.facts[i]))
    }

    /// Where a text or a number stands: in this turn, else before it.
    pub fn hit(&self, id: Id) -> Option<Hit> {
        self.look_up_first();
        self.record.hits.as_ref()?.get(id).copied().flatten()
    }

    /// The last of `calls` in this turn, else the last before it.
    fn last(&self, calls: &[usize]) -> Option<usize> {
        let end = calls.partition_point(|&c| c < self.now().end);
        end.checked_sub(1).map(|i| calls[i])
    }

    /// The last call that did the act, else the last that may have: in this turn, else before it.
    pub fn doer(&self, act: Act) -> Option<usize> {
        let named = self.last(&self.record.named[act as usize]);
        let able = self.last(&self.record.able[act as usize]);
        match (named, able) {
            (Some(n), Some(a)) if n < self.now().start && a >= self.now().start => Some(a),
            (Some(n), _) => Some(n),
            (None, able) => able,
        }
    }

    /// The calls of this turn in front of one of them.
    pub fn calls_before(&self, call: usize) -> &'r [Facts<'a>] {
        self.record.facts.get(self.now().start..call).unwrap_or(&[])
    }

    /// The last call of an earlier turn that did the act or may have.
    pub fn before(&self, act: Act) -> Option<usize> {
        let calls = &self.record.able[act as usize];
        calls.partition_point(|&c| c < self.now().start).checked_sub(1).map(|i| calls[i])
    }

    /// The last call that did the deed or may have: in this turn, else before it.
    pub fn did(&self, deed: Deed) -> Option<usize> {
        let some = self.last(&self.record.doers[deed as usize]);
        some.max(self.last(&self.record.doers_of_any))
    }

    /// The calls of this turn that did the deed by their name or line, had they succeeded, latest first.
    pub fn tried(&self, deed: Deed) -> impl Iterator<Item = (usize, &'r Facts<'a>)> + 'r {
        self.calls().rev().filter(move |(_, f)| f.deeds.names(deed))
    }

    /// The last call of this turn that acts and whose output tells of the deed: a secondary effect, or a step that was done
    /// before a failure. All outputs are read for it, once a turn.
    pub fn told(&self, deed: Deed) -> Option<usize> {
        let acts = |f: &Facts<'_>| f.ran() && !f.refuses && f.deeds != Deeds::NONE;
        let tells =
            |f: &Facts<'_>| f.call.output.as_deref().is_some_and(|o| super::deeds::tells(deed, o, !f.succeeded));
        let find = || self.calls().rev().find(|(_, f)| acts(f) && tells(f)).map(|(call, _)| call);
        *self.told[deed as usize].get_or_init(find)
    }

    /// The last call that may have written any file, in this turn or before it.
    pub fn wrote_any(&self) -> Option<usize> {
        self.last(&self.record.writers)
    }

    /// The last call that did the act by its name, in this turn or before it.
    pub fn named(&self, act: Act) -> Option<usize> {
        self.last(&self.record.named[act as usize])
    }

    /// The last call in this turn that did the act or may have.
    pub fn doer_now(&self, act: Act) -> Option<usize> {
        self.doer(act).filter(|c| self.now().contains(c))
    }

    /// The last call that a policy or a person turned away.
    pub fn refused(&self) -> Option<usize> {
        self.last(&self.record.refused)
    }

    /// Calls that ran and failed: those of this turn, latest first, then a bounded number of those before it.
    pub fn failed(&self) -> impl Iterator<Item = usize> + 'r {
        let calls = self.record.failed.as_slice();
        calls[..calls.partition_point(|&c| c < self.now().end)].iter().rev().copied().take(64 + self.now().len())
    }

    /// The last call that exited with this number: in this turn, else before it.
    pub fn exited(&self, exit: i64) -> Option<usize> {
        self.last(self.record.exits.get(&(exit as u64))?)
    }

    /// The last command that may have exited with this number unrecorded: in this turn, else before it.
    pub fn exit_open(&self, exit: i64) -> Option<usize> {
        self.last(&self.record.open[usize::from(exit != 0)])
    }

    /// The last call whose output lets something be counted to so many: in this turn, else before it.
    pub fn printed(&self, count: u64) -> Option<usize> {
        if self.waits.get() {
            return None;
        }
        let here = self.now().rev().find(|&call| self.record.counts(call).is_some_and(|counts| counts.holds(count)));
        here.or_else(|| self.record.counted.borrow_mut().before(count, self.now().start, self.record))
    }

    /// The last call of this turn that searched or listed and whose output holds the number or lets so many be counted.
    pub fn searched(&self, count: u64) -> Option<usize> {
        let holds = |call: usize| self.record.counts(call).is_some_and(|counts| counts.holds(count));
        self.current(&self.record.searches).iter().rev().copied().find(|&call| holds(call))
    }

    /// Whether the turn's calls print at least so many things: a person may have counted some of them.
    pub fn allows(&self, count: u64) -> bool {
        if self.waits.get() {
            return false;
        }
        let mut printed = 0;
        count == 0
            || self.now().any(|call| {
                printed += self.record.lines(call);
                printed >= count
            })
    }

    /// The calls of this turn that ran a program.
    pub fn ran(&self, program: &str) -> &'r [usize] {
        self.current(self.record.programs.get(program).map_or(&[], |&at| self.record.ran[at].as_slice()))
    }

    /// Those of `calls`, which are in order, that this turn made.
    fn current(&self, calls: &'r [usize]) -> &'r [usize] {
        let now = self.now();
        &calls[calls.partition_point(|&c| c < now.start)..calls.partition_point(|&c| c < now.end)]
    }

    /// The first call of this turn, whatever came of it, that may have run anything.
    pub fn wrapper(&self) -> Option<usize> {
        let wraps = || self.calls().find(|(_, f)| f.ran() && f.acts.could(Act::Wrap)).map(|(call, _)| call);
        *self.wrapper.get_or_init(wraps)
    }

    /// The tools of this turn that are no shells, each with its role, the words of its name and its first call.
    pub fn instruments(&self) -> &[(usize, Role, Vec<String>)] {
        self.instruments.get_or_init(|| {
            let mut first: BTreeMap<&str, usize> = BTreeMap::new();
            for (call, facts) in self.calls().filter(|(_, f)| f.role != Role::Command && f.ran()) {
                first.entry(facts.call.tool.as_str()).or_insert(call);
            }
            let words = |(tool, call)| (call, self.facts(call).role, super::roles::words(tool));
            first.into_iter().map(words).collect()
        })
    }

    /// What `find` finds, which runs once a turn.
    pub fn shared(&self, what: Shared, find: impl FnOnce() -> Option<usize>) -> Option<usize> {
        *self.shared[what as usize].get_or_init(find)
    }

    /// Whether the agent was given a passing run of this kind; found once, since all that it was given is read for it.
    pub fn given_pass(&self, act: Act, find: impl FnOnce() -> bool) -> bool {
        *self.given[usize::from(act == Act::Test)].get_or_init(find)
    }

    /// One of the courses of the runs of this kind, tests or builds; `work_out` runs once a turn.
    pub fn course(&self, act: Act, which: usize, work_out: impl FnOnce() -> Course) -> &Course {
        self.courses[usize::from(act == Act::Test)][which.min(2)].get_or_init(work_out)
    }

    /// The folded texts of a call's arguments, and their numbers.
    pub fn values(&self, call: usize) -> &'r Values {
        let record = self.record;
        record.learned[call].values.get_or_init(|| Box::new(Values::of(&record.facts[call].call.arguments)))
    }

    /// The calls of this turn that succeeded and whose result the record does not hold, so that they may have shown
    /// anything: no output at all, nothing from a tool that looks, a picture.
    pub fn unseen(&self) -> &[usize] {
        self.unseen.get_or_init(|| {
            let looks = |role: Role| matches!(role, Role::Read | Role::Look | Role::Fetch | Role::Agent);
            let shows = |f: &Facts<'_>| match f.call.output.as_deref() {
                None => true,
                Some(output) => {
                    let marks = ["[image", "[Image", "<image", "\"type\":\"image", "\"type\": \"image", "data:image/"];
                    marks.iter().any(|mark| output.contains(mark)) || (looks(f.role) && output.trim().is_empty())
                }
            };
            self.calls().filter(|(_, f)| f.succeeded && shows(f)).map(|(call, _)| call).collect()
        })
    }

    /// The keys (`OPS-4711`) that calls of this turn which did more than look printed: the call and the place.
    pub fn keys(&self) -> &[(usize, Span)] {
        self.keys.get_or_init(|| {
            let looks = |f: &Facts<'_>| matches!(f.role, Role::Read | Role::Look | Role::Search | Role::Fetch);
            let acts = self.calls().filter(|(_, f)| f.succeeded && !looks(f));
            let outputs = acts.filter_map(|(call, f)| Some((call, f.call.output.as_deref()?)));
            let all = outputs.flat_map(|(call, output)| keys(output).into_iter().map(move |span| (call, span)));
            all.take(MOST).collect()
        })
    }

    /// Whether all of these words, and whether any, may stand in what the turn's calls print and were given.
    pub fn may_hold(&self, words: &[String]) -> (bool, bool) {
        self.vocabulary.get_or_init(|| Vocabulary::of(self.calls().map(|(_, f)| f))).holds(words)
    }

    /// The values that the turn's outputs print, with their words.
    pub fn labels(&self) -> &'r Labels {
        let record = self.record;
        record.labels[self.part].get_or_init(|| Labels::of(self.calls()))
    }

    /// Whether a number is one of those that the turn's outputs print, rounded, cut, or so many times more or less.
    pub fn rounds(&self, number: &Number, factors: &[f64]) -> bool {
        !self.waits.get() && self.figures().round(number, factors)
    }

    /// Whether a number follows from those that the turn's outputs print.
    pub fn derives(&self, number: &Number) -> bool {
        !self.waits.get() && self.figures().derive(number)
    }

    /// The numbers that the turn's outputs print.
    fn figures(&self) -> &Figures {
        self.figures.get_or_init(|| {
            let mut all = String::new();
            for (_, facts) in self.calls() {
                if let Some(output) = facts.call.output.as_deref().filter(|o| all.len() + o.len() <= FIGURED) {
                    all.push_str(output);
                    all.push('\n');
                }
            }
            Figures::of(&all)
        })
    }

    /// Whether the person's messages are in the record.
    pub fn heard(&self) -> bool {
        self.record.heard.is_some_and(|part| part <= self.part)
    }

    /// The numbers of the calls to a tool, up to the end of this turn.
    pub fn calls_to(&self, tool: &str) -> &'r [usize] {
        let calls = self.record.tools.get(tool).map_or(&[][..], |&at| &self.record.called[at]);
        &calls[..calls.partition_point(|&c| c < self.now().end)]
    }

    /// Questions put to the person, up to the end of this turn.
    pub fn asks(&self) -> &'r [usize] {
        let calls = self.record.asks.as_slice();
        &calls[..calls.partition_point(|&c| c < self.now().end)]
    }

    /// Calls up to the end of this turn whose output is only an excerpt.
    pub fn cut(&self) -> &'r [usize] {
        let calls = self.record.cut.as_slice();
        &calls[..calls.partition_point(|&c| c < self.now().end)]
    }

    /// What a call let the agent see.
    pub fn seen(&self, call: usize) -> &'r Seen {
        let record = self.record;
        record.learned[call].seen.get_or_init(|| Box::new(Seen::of(&record.facts[call])))
    }

    /// All calls up to the end of this turn, latest first.
    pub fn all(&self) -> impl Iterator<Item = (usize, &'r Facts<'a>)> + 'r {
        let record = self.record;
        (0..self.now().end).rev().map(move |i| (i, &record.facts[i]))
    }

    /// Whether the person's messages so far hold material to look at, not just a request: code, a list, a long text.
    pub fn material(&self) -> bool {
        let first = *self.record.material.get_or_init(|| self.record.said(is_material));
        first.is_some_and(|part| part <= self.part)
    }

    /// Whether the person asked for a text so far, which may speak in the first person of things done, and mean none of it.
    pub fn wants_text(&self) -> bool {
        let first = *self.record.texts.get_or_init(|| self.record.said(wants_text));
        first.is_some_and(|part| part <= self.part)
    }

    /// What a call's output says of a test run.
    pub fn tests(&self, call: usize) -> Option<&'r Summary> {
        let record = self.record;
        let tests = |output| outcome::tests(output).map(Box::new);
        record.learned[call].tests.get_or_init(|| record.facts[call].call.output.as_deref().and_then(tests)).as_deref()
    }

    /// What a call's output says of a build.
    pub fn builds(&self, call: usize) -> Option<&'r Summary> {
        let record = self.record;
        let build = |output| outcome::build_with(output, &record.build_words).map(Box::new);
        record.learned[call].builds.get_or_init(|| record.facts[call].call.output.as_deref().and_then(build)).as_deref()
    }

    /// What a call's output says of linters and type checkers.
    pub fn checks(&self, call: usize) -> Option<&'r Summary> {
        let record = self.record;
        let check = |output| outcome::checks(output).map(Box::new);
        record.learned[call].checks.get_or_init(|| record.facts[call].call.output.as_deref().and_then(check)).as_deref()
    }

    /// What a call's answer says of its own end.
    pub fn answer(&self, call: usize) -> &'r Answer {
        let record = self.record;
        let called = record.facts[call].call;
        let answer = |output| ended::answer(&called.tool, output);
        record.learned[call].answer.get_or_init(|| called.output.as_deref().map_or(Answer::Fine, answer))
    }

    /// What a call's output says of test coverage.
    pub fn coverage(&self, call: usize) -> Option<&'r Coverage> {
        let record = self.record;
        let read = |output| coverage::coverage(output).map(Box::new);
        record.learned[call]
            .coverage
            .get_or_init(|| record.facts[call].call.output.as_deref().and_then(read))
            .as_deref()
    }

    /// The calls of this turn that came to no good end, by their status or their own answer: the last 64 of them.
    pub fn unended(&self) -> &[usize] {
        const MOST: usize = 64;
        self.unended.get_or_init(|| {
            let makes = |f: &Facts<'_>| matches!(f.role, Role::Unknown | Role::Write | Role::Remove | Role::Notify);
            let bad =
                |&(call, f): &(usize, &Facts<'_>)| !f.succeeded || (makes(f) && *self.answer(call) != Answer::Fine);
            let mut calls: Vec<usize> = self.calls().rev().filter(bad).take(MOST).map(|(call, _)| call).collect();
            calls.reverse();
            calls
        })
    }

    /// Every summary of a test run in a call's output.
    pub fn summaries(&self, call: usize) -> &'r [Summary] {
        let record = self.record;
        let output = || record.facts[call].call.output.as_deref().map_or_else(Vec::new, outcome::all_tests);
        record.learned[call].summaries.get_or_init(output)
    }

    /// The content of this turn that stands in for the real one, if there is any and the reply does not tell of it.
    /// Its places are those of calls over the whole record.
    pub fn stand_in(&self) -> Option<&StandIn> {
        let find = || {
            let now = self.now();
            let found = stand_in::find(&self.record.facts[now.clone()])?;
            let wished = self.turn.user.iter().chain(self.turn.said.iter().flatten());
            let wished = wished.into_iter().any(|t| stand_in::wished(t));
            let told = self.turn.reply.iter().any(|piece| stand_in::told(&piece.text));
            let (attempt, written) = (found.attempt + now.start, found.written + now.start);
            (!wished && !told).then_some(StandIn { attempt, written, ..found })
        };
        self.stand_in.get_or_init(find).as_ref()
    }
}
