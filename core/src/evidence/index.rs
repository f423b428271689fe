//! The whole record as the readers see it: every call's facts, and every needle's first places, from one pass.

use super::acts::Act;
use super::facts::Facts;
use super::needles::{Id, Needles, Scanner, Scope};
use super::numbers::countable::Countables;
use super::numbers::derive::Figures;
use super::numbers::{self, Number};
use super::outcome::{self, Summary};
use super::roles::Role;
use crate::record::{Call, Status, Turn};
use crate::text::fold::Folded;
use crate::text::span::Span;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::OnceCell;
use core::ops::Range;
use serde_json::Value;

/// The calls of one turn with what the agent was given in it. The calls before the first turn have no turn.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The turn, if it is known as one.
    pub turn: Option<&'a Turn>,
    /// Its calls.
    pub calls: &'a [Call],
}

/// What kind of text held a needle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A call's output.
    Output,
    /// A call's arguments.
    Arguments,
    /// A call's command line.
    Line,
    /// What the person said.
    Person,
    /// Other text that the agent was given.
    Given,
}

/// Where a needle was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The part of the record.
    pub part: usize,
    /// The call, counted over the whole record.
    pub call: Option<usize>,
    /// What kind of text.
    pub place: Place,
    /// The place in that text.
    pub span: Span,
}

/// Everything that is looked up while the record is walked.
#[derive(Debug, Default)]
pub struct Wanted {
    /// Texts.
    pub texts: Needles,
    /// Numbers, by value.
    numbers: BTreeMap<i128, Id>,
    count: usize,
    /// The parts that asked for each text and each number.
    asked: Vec<(Id, usize, bool)>,
}

impl Wanted {
    /// Asks for a text on behalf of a part.
    pub fn text(&mut self, scope: Scope, text: &str, part: usize) -> Option<Id> {
        let id = self.texts.add(scope, text)?;
        self.asked.push((id, part, false));
        Some(id)
    }

    /// Asks for a number, however it is written, on behalf of a part.
    pub fn number(&mut self, number: &Number, part: usize) -> Id {
        let id = *self.numbers.entry(number.key()).or_insert(self.count);
        self.count = self.count.max(id + 1);
        for other in number.variants() {
            self.numbers.entry(other.key()).or_insert(id);
        }
        self.asked.push((id, part, true));
        id
    }
}

/// For each needle its first place in the record, and its best place in each part that asked.
#[derive(Debug, Default)]
struct Places {
    first: Vec<Option<Hit>>,
    inside: BTreeMap<(Id, usize), Option<Hit>>,
    /// The part in which nothing better can be found any more.
    settled: Vec<usize>,
}

impl Places {
    /// Room for `count` needles, and for the parts that asked for them.
    fn new(count: usize, asked: impl Iterator<Item = (Id, usize)>) -> Self {
        Places {
            first: vec![None; count],
            inside: asked.map(|key| (key, None)).collect(),
            settled: vec![usize::MAX; count],
        }
    }

    /// Whether a hit in this part could still tell something.
    fn open(&self, id: Id, part: usize) -> bool {
        self.settled[id] != part
    }

    fn put(&mut self, id: Id, hit: Hit) {
        self.first[id].get_or_insert(hit);
        let best = hit.place == Place::Output || hit.place == Place::Line;
        match self.inside.get_mut(&(id, hit.part)) {
            None => self.settled[id] = hit.part,
            Some(held) => {
                if held.is_none() || best {
                    *held = Some(hit);
                }
                if best {
                    self.settled[id] = hit.part;
                }
            }
        }
    }

    fn get(&self, id: Id, part: usize) -> Option<Hit> {
        self.inside.get(&(id, part)).copied().flatten().or_else(|| self.first[id].filter(|h| h.part < part))
    }
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
    counted: OnceCell<BTreeMap<u64, Vec<usize>>>,
    /// The first part in which the person's messages are known.
    heard: Option<usize>,
    texts: Places,
    numbers: Places,
    tests: Vec<OnceCell<Option<Summary>>>,
    builds: Vec<OnceCell<Option<Summary>>>,
}

