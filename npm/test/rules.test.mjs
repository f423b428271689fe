/** The entry `counterfoil/rules`: the same package over a core that reads the host's rules. */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as plain from "../../.cache/npm-installed/entry.mjs";
import * as rules from "../../.cache/npm-installed/rules.mjs";

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

test("the main entry names the one that has rules", () => {
  assert.throws(() => plain.verify(TURN, { rules: [RULE] }), {
    kind: "option",
    path: "rules",
    message: /counterfoil\/rules/,
  });
  for (const none of [[], null, undefined])
    assert.equal(plain.verify({ reply: "I calibrated it.", calls: [] }, { rules: none }), null);
});

test("both entries have the same functions, and errors are of one class", () => {
  assert.deepEqual(Object.keys(rules).sort(), Object.keys(plain).sort());
  assert.equal(rules.CounterfoilError, plain.CounterfoilError);
  assert.deepEqual(rules.readers(), plain.readers());
});
