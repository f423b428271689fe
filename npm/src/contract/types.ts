/** The data of verification contracts, as the core reads and writes it. docs/contracts.md says what each member means. */

/** A value that JSON has. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json | undefined };

/** What may be left out. */
export type Maybe<T> = T | null | undefined;

/** `sha256:` and 64 hexadecimal digits. */
export type Digest = string;

export type Level =
  | "visual_advisory"
  | "deterministic_local"
  | "isolated_local"
  | "external_read_only"
  | "human_attested"
  | "remote_attested";

/** An origin that checks may reach; as an object where its name may resolve to an address that is not public. */
export type Origin = string | { origin: string; allow_private: boolean };

/** One thing that has to be true. */
export interface Check {
  id: string;
  /** One of those that `checkTypes` lists. */
  type: string;
  params?: Maybe<{ [name: string]: unknown }>;
  required?: Maybe<boolean>;
  description?: Maybe<string>;
  timeout_seconds?: Maybe<number>;
}

/** A contract before it is frozen. */
export interface Draft {
  contract_id: string;
  checks?: Maybe<readonly Check[]>;
  schema_version?: Maybe<number>;
  revision?: Maybe<number>;
  previous_digest?: Maybe<Digest>;
  title?: Maybe<string>;
  created_by?: Maybe<string>;
  created_at?: Maybe<string>;
  frozen_by?: Maybe<string>;
  frozen_at?: Maybe<string>;
  required_assurance?: Maybe<Level>;
  allowed_origins?: Maybe<readonly Origin[]>;
  allowed_roots?: Maybe<readonly string[]>;
  allowed_env?: Maybe<readonly string[]>;
  source_prompt?: Maybe<string>;
  digest?: Maybe<Digest>;
}

/** A frozen contract, with everything written out. */
export interface Contract extends Draft {
  checks: Required<Check>[];
  schema_version: number;
  revision: number;
  previous_digest: Digest | null;
  title: string;
  created_by: string;
  created_at: string;
  frozen_by: string;
  frozen_at: string;
  required_assurance: Level;
  allowed_origins: Origin[];
  allowed_roots: string[];
  allowed_env: string[];
  source_prompt: string;
  digest: Digest;
}

export interface Digests {
  digest: Digest;
  /** Of what is demanded alone: the same for equal terms, whoever froze them and when. */
  terms_digest: Digest;
}

export interface Frozen extends Digests {
  contract: Contract;
  /** `no_required_check`. */
  warnings: string[];
}

/** Checks beside a frozen contract. */
export interface Supplement {
  base_digest: Digest;
  proposed_by: string;
  checks: Check[];
  digest: Digest;
}

export interface Proposal {
  supplement: Supplement;
  /** The ids that the contract had already. */
  ignored: string[];
}

/** The host's account of itself and of the run. */
export interface RunEnv {
  /** RFC 3339 in UTC: `2026-01-01T00:00:00Z`. */
  now: string;
  /** An absolute directory that the launcher established, or a token for it. It is not kept. */
  workspace?: Maybe<string>;
  backend?: Maybe<{
    name?: Maybe<string>;
    version?: Maybe<string>;
    level?: Maybe<Level>;
    facts?: Maybe<{ [name: string]: unknown }>;
  }>;
  offline?: Maybe<boolean>;
  /** What the host can do; left out, it does not say. */
  capabilities?: Maybe<readonly string[]>;
  /** Who did the work: `model:agent`. */
  actor?: Maybe<string>;
  work_started_at?: Maybe<string>;
}

/** Something to be looked at. Only what has the status `run` is carried out. */
export interface PlannedRequest {
  request_id: string;
  check_id: string;
  capability: string;
  target: { [name: string]: unknown };
  timeout_seconds: number;
  status: "run" | "refused" | "unavailable";
  code: string | null;
  reason: string | null;
}

export interface Plan {
  schema_version: number;
  contract_id: string;
  contract_digest: Digest;
  terms_digest: Digest;
  supplement_digests: Digest[];
  required_assurance: Level;
  assurance: Level;
  offline: boolean;
  allowed_origins: Origin[];
  allowed_roots: string[];
  env: string[];
  missing_capabilities: string[];
  limits: { deadline_seconds: number };
  requests: PlannedRequest[];
  plan_digest: Digest;
}

/** What a host answers to a request. Of the outcomes `ok` and `absent` alone are facts. */
export interface Observation {
  request_id: string;
  plan_digest: Digest;
  outcome: "ok" | "absent" | "refused" | "timeout" | "unavailable" | "failed";
  reason?: Maybe<string>;
  value?: unknown;
  /** Whether there was more than `value` holds. */
  truncated?: Maybe<boolean>;
  started_at?: Maybe<string>;
  ended_at?: Maybe<string>;
  host?: Maybe<{ name?: Maybe<string>; version?: Maybe<string>; capability?: Maybe<string> }>;
}

/** What a validator of schemas found. A document that fits has no errors, and one that does not has some. */
export interface SchemaResult {
  /** Its name, for the limitation that stands beside the result. */
  validator?: Maybe<string>;
  valid: boolean;
  /** `path` is a JSON pointer into the document. */
  errors?: readonly { path: string; keyword: string; message: string }[] | undefined;
  /** How many there are, where `errors` holds only the first. */
  error_count?: number | undefined;
}

/** Decides whether a document fits a schema, which refers to nothing outside itself. `formats`: whether `format` decides. */
export type SchemaValidator = (schema: object, document: unknown, options: { formats: boolean }) => SchemaResult;

export interface Artifact {
  role: string;
  /** Relative, or an alias. */
  path: string;
  digest: Digest;
  bytes: number;
}

/** What is kept beside the results. Nothing of it decides, but for `schema`, which is not kept. */
export interface JudgeOptions {
  supplements?: Maybe<readonly Supplement[]>;
  schema?: Maybe<SchemaValidator>;
  run_id?: Maybe<string>;
  loop_id?: Maybe<string>;
  iteration?: Maybe<number>;
  source_alias?: Maybe<string>;
  revision_id?: Maybe<string>;
  content_digest?: Maybe<Digest>;
  capture_digest?: Maybe<Digest>;
  interaction_script_digest?: Maybe<Digest>;
  artifacts?: Maybe<readonly Artifact[]>;
  /** What a critic said; advisory for ever. */
  advisory_findings?: Maybe<readonly string[]>;
  cost?: unknown;
}

/** What another verifier says of a check. */
export interface Result {
  check_id: string;
  [name: string]: unknown;
}
