//! Edits that make a run stale: code that was changed after the run which a claim rests on.
//!
//! Only a change of code that was there before counts: a new file may be a script of its own, documents and settings are
//! not what a test covers, and a change of comments changes nothing.

use super::facts::Facts;
use super::roles::{self, Role};
use alloc::string::{String, ToString};
use serde_json::Value;

/// Endings of files that hold code, by the languages that one runner covers.
const CODE: &[&[&str]] = &[
    &["py", "pyx"],
    &["cjs", "js", "jsx", "mjs", "svelte", "ts", "tsx", "vue"],
    &["rs"],
    &["go"],
    &["c", "cc", "cpp", "cxx", "h", "hh", "hpp", "m", "mm"],
    &["groovy", "java", "kt", "scala"],
    &["cs", "fs", "vb"],
    &["rb"],
    &["php"],
    &["swift"],
    &["ex", "exs"],
    &["dart"],
    &["hs"],
    &["zig"],
];

/// Programs that cover one language, with its place among [`CODE`].
const COVERS: &[(usize, &[&str])] = &[
    (0, &["black", "flake8", "mypy", "nose2", "pylint", "pyright", "pytest", "ruff", "unittest"]),
    (1, &["eslint", "jest", "mocha", "playwright", "tsc", "vitest", "vue-tsc"]),
    (2, &["cargo", "rustc"]),
    (1, &["bun", "npm", "pnpm", "yarn"]),
    (3, &["go", "gofmt", "gotestsum", "golangci-lint"]),
    (5, &["gradle", "gradlew", "mvn", "mvnw"]),
    (6, &["dotnet"]),
    (7, &["rake", "rspec"]),
    (8, &["composer", "phpunit"]),
];

/// Folders of code that no run of tests or checks of the program itself covers.
#[rustfmt::skip]
const APART: &[&str] = &[
    ".github", "bench", "benches", "benchmarks", "ci", "config", "demo", "demos", "doc", "docs", "e2e", "example",
    "examples", "migrations", "scripts", "tmp", "tools",
];

/// The file that a call changed, if it is code that the run covers.
pub fn changed_code(facts: &Facts<'_>, run: &Facts<'_>) -> Option<String> {
    if !facts.succeeded || changed_nothing(facts) || pieces(facts).is_some_and(|(old, new)| only_comments(old, new)) {
        return None;
    }
    let path = changed(facts)?;
    let languages = covered(run);
    let name = path.rsplit(['/', '\\']).next().unwrap_or("");
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let code = languages.map_or_else(|| CODE.iter().any(|l| l.contains(&ending)), |l| l.contains(&ending));
    let folder = path.get(..path.len() - name.len()).unwrap_or("");
    let apart = folder.split(['/', '\\']).any(|part| APART.contains(&part)) || name.contains(".config.");
    (code && !apart).then(|| path.to_string())
}

fn covered(run: &Facts<'_>) -> Option<&'static [&'static str]> {
    run.commands.iter().filter_map(|c| c.words.first()).find_map(|program| {
        let name = super::wrappers::program(program);
        COVERS.iter().find(|(_, list)| list.contains(&name.as_ref())).and_then(|(at, _)| CODE.get(*at)).copied()
    })
}

/// The path of the file that an edit changed.
fn changed<'f>(facts: &'f Facts<'_>) -> Option<&'f str> {
    let arguments = &facts.call.arguments;
    match facts.role {
        Role::Write => {
            let edits = roles::words(&facts.call.tool)
                .iter()
                .any(|w| matches!(w.as_str(), "edit" | "replace" | "patch" | "multiedit" | "diff" | "insert"))
                || ["old_str", "old_string", "oldText", "code_edit", "diff", "edits"]
                    .iter()
                    .any(|key| arguments.get(key).is_some());
            let keys = ["file_path", "path", "target_file", "filename", "file", "filePath", "relative_path"];
            let path = keys.iter().find_map(|key| arguments.get(key).and_then(Value::as_str));
            path.filter(|_| edits).or_else(|| patched(arguments))
        }
        Role::Command => {
            let command = facts.commands.iter().find(|c| {
                let program = c.words.first().map_or("", String::as_str);
                matches!(program, "sed" | "perl" | "gsed") && c.words.iter().any(|w| is_in_place(w))
            })?;
            command.words.iter().skip(2).rev().map(String::as_str).find(|w| w.contains('.') && !w.contains(['*', '\\']))
        }
        _ => None,
    }
}

fn is_in_place(word: &str) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.contains('i') || word.starts_with("--in-place")
}

