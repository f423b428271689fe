//! Finds what claims ask for in the record: texts and numbers, in this turn first and then before it.
//!
//! Only claims that nothing cheaper settled come here. A turn's own texts are searched for what its claims ask, each
//! text once and only as long as something is open. What is not there is looked for from the start of the record on, for
//! all turns at once, until all of it is found. Each text is thus walked at most twice, whatever the number of claims.

use super::facts::Facts;
use super::index::Part;
use super::needles::{Id, Scanner, Scope, LONGEST};
use super::numbers::{self, Digits, Number};
use super::writes::Writes;
use crate::sort::sorted;
use crate::text::fold::{self, Folded};
use crate::text::span::Span;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use serde_json::Value;

/// So many numbers are looked for one by one.
const FEW: usize = 8;

/// What kind of text held a needle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
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

/// How many kinds of text there are.
const PLACES: usize = Place::Given as usize + 1;

impl Place {
    const fn bit(self) -> u8 {
        1 << self as u8
    }
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

/// One thing that a claim asks for.
#[derive(Clone, Debug)]
enum Want {
    /// A text: its place among the texts.
    Text(Scope, Span),
    Number(Number),
}

/// Everything that claims ask for. Each has its own number, so that a number belongs to one claim.
#[derive(Debug, Default)]
pub struct Wanted {
    list: Vec<Want>,
    texts: String,
}

impl Wanted {
    /// Asks for a text; none where nothing is left of it after folding.
    pub fn text(&mut self, scope: Scope, text: &str) -> Option<Id> {
        if !text.bytes().any(|b| b.is_ascii_alphanumeric()) && fold::fold(text).is_empty() {
            return None;
        }
        let start = self.texts.len();
        self.texts.push_str(text);
        Some(self.add(Want::Text(scope, Span::new(start, self.texts.len()))))
    }

    /// Asks for a number, however it is written.
    pub fn number(&mut self, number: &Number) -> Id {
        self.add(Want::Number(*number))
    }

    fn add(&mut self, want: Want) -> Id {
        self.list.push(want);
        self.list.len() - 1
    }
}

/// The record as it is walked.
#[derive(Clone, Copy)]
pub(super) struct Walk<'r, 'a> {
    pub parts: &'r [Part<'a>],
    pub facts: &'r [Facts<'a>],
    pub ranges: &'r [Range<usize>],
}

/// Looks up what is pending: the part that asks and what it asks for, in the order of the parts. Gives for each thing
/// its place: the first in an output or a line of that part, else the first in the part, else the first before it.
pub(super) fn look_up(walk: Walk<'_, '_>, wanted: &Wanted, pending: &[(usize, Id)]) -> Vec<Option<Hit>> {
    let mut hits = vec![None; wanted.list.len()];
    let mut left = Vec::new();
    let mut folded = Folded::new();
    for group in pending.chunk_by(|a, b| a.0 == b.0) {
        let part = group[0].0;
        let mut search = Search::new(wanted, group, false);
        search.part(walk, part, &mut folded);
        for (&(part, id), &slot) in group.iter().zip(&search.slots) {
            hits[id] = search.found[slot];
            if hits[id].is_none() {
                left.push((part, id));
            }
        }
    }
    let Some(&(last, _)) = left.last() else { return hits };
    let mut search = Search::new(wanted, &left, true);
    let slots = core::mem::take(&mut search.slots);
    let mut asked = vec![0; search.found.len()];
    for (&(part, _), &slot) in left.iter().zip(&slots) {
        asked[slot] = part;
    }
    let mut asking = left.iter().zip(&slots).peekable();
    for part in 0..last {
        // What stands from here on is before none of those that asked up to here.
        while let Some((&(asker, _), &slot)) = asking.next_if(|((asker, _), _)| *asker <= part) {
            if asked[slot] == asker {
                search.close(slot);
            }
        }
        search.part(walk, part, &mut folded);
    }
    for (&(part, id), &slot) in left.iter().zip(&slots) {
        hits[id] = search.found[slot].filter(|hit| hit.part < part);
    }
    hits
}

