/** Where a path leads, with every link on the way, and whether that lies inside the roots of a contract. */

import { lstatSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute, join, parse, resolve, sep } from "node:path";
import { code } from "../host.js";

/** As many links as Linux follows. */
const LINKS = 40;
/** The failures that say that nothing is there. */
export const ABSENT = new Set(["ENOENT", "ENOTDIR"]);

/** A place without a link in it, and whether something is there. */
export interface Place {
  path: string;
  there: boolean;
}

/** Follows every link of an absolute path, as far as there is something. A dangling link leads to where its target would be. */
export function followed(path: string): Place {
  let place = parse(path).root;
  let rest = names(path.slice(place.length));
  for (let links = 0; ; ) {
    const [name, ...after] = rest;
    if (name === undefined) return { path: place, there: true };
    rest = after;
    if (name === "..") {
      place = dirname(place);
      continue;
    }
    const next = join(place, name);
    const target = link(next);
    if (target === undefined) return { path: resolve(next, ...rest), there: false };
    if (target === null) {
      place = next;
      continue;
    }
    links += 1;
    if (links > LINKS) throw Object.assign(new Error("Too many levels of symbolic links"), { code: "ELOOP" });
    const { root } = parse(target);
    if (isAbsolute(target)) place = root;
    rest = [...names(target.slice(isAbsolute(target) ? root.length : 0)), ...rest];
  }
}

/** The target of a link, null for what is no link, undefined for nothing. */
function link(path: string): string | null | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch (failure) {
    if (ABSENT.has(code(failure) ?? "")) return undefined;
    throw failure;
  }
}

function names(path: string): string[] {
  return path.split(sep === "\\" ? /[\\/]/ : "/").filter((name) => name !== "" && name !== ".");
}

/** Whether a place is a folder or lies below it. */
export function within(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The roots of a contract below a workspace. One that a link leads out of it is none. */
export function rootsOf(workspace: string, roots: readonly string[]): string[] {
  const places = roots.map((root) => followed(workspace + sep + root).path);
  return places.filter((place) => within(place, workspace));
}
