//! Which files the words of a command line name: folders are walked, patterns are matched.
//!
//! The program only says what stands at a path, so that every home finds the same files in the same order.

use super::passed::Passed;
use crate::sort::sorted;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// What stands at a path. Links are followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    /// Nothing, or nothing that can be looked at.
    Missing,
    /// Something that can be read.
    File,
    /// A folder.
    Folder {
        /// What tells it from every other folder, whatever path leads to it.
        id: String,
        /// The names in it, each with whether it is a folder; none for what is neither that nor a file, as a pipe or a device.
        names: Vec<(String, Option<bool>)>,
    },
}

/// A file to check, or a word that names none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The path.
    pub path: String,
    /// Why there is nothing to read, where that is known already.
    pub reason: Option<String>,
    /// It stands in a folder or fits a pattern, so that it may be anything.
    pub(super) found: bool,
}

/// The endings of transcripts in a folder.
const ENDINGS: [&str; 7] = [".json", ".jsonl", ".ndjson", ".traj", ".responses", ".chunks.txt", ".sse"];

/// Folders of tools, which hold no sessions but much else. So do those whose name starts with a dot.
const TOOLING: [&str; 6] = ["node_modules", "target", "venv", "__pycache__", "site-packages", "bower_components"];

/// The files that words name, in order. A folder stands for the transcripts in it and below, by their endings; `more` are
/// endings that the program can read besides. A word with `*`, `?` or `[` that is no path is a pattern, in which `**` stands for any folders.
/// What is passed over in folders is counted.
pub(super) fn expand(
    words: &[String],
    more: &[&str],
    passed: &mut Passed,
    look: &mut dyn FnMut(&str) -> Look,
) -> Vec<Named> {
    let mut all = Vec::new();
    for word in words {
        let word = word.as_str();
        let seen = if word == "-" || word.is_empty() { Look::File } else { look(word) };
        match seen {
            Look::Folder { .. } => {
                let mut here = Passed::default();
                let files = below(word, more, &mut here, look);
                if files.is_empty() {
                    all.push(none(word, format!("no transcript in this folder{}", here.otherwise())));
                } else {
                    passed.add(here);
                }
                all.extend(files.into_iter().map(found));
            }
            Look::Missing if word.contains(['*', '?', '[']) => {
                let files = fitting(word, look);
                if files.is_empty() {
                    all.push(none(word, "no file fits this pattern".to_string()));
                }
                all.extend(files.into_iter().map(found));
            }
            Look::File | Look::Missing => {
                all.push(Named { path: word.to_string(), reason: None, found: false });
            }
        }
    }
    all
}

fn found(path: String) -> Named {
    Named { path, reason: None, found: true }
}

fn none(word: &str, reason: String) -> Named {
    Named { path: word.to_string(), reason: Some(reason), found: false }
}

fn join(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_string(),
        _ if folder.ends_with(['/', '\\']) => format!("{folder}{name}"),
        _ => format!("{folder}/{name}"),
    }
}

fn is_passed_over(folder: &str) -> bool {
    folder.starts_with('.') || TOOLING.contains(&folder)
}

fn in_order(paths: BTreeSet<String>) -> Vec<String> {
    sorted(paths.into_iter().collect(), Ord::cmp)
}

/// The transcripts in a folder and below. A folder to which several links lead is entered once, so that circles end.
fn below(root: &str, more: &[&str], passed: &mut Passed, look: &mut dyn FnMut(&str) -> Look) -> Vec<String> {
    let (mut files, mut entered) = (BTreeSet::new(), BTreeSet::new());
    let mut open = vec![root.to_string()];
    while let Some(folder) = open.pop() {
        let Look::Folder { id, names } = look(&folder) else { continue };
        if !entered.insert(id) {
            continue;
        }
        for (name, is_folder) in names {
            match is_folder {
                Some(true) if !is_passed_over(&name) => open.push(join(&folder, &name)),
                Some(true) => {}
                _ if name.starts_with('.') => {}
                Some(false) if is_transcript(&name, more) => {
                    files.insert(join(&folder, &name));
                }
                Some(false) => passed.ends_otherwise(&name),
                None => passed.is_no_file(),
            }
        }
    }
    in_order(files)
}

