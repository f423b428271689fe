/** The packed file: what is in it, that it runs from a folder of its own, and that its types hold without a browser's. */

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { installed, root } from "./folders.mjs";

const PACKAGE = `${installed}node_modules/counterfoil/`;

/** Runs a script in the folder where the package is installed. */
function node(script, ...flags) {
  return execFileSync(process.execPath, [...flags, "--input-type=module", "-e", script], {
    cwd: installed,
    encoding: "utf8",
  });
}

/** What the compiler says of a file in a strict project. */
function tsc(...words) {
  const flags = ["--ignoreConfig", "--noEmit", "--strict", "--types", "", ...words];
  const found = spawnSync(`${root}npm/node_modules/.bin/tsc`, flags, { cwd: installed, encoding: "utf8" });
  return found.stdout + found.stderr;
}

test("it needs no other package and has its licences and its README", () => {
  const found = JSON.parse(readFileSync(`${PACKAGE}package.json`, "utf8"));
  assert.equal(found.dependencies, undefined);
  assert.deepEqual(readdirSync(PACKAGE).sort(), [
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "THIRD-PARTY.txt",
    "dist",
    "package.json",
  ]);
});

test("the lock file names no host", () => {
  assert.doesNotMatch(readFileSync(`${root}npm/package-lock.json`, "utf8"), /"resolved"|registry/);
});

test("one import is enough in Node", () => {
  const script = `import { verify } from "counterfoil"; console.log(verify({ reply: "All tests pass.", calls: [] }).status)`;
  assert.equal(node(script), "unsupported\n");
});

test("the wasm file has an address for hosts that serve it", () => {
  for (const entry of ["", "/formats", "/rules", "/canary", "/contract"]) {
    const script = `import fs from "node:fs"; fs.statSync(new URL(import.meta.resolve("counterfoil${entry}/wasm"))); console.log("there")`;
    assert.equal(node(script), "there\n");
  }
});

