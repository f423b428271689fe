//! What a host writes down of a check: one event of this project, and the same as OpenTelemetry knows it.

use crate::render::masked;
#[cfg(feature = "command")]
use crate::{render::json::json as text_of, result::Verification};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{json, Map, Value};

/// What the host knows of a check and the core does not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// How long the check took, the model's answer included.
    pub seconds: f64,
    /// The size of the request, where a model was asked.
    pub bytes: Option<usize>,
    /// The model's name.
    pub model: Option<String>,
    /// Whether the model thought before it answered.
    pub think: Option<bool>,
    /// The provider's id of the reply that was checked: `gen_ai.response.id`.
    pub response: Option<String>,
}

/// The event `response.verification` of a result, given as JSON; `None` for `null`, which says that nothing was checked.
///
/// Its fields are `method`, `status`, `claims` (each with `reader`, `verdict`, `text`, `reason` and `line`), `calls`, `seconds` and
/// `line`, and where a model was asked `bytes`, `model`, `think` and `failure`, which else are null. Values that look
/// like secrets are masked. The host adds the time and writes one line.
pub fn audit(result: &Value, about: &About) -> Option<Value> {
    let result = result.as_object()?;
    let asked = result.get("method").is_some_and(|method| method == "model");
    let of_model = |value: Value| if asked { value } else { Value::Null };
    Some(json!({
        "event": "response.verification",
        "method": result.get("method"),
        "status": result.get("status"),
        "claims": claims(result),
        "calls": result.get("calls"),
        "seconds": about.seconds,
        "line": text(result, "line"),
        "bytes": of_model(json!(about.bytes)),
        "model": of_model(json!(about.model)),
        "think": of_model(json!(about.think.unwrap_or(false))),
        "failure": result.get("failure"),
    }))
}

#[cfg(feature = "command")]
/// The same of a result as the crate has it, as one line of JSON without its end.
pub(crate) fn line(result: Option<&Verification>, about: &About) -> Option<String> {
    let value = serde_json::to_value(result).unwrap_or_default();
    audit(&value, about).map(|event| text_of(&event))
}

fn claims(result: &Map<String, Value>) -> Vec<Value> {
    let list = result.get("claims").and_then(Value::as_array);
    let claim = |claim: &Value| {
        let claim = claim.as_object()?;
        let field = |name: &str| claim.get(name).cloned().unwrap_or_default();
        Some(json!({
            "reader": field("reader"),
            "verdict": field("verdict"),
            "text": text(claim, "text"),
            "reason": text(claim, "reason"),
            "line": field("line"),
        }))
    };
    list.into_iter().flatten().filter_map(claim).collect()
}

/// A text with the values that look secret masked.
fn text(map: &Map<String, Value>, key: &str) -> Value {
    map.get(key).and_then(Value::as_str).map_or(Value::Null, |text| Value::String(masked(text).to_string()))
}

/// The same as the event `gen_ai.evaluation.result` of the OpenTelemetry semantic conventions for generative AI
/// (<https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-events.md>, in development):
/// `name` and `attributes`. `None` where nothing was checked.
///
/// `gen_ai.evaluation.name` is `counterfoil`; `gen_ai.evaluation.score.label` is the status; `gen_ai.evaluation.score.value` is 1 for `verified`,
/// 0 for `unsupported`, and left out where the record decides nothing; `gen_ai.evaluation.explanation` is the result's line,
/// where something was flagged; `error.type` is the kind of a failed model step. A host emits it under the span of the
/// reply, or gives its id as `gen_ai.response.id`.
pub fn evaluation(result: &Value, about: &About) -> Option<Value> {
    let result = result.as_object()?;
    let mut attributes = Map::new();
    let mut put = |name: &str, value: Value| {
        if !value.is_null() {
            attributes.insert(name.into(), value);
        }
    };
    let status = result.get("status").cloned().unwrap_or_default();
    put("gen_ai.evaluation.name", "counterfoil".into());
    put(
        "gen_ai.evaluation.score.value",
        match status.as_str() {
            Some("verified") => json!(1.0),
            Some("unsupported") => json!(0.0),
            _ => Value::Null,
        },
    );
    put("gen_ai.evaluation.score.label", status);
    put("gen_ai.evaluation.explanation", text(result, "line"));
    put("gen_ai.response.id", json!(about.response));
    put("error.type", result.get("failure").cloned().unwrap_or_default());
    Some(json!({"name": "gen_ai.evaluation.result", "attributes": attributes}))
}
