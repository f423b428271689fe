//! The whole record as the readers see it: every call's facts, and every needle's first places, from one pass.

use super::acts::Act;
use super::facts::{Facts, Tool};
use super::lookup::{self, Walk};
use super::needles::Id;
use super::numbers::countable::Countables;
use super::numbers::derive::Figures;
use super::numbers::Number;
use super::outcome::{self, Summary};
use super::roles::Role;
use crate::record::{Call, Status, Turn};
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
    able: BTreeMap<u8, Vec<usize>>,
    named: BTreeMap<u8, Vec<usize>>,
    tools: BTreeMap<&'a str, Vec<usize>>,
    refused: Vec<usize>,
    cut: Vec<usize>,
    asks: Vec<usize>,
    failed: Vec<usize>,
    exits: BTreeMap<i64, Vec<usize>>,
    /// Commands that may have exited with 0, and with another number, without the record saying so.
    open: [Vec<usize>; 2],
    counted: RefCell<Counted>,
    /// What can be counted in each output, and its lines.
    counts: Vec<OnceCell<Option<Countables>>>,
    lines: Vec<OnceCell<u64>>,
    /// Which calls ran each program, by its name without its folder.
    programs: BTreeMap<String, Vec<usize>>,
    /// The folded texts of each call's arguments, and their numbers.
    values: Vec<OnceCell<Values>>,
    /// The first part in which the person's messages are known.
    heard: Option<usize>,
    /// The places of what was asked for; none before it was looked up.
    hits: Option<Vec<Option<Hit>>>,
    tests: Vec<OnceCell<Option<Summary>>>,
    builds: Vec<OnceCell<Option<Summary>>>,
}

