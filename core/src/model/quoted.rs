//! Where a reply quotes: what stands between quotation marks or in a code span is somebody else's word.

use crate::prose::{Prose, TokenKind};
use crate::sort::sorted;
use crate::text::span::Span;
use alloc::vec::Vec;

/// The marks that open a quotation, and those that close it.
const MARKS: [(char, &[char]); 7] = [
    ('"', &['"']),
    ('\'', &['\'']),
    ('‘', &['’']),
    ('“', &['”', '"']),
    ('„', &['“', '”', '"']),
    ('«', &['»']),
    ('「', &['」']),
];

/// The quotations and code spans of a reply, with their marks, in order; those that overlap are one.
#[derive(Debug)]
pub(super) struct Quoted(Vec<Span>);

impl Quoted {
    pub(super) fn of(prose: &Prose<'_>) -> Self {
        let mut spans = quotations(prose.source);
        spans.extend(prose.tokens.iter().filter(|token| token.kind == TokenKind::Code).map(|token| token.span));
        let mut joined: Vec<Span> = Vec::with_capacity(spans.len());
        for span in sorted(spans, |a, b| a.start.cmp(&b.start)) {
            match joined.last_mut().filter(|last| span.start < last.end) {
                Some(last) => last.end = last.end.max(span.end),
                None => joined.push(span),
            }
        }
        Quoted(joined)
    }

    /// Whether all of a span is quoted.
    pub(super) fn holds(&self, span: Span) -> bool {
        let before = self.0.partition_point(|quoted| quoted.start <= span.start).checked_sub(1);
        before.and_then(|at| self.0.get(at)).is_some_and(|quoted| span.end <= quoted.end)
    }
}

/// What stands between quotation marks within one paragraph. A mark opens where no word ends before it and one begins behind it, so
/// that inches and apostrophes do not.
fn quotations(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut open = [None; MARKS.len()];
    let (mut before, mut blank) = ('\n', true);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map_or(' ', |(_, next)| *next);
        if c == '\n' && blank {
            open = [None; MARKS.len()];
        }
        blank = c == '\n' || blank && c.is_whitespace();
        for (start, (opens, closes)) in open.iter_mut().zip(MARKS) {
            let parts = !c.is_alphanumeric() && !next.is_alphanumeric();
            match *start {
                Some(from) if closes.contains(&c) && (parts || !matches!(c, '\'' | '’' | '"')) => {
                    spans.push(Span::new(from, at + c.len_utf8()));
                    *start = None;
                }
                _ if c == opens && !before.is_alphanumeric() && !next.is_whitespace() => *start = Some(at),
                _ => {}
            }
        }
        before = c;
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_marks_is_quoted() {
        for (reply, words) in [
            ("The log has \"the cache was deleted\" in it.", "the cache was deleted"),
            ("The log has “the cache\nwas deleted”.", "was deleted"),
            ("It says 'it's gone now', I think.", "it's gone now"),
            ("Im Protokoll steht „alles gelöscht“ dazu.", "alles gelöscht"),
            ("The line is `all rows deleted` there.", "all rows deleted"),
        ] {
            let prose = Prose::read(reply);
            let at = reply.find(words).unwrap_or_default();
            assert!(Quoted::of(&prose).holds(Span::new(at, at + words.len())), "{reply}");
            assert!(!Quoted::of(&prose).holds(Span::new(0, at + words.len())), "{reply}");
        }
    }

    #[test]
    fn inches_apostrophes_and_marks_without_an_end_quote_nothing() {
        for reply in
            ["A 5\" and a 7\" pipe were laid.", "The users' lamps and the dogs' beds were moved.", "A \"b\n\nc\" d"]
        {
            assert!(quotations(reply).is_empty(), "{reply}");
        }
    }
}
