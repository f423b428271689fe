//! Substitutions by `sed -i`: what they put in, and whether the text that they look for was there at all.

use super::facts::Facts;
use super::roles::Role;
use super::shell::Simple;
use serde_json::Value;

/// The longest content in which a text is looked for.
const LONGEST: usize = 64 * 1024;

/// A substitution in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Substitution<'c> {
    /// What it looks for, where that is plain text.
    pub old: Option<&'c str>,
    /// What it puts there.
    pub new: &'c str,
    /// The file.
    pub path: &'c str,
}

/// The substitution that a command makes in one file; none where it does anything else.
pub fn substitution(command: &Simple) -> Option<Substitution<'_>> {
    let words = command.words.as_slice();
    let [program, option, script, path] = words else { return None };
    let program = program.rsplit('/').next().unwrap_or("");
    if !matches!(program, "sed" | "gsed") || !matches!(option.as_str(), "-i" | "-i.bak" | "-Ei" | "-ri") {
        return None;
    }
    let mark = script.strip_prefix('s')?.chars().next().filter(|c| !c.is_alphanumeric())?;
    let mut parts = script.get(1 + mark.len_utf8()..)?.split(mark);
    let (old, new, flags) = (parts.next()?, parts.next()?, parts.next()?);
    let whole = parts.next().is_none() && flags.chars().all(|c| matches!(c, 'g' | 'I' | 'i' | '1'..='9'));
    let plain =
        !old.is_empty() && !old.contains(['\\', '[', ']', '*', '^', '$', '.', '+', '?', '(', ')', '{', '}', '|']);
    let exact = plain && !flags.contains(['i', 'I']);
    whole.then_some(Substitution { old: exact.then_some(old), new, path })
}

/// Whether a substitution found nothing: the whole file was shown before it, without the text that it looks for, and
/// nothing in between may have put it there. `before` are the calls in front of it.
pub fn found_nothing(substitution: &Substitution<'_>, before: &[Facts<'_>]) -> bool {
    let Some(old) = substitution.old else { return false };
    for facts in before.iter().rev() {
        if shows(facts, substitution.path) {
            let output = facts.call.output.as_deref().unwrap_or("");
            return output.len() <= LONGEST && !output.is_empty() && !output.contains(old);
        }
        let other = facts.commands.iter().filter_map(self::substitution).any(|s| !s.new.contains(old));
        let writes = facts.acts.could(super::acts::Act::Write) || facts.acts.could(super::acts::Act::Wrap);
        if writes && !(other && facts.commands.len() == 1) {
            return false;
        }
    }
    false
}

/// Whether a call showed the whole of a file and nothing else.
fn shows(facts: &Facts<'_>, path: &str) -> bool {
    if !facts.succeeded || facts.call.truncated {
        return false;
    }
    match (facts.role, facts.commands.as_slice()) {
        (Role::Command, [only]) => matches!(only.words.as_slice(), [cat, file] if cat == "cat" && file == path),
        (Role::Read, _) => {
            let arguments = &facts.call.arguments;
            let part =
                ["limit", "offset", "start", "end", "view_range", "start_line", "end_line", "start_line_one_indexed"];
            let keys = ["file_path", "path", "target_file", "filename", "file", "absolute_path"];
            let named = keys.iter().find_map(|key| arguments.get(key).and_then(Value::as_str));
            let ends = |named: &str| named == path || named.ends_with(&alloc::format!("/{path}"));
            part.iter().all(|key| arguments.get(key).is_none()) && named.is_some_and(ends)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::shell;

    #[test]
    fn a_substitution_is_read_with_its_mark() {
        let read = |line: &str| {
            let split = shell::split(line).unwrap_or_default();
            let found = split
                .commands
                .first()
                .and_then(substitution)
                .map(|s| alloc::format!("{}|{}|{}", s.old.unwrap_or("?"), s.new, s.path));
            found.unwrap_or_default()
        };
        assert_eq!(read("sed -i 's/port: 80/port: 81/' a.yaml"), "port: 80|port: 81|a.yaml");
        assert_eq!(read("sed -i 's#/old#/new#g' a.yaml"), "/old|/new|a.yaml");
        assert_eq!(read("sed -i 's/a.*b/c/' a.yaml"), "?|c|a.yaml");
        for other in ["sed 's/a/b/' x", "sed -i '3d' x", "sed -i 's/a/b/;s/c/d/' x", "sed -i s/a/b/ x y", "sed -i s x"]
        {
            assert_eq!(read(other), "", "{other}");
        }
    }
}
