/**
 * Builds the npm package into npm/dist.
 *
 *     node scripts/npm.mjs            build, and print what each file weighs
 *     node scripts/npm.mjs --weigh    only weigh what was built; exit 1 when the wasm or its glue is too large
 *     node scripts/npm.mjs --sizes    build every opt-level, measure it, and print the table of docs/size.md
 *
 * `make` installs what this needs: the target wasm32-unknown-unknown, wasm-bindgen in .cache, and npm/node_modules.
 */

import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const NPM = join(ROOT, "npm");
const CORE = join(NPM, "src", "core");
const CANARY = join(NPM, "src", "canary", "core");
const CONTRACT = join(NPM, "src", "contract", "core");
const DIST = join(NPM, "dist");
const TARGET = resolve(process.env.CARGO_TARGET_DIR ?? join(ROOT, "target"));
const PACKED = join(ROOT, ".cache", "npm-pack");
const INSTALLED = join(ROOT, ".cache", "npm-installed");
const BINDGEN = join(ROOT, ".cache", "wasm-bindgen", "bin", "wasm-bindgen");
/** In bytes after gzip. The aim for the first is 150 KB; docs/size.md says what stands between. */
const LIMITS = {
  "counterfoil_bg.wasm": 705_000,
  "../full/core/counterfoil_bg.wasm": 980_000,
  "counterfoil.js": 8_000,
  "../canary/core/counterfoil_canary_bg.wasm": 78_000,
  "../contract/core/counterfoil_contract_bg.wasm": 435_000,
};

/**
 * How much of what is called is copied to where it is used. With this the level `z` is as fast as `s` with what LLVM
 * takes by itself (5 and 50), and 10 % smaller; at 80 the file is 27 KB larger and no faster.
 */
const INLINE = "-Cllvm-args=-inline-threshold=50";

const run = (program, args, env = {}) =>
  execFileSync(program, args, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...env } });
const bin = (name) => join(NPM, "node_modules", ".bin", name);
const packed = (path) => gzipSync(readFileSync(path), { level: 9 }).length;

/** The places of panics name files of this machine, unless they are told not to. */
function remapped() {
  const sources = join(process.env.CARGO_HOME ?? join(homedir(), ".cargo"), "registry", "src");
  const folders = existsSync(sources) ? readdirSync(sources).map((name) => join(sources, name)) : [];
  return folders.map((folder) => `--remap-path-prefix=${folder}=`);
}

/** One wasm file with its glue, as `name` in `folder`. */
function wasm(name, folder, { features = "", level = "", crate = "counterfoil-wasm", crates = {}, optimise = true } = {}) {
  const env = { CARGO_TARGET_DIR: TARGET, ...(level && { CARGO_PROFILE_WASM_OPT_LEVEL: level }) };
  const own = Object.entries(level ? { counterfoil: level, ...crates } : {}).flatMap(([crate, l]) => ["--config", `profile.wasm.package.${crate}.opt-level=${JSON.stringify(l)}`]);
  const flags = `target.wasm32-unknown-unknown.rustflags=${JSON.stringify([...remapped(), INLINE])}`;
  const args = [...own, "--config", flags, "build", "--quiet", "--profile", "wasm", "--target", "wasm32-unknown-unknown", "-p", crate];
  run("cargo", features ? [...args, "--features", features] : args, env);
  const built = join(TARGET, "wasm32-unknown-unknown", "wasm", `${crate.replaceAll("-", "_")}.wasm`);
  const glue = ["--target", "web", "--omit-default-module-path", "--remove-producers-section"];
  run(BINDGEN, [built, ...glue, "--out-dir", folder, "--out-name", name]);
  rmSync(join(folder, `${name}_bg.wasm.d.ts`), { force: true });
  if (!optimise) return;
  const file = join(folder, `${name}_bg.wasm`);
  const engine = ["--enable-bulk-memory", "--enable-nontrapping-float-to-int", "--enable-sign-ext", "--enable-mutable-globals",
    "--enable-reference-types", "--enable-multivalue"];
  // What bears like names is much alike: side by side gzip makes 2 % less of it.
  const order = ["--reorder-functions-by-name", "--strip-debug"];
  const passes = typeof level === "number" ? ["-O3"] : ["-Oz", "--one-caller-inline-max-function-size=0"];
  run(bin("wasm-opt"), [file, "-o", file, ...passes, ...order, ...engine]);
}

function build() {
  for (const folder of [CORE, CANARY, CONTRACT, DIST]) rmSync(folder, { recursive: true, force: true });
  for (const folder of [CORE, CANARY, CONTRACT]) mkdirSync(folder, { recursive: true });
  console.log("  1 of 5: the core that a browser loads first");
  wasm("counterfoil", CORE);
  console.log("  2 of 5: the command line");
  wasm("counterfoil_cli", CORE, { features: "command" });
  console.log("  3 of 5: proof of read");
  wasm("counterfoil_canary", CANARY, { crate: "counterfoil-canary-wasm" });
  console.log("  4 of 5: verification contracts");
  wasm("counterfoil_contract", CONTRACT, { crate: "counterfoil-contract-wasm" });
  run(bin("tsc"), ["-p", join(NPM, "tsconfig.json")]);
  cpSync(CORE, join(DIST, "core"), { recursive: true });
  cpSync(CANARY, join(DIST, "canary", "core"), { recursive: true });
  cpSync(CONTRACT, join(DIST, "contract", "core"), { recursive: true });
  copyFileSync(join(NPM, "src", "wasm.d.ts"), join(DIST, "wasm.d.ts"));
  full();
  chmodSync(join(DIST, "cli.js"), 0o755);
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY.txt"]) {
    copyFileSync(join(ROOT, "python", name), join(NPM, name));
  }
}

