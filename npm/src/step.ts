/**
 * The model step's host half: it carries a request to the caller's model and says what came of it.
 *
 * Whatever the model does, a check gives a result: what goes wrong is `failure` in it, and never an exception.
 */

import { CounterfoilError } from "./error.js";
import { data, described } from "./input.js";
import type { ModelRequest } from "./types.js";

declare global {
  /** What projects without the types of a browser or of Node know of it. */
  interface AbortSignal {
    readonly aborted: boolean;
  }
}

/** What a model gave: its text, or the object that was read from it. */
export type Answer = string | object;

/**
 * Takes a request and gives the model's answer. `signal` aborts when the time is over or the caller gives up: hand it on to
 * `fetch` or to your library.
 */
export type Model = (request: ModelRequest, given: { signal: AbortSignal }) => Answer | PromiseLike<Answer>;

/** The options of the mode `model`, besides the mode. */
export interface Asking {
  /** Asks your model; `counterfoil/models` has some. */
  model: Model;
  /** The milliseconds that an answer may take (10000). */
  timeout?: number | null | undefined;
  /** Gives the check up: its promise is rejected with the signal's reason. */
  signal?: AbortSignal | null | undefined;
}

/** Milliseconds, where none are given. */
const TIMEOUT = 10_000;
/** A timer cannot wait longer. */
const LONGEST = 2 ** 31 - 1;

/** Who is asked, and how long. */
export interface Asked {
  /** The callback. */
  model: Model;
  /** In milliseconds. */
  patience: number;
  /** The caller's own. */
  signal: AbortSignal | undefined;
}

/** The options of the step, or an error that says what is wrong with them. */
export function checked(options: { model?: unknown; timeout?: unknown; signal?: unknown }): Asked {
  const { model, timeout, signal } = options;
  if (model == null) {
    const sentence = "mode model needs a function that asks your model; docs/model-step.md has some";
    throw new CounterfoilError("option", "model", sentence);
  }
  if (typeof model !== "function") {
    const sentence = `expected a function that takes a request; found ${described(model)}`;
    throw new CounterfoilError("option", "model", sentence);
  }
  if (signal != null && (typeof signal !== "object" || !("aborted" in signal) || !("addEventListener" in signal))) {
    throw new CounterfoilError("option", "signal", `expected an AbortSignal; found ${described(signal)}`);
  }
  return {
    model: model as Model,
    patience: patience(timeout),
    signal: (signal as AbortSignal | null | undefined) ?? undefined,
  };
}

/** The milliseconds that an answer may take. */
function patience(timeout: unknown): number {
  if (timeout == null) return TIMEOUT;
  if (typeof timeout === "number" && timeout > 0 && timeout <= LONGEST) return timeout;
  throw new CounterfoilError("option", "timeout", `expected milliseconds above 0; found ${described(timeout)}`);
}

/**
 * What came of a request, as the core is told it. It is rejected only where the caller's own signal aborts. What comes
 * after the time is over goes nowhere, an error too.
 */
export function ask(request: ModelRequest, { model, patience, signal }: Asked): Promise<string> {
  return new Promise((resolve, reject) => {
    const given = new AbortController();
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
      settle(); // Before the callback hears of it: an error that it throws for the signal is none of its own.
    };
    const cancel = (): void => {
      end(() => reject(signal?.reason));
      given.abort(signal?.reason);
    };
    const timer = setTimeout(() => {
      end(() => resolve(failed("timeout")));
      given.abort(new DOMException("the time for an answer is over", "TimeoutError"));
    }, patience);
    if (signal?.aborted) {
      cancel();
      return;
    }
    signal?.addEventListener("abort", cancel, { once: true });
    const answer = new Promise<unknown>((found) => found(model(request, { signal: given.signal })));
    answer.then(
      (found) => end(() => resolve(said(found))),
      (failure) => end(() => resolve(failed(aborted(failure) ? "cancelled" : "raised"))),
    );
  });
}

/** An answer as JSON text. */
export function said(found: unknown): string {
  try {
    data(found);
    return JSON.stringify({ answer: found ?? null }, (_, value: unknown) => {
      const odd = ["function", "symbol", "bigint"].includes(typeof value);
      if (odd || (typeof value === "number" && !Number.isFinite(value))) throw new TypeError("JSON has no such value");
      return value;
    });
  } catch {
    return failed("wrong_type");
  }
}

/** A failure as JSON text. */
export function failed(kind: string): string {
  return JSON.stringify({ failure: kind });
}

/** Whether an error says that the work was given up. */
function aborted(failure: unknown): boolean {
  try {
    return (failure as Error | null | undefined)?.name === "AbortError";
  } catch {
    return false;
  }
}
