/** The handler against those who would break it: over real sockets where a client can send it, else called directly. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { inspect } from "node:util";
import {
  Canary,
  CounterfoilError,
  findSentinel,
  handler,
  listener,
  sentinel,
} from "../../.cache/npm-installed/canary.mjs";
import { root } from "./folders.mjs";

const KEY = new Uint8Array(32).fill(7);
const NOON = 300_000_000;
const table = (name) => JSON.parse(readFileSync(`${root}tests/canary/${name}.json`, "utf8"));
const [requests, options] = [table("requests"), table("options")];
const camel = (text) => text.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
const sleep = (milliseconds) => new Promise((next) => setTimeout(next, milliseconds));

async function served(settings) {
  const server = createServer(listener(handler(new Canary(KEY), settings)));
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { server, port: server.address().port, close: () => server.close() };
}

/** What comes back for these bytes until the other side closes. */
function raw(port, ...pieces) {
  return new Promise((answered, failed) => {
    const line = connect(port, "127.0.0.1");
    const parts = [];
    line.on("data", (part) => parts.push(part));
    line.on("error", (failure) => (parts.length ? undefined : failed(failure)));
    line.on("close", () => answered(Buffer.concat(parts).toString()));
    for (const piece of pieces) line.write(piece);
  });
}

function read(answer) {
  const [head, ...body] = answer.split("\r\n\r\n");
  const [first, ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(/: (.*)/)));
  return { status: Number(first.split(" ")[1]), headers, body: body.join("\r\n\r\n") };
}

const code = (answer) => [read(answer).status, JSON.parse(read(answer).body).error.code];

/** A case of the table as it goes over the line. */
function written({
  method = "GET",
  target = "/canary/s",
  host = "localhost",
  origin,
  type = "application/json",
  body,
}) {
  const sent = { Host: host, Origin: origin, Connection: "close" };
  if (body !== undefined) Object.assign(sent, { "Content-Type": type, "Content-Length": Buffer.byteLength(body) });
  const lines = Object.entries(sent).flatMap(([name, value]) => (value == null ? [] : [`${name}: ${value}`]));
  return `${[`${method} ${target} HTTP/1.1`, ...lines, "", ""].join("\r\n")}${body ?? ""}`;
}

describe("every request of the table is answered as it says", () => {
  let server;
  before(async () => {
    server = await served({ perMinute: 100_000, hosts: requests.hosts });
  });
  after(() => server.close());

  for (const [number, wanted] of requests.cases.entries())
    test(`${number}: ${JSON.stringify(wanted).slice(0, 90)}`, async () => {
      const { status, headers, body } = read(await raw(server.port, written(wanted)));
      assert.equal(status, wanted.status);
      assert.match(headers["cache-control"], /^no-store/);
      const error = wanted.code ? JSON.parse(body).error : {};
      for (const name of ["code", "message"]) if (wanted[name]) assert.equal(error[name], wanted[name]);
      if (wanted.method === "HEAD") assert.equal(body, "");
      else assert.equal(Number(headers["content-length"]), Buffer.byteLength(body));
    });

  test("a request without a host and one with two are refused", async () => {
    assert.equal(read(await raw(server.port, "GET /canary/s HTTP/1.0\r\n\r\n")).status, 403);
    const two = "GET /canary/s HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert.ok([400, 403].includes(read(await raw(server.port, two)).status));
    const trace = "TRACE /canary/s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert.equal(read(await raw(server.port, trace)).status, 405);
  });
});

test("every option of the table is refused as it says", () => {
  for (const [kind, make] of [
    ["canary", (given) => new Canary(KEY, given)],
    ["app", (given) => handler(new Canary(KEY), given)],
  ])
    for (const { options: given, path, message } of options[kind]) {
      const named = Object.fromEntries(Object.entries(given).map(([name, value]) => [camel(name), value]));
      assert.throws(
        () => make(named),
        (error) => {
          const wanted = ["option", camel(path), camel(message), "option"];
          assert.deepEqual([error.kind, error.path, error.detail, error.code], wanted);
          return error instanceof CounterfoilError;
        },
      );
    }
});

