/** Verification contracts as they are served, without a bundler. What the tests call is on `window`. */

import * as api from "/package/dist/contract/browser.js";
import { difference, done } from "/tests/contract.mjs";

try {
  api.levels();
} catch (error) {
  window.before = error.message;
}
await Promise.all([api.init(), api.init()]);

/** What does not come out as expected. */
window.cases = (given) =>
  given.map((one) => [one.name, difference(one.expected, done(api, one))]).filter(([, found]) => found);

const base64 = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)));
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** Signs with the browser's own key, reads back, and says what the signature is found to be. */
window.signed = async () => {
  const run = { now: "2026-01-01T01:00:00Z", workspace: "w" };
  const checks = [{ id: "a", type: "file_exists", params: { path: "a.txt" } }];
  const { contract } = api.freeze({ contract_id: "c", checks }, { now: "2026-01-01T00:05:00Z", by: "human:dana" });
  const plan = api.plan(contract, run);
  const seen = { request_id: "a/file", plan_digest: plan.plan_digest, outcome: "ok", value: { kind: "file" } };
  const bundle = api.judge(contract, plan, [seen], run);
  const options = { now: run.now };
  const how = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const { publicKey, privateKey } = await crypto.subtle.generateKey(how, true, ["sign", "verify"]);
  const { pae } = api.attest(contract, bundle, options);
  const signature = base64(await crypto.subtle.sign(how, privateKey, bytes(pae)));
  const public_key = base64(await crypto.subtle.exportKey("spki", publicKey));
  const { files } = api.attest(contract, bundle, {
    ...options,
    signature: { algorithm: "ecdsa_p256_sha256", public_key, signature },
  });
  return api.reverify(files, { trusted_keys: [public_key] }).signature_status;
};
document.title = "ready";