fn is_transcript(name: &str, more: &[&str]) -> bool {
    let name = name.to_ascii_lowercase();
    ENDINGS.iter().chain(more).any(|end| name.ends_with(end))
}

/// The files that fit a pattern.
fn fitting(pattern: &str, look: &mut dyn FnMut(&str) -> Look) -> Vec<String> {
    let parts: Vec<&str> = pattern.split('/').collect();
    let plain = parts.iter().position(|part| part.contains(['*', '?', '['])).unwrap_or(0);
    // A pattern that starts with a slash starts at the root.
    let root = if plain == 1 && pattern.starts_with('/') { "/".to_string() } else { parts[..plain].join("/") };
    let (mut files, mut entered) = (BTreeSet::new(), BTreeSet::new());
    let mut open = vec![(root, plain)];
    while let Some((folder, at)) = open.pop() {
        let here = if folder.is_empty() { "." } else { &folder };
        let Look::Folder { id, names } = look(here) else { continue };
        if !entered.insert((id, at)) {
            continue;
        }
        let Some(part) = parts.get(at).copied() else { continue };
        let last = at + 1 == parts.len();
        if part == "**" && !last {
            open.push((folder.clone(), at + 1));
        }
        for (name, is_folder) in names {
            let path = join(&folder, &name);
            let (folder, file) = (is_folder == Some(true), is_folder == Some(false));
            if part == "**" {
                if folder && !is_passed_over(&name) {
                    open.push((path, at));
                } else if last && file && !name.starts_with('.') {
                    files.insert(path);
                }
            } else if (part.starts_with('.') || !name.starts_with('.')) && fits(part, &name) {
                if folder && !last {
                    open.push((path, at + 1));
                } else if file && last {
                    files.insert(path);
                }
            }
        }
    }
    in_order(files)
}

/// Whether a name fits a part of a pattern. The last star is tried further where what follows does not fit.
fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    let mut star = None;
    while n < name.len() {
        if pattern.get(p) == Some(&'*') {
            star = Some((p, n));
            p += 1;
            continue;
        }
        match one(&pattern, p, name[n]) {
            Some(next) => {
                p = next;
                n += 1;
            }
            None => match star {
                Some((at, taken)) => {
                    star = Some((at, taken + 1));
                    p = at + 1;
                    n = taken + 1;
                }
                None => return false,
            },
        }
    }
    pattern.get(p..).unwrap_or(&[]).iter().all(|c| *c == '*')
}

