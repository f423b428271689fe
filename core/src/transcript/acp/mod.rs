//! The Agent Client Protocol: the lines of JSON-RPC between an editor and an agent, or the updates alone.
//!
//! A message comes in chunks, which are one text; a call comes with updates, of which each overwrites the fields that it
//! brings. What an editor answers to a request is known by the request's id and by its own fields, because both sides
//! count their requests for themselves.

mod call;

use super::build::Builder;
use super::detect::{Format, FormatInfo, Hint};
use super::notes::Notes;
use super::slots::Slots;
use super::value::{
    copied, flag, has, list, listed, nth, number, slice, take, take_list, take_string, take_text, text,
};
use crate::record::{Call, Executor, Session, Status};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use call::{overwrite, settle, Shown};
use serde_json::Value;

pub(super) const FORMAT: Format = Format {
    info: FormatInfo { name: "acp", about: "Agent Client Protocol: JSON-RPC lines, session updates" },
    sniff,
    read,
};

fn sniff(value: &Value) -> Option<Hint> {
    let lines = slice(value);
    lines.iter().find_map(|line| {
        let line = line.get("message").filter(|inner| has(inner, "jsonrpc")).unwrap_or(line);
        if matches!(text(line, "method"), "session/update" | "session/prompt") {
            return Some(Hint::certain("method: session/update"));
        }
        let line = line.get("data").filter(|inner| has(inner, "update")).unwrap_or(line);
        let update = line.get("update").unwrap_or(line);
        has(update, "sessionUpdate").then(|| Hint::certain("sessionUpdate"))
    })
}

fn read(value: Value, notes: &mut Notes) -> Session {
    let lines = listed(value);
    let mut reader = Reader::default();
    for line in lines {
        reader.line(line, notes);
    }
    reader.heard();
    reader.build.finish(notes)
}

/// So many open requests of one id, and so many calls of one terminal, are kept.
const AT_ONCE: usize = 8;

/// What a request that is not answered yet asked for.
enum Asked {
    /// May this call run? With the options that refuse it.
    Permission { call: String, refusing: Vec<String> },
    /// What did this terminal print, how did it end?
    Terminal(String),
}

/// A terminal of the editor, in which a call runs its command.
#[derive(Default)]
struct Terminal {
    output: String,
    exit: Option<i64>,
    ended: bool,
    truncated: bool,
}

/// Reads lines one after another.
#[derive(Default)]
struct Reader {
    build: Builder,
    read: usize,
    /// The person's words so far, of a message that comes in chunks.
    saying: Option<String>,
    /// A prompt is being answered: what the agent repeats of it is no new message.
    prompted: bool,
    asked: Slots<Vec<Asked>>,
    terminals: Slots<Terminal>,
    /// Calls by the terminal in which they run.
    runs: Slots<Vec<String>>,
    /// Calls that are not over.
    open: Vec<String>,
    shown: Slots<Shown>,
}

impl Reader {
    fn line(&mut self, mut line: Value, notes: &mut Notes) {
        let i = self.read;
        self.read += 1;
        if line.get("message").is_some_and(|inner| has(inner, "jsonrpc")) {
            line = take(&mut line, "message");
        }
        if text(&line, "type") == "sessionUpdate" {
            line = take(&mut line, "data");
        }
        let id = take(&mut line, "id").to_string();
        if line.get("result").is_some() {
            return self.result(&id, take(&mut line, "result"));
        }
        let method = take_string(&mut line, "method");
        let mut params = if has(&line, "params") { take(&mut line, "params") } else { line };
        self.session(&params, notes);
        match method.as_str() {
            "session/update" | "" if has(&params, "update") => self.update(take(&mut params, "update"), i, notes),
            "" if has(&params, "sessionUpdate") => self.update(params, i, notes),
            "session/prompt" => self.prompt(take(&mut params, "prompt")),
            "session/request_permission" => self.permission(&id, params, notes),
            "terminal/output" | "terminal/wait_for_exit" => {
                let terminal = take_string(&mut params, "terminalId");
                self.ask(&id, Asked::Terminal(terminal));
            }
            "" if has(&params, "error") => {}
            "" | "session/update" => {
                self.heard();
                self.build.left_out(&nth("line", i + 1), "no message of the protocol", notes);
            }
            _ => {}
        }
    }

    /// Several sessions in one record are told apart by turns alone, so that each turn that follows a change says so.
    fn session(&mut self, params: &Value, notes: &mut Notes) {
        let id = match params.get("sessionId") {
            None => return,
            Some(Value::String(id)) => id.clone(),
            // One that cannot be read is no id that is known.
            Some(other) => other.to_string(),
        };
        if self.build.id.as_ref().is_some_and(|known| *known != id) {
            self.heard();
            self.build.end();
            self.build.gap("several sessions stand in one record");
            notes.add("changes of the session", format!("line {}: another session", self.read));
        }
        self.build.id = Some(id);
    }

    fn prompt(&mut self, prompt: Value) {
        self.heard();
        self.prompted = true;
        let Value::Array(blocks) = prompt else { return self.build.unread_user() };
        let (mut said, mut given, mut unread) = (Vec::new(), Vec::new(), blocks.is_empty());
        for mut block in blocks {
            match text(&block, "type") {
                "text" => match take_text(&mut block, "text") {
                    Some(text) => said.push(text),
                    None => unread = true,
                },
                "resource" => given.extend(take_text(&mut take(&mut block, "resource"), "text")),
                "" => unread = true,
                _ => {}
            }
        }
        self.build.heard(said.join("\n"), false, true, unread);
        for text in given {
            self.build.context(text);
        }
    }

