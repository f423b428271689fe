//! “The pump is on firmware 5.2.17.” “99th percentile: 117 ms.” “| Disk usage | 41 % |”
//!
//! # Reads
//! A version, date, share, duration, size or price told of something: behind a label and a colon, behind a verb of being
//! or showing, or in the row of a table. It claims only where an output of this turn prints a value of the same kind under
//! the same words.
//!
//! # Checks
//! The value is that one, rounded or in another unit; or it stands in some output or argument, or in what the agent was
//! given; or it follows from numbers that were printed, where the words say that it was worked out.
//!
//! # Leaves alone
//! Values of things that no call looked up, estimates, ranges and bounds, requirements, what was just changed, labels that
//! another label of the output shares a word with.
use super::prelude::*;
use super::voice::outside;
use crate::evidence::facts::Facts;
use crate::evidence::labels::{Labelled, VERSIONS};
use crate::evidence::numbers::quantity::{as_version, quantities, Kind, Quantity};
use crate::evidence::numbers::units::{digits, factors, other_currency, pointed};
use crate::evidence::numbers::{self, Number};
use crate::prose::lexicon;
use crate::text::span::quote;

pub(super) const FORM: Form = Form { reader: "value", reads: Reads::Reply(read), check, asks: nothing_more };

/// What shows more than the record holds.
#[rustfmt::skip]
const PICTURES: &[&str] = &["photo", "picture", "screen", "screenshot", "video", "viewport"];

/// Words in front of a value that make it an estimate, a bound or a part.
#[rustfmt::skip]
const LOOSE: &[&str] = &[
    "about", "above", "almost", "another", "approximately", "around", "below", "between", "beyond", "circa", "every", "first", "last", "least", "less",
    "more", "most", "nearly", "only", "other", "over", "per", "roughly", "some", "than", "top", "under", "until", "up", "within",
];

/// Words of a sentence that tells a requirement, a wish, a change or another state than the one looked up.
#[rustfmt::skip]
const ELSE: &[&str] = &[
    "added", "adjusted", "after", "afterwards", "any", "assuming", "became", "before", "bumped", "changed", "compared", "compatible", "default", "deprecated", "down", "dropped",
    "each", "earlier", "expect", "expected", "fell", "from", "goal", "grew", "ideal", "increased", "instead", "introduced", "later", "lowered",
    "minimum", "needs", "new", "newer", "now", "older", "originally", "otherwise", "planned", "previous", "previously", "projected", "proposed", "raised",
    "recommend", "recommended", "reduced", "require", "required", "requirement", "requires", "rose", "saved", "set", "since", "support", "supported",
    "supports", "target", "typical", "until", "updated", "upgrade", "upgraded", "usually", "versus", "vs", "was", "were", "will",
];

/// Those of them that, in brackets, give a value to compare with.
const COMPARED: &[&str] = &[
    "before",
    "default",
    "expected",
    "goal",
    "minimum",
    "planned",
    "previous",
    "previously",
    "required",
    "target",
    "was",
];

/// Words that say that a value was worked out from others.
#[rustfmt::skip]
const WORKED_OUT: &[&str] = &[
    "adds", "all", "altogether", "average", "averages", "both", "cheaper", "combined", "difference", "equals", "estimated", "faster", "free", "half",
    "left", "longer", "mean", "overall", "rate", "ratio", "remaining", "remains", "saving", "savings", "share", "shorter", "slower", "spread", "sum", "summed", "together",
    "total", "totals",
];

/// Verbs between a subject and its value; those that say more than “is” belong to the label.
#[rustfmt::skip]
const VERBS: &[&str] = &[
    "are", "costs", "ends", "expires", "gave", "gives", "has", "have", "is", "measures", "printed", "prints", "reads", "reported", "reports", "returned", "returns", "running", "runs",
    "said", "says", "showed", "shows", "starts", "takes", "took", "uses",
];

