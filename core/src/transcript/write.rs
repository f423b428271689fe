//! Native JSON text of a session: every field is written, absent is `null`.

use crate::record::{Call, Piece, Session, Turn};
use alloc::string::String;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A session as native JSON. Reading it again gives the same turns.
pub fn to_json(session: &Session) -> String {
    serde_json::to_string(&SessionView(session)).unwrap_or_default()
}

/// Turns as a list in native JSON, each with what [`to_json`] writes of it.
pub fn turns_to_json(turns: &[Turn]) -> String {
    serde_json::to_string(&Turns(turns)).unwrap_or_default()
}

struct SessionView<'a>(&'a Session);
struct TurnView<'a>(&'a Turn);

impl Serialize for SessionView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let session = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &session.id)?;
        map.serialize_entry("format", &session.format)?;
        map.serialize_entry("notes", &session.notes)?;
        map.serialize_entry("turns", &Turns(&session.turns))?;
        map.end()
    }
}

struct Turns<'a>(&'a [Turn]);

impl Serialize for Turns<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(TurnView))
    }
}

impl Serialize for TurnView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let turn = self.0;
        let (reply, calls, earlier): (&[Piece], &Option<alloc::vec::Vec<Call>>, &[Call]) =
            (&turn.reply, &turn.calls, &turn.earlier);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("user", &turn.user)?;
        map.serialize_entry("reply", reply)?;
        map.serialize_entry("calls", calls)?;
        map.serialize_entry("earlier", earlier)?;
        map.serialize_entry("said", &turn.said)?;
        map.serialize_entry("context", &turn.context)?;
        map.serialize_entry("entries", &turn.entries)?;
        map.serialize_entry("tools", &turn.tools)?;
        map.serialize_entry("model", &turn.model)?;
        map.serialize_entry("complete", if turn.gaps.none() { "yes" } else { "no" })?;
        map.serialize_entry("reasons", &turn.gaps.reasons)?;
        map.end()
    }
}
