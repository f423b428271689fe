//! The conversation in the spans of a trace.
//!
//! The last request to the model under the root holds the dialogue as the model saw it, and its answer ends it. How each
//! call ended stands in the span of the tool that ran it. What is under a tool's span, or an agent deeper than the request,
//! is a sub-agent's.

use super::message::{self, calls_of};
use super::{earlier, Span};
use crate::record::{Call, Executor, Session, Source, Status};
use crate::sort::sorted;
use crate::transcript::blocks::tools;
use crate::transcript::build::{Answer, Builder};
use crate::transcript::notes::Notes;
use crate::transcript::slots::Slots;
use crate::transcript::value::{listed, text};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use serde_json::Value;

/// So many spans above a span are looked at.
const ABOVE: usize = 64;

/// What a span did.
pub(super) enum Work {
    /// A request to the model.
    Chat(Said),
    /// A run of an agent; what it was given and gave back counts where no request does.
    Agent(Said),
    Tool(Ran),
    Other,
}

/// What was said to the model and what it answered.
#[derive(Default)]
pub(super) struct Said {
    pub(super) system: Vec<String>,
    pub(super) input: Vec<Value>,
    pub(super) output: Vec<Value>,
    pub(super) tools: Value,
    /// The exporter cut some of it off.
    pub(super) cut: bool,
}

/// A tool that ran.
#[derive(Default)]
pub(super) struct Ran {
    pub(super) id: Option<String>,
    pub(super) tool: String,
    pub(super) arguments: Value,
    pub(super) output: Option<String>,
    pub(super) error: Option<String>,
}

/// What is known of a call from the span of the tool that ran it.
struct Told {
    call: Call,
    answer: Answer,
}

/// Where a span stands.
#[derive(Clone, Copy)]
struct Place {
    /// How many agents and tools are above it.
    level: usize,
    /// The span of the tool above it.
    under: Option<usize>,
}

/// Reads a trace; `work` says what a span did.
pub(super) fn session(value: Value, notes: &mut Notes, work: fn(&mut Span) -> Work) -> Session {
    let spans = listed(value);
    let spans = spans.into_iter().map(Span::of).collect();
    let mut spans: Vec<Span> = sorted(spans, |a: &Span, b: &Span| earlier(&a.at, &b.at));
    let mut works: Vec<Work> = spans.iter_mut().map(work).collect();
    let places = places(&spans, &works);
    let main = main(&works, &places);
    let level = level(main, &works, &places);
    let said = match main.and_then(|i| works.get_mut(i)) {
        Some(Work::Chat(said) | Work::Agent(said)) => core::mem::take(said),
        _ => Said::default(),
    };
    let mut trace = Trace::default();
    let names = ["gen_ai.response.model", "gen_ai.request.model", "llm.model_name"];
    trace.model = main.and_then(|i| spans.get_mut(i)).map(|span| span.first(&names)).unwrap_or_default();
    trace.build.id = spans.iter_mut().find_map(|s| s.text("gen_ai.conversation.id").or_else(|| s.text("session.id")));
    if main.is_none() {
        trace.build.gap("the spans hold no messages");
    }
    if let Some(unseen) = main.and_then(|i| unseen(works.get(i)?, &said, &works)) {
        trace.build.incomplete.push(String::from(unseen));
    }
    trace.know(&said);
    trace.missed(&works, &places, level);
    for (i, work) in works.into_iter().enumerate() {
        if let (Work::Tool(ran), Some(place)) = (work, places.get(i).copied()) {
            let above = place.under.and_then(|up| spans.get(up)).map(|span| span.id.clone());
            let (own, at) = spans.get(i).map_or_else(Default::default, |span| (span.id.clone(), span.at.clone()));
            trace.tool(ran, above, own, at, place.level > level);
        }
    }
    trace.read(said, notes);
    trace.build.finish(notes)
}

/// Why the dialogue does not tell what was done. What an agent was given and gave back holds no calls where its tools have
/// no spans, and an answer alone may follow on any.
fn unseen(work: &Work, said: &Said, works: &[Work]) -> Option<&'static str> {
    let called = said.input.iter().chain(&said.output).any(|message| !calls_of(message).is_empty());
    let ran = works.iter().any(|work| matches!(work, Work::Tool(_)));
    match work {
        _ if called || ran => None,
        Work::Agent(_) => Some("the requests and tools of the agent have no spans with what they did"),
        _ if said.input.is_empty() => Some("the request of the answer is not in the spans"),
        _ => None,
    }
}