/**
 * The entries `counterfoil/formats` and `counterfoil/rules`, and all entries in Node: the same files over a core that has
 * both, in a folder of their own. Errors are of one class.
 */
function full() {
  const folder = join(DIST, "full");
  mkdirSync(folder);
  const own = (text) => text.replaceAll('"core/', '"full/core/').replaceAll("counterfoil/wasm", "counterfoil/formats/wasm");
  for (const name of readdirSync(DIST).filter((name) => /\.(js|d\.ts)$/.test(name) && !/^(audit-log|cli|evaluate|host|models|wasm)\./.test(name))) {
    const shared = name === "error.js" || name === "error.d.ts";
    writeFileSync(join(folder, name), shared ? 'export * from "../error.js";\n' : own(readFileSync(join(DIST, name), "utf8")));
  }
  console.log("  5 of 5: the core with all formats and with rules");
  wasm("counterfoil", join(folder, "core"), { features: "full" });
  rmSync(join(DIST, "node.js")); // Node has all of it.
  rmSync(join(DIST, "node.d.ts"));
}

/** Packs it and installs the packed file into .cache/npm-installed, where the tests take it from. */
function pack() {
  for (const folder of [PACKED, INSTALLED]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  const quiet = ["--silent", "--no-audit", "--no-fund"];
  const npm = (folder, ...words) => execFileSync("npm", [...words, ...quiet], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  npm(NPM, "pack", "--pack-destination", PACKED);
  writeFileSync(join(INSTALLED, "package.json"), '{"private": true, "type": "module"}\n');
  npm(INSTALLED, "install", "--offline", "--cache", join(ROOT, ".cache", "npm"), join(PACKED, readdirSync(PACKED)[0]));
  writeFileSync(join(INSTALLED, "entry.mjs"), 'export * from "counterfoil";\n');
  writeFileSync(join(INSTALLED, "rules.mjs"), 'export * from "counterfoil/rules";\n');
  writeFileSync(join(INSTALLED, "formats.mjs"), 'export * from "counterfoil/formats";\n');
  for (const name of ["canary", "models", "audit"]) {
    writeFileSync(join(INSTALLED, `${name}.mjs`), `export * from "counterfoil/${name}";\n`);
  }
  const files = 'export * as files from "counterfoil/contract/files";\n';
  writeFileSync(join(INSTALLED, "contract.mjs"), `export * from "counterfoil/contract";\n${files}`);
  // The packages that `counterfoil/models` finds where they are installed.
  for (const name of ["openai", "@anthropic-ai/sdk", "ai"]) {
    mkdirSync(dirname(join(INSTALLED, "node_modules", name)), { recursive: true });
    symlinkSync(join(NPM, "node_modules", name), join(INSTALLED, "node_modules", name));
  }
}

/** Prints what each file weighs; whether all are within their limits. */
function sizes() {
  let within = true;
  for (const name of ["counterfoil_bg.wasm", "counterfoil.js", "counterfoil_cli_bg.wasm", "counterfoil_cli.js", "../full/core/counterfoil_bg.wasm", "../canary/core/counterfoil_canary_bg.wasm", "../contract/core/counterfoil_contract_bg.wasm"]) {
    const size = packed(join(DIST, "core", name));
    const limit = LIMITS[name];
    within &&= !limit || size <= limit;
    const most = limit ? `, at most ${limit / 1000}${size > limit ? ": TOO LARGE" : ""}` : "";
    console.log(`${name.replace(/^\.\.\/(\w+)\/core/, "$1").padEnd(24)} ${(size / 1000).toFixed(1).padStart(6)} KB gzip${most}`);
  }
  return within;
}

/** What is measured: a level for all crates, and for some another. */
const LEVELS = [
  ["z"], // What Cargo.toml says.
  ["s"],
  [2],
  [3],
  ["z", { counterfoil: "s" }],
  ["s", { "pulldown-cmark": "z" }],
  ["s", { "pulldown-cmark": 3, memchr: 3 }],
];

/** Every level with its size and its time on a session of 20 MB. */
async function table() {
  const { session, best } = await import("../npm/test/made.mjs");
  const bytes = new TextEncoder().encode(session(1500));
  console.log("| opt-level | but | raw KB | gzip KB | read, ms | check, ms |\n|---|---|---|---|---|---|");
  for (const [number, [level, crates = {}]] of LEVELS.entries()) {
    const folder = join(ROOT, ".cache", "sizes", String(number));
    mkdirSync(folder, { recursive: true });
    wasm("counterfoil", folder, { level, crates });
    writeFileSync(join(folder, "package.json"), '{"type": "module"}');
    const core = await import(pathToFileURL(join(folder, "counterfoil.js")));
    const file = readFileSync(join(folder, "counterfoil_bg.wasm"));
    core.initSync({ module: file });
    const read = best(5, () => core.Session.parse(bytes).free());
    const made = core.Session.parse(bytes);
    const check = best(5, () => made.verify(undefined));
    made.free();
    const but = Object.entries(crates).map((pair) => pair.join(" "));
    const sizes = [file.length, gzipSync(file, { level: 9 }).length].map((size) => (size / 1000).toFixed(1));
    console.log(`| ${[level, but.join(", "), ...sizes, read.toFixed(0), check.toFixed(0)].join(" | ")} |`);
  }
}

if (process.argv.includes("--sizes")) {
  await table();
} else if (process.argv.includes("--weigh")) {
  process.exitCode = sizes() ? 0 : 1;
} else {
  build();
  pack();
  sizes();
}
