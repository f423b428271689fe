/** A page in headless Chromium, served from a folder of this machine; nothing else is reached. */

import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".jsonl": "text/plain; charset=utf-8",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** No inline script, no eval, no other address: what a careful site sends. */
export const STRICT =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self'; worker-src 'self'; img-src data:";

/** The browser's program: the one that CHROMIUM names, else the first on the path; undefined where there is none. */
export function program() {
  const names = [process.env.CHROMIUM, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  return names.find((name) => {
    try {
      return name && execFileSync(name, ["--version"], { stdio: ["ignore", "pipe", "ignore"] });
    } catch {
      return false;
    }
  });
}

/** Why tests in a browser cannot run here; false where they can. */
export const missing = program() ? false : "Chromium is not on this machine";

/** Serves `folders` (prefix to folder) and opens a browser while `work` runs with the address and a way to open pages. */
export async function browse(folders, work, policy = STRICT) {
  const server = createServer((request, response) => answer(folders, policy, request, response));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { chromium } = await import("playwright-core");
  const path = execFileSync("sh", ["-c", `command -v "${program()}"`], { encoding: "utf8" }).trim();
  const browser = await chromium.launch({ executablePath: path, args: FLAGS });
  try {
    return await work(`http://127.0.0.1:${server.address().port}`, browser);
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
  }
}

async function answer(folders, policy, request, response) {
  const path = decodeURIComponent(new URL(request.url, "http://host").pathname);
  const prefix = Object.keys(folders).find((name) => path.startsWith(name));
  try {
    const file = join(folders[prefix], normalize(path.slice(prefix.length)) || "index.html");
    const headers = { "content-type": TYPES[extname(file)] ?? "application/octet-stream" };
    response.writeHead(200, policy ? { ...headers, "content-security-policy": policy } : headers);
    response.end(await readFile(file));
  } catch {
    response.writeHead(404).end();
  }
}

/** Waits for the page's title. Asked from outside, since a strict policy forbids the page to evaluate a condition. */
export async function titled(page, title) {
  for (let tries = 0; tries < 400 && (await page.title()) !== title; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return page.title();
}

/** Opens a page and gives what it writes to the console's errors, besides the page. */
export async function open(browser, address) {
  const page = await browser.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(address);
  return { page, errors };
}
