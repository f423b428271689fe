/** The model step in Node: the vectors of every home, and each way in which a callback fails. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as later } from "node:timers/promises";
import { auditLog } from "../../.cache/npm-installed/audit.mjs";
import * as counterfoil from "../../.cache/npm-installed/entry.mjs";
import { checks } from "../../tests/model.mjs";
import { installed, root } from "./folders.mjs";

const { audit, CounterfoilError, evaluation, finishMany, parseSession, planMany, verify, verifySession } = counterfoil;
const TURN = {
  reply: "I rebooted the router and the lamp turned green. It returned in a minute.",
  calls: [{ tool: "list_devices", arguments: {}, output: "router, lamp", status: "ok" }],
};
const DOUBT = { reason: "Nothing was restarted.", claim: "I rebooted the router", verdict: "unsupported" };
const LINE = 'unsupported: "I rebooted the router" (the model found no call producing it)';
const FLAGGED = { reply: "All 9 tests pass.", calls: [] };
const hang = () => new Promise(() => {});
const raising = (failure) => () => {
  throw failure;
};

for (const [file, check] of Object.entries(checks)) {
  test(`every vector holds: ${file}`, async () => {
    const cases = JSON.parse(readFileSync(`${root}tests/model/${file}`, "utf8"));
    assert.deepEqual(await check(cases, counterfoil), []);
  });
}

test("a model is asked once and only in its mode", async () => {
  const asked = [];
  const model = async (request, { signal }) => {
    asked.push([request, signal.aborted]);
    return DOUBT;
  };
  const result = await verify(TURN, { mode: "model", model });
  assert.deepEqual([result.line, result.method, result.status], [LINE, "model", "unsupported"]);
  assert.equal(result.claims[0].reader, "model");
  assert.equal(asked.length, 1);
  assert.deepEqual([asked[0][0].tools, asked[0][1]], ["none", false]);
  assert.equal((await verify(TURN, { model })).line, LINE, "the mode is model where none is given");
  assert.equal(verify(TURN, { mode: "readers", model }), null);
  assert.equal(verify(TURN), null);
  const promise = verify(FLAGGED, { mode: "model", model });
  assert.ok(promise instanceof Promise);
  assert.deepEqual(await promise, verify(FLAGGED));
  assert.equal(await verify({ reply: "Hello.", calls: [] }, { model }), null);
  assert.equal(asked.length, 2);
});

const strange = new Proxy({}, { get: () => raising(new Error("no"))() });
const round = {};
round.round = round;
const FAILURES = [
  ["hangs", hang, "timeout"],
  ["raises", raising(new TypeError("no")), "raised"],
  ["rejects", () => Promise.reject(new Error("no")), "raised"],
  ["rejects with nothing", () => Promise.reject(), "raised"],
  ["raises what cannot be looked at", raising(strange), "raised"],
  ["raises a timeout of its own", raising(new DOMException("late", "TimeoutError")), "raised"],
  ["is cancelled", raising(new DOMException("given up", "AbortError")), "cancelled"],
  ["is cancelled later", () => Promise.reject(AbortSignal.abort().reason), "cancelled"],
  ["gives nothing", () => undefined, "wrong_type"],
  ["gives null", async () => null, "wrong_type"],
  ["gives a number", () => 3, "wrong_type"],
  ["gives a list of nothing", () => new Map(), "wrong_type"],
  ["gives a function", () => async () => () => "", "wrong_type"],
  ["gives what JSON has not", () => ({ verdict: Symbol("x") }), "wrong_type"],
  ["gives a number that JSON has not", () => ({ verdict: Number.NaN }), "wrong_type"],
  ["gives what has no end", () => round, "wrong_type"],
  ["declines", () => ({ refusal: "I would rather not." }), "refused"],
  ["says something else", () => "The reply is unsupported.", "unreadable"],
  ["doubts what claims nothing", () => ({ ...DOUBT, claim: "If it rains" }), "overruled"],
];

for (const [name, model, kind] of FAILURES) {
  test(`a callback that ${name} is recorded as ${kind}`, async () => {
    const turn = { ...TURN, reply: `${TURN.reply} If it rains, I will look at the fuse.` };
    const result = await verify(turn, { mode: "model", model, timeout: 100 });
    assert.equal(result.failure, kind);
    assert.deepEqual([result.line, result.claims, result.status], [null, [], "not_shown"]);
  });
}

test("every kind of failure has its test", () => {
  const known = readFileSync(`${installed}node_modules/counterfoil/dist/types.d.ts`, "utf8");
  const [, kinds] = known.match(/type ModelFailure = (.*);/);
  assert.deepEqual(new Set(FAILURES.map(([, , kind]) => kind)), new Set(JSON.parse(`[${kinds.replaceAll("|", ",")}]`)));
});

test("the signal of a callback aborts when its time is over, and not before", async () => {
  let given;
  const model = (_, { signal }) => {
    given = signal;
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  const result = await verify(TURN, { model, timeout: 30 });
  assert.deepEqual([result.failure, given.aborted, given.reason.name], ["timeout", true, "TimeoutError"]);
  const answers = (_, { signal }) => {
    given = signal;
    return DOUBT;
  };
  await verify(TURN, { model: answers, timeout: 30 });
  await later(60);
  assert.equal(given.aborted, false);
});

test("a caller's own signal gives the check up with its reason", async () => {
  const aborter = new AbortController();
  let given;
  const model = (_, { signal }) => {
    given = signal;
    return hang();
  };
  const check = verify(TURN, { model, signal: aborter.signal });
  await later(10);
  aborter.abort(new Error("the page was left"));
  await assert.rejects(check, /the page was left/);
  assert.equal(given.aborted, true);
  await assert.rejects(verify(TURN, { model, signal: aborter.signal }), /the page was left/);
  const session = { turns: [TURN] };
  await assert.rejects(verifySession(session, { model, signal: aborter.signal }), /the page was left/);
  await assert.rejects(verifySession(session, { model, signal: AbortSignal.timeout(20) }), { name: "TimeoutError" });
});

test("wrong options are errors at once", () => {
  const wrong = [
    [{ mode: "model" }, "model: mode model needs a function that asks your model; docs/model-step.md has some"],
    [{ model: "gpt" }, 'model: expected a function that takes a request; found "gpt"'],
    [{ model: hang, timeout: 0 }, "timeout: expected milliseconds above 0; found 0"],
    [{ model: hang, timeout: Number.NaN }, "timeout: expected milliseconds above 0; found NaN"],
    [{ model: hang, timeout: Number.POSITIVE_INFINITY }, "timeout: expected milliseconds above 0; found Infinity"],
    [{ model: hang, timeout: "1" }, 'timeout: expected milliseconds above 0; found "1"'],
    [{ model: hang, signal: {} }, "signal: expected an AbortSignal; found an object"],
    [{ model: hang, roles: { x: "y" } }, /^roles\.x: expected one of/],
  ];
  for (const [options, message] of wrong) {
    const known = { name: "CounterfoilError", kind: "option", message };
    assert.throws(() => verify(TURN, options), known);
    assert.throws(() => verifySession({ turns: [TURN] }, options), known);
  }
  const message = 'audit: expected a function of an event; found "x"';
  assert.throws(() => verify(TURN, { audit: "x" }), { kind: "option", message });
  assert.throws(() => verify(3, { model: hang }), CounterfoilError);
  assert.throws(() => verify(TURN, { mode: "modle" }), /expected one of off, readers, model/);
});

test("a session is asked about in few requests, and may be freed meanwhile", async () => {
  const session = { turns: [TURN, { ...TURN, reply: "The cellar was aired and the meter displayed nine." }] };
  const batches = planMany(session);
  assert.equal(batches.length, 1);
  const questions = Object.keys(batches[0].questions);
  assert.ok(questions.length >= 2);
  const doubt = Object.fromEntries(questions.map((name) => [name, { probability: 0.02 }]));
  const report = finishMany(session, [doubt]);
  assert.deepEqual(await verifySession(session, { mode: "model", model: () => doubt }), report);
  assert.deepEqual(
    report.turns.map(({ verification }) => verification.method),
    ["model", "model"],
  );
  const failed = await verifySession(session, { model: raising(new Error()) });
  assert.deepEqual(
    failed.turns.map(({ verification }) => verification.failure),
    ["raised", "raised"],
  );
  assert.equal(finishMany(session, [null]).turns[0].verification.failure, "raised");
  const read = parseSession(JSON.stringify(session));
  const freed = await verifySession(read, {
    model: async () => {
      read.free();
      return doubt;
    },
  });
  assert.deepEqual(freed, report);
  assert.throws(() => read.length, /freed/);
});

/** What a script of its own prints; it fails where it does not end in time or where an error is not caught. */
function alone(script) {
  const code = `import { verify } from "counterfoil"; const turn = ${JSON.stringify(TURN)}; ${script}`;
  const options = { cwd: installed, encoding: "utf8", timeout: 20_000 };
  return execFileSync(process.execPath, ["--input-type=module", "-e", code], options);
}

