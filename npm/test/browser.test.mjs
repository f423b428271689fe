/** The packed package in headless Chromium: as it is served, in a Worker, under a strict CSP, and through three bundlers. */

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { check } from "../../tests/check.mjs";
import { checks } from "../../tests/model.mjs";
import { vectors } from "../../tests/vectors.mjs";
import { browse, missing, open, titled } from "./chromium.mjs";
import { fixtures } from "./fixtures.mjs";
import { folders, installed, root } from "./folders.mjs";
import { session } from "./made.mjs";

const APPS = `${root}.cache/npm-apps/`;
const TURN = {
  reply: "日本 🎉. All tests pass. \ud83d",
  calls: [{ tool: "bash", arguments: { command: "pytest" }, output: "🎉 1 failed", exit: 1 }],
};

describe("in Chromium", { skip: missing }, () => {
  let done;
  let page;
  let errors;
  before(async () => {
    await new Promise((ready, failed) => {
      const work = async (address, browser) => {
        ({ page, errors } = await open(browser, `${address}/pages/index.html`));
        await titled(page, "ready");
        ready();
        await new Promise((end) => {
          done = end;
        });
      };
      browse(folders, work).catch(failed);
    });
  });
  after(() => done?.());

  test("a call before init throws one plain sentence", async () => {
    const said = await page.evaluate(() => window.before);
    assert.equal(said, "counterfoil is not loaded yet: await init() before the first call");
  });

  test("every vector holds under a strict content security policy", async () => {
    const cases = vectors();
    assert.ok(cases.length > 100);
    assert.deepEqual(await page.evaluate((given) => window.failures(given), cases), []);
    assert.deepEqual(errors, []);
    console.log(`${cases.length} vectors in Chromium`);
  });

  for (const file of Object.keys(checks)) {
    test(`every vector of the model step holds: ${file}`, async () => {
      const cases = JSON.parse(readFileSync(`${root}tests/model/${file}`, "utf8"));
      assert.deepEqual(await page.evaluate((given) => window.model(...given), [file, cases]), []);
      assert.deepEqual(errors, []);
    });
  }

  test("every fixture of a format is read by the entry that has them all", async () => {
    assert.deepEqual(await page.evaluate((given) => window.misread(given), fixtures()), []);
  });

  test("the entry that is loaded first says where the rest is", async () => {
    const said = await page.evaluate((turn) => {
      const message = (work) => {
        try {
          work();
          return "";
        } catch (error) {
          return `${error.kind} ${error.message}`;
        }
      };
      const rules = [{ name: "deploy", says: ["deployed"], needs: { matches: "helm" } }];
      return [
        message(() => window.counterfoil.parseSession('{"type":"session_meta","payload":{"id":"s"}}')),
        message(() => window.counterfoil.verify(turn, { rules })),
        window.full.verify({ reply: "I deployed it.", calls: [] }, { rules }).claims[0].reader,
      ];
    }, TURN);
    assert.match(said[0], /^format this is codex, which .* import counterfoil\/formats/);
    assert.match(said[1], /^option rules: .* import counterfoil\/rules/);
    assert.equal(said[2], "deploy");
  });

  test("the vectors' runner sees what is wrong", () => {
    const wrong = { reply: "Hello.", calls: [], claims: [{ quote: "Hello" }] };
    assert.throws(() => check(wrong, { verify: () => null }), /claims: found/);
  });

  test("a Worker gives the same result, lone surrogates included", async () => {
    const [here, there] = await page.evaluate(async (turn) => {
      return [window.counterfoil.verify(turn), await window.inWorker(turn)];
    }, TURN);
    assert.deepEqual(there, here);
    const [{ span }] = here.claims;
    assert.equal(TURN.reply.slice(span.start, span.end), "All tests pass");
  });

  test("a session of 50 MB and a turn with 10,000 calls are checked", async () => {
    const turns = await page.evaluate((text) => window.counterfoil.verifySession(text).totals.turns, session(3700));
    assert.equal(turns, 3700);
    const calls = await page.evaluate((call) => {
      return window.counterfoil.verify({ reply: "All tests pass.", calls: Array(10_000).fill(call) }).calls;
    }, TURN.calls[0]);
    assert.equal(calls, 10_000);
  });
});

const bundlers = {
  async vite(source, out) {
    const { build } = await import("vite");
    await build({
      root: source,
      base: "./",
      logLevel: "error",
      build: { outDir: out, emptyOutDir: true, assetsInlineLimit: 0 },
    });
  },
  async webpack(source, out) {
    const { default: webpack } = await import("webpack");
    const settings = {
      mode: "production",
      context: source,
      entry: "./main.js",
      output: { path: out, filename: "main.js" },
    };
    const stats = await new Promise((resolve, reject) => {
      webpack({ ...settings, performance: false }, (error, found) => (error ? reject(error) : resolve(found)));
    });
    assert.ok(!stats.hasErrors(), stats.toString());
  },
  async esbuild(source, out) {
    const { buildSync } = createRequire(import.meta.url)("esbuild");
    const entry = `${source}served.js`;
    const loader = { ".wasm": "file" };
    buildSync({ entryPoints: [entry], outfile: `${out}main.js`, bundle: true, format: "esm", minify: true, loader });
  },
};

const MAIN = `import { init, verify } from "counterfoil";
await init();
document.title = verify({ reply: "All tests pass.", calls: [] }).claims[0].verdict;
`;
/** esbuild hands out files that are imported, and no others. */
const SERVED = MAIN.replace("\n", '\nimport address from "counterfoil/wasm";\n').replace(
  "init()",
  "init(new URL(address, import.meta.url))",
);
const PAGE = `<!doctype html><link rel="icon" href="data:,"><script type="module" src="./main.js"></script>\n`;

for (const [name, bundle] of Object.entries(bundlers)) {
  test(`${name} bundles it without a plugin`, { skip: missing }, async () => {
    // The folder lies beside the installed package, so that its name is resolved as in a project of its own.
    const source = `${installed}${name}/`;
    const out = `${APPS}${name}/`;
    for (const folder of [source, out]) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
    }
    writeFileSync(`${source}main.js`, MAIN);
    writeFileSync(`${source}served.js`, SERVED);
    writeFileSync(`${source}index.html`, PAGE);
    await bundle(source, out);
    if (name !== "vite") writeFileSync(`${out}index.html`, PAGE);
    await browse({ "/": out }, async (address, browser) => {
      const { page, errors } = await open(browser, `${address}/index.html`);
      assert.deepEqual([await titled(page, "unsupported"), errors], ["unsupported", []]);
    });
  });
}
