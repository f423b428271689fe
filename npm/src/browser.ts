/** The package in a browser: the core is fetched once, by `init`. */

import load, { type InitInput } from "./core/counterfoil.js";
import { loadWith } from "./load.js";

export * from "./api.js";
export { CounterfoilError } from "./error.js";
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
  loading ??= load({ module_or_path: (source ?? new URL("./core/counterfoil_bg.wasm", import.meta.url)) as InitInput });
  try {
    await loading;
  } catch (failure) {
    loading = undefined; // A network that failed may work the next time.
    throw failure;
  }
  loadWith(() => {});
}
