/** What a constructor of proof of read is given, made into what the core reads, or refused with its name. */

import { attempt, CounterfoilError } from "../error.js";
import { described, plain } from "../input.js";

/** Options by the names of JavaScript, `null` and functions among them; what is undefined is left out. */
export function given(options: unknown, names: readonly string[]): Record<string, unknown> {
  if (options === undefined) return {};
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new CounterfoilError("option", "", `expected an object of options; found ${described(options)}`);
  const found = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const name of Object.keys(options))
    if (!names.includes(name)) throw new CounterfoilError("option", name, `expected one of ${names.join(", ")}`);
  return Object.fromEntries(found);
}

/** Hands options to the core, which knows them by other names, and gives its errors in those of JavaScript. */
export function handed<T>(options: Record<string, unknown>, names: readonly string[], make: (json: string) => T): T {
  const own = (text: string): string => names.reduce((said, name) => said.replaceAll(wire(name), name), text);
  const written = plain(options); // Its errors have the names of JavaScript already.
  const named = Object.entries(JSON.parse(written)).map(([name, value]) => [wire(name), value]);
  try {
    return attempt(() => make(JSON.stringify(Object.fromEntries(named))));
  } catch (failure) {
    if (!(failure instanceof CounterfoilError)) throw failure;
    throw new CounterfoilError(failure.kind, own(failure.path), own(failure.detail), { code: failure.code });
  }
}

/** The name of an option in the core: `bucket_seconds` for `bucketSeconds`. */
export function wire(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A function, or an error. */
export function callable<T>(name: string, value: unknown): T {
  if (typeof value === "function") return value as T;
  throw new CounterfoilError("option", name, `expected a function; found ${described(value)}`);
}
