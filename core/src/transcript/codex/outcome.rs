//! How a call ended, where only the text of its output says so: the host's own lines at the start of what a shell or a patch
//! returned. Any other tool's output is not looked at, so that a file which speaks of exit codes fails no call.

use crate::record::{Source, Status};
use crate::transcript::build::Answer;
use crate::transcript::responses::shell_json;
use alloc::string::{String, ToString};

/// Tools whose results begin with the host's own lines.
const SHELLS: [&str; 8] = [
    "shell",
    "shell_command",
    "exec_command",
    "write_stdin",
    "local_shell",
    "container.exec",
    "unified_exec",
    "apply_patch",
];

/// Tools that run code, with a head of their own.
const SCRIPTS: [&str; 2] = ["exec", "wait"];

/// Starts of the host's lines in front of what a program printed.
const HEAD: [&str; 8] = [
    "Chunk ID:",
    "Wall time",
    "Exit code:",
    "Process exited with code ",
    "Original token count:",
    "Total output lines:",
    "Script completed",
    "Script failed",
];

/// What runs on, and where it does.
const RUNNING: [&str; 2] = ["Process running with session ID ", "Script running with cell ID "];

/// Starts of a result that is the host's, and what they say.
const WORDS: [(&str, Status); 16] = [
    ("exec command rejected by user", Status::Declined),
    ("patch rejected by user", Status::Declined),
    ("rejected by user", Status::Declined),
    ("patch rejected:", Status::Denied),
    ("rejected: ", Status::Denied),
    ("approval required by policy", Status::Denied),
    ("This action was rejected due to unacceptable risk.", Status::Denied),
    ("aborted by user", Status::Cancelled),
    ("command timed out after ", Status::Timeout),
    ("apply_patch verification failed", Status::Error),
    ("failed to parse function arguments", Status::Error),
    ("unsupported call:", Status::Error),
    ("unsupported custom tool call:", Status::Error),
    ("exec_command failed", Status::Error),
    ("write_stdin failed", Status::Error),
    ("execution error:", Status::Error),
];

/// Marks of an output of which the host kept only a part.
const CUT: [&str; 3] = [" tokens truncated…", " chars truncated…", "[... omitted "];

/// A result, and the session of a process that runs on.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) answer: Answer,
    pub(super) session: Option<String>,
    /// The host says that it ended.
    pub(super) ended: bool,
    /// Where what the program printed starts.
    pub(super) body: usize,
}

/// Reads the output of a tool. `succeeded` is the flag of old rollouts.
pub(super) fn of(tool: &str, mut answer: Answer, succeeded: Option<bool>) -> Told {
    let output = answer.output.take().unwrap_or_default();
    answer.truncated |= CUT.iter().any(|mark| output.contains(mark));
    if let Some(ok) = succeeded {
        answer.status = if ok { Status::Ok } else { Status::Error };
        answer.source = Some(Source::Field);
    }
    if output.trim() == "user rejected MCP tool call" {
        answer.status = Status::Declined;
        answer.source = Some(Source::Text);
    }
    let mut told = Told { answer, ..Told::default() };
    if SHELLS.contains(&tool) {
        match shell_json(&output) {
            Some(json) => {
                told.answer = Answer { truncated: told.answer.truncated, ..json };
                let body = told.answer.output.as_deref().unwrap_or_default();
                told.answer.status = if timed_out(body) { Status::Timeout } else { told.answer.status };
                return told;
            }
            None => printed(&output, &mut told),
        }
    }
    if SCRIPTS.contains(&tool) {
        printed(&output, &mut told);
    }
    told.answer.output = Some(output);
    told
}

/// What the host's lines in front of an output say.
#[derive(Default)]
struct Head<'a> {
    exit: Option<i64>,
    /// Whether a script went through.
    script: Option<bool>,
    session: Option<&'a str>,
    cut: bool,
    /// What stands behind them.
    rest: &'a str,
}

fn head(output: &str) -> Head<'_> {
    let mut head = Head { rest: output, ..Head::default() };
    while let Some((line, after)) = head.rest.split_once('\n').or((!head.rest.is_empty()).then_some((head.rest, ""))) {
        let line = line.trim_end();
        if let Some(session) = RUNNING.iter().find_map(|start| line.strip_prefix(start)) {
            head.session = Some(session.trim());
        } else if HEAD.iter().any(|start| line.starts_with(start)) {
            let code = ["Exit code:", "Process exited with code "].iter().find_map(|start| line.strip_prefix(start));
            head.exit = head.exit.or(code.and_then(|code| code.trim().parse().ok()));
            head.script = head.script.or(line.strip_prefix("Script ").map(|word| word == "completed"));
            head.cut |= line.starts_with("Total output lines:");
        } else {
            let output = line == "Output:";
            head.rest = if output { after } else { head.rest };
            // A program may print such lines as well, but not the one that ends the head.
            head.exit = head.exit.filter(|_| output);
            break;
        }
        head.rest = after;
    }
    head
}

