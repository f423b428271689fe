/** The package in a browser: the core is fetched once, by `init`. */

import load, { type InitInput } from "./core/counterfoil.js";
import { first, unmoved, wasm } from "./fetch.js";
import { loadWith } from "./load.js";

export * from "./api.js";
export { CounterfoilError } from "./error.js";
export { readTurns, TurnStream, verifyTurns } from "./stream.js";
export { version } from "./version.js";

/**
 * Where the wasm file is: an address (text, `URL` or `Request`), a `Response`, its bytes, or a `WebAssembly.Module`. These
 * are a browser's types, which a project for Node does not have to know.
 */
export type InitSource = string | object;

let loading: Promise<unknown> | undefined;

/**
 * Loads the core; await it once before the first call. Further calls wait for the same loading.
 *
 * Without `source` the file `counterfoil_bg.wasm` is fetched from beside the package, where bundlers put it. In Node it
 * resolves at once and is not needed.
 */
export async function init(source?: InitSource | Promise<InitSource>): Promise<void> {
  loading ??= start(source);
  try {
    await loading;
  } catch (failure) {
    loading = undefined; // A network that failed may work the next time.
    throw failure;
  }
  loadWith(() => {});
}

async function start(source: InitSource | Promise<InitSource> | undefined): Promise<void> {
  const given = await source;
  await load({ module_or_path: (await (given == null ? beside() : wasm(given))) as InitInput });
}

function beside(): Promise<unknown> {
  const here = new URL("./core/counterfoil_bg.wasm", import.meta.url); // Written like this, bundlers hand the file out.
  const moved = unmoved(import.meta.url);
  return first(moved === undefined ? [here] : [moved, here]);
}
