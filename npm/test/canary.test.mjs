/** Proof of read: the vectors, the package's own checks, and the handler under a real `node:http`. */

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { after, before, describe, test } from "node:test";
import { inspect } from "node:util";
import {
  Canary,
  findSentinel,
  handler,
  headers,
  listener,
  newSession,
  sentinel,
} from "../../.cache/npm-installed/canary.mjs";
import { flagged, verify } from "../../.cache/npm-installed/entry.mjs";
import { installed, root } from "./folders.mjs";

const KEY = new Uint8Array(32).fill(7);
const NOON = 300_000_000;
const files = [`${root}tests/canary/vectors.json`, `${root}../shared/vectors/canary-v1.json`].filter(existsSync);

test("the vectors come out byte for byte", () => {
  for (const file of files) {
    // Buckets reach to both ends of 64 bits, which numbers of JSON.parse do not.
    const text = readFileSync(file, "utf8").replace(/("bucket":\s*)(-?\d+)/g, '$1"$2"');
    const vectors = JSON.parse(text);
    const key = Uint8Array.from(Buffer.from(vectors.root_key_hex, "hex"));
    const made = (asked) => sentinel(key, asked.session_id, BigInt(asked.bucket), asked.sentinel_bytes);
    assert.ok(vectors.vectors.length > 5);
    for (const asked of vectors.vectors) assert.equal(made(asked), asked.sentinel);
    for (const { path, ...asked } of vectors.refusals ?? []) assert.throws(() => made(asked), { path });
  }
});

test("an answer is judged", () => {
  const canary = new Canary(KEY);
  const issued = canary.issue("s", NOON, { identifier: "10.0.0.1", agent: "probe/1" });
  assert.equal(issued.expires, NOON + 600);
  assert.equal(canary.verify("s", `\`${issued.sentinel}\``, NOON + 0.5).state, "READ_VERIFIED");
  assert.equal(canary.verify("s", issued.sentinel, NOON + 900).state, "READ_STALE");
  assert.equal(canary.verify("s", null, NOON).state, "HALLUCINATED");
  assert.equal(canary.verify("s", sentinel(KEY, "s", NOON / 300 - 1), NOON).state, "REPLAY_SUSPECT");
  const found = canary.verifyReply("s", `日本 🎉 It says **${issued.sentinel}**.`, NOON);
  assert.deepEqual([found.state, found.distance], ["READ_VERIFIED", 0]);
  assert.match(found.meaning, /not that the page was understood/);
  assert.deepEqual(found.event, {
    event: "canary.verified",
    at: NOON,
    session: "s",
    state: "READ_VERIFIED",
    distance: 0,
  });
  assert.deepEqual(findSentinel(`x ${issued.sentinel}`), [issued.sentinel]);
});

test("nothing shows a key or a sentinel by accident", () => {
  const canary = new Canary(KEY);
  const issued = canary.issue("s", NOON, { identifier: "10.0.0.1" });
  for (const shown of [inspect(canary), JSON.stringify(canary), JSON.stringify(issued.event), canary.exportLog()]) {
    assert.ok(!shown.includes(issued.sentinel) && !shown.includes("10.0.0.1"), shown);
  }
});

test("a log goes to another process with the same key", () => {
  const [one, two] = [new Canary(KEY), new Canary(KEY)];
  const issued = one.issue("s", NOON);
  assert.equal(two.verify("s", issued.sentinel, NOON).state, "REPLAY_SUSPECT");
  two.importLog(one.exportLog());
  assert.equal(two.verify("s", issued.sentinel, NOON).state, "READ_VERIFIED");
  assert.throws(() => two.importLog("[]"), { kind: "shape" });
});

test("a wrong option fails at construction", () => {
  const wrong = [
    [{ bucketSeconds: 29 }, "bucketSeconds"],
    [{ staleHorizon: 1 }, "staleHorizon"],
    [{ retentionHours: 1 }, "retentionHours"],
    [{ sentinelBytes: "32" }, "sentinelBytes"],
    [{ bucket_seconds: 60 }, "bucket_seconds"],
  ];
  for (const [options, path] of wrong) assert.throws(() => new Canary(KEY, options), { kind: "option", path });
  assert.equal(new Canary(KEY, { bucketSeconds: 60, logSize: undefined }).options.bucketSeconds, 60);
});

test("wrong arguments are errors with their place", () => {
  for (const key of [new Uint8Array(31), new Uint8Array(32), "text", null, undefined])
    assert.throws(() => new Canary(key), { path: "root_key" });
  const canary = new Canary(KEY);
  for (const session of ["", "../", "a\nb", "<script>", "x".repeat(129), "\ud800"]) {
    assert.throws(() => canary.issue(session, NOON), { path: "session" });
    assert.equal(canary.verify(session, "x", NOON).state, "HALLUCINATED");
  }
  for (const now of [undefined, "noon", Number.NaN, Number.POSITIVE_INFINITY, 1e300])
    assert.throws(() => canary.issue("s", now), { path: "now" });
});

