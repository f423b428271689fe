//! How hosts write calls: one shape with other names.

use super::value::{arguments, arguments_text, take_any, take_word};
use crate::record::{Call, Executor};
use alloc::string::String;
use serde_json::Value;

/// The fields by which a host writes a call, each by all its names.
pub(super) struct Shape {
    pub(super) tool: &'static [&'static str],
    pub(super) arguments: &'static [&'static str],
    pub(super) id: &'static [&'static str],
}

impl Shape {
    /// Takes a call apart. Arguments may be JSON text.
    #[inline(never)]
    pub(super) fn call(&self, value: &mut Value, executor: Executor) -> Call {
        let arguments = arguments_text(take_any(value, self.arguments));
        let id = take_word(value, self.id);
        Call { executor: Some(executor), ..client(take_word(value, self.tool), arguments, Some(id)) }
    }
}

/// A call that the agent's own host runs.
#[inline(never)]
pub(super) fn client(tool: String, input: Value, id: Option<String>) -> Call {
    let id = id.filter(|id| !id.is_empty());
    Call { tool, arguments: arguments(input), id, executor: Some(Executor::Client), ..Call::default() }
}
