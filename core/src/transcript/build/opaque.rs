//! Calls that hand the work to another agent, of whose own calls the record holds none.

use crate::record::{Call, Executor, Status};
use crate::sort::set;
use crate::transcript::value::has;

/// Why a turn is incomplete in which another agent worked unseen.
pub(super) const UNSEEN: &str = "the calls of another agent are not in the record";

/// Tools that hand over, whatever their arguments are.
const HANDS_OVER: [&str; 6] =
    ["agent", "subagent", "spawn_agent", "delegate", "delegate_task", "dynamic_task__create_task"];

/// Whether another agent was at work without a call of it in the list: it may have done anything.
pub(super) fn worked_unseen(calls: &[Call]) -> bool {
    if !calls.iter().any(hands_over) {
        return false;
    }
    let parents = set(calls.iter().filter_map(|call| call.parent.as_deref()));
    let seen = |call: &Call| call.id.as_deref().is_some_and(|id| parents.contains(id));
    calls.iter().any(|call| hands_over(call) && !seen(call))
}

/// Whether a call that ran hands the work to another agent. One that never returned, or was refused, shows nothing done.
fn hands_over(call: &Call) -> bool {
    let ran = !matches!(call.status, Status::Pending | Status::Declined | Status::Denied);
    if !ran || call.executor == Some(Executor::Subagent) {
        return false;
    }
    let tool = call.tool.to_ascii_lowercase();
    match tool.as_str() {
        "wait" | "send_input" => ["ids", "id", "agent_id"].iter().any(|key| has(&call.arguments, key)),
        "task" => ["prompt", "subagent_type", "agent_type", "agent"].iter().any(|key| has(&call.arguments, key)),
        tool if HANDS_OVER.contains(&tool) => true,
        tool if tool.ends_with("_agent") => true,
        tool => tool.starts_with("transfer_to_") && !tool.contains("human"),
    }
}
