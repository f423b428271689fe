/** The example page in Chromium, served as its head says. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { browse, missing, open } from "./chromium.mjs";
import { folders, root } from "./folders.mjs";

const EXAMPLE = { "/counterfoil/": folders["/package/"], "/": `${root}examples/browser/` };
const HARBOUR = readFileSync(`${root}examples/sessions/harbour.jsonl`, "utf8");
const FOUND = "10 claims read in 4 turns, 2 flagged";

/** A test of the page; `route` may change what it is sent. */
function shown(name, work, route) {
  test(name, { skip: missing }, async () => {
    await browse(EXAMPLE, async (address, browser) => {
      const context = await browser.newContext();
      if (route) await context.route("**/*.wasm", route);
      const { page, errors } = await open(context, `${address}/index.html`);
      await work(page, errors);
    });
  });
}

/** Waits for the summary, which the Worker gives. */
async function summary(page, wanted) {
  for (let tries = 0; tries < 200 && !(await page.textContent("#summary")).match(wanted); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.match(await page.textContent("#summary"), wanted);
}

const marked = (page) => page.evaluate(() => [...(CSS.highlights.get("flagged") ?? [])].map(String));

shown("the example page marks flagged claims in a pasted session", async (page, errors) => {
  await summary(page, /^$/);
  const outside = [];
  const own = new URL(page.url()).origin;
  page.on("request", (request) => request.url().startsWith(own) || outside.push(request.url()));
  await page.fill("#session", HARBOUR);
  await summary(page, new RegExp(FOUND));
  assert.equal((await marked(page))[0], "All 43 tests pass");
  assert.equal(await page.textContent("h2"), "Turn 2");
  assert.equal(await page.evaluate(() => document.getElementById("session").labels.length), 1);
  assert.deepEqual([errors, outside], [[], []]);
  await page.setViewportSize({ width: 800, height: 820 });
  const picture = process.env.UPDATE ? "docs" : ".cache";
  await page.screenshot({ path: `${root}${picture}/browser.png` });
  await page.fill("#session", "{");
  await summary(page, /^not a transcript/);
  assert.deepEqual([await page.textContent("#turns"), await marked(page)], ["", []]);
});

shown("an emptied box clears what was shown", async (page) => {
  await page.fill("#session", HARBOUR);
  await summary(page, new RegExp(FOUND));
  await page.fill("#session", "");
  await summary(page, /^$/);
  assert.deepEqual([await page.textContent("#turns"), await marked(page)], ["", []]);
});

shown("what is more than the list, and what was repaired, is said", async (page) => {
  const calls = [{ tool: "bash", arguments: { command: "ls" }, output: "a" }];
  const reply = Array.from({ length: 15 }, (_, i) => `I found ${100 + i} files.`).join("\n\n");
  await page.fill("#session", JSON.stringify({ turns: [{ reply, calls }], id: 5 }));
  await summary(page, /^15 claims read in 1 turn, 15 flagged$/);
  assert.match(await page.textContent("#turns"), /\+3 more$/);
  assert.match(await page.textContent("#notes"), /^id: expected a text; found 5$/);
});

shown(
  "what is pasted while the core loads is checked when it is there",
  async (page) => {
    await page.fill("#session", HARBOUR);
    assert.equal(await page.textContent("#summary"), "Checking…");
    await summary(page, new RegExp(FOUND));
  },
  (route) => setTimeout(() => route.continue(), 1000),
);

shown(
  "a core that cannot be loaded is said",
  async (page) => {
    await summary(page, /^counterfoil could not fetch its core from /);
    await page.fill("#session", HARBOUR);
    await summary(page, /^counterfoil could not fetch its core from /);
  },
  (route) => route.abort(),
);
