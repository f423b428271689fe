//! The command line, without its file system: arguments in, text and an exit code out.
//!
//! The packages' programs read files and print; everything that a person sees is made here, so that help, errors,
//! output and exit codes are the same bytes in each of them. A program does this:
//!
//! 1. [`parse`] the arguments. [`Invocation::Print`] is printed with exit 0, [`Invocation::Fail`] to standard
//!    error with its exit code.
//! 2. For a [`Check`], read the settings file: the one that `config` names, else `counterfoil.toml`, else
//!    `pyproject.toml` in the working directory, else in the nearest folder above it that has one, and hand it to [`Check::configure`].
//! 3. Make a [`Run`], have [`Run::expand`] find the files that the words name, give it every file, print what it
//!    returns, and end with what [`Run::finish`] says. Where the check names a file for its audit, what [`Run::events`]
//!    gives after each file or piece is appended to it.
//!
//! For a [`Convert`], read the one file and print what [`Convert::convert`] returns.

pub(crate) mod bar;
mod convert;
mod flags;
mod passed;
mod paths;
mod pieces;
mod run;
mod settings;
mod table;

pub use convert::Convert;
pub use paths::{Look, Named};
pub use run::{Finished, Output, Run, Terminal};

use crate::options::{named, Limits, Mode};
use crate::sort::sorted;
use crate::transcript::FORMATS;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use flags::FLAGS;
use serde_json::Value;

/// What the arguments ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invocation {
    /// Check files.
    Check(Check),
    /// Read a file and print it as native JSON.
    Convert(Convert),
    /// Print this and end with exit 0.
    Print(String),
    /// Print this to standard error and end with this exit code.
    Fail {
        /// The line for standard error, with its line end.
        message: String,
        /// Always 2.
        exit: u8,
    },
}

/// How results are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Written {
    /// For a person at a terminal.
    #[default]
    Text,
    /// One list with a report a file.
    Json,
    /// One page.
    Html,
}

/// When colours are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// Where the program writes to a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What ends with exit 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FailOn {
    /// A flagged claim.
    #[default]
    Unsupported,
    /// Nothing.
    Never,
}

const WRITTEN: &[(&str, Written)] = &[("text", Written::Text), ("json", Written::Json), ("html", Written::Html)];
const COLOR: &[(&str, Color)] = &[("auto", Color::Auto), ("always", Color::Always), ("never", Color::Never)];
const FAIL_ON: &[(&str, FailOn)] = &[("unsupported", FailOn::Unsupported), ("never", FailOn::Never)];

/// What a transcript can be converted to.
const TARGETS: &[(&str, ())] = &[("native", ())];

/// `check` with its files and settings. What is `None` or empty was not given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Check {
    /// The files; `-` is standard input.
    pub files: Vec<String>,
    /// The settings file that was named.
    pub config: Option<String>,
    /// The transcripts' format.
    pub format: Option<String>,
    /// How results are written.
    pub output: Option<Written>,
    /// What ends with exit 1.
    pub fail_on: Option<FailOn>,
    /// When colours are used.
    pub color: Option<Color>,
    /// List what is supported, too.
    pub verbose: bool,
    /// Show no progress.
    pub quiet: bool,
    /// Where an audit event for each checked turn is appended.
    pub audit: Option<String>,
    /// How much is checked.
    pub mode: Option<Mode>,
    /// Roles of the host's own tools.
    pub roles: BTreeMap<String, crate::evidence::roles::Role>,
    /// Readers switched on or off.
    pub readers: BTreeMap<String, bool>,
    /// Bounds, which only a settings file can set.
    pub limits: Option<Limits>,
    /// Names of the tools on offer, which only a settings file can set.
    pub tools: Option<Vec<String>>,
    /// What came of proofs of read, which only a settings file can hold.
    pub canaries: Vec<crate::probe::Probe>,
    /// The rules, which only a settings file can hold.
    pub rules: Vec<crate::rules::Rule>,
}

