/** What the functions of verification contracts give, from the results of the checks on. */

import type { Refusal } from "./error.js";
import type { Artifact, Digest, Json, Level, Maybe, Observation, Supplement } from "./types.js";

export interface CheckResult {
  check_id: string;
  type: string;
  description: string;
  required: boolean;
  status: "pass" | "fail" | "inconclusive" | "error";
  /** null: it could not be looked at. */
  passed: boolean | null;
  /** Why it did not decide, or what was wrong. */
  code: string | null;
  /** The same in words, where it did not decide. */
  reason: string | null;
  summary: string;
  expected: unknown;
  observed: unknown;
  limitations: string[];
  input_digest: Digest;
  observation_digest: Digest | null;
  started_at: string | null;
  ended_at: string | null;
}

/** What was seen, as far as it may be kept. */
export interface StoredObservation {
  request_id: string;
  digest: Digest;
  bytes: number;
  /** Whether something was taken out of it before it was stored. */
  masked: boolean;
  envelope: Observation | null;
}

export type VerdictWord = "VERIFIED" | "FAILED" | "INCONCLUSIVE" | "UNVERIFIED";

export interface Counts {
  required: number;
  passed: number;
  failed: number;
  null: number;
  missing: number;
  advisory: number;
}

export interface VerdictAnswer {
  verdict: "pass" | "fail" | "inconclusive" | "error";
  verdict_word: VerdictWord;
  reason: string | null;
  limitations: string[];
  error: Refusal | null;
  counts: Counts | null;
}

/** The content of `evidence.json`. */
export interface Bundle extends VerdictAnswer {
  schema_version: number;
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
  contract_id: string | null;
  contract_digest: Digest | null;
  terms_digest: Digest | null;
  supplement_digests: Digest[];
  supplements: Supplement[];
  plan_digest: Digest | null;
  check_results: CheckResult[];
  observations: StoredObservation[];
  assurance: Level | null;
  assurance_facts: { [name: string]: unknown } | null;
  /** Whether nothing in the order of freezing and working speaks against a proof. */
  proof_eligible: boolean;
  frozen_before_work: boolean | null;
  policy_snapshot: { [name: string]: unknown } | null;
  run_env: { [name: string]: unknown };
  tools: { core: { name: string; version: string }; host: { name: string; version: string } };
  run_id: string | null;
  loop_id: string | null;
  iteration: number | null;
  source_alias: string | null;
  revision_id: string | null;
  content_digest: Digest | null;
  capture_digest: Digest | null;
  interaction_script_digest: Digest | null;
  artifacts: Artifact[];
  advisory_findings: string[];
  cost: unknown;
}

export interface Outcome {
  verification_id: string | null;
  verdict: VerdictWord;
  reason: string | null;
  checks: {
    check_id: string;
    kind: string;
    description: string;
    required: boolean;
    passed: boolean | null;
    evidence_refs: Digest[];
    detail: string;
  }[];
  counts: Counts | null;
  contract_digest: Digest | null;
  assurance: Level | null;
  evaluated_at: string;
}

export interface AddressAnswer {
  allowed: boolean;
  code: string | null;
  reason: string | null;
  addresses: { address: string; class: string; allowed: boolean }[];
}

/** A signature that the host made over `pae`. */
export interface HostSignature {
  algorithm: "ed25519" | "ecdsa_p256_sha256";
  /** PEM, or in hexadecimal or base64 its DER form or bytes. */
  public_key: string;
  /** In base64. Of ECDSA in DER, or as the two numbers of 32 bytes that WebCrypto gives. */
  signature: string;
}

/** Signs bytes with a key of the host. */
export type Signer = (bytes: Uint8Array) => Omit<HostSignature, "signature"> & { signature: Uint8Array | string };

