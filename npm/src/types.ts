/**
 * The record and the results as TypeScript types.
 *
 * Generated from the core's structs by scripts/generate.py; change those, then run it with UPDATE=1.
 */

/** One tool call with what it returned. */
export interface Call {
  /** The tool's name as the model called it. */
  tool: string;
  /** An object as a rule; a string when the model wrote free text or broken JSON; else null. */
  arguments?: unknown | undefined;
  /** The whole output, an excerpt of it when `truncated`, or null. */
  output?: string | null | undefined;
  /** The output is only an excerpt: a claim that it may hold is not flagged. */
  truncated?: boolean | undefined;
  /** How it ended. */
  status?: Status | undefined;
  /** The process's exit status. */
  exit?: number | null | undefined;
  /** What the host says went wrong. */
  error?: string | null | undefined;
  /** The pairing id. */
  id?: string | null | undefined;
  /** When it was made, as the host wrote it. */
  at?: string | null | undefined;
  /** The id of the call whose sub-agent made this one. */
  parent?: string | null | undefined;
  /** Who made it. */
  executor?: Executor | null | undefined;
  /** Where status and exit came from. */
  source?: Source | null | undefined;
}

/** Cited entry numbers. */
export interface Citations {
  /** The numbers cited, in that order, each once, at most 100. */
  numbers: number[];
  /** Those that the conversation does not hold, in the order cited. */
  missing: number[];
  /** More than 100 numbers were cited; the others were not looked at. */
  capped: boolean;
  /** `cited but not in this conversation: …`, or null when nothing is missing. */
  line: string | null;
}

/** One thing that the reply claims. */
export interface Claim {
  /** The reader that judged it; `model` where a model did, which is less sure. */
  reader: string;
  /** The reply's own characters, cut with `…` at the limit `quote` (120). */
  text: string;
  /** What the record says of it. */
  verdict: Verdict;
  /** Why, in one sentence; null where it is not flagged. */
  reason: string | null;
  /** Where it stands in the reply; never cut. */
  span: Span;
  /** The line of the reply, from 1. */
  line: number;
  /** The nearest call, as an index into the turn's calls. */
  call: number | null;
  /** The nearest earlier call, as an index into `earlier`. */
  earlier: number | null;
  /** The place in that call's output that carries it, or that shows something else. */
  evidence: Span | null;
}

/** Whether the record of a turn is known to be incomplete. */
export type Complete = "yes" | "no";

/** Which format a session was read from, and how sure that is. */
export interface Detected {
  /** The format's name, as in `--format`. */
  name: string;
  /** `named` (the host named it), `certain`, `likely` or `guess`. */
  confidence?: string | undefined;
  /** The key or value that decided, such as `toolUseResult`. */
  evidence?: string | null | undefined;
  /**
   * Every format that the text could be in, where its keys leave that open, as in a conversation without tools. Its
   * turns are the same in all of them. Empty where one format alone is possible.
   */
  candidates?: string[] | undefined;
}

/** Who made a call. */
export type Executor = "client" | "provider" | "subagent" | "user";

/** What a model answered when it was asked about one reply. */
export interface ModelAnswer {
  /** `verified` or `unsupported`, as the model said. Where `failure` is `overruled` it counts for nothing. */
  verdict: Outcome;
  /** The words that it names, on one line, cut at 400 characters; null when it named none. */
  claim: string | null;
  /** The reason that it gave, on one line, cut at 400 characters; null when it gave none. */
  reason: string | null;
}

/** A request about several claims, with its questions by their ids. */
export interface ModelBatch {
  /** What is sent, of at most 6,000 bytes. */
  request: ModelRequest;
  /** A boolean for each claim: `true` says that a call can have produced it. */
  questions: Record<string, ModelQuestion>;
}

/** Why the model step gave no verdict. The reply is then shown as the readers left it. */
export type ModelFailure = "timeout" | "raised" | "cancelled" | "wrong_type" | "refused" | "unreadable" | "overruled";

/** One thing that is asked in a request about several claims. */
export interface ModelQuestion {
  /** How it is answered: `boolean`. */
  type: string;
  /** What is asked. It names the claim by its id and holds none of its words. */
  description: string;
}

/** One question to a model, for the host to carry. */
export interface ModelRequest {
  /** The instruction. It is the same for every turn. */
  system: string;
  /** The question with the excerpts of the record. */
  prompt: string;
  /** The JSON Schema of the answer, for models that take one. */
  schema: unknown;
  /** The temperature to ask with: 0. */
  temperature: number;
  /** Whether the model is to think before it answers: no. */
  thinking: boolean;
  /** Which tools the model may call: `none`. */
  tools: string;
  /** How many bytes of UTF-8 `system` and `prompt` have, at most 6,000. */
  bytes: number;
}

/** Sums over the turns of one model. */
export interface ModelTotals {
  /** Turns read. */
  turns: number;
  /** Calls read. */
  calls: number;
  /** Claims read. */
  claims: number;
  /** Claims flagged. */
  flagged: number;
}

/** What came of a whole reply. */
export type Outcome = "unsupported" | "verified" | "not_shown";

/** A part of a reply. A reply's pieces are joined by a blank line before spans are counted. */
export interface Piece {
  /** What the agent wrote. */
  text: string;
  /** It was written between calls, before the final answer. */
  interim?: boolean | undefined;
}

