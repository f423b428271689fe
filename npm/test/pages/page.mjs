/** The package as it is served, without a bundler. What the tests call is on `window`. */

import * as counterfoil from "/package/dist/browser.js";
import * as rules from "/package/dist/rules/browser.js";
import { check } from "/tests/check.mjs";
import { results } from "/tests/results.mjs";

try {
  counterfoil.readers();
} catch (error) {
  window.before = error.message;
}
await Promise.all([counterfoil.init(), counterfoil.init(), rules.init()]);
window.counterfoil = counterfoil;
window.failures = (cases) =>
  cases.flatMap(({ id, given }) => {
    try {
      check(given, given.options?.rules ? rules : counterfoil);
      return [];
    } catch (error) {
      return [`${id}: ${error.message}`];
    }
  });
window.results = (cases) => results(cases, counterfoil, rules);
window.inWorker = (turn) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = reject;
    worker.postMessage(turn);
  });
document.title = "ready";
