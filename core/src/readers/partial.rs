//! “Here is the complete list of your orders.” “There are no other tickets.” “I read the whole document.”
//!
//! # Reads
//! What a look-up returned, told as all there is: a complete list, no others, nothing of a kind anywhere in it, read in full.
//!
//! # Checks
//! The look-ups of the turn gave all of it. One whose output says that there is more (a next page, a total above what is
//! listed, “showing 1-10 of 43”) did not, unless another call could have brought the rest.
//!
//! # Leaves alone
//! Replies that say themselves that they show a part; turns whose look-ups are about something else.
use super::prelude::*;
use super::text::{head, is_path};
use super::voice::{outside_where, voice_where, Voice};
use crate::evidence::acts::Act;
use crate::evidence::lookup;
use crate::evidence::roles::{words, Role};
use crate::prose::phrase::Phrases;
use crate::readers::has_word;

pub(super) const FORM: Form = Form { reader: "partial", reads: Reads::Reply(read), check, asks: nothing_more };

const PHRASES: &[&str] = &[
    "here|this|below|that's is|are|a|the .. complete|full|entire|whole|exhaustive list|set|overview|inventory|catalog|catalogue|roster",
    "here's|that's|this the|a|your complete|full|entire|whole|exhaustive list|set|overview|inventory|catalog|catalogue|roster",
    "here|these|those|below are all|every",
    "there|i|you|we are|is|were|was|found|have|has no other|further|additional",
    "no|any .. anywhere in|on|within",
    "read|reviewed|went|gone|looked|listed|checked|scanned through|over|at? the|your|this|that? whole|entire|full|complete",
    "read|reviewed|went|gone|looked|listed|checked|scanned through|over|at? all|every|each of|one|the|your|#",
];

/// The first phrase of those that deny, and the first of the agent's own acts.
const NO_OTHER: usize = 3;
const OWN: usize = 5;

/// How a reply says that it shows a part.
const TELLS: &[&str] = &[
    "first|top|last|next #",
    "next|first|another|second|one page|batch",
    "more results|pages|entries|items|records|available|exist|exists|remain",
    "so far",
    "not all|every|complete|the|everything",
    "partial|partially|truncated|remaining|incomplete|subset|sample|excerpt|paginated|pagination",
    "rest of",
    "# of #",
    "# out of #",
];

/// The phrases of the claims, and those that tell of a part. Made once a check.
pub(super) fn phrases() -> [Phrases; 2] {
    [Phrases::new(PHRASES), Phrases::new(TELLS)]
}

fn read(reading: &mut Reading<'_, '_>) {
    let Some([forms, tells]) = reading.partial else { return };
    let mut found = Vec::new();
    for (index, clause) in reading.claims() {
        found.extend(forms.first(reading.prose, clause.tokens.clone()).map(|m| (index, m)));
    }
    if found.is_empty() {
        return;
    }
    if reading.prose.clauses.iter().any(|c| tells.first(reading.prose, c.tokens.clone()).is_some()) {
        return;
    }
    for (index, found) in found {
        if reading.full() {
            return;
        }
        claim(reading, index, &found);
    }
}

/// Words of a choice, of which all may be shown.
#[rustfmt::skip]
const CHOSEN: &[&str] = &[
    "best", "cheapest", "highest", "largest", "latest", "lowest", "nearest", "newest", "oldest", "recent", "smallest",
];

/// Words that do not say what a claim is about.
#[rustfmt::skip]
const SAYS_NOTHING: &[&str] = &[
    "additional", "anywhere", "below", "complete", "entire", "every", "found", "from", "full", "further", "have", "here",
    "here's", "into", "list", "listed", "other", "read", "that", "that's", "their", "them", "there", "these", "they", "this",
    "those", "through", "were", "went", "whole", "with", "your",
];

fn claim(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let (first, last) = (found.tokens.start, found.tokens.end - 1);
    let stance = reading.prose.governed(clause, last);
    let counts = |i: usize| !matches!(reading.word(i), "each" | "every");
    let told = if found.phrase >= OWN {
        reading.asserts(clause, first) && voice_where(reading, clause, first, counts) == Voice::Own
    } else {
        let denies = found.phrase >= NO_OTHER && stance == Stance::Denies;
        (stance == Stance::Asserts || denies) && !outside_where(reading, clause, counts)
    };
    if !told || has_word(reading.sentence(clause), CHOSEN) {
        return;
    }
    let tokens = reading.sentence(clause).iter();
    let (mut values, mut tools) = (Vec::new(), Vec::new());
    for token in tokens.take(60) {
        match token.kind {
            TokenKind::Word | TokenKind::Code if is_path(&token.text) || token.text.contains("://") => {
                tools.push(token.text.to_string());
            }
            TokenKind::Word if token.text.len() > 3 && !SAYS_NOTHING.contains(&token.text.as_ref()) => {
                values.push(head(&token.text, 5).to_string());
            }
            _ => {}
        }
    }
    reading.claim(index, Found { values, tools, ..Found::default() });
}