/// A search for several things at once.
struct Search<'w> {
    /// The different texts and then the different numbers; what was asked for points to them.
    slots: Vec<usize>,
    texts: Vec<(&'w Scope, Vec<u8>)>,
    scanner: Scanner,
    /// Values, in order, each with the slots that it is good for.
    numbers: Vec<(i128, usize)>,
    /// A bit for the hash of each value.
    values: [u64; 64],
    /// Where the numbers are few and whole: for each of `numbers` digits that it is always written with.
    digits: Vec<Digits>,
    found: Vec<Option<Hit>>,
    settled: Vec<bool>,
    open_texts: usize,
    open_numbers: usize,
    /// How many of the open texts each kind of text can hold, so that one that can hold none of them is not walked.
    sought: [usize; PLACES],
    /// The first place settles, whatever its kind.
    any: bool,
}

impl<'w> Search<'w> {
    fn new(wanted: &'w Wanted, asked: &[(usize, Id)], any: bool) -> Self {
        let mut texts: Vec<(&Scope, Vec<u8>, usize)> = Vec::new();
        let mut keys: Vec<(Vec<i128>, usize)> = Vec::new();
        for (i, (_, id)) in asked.iter().enumerate() {
            match &wanted.list[*id] {
                Want::Text(scope, span) => {
                    let mut bytes = fold::fold(span.of(&wanted.texts));
                    bytes.truncate(LONGEST);
                    texts.push((scope, bytes, i));
                }
                Want::Number(number) => keys.push((number.variants().iter().map(Number::key).collect(), i)),
            }
        }
        let texts = sorted(texts, Ord::cmp);
        let keys = sorted(keys, Ord::cmp);
        let mut slots = vec![0; asked.len()];
        let mut unique: Vec<(&Scope, Vec<u8>)> = Vec::new();
        for (scope, bytes, i) in texts {
            if unique.last().is_none_or(|(s, b)| *s != scope || *b != bytes) {
                unique.push((scope, bytes));
            }
            slots[i] = unique.len() - 1;
        }
        let mut numbers = Vec::new();
        let mut count = unique.len();
        for group in keys.chunk_by(|a, b| a.0 == b.0) {
            numbers.extend(group[0].0.iter().map(|&key| (key, count)));
            for (_, i) in group {
                slots[*i] = count;
            }
            count += 1;
        }
        let numbers = sorted(numbers, Ord::cmp);
        let mut values = [0; 64];
        for bit in numbers.iter().map(|(key, _)| value_bit(*key)) {
            values[bit / 64] |= 1 << (bit % 64);
        }
        let mut sought = [0; PLACES];
        for (scope, _) in &unique {
            seek(&mut sought, scope, |n| n + 1);
        }
        let needles: Vec<&[u8]> = unique.iter().map(|(_, bytes)| bytes.as_slice()).collect();
        Search {
            slots,
            scanner: Scanner::new(&needles),
            numbers,
            values,
            digits: Vec::new(),
            found: vec![None; count],
            settled: vec![false; count],
            open_texts: unique.len(),
            open_numbers: count - unique.len(),
            sought,
            texts: unique,
            any,
        }
    }

    /// Where only a few numbers are open and each has one value: looks for their digits from now on.
    fn narrow(&mut self) {
        if !self.digits.is_empty() || self.open_numbers > FEW {
            return;
        }
        let settled = &self.settled;
        self.numbers.retain(|(_, slot)| !settled[*slot]);
        if self.numbers.len() != self.open_numbers {
            return;
        }
        let digits = self.numbers.iter().map_while(|(key, _)| Digits::of(*key));
        let digits: Vec<Digits> = digits.collect();
        if digits.len() == self.numbers.len() {
            self.digits = digits;
        }
    }