/// The first file that a patch updates.
fn patched(arguments: &Value) -> Option<&str> {
    let text = match arguments {
        Value::String(text) => text.as_str(),
        _ => ["input", "patch", "diff"].iter().find_map(|key| arguments.get(key).and_then(Value::as_str))?,
    };
    let at = text.find("*** Update File: ")?;
    text.get(at + 17..)?.lines().next().map(str::trim)
}

/// Sentences of tools that made no change.
#[rustfmt::skip]
const NOTHING: &[&str] = &[
    "(0 replacements", "0 occurrences replaced", "0 replacements", "did not appear verbatim", "file is unchanged",
    "made no changes", "no changes made", "no changes to make", "no changes were made", "no match found",
    "no replacement was performed", "string to replace not found", "string not found in file",
];

/// Whether a writing call left everything as it was: its own words say so, or what it put in is what it took out.
pub fn changed_nothing(facts: &Facts<'_>) -> bool {
    if facts.role != Role::Write {
        return false;
    }
    if pieces(facts).is_some_and(|(old, new)| old == new) {
        return true;
    }
    let output = facts.call.output.as_deref().unwrap_or("").trim_start();
    let start: String = output.chars().take(400).collect::<String>().to_lowercase();
    NOTHING.iter().any(|says| start.contains(says))
}

/// What an edit takes out and what it puts in.
fn pieces<'f>(facts: &'f Facts<'_>) -> Option<(&'f str, &'f str)> {
    let arguments = &facts.call.arguments;
    let text = |keys: &[&str]| keys.iter().find_map(|key| arguments.get(key).and_then(Value::as_str));
    let old = text(&["old_str", "old_string", "oldText", "old_text", "old"])?;
    Some((old, text(&["new_str", "new_string", "newText", "new_text", "new"])?))
}

/// Whether a later call took an edit back: it put in what the edit took out, or restored files as they were stored.
pub fn takes_back(later: &Facts<'_>, edit: &Facts<'_>) -> bool {
    if !later.succeeded {
        return false;
    }
    let restores = |w: &str| matches!(w, "checkout" | "reset" | "restore" | "revert" | "stash" | "undo" | "undo_edit");
    let command = later.commands.iter().any(|c| {
        c.words.first().is_some_and(|p| matches!(p.as_str(), "git" | "hg" | "jj" | "svn"))
            && c.words.iter().skip(1).take(6).any(|w| restores(w))
    });
    let tool = later.call.arguments.get("command").and_then(Value::as_str).is_some_and(restores)
        || roles::words(&later.call.tool).iter().any(|w| restores(w));
    let inverse = match (pieces(edit), pieces(later)) {
        (Some((old, new)), Some((back, out))) => old == out && new == back && changed(edit) == changed(later),
        _ => false,
    };
    command || tool || inverse
}

/// Whether two pieces of code differ only in comments and empty lines.
fn only_comments(old: &str, new: &str) -> bool {
    let code = |text: &str| -> String {
        let lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !is_comment(l));
        lines.collect::<alloc::vec::Vec<_>>().join("\n")
    };
    code(old) == code(new)
}

fn is_comment(line: &str) -> bool {
    ["#", "//", "/*", "*", "--", "\"\"\"", "<!--"].iter().any(|mark| line.starts_with(mark)) && !line.starts_with("#[")
}