test("a flood of ids keeps the log bounded", () => {
  const canary = new Canary(KEY);
  for (let i = 0; i < 20_000; i++) canary.issue(`flood-${i}`, NOON);
  assert.equal(canary.issued, 8192);
});

/** A server with its canary, and how to ask it. */
async function served(options) {
  const events = [];
  const canary = new Canary(KEY);
  const server = createServer(listener(handler(canary, { audit: (event) => events.push(event), ...options })));
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address();
  // Not fetch: it mends paths, and sends no Host of one's own.
  const ask = (path, { method = "GET", body, ...extra } = {}) =>
    new Promise((answered, failed) => {
      const sent = request(
        { host: "127.0.0.1", port, path, method, headers: extra.headers, agent: false },
        (answer) => {
          const parts = [];
          answer.on("data", (part) => parts.push(part));
          answer.on("end", () =>
            answered({ status: answer.statusCode, headers: answer.headers, text: Buffer.concat(parts).toString() }),
          );
        },
      );
      sent.on("error", failed);
      sent.end(body);
    });
  const json = { "content-type": "application/json" };
  const verify = async (asked) => {
    const answer = await ask("/canary/verify", { method: "POST", headers: json, body: JSON.stringify(asked) });
    return { status: answer.status, ...JSON.parse(answer.text) };
  };
  return { ask, verify, events, json, close: () => server.close() };
}

describe("the handler under node:http", () => {
  let server;
  before(async () => {
    server = await served({ perMinute: 1000 });
  });
  after(() => server.close());

  test("a page is read and its value reported", async () => {
    const { status, headers: found, text } = await server.ask("/canary/trip");
    assert.equal(status, 200);
    for (const [name, value] of Object.entries(headers())) assert.equal(found[name.toLowerCase()], value);
    const [value] = findSentinel(text);
    assert.equal(text.split(value).length - 1, 3);
    const verdict = await server.verify({ session: "trip", reply: `It says ${value}.` });
    assert.deepEqual([verdict.status, verdict.state, verdict.distance], [200, "READ_VERIFIED", 0]);
    assert.equal((await server.verify({ session: "trip", claim: value })).state, "READ_VERIFIED");
    assert.equal((await server.verify({ session: "other", claim: value })).state, "HALLUCINATED");
    assert.equal((await server.verify({ session: "trip" })).state, "HALLUCINATED");
    assert.deepEqual(
      server.events.slice(0, 2).map(({ event }) => event),
      ["canary.issued", "canary.verified"],
    );
    assert.ok(!JSON.stringify(server.events).includes(value));
  });

  test("the other forms of the document", async () => {
    const text = await server.ask("/canary/form?form=text");
    assert.match(text.headers["content-type"], /^text\/plain/);
    assert.equal(findSentinel(text.text).length, 1);
    const tool = await server.ask("/canary/form?form=tool");
    assert.equal(JSON.parse(tool.text).content[0].text, text.text);
    assert.match(tool.headers["cache-control"], /^no-store/);
  });

  test("hostile paths and bodies are refused in JSON", async () => {
    const paths = [
      ["/", 404, "not_found"],
      ["/canary", 404, "not_found"],
      ["/canary/", 400, "bad_session"],
      ["/canary/..%2f", 400, "bad_session"],
      ["/canary/a%0Ab", 400, "bad_session"],
      ["/canary/%3Cscript%3E", 400, "bad_session"],
      ["/canary/%ff%fe", 400, "bad_session"],
      [`/canary/${"x".repeat(129)}`, 400, "bad_session"],
      ["/canary/verify", 405, "wrong_method"],
    ];
    for (const [path, status, code] of paths) {
      const answer = await server.ask(path);
      assert.deepEqual([answer.status, JSON.parse(answer.text).error.code], [status, code], path);
      assert.ok(!answer.text.includes("<script>"));
    }
    const bodies = [
      ["{}", { "content-type": "text/plain" }, 415, "wrong_type"],
      ["", server.json, 400, "bad_request"],
      ["[".repeat(60_000), server.json, 400, "bad_request"],
      ["[]", server.json, 400, "bad_request"],
      ['{"session": 3}', server.json, 400, "bad_session"],
      ['{"session": "s", "claim": []}', server.json, 400, "bad_claim"],
      ["x".repeat(70_000), server.json, 413, "too_large"],
    ];
    for (const [body, extra, status, code] of bodies) {
      const answer = await server.ask("/canary/verify", { method: "POST", headers: extra, body });
      assert.deepEqual([answer.status, JSON.parse(answer.text).error.code], [status, code], body.slice(0, 40));
    }
  });

  test("other names and origins are refused", async () => {
    const status = async (extra) => (await server.ask("/canary/s", { headers: extra })).status;
    assert.equal(await status({ host: "evil.example" }), 403);
    assert.equal(await status({ host: "127.0.0.1.evil.example" }), 403);
    assert.equal(await status({ origin: "https://evil.example" }), 403);
    assert.equal(await status({ origin: "null" }), 403);
    assert.equal(await status({ origin: "http://localhost:3000" }), 200);
    const other = await served({ hosts: ["probe.example"] });
    assert.equal((await other.ask("/canary/s", { headers: { host: "probe.example:80" } })).status, 200);
    other.close();
  });

  test("too many questions are told when to come back", async () => {
    const limited = await served({ perMinute: 3 });
    const statuses = [];
    for (let i = 0; i < 5; i++) statuses.push((await limited.ask(`/canary/s${i}`)).status);
    assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
    const answer = await limited.ask("/canary/s9");
    assert.ok(Number(answer.headers["retry-after"]) >= 1);
    assert.equal(JSON.parse(answer.text).error.code, "rate_limited");
    limited.close();
  });
});