fn places(spans: &[Span], works: &[Work]) -> Vec<Place> {
    let mut ids: BTreeMap<&str, usize> = BTreeMap::new();
    for (i, span) in spans.iter().enumerate() {
        ids.insert(span.id.as_str(), i);
    }
    let next = |i: &usize| spans.get(*i).and_then(|span| ids.get(span.parent.as_str())).copied();
    let counts = |i: usize| matches!(works.get(i), Some(Work::Agent(_) | Work::Tool(_)));
    let tool = |i: &usize| matches!(works.get(*i), Some(Work::Tool(_)));
    let place = |i: usize| {
        let above = || core::iter::successors(next(&i), next).take(ABOVE);
        Place { level: above().filter(|up| counts(*up)).count(), under: above().find(tool) }
    };
    (0..spans.len()).map(place).collect()
}

/// The last request under the root, or else the last run of an agent there, of those that hold messages.
fn main(works: &[Work], places: &[Place]) -> Option<usize> {
    let pick = |chat: bool, answered: bool| {
        let mut best: Option<(usize, usize)> = None;
        for (i, (work, place)) in works.iter().zip(places).enumerate() {
            let said = match work {
                Work::Chat(said) if chat => said,
                Work::Agent(said) if !chat => said,
                _ => continue,
            };
            let holds = !said.output.is_empty() || !answered && !said.input.is_empty();
            if holds && best.is_none_or(|(level, _)| place.level <= level) {
                best = Some((place.level, i));
            }
        }
        best.map(|(_, i)| i)
    };
    // One that brought an answer goes before one that did not.
    let order = [(true, true), (false, true), (true, false), (false, false)];
    order.into_iter().find_map(|(chat, answered)| pick(chat, answered))
}

/// How many agents and tools are above what the agent of the dialogue did itself.
fn level(main: Option<usize>, works: &[Work], places: &[Place]) -> usize {
    let place = |i: usize| places.get(i).map_or(0, |place| place.level);
    match main {
        Some(i) => place(i) + usize::from(matches!(works.get(i), Some(Work::Agent(_)))),
        None => (0..works.len()).filter(|i| matches!(works.get(*i), Some(Work::Tool(_)))).map(place).min().unwrap_or(0),
    }
}

/// What the tools under one trace did, sorted by where it belongs.
#[derive(Default)]
struct Trace {
    build: Builder,
    /// The model of the request that holds the dialogue.
    model: Value,
    /// Calls of the dialogue: how many are still without a span, by tool and arguments.
    alike: Slots<Vec<String>>,
    /// Names of the tools that the dialogue calls.
    called: BTreeSet<String>,
    /// Ids of calls that are in the dialogue, each with what its tool's span says.
    told: Slots<Option<Told>>,
    /// Ids of calls by the id of the span that ran them.
    ran: Slots<String>,
    /// Calls of sub-agents by the id of the call above them.
    below: Slots<Vec<Told>>,
    /// Calls that stand in no message.
    rest: Vec<Told>,
}

impl Trace {
    /// Notes the calls of the dialogue.
    fn know(&mut self, said: &Said) {
        for (id, tool, arguments) in said.input.iter().chain(&said.output).flat_map(calls_of) {
            self.called.insert(tool.clone());
            self.told.change(&id, |told| *told = None);
            self.alike.change(&format!("{tool} {arguments}"), |ids| ids.push(id));
        }
        for ids in self.alike.all_mut() {
            ids.reverse();
        }
    }

    /// Calls that other requests made and of which neither the dialogue nor a tool's span says how they ended.
    fn missed(&mut self, works: &[Work], places: &[Place], level: usize) {
        let mut known: BTreeSet<&str> = BTreeSet::new();
        for work in works {
            if let Work::Tool(Ran { id: Some(id), .. }) = work {
                known.insert(id);
            }
        }
        for (work, place) in works.iter().zip(places) {
            let Work::Chat(said) = work else { continue };
            let mut calls = said.output.iter().flat_map(calls_of);
            if calls.any(|(id, ..)| self.told.get(&id).is_none() && !known.contains(id.as_str())) {
                let whose = if place.level > level { "a sub-agent" } else { "an earlier request" };
                self.build.lacks(&format!("calls of {whose} are not in the record"));
                return;
            }
        }
    }

