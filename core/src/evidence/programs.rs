//! What known programs do, as data.
//!
//! A pattern is a program with its subcommands and options, `npm run test*` matching any word with that start
//! and `yarn $` only `yarn` without a subcommand. The pattern with the most words decides. A program that no
//! pattern names may have done anything, so leaving one out costs a finding and never accuses; listing a
//! program among those that do nothing is what needs care.

mod table;

use super::acts::Acts;
use table::TABLE;

const ANY: u16 = Acts::ANY.may;

/// Acts done, acts possible besides, and the commands of which both are true.
pub(super) type Row = (u16, u16, &'static [&'static str]);

/// How many patterns the table holds, and how many bytes they have.
const SIZE: (usize, usize) = {
    let (mut count, mut bytes) = (0, 0);
    let (mut row, mut i) = (0, 0);
    while row < TABLE.len() {
        (count, bytes) = (count + 1, bytes + TABLE[row].2[i].len());
        (row, i) = after(row, i);
    }
    // Places and rows are kept in small numbers.
    assert!(bytes <= u16::MAX as usize && TABLE.len() <= u8::MAX as usize);
    (count, bytes)
};

/// The place of the pattern behind one of the table.
const fn after(row: usize, i: usize) -> (usize, usize) {
    if i + 1 < TABLE[row].2.len() {
        (row, i + 1)
    } else {
        (row + 1, 0)
    }
}

/// The group of a program by the first byte and the length of its name: the names of one group are few.
const fn group(first: u8, length: usize) -> usize {
    (first as usize % 16) * 16 + length % 16
}

/// How long a pattern's first word is.
const fn named(pattern: &[u8]) -> usize {
    let mut length = 0;
    while length < pattern.len() && pattern[length] != b' ' {
        length += 1;
    }
    length
}

/// Every pattern, sorted by the group of its program, as one text with the place of each: a pointer to each costs more than
/// the patterns themselves.
struct Sorted {
    text: [u8; SIZE.1],
    /// Where each pattern ends; the next one starts there.
    ends: [u16; SIZE.0],
    /// The row of the table that each pattern is of, and what a row's patterns do.
    rows: [u8; SIZE.0],
    acts: [Acts; TABLE.len()],
    /// The number of the first pattern of each group.
    starts: [u16; 257],
}

static SORTED: Sorted = {
    let mut sorted = Sorted {
        text: [0; SIZE.1],
        ends: [0; SIZE.0],
        rows: [0; SIZE.0],
        acts: [Acts::NONE; TABLE.len()],
        starts: [0; 257],
    };
    // First how many patterns and bytes come before those of each group.
    let mut bytes = [0; 257];
    let (mut row, mut i) = (0, 0);
    while row < TABLE.len() {
        let pattern = TABLE[row].2[i].as_bytes();
        let of = group(pattern[0], named(pattern));
        sorted.starts[of + 1] += 1;
        bytes[of + 1] += pattern.len();
        (row, i) = after(row, i);
    }
    let mut of = 0;
    while of < 256 {
        sorted.starts[of + 1] += sorted.starts[of];
        bytes[of + 1] += bytes[of];
        of += 1;
    }
    let mut next = sorted.starts;
    (row, i) = (0, 0);
    while row < TABLE.len() {
        let (did, may, patterns) = TABLE[row];
        let pattern = patterns[i].as_bytes();
        let of = group(pattern[0], named(pattern));
        let mut at = 0;
        while at < pattern.len() {
            sorted.text[bytes[of]] = pattern[at];
            bytes[of] += 1;
            at += 1;
        }
        let number = next[of] as usize;
        sorted.ends[number] = bytes[of] as u16;
        sorted.rows[number] = row as u8;
        sorted.acts[row] = Acts::of(did, may);
        next[of] += 1;
        (row, i) = after(row, i);
    }
    sorted
};

/// The patterns as text.
static TEXT: &str = match core::str::from_utf8(&SORTED.text) {
    Ok(text) => text,
    Err(_) => "",
};

/// The patterns whose first word is this, and for whose second word `may_fit` holds by its first byte, if there is one.
pub(super) fn naming<'n>(
    name: &'n str,
    may_fit: impl Fn(Option<&u8>) -> bool + 'n,
) -> impl Iterator<Item = (Acts, &'static str)> + 'n {
    let of = name.bytes().next().map(|first| group(first, name.len()));
    let range = of.map_or(0..0, |of| usize::from(SORTED.starts[of])..usize::from(SORTED.starts[of + 1]));
    let mut end = range.start.checked_sub(1).map_or(0, |before| usize::from(SORTED.ends[before]));
    SORTED.ends[range.clone()].iter().zip(&SORTED.rows[range]).filter_map(move |(&next, &row)| {
        let start = end;
        end = usize::from(next);
        let behind = start + name.len();
        // Other names of the group mostly have another length.
        if behind > end || (behind < end && SORTED.text[behind] != b' ') {
            return None;
        }
        if !may_fit(SORTED.text.get(behind + 1).filter(|_| behind < end)) {
            return None;
        }
        let pattern = TEXT.get(start..end).filter(|pattern| pattern.starts_with(name))?;
        Some((SORTED.acts[usize::from(row)], pattern))
    })
}
