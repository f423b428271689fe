//! “Opened ticket OPS-4711.” “Committed as `3f9c2ab`.” “Your booking reference is RX-30817.” “(Build 31M90)”
//!
//! # Reads
//! An opaque token: a commit hash, a UUID, a build, ticket, order or reference number, a process id, a DOI, an address, a
//! time to the second, a URL. It claims where a verb says that it was made or seen (“opened PR #572”), where a noun in
//! front says what it is (“order 61-30944”), or where its shape alone tells that it was looked up, as a DOI's does.
//!
//! # Checks
//! The token, or the part of it that cannot be guessed, stands in some output or argument, or in what the agent was given.
//!
//! # Leaves alone
//! Examples and placeholders, what is known to everybody (127.0.0.1, RFC 9110, CVE-…), URLs that are only named, and,
//! where the record holds no call, all that the agent does not say to have made.
mod token;

use super::prelude::*;
use super::text::is_placeholder;
use super::voice::{outside_but, voice_but, Voice};
use crate::evidence::facts::Facts;
use crate::evidence::numbers;
use crate::evidence::roles::Role;
use serde_json::Value;
use token::Shape;

pub(super) const FORM: Form = Form { reader: "identifier", reads: Reads::Reply(read), check, asks: nothing_more };

/// Verbs of making something that gets a name or number of its own.
#[rustfmt::skip]
const MADE: &[&str] = &[
    "booked", "bumped", "committed", "created", "deployed", "filed", "generated", "issued", "launched", "logged",
    "merged", "opened", "ordered", "placed", "posted", "published", "pushed", "raised", "refunded", "registered",
    "released", "reserved", "scheduled", "started", "submitted", "tagged", "uploaded",
];

/// Nouns that say what the token behind them is.
#[rustfmt::skip]
const NOUNS: &[&str] = &[
    "booking", "build", "commit", "confirmation", "deployment", "doi", "guid", "id", "invoice", "mr", "order", "pid", "pr",
    "reference", "refund", "request", "reservation", "revision", "sha", "shipment", "ticket", "tracking",
    "transaction", "uuid",
];

/// Those whose tokens are never plain numbers.
const CODES: &[&str] = &["doi", "guid", "sha", "uuid"];

/// Words beside an address that say that it was looked up.
const HOSTS: &[&str] = &["address", "host", "ip", "resolved", "resolves", "responds", "server"];

/// Nouns that do so only beside a verb of making: lists and headings number such things as well.
const WEAK: &[&str] =
    &["case", "incident", "issue", "job", "payment", "pipeline", "process", "release", "run", "version"];

/// Things that tickets, commits and orders are about, and which therefore put nothing outside this turn.
#[rustfmt::skip]
const PLAIN: &[&str] = &[
    "audit", "badge", "baseline", "benchmark", "book", "bug", "cause", "changelog", "ci", "crash", "customers", "dashboard", "docs",
    "documentation", "edition", "github", "gitlab", "incident", "issue", "jenkins", "manual", "nightly", "original", "paper",
    "people", "problem", "production", "race", "reason", "requirement", "root", "scenario", "symptom", "ticket", "upstream",
];

/// Words between such a noun and its token.
const LINKS: &[&str] = &["as", "code", "hash", "id", "is", "no", "no.", "number", "sha", "was"];

/// Words in front of “at” or “to” that make the URL behind it a result.
const LIVE: &[&str] = &["deployed", "hosted", "live", "published", "pushed", "running", "uploaded"];

/// Words of a sentence that shows how something would look.
#[rustfmt::skip]
const EXAMPLES: &[&str] = &[
    "any", "assume", "assuming", "convention", "dummy", "e.g", "eg", "example", "examples", "expect", "expected", "fake", "fictional",
    "fixture", "format", "formats", "hypothetical", "i.e", "instance", "like", "mock", "placeholder", "regex", "sample",
    "schema", "similar", "such", "suggest", "suggested", "syntax", "template", "usually",
];

/// The most tokens of one clause that are read.
const MOST: usize = 6;

/// How far a verb may stand in front of the token and behind it.
const AHEAD: usize = 10;
const BEHIND: usize = 6;