/// Reads the arguments, without the program's own name.
pub fn parse(args: &[String]) -> Invocation {
    match read(args) {
        Ok(invocation) => invocation,
        Err(message) => {
            Invocation::Fail { message: format!("counterfoil: {message}\nTry `counterfoil --help`.\n"), exit: 2 }
        }
    }
}

/// The help text.
pub fn help() -> String {
    flags::help()
}

fn read(args: &[String]) -> Result<Invocation, String> {
    let mut check = Check::default();
    let (mut words, mut given): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut args = args.iter().map(String::as_str);
    let mut flags = true;
    while let Some(arg) = args.next() {
        if !flags || arg == "-" || !arg.starts_with('-') {
            words.push(arg);
            continue;
        }
        if arg == "--" {
            flags = false;
            continue;
        }
        let (name, value) = arg.split_once('=').map_or((arg, None), |(name, value)| (name, Some(value)));
        let flag = FLAGS.iter().find(|flag| flag.is(name)).ok_or_else(|| unknown_flag(name))?;
        match flag.name {
            "--help" => return Ok(Invocation::Print(help())),
            "--version" => return Ok(Invocation::Print(format!("counterfoil {}\n", crate::VERSION))),
            _ => {}
        }
        let value = match (flag.value, value) {
            ("", None) => "",
            ("", Some(_)) => return Err(format!("{} takes no value", flag.name)),
            (_, Some(value)) => value,
            (wanted, None) => {
                args.next().ok_or_else(|| format!("{} needs a value: {} {wanted}", flag.name, flag.name))?
            }
        };
        (flag.set)(&mut check, value).map_err(|message| format!("{}: {message}", flag.name))?;
        given.push(flag.name);
    }
    if let Some(name) = words.first().and_then(|word| given.iter().find(|name| !takes(word, name))) {
        return Err(format!("{name} does not go with {}", words.first().unwrap_or(&"")));
    }
    match words.split_first() {
        None | Some((&"help", _)) => Ok(Invocation::Print(help())),
        // The programs hand the words behind these to modules of their own before they come here.
        Some((word @ &("canary" | "contract" | "eval"), _)) => Err(format!("{word} stands before all flags")),
        Some((&"formats", [])) => convert::formats(check.output.unwrap_or_default()).map(Invocation::Print),
        Some((&"formats", [word, ..])) => Err(format!("formats takes no words; found {}", printable(word))),
        Some((&"convert", [file])) => Ok(Invocation::Convert(Convert { file: file.to_string(), format: check.format })),
        Some((&"convert", _)) => Err("convert needs one file, or - for standard input".into()),
        Some((&"check", [])) => Err("check needs a file, or - for standard input".into()),
        Some((&"check", files)) => {
            check.files = files.iter().map(ToString::to_string).collect();
            Ok(Invocation::Check(check))
        }
        Some((word, _)) => Err(unknown_command(word)),
    }
}

/// Whether a command takes a flag.
fn takes(command: &str, flag: &str) -> bool {
    match command {
        "formats" => flag == "--output",
        "convert" => matches!(flag, "--to" | "--format"),
        "check" => flag != "--to",
        _ => true,
    }
}

fn unknown_flag(name: &str) -> String {
    let names = FLAGS.iter().flat_map(|flag| [flag.name, flag.short]).filter(|name| name.len() > 2);
    format!("unknown flag {}{}", printable(name), suggestion(name, names))
}

fn unknown_command(word: &str) -> String {
    let looks_like_a_file = word.contains(['.', '/', '\\']);
    if looks_like_a_file {
        return format!("unknown command {0}; to check a file: counterfoil check {0}", printable(word));
    }
    format!(
        "unknown command {}{}",
        printable(word),
        suggestion(word, ["canary", "check", "contract", "convert", "eval", "formats", "help"].into_iter())
    )
}