/** What came of a proof of read, as the host gave it. */
export interface Proof {
  /** The session's id. */
  session: string;
  /** Where the probe document was served. */
  url: string;
  /** What the answer showed. */
  state: ProofState;
  /** Whether the agent had to read it. */
  required: boolean;
  /** What the state shows and what not. */
  meaning: string;
}

/** What an answer shows, the best first. */
export type ProofState = "READ_VERIFIED" | "READ_STALE" | "REPLAY_SUSPECT" | "HALLUCINATED";

/** A reply: one text, or pieces in the order in which they were written. */
export type Reply = string | Piece[];

/** What was found in a session. */
export interface Report {
  /** The version of counterfoil that made it. */
  version: string;
  /** How every span in it is counted. */
  unit: Unit;
  /** One report a turn, in order. */
  turns: TurnReport[];
  /** Sums over all turns. */
  totals: Totals;
}

/** A session: turns in order. A turn's earlier calls are those of the turns before it. */
export interface Session {
  /** The turns, oldest first. */
  turns: Turn[];
  /** The host's id of the session. */
  id?: string | null | undefined;
  /** The format it was read from. */
  format?: Detected | null | undefined;
  /** What was repaired, left out or not understood, in plain sentences that name the place. */
  notes?: string[] | null | undefined;
}

/** Where a call's status and exit were read from. */
export type Source = "field" | "text";

/** A half-open range of a text. Bytes inside the crate; on the wire in the result's `unit`. */
export interface Span {
  /** Where it starts. */
  start: number;
  /** Where it ends; the place itself is not part of it. */
  end: number;
}

/**
 * How a call ended. Ok means that the tool reported no error, which is not the same as exit 0. Where a native call
 * names none it is filled in: by a non-zero exit as error and by exit 0 as ok; else by an `error`, or by an output
 * that starts with `error:`, as error; else as unknown.
 */
export type Status = "ok" | "error" | "denied" | "declined" | "timeout" | "cancelled" | "pending" | "background" | "unknown";

/** Sums over a session. */
export interface Totals {
  /** Turns read. */
  turns: number;
  /** Calls read, as the turns' own records hold them. */
  calls: number;
  /** Claims read, those that no list has room for included. */
  claims: number;
  /** Claims flagged, those that no list has room for included. */
  flagged: number;
  /** Flagged claims per reader; readers that flagged nothing are left out. */
  by_reader: Record<string, number>;
  /** The same sums per model; turns whose model is not known are left out. */
  by_model: Record<string, ModelTotals>;
}

/** One turn of an agent: what it said and what it did before saying so. */
export interface Turn {
  /** What the agent wrote. */
  reply: Reply;
  /**
   * The turn's calls; null when there is no record, so that nothing is checked. An empty list says that it made no
   * call.
   */
  calls?: Call[] | null | undefined;
  /** Calls of all earlier turns, oldest first. */
  earlier?: Call[] | null | undefined;
  /** This turn's message from the person. */
  user?: string | null | undefined;
  /** The person's earlier messages. */
  said?: string[] | null | undefined;
  /** Other text the agent was given: system prompt, reminders, attachments, hook output. */
  context?: string[] | null | undefined;
  /** Numbers of the stored entries; null when citations are not to be checked. */
  entries?: number[] | null | undefined;
  /** Names of the tools on offer. */
  tools?: string[] | null | undefined;
  /** The model that wrote the reply; of several the one that wrote its last text. */
  model?: string | null | undefined;
  /** `no` where the record is known to be incomplete; `yes` when absent. */
  complete?: Complete | null | undefined;
  /** Why the record is known to be incomplete. */
  reasons?: string[] | null | undefined;
}

/** What was found in one turn of a session. */
export interface TurnReport {
  /** The turn's number, from 1. */
  turn: number;
  /** The `ran:` line, if there is one. */
  ran: string | null;
  /** The cited entries; null where the turn has no entries to compare with. */
  cited: Citations | null;
  /** What the readers found; null when nothing was read. */
  verification: Verification | null;
}

/** How offsets are counted. */
export type Unit = "utf8" | "utf16" | "codepoints";

/** What the record says of one claim. */
export type Verdict = "supported" | "unsupported" | "contradicted" | "not_shown";

/** What was found in one reply. */
export interface Verification {
  /** The version of counterfoil that made it. */
  version: string;
  /** How every span in it is counted. */
  unit: Unit;
  /** What came of the whole reply. */
  status: Outcome;
  /** How it was checked: `readers`, or `model` where a model was asked after them. */
  method: string;
  /** How many calls the turn's record holds, those of sub-agents and of the person included. */
  calls: number;
  /** `yes`, or `no` where the record is known to be incomplete. */
  complete: string;
  /** Indices of this turn's calls whose whole output would decide a claim. */
  wants: number[];
  /** Why the model step gave no verdict; null when it gave one or was not made. The readers never fail. */
  failure: ModelFailure | null;
  /** What the model answered; null when none was asked or its answer could not be read. */
  answer: ModelAnswer | null;
  /** Everything that was read, in reading order, cited entries last; of the flagged at most `limits.flagged`. */
  claims: Claim[];
  /** What came of the proofs of read that the host gave for this turn; empty where it gave none. */
  canaries: Proof[];
  /**
   * `unsupported: "CLAIM" (REASON)` with the first flagged claim, and ` +N more` with the number of the others;
   * null unless the status is `unsupported`. A model may doubt a reply without words that stand in it: the line
   * says so then, and `claims` holds nothing of it.
   */
  line: string | null;
  /** What stands between the pieces of the reply in the text that spans point into; null for a reply in one piece. */
  joined: string | null;
}
