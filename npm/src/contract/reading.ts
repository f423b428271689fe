/** Reads what is at a place without links: its kind, its bytes, their digest, and what lies below a directory. */

import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";
import { join } from "node:path";
import { code } from "../system.js";
import { ABSENT, followed, within } from "./place.js";

/** The bytes that are read at a time. */
const PIECE = 1 << 20;
/** The most bytes of a file that is digested. */
const DIGESTED = 2 ** 30;
/** The most names that a walk looks at. */
const NAMES = 200_000;

/** Why nothing was seen, as an outcome. */
export class Refused extends Error {
  readonly outcome: "refused" | "timeout" | "failed";

  constructor(outcome: "refused" | "timeout" | "failed", message: string) {
    super(message);
    this.outcome = outcome;
  }
}

interface Reading {
  /** The most bytes. */
  most: number;
  /** When the time runs out, by `performance.now()`. */
  until: number;
}

interface Seen {
  value: { [name: string]: unknown };
  truncated?: boolean;
}

function inTime(until: number): void {
  if (performance.now() > until) throw new Refused("timeout", "the time of the check ran out");
}

/** `{kind, size}` of what is at a place. */
export function kindOf(path: string): { kind: "file" | "directory" | "other"; size: number } {
  const found = lstatSync(path);
  const kind = found.isFile() ? "file" : found.isDirectory() ? "directory" : "other";
  return { kind, size: found.size };
}

/** Gives the pieces of a regular file to `take`; `undefined` for another kind, and false where there are more bytes than that. */
function pieces(path: string, { most, until }: Reading, take: (piece: Buffer) => void): number | false | undefined {
  if (!lstatSync(path).isFile()) return undefined;
  // Neither a link nor a pipe that somebody put there meanwhile is waited for or followed.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const before = fstatSync(file, { bigint: true });
    if (!before.isFile()) return undefined;
    if (!same(file, path, before)) throw new Refused("refused", "the path was changed while it was looked at");
    if (before.size > most) return false;
    const piece = Buffer.allocUnsafe(PIECE);
    let done = 0;
    for (;;) {
      inTime(until);
      const length = readSync(file, piece, 0, PIECE, null);
      if (length === 0) break;
      done += length;
      if (done > most) return false;
      take(piece.subarray(0, length));
    }
    const after = fstatSync(file, { bigint: true });
    if (BigInt(done) !== after.size || before.size !== after.size || before.mtimeNs !== after.mtimeNs)
      throw new Refused("failed", "the file changed while it was read");
    return done;
  } finally {
    closeSync(file);
  }
}

/** Whether an open file is the one that is still at its place, with no link on the way. */
function same(file: number, path: string, opened: { dev: bigint; ino: bigint }): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${file}`) === path;
  } catch {
    const now = lstatSync(path, { bigint: true });
    return now.dev === opened.dev && now.ino === opened.ino && followed(path).path === path;
  }
}

/** `{kind, sha256, bytes}` of a file. */
export function digestOf(path: string, reading: Reading): Seen {
  const hash = createHash("sha256");
  const bytes = pieces(path, reading, (piece) => hash.update(piece));
  if (bytes === undefined) return { value: { kind: kindOf(path).kind } };
  if (bytes === false) return { value: { kind: "file" }, truncated: true };
  return { value: { kind: "file", sha256: hash.digest("hex"), bytes } };
}

/** `{kind, text}` of a file, or `{kind, base64}` where it is not UTF-8. */
export function bytesOf(path: string, reading: Reading): Seen {
  const parts: Buffer[] = [];
  const bytes = pieces(path, reading, (piece) => parts.push(Buffer.from(piece)));
  if (bytes === undefined) return { value: { kind: kindOf(path).kind } };
  if (bytes === false) return { value: { kind: "file" }, truncated: true };
  const whole = Buffer.concat(parts);
  try {
    return { value: { kind: "file", text: utf8.decode(whole) } };
  } catch {
    return { value: { kind: "file", base64: whole.toString("base64") } };
  }
}

/** With the mark at the start, which belongs to the file. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

interface Walk {
  most: number;
  digests: ReadonlySet<string>;
  until: number;
  roots: readonly string[];
}

/** `{files}` below a directory: the regular ones, and links out of the roots. Directories that are links are not entered. */
export function listed(path: string, { most, digests, until, roots }: Walk): Seen {
  const { kind } = kindOf(path);
  if (kind !== "directory") return { value: { kind } };
  const files: { path: string; kind: "file" | "outside"; sha256?: string }[] = [];
  const folders = [""];
  for (let left = NAMES; ; ) {
    const folder = folders.pop();
    if (folder === undefined) break;
    for (const name of namesIn(join(path, folder))) {
      inTime(until);
      left -= 1;
      const inner = folder === "" ? name : `${folder}/${name}`;
      const found = entry(join(path, inner), roots);
      if (found === "directory") folders.push(inner);
      else if (found !== undefined && files.length < most && left > 0) files.push({ path: inner, kind: found });
      else if (found !== undefined || left <= 0)
        return { value: { files: settled(path, files, digests, until) }, truncated: true };
    }
  }
  return { value: { files: settled(path, files, digests, until) } };
}

/** The files in the order of their code points, with the digests that were asked for. */
function settled<File extends { path: string; kind: string }>(
  folder: string,
  files: File[],
  digests: ReadonlySet<string>,
  until: number,
): (File & { sha256?: string })[] {
  const sorted = files.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  return sorted.map((file) => {
    if (file.kind !== "file" || !digests.has(file.path)) return file;
    const { value, truncated } = digestOf(followed(join(folder, file.path)).path, { most: DIGESTED, until });
    if (truncated) throw new Refused("failed", "a file is too large to be digested");
    return typeof value["sha256"] === "string" ? { ...file, sha256: value["sha256"] } : file;
  });
}

/** The names in a directory. One that is not UTF-8 cannot be told, and so neither what is in the directory. */
function namesIn(folder: string): string[] {
  return readdirSync(folder, { encoding: "buffer" }).map((bytes) => {
    const name = bytes.toString();
    if (Buffer.from(name).equals(bytes)) return name;
    throw new Refused("failed", "a name in the directory is not UTF-8");
  });
}

/** What a name stands for; undefined for what is neither a file nor to be entered. */
function entry(path: string, roots: readonly string[]): "file" | "directory" | "outside" | undefined {
  const found = lstatSync(path);
  if (found.isFile()) return "file";
  if (found.isDirectory()) return "directory";
  if (!found.isSymbolicLink()) return undefined;
  try {
    const target = followed(path);
    if (!roots.some((root) => within(target.path, root))) return "outside";
    return target.there && lstatSync(target.path).isFile() ? "file" : undefined;
  } catch (failure) {
    // A link that leads round in a circle leads to no file.
    if (code(failure) === "ELOOP" || ABSENT.has(code(failure) ?? "")) return undefined;
    throw failure;
  }
}