    /// The person's message is whole once something else comes.
    fn heard(&mut self) {
        if let Some(said) = self.saying.take() {
            self.build.user(Some(said).filter(|said| !said.trim().is_empty()));
        }
    }

    fn update(&mut self, mut update: Value, i: usize, notes: &mut Notes) {
        let kind = take_string(&mut update, "sessionUpdate");
        if kind != "user_message_chunk" {
            self.heard();
        }
        match kind.as_str() {
            "user_message_chunk" if self.prompted => {}
            "user_message_chunk" => {
                let text = take_string(&mut take(&mut update, "content"), "text");
                self.saying.get_or_insert_default().push_str(&text);
            }
            "agent_message_chunk" => {
                let key = take_string(&mut update, "messageId");
                let mut content = take(&mut update, "content");
                match (take_text(&mut content, "text"), text(&content, "type")) {
                    (Some(text), _) => self.build.text(text, &key),
                    (None, "" | "text") => self.build.gap("a part of a message could not be read"),
                    _ => self.build.between(),
                }
            }
            "agent_thought_chunk" => self.build.between(),
            "tool_call" | "tool_call_update" => self.tool_call(update, notes),
            "" => {
                self.build.left_out(&nth("line", i + 1), "an update of no kind", notes);
            }
            // It may be a message of a kind that is not known yet.
            _ if has(&update, "content") => self.build.unread(&nth("line", i + 1)),
            // Plans, modes, commands and usage are beside the conversation.
            _ => {}
        }
    }

    fn tool_call(&mut self, mut update: Value, notes: &mut Notes) {
        let id = take_string(&mut update, "toolCallId");
        if id.is_empty() {
            return self.build.gap("a call could not be read");
        }
        if !self.build.knows(&id) {
            let call = Call { id: Some(id.clone()), executor: Some(Executor::Client), ..Call::default() };
            self.build.call(call, None, notes);
            self.open.push(id.clone());
        }
        let content = take_list(&mut update, "content");
        for part in content.iter().filter(|part| text(part, "type") == "terminal") {
            self.runs.change(text(part, "terminalId"), |runs| {
                if runs.len() < AT_ONCE && !runs.contains(&id) {
                    runs.push(id.clone());
                }
            });
        }
        let status = copied(&update, "status");
        let build = &mut self.build;
        self.shown.change(&id, |shown| build.amend(&id, |call| overwrite(call, shown, update, content)));
        let status = match status.as_str() {
            "completed" => Status::Ok,
            "failed" => Status::Error,
            _ => return,
        };
        self.build.amend(&id, |call| settle(call, status));
    }

    fn permission(&mut self, id: &str, mut params: Value, notes: &mut Notes) {
        self.heard();
        let call = take(&mut params, "toolCall");
        let refuses = |option: &&Value| text(option, "kind").starts_with("reject");
        let refusing = list(&params, "options").iter().filter(refuses).map(|o| copied(o, "optionId")).collect();
        let asked = Asked::Permission { call: copied(&call, "toolCallId"), refusing };
        self.ask(id, asked);
        self.tool_call(call, notes);
    }

    fn ask(&mut self, id: &str, asked: Asked) {
        self.asked.change(id, |open| {
            if open.len() < AT_ONCE {
                open.push(asked);
            }
        });
    }

    fn result(&mut self, id: &str, mut result: Value) {
        if has(&result, "stopReason") {
            self.heard();
            self.prompted = false;
            if text(&result, "stopReason") == "cancelled" {
                for id in core::mem::take(&mut self.open) {
                    self.build.amend(&id, |call| settle(call, Status::Cancelled));
                }
            }
            self.open.clear();
            return self.build.end();
        }
        let outcome = take(&mut result, "outcome");
        let terminal = has(&result, "output") || has(&result, "exitCode") || has(&result, "signal");
        let Some(asked) = self.asked.get_mut(id) else { return };
        let fits = |asked: &Asked| match asked {
            Asked::Permission { .. } => outcome.is_object(),
            Asked::Terminal(_) => terminal,
        };
        let Some(place) = asked.iter().position(fits) else { return };
        match asked.remove(place) {
            Asked::Permission { call, refusing } => {
                let chosen = text(&outcome, "optionId");
                let cancelled = text(&outcome, "outcome") == "cancelled";
                if cancelled || refusing.iter().any(|option| option == chosen) {
                    self.build.amend(&call, |call| settle(call, Status::Declined));
                }
            }
            Asked::Terminal(id) => self.printed(&id, result),
        }
    }

    /// What a terminal printed, and how its command ended.
    fn printed(&mut self, id: &str, mut result: Value) {
        self.terminals.change(id, |terminal| {
            if let Some(output) = take_text(&mut result, "output") {
                terminal.output = output;
                terminal.truncated = flag(&result, "truncated");
            }
            let status = match take(&mut result, "exitStatus") {
                Value::Null => result,
                status => status,
            };
            terminal.exit = number(&status, "exitCode").or(terminal.exit);
            terminal.ended |= terminal.exit.is_some() || has(&status, "signal");
        });
        let Some(terminal) = self.terminals.get(id) else { return };
        for call in self.runs.get(id).map_or(&[][..], Vec::as_slice) {
            self.build.amend(call, |call| {
                call.output = Some(terminal.output.clone());
                call.truncated = terminal.truncated;
                call.exit = terminal.exit;
                if terminal.ended && terminal.exit != Some(0) {
                    settle(call, Status::Error);
                }
            });
        }
    }
}
