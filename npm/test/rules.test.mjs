/** Rules of the host: the entry `counterfoil/rules`, which in Node is the same as the others. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as plain from "../../.cache/npm-installed/entry.mjs";
import * as formats from "../../.cache/npm-installed/formats.mjs";
import * as rules from "../../.cache/npm-installed/rules.mjs";
import { installed } from "./folders.mjs";

const DIST = `${installed}node_modules/counterfoil/dist/`;

const RULE = {
  name: "deploy",
  says: ["deployed"],
  object: "production",
  needs: { matches: "helm upgrade", status: "ok" },
};
const TURN = {
  reply: "日本 🎉. I deployed 2.1 to production.",
  calls: [{ tool: "bash", arguments: { command: "helm lint ." }, output: "ok", exit: 0 }],
};

test("a rule reads and checks", () => {
  const [claim] = rules.verify(TURN, { rules: [RULE] }).claims;
  assert.equal(claim.reader, "deploy");
  assert.equal(claim.reason, "no call in this turn meets the rule deploy");
  assert.equal(TURN.reply.slice(claim.span.start, claim.span.end), "I deployed 2.1 to production");
  const report = rules.verifySession([TURN], { rules: [RULE] });
  assert.deepEqual(report.totals.by_reader, { deploy: 1 });
});

test("a wrong rule is an error with its place", () => {
  const wrong = { ...RULE, needs: { matches: "(" } };
  assert.throws(() => rules.verify(TURN, { rules: [wrong] }), {
    kind: "option",
    path: "rules[0].needs.matches",
    detail: "not a regular expression: unclosed group",
  });
});

test("without rules nothing is read as one", () => {
  for (const none of [[], null, undefined])
    assert.equal(rules.verify({ reply: "I calibrated it.", calls: [] }, { rules: none }), null);
});

test("in Node all entries are one, so that a session of one is a session of the others", () => {
  assert.deepEqual({ ...rules }, { ...plain });
  assert.deepEqual({ ...formats }, { ...plain });
});

test("what a browser loads first has the same functions, names the entry that has rules, and throws errors of one class", async () => {
  const lean = await import(`${DIST}browser.js`);
  await lean.init(readFileSync(`${DIST}core/counterfoil_bg.wasm`));
  assert.deepEqual(Object.keys(lean).sort(), Object.keys(rules).sort());
  assert.equal(lean.CounterfoilError, rules.CounterfoilError);
  assert.deepEqual(lean.readers(), rules.readers());
  assert.throws(() => lean.verify(TURN, { rules: [RULE] }), {
    kind: "option",
    path: "rules",
    message: /counterfoil\/rules/,
  });
});
