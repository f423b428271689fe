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

/// Programs, the subcommand that makes them a check where one does, and what they check; sorted by the program.
#[rustfmt::skip]
const PROGRAMS: &[(&str, &str, Check)] = &[
    ("actionlint", "", Check::Lint), ("ansible-lint", "", Check::Lint), ("bandit", "", Check::Lint),
    ("basedpyright", "", Check::Types), ("biome", "", Check::Lint), ("biome", "format", Check::Format),
    ("black", "", Check::Format), ("buf", "lint", Check::Lint), ("cargo", "c", Check::Types),
    ("cargo", "check", Check::Types), ("cargo", "clippy", Check::Lint), ("cargo", "fmt", Check::Format),
    ("checkov", "", Check::Lint), ("clang-format", "", Check::Format), ("cppcheck", "", Check::Lint),
    ("dart", "format", Check::Format), ("deno", "check", Check::Types), ("deno", "fmt", Check::Format),
    ("deno", "lint", Check::Lint), ("detekt", "", Check::Lint), ("eslint", "", Check::Lint),
    ("flake8", "", Check::Lint), ("flow", "", Check::Types), ("go", "vet", Check::Lint), ("gofmt", "", Check::Format),
    ("gofumpt", "", Check::Format), ("golangci-lint", "", Check::Lint), ("hadolint", "", Check::Lint),
    ("helm", "lint", Check::Lint), ("isort", "", Check::Format), ("ktlint", "", Check::Lint),
    ("markdownlint", "", Check::Lint), ("markdownlint-cli2", "", Check::Lint), ("mypy", "", Check::Types),
    ("next", "lint", Check::Lint), ("oxlint", "", Check::Lint), ("prettier", "", Check::Format),
    ("pycodestyle", "", Check::Lint), ("pydocstyle", "", Check::Lint), ("pyflakes", "", Check::Lint),
    ("pylint", "", Check::Lint), ("pyre", "", Check::Types), ("pyright", "", Check::Types),
    ("pytype", "", Check::Types), ("rubocop", "", Check::Lint), ("ruff", "", Check::Lint),
    ("ruff", "format", Check::Format), ("rustfmt", "", Check::Format), ("shellcheck", "", Check::Lint),
    ("shfmt", "", Check::Format), ("sqlfluff", "", Check::Lint), ("standard", "", Check::Lint),
    ("staticcheck", "", Check::Lint), ("stylelint", "", Check::Lint), ("stylua", "", Check::Format),
    ("svelte-check", "", Check::Types), ("swiftformat", "", Check::Format), ("swiftlint", "", Check::Lint),
    ("terraform", "fmt", Check::Format), ("tflint", "", Check::Lint), ("tsc", "", Check::Types),
    ("ty", "", Check::Types), ("vale", "", Check::Lint), ("vue-tsc", "", Check::Types), ("xo", "", Check::Lint),
    ("yamllint", "", Check::Lint), ("yapf", "", Check::Format),
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
    let name = program(command.words.first()?);
    let second = || command.words.iter().skip(1).find(|w| !w.starts_with('-') && !w.starts_with('+'));
    let from = PROGRAMS.partition_point(|(program, ..)| *program < name.as_ref());
    let rows = PROGRAMS.iter().skip(from).take_while(|(program, ..)| *program == name);
    // The row with a subcommand stands behind the one without.
    let fits = |(_, sub, _): &&(&str, &str, Check)| sub.is_empty() || second().is_some_and(|w| w == sub);
    if let Some((.., check)) = rows.filter(fits).last() {
        return Some(*check);
    }
    RUNNERS.binary_search(&name.as_ref()).ok()?;
    let words = || command.words.iter().skip(1).filter(|w| !w.starts_with('-'));
    let named = |list: &[&str]| words().any(|w: &String| list.iter().any(|part| w.contains(part)));
    TASKS.iter().find(|(_, list)| named(list)).map(|(check, _)| *check)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::shell;

    #[test]
    fn the_tables_are_sorted() {
        assert!(PROGRAMS.windows(2).all(|w| (w[0].0, w[0].1) < (w[1].0, w[1].1)));
        assert!(RUNNERS.windows(2).all(|w| w[0] < w[1]));
    }

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
