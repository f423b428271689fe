//! Verification contracts across the border to JavaScript, as a wasm file of its own: the entry `counterfoil/contract`.
//!
//! The contract stays in the core; arguments, results and refusals cross as JSON text.

use counterfoil::contract::wire;
use wasm_bindgen::prelude::*;

/// Calls a function with an object of its arguments. A refusal is thrown as JSON text.
#[wasm_bindgen]
pub fn call(name: &str, input: &str) -> Result<String, JsValue> {
    wire::call(name, input).map_err(|error| JsValue::from_str(&error.to_json()))
}
