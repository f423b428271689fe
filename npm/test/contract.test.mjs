/** Verification contracts: the cases, the border to the core, schemas, and digests that other tools come to as well. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import * as api from "../../.cache/npm-installed/contract.mjs";
import { difference, done } from "../../tests/contract.mjs";
import { root } from "./folders.mjs";

const require = createRequire(import.meta.url);
const canonicalize = require("canonicalize");
const Ajv = require("ajv/dist/2020").default;

const FOLDER = `${root}tests/contract/`;
const names = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
const cases = names.flatMap((name) => JSON.parse(readFileSync(FOLDER + name, "utf8")).map((given) => [name, given]));
const sha256 = (text) => `sha256:${createHash("sha256").update(text).digest("hex")}`;

const NOW = "2026-01-01T01:00:00Z";
const RUN = { now: NOW, workspace: "w" };
const FREEZE = { now: "2026-01-01T00:05:00Z", by: "human:dana" };
const draft = (type, params, more = {}) => ({ contract_id: "c", checks: [{ id: "a", type, params, ...more }] });

/** A bundle over one file that was read. */
function judged(type, params, text, options) {
  const { contract } = api.freeze(draft(type, params), FREEZE);
  const plan = api.plan(contract, RUN);
  const seen = { request_id: "a/file", plan_digest: plan.plan_digest, outcome: "ok", value: { kind: "file", text } };
  return api.judge(contract, plan, [seen], RUN, options);
}

test("every case comes out as expected", () => {
  assert.ok(cases.length > 500);
  const wrong = cases.map(([name, given]) => [name, given.name, difference(given.expected, done(api, given))]);
  assert.deepEqual(
    wrong.filter(([, , found]) => found),
    [],
  );
});

test("a validator of the host decides the cases of schemas as they are expected", () => {
  const schema = api.ajv(
    ({ formats }) => new Ajv({ allErrors: true, strict: false, validateFormats: formats }),
    "ajv 8",
  );
  const own = cases.filter(([name, given]) => name === "json_schema.json" && given.call === "run");
  assert.ok(own.length > 5);
  let decided = 0;
  for (const [, given] of own) {
    const observations = given.input.observations.map(({ value, ...seen }) => {
      if (value === undefined) return seen;
      const { validation, ...rest } = value;
      decided += validation === undefined ? 0 : 1;
      return { ...seen, value: rest };
    });
    const found = done(api, { call: "run", input: { ...given.input, observations } }, { schema });
    // Its words are its own.
    const [{ observed }] = found.check_results;
    const expected = structuredClone(given.expected);
    const first = expected.check_results[0].observed?.first;
    if (first) first.message = observed.first.message;
    delete expected.check_results[0].summary;
    assert.equal(difference(expected, found), undefined, given.name);
  }
  assert.ok(decided > 2);
});

test("without a validator a schema decides nothing", () => {
  const [result] = judged("json_schema", { path: "o.json", schema: { type: "object" } }, "{}").check_results;
  assert.deepEqual([result.passed, result.code], [null, "verify.capability_missing"]);
});

test("a validator that throws decides nothing, and what is no JSON does not reach it", () => {
  const params = { path: "o.json", schema: { type: "object" } };
  const schema = () => {
    throw new Error("no such dialect");
  };
  const [thrown] = judged("json_schema", params, "{}", { schema }).check_results;
  assert.deepEqual([thrown.passed, thrown.code], [null, "verify.check_crashed"]);
  assert.match(thrown.reason, /no such dialect/);
  for (const text of ["{oops", '{"a": NaN}', '{"a": 1, "a": 2}'])
    assert.equal(judged("json_schema", params, text, { schema: () => ({ valid: true }) }).verdict_word, "FAILED", text);
  const marked = judged("json_schema", params, "\ufeff{}", { schema: (_, found) => ({ valid: "b" in found || true }) });
  assert.equal(marked.verdict_word, "VERIFIED");
});

test("a run can be followed from a draft to what is read back", () => {
  const bundle = judged("json_value", { path: "o.json", pointer: "/total", equals: 29 }, '{"total": 29.0}', {
    run_id: "r",
  });
  assert.deepEqual([bundle.verdict_word, bundle.run_id, bundle.assurance], ["VERIFIED", "r", "deterministic_local"]);
  const { contract } = api.freeze(draft("json_value", { path: "o.json", pointer: "/total", equals: 29 }), FREEZE);
  const { files } = api.attest(contract, bundle, { now: NOW });
  const read = api.reverify(files);
  assert.deepEqual([read.rejudged, read.signature_status], [true, "unsigned_hash_bound"]);
  assert.equal(api.outcome(bundle).checks[0].passed, true);
  assert.equal(api.checkIntegrity(contract).digest, bundle.contract_digest);
  assert.equal(api.judge(null, null, [], RUN).verdict_word, "UNVERIFIED");
});

test("a refusal has all that a program needs", () => {
  assert.throws(
    () => api.freeze({ contract_id: "c", checks: [], allowed_orgins: [] }, FREEZE),
    (error) => {
      assert.ok(error instanceof api.ContractError && error instanceof Error);
      assert.deepEqual([error.name, error.code], ["ContractError", "verify.contract_invalid"]);
      assert.equal(error.details.path, "contract.allowed_orgins");
      assert.ok(error.message !== "" && error.fix !== "" && error.retryable === false);
      assert.deepEqual(Object.keys(error.toJSON()), ["code", "message", "fix", "details", "retryable"]);
      return true;
    },
  );
});

