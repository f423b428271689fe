//! How many steps the validation of a document by a schema may take, told before it is begun.
//!
//! A schema that offers three ways into each element of an array takes three to the power of the depth. A validator has no limit of
//! steps, so the steps are counted here, each kind of look at each part of the document once.
use super::prelude::*;
use super::references::{children, Names};
use alloc::collections::BTreeMap;

/// The most steps, and the most pairs of a part of the schema and a part of the document that are kept in mind.
const STEPS: u64 = 50_000_000;
const PAIRS: usize = 1 << 20;
/// The most looks inside each other, so that no stack runs out.
const DEPTH: usize = 1_500;

/// Whether a document can be validated in reasonable time.
pub(super) fn is_bounded(schema: &Json, document: &Json) -> bool {
    let mut effort = Effort { names: Names::of(schema), known: BTreeMap::new() };
    effort.steps(schema, document, 0) <= STEPS
}

struct Effort<'a> {
    names: Names<'a>,
    /// The steps for a part of the schema at a part of the document, by where they are in memory.
    known: BTreeMap<(usize, usize), u64>,
}

impl<'a> Effort<'a> {
    /// Not fewer steps than a validator takes. More than [`STEPS`] stands for all that is more.
    fn steps(&mut self, schema: &'a Json, place: &Json, depth: usize) -> u64 {
        if schema.object().is_none() {
            return 1;
        }
        if depth > DEPTH || self.known.len() > PAIRS {
            return u64::MAX;
        }
        let mut own = 1 + place.str().map_or(0, |text| text.len() as u64 / 64);
        let nexts = self.names.in_place(schema);
        if nexts.is_empty() && !matches!(place, Json::Array(_) | Json::Object(_)) {
            return own;
        }
        let pair = (core::ptr::from_ref(schema) as usize, core::ptr::from_ref(place) as usize);
        if let Some(known) = self.known.get(&pair) {
            return *known;
        }
        // A look that leads to itself has no end.
        self.known.insert(pair, u64::MAX);
        for next in nexts {
            own = own.saturating_add(self.steps(next, place, depth + 1));
        }
        // What is left over is found by looking at all the others once more.
        if schema.get("unevaluatedProperties").is_some() || schema.get("unevaluatedItems").is_some() {
            own = own.saturating_mul(2);
        }
        own = own.saturating_add(match place {
            Json::Array(items) => self.inside_array(schema, items, depth + 1),
            Json::Object(members) => self.inside_object(schema, members, depth + 1),
            _ => 0,
        });
        self.known.insert(pair, own);
        own
    }

    /// The steps of the keywords that look at elements. Those of a tuple have a schema each, the others share the next one.
    fn inside_array(&mut self, schema: &'a Json, items: &[Json], depth: usize) -> u64 {
        let tuple = [schema.get("prefixItems"), schema.get("items")].into_iter().flatten().find_map(Json::array);
        let tuple = tuple.unwrap_or_default();
        let rest = [schema.get("items").filter(|part| part.array().is_none()), schema.get("additionalItems")];
        let rest = rest.into_iter().flatten().next().or_else(|| schema.get("unevaluatedItems"));
        let mut sum = 0_u64;
        for (index, item) in items.iter().enumerate() {
            let parts = [tuple.get(index).or(rest), schema.get("contains")];
            for part in parts.into_iter().flatten() {
                sum = sum.saturating_add(self.steps(part, item, depth));
            }
            if sum > STEPS {
                break;
            }
        }
        sum
    }

    /// The steps of the keywords that look at members. Which pattern a name fits is not looked at: each is counted.
    fn inside_object(&mut self, schema: &'a Json, members: &Object, depth: usize) -> u64 {
        let mut sum = schema.get("propertyNames").map_or(0, |part| self.names_of(part, members, depth));
        let rest = schema.get("additionalProperties").or_else(|| schema.get("unevaluatedProperties"));
        for (name, member) in members {
            let named = schema.get("properties").and_then(|properties| properties.get(name));
            let patterns = schema.get("patternProperties").into_iter().flat_map(children);
            let parts: Vec<&'a Json> = named.or(rest).into_iter().chain(patterns).collect();
            for part in parts {
                sum = sum.saturating_add(self.steps(part, member, depth));
            }
            if sum > STEPS {
                break;
            }
        }
        sum
    }

    /// A name has no place in memory of its own as a value, so that the look at one stands for all.
    fn names_of(&mut self, part: &'a Json, members: &Object, depth: usize) -> u64 {
        let letters: usize = members.keys().map(String::len).sum();
        self.steps(part, &Json::Null, depth).saturating_mul(members.len() as u64).saturating_add(letters as u64 / 64)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::strict::document;
    use super::*;

    fn bounded(schema: &str, text: &str) -> bool {
        is_bounded(&document(schema.as_bytes()).unwrap(), &document(text.as_bytes()).unwrap())
    }

    fn nested(depth: usize) -> String {
        format!("{}1{}", "[".repeat(depth), "]".repeat(depth))
    }

    #[test]
    fn ordinary_schemas_are_bounded() {
        let tree = r##"{"type":["array","integer"],"items":{"$ref":"#"}}"##;
        assert!(bounded(tree, &nested(120)));
        let object = r##"{"properties":{"a":{"type":"string"}},"additionalProperties":{"$ref":"#"},"required":["a"]}"##;
        assert!(bounded(object, r#"{"a":"x","b":{"a":"y","b":{}}}"#));
        let both = r##"{"properties":{"a":{"$ref":"#"}},"unevaluatedProperties":{"$ref":"#"}}"##;
        assert!(bounded(both, &format!("{}1{}", r#"{"a":"#.repeat(120), "}".repeat(120))));
        let pair = r##"{"prefixItems":[{"type":"string"},{"$ref":"#"}],"items":{"$ref":"#"}}"##;
        assert!(bounded(pair, &format!("{}1{}", r#"["+","#.repeat(120), "]".repeat(120))));
        let wide = format!("[{}1]", "1,".repeat(200_000));
        assert!(bounded(r#"{"items":{"type":"integer","minimum":0}}"#, &wide));
    }

    #[test]
    fn ways_that_multiply_are_not() {
        let one = r##"{"items":{"$ref":"#"}}"##;
        assert!(!bounded(&format!(r#"{{"anyOf":[{one},{one},{one}]}}"#), &nested(60)));
        assert!(bounded(&format!(r#"{{"anyOf":[{one},{one},{one}]}}"#), &nested(10)));
        let link = |at: usize| {
            let next = format!(r##"{{"$ref":"#/$defs/a{}"}}"##, at + 1);
            format!(r#""a{at}":{{"allOf":[{next},{next}]}}"#)
        };
        let links: Vec<String> = (0..28).map(link).collect();
        assert!(!bounded(&format!(r##"{{"$ref":"#/$defs/a0","$defs":{{{},"a28":{{}}}}}}"##, links.join(",")), "{}"));
        assert!(!bounded(r##"{"$dynamicAnchor":"x","not":{"$dynamicRef":"#x"}}"##, "1"));
    }
}
