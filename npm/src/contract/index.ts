/** Verification contracts: freeze, plan, judge, attest, re-verify. */

export type { InitSource } from "../browser.js";
export * from "./api.js";
export { init } from "./browser.js";
export type { Refusal } from "./error.js";
export { ContractError } from "./error.js";
export * from "./results.js";
export { ajv } from "./schema.js";
export * from "./types.js";