test("what JSON would change without a word is refused with its place", () => {
  const deep = {};
  deep.deep = deep;
  for (const equals of [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1n,
    () => 1,
    new Map([["a", 1]]),
    new Date(0),
    deep,
    [undefined],
  ])
    assert.throws(() => api.freeze(draft("json_value", { path: "o", equals }), FREEZE), {
      name: "ContractError",
      code: "verify.contract_invalid",
    });
  assert.throws(
    () => api.freeze(draft("json_value", { path: "o", equals: [{ a: Number.NaN }] }), FREEZE),
    (error) => {
      assert.equal(error.details.path, "contract.checks[0].params.equals[0].a");
      return true;
    },
  );
  for (const equals of [2 ** 53, "\ud800"])
    assert.throws(() => api.freeze(draft("json_value", { path: "o", equals }), FREEZE), {
      code: "verify.contract_invalid",
    });
  const odd = JSON.parse('{"__proto__": 1, "constructor": 2}');
  const { contract } = api.freeze(draft("json_value", { path: "o", equals: odd }), FREEZE);
  assert.deepEqual(Object.keys(contract.checks[0].params.equals), ["__proto__", "constructor"]);
});

test("what is of another shape is refused by the core, with a validator as without", () => {
  const { contract } = api.freeze(draft("json_schema", { path: "o", schema: { type: "object" } }), FREEZE);
  const plan = api.plan(contract, RUN);
  const refused = { name: "ContractError", code: "verify.contract_invalid" };
  for (const options of [undefined, null, { schema: () => ({ valid: true }) }])
    for (const observations of [1, {}, [null], [1], [{ request_id: "a/file" }]])
      assert.throws(() => api.judge(contract, plan, observations, RUN, options), refused);
  for (const wrong of [undefined, null, 1, [], { requests: 1 }])
    assert.throws(() => api.checkAddresses(wrong, "a/file", ["127.0.0.1"]), { name: "ContractError" });
  for (const wrong of [undefined, null, 1, []]) assert.throws(() => api.freeze(wrong, FREEZE), refused);
  assert.throws(() => api.freeze(draft("file_exists", { path: "a" })), refused);
  assert.throws(() => api.judge(contract, plan, [], RUN, { shema: 1 }), refused);
});

test("a text is read strictly", () => {
  const text = (members) => `{"contract_id": "c", ${members} "checks": []}`;
  for (const members of [
    '"title": "a", "title": "b",',
    '"revision": 9007199254740993,',
    '"title": "\\ud800",',
    '"title": NaN,',
  ])
    assert.throws(() => api.freeze(text(members), FREEZE), { code: "verify.contract_invalid" });
});

/** Numbers between 0 and 1 that are the same in each run. */
function* random(seed) {
  for (let state = seed; ; ) {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    yield state / 2 ** 32;
  }
}

/** A value of any shape. */
function made(draw, depth) {
  const next = (most) => Math.floor(draw.next().value * most);
  const text = () =>
    Array.from({ length: next(6) }, () =>
      String.fromCodePoint([next(32), 32 + next(95), 0xe000 + next(0x1fff), 0x1f600 + next(80)][next(4)]),
    ).join("");
  const number = () => {
    const bits = new DataView(new ArrayBuffer(8));
    bits.setUint32(0, next(2 ** 32));
    bits.setUint32(4, next(2 ** 32));
    const found = [bits.getFloat64(0), next(1e6), -next(1e6) / 64, next(1e9) * 10 ** -next(30), -0][next(5)];
    return Number.isFinite(found) && Math.abs(found) < 2 ** 53 ? found : next(100);
  };
  const kinds = [() => null, () => next(2) === 1, number, text];
  const list = () => Array.from({ length: next(4) }, () => made(draw, depth - 1));
  const object = () => Object.fromEntries(Array.from({ length: next(5) }, () => [text(), made(draw, depth - 1)]));
  return [...kinds, ...(depth > 0 ? [list, object, object] : [])].at(next(depth > 0 ? 7 : 4))();
}

test("digests are those of another implementation of RFC 8785", () => {
  const draw = random(7);
  for (let i = 0; i < 300; i++) {
    const { contract, digest } = api.freeze(draft("json_value", { path: "o", equals: made(draw, 4) }), FREEZE);
    const { digest: _, ...rest } = contract;
    assert.equal(digest, sha256(canonicalize(rest)), JSON.stringify(rest));
    assert.deepEqual(api.checkIntegrity(JSON.stringify(contract, null, 2)).digest, digest);
  }
});

test("files are canonical, and a change of any byte is found", () => {
  const { contract } = api.freeze(draft("json_value", { path: "o.json", pointer: "/total", equals: 29 }), FREEZE);
  const bundle = judged("json_value", { path: "o.json", pointer: "/total", equals: 29 }, '{"total": 29.0}');
  const attested = api.attest(contract, bundle, { now: NOW, seed: "07".repeat(32) });
  const keys = { trusted_keys: [attested.attestation.public_key] };
  assert.equal(api.reverify(attested.files, keys).signature_status, "valid_trusted");
  assert.equal(sha256(attested.files["evidence.json"]), attested.bundle_digest);
  const draw = random(11);
  for (const [name, text] of Object.entries(attested.files)) {
    assert.equal(canonicalize(JSON.parse(text)), text, name);
    for (let i = 0; i < 150; i++) {
      const bytes = Buffer.from(text);
      const at = Math.floor(draw.next().value * bytes.length);
      bytes[at] ^= 1 << Math.floor(draw.next().value * 7);
      const files = { ...attested.files, [name]: bytes.toString() };
      assert.throws(() => api.reverify(files, keys), { name: "ContractError" }, `${name} at ${at}`);
    }
  }
});

test("the tables of the core are there", () => {
  assert.equal(api.checkTypes().length, 17);
  assert.equal(api.levels()[0].level, "visual_advisory");
  assert.ok(api.codes().every(({ code, fix }) => code.startsWith("verify.") && fix !== ""));
});
