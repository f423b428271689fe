//! The `ran:` line: what a turn called, how often, and how much of it failed.
//!
//! `ran: run_command ×6 (3 failed, 1 denied, 1 declined) · read_file ×2 (1 failed)`. Tools stand in the order
//! of their first call, at most six are named. A number in brackets counts calls of that tool; a call that timed out or
//! was cancelled counts as failed, one that is pending or runs in the background as pending. Calls that the person made
//! are left out. The line is absent when the turn made no call, unless its reply names a tool: then it is `ran: no tools`.
//!
//! # Cost
//! Linear in the reply and the calls, times the logarithm of the number of tools.

use crate::readers::call_names;
use crate::record::{Call, Executor, Status, Turn};
use crate::render::flat;
use crate::sort::{self, sorted};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

/// The most tools that the line names.
const NAMED: usize = 6;

/// The most characters of a name.
const NAME: usize = 120;

/// The line of one turn, or `None` when there is nothing to say.
///
/// Where the turn does not list its tools, those of its earlier calls stand in for them, and the names that the
/// reader `call` reads in the reply.
///
/// ```
/// let turn = counterfoil::transcript::turn(r#"{"reply": "Done.", "calls": [
///     {"tool": "bash", "exit": 0}, {"tool": "bash", "exit": 2}, {"tool": "notify", "status": "declined"}
/// ]}"#)?;
/// assert_eq!(counterfoil::ran::ran(&turn).as_deref(), Some("ran: bash ×2 (1 failed) · notify (1 declined)"));
/// # Ok::<(), counterfoil::Error>(())
/// ```
pub fn ran(turn: &Turn) -> Option<String> {
    let calls = turn.calls.as_deref()?;
    let text = turn.text();
    let (names, more): (Vec<&str>, Vec<String>) = match &turn.tools {
        Some(tools) => (tools.iter().map(String::as_str).collect(), Vec::new()),
        None => {
            let more = if calls.is_empty() { call_names(&text) } else { Vec::new() };
            (turn.earlier.iter().map(|call| call.tool.as_str()).collect(), more)
        }
    };
    ran_in(&text, calls, &names, &more.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The line of a reply and its calls, for hosts that keep the names of the tools themselves.
///
/// `tools` are the tools on offer, or those of the session's earlier calls. `more` are names that the reply
/// itself writes as calls; they count as tools too.
pub fn ran_in(reply: &str, calls: &[Call], tools: &[&str], more: &[&str]) -> Option<String> {
    let mut calls = calls.iter().filter(|call| call.executor != Some(Executor::User)).peekable();
    if calls.peek().is_none() {
        let names = sort::set(tools.iter().chain(more).copied());
        return names_one(reply, &names).then(|| "ran: no tools".into());
    }
    let mut order: Vec<(&str, Tally)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for call in calls {
        let place = *places.entry(&call.tool).or_insert_with(|| {
            order.push((&call.tool, Tally::default()));
            order.len() - 1
        });
        order[place].1.add(call);
    }
    let mut line = String::from("ran: ");
    for (i, (tool, tally)) in order.iter().take(NAMED).enumerate() {
        if i > 0 {
            line.push_str(" · ");
        }
        // A name is the transcript's own words: what would break the line or drive a terminal is made plain.
        let tool = flat(tool, NAME);
        line.push_str(if tool.is_empty() { "unnamed" } else { &tool });
        tally.write(&mut line);
    }
    if order.len() > NAMED {
        let _ = write!(line, " · +{} more", order.len() - NAMED);
    }
    Some(line)
}

/// How the calls of one tool ended.
#[derive(Default)]
struct Tally {
    calls: usize,
    failed: usize,
    denied: usize,
    declined: usize,
    pending: usize,
}

impl Tally {
    /// A call that was turned away never ran, so that comes before its exit status.
    fn add(&mut self, call: &Call) {
        self.calls += 1;
        match call.status {
            Status::Declined => self.declined += 1,
            Status::Denied => self.denied += 1,
            Status::Error | Status::Timeout | Status::Cancelled => self.failed += 1,
            _ if call.exit.is_some_and(|exit| exit != 0) => self.failed += 1,
            Status::Pending | Status::Background => self.pending += 1,
            Status::Unknown if call.exit.is_none() && says_error(call) => self.failed += 1,
            Status::Ok | Status::Unknown => {}
        }
    }

    fn write(&self, line: &mut String) {
        if self.calls > 1 {
            let _ = write!(line, " ×{}", self.calls);
        }
        let notes =
            [(self.failed, "failed"), (self.denied, "denied"), (self.declined, "declined"), (self.pending, "pending")];
        let mut open = false;
        for (count, note) in notes.into_iter().filter(|&(count, _)| count > 0) {
            line.push_str(if open { ", " } else { " (" });
            let _ = write!(line, "{count} {note}");
            open = true;
        }
        if open {
            line.push(')');
        }
    }
}

/// A host that gives no status still says that a tool failed: by an error of its own, or by the tool's
/// convention of starting its answer with `error:`.
fn says_error(call: &Call) -> bool {
    call.error.is_some() || call.output.as_deref().is_some_and(|output| output.starts_with("error:"))
}

/// Whether the reply holds one of the names as a whole word, in that case.
///
/// Every word of the reply is looked up once among the names' first words. Names of several words, such as
/// `web-search`, are then compared with what stands around it; how much is compared that way is bounded, since
/// a hostile list of names could otherwise cost the reply's length times the list's. Past the bound
/// the answer is no, and an absent line accuses nobody.
fn names_one<'n>(reply: &str, names: &BTreeSet<&'n str>) -> bool {
    // The first word of each name, what stands before it, and how long the name is.
    let shape = |name: &&'n str| words(name).next().map(|(before, first)| (first, before, name.len()));
    let mut shapes = sorted(names.iter().filter_map(shape).collect(), Ord::cmp);
    shapes.dedup();
    if shapes.is_empty() {
        return false;
    }
    let mut budget = reply.len().saturating_mul(16).saturating_add(1 << 16);
    for (at, word) in words(reply) {
        let from = shapes.partition_point(|(first, ..)| *first < word);
        for &(_, before, length) in shapes[from..].iter().take_while(|(first, ..)| *first == word) {
            let Some(left) = budget.checked_sub(length) else { return false };
            budget = left;
            let Some(start) = at.checked_sub(before) else { continue };
            let Some(end) = start.checked_add(length) else { continue };
            if reply.get(start..end).is_some_and(|name| names.contains(name)) && apart(reply, start, end) {
                return true;
            }
        }
    }
    false
}

/// The words of a text, each with its place: runs of letters, digits and `_`.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    core::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let start = at + rest.find(in_word)?;
        let rest = text.get(start..)?;
        let end = start + rest.find(|c| !in_word(c)).unwrap_or(rest.len());
        at = end;
        Some((start, text.get(start..end)?))
    })
}