/// The value of a name in a table, or what to say about it.
fn choice<T: Copy>(table: &[(&str, T)], name: &str) -> Result<T, String> {
    named(table, "", &Value::String(name.into()))
        .map_err(|error| format!("{}{}", error.message(), suggestion(name, table.iter().map(|&(known, _)| known))))
}

/// The name of a format, or the nearest ones.
fn format(name: &str) -> Result<String, String> {
    if FORMATS.iter().any(|format| format.name == name) {
        return Ok(name.into());
    }
    let near = |known: &str| (!known.contains(name) && !name.contains(known), distance(name, known));
    let mut names: Vec<&str> = sorted(FORMATS.iter().map(|f| f.name).collect(), |a, b| near(a).cmp(&near(b)));
    names.truncate(3);
    let (last, names) = (names.pop().unwrap_or(""), names.join(", "));
    Err(format!(
        "no format is called \"{}\"; the nearest are {names} and {last}, and `counterfoil formats` lists all",
        printable(name)
    ))
}

/// `; did you mean NAME?`, or nothing where no name is near.
fn suggestion<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> String {
    let near = names.map(|name| (distance(word, name), name)).min();
    match near {
        Some((distance, name)) if distance <= 1 + name.len() / 4 => format!("; did you mean {name}?"),
        _ => String::new(),
    }
}

/// How many characters have to be put in, taken out, changed or swapped with the next. Long words are far from all.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(41).collect(), b.chars().take(41).collect());
    if a.len() > 40 || b.len() > 40 {
        return usize::MAX;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = alloc::vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + same);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = core::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

