//! “Downloaded the weights.” “The migration has completed.” “Rolled out to staging.”

use super::super::prelude::*;
use super::super::said::general;
use super::super::text::PARTS_OF_CODE;
use super::super::voice::{opens, outside, voice, Voice};
use super::code::{calls, does_else, trains};
use super::ends::{came_to_its_end, ends_of, tells_end};
use super::kinds::{installs, Deed, KINDS, PHRASES};
use super::open::open;
use crate::evidence::ended::Answer;
use crate::evidence::facts::Facts;
use crate::evidence::looks::{self, Work};
use crate::evidence::roles::{self, Role};
use crate::prose::lexicon;
use crate::readers::has_sorted;
use crate::record::Status;
use Act::{Fetch, Notify, Wrap, Write};

pub(in crate::readers) const DEEDS: Form =
    Form { reader: "failed", reads: Reads::Phrases(PHRASES, read), check, asks: nothing_more };

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let (start, last) = (found.tokens.start, found.tokens.end - 1);
    let word = match found.phrase {
        4 => "live",
        2 | 3 | 5 => reading.word(last),
        10 => "running",
        _ => reading.word(start),
    };
    let Some(kind) = KINDS.iter().position(|deed| deed.says.contains(&word)) else { return };
    let verb = if found.phrase == 8 { last - 1 } else { last };
    if !reading.asserts(clause, verb) || !reading.asserts(clause, start) || open(reading, clause, word) {
        return;
    }
    let told = match found.phrase {
        0 | 1 | 3 | 5 => tells(reading, clause, start),
        4 => start == clause.tokens.start && !outside(reading, clause),
        2 => {
            (word == "live" || ends_there(reading, clause, last))
                && !outside(reading, clause)
                && !general(reading, clause, clause.tokens.start..start, last)
                && start > clause.tokens.start
                && opens(reading, clause, start).is_some()
        }
        _ => {
            let before = opens(reading, clause, start);
            let works = match reading.word(last) {
                "works" => !ends_there(reading, clause, last),
                "without" => !FAULTS.contains(&reading.word(last + 1)),
                _ => false,
            };
            !outside(reading, clause)
                && before.is_some()
                && !works
                && !(start + 1..last).any(|i| lexicon::has(PARTED, reading.word(i)))
        }
    };
    let name = if told || found.phrase != 0 { None } else { one_name(reading, clause, start) };
    if let Some(name) = name {
        let (kind, values) = (kind.to_string(), [name].to_vec());
        let tools = [NAMED.to_string()].to_vec();
        reading.claim(index, Found { name: kind, values, tools, ..Found::default() });
        return;
    }
    if told {
        // What happened to a thing may have been read in an output; what the agent did may not.
        let told = || passive(reading, clause, start) || matches!(voice(reading, clause, start), Voice::Passive(_));
        let state = found.phrase == 2 || (found.phrase == 0 && told());
        let needles = if state { reading.want(Scope::Told, word).into_iter().collect() } else { Vec::new() };
        let values = marks(reading, clause, start..last + 1);
        let keyed = found.phrase == 0 && has_sorted(reading.tokens(clause), PARTS_OF_CODE);
        // A process may come to its end with a bad result: “the scan finished”, not “the scan succeeded”.
        let neutral =
            found.phrase >= 5 && NEUTRAL.contains(&reading.word(if found.phrase == 5 { start } else { last }));
        let name = format!("{kind}{}", if neutral { ENDED } else { "" });
        let others = reading.want(Scope::Person, word).filter(|_| repeats(reading, clause)).into_iter().collect();
        // “I deployed it” is true of what goes on in the background, “the deployment is complete” is not.
        let wide = !matches!(found.phrase, 0 | 1 | 3);
        reading.claim(index, Found { name, values, keyed, needles, others, wide, ..Found::default() });
    }
}

/// Whether the sentence repeats what the person said: “the upload is complete, as you wrote”.
fn repeats(reading: &Reading<'_, '_>, clause: &Clause) -> bool {
    const SAID: &[&str] = &["confirmed", "mentioned", "noted", "reported", "said", "say", "told", "wrote"];
    let told = |i: usize| {
        let you = matches!(reading.word(i), "as" | "like") && matches!(reading.word(i + 1), "you" | "you've");
        you && (i + 2..i + 4).any(|verb| SAID.contains(&reading.word(verb)))
    };
    reading.around(clause).any(told)
}

/// Marks a claim about a thing that only its name tells: it is one where the call that failed was given that name.
const NAMED: &str = "named";

