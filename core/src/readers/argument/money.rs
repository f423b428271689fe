//! Amounts of money.

use super::super::prelude::*;
use super::{name_of, LONGEST};
use crate::evidence::facts::Facts;
use crate::evidence::numbers;
use crate::evidence::numbers::units::pointed;
use serde_json::Value;

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
pub(super) fn currency(reading: &Reading<'_, '_>, clause: &Clause) -> Option<String> {
    let found =
        reading.tokens(clause).iter().find_map(|t| CURRENCIES.iter().find(|(sign, _)| *sign == t.text.as_ref()))?;
    Some(found.1.to_string()).filter(|code| !code.is_empty())
}

/// The one amount of money in the clause. `whole` becomes false where a noun behind it may make it a part of the act:
/// “the $5 fee”.
pub(super) fn amount(reading: &Reading<'_, '_>, tokens: core::ops::Range<usize>, whole: &mut bool) -> Option<String> {
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
            // “The difference between $80 and …”, “20 % of the $80”, “the price drop on your $80 jacket”.
            let sign = if behind { i } else { i - 1 };
            let owner = matches!(text(sign.wrapping_sub(1)), "a" | "an" | "my" | "the" | "their" | "your");
            let lead = text(sign.wrapping_sub(1 + usize::from(owner)));
            if matches!(lead, "between" | "than") || (owner && matches!(lead, "from" | "of" | "on" | "over")) {
                return None;
            }
            // “The $50 order”: what it cost, not what came back.
            if matches!(next, "booking" | "invoice" | "item" | "order" | "purchase" | "reservation" | "ticket") {
                return None;
            }
            *whole = i + 1 >= tokens.end || matches!(next, "to" | "have" | "has" | "back" | "from" | "was" | "in");
            found = Some(text(i).to_string());
        }
    }
    found
}

/// Compares an amount with those that the calls carried.
pub(super) fn amounts(claim: &Found, view: &View<'_, '_>, able: &[(usize, &Facts<'_>)]) -> Support {
    let Some(wanted) = claim.number else { return Support::Leave };
    let Some(micros) = wanted.micros() else { return Support::Leave };
    // “€1.000” may be a thousand.
    let many = claim.values.first().is_some_and(|text| pointed(text)).then(|| micros.saturating_mul(1_000));
    // As it is, or in minor units on one side.
    let same = |n: i128| {
        let is = |m: i128| n.abs() == m || n.abs() == m.saturating_mul(100) || n.abs().saturating_mul(100) == m;
        is(micros) || many.is_some_and(is)
    };
    let near = |n: &numbers::Number| n.micros().is_some_and(same);
    let mut sum = 0_i128;
    let mut other = None;
    let code = claim.values.get(1);
    for (call, facts) in able {
        let Some((name, text)) = carried(&facts.call.arguments) else { return Support::Leave };
        let Some(number) = numbers::parse(&text) else { return Support::Leave };
        // A share is an amount of something that the call does not tell.
        let share = ["fraction", "pct", "percent", "ratio", "share"];
        if share.iter().any(|part| name.to_lowercase().contains(part)) {
            return Support::Leave;
        }
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
        if parts(&facts.call.arguments, number.micros().unwrap_or_default()).into_iter().any(same) {
            return Support::by(*call);
        }
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

/// What an amount makes with the other numbers and lists of its call: with tax, less a fee, times a quantity.
fn parts(arguments: &Value, amount: i128) -> Vec<i128> {
    let mut found = Vec::new();
    for value in arguments.as_object().into_iter().flat_map(|map| map.values()).take(16) {
        let text = match value {
            Value::Number(number) => number.to_string(),
            Value::String(text) if text.len() < 24 => text.clone(),
            Value::Array(list) => list.len().to_string(),
            _ => continue,
        };
        let Some(other) = numbers::parse(&text).and_then(|n| n.micros()) else { continue };
        let times = other / 1_000_000;
        found.extend([amount.saturating_add(other), amount.saturating_sub(other), amount.saturating_mul(times)]);
    }
    found
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