/// Those of them that are only a link.
#[rustfmt::skip]
const LINKS: &[&str] = &[
    "are", "gave", "gives", "has", "have", "is", "printed", "prints", "reads", "reported", "reports", "returned", "returns", "running", "runs", "said", "says", "showed",
    "shows", "uses",
];

/// What a thing is, with its version in front: “Lampc 3.9.2 is installed”.
const STANDS: &[&str] = &["active", "available", "installed", "loaded", "present", "running"];

/// Words that make a number with a point a version.
const SYSTEMS: &[&str] = &["build", "installed", "interpreter", "os", "running", "runtime", "system"];

/// Words of a label that tell only what kind of value it is.
#[rustfmt::skip]
const UNNAMED: &[&str] = &[
    "amount", "average", "cost", "date", "duration", "fee", "length", "percent", "percentage", "price", "rate", "release", "share", "size", "speed",
    "tag", "time", "total", "version",
];

/// Words of a label that say nothing of what it is about.
#[rustfmt::skip]
const GENERIC: &[&str] = &[
    "also", "currently", "value", "number", "result", "figure", "i", "we", "according", "output", "call", "tool", "it", "which", "that", "still",
    "exactly", "just", "actual", "actually", "reported",
];

fn read(reading: &mut Reading<'_, '_>) {
    let mut header: Option<&Clause> = None;
    let mut in_table = false;
    let mut picture = None;
    for (index, clause) in reading.claims() {
        if reading.full() {
            return;
        }
        let row = clause.place == Place::Row;
        if row && !in_table {
            (header, in_table) = (Some(clause), true);
            continue;
        }
        in_table = row;
        // What a picture shows is not in the record.
        let pictured = reading.mentions(clause, PICTURES);
        if pictured {
            picture = Some(clause.block);
        }
        if picture == Some(clause.block) {
            continue;
        }
        if !reading.tokens(clause).iter().any(|t| t.text.bytes().any(|b| b.is_ascii_digit()))
            || outside(reading, clause)
        {
            continue;
        }
        if elsewhere(reading, clause) {
            continue;
        }
        let text = clause.span.of(reading.prose.source);
        let telling = quantities(text).into_iter().filter(|q| q.kind != Kind::Plain || text.contains('.'));
        for quantity in telling.take(if row { 8 } else { 1 }) {
            let start = clause.span.start + quantity.span.start;
            let Some(at) = clause.tokens.clone().find(|&i| reading.token(i).is_some_and(|t| t.span.end > start)) else {
                continue;
            };
            let end = clause.span.start + quantity.span.end;
            let after = (at..clause.tokens.end).find(|&i| reading.token(i).is_some_and(|t| t.span.start >= end));
            let place = at..after.unwrap_or(clause.tokens.end);
            if !reading.asserts(clause, at) || loose(reading, clause, &place) || !whole(reading, at, &quantity, text) {
                continue;
            }
            let label = match (row, header) {
                (true, Some(header)) => cell(reading, header, clause, &place),
                (true, None) => None,
                _ => label(reading, clause, &place),
            };
            if let Some(words) = label.filter(|words| !words.is_empty()) {
                claim(reading, index, text, quantity, words);
            }
        }
    }
}

/// Whether the words tell of another state than the one looked up. Brackets may hold a value to compare with: “(target: 150
/// ms)”, “(was 9 s)”.
fn elsewhere(reading: &Reading<'_, '_>, clause: &Clause) -> bool {
    let mut inside = false;
    clause.tokens.clone().any(|i| {
        inside |= reading.token(i).is_some_and(|t| t.text == "(");
        let word = reading.word(i);
        lexicon::has(ELSE, word) && !(inside && lexicon::has(COMPARED, word))
    })
}

