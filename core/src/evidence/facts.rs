//! What one call is and did, worked out once.

mod line;
mod shown;

use super::acts::{self, Act, Acts};
use super::deeds::{self, Deed, Deeds};
use super::roles::{given, role_of, Role};
use super::shell::{self, Join, Simple};
use super::writes::{self, Writes};
use super::{commands, dry, envelope};
use crate::record::{Call, Status};
use crate::text::span::quote;
use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use line::{line_of, shell_cell, split, Found};
use serde_json::Value;
use shown::{form, one_line, SHOWN};

/// A call with all that its name, arguments and status say.
#[derive(Clone, Debug)]
pub struct Facts<'a> {
    /// The call.
    pub call: &'a Call,
    /// Its tool's role.
    pub role: Role,
    /// The command line or the code that it ran.
    pub line: Option<Cow<'a, str>>,
    /// The simple commands of that line, wrappers resolved; empty where it did not lex or is code.
    pub commands: Vec<Simple>,
    /// What it did or may have done, had it succeeded.
    pub acts: Acts,
    /// The same, finer: which deed it did or may have done.
    pub deeds: Deeds,
    /// Which files it may have written, given how it ended.
    pub writes: Writes,
    /// Its own output says that it failed, although its host calls it fine.
    pub refuses: bool,
    /// Not known to have failed, to be pending or to run in the background.
    pub succeeded: bool,
    /// Its line holds a command whose failure the line's exit does not show.
    hides: bool,
}

/// What a tool's name says, whatever the call.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    role: Role,
    /// The host gave the role, so that no argument of a call changes it.
    given: bool,
    /// What it is given goes to a program that already runs.
    feeds: bool,
    /// The deeds that its name speaks of.
    deeds: Deeds,
    /// What its name says of files.
    files: writes::Name,
}

impl Tool {
    /// Reads a tool's name. `roles` are the host's own, which win over the built-in table.
    pub fn new(name: &str, roles: &BTreeMap<String, Role>) -> Self {
        Tool {
            role: role_of(name, roles),
            given: given(name, roles).is_some(),
            feeds: goes_to_a_running_program(name),
            deeds: deeds::of_name(name),
            files: writes::Name::of(name),
        }
    }
}

impl<'a> Facts<'a> {
    /// Works out a call. `roles` are the host's own, which win over the built-in table.
    pub fn new(call: &'a Call, roles: &BTreeMap<String, Role>) -> Self {
        Facts::with(call, Tool::new(&call.tool, roles))
    }

    /// Works out a call of a tool whose name was read before.
    pub fn with(call: &'a Call, tool: Tool) -> Self {
        let role = if tool.given { tool.role } else { settled(tool.role, call) };
        let (acts, deeds, commands) = (Acts::NONE, Deeds::NONE, Vec::new());
        let mut facts = Facts {
            call,
            role,
            line: None,
            commands,
            acts,
            deeds,
            writes: Writes::None,
            refuses: false,
            succeeded: false,
            hides: false,
        };
        if matches!(role, Role::Command | Role::Code) {
            facts.read_line();
        }
        let mut each = Vec::new();
        facts.acts = facts.work_out(tool.feeds, &mut each);
        // An agent that brought nothing back shows nothing.
        if role == Role::Agent && brought_nothing(call_text(call.output.as_ref())) {
            facts.acts = Acts::NONE;
        }
        facts.deeds = deeds::of_call((role, tool.deeds, tool.feeds), &facts, &each);
        facts.succeeded = facts.ended_well();
        if matches!(role, Role::Unknown | Role::Notify | Role::Remove) && facts.succeeded {
            facts.refuses = call.output.as_deref().is_some_and(deeds::says_failed);
        }
        facts.writes = if facts.refuses { Writes::None } else { writes::of(&facts, &each, tool.feeds, tool.files) };
        facts
    }

    /// Finds the line and splits it.
    fn read_line(&mut self) {
        let arguments = &self.call.arguments;
        let Some(found) = line_of(arguments) else { return };
        match found {
            Found::Line(line) => {
                let split = match self.role {
                    Role::Command => split(line),
                    _ => shell_cell(line),
                };
                self.line = Some(Cow::Borrowed(line));
                self.commands = split;
            }
            Found::Lines(line) => {
                self.commands = split(&line);
                self.line = Some(Cow::Owned(line));
            }
            Found::Words(words) => {
                self.line = Some(Cow::Owned(words.join(" ")));
                self.commands = shell::argv(words).commands;
            }
        }
    }

