//! Which files a call may have written: those that it names, or any.

use super::acts::{self, Act, Acts};
use super::deeds::{computes, writes_by_name};
use super::facts::Facts;
use super::roles::{words, Role};
use super::shell::Simple;
use super::wrappers::{positionals, program};
use alloc::string::String;
use serde_json::Value;

/// What a call may have written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Writes {
    /// No file.
    #[default]
    None,
    /// Files that its arguments or its output name.
    Named,
    /// Any file: a script, a generator, a folder or a pattern given to a program that writes.
    Any,
}

/// What the name of a tool says of files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Name {
    /// It may keep what it sees: a screenshot, a download, the plan that the person was shown.
    sees: bool,
    /// It makes what is often kept in a file: a chart, a document.
    draws: bool,
    /// It keeps what it is given in a file of its own choice.
    keeps: bool,
    /// It writes what it is given.
    writes: bool,
}

impl Name {
    /// Reads a tool's name.
    pub(super) fn of(name: &str) -> Self {
        let words = words(name);
        let has = |list: &[&str]| words.iter().any(|w| list.contains(&w.as_str()));
        Name {
            sees: has(&[
                "capture",
                "download",
                "dump",
                "export",
                "plan",
                "recording",
                "save",
                "screenshot",
                "snapshot",
            ]),
            draws: has(&["chart", "diagram", "pdf", "plot", "report", "spreadsheet"]),
            keeps: has(&["memories", "memory"]),
            writes: has(&["append", "create", "edit", "export", "patch", "put", "replace", "save", "update", "write"]),
        }
    }
}

/// What the call may have written, given how it ended. `feeds`: its text goes to a program that already runs.
///
/// `each`: what each command of its line did.
pub(super) fn of(facts: &Facts<'_>, each: &[Acts], feeds: bool, name: Name) -> Writes {
    if !facts.ran() {
        return Writes::None;
    }
    let able = if feeds { Writes::Any } else { able(facts, each, name) };
    if facts.succeeded || facts.stopped() {
        return if able != Writes::None && changed_nothing(facts) { Writes::None } else { able };
    }
    // A line of several commands may have written before it failed, a script what it says that it wrote.
    let partly = facts.commands.len() > 1 || facts.acts.could(Act::Wrap);
    if partly {
        able.min(Writes::Named)
    } else {
        Writes::None
    }
}

fn able(facts: &Facts<'_>, each: &[Acts], name: Name) -> Writes {
    let arguments = &facts.call.arguments;
    match facts.role {
        Role::Read | Role::Look | Role::Search | Role::Fetch | Role::Ask if name.sees || keeps_what_it_sees(facts) => {
            Writes::Any
        }
        Role::Read | Role::Look | Role::Search | Role::Fetch | Role::Ask | Role::Notify => Writes::None,
        Role::Write | Role::Remove if names_path(arguments) && !name.keeps => Writes::Named,
        Role::Agent if facts.acts.none() => Writes::None,
        Role::Agent | Role::Write | Role::Remove => Writes::Any,
        Role::Code if facts.commands.is_empty() && computes(arguments) => Writes::None,
        Role::Code if facts.commands.is_empty() && writes_by_name(arguments) => Writes::Named,
        Role::Code => Writes::Any,
        Role::Command if facts.commands.is_empty() => Writes::Any,
        Role::Command => facts.commands.iter().zip(each).map(command).max().unwrap_or_default(),
        Role::Unknown => unknown(facts, arguments, name),
    }
}

/// A tool of unknown meaning writes the file that it is given where its name says so; from others another may come.
fn unknown(facts: &Facts<'_>, arguments: &Value, name: Name) -> Writes {
    if !(facts.acts.could(Act::Write) || facts.acts.could(Act::Wrap) || name.sees || name.draws) {
        return Writes::None;
    }
    if name.writes && names_path(arguments) {
        Writes::Named
    } else {
        Writes::Any
    }
}

/// Whether the arguments say where: by a key, or in the text of a patch.
fn names_path(arguments: &Value) -> bool {
    let key = |key: &str| {
        let key = key.to_lowercase();
        ["path", "file", "target", "notebook", "destination"].iter().any(|part| key.contains(part))
    };
    let patch = |text: &str| text.contains("*** ") || text.contains("+++ ");
    match arguments {
        Value::String(text) => patch(text),
        Value::Object(map) => map.iter().any(|(k, value)| match value {
            Value::String(text) => key(k) || patch(text),
            Value::Array(_) => key(k),
            _ => false,
        }),
        _ => false,
    }
}

/// Whether the arguments of a look ask that it be kept in a file.
fn keeps_what_it_sees(facts: &Facts<'_>) -> bool {
    let has = |text: &str, parts: &[&str]| {
        let bytes = text.as_bytes();
        parts.iter().any(|part| bytes.windows(part.len()).any(|w| w.eq_ignore_ascii_case(part.as_bytes())))
    };
    let asked = |key: &String| key == "out" || has(key, &["save", "output", "dest", "download"]);
    if facts.call.arguments.as_object().is_some_and(|map| map.keys().any(asked)) {
        return true;
    }
    let statement = ["sql", "query", "statement"].iter().find_map(|key| facts.call.arguments.get(key)?.as_str());
    statement.is_some_and(|text| has(text, &["copy ", "outfile", "export", "unload"]))
}