    /// Searches the texts of one part.
    fn part(&mut self, walk: Walk<'_, '_>, part: usize, folded: &mut Folded) {
        self.narrow();
        let open = |search: &Self| search.open_texts + search.open_numbers > 0;
        if let Some(turn) = walk.parts[part].turn.filter(|_| open(self)) {
            let said = turn.said.iter().flatten();
            for text in turn.user.iter().chain(said) {
                self.text(text, Hit::of(part, None, Place::Person), NOBODY, folded);
            }
            for text in &turn.context {
                self.text(text, Hit::of(part, None, Place::Given), NOBODY, folded);
            }
        }
        for call in walk.ranges[part].clone() {
            if !open(self) {
                return;
            }
            self.call(&walk.facts[call], part, call, folded);
        }
    }

    fn call(&mut self, facts: &Facts<'_>, part: usize, call: usize, folded: &mut Folded) {
        let tool = Source { tool: facts.call.tool.as_str(), writes: facts.writes != Writes::None };
        let at = |place| Hit::of(part, Some(call), place);
        if let Some(line) = &facts.line {
            self.text(line, at(Place::Line), tool, folded);
        }
        if self.open_numbers > 0 || self.sought[Place::Arguments as usize] > 0 {
            for text in leaves(&facts.call.arguments).filter_map(Value::as_str) {
                if facts.line.as_deref() != Some(text) {
                    self.text(text, at(Place::Arguments), tool, folded);
                }
            }
            for number in leaves(&facts.call.arguments).filter(|v| v.is_number()) {
                self.text(&number.to_string(), at(Place::Arguments), tool, folded);
            }
        }
        if let Some(text) = &facts.call.output {
            self.text(text, at(Place::Output), tool, folded);
        }
        if let Some(text) = &facts.call.error {
            self.text(text, at(Place::Given), tool, folded);
        }
    }

    /// Searches one text. `hit` tells where it stands.
    fn text(&mut self, source: &str, hit: Hit, tool: Source<'_>, folded: &mut Folded) {
        let best = self.any || matches!(hit.place, Place::Output | Place::Line);
        if self.sought[hit.place as usize] > 0 {
            folded.fold(source);
            let Search { scanner, texts, found, settled, open_texts, sought, .. } = self;
            scanner.scan(&folded.bytes, |slot, at| {
                let (scope, bytes) = &texts[slot];
                let better = !settled[slot] && (best || found[slot].is_none());
                if better && admits(scope, hit.place, tool) {
                    found[slot] = Some(Hit { span: folded.source(source, Span::new(at, at + bytes.len())), ..hit });
                    if best || matches!(scope, Scope::Person | Scope::Given) {
                        settled[slot] = true;
                        *open_texts -= 1;
                        seek(sought, scope, |n| n - 1);
                    }
                }
            });
        }
        match (self.open_numbers, self.digits.is_empty()) {
            (0, _) => {}
            (_, true) => self.all_numbers(source, hit, best),
            (_, false) => self.few_numbers(source, hit, best),
        }
    }

    fn all_numbers(&mut self, source: &str, hit: Hit, best: bool) {
        for (span, number) in numbers::scan(source) {
            let key = number.key();
            if self.values[value_bit(key) / 64] >> (value_bit(key) % 64) & 1 == 0 {
                continue;
            }
            let from = self.numbers.partition_point(|(k, _)| *k < key);
            let same = self.numbers[from..].iter().take_while(|(k, _)| *k == key).count();
            for i in from..from + same {
                self.put_number(i, Hit { span, ..hit }, best);
            }
        }
    }