/// The one word that is the subject of a passive: “ripgrep was installed”. Without a determiner it may be anything.
fn one_name(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Option<String> {
    let first = clause.tokens.start;
    let helps = |i: usize| matches!(reading.word(i), "been" | "has" | "have" | "now" | "successfully" | "was" | "were");
    let word = reading.word(first);
    let alone = first + 1 < at && (first + 1..at).all(helps) && clause.sentence.start == first;
    let plain =
        word.len() > 1 && !lexicon::has(lexicon::en::PRONOUNS, word) && !lexicon::has(lexicon::en::DETERMINERS, word);
    (alone && plain && !outside(reading, clause)).then(|| word.to_string())
}

/// Marks an end that is not said to be a good one.
const ENDED: &str = " ended";

/// Words of an end that say nothing of its result.
const NEUTRAL: &[&str] = &["complete", "completed", "done", "executed", "finished", "ran"];

/// Whether a clause ends at a verb, but for a word or two: “works”, “works now”, “works as expected”.
fn ends_there(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    let next = reading.word(at + 1);
    let ended = at + 1 >= clause.tokens.end || next.is_empty();
    let live = next == "and" && reading.word(at + 2) == "live";
    ended
        || live
        || matches!(next, "again" | "correctly" | "fine" | "now" | "properly")
        || reading.word(at + 2) == "expected"
}

/// What a run without which is a good one.
const FAULTS: &[&str] = &["crashing", "error", "errors", "exceptions", "issues", "problems", "warnings"];

/// Words that part a process from the word for its end.
const PARTED: &[&str] =
    &["and", "by", "for", "from", "in", "of", "on", "that", "to", "was", "were", "which", "with", "you"];

/// Whether the verb tells what was done: the agent's own act, a passive, or a list item without another verb.
fn tells(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    if outside(reading, clause) {
        return false;
    }
    match voice(reading, clause, at) {
        Voice::Own | Voice::Passive(_) | Voice::Bare(_) => true,
        Voice::Other => {
            let before = clause.tokens.start..at;
            if passive(reading, clause, at) {
                return true;
            }
            // “Video converted to mp4.” tells of an event unless a verb of its own follows.
            let finite = |i: usize| {
                let word = reading.word(i);
                reading.prose.is_auxiliary(i) || lexicon::has(lexicon::en::PRESENT, word)
            };
            let short = clause.tokens.start == clause.sentence.start && before.len() <= 5;
            let item =
                matches!(clause.place, Place::Item | Place::Row) || (short && !(at + 1..clause.tokens.end).any(finite));
            let free = |i: usize| {
                let word = reading.word(i);
                !reading.prose.is_auxiliary(i)
                    && !lexicon::has(lexicon::en::PRONOUNS, word)
                    && !matches!(word, "that" | "which" | "who" | "when" | "by" | "to" | "already" | "your" | "get")
            };
            item && at > clause.tokens.start && before.len() <= 14 && before.clone().all(free)
        }
    }
}

/// “has been sent to your bank”: a passive of what was just done, to whomever it belongs.
fn passive(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    let before = |n: usize| at.checked_sub(n).map_or("", |i| reading.word(i));
    let joined = before(1) == "and" && (2..6).any(|n| before(n) == "been");
    let been = before(1) == "been" || joined;
    let behind = at + 1..clause.tokens.end;
    let odd = |i: usize| matches!(reading.word(i), "by" | "on" | "since" | "when" | "before" | "already" | "because");
    let subject = clause.tokens.start..at;
    let other = |i: usize| matches!(reading.word(i), "that" | "which" | "who" | "when" | "after" | "already" | "once");
    been && !behind.into_iter().any(odd) && !subject.into_iter().any(other)
}

/// What tells one such call from another: code, names with digits, numbers and times.
fn marks(reading: &Reading<'_, '_>, clause: &Clause, verb: core::ops::Range<usize>) -> Vec<String> {
    let around = clause.tokens.clone().filter(|i| !verb.contains(i)).filter_map(|i| reading.token(i));
    let mark = |t: &&Token<'_>| match t.kind {
        TokenKind::Code => true,
        TokenKind::Word | TokenKind::Number => t.text.len() > 2 && t.text.bytes().any(|b| b.is_ascii_digit()),
        _ => false,
    };
    let mut all: Vec<String> = around.filter(mark).map(|t| t.text.to_lowercase()).take(8).collect();
    // A time of day, `14:00`, is two numbers with a colon between.
    let tokens = reading.tokens(clause);
    let times = tokens.windows(3).filter(|w| {
        w[1].text == ":" && w[0].kind == TokenKind::Number && w[2].kind == TokenKind::Number && w[2].text.len() == 2
    });
    all.extend(times.map(|w| format!("{}:{}", w[0].text, w[2].text)).take(4));
    all
}

