/** The border to the core: JSON text there and back, and refusals as errors. */

import * as core from "./core/counterfoil_contract.js";
import { ContractError, type Refusal } from "./error.js";
import { ready } from "./load.js";

/** Nothing that is given lies deeper than this. The core has limits of its own, which are lower. */
const DEEPEST = 256;

/** Calls a function of the core with an object of its arguments. */
export function call<T>(name: string, input: object): T {
  ready();
  return JSON.parse(called(name, JSON.stringify(strict(input, "", DEEPEST)))) as T;
}

function called(name: string, input: string): string {
  try {
    return core.call(name, input);
  } catch (failure) {
    if (typeof failure !== "string") throw failure;
    throw new ContractError(JSON.parse(failure) as Refusal);
  }
}

/** A refusal of this side, with the fix that the core has for its code. */
export function refusal(code: string, message: string, details: Record<string, unknown> = {}): ContractError {
  const known = (JSON.parse(called("codes", "{}")) as Refusal[]).find((info) => info.code === code);
  return new ContractError({ code, message, fix: known?.fix ?? "", details, retryable: known?.retryable ?? false });
}

/**
 * The value as JSON has it. What `JSON.stringify` would turn into something else without a word is refused: numbers that are
 * none, values that JSON lacks, and objects of which it keeps nothing.
 */
function strict(value: unknown, path: string, left: number): unknown {
  const wrong = (message: string) => refusal("verify.contract_invalid", message, { path });
  if (left === 0) throw wrong(`nested more than ${DEEPEST} deep`);
  if (typeof value === "number" && !Number.isFinite(value)) throw wrong(`expected a finite number; found ${value}`);
  if (["bigint", "function", "symbol"].includes(typeof value)) throw wrong(`expected data; found a ${typeof value}`);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    return Array.from(value, (item, i) => {
      if (item === undefined) throw refusal("verify.contract_invalid", "missing", { path: `${path}[${i}]` });
      return strict(item, `${path}[${i}]`, left - 1);
    });
  }
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  if (tag !== "Object") throw wrong(`expected data; found an object of type ${tag}`);
  // Without a prototype `__proto__` is a name like any other.
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [name, part] of Object.entries(value))
    copy[name] = strict(part, path === "" ? name : `${path}.${name}`, left - 1);
  return copy;
}
