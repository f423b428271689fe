//! Looks up any number of needles in one pass over a text.
//!
//! A needle's first eight, four, two or one bytes are its anchor. The scanner slides a window of eight bytes over the
//! folded text and asks a bitmap of all first bytes, and then one per anchor length, whether any needle may start here;
//! only then are the needles with that anchor compared. The cost is linear in the text whatever the number of needles: needles are compared by
//! their first [`LONGEST`] bytes, and those that share an anchor are found by one binary search and a walk along the
//! chain of those that are prefixes of each other.

use crate::sort::order;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// How much of a needle is compared, in folded bytes.
pub const LONGEST: usize = 256;

/// Which texts a needle is looked for in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Outputs, arguments, and what the agent was given.
    Any,
    /// Outputs, and what the agent was given: not what it wrote itself.
    Told,
    /// What the person said.
    Person,
    /// Other text that the agent was given.
    Given,
    /// The command lines that were run.
    Line,
    /// The arguments of the calls to one tool.
    Tool(String),
    /// The arguments and outputs of calls that may have written files.
    Writer,
}

/// A needle's number.
pub type Id = usize;

/// Lengths of anchors, longest first.
const ANCHORS: [usize; 4] = [8, 4, 2, 1];

/// The needles whose anchors have one length.
#[derive(Debug, Default)]
struct Class {
    /// A bit for each hash of an anchor that occurs; empty where the class is.
    bits: Vec<u64>,
    shift: u32,
    /// Anchors in order, each with its needles in `order`.
    anchors: Vec<(u64, Range<u32>)>,
}

/// Needles made ready for scanning.
#[derive(Debug)]
pub struct Scanner {
    /// All needles behind each other, and where each ends.
    texts: Vec<u8>,
    ends: Vec<usize>,
    /// How many bytes all needles have at least, at most four: so many are asked of `bits` first.
    least: usize,
    /// A bit for each hash of a needle's first `least` bytes; empty where there is no needle.
    bits: Vec<u64>,
    shift: u32,
    classes: [Class; 4],
    /// Needle numbers, sorted by anchor and then by text.
    order: Vec<Id>,
    /// For each place in `order` the place of the longest other needle that is a prefix of it.
    prefix: Vec<Option<u32>>,
}

fn window(bytes: &[u8]) -> u64 {
    match bytes.first_chunk::<8>() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => bytes.iter().take(8).rev().fold(0, |w, &b| (w << 8) | u64::from(b)),
    }
}

fn masked(window: u64, length: usize) -> u64 {
    if length == 8 {
        window
    } else {
        window & ((1 << (8 * length)) - 1)
    }
}

fn slot(anchor: u64, shift: u32) -> usize {
    (anchor.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift) as usize
}

fn class_of(needle: &[u8]) -> usize {
    ANCHORS.iter().position(|&length| needle.len() >= length).unwrap_or(3)
}

/// A bitmap of the hashes of so many anchors, and how far a hash is shifted to fit.
fn bitmap(anchors: impl ExactSizeIterator<Item = u64>) -> (Vec<u64>, u32) {
    let log = (anchors.len() * 16).next_power_of_two().trailing_zeros().clamp(12, 24);
    let shift = 64 - log;
    let mut bits = vec![0; (1 << log) / 64];
    for anchor in anchors {
        let bit = slot(anchor, shift);
        bits[bit / 64] |= 1 << (bit % 64);
    }
    (bits, shift)
}

fn has(bits: &[u64], bit: usize) -> bool {
    bits[bit / 64] >> (bit % 64) & 1 == 1
}

impl Scanner {
    /// Sorts the needles, which must be folded and at most [`LONGEST`] bytes long, by their anchors.
    pub fn new(needles: &[&[u8]]) -> Self {
        let key = |id: Id| {
            let bytes = needles[id];
            let class = class_of(bytes);
            (class, masked(window(bytes), ANCHORS[class]), bytes)
        };
        let order: Vec<Id> = order(needles.len(), &|a, b| key(a).cmp(&key(b)));
        let mut ends = Vec::with_capacity(needles.len());
        let mut texts = Vec::with_capacity(needles.iter().map(|n| n.len()).sum());
        for id in &order {
            texts.extend_from_slice(needles[*id]);
            ends.push(texts.len());
        }
        let least = needles.iter().map(|n| n.len().min(4)).min().unwrap_or(0);
        let (bits, shift) = bitmap(needles.iter().map(|n| masked(window(n), least)));
        let classes = Default::default();
        let prefix = vec![None; order.len()];
        let mut scanner = Scanner { texts, ends, least, bits, shift, classes, order, prefix };
        scanner.group();
        scanner
    }

