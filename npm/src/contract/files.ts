/**
 * A host for contracts about files, in Node: it looks, and does nothing else. It reads below the roots of the contract alone,
 * opens no link, and runs nothing.
 */

import { realpathSync, statSync } from "node:fs";
import { isAbsolute, sep } from "node:path";
import { code, reason } from "../system.js";
import { version } from "../version.js";
import { refusal } from "./call.js";
import "./node.js";
import { ABSENT, followed, type Place, rootsOf, within } from "./place.js";
import { bytesOf, digestOf, kindOf, listed, Refused } from "./reading.js";
import type { Observation, Plan, PlannedRequest } from "./types.js";

/** What this host can do, for `run_env.capabilities`. */
export const CAPABILITIES: readonly string[] = ["stat", "digest", "walk", "read"];

export interface ObserveOptions {
  /** The time, for `started_at` and `ended_at`: the clock of this machine. */
  now?: (() => Date) | undefined;
}

/**
 * The directory to work in, with its links resolved. It has to be absolute and there: what a process happens to stand in is no
 * workspace.
 */
export function workspace(path: string): string {
  const wrong = (message: string) => refusal("verify.workspace_unresolved", message);
  if (typeof path !== "string" || !isAbsolute(path)) throw wrong("the workspace is a relative path");
  try {
    const place = realpathSync(path);
    if (statSync(place).isDirectory()) return place;
  } catch (failure) {
    throw wrong(`the workspace cannot be opened: ${reason(failure)}`);
  }
  throw wrong("the workspace is no directory");
}

/** Looks at everything that a plan asks of it. What it cannot do is answered as unavailable. */
export function observe(plan: Plan, folder: string, { now = () => new Date() }: ObserveOptions = {}): Observation[] {
  const place = workspace(folder);
  const until = performance.now() + plan.limits.deadline_seconds * 1000;
  const roots = rootsOf(place, plan.allowed_roots);
  return plan.requests
    .filter((request) => request.status === "run")
    .map((request) => {
      const started = stamp(now());
      const own = Math.min(until, performance.now() + request.timeout_seconds * 1000);
      const seen = looked(request, { place, roots, until: own });
      const host = { name: "counterfoil-node", version, capability: request.capability };
      const { request_id } = request;
      return { request_id, plan_digest: plan.plan_digest, ...seen, started_at: started, ended_at: stamp(now()), host };
    });
}

/** In whole seconds, as the times of a contract are. */
function stamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

interface Bounds {
  place: string;
  roots: readonly string[];
  /** When the time runs out, by `performance.now()`. */
  until: number;
}

type Seen = Pick<Observation, "outcome" | "reason" | "value" | "truncated">;

function looked(request: PlannedRequest, bounds: Bounds): Seen {
  const { capability, target } = request;
  if (!CAPABILITIES.includes(capability))
    return { outcome: "unavailable", reason: `verify.capability_missing: this host has no capability ${capability}` };
  try {
    const found = inside(String(target["path"]), bounds);
    if (!found.there) return { outcome: "absent" };
    return { outcome: "ok", ...carriedOut(request, found.path, bounds) };
  } catch (failure) {
    if (failure instanceof Refused) return { outcome: failure.outcome, reason: failure.message };
    if (ABSENT.has(code(failure) ?? "")) return { outcome: "absent" };
    return { outcome: "failed", reason: reason(failure) };
  }
}

/** The place that a path leads to, which lies inside the roots. */
function inside(path: string, { place, roots }: Bounds): Place {
  if (path.includes("\0")) throw new Refused("refused", "the path has a NUL");
  const found = followed(isAbsolute(path) ? path : place + sep + path);
  if (roots.some((root) => within(found.path, root))) return found;
  throw new Refused("refused", "the path leads out of the allowed roots");
}

function carriedOut({ capability, target }: PlannedRequest, path: string, bounds: Bounds): Partial<Seen> {
  const most = Number(target["max_bytes"] ?? Number.POSITIVE_INFINITY);
  const { until, roots } = bounds;
  if (capability === "stat") return { value: kindOf(path) };
  if (capability === "digest") return digestOf(path, { most, until });
  if (capability === "read") return bytesOf(path, { most, until });
  const digests = Array.isArray(target["digests"]) ? (target["digests"] as string[]) : [];
  return listed(path, { most: Number(target["max_files"] ?? 10_000), digests: new Set(digests), until, roots });
}
