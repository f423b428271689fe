//! Code that only computes: it has done no deed and written no file.

use super::super::roles::words;
use super::super::tools::texts;
use super::table::{MERGE, NAMED};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

/// Functions of python that only compute or print.
#[rustfmt::skip]
const PLAIN: &[&str] = &[
    "abs", "all", "any", "bool", "chr", "dict", "display", "divmod", "enumerate", "filter", "float", "format",
    "frozenset", "getattr", "hasattr", "hex", "int", "isinstance", "len", "list", "map", "max", "min", "next", "ord",
    "pow", "print", "range", "repr", "reversed", "round", "set", "sorted", "str", "sum", "tuple", "type", "zip",
];

/// Modules that only compute, or whose writing shows in the name of a method.
#[rustfmt::skip]
const COMPUTING: &[&str] = &[
    "collections", "csv", "datetime", "functools", "glob", "itertools", "json", "math", "matplotlib", "numpy", "os",
    "pandas", "random", "re", "scipy", "seaborn", "sklearn", "statistics", "string", "sys", "time",
];

/// Parts of names with which code writes, sends or runs something.
#[rustfmt::skip]
const REACHING: &[&str] = &[
    "api", "client", "commit", "connect", "copy", "create", "delete", "dump", "eval", "exec", "execute", "export",
    "insert", "mkdir", "move", "open", "popen", "post", "publish", "push", "put", "remove", "rename", "replace_",
    "request", "run", "save", "send", "session", "spawn", "store", "submit", "subprocess", "system", "to_",
    "touch", "unlink", "update_", "upload", "write",
];

/// Whether code only computes and prints, as far as can be seen: plain calls, known modules, no word of writing.
pub(in super::super) fn computes(arguments: &Value) -> bool {
    let mut plain = true;
    let mut any = false;
    texts(arguments, &mut |text| {
        if text.len() > 40 || text.contains(['\n', '(', '=']) {
            any = true;
            plain = plain && text.lines().all(plain_line);
        }
    });
    any && plain
}

/// Methods that write the file which they are given first.
#[rustfmt::skip]
const WRITERS: &[&str] = &[
    ".savefig(", ".to_csv(", ".to_excel(", ".to_feather(", ".to_html(", ".to_json(", ".to_markdown(", ".to_parquet(",
];

/// The longest line whose writing is looked at.
const LONGEST: usize = 2_000;

/// Whether code only computes, prints, and writes files whose names stand in it as plain texts.
pub(in super::super) fn writes_by_name(arguments: &Value) -> bool {
    let mut plain = true;
    let mut any = false;
    texts(arguments, &mut |text| {
        if text.len() > 40 || text.contains(['\n', '(', '=']) {
            any = true;
            plain = plain && text.lines().all(|line| named(line).is_some_and(|line| plain_line(&line)));
        }
    });
    any && plain
}

/// A line without its writing methods; none where one of them is given anything but a plain text.
fn named(line: &str) -> Option<String> {
    if line.len() > LONGEST {
        return None;
    }
    let mut line = line.to_string();
    for writer in WRITERS {
        while let Some(at) = line.find(writer) {
            let given = line.get(at + writer.len()..)?.trim_start();
            let quote = given.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
            given.get(1..)?.split(quote).next().filter(|name| !name.is_empty())?;
            line.replace_range(at..at + writer.len(), ".str(");
        }
    }
    Some(line)
}

fn plain_line(line: &str) -> bool {
    let line = line.trim_start();
    if line.starts_with(['!', '%']) || line.contains('`') {
        return false;
    }
    let mut first = line.split_whitespace();
    if let (Some("import" | "from"), Some(module)) = (first.next(), first.next()) {
        let root = module.split(['.', ',']).next().unwrap_or_default();
        return COMPUTING.contains(&root) && !line.contains(',')
            || line.starts_with("from ") && COMPUTING.contains(&root);
    }
    if REACHING.iter().any(|part| line.contains(part)) {
        return false;
    }
    // Every name that is called without a dot before it has to be a plain one.
    let parts: Vec<&str> = line.split('(').collect();
    let called = parts.iter().take(parts.len().saturating_sub(1));
    called.into_iter().all(|before| {
        let name_start = before
            .char_indices()
            .rev()
            .take_while(|(_, c)| c.is_alphanumeric() || *c == '_')
            .last()
            .map_or(before.len(), |(i, _)| i);
        let (head, name) = before.split_at(name_start);
        let acts =
            NAMED.iter().any(|(did, _, list)| *did != MERGE && words(name).iter().any(|w| list.contains(&w.as_str())));
        name.is_empty()
            || (head.ends_with('.') && !acts)
            || PLAIN.contains(&name)
            || matches!(name, "in" | "and" | "or" | "if" | "not" | "return" | "lambda")
    })
}
