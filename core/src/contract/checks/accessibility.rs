//! A page breaks no rule of accessibility from a severity up.
//!
//! # Sees
//! What axe found in a fresh browser of the host's own: `{violations, incomplete, passes, aria_snapshot}`, each rule as
//! `{id, impact, nodes}`.
//!
//! # Decides
//! A violation of the `impact` or a higher one fails. A rule that axe could not decide decides nothing here either. An
//! `aria_snapshot` has to be equal, line by line.
use super::net;
use super::prelude::*;

/// The severities of axe, rising.
const IMPACTS: &[&str] = &["minor", "moderate", "serious", "critical"];
/// The most rules of a kind.
const RULES: usize = 1_000;
const SNAPSHOT: usize = 1 << 18;

pub(super) const TYPE: CheckType = CheckType {
    name: "accessibility",
    about: "axe finds no violation of an impact or a higher one on a page",
    capabilities: &[Capability::Axe],
    params: &[
        must("url", Kind::Url, "the page; its origin is one of allowed_origins"),
        or("impact", Kind::Word(IMPACTS), "\"minor\"", "the lowest impact that fails"),
        may("selector", Kind::Term, "the part of the page, in CSS"),
        may("rules", Kind::Texts, "the rules to run, by their ids"),
        may("aria_snapshot", Kind::Text, "the whole ARIA snapshot of the part"),
        net::TIMEOUT,
        net::SETTLE,
        net::READY,
    ],
    validate: |terms| {
        let params = terms.params;
        if params.has("rules") && params.array("rules").is_empty() {
            return Err(vacuous("no rule would be run"));
        }
        if super::selector::needs_playwright(params.text("selector")) {
            return Err(fault("selector", "it is not of CSS"));
        }
        Ok(())
    },
    requests: |params| {
        let request = net::page_request(params, Capability::Axe).given(params, "selector").given(params, "rules");
        [request.with("aria_snapshot", params.has("aria_snapshot")).with("max_rules", RULES)].into()
    },
    decide,
};

fn decide(case: &Case<'_>) -> Decided {
    let params = case.params;
    let look = net::look(case, "page")?;
    let own = ["violations", "incomplete", "passes", "aria_snapshot", "engine"];
    let (fields, page) = net::page(case, &look, &own)?;
    let least = rank(params.text("impact")).unwrap_or(0);
    let (violations, open) = (rules(&fields, "violations", least)?, rules(&fields, "incomplete", least)?);
    let passes = whole(&fields, "passes", 0, 1 << 20)?;
    let snapshot = fields.text("aria_snapshot", SNAPSHOT).map_err(unread)?;
    let wanted = params.value("aria_snapshot").and_then(Json::str);
    let expected = object([("impact", params.text("impact").into()), ("aria_snapshot", wanted.into())]);
    let observed = object([
        ("violations", array(violations.iter().map(|rule| rule.id))),
        ("incomplete", array(open.iter().map(|rule| rule.id))),
        ("passes", passes.into()),
        ("aria_snapshot", snapshot.filter(|_| wanted.is_some()).into()),
    ]);
    if let Some(undecided) = page.unfit() {
        return Err(undecided);
    }
    // The impact of some violations is not known, which settles neither.
    let (sure, unsure): (Vec<_>, Vec<_>) = violations.into_iter().partition(|rule| rule.is_sure);
    if !sure.is_empty() {
        return fail(expected, observed, format!("{} rules are broken: {}", sure.len(), shown(&sure)));
    }
    let differs = |(wanted, seen): (&str, &str)| !look.truncated && !lines(seen).eq(lines(wanted));
    if wanted.zip(snapshot).is_some_and(differs) {
        return fail(expected, observed, "the ARIA snapshot is another");
    }
    let undecided: Vec<Rule<'_>> = unsure.into_iter().chain(open).collect();
    match () {
        () if !undecided.is_empty() => {
            absent(format!("axe could not decide {} rules: {}", undecided.len(), shown(&undecided)))
        }
        () if look.truncated => Err(Undecided::truncated()),
        () if wanted.is_some() && snapshot.is_none() => Err(unread(fault("aria_snapshot", "missing"))),
        () if passes == 0 => absent("axe found nothing that a rule applies to"),
        () => pass(expected, observed, format!("no rule is broken; {passes} rules hold")),
    }
}

fn rank(impact: &str) -> Option<usize> {
    IMPACTS.iter().position(|known| *known == impact)
}

fn shown(rules: &[Rule<'_>]) -> String {
    let more = if rules.len() > 5 { " and more" } else { "" };
    format!("{}{more}", rules.iter().take(5).map(|rule| rule.id).collect::<Vec<_>>().join(", "))
}

/// Lines without the white space at their ends, which is how editors differ.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.trim_end().lines().map(str::trim_end)
}

/// A rule of axe.
struct Rule<'a> {
    id: &'a str,
    /// Whether its impact is known.
    is_sure: bool,
}

/// The rules of an impact or a higher one, and those of which it is not known.
fn rules<'a>(fields: &Fields<'a>, name: &str, least: usize) -> Result<Vec<Rule<'a>>, Undecided> {
    let items = fields.array(name, RULES).map_err(unread)?.ok_or_else(|| unread(fault(name, "missing")))?;
    let mut rules = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let inside = |error: ContractError| unread(error.inside(&format!("{name}[{index}]")));
        let rule = Fields::of(item, &["id", "impact", "nodes", "help"]).map_err(inside)?;
        let id = rule.text("id", 200).map_err(inside)?.ok_or_else(|| inside(fault("id", "missing")))?;
        let Some(impact) = rule.text("impact", 20).map_err(inside)? else {
            rules.push(Rule { id, is_sure: false });
            continue;
        };
        let rank = rank(impact).ok_or_else(|| inside(fault("impact", format!("expected {}", IMPACTS.join(", ")))))?;
        if rank >= least {
            rules.push(Rule { id, is_sure: true });
        }
    }
    Ok(rules)
}
