/** A session that was read, and how it is read. */

import * as core from "./core/counterfoil.js";
import { attempt, CounterfoilError } from "./error.js";
import { type Bytes, format, source } from "./input.js";
import { ready } from "./load.js";
import type * as types from "./types.js";

declare global {
  interface SymbolConstructor {
    /** For `using`; engines that are older do without. */
    readonly dispose: unique symbol;
  }
}

/** A session that was read. It stays in the core until its turns are asked for. */
export class Session {
  #core: core.Session | undefined;
  #record: types.Session | undefined;
  /** How many checks are under way. */
  #checks = 0;

  /** @internal */
  constructor(handle: core.Session) {
    this.#core = handle;
  }

  /** @internal */
  static core(session: Session): core.Session {
    if (session.#core) return session.#core;
    throw new CounterfoilError("shape", "", "the session was freed");
  }

  /** @internal Runs a check. A session that is freed in the meantime, by a callback, is kept until the check has ended. */
  static check<T>(session: Session, work: (handle: core.Session) => T): T {
    const handle = Session.core(session);
    session.#checks += 1;
    try {
      return work(handle);
    } finally {
      session.#checks -= 1;
      if (session.#checks === 0 && !session.#core) handle.free();
    }
  }

  /** @internal The same for work that waits: meanwhile the session stays as it is, whoever frees it. */
  static async keep<T>(session: Session, work: (handle: core.Session) => Promise<T>): Promise<T> {
    const handle = Session.core(session);
    session.#checks += 1;
    try {
      return await work(handle);
    } finally {
      session.#checks -= 1;
      if (session.#checks === 0 && !session.#core) handle.free();
    }
  }

  /** The number of its turns. */
  get length(): number {
    return Session.core(this).count();
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
    const handle = Session.core(this);
    this.#record ??= JSON.parse(handle.json()) as types.Session;
    return this.#record;
  }

  /**
   * Gives the core's memory back at once; every further use of the session is an error. Without it that happens when the
   * session is collected. `using` calls it at the end of a block.
   */
  free(): void {
    const handle = this.#core;
    this.#core = undefined;
    this.#record = undefined;
    if (this.#checks === 0) handle?.free();
  }

  /** @internal What Node's console shows. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    if (!this.#core) return "Session { freed }";
    return `Session { ${this.length} ${this.length === 1 ? "turn" : "turns"}, ${this.format?.name ?? "native"} }`;
  }

  /** The same as `free`. */
  declare [Symbol.dispose]: () => void;
}

if (Symbol.dispose) {
  const value = Session.prototype.free;
  Object.defineProperty(Session.prototype, Symbol.dispose, { value, configurable: true, writable: true });
}

/**
 * Reads a session from JSON or JSON Lines, as text or as bytes. The format is found out by the keys of the text;
 * `format` names it instead.
 */
export function parseSession(text: string | Bytes, options?: { format?: string | null | undefined } | null): Session {
  ready();
  const [data, name] = [source(text), format(options)];
  return new Session(attempt(() => core.Session.parse(data, name)));
}
