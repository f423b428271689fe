/** The package's functions. Each hands JSON text to the core and reads JSON text back. */

import * as core from "./core/counterfoil.js";
import { attempt, CounterfoilError } from "./error.js";
import { type Bytes, data, described, json, plain, replyText, written } from "./input.js";
import { ready } from "./load.js";
import { parseSession, Session } from "./session.js";
import type * as types from "./types.js";

export { replyText } from "./input.js";
export { parseSession, Session } from "./session.js";

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
  /** What came of proofs of read, as `counterfoil/canary` says it: shown beside the claims. */
  canaries?: readonly Probe[] | null | undefined;
  /** Claims of your own domain. In a browser they need the entry `counterfoil/rules`, which has all that this one has. */
  rules?: readonly Rule[] | null | undefined;
}

/** The verdict on one proof of read. */
export interface Probe {
  /** The session's id. */
  session: string;
  /** Where the probe document was served. */
  url: string;
  /** What the answer showed. */
  state: types.ProofState;
  /** Whether the agent had to read it: a claim to have done so then needs the proof or a call. */
  required?: boolean | null | undefined;
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

const FLAGGED: ReadonlySet<types.Verdict> = new Set(["unsupported", "contradicted"]);

/** A reader. */
export interface Reader {
  /** Its name, as in `options.readers` and `claim.reader`. */
  name: string;
  /** What claims it reads. */
  about: string;
  /** Whether it is on when nothing is said. */
  default: boolean;
}

/** A format of transcripts. */
export interface Format {
  /** Its name, as in the option `format` and in `session.format`. */
  name: string;
  /** What it is, in half a sentence. */
  about: string;
}

/**
 * What `verifySession` takes besides a `Session`: what `parseSession` takes, or a host's own record, as the list of
 * messages or the object that holds it.
 */
export type SessionSource =
  | types.Session
  | readonly unknown[]
  | { readonly messages: readonly unknown[] }
  | Readonly<Record<string, unknown>>
  | string
  | Bytes;

/**
 * Checks every claim in the reply against the calls of this turn and the earlier ones.
 *
 * `turn` is a native turn as an object, or as JSON in a text or in bytes. Null means that nothing was read, not that all
 * is well; `flagged` takes the claims that the record does not carry out of either. Spans count UTF-16 code units:
 * `replyText(turn).slice(span.start, span.end)` is the claim.
 */
export function verify(turn: types.Turn | string | Bytes, options?: Options | null): types.Verification | null {
  ready();
  const found = attempt(() => core.verify(native(turn), plain(options)));
  return found === undefined ? null : (JSON.parse(found) as types.Verification);
}

/** The claims of a result that the record does not carry, in reading order; none where nothing was read. */
export function flagged(result: types.Verification | null | undefined): types.Claim[] {
  if (result == null) return [];
  if (Array.isArray(result.claims)) return result.claims.filter(({ verdict }) => FLAGGED.has(verdict));
  throw new CounterfoilError("shape", "claims", "expected the result of verify, or null");
}

/** Checks every turn of a session; a turn's earlier calls are those of the turns before it. */
export function verifySession(session: Session | SessionSource, options?: SessionOptions | null): types.Report {
  ready();
  if (session instanceof Session) return reported(session, options);
  const read = parseSession(written(session) ? session : json(session));
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
    const work = (handle: core.Session) => handle.verify(plain(options), progress ? hear : undefined);
    const found = attempt(() => Session.check(session, work));
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
  const numbers = json(entries === null ? null : listed(entries));
  return JSON.parse(attempt(() => core.cited(replyText(reply), numbers))) as types.Citations;
}

/** What an iterable holds, as numbers that JSON has. */
function listed(entries: Iterable<unknown>): unknown[] {
  if (typeof entries === "object" && Symbol.iterator in entries) {
    return [...entries].map((entry) => (typeof entry === "bigint" ? Number(entry) : entry));
  }
  throw new CounterfoilError("shape", "entries", `expected a list of numbers, or null; found ${described(entries)}`);
}

/** The turn's `ran:` line: which tools were called, how often, and how many calls failed; null where there is none. */
export function ran(turn: types.Turn | string | Bytes): string | null {
  ready();
  return attempt(() => core.ran(native(turn))) ?? null;
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
  turn?: types.Turn | string | Bytes | null,
): types.Verification {
  ready();
  const given = turn == null ? undefined : native(turn);
  if (typeof unit !== "string") {
    const sentence = `expected one of utf8, utf16, codepoints; found ${described(unit)}`;
    throw new CounterfoilError("option", "unit", sentence);
  }
  const text = attempt(() => core.recode(json(result), replyText(reply), given, unit));
  return JSON.parse(text) as types.Verification;
}

/** Every reader in its order. */
export function readers(): Reader[] {
  ready();
  return JSON.parse(core.readers()) as Reader[];
}

/** Every format that this entry reads: in a browser `counterfoil` reads a few, `counterfoil/formats` all, as Node does. */
export function formats(): Format[] {
  ready();
  return JSON.parse(core.formats()) as Format[];
}

/** A turn as JSON text. */
function native(turn: unknown): string {
  if (!(turn instanceof Session)) {
    data(turn);
    return json(turn);
  }
  throw new CounterfoilError("shape", "", "expected a turn; found a Session, which verifySession checks");
}
