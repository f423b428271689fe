//! Evidence that the model was not shown. It sees excerpts: what it doubts may stand in a part that was cut away.

use crate::prose::{Prose, TokenKind};
use crate::record::Turn;
use crate::text::span::Span;
use alloc::vec::Vec;
use memchr::memmem;
use serde_json::Value;

/// The most numbers and code words of a claim that are looked for.
const MOST: usize = 8;
/// The most bytes of a number.
const LONGEST: usize = 40;
/// What stands between the thousands of a number.
const SEPARATORS: [u8; 3] = [b',', b'_', b'\''];
/// How deep the arguments of a call are looked through.
const DEEPEST: u8 = 32;

/// Whether the numbers and the code of a claim all stand in the record, and at least one of them in no part of it that was
/// sent (`lines`, a call as JSON each). A claim without any can be told by nothing else.
pub(super) fn holds(prose: &Prose<'_>, claim: Span, lines: &str, turns: &[Turn]) -> bool {
    let first = prose.tokens.partition_point(|token| token.span.end <= claim.start);
    let inside = prose.tokens.iter().skip(first).take_while(|token| token.span.start < claim.end);
    let telling = inside.filter(|token| match token.kind {
        TokenKind::Number => token.text.contains(|c: char| c.is_ascii_digit()),
        TokenKind::Code => token.text.len() > 2,
        TokenKind::Word | TokenKind::Arrow | TokenKind::Mark => false,
    });
    let sent = sent(lines);
    let mut missing = false;
    for token in telling.take(MOST) {
        if sent.iter().any(|shown| within(shown, &token.text, DEEPEST)) {
            continue;
        }
        if !turns.iter().any(|turn| told(turn, &token.text)) {
            return false;
        }
        missing = true;
    }
    missing
}

/// What was sent of the calls, without the numbers that the request gives them and without what it counts.
fn sent(lines: &str) -> Vec<Value> {
    let call = |line: &str| {
        let Ok(Value::Object(mut call)) = serde_json::from_str(line) else { return None };
        let numbered = call.remove("call").is_some() | call.remove("earlier").is_some();
        numbered.then_some(Value::Object(call))
    };
    lines.lines().filter_map(call).collect()
}

/// Whether a turn's record has a word.
fn told(turn: &Turn, word: &str) -> bool {
    let calls = turn.calls.iter().flatten().chain(&turn.earlier);
    let given = turn.user.iter().chain(turn.said.iter().flatten()).chain(&turn.context);
    given.into_iter().any(|text| occurs(text, word))
        || calls.into_iter().any(|call| {
            call.output.iter().chain(&call.error).any(|text| occurs(text, word))
                || within(&call.arguments, word, DEEPEST)
        })
}

fn within(value: &Value, word: &str, depth: u8) -> bool {
    match value {
        Value::String(text) => occurs(text, word),
        Value::Array(list) if depth > 0 => list.iter().any(|item| within(item, word, depth - 1)),
        Value::Object(map) if depth > 0 => {
            map.iter().any(|(key, item)| occurs(key, word) || within(item, word, depth - 1))
        }
        Value::Number(number) => occurs(&alloc::string::ToString::to_string(number), word),
        _ => false,
    }
}

/// Whether a text has a word that goes on at neither end.
fn occurs(text: &str, word: &str) -> bool {
    if word.bytes().all(|b| b.is_ascii_digit() || SEPARATORS.contains(&b) || b == b'.') {
        return counts(text.as_bytes(), word.as_bytes());
    }
    let bytes = text.as_bytes();
    memmem::find_iter(bytes, word.as_bytes())
        .any(|at| super::open::edge(bytes, at) && super::open::edge(bytes, at + word.len()))
}

/// Whether a text has a number: with or without separators of thousands, and with or without a unit right behind it. A list
/// may part numbers with the same marks, so that none of them makes another number; a point between digits does.
fn counts(text: &[u8], number: &[u8]) -> bool {
    let (Some(first), true) = (number.first(), number.len() <= LONGEST) else { return false };
    let digit = |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(u8::is_ascii_digit);
    memchr::memchr_iter(*first, text).any(|at| {
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        let begins = match before {
            Some(b'.') => !digit(at.checked_sub(2)),
            Some(b) => !b.is_ascii_alphanumeric(),
            None => true,
        };
        let ends = |end: usize| match text.get(end) {
            Some(b'.') => !digit(Some(end + 1)),
            other => !other.is_some_and(u8::is_ascii_digit),
        };
        begins && same(text, at, number).is_some_and(ends)
    })
}

/// Where the number ends that begins at a place of a text, if it is this one, separators left aside.
fn same(text: &[u8], mut at: usize, number: &[u8]) -> Option<usize> {
    for want in number.iter().filter(|b| !SEPARATORS.contains(b)) {
        while text.get(at).is_some_and(|b| SEPARATORS.contains(b)) {
            at += 1;
        }
        if text.get(at) != Some(want) {
            return None;
        }
        at += 1;
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_as_numbers() {
        for (text, number) in [
            ("4711 rows", "4,711"),
            ("4,711 rows", "4711"),
            ("61MB", "61"),
            ("at 3.", "3"),
            ("a=4.5,", "4.5"),
            ("[1,2,3]", "2"),
            ("ana,12,345", "12"),
        ] {
            assert!(occurs(text, number), "{text}");
        }
        for (text, number) in
            [("14,711", "4711"), ("47110", "4711"), ("v61", "61"), ("3.5", "3"), ("1.3", "3"), ("", "3")]
        {
            assert!(!occurs(text, number), "{text}");
        }
    }

    #[test]
    fn the_numbers_that_a_request_gives_are_not_of_the_record() {
        let lines = "12. One JSON object a line:\n<<< a\n{\"call\":12,\"tool\":\"x\"}\n{\"left out\":\"y x12\"}\n>>> a";
        assert_eq!(sent(lines), [serde_json::json!({"tool": "x"})]);
    }
}