/// Whether a call looked something up.
fn looks(view: &View<'_, '_>, call: usize) -> bool {
    let facts = view.facts(call);
    let by_name = facts.role == Role::Unknown && (facts.acts.could(Act::Search) || facts.acts.could(Act::Fetch));
    (matches!(facts.role, Role::Look | Role::Search | Role::Fetch | Role::Read) || by_name) && !view.seen(call).inward
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let (mut whole, mut part, mut open) = (None, None, None);
    let mut mixed = false;
    for (call, facts) in view.calls().rev() {
        let seen = view.seen(call);
        if !seen.executed {
            continue;
        }
        if looks(view, call) && seen.partial(facts) {
            mixed |= part.is_some_and(|p: usize| view.facts(p).call.tool != facts.call.tool);
            part = part.or(Some(call));
        } else if looks(view, call) {
            whole = whole.or(Some(call));
        } else if matches!(facts.role, Role::Command | Role::Code | Role::Agent | Role::Unknown) && !seen.blank {
            open = open.or(Some(call));
        }
    }
    let Some(part) = part else {
        return whole.filter(|&call| about(claim, view, call)).map_or(Support::Leave, Support::by);
    };
    if mixed || !about(claim, view, part) {
        return Support::Leave;
    }
    // Code, a command or an agent may have brought the rest.
    if let Some(call) = open {
        return Support::by(call);
    }
    if brought(view, part) {
        return Support::Leave;
    }
    Support::Not(format!("{} returned one page of more", view.facts(part).shown()), Some(part))
}

/// Whether another call gave the whole of what one call gave a part of: of the same tool, or a search behind it.
fn brought(view: &View<'_, '_>, part: usize) -> bool {
    let facts = view.facts(part);
    let tool = facts.call.tool.as_str();
    let same = view
        .calls_to(tool)
        .iter()
        .any(|&c| !view.seen(c).partial(view.facts(c)) && view.seen(c).executed && !view.seen(c).blank);
    let shares = |other: &str| {
        let own = words(tool);
        words(other)
            .iter()
            .any(|w| w.len() > 3 && !matches!(w.as_str(), "list" | "search" | "fetch" | "read") && own.contains(w))
    };
    let behind = view.calls().filter(|(call, f)| *call != part && f.call.tool != tool && looks(view, *call));
    let mut behind = behind.filter(|(call, f)| !view.seen(*call).partial(f));
    same || behind.any(|(_, f)| matches!(f.role, Role::Search | Role::Fetch) || shares(&f.call.tool))
}

/// Verbs in the names of tools, which say nothing of what is looked up.
#[rustfmt::skip]
const VERBS: &[&str] = &[
    "all", "call", "fetch", "find", "get", "list", "load", "look", "lookup", "open", "query", "read", "search", "show", "view",
];

/// How much of an output is looked at for what it is about.
const ABOUT: usize = 400;

/// Whether a claim is about what a call looked up: its words are in the tool's name, in the arguments or at the start of the
/// output. A claim that names a file or an address is about that one.
fn about(claim: &Found, view: &View<'_, '_>, call: usize) -> bool {
    let facts = view.facts(call);
    let texts = lookup::strings(&facts.call.arguments);
    let mut texts: Vec<String> = texts.iter().map(|t| head(t, 256).to_lowercase()).collect();
    let named = |name: &String| {
        let last = name.trim_end_matches('/').rsplit('/').next().unwrap_or(name).to_lowercase();
        texts.iter().any(|t| t.contains(last.as_str()))
    };
    if !claim.tools.iter().all(named) {
        return false;
    }
    texts.push(head(facts.call.output.as_deref().unwrap_or_default(), ABOUT).to_lowercase());
    let tool = words(&facts.call.tool);
    let nouns = tool.iter().filter(|w| w.len() > 2 && !VERBS.contains(&w.as_str()));
    let nouns: Vec<&str> = nouns.map(|w| w.trim_end_matches('s')).collect();
    let shares = |word: &String| {
        nouns.iter().any(|noun| word.starts_with(head(noun, 5))) || texts.iter().any(|t| t.contains(word.as_str()))
    };
    !claim.tools.is_empty() || claim.values.iter().any(shares)
}
