/** Proof of read as it is served, without a bundler. What the tests call is on `window`. */

import { Canary, findSentinel, handler, init, sentinel } from "/package/dist/canary/browser.js";

try {
  findSentinel("");
} catch (error) {
  window.before = error.message;
}
await Promise.all([init(), init()]);

/** How many vectors of each file came out, and how many refusals were refused. */
window.vectors = (files) =>
  files.map(({ root_key_hex, vectors, refusals = [] }) => {
    const key = Uint8Array.from(root_key_hex.match(/../g), (pair) => Number.parseInt(pair, 16));
    const made = (asked) => sentinel(key, asked.session_id, BigInt(asked.bucket), asked.sentinel_bytes);
    const refused = (asked) => {
      try {
        made(asked);
        return false;
      } catch (error) {
        return error.path === asked.path;
      }
    };
    return [vectors.filter((asked) => made(asked) === asked.sentinel).length, refusals.filter(refused).length];
  });

/** A page is read and its value reported, in the browser's own `Request` and `Response`. */
window.trip = async () => {
  const canary = new Canary(crypto.getRandomValues(new Uint8Array(32)));
  const answer = handler(canary);
  const page = await answer(new Request("http://localhost/canary/trip"));
  const [value] = findSentinel(await page.text());
  const direct = canary.verify("trip", value, Date.now() / 1000).state;
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ session: "trip", claim: value });
  const verdict = await answer(new Request("http://localhost/canary/verify", { method: "POST", headers, body }));
  return `${direct} ${verdict.status} ${(await verdict.json()).state}`;
};
document.title = "ready";
