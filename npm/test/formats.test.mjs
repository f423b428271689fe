/** Every fixture of a format, in Node with all formats, and with the core that a browser loads first. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import * as counterfoil from "../../.cache/npm-installed/entry.mjs";
import * as all from "../../.cache/npm-installed/formats.mjs";
import { fixtures } from "./fixtures.mjs";
import { installed } from "./folders.mjs";

const DIST = `${installed}node_modules/counterfoil/dist/`;
/** What pages and frameworks hand over as objects. */
const FEW = ["native", "ai-sdk-ui", "anthropic", "openai-chat"];
const ELSEWHERE = / is not part of this build; import counterfoil\/formats, or build with the feature formats$/;
const RECORDED = /^these are recorded exchanges: reading them/;
let lean;

/** The error of a call. */
function thrown(work) {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

before(async () => {
  lean = await import(`${DIST}browser.js`);
  await lean.init(readFileSync(`${DIST}core/counterfoil_bg.wasm`));
});

test("Node reads every fixture as it stands beside it", () => {
  const names = new Set(all.formats().map(({ name }) => name));
  assert.deepEqual(new Set(fixtures().map(({ format }) => format)), names);
  for (const { path, text, expected } of fixtures()) {
    assert.deepEqual(all.parseSession(text).toJSON(), expected, path);
  }
  assert.deepEqual(counterfoil.formats(), all.formats());
});

test("the core that a browser loads first lists what it reads", () => {
  const names = lean.formats().map(({ name }) => name);
  assert.deepEqual(names, FEW);
  assert.deepEqual(
    lean.formats(),
    all.formats().filter(({ name }) => FEW.includes(name)),
  );
});

test("it reads that as it stands, and tells all else", () => {
  const read = new Set();
  for (const { format, path, text, expected } of fixtures()) {
    const error = thrown(() => lean.parseSession(text));
    if (error === undefined) {
      read.add(format);
      assert.deepEqual(lean.parseSession(text).toJSON(), expected, path);
      continue;
    }
    // Spans of both kinds are told by what stands around them, which is the same.
    const name = format === "openinference" ? "otel-genai" : format;
    const told = FEW.includes(format) ? RECORDED : new RegExp(`^this is ${name}, which|${RECORDED.source}`);
    assert.deepEqual([error.kind, error.path], ["format", ""], path);
    assert.match(error.detail, told, path);
    assert.match(error.detail, ELSEWHERE, path);
  }
  assert.deepEqual([...read].sort(), [...FEW].sort());
});

test("a format that is named and one that comes in pieces are told too", async () => {
  const named = thrown(() => lean.parseSession("[]", { format: "codex" }));
  assert.deepEqual([named.kind, named.path], ["option", "format"]);
  assert.match(named.detail, ELSEWHERE);
  assert.throws(() => lean.parseSession("[]", { format: "nosuch" }), {
    detail: /^expected one of native, ai-sdk-ui, /,
  });
  const { text } = fixtures().find(({ format }) => format === "claude-code");
  await assert.rejects(lean.readTurns([text]).next(), { kind: "format", detail: ELSEWHERE });
});
