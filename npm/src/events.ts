/** Audit events of checks, shaped by the core. */

import * as core from "./core/counterfoil.js";
import { attempt } from "./error.js";
import { json } from "./input.js";
import { ready } from "./load.js";
import type * as types from "./types.js";

/** What the host knows of a check and the core does not. */
export interface About {
  /** How long the check took, the model's answer included. */
  seconds: number;
  /** The bytes of the request, where a model was asked. */
  bytes?: number | null | undefined;
  /** The model's name. */
  model?: string | null | undefined;
  /** Whether the model thought before it answered. */
  think?: boolean | null | undefined;
}

/** The event `response.verification`. What is about a model is null where none was asked. */
export interface AuditEvent {
  event: "response.verification";
  method: string;
  status: types.Outcome;
  claims: Pick<types.Claim, "reader" | "verdict" | "text" | "reason" | "line">[];
  calls: number;
  seconds: number;
  line: string | null;
  bytes: number | null;
  model: string | null;
  think: boolean | null;
  failure: types.ModelFailure | null;
}

/** The event `gen_ai.evaluation.result` of OpenTelemetry. */
export interface EvaluationEvent {
  name: "gen_ai.evaluation.result";
  attributes: Record<string, string | number>;
}

/** Hears the event of a check. */
export type Audit = (event: AuditEvent) => unknown;

/** The event `response.verification` of a result; null for null, which says that nothing was checked. */
export function audit(result: types.Verification, about: About): AuditEvent;
export function audit(result: types.Verification | null, about: About): AuditEvent | null;
export function audit(result: types.Verification | null, about: About): AuditEvent | null {
  ready();
  return read(attempt(() => core.audit(json(result), json(about)))) as AuditEvent | null;
}

/**
 * The same as the event of OpenTelemetry: `span.addEvent(event.name, event.attributes)` adds it to a span. `response` is
 * the provider's id of the reply that was checked.
 */
export function evaluation(
  result: types.Verification,
  about: About & { response?: string | null | undefined },
): EvaluationEvent;
export function evaluation(
  result: types.Verification | null,
  about: About & { response?: string | null | undefined },
): EvaluationEvent | null;
export function evaluation(
  result: types.Verification | null,
  about: About & { response?: string | null | undefined },
): EvaluationEvent | null {
  ready();
  return read(attempt(() => core.evaluation(json(result), json(about)))) as EvaluationEvent | null;
}

function read(text: string | undefined): unknown {
  return text === undefined ? null : JSON.parse(text);
}
