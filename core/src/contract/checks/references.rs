//! What a schema refers to: nothing outside itself, and not back to itself without a step into the document.

use super::super::pointer::Pointer;
use super::super::shown::cut;
use super::prelude::*;
use alloc::collections::BTreeMap;

/// Keywords whose schemas look at the same place of the document.
const IN_PLACE: [&str; 9] =
    ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"];
/// Keywords that refer to another part of the schema.
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];
/// The most such steps in a row, so that no validator runs out of stack.
const STEPS: usize = 32;

/// Whether a schema refers to nothing but itself, and ends.
pub(super) fn closed(schema: &Json) -> Result<(), ContractError> {
    let names = Names::of(schema);
    inside(schema, &names, "")?;
    let mut walk = Walk { names, heights: BTreeMap::new(), open: Vec::new() };
    walk.all(schema)
}

/// The parts of a schema that references can name.
pub(super) struct Names<'a> {
    /// The schema, and every part that gives itself an `$id`.
    bases: Vec<(&'a str, &'a Json)>,
    anchors: BTreeMap<&'a str, Vec<&'a Json>>,
}

impl<'a> Names<'a> {
    pub(super) fn of(schema: &'a Json) -> Names<'a> {
        let mut names = Names { bases: Vec::from([("", schema)]), anchors: BTreeMap::new() };
        names.add(schema);
        names
    }

    fn add(&mut self, value: &'a Json) {
        if let Some(id) = value.get("$id").and_then(Json::str) {
            self.bases.push((id.trim_end_matches('#'), value));
        }
        for name in ["$anchor", "$dynamicAnchor"] {
            if let Some(anchor) = value.get(name).and_then(Json::str) {
                self.anchors.entry(anchor).or_default().push(value);
            }
        }
        children(value).for_each(|child| self.add(child));
    }

    /// Every part that the references of a part may mean. Inside a part with an id of its own a pointer starts there; which one is
    /// meant is left open, and each is followed.
    fn targets(&self, value: &'a Json) -> Vec<&'a Json> {
        let mut targets = Vec::new();
        for target in REFERENCES.iter().filter_map(|name| value.get(name)?.str()) {
            let (document, fragment) = target.split_once('#').unwrap_or((target, ""));
            let bases = self.bases.iter().filter(|(id, _)| document.is_empty() || *id == document);
            match Pointer::parse(fragment) {
                Ok(pointer) => targets.extend(bases.filter_map(|(_, base)| pointer.find(base))),
                Err(_) => targets.extend(self.anchors.get(fragment).into_iter().flatten()),
            }
        }
        targets
    }

    /// The parts that look at the same place of the document as a part does.
    pub(super) fn in_place(&self, value: &'a Json) -> Vec<&'a Json> {
        let parts = IN_PLACE.iter().filter_map(|name| Some((*name, value.get(name)?)));
        let parts = parts.flat_map(|(name, part)| match part {
            Json::Array(items) => items.iter().collect(),
            Json::Object(members) if name.starts_with("depend") => members.values().collect(),
            other => Vec::from([other]),
        });
        self.targets(value).into_iter().chain(parts).filter(|next| next.object().is_some()).collect()
    }
}

/// The values directly inside a value.
pub(super) fn children(value: &Json) -> impl Iterator<Item = &Json> {
    value.array().into_iter().flatten().chain(value.object().into_iter().flat_map(|members| members.values()))
}

fn inside(value: &Json, names: &Names<'_>, place: &str) -> Result<(), ContractError> {
    match value {
        Json::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                inside(item, names, &format!("{place}[{index}]"))?;
            }
        }
        Json::Object(members) => {
            for (name, member) in members {
                let here = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
                if let Some(target) = member.str().filter(|_| REFERENCES.contains(&name.as_str())) {
                    let document = target.split('#').next().unwrap_or_default();
                    if !document.is_empty() && names.bases.iter().all(|(id, _)| *id != document) {
                        return Err(fault(&here, format!("it refers to {}, outside the schema", cut(target, 200))));
                    }
                }
                inside(member, names, &here)?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// Follows the schemas that look at one place of the document.
struct Walk<'a> {
    names: Names<'a>,
    /// How many steps follow a part that ends, by where it is in memory.
    heights: BTreeMap<usize, usize>,
    /// Those that are being followed.
    open: Vec<usize>,
}

impl<'a> Walk<'a> {
    /// Every part, since any may be reached by a step into the document.
    fn all(&mut self, value: &'a Json) -> Result<(), ContractError> {
        if value.object().is_some() {
            self.follow(value)?;
        }
        children(value).try_for_each(|child| self.all(child))
    }

    /// How many steps follow a part.
    fn follow(&mut self, value: &'a Json) -> Result<usize, ContractError> {
        let here = core::ptr::from_ref(value) as usize;
        if self.open.contains(&here) {
            return Err(fault("", "a part of it refers to itself without a step into the document"));
        }
        let known = self.heights.get(&here).copied();
        if self.open.len() + known.unwrap_or(0) >= STEPS {
            return Err(fault("", format!("more than {STEPS} references and combinations in a row")));
        }
        if let Some(known) = known {
            return Ok(known);
        }
        self.open.push(here);
        let mut height = 0;
        for next in self.names.in_place(value) {
            height = height.max(1 + self.follow(next)?);
        }
        self.open.pop();
        self.heights.insert(here, height);
        Ok(height)
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
