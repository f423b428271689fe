/** The package's functions. Each hands JSON text to the core and reads JSON text back. */

import * as core from "./core/counterfoil.js";
import { attempt, CounterfoilError } from "./error.js";
import { type Audit, audit } from "./events.js";
import { type Bytes, data, described, json, plain, replyText, written } from "./input.js";
import { ready } from "./load.js";
import type { ModelOptions, Options, SessionModelOptions, SessionOptions, TurnOptions, Unasked } from "./options.js";
import { parseSession, Session } from "./session.js";
import { type Answer, type Asked, ask, checked, failed, said } from "./step.js";
import type * as types from "./types.js";

export type { About, Audit, AuditEvent, EvaluationEvent } from "./events.js";
export { audit, evaluation } from "./events.js";
export { replyText } from "./input.js";
export type * from "./options.js";
export { parseSession, Session } from "./session.js";
export type { Answer, Asking, Model } from "./step.js";

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
 *
 * With a `model` it gives a promise; see `ModelOptions`. Wrong options and a turn that cannot be read throw at once, in
 * every mode.
 */
export function verify(turn: TurnSource, options: ModelOptions): Promise<types.Verification | null>;
export function verify(
  turn: TurnSource,
  options?: TurnOptions | (TurnOptions & Unasked) | null,
): types.Verification | null;
export function verify(
  turn: TurnSource,
  options?: TurnOptions | ModelOptions | null,
): types.Verification | null | Promise<types.Verification | null>;
export function verify(
  turn: TurnSource,
  options?: TurnOptions | ModelOptions | (TurnOptions & Unasked) | null,
): types.Verification | null | Promise<types.Verification | null> {
  ready();
  const [host, given] = split(options, ["audit", ...ASKING]);
  const { audit: hears } = host;
  if (hears != null && typeof hears !== "function") {
    throw new CounterfoilError("option", "audit", `expected a function of an event; found ${described(hears)}`);
  }
  const started = performance.now();
  const [text, chosen] = [native(turn), plain(given)];
  const told = (result: types.Verification | null, bytes?: number): types.Verification | null => {
    const event = hears && audit(result, { seconds: (performance.now() - started) / 1000, bytes });
    if (event) (hears as Audit)(event);
    return result;
  };
  const asked = modelOf(host, chosen);
  if (!asked) return told(read(attempt(() => core.verify(text, chosen))));
  const { result, request } = JSON.parse(attempt(() => core.plan(text, chosen))) as Planned;
  const finish = async (): Promise<types.Verification | null> => {
    asked.signal?.throwIfAborted();
    if (!request) return told(result);
    const { bytes } = request; // The callback may change the request.
    const answer = await ask(request, asked);
    return told(read(attempt(() => core.finish(text, chosen, answer))), bytes);
  };
  return finish();
}

/** What the core says first: the readers' result, and what is to be asked. */
interface Planned {
  result: types.Verification | null;
  request: types.ModelRequest | null;
}

function read(found: string | undefined): types.Verification | null {
  return found === undefined ? null : (JSON.parse(found) as types.Verification);
}

/** A turn, or its JSON as text or bytes. */
export type TurnSource = types.Turn | string | Bytes;

/** The claims of a result that the record does not carry, in reading order; none where nothing was read. */
export function flagged(result: types.Verification | null | undefined): types.Claim[] {
  if (result == null) return [];
  if (Array.isArray(result.claims)) return result.claims.filter(({ verdict }) => FLAGGED.has(verdict));
  throw new CounterfoilError("shape", "claims", "expected the result of verify, or null");
}

/**
 * Checks every turn of a session; a turn's earlier calls are those of the turns before it. With a `model` it gives a promise;
 * see `SessionModelOptions`.
 */
