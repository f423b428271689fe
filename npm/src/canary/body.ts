/** The body of a request, of which only so much is taken in and only for so long. */

/** The most bytes of a body that are kept. */
const LARGEST = 65_536;

/** The most bytes that are taken off the line and thrown away, so that a client that still sends hears why it is refused. */
const DRAINED = 1_048_576;

/** A body that is too large, too slow or cut off; the code says which. */
export class Limit extends Error {
  constructor(readonly code: "too_large" | "too_slow" | "cut_off") {
    super(code);
  }
}

/** What comes in, part by part, all of it within so many seconds. */
export class Body {
  readonly #request: Request;
  readonly #until: number;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #ended = false;

  constructor(request: Request, seconds: number) {
    this.#request = request;
    this.#until = performance.now() + seconds * 1000;
  }

  /** The whole of it. */
  async read(): Promise<Uint8Array> {
    const body = new Uint8Array(LARGEST);
    let size = 0;
    for (let part = await this.#part(); part; part = await this.#part()) {
      if (size + part.length > LARGEST) throw new Limit("too_large");
      body.set(part, size);
      size += part.length;
    }
    return body.subarray(0, size);
  }

  /** Throws away what is still to come, up to a bound. */
  async drain(): Promise<void> {
    try {
      for (let left = DRAINED; left > 0; ) {
        const part = await this.#part();
        if (!part) return;
        left -= part.length;
      }
    } catch {
      // It was too slow or its sender has gone.
    }
  }

  /** The next part; nothing where all was read. */
  async #part(): Promise<Uint8Array | undefined> {
    if (this.#ended || !this.#request.body) return undefined;
    this.#reader ??= this.#request.body.getReader();
    const left = this.#until - performance.now();
    if (left <= 0) throw new Limit("too_slow");
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, refuse) => {
      timer = setTimeout(() => refuse(new Limit("too_slow")), left);
    });
    try {
      const { done, value } = await Promise.race([this.#reader.read(), late]);
      this.#ended = done;
      return value;
    } catch (failure) {
      if (failure instanceof Limit) throw failure;
      this.#ended = true;
      throw new Limit("cut_off");
    } finally {
      clearTimeout(timer);
    }
  }
}
