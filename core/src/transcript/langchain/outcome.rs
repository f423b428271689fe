//! How a call of LangChain ended: the status, the exit status in the artifact, and the middleware's own words.

use crate::record::{Source, Status};
use crate::transcript::blocks::output;
use crate::transcript::build::Answer;
use crate::transcript::value::{exit_status, flag, has, take, text};
use serde_json::Value;

/// How results of calls that never ran start. The middleware marks them as errors.
const REFUSALS: [(&str, Status); 2] =
    [("User rejected the tool call for `", Status::Declined), ("Tool call limit exceeded. Do not ", Status::Denied)];

/// How a result starts that was put into a file, so that only a part of it is left.
const STORED: &str = "Tool result too large, the result of this tool call ";

/// What the message of a tool says.
pub(super) fn answer(mut data: Value) -> Answer {
    let failed = text(&data, "status") == "error";
    let source = has(&data, "status").then_some(Source::Field);
    let extra = take(&mut data, "additional_kwargs");
    let (said, media) = output(take(&mut data, "content"));
    let stored = has(&extra, "lc_evicted_to") || said.starts_with(STORED);
    let rejected = text(&extra, "lc_source") == "hitl_interrupt_decision"
        && extra.get("lc_data").is_some_and(|data| text(data, "decision") == "reject");
    let worded = REFUSALS.iter().find(|(start, _)| failed && said.starts_with(start));
    let mut answer = Answer::plain(said, failed, source);
    // Middleware that clears old results leaves a word in their place.
    let edited = data.get("response_metadata").and_then(|meta| meta.get("context_editing"));
    answer.truncated = media || stored || edited.is_some_and(|edited| flag(edited, "cleared"));
    answer.exited(data.get("artifact").and_then(exit_status));
    if rejected {
        answer.stated(Status::Declined);
    } else if let Some((_, status)) = worded {
        answer.status = *status;
        answer.source = Some(Source::Text);
    }
    answer
}