/// Reads the host's lines and words.
fn printed(output: &str, told: &mut Told) {
    let Head { exit, script, session, cut, rest } = head(output);
    told.session = session.map(ToString::to_string);
    told.answer.truncated |= cut;
    told.ended = exit.is_some() || script.is_some();
    told.body = output.len() - rest.len();
    let word = WORDS.iter().find(|(start, _)| rest.trim_start().starts_with(start)).map(|(_, status)| *status);
    let status = match (word, exit) {
        _ if told.session.is_some() => Status::Background,
        // What a program printed is not the host's; only a timeout is told behind the head.
        (Some(Status::Timeout), _) => Status::Timeout,
        (Some(Status::Cancelled), None) => Status::Cancelled,
        (_, Some(0)) => Status::Ok,
        (_, Some(_)) => Status::Error,
        (_, None) if script.is_some() => {
            if script == Some(true) {
                Status::Ok
            } else {
                Status::Error
            }
        }
        (Some(Status::Error), None) if rest.contains("Rejected(") && rest.contains("rejected by user") => {
            Status::Declined
        }
        (Some(Status::Error), None) if rest.contains("Rejected(") => Status::Denied,
        (Some(status), None) if told.body == 0 => status,
        _ => return,
    };
    (told.answer.status, told.answer.exit, told.answer.source) = (status, exit, Some(Source::Text));
}

/// Whether a command was stopped for taking too long.
pub(super) fn timed_out(body: &str) -> bool {
    body.starts_with("command timed out after ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(tool: &str, output: &str) -> (Status, Option<i64>, Option<Source>) {
        let answer = Answer { output: Some(output.to_string()), status: Status::Ok, ..Answer::default() };
        let answer = of(tool, answer, None).answer;
        (answer.status, answer.exit, answer.source)
    }

    #[test]
    fn the_exit_is_read_from_the_hosts_lines_alone() {
        let text = Some(Source::Text);
        let unified =
            "Chunk ID: 1a\nWall time: 1.2 seconds\nProcess exited with code 1\nOriginal token count: 9\nOutput:\nx";
        assert_eq!(told("exec_command", unified), (Status::Error, Some(1), text));
        assert_eq!(
            told("shell", "Exit code: 0\nWall time: 1 seconds\nOutput:\nExit code: 4"),
            (Status::Ok, Some(0), text)
        );
        assert_eq!(told("shell", "x\nExit code: 4"), (Status::Ok, None, None));
        assert_eq!(told("shell", "Exit code: 4\nx"), (Status::Ok, None, None));
        assert_eq!(told("read_file", "Exit code: 4\nOutput:\n"), (Status::Ok, None, None));
        let old = r#"{"output":"x","metadata":{"exit_code":3}}"#;
        assert_eq!(told("shell", old), (Status::Error, Some(3), Some(Source::Field)));
        assert_eq!(told("fetch", old), (Status::Ok, None, None));
    }

    #[test]
    fn the_hosts_words_tell_who_stopped_a_call() {
        let status = |tool: &str, output: &str| told(tool, output).0;
        assert_eq!(status("shell", "exec command rejected by user"), Status::Declined);
        assert_eq!(status("apply_patch", "patch rejected: writing outside of the project"), Status::Denied);
        assert_eq!(status("shell", "rejected: blocked by policy"), Status::Denied);
        assert_eq!(status("shell", "Wall time: 3.1 seconds\naborted by user"), Status::Cancelled);
        assert_eq!(status("shell", "aborted by user after 3.1s"), Status::Cancelled);
        assert_eq!(
            status("shell", "Exit code: 124\nWall time: 1 s\nOutput:\ncommand timed out after 9 ms"),
            Status::Timeout
        );
        assert_eq!(
            status("exec_command", "Wall time: 1 s\nProcess running with session ID 7\nOutput:\n"),
            Status::Background
        );
        assert_eq!(status("apply_patch", "apply_patch verification failed: x"), Status::Error);
        let wrapped = "exec_command failed for `rm`: CreateProcess { message: \"Rejected(\\\"rejected by user\\\")\" }";
        assert_eq!(status("exec_command", wrapped), Status::Declined);
        assert_eq!(status("cat", "rejected: x"), Status::Ok);
        assert_eq!(status("exec", "Script failed\nWall time 2 seconds\nOutput:\n"), Status::Error);
        assert_eq!(status("wait", "Script completed\nWall time 2 seconds\nOutput:\nScript failed"), Status::Ok);
        assert_eq!(
            status("exec", "Script running with cell ID 28\nWall time 9 seconds\nOutput:\n"),
            Status::Background
        );
        assert_eq!(status("shell", "Wall time: 1 s\nOutput:\nrejected: x"), Status::Ok);
    }
}
