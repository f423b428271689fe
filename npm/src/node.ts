/** The package in Node: the core is read from its file at the first call, without a flag and without waiting. */

import { readFileSync } from "node:fs";
import { initSync } from "./core/counterfoil.js";
import { loadWith } from "./load.js";

export * from "./api.js";
export { CounterfoilError } from "./error.js";
export { readTurns, TurnStream, verifyTurns } from "./stream.js";
export { version } from "./version.js";

let loaded = false;

function load(): void {
  if (loaded) return;
  initSync({ module: readFileSync(new URL("./core/counterfoil_bg.wasm", import.meta.url)) });
  loaded = true;
}

loadWith(load);

/** Loads the core now rather than at the first call. What it is given is for browsers. */
export async function init(_source?: unknown): Promise<void> {
  load();
}
