//! “I read `notes/plan.md`.” “After reviewing https://a.test/guide …” “I've read the article.”
//!
//! # Reads
//! A file, an address or a titled page that the agent says it read, opened, reviewed, inspected or looked at; also “the
//! article”, “the page”, where nothing names it.
//!
//! # Checks
//! Some call names it in its arguments or its output, or the person or the context did; or a call may have read it without
//! its name: a script, a pattern, an agent, an unknown tool. A fetch that met an error page read nothing, unless something
//! else could have.
//!
//! # Leaves alone
//! What programs read, what an output tells of a file, plans, patterns and placeholders.
mod address;
mod doubt;
mod given;
mod probed;
mod shown;

use super::prelude::*;
use super::text::{example_host, is_path, is_placeholder};
use super::voice::{of_time, outside_where, voice_where, Voice};
use crate::evidence::facts::Facts;
use crate::evidence::index::{strings, Shared};
use crate::evidence::roles::Role;
use crate::evidence::seen;
use crate::prose::lexicon;
use crate::text::fold::fold;

pub(crate) use probed::Probed;

pub(super) const FORM: Form = Form { reader: "read", reads: Reads::Phrases(PHRASES, read), check, asks: nothing_more };

const PHRASES: &[&str] = &[
    "read|re-read|reread|opened|reviewed|inspected|examined|studied|viewed|skimmed|consulted|visited",
    "looked|went|gone at|through|over|into",
    "after|upon|by|from|having|on carefully|closely? reading|reviewing|inspecting|examining|opening|reviewed|read|inspected|examined",
    "according to the article|page|site|website|paper|post|report",
    "the article|page|site|website|paper|report says|states|recommends|mentions|explains|reports|lists|argues|claims",
];

/// The phrase of a reading that comes before the rest, and the first of what a page is said to say.
const AFTER: usize = 2;
const TOLD: usize = 3;

/// Words that may stand between the verb and the name of what was read.
#[rustfmt::skip]
const BETWEEN: &[&str] = &[
    "a", "actual", "address", "all", "at", "both", "code", "config", "configuration", "content", "contents", "current", "data",
    "document", "entire", "existing", "file", "files", "first", "from", "full", "guide", "in", "its", "latest", "log",
    "module", "my", "of", "original", "own", "page", "readme", "relevant", "script", "site", "source", "spec", "specification", "test", "the",
    "this", "through", "url", "website", "whole",
];

/// What was read where nothing names it.
const PAGES: &[&str] =
    &["article", "document", "guide", "page", "paper", "post", "report", "site", "story", "webpage", "website"];

/// Files that have no ending.
const BARE: &[&str] = &["changelog", "dockerfile", "makefile", "readme"];

/// Files that programs read without their name.
#[rustfmt::skip]
const IMPLIED: &[&str] = &[
    ".env", ".gitignore", "Cargo.lock", "Cargo.toml", "Dockerfile", "Gemfile", "Gemfile.lock", "Makefile", "build.gradle", "compose.yaml", "compose.yml",
    "composer.json", "composer.lock", "docker-compose.yaml", "docker-compose.yml", "go.mod", "go.sum", "makefile", "package-lock.json",
    "package.json", "pnpm-lock.yaml", "poetry.lock", "pom.xml", "pyproject.toml", "requirements.txt", "setup.py", "tsconfig.json",
    "uv.lock", "yarn.lock",
];

/// When a program reads: “we read it at startup” tells what the code does.
const AT_START: &[&str] = &["boot", "launch", "load-time", "runtime", "start-up", "startup"];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let (verb, last) = (found.tokens.start, found.tokens.end - 1);
    let next = reading.word(last + 1);
    if !told(reading, clause, found)
        || reading.mentions(clause, &["memory", "training"])
        || reading.mentions(clause, AT_START)
        || matches!((reading.word(verb), next), ("opened", "a" | "an") | ("read", "as" | "like"))
        || advises(reading, clause, verb)
    {
        return;
    }
    let fails = fails(reading, clause);
    let opened = matches!(reading.word(verb), "opened" | "viewed" | "visited");
    let names = if found.phrase >= TOLD { Vec::new() } else { names(reading, clause, last) };
    let page = found.phrase >= TOLD || (found.phrase == 0 && !opened && is_page(reading, clause, last));
    if names.is_empty() && page && !fails {
        reading.claim(index, Found { wide: true, ..Found::default() });
    }
    for name in names {
        let (key, web) = (key(&name), name.contains("://"));
        // A tool may take the path of an address alone.
        let path = key.split_once('/').map(|(_, path)| path).filter(|p| web && (p.len() > 7 || p.contains('/')));
        let texts = [Some(key.as_str()), path];
        let needles = texts.into_iter().flatten().filter_map(|text| reading.want(Scope::Any, text)).collect();
        let values = if web { doubt::doubts(reading, clause, &found.tokens, fails) } else { Vec::new() };
        reading.claim(index, Found { name, needles, values, keyed: fails || opened, ..Found::default() });
    }
}

