//! What a task showed on the screen: who said what and which tools were run, but hardly any results.

use super::SPOKEN;
use crate::record::{Call, Session, Status};
use crate::transcript::build::{Answer, Builder};
use crate::transcript::calls::client;
use crate::transcript::notes::Notes;
use crate::transcript::value::{at, object, push_line, take, take_string, take_text, text};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

const NO_RESULTS: &str = "what was shown on the screen holds few results of calls";

/// What the host adds to a command that needs an approval.
const ASKED: &str = "REQ_APP";

pub(super) fn read(messages: Vec<Value>, notes: &mut Notes) -> Session {
    let mut screen = Screen::default();
    for (i, message) in messages.into_iter().enumerate() {
        screen.message(message, i, notes);
    }
    screen.release(notes);
    screen.build.lacks(NO_RESULTS);
    screen.build.finish(notes)
}

#[derive(Default)]
struct Screen {
    build: Builder,
    /// The last call, with what it has shown until now.
    held: Option<(Call, Answer)>,
}

impl Screen {
    fn message(&mut self, mut message: Value, i: usize, notes: &mut Notes) {
        let kind = text(&message, "type");
        let what = text(&message, kind).to_string();
        let shown = take_string(&mut message, "text");
        match what.as_str() {
            "command_output" | "mcp_server_response" => {
                if let Some((_, answer)) = &mut self.held {
                    push_line(answer.output.get_or_insert_with(String::new), &shown);
                }
            }
            "command" => {
                let command = shown.trim_end_matches(ASKED);
                self.called("execute_command", object("command", command.into()), notes);
            }
            "tool" | "use_mcp_server" | "browser_action" => self.tool(&what, &shown, notes),
            "task" | "user_feedback" if shown.trim().is_empty() => {
                self.release(notes);
                self.build.unread_user();
            }
            "task" | "user_feedback" => {
                self.release(notes);
                self.build.user(Some(shown));
            }
            "text" | "completion_result" => self.say(shown, notes),
            "followup" | "plan_mode_respond" => {
                let said: Value = serde_json::from_str(&shown).unwrap_or_default();
                let key = SPOKEN.iter().find_map(|(_, key)| said.get(key)?.as_str());
                self.say(key.map_or(shown, ToString::to_string), notes);
            }
            "" => self.build.left_out(&at("messages", i), "neither said nor asked", notes),
            _ => self.build.between(),
        }
    }

    fn say(&mut self, said: String, notes: &mut Notes) {
        self.release(notes);
        self.build.between();
        self.build.text(said, "screen");
    }

    fn tool(&mut self, what: &str, shown: &str, notes: &mut Notes) {
        let mut tool: Value = serde_json::from_str(shown).unwrap_or_default();
        let name = ["tool", "toolName", "action"].into_iter().find_map(|key| take_text(&mut tool, key));
        let content = take(&mut tool, "content");
        self.called(&name.unwrap_or_else(|| what.to_string()), tool, notes);
        if let (Some((_, answer)), Value::String(content)) = (&mut self.held, content) {
            answer.output = Some(content);
        }
    }

    fn called(&mut self, tool: &str, arguments: Value, notes: &mut Notes) {
        self.release(notes);
        self.held =
            Some((client(tool.to_string(), arguments, None), Answer { status: Status::Unknown, ..Answer::default() }));
    }

    fn release(&mut self, notes: &mut Notes) {
        if let Some((call, answer)) = self.held.take() {
            self.build.call(call, Some(answer), notes);
        }
    }
}
