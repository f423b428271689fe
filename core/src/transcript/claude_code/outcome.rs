//! How a call ended: fields first, then the host's own fixed words, and those only in a result that
//! the host flags as an error. A file that says "Exit code 1" never fails the call that read it.

use super::line::Details;
use crate::record::{Source, Status};
use crate::transcript::blocks::Returned;
use crate::transcript::build::Answer;
use alloc::string::ToString;

/// What a person's refusal starts with.
const DECLINED: [&str; 3] = [
    "The user doesn't want to proceed with this tool use.",
    "The user doesn't want to take this action right now.",
    "User rejected tool use",
];

/// What a refusal by rule or hook starts with.
const DENIED: [&str; 4] = [
    "Claude requested permissions to",
    "This command requires approval",
    "PreToolUse hook did not respond",
    "Hook PreToolUse:",
];

/// What a call that was stopped starts with.
const CANCELLED: [&str; 2] = ["Cancelled: parallel tool call", "[Request interrupted by user"];

const TIMED_OUT: &str = "Command timed out after";

/// Marks of an output of which the host kept only a part.
const CUT: [&str; 2] = ["<persisted-output>", " lines truncated] ..."];

/// The result of a call with what the host's fields and words say of it.
pub(super) fn answer(returned: Returned, details: Details) -> Answer {
    let failed = returned.is_error == Some(true);
    let words = if failed { words(&returned.output) } else { Words::default() };
    let (status, source) = judge(&returned, &details, &words, failed);
    let truncated = returned.media || details.truncated || CUT.iter().any(|mark| returned.output.contains(mark));
    let error = details.error.filter(|_| failed).map(|text| match text.strip_prefix("Error: ") {
        Some(rest) => rest.to_string(),
        None => text,
    });
    Answer { truncated, status, exit: words.exit, error, source, output: Some(returned.output) }
}

fn judge(returned: &Returned, details: &Details, words: &Words, failed: bool) -> (Status, Option<Source>) {
    let field = Some(Source::Field);
    if details.timed_out {
        return (Status::Timeout, field);
    }
    if details.interrupted {
        return (Status::Cancelled, field);
    }
    if details.background {
        return (Status::Background, field);
    }
    if details.fine {
        return (Status::Ok, field);
    }
    match words.status {
        Some(status) => (status, Some(Source::Text)),
        None if words.exit.is_some() => (Status::Error, Some(Source::Text)),
        None if failed => (Status::Error, field),
        None => (Status::Ok, returned.is_error.and(field)),
    }
}

/// What the host's fixed words say.
#[derive(Default)]
struct Words {
    exit: Option<i64>,
    status: Option<Status>,
}

fn words(output: &str) -> Words {
    let mut rest = output.trim_start();
    rest = rest.strip_prefix("<tool_use_error>").unwrap_or(rest);
    rest = rest.strip_prefix("Error: ").unwrap_or(rest);
    let (first, after) = rest.split_once('\n').unwrap_or((rest, ""));
    let exit = first.strip_prefix("Exit code ").and_then(|code| code.trim().parse().ok());
    if exit.is_some() {
        rest = after.trim_start();
    }
    let starts = |table: &[&str]| table.iter().any(|start| rest.starts_with(start));
    let permission = rest.starts_with("Permission to use ") && first_line(rest).contains(" has been denied");
    let hook = rest.starts_with("PreToolUse:") && first_line(rest).contains("hook");
    let status = if starts(&DECLINED) {
        Some(Status::Declined)
    } else if permission || hook || starts(&DENIED) {
        Some(Status::Denied)
    } else if starts(&CANCELLED) {
        Some(Status::Cancelled)
    } else if rest.starts_with(TIMED_OUT) || last_line(rest).starts_with(TIMED_OUT) {
        Some(Status::Timeout)
    } else {
        None
    };
    Words { exit, status }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("")
}

fn last_line(text: &str) -> &str {
    text.trim_end().rsplit('\n').next().unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    fn of(output: &str, is_error: Option<bool>, details: Details) -> Answer {
        answer(Returned { output: String::from(output), is_error, ..Returned::default() }, details)
    }

    fn status(output: &str) -> Status {
        of(output, Some(true), Details::default()).status
    }

    #[test]
    fn the_exit_code_is_read_from_the_first_line_of_a_failed_result_only() {
        let failed = of("Exit code 2\nboom", Some(true), Details::default());
        assert_eq!((failed.status, failed.exit, failed.source), (Status::Error, Some(2), Some(Source::Text)));
        let printed = of("Exit code 2\nboom", Some(false), Details::default());
        assert_eq!((printed.status, printed.exit), (Status::Ok, None));
        let silent = of("Exit code 2\nboom", None, Details::default());
        assert_eq!((silent.status, silent.exit, silent.source), (Status::Ok, None, None));
    }

    #[test]
    fn the_hosts_own_words_tell_a_refusal_from_a_failure() {
        assert_eq!(status("The user doesn't want to proceed with this tool use. The tool"), Status::Declined);
        assert_eq!(status("The user doesn't want to take this action right now."), Status::Declined);
        assert_eq!(status("Permission to use Bash has been denied."), Status::Denied);
        assert_eq!(status("Claude requested permissions to write to x"), Status::Denied);
        assert_eq!(status("This command requires approval"), Status::Denied);
        assert_eq!(status("<tool_use_error>Cancelled: parallel tool call</tool_use_error>"), Status::Cancelled);
        assert_eq!(status("Exit code 143\nCommand timed out after 2m 0.0s"), Status::Timeout);
        assert_eq!(status("Command timed out after 2m"), Status::Timeout);
        assert_eq!(status("no such file"), Status::Error);
        assert_eq!(of("Permission to use Bash has been denied.", None, Details::default()).status, Status::Ok);
    }

    #[test]
    fn fields_come_before_words() {
        let details = || Details { interrupted: true, ..Details::default() };
        assert_eq!(of("Exit code 1", Some(true), details()).status, Status::Cancelled);
        let fine = Details { fine: true, ..Details::default() };
        let found_nothing = of("", Some(false), fine);
        assert_eq!((found_nothing.status, found_nothing.source), (Status::Ok, Some(Source::Field)));
        let running = Details { background: true, ..Details::default() };
        assert_eq!(of("Command running in background", None, running).status, Status::Background);
        let slow = Details { timed_out: true, ..Details::default() };
        assert_eq!(of("", None, slow).status, Status::Timeout);
    }

    #[test]
    fn an_output_that_was_stored_elsewhere_is_an_excerpt() {
        let kept = Details { truncated: true, ..Details::default() };
        assert!(of("head", None, kept).truncated);
        assert!(of("a\n... [12 lines truncated] ...\nb", None, Details::default()).truncated);
        assert!(!of("a\nb", None, Details::default()).truncated);
    }
}