    fn tool(&mut self, ran: Ran, above: Option<String>, own: String, at: String, deep: bool) {
        let parent = above.and_then(|span| self.ran.get(&span)).cloned();
        let alike = format!("{} {}", ran.tool, ran.arguments);
        let id = match ran.id {
            None if !deep => self.alike.get_mut(&alike).and_then(Vec::pop),
            id => id,
        };
        if id.is_none() && !deep && self.called.contains(&ran.tool) {
            // It is one of the calls of the dialogue, but nothing says which.
            return;
        }
        if let Some(id) = &id {
            self.ran.change(&own, |ran| ran.clone_from(id));
        }
        let answer = match ran.error {
            Some(error) => Answer {
                output: ran.output.or_else(|| Some(error.clone()).filter(|error| !error.is_empty())),
                status: Status::Error,
                error: Some(error).filter(|error| !error.is_empty()),
                source: Some(Source::Field),
                ..Answer::default()
            },
            // What an exporter leaves out was there.
            None => {
                Answer { truncated: ran.output.is_none(), output: ran.output, status: Status::Ok, ..Answer::default() }
            }
        };
        let executor = Some(if deep { Executor::Subagent } else { Executor::Client });
        let (tool, at) = (ran.tool, Some(at).filter(|at| !at.is_empty()));
        let call = Call { tool, arguments: ran.arguments, id, at, parent, executor, ..Call::default() };
        let told = Told { call, answer };
        match (self.told.get_mut(told.call.id.as_deref().unwrap_or("")), told.call.parent.clone()) {
            (Some(known), _) => *known = Some(known.take().unwrap_or(told)),
            (None, Some(parent)) => drop(self.below.change(&parent, |below| below.push(told))),
            (None, None) => self.rest.push(told),
        }
    }

    fn read(&mut self, said: Said, notes: &mut Notes) {
        if said.cut {
            self.build.lacks("messages in the spans were cut off");
        }
        let turns = said.input.iter().filter(|message| text(message, "role") == "user").count();
        let rest = core::mem::take(&mut self.rest);
        if turns > 1 && !rest.is_empty() {
            self.build.lacks("calls of the trace stand in no message");
        }
        self.build.instructions(said.system);
        self.build.tools = tools(said.tools);
        let asked = said.input.len();
        let mut after_tool = false;
        for (i, message) in said.input.into_iter().enumerate() {
            after_tool = self.message(message, i, after_tool, notes);
        }
        for Told { call, answer } in rest {
            let id = call.id.clone();
            self.build.call(call, Some(answer), notes);
            self.children(id.into_iter().collect(), notes);
        }
        let model = core::mem::take(&mut self.model);
        self.build.model(&model);
        for (i, message) in said.output.into_iter().enumerate() {
            after_tool = self.message(message, asked + i, after_tool, notes);
        }
        for told in core::mem::take(&mut self.told).into_all().into_iter().flatten() {
            let id = told.call.id.clone().unwrap_or_default();
            self.build.amend(&id, |call| enrich(call, told));
        }
    }

    fn message(&mut self, message: Value, i: usize, after_tool: bool, notes: &mut Notes) -> bool {
        let ids: Vec<String> = calls_of(&message).into_iter().map(|(id, ..)| id).collect();
        let after_tool = message::read(&mut self.build, message, i, after_tool, notes);
        self.children(ids, notes);
        after_tool
    }

    /// What sub-agents did under these calls.
    fn children(&mut self, ids: Vec<String>, notes: &mut Notes) {
        let mut open = ids;
        while let Some(id) = open.pop() {
            for Told { call, answer } in self.below.get_mut(&id).map(core::mem::take).unwrap_or_default() {
                open.extend(call.id.clone());
                self.build.call(call, Some(answer), notes);
            }
        }
    }
}

/// A tool's span knows of failures, and of results that no request brought back to the model.
fn enrich(call: &mut Call, Told { call: told, answer }: Told) {
    call.at = call.at.take().or(told.at);
    if answer.status == Status::Error {
        (call.status, call.source) = (answer.status, answer.source);
        call.error = call.error.take().or(answer.error);
    } else if matches!(call.status, Status::Pending | Status::Unknown) {
        call.status = answer.status;
    }
    if call.output.is_none() {
        call.output = answer.output;
        call.truncated |= answer.truncated;
    }
}