/// A word of the arguments as an error shows it: on one line, not too long, without control characters.
fn printable(word: &str) -> String {
    crate::text::span::quote(&word.chars().map(crate::render::safe).collect::<String>(), 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::roles::Role;
    use proptest::prelude::*;

    fn parsed(args: &[&str]) -> Invocation {
        parse(&args.iter().map(ToString::to_string).collect::<Vec<String>>())
    }

    fn check(args: &[&str]) -> Check {
        match parsed(args) {
            Invocation::Check(check) => check,
            other => panic!("{other:?}"),
        }
    }

    fn failure(args: &[&str]) -> String {
        match parsed(args) {
            Invocation::Fail { message, exit: 2 } => message.lines().next().unwrap_or("").into(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn flags_may_stand_anywhere_and_take_values_both_ways() {
        let found = check(&["--format", "native", "check", "a", "-v", "--output=json", "-", "--color=never"]);
        assert_eq!(found.files, ["a", "-"]);
        assert_eq!(found.format.as_deref(), Some("native"));
        assert_eq!((found.output, found.color, found.verbose), (Some(Written::Json), Some(Color::Never), true));
    }

    #[test]
    fn after_two_dashes_nothing_is_a_flag() {
        assert_eq!(check(&["check", "--", "--help", "-x"]).files, ["--help", "-x"]);
    }

    #[test]
    fn roles_and_readers_add_up() {
        let found = check(&[
            "check",
            "a",
            "--roles",
            "x=command, y=read",
            "--roles=x=write",
            "--readers",
            "-count,no-call",
            "--readers",
            "call",
        ]);
        assert_eq!(found.roles.get("x"), Some(&Role::Write));
        assert_eq!(found.roles.get("y"), Some(&Role::Read));
        assert_eq!(found.readers.get("count"), Some(&false));
        assert_eq!(found.readers.get("call"), Some(&true));
    }

    #[test]
    fn a_value_that_starts_with_a_dash_is_a_value() {
        assert_eq!(check(&["check", "a", "--readers", "-count"]).readers.get("count"), Some(&false));
    }

    #[test]
    fn mistakes_are_named_with_what_was_meant() {
        assert_eq!(
            failure(&["check", "a", "--outptu", "json"]),
            "counterfoil: unknown flag --outptu; did you mean --output?"
        );
        assert_eq!(failure(&["chekc", "a"]), "counterfoil: unknown command chekc; did you mean check?");
        assert_eq!(
            failure(&["a.jsonl"]),
            "counterfoil: unknown command a.jsonl; to check a file: counterfoil check a.jsonl"
        );
        assert_eq!(failure(&["check"]), "counterfoil: check needs a file, or - for standard input");
        assert_eq!(
            failure(&["check", "a", "--output", "jsno"]),
            "counterfoil: --output: expected one of text, json, html; found \"jsno\"; did you mean json?"
        );
        assert_eq!(failure(&["check", "a", "--format"]), "counterfoil: --format needs a value: --format NAME");
        assert_eq!(failure(&["check", "a", "--verbose=1"]), "counterfoil: --verbose takes no value");
        assert_eq!(
            failure(&["check", "a", "--format", "claude"]),
            "counterfoil: --format: no format is called \"claude\"; the nearest are claude-code, cline and codex, and \
             `counterfoil formats` lists all"
        );
        assert!(failure(&["convert", "a", "--format", "opencoed"]).contains("the nearest are opencode, "));
        assert_eq!(failure(&["--roles", "x"]), "counterfoil: --roles: expected TOOL=ROLE, as in my_shell=command");
        assert!(failure(&["--readers", "counts"]).ends_with("; did you mean count?"));
        assert!(failure(&["--mode", "raeders"]).contains("expected one of off, readers; found"));
        assert!(failure(&["check", "a", "--mode", "model"])
            .contains("--mode: check asks no model; to score one: counterfoil eval"));
        assert_eq!(failure(&["check", "a", "--audit="]), "counterfoil: --audit: the name is empty");
        assert_eq!(failure(&["--\u{1b}[2J"]), "counterfoil: unknown flag --␛[2J");
    }

    #[test]
    fn each_command_takes_its_own_flags_and_words() {
        let wanted = Convert { file: "a.json".into(), format: Some("native".into()) };
        let found = parsed(&["convert", "a.json", "--to", "native", "--format", "native"]);
        assert_eq!(found, Invocation::Convert(wanted));
        let plain = Convert { file: "a.json".into(), format: None };
        assert_eq!(parsed(&["convert", "a.json"]), Invocation::Convert(plain), "native is all that there is");
        assert_eq!(
            failure(&["convert", "a", "b", "--to=native"]),
            "counterfoil: convert needs one file, or - for standard input"
        );
        assert_eq!(
            failure(&["convert", "a", "--to", "html"]),
            "counterfoil: --to: expected one of native; found \"html\""
        );
        assert_eq!(failure(&["check", "a", "--to", "native"]), "counterfoil: --to does not go with check");
        assert_eq!(failure(&["formats", "-v"]), "counterfoil: --verbose does not go with formats");
        assert_eq!(failure(&["formats", "a"]), "counterfoil: formats takes no words; found a");
        let Invocation::Print(text) = parsed(&["formats"]) else { panic!() };
        assert!(text.lines().any(|line| line.starts_with("claude-code  ")), "{text}");
        let Invocation::Print(text) = parsed(&["formats", "-o", "json"]) else { panic!() };
        let list: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(list[0]["name"], "native");
    }

    #[test]
    fn help_shows_every_flag_and_fits_a_terminal() {
        let Invocation::Print(text) = parsed(&[]) else { panic!() };
        assert_eq!(parsed(&["check", "-h"]), Invocation::Print(text.clone()));
        assert!(FLAGS.iter().all(|flag| text.contains(flag.name)));
        let long: Vec<&str> = text.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{long:#?}");
        assert_eq!(parsed(&["--version"]), Invocation::Print(format!("counterfoil {}\n", crate::VERSION)));
    }

    proptest! {
        #[test]
        fn no_argument_makes_it_panic(args in proptest::collection::vec("(?s)-{0,2}.{0,12}", 0..5)) {
            let _ = parse(&args);
        }
    }
}
