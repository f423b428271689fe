/** What is issued. It shows its secrets only where it is asked for them by name. */

import type { CanaryEvent } from "./api.js";

const REDACTED = "[redacted]";

/** What the core gives. */
interface Made {
  session: string;
  sentinel: string;
  bucket: number;
  expires: number;
  document: string;
  text: string;
  tool: string;
  event: CanaryEvent;
}

/**
 * A sentinel with its document in three forms. It is for the document alone, never for a log: `console.log`,
 * `JSON.stringify`, a copy (`{ ...issued }`) and `structuredClone` leave out what holds it, or show `[redacted]`.
 */
export class Issued {
  readonly session: string;
  readonly bucket: number;
  /** When it stops being fresh, in Unix seconds. */
  readonly expires: number;
  /** For an audit; it holds no sentinel. */
  readonly event: CanaryEvent;
  readonly #made: Made;

  /** @internal */
  constructor(made: Made) {
    this.session = made.session;
    this.bucket = made.bucket;
    this.expires = made.expires;
    this.event = made.event;
    this.#made = made;
  }

  /** The value that is to be reported. */
  get sentinel(): string {
    return this.#made.sentinel;
  }

  /** The page. */
  get document(): string {
    return this.#made.document;
  }

  /** The same as plain text. */
  get text(): string {
    return this.#made.text;
  }

  /** The same as the result of a tool of the Model Context Protocol, as JSON text. */
  get tool(): string {
    return this.#made.tool;
  }

  /** What it shows of itself. */
  toJSON(): object {
    const hidden = { sentinel: REDACTED, document: REDACTED, text: REDACTED, tool: REDACTED };
    return { session: this.session, bucket: this.bucket, expires: this.expires, event: this.event, ...hidden };
  }

  /** What Node shows of it. */
  [Symbol.for("nodejs.util.inspect.custom")](): object {
    return this.toJSON();
  }
}