/// Whether “read” tells the person where more stands: “Read `docs/setup.md` for the details.”
fn advises(reading: &Reading<'_, '_>, clause: &Clause, verb: usize) -> bool {
    const MORE: &[&str] =
        &["background", "context", "detail", "details", "help", "information", "instructions", "more", "steps"];
    let aim = (verb + 1..clause.tokens.end).find(|&i| matches!(reading.word(i), "for" | "first"));
    let opens = (clause.sentence.start..verb).all(|i| reading.word(i).is_empty());
    let more = |i: usize| {
        reading.word(i) == "first" || (i + 1..clause.tokens.end.min(i + 5)).any(|i| MORE.contains(&reading.word(i)))
    };
    reading.word(verb) == "read" && opens && aim.is_some_and(more)
}

/// Whether the words tell of the agent's own reading, or of what a page says.
fn told(reading: &Reading<'_, '_>, clause: &Clause, found: &Match) -> bool {
    let at = found.tokens.start;
    let stance = reading.prose.governed(clause, found.tokens.end - 1);
    match found.phrase {
        0 | 1 => {
            let near = |i: usize| i <= at || of_time(reading.word(i));
            reading.asserts(clause, at) && voice_where(reading, clause, at, near) == Voice::Own
        }
        AFTER => {
            let opening = at >= clause.tokens.start && (clause.sentence.start..at).all(|i| reading.word(i).is_empty());
            !matches!(reading.prose.governed(clause, at), Stance::Plans | Stance::Quotes)
                && opening
                && !doubt::is_plan(reading, clause, found.tokens.end - 1)
                && !outside_where(reading, clause, |i| i < at + 4)
        }
        _ => matches!(stance, Stance::Asserts | Stance::Quotes) && at == clause.tokens.start,
    }
}

/// How a reply tells that a page was not to be had.
#[rustfmt::skip]
const FAILS: &[&str] = &[
    "401", "403", "404", "429", "500", "502", "503", "archive", "archived", "blocked", "cache", "cached", "cannot",
    "captcha", "cookies", "couldn't", "denied", "error", "failed", "human", "instead", "javascript", "login", "moment", "paywall", "permission", "refused", "unable", "unavailable", "unreachable",
];

static FAILING: lexicon::Lengths = lexicon::Lengths::of(FAILS);

/// Whether the clause or what follows it soon tells that the page was not to be had.
fn fails(reading: &Reading<'_, '_>, clause: &Clause) -> bool {
    let end = reading.prose.tokens.len().min(clause.sentence.end + 80);
    let near = reading.prose.tokens.get(reading.around(clause).start..end).unwrap_or(&[]);
    near.iter().any(|t| FAILING.allow(t.text.as_bytes()) && FAILS.contains(&t.text.as_ref()))
}

/// The names that stand behind the verb: paths, addresses, a title in quotation marks.
fn names(reading: &Reading<'_, '_>, clause: &Clause, verb: usize) -> Vec<String> {
    let mut names = Vec::new();
    let mut quoted = None;
    let mut shown = false;
    for i in verb + 1..clause.tokens.end.min(verb + 14) {
        let Some(token) = reading.token(i) else { break };
        let text = token.text.as_ref();
        match token.kind {
            // What an output tells of a file was read in the output.
            TokenKind::Code | TokenKind::Word if is_name(text) && (shown || acts(reading, i)) => break,
            TokenKind::Code | TokenKind::Word if is_name(text) => names.push(written(reading, token)),
            TokenKind::Code => break,
            TokenKind::Word if !names.is_empty() && text != "and" => break,
            TokenKind::Word if OF.contains(&text) && i > verb + 1 && OUTPUTS.contains(&reading.word(i - 1)) => {
                shown = true;
            }
            TokenKind::Word if BETWEEN.contains(&text) || text == "and" => {}
            TokenKind::Mark if matches!(text, "," | "(" | ")" | "*") && !names.is_empty() => {}
            TokenKind::Mark if matches!(text, "\"" | "“") && names.is_empty() => {
                quoted = title(reading, clause, i);
                break;
            }
            TokenKind::Word if names.is_empty() && !stops(text) => {}
            _ => break,
        }
    }
    names.extend(quoted);
    names
}

