/**
 * Checks what an AI agent says it did against the record of what it did.
 *
 * No model, no network, no clock: the same record gives the same answer in Node, in browsers, in Python and in Rust.
 */

export type { Options, Reader, SessionOptions, SessionSource } from "./api.js";
export { cited, parseSession, ran, readers, recode, Session, verify, verifySession } from "./api.js";
export type { InitSource } from "./browser.js";
export { init } from "./browser.js";
export type { ErrorKind } from "./error.js";
export { CounterfoilError } from "./error.js";
export type * from "./types.js";
export { version } from "./version.js";
