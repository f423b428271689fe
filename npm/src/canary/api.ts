/** Proof of read: short tokens in a probe document, that only someone to whom its bytes came can report. */

import { attempt, CounterfoilError } from "../error.js";
import { described } from "../input.js";
import * as core from "./core/counterfoil_canary.js";
import { Issued } from "./issued.js";
import { ready } from "./load.js";
import { given, handed, wire } from "./options.js";

export { Issued };

/** What an answer shows, the best first. */
export type State = "READ_VERIFIED" | "READ_STALE" | "REPLAY_SUSPECT" | "HALLUCINATED";

/** The settings of a canary; what is left out keeps its default. A wrong one throws a `CounterfoilError` with its name. */
export interface CanaryOptions {
  /** The length of a bucket of time in seconds: 300 (30 to 3600). */
  bucketSeconds?: number | undefined;
  /** How many bytes of the HMAC a sentinel shows: 32 (16 to 32). */
  sentinelBytes?: number | undefined;
  /** How many buckets a sentinel may be off and still be fresh: 1 (0 to 8). */
  freshTolerance?: number | undefined;
  /** How many buckets back a sentinel is known at all: 24 (1 to 512), and more than the tolerance. */
  staleHorizon?: number | undefined;
  /** How many hours an issuance is remembered: 24 (1 to 168), and no shorter than the horizon. */
  retentionHours?: number | undefined;
  /** How many issuances are remembered: 8192 (256 to 1048576). */
  logSize?: number | undefined;
}

/** Who asked for a document. Of the identifier only a digest is kept. */
export interface Client {
  /** What tells the client apart, such as its address. */
  identifier: string;
  /** What it calls itself; cut to 256 characters. */
  agent?: string | null | undefined;
}

/** An event for an audit. It holds no sentinel. */
export interface CanaryEvent {
  event: "canary.issued" | "canary.verified";
  /** Unix seconds. */
  at: number;
  /** The session's id; null when what was asked for is none. */
  session: string | null;
  bucket?: number;
  state?: State;
  distance?: number | null;
}

/** A verdict. It never holds what the right answer would have been. */
export interface CanaryVerdict {
  state: State;
  /** How many buckets ago the sentinel was made; null when nothing fits. */
  distance: number | null;
  /** What the verdict shows and what not, in one sentence. */
  meaning: string;
  event: CanaryEvent;
}

/** A fresh session's id of 128 random bits. */
export function newSession(): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  return [...random].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The headers of the page. */
export function headers(): Record<string, string> {
  ready();
  return Object.fromEntries(JSON.parse(core.canary_headers()) as [string, string][]);
}

/** What a reader of a reply would copy as a sentinel of so many bytes, at most 16. */
export function findSentinel(reply: string, bytes = 32): string[] {
  ready();
  return core.find_sentinel(text(reply, "reply"), Number.isInteger(bytes) && bytes <= 32 ? bytes : 0);
}

/**
 * The sentinel of a session in a bucket of time, from the root key, as the published vectors show it. A bucket is a whole
 * number, as a `bigint` where it is past 2^53.
 */
export function sentinel(rootKey: Uint8Array, sessionId: string, bucket: number | bigint, bytes = 32): string {
  ready();
  const whole = typeof bucket === "bigint" ? bucket : Number.isSafeInteger(bucket) ? BigInt(bucket) : undefined;
  if (whole === undefined || BigInt.asIntN(64, whole) !== whole)
    throw new CounterfoilError("shape", "bucket", "expected a whole number of 64 bits");
  const length = Number.isInteger(bytes) && bytes >= 0 ? bytes : 0;
  return attempt(() => core.sentinel(key(rootKey), text(sessionId, "session"), whole, length));
}

/**
 * Issues sentinels and judges what comes back. Times are Unix seconds, which the host gives: `Date.now() / 1000`.
 *
 * `rootKey` is 32 random bytes, `crypto.getRandomValues(new Uint8Array(32))`, one for one process. It is not kept.
 */
export class Canary {
  #core: core.Canary;

  constructor(rootKey: Uint8Array, options?: CanaryOptions) {
    ready();
    const chosen = given(options, NAMES);
    for (const [name, value] of Object.entries(chosen))
      if (value === null) throw new CounterfoilError("option", name, "expected a whole number; found null");
    this.#core = handed(chosen, NAMES, (json) => new core.Canary(key(rootKey), json));
  }

  /** Makes the sentinel of a session for the bucket of `now` and notes that it was issued. */
  issue(sessionId: string, now: number, client?: Client | null): Issued {
    const identifier = client == null ? undefined : text(client.identifier, "client.identifier");
    const agent = client?.agent == null ? undefined : text(client.agent, "client.agent");
    return new Issued(
      JSON.parse(attempt(() => this.#core.issue(text(sessionId, "session"), time(now), identifier, agent))),
    );
  }

  /** Says what a claim shows at `now`. Null is an answer without a sentinel. */
  verify(sessionId: string, claim: string | null | undefined, now: number): CanaryVerdict {
    const said = claim == null ? undefined : text(claim, "claim");
    return JSON.parse(attempt(() => this.#core.verify(text(sessionId, "session"), said, time(now))));
  }

  /** As `verify`, on a whole reply: each value of `findSentinel` is tried, and the best verdict is given. */
  verifyReply(sessionId: string, reply: string, now: number): CanaryVerdict {
    return JSON.parse(
      attempt(() => this.#core.verify_reply(text(sessionId, "session"), text(reply, "reply"), time(now))),
    );
  }

  /** How many issuances are remembered. */
  get issued(): number {
    return this.#core.issued();
  }

  /** The settings, all of them. */
  get options(): Required<{ [name in keyof CanaryOptions]: number }> {
    const read = JSON.parse(this.#core.options()) as Record<string, number>;
    return Object.fromEntries(NAMES.map((name) => [name, read[wire(name)]])) as ReturnType<() => Canary["options"]>;
  }

  /** The log as JSON text, for another process that was given the same key. It holds no sentinel and no address. */
  exportLog(): string {
    return this.#core.export();
  }

  /** Takes in a log that `exportLog` wrote. */
  importLog(log: string): void {
    attempt(() => this.#core.import(text(log, "log")));
  }

  /** Gives the core's memory back; the keys are wiped. It cannot be used afterwards. */
  free(): void {
    this.#core.free();
  }

  /** What it shows of itself: no key. */
  toJSON(): object {
    return { options: this.options, issued: this.issued };
  }
}

const NAMES = [
  "bucketSeconds",
  "sentinelBytes",
  "freshTolerance",
  "staleHorizon",
  "retentionHours",
  "logSize",
] as const;

function key(bytes: unknown): Uint8Array {
  if (bytes instanceof Uint8Array) return bytes;
  throw new CounterfoilError("option", "root_key", "expected 32 random bytes as a Uint8Array");
}

function text(value: unknown, path: string): string {
  if (typeof value !== "string") attempt(() => core.no_text(path, described(value)));
  return value as string;
}

/** A time as the core takes it, which refuses what is no number. */
function time(now: unknown): number {
  return typeof now === "number" ? now : Number.NaN;
}
