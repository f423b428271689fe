/**
 * Runs every vector of tests/vectors against the packed and installed npm package, in Node.
 * Those with rules run against its entry `counterfoil/rules`.
 *
 *     node --test tests/run.mjs
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as counterfoil from "../.cache/npm-installed/entry.mjs";
import * as rules from "../.cache/npm-installed/rules.mjs";
import { check } from "./check.mjs";
import { vectors } from "./vectors.mjs";

const cases = vectors();

test("there are vectors", () => assert.notEqual(cases.length, 0));

for (const { id, given } of cases) test(id, () => check(given, given.options?.rules ? rules : counterfoil));
