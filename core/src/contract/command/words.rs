//! The words behind `contract`.

use crate::render::flat;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// What is to be done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Task {
    #[default]
    Freeze,
    Plan,
    Judge,
    Reverify,
    CheckTypes,
}

/// A task with its flags. What was not given is `None` or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) task: Task,
    /// The draft, the contract, or the folder of a run.
    pub(super) subject: String,
    /// Whether JSON is written and not text.
    pub(super) json: bool,
    pub(super) by: Option<String>,
    /// Where the frozen contract, or the run, is written.
    pub(super) out: Option<String>,
    pub(super) workspace: Option<String>,
    pub(super) observations: Option<String>,
    pub(super) capabilities: Vec<String>,
    pub(super) actor: Option<String>,
    pub(super) work_started: Option<String>,
    pub(super) offline: bool,
    /// Files of keys: the signer of `judge`, the trusted ones of `reverify`.
    pub(super) keys: Vec<String>,
    pub(super) require_signature: bool,
}

pub(super) const HELP: &str = "\
Verification contracts: what has to be true is frozen before the work, and
looked at after it.

Usage:
  counterfoil contract freeze DRAFT --by WHO [-o CONTRACT]
                                 freeze a draft; it is printed without -o
  counterfoil contract plan CONTRACT --workspace DIR
                                 show what would be looked at
  counterfoil contract judge CONTRACT --workspace DIR [--out FOLDER]
                                 look, judge, and write the run
  counterfoil contract reverify FOLDER [--key FILE]…
                                 read a run back and judge it again
  counterfoil contract check-types
                                 the types of checks

Flags:
  --by WHO             who freezes: human:NAME, policy:…, service:…, model:…
  -o, --out PATH       where the contract, or the folder of the run, is made;
                       nothing that is there is overwritten
  --workspace DIR      the absolute directory that paths are relative to
  --actor WHO          who did the work, as model:NAME
  --work-started TIME  when the work began, as 2026-01-01T09:00:00Z
  --observations FILE  what another host saw, as a JSON array
  --capability NAME    what that host can do, as sqlite; may be given again
  --offline            nothing may leave the machine
  --key FILE           of judge, a private key in PEM (Ed25519 or P-256) that
                       signs; of reverify, a public key that is trusted; there
                       it may be given again
  --require-signature  refuse a run without a signature
  --output text|json   how the result is written (text)

This program looks at files alone: checks that need a database, a server, a
browser or a program are answered by --observations, and are null without.

Exit status: 0 VERIFIED, and where nothing is judged; 1 FAILED;
2 INCONCLUSIVE or UNVERIFIED; 3 where something is refused.
";

/// Reads the words; `None` where the help is wanted.
pub(super) fn read(words: &[&str]) -> Result<Option<Wanted>, String> {
    let Some((first, rest)) = words.split_first() else { return Ok(None) };
    let task = match *first {
        "help" | "--help" | "-h" => return Ok(None),
        "freeze" => Task::Freeze,
        "plan" => Task::Plan,
        "judge" => Task::Judge,
        "reverify" => Task::Reverify,
        "check-types" => Task::CheckTypes,
        word => {
            let word = flat(word, 80);
            return Err(format!(
                "unknown command contract {word}; there are freeze, plan, judge, reverify, check-types"
            ));
        }
    };
    let mut wanted = Wanted { task, ..Wanted::default() };
    let mut subjects = Vec::new();
    let mut words = rest.iter().copied();
    while let Some(word) = words.next() {
        if matches!(word, "--help" | "-h") {
            return Ok(None);
        }
        if word == "--" {
            subjects.extend(words.by_ref());
        } else if word.starts_with('-') && word != "-" {
            flag(&mut wanted, word, &mut words)?;
        } else {
            subjects.push(word);
        }
    }
    complete(wanted, first, &subjects).map(Some)
}

/// Whether a task takes a flag.
fn takes(task: Task, flag: &str) -> bool {
    match flag {
        "--output" => true,
        "--by" => task == Task::Freeze,
        "-o" | "--out" => matches!(task, Task::Freeze | Task::Judge),
        "--key" => matches!(task, Task::Judge | Task::Reverify),
        "--require-signature" => task == Task::Reverify,
        "--observations" => task == Task::Judge,
        "--workspace" | "--capability" | "--actor" | "--work-started" | "--offline" => {
            matches!(task, Task::Plan | Task::Judge)
        }
        _ => false,
    }
}

fn flag<'w>(wanted: &mut Wanted, word: &'w str, words: &mut impl Iterator<Item = &'w str>) -> Result<(), String> {
    let (flag, value) = match word.split_once('=').filter(|_| word.starts_with("--")) {
        Some((flag, value)) => (flag, Some(value)),
        None => (word, None),
    };
    if !takes(wanted.task, flag) {
        return Err(format!("unknown flag {} here", flat(flag, 80)));
    }
    match (flag, value) {
        ("--offline" | "--require-signature", Some(_)) => return Err(format!("{flag} takes no value")),
        ("--offline", None) => wanted.offline = true,
        ("--require-signature", None) => wanted.require_signature = true,
        (flag, value) => {
            let value = value.or_else(|| words.next()).filter(|value| !value.is_empty());
            set(wanted, flag, value.ok_or_else(|| format!("{flag} needs a value"))?)?;
        }
    }
    Ok(())
}

fn set(wanted: &mut Wanted, flag: &str, value: &str) -> Result<(), String> {
    let place = match flag {
        "--capability" => {
            wanted.capabilities.push(value.to_string());
            return Ok(());
        }
        "--key" if wanted.task == Task::Reverify || wanted.keys.is_empty() => {
            wanted.keys.push(value.to_string());
            return Ok(());
        }
        "--key" => return Err("--key was given twice".into()),
        "--output" => {
            wanted.json = match value {
                "text" => false,
                "json" => true,
                other => return Err(format!("--output: expected text or json; found {}", flat(other, 80))),
            };
            return Ok(());
        }
        "--by" => &mut wanted.by,
        "--workspace" => &mut wanted.workspace,
        "--observations" => &mut wanted.observations,
        "--actor" => &mut wanted.actor,
        "--work-started" => &mut wanted.work_started,
        _ => &mut wanted.out,
    };
    if place.replace(value.to_string()).is_some() {
        return Err(format!("{flag} was given twice"));
    }
    Ok(())
}

fn complete(mut wanted: Wanted, task: &str, subjects: &[&str]) -> Result<Wanted, String> {
    let needs = match wanted.task {
        Task::Freeze => "a file with a draft",
        Task::Plan | Task::Judge => "a file with a frozen contract",
        Task::Reverify => "the folder of a run",
        Task::CheckTypes => "",
    };
    match subjects {
        [] if needs.is_empty() => return Ok(wanted),
        [one] if !needs.is_empty() && !one.is_empty() => wanted.subject = (*one).to_string(),
        [] | [_] if !needs.is_empty() => return Err(format!("contract {task} needs {needs}")),
        [.., last] => return Err(format!("contract {task}: one word too many: {}", flat(last, 80))),
        [] => {}
    }
    if wanted.task == Task::Freeze && wanted.by.is_none() {
        return Err("contract freeze needs --by, as --by human:NAME".into());
    }
    Ok(wanted)
}
