/** `node home.mjs node|chromium CASES`: prints what that home finds in each case. Exit 77 says that it is not here. */

import { readFileSync } from "node:fs";
import * as counterfoil from "../../.cache/npm-installed/entry.mjs";
import * as rules from "../../.cache/npm-installed/rules.mjs";
import { results } from "../../tests/results.mjs";
import { browse, missing, open, titled } from "./chromium.mjs";
import { folders } from "./folders.mjs";

const [home, path] = process.argv.slice(2);
const cases = JSON.parse(readFileSync(path, "utf8"));

if (home === "node") {
  console.log(JSON.stringify(results(cases, counterfoil, rules)));
} else if (missing) {
  console.error(missing);
  process.exitCode = 77;
} else {
  await browse(folders, async (address, browser) => {
    const { page } = await open(browser, `${address}/pages/index.html`);
    await titled(page, "ready");
    console.log(JSON.stringify(await page.evaluate((given) => window.results(given), cases)));
  });
}
