//! Dry runs: commands and tool calls that only say what they would do.

use super::wrappers::{behind, positionals, program};
use alloc::string::String;
use serde_json::Value;

/// Options that make any program only say what it would do, or what it is.
#[rustfmt::skip]
const ANYWHERE: &[&str] = &[
    "--dry-run", "--dryrun", "--dry_run", "-whatif", "--whatif", "--what-if", "--just-print", "--recon",
    "--simulate", "--no-act", "--noop", "--help", "--print-only", "--collect-only", "--listtests", "--list-tests",
    "--list-tasks",
];

/// Programs for which `-n` means a dry run, with the subcommands it means that in.
const N: &[(&str, &[&str])] = &[
    ("git", &["clean", "add", "rm", "mv", "push"]),
    ("just", &[]),
    ("make", &[]),
    ("ninja", &[]),
    ("rake", &[]),
    ("rsync", &[]),
    ("task", &[]),
];

/// Formatters and the like: their `--check` only looks.
#[rustfmt::skip]
const CHECKED: &[&str] = &[
    "alejandra", "ansible-playbook", "autoflake", "autopep8", "biome", "black", "blue", "buf", "cargo-fmt",
    "clang-format", "cue", "dart", "deno", "docformatter", "dprint", "elm-format", "fantomas", "fourmolu", "gofumpt",
    "isort", "just", "ktlint", "mix", "nixfmt", "nixpkgs-fmt", "ormolu", "oxfmt", "prettier", "pyupgrade", "ruff",
    "rufo", "rustfmt", "standard", "stylua", "swiftformat", "taplo", "terraform", "tofu", "treefmt", "usort", "xo",
    "yapf", "zig",
];

/// Subcommands and options by which one program only looks.
#[rustfmt::skip]
const ONLY: &[&str] = &[
    "alembic --sql", "apt -s", "apt-get -s", "cdk diff", "cdk synth", "ctest -N", "gofmt -l", "gofmt -d",
    "go test -list", "gradle -m", "gradlew -m", "helm template", "patch --dry-run", "playwright test --list",
    "prettier -l", "prettier --list-different", "pulumi preview", "pytest --co", "pytest --fixtures",
    "pytest --markers", "task --dry", "terraform plan", "terragrunt plan", "tofu plan", "turbo --dry", "vitest list",
];

/// Whether the command only says what it would do: no act of it happened.
pub(super) fn is_dry(words: &[String]) -> bool {
    let Some(first) = words.first() else { return false };
    let name = program(first);
    if words.iter().skip(1).any(|w| anywhere(w)) || shows_version(&name, words) {
        return true;
    }
    let has = |option: &str| words.iter().skip(1).any(|w| w == option);
    let check = has("--check") || has("-check") || has("--check-only") || has("--diff-only");
    let sub = positionals(&name, words).next().map(|(_, word)| word);
    if check && (CHECKED.contains(&name.as_ref()) || (name == "cargo" && sub == Some("fmt"))) {
        return true;
    }
    if N.iter().any(|(p, subs)| *p == name && (subs.is_empty() || sub.is_some_and(|s| subs.contains(&s))))
        && words.iter().skip(1).any(|w| letter(w, 'n'))
    {
        return true;
    }
    if name == "cargo" && words.windows(2).any(|w| w[0] == "--" && w[1] == "--list") {
        return true;
    }
    ONLY.iter().filter_map(|pattern| behind(pattern, &name)).any(|mut parts| {
        let mut subs = positionals(&name, words);
        parts.all(|p| if p.starts_with('-') { has(p) } else { subs.next().is_some_and(|(_, word)| word == p) })
    })
}

/// Whether a tool's arguments ask for a dry run.
pub(super) fn asks(arguments: &Value) -> bool {
    let Value::Object(map) = arguments else { return false };
    map.iter().any(|(key, value)| {
        let named = ["dryrun", "previewonly", "validateonly", "simulate", "whatif", "noop", "checkonly"];
        let on = match value {
            Value::Bool(on) => *on,
            Value::String(text) => matches!(text.as_str(), "true" | "True" | "yes" | "All" | "client" | "server"),
            _ => false,
        };
        on && {
            let key: String = key.chars().filter(char::is_ascii_alphanumeric).collect();
            named.iter().any(|n| key.eq_ignore_ascii_case(n))
        }
    })
}

fn anywhere(word: &str) -> bool {
    if !word.starts_with('-') || word.len() > 40 {
        return false;
    }
    let word = word.to_ascii_lowercase();
    let (name, value) = word.split_once('=').unwrap_or((&word, ""));
    ANYWHERE.contains(&name) && !matches!(value, "none" | "false" | "0")
}

/// `x --version`, and `x y --version` with nothing behind it; `install --version 1.2 y` installs.
fn shows_version(name: &str, words: &[String]) -> bool {
    let at = words.iter().position(|w| w == "--version");
    if at.is_some_and(|at| at == 1 || (at > 0 && at + 1 == words.len())) {
        return true;
    }
    // `-v` is the version only of some: `pytest -v` runs.
    let short = [
        "bun", "cargo", "git", "go", "java", "make", "node", "npm", "php", "pip", "pnpm", "python", "ruby", "rustc",
        "tsc", "yarn",
    ];
    matches!(words, [_, only] if matches!(only.as_str(), "-v" | "-V" | "-VV" | "-version" | "version"))
        && short.contains(&name)
}

/// A short option, alone or in a cluster.
fn letter(word: &str, letter: char) -> bool {
    word.strip_prefix('-').is_some_and(|w| w.contains(letter) && w.chars().all(|c| c.is_ascii_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn dry(line: &str) -> bool {
        super::super::shell::split(line).is_some_and(|l| l.commands.iter().all(|c| c.dry || c.wraps))
    }

    #[test]
    fn every_form_of_a_dry_run_is_seen() {
        for line in [
            "git push --dry-run",
            "git clean -n",
            "git clean -ndX exports",
            "git -C x clean -nd",
            "make -n install",
            "rsync -avn a b",
            "terraform plan",
            "kubectl apply --dry-run=client -f x",
            "alembic upgrade head --sql",
            "black --check .",
            "prettier --check src",
            "cargo fmt --check",
            "cargo fmt -- --check",
            "ruff format --check",
            "isort --check .",
            "pytest --collect-only",
            "npm publish --dry-run",
            "pip install --dry-run x",
            "git rm -n x",
            "apt-get -s install x",
            "pytest --version",
            "python tool.py --help",
            "sudo make -n",
            "npx prettier --check .",
            "Remove-Item x -WhatIf",
            "helm template chart",
            "cargo test -- --list",
            "gradle -m test",
            "ctest -N",
        ] {
            assert!(dry(line), "{line}");
        }
    }

    #[test]
    fn what_only_looks_like_a_dry_run_acts() {
        for line in [
            "cargo check",
            "npm run check",
            "make check",
            "git commit -n -m x",
            "sed -n 1,2p f",
            "echo -n x",
            "git merge -n x",
            "helm install --version 1.2 a b",
            "kubectl apply --dry-run=none -f x",
            "sudo -n rm x",
            "git log -n 3",
            "cargo install --version 1.0 x",
            "python check.py --check",
            "head -n 3",
        ] {
            assert!(!dry(line), "{line}");
        }
    }

    #[test]
    fn a_tools_own_argument_asks_for_a_dry_run() {
        assert!(asks(&json!({"dry_run": true})));
        assert!(asks(&json!({"dryRun": "true"})));
        assert!(!asks(&json!({"dry_run": false})));
        assert!(!asks(&json!("dry_run")));
    }
}