test("options are an object, and of its own kinds", () => {
  for (const wrong of [null, 5, [], "x"]) {
    assert.throws(() => new Canary(KEY, wrong), { kind: "option", message: /^expected an object of options; found / });
    assert.throws(() => handler(new Canary(KEY), wrong), { kind: "option", message: /^expected an object of options/ });
  }
  for (const wrong of [Number.NaN, new Map(), () => 1, new Date()]) {
    assert.throws(() => new Canary(KEY, { logSize: wrong }), { kind: "option", path: "logSize" });
    assert.throws(() => handler(new Canary(KEY), { perMinute: wrong }), { kind: "option", path: "perMinute" });
  }
  assert.throws(() => new Canary(KEY, { bucket_seconds: 60 }), { path: "bucket_seconds", code: "option" });
  for (const wrong of [undefined, null, 5, {}]) {
    assert.throws(() => handler(wrong), { path: "canary", message: /^canary: expected a Canary/ });
    assert.throws(() => listener(wrong), { path: "handler" });
  }
  handler(new Canary(KEY, {}), { hosts: [], base: "/", audit: null, onError: null, now: undefined });
  assert.equal(new Canary(KEY, { bucketSeconds: 60, logSize: undefined }).options.bucketSeconds, 60);
});

test("what is issued shows no sentinel unless it is asked by name", () => {
  const issued = new Canary(KEY).issue("s", NOON);
  const { sentinel: value, document, text, tool } = issued;
  for (const held of [document, text, tool]) assert.ok(held.includes(value));
  const shown = [
    inspect(issued, { depth: 9, showHidden: true }),
    inspect([{ issued }], { depth: 9 }),
    inspect(issued, { customInspect: false, showHidden: true, getters: false }),
    JSON.stringify(issued),
    JSON.stringify({ ...issued }),
    inspect(structuredClone(issued)),
    inspect(Object.assign({}, issued)),
    `${issued}`,
  ];
  for (const one of shown) assert.ok(!one.includes(value), one);
  for (const one of [shown[0], shown[3]]) assert.match(one, /\[redacted\]/);
});

test("a wrong claim and a wrong id are no absent ones", () => {
  const canary = new Canary(KEY);
  for (const wrong of [5, [], {}, true]) {
    assert.throws(() => canary.verify("s", wrong, NOON), { path: "claim", code: "bad_claim" });
    assert.throws(() => canary.verify(wrong, "x", NOON), { path: "session", code: "bad_session" });
    assert.throws(() => canary.verifyReply(wrong, "x", NOON), { path: "session", code: "bad_session" });
    assert.throws(() => canary.verifyReply("s", wrong, NOON), { path: "reply", code: "bad_reply" });
    assert.throws(() => canary.importLog(wrong), { path: "log", code: "bad_log" });
  }
});

test("a time that is none is an error with a code", () => {
  const canary = new Canary(KEY);
  for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, "noon", null, undefined, true, 1e13, 10n])
    for (const ask of [
      () => canary.issue("s", wrong),
      () => canary.verify("s", "x", wrong),
      () => canary.verifyReply("s", "x", wrong),
    ])
      assert.throws(ask, {
        path: "now",
        code: "bad_now",
        detail: /^expected Unix seconds, at most 9000000000000 from 1970; found /,
      });
  assert.equal(canary.verify("s", sentinel(KEY, "s", -1), -1).state, "REPLAY_SUSPECT");
});

const ask = (path = "/canary/s", extra = {}) => new Request(`http://localhost${path}`, extra);
const error = async (response) => [response.status, (await response.json()).error.code];

for (const [how, audit] of [
  ["at once", ({ event }) => { throw new RangeError(event); }],
  ["later", async ({ event }) => { await sleep(1); throw new RangeError(event); }],
]) // biome-ignore format: two lines tell more than eight
  test(`an audit that fails ${how} is reported and the client is answered`, async () => {
    const heard = [];
    const server = await served({ audit, onError: (failure) => heard.push(failure.message) });
    const address = `http://127.0.0.1:${server.port}/canary`;
    const [claim] = findSentinel(await (await fetch(`${address}/s?form=text`)).text());
    const body = JSON.stringify({ session: "s", claim });
    const headers = { "content-type": "application/json" };
    const verdict = await fetch(`${address}/verify`, { method: "POST", headers, body });
    assert.equal((await verdict.json()).state, "READ_VERIFIED");
    await sleep(50);
    assert.deepEqual(heard, ["canary.issued", "canary.verified"]);
    server.close();
  });

test("without a hook a failure goes to the console, and a hook that fails to nobody", async (context) => {
  const said = context.mock.method(console, "error", () => {});
  const audit = () => {
    throw new RangeError("no disk");
  };
  assert.equal((await handler(new Canary(KEY), { audit })(ask())).status, 200);
  assert.match(inspect(said.mock.calls[0].arguments), /no disk/);
  for (const onError of [audit, async () => audit()])
    assert.equal((await handler(new Canary(KEY), { audit, onError })(ask())).status, 200);
  await sleep(10);
  assert.equal(said.mock.callCount(), 1);
});

