//! Which model writes, under all the names by which hosts tell it.

use super::Builder;
use alloc::borrow::ToOwned;
use serde_json::Value;

/// The fields that hold the name.
const NAMES: [&str; 7] = ["model", "modelVersion", "model_version", "modelID", "modelId", "model_name", "model_id"];

/// The objects that hold one of these fields.
const INSIDE: [&str; 7] =
    ["model", "modelInfo", "model_config", "response_metadata", "metadata", "response", "model_response"];

/// The name in a value. One in angle brackets is the host's own, which writes in a model's place.
fn name(value: &Value) -> Option<&str> {
    value.as_str().filter(|name| !name.is_empty() && !name.starts_with('<'))
}

fn named(value: &Value) -> Option<&str> {
    NAMES.iter().find_map(|key| name(value.get(*key)?))
}

impl Builder {
    /// Hears which model writes what follows, where a value names one, or is the name. It holds until another is named.
    #[inline(never)]
    pub(in crate::transcript) fn model(&mut self, value: &Value) {
        let inside = || INSIDE.iter().find_map(|key| named(value.get(*key)?));
        if let Some(name) = name(value).or_else(|| named(value)).or_else(inside) {
            self.model = Some(name.to_owned());
        }
    }

    /// The model that wrote what was just read is the turn's; that of a call only where no text has one.
    pub(super) fn sign(&mut self, text: bool) {
        if text || self.current.model.is_none() {
            self.current.model.clone_from(&self.model);
        }
    }
}
