//! “Refunded $20.00.” “Posted in #design.” “Pushed to `main`.” “Deployed to production.”
//!
//! # Reads
//! A deed (see `publish`) said to have been done with an amount of money, a channel, a branch, a place to deploy to, a
//! version or a day.
//!
//! # Checks
//! The calls of this turn that did it by their name or line: one that carried or printed the same value supports it. Where
//! each of them carried another value of the same kind and none that one, the claim is contradicted. Amounts are compared
//! as values, in their minor units too, and as the sum of several calls.
//!
//! # Leaves alone
//! Everything where a call that may have done the deed does not show a value of that kind.
mod money;
mod names;
mod times;

use super::prelude::*;
use super::said::{said, Said, VERBS};
use crate::evidence::facts::Facts;
use crate::evidence::numbers;
use money::{amount, amounts, currency};
use names::{branch, branches, channel, channels, place, places};
use times::{day, days, version, versions};

pub(super) const FORM: Form =
    Form { reader: "argument", reads: Reads::Phrases(VERBS, read), check, asks: nothing_more };

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
        Deed::Deploy => {
            let version = version(reading, clause, at);
            if let (Some(version), true) = (&version, place(reading, clause, at).is_some()) {
                let (name, values) = ("version".to_string(), [version.clone()].to_vec());
                reading.claim(index, Found { deed: Some(deed), name, values, wide: true, ..Found::default() });
            }
            match place(reading, clause, at) {
                Some(place) => ("place", Some(place)),
                None => ("version", version),
            }
        }
        Deed::Release => ("version", version(reading, clause, at)),
        Deed::Schedule | Deed::Reschedule | Deed::Book => ("day", day(reading, clause, at)),
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
        "day" => texts(&able, value, days),
        "version" => texts(&able, value, versions),
        _ => texts(&able, value, places),
    }
}

/// How a reason names a call whose argument it goes on to tell.
fn name_of(facts: &Facts<'_>) -> String {
    if facts.commands.is_empty() {
        facts.call.tool.clone()
    } else {
        facts.shown()
    }
}

/// The same name, or a version that tells less or more of it: 2.1 and 2.1.0.
fn same(name: &str, value: &str) -> bool {
    let begins = |long: &str, short: &str| long.strip_prefix(short).is_some_and(|rest| rest.starts_with('.'));
    name.eq_ignore_ascii_case(value) || begins(name, value) || begins(value, name)
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
        if found.iter().any(|(_, name)| same(name, value)) || shown() {
            return Support::by(*call);
        }
        other = other.or_else(|| found.into_iter().next().map(|(shown, _)| (*call, *facts, shown)));
    }
    let Some((call, facts, shown)) = other else { return Support::Leave };
    Support::Against(format!("{} had {shown}", name_of(facts)), call, None)
}