/// Programs that write the files they are given by name, and no others.
#[rustfmt::skip]
const BY_NAME: &[&str] = &[
    "autopep8", "black", "clang-format", "cp", "curl", "dos2unix", "ed", "eslint", "ex", "gofmt", "gsed", "isort",
    "jq", "ln", "mv", "perl", "prettier", "ruff", "rustfmt", "sd", "sed", "shfmt", "stylua", "truncate", "wget",
    "yapf", "yq",
];

/// What one simple command may have written.
fn command((command, acts): (&Simple, &Acts)) -> Writes {
    let redirects = if command.writes.is_empty() { Writes::None } else { Writes::Named };
    if command.writes.iter().any(|t| t.path.contains(['$', '`'])) {
        return Writes::Any;
    }
    let Some(first) = command.words.first() else { return redirects };
    let name = program(first);
    if acts.could(Act::Wrap) || acts.may == Acts::ANY.may {
        let code = command.words.iter().skip(1).chain(&command.input);
        let inline =
            matches!(name.as_ref(), "python" | "node") && code.clone().any(|w| matches!(w.as_str(), "-c" | "-e" | "-"));
        if inline && computes(&Value::Array(code.map(|w| Value::String(w.clone())).collect())) {
            return redirects;
        }
        let only_tests = acts.names(Act::Test) && !acts.names(Act::Build) && !records(command);
        return if only_tests { Writes::Named } else { Writes::Any };
    }
    if acts.names(Act::Build) || (acts.names(Act::Test) && records(command)) {
        return Writes::Any;
    }
    // A check writes its report where it is told to, a client what it fetches or what its statement says.
    let asked = redirects.max(if keeps(&name, command) { Writes::Named } else { Writes::None });
    if brings(&name, command) {
        return Writes::Any;
    }
    let writes = acts.names(Act::Write) || acts.could(Act::Cut) || acts.could(Act::Remove);
    if !writes {
        return asked.max(if acts.could(Act::Write) { Writes::Named } else { Writes::None });
    }
    // A folder is no file.
    if name == "mkdir" {
        return redirects;
    }
    let staging = ["add", "rm", "commit", "tag", "push", "clean"];
    if name == "git" {
        let sub = positionals(&name, &command.words).next().map_or("", |(_, w)| w);
        return if staging.contains(&sub) { Writes::Named } else { Writes::Any };
    }
    if matches!(name.as_ref(), "touch" | "chmod" | "chown" | "cat" | "echo" | "printf" | "tee" | "rm") {
        return if command.words.iter().any(|w| w.contains(['$', '*', '{'])) { Writes::Any } else { Writes::Named };
    }
    // An option's value (`-e s/a/b/`) is no operand; a folder, a pattern or a variable may stand for any file.
    let file = |w: &String| {
        w.rsplit('/').next().is_some_and(|n| n.trim_start_matches('.').contains('.'))
            && !w.contains(['$', '*', '{', '`'])
    };
    // Of an editor's words the first is its script.
    let script = usize::from(matches!(name.as_ref(), "sed" | "gsed" | "perl" | "ruby" | "sd" | "awk" | "gawk"));
    let operands = || command.words.iter().skip(1).filter(|w| !w.starts_with('-')).skip(script);
    let wide = |w: &String| matches!(w.as_str(), "." | "..") || w.ends_with('/') || w.contains(['*', '$']);
    let only_redirects = || {
        let alone = Simple { writes: alloc::vec![], ..command.clone() };
        !acts::of_command(&alone).could(Act::Write)
    };
    let by_name = BY_NAME.contains(&name.as_ref()) && operands().any(file) && !operands().any(wide);
    if by_name || (redirects == Writes::Named && only_redirects()) {
        Writes::Named
    } else {
        Writes::Any
    }
}

/// Whether a run of tests was told to leave a report, a coverage, a profile or new snapshots behind.
fn records(command: &Simple) -> bool {
    let parts = [
        "benchmark",
        "cov",
        "html",
        "junit",
        "out",
        "prof",
        "record",
        "report",
        "save",
        "snap",
        "trace",
        "update",
        "xml",
    ];
    let told = |w: &String| w.starts_with('-') && (w == "-u" || parts.iter().any(|part| w.contains(part)));
    command.words.iter().skip(1).any(told)
}

/// Whether an option of a command names a file for its output, or its statement copies into one.
fn keeps(name: &str, command: &Simple) -> bool {
    let options =
        ["-o", "--out", "--report", "--junit", "--html", "--xml", "--json-", "--log-file", "--save", "--export"];
    let clients = ["psql", "mysql", "mariadb", "sqlite3", "duckdb", "clickhouse-client", "cockroach", "sqlcmd", "bq"];
    let copies = |w: &String| {
        let text = w.to_ascii_lowercase();
        ["copy ", "outfile", "export ", ".output", ".once", "unload"].iter().any(|part| text.contains(part))
    };
    let words = || command.words.iter().skip(1);
    words().any(|w| options.iter().any(|option| w.starts_with(option)))
        || (clients.contains(&name) && words().any(copies))
}

