/** Sessions made from a seed, the same as those of core/examples/bench/made.rs, and a way to measure. */

const NAMES = ["parser", "session", "invoice", "harbour", "index", "cache", "report", "user", "token", "queue"];
const VERBS = ["reads", "writes", "checks", "loads", "merges", "drops", "sorts", "renames", "retries", "folds"];

/** A small generator of numbers, so that every run measures the same text. */
export class Dice {
  constructor(seed) {
    this.state = BigInt(seed);
  }

  below(limit) {
    this.state = BigInt.asUintN(64, this.state * 6364136223846793005n + 1442695040888963407n);
    return Number((this.state >> 33n) % BigInt(limit));
  }

  pick(list) {
    return list[this.below(list.length)];
  }
}

const two = (number) => String(number).padStart(2, "0");

/** About `size` bytes that a tool may have printed: a log, a listing, or source text. */
function output(dice, size) {
  let text = "";
  const kind = dice.below(3);
  while (text.length < size) {
    const [name, verb, n] = [dice.pick(NAMES), dice.pick(VERBS), dice.below(9000)];
    text += [
      `2026-10-${two((n % 28) + 1)}T08:${two(n % 60)}:11Z INFO ${name} ${verb} ${n} rows in ${n % 97}.${n % 10} ms\n`,
      `-rw-r--r-- 1 mira mira ${String(n).padStart(6)} Oct 14 07:55 src/${name}_${n}.rs\n`,
      `${String(n).padStart(5)}\tfn ${name}_${verb}(input: &str) -> usize { input.len() + ${n} }\n`,
    ][kind];
  }
  return text;
}

/** A call with a typical command, and how it ended. */
export function call(dice, size) {
  const [name, number] = [dice.pick(NAMES), dice.below(400)];
  let text = output(dice, size);
  const kind = dice.below(6);
  if (kind === 0) {
    text += `test result: ok. ${number} passed; 0 failed; 0 ignored; finished in 1.20s\n`;
  }
  const [tool, given, exit] = [
    () => ["bash", { command: "cargo test --workspace 2>&1 | tail -40" }, 0],
    () => ["read_file", { path: `src/${name}.rs` }, 0],
    () => ["edit_file", { path: `src/${name}.rs`, old: "let a = 1;", new: "let a = 2;" }, 0],
    () => ["bash", { command: `grep -rn '${name}' src && ls -la src` }, 0],
    () => ["bash", { command: "npm run build" }, dice.below(3)],
    () => ["web_search", { query: `${name} ${number} format` }, 0],
  ][kind]();
  return { tool, arguments: given, output: text, exit };
}

/** A reply of about eight claims; with `size`, prose goes on until it is that long. */
export function reply(dice, size = 0) {
  const [name, other, number] = [dice.pick(NAMES), dice.pick(NAMES), dice.below(400)];
  let text =
    `## What changed\n\nI read \`src/${name}.rs\` and found ${number} matches for the old name. The ${other} now ` +
    `${dice.pick(VERBS)} its rows before it ${dice.pick(VERBS)} them, so that a late one is no longer lost.\n\n` +
    `- Edited \`src/${name}.rs\` and \`src/${other}.rs\`\n- **Ran** \`cargo test --workspace\`: all ${number} tests ` +
    `passed\n- The build succeeded with exit code 0\n- Removed the stale cache file \`target/${other}.json\`\n\n` +
    `\`\`\`rust\nlet a = ${number};\n\`\`\`\n\n### Next\n\nIf you want, I can also look at the ${other}. Once the ` +
    `review is done, the branch should be merged. The ${name} took ${number % 97}.${number % 10} ms, and no files ` +
    "outside `src` were changed.\n";
  while (text.length < size) {
    const words = [NAMES, VERBS, NAMES, NAMES].map((list) => dice.pick(list));
    text += `\nThe ${words[0]} ${words[1]} the ${words[2]} and \`${words[3]}_${dice.below(90)}\` was written.`;
  }
  return text;
}

/** A native session of so many turns, as text. */
export function session(turns) {
  const dice = new Dice(1873);
  const turn = () => {
    const calls = Array.from({ length: 6 }, () => call(dice, 2000));
    return { user: "Please go on.", reply: reply(dice), calls, said: [] };
  };
  return JSON.stringify({ turns: Array.from({ length: turns }, turn) });
}

/** The best time of several runs, in milliseconds. */
export function best(runs, work) {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    work();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}