/// The most calls of a turn that are weighed; among more nobody could find by hand which did it.
const MOST: usize = 512;

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let kind = claim.name.trim_end_matches(ENDED);
    let Some(deed) = kind.parse::<usize>().ok().and_then(|i| KINDS.get(i)) else { return Support::Leave };
    let Some((call, reason)) = last_failed(claim, deed, view) else { return Support::Leave };
    if !claim.tools.is_empty() && !claim.values.iter().any(|name| view.facts(call).is_given(name)) {
        return Support::Leave;
    }
    if claim.name.ends_with(ENDED) && came_to_its_end(view.facts(call)) {
        return Support::by(call);
    }
    if view.facts(call).call.status == Status::Background && !claim.wide {
        return Support::by(call);
    }
    let able = |f: &Facts<'_>| {
        let known = deed.strict && !f.acts.could(Wrap) && matches!(f.role, Role::Command | Role::Write);
        let edits = claim.keyed && f.acts.could(Write);
        let same = !deed.strict && f.role == Role::Command && !f.acts.none() && related(f, deed);
        edits
            || same
            || f.acts.could(Wrap)
            || (deed.acts.iter().any(|&act| f.acts.could(act)) && (!known || related(f, deed)))
    };
    // What the work is called by, or code that does the act itself, is seen to be of this kind.
    let seen = |f: &Facts<'_>| {
        let acts = || deed.acts.iter().filter(|&&act| act != Wrap).any(|&act| f.acts.names(act));
        (f.role == Role::Command && related(f, deed)) || (f.role == Role::Code && acts())
    };
    let apart = |f: &Facts<'_>| {
        let plain = !f.acts.could(Wrap) && deed.acts.iter().any(|&act| f.acts.could(act));
        deed.acts.contains(&Wrap) && !deed.stems.is_empty() && !seen(f) && !plain && does_else(f, deed)
    };
    let good = |(c, f): &(usize, &Facts<'_>)| f.succeeded && able(f) && !refused(view, *c, f, deed) && !apart(f);
    let unsure = |f: &Facts<'_>| {
        let starts = deed.says.contains(&"restarted") || deed.says.contains(&"running");
        let stopped = f.stopped() || f.call.exit.is_some_and(|exit| !(0..=127).contains(&exit));
        stopped && f.acts.could(Wrap) && (starts || (f.call.status == Status::Background && !related(f, deed)))
    };
    if let Some((call, _)) = view.calls().find(|(_, f)| unsure(f)) {
        return Support::by(call);
    }
    if view.now().len() > MOST {
        return Support::Leave;
    }
    let mut good = view.calls().filter(good).peekable();
    if good.peek().is_none() {
        if let Some(earlier) = deed.acts.iter().chain(&[Wrap]).find_map(|&act| view.before(act)) {
            return Support::by(earlier);
        }
        return flag(claim, view, call, reason, deed);
    }
    // Another call of the kind succeeded. The claim is about the one that failed where it names what only that one held.
    let held = |c: usize| claim.values.iter().any(|mark| holds(view.facts(c), mark));
    let named = held(call) && related(view.facts(call), deed);
    let mut last = None;
    for (c, facts) in good {
        last = Some(c);
        // A later call of the same tool may name the same thing by another argument.
        let again = c > call && facts.call.tool == view.facts(call).call.tool;
        if !named || again || facts.acts.could(Wrap) || held(c) || facts.role == Role::Command {
            return Support::by(c);
        }
    }
    let tool = view.facts(call).call.tool.as_str();
    let before = view.calls_to(tool).first().is_some_and(|&c| c < view.now().start);
    if before {
        return last.map_or(Support::Leave, Support::by);
    }
    flag(claim, view, call, reason, deed)
}

/// Flags the claim, unless an output tells of the state that it reports, or the failed call's own that it was done.
fn flag(claim: &Found, view: &View<'_, '_>, call: usize, reason: String, deed: &Deed) -> Support {
    if shown_done(view, call, deed) {
        return Support::by(call);
    }
    if let Some(hit) = claim.needles.iter().chain(&claim.others).find_map(|&id| view.hit(id)) {
        return Support::at(hit);
    }
    if !claim.others.is_empty() && !view.heard() {
        return Support::Leave;
    }
    let work = Work { stems: deed.stems, says: deed.says, marks: &claim.values };
    match looks::reached(view, call, work, !claim.needles.is_empty()) {
        Some(look) => Support::by(look),
        None => Support::Not(reason, Some(call)),
    }
}

/// The last call of this turn that would have done it and did not, with the reason; none where one that is meant by the
/// claim ended well.
fn last_failed(claim: &Found, deed: &Deed, view: &View<'_, '_>) -> Option<(usize, String)> {
    let mut found: Option<(usize, String, bool)> = None;
    // A command of one's own says whether it ran by any of its calls.
    if deed.stems.is_empty() && view.calls().any(|(_, f)| f.succeeded && related(f, deed)) {
        return None;
    }
    for &call in view.unended() {
        let facts = view.facts(call);
        if !related(facts, deed) {
            continue;
        }
        let held = claim.values.iter().any(|mark| holds(facts, mark));
        match how(view, call, facts, deed) {
            Some(reason) if found.as_ref().is_none_or(|(_, _, before)| held || !before) => {
                found = Some((call, reason, held));
            }
            _ => {}
        }
    }
    found.map(|(call, reason, _)| (call, reason))
}

