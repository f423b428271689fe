/** Ready-made callbacks, each with its provider's own package against a server that speaks the real format. */

import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { planMany, verify } from "../../.cache/npm-installed/entry.mjs";
import * as models from "../../.cache/npm-installed/models.mjs";
import { installed } from "./folders.mjs";
import { served } from "./provider.mjs";

const TURN = {
  reply: "I rebooted the router and the lamp turned green. It returned in a minute.",
  calls: [{ tool: "list_devices", arguments: {}, output: "router, lamp", status: "ok" }],
};
const LINE = 'unsupported: "I rebooted the router" (the model found no call producing it)';
const { anthropic, aiSdk, named, ollama, openai } = models;

/** A package of the tests' own. */
const own = (name) => import(pathToFileURL(createRequire(import.meta.url).resolve(name)));

const PROVIDERS = {
  openai: (base) => openai("small", { baseURL: `${base}/v1`, apiKey: "k" }),
  anthropic: (base) => anthropic("small", { baseURL: base, apiKey: "k" }),
  ollama: (base) => ollama("small", { baseURL: `${base}/` }),
  aiSdk: async (base) => {
    const { createOpenAICompatible } = await own("@ai-sdk/openai-compatible");
    const settings = { name: "own", baseURL: `${base}/v1`, apiKey: "k", supportsStructuredOutputs: true };
    return aiSdk(createOpenAICompatible(settings)("small"));
  },
};

for (const [provider, make] of Object.entries(PROVIDERS)) {
  test(`${provider} speaks its format`, () =>
    served(async (base, seen) => {
      let request;
      const callback = await make(base);
      await callback.ready();
      const model = (asked, given) => {
        request = structuredClone(asked);
        return callback(asked, given);
      };
      const result = await verify(TURN, { model });
      assert.deepEqual([result.failure, result.line], [null, LINE]);
      assert.equal(seen.length, 1);
      const [{ path, headers, body }] = seen;
      const users = body.messages.filter(({ role }) => role === "user").map(({ content }) => content);
      assert.deepEqual([users, body.model], [[request.prompt], "small"]);
      assert.equal(body.system ?? body.messages[0].content, request.system);
      assert.equal(body.tools, undefined);
      if (provider === "openai" || provider === "aiSdk") {
        assert.deepEqual([path, body.temperature, headers.authorization], ["/v1/chat/completions", 0, "Bearer k"]);
        assert.deepEqual(body.response_format.json_schema.schema, request.schema);
        assert.equal(body.max_tokens, 400);
      }
      if (provider === "anthropic") {
        assert.deepEqual([path, body.thinking, body.max_tokens], ["/v1/messages", { type: "disabled" }, 400]);
        assert.equal(headers["x-api-key"] ?? headers.authorization?.slice("Bearer ".length), "k");
        assert.ok(headers["anthropic-version"]);
      }
      if (provider === "ollama") {
        assert.deepEqual([path, body.stream, body.think, body.format], ["/api/chat", false, false, request.schema]);
        assert.deepEqual(body.options, { temperature: 0, num_predict: 400 });
      }
    }));

  test(`${provider}: a server that fails is recorded, and asked once`, () =>
    served(
      async (base, seen) => {
        const result = await verify(TURN, { model: await make(base) });
        assert.deepEqual([result.failure, seen.length], ["raised", 1]);
      },
      { status: 500 },
    ));

  test(`${provider}: a server that hangs is left when the time is over`, () =>
    served(
      async (base, seen) => {
        const model = await make(base);
        const result = await verify(TURN, { model, timeout: 400 });
        assert.deepEqual([result.failure, seen.length], ["timeout", 1]);
        for (let i = 0; i < 100 && !seen[0].closed; i += 1) await new Promise((go) => setTimeout(go, 20));
        assert.equal(seen[0].closed, true);
      },
      { hangs: true },
    ));

  test(`${provider}: prose around an answer is read with patience`, () =>
    served(
      async (base) => {
        const model = await make(base);
        assert.equal((await verify(TURN, { model })).line, LINE);
      },
      { text: "Here it is:\n```json\n{'claim': 'I rebooted the router', 'verdict': 'unsupported',}\n```" },
    ));

  if (provider === "ollama") continue; // Its format has no refusal.
  test(`${provider}: a refusal is recorded as one`, () =>
    served(
      async (base) => {
        assert.equal((await verify(TURN, { model: await make(base) })).failure, "refused");
      },
      { refuses: true },
    ));
}

test("a caller's own client is taken", () =>
  served(async (base, seen) => {
    const { default: OpenAI } = await own("openai");
    const { default: Anthropic } = await own("@anthropic-ai/sdk");
    const clients = [
      openai("small", { client: new OpenAI({ baseURL: `${base}/v1`, apiKey: "mine" }) }),
      anthropic("small", { client: new Anthropic({ baseURL: base, apiKey: "mine" }) }),
    ];
    for (const model of clients) assert.equal((await verify(TURN, { model })).line, LINE);
    assert.match(JSON.stringify(seen.map(({ headers }) => headers)), /mine.*mine/);
  }));

test("a request about many claims goes the same way", () =>
  served(
    async (base) => {
      const [{ request }] = planMany({ turns: [TURN] });
      assert.equal(await ollama("small", { baseURL: base })(request), '{"t1c1": 0.9}');
    },
    { text: '{"t1c1": 0.9}' },
  ));

test("providers are named as on the command line", () => {
  for (const name of ["gpt", "other:x", "ollama:", "constructor:x"]) {
    assert.throws(() => named(name), /model: expected one of openai:NAME, anthropic:NAME, ollama:NAME; found '/);
  }
  assert.throws(() => named("ollama:x", "file:///etc"), { kind: "option", message: /begins with http/ });
  assert.throws(() => aiSdk(undefined), { kind: "option" });
});

test("a package that is not there is said by ready, and is a failure of the check", async () => {
  // A copy in a folder that has no other package.
  const folder = mkdtempSync(join(tmpdir(), "counterfoil-"));
  cpSync(`${installed}node_modules/counterfoil/dist`, join(folder, "dist"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  mkdirSync(join(folder, "node_modules"));
  const alone = await import(pathToFileURL(join(folder, "dist", "models.js")));
  for (const [made, name] of [
    [alone.openai("x", { apiKey: "k" }), "openai"],
    [alone.anthropic("x", { apiKey: "k" }), "@anthropic-ai/sdk"],
    [alone.aiSdk({}), "ai"],
  ]) {
    await assert.rejects(made.ready(), { kind: "option", detail: `needs the package ${name}: npm install ${name}` });
    assert.equal((await verify(TURN, { model: made })).failure, "raised");
  }
  await alone.ollama("x").ready();
  rmSync(folder, { recursive: true });
});