test("an audit that never ends holds nobody up and piles up only so far", async () => {
  const heard = [];
  let started = 0;
  const audit = () => {
    started += 1;
    return new Promise(() => {});
  };
  const answer = handler(new Canary(KEY), { audit, onError: (failure) => heard.push(failure), perMinute: 100_000 });
  for (let i = 0; i < 1100; i++) assert.equal((await answer(ask())).status, 200);
  assert.deepEqual([started, heard.length], [1024, 76]);
  assert.match(heard[0].message, /^the audit is 1024 events behind/);
});

test("a clock that gives no time is a fault of the server", async () => {
  const stops = () => {
    throw new Error("no clock");
  };
  for (const now of [
    () => Number.NaN,
    () => "noon",
    () => null,
    () => -1,
    () => true,
    async () => NOON,
    () => 1e300,
    stops,
  ]) {
    const heard = [];
    const answer = handler(new Canary(KEY), { now, onError: (failure) => heard.push(failure) });
    assert.deepEqual(await error(await answer(ask())), [500, "bad_now"]);
    assert.equal(heard.length, 1);
  }
});

test("a failure inside is a 500 with a body", async () => {
  const heard = [];
  const canary = new Canary(KEY);
  const answer = handler(canary, { onError: (failure) => heard.push(failure) });
  assert.deepEqual(await error(await answer(ask(), { client: 5 })), [500, "bad_client"]);
  canary.free();
  assert.deepEqual(await error(await answer(ask())), [500, "internal"]);
  assert.equal(heard.length, 2);
});

test("an address and a header that disagree are both asked", async () => {
  const answer = handler(new Canary(KEY), { perMinute: 1000 });
  const status = async (address, host) =>
    (await answer(new Request(address, host ? { headers: { host } } : {}))).status;
  assert.equal(await status("http://localhost/canary/s"), 200);
  assert.equal(await status("http://evil.example/canary/s"), 403);
  assert.equal(await status("http://evil.example/canary/s", "localhost"), 403);
  assert.equal(await status("http://localhost/canary/s", "evil.example"), 403);
});

test("nobody is shut out of a session by others", async () => {
  const answer = handler(new Canary(KEY));
  const status = async (client) => (await answer(ask(), { client })).status;
  let taken = 0;
  for (let i = 0; i < 200; i++) taken += (await status(`10.0.0.${i % 3}`)) === 200;
  assert.ok(taken > 30 && taken <= 60, `${taken}`);
  const own = [];
  for (let i = 0; i < 11; i++) own.push(await status("10.9.9.9"));
  assert.deepEqual(own, [...Array(10).fill(200), 429]);
});

test("no other addresses and no clock that is set give a client more questions", async () => {
  let now = NOON;
  const answer = handler(new Canary(KEY), { now: () => now, perMinute: 3 });
  const status = async (path, client = "10.0.0.1") => (await answer(ask(path), { client })).status;
  const first = [];
  for (let i = 0; i < 4; i++) first.push(await status(`/canary/s${i}`));
  assert.deepEqual(first, [200, 200, 200, 429]);
  now -= 86_400;
  assert.equal(await status("/canary/t"), 429);
  for (let i = 0; i < 10_000; i++) assert.equal(await status(`/canary/${i}`, `10.1.${i >> 8}.${i & 255}`), 200);
  assert.equal(await status("/canary/t"), 429);
});

test("a flood of ids keeps memory bounded", async () => {
  const canary = new Canary(KEY);
  const answer = handler(canary);
  const headers = { "user-agent": "x".repeat(4000) };
  const flood = async (from, to) => {
    for (let i = from; i < to; i++) {
      const id = `${i}`.padStart(128, "0");
      assert.equal((await answer(ask(`/canary/${id}`, { headers }), { client: `client-${id}` })).status, 200);
    }
  };
  await flood(0, 20_000);
  const before = process.memoryUsage().arrayBuffers;
  await flood(20_000, 60_000);
  assert.equal(canary.issued, 8192);
  const grown = process.memoryUsage().arrayBuffers - before;
  assert.ok(grown < 10e6, `${grown / 1e6} MB more`);
});

