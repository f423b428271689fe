//! The table of flags: what each is called, takes, does and says in the help.

use super::{choice, format as named_format, Check, COLOR, FAIL_ON, TARGETS, WRITTEN};
use crate::evidence::roles::Role;
use crate::options::Mode;
use crate::readers::READERS;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

/// One flag.
pub(super) struct Flag {
    /// Its name, with the dashes.
    pub(super) name: &'static str,
    /// Its short form, or an empty text.
    pub(super) short: &'static str,
    /// What its value is called in the help; empty where it takes none.
    pub(super) value: &'static str,
    /// What it does; a line break starts a further line of the help.
    about: &'static str,
    /// Puts it into effect.
    pub(super) set: fn(&mut Check, &str) -> Result<(), String>,
}

impl Flag {
    pub(super) fn is(&self, name: &str) -> bool {
        self.name == name || (!self.short.is_empty() && self.short == name)
    }
}

/// All flags, in the order of the help.
pub(super) const FLAGS: &[Flag] = &[
    Flag {
        name: "--format",
        short: "",
        value: "NAME",
        about: "the transcript's format, if not found out",
        set: |check, value| {
            check.format = Some(named_format(value)?);
            Ok(())
        },
    },
    Flag {
        name: "--output",
        short: "-o",
        value: "text|json|html",
        about: "how results are written; text if not given",
        set: |check, value| {
            check.output = Some(choice(WRITTEN, value)?);
            Ok(())
        },
    },
    Flag {
        name: "--mode",
        short: "",
        value: "off|readers",
        about: "how much is checked; readers if not given",
        set: |check, value| {
            check.mode = Some(mode(value)?);
            Ok(())
        },
    },
    Flag {
        name: "--roles",
        short: "",
        value: "TOOL=ROLE,…",
        about: "what your own tools do: my_shell=command;\nmay be given again",
        set: roles,
    },
    Flag {
        name: "--readers",
        short: "",
        value: "NAME,-NAME,…",
        about: "switch readers on, or off with - or no-;\nmay be given again",
        set: readers,
    },
    Flag {
        name: "--config",
        short: "",
        value: "FILE",
        about: "settings; flags win. Else counterfoil.toml\nor pyproject.toml [tool.counterfoil]",
        set: |check, value| {
            check.config = Some(value.into());
            Ok(())
        },
    },
    Flag {
        name: "--fail-on",
        short: "",
        value: "unsupported|never",
        about: "exit 1 on this; unsupported if not given",
        set: |check, value| {
            check.fail_on = Some(choice(FAIL_ON, value)?);
            Ok(())
        },
    },
    Flag {
        name: "--audit",
        short: "",
        value: "FILE",
        about: "append an audit event for each checked turn",
        set: |check, value| {
            if value.is_empty() {
                return Err("the name is empty".into());
            }
            check.audit = Some(value.into());
            Ok(())
        },
    },
    Flag {
        name: "--color",
        short: "",
        value: "auto|always|never",
        about: "colours in text; auto if not given",
        set: |check, value| {
            check.color = Some(choice(COLOR, value)?);
            Ok(())
        },
    },
    Flag {
        name: "--verbose",
        short: "-v",
        value: "",
        about: "list supported and undecided claims, too",
        set: |check, _| {
            check.verbose = true;
            Ok(())
        },
    },
    Flag {
        name: "--quiet",
        short: "-q",
        value: "",
        about: "show no progress bar",
        set: |check, _| {
            check.quiet = true;
            Ok(())
        },
    },
    Flag {
        name: "--to",
        short: "",
        value: "native",
        about: "what convert writes: counterfoil's own JSON,\nwhich it does if not given",
        set: |_, value| choice(TARGETS, value),
    },
    Flag { name: "--help", short: "-h", value: "", about: "print this", set: |_, _| Ok(()) },
    Flag { name: "--version", short: "-V", value: "", about: "print the version", set: |_, _| Ok(()) },
];

/// The modes that `check` has.
const MODES: &[(&str, Mode)] = &[("off", Mode::Off), ("readers", Mode::Readers)];

/// Why `check` has no mode `model`. The settings file may name it, too.
pub(super) const NO_MODEL: &str =
    "check asks no model; to score one: counterfoil eval FILE --model PROVIDER:NAME, and a \
                                   program asks one with verify (docs/model-step.md)";

fn mode(value: &str) -> Result<Mode, String> {
    if value == "model" {
        return Err(NO_MODEL.into());
    }
    choice(MODES, value)
}

fn roles(check: &mut Check, value: &str) -> Result<(), String> {
    for pair in value.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
        let (tool, role) = pair.split_once('=').ok_or("expected TOOL=ROLE, as in my_shell=command")?;
        check.roles.insert(tool.trim().into(), choice(&Role::ALL, role.trim())?);
    }
    Ok(())
}

fn readers(check: &mut Check, value: &str) -> Result<(), String> {
    let table: Vec<(&str, ())> = READERS.iter().map(|r| (r.name, ())).collect();
    for name in value.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let off = name.strip_prefix("no-").or_else(|| name.strip_prefix('-'));
        let name = off.unwrap_or(name);
        choice(&table, name)?;
        check.readers.insert(name.into(), off.is_none());
    }
    Ok(())
}

const HEAD: &str = "\
counterfoil checks what an AI agent says it did against the record of what it
did.

Usage:
  counterfoil check PATH…        check transcripts: files, folders, patterns
  counterfoil check -            check a transcript from standard input
  counterfoil formats            list the formats that are read
  counterfoil convert FILE       print a transcript as counterfoil's own JSON
  counterfoil canary             proof of read: serve, vectors, selftest
  counterfoil contract           freeze, plan, judge, reverify, check-types
  counterfoil eval FILE…         score the readers and a model on labelled turns

Flags:
";

const TAIL: &str = "
Examples:
  counterfoil check session.jsonl
  counterfoil check --verbose session.jsonl
  counterfoil check --output json *.jsonl > report.json
  counterfoil check --output html session.jsonl > report.html
  counterfoil check --roles my_shell=command --readers -count session.jsonl

Your own sessions, where the agent keeps them as files:
  counterfoil check ~/.claude/projects
Any other agent: write its turns as native JSON,
  {\"reply\": \"All tests pass.\", \"calls\": [{\"tool\": \"bash\",
    \"arguments\": {\"command\": \"npm test\"}, \"output\": \"…\", \"exit\": 1}]}

How to read a finding: the line of the reply with the claim underlined, why no
call in the record supports it, and the nearest call. It says what the record
shows, and never that a claim is false.

Exit codes:
  0  every file was read and nothing was flagged (or --fail-on never)
  1  something was flagged
  2  a file could not be read, or the arguments are wrong
In folders and patterns, what is no transcript is passed over and counted.
";

/// The help text.
pub(super) fn help() -> String {
    let left = |flag: &Flag| {
        let short = if flag.short.is_empty() { "    ".into() } else { format!("{}, ", flag.short) };
        format!("{short}{} {}", flag.name, flag.value)
    };
    let width = FLAGS.iter().map(|flag| left(flag).trim_end().chars().count()).max().unwrap_or(0);
    let mut out = String::from(HEAD);
    for flag in FLAGS {
        let mut label = left(flag);
        for line in flag.about.lines() {
            let _ = writeln!(out, "  {:width$}  {line}", label.trim_end());
            label.clear();
        }
    }
    out.push_str(TAIL);
    out
}