impl<'a> Record<'a> {
    /// Walks the record once: facts a call, and every wanted needle.
    pub fn new(parts: &'a [Part<'a>], roles: &BTreeMap<String, Role>, wanted: &Wanted) -> Self {
        let mut facts = Vec::with_capacity(parts.iter().map(|p| p.calls.len()).sum());
        let mut ranges = Vec::with_capacity(parts.len());
        for part in parts {
            let start = facts.len();
            facts.extend(part.calls.iter().map(|call| Facts::new(call, roles)));
            ranges.push(start..facts.len());
        }
        let texts = wanted.asked.iter().filter(|a| !a.2).map(|a| (a.0, a.1));
        let numbers = wanted.asked.iter().filter(|a| a.2).map(|a| (a.0, a.1));
        let mut record = Record {
            parts,
            ranges,
            able: BTreeMap::new(),
            named: BTreeMap::new(),
            tools: BTreeMap::new(),
            refused: Vec::new(),
            cut: Vec::new(),
            asks: Vec::new(),
            failed: Vec::new(),
            exits: BTreeMap::new(),
            open: Default::default(),
            counted: OnceCell::new(),
            heard: parts.iter().position(|p| p.turn.is_some_and(|t| t.user.is_some() || t.said.is_some())),
            texts: Places::new(wanted.texts.list.len(), texts),
            numbers: Places::new(wanted.count, numbers),
            tests: vec![OnceCell::new(); facts.len()],
            builds: vec![OnceCell::new(); facts.len()],
            facts,
        };
        record.sort();
        record.scan(wanted);
        record
    }

    fn sort(&mut self) {
        for (i, facts) in self.facts.iter().enumerate() {
            self.tools.entry(facts.call.tool.as_str()).or_default().push(i);
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

    /// The one pass over all texts.
    fn scan(&mut self, wanted: &Wanted) {
        if wanted.asked.is_empty() {
            return;
        }
        let scanner = Scanner::new(&wanted.texts);
        let parts = self.parts;
        let mut pass = Pass { wanted, scanner, folded: Folded::new(), texts: &mut self.texts, numbers: &mut self.numbers };
        for (part, source) in parts.iter().enumerate() {
            if let Some(turn) = source.turn {
                let said = turn.said.iter().flatten();
                for text in turn.user.iter().chain(said) {
                    pass.text(text, part, None, Place::Person, "");
                }
                for text in &turn.context {
                    pass.text(text, part, None, Place::Given, "");
                }
            }
            for call in self.ranges[part].clone() {
                pass.call(&self.facts[call], part, call);
            }
        }
    }
}

/// What the pass carries along.
struct Pass<'p> {
    wanted: &'p Wanted,
    scanner: Scanner<'p>,
    folded: Folded,
    texts: &'p mut Places,
    numbers: &'p mut Places,
}

impl Pass<'_> {
    fn call(&mut self, facts: &Facts<'_>, part: usize, call: usize) {
        let tool = facts.call.tool.as_str();
        if let Some(line) = &facts.line {
            self.text(line, part, Some(call), Place::Line, tool);
        }
        for text in strings(&facts.call.arguments) {
            if facts.line.as_deref() != Some(text) {
                self.text(text, part, Some(call), Place::Arguments, tool);
            }
        }
        for number in scalars(&facts.call.arguments) {
            self.text(&number, part, Some(call), Place::Arguments, tool);
        }
        if let Some(text) = &facts.call.output {
            self.text(text, part, Some(call), Place::Output, tool);
        }
        if let Some(text) = &facts.call.error {
            self.text(text, part, Some(call), Place::Given, tool);
        }
    }

    fn text(&mut self, source: &str, part: usize, call: Option<usize>, place: Place, tool: &str) {
        if !self.wanted.texts.list.is_empty() {
            self.folded.fold(source);
            let (places, folded, list) = (&mut *self.texts, &self.folded, &self.wanted.texts.list);
            self.scanner.scan(&folded.bytes, |id, at| {
                if !places.open(id, part) || !admits(&list[id].0, place, tool) {
                    return;
                }
                let span = folded.source(source, Span::new(at, at + list[id].1.len()));
                places.put(id, Hit { part, call, place, span });
            });
        }
        if !self.wanted.numbers.is_empty() {
            for (span, number) in numbers::scan(source) {
                if let Some(&id) = self.wanted.numbers.get(&number.key()) {
                    if self.numbers.open(id, part) {
                        self.numbers.put(id, Hit { part, call, place, span });
                    }
                }
            }
        }
    }
}

