/** The fixtures of the formats: a host's text, and the session that comes out of it. */

import { readdirSync, readFileSync } from "node:fs";
import { root } from "./folders.mjs";

const FOLDER = `${root}tests/formats/`;

/** Every fixture with its format. */
export function fixtures() {
  const texts = readdirSync(FOLDER, { recursive: true }).filter((path) => /(?<!\.native)\.jsonl?$/.test(path));
  return texts.sort().map((path) => {
    const text = readFileSync(`${FOLDER}${path}`, "utf8");
    const expected = JSON.parse(readFileSync(`${FOLDER}${path.replace(/\.jsonl?$/, ".native.json")}`, "utf8"));
    return { format: path.split("/")[0], path, text, expected };
  });
}
