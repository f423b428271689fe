/** The vectors as plain objects with an id; TOML is read here, so that a browser gets JSON. */

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";

const { parse } = createRequire(new URL("../npm/", import.meta.url))("smol-toml");
const FOLDER = new URL("vectors/", import.meta.url);

/** Every case of every file, with its id. */
export function vectors() {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".toml"));
  return files.sort().flatMap((file) => {
    const { case: cases = [] } = parse(readFileSync(new URL(file, FOLDER), "utf8"));
    return cases.map((given) => ({ id: `${basename(file, ".toml")}/${given.name}`, given }));
  });
}
