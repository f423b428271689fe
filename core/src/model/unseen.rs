//! Evidence that the model was not shown. It sees excerpts: what it doubts may stand in a part that was cut away.

use crate::prose::{Prose, TokenKind};
use crate::record::Turn;
use crate::text::span::Span;
use memchr::memmem;
use serde_json::Value;

/// The most numbers and code words of a claim that are looked for.
const MOST: usize = 8;
/// How deep the arguments of a call are looked through.
const DEEPEST: u8 = 32;

/// Whether the numbers and the code of a claim all stand in the record, and at least one of them in no part of it that was
/// sent. A claim without any can be told by nothing else.
pub(super) fn holds(prose: &Prose<'_>, claim: Span, sent: &str, turns: &[Turn]) -> bool {
    let first = prose.tokens.partition_point(|token| token.span.start < claim.start);
    let inside = prose.tokens.iter().skip(first).take_while(|token| token.span.end <= claim.end);
    let telling = inside.filter(|token| match token.kind {
        TokenKind::Number => token.text.bytes().filter(u8::is_ascii_digit).count() > 1,
        TokenKind::Code => token.text.len() > 2,
        TokenKind::Word | TokenKind::Arrow | TokenKind::Mark => false,
    });
    let mut missing = false;
    for token in telling.take(MOST) {
        if occurs(sent, &token.text) {
            continue;
        }
        if !turns.iter().any(|turn| told(turn, &token.text)) {
            return false;
        }
        missing = true;
    }
    missing
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
        Value::Object(map) if depth > 0 => map.iter().any(|(key, item)| key == word || within(item, word, depth - 1)),
        Value::Number(number) => alloc::string::ToString::to_string(number) == word,
        _ => false,
    }
}

/// Whether a text has a word that goes on at neither end.
fn occurs(text: &str, word: &str) -> bool {
    let bytes = text.as_bytes();
    memmem::find_iter(bytes, word.as_bytes())
        .any(|at| super::open::edge(bytes, at) && super::open::edge(bytes, at + word.len()))
}
