/**
 * What the commands of the program share: files, streams and the terminal. The reasons of the system are worded as in Python.
 */

import { closeSync, constants, fstatSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { getSystemErrorMap } from "node:util";
import type { Output, Run } from "./core/counterfoil_cli.js";

/** The exit status where a file cannot be read. */
export const UNREADABLE = 2;
/** The bytes that are read at a time. */
const PIECE = 1 << 20;
/** Where the C library's words are not those of Node. */
const WORDS: Record<string, string> = {
  EISDIR: "Is a directory",
  ELOOP: "Too many levels of symbolic links",
  ENAMETOOLONG: "File name too long",
  ENOSPC: "No space left on device",
  ENOTDIR: "Not a directory",
  EPERM: "Operation not permitted",
};

/** Standard output or the audit takes nothing more, as on a full disk: what was found would be lost in silence. */
export class OutputError extends Error {}

/** The path with its home folder, which a shell leaves alone in quotes. */
export function home(path: string | Buffer): string | Buffer {
  if (typeof path !== "string" || !/^~(\/|$)/.test(path) || statSync(path, { throwIfNoEntry: false })) return path;
  return homedir() + path.slice(1);
}

/**
 * A file's bytes. An empty name is no file. A pipe to which nobody writes is not waited for, and what is written to a file
 * from now on is not read, so that one that grows has an end.
 */
export function* contents(name: string | Buffer, bar?: Bar): Generator<Uint8Array> {
  if (name.length === 0) throw new Error("the name is empty");
  const file = openSync(home(name), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(file);
    const most = found.isFile() && found.size > 0 ? found.size : Number.POSITIVE_INFINITY;
    let any = false;
    for (const piece of piecesOf(file, { bar, most })) {
      any = true;
      yield piece;
    }
    if (!any && found.isFIFO()) throw new Error("a pipe to which nothing is written");
  } finally {
    closeSync(file);
  }
}

/** All bytes of a file. What goes wrong names it, which Node does not do of a folder. */
export function whole(path: string): Uint8Array {
  try {
    return Buffer.concat([...contents(path)]);
  } catch (failure) {
    throw path === "" ? failure : Object.assign(failure as Error, { path });
  }
}

interface Reading {
  /** What is drawn after each piece. Where there is one, a piece is gone when the next one is asked for. */
  bar?: Bar | undefined;
  /** So many bytes are read at most. */
  most?: number;
}

/** What a file that is open gives. A pipe that is set not to block is asked again. */
export function* piecesOf(file: number, { bar, most = Number.POSITIVE_INFINITY }: Reading = {}): Generator<Uint8Array> {
  let piece = Buffer.allocUnsafeSlow(PIECE);
  for (let done = 0; ; ) {
    let length: number;
    try {
      length = readSync(file, piece, 0, Math.min(PIECE, most - done), null);
    } catch (failure) {
      if (code(failure) === "EOF") return; // So Windows tells the end of a pipe.
      if (code(failure) !== "EAGAIN") throw failure;
      pause();
      continue;
    }
    if (length === 0) return;
    yield piece.subarray(0, length);
    done += length;
    bar?.draw(done, Number.isFinite(most) ? most : 0);
    if (bar === undefined) piece = Buffer.allocUnsafeSlow(PIECE);
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}

export function code(failure: unknown): string | undefined {
  return (failure as NodeJS.ErrnoException | undefined)?.code;
}

/** Why a file could not be read, without its name, in the words of the C library. */
export function reason(failure: unknown): string {
  const { errno, message } = failure as NodeJS.ErrnoException;
  const [name, words] = (errno !== undefined && getSystemErrorMap().get(errno)) || ["", ""];
  return WORDS[name] ?? (words ? words.charAt(0).toUpperCase() + words.slice(1) : message);
}

export function describe(failure: unknown): string {
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
export function write(output: Pick<Output, "stdout" | "stderr">): void {
  try {
    put(1, output.stdout);
  } catch (failure) {
    if (code(failure) === "EPIPE") throw failure;
    throw new OutputError(`standard output: ${reason(failure)}`);
  }
  say(output.stderr);
}

/** Writes to standard error. One that takes nothing is left alone. */
export function say(text: string): void {
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

/** A line of progress on a terminal's standard error; the core words it. */
export class Bar {
  #check: Run | undefined;
  #on: boolean;
  #shown = false;

  constructor(check: Run | undefined, quiet: boolean) {
    this.#check = check;
    const dumb = process.env["NO_COLOR"] || process.env["TERM"] === "dumb";
    this.#on = process.stderr.isTTY === true && !quiet && !dumb;
  }

  /** So many bytes of the file that was begun were read. */
  draw(done: number, size: number): void {
    if (this.#on && this.#check) this.show(this.#check.progress(done, size));
  }

  /** Draws a line, if there is one. */
  show(line: string): void {
    if (!this.#on || line === "") return;
    say(`\r\x1b[K${line}`);
    this.#shown = true;
  }

  clear(): void {
    if (this.#shown) say("\r\x1b[K");
    this.#shown = false;
  }
}