/// Hosts that everybody knows, so that an address there is put together from what it points to.
#[rustfmt::skip]
const FORGES: &[&str] = &[
    "bitbucket.org", "codeberg.org", "crates.io", "docs.google.com", "docs.rs", "ghcr.io", "github.com", "gitlab.com", "hub.docker.com",
    "huggingface.co", "npmjs.com", "pypi.org", "rubygems.org", "s3.amazonaws.com", "storage.googleapis.com",
];

/// Words that may follow a number which stands for itself.
#[rustfmt::skip]
const FOLLOWS: &[&str] = &[
    "against", "and", "as", "at", "but", "by", "for", "from", "has", "have", "in", "into", "is", "on", "so", "that", "to", "using", "via", "was",
    "which", "with",
];

/// A run of tokens without a space between.
struct Chunk<'p> {
    first: usize,
    end: usize,
    text: &'p str,
}

fn read(reading: &mut Reading<'_, '_>) {
    for (index, clause) in reading.claims() {
        if reading.full() {
            return;
        }
        let odd = |t: &Token<'_>| t.text.bytes().any(|b| b.is_ascii_digit() || b == b':');
        let telling = |t: &Token<'_>| t.text.bytes().any(|b| b.is_ascii_digit()) || t.text.contains("://");
        if !reading.tokens(clause).iter().any(|t| odd(t) && telling(t)) {
            continue;
        }
        let mut read = 0;
        for chunk in chunks(reading, clause) {
            if read == MOST {
                break;
            }
            let Some(shape) = token::shape(chunk.text) else { continue };
            let made = makes(reading, clause, &chunk);
            if claims(reading, clause, &chunk, shape, made) {
                claim(reading, index, &chunk, shape, made);
                read += 1;
            }
        }
    }
}

/// The runs of a clause that hold a digit or are addresses, brackets, quotes and closing marks taken off.
fn chunks<'p>(reading: &Reading<'p, '_>, clause: &Clause) -> Vec<Chunk<'p>> {
    let mut found: Vec<Chunk<'p>> = Vec::new();
    let mut open: Option<(usize, Span)> = None;
    let source = reading.prose.source;
    let mut close = |open: &mut Option<(usize, Span)>, end: usize| {
        let Some((first, span)) = open.take() else { return };
        let text = span.of(source).trim_end_matches(['.', ':', '-', '/']);
        found.push(Chunk { first, end, text });
    };
    for at in clause.tokens.clone() {
        let Some(token) = reading.token(at) else { break };
        let joins = match token.kind {
            TokenKind::Word | TokenKind::Number => true,
            TokenKind::Mark => matches!(token.text.as_ref(), "-" | "/" | "." | ":" | "#" | "_" | "@" | "+"),
            TokenKind::Code => {
                close(&mut open, at);
                let text = token.span.of(source).trim_matches('`').trim();
                if !text.contains(char::is_whitespace) {
                    let start = token.span.start + token.span.of(source).find(text).unwrap_or(0);
                    open = Some((at, Span::new(start, start + text.len())));
                    close(&mut open, at + 1);
                }
                continue;
            }
            TokenKind::Arrow => false,
        };
        if !joins {
            close(&mut open, at);
            continue;
        }
        match &mut open {
            Some((_, span)) if span.end == token.span.start => span.end = token.span.end,
            _ => {
                close(&mut open, at);
                open = Some((at, token.span));
            }
        }
    }
    close(&mut open, clause.tokens.end);
    found
}

/// Whether a verb tells that the thing of this token was made: the agent's own in front of it, or one whose subject it is.
fn makes(reading: &Reading<'_, '_>, clause: &Clause, chunk: &Chunk<'_>) -> bool {
    let near = clause.tokens.start.max(chunk.first.saturating_sub(AHEAD))..clause.tokens.end.min(chunk.end + BEHIND);
    near.filter(|&at| MADE.contains(&reading.word(at)) && reading.asserts(clause, at)).any(|at| {
        match voice_but(reading, clause, at, PLAIN) {
            Voice::Other => false,
            Voice::Passive(subject) | Voice::Bare(subject) if at > chunk.first => subject.contains(&chunk.first),
            _ => at < chunk.first,
        }
    })
}

