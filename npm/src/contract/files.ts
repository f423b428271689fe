/**
 * A host that looks at files: it carries out the requests of a plan for `file_exists`, `file_digest`, `directory_manifest`,
 * `json_value` and the other types of checks that need nothing but files.
 *
 *     const runEnv = { now: now(), ...host("/srv/shop"), actor: "model:agent" };
 *     const planned = plan(contract, runEnv);
 *     const observations = observe(planned, runEnv.workspace);
 *
 * It looks only below the allowed roots, after links are resolved. What is not there is `absent`; what lies outside is `refused`;
 * what cannot be looked at is `failed` or `timeout`, and never a fact. It does not isolate itself from whoever did the work: its
 * level is `deterministic_local`.
 */

import { mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { code, reason } from "../host.js";
import { version } from "../version.js";
import { refusal } from "./call.js";
import "./node.js";
import { ABSENT, followed, type Place, rootsOf, within } from "./place.js";
import { Looking, type Seen, Unseen } from "./reading.js";
import type { RunFiles } from "./results.js";
import type { Observation, Plan, PlannedRequest, RunEnv } from "./types.js";

/** The name of this host in evidence. */
export const NAME = "counterfoil.contract.files";
/** What this host can do. */
export const CAPABILITIES: readonly string[] = ["stat", "digest", "walk", "read"];
/** The files of a run, the last of them only where it is signed. */
export const NAMES = ["contract.json", "evidence.json", "attestation.json", "attestation.dsse.json"] as const;

/** The most bytes of all texts that are read for one plan, as they are written in JSON. */
const TEXTS = 40 << 20;

/** The time, as contracts write it. */
export function now(): string {
  return new Date().toISOString();
}

/**
 * The members of `run_env` that this host gives. The workspace is an absolute, existing directory, never the current one by
 * accident.
 */
export function host(
  workspace: string,
): Required<Pick<RunEnv, "workspace" | "capabilities" | "backend">> & { workspace: string } {
  const backend = { name: NAME, version, level: "deterministic_local" } as const;
  return { workspace: directory(workspace), capabilities: CAPABILITIES, backend };
}

function directory(path: string): string {
  const wrong = (why: string) => refusal("verify.workspace_unresolved", `the workspace ${why}`);
  if (typeof path !== "string" || !isAbsolute(path)) throw wrong("is a relative path");
  let place: string;
  try {
    place = realpathSync(path);
    if (statSync(place).isDirectory()) return place;
  } catch (failure) {
    throw wrong(reason(failure));
  }
  throw wrong("is no directory");
}

/** Carries out the requests of a plan whose status is `run`, and gives an observation for each. */
export function observe(plan: Plan, workspace: string, clock: () => string = now): Observation[] {
  const place = directory(workspace);
  const ends = performance.now() + plan.limits.deadline_seconds * 1000;
  const bounds = { place, roots: rootsOf(place, plan.allowed_roots) };
  const looking = new Looking(bounds.roots, TEXTS);
  const wanted = plan.requests.filter((request) => request.status === "run");
  return wanted.map((request) => {
    const started = clock();
    const seen = at(request, bounds, looking, Math.min(ends, performance.now() + request.timeout_seconds * 1000));
    return {
      request_id: request.request_id,
      plan_digest: plan.plan_digest,
      reason: null,
      value: null,
      truncated: false,
      ...seen,
      started_at: started,
      ended_at: clock(),
      host: { name: NAME, version, capability: request.capability },
    };
  });
}

interface Bounds {
  place: string;
  roots: readonly string[];
}

/** The outcome of a request, with what was seen. No reason names a place of this machine. */
function at(
  request: PlannedRequest,
  bounds: Bounds,
  looking: Looking,
  until: number,
): Pick<Observation, "outcome"> & Partial<Seen> & { reason?: string } {
  const { capability, target } = request;
  if (!CAPABILITIES.includes(capability))
    return { outcome: "unavailable", reason: `verify.capability_missing: this host has no ${capability}` };
  try {
    const found = inside(String(target["path"]), bounds);
    if (!found.there) return { outcome: "absent" };
    return { outcome: "ok", ...looking.at(capability, target, found.path, until) };
  } catch (failure) {
    if (failure instanceof Unseen) return { outcome: failure.outcome, reason: failure.message };
    if (ABSENT.has(code(failure) ?? "")) return { outcome: "absent" };
    return { outcome: "failed", reason: reason(failure) };
  }
}

/** The place that a path leads to, which lies inside the roots. */
function inside(path: string, { place, roots }: Bounds): Place {
  if (path.includes("\0")) throw new Unseen("failed", "a path has no NUL");
  const found = followed(isAbsolute(path) ? path : place + sep + path);
  if (roots.some((root) => within(found.path, root))) return found;
  throw new Unseen("refused", "the path leads out of the allowed roots");
}

/** Writes the files of a run that `attest` gave, byte for byte. The folder is made; nothing in it is overwritten. */
export function writeRun(folder: string, files: RunFiles): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    if (!(NAMES as readonly string[]).includes(name)) throw new RangeError(`${name} is no file of a run`);
    writeFileSync(join(folder, name), text, { flag: "wx" });
  }
}

/** The files of a run for `reverify`, byte for byte. Those that are not there are left out. */
export function readRun(folder: string): Partial<RunFiles> {
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const files: Partial<RunFiles> = {};
  for (const name of NAMES) {
    const path = join(folder, name);
    if (statSync(path, { throwIfNoEntry: false })) files[name] = utf8.decode(readFileSync(path));
  }
  return files;
}
