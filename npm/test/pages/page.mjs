/** The package as it is served, without a bundler. What the tests call is on `window`. */

import * as counterfoil from "/package/dist/browser.js";
import * as full from "/package/dist/full/browser.js";
import { check } from "/tests/check.mjs";
import { checks } from "/tests/model.mjs";
import { results } from "/tests/results.mjs";

try {
  counterfoil.readers();
} catch (error) {
  window.before = error.message;
}
await Promise.all([counterfoil.init(), counterfoil.init(), full.init()]);
window.counterfoil = counterfoil;
window.full = full;
window.failures = (cases) =>
  cases.flatMap(({ id, given }) => {
    try {
      check(given, given.options?.rules ? full : counterfoil);
      return [];
    } catch (error) {
      return [`${id}: ${error.message}`];
    }
  });
window.model = (file, cases) => checks[file](cases, counterfoil);
window.results = (cases) => results(cases, counterfoil, full);
window.misread = (fixtures) =>
  fixtures.flatMap(({ path, text, expected }) => {
    const read = full.parseSession(text).toJSON();
    return JSON.stringify(sorted(read)) === JSON.stringify(sorted(expected)) ? [] : [path];
  });
window.inWorker = (turn) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = reject;
    worker.postMessage(turn);
  });

/** The same with its keys in order. */
function sorted(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}
document.title = "ready";
