//! ATIF, the trajectories of Harbor: steps of a system, a user or an agent.
//!
//! The format has no field for an error, an exit or a denial; converters put them into `extra`. Steps that were copied from
//! a former trajectory are history, and a sub-agent's trajectory belongs to the call whose result names it.

use super::blocks::{answer, hear, output, system, tools};
use super::build::{Answer, Builder};
use super::calls::Shape;
use super::detect::{Format, FormatInfo, Hint};
use super::notes::Notes;
use super::value::{
    at, exit_status, flag, has, is_list, list, push_line, take, take_list, take_string, take_text, text,
};
use crate::record::{Call, Executor, Session, Source, Status};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{Map, Value};

pub(super) const FORMAT: Format =
    Format { info: FormatInfo { name: "atif", about: "ATIF: trajectories as Harbor writes them" }, sniff, read };

/// Trajectories of sub-agents inside sub-agents are read so deep.
const DEPTH: usize = 8;

/// So much of the results that several calls share is kept for each of them.
const EXCERPT: usize = 2000;

const CALL: Shape = Shape { tool: &["function_name"], arguments: &["arguments"], id: &["tool_call_id"] };

fn sniff(value: &Value) -> Option<Hint> {
    let steps = is_list(value, "steps");
    if steps && text(value, "schema_version").starts_with("ATIF-v") {
        return Some(Hint::certain("schema_version"));
    }
    let step = |step: &Value| has(step, "step_id") && has(step, "source");
    list(value, "steps").iter().any(step).then_some(Hint::likely("step_id, source"))
}

fn read(mut value: Value, notes: &mut Notes) -> Session {
    let steps = take_list(&mut value, "steps");
    let mut reader = Reader { build: Builder::default(), others: others(&mut value), parent: None, depth: 0 };
    reader.build.id = take_text(&mut value, "session_id").or_else(|| take_text(&mut value, "trajectory_id"));
    let mut agent = take(&mut value, "agent");
    reader.build.model(&agent);
    reader.build.tools = tools(take(&mut agent, "tool_definitions"));
    let mut copied = true;
    for (i, step) in steps.into_iter().enumerate() {
        if copied && !flag(&step, "is_copied_context") {
            copied = false;
            reader.build.past();
        }
        reader.step(step, i, notes);
    }
    reader.build.finish(notes)
}

/// The trajectories of sub-agents by their ids.
fn others(value: &mut Value) -> Map<String, Value> {
    let mut others = Map::new();
    for other in take_list(value, "subagent_trajectories") {
        for key in ["trajectory_id", "session_id"] {
            let id = text(&other, key);
            if !id.is_empty() {
                others.insert(id.to_string(), other);
                break;
            }
        }
    }
    others
}

/// A call of the step that is read.
#[derive(Debug, Default)]
struct Made {
    id: String,
    tool: String,
}

#[derive(Debug, Default)]
struct Reader {
    build: Builder,
    others: Map<String, Value>,
    /// The call whose sub-agent's steps are read.
    parent: Option<String>,
    depth: usize,
}

impl Reader {
    fn step(&mut self, mut step: Value, i: usize, notes: &mut Notes) {
        let message = take(&mut step, "message");
        let sub = self.depth > 0;
        let mut made = Vec::new();
        match text(&step, "source") {
            // What a sub-agent was told stands in the arguments of its call.
            "system" | "user" if sub => {}
            "system" => self.build.instructions(system(message)),
            "user" => hear(&mut self.build, message),
            "agent" => {
                if !matches!(message, Value::Null | Value::String(_) | Value::Array(_)) {
                    self.build.unread(&[at("steps", i).as_str(), ".message"].concat());
                }
                self.build.between();
                if !sub {
                    self.build.model(&step);
                    self.build.text(output(message).0, &i.to_string());
                }
                for call in take_list(&mut step, "tool_calls") {
                    let call = self.call(call, &step);
                    made.push(Made { id: call.id.clone().unwrap_or_default(), tool: call.tool.clone() });
                    self.build.call(call, None, notes);
                }
            }
            _ => self.build.left_out(&at("steps", i), "an unknown source", notes),
        }
        let extra = take(&mut step, "extra");
        let (mut shared, lone) = (Vec::new(), Made::default());
        for result in take_list(&mut take(&mut step, "observation"), "results") {
            if made.is_empty() || has(&result, "source_call_id") || has(&result, "subagent_trajectory_ref") {
                self.result(result, &lone, &extra, notes);
            } else {
                shared.push(result);
            }
        }
        self.share(shared, &made, &extra, notes);
    }

