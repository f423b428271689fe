/** Verification contracts in browsers and workers: its core is fetched once, by `init`. */

import type { InitSource } from "../browser.js";
import { first, unmoved, wasm } from "../fetch.js";
import load, { type InitInput } from "./core/counterfoil_contract.js";
import { loadWith } from "./load.js";

export * from "./api.js";
export { ContractError } from "./error.js";
export { ajv } from "./schema.js";

let loading: Promise<unknown> | undefined;

/**
 * Loads the core; await it once before the first call. Without `source` the file `counterfoil_contract_bg.wasm` is fetched
 * from beside the package. In Node it resolves at once and is not needed.
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
  const here = new URL("./core/counterfoil_contract_bg.wasm", import.meta.url); // Written like this, bundlers hand the file out.
  const moved = unmoved(import.meta.url, "contract/core/counterfoil_contract_bg.wasm");
  return first(moved === undefined ? [here] : [moved, here]);
}
