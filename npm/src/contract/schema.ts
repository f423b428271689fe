/** Schemas: the core carries no validator of them, and believes one that the caller gives. */

import type { Observation, Plan, PlannedRequest, SchemaResult, SchemaValidator } from "./types.js";

/** So many errors are handed on; how many there were is told. */
const SHOWN = 20;

/**
 * The observations, with what the validator says beside each document that a request has a schema for. What is no JSON is left
 * to the core, which has a reader of its own for it.
 */
export function validated(plan: Plan, observations: readonly Observation[], validate: SchemaValidator): Observation[] {
  const requests = new Map(plan.requests.map((request) => [request.request_id, request]));
  return observations.map((seen) => {
    const target = requests.get(seen?.request_id)?.target;
    return target?.["schema"] === undefined ? seen : beside(seen, target, validate);
  });
}

function beside(seen: Observation, target: PlannedRequest["target"], validate: SchemaValidator): Observation {
  const value = seen.value as Record<string, unknown> | null | undefined;
  if (seen.outcome !== "ok" || seen.truncated || value == null || value["validation"] != null) return seen;
  const document = read(value);
  if (document === undefined) return seen;
  try {
    const formats = target["assert_formats"] === true;
    const {
      validator,
      valid,
      errors = [],
      error_count,
    } = validate(target["schema"] as object, document.value, { formats });
    const count = error_count ?? errors.length;
    return {
      ...seen,
      value: { ...value, validation: { validator, valid, errors: errors.slice(0, SHOWN), error_count: count } },
    } as Observation;
  } catch (failure) {
    const why = failure instanceof Error ? failure.message : String(failure);
    const { value: _, ...rest } = seen;
    return { ...rest, outcome: "failed", reason: `the validator of schemas failed: ${why}`.slice(0, 1000) };
  }
}

/** The document of a file that was read; undefined for what is none. */
function read(value: Record<string, unknown>): { value: unknown } | undefined {
  const { text, base64 } = value;
  try {
    const bytes = typeof base64 === "string" ? Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)) : undefined;
    const whole = bytes ? new TextDecoder("utf-8", { fatal: true }).decode(bytes) : text;
    return typeof whole === "string" ? { value: JSON.parse(whole.replace(/^\ufeff/, "")) } : undefined;
  } catch {
    return undefined;
  }
}

/** One error in the form of `ajv`. */
interface AjvError {
  instancePath: string;
  keyword: string;
  message?: string | undefined;
}

/** What is called of an instance of `ajv`. */
interface AjvLike {
  compile(schema: object): { (document: unknown): unknown; errors?: readonly AjvError[] | null | undefined };
}

/**
 * A validator out of an instance of `ajv`, of its build for the draft that the schemas are of (`ajv/dist/2020.js`), with
 * `allErrors` where all errors are to be counted and `validateFormats: false` unless formats decide.
 */
export function ajv(instance: AjvLike | ((options: { formats: boolean }) => AjvLike), name = "ajv"): SchemaValidator {
  return (schema, document, options): SchemaResult => {
    const validate = (typeof instance === "function" ? instance(options) : instance).compile(schema);
    const valid = validate(document) === true;
    const errors = valid ? [] : (validate.errors ?? []);
    const told = errors.map(({ instancePath, keyword, message }) => ({
      path: instancePath,
      keyword,
      message: message ?? "",
    }));
    return { validator: name, valid, errors: told };
  };
}
