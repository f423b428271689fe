/** What callers hand over, made into what the core reads: JSON text, bytes and options. */

import { CounterfoilError } from "./error.js";
import type * as types from "./types.js";

/** Bytes in any of their forms: `Uint8Array` and its like, a `DataView`, an `ArrayBuffer`. */
export type Bytes = ArrayBuffer | ArrayBufferView;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A value's bytes, where it is bytes. Realms have an `ArrayBuffer` each, so that it is known by its tag. */
function bytes(value: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return /^(Shared)?ArrayBuffer$/.test(tag(value)) ? new Uint8Array(value as ArrayBuffer) : undefined;
}

/** JSON as text or bytes, as bytes. A lone surrogate becomes one replacement character: spans stay right. */
export function source(value: unknown): Uint8Array {
  if (typeof value === "string" && value.trim() === "") throw new CounterfoilError("json", "", "an empty text");
  const read = typeof value === "string" ? encoder.encode(value) : bytes(value);
  if (read) return read;
  throw new CounterfoilError("shape", "", `expected JSON text or bytes; found ${described(value)}`);
}

/** Whether a value is JSON as text or bytes, rather than what JSON holds. */
export function written(value: unknown): value is string | Bytes {
  return typeof value === "string" || bytes(value) !== undefined;
}

/** A value as JSON text, in which lone surrogates are escapes; the core mends them. */
export function json(value: unknown): string {
  if (typeof value === "string") return value;
  const read = bytes(value);
  if (read) return decoder.decode(read.slice()); // A copy, since browsers decode no shared memory.
  try {
    return JSON.stringify(value) ?? "null";
  } catch (failure) {
    throw new CounterfoilError("shape", "", String((failure as Error).message), { cause: failure });
  }
}

/**
 * The reply of a turn as the one text that spans point into: its pieces, joined by a blank line. A reply alone will do,
 * too.
 */
export function replyText(turnOrReply: types.Turn | types.Reply): string {
  const given: unknown = turnOrReply;
  const turn = typeof given === "object" && given !== null && !Array.isArray(given);
  const reply: unknown = turn ? ((given as types.Turn).reply ?? "") : given;
  if (typeof reply === "string") return reply;
  const pieces = Array.isArray(reply)
    ? reply.map((piece) => (typeof piece === "string" ? piece : piece?.text))
    : [null];
  if (pieces.every((piece) => typeof piece === "string")) return pieces.join("\n\n");
  throw new CounterfoilError("shape", "reply", "expected a text or a list of pieces, each with a text");
}

/** No option lies deeper than this. What does has no end, maybe, and would not fit the core's stack. */
const DEEPEST = 8;

/** Options as the core takes them, once they are known to be data. */
export function plain(options: object | null | undefined): unknown {
  sound(options, "", DEEPEST);
  return options ?? undefined;
}

/** Throws where an option is nested too deeply, or is a number that JSON does not have. */
function sound(value: unknown, path: string, left: number): void {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new CounterfoilError("option", path, `expected a finite number; found ${value}`);
  }
  if (typeof value !== "object" || value === null) return;
  if (left === 0) throw new CounterfoilError("option", "", "the options are nested too deeply");
  const parts = value instanceof Map ? [...value] : Object.entries(value);
  for (const [name, part] of parts) sound(part, path ? `${path}.${String(name)}` : String(name), left - 1);
}

/** The format among the options of `parseSession`, all of which are known. */
export function format(options: unknown): string | undefined {
  if (options == null) return undefined;
  if (typeof options !== "object" || Array.isArray(options)) {
    throw new CounterfoilError(
      "option",
      "",
      `expected an object such as { format: "native" }; found ${described(options)}`,
    );
  }
  const unknown = Object.keys(options).find((name) => name !== "format");
  if (unknown !== undefined) throw new CounterfoilError("option", unknown, "unknown option; the options are format");
  const { format } = options as { format?: unknown };
  if (format == null || typeof format === "string") return format ?? undefined;
  throw new CounterfoilError("option", "format", `expected a text; found ${described(format)}`);
}

/** What a value is, in the words of an error. */
export function described(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return "a list";
  return tag(value) === "Object" ? "an object" : `an object of type ${tag(value)}`;
}

/** The word that a value has for its type, such as `Promise`. */
function tag(value: unknown): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}
