/** The package's functions. Each hands JSON text to the core and reads JSON text back. */

import * as core from "./core/counterfoil.js";
import { attempt, CounterfoilError } from "./error.js";
import { ready } from "./load.js";
import type * as types from "./types.js";

/** Settings of a check; what is left out, undefined or null keeps its default. */
export interface Options {
  /** How much is checked: `readers` (the default) or `off`. */
  mode?: "off" | "readers" | null | undefined;
  /** What your own tools do, by name: `{ my_shell: "command" }`. */
  roles?: Readonly<Record<string, string>> | null | undefined;
  /** Readers switched on or off by name. */
  readers?: Readonly<Record<string, boolean>> | null | undefined;
  /** `flagged`: the most flagged claims that are listed (12); `quote`: the most characters quoted (120). */
  limits?: { flagged?: number | null | undefined; quote?: number | null | undefined } | null | undefined;
  /** Names of the tools on offer, for turns that do not name theirs. */
  tools?: readonly string[] | null | undefined;
  /** Claims of your own domain. They need the entry `counterfoil/rules`, which has all that this one has. */
  rules?: readonly Rule[] | null | undefined;
}

/** A rule: which claims of your own domain are read, and what call supports one. */
export interface Rule {
  /** The name of the reader in its claims: lower-case letters, digits, `_`, `-`. */
  name: string;
  /** What is said to have been done: `["deployed", "rolled out"]`. */
  says: readonly string[];
  /** What has to stand in the same clause; one of several. */
  object?: string | readonly string[] | null | undefined;
  /** What a call has to be: all that is named here. */
  needs: {
    /** Its role: `command`, `write`, … */
    role?: string | null | undefined;
    /** The name of its tool. */
    tool?: string | null | undefined;
    /** A regular expression that its command line matches, or its form `tool(key="value")`. */
    matches?: string | null | undefined;
    /** How it ended: `ok` means that it succeeded. */
    status?: string | null | undefined;
  };
}

/** The options of `verifySession`. */
export interface SessionOptions extends Options {
  /**
   * Called as the check goes on, with the steps done and their number: a turn takes two. What it throws ends the check and
   * is thrown by `verifySession`.
   */
  progress?: ((done: number, total: number) => void) | null | undefined;
}

/** A reader. */
export interface Reader {
  /** Its name, as in `options.readers` and `claim.reader`. */
  name: string;
  /** What claims it reads. */
  about: string;
  /** Whether it is on when nothing is said. */
  default: boolean;
}

/** What `verifySession` takes besides a `Session`: what `parseSession` takes, or a host's messages. */
export type SessionSource = types.Session | readonly unknown[] | string | Uint8Array;

const encoder = new TextEncoder();

/** A session that was read. It stays in the core until its turns are asked for. */
export class Session {
  readonly #core: core.Session;
  #record: types.Session | undefined;

  /** @internal */
  constructor(handle: core.Session) {
    this.#core = handle;
  }

  /** @internal */
  static core(session: Session): core.Session {
    return session.#core;
  }

  /** The number of its turns. */
  get length(): number {
    return this.#core.count();
  }

  /**
   * The turns, oldest first.
   *
   * A turn alone lacks what the turns before it made and were told. To check one in its place, take it from
   * `verifySession`.
   */
  get turns(): types.Turn[] {
    return this.toJSON().turns;
  }

  /** The host's id of the session. */
  get id(): string | null {
    return this.toJSON().id ?? null;
  }

  /** The format it was read from. */
  get format(): types.Detected | null {
    return this.toJSON().format ?? null;
  }

  /** What was repaired, left out or not understood, in plain sentences that name the place. */
  get notes(): string[] {
    return this.toJSON().notes ?? [];
  }

  /** The session as native JSON; made on first use and kept. */
  toJSON(): types.Session {
    this.#record ??= JSON.parse(this.#core.json()) as types.Session;
    return this.#record;
  }

  /** Gives the core's memory back at once. Without it that happens when the session is collected. */
  free(): void {
    this.#core.free();
  }
}

/**
 * Reads a session from JSON or JSON Lines, as text or as bytes. The format is found out by the keys of the text;
 * `format` names it instead.
 */
export function parseSession(source: string | Uint8Array, options?: { format?: string | null | undefined }): Session {
  ready();
  // A lone surrogate, which a log cut inside an emoji leaves, becomes one replacement character: spans stay right.
  const bytes = typeof source === "string" ? encoder.encode(source) : source;
  if (typeof source === "string" && source.trim() === "") throw new CounterfoilError("json", "", "an empty text");
  return new Session(attempt(() => core.Session.parse(bytes, options?.format ?? undefined)));
}

