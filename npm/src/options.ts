/** What can be set in a check. */

import type { Audit } from "./events.js";
import type { Asking } from "./step.js";
import type * as types from "./types.js";

/** Settings of a check; what is left out, undefined or null keeps its default. */
export interface Options {
  /** How much is checked: `readers` (the default) or `off`; for `model` see `ModelOptions`. */
  mode?: "off" | "readers" | null | undefined;
  /** What your own tools do, by name: `{ my_shell: "command" }`. */
  roles?: Readonly<Record<string, string>> | null | undefined;
  /** Readers switched on or off by name. */
  readers?: Readonly<Record<string, boolean>> | null | undefined;
  /** `flagged`: the most flagged claims that are listed (12); `quote`: the most characters quoted (120). */
  limits?: { flagged?: number | null | undefined; quote?: number | null | undefined } | null | undefined;
  /** Names of the tools on offer, for turns that do not name theirs. */
  tools?: readonly string[] | null | undefined;
  /** What came of proofs of read, as `counterfoil/canary` says it: shown beside the claims. */
  canaries?: readonly Probe[] | null | undefined;
  /** Claims of your own domain. In a browser they need the entry `counterfoil/rules`, which has all that this one has. */
  rules?: readonly Rule[] | null | undefined;
}

/** The verdict on one proof of read. */
export interface Probe {
  /** The session's id. */
  session: string;
  /** Where the probe document was served. */
  url: string;
  /** What the answer showed. */
  state: types.ProofState;
  /** Whether the agent had to read it: a claim to have done so then needs the proof or a call. */
  required?: boolean | null | undefined;
}

/** A rule: which claims of your own domain are read, and what call supports one. */
export interface Rule {
  /** The name of the reader in its claims: lower-case letters, digits, `_`, `-`. */
  name: string;
  /** What is said to have been done: `["deployed", "rolled out"]`. */
  says: readonly string[];
  /** What has to stand in the same clause; one of several. */
  object?: string | readonly string[] | null | undefined;
  /** What a call has to be: all that is named here. */
  needs: {
    /** Its role: `command`, `write`, … */
    role?: string | null | undefined;
    /** The name of its tool. */
    tool?: string | null | undefined;
    /** A regular expression that its command line matches, or its form `tool(key="value")`. */
    matches?: string | null | undefined;
    /** How it ended: `ok` means that it succeeded. */
    status?: string | null | undefined;
  };
}

/** The options of `verifySession`. */
export interface SessionOptions extends Options {
  /**
   * Called as the check goes on, with the steps done and their number: a turn takes two. What it throws ends the check and
   * is thrown by `verifySession`.
   */
  progress?: ((done: number, total: number) => void) | null | undefined;
}

/** The options of `verify`. */
export interface TurnOptions extends Options {
  /** Called with the event of the check, when one was made; `counterfoil/audit` writes them down. */
  audit?: Audit | null | undefined;
}

/**
 * The options of `verify` with a model, which make it give a promise. The mode is `model` where none is given.
 *
 * The function `model` is called once where the readers flag nothing and the reply speaks of results. What goes wrong with
 * it is `failure` in the result.
 */
export interface ModelOptions extends Omit<TurnOptions, "mode">, Asking {
  /** Readers first, then the model. */
  mode?: "model" | null | undefined;
}

/** The same of `verifySession`: many claims are asked about in one request, and `timeout` is for each of the requests. */
export interface SessionModelOptions extends Omit<SessionOptions, "mode" | "progress">, Asking {
  /** Readers first, then the model. */
  mode?: "model" | null | undefined;
}

/** A model that is there and not asked, as the mode says. */
export interface Unasked extends Partial<Asking> {
  /** Without a model. */
  mode: "off" | "readers";
}