export interface AttestOptions {
  now: string;
  host?: Maybe<{ platform?: Maybe<string>; release?: Maybe<string> }>;
  /** A function that signs; or whether a signature is demanded, which without a signer is refused. */
  sign?: Maybe<boolean | Signer>;
  signature?: Maybe<HostSignature>;
  /** The seed of an Ed25519 key, 64 hexadecimal digits, for the signer that is built in. Better is `signature`. */
  seed?: Maybe<string>;
  nonce?: Maybe<string>;
  previous_attestation_digest?: Maybe<Digest>;
  /** Other things that the verdict is about, in exactly the state that the digests are of. */
  subjects?: Maybe<readonly { name: string; digest: { [algorithm: string]: string } }[]>;
  resource_uri?: Maybe<string>;
}

/** The exact text of each file of a run, by its name. */
export interface RunFiles {
  "contract.json": string;
  "evidence.json": string;
  "attestation.json": string;
  "attestation.dsse.json"?: string;
}

/** The content of `attestation.json`. */
export interface Attestation {
  schema_version: number;
  bundle_digest: Digest;
  verdict: VerdictAnswer["verdict"];
  assurance: Level | null;
  contract_digest: Digest;
  created_at: string;
  host: { platform: string | null; release: string | null };
  nonce: string | null;
  subjects: { name: string; digest: { [algorithm: string]: string } }[];
  signature_status: string;
  signature: string | null;
  signature_algorithm: string | null;
  public_key: string | null;
  keyid: string | null;
  previous_attestation_digest: Digest | null;
  /** Whether the verdict was reached again from the stored observations before it was attested. */
  rejudged: boolean;
  attestation_digest: Digest;
}

/** The content of `attestation.dsse.json`: a DSSE envelope. */
export interface Envelope {
  payload: string;
  payloadType: string;
  signatures: readonly { keyid?: string; sig: string }[];
}

export interface Attested {
  attestation: Attestation;
  /** `unsigned_hash_bound`, or `signed_` and the algorithm. */
  signature_status: string;
  bundle_digest: Digest;
  /** The in-toto Statement. */
  statement: { [name: string]: unknown };
  payload_type: string;
  /** The statement's canonical text, in base64. */
  payload: string;
  /** The bytes to sign, in base64. */
  pae: string;
  /** Statements of other types, by their names, as far as the verdict has a place in them. */
  statements: { [name: string]: unknown };
  files: RunFiles;
}

export interface ReverifyOptions {
  /** Public keys, in any form that a key is read in. No key in the files themselves is ever trusted. */
  trusted_keys?: Maybe<readonly string[]>;
  policy?: Maybe<{ require_signature?: Maybe<boolean> }>;
}

export interface ReadBack {
  verdict: VerdictAnswer["verdict"];
  verdict_word: VerdictWord;
  assurance: Level | null;
  contract_digest: Digest;
  terms_digest: Digest;
  bundle_digest: Digest;
  attestation_digest: Digest;
  signature_status: "unsigned_hash_bound" | "valid_trusted" | "valid_untrusted_key" | "invalid" | "uncheckable";
  keyid: string | null;
  /** Whether what was seen was judged again; false where not all of it is stored, or where something came out otherwise. */
  rejudged: boolean;
  /** Why it was not. */
  rejudged_reason: string | null;
  frozen_before_work: boolean | null;
  proof_eligible: boolean;
  /** Whether it may be called a proof. */
  proof: boolean;
  limitations: string[];
}

export interface SignatureAnswer {
  valid: boolean;
  code: string | null;
  keyid: string | null;
  algorithm: string | null;
  payload_type: string;
  pae_digest: Digest;
  statement: Json;
}

export interface CheckTypeInfo {
  type: string;
  about: string;
  capabilities: string[];
  params: { name: string; kind: string; required: boolean; default: string | null; about: string }[];
}

export interface LevelInfo {
  level: Level;
  proves: string;
  does_not_prove: string;
  facts: string[];
}

export interface CodeInfo {
  code: string;
  when: string;
  fix: string;
  retryable: boolean;
}
