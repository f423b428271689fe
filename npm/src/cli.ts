#!/usr/bin/env node
/**
 * The command line's host. Files, streams and the terminal are its own; every word it prints comes from the core, but
 * for the reasons of the system, which are worded as in Python.
 */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type AuditLog, auditLog } from "./audit-log.js";
import { Invocation, initSync, type Output, type Run } from "./core/counterfoil_cli.js";
import { attempt, CounterfoilError } from "./error.js";
import {
  Bar,
  code,
  contents,
  describe,
  home,
  OutputError,
  piecesOf,
  reason,
  say,
  UNREADABLE,
  whole,
  write,
} from "./host.js";

async function main(): Promise<number> {
  initSync({ module: readFileSync(new URL("./core/counterfoil_cli_bg.wasm", import.meta.url)) });
  const words = process.argv.slice(2);
  try {
    if (words[0] === "eval") return await (await import("./evaluate.js")).run(words.slice(1));
    if (words[0] === "contract") return (await import("./contract/command.js")).run(words.slice(1), realNames(words));
    return run(words);
  } catch (failure) {
    if (code(failure) === "EPIPE") return 0; // The reader of a pipe has gone, as with `| head`.
    if (!(failure instanceof OutputError)) throw failure;
    say(`counterfoil: ${failure.message}\n`);
    return UNREADABLE;
  }
}

/** Reads the files that the words name and hands them to the core. */
function run(words: string[]): number {
  const real = realNames(words);
  const asked = Invocation.parse(words);
  const answer = asked.answer();
  if (answer !== undefined) return ended(answer);
  if (asked.converts() !== undefined) return ended(converted(asked, real));
  const [quiet, written] = [asked.quiet(), asked.audit()];
  let files: Named[];
  let check: Run;
  try {
    const [name, text] = settings(asked.config()) ?? ["", undefined];
    check = attempt(() => asked.run(name, text, color(), width()));
    files = attempt(() => check.expand((path: string) => look(path, real))) as Named[];
  } catch (failure) {
    say(`counterfoil: ${failure instanceof CounterfoilError ? failure.message : describe(failure)}\n`);
    return UNREADABLE;
  }
  const bar = new Bar(check, quiet);
  const audit = new Audit(check, written === undefined ? undefined : (real.get(written) ?? written));
  try {
    for (const [name, why] of files) {
      if (why == null) {
        read(check, name, real.get(name) ?? name, bar, audit);
        continue;
      }
      const output = check.unreadable(name, why);
      bar.clear();
      write(output);
    }
  } finally {
    audit.close();
  }
  const end = check.finish();
  bar.clear();
  return ended(end);
}

/** A file to check, and why it cannot be read where that is known. */
type Named = [name: string, reason: string | null | undefined];

/** Writes down what a run checked, where it is to; it has the clock, which the core has not. */
class Audit {
  #check: Run;
  #log: AuditLog | undefined;

  constructor(check: Run, path: string | Buffer | undefined) {
    this.#check = check;
    if (path !== undefined) this.#log = told(() => auditLog(home(path)));
  }