    fn group(&mut self) {
        let mut chain: Vec<usize> = Vec::new();
        for place in 0..self.order.len() {
            let bytes = self.bytes(place);
            let class = class_of(bytes);
            let anchor = masked(window(bytes), ANCHORS[class]);
            while chain.last().is_some_and(|&p| !bytes.starts_with(self.bytes(p)) || class_of(self.bytes(p)) != class) {
                chain.pop();
            }
            self.prefix[place] = chain.last().map(|&p| p as u32);
            chain.push(place);
            let at = place as u32;
            match self.classes[class].anchors.last_mut() {
                Some((last, range)) if *last == anchor => range.end = at + 1,
                _ => self.classes[class].anchors.push((anchor, at..at + 1)),
            }
        }
        for class in self.classes.iter_mut().filter(|class| !class.anchors.is_empty()) {
            (class.bits, class.shift) = bitmap(class.anchors.iter().map(|(anchor, _)| *anchor));
        }
    }

    /// The needle at a place of `order`.
    fn bytes(&self, place: usize) -> &[u8] {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.texts[start..self.ends[place]]
    }

    /// Calls `hit` with every needle in `text` and the offset at which it starts.
    pub fn scan(&self, text: &[u8], mut hit: impl FnMut(Id, usize)) {
        if self.order.is_empty() {
            return;
        }
        let mut next = window(text);
        for at in 0..text.len() {
            let current = next;
            next = (current >> 8) | (u64::from(text.get(at + 8).copied().unwrap_or(0)) << 56);
            if has(&self.bits, slot(masked(current, self.least), self.shift)) {
                self.starts(current, &text[at..], &mut |id| hit(id, at));
            }
        }
    }

    /// Calls `hit` with each needle that `rest` starts with, `current` being its first eight bytes.
    fn starts(&self, current: u64, rest: &[u8], hit: &mut dyn FnMut(Id)) {
        for (class, length) in self.classes.iter().zip(ANCHORS) {
            let anchor = masked(current, length);
            if !class.bits.is_empty() && has(&class.bits, slot(anchor, class.shift)) {
                self.candidates(class, anchor, rest, hit);
            }
        }
    }

    /// Calls `hit` with each needle of one anchor that `rest` starts with.
    fn candidates(&self, class: &Class, anchor: u64, rest: &[u8], hit: &mut dyn FnMut(Id)) {
        let Ok(found) = class.anchors.binary_search_by_key(&anchor, |(a, _)| *a) else { return };
        let range = class.anchors[found].1.start as usize..class.anchors[found].1.end as usize;
        let rest = &rest[..rest.len().min(LONGEST)];
        let (mut low, mut high) = (range.start, range.end);
        while low < high {
            let middle = low.midpoint(high);
            if self.bytes(middle) <= rest {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut place = low.checked_sub(1).filter(|&place| place >= range.start);
        let Some(first) = place else { return };
        let common = self.bytes(first).iter().zip(rest).take_while(|(a, b)| a == b).count();
        while let Some(p) = place {
            if self.bytes(p).len() <= common {
                hit(self.order[p]);
            }
            place = self.prefix[p].map(|p| p as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::fold;
    use proptest::prelude::*;

    fn found(needles: &[&str], text: &str) -> Vec<(String, usize)> {
        let mut set: Vec<&[u8]> = needles.iter().map(|n| n.as_bytes()).collect();
        set.sort_unstable();
        set.dedup();
        let mut out = Vec::new();
        Scanner::new(&set).scan(&fold::fold(text), |id, at| {
            out.push((String::from_utf8(set[id].to_vec()).unwrap(), at));
        });
        out.sort();
        out
    }

    #[test]
    fn needles_of_every_length_are_found_and_may_overlap() {
        let hits = found(&["a", "an", "anna", "annabelle", "annabell", "belle", "zzz"], "Annabelle");
        let names: Vec<&str> = hits.iter().map(|(n, _)| n.as_str()).collect();
        assert_eq!(names, ["a", "a", "an", "anna", "annabell", "annabelle", "belle"]);
    }

    proptest! {
        #[test]
        fn the_scanner_finds_what_a_plain_search_finds(
            needles in proptest::collection::vec("[ab]{1,12}", 1..12), text in "[ab]{0,60}"
        ) {
            let refs: Vec<&str> = needles.iter().map(String::as_str).collect();
            let mut expected: Vec<(String, usize)> = Vec::new();
            let mut unique = needles.clone();
            unique.sort();
            unique.dedup();
            for n in &unique {
                for at in 0..text.len() {
                    if text[at..].starts_with(n.as_str()) {
                        expected.push((n.clone(), at));
                    }
                }
            }
            expected.sort();
            prop_assert_eq!(found(&refs, &text), expected);
        }
    }
}
