//! The values that a turn's outputs print, with the words that say what each is a value of.
//!
//! An output is cut into segments: lines, members of JSON, sentences. The words of a value are those in front of it in its
//! segment and the keys above it; in a wider circle all of its segment, and the arguments and the short output of its
//! call. A claim finds the values that carry all of its own words. Built once a turn; what one claim costs is bounded.

mod vocabulary;
mod words;

use super::envelope;
use super::facts::Facts;
use super::numbers::quantity::{quantities, Kind, Quantity};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use words::{claimed, is_version, measured, words, ABOUT, MEASURES, NEUTRAL, OTHERS, PERCENTILE};

pub use vocabulary::Vocabulary;
pub use words::VERSIONS;

/// How many bytes of a turn's outputs are looked at.
const MOST_BYTES: usize = 1 << 20;
/// The most values that are kept.
const MOST: usize = 20_000;
/// A word that more values carry than this says nothing of one of them.
const COMMON: usize = 32;
/// The most words of a claim, of a segment, and of the keys above it.
const CLAIMED: usize = 8;
const LONGEST: usize = 64;
const ABOVE: usize = 8;
/// An output with more words than this is no description of one thing.
const SHORT: usize = 120;
/// The same in bytes.
const DESCRIBED: usize = 2_000;

/// A value with its words.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The call that printed it.
    pub call: usize,
    /// The value; its span counts in the call's output.
    pub quantity: Quantity,
    /// The keys above it, and the words right in front of it.
    near: Range<usize>,
    /// Where the words in front of it start.
    own: usize,
    /// The words of its segment, and the keys above it.
    segment: Range<usize>,
}

/// The values of a turn's outputs.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    words: Vec<u64>,
    values: Vec<Labelled>,
    /// The values that carry each word near.
    carriers: BTreeMap<u64, Vec<u32>>,
    /// Values that are the only ones of their kind in a short output.
    alone: Vec<u32>,
    /// The words of each call's arguments, and of its whole output where it is short.
    calls: BTreeMap<usize, Told>,
}

/// The words of a call.
#[derive(Clone, Debug, Default)]
struct Told {
    arguments: Vec<u64>,
    output: Vec<u64>,
}

