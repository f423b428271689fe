//! How many columns of a terminal a character takes, nearly.
//!
//! Terminals disagree on emoji sequences; a caret line may be off by a column or two there, never more than that
//! a sequence. The claim's own words stand in the line above in any case.

/// Ranges of characters that take no column: marks that combine, joiners, variation selectors, tags.
const NONE: &[(u32, u32)] = &[
    (0x300, 0x36f),
    (0x483, 0x489),
    (0x591, 0x5bd),
    (0x610, 0x61a),
    (0x64b, 0x65f),
    (0x6d6, 0x6dc),
    (0x93c, 0x93c),
    (0x941, 0x948),
    (0x94d, 0x94d),
    (0xe31, 0xe31),
    (0xe34, 0xe3a),
    (0xe47, 0xe4e),
    (0x1ab0, 0x1aff),
    (0x1dc0, 0x1dff),
    (0x200b, 0x200d),
    (0x2060, 0x2064),
    (0x20d0, 0x20ff),
    (0x302a, 0x302d),
    (0x3099, 0x309a),
    (0xfe00, 0xfe0f),
    (0xfe20, 0xfe2f),
    (0xfeff, 0xfeff),
    (0x1_f3fb, 0x1_f3ff),
    (0xe_0000, 0xe_01ef),
];

/// Ranges of characters that take two.
const TWO: &[(u32, u32)] = &[
    (0x1100, 0x115f),
    (0x231a, 0x231b),
    (0x23e9, 0x23ec),
    (0x23f0, 0x23f0),
    (0x23f3, 0x23f3),
    (0x25fd, 0x25fe),
    (0x2614, 0x2615),
    (0x2648, 0x2653),
    (0x267f, 0x267f),
    (0x2693, 0x2693),
    (0x26a1, 0x26a1),
    (0x26aa, 0x26ab),
    (0x26bd, 0x26be),
    (0x26c4, 0x26c5),
    (0x26ce, 0x26ce),
    (0x26d4, 0x26d4),
    (0x26ea, 0x26ea),
    (0x26f2, 0x26f3),
    (0x26f5, 0x26f5),
    (0x26fa, 0x26fa),
    (0x26fd, 0x26fd),
    (0x2705, 0x2705),
    (0x270a, 0x270b),
    (0x2728, 0x2728),
    (0x274c, 0x274c),
    (0x274e, 0x274e),
    (0x2753, 0x2755),
    (0x2757, 0x2757),
    (0x2795, 0x2797),
    (0x27b0, 0x27b0),
    (0x27bf, 0x27bf),
    (0x2b1b, 0x2b1c),
    (0x2b50, 0x2b50),
    (0x2b55, 0x2b55),
    (0x2e80, 0x303e),
    (0x3041, 0xa4cf),
    (0xa960, 0xa97f),
    (0xac00, 0xd7a3),
    (0xf900, 0xfaff),
    (0xfe30, 0xfe6f),
    (0xff00, 0xff60),
    (0xffe0, 0xffe6),
    (0x1_6fe0, 0x1_8cff),
    (0x1_b000, 0x1_b2ff),
    (0x1_f004, 0x1_f004),
    (0x1_f0cf, 0x1_f0cf),
    (0x1_f18e, 0x1_f18e),
    (0x1_f191, 0x1_f19a),
    (0x1_f1e6, 0x1_f202),
    (0x1_f210, 0x1_f23b),
    (0x1_f240, 0x1_f248),
    (0x1_f250, 0x1_f251),
    (0x1_f260, 0x1_f265),
    (0x1_f300, 0x1_f64f),
    (0x1_f680, 0x1_f6ff),
    (0x1_f7e0, 0x1_f7eb),
    (0x1_f90c, 0x1_f9ff),
    (0x1_fa70, 0x1_faff),
    (0x2_0000, 0x3_fffd),
];

fn within(table: &[(u32, u32)], c: u32) -> bool {
    let at = table.partition_point(|&(_, high)| high < c);
    table.get(at).is_some_and(|&(low, _)| low <= c)
}

/// The columns of one character.
pub(crate) fn of(c: char) -> usize {
    let c = u32::from(c);
    if c < 0x300 {
        1
    } else if within(NONE, c) {
        0
    } else if within(TWO, c) {
        2
    } else {
        1
    }
}

/// The columns of a text.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().map(of).sum()
}

/// As much of the start of a text as fits into `columns`.
pub(crate) fn head(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let end = text.char_indices().find(|&(_, c)| {
        used += of(c);
        used > columns
    });
    end.map_or(text, |(at, _)| text.get(..at).unwrap_or(text))
}

/// As much of the end of a text as fits into `columns`.
pub(crate) fn tail(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let start = text.char_indices().rev().find(|&(_, c)| {
        used += of(c);
        used > columns
    });
    start.map_or(text, |(at, c)| text.get(at + c.len_utf8()..).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted() {
        for table in [NONE, TWO] {
            assert!(table.windows(2).all(|w| w[0].1 < w[1].0));
            assert!(table.iter().all(|&(low, high)| low <= high));
        }
    }

    #[test]
    fn kanji_and_emoji_take_two_columns_and_accents_none() {
        assert_eq!(columns("日本"), 4);
        assert_eq!(columns("🎉"), 2);
        assert_eq!(columns("e\u{301}"), 1);
        assert_eq!(head("日本語", 5), "日本");
        assert_eq!(tail("日本語", 5), "本語");
    }
}
