//! “Refunded $81.50.” “Posted in #night.” “Pushed to `main`.” “Deployed to production.”
//!
//! # Reads
//! A deed (see `publish`) said to have been done with an amount of money, a channel, a branch, a place to deploy to or a
//! version.
//!
//! # Checks
//! The calls of this turn that did it by their name or line: one that carried or printed the same value supports it. Where
//! each of them carried another value of the same kind and none that one, the claim is contradicted. Amounts are compared
//! as values, in their minor units too, and as the sum of several calls.
//!
//! # Leaves alone
//! Everything where a call that may have done the deed does not show a value of that kind.
use super::prelude::*;
use super::said::{said, Said, VERBS};
use crate::evidence::facts::Facts;
use crate::evidence::numbers;
use serde_json::Value;

pub(super) const FORM: Form =
    Form { reader: "argument", reads: Reads::Phrases(VERBS, read), check, asks: nothing_more };

/// Names of the places that one deploys to, by what they are short for.
const PLACES: &[(&str, &str)] = &[
    ("dev", "development"),
    ("development", "development"),
    ("prod", "production"),
    ("production", "production"),
    ("qa", "qa"),
    ("sandbox", "sandbox"),
    ("stage", "staging"),
    ("staging", "staging"),
    ("testing", "testing"),
];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let at = found.tokens.start;
    let Some(Said { deed, things, .. }) = said(reading, clause, at) else { return };
    let whole = things.start.min(at)..clause.tokens.end;
    let mut whole_act = true;
    let (kind, value) = match deed {
        Deed::Refund | Deed::Transfer => ("amount", amount(reading, whole, &mut whole_act)),
        Deed::Post => ("channel", channel(reading, at + 1..clause.tokens.end)),
        Deed::Push => ("branch", branch(reading, clause, at)),
        Deed::Deploy => ("place", place(reading, clause, at)),
        _ => return,
    };
    let Some(value) = value else { return };
    let currency = if kind == "amount" { currency(reading, clause) } else { None };
    let number = if kind == "amount" { numbers::parse(&value) } else { None };
    reading.claim(
        index,
        Found {
            deed: Some(deed),
            name: kind.to_string(),
            values: currency.into_iter().fold([value].to_vec(), |mut all, c| {
                all.push(c);
                all
            }),
            number,
            wide: whole_act,
            ..Found::default()
        },
    );
}

/// Signs and names of currencies, by their codes. A sign that several currencies share has none.
#[rustfmt::skip]
const CURRENCIES: &[(&str, &str)] = &[
    ("$", ""), ("€", "eur"), ("£", "gbp"), ("zł", "pln"), ("usd", "usd"), ("eur", "eur"), ("gbp", "gbp"),
    ("pln", "pln"), ("chf", "chf"), ("cad", "cad"), ("aud", "aud"), ("dollars", ""), ("euros", "eur"),
    ("pounds", "gbp"),
];

fn is_currency(text: &str) -> bool {
    CURRENCIES.iter().any(|(sign, _)| *sign == text)
}

/// The code of the currency that the clause names, where its sign has one.
fn currency(reading: &Reading<'_, '_>, clause: &Clause) -> Option<String> {
    let found =
        reading.tokens(clause).iter().find_map(|t| CURRENCIES.iter().find(|(sign, _)| *sign == t.text.as_ref()))?;
    Some(found.1.to_string()).filter(|code| !code.is_empty())
}

/// The one amount of money in the clause. `whole` becomes false where a noun behind it may make it a part of the act:
/// “the $5 fee”.
fn amount(reading: &Reading<'_, '_>, tokens: core::ops::Range<usize>, whole: &mut bool) -> Option<String> {
    let text = |i: usize| reading.token(i).map_or("", |t| t.text.as_ref());
    let mut found = None;
    for i in tokens.start.saturating_sub(1)..tokens.end {
        if reading.token(i).is_none_or(|t| t.kind != TokenKind::Number) {
            continue;
        }
        let behind = is_currency(text(i + 1));
        if is_currency(i.checked_sub(1).map_or("", text)) || behind {
            if found.is_some() {
                return None;
            }
            let next = text(i + 1 + usize::from(behind));
            *whole = i + 1 >= tokens.end || matches!(next, "to" | "have" | "has" | "back" | "from" | "was" | "in");
            found = Some(text(i).to_string());
        }
    }
    found
}