/**
 * Checks every claim in the reply against the calls of this turn and the earlier ones.
 *
 * `turn` is a native turn as an object or as JSON text. Null means that nothing was read, not that all is well. Spans
 * count UTF-16 code units: `reply.slice(span.start, span.end)` is the claim. For a reply in pieces, that is the text of
 * the pieces joined by a blank line.
 */
export function verify(turn: types.Turn | string, options?: Options | null): types.Verification | null {
  ready();
  const found = attempt(() => core.verify(json(turn), plain(options)));
  return found === undefined ? null : (JSON.parse(found) as types.Verification);
}

/** Checks every turn of a session; a turn's earlier calls are those of the turns before it. */
export function verifySession(session: Session | SessionSource, options?: SessionOptions | null): types.Report {
  ready();
  if (session instanceof Session) return reported(session, options);
  const bytes = session instanceof Uint8Array || typeof session === "string";
  const read = parseSession(bytes ? session : json(session));
  try {
    return reported(read, options);
  } finally {
    read.free();
  }
}

function reported(session: Session, given: SessionOptions | null | undefined): types.Report {
  const [progress, options] = split(given);
  let thrown: { failure: unknown } | undefined;
  const hear = (done: number, total: number): void => {
    try {
      progress?.(done, total);
    } catch (failure) {
      thrown = { failure };
      throw failure;
    }
  };
  try {
    const found = attempt(() => Session.core(session).verify(plain(options), progress ? hear : undefined));
    return JSON.parse(found) as types.Report;
  } catch (failure) {
    throw thrown ? thrown.failure : failure; // Whatever the callback threw, a text or null too.
  }
}

/** The function among the options, and the others, which are the core's. */
function split(given: SessionOptions | null | undefined): [SessionOptions["progress"], Options | null | undefined] {
  if (typeof given !== "object" || given === null || !("progress" in given)) return [undefined, given];
  const { progress, ...options } = given;
  if (progress != null && typeof progress !== "function") {
    throw new CounterfoilError("option", "progress", "expected a function");
  }
  return [progress, options];
}

/**
 * Compares the entry numbers that a reply cites with those that the conversation holds. With null for entries that are
 * not known, the numbers are read and none is missing.
 */
export function cited(reply: types.Reply, entries: Iterable<number> | null): types.Citations {
  ready();
  const numbers = JSON.stringify(entries === null ? null : [...entries]);
  return JSON.parse(attempt(() => core.cited(joined(reply), numbers))) as types.Citations;
}

/** The turn's `ran:` line: which tools were called, how often, and how many calls failed; null where there is none. */
export function ran(turn: types.Turn | string): string | null {
  ready();
  return attempt(() => core.ran(json(turn))) ?? null;
}

/**
 * The same result with its spans counted in another unit, as for Python (`codepoints`).
 *
 * Evidence spans stand in the outputs of calls: without `turn` they are left out, since a span in the wrong unit would
 * be worse than none.
 */
export function recode(
  result: types.Verification,
  reply: types.Reply,
  unit: types.Unit,
  turn?: types.Turn | string | null,
): types.Verification {
  ready();
  const given = turn == null ? undefined : json(turn);
  const text = attempt(() => core.recode(json(result), joined(reply), given, unit));
  return JSON.parse(text) as types.Verification;
}

/** Every reader in its order. */
export function readers(): Reader[] {
  ready();
  return JSON.parse(core.readers()) as Reader[];
}

/** A reply as the one text that spans point into. */
function joined(reply: types.Reply): string {
  if (typeof reply === "string") return reply;
  if (Array.isArray(reply) && reply.every((piece) => typeof piece?.text === "string")) {
    return reply.map((piece) => piece.text).join("\n\n");
  }
  throw new CounterfoilError("shape", "reply", "expected a text or a list of pieces, each with a text");
}

/** A value as JSON text, in which lone surrogates are escapes; the core mends them. */
function json(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "null";
  } catch (failure) {
    throw new CounterfoilError("shape", "", String((failure as Error).message), { cause: failure });
  }
}

/** No option lies deeper than this. What does has no end, maybe, and would not fit the core's stack. */
const DEEPEST = 8;

function plain(options: Options | null | undefined): unknown {
  if (deep(options, DEEPEST)) throw new CounterfoilError("option", "", "the options are nested too deeply");
  return options ?? undefined;
}

function deep(value: unknown, left: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  const parts = value instanceof Map ? [...value.values()] : Object.values(value);
  return left === 0 || parts.some((part) => deep(part, left - 1));
}
