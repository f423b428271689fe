/** The hooks of an operator. Whatever becomes of them, the client is answered. */

import type { CanaryEvent } from "./api.js";

export type Audit = (event: CanaryEvent) => unknown;
export type OnError = (failure: unknown) => unknown;

/** So many events may be waiting for an asynchronous audit. */
const PENDING = 1024;

/** `audit` hears of every document and verdict, `onError` of every failure of the server. */
export class Hooks {
  #pending = 0;

  constructor(
    readonly audit: Audit | undefined,
    readonly onError: OnError | undefined,
  ) {}

  /** Tells the audit, and waits for nothing. */
  tell(event: CanaryEvent): void {
    if (!this.audit) return;
    try {
      if (this.#pending >= PENDING)
        throw new Error(`the audit is ${PENDING} events behind; one was left out: ${JSON.stringify(event)}`);
      const found = this.audit(event);
      if (!thenable(found)) return;
      this.#pending += 1;
      const heard = (): void => {
        this.#pending -= 1;
      };
      Promise.resolve(found)
        .catch((failure: unknown) => this.failed(failure))
        .then(heard);
    } catch (failure) {
      this.failed(failure);
    }
  }

  /** Reports a failure of the server or of its audit. Whoever is told must not fail in turn. */
  failed(failure: unknown): void {
    try {
      if (!this.onError) console.error("counterfoil canary:", failure);
      else Promise.resolve(this.onError(failure)).catch(() => {});
    } catch {
      // Nobody is left to be told.
    }
  }
}

function thenable(value: unknown): boolean {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}
