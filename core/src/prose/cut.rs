//! Where the sentences of a block end.

use super::lexicon::{self, Classes};
use super::sentence::{Sentence, PARENTHESIS, QUOTATION};
use super::token::Break;
use super::{Token, TokenKind};
use alloc::vec::Vec;
use core::ops::Range;

/// Parentheses and quotations longer than this many tokens are taken for stray marks.
const WIDEST: usize = 80;

/// Which tokens stand between parentheses or double quotes, in place of what `inside` held.
pub(super) fn insides(tokens: &[Token<'_>], classes: &[Classes], inside: &mut Vec<u8>) {
    inside.clear();
    inside.resize(tokens.len(), 0);
    if lexicon::all(classes) & lexicon::PAIRED == 0 {
        return;
    }
    // How many parentheses are open, and where the outermost is.
    let (mut open, mut outermost) = (0_usize, 0);
    let mut quote: Option<(usize, &str)> = None;
    for (i, token) in tokens.iter().enumerate() {
        if classes.get(i).is_none_or(|c| c & lexicon::PAIRED == 0) {
            continue;
        }
        match &*token.text {
            "(" | "（" => {
                outermost = if open == 0 { i } else { outermost };
                open += 1;
            }
            ")" | "）" => {
                if open == 1 && i - outermost <= WIDEST {
                    inside[outermost + 1..i].iter_mut().for_each(|f| *f |= PARENTHESIS);
                }
                open = open.saturating_sub(1);
            }
            mark @ ("\"" | "“" | "”" | "„" | "«" | "»") => match quote {
                Some((from, opener)) if closes(opener, mark) => {
                    if i - from <= WIDEST && i - from > 2 {
                        inside[from + 1..i].iter_mut().for_each(|f| *f |= QUOTATION);
                    }
                    quote = None;
                }
                _ => quote = Some((i, mark)),
            },
            _ => {}
        }
    }
}

fn closes(opener: &str, mark: &str) -> bool {
    matches!((opener, mark), ("\"", "\"") | ("“" | "„", "”" | "“") | ("«", "»"))
}

/// Cuts a block into sentences, added to `found`. None is empty.
pub(super) fn sentences(
    tokens: &[Token<'_>],
    classes: &[Classes],
    inside: &[u8],
    breaks: &[(usize, Break)],
    found: &mut Vec<Range<usize>>,
) {
    let mut start = 0;
    let mut line = 0;
    let mut breaks = breaks.iter().peekable();
    let mut i = 0;
    while i < tokens.len() {
        while let Some(&&(at, kind)) = breaks.peek().filter(|(at, _)| *at <= i) {
            breaks.next();
            if at > start && ends_at_break(tokens, classes, start, line, at, kind) {
                found.push(start..at);
                start = at;
            }
            line = at;
        }
        i += 1;
        if classes.get(i - 1).is_none_or(|c| c & lexicon::ENDING == 0) || !ends(tokens, classes, inside, i - 1) {
            continue;
        }
        while i < tokens.len() && is_closer(&tokens[i]) && tokens[i].span.start == tokens[i - 1].span.end {
            i += 1;
        }
        found.push(start..i);
        start = i;
    }
    if start < tokens.len() {
        found.push(start..tokens.len());
    }
}

fn is_closer(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Mark && matches!(&*token.text, ")" | "]" | "\"" | "”" | "’" | "'" | "»" | "!" | "?" | ".")
}

/// Whether a sentence ends with the mark at `i`, which may end one.
fn ends(tokens: &[Token<'_>], classes: &[Classes], inside: &[u8], i: usize) -> bool {
    let token = &tokens[i];
    let quoted = inside.get(i) == Some(&QUOTATION);
    let last = quoted && inside.get(i + 1) == Some(&0) && tokens.get(i + 1).is_some_and(is_closer);
    if inside.get(i).is_some_and(|f| *f != 0) && !last {
        return false;
    }
    match &*token.text {
        "。" | "！" | "？" | "．" => return true,
        "." | "!" | "?" | "…" => {}
        _ => return false,
    }
    let closer =
        (i + 1..tokens.len()).find(|&at| !is_closer(&tokens[at]) || tokens[at].span.start > tokens[at - 1].span.end);
    let Some(next) = closer.map(|at| &tokens[at]) else { return true };
    let lower = next.kind == TokenKind::Word && !closer.is_some_and(|at| starts_upper(tokens, classes, at));
    let glued = closer.is_some_and(|at| next.span.start == tokens[at - 1].span.end) && next.strong == token.strong;
    if glued && next.kind != TokenKind::Mark {
        return false;
    }
    let before = i.checked_sub(1).and_then(|p| tokens.get(p));
    if &*token.text == "." {
        let Some(before) = before else { return false };
        if before.kind == TokenKind::Number && i == 1 {
            return false;
        }
        let short = before.kind == TokenKind::Word && is_abbreviation(&before.text, next, lower);
        if short && before.span.end == token.span.start {
            return false;
        }
    }
    let dots = |at: Option<&Token<'_>>| at.is_some_and(|t| &*t.text == ".");
    let dots = &*token.text == "…" || dots(before) || dots(tokens.get(i + 1));
    !(lower && (dots || last || &*token.text != "."))
}

fn is_abbreviation(word: &str, next: &Token<'_>, lower: bool) -> bool {
    match word {
        "etc" | "ed" | "inc" | "ltd" | "al" => lower,
        "no" | "fig" | "figs" | "vol" | "pp" | "sec" | "min" | "max" => next.kind == TokenKind::Number,
        _ => lexicon::classify(word) & lexicon::ABBREVIATIONS != 0 || (word.chars().count() == 1 && word != "i"),
    }
}

/// Folding changed the word at `i`, or it has no case.
fn starts_upper(tokens: &[Token<'_>], classes: &[Classes], i: usize) -> bool {
    let Some(token) = tokens.get(i) else { return false };
    classes.get(i).is_some_and(|c| c & lexicon::FOLDED != 0)
        || token.text.chars().next().is_some_and(|c| !c.is_lowercase())
}

/// Whether a line break before `at` ends the sentence that started at `start`.
fn ends_at_break(tokens: &[Token<'_>], classes: &[Classes], start: usize, line: usize, at: usize, kind: Break) -> bool {
    let (Some(last), Some(next)) = (tokens.get(at.wrapping_sub(1)), tokens.get(at)) else { return false };
    if kind == Break::Cell || &*last.text == ":" {
        return true;
    }
    if last.kind == TokenKind::Mark && matches!(&*last.text, "," | "(" | "/" | "–" | "—") {
        return false;
    }
    if next.kind == TokenKind::Mark && is_bullet(&next.text) {
        return true;
    }
    let upper = next.kind != TokenKind::Word || starts_upper(tokens, classes, at);
    if kind == Break::Hard {
        return upper;
    }
    let sentence = Sentence { tokens: tokens.get(at..).unwrap_or(&[]), classes: &[], inside: &[] };
    let key = (1..5).find(|&i| sentence.mark(i) == ":");
    let keyed = key.is_some_and(|k| (0..k).all(|i| !sentence.is(i, TokenKind::Mark)));
    let numbered = next.kind == TokenKind::Number && matches!(sentence.mark(1), "." | ")");
    let short = tokens.get(line.max(start)).is_some_and(|t| last.span.end - t.span.start.min(last.span.end) < 50);
    let named = next.kind == TokenKind::Word
        && starts_upper(tokens, classes, at)
        && !next.text.starts_with("i'")
        && next.text != "i";
    let forms = next.kind == TokenKind::Code
        && tokens.get(line.max(start)..at).is_some_and(|t| t.iter().any(|t| t.kind == TokenKind::Arrow));
    forms || keyed && upper || numbered || (short && named)
}

/// An emoji or a mark that starts an item.
fn is_bullet(mark: &str) -> bool {
    let Some(c) = mark.chars().next() else { return false };
    matches!(c, '-' | '*' | '+' | '•' | '·' | '▪' | '◦' | '‣' | '|')
        || matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..)
}
