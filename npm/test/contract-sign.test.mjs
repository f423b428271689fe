/** Signatures of attestations that the host makes, with Node's cryptography and that of browsers, and envelopes that both check. */

import assert from "node:assert/strict";
import * as crypto from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as api from "../../.cache/npm-installed/contract.mjs";
import { root } from "./folders.mjs";

const { subtle } = crypto.webcrypto;
const RUN = { now: "2026-01-01T01:00:00Z", workspace: "w" };
const { contract } = api.freeze(
  { contract_id: "c", checks: [{ id: "a", type: "file_exists", params: { path: "a.txt" } }] },
  { now: "2026-01-01T00:05:00Z", by: "human:dana" },
);
const plan = api.plan(contract, RUN);
const seen = { request_id: "a/file", plan_digest: plan.plan_digest, outcome: "ok", value: { kind: "file", size: 1 } };
const bundle = api.judge(contract, plan, [seen], RUN);
const now = "2026-01-01T01:00:01Z";
const pae = Buffer.from(api.attest(contract, bundle, { now }).pae, "base64");

const pem = (key) => key.export({ type: "spki", format: "pem" });
const der = (key) => key.export({ type: "spki", format: "der" });

/** The bytes that a DSSE envelope is signed over, put together anew. */
function signedBytes({ payloadType, payload }) {
  const body = Buffer.from(payload, "base64");
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${body.length} `), body]);
}

/** Attests with a signature, reads it back, and checks the envelope with Node's own cryptography. */
function proven(algorithm, key, signature, options) {
  const signed = { algorithm, public_key: pem(key), signature: Buffer.from(signature).toString("base64") };
  const { files, signature_status } = api.attest(contract, bundle, { now, sign: true, signature: signed });
  assert.equal(signature_status, `signed_${algorithm}`);
  const policy = { require_signature: true };
  const read = api.reverify(files, { trusted_keys: [pem(key)], policy });
  assert.equal(read.signature_status, "valid_trusted");
  assert.equal(read.keyid, crypto.createHash("sha256").update(der(key)).digest("hex"));
  const envelope = JSON.parse(files["attestation.dsse.json"]);
  const [{ sig }] = envelope.signatures;
  const hash = algorithm === "ed25519" ? null : "sha256";
  assert.ok(crypto.verify(hash, signedBytes(envelope), { key, ...options }, Buffer.from(sig, "base64")));
  for (const form of [pem(key), der(key).toString("hex"), der(key).toString("base64")])
    assert.equal(api.verifySignature(envelope, [form]).valid, true);
  const { publicKey: other } = crypto.generateKeyPairSync("ed25519");
  assert.throws(() => api.reverify(files, { trusted_keys: [pem(other)] }), { code: "verify.signature_untrusted" });
  assert.equal(api.verifySignature(envelope, [pem(other)]).code, "verify.signature_invalid");
  return envelope;
}

test("Node signs with Ed25519", () => {
  const { publicKey, privateKey } = crypto.generateKeyPairSync("ed25519");
  const envelope = proven("ed25519", publicKey, crypto.sign(null, pae, privateKey));
  const statement = JSON.parse(Buffer.from(envelope.payload, "base64"));
  assert.equal(statement._type, "https://in-toto.io/Statement/v1");
  assert.equal(statement.predicate.verdict_word, "VERIFIED");
});

test("a function signs, and a promise is no signature", () => {
  const { publicKey, privateKey } = crypto.generateKeyPairSync("ed25519");
  const public_key = pem(publicKey);
  const sign = (bytes) => ({ algorithm: "ed25519", public_key, signature: crypto.sign(null, bytes, privateKey) });
  const { files } = api.attest(contract, bundle, { now, sign });
  assert.equal(api.reverify(files, { trusted_keys: [public_key] }).signature_status, "valid_trusted");
  const late = { code: "verify.contract_invalid" };
  assert.throws(() => api.attest(contract, bundle, { now, sign: async (bytes) => sign(bytes) }), late);
});

test("Node signs with P-256, in both forms of a signature", () => {
  const { publicKey, privateKey } = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
  proven("ecdsa_p256_sha256", publicKey, crypto.sign("sha256", pae, privateKey));
  const dsaEncoding = "ieee-p1363";
  proven("ecdsa_p256_sha256", publicKey, crypto.sign("sha256", pae, { key: privateKey, dsaEncoding }), { dsaEncoding });
});

for (const [algorithm, name, how] of [
  ["ed25519", { name: "Ed25519" }, { name: "Ed25519" }],
  ["ecdsa_p256_sha256", { name: "ECDSA", namedCurve: "P-256" }, { name: "ECDSA", hash: "SHA-256" }],
]) {
  test(`WebCrypto signs with ${algorithm}`, async () => {
    const { publicKey, privateKey } = await subtle.generateKey(name, true, ["sign", "verify"]);
    const key = crypto.KeyObject.from(publicKey);
    const envelope = proven(algorithm, key, await subtle.sign(how, privateKey, pae), { dsaEncoding: "ieee-p1363" });
    const sig = Buffer.from(envelope.signatures[0].sig, "base64");
    assert.ok(await subtle.verify(how, publicKey, sig, signedBytes(envelope)));
  });
}

test("a signature of something else is not taken", () => {
  const { publicKey, privateKey } = crypto.generateKeyPairSync("ed25519");
  const signature = crypto.sign(null, Buffer.from("else"), privateKey).toString("base64");
  const signed = (algorithm) => ({ algorithm, public_key: pem(publicKey), signature });
  const attest = (more) => () => api.attest(contract, bundle, { now, ...more });
  assert.throws(attest({ signature: signed("ed25519") }), { code: "verify.signature_invalid" });
  assert.throws(attest({ signature: signed("rsa") }), { code: "verify.signature_uncheckable" });
  assert.throws(attest({ sign: true }), { code: "verify.signing_unavailable" });
});

test("the golden envelope is accepted by Node too", () => {
  const text = readFileSync(`${root}tests/contract/read_back.json`, "utf8");
  const golden = JSON.parse(text).find(({ call, expected }) => call === "verify_signature" && expected.valid === true);
  const { envelope, keys } = golden.input;
  const message = signedBytes(envelope);
  assert.equal(message.length, 303);
  const digest = `sha256:${crypto.createHash("sha256").update(message).digest("hex")}`;
  assert.equal(api.verifySignature(envelope, keys).pae_digest, digest);
  const raw = Buffer.from("03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8", "hex");
  const spki = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), raw]);
  const key = crypto.createPublicKey({ key: spki, type: "spki", format: "der" });
  assert.ok(crypto.verify(null, message, key, Buffer.from(envelope.signatures[0].sig, "base64")));
});
