/** Transcripts in pieces: turns, or reports on them, as they are finished. */

import * as core from "./core/counterfoil.js";
import { attempt, CounterfoilError } from "./error.js";
import { type Bytes, source as bytesOf, described, format, plain } from "./input.js";
import { ready } from "./load.js";
import type { Options } from "./options.js";
import type * as types from "./types.js";

/** A piece of a text. */
export type Piece = string | Bytes;

/**
 * Where a transcript comes from: a stream (`response.body`, `file.stream()`, `createReadStream(path)`, `process.stdin`), pieces
 * that are iterated, or the whole text.
 */
export type StreamSource = Readable | AsyncIterable<Piece> | Iterable<Piece> | Piece;

/** A `ReadableStream`, whose type a project for Node does not have to know. */
export interface Readable {
  getReader(): unknown;
}

/** The options of `verifyTurns`. */
export interface StreamOptions extends Options {
  /** The format's name, where it is not to be found out. */
  format?: string | null | undefined;
  /**
   * Check each turn as soon as it is finished, as for an agent that is still at work. Without it several are checked at a
   * time, so that a long session takes no longer than its length.
   */
  live?: boolean | null | undefined;
}

/** What is finished of a transcript, one after another. It is read as far as it is asked for. */
export class TurnStream<T> implements AsyncIterableIterator<T> {
  #core: core.Stream | undefined;
  #pieces: AsyncIterator<unknown> | Iterator<unknown>;
  #ready: T[] = [];
  #about = "";
  #ended = false;
  /** Half of a pair of surrogates at the end of a text. */
  #half = "";

  /** @internal */
  constructor(handle: core.Stream, source: StreamSource) {
    this.#core = handle;
    this.#pieces = iterated(source);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    try {
      while (this.#ready.length === 0 && this.#core) {
        this.#ready = JSON.parse(this.#core.more()) as T[];
        if (this.#ready.length > 0) break;
        if (this.#ended) {
          this.#free();
          break;
        }
        const { done, value } = await this.#pieces.next();
        const handle = this.#core; // It may have been ended in the meantime.
        if (!handle) break;
        const text = attempt(() => (done ? this.#last(handle) : handle.feed(this.#bytes(value))));
        this.#ready = JSON.parse(text) as T[];
        this.#ended = done === true;
      }
    } catch (failure) {
      await this.return();
      throw failure;
    }
    return this.#ready.length > 0 ? { done: false, value: this.#ready.shift() as T } : { done: true, value: undefined };
  }

  /** Ends it early, as leaving the loop does. */
  async return(): Promise<IteratorResult<T, undefined>> {
    const open = this.#core !== undefined;
    this.#ready = [];
    this.#free();
    if (open) await this.#pieces.return?.();
    return { done: true, value: undefined };
  }

  /** The host's id of the session, once the text has ended. */
  get id(): string | null {
    return this.#known().id;
  }

  /** The format that it is read as, once it is known. */
  get format(): types.Detected | null {
    return this.#known().format;
  }

  /** What was repaired, left out or not understood; all of it once the text has ended. */
  get notes(): string[] {
    return this.#known().notes;
  }

  #known(): { id: string | null; format: types.Detected | null; notes: string[] } {
    return JSON.parse(this.#core ? this.#core.about() : this.#about);
  }

  #last(handle: core.Stream): string {
    const [half, rest] = [this.#half, "[]"];
    const before = half === "" ? rest : handle.feed(bytesOf(half));
    const after = handle.finish();
    return before === rest ? after : JSON.stringify([...JSON.parse(before), ...JSON.parse(after)]);
  }

  #bytes(piece: unknown): Uint8Array {
    if (typeof piece !== "string") return bytesOf(piece);
    const text = this.#half + piece;
    this.#half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : "";
    const whole = this.#half === "" ? text : text.slice(0, -1);
    return whole.trim() === "" ? new TextEncoder().encode(whole) : bytesOf(whole);
  }

  #free(): void {
    if (!this.#core) return;
    this.#about = this.#core.about();
    this.#core.free();
    this.#core = undefined;
  }
}

/**
 * The turns of a session one after another, without the whole of it in memory where it stands in lines.
 *
 * A turn lacks what the turns before it made and were told; `verifyTurns` checks each in its place.
 */
export function readTurns(
  source: StreamSource,
  options?: { format?: string | null | undefined } | null,
): TurnStream<types.Turn> {
  return opened(source, options);
}

/** The reports on the turns of a session one after another, as those of `verifySession`. */
export function verifyTurns(source: StreamSource, options?: StreamOptions | null): TurnStream<types.TurnReport> {
  const { format, live, ...rest } = options ?? {};
  return opened(source, { format }, plain(rest), live === true);
}

function opened<T>(
  source: StreamSource,
  named: { format?: string | null | undefined } | null | undefined,
  options?: string,
  live = false,
): TurnStream<T> {
  ready();
  const handle = attempt(() => new core.Stream(format(named), options, live));
  try {
    return new TurnStream<T>(handle, source);
  } catch (failure) {
    handle.free();
    throw failure;
  }
}

/** The pieces of a source. Not every browser iterates its streams, so that they are asked for a reader. */
function iterated(source: unknown): AsyncIterator<unknown> | Iterator<unknown> {
  if (typeof source === "string") return [source][Symbol.iterator]();
  if (typeof source === "object" && source !== null) {
    if (ArrayBuffer.isView(source) || /ArrayBuffer\]$/.test(Object.prototype.toString.call(source))) {
      return [source][Symbol.iterator]();
    }
    if (Symbol.asyncIterator in source) return (source as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    if (Symbol.iterator in source) return (source as Iterable<unknown>)[Symbol.iterator]();
    if ("getReader" in source) return reader(source as ReadableStream<unknown>);
  }
  throw new CounterfoilError("shape", "", `expected a stream or pieces of a text; found ${described(source)}`);
}

async function* reader(stream: ReadableStream<unknown>): AsyncGenerator<unknown> {
  const open = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await open.read();
      if (done) return;
      yield value;
    }
  } finally {
    await open.cancel();
  }
}
