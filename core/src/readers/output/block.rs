//! “Output:” and a fenced block under it.
//!
//! # Reads
//! A fenced block whose lead-in ends with a result marker: Output, Returned, Result, stdout, an arrow.
//!
//! # Checks
//! Line by line: a line that is in no call's output or arguments, nor in what the agent was given, is flagged where one
//! of its numbers, paths or identifiers is in none either, nor follows from numbers that were printed, or four of its
//! other words under “Output”. Lines that elide are left out.
//!
//! # Leaves alone
//! Blocks without a marker (a proposal, a patch, a script), examples and expected output.
use super::prelude::*;
use super::{MARKERS, OTHERS};
use crate::evidence::numbers;
use crate::prose::Fence;
use crate::readers::text::is_placeholder;
use crate::text::fold::without_number;

pub(in crate::readers) const BLOCK: Form =
    Form { reader: "output", reads: Reads::Reply(read), check, asks: nothing_more };

/// The most lines of one block that are compared.
const LINES: usize = 400;

/// Languages in which a block is a program, not what one printed.
#[rustfmt::skip]
const LANGUAGES: &[&str] = &[
    "c", "c#", "c++", "cpp", "cs", "css", "diff", "go", "http", "java", "javascript", "js", "jsx", "kotlin", "lua",
    "mermaid", "patch", "php", "py", "python", "r", "rb", "rs", "ruby", "rust", "scala", "sql", "swift", "ts", "tsx",
    "typescript", "vue",
];

/// Words before a block of commands that others are to run.
const USAGE: &[&str] = &["example", "examples", "syntax", "usage"];

fn read(reading: &mut Reading<'_, '_>) {
    let fences = &reading.prose.fences;
    for (i, fence) in fences.iter().enumerate() {
        let program = |f: &Fence| LANGUAGES.contains(&f.info.of(reading.prose.source).trim().to_lowercase().as_str());
        // The output of a program that is shown right before is what it would print, and so is that of a usage.
        let shown = |b: &Fence| program(b) || b.before.is_some_and(|i| reading.mentions(reading.clause(i), USAGE));
        let example = i.checked_sub(1).and_then(|b| fences.get(b)).is_some_and(|b| shown(b) && near(reading, b, fence));
        if example {
            continue;
        }
        let info = fence.info.of(reading.prose.source).trim().to_lowercase();
        if LANGUAGES.contains(&info.as_str()) || !fence.before.is_some_and(|i| announces(reading, i)) {
            continue;
        }
        let mut at = fence.body.start;
        let weak = fence.before.is_some_and(|i| loose(reading, i));
        for line in fence.body.of(reading.prose.source).split_inclusive('\n').take(LINES) {
            let start = at + (line.len() - line.trim_start().len());
            let text = line.trim();
            at += line.len();
            if !text.chars().any(char::is_alphanumeric) || elides(text) || is_placeholder(text) {
                continue;
            }
            note(reading, text, Span::new(start, start + text.len()), weak);
        }
    }
}

/// Whether a block follows another with at most a sentence or two between.
fn near(reading: &Reading<'_, '_>, before: &Fence, fence: &Fence) -> bool {
    reading
        .prose
        .source
        .get(before.span.end..fence.span.start)
        .is_some_and(|between| between.trim().lines().count() <= 2)
}

/// Whether a clause ends with a result marker, and shows what was seen.
fn announces(reading: &Reading<'_, '_>, index: usize) -> bool {
    let clause = reading.clause(index);
    if clause.foreign {
        return false;
    }
    let tokens = reading.tokens(clause);
    let Some(last) = tokens.iter().rposition(|t| t.kind != TokenKind::Mark) else { return false };
    let word = &tokens[last];
    let marker =
        word.kind == TokenKind::Arrow || (word.kind == TokenKind::Word && MARKERS.contains(&word.text.as_ref()));
    // “The command now prints this output” tells what a program is to do.
    let rule = reading.mentions(clause, &["now"]) && reading.mentions(clause, PRINTS);
    marker && reading.asserts(clause, clause.tokens.start + last) && !rule && !reading.mentions(clause, OTHERS)
}

/// What programs do with their output.
const PRINTS: &[&str] =
    &["displays", "emits", "gives", "logs", "outputs", "prints", "produces", "reports", "returns", "shows", "writes"];

