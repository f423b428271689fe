//! What a call returned, and how a host says that it ended.

use crate::record::{Call, Source, Status};
use alloc::string::String;

/// What a call returned.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) output: Option<String>,
    pub(super) truncated: bool,
    pub(super) status: Status,
    pub(super) exit: Option<i64>,
    pub(super) error: Option<String>,
    pub(super) source: Option<Source>,
}

impl Answer {
    /// A result of which nothing is known but its text and whether the host called it a failure.
    #[inline(never)]
    pub(super) fn plain(output: String, failed: bool, source: Option<Source>) -> Self {
        let status = if failed { Status::Error } else { Status::Ok };
        Answer { output: Some(output), status, source, ..Answer::default() }
    }

    /// A result of which nothing is known but its text, and whether some of it cannot be read as text.
    #[inline(never)]
    pub(super) fn of((output, truncated): (String, bool)) -> Self {
        Answer { truncated, ..Answer::plain(output, false, None) }
    }

    /// What went wrong in place of a result, as the host says in a field.
    #[inline(never)]
    pub(super) fn failed(error: String) -> Self {
        Answer { error: Some(error.clone()), ..Answer::plain(error, true, Some(Source::Field)) }
    }

    /// What the host says in a field: a status that is not `ok` wins over what the result itself says.
    #[inline(never)]
    pub(super) fn stated(&mut self, status: Status) {
        if status != Status::Ok {
            self.status = status;
        }
        self.source = Some(Source::Field);
    }

    /// Sets the exit status that a field holds; one that is not 0 is a failure, whatever else the host says.
    #[inline(never)]
    pub(super) fn exited(&mut self, exit: Option<i64>) {
        if let Some(code) = exit {
            self.exit = exit;
            let failed = code != 0 && self.status == Status::Ok;
            self.stated(if failed { Status::Error } else { Status::Ok });
        }
    }
}

/// What hosts write in the place of an output that they cleared, to make room in the window.
const CLEARED: &str = "[Old tool result content cleared]";

/// Gives a call what it returned.
pub(super) fn fill(call: &mut Call, answer: Answer) {
    call.truncated |= answer.truncated || answer.output.as_deref().is_some_and(|out| CLEARED == out.trim());
    call.output = answer.output;
    call.status = answer.status;
    call.exit = answer.exit;
    call.error = answer.error;
    call.source = answer.source;
}