fn admits(scope: &Scope, place: Place, tool: &str) -> bool {
    match scope {
        Scope::Any => true,
        Scope::Told => !matches!(place, Place::Arguments | Place::Line),
        Scope::Person => place == Place::Person,
        Scope::Given => place == Place::Given,
        Scope::Line => place == Place::Line,
        Scope::Tool(name) => matches!(place, Place::Arguments | Place::Line) && name == tool,
    }
}

/// All strings in a JSON value, without recursion.
pub fn strings(value: &Value) -> Vec<&str> {
    leaves(value).filter_map(Value::as_str).collect()
}

/// All numbers in a JSON value, as written.
pub fn scalars(value: &Value) -> Vec<String> {
    leaves(value).filter(|v| v.is_number()).map(alloc::string::ToString::to_string).collect()
}

fn leaves(value: &Value) -> impl Iterator<Item = &Value> {
    let mut open = vec![value];
    core::iter::from_fn(move || loop {
        match open.pop()? {
            Value::Array(items) => open.extend(items.iter().rev()),
            Value::Object(fields) => open.extend(fields.values().rev()),
            leaf => return Some(leaf),
        }
    })
}

/// The record as it stands at the end of one turn.
pub struct View<'r, 'a> {
    record: &'r Record<'a>,
    part: usize,
    /// The turn.
    pub turn: &'a Turn,
    figures: OnceCell<Figures>,
}

/// How many bytes of a turn's outputs are searched for numbers that others could follow from.
const FIGURED: usize = 1 << 20;

impl<'r, 'a> View<'r, 'a> {
    /// The view at the end of `part`; none where it is no turn.
    pub fn new(record: &'r Record<'a>, part: usize) -> Option<Self> {
        let turn = record.parts.get(part)?.turn?;
        Some(View { record, part, turn, figures: OnceCell::new() })
    }

    /// The turn's own calls, counted over the whole record.
    pub fn now(&self) -> Range<usize> {
        self.record.ranges[self.part].clone()
    }

    /// A call's facts.
    pub fn facts(&self, call: usize) -> &'r Facts<'a> {
        &self.record.facts[call]
    }

    /// The turn's own calls with their numbers.
    pub fn calls(&self) -> impl DoubleEndedIterator<Item = (usize, &'r Facts<'a>)> + 'r {
        let record = self.record;
        self.now().map(move |i| (i, &record.facts[i]))
    }

    /// Where a text stands: in this turn, else before it.
    pub fn hit(&self, id: Id) -> Option<Hit> {
        self.record.texts.get(id, self.part)
    }

    /// Where a number stands: in this turn, else before it.
    pub fn number(&self, id: Id) -> Option<Hit> {
        self.record.numbers.get(id, self.part)
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
        let record = self.record;
        let counted = record.counted.get_or_init(|| {
            let mut counted: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
            for (i, facts) in record.facts.iter().enumerate() {
                if let Some(output) = &facts.call.output {
                    for n in Countables::of(&output[super::envelope::body(output).range(output)]).iter() {
                        counted.entry(n).or_default().push(i);
                    }
                }
            }
            counted
        });
        self.last(counted.get(&count))
    }

    /// Whether the turn's calls print at least so many things: a person may have counted some of them.
    pub fn allows(&self, count: u64) -> bool {
        let lines = |f: &Facts<'_>| f.call.output.as_deref().map_or(0, |o| super::envelope::lines(o) as u64);
        let listed = |f: &Facts<'_>| match f.call.output.as_deref() {
            Some(output) if output.trim_start().starts_with(['[', '{']) => Countables::of(output).iter().max().unwrap_or(0),
            _ => 0,
        };
        let all: u64 = self.calls().map(|(_, f)| listed(f).max(lines(f))).sum();
        count <= all
    }

    /// Whether a number follows from those that the turn's outputs print.
    pub fn derives(&self, number: &Number) -> bool {
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