/// Whether a value is an estimate, a bound, one end of a range, or counts something that follows.
fn loose(reading: &Reading<'_, '_>, clause: &Clause, place: &core::ops::Range<usize>) -> bool {
    let near = clause.tokens.start.max(place.start.saturating_sub(3))..place.start;
    let marks = |i: usize| {
        reading.token(i).is_some_and(|t| {
            matches!(t.text.as_ref(), "~" | "≈" | "<" | ">" | "≤" | "≥" | "±" | "+" | "–" | "-" | "×" | "/" | "^")
                || t.kind == TokenKind::Arrow
        })
    };
    let range = matches!(reading.word(place.end), "billion" | "million" | "or" | "plus" | "thousand" | "times" | "to")
        && place.end < clause.tokens.end;
    let before = place.start.checked_sub(1).filter(|&i| i >= clause.tokens.start);
    near.clone().any(|i| lexicon::has(LOOSE, reading.word(i)))
        || before.is_some_and(|i| marks(i) && !joins(reading, clause, i))
        || (place.end < clause.tokens.end && marks(place.end))
        || reading.hedged(clause, place.start)
        || range
}

/// Whether a dash or an arrow joins a label to its value: “Disk usage – 61 %”. Behind a number it makes a range.
fn joins(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    let (Some(token), Some(next)) = (reading.token(at), reading.token(at + 1)) else { return false };
    let dash = token.kind == TokenKind::Arrow || matches!(token.text.as_ref(), "–" | "—" | "-" | "=");
    let label = at.checked_sub(1).filter(|&i| i >= clause.tokens.start).and_then(|i| reading.token(i));
    let word = label.is_some_and(|t| t.span.end < token.span.start && !t.text.contains(|c: char| c.is_ascii_digit()));
    dash && word && token.span.end < next.span.start
}

/// Whether a value in code font is all that stands there: no option of a command, no part of a path.
fn whole(reading: &Reading<'_, '_>, at: usize, quantity: &Quantity, text: &str) -> bool {
    let code = reading.token(at).filter(|t| t.kind == TokenKind::Code);
    code.is_none_or(|t| t.text.trim().len() == quantity.span.of(text).len())
}

/// The words of the row's first cell and of the column's head, where the value fills its cell.
fn cell(
    reading: &Reading<'_, '_>,
    header: &Clause,
    clause: &Clause,
    place: &core::ops::Range<usize>,
) -> Option<Vec<String>> {
    let bar = |i: &usize| reading.token(*i).is_some_and(|t| t.kind == TokenKind::Mark && t.text == "|");
    let column = (clause.tokens.start..place.start).filter(bar).count();
    let start = (clause.tokens.start..place.start).rev().find(bar).map_or(clause.tokens.start, |i| i + 1);
    let end = (place.end..clause.tokens.end).find(bar).unwrap_or(clause.tokens.end);
    let first = (clause.tokens.start..clause.tokens.end).find(bar)?;
    let symbols = |i: usize| reading.token(i).is_none_or(|t| t.kind == TokenKind::Mark);
    if column == 0 || !(start..place.start).chain(place.end..end).all(symbols) {
        return None;
    }
    let mut words = content(reading, clause.tokens.start..first);
    if words.is_empty() {
        return None;
    }
    let mut bars = 0;
    let head = header.tokens.clone().filter(|i| {
        bars += usize::from(bar(i));
        bars == column && !bar(i)
    });
    let heads: Vec<usize> = head.collect();
    if let (Some(from), Some(to)) = (heads.first(), heads.last()) {
        words.extend(content(reading, *from..to + 1));
    }
    Some(words)
}

