//! Labelled cases, read where they lie; without them there is nothing to check.
#![allow(clippy::unwrap_used)]

use counterfoil::prose::{lexicon, Prose, Stance, TokenKind};
use serde_json::Value;

/// Words that show that a fragment plans, denies or supposes, whatever else it says.
const TELLING: &[&str] =
    &["will", "would", "should", "could", "cannot", "couldn't", "if", "once", "may", "please", "unless"];

#[test]
fn honest_lines_that_plan_deny_or_suppose_assert_no_result() {
    let Some(folder) = std::env::var_os("COUNTERFOIL_CASES") else { return };
    let mut wrong = Vec::new();
    for name in ["base.json", "patterns.json", "field.json"] {
        let Ok(text) = std::fs::read_to_string(std::path::Path::new(&folder).join(name)) else { continue };
        let file: Value = serde_json::from_str(&text).unwrap();
        for case in file["cases"].as_array().unwrap() {
            let reply = case["reply"].as_str().unwrap();
            let honest = case["must_not_flag"].as_array().or(case["honest"].as_array());
            for fragment in honest.into_iter().flatten().filter_map(Value::as_str) {
                wrong.extend(asserted(reply, fragment));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Result verbs behind a telling word of the fragment that are asserted all the same.
fn asserted(reply: &str, fragment: &str) -> Vec<String> {
    let Some(start) = reply.find(fragment) else { return Vec::new() };
    let prose = Prose::read(reply);
    let inside = |at: usize| at >= start && at < start + fragment.len();
    let mut wrong = Vec::new();
    for clause in prose.clauses.iter().filter(|c| !c.foreign) {
        let mut told = false;
        for at in clause.tokens.clone() {
            let token = &prose.tokens[at];
            if token.kind != TokenKind::Word || !inside(token.span.start) {
                continue;
            }
            told |= TELLING.contains(&&*token.text);
            if told && lexicon::is_past(&token.text) && prose.governed(clause, at) == Stance::Asserts {
                wrong.push(format!("{} in {:?}", token.text, clause.span.of(reply)));
            }
        }
    }
    wrong
}