test("an import neither reads the wasm nor compiles it", () => {
  const script = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module"; const read = fs.readFileSync;
    fs.readFileSync = (path, ...rest) => { if (String(path).endsWith(".wasm")) throw path; return read(path, ...rest); };
    syncBuiltinESMExports(); const { version } = await import("counterfoil"); console.log(version)`;
  assert.match(node(script), /^\d+\.\d+\.\d+\n$/);
});

for (const [name, lib, more] of [
  ["without a browser's", ["es2022"], ""],
  ["with a browser's", ["es2022", "dom"], ""],
  ["with the newest", ["esnext"], `using session = parseSession("[]"); export const length = session.length;`],
]) {
  test(`the types hold in a strict project ${name}`, () => {
    const file = `${installed}use.ts`;
    writeFileSync(
      file,
      `import { CounterfoilError, flagged, init, parseSession, replyText, verify, verifySession } from "counterfoil";
       import type { Call, Claim, NativeSession, Options, Report, SessionSource, Turn, Verification } from "counterfoil";
       const call: Call = { tool: "bash", arguments: { command: "pytest" }, exit: 1 };
       const turn: Turn = { reply: "All tests pass.", calls: [call] };
       const options: Options = { roles: { my_shell: "command" } };
       const found: Verification | null = verify(turn, options);
       const claims: Claim[] = flagged(found).map((claim) => ({ ...claim, text: replyText(turn).slice(claim.span.start) }));
       const native: NativeSession = parseSession("[]").toJSON();
       interface Request { model: string; messages: { role: string }[] }
       const request: Request = { model: "m", messages: [] };
       const sources: SessionSource[] = [native, request, { model: "m", messages: [] }, [], "[]", new ArrayBuffer(2)];
       const report: Report = verifySession(parseSession(new DataView(new ArrayBuffer(2)), { format: "native" }));
       // @ts-expect-error: a promise has to be awaited
       verifySession(Promise.resolve("[]"));
       export const error = new CounterfoilError("json", "", "no JSON").kind;
       export default [init, claims, sources, report.totals.by_reader["count"]];\n${more}`,
    );
    const found = tsc("--module", "nodenext", "--target", "es2022", "--lib", lib.join(","), file);
    rmSync(file);
    assert.equal(found, "");
  });
}

for (const [name, words] of [
  ["without a browser's", ["--lib", "es2022"]],
  ["with a browser's", ["--lib", "es2022,dom"]],
  ["with Node's", ["--lib", "es2022", "--types", "node", "--typeRoots", `${root}npm/node_modules/@types`]],
]) {
  test(`the types of the model step hold in a strict project ${name}`, () => {
    const file = `${installed}use-model.ts`;
    const fetched = name.startsWith("without") ? "" : 'fetch("http://a.test", { signal });';
    writeFileSync(
      file,
      `import { verify, verifySession, type Model, type ModelOptions, type Options, type Report, type Verification } from "counterfoil";
       import { aiSdk, anthropic, ollama, openai, type Callback } from "counterfoil/models";
       const turn = { reply: "All tests pass.", calls: [] };
       const model: Model = async (request, { signal }) => { ${fetched} return signal.aborted ? request.prompt : { verdict: "verified" }; };
       const later: Promise<Verification | null> = verify(turn, { mode: "model", model, timeout: 10, audit: (event) => event.line });
       const alone: Promise<Verification | null> = verify(turn, { model: () => "" });
       const now: Verification | null = verify(turn, { mode: "readers", model });
       const plain: Options = { mode: "off" };
       const off: Verification | null = verify(turn, plain);
       const either = (options: Options | ModelOptions) => verify(turn, options);
       const reports: Promise<Report> = verifySession([], { model });
       const report: Report = verifySession([], { progress: (done) => done });
       const made: Callback[] = [ollama("x"), openai("x", { apiKey: "k" }), anthropic("x", { client: null }), aiSdk({})];
       for (const model of made) verify(turn, { model });
       // @ts-expect-error: this mode needs a model
       verify(turn, { mode: "model" });
       // @ts-expect-error: the result comes later
       verify(turn, { model })?.claims;
       export default [later, alone, now, off, either, reports, report];`,
    );
    const found = tsc("--module", "nodenext", "--target", "es2022", ...words, file);
    rmSync(file);
    assert.equal(found, "");
  });
}

test("a client of a provider's own package is one for its function", () => {
  const file = `${root}npm/use-clients.mts`;
  writeFileSync(
    file,
    `import Anthropic from "@anthropic-ai/sdk";
     import * as ai from "ai";
     import OpenAI from "openai";
     import { aiSdk, anthropic, openai } from "../.cache/npm-installed/node_modules/counterfoil/dist/models.js";
     export default [openai("x", { client: new OpenAI() }), anthropic("x", { client: new Anthropic() }), aiSdk("x", { ai })];`,
  );
  const flags = ["--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom,dom.iterable", "--skipLibCheck"];
  const types = ["--types", "node", "--typeRoots", `${root}npm/node_modules/@types`];
  const found = tsc(...flags, ...types, file);
  rmSync(file);
  assert.equal(found, "");
});

for (const [name, words] of [
  ["without a browser's", ["--lib", "es2022"]],
  ["with a browser's", ["--lib", "es2022,dom"]],
  ["with Node's", ["--lib", "es2022", "--types", "node", "--typeRoots", `${root}npm/node_modules/@types`]],
]) {
  test(`the types of proof of read hold in a strict project ${name}`, () => {
    const file = `${installed}use-canary.ts`;
    const server = name.includes("Node")
      ? 'import { createServer } from "node:http"; createServer(listener(answer));'
      : "";
    writeFileSync(
      file,
      `import { verify } from "counterfoil";
       import { Canary, findSentinel, handler, init, listener, newSession, type Handler, type State } from "counterfoil/canary";
       const canary = new Canary(new Uint8Array(32).fill(1), { bucketSeconds: 60 });
       const state: State = canary.verify(newSession(), findSentinel("")[0], 0).state;
       const answer: Handler = handler(canary, { hosts: ["a.test"], audit: (event) => event.event });
       const canaries = [{ session: "s", url: "http://a.test/s", state, required: true }];
       const found = verify({ reply: "", calls: [] }, { canaries });
       export default [init, listener, answer, found?.canaries[0]?.meaning];\n${server}`,
    );
    const found = tsc("--module", "nodenext", "--target", "es2022", ...words, file);
    rmSync(file);
    assert.equal(found, "");
  });
}

for (const [name, words] of [
  ["without a browser's", ["--lib", "es2022"]],
  ["with a browser's", ["--lib", "es2022,dom"]],
]) {
  test(`the types of contracts hold in a strict project ${name}`, () => {
    const file = `${installed}use-contract.ts`;
    writeFileSync(
      file,
      `import { ajv, attest, ContractError, freeze, init, judge, plan, reverify, type SchemaValidator, type VerdictWord } from "counterfoil/contract";
       import { host, now, observe, readRun, writeRun } from "counterfoil/contract/files";
       const checks = [{ id: "a", type: "file_exists", params: { path: "a.txt" } }];
       const { contract, warnings } = freeze({ contract_id: "c", checks }, { now: "2026-01-01T00:00:00Z", by: "human:dana" });
       const run = { now: now(), ...host("/srv"), actor: "model:agent" };
       const planned = plan(contract, run);
       const schema: SchemaValidator = (schema, document, { formats }) => ({ valid: formats || document === schema });
       const bundle = judge(contract, planned, observe(planned, run.workspace), run, { schema, run_id: "r" });
       const word: VerdictWord = bundle.verdict_word;
       const signature = { algorithm: "ed25519", public_key: "", signature: "" } as const;
       const { files } = attest(contract, bundle, { now: run.now, signature });
       const passed: boolean | null | undefined = bundle.check_results[0]?.passed;
       // @ts-expect-error: a result of null is no boolean
       const wrong: boolean | undefined = bundle.check_results[0]?.passed;
       export default [ajv, ContractError, init, warnings, word, passed, wrong, reverify(files, { trusted_keys: [] }).proof, readRun, writeRun];\n`,
    );
    const found = tsc("--module", "nodenext", "--target", "es2022", ...words, file);
    rmSync(file);
    assert.equal(found, "");
  });
}

test("the command line runs by its name", () => {
  const found = spawnSync("npx", ["--no-install", "counterfoil", "check", `${root}examples/sessions/harbour.jsonl`], {
    cwd: installed,
    encoding: "utf8",
  });
  assert.equal(found.status, 1);
  assert.match(found.stdout, /unsupported: "All 43 tests pass"/);
});

test("a folder is read as in Python, and a pipe to which nobody writes is not waited for", () => {
  const folder = mkdtempSync(join(tmpdir(), "counterfoil-"));
  const write = (name, text) => writeFileSync(join(folder, name), text);
  write("good.traj", '[{"reply": "Hello.", "calls": []}]');
  write("package.json", '{"name": "x"}');
  write("log.eval", "PK\u0003\u0004");
  write("note.md", "");
  const piped = process.platform !== "win32" && spawnSync("mkfifo", [join(folder, "pipe.json")]).status === 0;
  const check = (...words) =>
    spawnSync(process.execPath, [`${PACKAGE}dist/cli.js`, "check", ...words], {
      cwd: folder,
      encoding: "utf8",
      timeout: 60_000,
    });
  const found = check("-o", "json", ".");
  assert.equal(found.status, 0);
  assert.deepEqual(
    JSON.parse(found.stdout).map(({ file, error }) => [file, error]),
    [["./good.traj", null]],
  );
  const files = piped ? 4 : 3;
  const pipe = piped ? "; 1 is a pipe or a device" : "";
  assert.equal(
    found.stderr,
    `counterfoil: passed over ${files} files: 1 holds no transcript (package.json); ` +
      `1 .eval archive, which only the Python package reads${pipe}; 1 ends in .md\n`,
  );
  const named = check("-o", "json", "log.eval", "package.json", ...(piped ? ["pipe.json"] : []));
  assert.equal(named.status, 2);
  const errors = JSON.parse(named.stdout).map(({ error }) => error);
  assert.match(errors[0], /^not JSON: a zip archive; .*the Python package reads \.eval archives/);
  assert.match(errors[1], /^not a transcript I know: /);
  if (piped) assert.equal(errors[2], "a pipe to which nothing is written");
  rmSync(folder, { recursive: true });
});

test("the example for Node marks what the session does not carry, and says what it cannot read", () => {
  const copy = `${installed}check_session.mjs`;
  writeFileSync(copy, readFileSync(`${root}examples/node/check_session.mjs`));
  const run = (...words) => spawnSync(process.execPath, [copy, ...words], { encoding: "utf8" });
  const [found, missing, foreign, nothing] = [
    run(`${root}examples/sessions/harbour.jsonl`),
    run("none.jsonl"),
    run(`${root}npm/tsconfig.json`),
    run(),
  ];
  rmSync(copy);
  const printed = readFileSync(`${root}README.md`, "utf8").match(/in place of `PATH`, gives\n\n((?: {4}.*\n)+)/);
  assert.equal(found.stdout, printed[1].replace(/^ {4}/gm, ""));
  assert.match(missing.stderr, /^none\.jsonl: ENOENT: no such file or directory.*\n$/);
  assert.match(foreign.stderr, /^.*tsconfig\.json: not a transcript I know.*\n$/);
  assert.match(nothing.stderr, /^usage: .*\n$/);
  for (const { status } of [missing, foreign, nothing]) assert.equal(status, 2);
});

for (const name of ["README.md", "npm/README.md"]) {
  test(`the first script of ${name} prints what it says and holds in a strict project`, () => {
    const text = readFileSync(root + name, "utf8");
    const [, code] = text.match(/^```js\n(.*?)^```$/ms);
    const [, printed] = text.slice(text.indexOf(code)).match(/prints\n\n((?: {4}.*\n)+)/);
    const file = `${installed}first.mts`;
    writeFileSync(file, code);
    const found = tsc("--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom", file);
    rmSync(file);
    assert.equal(found, "");
    assert.equal(node(code), printed.replaceAll(/^ {4}/gm, ""));
  });
}
