//! The short texts of a turn's arguments, as one text that many names are looked for in.

use super::facts::Facts;
use super::lookup;
use alloc::string::String;
use alloc::vec::Vec;

/// The longest argument that is taken up.
const SHORT: usize = 512;

/// The arguments of a turn's calls that are shorter than [`SHORT`].
#[derive(Clone, Debug, Default)]
pub(super) struct Arguments {
    texts: String,
    /// Where each of them ends in `texts`, and whose it is.
    ends: Vec<(usize, usize)>,
}

impl Arguments {
    /// Takes up the arguments of calls, in their order.
    pub(super) fn of<'f, 'a: 'f>(calls: impl Iterator<Item = (usize, &'f Facts<'a>)>) -> Self {
        let mut all = Arguments::default();
        for (call, facts) in calls {
            for text in lookup::leaves(&facts.call.arguments).filter_map(serde_json::Value::as_str) {
                if text.len() < SHORT {
                    all.texts.push_str(text);
                    all.ends.push((all.texts.len(), call));
                }
            }
        }
        all
    }

    /// The first call that has an argument which holds the name as written.
    pub(super) fn naming(&self, name: &str) -> Option<usize> {
        if name.is_empty() {
            return self.ends.first().map(|(_, call)| *call);
        }
        let finder = memchr::memmem::Finder::new(name);
        let mut from = 0;
        while let Some(at) = finder.find(&self.texts.as_bytes()[from..]) {
            let start = from + at;
            let (end, call) = *self.ends.get(self.ends.partition_point(|(end, _)| *end <= start))?;
            if start + name.len() <= end {
                return Some(call);
            }
            // What reaches into the next argument stands in neither, and no other place in this one has room for it.
            from = end;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Call;
    use alloc::collections::BTreeMap;

    #[test]
    fn a_name_is_found_in_one_argument_and_not_across_two() {
        let call = |value| Call { tool: "t".into(), arguments: value, ..Call::default() };
        let calls = [
            call(serde_json::json!({"a": "src/on", "b": "e.rs"})),
            call(serde_json::json!({"a": "src/two.rs", "b": ["x".repeat(600), "one.rse"], "n": 7})),
        ];
        let facts: Vec<Facts<'_>> = calls.iter().map(|c| Facts::new(c, &BTreeMap::new())).collect();
        let all = Arguments::of(facts.iter().enumerate());
        let cases =
            [("one.rs", Some(1)), ("src/", Some(0)), ("two.rs", Some(1)), ("xx", None), ("rssrc", None), ("7", None)];
        for (name, call) in cases {
            assert_eq!(all.naming(name), call, "{name}");
        }
    }
}