export function verifySession(session: Session | SessionSource, options: SessionModelOptions): Promise<types.Report>;
export function verifySession(
  session: Session | SessionSource,
  options?: SessionOptions | (SessionOptions & Unasked) | null,
): types.Report;
export function verifySession(
  session: Session | SessionSource,
  options?: SessionOptions | SessionModelOptions | null,
): types.Report | Promise<types.Report>;
export function verifySession(
  session: Session | SessionSource,
  options?: SessionOptions | SessionModelOptions | (SessionOptions & Unasked) | null,
): types.Report | Promise<types.Report> {
  ready();
  const [host, given] = split(options, ["progress", ...ASKING]);
  const { progress } = host;
  if (progress != null && typeof progress !== "function") {
    throw new CounterfoilError("option", "progress", "expected a function");
  }
  const chosen = plain(given);
  const asked = modelOf(host, chosen);
  if (asked) return within(session, (read) => judged(read, chosen, asked));
  return within(session, (read) => reported(read, chosen, progress as SessionOptions["progress"]));
}

/** What is to be asked of a model about the claims of a session that the readers leave open. */
export function planMany(session: Session | SessionSource, options?: Options | null): types.ModelBatch[] {
  ready();
  const chosen = plain(asModel(options));
  return within(session, (read) => {
    const planned = Session.check(read, (handle) => attempt(() => handle.planMany(chosen)));
    return JSON.parse(planned) as types.ModelBatch[];
  });
}

/**
 * The report after the requests of `planMany`. `answers` has what came of each in their order, null or undefined where
 * nothing did.
 */
export function finishMany(
  session: Session | SessionSource,
  answers: Iterable<Answer | null | undefined>,
  options?: Options | null,
): types.Report {
  ready();
  const chosen = plain(asModel(options));
  const given = Array.from(answers, (answer) => (answer == null ? failed("raised") : said(answer)));
  return within(session, (read) => Session.check(read, (handle) => finished(handle, chosen, given)));
}

function finished(handle: core.Session, chosen: string, given: readonly string[]): types.Report {
  return JSON.parse(attempt(() => handle.finishMany(chosen, `[${given.join()}]`))) as types.Report;
}

/** Works on a session; one that is read for it is freed afterwards. */
function within<T>(session: Session | SessionSource, work: (session: Session) => T): T {
  if (session instanceof Session) return work(session);
  const read = parseSession(written(session) ? session : json(session));
  let found: T;
  try {
    found = work(read);
  } catch (failure) {
    read.free();
    throw failure;
  }
  if (!(found instanceof Promise)) read.free();
  return found instanceof Promise ? (found.finally(() => read.free()) as T) : found;
}

/** The report after a model was asked, one request after the other. What is wrong with the options throws at once. */
function judged(session: Session, chosen: string, asked: Asked): Promise<types.Report> {
  const planned = Session.check(session, (handle) => attempt(() => handle.planMany(chosen)));
  const batches = JSON.parse(planned) as types.ModelBatch[];
  return Session.keep(session, async (handle) => {
    asked.signal?.throwIfAborted();
    const given: string[] = [];
    for (const { request } of batches) given.push(await ask(request, asked));
    return finished(handle, chosen, given);
  });
}

function reported(session: Session, chosen: string, progress: SessionOptions["progress"]): types.Report {
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
    const found = attempt(() => Session.check(session, (handle) => handle.verify(chosen, progress ? hear : undefined)));
    return JSON.parse(found) as types.Report;
  } catch (failure) {
    throw thrown ? thrown.failure : failure; // Whatever the callback threw, a text or null too.
  }
}

const ASKING = ["model", "timeout", "signal"];

/** What this side takes of the options by these names, and the others, which are the core's. */
function split(
  given: object | null | undefined,
  names: readonly string[],
): [Record<string, unknown>, object | null | undefined] {
  const host: Record<string, unknown> = {};
  if (typeof given !== "object" || given === null || !names.some((name) => name in given)) return [host, given];
  const options: Record<string, unknown> = { ...given };
  for (const name of names) {
    host[name] = (given as Record<string, unknown>)[name];
    delete options[name];
  }
  const { mode } = options;
  return [host, mode == null && host["model"] != null ? asModel(options) : options];
}

function asModel(options: object | null | undefined): object {
  return { ...(options instanceof Map ? Object.fromEntries(options) : options), mode: "model" };
}

/** The model to ask, where the mode is `model`. The options are those that the core reads, so that no getter is asked twice. */
function modelOf(host: Record<string, unknown>, chosen: string): Asked | undefined {
  const options = chosen === "" ? {} : (JSON.parse(chosen) as { mode?: unknown });
  return options.mode === "model" ? checked(host) : undefined;
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