describe("bodies", () => {
  const POST = "POST /canary/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  const chunked = (body, size = 4096) => {
    const parts = [];
    for (let i = 0; i < body.length; i += size) parts.push(body.slice(i, i + size));
    return `${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join("")}0\r\n\r\n`;
  };
  let server;
  before(async () => {
    server = await served({ bodySeconds: 1, perMinute: 100_000 });
  });
  after(() => server.close());

  test("a slow one is given up, one byte at a time too", async () => {
    const start = performance.now();
    assert.deepEqual(code(await raw(server.port, `${POST}Content-Length: 100\r\n\r\n{"`)), [408, "too_slow"]);
    assert.ok(performance.now() - start > 900 && performance.now() - start < 5000);
    const answer = await new Promise((answered) => {
      const line = connect(server.port, "127.0.0.1");
      line.write(`${POST}Content-Length: 1000\r\n\r\n`);
      const drip = setInterval(() => line.write(" "), 100);
      line.on("data", (part) => answered(part.toString()));
      line.on("error", () => {});
      line.on("close", () => clearInterval(drip));
    });
    assert.equal(read(answer).status, 408);
    assert.ok(performance.now() - start < 8000);
  });

  for (const size of [65_537, 900_000])
    test(`one of ${size} bytes is refused, and its sender hears why`, async () => {
      const body = "x".repeat(size);
      const told = await raw(server.port, `${POST}Content-Length: ${size}\r\n\r\n`, body);
      assert.deepEqual(code(told), [413, "too_large"]);
      const untold = `${POST}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
      assert.deepEqual(code(await raw(server.port, untold, chunked(body))), [413, "too_large"]);
    });

  test("an endless one is cut", async () => {
    const start = performance.now();
    const sent = await new Promise((ended) => {
      const line = connect(server.port, "127.0.0.1");
      line.write(`${POST}Transfer-Encoding: chunked\r\n\r\n`);
      const piece = `10000\r\n${"x".repeat(65_536)}\r\n`;
      let count = 0;
      const more = () => {
        while (!line.destroyed && count < 200e6) {
          count += piece.length;
          if (!line.write(piece)) return void line.once("drain", more);
        }
      };
      line.on("error", () => {});
      line.on("close", () => ended(count));
      line.resume();
      more();
    });
    assert.ok(sent < 100e6, `${sent}`);
    assert.ok(performance.now() - start < 10_000);
  });

  test("one in chunks is read", async () => {
    const body = JSON.stringify({ session: "s", reply: "x".repeat(5000) });
    const head = `${POST}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    assert.equal(read(await raw(server.port, head, chunked(body, 7))).status, 200);
  });

  test("one that is cut off and a client that goes harm nobody", async () => {
    const heads = [
      `${POST}Content-Length: 100\r\n\r\n{"`,
      "GET /canary/s HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "GET /ca",
    ];
    for (const head of heads)
      for (let i = 0; i < 20; i++)
        await new Promise((gone) => {
          const line = connect(server.port, "127.0.0.1", () => line.write(head, () => line.destroy()));
          line.on("close", gone);
        });
    await sleep(50);
    assert.equal(read(await raw(server.port, written({}))).status, 200);
  });

  test("one connection takes several questions", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set();
    const json = { "content-type": "application/json" };
    const statuses = [];
    for (const [method, path, body, headers] of [
      ["GET", "/canary/s"],
      ["POST", "/canary/verify", '{"session": "s"}', json],
      ["POST", "/canary/verify", "{}", { "content-type": "text/plain" }],
      ["PUT", "/canary/s", "x".repeat(1000), {}],
      ["HEAD", "/canary/s"],
      ["OPTIONS", "/canary/s"],
      ["GET", "/canary/s"],
    ]) {
      const status = await new Promise((answered, failed) => {
        const sent = request({ agent, host: "127.0.0.1", port: server.port, method, path, headers }, (answer) => {
          answer.resume().on("end", () => answered(answer.statusCode));
        });
        sent
          .on("socket", (socket) => sockets.add(socket))
          .on("error", failed)
          .end(body);
      });
      statuses.push(status);
    }
    assert.deepEqual(statuses, [200, 200, 415, 405, 405, 405, 200]);
    assert.equal(sockets.size, 1, "it was one connection");
    agent.destroy();
    const both = `GET /canary/a HTTP/1.1\r\nHost: localhost\r\n\r\n${written({ target: "/canary/b" })}`;
    assert.equal((await raw(server.port, both)).split("HTTP/1.1 200 OK").length, 3);
  });
});
