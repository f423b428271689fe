/** `counterfoil contract …`: reads and writes files and looks at the workspace. Every word it prints comes from the core. */

import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { release, type } from "node:os";
import { contract_step } from "../core/counterfoil_cli.js";
import { code, contents, home, piecesOf, reason, write } from "../host.js";
import { version } from "../version.js";
import { NAME, now, observe } from "./files.js";
import { ABSENT } from "./place.js";
import type { Plan } from "./types.js";

/** What the core asks for next. */
interface Step {
  read?: string[];
  workspace?: string;
  observe?: { plan: Plan; workspace: string };
  end?: { write: Writing | null; stdout: string; stderr: string; exit: number };
}

interface Writing {
  folder: string | null;
  files: [path: string, text: string][];
}

type Read = { text: string } | Failure;
interface Failure {
  error: string;
  absent?: boolean;
  exists?: boolean;
}

/** Does one step after another of what the words behind `contract` ask for; gives the exit status. */
export function run(words: string[], real: Map<string, Buffer>): number {
  const host = { name: NAME, version, platform: type(), release: release() };
  const files: Record<string, Read> = Object.create(null);
  const given: Record<string, unknown> = { host, run_id: `vr_${randomBytes(6).toString("hex")}`, files };
  for (;;) {
    given["now"] = now();
    const step: Step = JSON.parse(contract_step(words, JSON.stringify(given)));
    if (step.read) for (const path of step.read) files[path] = read(path, real);
    else if (step.workspace !== undefined) given["workspace"] = directory(named(step.workspace, real));
    else if (step.observe) given["observations"] = observe(step.observe.plan, step.observe.workspace);
    else if (step.end) {
      const failed = step.end.write ? written(step.end.write, real) : undefined;
      if (failed === undefined) {
        write(step.end);
        return step.end.exit;
      }
      given["unwritten"] = failed;
    }
  }
}

/** The path as it was typed: the words name files, and folders in which the core names files. Names need not be UTF-8. */
function named(path: string, real: Map<string, Buffer>): string | Buffer {
  for (const [word, typed] of real)
    if (path.startsWith(word)) return Buffer.concat([typed, Buffer.from(path.slice(word.length))]);
  return home(path);
}

function failed(failure: unknown): Failure {
  const name = code(failure) ?? "";
  return { error: reason(failure), absent: ABSENT.has(name), exists: name === "EEXIST" };
}

/** A file's text. Its bytes are bound by digests, so that nothing is taken from them. */
function read(path: string, real: Map<string, Buffer>): Read {
  let bytes: Buffer;
  try {
    bytes = Buffer.concat([...(path === "-" ? piecesOf(0) : contents(named(path, real)))]);
  } catch (failure) {
    return failed(failure);
  }
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { error: "it is not UTF-8 text" };
  }
}

/** The real place of a directory that exists. */
function directory(path: string | Buffer): { path: string } | Failure {
  try {
    const bytes = realpathSync(path, { encoding: "buffer" });
    if (!statSync(bytes).isDirectory()) return { error: "it is no directory" };
    const place = bytes.toString();
    return Buffer.from(place).equals(bytes) ? { path: place } : { error: "its name is not UTF-8" };
  } catch (failure) {
    return failed(failure);
  }
}

/** Writes files that are not there yet; gives what went wrong. */
function written({ folder, files }: Writing, real: Map<string, Buffer>): (Failure & { path: string }) | undefined {
  let place = folder ?? "";
  try {
    if (place !== "") mkdirSync(named(place, real), { recursive: true });
    for (const [path, text] of files) {
      place = path;
      const file = openSync(named(path, real), "wx");
      try {
        writeFileSync(file, text);
      } finally {
        closeSync(file);
      }
    }
  } catch (failure) {
    return { path: place, ...failed(failure) };
  }
  return undefined;
}