fn in_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// The characters on both sides belong to no word.
fn apart(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(..start).and_then(|s| s.chars().next_back());
    let after = text.get(end..).and_then(|s| s.chars().next());
    !before.is_some_and(in_word) && !after.is_some_and(in_word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    fn found(reply: &str, names: &[&str]) -> bool {
        ran_in(reply, &[], names, &[]).is_some()
    }

    #[test]
    fn a_name_with_hyphens_dots_or_a_sign_before_it_is_one_name() {
        assert!(found("I used `web-search` today", &["web-search"]));
        assert!(found("via functions.exec(…)", &["functions.exec"]));
        assert!(found("called $web_search", &["$web_search"]));
        assert!(!found("a web-searcher", &["web-search"]));
        assert!(!found("web search", &["web-search"]));
        assert!(!found("5$web_search", &["$web_search"]));
    }

    #[test]
    fn a_letter_of_any_script_is_no_boundary() {
        assert!(!found("日本notify", &["notify"]));
        assert!(found("「notify」", &["notify"]));
    }

    #[test]
    fn an_empty_name_and_a_name_of_signs_are_never_found() {
        assert!(!found("any + reply", &["", "+", " "]));
    }

    #[test]
    fn names_that_the_reply_writes_as_calls_count_as_tools() {
        assert_eq!(ran_in("I ran fetch_page(1)", &[], &[], &["fetch_page"]).as_deref(), Some("ran: no tools"));
    }

    #[test]
    fn many_long_names_over_a_long_reply_are_cheap() {
        let names: Vec<String> = (1..2000).map(|n| format!("a{}b", "-a".repeat(n))).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert!(!found(&"a-".repeat(1_000_000), &names));
    }

    #[test]
    fn the_line_is_one_line_whatever_the_tools_are_called() {
        let call = |tool: &str| Call { tool: tool.into(), ..Call::default() };
        let calls = [call("a\nb\u{1b}[2J"), call(""), call("\u{202e}x")];
        assert_eq!(ran_in("", &calls, &[], &[]).as_deref(), Some("ran: a b␛[2J · unnamed · \u{fffd}x"));
    }

    #[test]
    fn a_turn_without_a_record_has_no_line() {
        assert_eq!(ran(&Turn::default()), None);
    }
}
