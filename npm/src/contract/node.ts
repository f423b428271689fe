/** Verification contracts in Node: its core is read from its file at the first call. */

import { readFileSync } from "node:fs";
import { initSync } from "./core/counterfoil_contract.js";
import { loadWith } from "./load.js";

export * from "./api.js";
export { ContractError } from "./error.js";
export { ajv } from "./schema.js";

let loaded = false;

function load(): void {
  if (loaded) return;
  initSync({ module: readFileSync(new URL("./core/counterfoil_contract_bg.wasm", import.meta.url)) });
  loaded = true;
}

loadWith(load);

/** Loads the core now rather than at the first call. What it is given is for browsers. */
export async function init(_source?: unknown): Promise<void> {
  load();
}
