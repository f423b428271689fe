/** The host of files in Node: what it sees below a workspace, and what it does not touch. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import * as api from "../../.cache/npm-installed/contract.mjs";

const { host, observe, readRun, writeRun } = api.files;
const TOP = realpathSync(mkdtempSync(join(tmpdir(), "counterfoil-")));
const HOME = join(TOP, "w");
const at = (path) => join(HOME, path);
const sha256 = (text) => createHash("sha256").update(text).digest("hex");
after(() => rmSync(TOP, { recursive: true }));

for (const folder of ["w/out/deep", "w/src", "elsewhere"]) mkdirSync(join(TOP, folder), { recursive: true });
writeFileSync(join(TOP, "secret.txt"), "secret");
writeFileSync(at("out/report.md"), "# Report\n");
writeFileSync(at("out/deep/日本.txt"), "x");
writeFileSync(at("order.json"), '\ufeff{"total": 29.0}');
writeFileSync(at("latin.json"), Buffer.from([0x22, 0xe9, 0x22]));
for (const [target, name] of [
  ["../secret.txt", "leads-out"],
  ["out/report.md", "leads-in"],
  ["loop-b", "loop-a"],
  ["loop-a", "loop-b"],
  ["nowhere", "dangling"],
  ["../nowhere", "dangling-out"],
  ["../elsewhere", "folder-out"],
  [join(HOME, "out"), "absolute-in"],
  ["out", "folder-in"],
  ["../../secret.txt", "out/ln"],
  ["../src", "out/src"],
  ["nowhere", "out/dangling"],
])
  symlinkSync(target, at(name));

const RUN = { now: "2026-01-01T01:00:00Z", ...host(HOME) };

/** Freezes, plans, looks and judges one check. */
function run(type, params, { roots = ["."], folder = HOME, ...more } = {}) {
  const draft = { contract_id: "c", allowed_roots: roots, checks: [{ id: "a", type, params, ...more }] };
  const { contract } = api.freeze(draft, { now: "2026-01-01T00:05:00Z", by: "human:dana" });
  const plan = api.plan(contract, RUN);
  const observations = observe(plan, folder);
  const bundle = api.judge(contract, plan, observations, RUN);
  return { ...bundle.check_results[0], bundle, seen: observations[0], contract };
}

const exists = (path, more) => run("file_exists", { path }, more);

test("a file is there, or is not, or could not be looked at", () => {
  const found = (path, more) => [exists(path, more).passed, exists(path, more).seen.outcome];
  assert.deepEqual(found("out/report.md"), [true, "ok"]);
  assert.deepEqual(found("out"), [false, "ok"]);
  for (const path of ["none", "none/deeper", "out/report.md/x", "dangling"])
    assert.deepEqual(found(path), [false, "absent"], path);
  assert.equal(run("file_exists", { path: "none", expected: false }).passed, true);
  for (const path of ["leads-in", "absolute-in/report.md", "folder-in/deep/../report.md", join(HOME, "leads-in")])
    assert.deepEqual(found(path), [true, "ok"], path);
  for (const path of ["leads-out", "dangling-out", "folder-out", "folder-out/x", join(TOP, "secret.txt")])
    assert.deepEqual([exists(path).passed, exists(path).code], [null, "verify.check_refused"], path);
  for (const path of ["loop-a", "loop-a/x", "x".repeat(300)]) {
    assert.deepEqual(found(path), [null, "failed"], path);
    assert.equal(run("file_exists", { path, expected: false }).passed, null, path);
  }
});

test("roots are compared after links, and one that leads out is none", () => {
  assert.equal(exists("leads-in", { roots: ["out"] }).code, "verify.check_refused"); // The core sees the path alone.
  assert.equal(exists("out/report.md", { roots: ["out"] }).passed, true);
  assert.equal(exists("folder-in/report.md", { roots: ["folder-in"] }).passed, true);
  assert.equal(exists("out/src", { roots: ["out"] }).seen.outcome, "refused");
  assert.equal(exists("folder-out/x", { roots: ["folder-out"] }).seen.outcome, "refused");
});

test("what may not be read could not be looked at", { skip: process.getuid?.() === 0 && "root may read all" }, () => {
  mkdirSync(at("closed"), { mode: 0o000 });
  assert.deepEqual([exists("closed/x").passed, exists("closed/x").seen.outcome], [null, "failed"]);
});