/// Where the pattern goes on after it took a character; none where it does not take it.
fn one(pattern: &[char], p: usize, c: char) -> Option<usize> {
    match *pattern.get(p)? {
        '?' => Some(p + 1),
        '[' => {
            let not = matches!(pattern.get(p + 1), Some('!' | '^'));
            let from = p + 1 + usize::from(not);
            // A bracket in the first place is one of the set.
            let end = pattern.iter().skip(from + 1).position(|c| *c == ']').map(|i| from + 1 + i);
            let Some(end) = end else { return (c == '[').then_some(p + 1) };
            let set = &pattern[from..end];
            let range = |w: &[char]| w[1] == '-' && (w[0]..=w[2]).contains(&c);
            let held = set.contains(&c) || set.windows(3).any(range);
            (held != not).then_some(end + 1)
        }
        other => (other == c).then_some(p + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;
    use proptest::prelude::*;

    /// A tree of files by their paths; `loop` in any folder leads back to it.
    fn tree(paths: &'static [&'static str]) -> impl FnMut(&str) -> Look {
        move |path: &str| {
            let path = path.trim_end_matches('/');
            let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "." | "loop")).collect();
            let path = parts.join("/");
            if paths.contains(&path.as_str()) {
                return Look::File;
            }
            let start = if path.is_empty() { String::new() } else { format!("{path}/") };
            let mut names: BTreeMap<String, Option<bool>> = BTreeMap::new();
            for rest in paths.iter().filter_map(|one| one.strip_prefix(start.as_str())) {
                let (name, is_folder) = rest.split_once('/').map_or((rest, false), |(name, _)| (name, true));
                names.insert(name.to_string(), (name != "pipe.json").then_some(is_folder));
            }
            if names.is_empty() {
                return Look::Missing;
            }
            names.insert("loop".to_string(), Some(true));
            Look::Folder { id: path, names: names.into_iter().collect() }
        }
    }

    const TREE: &[&str] = &[
        "a/one.jsonl",
        "a/two.JSON",
        "a/note.txt",
        "a/.hidden.json",
        "a/b/three.ndjson",
        "a/.git/four.json",
        "a/node_modules/x/five.json",
        "a/b/log.eval",
        "a/b/pipe.json",
        "[x].json",
        "empty/readme.md",
        "empty/README.MD",
        "empty/licence",
        "c/run.traj",
        "c/run.traj.json",
        "c/web.responses",
        "c/web.1.CHUNKS.txt",
        "c/stream.sse",
        "c/chunks.txt",
    ];

    fn expanded(words: &[&str], more: &[&str]) -> (Vec<Named>, Passed) {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        let mut passed = Passed::default();
        (expand(&words, more, &mut passed, &mut tree(TREE)), passed)
    }

    fn found(words: &[&str]) -> Vec<String> {
        expanded(words, &[]).0.into_iter().map(|named| named.path).collect()
    }

    #[test]
    fn a_folder_stands_for_the_transcripts_in_it_and_circles_end() {
        assert_eq!(found(&["a"]), ["a/b/three.ndjson", "a/one.jsonl", "a/two.JSON"]);
        assert_eq!(found(&["a/b/", "-", "a/one.jsonl"]), ["a/b/three.ndjson", "-", "a/one.jsonl"]);
        assert_eq!(expanded(&["a/b"], &[".eval"]).0.len(), 2);
        assert!(expanded(&["a", "a/one.jsonl"], &[]).0.iter().map(|named| named.found).eq([true, true, true, false]));
    }

    #[test]
    fn the_endings_of_all_formats_are_tried() {
        assert_eq!(
            found(&["c"]),
            ["c/run.traj", "c/run.traj.json", "c/stream.sse", "c/web.1.CHUNKS.txt", "c/web.responses"]
        );
    }

    #[test]
    fn what_is_passed_over_in_a_folder_is_counted() {
        let (_, passed) = expanded(&["a"], &[]);
        let line =
            "3 files: 1 .eval archive, which only the Python package reads; 1 is a pipe or a device; 1 ends in .txt";
        assert_eq!(passed.line().as_deref(), Some(line));
        assert_eq!(expanded(&["a/*.jsonl", "a/one.jsonl"], &[]).1.line(), None);
    }

    #[test]
    fn a_word_that_stands_for_none_is_named_with_the_reason() {
        let reason = |word: &str| expanded(&[word], &[]).0.remove(0).reason.unwrap();
        assert_eq!(reason("empty"), "no transcript in this folder; 2 files end in .md, 1 has no ending");
        assert_eq!(reason("none/*.json"), "no file fits this pattern");
    }

    #[test]
    fn a_pattern_that_is_no_path_is_matched() {
        assert_eq!(found(&["a/**/*.*json"]), ["a/b/three.ndjson"]);
        assert_eq!(found(&["a/**/*.json*"]), ["a/one.jsonl"]);
        assert_eq!(found(&["a/*.JSON", "a/?ne.jsonl"]), ["a/two.JSON", "a/one.jsonl"]);
        assert_eq!(found(&["a/.git/*.json", "a/.h*"]), ["a/.git/four.json", "a/.hidden.json"]);
        assert_eq!(found(&["**/[!n]*e.ndjson"]), ["a/b/three.ndjson"]);
        assert_eq!(found(&["[x].json"]), ["[x].json"], "a file of that name");
        assert_eq!(found(&["none/*.json"]), ["none/*.json"], "to be named with the reason");
    }

    #[test]
    fn patterns_fit_as_in_a_shell() {
        for (pattern, name, fit) in [
            ("*", "a.json", true),
            ("a*c*e", "abcde", true),
            ("a*c*f", "abcde", false),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[]x", "[]x", true),
            ("[]]", "]", true),
            ("日?", "日本", true),
        ] {
            assert_eq!(fits(pattern, name), fit, "{pattern} {name}");
        }
    }

    proptest! {
        #[test]
        fn no_pattern_makes_it_panic(pattern in "[a*?\\[\\]!/-]{0,12}", name in "[a\\[\\]-]{0,12}") {
            let _ = fits(&pattern, &name);
            let _ = expanded(&[&pattern], &[]);
        }
    }
}
