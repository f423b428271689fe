/**
 * Verification contracts: what has to be true is frozen before the work, looked at by a host after it, and judged by a pure
 * function. Data has the names of the files of a run (`contract_id`); refusals are `ContractError`.
 */

import { call } from "./call.js";
import type {
  AddressAnswer,
  Attested,
  AttestOptions,
  Bundle,
  CheckTypeInfo,
  CodeInfo,
  Envelope,
  LevelInfo,
  Outcome,
  ReadBack,
  ReverifyOptions,
  RunFiles,
  SignatureAnswer,
  VerdictAnswer,
} from "./results.js";
import { validated } from "./schema.js";
import type {
  Check,
  Contract,
  Digests,
  Draft,
  Frozen,
  JudgeOptions,
  Observation,
  Plan,
  Proposal,
  Result,
  RunEnv,
  Supplement,
} from "./types.js";

/**
 * Freezes a draft: from now on nothing in it changes. The draft itself is untouched. A string is read strictly, as the text of a
 * file: a member named twice is refused, which `JSON.parse` would not see.
 */
export function freeze(contract: Draft | string, options: { now: string; by: string }): Frozen {
  return call("freeze", { ...options, contract });
}

/** The digests of a frozen contract, if it is what was frozen; else it throws `verify.contract_tampered`. */
export function checkIntegrity(contract: Contract | string): Digests {
  return call("check_integrity", { contract });
}

/** Checks beside a frozen contract, none of which is required. The contract and its digest stay as they are. */
export function propose(contract: Contract | string, checks: readonly Check[], options: { by: string }): Proposal {
  return call("propose", { ...options, contract, checks });
}

/** A draft of the next revision, to be frozen anew. */
export function revise(
  contract: Contract | string,
  fields: Partial<Draft>,
  options: { by: string },
): { contract: Draft } {
  return call("revise", { ...options, contract, fields });
}

/** What has to be looked at. It follows from the contract and the host's account of itself, never from anything seen. */
export function plan(
  contract: Contract | string,
  runEnv: RunEnv,
  options: { supplements?: readonly Supplement[] | null | undefined } = {},
): Plan {
  return call("plan", { ...options, contract, run_env: runEnv });
}

/** Whether a host may connect to what a name resolved to. It asks with all addresses, between resolving and connecting. */
export function checkAddresses(plan: Plan, requestId: string, addresses: readonly string[]): AddressAnswer {
  return call("check_addresses", { plan, request_id: requestId, addresses });
}

/**
 * Judges what a host saw, and gives the bundle: the content of `evidence.json`. Without a contract (null) nothing was demanded,
 * and the bundle is UNVERIFIED.
 *
 * Checks of the type `json_schema` need `schema`, a validator, such as `ajv` makes one; without it they decide nothing.
 */
export function judge(
  contract: Contract | string | null | undefined,
  plan: Plan | null | undefined,
  observations: readonly Observation[],
  runEnv: RunEnv,
  options: JudgeOptions = {},
): Bundle {
  const { schema, ...rest } = options ?? {};
  const lists = [plan?.requests, observations].every(Array.isArray);
  const seen = schema && plan && lists ? validated(plan, observations, schema) : observations;
  if (contract == null) return call("judge", { ...rest, run_env: runEnv });
  return call("judge", { ...rest, contract, plan, observations: seen, run_env: runEnv });
}

/** The verdict over results that another verifier gives. What is required stands in the contract, not in the results. */
export function verdict(
  contract: Contract | string,
  results: readonly Result[],
  options: { advisory_findings?: readonly string[] | null | undefined } = {},
): VerdictAnswer {
  return call("verdict", { ...options, contract, results });
}

/** What callers of a run need of its bundle: one answer for each check. */
export function outcome(bundle: Bundle): Outcome {
  return call("outcome", { bundle });
}

/**
 * Binds a bundle to its bytes. `files` in the answer holds the exact text of every file of the run.
 *
 * `sign` is a function that signs, or true to demand a signature. Where signing has to be waited for, as with WebCrypto, call it
 * without, have `pae` (base64) signed, and call it again with `signature` and otherwise the same. A signature is proven before
 * it is taken. Keys stay with the host; Ed25519 and ECDSA over P-256 with SHA-256 are known.
 */
export function attest(contract: Contract | string, bundle: Bundle, options: AttestOptions): Attested {
  const { sign, ...rest } = options ?? {}; // Without a time the core refuses, and says so.
  const given = { ...rest, contract, bundle };
  if (typeof sign !== "function") return call("attest", { ...given, sign });
  if (rest.signature != null || rest.seed != null) return call("attest", { ...given, sign: true });
  const { pae } = call<Attested>("attest", given);
  const made = sign(Uint8Array.from(atob(pae), (letter) => letter.charCodeAt(0)));
  const { signature } = made;
  const text = signature instanceof Uint8Array ? btoa(String.fromCharCode(...signature)) : signature;
  return call("attest", { ...given, sign: true, signature: { ...made, signature: text } });
}

/** Reads a run back from the texts of its files. Throws with the first thing that is wrong, its step in `details.step`. */
export function reverify(files: Partial<RunFiles>, options: ReverifyOptions = {}): ReadBack {
  return call("reverify", { ...options, files });
}

/** Checks a DSSE envelope against public keys: PEM, or in hexadecimal or base64 their DER form or bytes. */
export function verifySignature(envelope: Envelope, keys: readonly string[]): SignatureAnswer {
  return call("verify_signature", { envelope, keys });
}

/** Every type of check with its parameters, and what a host has to be able to do for it. */
export function checkTypes(): CheckTypeInfo[] {
  return call("check_types", {});
}

/** The levels of assurance, the weakest first, with what each proves and what not. */
export function levels(): LevelInfo[] {
  return call("levels", {});
}

/** The codes of refusals and of checks that could not decide. */
export function codes(): CodeInfo[] {
  return call("codes", {});
}
