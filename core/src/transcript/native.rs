//! Stand-in for the native form.

use crate::record::Session;
use alloc::string::String;

/// A session as native JSON.
pub fn to_json(session: &Session) -> String {
    alloc::format!("{{\"turns\":[],\"id\":null,\"format\":null,\"notes\":[{}]}}", session.turns.len())
}
