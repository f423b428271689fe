/** Looks at what is at a place without links: its kind, its bytes, their digest, and what lies below a directory. */

import { createHash } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { followed, within } from "./place.js";

/** The bytes that are read at a time. */
const PIECE = 1 << 20;
/** The most bytes of a file in a listing that is digested. */
const DIGESTED = 2 ** 30;
/** The longest path in a listing. */
const LONGEST = 4096;

/** Why nothing was seen. */
export class Unseen extends Error {
  readonly outcome: "refused" | "timeout" | "failed";

  constructor(outcome: "refused" | "timeout" | "failed", message: string) {
    super(message);
    this.outcome = outcome;
  }
}

/** What was seen. */
export interface Seen {
  value: { [name: string]: unknown };
  truncated?: boolean;
}

/** With the mark at the start, which belongs to the file. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Looks at one request after another. */
export class Looking {
  #roots: readonly string[];
  #left: number;

  /** `texts`: the most bytes of all that is read. */
  constructor(roots: readonly string[], texts: number) {
    this.#roots = roots;
    this.#left = texts;
  }

  /** Does what a request asks for at a place, until a time of `performance.now()`. */
  at(capability: string, target: { [name: string]: unknown }, place: string, until: number): Seen {
    const found = lstatSync(place);
    const kind = kindOf(found);
    if (capability === "stat") return { value: { kind, size: found.size } };
    if (capability === "walk") return kind === "directory" ? this.#walk(target, place, until) : { value: { kind } };
    if (kind !== "file") return { value: { kind } };
    const most = Number(target["max_bytes"]);
    if (capability === "read") return this.#read(place, most, until);
    const { sha256, bytes } = digest(place, most, until);
    return sha256 === undefined ? { value: { kind, bytes }, truncated: true } : { value: { kind, sha256, bytes } };
  }

  #read(place: string, most: number, until: number): Seen {
    const parts: Buffer[] = [];
    const kind = "file";
    if (pieces(place, most, until, (piece) => parts.push(Buffer.from(piece))) > most)
      return { value: { kind }, truncated: true };
    const bytes = Buffer.concat(parts);
    let value: { [name: string]: string };
    try {
      value = { kind, text: utf8.decode(bytes) };
    } catch {
      value = { kind, base64: bytes.toString("base64") };
    }
    const size = Buffer.byteLength(JSON.stringify(value));
    if (size > this.#left) return { value: { kind }, truncated: true };
    this.#left -= size;
    return { value };
  }

  #walk(target: { [name: string]: unknown }, place: string, until: number): Seen {
    const wanted = new Set(Array.isArray(target["digests"]) ? (target["digests"] as string[]) : []);
    const files: { path: string; kind: "file" | "outside"; sha256?: string | undefined }[] = [];
    for (const [path, real] of this.#below(place, until)) {
      if (files.length === Number(target["max_files"])) return { value: { files }, truncated: true };
      if (real === null) files.push({ path, kind: "outside" });
      else if (wanted.has(path)) files.push({ path, kind: "file", sha256: digest(real, DIGESTED, until).sha256 });
      else files.push({ path, kind: "file" });
    }
    return { value: { files } };
  }

  /**
   * The regular files below a directory by their paths from there, with their real places; null for a link that leads out.
   * Directories that are links are not entered.
   */
  *#below(top: string, until: number): Generator<[path: string, real: string | null]> {
    const folders = [""];
    for (let prefix = folders.pop(); prefix !== undefined; prefix = folders.pop()) {
      for (const name of names(join(top, prefix))) {
        inTime(until);
        const path = prefix === "" ? name : `${prefix}/${name}`;
        if (path.length > LONGEST) throw new Unseen("failed", "a path is too long to be listed");
        const place = join(top, path);
        const found = lstatSync(place);
        if (found.isDirectory()) folders.push(path);
        else if (found.isFile()) yield [path, place];
        else if (found.isSymbolicLink()) {
          const target = followed(place);
          if (!this.#roots.some((root) => within(target.path, root))) yield [path, null];
          else if (target.there && lstatSync(target.path).isFile()) yield [path, target.path];
        }
      }
    }
  }
}

function inTime(until: number): void {
  if (performance.now() > until) throw new Unseen("timeout", "the time of the check ran out");
}

function kindOf(found: Stats): "file" | "directory" | "other" {
  if (found.isSymbolicLink()) throw new Unseen("failed", "it changed while it was looked at");
  return found.isFile() ? "file" : found.isDirectory() ? "directory" : "other";
}

/** The names in a directory, by code points. One that is not UTF-8 cannot be told, and a listing without it would be false. */
function names(folder: string): string[] {
  const found = readdirSync(folder, { encoding: "buffer" }).sort(Buffer.compare);
  if (followed(folder).path !== folder) throw new Unseen("failed", "it changed while it was looked at");
  return found.map((bytes) => {
    const name = bytes.toString();
    if (Buffer.from(name).equals(bytes)) return name;
    throw new Unseen("failed", "a name is not UTF-8");
  });
}

/** The digest of a file and its size; no digest where there are more bytes than that. */
function digest(place: string, most: number, until: number): { sha256?: string; bytes: number } {
  const hash = createHash("sha256");
  const bytes = pieces(place, most, until, (piece) => hash.update(piece));
  return bytes > most ? { bytes } : { sha256: hash.digest("hex"), bytes };
}

/**
 * Gives the pieces of a regular file to `take`, and their size in all; reading ends where there are more bytes than that. A
 * file that changes meanwhile was never the file that is told of.
 */
function pieces(place: string, most: number, until: number, take: (piece: Buffer) => void): number {
  // A link or a pipe that somebody put there meanwhile is neither followed nor waited for.
  const file = openSync(place, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const before = fstatSync(file, { bigint: true });
    if (!before.isFile() || !still(file, place, before))
      throw new Unseen("failed", "it changed while it was looked at");
    if (before.size > most) return Number(before.size);
    const piece = Buffer.allocUnsafe(PIECE);
    let done = 0;
    for (let length = -1; length !== 0 && done <= most; done += length) {
      inTime(until);
      length = readSync(file, piece, 0, PIECE, null);
      take(piece.subarray(0, length));
    }
    const after = fstatSync(file, { bigint: true });
    if (before.size !== after.size || before.mtimeNs !== after.mtimeNs)
      throw new Unseen("failed", "it changed while it was read");
    return done;
  } finally {
    closeSync(file);
  }
}

/** Whether an open file is the one that is at its place, with no link on the way. */
function still(file: number, place: string, opened: BigIntStats): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${file}`) === place;
  } catch {
    const now = lstatSync(place, { bigint: true });
    return now.dev === opened.dev && now.ino === opened.ino && followed(place).path === place;
  }
}
