/** The packed package under the dev servers of Vite, which move scripts before a page gets them. */

import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { browse, missing, open, titled } from "./chromium.mjs";
import { installed } from "./folders.mjs";

const TURN = `{ reply: "All tests pass.", calls: [] }`;
const FILES = {
  "index.html": `<!doctype html><link rel="icon" href="data:,"><script type="module" src="./main.js"></script>`,
  "main.js": `import { flagged, init, verify } from "counterfoil";
    import address from "counterfoil/wasm?url";
    const said = [];
    await init("./index.html").catch((error) => said.push(error.message));
    await init();
    said.push(flagged(verify(${TURN})).length);
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    said.push(await new Promise((heard) => {
      worker.onmessage = ({ data }) => heard(data);
      worker.postMessage(address);
    }));
    document.title = JSON.stringify(said);`,
  "worker.js": `import { flagged, init, verify } from "counterfoil";
    self.onmessage = async ({ data }) => {
      const first = await init().then(() => "found", (error) => error.message);
      await init(data);
      self.postMessage([first, flagged(verify(${TURN})).length]);
    };`,
};
const LOST =
  "counterfoil found no wasm file at ./index.html: give init the address of counterfoil_bg.wasm; with Vite, import it from " +
  '"counterfoil/wasm?url" or list "counterfoil" in optimizeDeps.exclude';

for (const name of ["vite7", "vite"]) {
  for (const [how, optimizeDeps] of [
    ["moved", {}],
    ["left alone", { exclude: ["counterfoil"] }],
  ]) {
    test(`the dev server of ${name} finds the core of a package that is ${how}`, { skip: missing }, async () => {
      const { createServer } = await import(name);
      const folder = `${installed}${name}-dev/`;
      rmSync(folder, { recursive: true, force: true });
      rmSync(`${installed}node_modules/.vite`, { recursive: true, force: true });
      mkdirSync(folder);
      for (const [file, text] of Object.entries(FILES)) writeFileSync(folder + file, text);
      const settings = { configFile: false, root: installed, base: "/app/", logLevel: "error", optimizeDeps };
      const server = await createServer({ ...settings, server: { host: "127.0.0.1", port: 0, hmr: false, ws: false } });
      try {
        await server.listen();
        const { port } = server.httpServer.address();
        await browse({}, async (_, browser) => {
          const { page, errors } = await open(browser, `http://127.0.0.1:${port}/app/${name}-dev/index.html`);
          const wanted = JSON.stringify([LOST, 1, ["found", 1]]);
          assert.equal(await titled(page, wanted), wanted, errors.join("\n"));
        });
      } finally {
        await server.close();
      }
    });
  }
}

test("a script that Vite moved knows where the package is", async () => {
  const { unmoved } = await import(`${installed}node_modules/counterfoil/dist/fetch.js`);
  const file = "http://host/app/node_modules/counterfoil/dist/core/counterfoil_bg.wasm";
  for (const deps of [
    ".vite/deps/counterfoil.js?v=1",
    ".vite/deps/chunk-A.js",
    ".vite/vitest/1f/deps/counterfoil.js",
  ]) {
    assert.equal(unmoved(`http://host/app/node_modules/${deps}`), file);
  }
  // The files of the other entries know theirs.
  const full = await import(`${installed}node_modules/counterfoil/dist/full/fetch.js`);
  const moved = "http://host/app/node_modules/.vite/deps/counterfoil_formats.js";
  assert.equal(full.unmoved(moved), file.replace("dist/core", "dist/full/core"));
  for (const other of ["http://host/node_modules/counterfoil/dist/browser.js", "http://host/assets/index.js"]) {
    assert.equal(unmoved(other), undefined);
  }
});