/// The words that say what a value in a sentence is: those in front of it and those right behind.
fn label(reading: &Reading<'_, '_>, clause: &Clause, place: &core::ops::Range<usize>) -> Option<Vec<String>> {
    let from = clause.tokens.start;
    let stands = matches!(reading.word(place.end), "is" | "are") && STANDS.contains(&reading.word(place.end + 1));
    let link = (from..place.start).rev().take(6).find(|&i| {
        let colon = reading.token(i).is_some_and(|t| t.kind == TokenKind::Mark && t.text == ":");
        VERBS.contains(&reading.word(i)) || colon || joins(reading, clause, i)
    });
    let link = match link {
        Some(link) => link,
        None if stands && place.start > from => from,
        None => return None,
    };
    // Another mark between link and value begins something else.
    let plain = |i: usize| {
        reading
            .token(i)
            .is_some_and(|t| t.kind != TokenKind::Mark || matches!(t.text.as_ref(), "$" | "€" | "£" | "*" | "\"" | "("))
    };
    if !(link + 1..place.start).all(plain) && !stands {
        return None;
    }
    let stop = (place.end..clause.tokens.end)
        .find(|&i| {
            reading.token(i).is_some_and(|t| t.kind == TokenKind::Mark)
                || matches!(reading.word(i), "and" | "which" | "but" | "so")
        })
        .unwrap_or(clause.tokens.end);
    let mut words = content(reading, place.end..stop);
    // “1.2.4 in the store” may tell of another place than the one that was looked at.
    let placed = matches!(reading.word(place.end), "at" | "in" | "on" | "under") && place.end < stop;
    if placed && !words.is_empty() && place.clone().any(|i| reading.token(i).is_some_and(|t| t.text.contains('.'))) {
        return None;
    }
    words.extend(content(reading, from..place.start));
    // A part of a sentence without a subject has that of the sentence.
    if link == from && clause.sentence.start < from {
        words.splice(0..0, content(reading, reading.around(clause).start..from));
    }
    (words.len() <= 8).then_some(words)
}

/// The words of a range that tell what something is.
fn content(reading: &Reading<'_, '_>, range: core::ops::Range<usize>) -> Vec<String> {
    let tokens = range.filter_map(|i| reading.token(i));
    let telling = tokens.filter(|t| match t.kind {
        TokenKind::Word => {
            let word = t.text.as_ref();
            !(LINKS.contains(&word) || GENERIC.contains(&word) || lexicon::has(lexicon::en::FUNCTION, word))
        }
        TokenKind::Code | TokenKind::Number => true,
        _ => false,
    });
    // As written, so that words in words are cut as those of outputs are.
    let bare = |text: &str| text.trim_end_matches("'s").trim_end_matches("’s").to_string();
    telling.map(|t| bare(t.span.of(reading.prose.source))).take(9).collect()
}

fn claim(reading: &mut Reading<'_, '_>, index: usize, text: &str, quantity: Quantity, words: Vec<String>) {
    let has = |list: &[&str]| words.iter().any(|w| list.contains(&w.to_lowercase().as_str()));
    let written = quantity.span.of(text);
    let dotted = written.bytes().filter(|b| *b == b'.').count() == 1;
    let version =
        quantity.kind == Kind::Version || (quantity.kind == Kind::Plain && dotted && (has(VERSIONS) || has(SYSTEMS)));
    if quantity.kind == Kind::Plain && !version {
        return;
    }
    let mut needles = Vec::new();
    let number = numbers::parse(digits(written));
    match quantity.kind {
        _ if version => needles.extend(reading.want(Scope::Any, written.trim_start_matches(['v', 'V']))),
        Kind::Date => needles.extend(dates(&quantity).iter().filter_map(|form| reading.want(Scope::Any, form))),
        _ => {
            needles.extend(reading.want(Scope::Any, written));
            needles.extend(number.iter().map(|n| reading.wanted.number(n)));
        }
    }
    let worked = has(WORKED_OUT);
    let name = written.to_string();
    reading
        .claim(index, Found { name, values: words, number, needles, wide: worked, keyed: version, ..Found::default() });
}

/// Whether a call may have changed what an earlier one printed.
fn changes(facts: &Facts<'_>) -> bool {
    let acts = [Act::Write, Act::Publish, Act::Remove, Act::Wrap, Act::Cut];
    facts.ran() && acts.iter().any(|act| facts.acts.could(*act))
}

