/** The functions of the packed and installed package, in Node. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inspect } from "node:util";
import { runInNewContext } from "node:vm";
import * as counterfoil from "../../.cache/npm-installed/entry.mjs";
import { installed, root } from "./folders.mjs";
import { session } from "./made.mjs";

const { cited, CounterfoilError, flagged, init, parseSession, ran, readers, recode, replyText, Session } = counterfoil;
const { verify, verifySession } = counterfoil;
const HARBOUR = readFileSync(`${root}examples/sessions/harbour.jsonl`, "utf8");
const SUMMARY = "1 failed, 6 passed in 0.31s";
const call = { tool: "bash", arguments: { command: "pytest" }, output: `🎉\n${SUMMARY}`, exit: 1 };
const turn = { reply: "日本 🎉. All tests pass.", calls: [call] };

/** The error of a call. */
function thrown(work) {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

test("a claim is sliced out of the reply with its span, and its evidence out of the output", () => {
  const [claim] = verify(turn).claims;
  assert.equal(turn.reply.slice(claim.span.start, claim.span.end), "All tests pass");
  assert.equal(call.output.slice(claim.evidence.start, claim.evidence.end), SUMMARY);
  assert.deepEqual(verify(JSON.stringify(turn)).claims, [claim]);
});

test("flagged gives what the record does not carry, and nothing for what was not read", () => {
  const done = { tool: "bash", arguments: { command: "npm run build" }, output: "", exit: 0 };
  const both = { reply: "The build succeeded. All tests pass.", calls: [done, call] };
  const found = verify(both);
  assert.deepEqual(
    found.claims.map(({ verdict }) => verdict),
    ["supported", "contradicted"],
  );
  assert.deepEqual(flagged(found), [found.claims[1]]);
  assert.deepEqual(flagged(verify({ reply: "Hello.", calls: [] })), []);
  assert.deepEqual(flagged(undefined), []);
  assert.equal(thrown(() => flagged(verifySession(HARBOUR))).kind, "shape");
});

test("spans point into the text of a reply, in one piece or in several", () => {
  const pieces = [{ text: "日本 🎉.", interim: true }, { text: "All tests pass." }];
  const [claim] = flagged(verify({ reply: pieces, calls: [call] }));
  for (const given of [pieces, { reply: pieces, calls: [] }, ["日本 🎉.", "All tests pass."]]) {
    assert.equal(replyText(given).slice(claim.span.start, claim.span.end), "All tests pass");
  }
  assert.equal(replyText(turn), turn.reply);
  assert.equal(replyText(turn.reply), turn.reply);
  assert.equal(replyText({ calls: [] }), "");
  const session = parseSession(HARBOUR);
  for (const { turn: number, verification } of verifySession(session).turns) {
    const text = replyText(session.turns[number - 1]);
    for (const { span, text: words } of flagged(verification)) assert.equal(text.slice(span.start, span.end), words);
  }
  for (const wrong of [null, undefined, 5, [{}], [null], { reply: 5 }]) {
    assert.equal(thrown(() => replyText(wrong)).path, "reply");
  }
});

test("JSON is read from bytes of every kind", () => {
  const forms = (text) => {
    const bytes = new TextEncoder().encode(text);
    const at = new Uint8Array(bytes.length + 3);
    at.set(bytes, 2);
    const other = runInNewContext("new Uint8Array(bytes).buffer", { bytes });
    return [Buffer.from(text), bytes.buffer, new DataView(at.buffer, 2, bytes.length), at.subarray(2, -1), other];
  };
  for (const form of forms(JSON.stringify(turn))) {
    assert.deepEqual(verify(form), verify(turn));
    assert.equal(ran(form), ran(turn));
  }
  const report = verifySession(HARBOUR);
  for (const form of forms(HARBOUR)) {
    assert.deepEqual(verifySession(form), report);
    assert.equal(parseSession(form).length, 4);
  }
});

test("what is neither text nor bytes is an error that says what was found", () => {
  const wrong = [
    [undefined, "undefined"],
    [null, "null"],
    [5, "5"],
    [[1], "a list"],
    [{ turns: [] }, "an object"],
    [Promise.resolve(""), "an object of type Promise"],
    [() => 1, "a function"],
  ];
  for (const [given, found] of wrong) {
    const error = thrown(() => parseSession(given));
    assert.deepEqual([error.kind, error.message], ["shape", `expected JSON text or bytes; found ${found}`]);
  }
});

test("a session is no turn, and the error names what checks it", () => {
  for (const work of [verify, ran]) {
    const error = thrown(() => work(parseSession(HARBOUR)));
    assert.ok(error instanceof CounterfoilError);
    assert.deepEqual(
      [error.kind, error.message],
      ["shape", "expected a turn; found a Session, which verifySession checks"],
    );
  }
});

test("an option of parseSession that is not known, or is no option, is an error", () => {
  const message = (options) => {
    const error = thrown(() => parseSession(HARBOUR, options));
    assert.equal(error.kind, "option");
    return error.message;
  };
  assert.equal(message({ formt: "native" }), "formt: unknown option; the options are format");
  assert.equal(message("native"), 'expected an object such as { format: "native" }; found "native"');
  assert.equal(message({ format: 5 }), "format: expected a text; found 5");
  for (const options of [undefined, null, {}, { format: null }]) assert.equal(parseSession(HARBOUR, options).length, 4);
});

test("options are copied before the core reads them, so that nothing of the caller's runs inside it", () => {
  const read = parseSession(HARBOUR);
  for (let i = 0; i < 3000; i++) {
    let asked = 0;
    const options = {
      get mode() {
        asked += 1;
        if (asked > i % 2) throw new RangeError("mine");
        return "readers";
      },
    };
    if (i % 2) {
      assert.equal(verify(turn, options).claims.length, 1);
    } else {
      assert.equal(thrown(() => verify(turn, options)).message, "mine");
      assert.equal(thrown(() => verifySession(read, options)).message, "mine");
    }
  }
  assert.equal(verifySession(read).totals.turns, 4);
  read.free();
});

test("options that are no data name their place", () => {
  const endless = [];
  endless.push(endless);
  const wide = Array(50);
  wide.fill(wide);
  const sparse = [];
  sparse.length = 2 ** 32 - 1;
  for (const [options, path, sentence] of [
    [{ tools: new Set(["a"]) }, "tools", /^expected data; found an object of type Set$/],
    [{ roles: { a: () => 1 } }, "roles.a", /^expected data; found a function$/],
    [{ tools: ["a", Symbol("b")] }, "tools[1]", /^expected data; found a symbol$/],
    [{ tools: Promise.resolve([]) }, "tools", /Promise$/],
    [new Date(), "", /Date$/],
    [{ tools: endless }, "", /nested too deeply$/],
    [{ tools: sparse }, "tools", /more than 100000 parts$/],
    [JSON.parse('{"__proto__": {"a": 1}}'), "__proto__", /unknown/],
  ]) {
    const error = thrown(() => verify(turn, options));
    assert.deepEqual([error?.name, error?.kind, error?.path], ["CounterfoilError", "option", path], String(error));
    assert.match(error.detail, sentence);
  }
  assert.ok(thrown(() => verify(turn, { tools: wide })) instanceof CounterfoilError);
  assert.equal(verify(turn, new Map([["readers", new Map([["outcome", false]])]])), null);
  assert.equal(verify(turn, { limits: { flagged: 2 ** 53 - 1 } }).claims.length, 1);
  assert.equal(verify(turn, { limits: { flagged: 5n } }).claims.length, 1);
  assert.equal(verify(turn, { tools: ["\ud83d"], roles: { "\ufeffa\ud83d": "look" } }).claims.length, 1);
});

test("names, entries and what a getter throws are told in the package's own words", () => {
  const error = (work) => thrown(work) ?? assert.fail("nothing was thrown");
  for (const unit of [undefined, 5, {}, null]) {
    assert.deepEqual([error(() => recode(verify(turn), turn.reply, unit)).path], ["unit"]);
  }
  for (const entries of [undefined, 5, "12", {}]) {
    const found = error(() => cited("entry 3", entries));
    assert.deepEqual([found.name, found.kind, found.path], ["CounterfoilError", "shape", "entries"]);
  }
  assert.deepEqual(cited("entry 3", new Set([1n, 2])).missing, [3]);
  const mine = (value) => ({
    get reply() {
      throw value;
    },
  });
  for (const value of [null, undefined, "text", Symbol("s"), new TypeError("t")]) {
    assert.equal(error(() => verify(mine(value))).kind, "shape");
  }
});

test("what JSON keeps nothing of is no turn", () => {
  for (const given of [Promise.resolve(turn), new Map([["reply", "Done."]]), new Set(), new Date(NaN), /a/]) {
    if (typeof given.toJSON === "function") continue;
    for (const work of [verify, ran, counterfoil.replyText]) {
      const error = thrown(() => work(given));
      assert.deepEqual([error?.name, error?.kind], ["CounterfoilError", "shape"]);
      assert.match(error.message, /^expected data; found an object of type /);
    }
  }
  assert.equal(counterfoil.replyText({}), "");
});

test("a check that calls itself again and again in its callback ends with an error", () => {
  const read = parseSession(HARBOUR);
  const again = () => verifySession(read, { progress: again });
  assert.match(thrown(again).message, /^more than 32 checks inside one another$/);
  assert.equal(verifySession(read).totals.turns, 4);
  read.free();
});

test("a result is not recoded with a reply that it does not belong to", () => {
  const error = thrown(() => recode(verify(turn), "short", "codepoints"));
  assert.deepEqual([error?.kind, error?.path], ["shape", "claims[0].span"]);
});

test("a number that is not finite is a wrong option", () => {
  for (const quote of [Number.NaN, Number.POSITIVE_INFINITY]) {
    const error = thrown(() => verify(turn, { limits: { quote } }));
    assert.deepEqual([error.kind, error.path], ["option", "limits.quote"]);
    assert.equal(error.detail, `expected a finite number; found ${quote}`);
    assert.equal(thrown(() => verifySession(HARBOUR, { limits: { quote } })).path, "limits.quote");
  }
});

test("a session that was freed says so", () => {
  const read = parseSession(HARBOUR);
  assert.equal(inspect(read), "Session { 4 turns, claude-code }");
  const { turns } = read;
  read.free();
  read.free();
  assert.equal(turns.length, 4);
  for (const work of [() => read.length, () => read.turns, () => read.toJSON(), () => verifySession(read)]) {
    const error = thrown(work);
    assert.ok(error instanceof CounterfoilError);
    assert.equal(error.message, "the session was freed");
  }
  assert.equal(inspect(read), "Session { freed }");
  const halfway = parseSession(HARBOUR);
  assert.equal(verifySession(halfway, { progress: () => halfway.free() }).totals.turns, 4);
  assert.equal(thrown(() => halfway.length).message, "the session was freed");
  const other = parseSession(HARBOUR);
  if (Symbol.dispose) other[Symbol.dispose]();
  assert.ok(!Symbol.dispose || thrown(() => other.length));
});

test("a callback hears how far the check of a session has come", () => {
  const seen = [];
  const report = verifySession(HARBOUR, { readers: { call: false }, progress: (...step) => seen.push(step) });
  const steps = 2 * report.totals.turns;
  assert.deepEqual(
    seen,
    Array.from({ length: steps }, (_, i) => [i + 1, steps]),
  );
  const read = parseSession(HARBOUR);
  assert.deepEqual(verifySession(read, { readers: { call: false }, progress: () => verifySession(read) }), report);
  assert.deepEqual(verifySession(read, { progress: null }), verifySession(read));
});

test("what the callback throws ends the check, and the next one is sound", () => {
  const read = parseSession(HARBOUR);
  for (const failure of [new RangeError("stop"), "text", undefined, null]) {
    let calls = 0;
    const progress = () => {
      calls += 1;
      throw failure;
    };
    try {
      verifySession(read, { progress });
      assert.fail("it went on");
    } catch (thrown) {
      assert.equal(thrown, failure);
    }
    assert.equal(calls, 1);
  }
  assert.equal(thrown(() => verifySession(read, { progress: 5 })).path, "progress");
  assert.equal(thrown(() => verify(turn, { progress: () => 1 })).kind, "option");
  assert.equal(verifySession(read).totals.turns, read.length);
});

test("null means that nothing was read", () => {
  assert.equal(verify({ reply: "Hello.", calls: [] }), null);
  assert.equal(verify(turn, { mode: "off" }), null);
  assert.equal(ran({ reply: "Hello.", calls: [] }), null);
});

test("options that are undefined, null or left out keep their default", () => {
  for (const options of [undefined, null, {}, { roles: undefined, readers: null, limits: { quote: undefined } }]) {
    assert.equal(verify(turn, options).claims.length, 1);
  }
  assert.equal(verify(turn, { readers: { outcome: false } }), null);
});

test("an error has its kind, its place and a sentence", () => {
  const error = thrown(() => verify({ reply: "Done.", calls: [{ tool: "bash", exit: "1" }] }));
  assert.ok(error instanceof CounterfoilError && error instanceof Error);
  assert.deepEqual([error.name, error.kind, error.path], ["CounterfoilError", "shape", "calls[0].exit"]);
  assert.equal(error.message, 'calls[0].exit: expected an integer; found "1"');
  assert.equal(error.detail, 'expected an integer; found "1"');
});

test("every kind of error is thrown", () => {
  const kind = (work) => thrown(work)?.kind;
  assert.equal(
    kind(() => parseSession("{'no json")),
    "json",
  );
  assert.equal(
    kind(() => parseSession(" \n")),
    "json",
  );
  assert.equal(
    kind(() => parseSession('{"a": 1}')),
    "format",
  );
  assert.equal(
    kind(() => parseSession(HARBOUR, { format: "none" })),
    "option",
  );
  assert.equal(
    kind(() => verify(turn, { role: {} })),
    "option",
  );
  assert.equal(
    kind(() => verify(turn, { roles: () => 1 })),
    "option",
  );
  assert.equal(
    kind(() => verify(undefined)),
    "shape",
  );
  assert.equal(
    kind(() => recode(verify(turn), turn.reply, "bytes")),
    "option",
  );
  assert.equal(
    kind(() => cited("entry 1", ["1"])),
    "shape",
  );
  assert.equal(
    kind(() => cited([{}], null)),
    "shape",
  );
});

test("what has no end is an error and the next call works", () => {
  const round = { reply: "Done." };
  round.calls = [{ tool: "x", arguments: round }];
  assert.equal(thrown(() => verify(round)).kind, "shape");
  const options = {};
  options.roles = options;
  assert.equal(thrown(() => verify(turn, options)).kind, "option");
  assert.equal(thrown(() => parseSession("[".repeat(1_000_000))) instanceof CounterfoilError, true);
  assert.equal(verify(turn).claims.length, 1);
});

test("a session stays in the core until its turns are asked for", () => {
  const read = parseSession(HARBOUR);
  assert.ok(read instanceof Session);
  assert.equal(read.length, 4);
  assert.equal(read.format.name, "claude-code");
  assert.equal(read.turns.length, JSON.parse(JSON.stringify(read)).turns.length);
  assert.equal(typeof read.id, "string");
  assert.ok(Array.isArray(read.notes));
  const report = verifySession(read);
  assert.equal(report.totals.flagged, 2);
  assert.deepEqual(verifySession(HARBOUR), report);
  assert.deepEqual(verifySession(new TextEncoder().encode(HARBOUR)), report);
  assert.deepEqual(verifySession(read.toJSON()).totals, report.totals);
  read.free();
});

test("a host's messages are a session", () => {
  const messages = [
    { role: "user", content: "Hello" },
    { role: "assistant", content: "Hello." },
  ];
  assert.equal(verifySession(messages).totals.turns, 1);
  assert.equal(verifySession({ model: "m", messages }).totals.turns, 1);
});

test("spans are recoded, and evidence without its turn is left out", () => {
  const found = verify(turn);
  const points = recode(found, turn.reply, "codepoints", turn);
  const [claim] = points.claims;
  assert.equal([...turn.reply].slice(claim.span.start, claim.span.end).join(""), "All tests pass");
  assert.equal([...call.output].slice(claim.evidence.start, claim.evidence.end).join(""), SUMMARY);
  assert.deepEqual(recode(points, turn.reply, "utf16", turn), found);
  assert.equal(recode(found, turn.reply, "utf8").claims[0].evidence, null);
});

test("cited entries are an iterable, or null where they are not known", () => {
  assert.equal(cited("As entry 3 shows.", new Set([1, 2])).line, "cited but not in this conversation: entry 3");
  assert.deepEqual(cited([{ text: "entry 3" }], null).missing, []);
});

test("a lone surrogate moves no span", () => {
  const cut = { reply: "Ready \ud83d now. All tests pass.", calls: [{ ...call, output: `\ude80\n${SUMMARY}` }] };
  for (const given of [cut, JSON.stringify(cut), JSON.stringify(cut).replace("\\ud83d", "\ud83d")]) {
    const [claim] = verify(given).claims;
    assert.equal(cut.reply.slice(claim.span.start, claim.span.end), "All tests pass");
    assert.equal(cut.calls[0].output.slice(claim.evidence.start, claim.evidence.end), SUMMARY);
  }
  const points = recode(verify(cut), cut.reply, "codepoints", cut);
  assert.deepEqual(recode(points, cut.reply, "utf16", cut), verify(cut));
  assert.equal(verifySession(JSON.stringify([cut]).replace("\\ud83d", "\ud83d")).totals.flagged, 1);
});

test("a turn with 10,000 calls is checked", () => {
  const calls = Array.from({ length: 10_000 }, (_, i) => ({ ...call, output: `${i} passed`, exit: 0 }));
  const found = verify({ reply: "All tests pass. I found 18 files.", calls });
  assert.deepEqual([found.calls, found.claims[0].verdict], [10_000, "supported"]);
});

test("a session of 50 MB is checked, and its memory is given back", () => {
  const text = session(3700);
  assert.ok(text.length > 50e6);
  const report = verifySession(text);
  assert.equal(report.totals.turns, 3700);
  assert.equal(verifySession(text).totals.claims, report.totals.claims);
});

test("init resolves at once in Node and takes what browsers need", async () => {
  assert.equal(await init(), undefined);
  assert.equal(await init(new URL("file:///nowhere.wasm")), undefined);
});

test("package, core and changelog have one version", () => {
  const { version } = JSON.parse(readFileSync(`${installed}node_modules/counterfoil/package.json`, "utf8"));
  assert.equal(counterfoil.version, version);
  assert.equal(verify(turn).version, version);
  assert.match(readFileSync(`${root}Cargo.toml`, "utf8"), new RegExp(`^version = "${version}"$`, "m"));
});

test("the readers are listed", () => {
  assert.deepEqual(Object.keys(readers()[0]), ["name", "about", "default"]);
});