impl<'a> Record<'a> {
    /// Works out the facts of every call.
    pub fn new(parts: &'a [Part<'a>], roles: &BTreeMap<String, Role>) -> Self {
        let mut facts = Vec::with_capacity(parts.iter().map(|p| p.calls.len()).sum());
        let mut ranges = Vec::with_capacity(parts.len());
        let mut tools: BTreeMap<&str, (Tool, Vec<usize>)> = BTreeMap::new();
        for part in parts {
            let start = facts.len();
            facts.extend(part.calls.iter().zip(start..).map(|(call, i)| {
                let tool = || (Tool::new(&call.tool, roles), Vec::new());
                let (tool, calls) = tools.entry(call.tool.as_str()).or_insert_with(tool);
                calls.push(i);
                Facts::with(call, *tool)
            }));
            ranges.push(start..facts.len());
        }
        let mut record = Record {
            parts,
            ranges,
            able: BTreeMap::new(),
            named: BTreeMap::new(),
            tools: tools.into_iter().map(|(name, (_, calls))| (name, calls)).collect(),
            refused: Vec::new(),
            cut: Vec::new(),
            asks: Vec::new(),
            failed: Vec::new(),
            exits: BTreeMap::new(),
            open: Default::default(),
            counted: RefCell::default(),
            counts: vec![OnceCell::new(); facts.len()],
            lines: vec![OnceCell::new(); facts.len()],
            programs: BTreeMap::new(),
            values: vec![OnceCell::new(); facts.len()],
            heard: parts.iter().position(|p| p.turn.is_some_and(|t| t.user.is_some() || t.said.is_some())),
            hits: None,
            tests: vec![OnceCell::new(); facts.len()],
            builds: vec![OnceCell::new(); facts.len()],
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
                        self.able.entry(act as u8).or_default().push(i);
                    }
                    if facts.acts.names(act) {
                        self.named.entry(act as u8).or_default().push(i);
                    }
                }
            }
            for program in facts.commands.iter().filter_map(|c| c.words.first()) {
                let name = program.rsplit('/').next().unwrap_or(program);
                match self.programs.get_mut(name) {
                    Some(calls) if calls.last() == Some(&i) => {}
                    Some(calls) => calls.push(i),
                    None => {
                        self.programs.insert(name.to_string(), vec![i]);
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
            if let Some(exit) = facts.call.exit {
                self.exits.entry(exit).or_default().push(i);
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
        let of = |output: &String| Countables::of(&output[super::envelope::body(output).range(output)]);
        self.counts[call].get_or_init(|| self.facts[call].call.output.as_ref().map(of)).as_ref()
    }

    /// How many lines a call printed, or how long a list: the more of them.
    fn lines(&self, call: usize) -> u64 {
        let count = || {
            let Some(output) = self.facts[call].call.output.as_deref() else { return 0 };
            let list = output.trim_start().starts_with(['[', '{']);
            let listed = if list { self.counts(call).and_then(|c| c.iter().max()) } else { None };
            listed.unwrap_or(0).max(super::envelope::lines(output) as u64)
        };
        *self.lines[call].get_or_init(count)
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
    printed_lines: OnceCell<u64>,
    wrapper: OnceCell<Option<usize>>,
    instruments: OnceCell<Vec<(usize, Role, Vec<String>)>>,
    shared: [OnceCell<Option<usize>>; 3],
    /// Whether the agent was given a passing run, of builds and of tests.
    given: [OnceCell<bool>; 2],
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
            printed_lines: OnceCell::new(),
            wrapper: OnceCell::new(),
            instruments: OnceCell::new(),
            shared: [const { OnceCell::new() }; 3],
            given: [const { OnceCell::new() }; 2],
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
    pub(crate) fn all(&self) -> &'r [Facts<'a>] {
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
    fn last(&self, calls: Option<&Vec<usize>>) -> Option<usize> {
        let calls = calls?;
        let end = calls.partition_point(|&c| c < self.now().end);
        end.checked_sub(1).map(|i| calls[i])
    }

    /// The last call that did the act, else the last that may have: in this turn, else before it.
    pub fn doer(&self, act: Act) -> Option<usize> {
        let named = self.last(self.record.named.get(&(act as u8)));
        let able = self.last(self.record.able.get(&(act as u8)));
        match (named, able) {
            (Some(n), Some(a)) if n < self.now().start && a >= self.now().start => Some(a),
            (Some(n), _) => Some(n),
            (None, able) => able,
        }
    }

    /// The last call that did the act by its name, in this turn or before it.
    pub fn named(&self, act: Act) -> Option<usize> {
        self.last(self.record.named.get(&(act as u8)))
    }

    /// The last call in this turn that did the act or may have.
    pub fn doer_now(&self, act: Act) -> Option<usize> {
        self.doer(act).filter(|c| self.now().contains(c))
    }

    /// The last call that a policy or a person turned away.
    pub fn refused(&self) -> Option<usize> {
        self.last(Some(&self.record.refused))
    }

    /// Calls that ran and failed: those of this turn, latest first, then a bounded number of those before it.
    pub fn failed(&self) -> impl Iterator<Item = usize> + 'r {
        let calls = self.record.failed.as_slice();
        calls[..calls.partition_point(|&c| c < self.now().end)].iter().rev().copied().take(64 + self.now().len())
    }

    /// The last call that exited with this number: in this turn, else before it.
    pub fn exited(&self, exit: i64) -> Option<usize> {
        self.last(self.record.exits.get(&exit))
    }

    /// The last command that may have exited with this number unrecorded: in this turn, else before it.
    pub fn exit_open(&self, exit: i64) -> Option<usize> {
        self.last(Some(&self.record.open[usize::from(exit != 0)]))
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
        self.calls().rev().find(|&(call, f)| f.searches() && holds(call)).map(|(call, _)| call)
    }

    /// Whether the turn's calls print at least so many things: a person may have counted some of them.
    pub fn allows(&self, count: u64) -> bool {
        if self.waits.get() {
            return false;
        }
        count <= *self.printed_lines.get_or_init(|| self.now().map(|call| self.record.lines(call)).sum())
    }

    /// The calls of this turn that ran a program.
    pub fn ran(&self, program: &str) -> &'r [usize] {
        let calls = self.record.programs.get(program).map_or(&[][..], Vec::as_slice);
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

    /// The folded texts of a call's arguments, and their numbers.
    pub fn values(&self, call: usize) -> &'r Values {
        let record = self.record;
        record.values[call].get_or_init(|| Values::of(&record.facts[call].call.arguments))
    }

    /// Whether a number follows from those that the turn's outputs print.
    pub fn derives(&self, number: &Number) -> bool {
        if self.waits.get() {
            return false;
        }
        let figures = self.figures.get_or_init(|| {
            let mut all = String::new();
            for (_, facts) in self.calls() {
                if let Some(output) = facts.call.output.as_deref().filter(|o| all.len() + o.len() <= FIGURED) {
                    all.push_str(output);
                    all.push('\n');
                }
            }
            Figures::of(&all)
        });
        figures.derive(number)
    }

    /// Whether the person's messages are in the record.
    pub fn heard(&self) -> bool {
        self.record.heard.is_some_and(|part| part <= self.part)
    }

    /// The numbers of the calls to a tool, up to the end of this turn.
    pub fn calls_to(&self, tool: &str) -> &'r [usize] {
        let calls = self.record.tools.get(tool).map_or(&[][..], Vec::as_slice);
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

    /// What a call's output says of a test run.
    pub fn tests(&self, call: usize) -> Option<&'r Summary> {
        let record = self.record;
        record.tests[call].get_or_init(|| record.facts[call].call.output.as_deref().and_then(outcome::tests)).as_ref()
    }

    /// What a call's output says of a build.
    pub fn builds(&self, call: usize) -> Option<&'r Summary> {
        let record = self.record;
        record.builds[call].get_or_init(|| record.facts[call].call.output.as_deref().and_then(outcome::build)).as_ref()
    }
}