impl Labels {
    /// Reads the outputs of calls that succeeded.
    pub fn of<'f, 'a: 'f>(calls: impl Iterator<Item = (usize, &'f Facts<'a>)>) -> Self {
        let mut labels = Labels::default();
        let mut left = MOST_BYTES;
        for (call, facts) in calls.filter(|(_, f)| f.succeeded) {
            let Some(output) = facts.call.output.as_deref().filter(|o| o.len() <= left) else { continue };
            left -= output.len();
            labels.call(call, facts, output);
        }
        for (i, value) in (0..).zip(&labels.values) {
            for word in &labels.words[value.near.clone()] {
                let list = labels.carriers.entry(*word).or_default();
                if list.last() != Some(&i) {
                    list.push(i);
                }
            }
        }
        labels
    }

    fn call(&mut self, call: usize, facts: &Facts<'_>, output: &str) {
        let mut told = Told::default();
        words(&facts.call.tool, &mut |word| told.arguments.push(word));
        for text in super::lookup::strings(&facts.call.arguments).into_iter().take(16) {
            words(text.get(..400).unwrap_or(text), &mut |word| told.arguments.push(word));
            told.arguments.truncate(SHORT);
        }
        let first = self.values.len();
        let body = envelope::body(output);
        segments(body.of(output), &mut |above, span| {
            self.segment(call, output, above, span.start + body.start..span.end + body.start);
        });
        if output.len() <= DESCRIBED {
            words(body.of(output), &mut |word| told.output.push(word));
        }
        if output.len() <= DESCRIBED && told.output.len() <= SHORT {
            let kinds: Vec<Kind> = self.values[first..].iter().map(|v| v.quantity.kind).collect();
            let alone = (first..).zip(&kinds).filter(|(_, kind)| kinds.iter().filter(|k| k == kind).count() == 1);
            self.alone.extend(alone.map(|(i, _)| i as u32));
        } else {
            told.output.clear();
        }
        self.calls.insert(call, told);
    }

    /// Takes up the values of a segment.
    fn segment(&mut self, call: usize, output: &str, above: &[u64], span: Range<usize>) {
        let text = output.get(span.clone()).unwrap_or("");
        let found = quantities(text);
        if found.is_empty() || self.values.len() >= MOST {
            return;
        }
        let segment = self.put(above, text);
        let mut from = 0;
        for mut quantity in found {
            // `p(99)=`, `12:` – a number that is a part of a label.
            let behind = text.get(quantity.span.end..).unwrap_or("").trim_start_matches(')');
            if quantity.kind == Kind::Plain && behind.starts_with(['=', ':']) {
                continue;
            }
            let near = self.put(above, text.get(from..quantity.span.start).unwrap_or(""));
            from = quantity.span.end;
            if quantity.kind == Kind::Plain {
                quantity = measured(quantity, &self.words[near.clone()], text);
            }
            quantity.span.start += span.start;
            quantity.span.end += span.start;
            let own = near.start + above.len();
            self.values.push(Labelled { call, quantity, near, own, segment: segment.clone() });
        }
    }

    fn put(&mut self, above: &[u64], text: &str) -> Range<usize> {
        let start = self.words.len();
        self.words.extend_from_slice(above);
        words(text, &mut |word| {
            if self.words.len() - start < LONGEST {
                self.words.push(word);
            }
        });
        start..self.words.len()
    }

    /// The values of a kind that carry all of these words: those that stand closest to them.
    pub fn find(&self, kind: Kind, claimed: &[String]) -> Vec<&Labelled> {
        let wanted = wanted(claimed);
        let Some(last) = wanted.last().copied() else { return Vec::new() };
        let mut found: Vec<((bool, usize, bool), u32)> = Vec::new();
        for word in &wanted {
            let carriers = self.carriers.get(word).filter(|list| list.len() <= COMMON);
            for &i in carriers.into_iter().flatten() {
                let value = &self.values[i as usize];
                if value.quantity.kind == kind && self.names(value, &wanted) && !found.iter().any(|(_, j)| *j == i) {
                    let close = self.fits(value, &wanted);
                    let near = &self.words[value.near.clone()];
                    let count = wanted.iter().filter(|w| near.contains(w)).count();
                    found.extend(close.map(|close| ((close, count, near.contains(&last)), i)));
                }
            }
        }
        let best = found.iter().map(|(fit, _)| *fit).max();
        found.iter().filter(|(fit, _)| Some(*fit) == best).map(|(_, i)| &self.values[*i as usize]).collect()
    }

    /// The versions in short outputs that hold no other, as of `tool --version`, where the call or its output names one
    /// of these words.
    pub fn versions(&self, claimed: &[String]) -> Vec<&Labelled> {
        let wanted = wanted(claimed);
        if wanted.iter().any(|word| OTHERS.contains(word)) {
            return Vec::new();
        }
        let named = |value: &&Labelled| {
            let Some(told) = self.calls.get(&value.call) else { return false };
            let version = self.words[value.near.clone()].iter().any(|word| is_version(*word));
            let only = told.output.len() <= 8;
            let holds = |word: &u64| told.output.contains(word) || (only && told.arguments.contains(word));
            let strange = wanted.iter().filter(|word| !holds(word) && !ABOUT.contains(word)).count();
            // A thing that describes itself may be called by one name more than it uses itself.
            value.quantity.kind == Kind::Version
                && wanted.iter().any(|word| holds(word) && !ABOUT.contains(word))
                && ((version && strange <= 1) || (only && strange == 0))
        };
        self.alone.iter().take(COMMON).map(|i| &self.values[*i as usize]).filter(named).collect()
    }

    /// A value of the same kind, whatever its words, that may be this one rounded or in another unit.
    pub fn like(&self, quantity: &Quantity) -> Option<&Labelled> {
        self.values.iter().find(|v| v.quantity.kind == quantity.kind && v.quantity.fits(quantity))
    }

    /// Whether a word of the claim that does not stand with a value is a part of another label in its output: of “cache size”,
    /// where `heap size: 16 MB` stands beside a `cache size` whose value cannot be read.
    pub fn is_of_another(&self, value: &Labelled, claimed: &[String], output: &str) -> bool {
        let wanted = wanted(claimed);
        let own = &self.words[value.segment.clone()];
        let missing = |word: &u64| wanted.contains(word) && !own.contains(word);
        // “cache size: 774.2M, heap size: 16 MB” in one line.
        let line = own.get(value.own - value.near.start..).unwrap_or(&[]);
        let twice = |word: &&u64| line.iter().filter(|w| w == word).count() > 1;
        if wanted.iter().filter(|word| **word != PERCENTILE).any(|word| twice(&word)) {
            return true;
        }
        if output.len() > DESCRIBED || !wanted.iter().any(missing) {
            return false;
        }
        // Digits of a name, as of “KX-40”, are no value.
        let valued = |run: &str| {
            run.bytes().any(|b| b.is_ascii_digit())
                && !claimed.iter().any(|word| word.to_lowercase().contains(&run.to_lowercase()))
        };
        let (body, mut another) = (envelope::body(output), false);
        segments(body.of(output), &mut |above, span| {
            let text = body.of(output).get(span).unwrap_or("");
            let (mut held, mut shared) = (above.iter().any(missing), false);
            words(text, &mut |word| {
                held |= missing(&word);
                shared |= wanted.contains(&word) && !missing(&word);
            });
            another |= held && (shared || text.split(|c: char| !c.is_alphanumeric()).any(valued));
        });
        another
    }

    /// Whether the words in front of a value tell no more than the claim's: “disk free: 39 %” says nothing of “disk”.
    fn names(&self, value: &Labelled, wanted: &[u64]) -> bool {
        let own = self.words.get(value.own..value.near.end).unwrap_or(&[]);
        let more = own.iter().filter(|word| !wanted.contains(word));
        let (mut strange, mut other) = (0, false);
        for word in more {
            let unit = MEASURES.iter().any(|(name, ..)| name == word);
            strange += usize::from(!unit && !NEUTRAL.contains(word));
            other |= OTHERS.contains(word);
        }
        let most = if wanted.len() < 2 { 0 } else { wanted.len() + 1 };
        !other && strange <= most
    }

    /// Whether all words stand in the value's segment, which is close, or else in its call.
    fn fits(&self, value: &Labelled, wanted: &[u64]) -> Option<bool> {
        let segment = &self.words[value.segment.clone()];
        if wanted.iter().all(|word| segment.contains(word)) {
            return Some(true);
        }
        let told = self.calls.get(&value.call)?;
        let wide = |word: &u64| segment.contains(word) || told.arguments.contains(word) || told.output.contains(word);
        wanted.iter().all(wide).then_some(false)
    }
}

