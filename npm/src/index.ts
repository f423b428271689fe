/**
 * Checks what an AI agent says it did against the record of what it did.
 *
 * No model, no network, no clock: the same record gives the same answer in Node, in browsers, in Python and in Rust.
 */

export * from "./api.js";
export { Session } from "./api.js"; // Not the interface of types.ts, which is NativeSession.
export type { InitSource } from "./browser.js";
export { init } from "./browser.js";
export type { ErrorKind } from "./error.js";
export { CounterfoilError } from "./error.js";
export type { Bytes } from "./input.js";
export type { Piece as StreamPiece, Readable, StreamOptions, StreamSource } from "./stream.js";
export { readTurns, TurnStream, verifyTurns } from "./stream.js";
export type * from "./types.js";
export type { Session as NativeSession } from "./types.js";
export { version } from "./version.js";
