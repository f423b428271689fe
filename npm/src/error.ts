/** What went wrong: no JSON, a wrong field, no known transcript, a wrong option. */
export type ErrorKind = "json" | "shape" | "format" | "option";

/** An input could not be read. A well-formed turn never throws. */
export class CounterfoilError extends Error {
  override readonly name = "CounterfoilError";
  /** For programs that branch on it. */
  readonly kind: ErrorKind;
  /** Where it is: a JSON path such as `calls[3].status`, a line, or empty for the whole input. */
  readonly path: string;
  /** The sentence without the place; `message` has both. */
  readonly detail: string;
  /** One word for programs that hand it on: `bad_session`, `bad_now`, and so on in proof of read, else the kind. */
  readonly code: string;

  constructor(kind: ErrorKind, path: string, detail: string, options?: ErrorOptions & { code?: string }) {
    super(path ? `${path}: ${detail}` : detail, options);
    this.kind = kind;
    this.path = path;
    this.detail = detail;
    this.code = options?.code ?? kind;
  }
}

/** How many checks run inside one another, each in a callback of the one before. The core's stack has room for more. */
let depth = 0;
const DEEPEST = 32;

/** Runs a call into the core, whose errors are a list: kind, path, sentence, code. */
export function attempt<T>(work: () => T): T {
  if (depth >= DEEPEST) throw new RangeError(`more than ${DEEPEST} checks inside one another`);
  depth += 1;
  try {
    return work();
  } catch (failure) {
    if (!Array.isArray(failure)) throw failure;
    const [kind, path, detail, code] = failure as [ErrorKind, string, string, string];
    throw new CounterfoilError(kind, path, detail, { code });
  } finally {
    depth -= 1;
  }
}