test("the program ends after the answer, whatever comes late", () => {
  const done = alone(`const started = performance.now();
    console.log((await verify(turn, { timeout: 60_000, model: () => ({}) })).failure);
    console.log((await verify(turn, { timeout: 50, model: () => new Promise(() => {}) })).failure);
    const late = () => new Promise((_, reject) => setTimeout(reject, 100, new Error("too late")));
    console.log((await verify(turn, { timeout: 20, model: late })).failure);
    process.on("exit", () => console.log(performance.now() - started < 10_000));`);
  assert.equal(done, "unreadable\ntimeout\ntimeout\ntrue\n");
});

test("the audit is one line a check", async () => {
  const folder = mkdtempSync(join(tmpdir(), "counterfoil-"));
  const file = join(folder, "audit.jsonl");
  writeFileSync(file, '{"event":"older"}\n');
  const log = auditLog(file);
  verify(TURN, { audit: log }); // Nothing was read, so that nothing was checked.
  verify(FLAGGED, { audit: log });
  await verify(TURN, { model: () => DOUBT, audit: log });
  await verify(TURN, { model: hang, timeout: 50, audit: log });
  log.close();
  log.close();
  assert.throws(() => log({}), /closed/);
  const events = readFileSync(file, "utf8").trimEnd().split("\n").map(JSON.parse);
  rmSync(folder, { recursive: true });
  assert.deepEqual(
    events.slice(1).map(({ method, status, failure }) => [method, status, failure]),
    [
      ["readers", "unsupported", null],
      ["model", "unsupported", null],
      ["model", "not_shown", "timeout"],
    ],
  );
  assert.deepEqual([events[0].event, events[1].bytes], ["older", null]);
  assert.ok(events[2].bytes > 0 && events[2].bytes <= 6000);
  assert.ok(events[1].seconds > 0 && events[3].seconds >= 0.04 && events[3].seconds < 5);
  assert.throws(() => auditLog(join(folder, "gone", "a.jsonl")), { code: "ENOENT" });
});

test("the audit as an event of OpenTelemetry", () => {
  const result = verify(FLAGGED);
  const event = evaluation(result, { seconds: 0.1, response: "resp_1" });
  assert.equal(event.name, "gen_ai.evaluation.result");
  assert.equal(event.attributes["gen_ai.response.id"], "resp_1");
  assert.ok(Object.values(event.attributes).every((value) => ["string", "number"].includes(typeof value)));
  assert.equal(evaluation(null, { seconds: 0 }), null);
  assert.equal(audit(null, { seconds: 0 }), null);
  assert.throws(() => audit(result, { seconds: -1 }), /about\.seconds: expected a number from 0/);
});
