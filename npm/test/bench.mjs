/** Times of the packed package in Node, as JSON, for scripts/bench.py. */

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { init, parseSession, verify, verifySession } from "../../.cache/npm-installed/entry.mjs";
import { best, call, Dice, reply, session } from "./made.mjs";

const TURN = { reply: "All tests pass.", calls: [{ tool: "bash", arguments: { command: "pytest" }, exit: 1 }] };
const FIRST = "--first";

/** What loading and the first call after it take, in a process of its own. */
function first() {
  const start = performance.now();
  init();
  const loaded = performance.now();
  verify(TURN);
  return { load: loaded - start, first: performance.now() - loaded };
}

if (process.argv.includes(FIRST)) {
  console.log(JSON.stringify(first()));
} else {
  const self = fileURLToPath(import.meta.url);
  const starts = Array.from({ length: 5 }, () =>
    JSON.parse(execFileSync(process.execPath, [self, FIRST], { encoding: "utf8" })),
  );
  const dice = new Dice(7);
  const calls = Array.from({ length: 40 }, () => call(dice, 2000));
  const turn = { reply: reply(dice, 4500), calls, said: [], user: "go on" };
  const text = session(1500);
  const large = session(3700);
  const read = parseSession(text);
  const times = {
    load: Math.min(...starts.map((start) => start.load)),
    first: Math.min(...starts.map((start) => start.first)),
    turn: best(100, () => verify(turn)),
    read: best(5, () => parseSession(text).free()),
    check: best(5, () => verifySession(read)),
  };
  read.free();
  const before = process.memoryUsage().rss;
  const whole = best(1, () => verifySession(large));
  const memory = (process.memoryUsage().rss - before) / large.length;
  console.log(JSON.stringify({ ...times, whole, memory }));
}