/// Whether a client fetches what the address does not name: an index, a whole site, a name that the server gives.
fn brings(name: &str, command: &Simple) -> bool {
    let words = || command.words.iter().skip(1);
    let has = |letters: &str| {
        words().any(|w| w.starts_with('-') && !w.starts_with("--") && w.contains(|c| letters.contains(c)))
    };
    let bare = words().any(|w| {
        let path = w.split_once("://").map(|(_, rest)| rest);
        path.is_some_and(|path| path.ends_with('/') || !path.contains('/') || path.contains('?'))
    });
    let named = has("o") || words().any(|w| w.starts_with("--output"));
    match name {
        "curl" => has("J") || (has("O") && bare) || words().any(|w| w.starts_with("--remote")),
        "wget" => has("rmpi") || (bare && !has("O") && !named),
        _ => false,
    }
}

/// Whether an edit says of itself that it changed nothing.
fn changed_nothing(facts: &Facts<'_>) -> bool {
    if facts.role != Role::Write {
        return false;
    }
    let arguments = &facts.call.arguments;
    let same = [("old_str", "new_str"), ("old_string", "new_string"), ("old", "new"), ("oldText", "newText")];
    let same = same.iter().any(|(old, new)| {
        let text = |key: &str| arguments.get(key).and_then(Value::as_str);
        text(old).is_some_and(|old| !old.is_empty() && Some(old) == text(new))
    });
    let output = facts.call.output.as_deref().unwrap_or_default();
    let said = output.len() < 600 && {
        let text = output.to_lowercase();
        let nothing = [
            "0 replacements",
            "did not appear verbatim",
            "no changes made",
            "no changes to",
            "no changes were",
            "no replacement was",
            "no replacements",
            "not found in",
            "nothing to change",
            "string to replace not found",
        ];
        nothing.iter().any(|words| text.contains(words))
    };
    same || said
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Call;
    use alloc::collections::BTreeMap;
    use alloc::string::ToString;
    use serde_json::json;

    fn writes(tool: &str, arguments: Value, output: &str) -> Writes {
        let call = Call { tool: tool.to_string(), arguments, output: Some(output.to_string()), ..Call::default() };
        Facts::new(&call, &BTreeMap::new()).writes
    }

    #[test]
    fn commands_write_what_they_name_or_anything() {
        for (line, expected) in [
            ("ls -la", Writes::None),
            ("cat a.txt | grep x", Writes::None),
            ("git log; git diff", Writes::None),
            ("mkdir docs", Writes::None),
            ("sed -i s/a/b/ conf/app.toml", Writes::Named),
            ("cat > notes.md <<'E'\nx\nE", Writes::Named),
            ("echo x >> a.md", Writes::Named),
            ("cp a.md b.md", Writes::Named),
            ("git commit -am x", Writes::Named),
            ("pytest -q", Writes::Named),
            ("pytest --cov --cov-report=xml", Writes::Any),
            ("mypy --junit-xml out/types.xml .", Writes::Named),
            ("mypy src", Writes::None),
            ("psql -c \"\\copy t to 't.csv'\"", Writes::Named),
            ("wget -r https://host.test", Writes::Any),
            ("sed -i s/a/b/ src/*.py", Writes::Any),
            ("cargo fmt", Writes::Any),
            ("black .", Writes::Any),
            ("git checkout main", Writes::Any),
            ("python tools/gen.py", Writes::Any),
            ("make docs", Writes::Any),
            ("frobnicate x", Writes::Any),
            ("python -c 'print(len(\"abc\"))'", Writes::None),
        ] {
            assert_eq!(writes("bash", json!({ "command": line }), ""), expected, "{line}");
        }
    }

    #[test]
    fn tools_write_what_they_name_or_anything() {
        assert_eq!(writes("write_file", json!({"path": "a.md", "content": "x"}), "ok"), Writes::Named);
        assert_eq!(writes("read_file", json!({"path": "a.md"}), "x"), Writes::None);
        assert_eq!(
            writes("Edit", json!({"file_path": "a.md", "old_string": "x", "new_string": "x"}), ""),
            Writes::None
        );
        assert_eq!(writes("Edit", json!({"file_path": "a.md"}), "No replacement was performed"), Writes::None);
        assert_eq!(writes("render_page", json!({"title": "x"}), ""), Writes::Any);
        assert_eq!(writes("export_report", json!({"path": "a.csv"}), ""), Writes::Named);
        assert_eq!(writes("Task", json!({"prompt": "x"}), "done"), Writes::Any);
        assert_eq!(writes("Task", json!({"prompt": "x"}), ""), Writes::None);
    }
}