  /** Has the core work, and writes down what it checked. */
  of(work: () => Output): Output {
    const started = performance.now();
    const output = work();
    const events = this.#log ? this.#check.events((performance.now() - started) / 1000) : "";
    if (events !== "") told(() => this.#log?.lines(events));
    return output;
  }

  close(): void {
    told(() => this.#log?.close());
  }
}

/** Works on the file of the audit; what goes wrong ends the program. */
function told<T>(work: () => T): T {
  try {
    return work();
  } catch (failure) {
    throw new OutputError(`--audit: ${describe(failure)}`);
  }
}

/** Hands a file to the core a piece at a time. */
function read(check: Run, name: string, path: string | Buffer, bar: Bar, audit: Audit): void {
  check.begin(name);
  bar.draw(0, 0);
  let output: Output;
  try {
    for (const piece of name === "-" ? piecesOf(0, { bar }) : contents(path, bar)) {
      output = audit.of(() => check.piece(piece));
      if (output.stdout || output.stderr) {
        bar.clear();
        write(output);
      }
      if (check.has_failed()) break;
    }
    output = audit.of(() => check.end());
  } catch (failure) {
    if (failure instanceof OutputError || code(failure) === "EPIPE") throw failure;
    output = check.unreadable(name, reason(failure));
  }
  bar.clear();
  write(output);
}

/** A file as native JSON. */
function converted(asked: Invocation, real: Map<string, Buffer>): Output {
  const name = asked.converts() ?? "";
  let [data, why]: [Uint8Array | undefined, string] = [undefined, ""];
  try {
    data = Buffer.concat([...(name === "-" ? piecesOf(0) : contents(real.get(name) ?? name))]);
  } catch (failure) {
    why = reason(failure);
  }
  return asked.convert(data, why) as Output;
}

/** What stands at a path: undefined for nothing, null for a file, and for a folder what the core asks. */
function look(path: string, real: Map<string, Buffer>): [string, [string, boolean | null][]] | null | undefined {
  const place = home(real.get(path) ?? path);
  try {
    const found = statSync(place, { bigint: true });
    if (!found.isDirectory()) return null;
    const names = readdirSync(place, { encoding: "buffer" }).map((bytes): [string, boolean | null] => {
      const name = bytes.toString();
      const inside = Buffer.concat([Buffer.from(place), Buffer.from("/"), bytes]);
      if (!Buffer.from(name).equals(bytes))
        real.set(path === "." ? name : `${path.replace(/\/$/, "")}/${name}`, inside);
      return [name, kind(inside)];
    });
    return [`${found.dev}:${found.ino}`, names];
  } catch {
    return undefined;
  }
}

/** Whether it is a folder; null for what is neither that nor a file. A link that leads nowhere is a file that is missing. */
function kind(path: Buffer): boolean | null {
  try {
    const found = statSync(path);
    return found.isDirectory() ? true : found.isFile() ? false : null;
  } catch {
    return false;
  }
}

function ended(output: Output): number {
  write(output);
  return output.exit;
}

/** Names that are no UTF-8, by the text that Node makes of them. Linux keeps the bytes. */
function realNames(words: string[]): Map<string, Buffer> {
  const names = new Map<string, Buffer>();
  if (!words.some((word) => word.includes("\ufffd"))) return names;
  try {
    const line = readFileSync("/proc/self/cmdline").toString("latin1").split("\0").slice(0, -1);
    const bytes = line.slice(line.length - words.length).map((word) => Buffer.from(word, "latin1"));
    words.forEach((word, i) => {
      const name = bytes[i];
      if (name?.toString() === word) names.set(word, name);
    });
  } catch {
    // Not Linux: the name is tried as it is.
  }
  return names;
}

/**
 * The settings file: the one that was named, else the nearest from the current folder upward. In pyproject.toml only a
 * table `tool.counterfoil` counts, and the core picks it out.
 */
function settings(named: string | undefined): [string, string] | undefined {
  if (named !== undefined) return [named, textOf(named)];
  let folder: string;
  try {
    folder = process.cwd();
  } catch {
    return undefined; // The folder is gone, and with it any settings.
  }
  for (;;) {
    const own = join(folder, "counterfoil.toml");
    if (isFile(own)) return [own, textOf(own)];
    const project = join(folder, "pyproject.toml");
    if (isFile(project)) {
      const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(readFileSync(project));
      if (text.includes("[tool.counterfoil")) return [project, text];
    }
    const above = dirname(folder);
    if (above === folder) return undefined;
    folder = above;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function textOf(path: string): string {
  const bytes = whole(path);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (failure) {
    throw new CounterfoilError("option", path, "not UTF-8 text", { cause: failure });
  }
}

/** Whether standard output shows colours: on a terminal that takes it, unless NO_COLOR is set. */
function color(): boolean {
  return process.stdout.isTTY === true && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";
}

/** The most columns that are believed. */
const WIDEST = 10_000;

function width(): number {
  const named = /^\d+$/.test(process.env["COLUMNS"] ?? "") ? Number(process.env["COLUMNS"]) : 0;
  return Math.min(named || process.stdout.columns || 80, WIDEST);
}

if (process.argv[2] === "canary") (await import("./canary/command.js")).run(process.argv.slice(3));
else process.exitCode = await main();
