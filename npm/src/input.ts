/** What callers hand over, made into what the core reads: JSON text, bytes and options. */

import { CounterfoilError } from "./error.js";
import type * as types from "./types.js";

/** Bytes in any of their forms: `Uint8Array` and its like, a `DataView`, an `ArrayBuffer`. */
export type Bytes = ArrayBuffer | ArrayBufferView;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const exact = new TextDecoder("utf-8", { ignoreBOM: true });

/** A value's bytes, where it is bytes. Realms have an `ArrayBuffer` each, so that it is known by its tag. */
function bytes(value: unknown): Uint8Array | undefined {
  try {
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return /^(Shared)?ArrayBuffer$/.test(tag(value)) ? new Uint8Array(value as ArrayBuffer) : undefined;
  } catch (failure) {
    throw new CounterfoilError("shape", "", "the bytes were handed on to somebody else", { cause: failure });
  }
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

/**
 * Throws for an object of which JSON keeps nothing, such as a promise whose `await` was forgotten or a `Map`: it would be
 * read as an empty turn, in which nothing is claimed.
 */
export function data(value: unknown): void {
  if (typeof value !== "object" || value === null || tag(value) === "Object" || written(value)) return;
  if (Array.isArray(value) || Object.keys(value).length > 0 || "toJSON" in value) return;
  throw new CounterfoilError("shape", "", `expected data; found ${described(value)}`);
}

/** A value as JSON text, in which lone surrogates are escapes; the core mends them. */
export function json(value: unknown): string {
  if (typeof value === "string") return value;
  const read = bytes(value);
  if (read) return decoder.decode(read.slice()); // A copy, since browsers decode no shared memory.
  try {
    return JSON.stringify(value) ?? "null";
  } catch (failure) {
    const why = failure instanceof Error ? failure.message : String(failure);
    throw new CounterfoilError("shape", "", why, { cause: failure });
  }
}

/**
 * The reply of a turn as the one text that spans point into: its pieces, joined by a blank line. A reply alone will do,
 * too.
 */
export function replyText(turnOrReply: types.Turn | types.Reply): string {
  const given: unknown = turnOrReply;
  data(given);
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

/** Options have no more parts than this in all. */
const MOST = 100_000;

/** Options as the JSON text that the core reads; empty where none are given. */
export function plain(options: object | null | undefined): string {
  return options == null ? "" : JSON.stringify(copied(options, "", DEEPEST, { parts: MOST }));
}

/** A text without lone surrogates: each becomes one replacement character. */
export function mended(text: string): string {
  return exact.decode(encoder.encode(text));
}

function copied(value: unknown, path: string, left: number, budget: { parts: number }): unknown {
  const wrong = (sentence: string) => new CounterfoilError("option", path, sentence);
  if (typeof value === "number" && !Number.isFinite(value)) throw wrong(`expected a finite number; found ${value}`);
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "function" || typeof value === "symbol") throw wrong(`expected data; found a ${typeof value}`);
  if (typeof value === "string") return mended(value);
  // What is undefined keeps its name, so that an unknown one is an error all the same.
  if (typeof value !== "object" || value === null) return value ?? null;
  if (left === 0) throw new CounterfoilError("option", "", "the options are nested too deeply");
  const map = value instanceof Map;
  if (!map && !["Array", "Object"].includes(tag(value))) throw wrong(`expected data; found ${described(value)}`);
  budget.parts -= Array.isArray(value) ? value.length : map ? value.size : Object.keys(value).length;
  if (budget.parts < 0) throw wrong(`the options have more than ${MOST} parts`);
  const below = (name: string | number, part: unknown) => copied(part, joined(path, name), left - 1, budget);
  if (Array.isArray(value)) return Array.from(value, (part, i) => below(i, part));
  const parts = map ? [...value] : Object.entries(value);
  const copy = Object.create(null) as Record<string, unknown>; // Without a prototype `__proto__` is a name like any other.
  for (const [name, part] of parts) copy[mended(String(name))] = below(String(name), part);
  return copy;
}

/** The place of a part, as the core writes it. */
function joined(path: string, name: string | number): string {
  if (typeof name === "number") return `${path}[${name}]`;
  return path ? `${path}.${name}` : name;
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