/// A name as the reply writes it, where it is an address: its path tells large letters from small ones.
fn written(reading: &Reading<'_, '_>, token: &Token<'_>) -> String {
    let source = reading.prose.source.get(token.span.start..token.span.end);
    let same = |source: &&str| token.text.contains("://") && source.eq_ignore_ascii_case(&token.text);
    source.filter(same).unwrap_or(&token.text).to_string()
}

/// What programs and services tell of a file, and how the file is named behind it.
#[rustfmt::skip]
const OUTPUTS: &[&str] = &[
    "blame", "callers", "coverage", "diff", "docs", "dump", "error", "errors", "failure", "failures", "graph", "history", "import",
    "imports", "line", "listing", "log", "logs", "mention", "mentions", "metrics", "output", "profile", "reference",
    "references", "report", "result", "results", "size", "stats", "summary", "tests", "trace", "traceback", "usage", "usages",
    "uses", "warning", "warnings",
];
const OF: &[&str] = &["about", "around", "behind", "for", "from", "in", "of", "on", "to"];

/// Whether a name is the subject of a verb behind it: “the trace `a.py` appears in”.
fn acts(reading: &Reading<'_, '_>, at: usize) -> bool {
    reading.prose.is_auxiliary(at + 1) || lexicon::has(lexicon::en::PRESENT, reading.word(at + 1))
}

/// Words at which what was read ends.
fn stops(word: &str) -> bool {
    matches!(
        word,
        "to" | "that"
            | "which"
            | "with"
            | "against"
            | "before"
            | "after"
            | "using"
            | "via"
            | "and"
            | "how"
            | "why"
            | "whether"
            | "what"
            | "where"
            | "so"
    ) || word.ends_with("ing")
}

/// Whether a piece of text names one file or address.
fn is_name(text: &str) -> bool {
    let web = text.starts_with("http://") || text.starts_with("https://");
    let pattern = text.contains(['*', '{', '[', '$', ',', ' ']);
    let owner = text.ends_with("'s") || text.ends_with("’s");
    let bare = BARE.iter().any(|b| b.eq_ignore_ascii_case(text));
    (web || bare || (is_path(text) && key(text).len() > 2))
        && !pattern
        && !owner
        && (!is_placeholder(text) || example_host(text).is_some())
}

/// A page's title in quotation marks, where the words before it call it a page.
fn title(reading: &Reading<'_, '_>, clause: &Clause, open: usize) -> Option<String> {
    let called = (open.saturating_sub(4)..open).any(|i| {
        matches!(reading.word(i), "article" | "document" | "page" | "paper" | "post" | "site" | "website" | "entry")
    });
    let start = reading.token(open)?.span.end;
    let close = (open + 1..clause.sentence.end.min(open + 9))
        .find(|&i| reading.token(i).is_some_and(|t| matches!(t.text.as_ref(), "\"" | "”")))?;
    let text = reading.prose.source.get(start..reading.token(close)?.span.start)?;
    let text = text.trim().trim_end_matches([',', '.', ';']);
    let named = text.starts_with(char::is_uppercase) && text.len() > 3 && !is_placeholder(text);
    (called && named).then(|| text.to_string())
}

/// What a call's texts are searched for: the last part of a path, without the number of a line; the whole of an address.
fn key(name: &str) -> String {
    if name.contains("://") {
        let rest = name.split_once("://").map_or(name, |(_, rest)| rest);
        return rest.split(['#', '?']).next().unwrap_or(rest).trim_end_matches('/').to_string();
    }
    let last = name.trim_end_matches('/').rsplit(['/', '\\']).next().unwrap_or(name);
    let last = last.split(':').next().unwrap_or(last);
    last.split('#').next().unwrap_or(last).to_string()
}

/// Whether a page that nothing names stands behind the verb: “the article”, “the whole paper”.
fn is_page(reading: &Reading<'_, '_>, clause: &Clause, verb: usize) -> bool {
    let words: Vec<&str> = (verb + 1..clause.tokens.end.min(verb + 5)).map(|i| reading.word(i)).collect();
    let plain =
        |w: &&str| matches!(*w, "the" | "whole" | "full" | "entire" | "that" | "this" | "through" | "all" | "of");
    let at = words.iter().position(|w| PAGES.contains(w));
    at.is_some_and(|n| n > 0 && words.iter().take(n).all(plain))
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    if claim.wide {
        return page(view);
    }
    let web = claim.name.contains("://");
    if example_host(&claim.name).is_some_and(|host| !view.works_with(host)) {
        return Support::Leave;
    }
    // What is cheap to see comes before the search of all texts.
    let cheap = if web { None } else { view.naming(&key(&claim.name)) };
    if let Some(call) = cheap.or_else(|| open(claim, implied(&key(&claim.name)), view)) {
        return Support::by(call);
    }
    let hit = claim.needles.iter().find_map(|&id| view.hit(id));
    match hit {
        Some(_) if web && !claim.keyed => {
            address(claim, view).unwrap_or_else(|| hit.map_or(Support::Leave, Support::at))
        }
        Some(hit) => Support::at(hit),
        None if view.material() || view.wants_text() || by_pattern(claim, view) => Support::Leave,
        None => Support::Not(format!("no call in this turn names {}", claim.name), view.now().next_back()),
    }
}