    /// What the call did; `each` becomes what each of its commands did.
    fn work_out(&mut self, feeds: bool, each: &mut Vec<Acts>) -> Acts {
        let mut line = Acts::NONE;
        each.reserve(self.commands.len());
        for command in &self.commands {
            let acts = acts::of_command(command);
            // One that only feeds a pipe and does nothing is not counted.
            let runs = command.join != Join::Pipe || acts != Acts::NONE;
            self.hides |= (command.masked && runs) || acts.could(Act::Wrap);
            line = line.with(acts);
            each.push(acts);
        }
        if dry::asks(&self.call.arguments) {
            return Acts::NONE;
        }
        if self.role == Role::Command && !self.commands.is_empty() && !feeds {
            return line;
        }
        let tool = acts::of_tool(self.role, &self.call.tool, &self.call.arguments);
        if self.role != Role::Command {
            return tool.with(line);
        }
        // What did not lex, or goes to a program that already runs, may have done anything.
        tool.with(self.line.as_deref().map_or(Acts::NONE, |l| Acts::of(acts::of_code(l), 0)))
    }

    fn ended_well(&self) -> bool {
        let call = self.call;
        match call.status {
            Status::Denied
            | Status::Declined
            | Status::Timeout
            | Status::Cancelled
            | Status::Pending
            | Status::Background => {
                return false;
            }
            Status::Error if call.exit.is_none_or(|exit| exit == 0) => return self.found_nothing(),
            _ => {}
        }
        match call.exit {
            Some(0) => true,
            Some(_) => self.found_nothing(),
            None => {
                let failed = call.status != Status::Ok && call.error.as_ref().is_some_and(|e| !e.trim().is_empty());
                !failed && !self.output_says_failure()
            }
        }
    }

    /// The failure is only that a search had no hit or that two files differ.
    fn found_nothing(&self) -> bool {
        let texts = [call_text(self.call.error.as_ref()), call_text(self.call.output.as_ref())];
        let fine = ["no matches found", "no match found", "no files found", "files differ", "condition is false"];
        let said = texts.iter().any(|text| {
            let text = text.trim().trim_end_matches('.');
            fine.iter().any(|fine| fine.eq_ignore_ascii_case(text))
        });
        if said {
            return true;
        }
        // `grep` exits with 1 for "no hit", `diff` for "they differ"; nothing else in the line can have failed unseen.
        let quiet = |c: &Simple| {
            let acts = acts::of_command(c);
            !acts.could(Act::Wrap) && (acts.did | acts.may) & !Act::Search.bit() == 0
        };
        let last = self.commands.last().and_then(|c| c.words.first());
        self.call.exit == Some(1)
            && last.is_some_and(|w| {
                matches!(
                    w.as_str(),
                    "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" | "diff" | "cmp" | "pgrep" | "which"
                )
            })
            && self.commands.iter().all(quiet)
            && !envelope::body(texts[1]).of(texts[1]).to_lowercase().contains("no such file")
    }

    /// Without an exit status, the output's own word that nothing ran or that it failed.
    fn output_says_failure(&self) -> bool {
        if !matches!(self.role, Role::Command | Role::Code) {
            return false;
        }
        let output = call_text(self.call.output.as_ref());
        let echoes = self.line.as_ref().is_some_and(|l| l.contains("$?") || l.contains("PIPESTATUS"));
        if !echoes && envelope::stated_exit(output).is_some_and(|exit| exit != 0) {
            return !self.found_nothing();
        }
        let body = envelope::body(output).of(output).trim();
        let first = body.lines().next().unwrap_or_default().trim().to_lowercase();
        let alone = self.commands.len() <= 1 || !body.contains('\n');
        let missing = first.ends_with("command not found")
            || first.contains(": command not found")
            || first.contains("is not recognized as an internal or external command");
        (missing && alone) || first.starts_with("there is no code")
    }

    /// Whether it did the deed or may have done it, and nothing says that it failed.
    pub fn may_have_done(&self, deed: Deed) -> bool {
        self.succeeded && !self.refuses && self.deeds.could(deed)
    }

    /// The deeds of the last command of its line; of any other call its own.
    pub fn last_deeds(&self) -> Deeds {
        self.commands.last().map_or(self.deeds, Facts::deeds_of)
    }

    /// The deeds of one command of a line.
    pub fn deeds_of(command: &Simple) -> Deeds {
        deeds::of_command(command, acts::of_command(command))
    }

    /// Whether its arguments or its line give it a file of this name, as a word of its own.
    pub fn is_given(&self, name: &str) -> bool {
        let same = |path: &str| path.rsplit(['/', '\\']).next().is_some_and(|last| last.eq_ignore_ascii_case(name));
        let word = |c: &Simple| c.words.iter().any(|w| same(w)) || c.writes.iter().any(|t| same(&t.path));
        let value = |v: &Value| v.as_str().is_some_and(|text| text.len() <= 512 && same(text));
        self.commands.iter().any(word) || self.call.arguments.as_object().is_some_and(|map| map.values().any(value))
    }