/// The ways in which a day may be written.
fn dates(quantity: &Quantity) -> Vec<String> {
    let Some((month, day)) = quantity.month_and_day() else { return Vec::new() };
    let name = numbers::quantity::month_name(month);
    let short = name.get(..3).unwrap_or(name);
    [
        format!("-{month:02}-{day:02}"),
        format!("{day} {short}"),
        format!("{day}. {short}"),
        format!("{short} {day}"),
        format!("{name} {day}"),
        format!("{day:02}.{month:02}."),
        format!("{day}.{month}."),
        format!("{month}/{day}"),
        format!("{day}/{month}"),
        format!("{month:02}/{day:02}"),
        format!("{day:02}/{month:02}"),
        format!("{month:02}{day:02}"),
    ]
    .to_vec()
}

/// How much of an output is searched for the currency of its amounts.
const FIRST: usize = 8_000;

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let Some(told) = quantities(&claim.name).into_iter().next() else { return Support::Leave };
    let told = if claim.keyed { as_version(told, &claim.name) } else { told };
    let (all, any) = view.may_hold(&claim.values);
    if !(all || (any && told.kind == Kind::Version)) {
        return Support::Leave;
    }
    let labels = view.labels();
    let mut printed = labels.find(told.kind, &claim.values);
    if printed.is_empty() && told.kind == Kind::Version {
        printed = labels.versions(&claim.values);
    }
    if printed.is_empty() {
        return Support::Leave;
    }
    if let Some(value) = printed.iter().find(|value| value.quantity.fits(&told)) {
        return Support::By(Some(value.call), Some(value.quantity.span));
    }
    if let Some(hit) = claim.needles.iter().find_map(|&id| view.hit(id)) {
        return Support::at(hit);
    }
    if let Some(value) = labels.like(&told) {
        return Support::By(Some(value.call), Some(value.quantity.span));
    }
    // “€1.000” may be a thousand.
    let thousand = || {
        let many = Quantity { value: told.value * 1e3, slack: told.slack * 1e3, ..told };
        pointed(&claim.name) && printed.iter().any(|value| value.quantity.fits(&many))
    };
    let worked = |n: &Number| match told.kind {
        Kind::Version | Kind::Date => false,
        Kind::Price => view.yields(n) || thousand(),
        kind => view.rounds(n, factors(kind)) || ((claim.wide || kind == Kind::Share) && view.derives(n)),
    };
    if claim.number.as_ref().is_some_and(worked) {
        return Support::By(None, None);
    }
    // “Price: …” alone does not say of what.
    if claim.values.iter().all(|word| lexicon::has(UNNAMED, &word.to_lowercase())) {
        return Support::Leave;
    }
    let unseen = view.unseen();
    if !unseen.is_empty() || !view.cut().is_empty() {
        return Support::Cut(unseen.iter().chain(view.cut()).copied().collect());
    }
    // The nearest is the one that is the fewest times larger or smaller.
    let off = |value: &&&Labelled| {
        let (a, b) = (value.quantity.value.abs().max(1e-9), told.value.abs().max(1e-9));
        (a / b).max(b / a)
    };
    let Some(nearest) = printed.iter().min_by(|a, b| off(a).total_cmp(&off(b))) else { return Support::Leave };
    let output = view.facts(nearest.call).call.output.as_deref().unwrap_or("");
    // What was converted into another currency is another kind of value.
    let converted = told.kind == Kind::Price && other_currency(&claim.name, super::text::head(output, FIRST));
    if converted || view.calls().any(|(call, f)| call > nearest.call && changes(f)) {
        return Support::Leave;
    }
    if labels.is_of_another(nearest, &claim.values, output) {
        return Support::Leave;
    }
    let span = nearest.quantity.span;
    Support::Against(format!("the output says {}", quote(span.of(output), 40)), nearest.call, Some(span))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_that_are_searched_by_halves_are_sorted() {
        for list in [LOOSE, ELSE, COMPARED, UNNAMED] {
            assert!(list.windows(2).all(|w| w[0] < w[1]), "{list:?}");
        }
    }
}
