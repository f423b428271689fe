//! Schemas against the validator of the feature `json-schema`.
#![allow(clippy::unwrap_used, clippy::panic)]

use counterfoil::contract::strict::{parse, CALL};
use counterfoil::contract::{wire::call, Json};
use serde_json::{json, Value};

fn ask(name: &str, input: &Value) -> Result<Value, String> {
    let text = call(name, &input.to_string()).map_err(|error| error.to_json())?;
    Ok(serde_json::from_str(&text).unwrap())
}

fn judged(schema: &Value, document: &str, formats: bool) -> Result<Value, String> {
    let params = json!({"path": "a.json", "schema": schema, "assert_formats": formats});
    let contract = json!({"contract_id": "c", "checks": [{"id": "a", "type": "json_schema", "params": params}]});
    let frozen = ask("freeze", &json!({"contract": contract, "now": "2026-01-01T00:00:00Z", "by": "human:dana"}))?;
    let run = json!({"now": "2026-01-01T01:00:00Z", "workspace": "w"});
    let plan = ask("plan", &json!({"contract": frozen["contract"], "run_env": run}))?;
    let seen = json!([{"request_id": "a/file", "plan_digest": plan["plan_digest"], "outcome": "ok",
                       "value": {"kind": "file", "text": document}}]);
    let input = json!({"contract": frozen["contract"], "plan": plan, "run_env": run, "observations": seen});
    Ok(ask("judge", &input)?["check_results"][0].clone())
}

#[test]
fn a_document_fits_or_the_first_error_is_told() {
    let schema =
        json!({"type": "object", "properties": {"total": {"type": "number", "minimum": 1}}, "required": ["total"]});
    assert_eq!(judged(&schema, r#"{"total": 29}"#, false).unwrap()["status"], "pass");
    let failed = judged(&schema, r#"{"total": 0}"#, false).unwrap();
    assert_eq!(failed["status"], "fail");
    assert_eq!(failed["observed"]["first"]["path"], "/total");
    assert_eq!(failed["observed"]["first"]["keyword"], "minimum");
    assert_eq!(judged(&schema, "{}", false).unwrap()["observed"]["first"]["keyword"], "required");
}

#[test]
fn references_stay_inside() {
    let inside = json!({"$ref": "#/$defs/x", "$defs": {"x": {"type": "integer"}}});
    assert_eq!(judged(&inside, "1.0", false).unwrap()["status"], "pass");
    assert_eq!(judged(&inside, "1.5", false).unwrap()["status"], "fail");
    let named =
        json!({"$ref": "https://a.example/x", "$defs": {"x": {"$id": "https://a.example/x", "type": "integer"}}});
    assert_eq!(judged(&named, "1", false).unwrap()["status"], "pass");
    for schema in [json!({"$ref": "#/$defs/none"}), json!({"$ref": "file:///etc/passwd"}), json!({"type": "nothing"})] {
        let refused = judged(&schema, "1", false).unwrap_err();
        assert!(refused.contains("verify.contract_invalid"), "{refused}");
    }
}

#[test]
fn formats_decide_only_when_asked() {
    let schema = json!({"type": "string", "format": "date"});
    assert_eq!(judged(&schema, "\"tomorrow\"", false).unwrap()["status"], "pass");
    assert_eq!(judged(&schema, "\"tomorrow\"", true).unwrap()["status"], "fail");
    assert_eq!(judged(&json!({"format": "date"}), "\"tomorrow\"", true).unwrap()["status"], "fail");
}

#[test]
fn patterns_take_linear_time() {
    let schema = json!({"type": "string", "pattern": "^(a+)+$"});
    let document = format!("\"{}b\"", "a".repeat(100_000));
    assert_eq!(judged(&schema, &document, false).unwrap()["status"], "fail");
    let refused = judged(&json!({"type": "string", "pattern": "(?=a)b"}), "\"b\"", false).unwrap_err();
    assert!(refused.contains("verify.contract_invalid"), "{refused}");
}

#[test]
fn a_schema_that_refers_to_itself_ends() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"allOf": [{"$ref": "#"}]}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"anyOf": [{"$ref": "#/$defs/a"}]}}}),
        json!({"not": {"$ref": "#"}}),
    ] {
        let refused = judged(&schema, "1", false).unwrap_err();
        assert!(refused.contains("without a step into the document"), "{refused}");
    }
    let list = json!({"type": "object", "properties": {"next": {"$ref": "#"}}});
    let deep = |levels: usize| format!("{}1{}", "{\"next\":".repeat(levels), "}".repeat(levels));
    assert_eq!(judged(&list, &deep(128), false).unwrap()["status"], "fail");
    assert_eq!(judged(&list, &deep(129), false).unwrap()["code"], "verify.observation_truncated");
}

#[test]
fn numbers_beyond_a_double_are_told() {
    let result = judged(&json!({"type": "number"}), "0.12345678901234567890123", false).unwrap();
    assert_eq!(result["limitations"][0], "numbers beyond a double were compared as doubles");
    let whole = parse(b"[9007199254740991]", &CALL).unwrap();
    assert!(matches!(whole, Json::Array(_)));
}