/// “#night”: the mark and the name may be two tokens.
fn channel(reading: &Reading<'_, '_>, tokens: core::ops::Range<usize>) -> Option<String> {
    let mut found = None;
    for i in tokens.clone() {
        let token = reading.token(i)?;
        let name = match token.kind {
            TokenKind::Mark if token.text == "#" && i + 1 < tokens.end => {
                let next =
                    reading.token(i + 1).filter(|t| t.kind == TokenKind::Word && t.span.start == token.span.end)?;
                next.text.to_string()
            }
            TokenKind::Code if token.text.starts_with('#') => token.text.trim_start_matches('#').to_lowercase(),
            _ => continue,
        };
        if found.is_some() {
            return None;
        }
        found = Some(name);
    }
    found.filter(|name| name.starts_with(|c: char| c.is_alphabetic()))
}

/// “to `main`”, “to the branch `x`”.
fn branch(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Option<String> {
    let to = (at + 1..clause.tokens.end.min(at + 8)).find(|&i| reading.word(i) == "to")?;
    let next = (to + 1..clause.tokens.end.min(to + 4))
        .find(|&i| !matches!(reading.word(i), "the" | "branch" | "remote" | "my" | "your"))?;
    let token = reading.token(next)?;
    let plain = matches!(reading.word(next), "main" | "master" | "develop");
    let named = token.kind == TokenKind::Code && !token.text.contains([' ', '.', ':']);
    (plain || named).then(|| token.text.trim_start_matches("origin/").to_string())
}

/// “to production”, “in staging”.
fn place(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Option<String> {
    let mut found = None;
    for i in at + 1..clause.tokens.end.min(at + 14) {
        let token = reading.token(i)?;
        let name = PLACES.iter().find(|(short, _)| *short == token.text.to_lowercase()).map(|(_, name)| *name);
        if let (Some(name), "to" | "on" | "in" | "the") = (name, reading.word(i - 1)) {
            if found.is_some_and(|other| other != name) {
                return None;
            }
            found = Some(name);
        }
    }
    found.map(ToString::to_string)
}

/// The most calls that are compared, and the longest output that is read for it.
const MOST: usize = 16;
const LONGEST: usize = 4_096;

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let (Some(deed), Some(value)) = (claim.deed, claim.values.first()) else { return Support::Leave };
    let able: Vec<(usize, &Facts<'_>)> =
        view.calls().rev().filter(|(_, f)| f.may_have_done(deed)).take(MOST + 1).collect();
    if able.is_empty() || able.len() > MOST || able.iter().any(|(_, f)| !f.deeds.names(deed)) {
        return Support::Leave;
    }
    // A call of an earlier turn may be meant.
    let before = view.now().start > 0 && (0..view.now().start).rev().take(64).any(|c| view.facts(c).deeds.names(deed));
    if before {
        return Support::Leave;
    }
    match claim.name.as_str() {
        "amount" => amounts(claim, view, &able),
        "channel" => texts(&able, value, channels),
        "branch" => texts(&able, value, branches),
        _ => texts(&able, value, places),
    }
}

/// Compares an amount with those that the calls carried.
fn amounts(claim: &Found, view: &View<'_, '_>, able: &[(usize, &Facts<'_>)]) -> Support {
    let Some(wanted) = claim.number else { return Support::Leave };
    let Some(micros) = wanted.micros() else { return Support::Leave };
    // As it is, or in minor units on one side.
    let same = |n: i128| n == micros || n == micros.saturating_mul(100) || n.saturating_mul(100) == micros;
    let near = |n: &numbers::Number| n.micros().is_some_and(same);
    let mut sum = 0_i128;
    let mut other = None;
    let code = claim.values.get(1);
    for (call, facts) in able {
        let Some((name, text)) = carried(&facts.call.arguments) else { return Support::Leave };
        let Some(number) = numbers::parse(&text) else { return Support::Leave };
        // In another currency it is another value.
        let stated = facts.call.arguments.get("currency").and_then(Value::as_str);
        if let (Some(code), Some(stated)) = (code, stated) {
            if !stated.eq_ignore_ascii_case(code) {
                return Support::Leave;
            }
        }
        sum = sum.saturating_add(number.micros().unwrap_or_default());
        other = other.or(Some((*call, format!("{name}={text}"))));
        let output = facts.call.output.as_deref().unwrap_or_default();
        if view.values(*call).numbers.iter().any(near) || near(&number) {
            return Support::by(*call);
        }
        let strings = crate::evidence::index::strings(&facts.call.arguments);
        if strings.iter().filter(|s| s.len() < 400).any(|s| numbers::scan(s).any(|(_, n)| near(&n))) {
            return Support::by(*call);
        }
        if output.len() > LONGEST {
            return Support::Leave;
        }
        if numbers::scan(output).any(|(_, n)| near(&n)) {
            return Support::by(*call);
        }
    }
    if same(sum) {
        return Support::by(able[0].0);
    }
    let Some((call, said)) = other else { return Support::Leave };
    // Less than the calls carried may be a part of it, in minor units as well.
    if !claim.wide && micros <= sum {
        return Support::Leave;
    }
    Support::Against(format!("{} had {said}", name_of(view.facts(call))), call, None)
}

/// The argument that says how much: its key and its value.
fn carried(arguments: &Value) -> Option<(String, String)> {
    let mut open = alloc::vec![arguments];
    while let Some(value) = open.pop() {
        let Value::Object(map) = value else { continue };
        for (key, value) in map {
            let low = key.to_lowercase();
            if ["amount", "total", "sum", "price"].iter().any(|k| low.contains(k)) {
                match value {
                    Value::String(text) => return Some((key.clone(), text.clone())),
                    Value::Number(number) => return Some((key.clone(), number.to_string())),
                    _ => {}
                }
            }
            open.push(value);
        }
    }
    None
}

/// How a reason names a call whose argument it goes on to tell.
fn name_of(facts: &Facts<'_>) -> String {
    if facts.commands.is_empty() {
        facts.call.tool.clone()
    } else {
        facts.shown()
    }
}

/// Compares a name with those of its kind that the calls carried; leaves it where a call carried none.
fn texts(able: &[(usize, &Facts<'_>)], value: &str, of: fn(&Facts<'_>) -> Vec<(String, String)>) -> Support {
    let mut other = None;
    for (call, facts) in able {
        let found = of(facts);
        if found.is_empty() {
            return Support::Leave;
        }
        let output = facts.call.output.as_deref().filter(|o| o.len() <= LONGEST).unwrap_or_default();
        let shown = || output.to_lowercase().contains(&value.to_lowercase());
        if found.iter().any(|(_, name)| name.eq_ignore_ascii_case(value)) || shown() {
            return Support::by(*call);
        }
        other = other.or_else(|| found.into_iter().next().map(|(shown, _)| (*call, *facts, shown)));
    }
    let Some((call, facts, shown)) = other else { return Support::Leave };
    Support::Against(format!("{} had {shown}", name_of(facts)), call, None)
}

/// Channels that a tool was given by name: with their mark, so that no id is taken for one.
fn channels(facts: &Facts<'_>) -> Vec<(String, String)> {
    let Value::Object(map) = &facts.call.arguments else { return Vec::new() };
    let named = |(key, value): (&String, &Value)| {
        let text = value.as_str().filter(|t| t.starts_with('#') && !t.contains(' '))?;
        Some((format!("{key}={text}"), text.trim_start_matches('#').to_string()))
    };
    map.iter().filter_map(named).collect()
}

/// The branch that a `git push` names, where it names a remote and one branch.
fn branches(facts: &Facts<'_>) -> Vec<(String, String)> {
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
fn places(facts: &Facts<'_>) -> Vec<(String, String)> {
    let name = |text: &str| PLACES.iter().find(|(short, _)| short.eq_ignore_ascii_case(text)).map(|(_, name)| *name);
    let mut found = Vec::new();
    if let Value::Object(map) = &facts.call.arguments {
        for (key, value) in map {
            let low = key.to_lowercase();
            let asks = ["env", "stage", "target", "namespace", "cluster"].iter().any(|k| low.contains(k));
            if let (true, Some(text)) = (asks, value.as_str()) {
                found.extend(name(text).map(|n| (format!("{key}={text}"), n.to_string())));
            }
        }
    }
    for command in &facts.commands {
        for word in &command.words {
            let text = word.rsplit('=').next().unwrap_or(word).trim_start_matches('-');
            found.extend(name(text).map(|n| (text.to_string(), n.to_string())));
        }
    }
    found
}
