//! Messages of the user role: which are the person's, which are the host's, and which stand twice.

use crate::record::{Call, Executor, Status};
use crate::transcript::build::Builder;
use crate::transcript::value::object;
use alloc::string::{String, ToString};

/// What the host's own messages start with where they are no element of one name.
const INJECTED: [&str; 4] =
    ["# AGENTS.md instructions", "<permissions instructions>", "<hook_prompt", "[external unanswered prompt"];

/// By which of the two logs a message came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route {
    Item,
    Event,
}

/// What was said so far, to know a message that comes a second time and one that steers.
#[derive(Debug, Default)]
pub(super) struct Talk {
    /// The last message, until its copy in the other log has come.
    last: Option<(Route, String)>,
    /// The host works on a message: what comes in between steers and opens no turn.
    busy: bool,
    heard: bool,
    acted: bool,
}

impl Talk {
    /// The host starts to work on a message, or is done with it.
    pub(super) fn task(&mut self, starts: bool) {
        self.busy = starts;
        self.heard = false;
    }

    /// The agent said or did something.
    pub(super) fn acted(&mut self) {
        self.acted = true;
    }

    /// A line could not be read: nothing is known of what the host is at.
    pub(super) fn lost(&mut self) {
        self.busy = false;
    }

    /// Whether a message came before by the other log.
    pub(super) fn known(&self, text: &str, route: Route) -> bool {
        self.last.as_ref().is_some_and(|(by, former)| *by != route && same(former, text))
    }

    /// The person's words, once.
    pub(super) fn hear(&mut self, build: &mut Builder, text: String, route: Route) {
        if self.known(&text, route) {
            self.last = None;
            return;
        }
        if self.busy && self.heard && self.acted {
            build.context(text.clone());
        } else {
            build.user(Some(text.clone()).filter(|text| !text.trim().is_empty()));
            self.acted = false;
        }
        self.heard = true;
        self.last = Some((route, text));
    }
}

/// Whether two texts are the same message. An editor puts what is open in front of one of them.
fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.trim(), b.trim());
    a == b || !a.is_empty() && !b.is_empty() && (a.ends_with(b) || b.ends_with(a))
}

/// Whether a message is the host's: one element whose name has an underscore, or a fixed start.
pub(super) fn injected(text: &str) -> bool {
    let text = text.trim();
    if INJECTED.iter().any(|start| text.starts_with(start)) {
        return true;
    }
    let Some((name, _)) = text.strip_prefix('<').and_then(|rest| rest.split_once('>')) else { return false };
    let named = matches!(name, "skill" | "subagents")
        || name.contains('_') && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    let end = text.strip_suffix('>').and_then(|rest| rest.strip_suffix(name)).unwrap_or("");
    named && end.ends_with("</")
}

/// Whether a text only stands around a picture.
pub(super) fn around_picture(text: &str) -> bool {
    let text = text.trim();
    text == "</image>" || text.starts_with("<image") && text.ends_with('>') && text.len() < 512
}

/// A command that the person ran, with what it printed.
pub(super) fn command(text: &str) -> Option<Call> {
    let rest = text.trim().strip_prefix("<user_shell_command>")?;
    let (line, rest) = rest.split_once("<command>")?.1.split_once("</command>")?;
    let printed = rest.split_once("<result>")?.1;
    let printed = printed.rsplit_once("</result>").map_or(printed, |(printed, _)| printed).trim_start_matches('\n');
    let exit = printed.strip_prefix("Exit code: ").and_then(|rest| rest.lines().next()?.trim().parse().ok());
    Some(Call {
        tool: "shell".to_string(),
        arguments: object("command", line.trim().into()),
        output: Some(printed.to_string()),
        status: if exit.is_some_and(|code: i64| code != 0) { Status::Error } else { Status::Ok },
        exit,
        source: exit.map(|_| crate::record::Source::Text),
        executor: Some(Executor::User),
        ..Call::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_hosts_elements_are_told_from_a_persons_markup() {
        for text in ["<environment_context>\n<cwd>/x</cwd>\n</environment_context>", "<skill>\nx\n</skill>"] {
            assert!(injected(text), "{text}");
        }
        assert!(injected("# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nBe kind\n</INSTRUCTIONS>"));
        for text in ["<div>x</div>", "<a_b>x", "Fix <environment_context>", "<b>", "<environment_context>x</b>", ">"] {
            assert!(!injected(text), "{text}");
        }
    }

    #[test]
    fn a_command_of_the_person_brings_its_exit() {
        let text =
            "<user_shell_command>\n<command>\nmake\n</command>\n<result>\nExit code: 2\nOutput:\nboom\n</result>\n\
            </user_shell_command>";
        let call = command(text).unwrap();
        assert_eq!((call.exit, call.status), (Some(2), Status::Error));
        assert_eq!(call.arguments, json!({"command": "make"}));
        assert_eq!(call.output.as_deref(), Some("Exit code: 2\nOutput:\nboom\n"));
    }
}
