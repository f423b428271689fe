/** Transcripts in pieces, in Node. */

import assert from "node:assert/strict";
import { createReadStream, readFileSync } from "node:fs";
import { test } from "node:test";
import * as counterfoil from "../../.cache/npm-installed/entry.mjs";
import { root } from "./folders.mjs";

const { CounterfoilError, parseSession, readTurns, verifySession, verifyTurns } = counterfoil;
const PATH = `${root}examples/sessions/harbour.jsonl`;
const HARBOUR = readFileSync(PATH, "utf8");
const call = { tool: "bash", arguments: { command: "pytest" }, output: "🎉 1 failed", exit: 1 };
const LINE = `${JSON.stringify({ reply: "🎉 All tests pass.", calls: [call] })}\n`;

async function all(stream) {
  const items = [];
  for await (const item of stream) items.push(item);
  return items;
}

/** A stream of a browser that does not iterate its streams. */
function old(pieces) {
  const stream = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  return { getReader: () => stream.getReader() };
}

test("the turns of a file are those of the session", async () => {
  const whole = parseSession(HARBOUR);
  const stream = readTurns(createReadStream(PATH, { highWaterMark: 777 }));
  assert.deepEqual(await all(stream), whole.turns);
  assert.equal(stream.id, whole.id);
  assert.equal(stream.format.name, "claude-code");
  assert.deepEqual(stream.notes, whole.notes);
});

test("the reports are those of the session", async () => {
  for (const live of [false, true]) {
    assert.deepEqual(await all(verifyTurns(HARBOUR, { live })), verifySession(HARBOUR).turns);
  }
  const off = await all(verifyTurns(LINE + LINE, { format: "native", readers: { outcome: false }, mode: "readers" }));
  assert.deepEqual(
    off.map((report) => report.verification),
    [null, null],
  );
});

test("every source gives the same", async () => {
  const text = LINE.repeat(3);
  const bytes = new TextEncoder().encode(text);
  const half = text.indexOf("🎉") + 1;
  const sources = [
    text,
    bytes,
    bytes.buffer,
    [text.slice(0, half), text.slice(half)],
    new Blob([bytes]).stream(),
    old([bytes.slice(0, 25), bytes.slice(25)]),
    new Set([bytes.slice(0, 25), bytes.slice(25)]),
  ];
  for (const source of sources) {
    const turns = await all(readTurns(source));
    assert.deepEqual(
      turns.map((turn) => turn.reply[0].text),
      Array(3).fill("🎉 All tests pass."),
    );
  }
});

test("turns come before the text has ended, and leaving the loop ends the source", async () => {
  let [taken, ended] = [0, false];
  async function* lines() {
    try {
      for (; taken < 5; taken += 1) yield LINE;
    } finally {
      ended = true;
    }
  }
  for await (const report of verifyTurns(lines(), { live: true })) {
    const { start, end } = report.verification.claims[0].span;
    assert.equal("🎉 All tests pass.".slice(start, end), "All tests pass");
    break;
  }
  assert.ok(taken < 5 && ended);
});

test("what cannot be read is an error", async () => {
  const wrong = (kind) => (error) => error instanceof CounterfoilError && error.kind === kind;
  assert.throws(() => readTurns(3), wrong("shape"));
  assert.throws(() => readTurns(LINE, { format: "nothing" }), wrong("option"));
  assert.throws(() => readTurns(LINE, { live: true }), wrong("option"));
  assert.throws(() => verifyTurns(LINE, { reader: {} }), wrong("option"));
  await assert.rejects(all(readTurns('{"a":1}\n{"a":2}\n')), wrong("format"));
  await assert.rejects(all(readTurns([])), wrong("format"));
  await assert.rejects(all(readTurns([1])), wrong("shape"));
  async function* failing() {
    yield LINE;
    throw new RangeError("the network failed");
  }
  await assert.rejects(all(readTurns(failing())), RangeError);
});
