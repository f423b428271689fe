/** Verification contracts in headless Chromium: the cases under a strict content security policy, and through a bundler. */

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { browse, missing, open, titled } from "./chromium.mjs";
import { folders, installed, root } from "./folders.mjs";

const FOLDER = `${root}tests/contract/`;
const names = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
const cases = names.flatMap((name) => JSON.parse(readFileSync(FOLDER + name, "utf8")));

test("every case holds in Chromium, and a call before init says what is missing", { skip: missing }, async () => {
  await browse(folders, async (address, browser) => {
    const { page, errors } = await open(browser, `${address}/pages/contract.html`);
    assert.equal(await titled(page, "ready"), "ready", errors.join("\n"));
    assert.equal(
      await page.evaluate(() => window.before),
      "counterfoil is not loaded yet: await init() before the first call",
    );
    // As text, so that nothing but JSON.parse stands between the file and the page.
    assert.deepEqual(await page.evaluate((given) => window.cases(JSON.parse(given)), JSON.stringify(cases)), []);
    assert.equal(await page.evaluate(() => window.signed()), "valid_trusted");
    assert.deepEqual(errors, []);
  });
});

test("vite bundles it without a plugin", { skip: missing }, async () => {
  const { build } = await import("vite");
  const [source, out] = [`${installed}vite-contract/`, `${root}.cache/npm-apps/vite-contract/`];
  for (const folder of [source, out]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(
    `${source}main.js`,
    `import { init, judge } from "counterfoil/contract";
     await init();
     document.title = judge(null, null, [], { now: "2026-01-01T01:00:00Z" }).verdict_word;`,
  );
  writeFileSync(
    `${source}index.html`,
    `<!doctype html><link rel="icon" href="data:,"><script type="module" src="./main.js"></script>\n`,
  );
  const settings = { outDir: out, emptyOutDir: true, assetsInlineLimit: 0 };
  await build({ root: source, base: "./", logLevel: "error", build: settings });
  await browse({ "/": out }, async (address, browser) => {
    const { page, errors } = await open(browser, `${address}/index.html`);
    assert.deepEqual([await titled(page, "UNVERIFIED"), errors], ["UNVERIFIED", []]);
  });
});