    /// How a call that did not succeed ended, as reasons say it: `CALL exited 1`, `CALL timed out`.
    pub fn ending(&self) -> String {
        let shown = self.shown();
        match (self.call.status, self.call.exit) {
            (Status::Denied, _) => format!("{shown} was denied"),
            (Status::Declined, _) => format!("{shown} was declined"),
            (Status::Timeout, _) => format!("{shown} timed out"),
            (Status::Cancelled, _) => format!("{shown} was cancelled"),
            (Status::Pending | Status::Background, _) => format!("{shown} has no result yet"),
            (_, Some(exit)) if exit != 0 => format!("{shown} exited {exit}"),
            _ => format!("{shown} failed"),
        }
    }

    /// Whether it was carried out at all, whatever came of it: not turned away, not waiting for its result.
    pub fn ran(&self) -> bool {
        !matches!(self.call.status, Status::Denied | Status::Declined | Status::Pending)
    }

    /// Whether its arguments make it a dry run.
    #[cfg(feature = "rules")]
    pub(crate) fn is_dry(&self) -> bool {
        dry::asks(&self.call.arguments)
    }

    /// Whether it searched, listed or looked.
    pub fn searches(&self) -> bool {
        let lists = |c: &Simple| {
            matches!(c.words.first().map(String::as_str), Some("ls" | "find" | "fd" | "tree" | "wc" | "grep" | "rg"))
        };
        matches!(self.role, Role::Search | Role::Look)
            || self.acts.names(Act::Search)
            || self.commands.iter().any(lists)
    }

    /// Whether it was stopped on its way, so that a part of it may be done.
    pub fn stopped(&self) -> bool {
        matches!(self.call.status, Status::Timeout | Status::Cancelled | Status::Background)
    }

    /// Whether the call, or a command in its line, may have exited with `n` without the record saying so.
    pub fn may_have_exited(&self, n: i64) -> bool {
        let call = self.call;
        if !matches!(self.role, Role::Command | Role::Code | Role::Agent | Role::Unknown) {
            return false;
        }
        match call.status {
            Status::Denied | Status::Declined => return false,
            Status::Error | Status::Timeout | Status::Cancelled if n == 0 && call.exit.is_none() => return false,
            _ => {}
        }
        if self.role == Role::Command && call.exit.is_some() {
            return self.commands.is_empty() || (n != 0 && self.hides);
        }
        if call.exit.is_some() {
            return true;
        }
        let stated = call.output.as_deref().and_then(envelope::stated_exit);
        stated.is_none_or(|exit| exit == n) || (n != 0 && self.hides)
    }

    /// Whether what it is given goes to a program that already runs, so that silence shows nothing.
    pub fn feeds(&self) -> bool {
        self.role == Role::Command && goes_to_a_running_program(&self.call.tool)
    }

    /// The call as reasons name it: a command by its line, any other as `tool(key="value", …)`.
    pub fn shown(&self) -> String {
        match (&self.line, self.role) {
            (Some(line), Role::Command) if !line.trim().is_empty() => quote(&one_line(line), SHOWN),
            _ => quote(&form(self.call), SHOWN),
        }
    }
}

/// The role that the arguments leave: an editor that was told to view reads, an unknown tool with a command line runs it.
fn settled(role: Role, call: &Call) -> Role {
    let command = call.arguments.get("command").and_then(Value::as_str);
    match (role, command) {
        (Role::Write, Some("view" | "open" | "read" | "show" | "list" | "ls" | "cat" | "search" | "find")) => {
            Role::Read
        }
        (Role::Write, None) => match call.arguments.get("action").and_then(Value::as_str) {
            Some("view" | "read" | "list" | "get" | "search" | "recall") => Role::Read,
            _ => Role::Write,
        },
        (Role::Unknown, _) => {
            let line = command.or_else(|| call.arguments.get("cmd").and_then(Value::as_str)).unwrap_or_default();
            let known = line.contains(' ') && line.split_ascii_whitespace().next().is_some_and(commands::is_known);
            if known {
                Role::Command
            } else {
                Role::Unknown
            }
        }
        _ => role,
    }
}

fn goes_to_a_running_program(tool: &str) -> bool {
    let words = super::roles::words(tool);
    super::roles::writes_to_a_terminal(&words)
        || words.iter().any(|w| w == "stdin" || w == "keys" || w == "keystrokes" || w == "input")
}

fn call_text(text: Option<&String>) -> &str {
    text.map_or("", String::as_str)
}

/// Whether an agent's output holds no report: nothing at all, or an envelope whose result is empty.
fn brought_nothing(output: &str) -> bool {
    const REPORTS: &[&str] = &["answer", "content", "message", "output", "report", "response", "result", "text"];
    let output = output.trim();
    if !output.starts_with('{') || output.len() > 2_000 {
        return output.is_empty();
    }
    let Ok(Value::Object(map)) = serde_json::from_str::<Value>(output) else { return false };
    let mut reports = map.iter().filter(|(key, _)| REPORTS.contains(&key.as_str())).peekable();
    let empty = |value: &Value| match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(list) => list.is_empty(),
        _ => false,
    };
    reports.peek().is_some() && reports.all(|(_, value)| empty(value))
}
