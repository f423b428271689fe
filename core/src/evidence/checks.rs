//! Linters, type checkers and formatters: which of them a command runs.

use super::shell::Simple;
use super::wrappers::program;
use alloc::string::String;

/// A kind of check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// A linter.
    Lint,
    /// A type checker, or a compiler that only checks.
    Types,
    /// A formatter.
    Format,
}

/// Programs with their subcommands, longest first, and what they check.
#[rustfmt::skip]
const PROGRAMS: &[(Check, &[&str])] = &[
    (
        Check::Types,
        &[
            "basedpyright", "cargo check", "cargo c", "deno check", "flow", "mypy", "pyre", "pyright", "pytype",
            "svelte-check", "tsc", "ty", "vue-tsc",
        ],
    ),
    (
        Check::Format,
        &[
            "biome format", "black", "cargo fmt", "clang-format", "dart format", "deno fmt", "gofmt", "gofumpt",
            "isort", "prettier", "ruff format", "rustfmt", "shfmt", "stylua", "swiftformat", "terraform fmt", "yapf",
        ],
    ),
    (
        Check::Lint,
        &[
            "actionlint", "ansible-lint", "bandit", "biome", "buf lint", "cargo clippy", "checkov", "cppcheck",
            "deno lint", "detekt", "eslint", "flake8", "go vet", "golangci-lint", "hadolint", "helm lint", "ktlint",
            "markdownlint", "markdownlint-cli2", "next lint", "oxlint", "pycodestyle", "pydocstyle", "pyflakes",
            "pylint", "rubocop", "ruff", "shellcheck", "sqlfluff", "standard", "staticcheck", "stylelint",
            "swiftlint", "tflint", "vale", "xo", "yamllint",
        ],
    ),
];

/// Programs that run tasks by their names.
#[rustfmt::skip]
const RUNNERS: &[&str] = &[
    "bun", "composer", "deno", "doit", "gradle", "gradlew", "hatch", "inv", "invoke", "just", "lerna", "make", "mise",
    "mix", "moon", "nox", "npm", "nx", "pdm", "pnpm", "poe", "rake", "task", "tox", "turbo", "yarn",
];

/// Parts of a task's name.
const TASKS: &[(Check, &[&str])] = &[
    (Check::Types, &["typecheck", "type-check", "types", "tsc", "mypy", "pyright"]),
    (Check::Format, &["format", "fmt", "prettier"]),
    (Check::Lint, &["lint", "clippy", "eslint", "style"]),
];

/// What a command checks by its name: a known program, or a task called so.
pub fn of_command(command: &Simple) -> Option<Check> {
    let first = command.words.first()?;
    let name = program(first);
    let second = command.words.iter().skip(1).find(|w| !w.starts_with('-') && !w.starts_with('+'));
    let fits = |pattern: &&str| match pattern.split_once(' ') {
        Some((program, sub)) => program == name && second.is_some_and(|w| w == sub),
        None => *pattern == name,
    };
    let known = PROGRAMS.iter().find(|(_, list)| list.iter().any(fits)).map(|(check, _)| *check);
    known.or_else(|| {
        let words = || command.words.iter().skip(1).filter(|w| !w.starts_with('-'));
        let named = |list: &[&str]| words().any(|w: &String| list.iter().any(|part| w.contains(part)));
        let tasks = || TASKS.iter().find(|(_, list)| named(list)).map(|(check, _)| *check);
        if RUNNERS.contains(&name.as_str()) {
            tasks()
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::shell;

    #[test]
    fn checks_are_known_by_their_program_or_their_task() {
        for (line, expected) in [
            ("npx eslint src", Some(Check::Lint)),
            ("cargo clippy -- -D warnings", Some(Check::Lint)),
            ("cargo +nightly fmt --check", Some(Check::Format)),
            ("npx tsc --noEmit", Some(Check::Types)),
            ("python -m mypy src", Some(Check::Types)),
            ("ruff format .", Some(Check::Format)),
            ("ruff check .", Some(Check::Lint)),
            ("npm run lint:fix", Some(Check::Lint)),
            ("make typecheck", Some(Check::Types)),
            ("npm run tidy", None),
            ("cargo build", None),
            ("cat lint.txt", None),
        ] {
            let split = shell::split(line).unwrap_or_default();
            assert_eq!(split.commands.iter().find_map(of_command), expected, "{line}");
        }
    }
}
