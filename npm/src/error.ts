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

  constructor(kind: ErrorKind, path: string, detail: string, options?: ErrorOptions) {
    super(path ? `${path}: ${detail}` : detail, options);
    this.kind = kind;
    this.path = path;
    this.detail = detail;
  }

  /** `bad_` and the first name of the path, or the kind where it is empty: `bad_now`, `bad_hosts`, `bad_json`. */
  get code(): string {
    return `bad_${/^\w+/.exec(this.path)?.[0] ?? this.kind}`;
  }
}

/** How many checks run inside one another, each in a callback of the one before. The core's stack has room for more. */
let depth = 0;
const DEEPEST = 32;

/** Runs a call into the core, whose errors are a list: kind, path, sentence. */
export function attempt<T>(work: () => T): T {
  if (depth >= DEEPEST) throw new RangeError(`more than ${DEEPEST} checks inside one another`);
  depth += 1;
  try {
    return work();
  } catch (failure) {
    if (!Array.isArray(failure)) throw failure;
    const [kind, path, detail] = failure as [ErrorKind, string, string];
    throw new CounterfoilError(kind, path, detail);
  } finally {
    depth -= 1;
  }
}