/// Whether the clause says of a token that it was made or seen.
fn claims(reading: &Reading<'_, '_>, clause: &Clause, chunk: &Chunk<'_>, shape: Shape, made: bool) -> bool {
    let digits = token::digits(chunk.text);
    let noun = noun(reading, clause, chunk.first);
    let strong = noun.is_some_and(|n| NOUNS.contains(&n));
    let names = match shape {
        Shape::Url => is_result(reading, clause, chunk, made),
        Shape::Uuid | Shape::Doi => true,
        Shape::Time => made || strong,
        Shape::Address => reading.mentions(clause, HOSTS),
        Shape::Hash => strong || made || chunk.text.len() == 40,
        // The last of “OPS-4101 to OPS-4112” is counted, not seen.
        Shape::Key if ends_range(reading, clause, chunk) => false,
        // Two letters and five digits are a postal code.
        Shape::Key => strong || (made && digits >= 2) || (digits >= 5 && chunk.text.len() > 8),
        Shape::Mixed => noun.is_some() && (strong || made) && digits >= 2 && chunk.text.len() >= 3,
        Shape::Number => {
            let hash = chunk.text.starts_with('#');
            let year = digits == 4 && (chunk.text.starts_with("19") || chunk.text.starts_with("20"));
            let enough = if hash || made { 2 } else { 3 };
            noun.is_some_and(|n| !CODES.contains(&n))
                && (made || strong)
                && digits >= enough
                && (hash || !year)
                && stands_alone(reading, clause, chunk)
        }
    };
    // What the whole clause says is asked last, since it costs the most.
    names
        && (shape == Shape::Url || !token::is_made_up(chunk.text))
        && reading.asserts(clause, chunk.first)
        && !outside_but(reading, clause, PLAIN)
        && !reading.mentions(clause, EXAMPLES)
        && !is_placeholder(chunk.text)
}

/// The noun in front of a token that says what it is: “order number 9921”, “PR #572”, “(build 31M90)”.
fn noun<'p>(reading: &Reading<'p, '_>, clause: &Clause, first: usize) -> Option<&'p str> {
    let (mut links, mut id) = (0, None);
    for at in (clause.tokens.start..first).rev().take(6) {
        let Some(token) = reading.token(at) else { break };
        let word = token.text.as_ref();
        match token.kind {
            TokenKind::Mark if matches!(word, "#" | ":" | "(" | "." | "\"") => {}
            // “the request: 200” is no number of a request.
            TokenKind::Word if word == "request" => {
                let kind = reading.word_before(clause, at);
                return matches!(kind, "change" | "merge" | "pull" | "service").then_some(word);
            }
            TokenKind::Word if word != "id" && (NOUNS.contains(&word) || WEAK.contains(&word)) => return Some(word),
            TokenKind::Word if LINKS.contains(&word) && links < 3 => {
                links += 1;
                id = id.or(Some(word).filter(|word| *word == "id"));
            }
            _ => break,
        }
    }
    // An id of whatever it may be.
    id
}

