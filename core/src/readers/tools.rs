//! The names of tools, found again in the spellings that replies use.

use crate::sort;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

/// The tools that are on offer or in the record.
#[derive(Debug, Default)]
pub(crate) struct Tools {
    names: BTreeSet<String>,
    /// Spellings without case and marks: of the whole name, of its last part, of its last word.
    spelled: BTreeMap<String, Vec<String>>,
}

impl Tools {
    /// Sorts the names.
    pub(crate) fn new<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        let mut tools = Tools::default();
        for name in names {
            if tools.names.contains(name) {
                continue;
            }
            let part = last_part(name);
            let word = part.rsplit('_').next().unwrap_or(part);
            for spelling in sort::set([plain(name), plain(part), plain(word)].into_iter()) {
                tools.spelled.entry(spelling).or_default().push(name.into());
            }
            tools.names.insert(name.into());
        }
        tools
    }

    /// The tools that a written name may mean: `get_user` for `mcp__crm__get_user`, `bash` for `Bash`, `web.search` for
    /// `web_search`. At most eight.
    pub(crate) fn meant(&self, name: &str) -> Vec<String> {
        self.spelled(name).iter().take(8).cloned().collect()
    }

    /// Whether a written name may mean any of the tools.
    pub(crate) fn knows(&self, name: &str) -> bool {
        !self.spelled(name).is_empty()
    }

    fn spelled(&self, name: &str) -> &[String] {
        let find = |name: &str| self.spelled.get(&plain(name));
        let part = last_part(name);
        let found = find(name).or_else(|| if part.len() < name.len() { find(part) } else { None });
        found.map_or(&[], Vec::as_slice)
    }
}

/// What stands behind the last `__`, `.`, `:` or `/`.
fn last_part(name: &str) -> &str {
    let behind = if name.contains('_') { name.rsplit("__").next().unwrap_or(name) } else { name };
    behind.rsplit(['.', ':', '/']).next().unwrap_or(behind)
}

/// Letters and digits only, in lower case.
fn plain(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    plain.extend(name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()));
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_found_in_the_spellings_of_replies() {
        let names = ["mcp__crm__get_user", "Bash", "web_search", "execute_bash"];
        let tools = Tools::new(names.into_iter());
        assert_eq!(tools.meant("get_user"), ["mcp__crm__get_user"]);
        assert_eq!(tools.meant("crm.get_user"), ["mcp__crm__get_user"]);
        assert_eq!(tools.meant("bash"), ["Bash", "execute_bash"]);
        assert_eq!(tools.meant("web.search"), ["web_search"]);
        assert!(tools.meant("fetch").is_empty());
    }
}
