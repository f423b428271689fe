/**
 * What a vector asks of the npm package; tests/vectors/README.md has the schema. The same code runs in Node
 * (tests/run.mjs) and in Chromium (npm/test/browser.test.mjs). Claims are given by their words, never by offsets.
 */

const TURN = ["reply", "calls", "earlier", "user", "said", "context", "tools", "entries", "complete", "reasons"];
const CLAIM = ["text", "quote", "reader", "verdict", "reason", "call", "earlier", "evidence", "line"];
const FLAGGED = ["unsupported", "contradicted"];

/** Checks one case with the package's functions; throws what is wrong with it. */
export function check(given, counterfoil) {
  if ("claims" in given) claims(given, counterfoil);
  else if ("honest" in given) honest(given, counterfoil);
  else if ("numbers" in given) cited(given, counterfoil);
  else ran(given, counterfoil);
}

/** Nothing in the reply is flagged. */
function honest(given, counterfoil) {
  known(given, [...TURN, "honest", "options"]);
  const line = counterfoil.verify(turnOf(given), given.options)?.line ?? null;
  same(line, null, "accused");
}

/** The claims in reading order. A claim's keys that are left out are not compared. */
function claims(given, counterfoil) {
  known(given, [...TURN, "canaries", "claims", "honest", "line", "options", "status", "wants"]);
  const turn = turnOf(given);
  const text = textOf(turn.reply);
  const found = counterfoil.verify(turn, given.options);
  const got = (found?.claims ?? []).map((claim) => seen(claim, text, turn));
  for (const asked of given.claims) known(asked, CLAIM);
  const narrowed = got.map((claim, i) => pick(claim, Object.keys(given.claims[i] ?? claim)));
  same(narrowed, given.claims, "claims");
  const line = found?.line ?? null;
  same(line === null, !got.some((claim) => FLAGGED.includes(claim.verdict)), "a line where something is flagged");
  if ("line" in given) same(line, given.line, "line");
  if ("canaries" in given) same((found?.canaries ?? []).map(({ state }) => state), given.canaries, "canaries");
  for (const key of ["status", "wants"]) if (key in given) same(found?.[key], given[key], key);
}

/** A claim in the words of a vector. */
function seen(claim, text, turn) {
  const quote = text.slice(claim.span.start, claim.span.end);
  same(quote.startsWith(claim.text.replace(/…$/, "")) && quote !== "", true, `the span of ${claim.text}`);
  same(claim.line, text.slice(0, claim.span.start).split("\n").length, `the line of ${claim.text}`);
  const source = claim.call !== null ? turn.calls[claim.call] : turn.earlier?.[claim.earlier];
  const evidence = claim.evidence && source.output.slice(claim.evidence.start, claim.evidence.end);
  return { ...claim, quote, evidence };
}

/** The `ran:` line. */
function ran(given, counterfoil) {
  known(given, [...TURN, "line"]);
  same(counterfoil.ran(turnOf(given)), given.line ?? null, "line");
}

/** Cited entries. Without `store` the conversation holds all that is cited. */
function cited(given, counterfoil) {
  known(given, ["reply", "store", "numbers", "missing", "capped", "line"]);
  const entries = "store" in given ? Array.from({ length: given.store }, (_, i) => i + 1) : null;
  same(counterfoil.cited(given.reply, entries), {
    numbers: spread(given.numbers),
    missing: spread(given.missing ?? []),
    capped: given.capped ?? false,
    line: given.line ?? null,
  });
}

/** A pair stands for every number from its first to its last. */
function spread(numbers) {
  const range = ([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i);
  return numbers.flatMap((part) => (Array.isArray(part) ? range(part) : [part]));
}

const pick = (from, keys) => Object.fromEntries(keys.map((key) => [key, from[key]]));
const turnOf = (given) => ({ reply: "", ...pick(given, TURN.filter((key) => key in given)) });
const textOf = (reply) => (typeof reply === "string" ? reply : reply.map((piece) => piece.text).join("\n\n"));

/** A misspelt key would test nothing. */
function known(part, keys) {
  const unknown = Object.keys(part).filter((key) => ![...keys, "name", "note"].includes(key));
  same(unknown, [], "keys that this runner does not know");
}

/** JSON values compare as their text with sorted keys. */
function same(found, wanted, what = "") {
  const text = (value) => JSON.stringify(value, (_, v) => (isObject(v) ? pick(v, Object.keys(v).sort()) : v));
  if (text(found) !== text(wanted)) throw new Error(`${what}: found ${text(found)}, not ${text(wanted)}`);
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
