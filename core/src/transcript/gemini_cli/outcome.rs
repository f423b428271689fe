//! How a call ended: its status first, then the host's own words at the start of the output, and for a command the lines
//! that the host adds below what it printed. `success` beside `Exit Code: 1` is the rule, not the exception.

use crate::record::{Call, Source, Status};
use crate::transcript::build::Answer;
use crate::transcript::gemini::judged;
use crate::transcript::value::{has, leaves, listed, push_line, take, take_list, text};
use alloc::string::String;
use serde_json::Value;

/// How the host's words start in the result of a call that did not succeed.
const REFUSED: [(&str, Status); 5] = [
    ("User denied execution.", Status::Declined),
    ("User did not allow tool call", Status::Declined),
    ("Tool execution denied by policy.", Status::Denied),
    ("Tool execution blocked: ", Status::Denied),
    ("User cancelled tool execution", Status::Cancelled),
];

/// How they start in the result of a command, whatever its status.
const STOPPED: [(&str, Status); 4] = [
    ("Command was automatically cancelled because it exceeded the timeout", Status::Timeout),
    ("Command was cancelled by user", Status::Cancelled),
    ("Command moved to background (PID", Status::Background),
    ("Command is running in background. PID", Status::Background),
];

/// The tool that runs commands.
const SHELL: &str = "run_shell_command";

const CANCELLED: &str = "[Operation Cancelled] Reason: ";

/// Marks of an output of which the host kept only a part.
const CUT: [&str; 4] =
    ["For full output see: ", "<tool_output_masked>", "... [CONTENT TRUNCATED] ...", "Output too large."];

/// What the host writes below the output of a command, a line each.
const BELOW: [&str; 5] = ["Error: ", "Exit Code: ", "Signal: ", "Background PIDs: ", LAST];

/// What the last of these lines starts with.
const LAST: &str = "Process Group PGID: ";

/// The result of a call; `None` while it has none.
pub(super) fn answer(call: &Call, status: &str, result: Value) -> Option<Answer> {
    let stated = match status {
        "success" => Status::Ok,
        "error" => Status::Error,
        "cancelled" => Status::Cancelled,
        _ if result.is_null() => return None,
        _ => Status::Unknown,
    };
    let mut answer = returned(result);
    let output = answer.output.as_deref().unwrap_or("");
    let start = output.trim_start();
    let start = start.strip_prefix(CANCELLED).unwrap_or(start);
    let shell = call.tool == SHELL;
    let refused = REFUSED.iter().filter(|_| stated != Status::Ok);
    let said = refused.chain(STOPPED.iter().filter(|_| shell)).find(|(words, _)| start.starts_with(words));
    // A command that prints the host's own words, as `make; echo "Exit Code: $?"` does, cannot be told from the host.
    let own = text(&call.arguments, "command").to_ascii_lowercase().contains("exit code:");
    let exit = answer.exit.or_else(|| exit_below(output).filter(|_| shell && !own));
    answer.truncated |= CUT.iter().any(|mark| output.contains(mark));
    (answer.status, answer.source) = match (said, stated) {
        (Some((_, said)), _) => (*said, Some(Source::Text)),
        (None, Status::Ok) if exit.is_some_and(|code| code != 0) => (Status::Error, Some(Source::Text)),
        (None, Status::Ok) if answer.status == Status::Error => (Status::Error, Some(Source::Field)),
        (None, Status::Unknown) => (answer.status, answer.source),
        (None, stated) => (stated, Some(Source::Field)),
    };
    answer.exit = exit;
    Some(answer)
}

/// The text of a result, with what the response itself says.
fn returned(result: Value) -> Answer {
    let parts = listed(result);
    let mut all = Answer { status: Status::Ok, ..Answer::default() };
    let mut output = String::new();
    for mut part in parts {
        if has(&part, "inlineData") || has(&part, "fileData") {
            all.truncated = true;
        } else if let mut response @ Value::Object(_) = take(&mut part, "functionResponse") {
            all.truncated |= !take_list(&mut response, "parts").is_empty();
            let one = judged(take(&mut response, "response"));
            push_line(&mut output, one.output.as_deref().unwrap_or(""));
            if one.status == Status::Error {
                (all.status, all.source) = (one.status, one.source);
            }
            all.exit = all.exit.or(one.exit);
            all.error = all.error.or(one.error);
        } else {
            push_line(&mut output, &leaves(part).0);
        }
    }
    Answer { output: Some(output), ..all }
}

/// The exit status in the lines below a command's output, the last of which names the process group. A line of the same words
/// that the command printed is above them.
fn exit_below(output: &str) -> Option<i64> {
    let output = output.trim_end();
    output.rsplit('\n').next().filter(|last| last.starts_with(LAST))?;
    let mut below = output.rsplit('\n').take_while(|line| BELOW.iter().any(|start| line.starts_with(start)));
    below.find_map(|line| line.strip_prefix("Exit Code: "))?.trim().parse().ok()
}
