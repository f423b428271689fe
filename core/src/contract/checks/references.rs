//! What a schema refers to: nothing outside itself, and not back to itself without a step into the document.

use super::super::pointer::Pointer;
use super::super::shown::cut;
use super::prelude::*;
use alloc::collections::BTreeSet;

/// Keywords whose schemas look at the same place of the document.
const IN_PLACE: [&str; 8] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];
/// The most such steps in a row, so that no validator runs out of stack.
const STEPS: usize = 32;

/// Whether a schema refers to nothing but itself, and ends.
pub(super) fn closed(schema: &Json) -> Result<(), ContractError> {
    let mut ids = BTreeSet::new();
    named(schema, &mut ids);
    inside(schema, &ids, "")?;
    let mut walk = Walk { schema, done: BTreeSet::new(), open: Vec::new() };
    walk.all(schema)
}

/// The ids that parts of a schema give themselves.
fn named<'a>(value: &'a Json, ids: &mut BTreeSet<&'a str>) {
    if let Some(id) = value.get("$id").and_then(Json::str) {
        ids.insert(id.trim_end_matches('#'));
    }
    match value {
        Json::Array(items) => {
            for item in items {
                named(item, ids);
            }
        }
        Json::Object(members) => {
            for member in members.values() {
                named(member, ids);
            }
        }
        _ => {}
    }
}

fn inside(value: &Json, ids: &BTreeSet<&str>, place: &str) -> Result<(), ContractError> {
    match value {
        Json::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                inside(item, ids, &format!("{place}[{index}]"))?;
            }
        }
        Json::Object(members) => {
            for (name, member) in members {
                let here = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
                let refers = matches!(name.as_str(), "$ref" | "$dynamicRef" | "$recursiveRef");
                if let Some(target) = member.str().filter(|_| refers) {
                    let document = target.split('#').next().unwrap_or_default();
                    if !document.is_empty() && !ids.contains(document) {
                        return Err(fault(&here, format!("it refers to {}, outside the schema", cut(target, 200))));
                    }
                }
                inside(member, ids, &here)?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// Follows the schemas that look at one place of the document.
struct Walk<'a> {
    schema: &'a Json,
    /// Those that end, by where they are in memory.
    done: BTreeSet<usize>,
    /// Those that are being followed.
    open: Vec<usize>,
}

impl<'a> Walk<'a> {
    /// Every part, since any may be reached by a step into the document.
    fn all(&mut self, value: &'a Json) -> Result<(), ContractError> {
        match value {
            Json::Array(items) => {
                for item in items {
                    self.all(item)?;
                }
            }
            Json::Object(members) => {
                self.follow(value)?;
                for member in members.values() {
                    self.all(member)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn follow(&mut self, value: &'a Json) -> Result<(), ContractError> {
        let here = core::ptr::from_ref(value) as usize;
        if self.done.contains(&here) {
            return Ok(());
        }
        if self.open.contains(&here) {
            return Err(fault("", "a part of it refers to itself without a step into the document"));
        }
        if self.open.len() >= STEPS {
            return Err(fault("", format!("more than {STEPS} references and combinations in a row")));
        }
        self.open.push(here);
        for next in self.nexts(value) {
            self.follow(next)?;
        }
        self.open.pop();
        self.done.insert(here);
        Ok(())
    }

    fn nexts(&self, value: &'a Json) -> Vec<&'a Json> {
        let target = value.get("$ref").and_then(Json::str).and_then(|target| target.strip_prefix('#'));
        let target = target.and_then(|pointer| Pointer::parse(pointer).ok()?.find(self.schema));
        let parts = IN_PLACE.iter().filter_map(|name| Some((*name, value.get(name)?)));
        let parts = parts.flat_map(|(name, part)| match part {
            Json::Array(items) => items.iter().collect(),
            Json::Object(members) if name == "dependentSchemas" => members.values().collect(),
            other => Vec::from([other]),
        });
        target.into_iter().chain(parts).filter(|next| next.object().is_some()).collect()
    }
}

/// How deep a document is nested.
pub(super) fn depth(value: &Json) -> usize {
    match value {
        Json::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Json::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}
