//! “Rolled out 2.1 to production.”, where a rule of the host says `rolled out` with the object `production`.
//!
//! # Reads
//! A clause that asserts one of a rule's phrases as an act of the agent, or in a passive with a definite subject, with the
//! rule's object in it where it names one: in words, or in code.
//!
//! # Leaves alone
//! Plans, conditions, denials, what others do or did; a rule's second phrase in the same clause.
use super::voice::{found_out, voice_with, Voice};
use super::{Reading, Token, TokenKind};
use crate::prose::Clause;
use crate::rules::{Phrase, Rule};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The most bytes of a code span that are searched for an object.
const CODE: usize = 200;

/// The claims of the rules: which rule, in which clause.
pub(super) fn read(reading: &Reading<'_, '_>, rules: &[Rule]) -> Vec<(usize, usize)> {
    let mut starts: BTreeMap<&str, Vec<(usize, &[alloc::string::String])>> = BTreeMap::new();
    for (number, rule) in rules.iter().enumerate() {
        for Phrase { words, .. } in rule.says() {
            if let Some((first, rest)) = words.split_first() {
                starts.entry(first).or_default().push((number, rest));
            }
        }
    }
    let mut claims = Vec::new();
    // In a letter for the person, the person tells what was done.
    if starts.is_empty() || super::said::letter(reading) {
        return claims;
    }
    for (index, clause) in reading.claims() {
        let before = claims.len();
        for at in clause.tokens.clone() {
            for &(number, rest) in starts.get(reading.word(at)).into_iter().flatten() {
                let Some(rule) = rules.get(number) else { continue };
                let known = claims.get(before..).unwrap_or(&[]).contains(&(number, index));
                let said = follows(reading, at + 1, clause.tokens.end, rest);
                if said && !known && tells(reading, clause, at, rule) && has_object(reading.tokens(clause), rule) {
                    claims.push((number, index));
                }
            }
        }
    }
    claims
}

/// Whether the words stand from `at` on.
fn follows(reading: &Reading<'_, '_>, at: usize, end: usize, words: &[alloc::string::String]) -> bool {
    at + words.len() <= end
        && words.iter().zip(at..).all(|(word, i)| reading.token(i).is_some_and(|token| is_word(token, word)))
}

fn is_word(token: &Token<'_>, word: &str) -> bool {
    matches!(token.kind, TokenKind::Word | TokenKind::Number) && token.text == word
}

/// Whether the phrase at `at` is asserted as done in this turn.
fn tells(reading: &Reading<'_, '_>, clause: &Clause, at: usize, rule: &Rule) -> bool {
    // “The log shows that it was deployed at 2:10” tells what a look found.
    let told = |voice: &Voice| match voice {
        Voice::Other => false,
        Voice::Passive(_) => !found_out(reading, clause),
        Voice::Own | Voice::Bare(_) => true,
    };
    reading.asserts(clause, at) && told(&voice_with(reading, clause, at, &rule.words()))
}

/// Whether one of the rule's objects stands in the clause; true where it names none.
fn has_object(tokens: &[Token<'_>], rule: &Rule) -> bool {
    rule.object().is_empty() || rule.object().iter().any(|object| stands(tokens, object))
}

fn stands(tokens: &[Token<'_>], object: &Phrase) -> bool {
    let words = tokens.windows(object.words.len());
    let mut in_words =
        words.filter(|window| window.iter().zip(&object.words).all(|(token, word)| is_word(token, word)));
    let mut in_code = tokens.iter().filter(|token| token.kind == TokenKind::Code && holds(&token.text, &object.text));
    in_words.next().is_some() || in_code.next().is_some()
}

/// Whether a text holds another between the borders of words.
fn holds(code: &str, object: &str) -> bool {
    let cut = (0..=CODE.min(code.len())).rev().find(|&i| code.is_char_boundary(i)).unwrap_or(0);
    let code = code.get(..cut).unwrap_or_default().to_lowercase();
    let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
    let whole = |at: usize| {
        let (before, after) = (code.get(..at).unwrap_or_default(), code.get(at + object.len()..).unwrap_or_default());
        edge(before.chars().next_back()) && edge(after.chars().next())
    };
    let found = code.match_indices(object).any(|(at, _)| whole(at));
    found
}
