//! The whole record as the readers see it: every call's facts, and every needle's first places, from one pass.

mod asked;
mod view;

use super::acts::Act;
use super::arguments::Arguments;
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
use super::removals::Removals;
use super::roles::Role;
use super::seen::Seen;
use super::stand_in::{self, StandIn};
use super::writes::Writes;
use crate::record::{Call, Status, Turn};
use crate::text::span::Span;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::cell::{Cell, OnceCell, RefCell};
use core::ops::Range;

pub use super::lookup::{scalars, strings, Hit, Place, Wanted};
pub use view::View;

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
    /// How much of earlier turns may still be counted to later ones; none before it was asked for.
    reach: Cell<Option<usize>>,
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
            reach: Cell::new(None),
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

/// Runs that are called alike.
#[derive(Clone, Copy, Debug)]
pub struct Alike {
    /// The first of them.
    pub first: usize,
    /// The last of them.
    pub last: usize,
    /// All of them failed, and none tells of a pass.
    pub broke: bool,
    /// How many of them are of the kind or may be.
    pub able: usize,
}

/// The runs of one kind in a turn, sorted for the claims that name one of them.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    /// The calls that ran one command, by its line.
    pub lines: BTreeMap<String, Alike>,
    /// Those whose command is of the kind, by its program.
    pub programs: BTreeMap<String, Alike>,
    /// The calls that ran it or may have.
    pub able: Vec<usize>,
    /// The last run.
    pub last: Option<usize>,
}

/// What passed among the runs of one kind in a turn.
#[derive(Clone, Debug, Default)]
pub struct Passes {
    /// What the runs that succeeded may be called by.
    pub called: BTreeSet<String>,
    /// The last call that tells of a pass.
    pub told: Option<usize>,
    /// How many tests passed in the runs that passed.
    pub counted: BTreeSet<u64>,
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
    /// It looked, and its result is a picture or not in the record.
    Unshown,
    /// No call but a number: how many succeeded.
    Well,
    /// No call but a number: how many tests the turn's calls wrote.
    TestsWritten,
    /// It edited, in this turn or before it.
    Edited,
    /// It keeps a list or notes and changed them.
    Kept,
    /// It failed half-way through a removal.
    HalfRemoved,
    /// It was to remove something by its name.
    Removing,
    /// It looked behind a removal whose end is not known.
    Relooked,
    /// It looked at a state.
    Looked,
    /// It listed what is there.
    Listed,
    /// It told of a pass behind a run that failed.
    Watched,
    /// It deleted something of lasting worth, and nothing brought it back.
    Deleted,
    /// It changed a file that was there, and nothing changed it back.
    Changed,
    /// It may have run any program.
    Wrapped,
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
        let numbers = scalars.iter().filter_map(|n| crate::evidence::numbers::parse(n)).collect();
        Values { texts: texts.chain(keys.map(String::as_str)).map(crate::text::fold::fold).collect(), numbers }
    }
}
