/** Refusals of contracts. */

/** A refusal: a code for programs, a sentence and a way out for people. */
export class ContractError extends Error {
  override readonly name = "ContractError";
  /** For programs that branch on it: one of those that `codes` lists. */
  readonly code: string;
  /** What to do about it. */
  readonly fix: string;
  /** More, by name: `path` for the place in the input, `recorded_digest`, `required` and so on. */
  readonly details: Record<string, unknown>;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;

  constructor({ code, message, fix, details, retryable }: Refusal, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.fix = fix;
    this.details = details;
    this.retryable = retryable;
  }

  /** The refusal as an object, as the command line prints it. */
  toJSON(): Refusal {
    const { code, message, fix, details, retryable } = this;
    return { code, message, fix, details, retryable };
  }
}

/** What a refusal says. */
export interface Refusal {
  code: string;
  message: string;
  fix: string;
  details: Record<string, unknown>;
  retryable: boolean;
}
