//! The phrase matcher agrees with the `regex` crate on a rendering of the tokens.
#![allow(clippy::unwrap_used)]

use counterfoil::prose::phrase::{Match, Phrases};
use counterfoil::prose::{Prose, Token, TokenKind};
use proptest::prelude::*;
use regex::Regex;

const PHRASES: &[&str] = &[
    "tests|all .. passed|removed",
    "all? tests passed",
    "# tests? were? passed|removed",
    "` → passed",
    "tests ..8 `",
    "* passed",
    "all .. # .. passed ..",
    "the? all? tests? passed",
    "tests .. .. removed",
    "removed",
    "one|# .. → ..8 ; all",
    "→ * `",
];

const WORDS: &[&str] =
    &["tests", "passed", "all", "12", "one", "`make`", "→", ";", "were", "removed", "the", "->", "1,204"];

fn pattern(phrase: &str) -> String {
    let alternatives = |words: &str| words.split('|').map(regex::escape).collect::<Vec<_>>().join("|");
    let mut out = String::new();
    for element in phrase.split_whitespace() {
        let part = match element {
            "#" => r"(?:#\S+|one) ".to_string(),
            "`" => r"`\S+ ".to_string(),
            "*" => r"\S+ ".to_string(),
            ".." => r"(?:[^;→\s]\S* ){0,4}?".to_string(),
            "..8" => r"(?:[^;→\s]\S* ){0,8}?".to_string(),
            word => match word.strip_suffix('?') {
                Some(words) => format!("(?:(?:{}) )?", alternatives(words)),
                None => format!("(?:{}) ", alternatives(word)),
            },
        };
        out.push_str(&part);
    }
    out
}

fn render(token: &Token<'_>) -> String {
    match token.kind {
        TokenKind::Number => format!("#{} ", token.text),
        TokenKind::Code => format!("`{} ", token.text),
        TokenKind::Arrow => "→ ".to_string(),
        TokenKind::Word | TokenKind::Mark => format!("{} ", token.text),
    }
}

/// Every shortest match from every token, by trying them all.
fn expected(prose: &Prose<'_>) -> Vec<Match> {
    let regexes: Vec<Regex> = PHRASES.iter().map(|p| Regex::new(&format!("^(?:{})$", pattern(p))).unwrap()).collect();
    let rendered: Vec<String> = prose.tokens.iter().map(render).collect();
    let mut found = Vec::new();
    for start in 0..rendered.len() {
        for (phrase, regex) in regexes.iter().enumerate() {
            let end = (start + 1..=rendered.len()).find(|&end| regex.is_match(&rendered[start..end].concat()));
            found.extend(end.map(|end| Match { phrase, tokens: start..end }));
        }
    }
    found
}

proptest! {
    #[test]
    fn the_matcher_agrees_with_regular_expressions(words in prop::collection::vec(prop::sample::select(WORDS), 0..20)) {
        let reply = words.join(" ");
        let prose = Prose::read(&reply);
        let found = Phrases::new(PHRASES).find(&prose, 0..prose.tokens.len());
        prop_assert_eq!(found, expected(&prose));
    }
}
