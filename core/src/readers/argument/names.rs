//! Channels, branches and places to deploy to.

use super::super::prelude::*;
use crate::evidence::facts::Facts;
use serde_json::Value;

/// Names of the places that one deploys to, by what they are short for.
const PLACES: &[(&str, &str)] = &[
    ("dev", "development"),
    ("development", "development"),
    ("prod", "production"),
    ("production", "production"),
    ("qa", "qa"),
    ("sandbox", "sandbox"),
    ("stage", "staging"),
    ("stg", "staging"),
    ("staging", "staging"),
    ("testing", "testing"),
];

/// “#design”: the mark and the name may be two tokens.
pub(super) fn channel(reading: &Reading<'_, '_>, tokens: core::ops::Range<usize>) -> Option<String> {
    let mut found = None;
    for i in tokens.clone() {
        let token = reading.token(i)?;
        let name = match token.kind {
            TokenKind::Mark if token.text == "#" && i + 1 < tokens.end => {
                let next =
                    reading.token(i + 1).filter(|t| t.kind == TokenKind::Word && t.span.start == token.span.end)?;
                next.text.trim_end_matches("'s").to_string()
            }
            TokenKind::Code if token.text.starts_with('#') => token.text.trim_start_matches('#').to_lowercase(),
            _ => continue,
        };
        // A message may be about a channel or carry a tag.
        let before = if matches!(reading.word(i - 1), "the" | "our" | "your") { i - 2 } else { i - 1 };
        if !matches!(reading.word(before), "in" | "into" | "on" | "to") {
            return None;
        }
        if found.is_some() {
            return None;
        }
        found = Some(name);
    }
    found.filter(|name| name.starts_with(|c: char| c.is_alphabetic()))
}

/// “to `main`”, “to the branch `x`”.
pub(super) fn branch(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Option<String> {
    let to = (at + 1..clause.tokens.end.min(at + 8)).find(|&i| reading.word(i) == "to")?;
    // “Similar to main” pushes nothing there.
    if matches!(
        reading.word(to - 1),
        "according" | "back" | "close" | "compared" | "equal" | "identical" | "relative" | "similar"
    ) {
        return None;
    }
    let next = (to + 1..clause.tokens.end.min(to + 4))
        .find(|&i| !matches!(reading.word(i), "the" | "branch" | "remote" | "my" | "your"))?;
    let token = reading.token(next)?;
    let plain = matches!(reading.word(next), "main" | "master" | "develop");
    // Another name may be that of a repository or a fork.
    let said = reading.word(next - 1) == "branch" || reading.word(next + 1) == "branch";
    let usual = token.text.split_once('/').map_or(token.text.as_ref(), |(group, _)| group);
    let named =
        token.kind == TokenKind::Code && !token.text.contains([' ', '.', ':']) && (said || BRANCHES.contains(&usual));
    (plain || named).then(|| token.text.trim_start_matches("origin/").to_string())
}

/// Names of branches, and of the groups that they are put in.
#[rustfmt::skip]
const BRANCHES: &[&str] = &[
    "bugfix", "chore", "dev", "develop", "docs", "feat", "feature", "fix", "gh-pages", "hotfix", "main", "master", "origin",
    "refactor", "release", "staging", "test", "topic", "trunk",
];

/// “to production”, “in staging”.
pub(super) fn place(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Option<String> {
    let mut found = None;
    for i in at + 1..clause.tokens.end.min(at + 14) {
        let token = reading.token(i)?;
        let name = PLACES.iter().find(|(short, _)| *short == token.text.to_lowercase()).map(|(_, name)| *name);
        // “The fix for the incident in production”, “in production mode”, “to the dev cluster, in namespace staging”.
        let mode = matches!(reading.word(i + 1), "build" | "configuration" | "mode" | "settings");
        let of_another = reading.word(i - 1) == "in"
            && (at + 1..i).any(|k| matches!(reading.word(k), "about" | "for" | "from" | "of"));
        if name.is_some() && (mode || of_another || found.is_some_and(|other| Some(other) != name)) {
            return None;
        }
        if let (Some(name), "to" | "on" | "in" | "the") = (name, reading.word(i - 1)) {
            if found.is_some_and(|other| other != name) {
                return None;
            }
            found = Some(name);
        }
    }
    found.map(ToString::to_string)
}

/// Channels that a tool was given by name: with their mark, so that no id is taken for one.
pub(super) fn channels(facts: &Facts<'_>) -> Vec<(String, String)> {
    let Value::Object(map) = &facts.call.arguments else { return Vec::new() };
    let named = |(key, value): (&String, &Value)| {
        let text = value.as_str().filter(|t| t.starts_with('#') && !t.contains(' '))?;
        Some((format!("{key}={text}"), text.trim_start_matches('#').to_string()))
    };
    map.iter().filter_map(named).collect()
}

/// The branch that a `git push` names, where it names a remote and one branch.
pub(super) fn branches(facts: &Facts<'_>) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for command in &facts.commands {
        let words = command.words.as_slice();
        if words.first().map(String::as_str) != Some("git") || words.get(1).map(String::as_str) != Some("push") {
            continue;
        }
        let places: Vec<&str> = words.iter().skip(2).map(String::as_str).filter(|w| !w.starts_with('-')).collect();
        let [remote, branch] = places.as_slice() else { return Vec::new() };
        let to = branch.rsplit(':').next().unwrap_or(branch).trim_start_matches('+');
        let to = to.strip_prefix("refs/heads/").unwrap_or(to);
        if to == "HEAD" || to.contains(['$', '@', '*']) || words.iter().any(|w| w == "--tags" || w == "--all") {
            return Vec::new();
        }
        found.extend([to, remote].map(|name| (to.to_string(), name.to_string())));
    }
    found
}

/// The place that a deployment names: `--env staging`, `{"environment": "staging"}`.
pub(super) fn places(facts: &Facts<'_>) -> Vec<(String, String)> {
    let name = |text: &str| PLACES.iter().find(|(short, _)| short.eq_ignore_ascii_case(text)).map(|(_, name)| *name);
    let mut found = Vec::new();
    if let Value::Object(map) = &facts.call.arguments {
        for (key, value) in map {
            let low = key.to_lowercase();
            let asks = ["env", "stage", "target", "namespace", "cluster"].iter().any(|k| low.contains(k));
            let asks = asks && !low.contains("build");
            if let (true, Some(text)) = (asks, value.as_str()) {
                found.extend(name(text).map(|n| (format!("{key}={text}"), n.to_string())));
            }
        }
    }
    for command in &facts.commands {
        for word in &command.words {
            // A variable tells how something is built, not where it goes.
            let (key, text) = word.rsplit_once('=').unwrap_or(("", word));
            let text = text.trim_start_matches('-');
            if key.bytes().any(|b| b.is_ascii_uppercase()) {
                continue;
            }
            found.extend(name(text).map(|n| (text.to_string(), n.to_string())));
        }
    }
    found
}