test("a fresh id has 128 random bits", () => {
  const ids = new Set(Array.from({ length: 100 }, newSession));
  assert.equal(ids.size, 100);
  for (const id of ids) assert.match(id, /^[0-9a-f]{32}$/);
});

test("a check shows a verdict beside the claims, and a required one decides", () => {
  const canary = new Canary(KEY);
  canary.issue("trip", NOON);
  const url = "http://127.0.0.1:8765/canary/trip";
  const reply = `I read ${url}.`;
  const { state, meaning } = canary.verifyReply("trip", reply, NOON);
  const turn = { reply, user: `Read ${url}.`, calls: [] };
  const found = verify(turn, { canaries: [{ session: "trip", url, state, required: true }] });
  assert.deepEqual(found.canaries, [{ session: "trip", url, state: "HALLUCINATED", required: true, meaning }]);
  assert.match(flagged(found)[0].reason, /came out as HALLUCINATED, and no call shows that it was fetched$/);
  assert.deepEqual(flagged(verify(turn, { canaries: [{ session: "trip", url, state }] })), []);
  assert.throws(() => verify(turn, { canaries: [{ session: "trip", url, state: "READ" }] }), {
    path: "canaries[0].state",
  });
});

test("a handler that is told of no client keeps nothing of it", async () => {
  const canary = new Canary(KEY);
  const answer = handler(canary);
  const request = () => new Request("http://localhost/canary/s", { headers: { "user-agent": "probe/1" } });
  assert.equal((await answer(request())).status, 200);
  assert.equal(JSON.parse(canary.exportLog()).records[0].client, null);
  const told = new Canary(KEY);
  await handler(told)(request(), { client: "10.0.0.1" });
  assert.equal(JSON.parse(told.exportLog()).records[0].client.agent, "probe/1");
  assert.ok(!told.exportLog().includes("10.0.0.1"));
});

describe("the command line", () => {
  const program = `${installed}node_modules/counterfoil/dist/cli.js`;
  const run = (...words) => spawnSync(process.execPath, [program, "canary", ...words], { encoding: "utf8" });

  test("vectors are compared and written", () => {
    for (const file of files) assert.match(run("vectors", "--verify", file).stdout, /: all \d+ vectors hold\n$/);
    const emitted = run("vectors", "--emit");
    assert.equal(emitted.status, 0);
    const copy = `${installed}vectors.json`;
    writeFileSync(copy, emitted.stdout);
    assert.equal(run("vectors", "--verify", copy).status, 0);
    writeFileSync(copy, emitted.stdout.replace("mENH", "xENH"));
    const wrong = run("vectors", "--verify", copy);
    assert.deepEqual([wrong.status, wrong.stdout], [1, ""]);
    assert.match(wrong.stderr, /vectors\[0\]\.sentinel: another value comes out here\n$/);
    assert.deepEqual([run("vectors", "--verify", "none.json").status, run("vectors").status], [2, 2]);
    assert.match(
      run("vectors", "--verify", "none.json").stderr,
      /^counterfoil: none\.json: No such file or directory\n/,
    );
  });

  test("the build is tried", () => {
    const found = run("selftest");
    assert.deepEqual([found.status, found.stdout.match(/^ok /gm).length], [0, 6]);
  });

  test("documents are served, and no line of output holds a sentinel", async () => {
    const child = spawn(process.execPath, [program, "canary", "serve", "--port", "0", "--base", "/probe"]);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += part));
    try {
      while (!output.includes("Ctrl-C")) {
        assert.equal(child.exitCode, null, output);
        await new Promise((next) => setTimeout(next, 20));
      }
      const address = /served at (http:\/\/127\.0\.0\.1:\d+\/probe)\/SESSION/.exec(output)[1];
      const text = await (await fetch(`${address}/demo?form=text`)).text();
      const [value] = findSentinel(text);
      const body = JSON.stringify({ session: "demo", reply: `It says ${value}.` });
      const asked = { method: "POST", headers: { "content-type": "application/json" }, body };
      assert.equal((await (await fetch(`${address}/verify`, asked)).json()).state, "READ_VERIFIED");
      while (!output.includes("canary.verified")) await new Promise((next) => setTimeout(next, 20));
      assert.match(output, /"event":"canary\.issued"/);
      assert.ok(!output.includes(value));
      const taken = run("serve", "--port", new URL(address).port);
      assert.deepEqual([taken.status, taken.stdout], [2, ""]);
      assert.match(taken.stderr, /^counterfoil: 127\.0\.0\.1, port \d+: Address already in use\n/);
    } finally {
      child.kill();
    }
  });
});
