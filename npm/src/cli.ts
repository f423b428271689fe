#!/usr/bin/env node
/**
 * The command line's host. Files, streams and the terminal are its own; every word it prints comes from the core, but
 * for the reasons of the system, which are worded as in Python.
 */

import { readFileSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { getSystemErrorMap } from "node:util";
import { Invocation, initSync, type Output, type Run } from "./core/counterfoil_cli.js";
import { attempt, CounterfoilError } from "./error.js";

const UNREADABLE = 2;
/** Where the C library's words are not those of Node. */
const WORDS: Record<string, string> = {
  EISDIR: "Is a directory",
  ELOOP: "Too many levels of symbolic links",
  ENAMETOOLONG: "File name too long",
  ENOSPC: "No space left on device",
  ENOTDIR: "Not a directory",
  EPERM: "Operation not permitted",
};

/** Standard output takes nothing more, as on a full disk: what was found would be lost in silence. */
class OutputError extends Error {}

function main(): number {
  initSync({ module: readFileSync(new URL("./core/counterfoil_cli_bg.wasm", import.meta.url)) });
  try {
    return run(process.argv.slice(2));
  } catch (failure) {
    if (code(failure) === "EPIPE") return 0; // The reader of a pipe has gone, as with `| head`.
    if (!(failure instanceof OutputError)) throw failure;
    say(`counterfoil: standard output: ${failure.message}\n`);
    return UNREADABLE;
  }
}

/** Reads the files that the words name and hands them to the core. */
function run(words: string[]): number {
  const real = realNames(words);
  const asked = Invocation.parse(words);
  const answer = asked.answer();
  if (answer !== undefined) return ended(answer);
  const files = asked.files() ?? [];
  let check: Run;
  try {
    const [name, text] = settings(asked.config()) ?? ["", undefined];
    check = attempt(() => asked.run(name, text, color(), width()));
  } catch (failure) {
    say(`counterfoil: ${failure instanceof CounterfoilError ? failure.message : describe(failure)}\n`);
    return UNREADABLE;
  }
  files.forEach((name, number) => {
    progress(number, files.length, name);
    let data: Uint8Array | string;
    try {
      data = name === "-" ? standardInput() : contents(real.get(name) ?? name);
    } catch (failure) {
      data = reason(failure);
    }
    const output = typeof data === "string" ? check.unreadable(name, data) : check.file(name, data);
    clear(files.length);
    write(output);
  });
  return ended(check.finish());
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
  let bytes: Uint8Array;
  try {
    bytes = contents(path);
  } catch (failure) {
    // Node does not name a folder that it was to read.
    throw path === "" ? failure : Object.assign(failure as Error, { path });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (failure) {
    throw new CounterfoilError("option", path, "not UTF-8 text", { cause: failure });
  }
}

/** A file's bytes. An empty name is no file. */
function contents(name: string | Buffer): Uint8Array {
  if (name.length === 0) throw new Error("the name is empty");
  return readFileSync(name);
}

/** All of standard input. A pipe that another program has set not to block is asked again. */
function standardInput(): Uint8Array {
  for (;;) {
    try {
      return readFileSync(0);
    } catch (failure) {
      if (code(failure) !== "EAGAIN") throw failure;
      pause();
    }
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
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

function code(failure: unknown): string | undefined {
  return (failure as NodeJS.ErrnoException | undefined)?.code;
}

/** Why a file could not be read, without its name, in the words of the C library. */
function reason(failure: unknown): string {
  const { errno, message } = failure as NodeJS.ErrnoException;
  const [name, words] = (errno !== undefined && getSystemErrorMap().get(errno)) || ["", ""];
  return WORDS[name] ?? (words ? words.charAt(0).toUpperCase() + words.slice(1) : message);
}

function describe(failure: unknown): string {
  const { path } = failure as NodeJS.ErrnoException;
  return path === undefined ? reason(failure) : `${trimmed(path)}: ${reason(failure)}`;
}

/** A path as Python writes it in errors. */
function trimmed(path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  // Two slashes at the start, but not three, are a root of their own.
  const root = /^\/*/.exec(path)?.[0] ?? "";
  return (root.length === 2 ? root : root.slice(0, 1)) + parts.join("/") || ".";
}

/** Writes in that order. The exit status says the same as standard error. */
function write(output: Output): void {
  try {
    put(1, output.stdout);
  } catch (failure) {
    if (code(failure) === "EPIPE") throw failure;
    throw new OutputError(reason(failure));
  }
  say(output.stderr);
}

/** Writes to standard error. One that takes nothing is left alone. */
function say(text: string): void {
  try {
    put(2, text);
  } catch {
    // Nobody reads it.
  }
}

/** Writes at once, so that nothing is lost at the exit. */
function put(stream: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(stream, bytes, done);
    } catch (failure) {
      if (code(failure) !== "EAGAIN") throw failure;
      pause();
    }
  }
}

/** A line of progress on a terminal's standard error while several files are read. */
function progress(done: number, total: number, name: string): void {
  if (total < 2 || !process.stderr.isTTY) return;
  const filled = Math.floor((20 * done) / total);
  const end = [...name].slice(-40).join("");
  say(`\r\x1b[K[${"#".repeat(filled)}${".".repeat(20 - filled)}] ${done}/${total} ${end}`);
}

function clear(total: number): void {
  if (total > 1 && process.stderr.isTTY) say("\r\x1b[K");
}

if (process.argv[2] === "canary") (await import("./canary/command.js")).run(process.argv.slice(3));
else process.exitCode = main();