/// Whether a key closes a range: “to”, “through” or a dash before it, and in front of that a key of the same kind.
fn ends_range(reading: &Reading<'_, '_>, clause: &Clause, chunk: &Chunk<'_>) -> bool {
    let prefix = chunk.text.split('-').next().unwrap_or_default();
    let mut before = (clause.tokens.start..chunk.first).rev();
    let joint = before.next().and_then(|i| reading.token(i)).map_or("", |t| t.text.as_ref());
    let first = before.take(3).filter_map(|i| reading.token(i));
    let same = |t: &Token<'_>| t.span.of(reading.prose.source).trim_matches('`').split('-').next() == Some(prefix);
    matches!(joint, "to" | "through" | "–" | "…") && first.into_iter().any(same)
}

/// Whether a number is no quantity: nothing follows that it could count or measure.
fn stands_alone(reading: &Reading<'_, '_>, clause: &Clause, chunk: &Chunk<'_>) -> bool {
    let Some(next) = reading.token(chunk.end).filter(|_| chunk.end < clause.tokens.end) else { return true };
    match next.kind {
        TokenKind::Word => FOLLOWS.contains(&next.text.as_ref()),
        TokenKind::Mark => !matches!(next.text.as_ref(), "%" | "–" | "€" | "$" | "£"),
        TokenKind::Number => false,
        TokenKind::Code | TokenKind::Arrow => true,
    }
}

/// Whether a URL is said to be the place of something made: behind a verb of making, or “live at”.
fn is_result(reading: &Reading<'_, '_>, clause: &Clause, chunk: &Chunk<'_>, made: bool) -> bool {
    let (host, _) = parts(chunk.text);
    let local = host.starts_with("localhost") || !host.contains('.') || token::digits(host) * 2 > host.len();
    if local {
        return false;
    }
    let before = |n: usize| chunk.first.checked_sub(n).filter(|&i| i >= clause.tokens.start).map(|i| reading.word(i));
    let at = matches!(before(1), Some("at" | "to" | "under"));
    (at && before(2).is_some_and(|word| LIVE.contains(&word))) || (made && (at || !named(reading, clause, chunk)))
}

/// Whether a URL is only a source or an object that is named: “opened the login page of https://…”.
fn named(reading: &Reading<'_, '_>, clause: &Clause, chunk: &Chunk<'_>) -> bool {
    let before = chunk.first.checked_sub(1).filter(|&i| i >= clause.tokens.start);
    let mark =
        before.and_then(|i| reading.token(i)).is_some_and(|t| t.kind == TokenKind::Mark || t.kind == TokenKind::Arrow);
    !mark
}

/// The host of a URL and its last path segment.
fn parts(url: &str) -> (&str, Option<&str>) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let path = path.split(['?', '#']).next().unwrap_or("").trim_end_matches('/');
    let last = path.rsplit('/').next().filter(|segment| !segment.is_empty());
    (host.strip_prefix("www.").unwrap_or(host), last)
}

/// Pages that every repository, release or package has at the services that everybody knows.
#[rustfmt::skip]
const PAGES: &[&str] = &[
    "actions", "checks", "commits", "files", "issues", "latest", "packages", "pulls", "releases", "settings", "tags",
];

/// Whether a path's last part is words or nothing: no number, no key.
fn plain(last: Option<&str>) -> bool {
    last.is_none_or(|last| !last.bytes().any(|b| b.is_ascii_digit()))
}

fn claim(reading: &mut Reading<'_, '_>, index: usize, chunk: &Chunk<'_>, shape: Shape, made: bool) {
    let text = chunk.text.trim_start_matches('#');
    let (mut needles, mut others) = (Vec::new(), Vec::new());
    let mut want = |reading: &mut Reading<'_, '_>, text: &str| needles.extend(reading.want(Scope::Any, text));
    match shape {
        Shape::Hash => want(reading, text.get(..7).unwrap_or(text)),
        Shape::Uuid => want(reading, text.get(..8).unwrap_or(text)),
        // The zone may have been changed, which leaves minutes and seconds as they are.
        Shape::Time => want(reading, text.get(13..19).unwrap_or(text)),
        Shape::Doi => want(reading, text.split_once('/').map_or(text, |(_, rest)| rest)),
        Shape::Url => {
            let (host, last) = parts(text);
            let known = FORGES.contains(&host);
            if !known {
                let label = host.split('.').next().unwrap_or(host);
                // A page of a host that was seen is found by its path; its name comes from a title or a route.
                others.extend(reading.want(Scope::Any, label));
                if plain(last) {
                    needles.extend(reading.want(Scope::Any, host));
                }
            }
            others.extend(last.and_then(|last| reading.want(Scope::Any, last)));
            // Of an address there a page that every project has tells nothing: what was made stands before it.
            if known && last.is_some_and(|last| PAGES.contains(&last)) {
                let before = text.trim_end_matches('/').rsplit('/').skip(1).find(|part| !PAGES.contains(part));
                others = before.and_then(|part| reading.want(Scope::Any, part)).into_iter().collect();
            }
        }
        Shape::Number => {
            for form in ["#", "/", "-", "_"] {
                want(reading, &format!("{form}{text}"));
            }
            if text.len() >= 5 {
                want(reading, text);
            }
        }
        Shape::Key | Shape::Mixed | Shape::Address => {
            want(reading, text);
            let spaced = text.replace(['-', '_'], " ");
            if spaced != text {
                want(reading, &spaced);
                want(reading, &spaced.replace(' ', ""));
            }
        }
    }
    // An output may hold the number of a key in a field of its own.
    if needles.is_empty() && others.is_empty() {
        return;
    }
    let number = match shape {
        Shape::Number => numbers::parse(text),
        Shape::Key | Shape::Mixed => text.rsplit(['-', '_']).next().and_then(numbers::parse),
        _ => None,
    };
    needles.extend(number.iter().map(|n| reading.wanted.number(n)));
    reading.claim(
        index,
        Found {
            name: chunk.text.to_string(),
            needles,
            others,
            wide: made,
            keyed: shape == Shape::Key,
            ..Found::default()
        },
    );
}

/// Hosts that serve a repository or an application under its own name, so that its address is known before it is up.
#[rustfmt::skip]
const PAGED: &[&str] = &[
    "codeberg.page", "firebaseapp.com", "fly.dev", "github.io", "gitlab.io", "herokuapp.com", "pages.dev", "readthedocs.io", "surge.sh",
    "web.app",
];

/// The call that put something to such a host, or may have.
fn paged(claim: &Found, view: &View<'_, '_>) -> Option<usize> {
    let (host, _) = parts(&claim.name);
    let under = |paged: &&&str| host.strip_suffix(**paged).is_some_and(|name| name.ends_with('.'));
    let shows = |f: &Facts<'_>| [Deed::Push, Deed::Deploy, Deed::Release].iter().any(|&deed| f.deeds.could(deed));
    PAGED.iter().find(under)?;
    view.all().find(|(_, f)| f.succeeded && shows(f)).map(|(call, _)| call)
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    if let Some(call) = paged(claim, view) {
        return Support::by(call);
    }
    if let Some(hit) = claim.needles.iter().find_map(|&id| view.hit(id)) {
        return Support::at(hit);
    }
    let parts: Option<Vec<_>> = claim.others.iter().map(|&id| view.hit(id)).collect();
    if let Some(hit) = parts.and_then(|hits| hits.first().copied()) {
        return Support::at(hit);
    }
    if view.now().end == 0 && !claim.wide {
        return Support::Leave;
    }
    let unseen = view.unseen();
    if !unseen.is_empty() || !view.cut().is_empty() {
        return Support::Cut(unseen.iter().chain(view.cut()).copied().collect());
    }
    if let Some((call, span, key)) = other(claim, view) {
        return Support::Against(format!("the output says {key}"), call, Some(span));
    }
    if token::shape(&claim.name) == Some(Shape::Time) && counts_seconds(view) {
        return Support::Leave;
    }
    let near = view.calls().rev().find(|(_, f)| f.role != Role::Read && f.call.output.is_some()).map(|(call, _)| call);
    Support::Not(format!("no call's output holds {}", claim.name), near)
}

/// Whether a call of the turn was given or printed a time as a count of seconds or of less: `start=1893456000`.
fn counts_seconds(view: &View<'_, '_>) -> bool {
    let counts = |text: &str| {
        let runs = text.split(|c: char| !c.is_ascii_digit());
        runs.filter(|run| matches!(run.len(), 10 | 13 | 16)).any(|run| run.starts_with(['1', '2']))
    };
    let given = |value: &Value| matches!(value, Value::Number(_) | Value::String(_)) && counts(&value.to_string());
    view.calls().rev().take(256).any(|(_, f)| {
        f.call.arguments.as_object().is_some_and(|map| map.values().take(32).any(given))
            || f.call.output.as_deref().is_some_and(|o| counts(crate::text::head(o, 4_096)))
    })
}

/// The one key of the same kind that the turn's acts printed, for a thing said to have been made.
fn other<'v>(claim: &Found, view: &View<'_, 'v>) -> Option<(usize, Span, &'v str)> {
    let prefix = claim.name.split('-').next().filter(|_| claim.keyed && claim.wide)?;
    let text = |&(call, span): &(usize, Span)| {
        let output = view.facts(call).call.output.as_deref()?;
        Some((call, span, output.get(span.start..span.end)?))
    };
    let mut same = view.keys().iter().filter_map(text).filter(|(.., key)| key.split('-').next() == Some(prefix));
    let first = same.next()?;
    same.all(|(.., key)| key == first.2).then_some(first)
}
