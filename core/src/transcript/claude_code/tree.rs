//! Which lines count: the path from the last message back to the first.
//!
//! Lines form a tree; a message that was edited or rewound leaves a dead branch. Parallel calls fork
//! it as well without anything being dead, so whatever belongs to a message or call on the path
//! counts too. Trees that do not hang together (a resumed or compacted session) each have a path.

use super::line::{copies, Kind, Line};
use crate::sort;
use crate::transcript::value::text;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// For each line whether it counts, and whether it is the copy of another.
pub(super) fn live(lines: &[Line]) -> (Vec<bool>, Vec<bool>) {
    let copies = copies(lines);
    let above = above(lines, &copies);
    let roots = roots(&above);
    let on_tree = |i: usize, line: &Line| {
        matches!(line.kind, Kind::User | Kind::Assistant) && line.uuid.is_some() && !copies[i] && !line.is_side()
    };
    let on: Vec<bool> = lines.iter().enumerate().map(|(i, line)| on_tree(i, line)).collect();
    let named = named(&above, &on);
    let mut last: Vec<Option<usize>> = vec![None; lines.len()];
    for i in (0..lines.len()).filter(|&i| on[i]) {
        // The last message that no other hangs from; in a circle, which has none, the last one.
        if !named[i] || last[roots[i]].is_none_or(|former| named[former]) {
            last[roots[i]] = Some(i);
        }
    }
    let mut path = vec![false; lines.len()];
    for leaf in last.into_iter().flatten() {
        let mut next = Some(leaf);
        while let Some(i) = next.filter(|&i| !path[i]) {
            path[i] = true;
            next = above[i];
        }
    }
    let mut live: Vec<bool> =
        lines.iter().enumerate().map(|(i, l)| !copies[i] && (path[i] || !on_tree(i, l))).collect();
    keep_siblings(lines, &path, &copies, &mut live);
    (live, copies)
}

/// For each line whether a message hangs from it, be it by way of lines that are none.
fn named(above: &[Option<usize>], on: &[bool]) -> Vec<bool> {
    let mut named = vec![false; above.len()];
    for start in (0..above.len()).filter(|&i| on[i]) {
        let mut next = above[start];
        while let Some(i) = next.filter(|&i| !named[i]) {
            named[i] = true;
            next = above[i].filter(|_| !on[i]);
        }
    }
    named
}

/// The first message, where it goes on from a line that is not in the file.
pub(super) fn starts_amid(lines: &[Line]) -> Option<usize> {
    let message = |line: &Line| matches!(line.kind, Kind::User | Kind::Assistant) && !line.is_side();
    let first = lines.iter().position(message)?;
    let above = lines.get(first)?.above.as_deref()?;
    lines.iter().all(|line| line.uuid.as_deref() != Some(above)).then_some(first)
}

/// Parts of messages that are on the path, and results of their calls, count wherever they hang.
fn keep_siblings(lines: &[Line], path: &[bool], copies: &[bool], live: &mut [bool]) {
    let on_path = || lines.iter().zip(path).filter(|(_, on)| **on).map(|(line, _)| line);
    let messages = sort::set(on_path().filter_map(|line| line.message.as_deref()));
    for (i, line) in lines.iter().enumerate().filter(|(i, _)| !copies[*i]) {
        live[i] |= line.kind == Kind::Assistant && line.message.as_deref().is_some_and(|id| messages.contains(id));
    }
    let calls = sort::set(lines.iter().zip(&*live).filter(|(_, on)| **on).flat_map(|(l, _)| l.called()));
    for (i, line) in lines.iter().enumerate().filter(|(i, _)| !copies[*i]) {
        live[i] |= line.kind == Kind::User && line.returned().any(|id| calls.contains(id));
    }
}

/// Whether a file holds nothing but a sub-agent's lines; then it is that agent's own session.
pub(super) fn all_side(lines: &[Line]) -> bool {
    let mut messages = lines.iter().filter(|line| matches!(line.kind, Kind::User | Kind::Assistant));
    messages.all(Line::is_side)
}

/// The index of the line above each line.
fn above(lines: &[Line], copies: &[bool]) -> Vec<Option<usize>> {
    let known = lines.iter().enumerate().filter(|(i, _)| !copies[*i]);
    let index = sort::map(known.filter_map(|(i, line)| Some((line.uuid.as_deref()?, i))));
    lines.iter().map(|line| index.get(line.above.as_deref()?).copied()).collect()
}

/// The topmost line of each line's tree. A circle ends at the line where it was entered.
fn roots(above: &[Option<usize>]) -> Vec<usize> {
    let mut roots: Vec<Option<usize>> = vec![None; above.len()];
    let mut entered = vec![usize::MAX; above.len()];
    for start in 0..above.len() {
        let (mut walked, mut i) = (Vec::new(), start);
        let root = loop {
            if let Some(root) = roots[i] {
                break root;
            }
            if entered[i] == start {
                break i;
            }
            entered[i] = start;
            walked.push(i);
            match above[i] {
                Some(next) => i = next,
                None => break i,
            }
        };
        for i in walked {
            roots[i] = Some(root);
        }
    }
    roots.into_iter().enumerate().map(|(i, root)| root.unwrap_or(i)).collect()
}

/// For each line of a sub-agent the id of the call that started it, as far as the file says so:
/// by the line itself, by the agent's id in the call's result, or by the prompt that the call gave.
pub(super) fn parents(lines: &[Line]) -> Vec<Option<String>> {
    if !lines.iter().any(Line::is_side) {
        return vec![None; lines.len()];
    }
    let (mut agents, mut prompts) = (BTreeMap::new(), BTreeMap::new());
    for line in lines {
        if let (Some(agent), Some(id)) =
            (line.details.as_ref().and_then(|d| d.agent.as_deref()), line.returned().next())
        {
            agents.entry(agent).or_insert(id);
        }
        for call in line.blocks().filter(|block| text(block, "type") == "tool_use") {
            let prompt = call.get("input").map_or("", |input| text(input, "prompt"));
            if !prompt.is_empty() {
                prompts.entry(prompt).or_insert(text(call, "id"));
            }
        }
    }
    let roots = roots(&above(lines, &copies(lines)));
    let by_prompt = |i: usize| lines.get(roots[i]).and_then(prompt).and_then(|p| prompts.get(p)).copied();
    let by_agent = |line: &Line| line.agent.as_deref().and_then(|agent| agents.get(agent)).copied();
    let parent = |(i, line): (usize, &Line)| {
        if !line.is_side() {
            return None;
        }
        line.parent.clone().or_else(|| by_agent(line).or_else(|| by_prompt(i)).map(ToString::to_string))
    };
    lines.iter().enumerate().map(parent).collect()
}

/// The text of a message, where it is only one.
fn prompt(line: &Line) -> Option<&str> {
    line.content.as_str().or_else(|| line.blocks().next().map(|block| text(block, "text"))).filter(|p| !p.is_empty())
}