fn wanted(texts: &[String]) -> Vec<u64> {
    let mut wanted = Vec::new();
    for text in texts {
        claimed(text, &mut |word| wanted.push(word));
    }
    // The last words stand next to the value.
    wanted.split_off(wanted.len().saturating_sub(CLAIMED))
}

/// Calls `found` with the keys above and the place of each segment.
fn segments(output: &str, found: &mut dyn FnMut(&[u64], Range<usize>)) {
    let bytes = output.as_bytes();
    let json = output.trim_start().starts_with(['{', '[']);
    let (mut above, mut marks): (Vec<u64>, Vec<usize>) = (Vec::new(), Vec::new());
    let (mut start, mut string) = (0, false);
    for (i, &b) in bytes.iter().enumerate() {
        let escaped = i > 0 && bytes[i - 1] == b'\\';
        let next = bytes.get(i + 1).copied().unwrap_or(b' ');
        let cut = match b {
            b'\n' => true,
            b'n' if escaped => true,
            b'"' if json && !escaped => {
                string = !string;
                false
            }
            b'{' | b'[' | b'}' | b']' | b',' => json && !string,
            b';' => true,
            b'.' => next == b' ' && bytes.get(i + 2).is_some_and(u8::is_ascii_uppercase),
            _ => false,
        };
        if !cut {
            continue;
        }
        found(&above, start..i);
        let opens = json && !string && matches!(b, b'{' | b'[');
        if opens && marks.len() < 256 {
            marks.push(above.len());
            words(output.get(start..i).unwrap_or(""), &mut |word| {
                if above.len() < ABOVE {
                    above.push(word);
                }
            });
        } else if json && !string && matches!(b, b'}' | b']') {
            above.truncate(marks.pop().unwrap_or(0));
        }
        string = string && b != b'\n';
        start = i + 1;
    }
    found(&above, start..bytes.len());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Call, Status};
    use alloc::string::ToString;

    fn found(output: &str, kind: Kind, claimed: &[&str]) -> Vec<String> {
        let call = Call {
            tool: "probe".into(),
            arguments: serde_json::json!({"name": "shed"}),
            output: Some(output.into()),
            status: Status::Ok,
            ..Call::default()
        };
        let roles = BTreeMap::new();
        let facts = Facts::new(&call, &roles);
        let labels = Labels::of([(0, &facts)].into_iter());
        let claimed: Vec<String> = claimed.iter().map(ToString::to_string).collect();
        labels.find(kind, &claimed).iter().map(|v| v.quantity.span.of(output).to_string()).collect()
    }

    #[test]
    fn a_value_is_found_by_its_key_and_the_keys_above() {
        let output = r#"{"pump": {"firmware": {"installed": "5.2.17"}}, "fan": {"firmware": {"installed": "1.0.3"}}}"#;
        assert_eq!(found(output, Kind::Version, &["pump", "firmware"]), ["5.2.17"]);
        assert_eq!(found(output, Kind::Version, &["lamp", "firmware"]), Vec::<String>::new());
    }

    #[test]
    fn the_word_next_to_a_value_tells_which_one_is_meant() {
        let output = "The warranty begins on 1 June 2029 and expires on 14 May 2031.";
        assert_eq!(found(output, Kind::Date, &["warranty", "expires"]), ["14 May 2031"]);
    }

    #[test]
    fn labels_are_compared_without_the_way_they_are_written() {
        assert_eq!(found("http_wait: avg=71ms p(99)=217.6ms", Kind::Duration, &["99th", "percentile"]), ["217.6ms"]);
        assert_eq!(found("diskUsage: 41%", Kind::Share, &["disk", "usage"]), ["41%"]);
        assert_eq!(found("free: 12 MB", Kind::Size, &["shed", "free"]), ["12 MB"]);
    }
}