/// Whether the marker says only “result”, which may be anything that was made, not what a call printed.
fn loose(reading: &Reading<'_, '_>, index: usize) -> bool {
    let tokens = reading.tokens(reading.clause(index));
    tokens
        .iter()
        .rev()
        .find(|t| t.kind != TokenKind::Mark)
        .is_some_and(|t| t.text.starts_with("result") || t.kind == TokenKind::Arrow)
}

fn elides(line: &str) -> bool {
    line.contains("...") || line.contains('…') || line.contains("[truncated") || line.contains("[snip")
}

fn note(reading: &mut Reading<'_, '_>, line: &str, span: Span, weak: bool) {
    let bare = without_number(line).trim();
    let mut needles: Vec<_> = reading.want(Scope::Any, line).into_iter().collect();
    if bare != line && !bare.is_empty() {
        needles.extend(reading.want(Scope::Any, bare));
    }
    // What a person adds to a listing: a comment behind it, drawn branches, a header over columns.
    let said = bare.split(" #").next().unwrap_or(bare).split(" //").next().unwrap_or(bare);
    let said = said.trim_end().strip_suffix(')').and_then(|s| s.rsplit_once('(')).map_or(said, |(s, _)| s);
    let drawn = bare.contains(['│', '├', '└', '|', '┌', '─']);
    let mut others = Vec::new();
    let mut values = Vec::new();
    for word in said.split(|c: char| c.is_whitespace() || "|;\"'{}[]()<>│├└─█▇▆▅▄▃▂▁".contains(c))
    {
        let word = word.trim_matches(|c: char| ":=.,*`$#→+-/".contains(c));
        let plain = word.chars().all(char::is_alphabetic);
        if word.is_empty() || (plain && (drawn || word.chars().count() < 2)) {
            continue;
        }
        // `[1,2,3]` may have been printed over several lines; a comma of thousands stays.
        let listed = word.contains(',') && numbers::parse(word).is_none();
        for part in word.split(|c| listed && c == ',').filter(|part| !part.is_empty()) {
            if let Some(id) = reading.want(Scope::Any, part) {
                others.push(id);
                values.push(part.to_string());
            }
        }
    }
    if others.is_empty() {
        return;
    }
    reading.put(Found { span, needles, others, values, wide: weak, ..Found::default() });
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    if let Some(hit) = claim.needles.iter().find_map(|&id| view.hit(id)) {
        return Support::at(hit);
    }
    if view.now().is_empty() && view.now().start == 0 {
        // Nothing was ever called: the block explains, or an earlier claim of the reply is flagged.
        return Support::Leave;
    }
    let (mut held, mut plain) = (None, 0);
    for (word, &id) in claim.values.iter().zip(&claim.others) {
        match view.hit(id) {
            Some(hit) => held = held.or(Some(hit)),
            None if follows(word, view) => {}
            None if specific(word) => return missing(view),
            None => plain += 1,
        }
    }
    match (plain, held) {
        (0, Some(hit)) => Support::at(hit),
        (0, None) => Support::Leave,
        // Words of one's own may stand beside what was printed; a line of nothing else under “Output” is none of it.
        (4.., _) if !claim.wide => missing(view),
        _ => Support::Beside,
    }
}

/// Whether a number follows from what was printed, in its parts and without its unit: `36/36`, `1.42x`.
fn follows(word: &str, view: &View<'_, '_>) -> bool {
    let part = |part: &str| {
        let digits = part.trim_end_matches(|c: char| c.is_alphabetic() || c == '%');
        numbers::parse(digits).is_some_and(|n| view.derives(&n) || n.as_u64().is_some_and(|n| view.allows(n)))
    };
    word.starts_with(|c: char| c.is_ascii_digit()) && word.split('/').all(part)
}

/// Whether a word can only have been printed or made up: a number, a path, an identifier.
fn specific(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
        || word.contains(['/', '_', '@', '\\'])
        || word.trim_matches('.').contains('.')
}

fn missing(view: &View<'_, '_>) -> Support {
    if !view.cut().is_empty() {
        return Support::Cut(view.cut().to_vec());
    }
    Support::Not("no call's output holds it".to_string(), None)
}