test("a digest is streamed, and a file beyond the cap decides nothing", () => {
  const digest = sha256("# Report\n");
  assert.equal(run("file_digest", { path: "out/report.md", sha256: `sha256:${digest.toUpperCase()}` }).passed, true);
  assert.equal(run("file_digest", { path: "out/report.md", sha256: sha256("") }).passed, false);
  for (const path of ["none", "out"]) assert.equal(run("file_digest", { path, sha256: digest }).passed, false, path);
  writeFileSync(at("huge"), "");
  truncateSync(at("huge"), 2 ** 30 + 1);
  const huge = run("file_digest", { path: "huge", sha256: digest });
  assert.deepEqual([huge.passed, huge.code], [null, "verify.observation_truncated"]);
  const late = run("file_digest", { path: "order.json", sha256: digest }, { timeout_seconds: 1e-9 });
  assert.deepEqual([late.passed, late.code], [null, "verify.check_timeout"]);
});

test("a pipe is not waited for", { skip: process.platform === "win32" }, () => {
  execFileSync("mkfifo", [at("pipe")]);
  assert.deepEqual([exists("pipe").passed, exists("pipe").seen.value.kind], [false, "other"]);
  assert.equal(run("json_value", { path: "pipe", present: true }).passed, false);
});

test("a JSON file is read as it is", () => {
  const value = (path, more) => run("json_value", { path, ...more });
  assert.equal(value("order.json", { pointer: "/total", equals: 29 }).passed, true);
  assert.equal(
    value("latin.json", { present: true }).seen.value.base64,
    Buffer.from('"\xe9"', "latin1").toString("base64"),
  );
  assert.equal(value("latin.json", { present: true }).passed, false);
  assert.equal(value("none", { equals: 1 }).passed, false);
  writeFileSync(at("big.json"), `"${"x".repeat(16 << 20)}"`);
  assert.equal(value("big.json", { present: true }).code, "verify.observation_truncated");
});

test("a directory is listed without entering links", () => {
  const listed = (params) => run("directory_manifest", { path: "out", ...params });
  const files = listed({ exact: true }).seen.value.files;
  assert.deepEqual(files, [
    { path: "ln", kind: "outside" },
    { path: "report.md", kind: "file" },
    { path: "deep/日本.txt", kind: "file" },
  ]);
  assert.equal(listed({ expected_files: ["report.md", "deep/日本.txt"] }).passed, true);
  assert.equal(listed({ expected_files: ["ln"] }).passed, false);
  assert.equal(listed({ digests: { "report.md": sha256("# Report\n") } }).passed, true);
  assert.equal(listed({ digests: { "report.md": sha256("") } }).passed, false);
  for (const path of ["none", "order.json"])
    assert.equal(run("directory_manifest", { path, exact: true }).passed, false, path);
  mkdirSync(at("many"));
  for (let i = 0; i < 10_001; i++) writeFileSync(at(`many/${i}`), "");
  const many = run("directory_manifest", { path: "many", expected_files: ["none"] });
  assert.deepEqual([many.passed, many.code], [null, "verify.observation_truncated"]);
});

test("nothing tells where the workspace lies", () => {
  for (const path of ["loop-a", "leads-out", "none", "out/report.md", "x".repeat(300)]) {
    const { bundle, contract } = exists(path);
    const { files } = api.attest(contract, bundle, { now: RUN.now });
    assert.ok(!JSON.stringify([bundle, files]).includes(TOP), path);
    assert.equal(api.reverify(files).rejudged, true, path);
  }
});

test("a workspace is an absolute directory that is there", () => {
  for (const path of ["", ".", "w", undefined, join(HOME, "none"), at("order.json")])
    assert.throws(() => host(path), { name: "ContractError", code: "verify.workspace_unresolved" });
  symlinkSync(HOME, join(TOP, "other"));
  assert.equal(host(join(TOP, "other")).workspace, HOME);
  assert.equal(exists("out/report.md", { folder: join(TOP, "other") }).passed, true);
});

test("a run is written as it is, and read back", () => {
  const { bundle, contract } = exists("out/report.md");
  const { files } = api.attest(contract, bundle, { now: api.files.now() });
  const folder = join(TOP, "run/first");
  writeRun(folder, files);
  assert.deepEqual(readRun(folder), files);
  assert.equal(api.reverify(readRun(folder)).verdict_word, "VERIFIED");
  assert.throws(() => writeRun(folder, files), { code: "EEXIST" });
  assert.throws(() => writeRun(folder, { "../x": "" }), RangeError);
  assert.throws(() => api.reverify(readRun(join(TOP, "none"))), { code: "verify.run_not_found" });
});

test("what this host cannot do is said", () => {
  const draft = { contract_id: "c", checks: [{ id: "a", type: "command_exit", params: { command: ["true"] } }] };
  const { contract } = api.freeze(draft, { now: "2026-01-01T00:05:00Z", by: "human:dana" });
  const { capabilities: _, ...run } = RUN;
  const plan = api.plan(contract, run);
  const [result] = api.judge(contract, plan, observe(plan, HOME), run).check_results;
  assert.deepEqual([result.passed, result.code], [null, "verify.capability_missing"]);
  assert.deepEqual(api.plan(contract, RUN).missing_capabilities, ["command"]);
});
