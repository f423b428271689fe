/** What the tests' pages are served from. */

import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The root of the repository. */
export const root = at("../../");
/** Where the packed package is installed. */
export const installed = at("../../.cache/npm-installed/");
/** Address to folder. */
export const folders = {
  "/package/": `${installed}node_modules/counterfoil/`,
  "/pages/": at("pages/"),
  "/tests/": at("../../tests/"),
};
