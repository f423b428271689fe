/** Proof of read in headless Chromium: the vectors under a strict content security policy, and through a bundler. */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { browse, missing, open, titled } from "./chromium.mjs";
import { folders, installed, root } from "./folders.mjs";

const FILES = [`${root}tests/canary/vectors.json`, `${root}../shared/vectors/canary-v1.json`].filter(existsSync);
/** Buckets reach to both ends of 64 bits, which numbers of JSON.parse do not. */
const vectors = FILES.map((file) => JSON.parse(readFileSync(file, "utf8").replace(/("bucket":\s*)(-?\d+)/g, '$1"$2"')));

test("every vector holds in Chromium, and a call before init says what is missing", { skip: missing }, async () => {
  await browse(folders, async (address, browser) => {
    const { page, errors } = await open(browser, `${address}/pages/canary.html`);
    assert.equal(await titled(page, "ready"), "ready", errors.join("\n"));
    assert.equal(
      await page.evaluate(() => window.before),
      "counterfoil is not loaded yet: await init() before the first call",
    );
    const counts = await page.evaluate((given) => window.vectors(given), vectors);
    assert.deepEqual(
      counts,
      vectors.map(({ vectors, refusals = [] }) => [vectors.length, refusals.length]),
    );
    assert.equal(await page.evaluate(() => window.trip()), "READ_VERIFIED 200 READ_VERIFIED");
    assert.deepEqual(errors, []);
  });
});

test("vite bundles it without a plugin", { skip: missing }, async () => {
  const { build } = await import("vite");
  const [source, out] = [`${installed}vite-canary/`, `${root}.cache/npm-apps/vite-canary/`];
  for (const folder of [source, out]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(
    `${source}main.js`,
    `import { Canary, init } from "counterfoil/canary";
     await init();
     const canary = new Canary(crypto.getRandomValues(new Uint8Array(32)));
     const { sentinel } = canary.issue("s", 0);
     document.title = canary.verify("s", sentinel, 0).state;`,
  );
  writeFileSync(
    `${source}index.html`,
    `<!doctype html><link rel="icon" href="data:,"><script type="module" src="./main.js"></script>\n`,
  );
  const settings = { outDir: out, emptyOutDir: true, assetsInlineLimit: 0 };
  await build({ root: source, base: "./", logLevel: "error", build: settings });
  await browse({ "/": out }, async (address, browser) => {
    const { page, errors } = await open(browser, `${address}/index.html`);
    assert.deepEqual([await titled(page, "READ_VERIFIED"), errors], ["READ_VERIFIED", []]);
  });
});