    /// Results that name no call belong to the calls of their step: one result of one call, else all results to all calls.
    fn share(&mut self, results: Vec<Value>, made: &[Made], extra: &Value, notes: &mut Notes) {
        let mut results = results.into_iter();
        if let ([call], 1) = (made, results.len()) {
            results.by_ref().for_each(|result| self.result(result, call, extra, notes));
        }
        if results.len() == 0 {
            return;
        }
        let mut all = String::new();
        for mut result in results {
            push_line(&mut all, &output(take(&mut result, "content")).0);
        }
        let excerpt: String = all.chars().take(EXCERPT).collect();
        for call in made {
            let answer = Answer { output: Some(excerpt.clone()), truncated: true, ..Answer::default() };
            self.build.returned(&call.id, &call.tool, answer, notes);
        }
    }

    fn call(&self, mut call: Value, step: &Value) -> Call {
        let sub = self.depth > 0;
        Call {
            at: step.get("timestamp").and_then(Value::as_str).map(String::from),
            parent: self.parent.clone(),
            ..CALL.call(&mut call, if sub { Executor::Subagent } else { Executor::Client })
        }
    }

    /// A result; where it names no call it belongs to `made`.
    fn result(&mut self, mut result: Value, made: &Made, step: &Value, notes: &mut Notes) {
        let told = answer(take(&mut result, "content"));
        let named = take_string(&mut result, "source_call_id");
        let id = if named.is_empty() { made.id.clone() } else { named };
        for place in take_list(&mut result, "subagent_trajectory_ref") {
            self.subagent(&place, &id, notes);
        }
        if id.is_empty() && made.tool.is_empty() {
            self.build.context(told.output.unwrap_or_default());
            return;
        }
        let own = take(&mut result, "extra");
        let extra = if own.is_object() { &own } else { step };
        self.build.returned(&id, &made.tool, judged(told, extra), notes);
    }

    /// The calls of the sub-agent that a result names, where its trajectory is in the file.
    fn subagent(&mut self, place: &Value, id: &str, notes: &mut Notes) {
        let key = ["trajectory_id", "session_id"].into_iter().find(|key| self.others.contains_key(text(place, key)));
        let Some(mut other) = key.and_then(|key| self.others.remove(text(place, key))).filter(|_| self.depth < DEPTH)
        else {
            self.build.gap("what a sub-agent did is not in the file");
            return;
        };
        let former = core::mem::replace(&mut self.parent, Some(id.to_string()).filter(|id| !id.is_empty()));
        self.depth += 1;
        let inner = others(&mut other);
        self.others.extend(inner);
        for (i, step) in take_list(&mut other, "steps").into_iter().enumerate() {
            self.step(step, i, notes);
        }
        self.depth -= 1;
        self.parent = former;
    }
}

/// A result with what a converter noted beside it.
fn judged(told: Answer, extra: &Value) -> Answer {
    let metadata = extra.get("tool_result_metadata").unwrap_or(&Value::Null);
    let used = metadata.get("tool_use_result").unwrap_or(&Value::Null);
    let places = [extra, metadata, used];
    let exit = places.into_iter().find_map(exit_status);
    let failed = ["tool_result_is_error", "is_error"]
        .into_iter()
        .find_map(|key| places.into_iter().find_map(|p| p.get(key)?.as_bool()));
    let stopped = flag(used, "interrupted");
    let status = match (stopped, exit, failed) {
        (true, _, _) => Status::Cancelled,
        (_, Some(code), _) if code != 0 => Status::Error,
        (_, _, Some(true)) => Status::Error,
        (_, None, None) => told.status,
        _ => Status::Ok,
    };
    let field = (stopped || exit.is_some() || failed.is_some()).then_some(Source::Field);
    let mut out = told.output.unwrap_or_default();
    if out.is_empty() {
        push_line(&mut out, text(used, "stdout"));
        push_line(&mut out, text(used, "stderr"));
    }
    Answer { output: Some(out), status, exit, source: field.or(told.source), ..told }
}