    /// Reads only the lines that hold a number's digits. No number goes on from one line to the next.
    fn few_numbers(&mut self, source: &str, hit: Hit, best: bool) {
        for i in 0..self.numbers.len() {
            let (key, slot) = self.numbers[i];
            if self.settled[slot] || (!best && self.found[slot].is_some()) {
                continue;
            }
            let mut from = 0;
            while let Some(at) = self.digits[i].find(source.as_bytes(), from) {
                let start = memchr::memrchr(b'\n', &source.as_bytes()[..at]).map_or(0, |i| i + 1);
                let end = memchr::memchr(b'\n', &source.as_bytes()[at..]).map_or(source.len(), |i| at + i);
                let found = numbers::scan(&source[start..end]).find(|(_, number)| number.key() == key);
                if let Some((span, _)) = found {
                    let span = Span::new(span.start + start, span.end + start);
                    self.put_number(i, Hit { span, ..hit }, best);
                    break;
                }
                from = end;
            }
        }
    }

    /// Looks no longer for it.
    fn close(&mut self, slot: usize) {
        if core::mem::replace(&mut self.settled[slot], true) {
            return;
        }
        match self.texts.get(slot) {
            Some((scope, _)) => {
                self.open_texts -= 1;
                seek(&mut self.sought, scope, |n| n - 1);
            }
            None => self.open_numbers -= 1,
        }
    }

    fn put_number(&mut self, i: usize, hit: Hit, best: bool) {
        let slot = self.numbers[i].1;
        if !self.settled[slot] && (best || self.found[slot].is_none()) {
            self.found[slot] = Some(hit);
            self.settled[slot] = best;
            self.open_numbers -= usize::from(best);
        }
    }
}

/// The bit of a value among those of [`Search`].
fn value_bit(key: i128) -> usize {
    ((key as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize
}

impl Hit {
    fn of(part: usize, call: Option<usize>, place: Place) -> Self {
        Hit { part, call, place, span: Span::default() }
    }
}

/// The kinds of text that a scope admits.
fn admitted(scope: &Scope) -> u8 {
    const TOLD: u8 = Place::Output.bit() | Place::Person.bit() | Place::Given.bit();
    const MADE: u8 = Place::Arguments.bit() | Place::Line.bit();
    match scope {
        Scope::Any => TOLD | MADE,
        Scope::Told => TOLD,
        Scope::Person => Place::Person.bit(),
        Scope::Given => Place::Given.bit(),
        Scope::Line => Place::Line.bit(),
        Scope::Tool(_) => MADE,
        Scope::Writer => MADE | Place::Output.bit(),
    }
}

/// Counts a text with this scope to each kind of text that can hold it, or off again.
fn seek(sought: &mut [usize; PLACES], scope: &Scope, change: fn(usize) -> usize) {
    let held = sought.iter_mut().enumerate().filter(|(place, _)| admitted(scope) >> place & 1 == 1);
    held.for_each(|(_, n)| *n = change(*n));
}

fn admits(scope: &Scope, place: Place, source: Source<'_>) -> bool {
    let from = match scope {
        Scope::Tool(name) => name == source.tool,
        Scope::Writer => source.writes,
        _ => true,
    };
    from && admitted(scope) & place.bit() != 0
}

/// Whose text is searched.
#[derive(Clone, Copy)]
struct Source<'s> {
    tool: &'s str,
    writes: bool,
}

const NOBODY: Source<'static> = Source { tool: "", writes: false };

/// All strings in a JSON value, without recursion.
pub fn strings(value: &Value) -> Vec<&str> {
    leaves(value).filter_map(Value::as_str).collect()
}

/// All numbers in a JSON value, as written.
pub fn scalars(value: &Value) -> Vec<String> {
    leaves(value).filter(|v| v.is_number()).map(ToString::to_string).collect()
}

/// About how much room a JSON value takes.
pub(crate) fn size(value: &Value) -> usize {
    leaves(value).map(|leaf| 64 + leaf.as_str().map_or(0, str::len)).sum()
}

pub(super) fn leaves(value: &Value) -> impl Iterator<Item = &Value> {
    let mut open = vec![value];
    core::iter::from_fn(move || loop {
        match open.pop()? {
            Value::Array(items) => open.extend(items.iter().rev()),
            Value::Object(fields) => open.extend(fields.values().rev()),
            leaf => return Some(leaf),
        }
    })
}
