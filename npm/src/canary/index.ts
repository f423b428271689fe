/** Proof of read: a probe document with a value that only someone to whom its bytes came can report. */

export type { InitSource } from "../browser.js";
export type { ErrorKind } from "../error.js";
export { CounterfoilError } from "../error.js";
export * from "./api.js";
export { init } from "./browser.js";
export type { Handler, HandlerOptions, WebRequest, WebResponse } from "./handler.js";
export { handler } from "./handler.js";
export type { Incoming, Outgoing } from "./http.js";
export { listener } from "./http.js"; // In Node alone.