/// The call that may have read something without naming it, if there is one.
fn open(claim: &Found, implied: bool, view: &View<'_, '_>) -> Option<usize> {
    let may = |&(call, facts): &(usize, &Facts<'_>)| may_read(claim, implied, view, call, facts);
    // It is the same call for all claims that are alike in these two.
    let which = match (implied, claim.keyed) {
        (false, false) => Shared::Open,
        (true, false) => Shared::OpenImplied,
        (false, true) => Shared::OpenKeyed,
        (true, true) => Shared::OpenBoth,
    };
    view.shared(which, || view.all().find(may).map(|(call, _)| call))
}

/// Whether a tool that reads was given a pattern which a file of this name may fit: `paths: ["docs/**/*.md"]`.
fn by_pattern(claim: &Found, view: &View<'_, '_>) -> bool {
    let name = key(&claim.name);
    let fits = |text: &str| {
        let last = text.rsplit('/').next().unwrap_or(text);
        let end = last.rsplit(['*', '?', '}']).next().unwrap_or("");
        text.len() < 512 && text.contains(['*', '?', '{']) && !text.contains("://") && name.ends_with(end)
    };
    let given = |f: &Facts<'_>| strings(&f.call.arguments).into_iter().take(32).any(fits);
    view.calls().take(256).any(|(_, f)| f.role == Role::Read && f.succeeded && given(f))
}

/// Whether programs read a file of this name without being given it.
fn implied(name: &str) -> bool {
    IMPLIED.iter().any(|file| file.eq_ignore_ascii_case(name))
}

/// Whether a call may have read something without naming it; `implied` where programs read a file of that name by themselves.
fn may_read(claim: &Found, implied: bool, view: &View<'_, '_>, call: usize, facts: &Facts<'_>) -> bool {
    let open = match facts.role {
        Role::Code | Role::Unknown => true,
        Role::Agent => !facts.acts.none(),
        Role::Command => facts.ran() && (implied || view.seen(call).closed(facts).is_none()),
        // A browser opens a file by the address of its server.
        Role::Fetch | Role::Look if claim.keyed => !view.seen(call).inward,
        // Without its output nothing says what it showed.
        _ => facts.call.output.is_none() && facts.succeeded && !view.seen(call).inward && facts.role != Role::Write,
    };
    open && view.seen(call).executed && !view.seen(call).blank
}

/// A page that nothing names was read, unless all that was fetched were error pages and nothing else was read.
fn page(view: &View<'_, '_>) -> Support {
    let mut near = None;
    for (call, facts) in view.all() {
        let seen = view.seen(call);
        match facts.role {
            Role::Fetch if seen.refused(facts) || !seen.executed || !facts.succeeded => near = near.or(Some(call)),
            Role::Write | Role::Notify | Role::Remove => {}
            _ if view.seen(call).inward => {}
            _ if seen.executed && !seen.blank => return Support::by(call),
            _ => {}
        }
    }
    match near.filter(|call| view.now().contains(call)) {
        Some(call) if !view.material() => Support::Not(seen::came_of(view.facts(call), view.seen(call)), Some(call)),
        _ => Support::Leave,
    }
}

/// An address that the record names only in fetches which met an error page or failed.
fn address(claim: &Found, view: &View<'_, '_>) -> Option<Support> {
    let key = fold(&key(&claim.name));
    let mut near = None;
    for (call, facts) in view.all() {
        let seen = view.seen(call);
        let start = |text: &Vec<u8>| text.len().min(2_048);
        let holds = |text: &Vec<u8>| memchr::memmem::find(&text[..start(text)], &key).is_some();
        let named = || view.values(call).texts.iter().take(16).any(holds);
        match facts.role {
            Role::Write | Role::Notify | Role::Remove | Role::Ask => {}
            _ if view.seen(call).inward => {}
            Role::Fetch if seen.refused(facts) || !facts.succeeded => {
                near = near.or_else(|| named().then_some(call));
            }
            _ if seen.executed && !seen.blank => return None,
            _ => {}
        }
    }
    let call = near.filter(|call| view.now().contains(call))?;
    Some(Support::Not(seen::came_of(view.facts(call), view.seen(call)), Some(call)))
}
