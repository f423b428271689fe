//! What was passed over in folders and among the files that fit a pattern, told in one line.

use crate::error::ErrorKind;
use crate::sort::sorted;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// So many names, or endings, of a kind are told.
const SHOWN: usize = 3;

/// The ending of archives that not every home reads.
const ARCHIVE: &str = ".eval";

/// Files that were passed over, by the reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Passed {
    /// By their ending, which is none of a transcript's; an empty text for none.
    endings: BTreeMap<String, usize>,
    /// Pipes, sockets and devices.
    special: usize,
    /// The names of the first that hold no transcript, and their number.
    foreign: (Vec<String>, usize),
    /// The same for those that are not JSON.
    broken: (Vec<String>, usize),
}

impl Passed {
    /// A file has an ending that no transcript has.
    pub(super) fn ends_otherwise(&mut self, name: &str) {
        let end = name.rsplit_once('.').map_or("", |(_, end)| end);
        let end =
            if end.is_empty() || end.len() > 12 { String::new() } else { format!(".{}", end.to_ascii_lowercase()) };
        *self.endings.entry(end).or_default() += 1;
    }

    /// It is a pipe, a socket or a device, which might never end.
    pub(super) fn is_no_file(&mut self) {
        self.special += 1;
    }

    /// It was read, and is no transcript.
    pub(super) fn is_none(&mut self, name: &str, kind: ErrorKind) {
        let (names, count) = if kind == ErrorKind::Json { &mut self.broken } else { &mut self.foreign };
        *count += 1;
        if names.len() < SHOWN {
            names.push(name.rsplit(['/', '\\']).next().unwrap_or(name).to_string());
        }
    }

    /// Adds what was passed over in another folder.
    pub(super) fn add(&mut self, other: Passed) {
        for (end, count) in other.endings {
            *self.endings.entry(end).or_default() += count;
        }
        self.special += other.special;
    }

    /// How many there are, and why they were passed over; nothing where there are none.
    pub(super) fn line(&self) -> Option<String> {
        let (foreign, broken) = (self.foreign.1, self.broken.1);
        let count = foreign + broken + self.special + self.endings.values().sum::<usize>();
        let archives = self.endings.get(ARCHIVE).copied().unwrap_or(0);
        let parts = [
            (foreign, ["holds no transcript", "hold no transcript"], listed(&self.foreign)),
            (broken, ["is not JSON", "are not JSON"], listed(&self.broken)),
            (archives, [".eval archive", ".eval archives"], ", which only the Python package reads".to_string()),
            (self.special, ["is a pipe or a device", "are pipes or devices"], String::new()),
        ];
        let told = parts.into_iter().filter(|(count, ..)| *count > 0);
        let mut told: Vec<String> = told.map(|(count, words, more)| counted(count, words) + &more).collect();
        told.extend(self.by_ending(false));
        (count > 0).then(|| format!("{}: {}", counted(count, ["file", "files"]), told.join("; ")))
    }

    /// The files of a folder in which no transcript is.
    pub(super) fn otherwise(&self) -> String {
        self.by_ending(true).map_or_else(String::new, |told| format!("; {told}"))
    }

    /// How the files end, the most frequent ending first.
    fn by_ending(&self, named: bool) -> Option<String> {
        let all = self.endings.iter().filter(|(end, _)| named || end.as_str() != ARCHIVE);
        let all = sorted(all.collect::<Vec<_>>(), |a, b| b.1.cmp(a.1));
        let mut told = Vec::new();
        for (i, (end, &count)) in all.iter().take(SHOWN).enumerate() {
            let files = if named && i == 0 { ["file ", "files "] } else { ["", ""] }[usize::from(count != 1)];
            let what = match (end.as_str(), count) {
                ("", 1) => "has no ending".to_string(),
                ("", _) => "have no ending".to_string(),
                (end, 1) => format!("ends in {end}"),
                (end, _) => format!("end in {end}"),
            };
            told.push(format!("{count} {files}{what}"));
        }
        let rest: usize = all.iter().skip(SHOWN).map(|(_, count)| **count).sum();
        if rest > 0 {
            told.push(format!("{rest} otherwise"));
        }
        (!told.is_empty()).then(|| told.join(", "))
    }
}

fn counted(count: usize, [one, many]: [&str; 2]) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// The names in brackets.
fn listed((names, count): &(Vec<String>, usize)) -> String {
    let more = if *count > names.len() { ", …" } else { "" };
    format!(" ({}{more})", names.join(", "))
}