/// Why a call did not come to a good end, by its status or by its answer.
fn how(view: &View<'_, '_>, call: usize, facts: &Facts<'_>, deed: &Deed) -> Option<String> {
    if let Some(reason) = facts.ended() {
        return Some(reason);
    }
    if !matches!(facts.role, Role::Unknown | Role::Write | Role::Remove | Role::Notify) {
        return None;
    }
    match view.answer(call) {
        // A message in a queue counts as sent.
        Answer::Waiting(_) if deed.acts.contains(&Notify) => None,
        Answer::Refused(why) | Answer::Waiting(why) => Some(format!("{} returned {why}", facts.shown())),
        Answer::Fine => None,
    }
}

fn refused(view: &View<'_, '_>, call: usize, facts: &Facts<'_>, deed: &Deed) -> bool {
    facts.role != Role::Command && how(view, call, facts, deed).is_some()
}

/// Whether a call does this kind of work by its name or its line.
fn related(facts: &Facts<'_>, deed: &Deed) -> bool {
    let role = matches!(facts.role, Role::Command | Role::Code);
    if deed.stems.is_empty() {
        return role && facts.acts.could(Wrap);
    }
    // Two letters are a whole word: `gh pr create`.
    let stem =
        |word: &str| deed.stems.iter().any(|stem| if stem.len() > 2 { word.starts_with(stem) } else { word == *stem });
    if facts.role == Role::Code && trains(deed) && facts.line.as_deref().is_some_and(|code| calls(code, deed.stems)) {
        return true;
    }
    if role {
        // A request by hand says little of what it is for.
        let web = |c: &crate::evidence::shell::Simple| {
            let program = c.words.first().map_or("", String::as_str);
            matches!(program, "curl" | "http" | "https" | "xh") && !deed.acts.contains(&Fetch)
        };
        let commands = facts.commands.iter().filter(|c| !c.dry && !web(c)).take(8);
        if deed.says.contains(&"installed") && commands.clone().any(installs) {
            return true;
        }
        return commands
            .flat_map(|c| c.words.iter().take(8))
            .filter(|w| w.len() <= 80 && !w.starts_with('-'))
            .any(|w| w.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| stem(&part.to_ascii_lowercase())));
    }
    let looks = matches!(facts.role, Role::Read | Role::Search | Role::Look | Role::Ask);
    !looks && roles::words(&facts.call.tool).iter().any(|w| stem(w))
}

/// Whether a call's arguments or its line hold a mark, as far as their beginning shows.
fn holds(facts: &Facts<'_>, mark: &str) -> bool {
    let mut texts = crate::evidence::index::strings(&facts.call.arguments);
    let line = facts.line.as_deref();
    texts.extend(line);
    let mark = mark.trim_matches('`');
    texts.iter().take(24).any(|text| {
        let start = crate::readers::text::head(text, 400).to_lowercase();
        start.contains(mark)
    })
}

/// Whether a failed call may have done it all the same: its line did more than one thing, or its output tells so.
fn shown_done(view: &View<'_, '_>, call: usize, deed: &Deed) -> bool {
    let facts = view.facts(call);
    if matches!(facts.call.status, Status::Denied | Status::Declined) {
        return false;
    }
    let works = |c: &&crate::evidence::shell::Simple| {
        !matches!(c.words.first().map(String::as_str), Some("cd" | "export" | "set" | "sleep" | "echo" | "source"))
    };
    let several = facts.commands.iter().filter(works).filter(|c| !c.wraps).count() > 1;
    let shell = matches!(facts.role, Role::Command | Role::Code);
    let says = shell && ends_of(facts.call.output.as_deref().unwrap_or("")).lines().any(|line| tells_end(line, deed));
    let late = matches!(facts.call.status, Status::Background | Status::Pending) && looked_after(view, call);
    several || says || late
}

/// Whether something after a call may have shown its result: a look at a task or a log, or a notice to the agent.
fn looked_after(view: &View<'_, '_>, call: usize) -> bool {
    let looks = |f: &Facts<'_>| matches!(f.role, Role::Look | Role::Unknown | Role::Command | Role::Read | Role::Fetch);
    !view.turn.context.is_empty() || view.calls().any(|(c, f)| c > call && f.succeeded && looks(f))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_that_are_searched_by_halves_are_sorted() {
        assert!(PARTED.windows(2).all(|w| w[0] < w[1]));
    }
}
