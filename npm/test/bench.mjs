/** Times of the packed package in Node, as JSON, for scripts/bench.py. */

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Canary, handler } from "../../.cache/npm-installed/canary.mjs";
import { init, parseSession, verify, verifySession } from "../../.cache/npm-installed/entry.mjs";
import { best, call, Dice, reply, session } from "./made.mjs";

const TURN = { reply: "All tests pass.", calls: [{ tool: "bash", arguments: { command: "pytest" }, exit: 1 }] };
const FIRST = "--first";
const WHOLE = "--whole";
const FLOOD = "--flood";

/** What loading and the first call after it take, in a process of its own. */
function first() {
  const start = performance.now();
  init();
  const loaded = performance.now();
  verify(TURN);
  return { load: loaded - start, first: performance.now() - loaded };
}

/** What a session of 50 MB takes, and the most memory above what its text needs, in a process of its own. */
function large() {
  const text = session(3700);
  init();
  const before = process.memoryUsage().rss;
  const start = performance.now();
  verifySession(text);
  const whole = performance.now() - start;
  return { whole, memory: (process.resourceUsage().maxRSS * 1024 - before) / text.length };
}

/** A million ids through a server of proofs of read: megabytes before and after, and seconds. */
async function flood() {
  const canary = new Canary(crypto.getRandomValues(new Uint8Array(32)));
  const answer = handler(canary);
  const most = () => process.resourceUsage().maxRSS / 1e3;
  const ask = async (count) => {
    for (let i = 0; i < count; i++) {
      const client = `${i}`.padStart(128, "0");
      const request = new Request(`http://localhost/canary/${client}`, { headers: { "user-agent": client } });
      const { status } = await answer(request, { client });
      if (status !== 200) throw new Error(`${status}`);
    }
  };
  await ask(20_000);
  const [first, start] = [most(), performance.now()];
  await ask(1_000_000);
  if (canary.issued !== 8192) throw new Error(`${canary.issued}`);
  return [first, most(), (performance.now() - start) / 1000];
}

if (process.argv.includes(FLOOD)) {
  console.log((await flood()).join(" "));
} else if (process.argv.includes(FIRST)) {
  console.log(JSON.stringify(first()));
} else if (process.argv.includes(WHOLE)) {
  console.log(JSON.stringify(large()));
} else {
  const self = fileURLToPath(import.meta.url);
  const alone = (flag) => JSON.parse(execFileSync(process.execPath, [self, flag], { encoding: "utf8" }));
  const starts = Array.from({ length: 5 }, () => alone(FIRST));
  const dice = new Dice(7);
  const calls = Array.from({ length: 40 }, () => call(dice, 2000));
  const turn = { reply: reply(dice, 4500), calls, said: [], user: "go on" };
  const text = session(1500);
  const read = parseSession(text);
  const times = {
    load: Math.min(...starts.map((start) => start.load)),
    first: Math.min(...starts.map((start) => start.first)),
    turn: best(100, () => verify(turn)),
    read: best(5, () => parseSession(text).free()),
    check: best(5, () => verifySession(read)),
  };
  read.free();
  console.log(JSON.stringify({ ...times, ...alone(WHOLE) }));
}
