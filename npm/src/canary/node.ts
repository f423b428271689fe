/** Proof of read in Node: its core is read from its file at the first call. */

import { readFileSync } from "node:fs";
import { initSync } from "./core/counterfoil_canary.js";
import { loadWith } from "./load.js";

export { CounterfoilError } from "../error.js";
export * from "./api.js";
export { handler } from "./handler.js";
export { listener } from "./http.js";

let loaded = false;

function load(): void {
  if (loaded) return;
  initSync({ module: readFileSync(new URL("./core/counterfoil_canary_bg.wasm", import.meta.url)) });
  loaded = true;
}

loadWith(load);

/** Loads the core now rather than at the first call. What it is given is for browsers. */
export async function init(_source?: unknown): Promise<void> {
  load();
}
